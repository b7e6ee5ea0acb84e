package prose

import "strings"

// The lexicons of German and Dutch, as those in romance.go. Units stand before
// tens in one word: fünfundzwanzig, vijfentwintig.

func german() *Lexicon {
	l := newLexicon(German)
	tens := "zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig"
	l.numerals("eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn", tens)
	l.compound("ein zwei drei vier fünf sechs sieben acht neun", "und", tens)
	l.number(1, 0, "ein eine einen einem")
	l.number(12, 0, "dutzend")
	l.number(100, 0, "hundert einhundert")
	l.add(Item|Core|Plural, "stakeholder risiken probleme interessengruppen")
	l.add(Item|Plural,
		"lieferanten kunden anforderungen benutzer verträge mitarbeiter aufgaben produkte projekte kontakte anwendungen")
	l.add(Process, "prozess prozesse ablauf verfahren")
	l.add(Measure, "januar februar märz april mai juni juli august september oktober november dezember h jahre jahren jahr tage tagen tag wochen monate monaten stunden stunde minuten uhr euro mal prozent punkte kilometer grad")
	l.add(Share, "in über auf")
	l.add(Vague, "paar einige mehrere viele wenige manche")
	l.add(Negation, "nicht kein keine keinen nie niemals ohne")
	l.add(Function, "der die das den dem des und oder in im für mit von zu auf an um wir ich haben habe ist sind es gibt unsere unser dann")
	l.add(Item|Plural, `stakeholdern lieferant kunden teilnehmer teilnehmern bewerber mitglieder maßnahmen themen rechnungen abteilungen standorte
		geräte artikel partner dienstleister systeme anlagen dokumente firmen personen leute namen posten ansprechpartner kollegen`)
	l.add(Core|Item|Plural, "risiken beteiligte")
	l.add(Process, "prozesse prozessen abläufe workflow workflows prozedur")
	l.add(Approval, "genehmigung genehmigungen freigabe freigaben")
	l.add(Negation, "keiner keines niemand kaum")
	l.add(Function, `man du er sie ihr mir mich uns unser euch sich bei aus nach vor über unter durch gegen ohne bis als wenn weil dass aber auch noch
		schon nur sehr mal bitte kann können muss müssen soll sollen will wollen möchte möchten würde brauche brauchen war waren wird werden hat hatte hatten
		alle allen alles diese dieser dieses welche hier da jetzt heute`)
	l.add(Greet, "hallo hi hey moin servus danke dankeschön tschüss guten")
	l.add(Yes, "ja jawohl klar gerne gern natürlich genau okay ok einverstanden sicher los")
	l.add(No, "nein nee nö später nicht lieber")
	l.add(Asks, "was wie warum wieso weshalb wer welche welcher welches wozu wann")
	l.add(Explains, "erkläre erklär erklären beschreibe beschreib definiere vergleiche übersetze übersetz")
	l.add(Gives, "gib schlage schlag nenne nenn schreibe schreib formuliere entwirf liefere empfiehl")
	l.add(Edits, "ändere änder lösche lösch entferne umbenennen benenne korrigiere ersetze aktualisiere")
	l.add(Shows, "zeig zeige zeigen öffne öffnen benutze benutzen nutze nutzen verwende verwenden starte mach mache machen brauche möchte")
	l.add(Enters, "erfassen eintragen anlegen aufnehmen registrieren dokumentieren auflisten eingeben pflegen importieren")
	l.add(Pastes, "einfügen reinkopieren hineinkopieren kopieren importieren hochladen einkopieren")
	l.add(Listed, "liste listen zeilen namensliste einträge daten alles")
	l.add(Sheet, "excel csv xlsx excel-datei csv-datei exceltabelle excel-liste excelliste tabellenkalkulation")
	l.add(TableTool, "tabelle tabellen")
	l.add(MapTool, "prozesskarte prozesskarten prozessdiagramm diagramm flussdiagramm ablaufdiagramm karte")
	l.add(AnyTool, "tools tool werkzeuge werkzeug formulare formular fenster")
	l.add(Everyday, "kinder kind katzen hunde ideen beispiele tipps vorschläge sätze gründe fragen bier kaffee brüder schwestern zimmer tore seiten")
	l.add(Never, "nie niemals nimmer")
	l.add(Always, "immer stets künftig")
	l.add(Closes, "abbrechen abbruch schließen schließe vergiss stopp")
	l.add(Resumes, "weiter weitermachen fortsetzen fortfahren")
	l.mark(LinkFirst, "zuerst zunächst erstens erst anfangs")
	l.mark(LinkThen, "dann danach anschließend schließlich zuletzt daraufhin abschließend")
	return l
}

