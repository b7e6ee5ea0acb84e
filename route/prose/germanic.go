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
	l.add(Item|Plural, "lieferanten kunden anforderungen benutzer verträge mitarbeiter aufgaben produkte projekte kontakte anwendungen")
	l.add(Process, "prozess prozesse ablauf verfahren")
	l.add(Measure, "jahre jahren jahr tage tagen tag wochen monate monaten stunden stunde minuten uhr euro mal prozent punkte kilometer grad")
	l.add(Vague, "einige mehrere viele wenige manche")
	l.add(Negation, "nicht kein keine keinen nie niemals ohne")
	l.add(Function, "der die das den dem des und oder in im für mit von zu auf an um wir ich haben habe ist sind es gibt unsere unser dann")
	l.mark(LinkFirst, "zuerst zunächst erstens")
	l.mark(LinkThen, "dann danach anschließend schließlich zuletzt")
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
	l.add(Item|Plural, "leveranciers klanten eisen gebruikers contracten medewerkers taken producten projecten contacten")
	l.add(Process, "proces processen procedure")
	l.add(Measure, "jaar jaren dagen dag weken maanden uur minuten euro keer procent punten kilometer")
	l.add(Vague, "enkele enige verschillende veel weinig sommige")
	l.add(Negation, "niet geen nooit zonder")
	l.add(Function, "de het een en of in voor met van te op aan om wij we ik hebben heb is zijn er onze ons die dat dan")
	l.mark(LinkFirst, "eerst")
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