func dutch() *Lexicon {
	l := newLexicon(Dutch)
	tens := "twintig dertig veertig vijftig zestig zeventig tachtig negentig"
	l.numerals("één twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien zestien zeventien achttien negentien", tens)
	l.compound("een twee drie vier vijf zes zeven acht negen", "en", tens)
	l.compound("twee drie", "ën", tens)
	l.number(1, 0, "een")
	l.number(12, 0, "dozijn")
	l.number(100, 0, "honderd")
	l.add(Item|Core|Plural, "risico's problemen belanghebbenden stakeholders")
	l.add(Item|Plural,
		"leveranciers klanten eisen gebruikers contracten medewerkers taken producten projecten contacten")
	l.add(Process, "proces processen procedure")
	l.add(Measure, "januari februari maart april mei juni juli augustus september oktober november december h jaar jaren dagen dag weken maanden uur minuten euro keer procent punten kilometer")
	l.add(Share, "in over")
	l.add(Vague, "paar enkele enige verschillende veel weinig sommige")
	l.add(Negation, "niet geen nooit zonder")
	l.add(Function, "de het een en of in voor met van te op aan om wij we ik hebben heb is zijn er onze ons die dat dan")
	l.add(Item|Plural, `deelnemers leden afdelingen facturen apparaten partners systemen documenten personen mensen namen locaties bestellingen
		kandidaten collega's artikelen`)
	l.add(Process, "werkwijze workflow workflows procedures procesverloop")
	l.add(Approval, "goedkeuring goedkeuringen")
	l.add(Negation, "geen niemand nauwelijks")
	l.add(Function, `ik je jij u hij zij ze mij ons hun men bij uit na over onder door tegen tot als omdat maar ook nog al alleen heel wel
		kan kunnen moet moeten wil willen zou zouden heeft had hadden was waren wordt worden deze alle hier daar nu vandaag graag dit`)
	l.add(Greet, "hallo hoi dag goedemorgen goedemiddag goedenavond dank bedankt doei goeiemorgen")
	l.add(Yes, "ja jazeker graag prima natuurlijk oké ok akkoord zeker")
	l.add(No, "nee neen later niet liever")
	l.add(Asks, "wat hoe waarom wie welke wanneer")
	l.add(Explains, "leg beschrijf definieer vergelijk vertaal verklaar")
	l.add(Gives, "geef noem schrijf suggereer stel bedenk formuleer")
	l.add(Edits, "wijzig verander verwijder hernoem corrigeer vervang wis")
	l.add(Shows, "toon tonen open openen laat gebruik gebruiken maak zien start")
	l.add(Enters, "invoeren vastleggen registreren opnemen noteren toevoegen")
	l.add(Pastes, "plakken kopiëren importeren uploaden inplakken")
	l.add(Listed, "lijst lijsten rijen gegevens namen alles")
	l.add(Sheet, "excel csv xlsx spreadsheet rekenblad excelbestand excel-bestand")
	l.add(TableTool, "tabel tabellen")
	l.add(MapTool, "proceskaart procesdiagram stroomdiagram diagram")
	l.add(AnyTool, "tools tool hulpmiddelen formulieren formulier")
	l.add(Everyday, "kinderen katten honden ideeën voorbeelden tips suggesties zinnen redenen vragen biertjes broers zussen kamers doelpunten bladzijden")
	l.add(Never, "nooit")
	l.add(Always, "altijd voortaan")
	l.add(Closes, "annuleer annuleren stop sluit sluiten")
	l.add(Resumes, "verder doorgaan hervat")
	l.mark(LinkFirst, "eerst allereerst")
	l.mark(LinkThen, "dan daarna vervolgens tenslotte uiteindelijk")
	return l
}

// compound adds unit + joint + ten as one word, for 21 to 99.
func (l *Lexicon) compound(units, joint, tens string) {
	first := 1
	if joint == "ën" {
		first = 2
	}
	for t, ten := range strings.Fields(tens) {
		for u, unit := range strings.Fields(units) {
			l.number(20+10*t+first+u, 0, unit+joint+ten)
		}
	}
}
