package prose

import "strings"

// Class is a set of what a word can be. Words are ambiguous; rules look at
// neighbours.
type Class uint64

// The classes of words.
const (
	Item      Class = 1 << iota // a noun one collects: vendors, contracts
	Core                        // stakeholders, risks, issues: the nouns of the soft rule
	Plural                      // the plural form of an Item
	Measure                     // years, minutes, percent: a number before it is a dimension
	Named                       // ticket, row, step, page: a number behind it is a name
	Process                     // process, workflow, procedure
	Role                        // finance, manager, CFO
	Negation                    // not, never, no, without
	Function                    // articles, prepositions, auxiliaries: never a noun
	Det                         // the, a, our, these
	Prep                        // of, for, with
	Share                       // across, in, per: what follows divides, it is not collected
	Subject                     // I, we, they
	Aux                         // be, have, do, modals
	VerbBase                    // review
	VerbS                       // reviews
	VerbPast                    // reviewed
	VerbIng                     // reviewing
	Mark                        // first, then, finally: see Lexicon.marks
	NumWord                     // a number word; Token.Num has the value
	Tens                        // twenty … ninety: a unit may follow
	Vague                       // some, several, few, many: no number
	Quality                     // adjectives: fast, cheap
	Greet                       // hello, thanks
	Yes                         // yes, sure
	No                          // no, later
	Asks                        // what, how: a question that wants words back
	Explains                    // explain, describe: an order that wants words back
	Gives                       // give, suggest, write: an order whose result flows to the user
	Edits                       // change, rename, delete
	Shows                       // show, open, use: what is done with a tool
	Enters                      // enter, record, register: what users do with their items
	Pastes                      // paste, import, upload
	Listed                      // list, rows, names: what is pasted
	Sheet                       // spreadsheet, CSV
	TableTool                   // table, grid
	MapTool                     // map, flowchart
	AnyTool                     // tool, form, popup
	Approval                    // approval, sign-off: with Process it names a process by itself
	Never                       // never, no more
	Always                      // always, from now on
	Closes                      // cancel, close
	Resumes                     // continue, resume
	Everyday                    // kids, coffees, bedrooms: counted in stories, never collected
)

// Verbal are the classes an infinitive can have beside its verb.
const Verbal = Shows | Enters | Pastes | Gives | Edits | Explains | Closes | Resumes | Verb

// Verb is any form of an action verb.
const Verb = VerbBase | VerbS | VerbPast | VerbIng

// Lang is a language with a Lexicon.
type Lang uint8

// The languages. Text in another one is read as English: the digit rules still hold.
const (
	English Lang = iota
	Spanish
	German
	French
	Portuguese
	Italian
	Dutch
	langs
)

type entry struct {
	class Class
	num   int
}

// Lexicon is what is known of the words of one language.
type Lexicon struct {
	words map[string]entry
	marks map[string]Link
	base  map[string]string // verb form → base, English only
	lang  Lang
}

func newLexicon(lang Lang) *Lexicon {
	return &Lexicon{words: map[string]entry{}, marks: map[string]Link{}, base: map[string]string{}, lang: lang}
}

// add gives every word of a space separated list a class.
func (l *Lexicon) add(c Class, words string) {
	for _, w := range strings.Fields(words) {
		e := l.words[w]
		e.class |= c
		l.words[w] = e
	}
}

func (l *Lexicon) number(n int, c Class, words string) {
	for _, w := range strings.Fields(words) {
		e := l.words[w]
		e.class, e.num = e.class|NumWord|c, n
		l.words[w] = e
	}
}

func (l *Lexicon) mark(k Link, words string) {
	for _, w := range strings.Fields(words) {
		l.add(Mark, w)
		l.marks[w] = k
	}
}

// find returns what is known of a lower-case word; English forms it has not
// stored are reduced: vendor's, vendors, supplies, boxes.
func (l *Lexicon) find(w string) entry {
	if e, ok := l.words[w]; ok {
		return e
	}
	if l.lang != English {
		return l.foreign(w)
	}
	w = strings.TrimSuffix(w, "'s")
	if e, ok := l.words[w]; ok {
		return e
	}
	if singular := Singular(w); singular != w {
		if e, ok := l.words[singular]; ok && e.class&(Item|Measure|Process|Named|Role) != 0 {
			plural := Plural
			return entry{class: e.class&(Item|Core|Measure|Process|Role) | plural}
		}
	}
	return entry{}
}

// foreign takes a word of another language apart: l'approbation has an elided
// article, Genehmigungsprozess is a compound that ends in its head.
func (l *Lexicon) foreign(w string) entry {
	if l.lang != German && l.lang != Dutch {
		if i := strings.LastIndexByte(w, '\''); i >= 0 {
			return l.words[w[i+1:]]
		}
		return entry{}
	}
	for i := 3; i+4 <= len(w); i++ {
		e := l.words[w[i:]]
		if e.class &= Item | Core | Plural | Process | TableTool | MapTool | Sheet | Measure; e.class == 0 {
			continue
		}
		for _, stem := range [...]string{"genehmigung", "freigabe", "goedkeuring"} {
			if strings.HasPrefix(w, stem) {
				e.class |= Approval
			}
		}
		return entry{class: e.class}
	}
	return entry{}
}

// Singular strips an English plural ending; other words come back unchanged.
func Singular(w string) string {
	switch {
	case len(w) < 4 || w[len(w)-1] != 's' || strings.HasSuffix(w, "ss") || strings.HasSuffix(w, "us") ||
		strings.HasSuffix(w, "is"):
		return irregular[w]
	case strings.HasSuffix(w, "ies") && len(w) > 4:
		return w[:len(w)-3] + "y"
	case strings.HasSuffix(w, "sses") || strings.HasSuffix(w, "xes") || strings.HasSuffix(w, "ches") ||
		strings.HasSuffix(w, "shes") || strings.HasSuffix(w, "uses"):
		return w[:len(w)-2]
	}
	return w[:len(w)-1]
}

// irregular maps plurals without rule to their singular.
var irregular = map[string]string{"people": "person", "children": "child", "men": "man", "women": "woman",
	"criteria": "criterion",
	"data":     "", "skus": "sku", "kpis": "kpi", "pcs": "pc", "apis": "api", "ids": "id"}

// PluralForm reports whether an English word looks like a plural.
func PluralForm(w string) bool {
	s := Singular(w)
	return s != "" && s != w
}

// lexicons holds every language; it is built once and never changed.
var lexicons = [langs]*Lexicon{english(), spanish(), german(), french(), portuguese(), italian(), dutch()}

// voices counts for each common word the languages it speaks for.
var voices = func() map[string]uint8 {
	v := map[string]uint8{}
	for lang, words := range [langs]string{
		"the a an is are we our have i to of and it that for with you this they be there's i'm we've my what how",
		"el la los las un una de del que y es tenemos tengo hay nuestros nuestro para con por su se lo luego primero algunos",
		"der die das den dem ein eine einen wir haben ist sind und nicht ich zu mit für auf von im es guten unsere wie dann zuerst gibt um",
		"le la les des un une nous avons est sont et il y je que pour avec dans du on qui nos ce puis ensuite d'abord",
		"o os as um uma de do da que e temos tenho é são nossos para com por em não há seguida depois primeiro",
		"il lo la gli le un una di che e abbiamo ho è sono per con del nostri ci dei poi prima alcuni",
		"de het een wij we hebben is zijn en van ik niet met voor die dat onze er te naar eerst daarna dan",
	} {
		for _, w := range strings.Fields(words) {
			v[w] |= 1 << lang
		}
	}
	return v
}()

// detect picks the language most of the common words speak for. English wins
// ties, and one word alone ("on", "no") is no evidence against it.
func detect(toks []Token) Lang {
	var votes [langs]int
	for i := range toks[:min(len(toks), 60)] {
		set := voices[toks[i].Word]
		if set == 0 {
			continue
		}
		weight := 1
		if len(toks[i].Word) >= 5 && set&(set-1) == 0 { // long, and of one language: "tenemos"
			weight = 2
		}
		for lang := range votes {
			votes[lang] += weight * int(set>>lang&1)
		}
	}
	best := English
	for lang, n := range votes {
		if n > max(1, votes[best]) {
			best = Lang(lang)
		}
	}
	if best == English && votes[English] < 2 {
		return detectByLexicon(toks)
	}
	return best
}

// detectByLexicon serves short messages without any common word: "siebzehn",
// "Muéstrame una tabla". The language that knows most of the words has it;
// English wins ties.
func detectByLexicon(toks []Token) Lang {
	var known [langs]int
	for i := range toks[:min(len(toks), 30)] {
		if toks[i].Kind != Word {
			continue
		}
		for lang, l := range lexicons {
			if e := l.words[toks[i].Word]; e.class != 0 {
				known[lang]++
			} else if lang == int(English) && l.find(toks[i].Word).class != 0 {
				known[lang]++
			}
		}
	}
	best := English
	for lang, n := range known {
		if n > known[best] {
			best = Lang(lang)
		}
	}
	return best
}

// foreign lists the markers of the other languages, for texts known to be a
// process: some are words of many other uses.
var foreign = [langs]map[string]Link{
	Spanish: phrases(`primero:1 para_empezar:1 en_primer_lugar:1 luego:2 después:2 despues:2 después_de_eso:2 a_continuación:2 seguidamente:2 por_último:2 finalmente:2
		al_final:2 posteriormente:2 antes_de_que:3 antes_de:3 después_de_que:4 una_vez_que:4 cuando:4 en_cuanto:4 tan_pronto_como:4 mientras:5 mientras_tanto:5
		al_mismo_tiempo:5 en_paralelo:5 simultáneamente:5 si:6 de_lo_contrario:7 si_no:7 en_caso_contrario:7`),
	German: phrases(`zuerst:1 zunächst:1 als_erstes:1 dann:2 danach:2 anschließend:2 im_anschluss:2 als_nächstes:2 daraufhin:2 schließlich:2 zum_schluss:2 am_ende:2 zuletzt:2
		abschließend:2 bevor:3 ehe:3 nachdem:4 sobald:4 währenddessen:5 gleichzeitig:5 zeitgleich:5 parallel_dazu:5 parallel:5 inzwischen:5 während:5 unterdessen:5
		falls:6 wenn:6 andernfalls:7 ansonsten:7 sonst:7`),
	French: phrases(`d'abord:1 tout_d'abord:1 premièrement:1 puis:2 ensuite:2 après_cela:2 enfin:2 finalement:2 pour_finir:2 avant_que:3 avant_de:3 après_que:4 dès_que:4
		une_fois_que:4 lorsque:4 quand:4 pendant_ce_temps:5 en_parallèle:5 en_même_temps:5 simultanément:5 tandis_que:5 pendant_que:5 si:6 sinon:7 dans_le_cas_contraire:7`),
	Portuguese: phrases(`primeiro:1 em_primeiro_lugar:1 depois:2 em_seguida:2 a_seguir:2 por_fim:2 por_último:2 finalmente:2 antes_que:3 antes_de:3 assim_que:4 depois_que:4
		quando:4 enquanto:5 enquanto_isso:5 em_paralelo:5 ao_mesmo_tempo:5 simultaneamente:5 se:6 senão:7 caso_contrário:7`),
	Italian: phrases(`prima:1 per_prima_cosa:1 innanzitutto:1 poi:2 dopo:2 quindi:2 successivamente:2 in_seguito:2 infine:2 alla_fine:2 prima_che:3 prima_di:3 dopo_che:4
		non_appena:4 quando:4 mentre:5 nel_frattempo:5 in_parallelo:5 contemporaneamente:5 se:6 altrimenti:7`),
	Dutch: phrases(`eerst:1 als_eerste:1 dan:2 daarna:2 vervolgens:2 tot_slot:2 ten_slotte:2 tenslotte:2 uiteindelijk:2 voordat:3 nadat:4 zodra:4 ondertussen:5 intussen:5
		tegelijkertijd:5 parallel:5 terwijl:5 als:6 indien:6 anders:7`),
}

// phrases reads "word_word:link" lists; the numbers are those of Link, 7 is
// LinkElse.
func phrases(list string) map[string]Link {
	m := map[string]Link{}
	for _, f := range strings.Fields(list) {
		phrase, link, _ := strings.Cut(f, ":")
		m[strings.ReplaceAll(phrase, "_", " ")] = Link(link[0] - '0')
	}
	return m
}

// foreignVerbs are what people do in processes, in the third person.
var foreignVerbs = spaced([langs]string{
	Spanish: ` revisa revisan emite aprueba aprueban firma firman envía envían paga pagan recibe recibe registra registran verifica verifican comprueba autoriza autorizan prepara preparan crea publica publican
		entrega entregan evalúa valida validan archiva elabora redacta solicita presenta confirma contrata instala prueba despliega notifica cierra analiza asigna escribe inspecciona repara embala factura compra `,
	German: ` prüft prüfen genehmigt genehmigen unterschreibt unterschreiben sendet schickt bezahlt zahlt erhält erfasst kontrolliert bestätigt erstellt schreibt veröffentlicht liefert bewertet archiviert
		beantragt installiert testet informiert schließt bearbeitet überweist unterzeichnet registriert reicht gibt bestellt verpackt versendet analysiert repariert plant entwickelt bucht meldet freigibt sammelt `,
	French: ` vérifie vérifient approuve approuvent signe signent envoie envoient paie payent reçoit enregistre contrôle autorise prépare crée publie livre évalue valide valident archive rédige demande présente
		confirme recrute installe teste déploie notifie clôture examine traite analyse inspecte répare emballe facture commande règle transmet `,
	Portuguese: ` revisa verifica verificam aprova aprovam assina envia paga recebe registra regista autoriza prepara cria publica entrega avalia valida arquiva redige solicita apresenta confirma instala testa analisa emite compra `,
	Italian: ` controlla controllano verifica verificano approva approvano firma invia paga riceve registra autorizza prepara crea pubblica consegna valuta convalida archivia redige richiede presenta conferma installa
		testa analizza esamina emette spedisce `,
	Dutch: ` controleert controleren keurt ondertekent stuurt betaalt ontvangt registreert autoriseert bereidt maakt publiceert levert beoordeelt archiveert bevestigt schrijft vraagt installeert test verwerkt verstuurt tekent `,
})

// spaced puts single spaces around every word, as contains wants them.
func spaced(lists [langs]string) [langs]string {
	for i, list := range lists {
		lists[i] = " " + strings.Join(strings.Fields(list), " ") + " "
	}
	return lists
}

// alsoNouns are words of foreignVerbs that are nouns behind an article.
const alsoNouns = " factura compra facture commande livre règle test prueba firma contrôle demande paga envía "

// approving are the verbs of foreignVerbs that approve or authorise.
const approving = " aprueba aprueban autoriza autorizan genehmigt genehmigen freigibt approuve approuvent autorise aprova aprovam approva approvano autorizza keurt autoriseert "

// condition reports words that say which way a decision went.
func condition(w string) bool {
	switch w {
	case "approved", "accepted", "ok", "okay", "yes", "no", "not", "needed", "necessary", "required", "possible",
		"valid", "complete", "correct", "so", "true", "false", "passed",
		"genehmigt", "aprobado", "approuvé", "ja", "nein", "oui", "non", "sí":
		return true
	}
	return negative(w)
}

func negative(w string) bool {
	switch w {
	case "rejected", "rejects", "reject", "declined", "declines", "denied", "denies", "refused", "refuses", "fails",
		"fail", "failed", "failure", "missing", "incomplete", "invalid", "wrong", "error", "errors", "problem",
		"problems", "issue", "issues",
		"defect", "defects", "returned", "late", "incorrect", "unclear", "broken", "damaged", "changes", "unavailable",
		"overdue", "no", "not", "cannot", "can't", "doesn't", "don't", "isn't", "didn't",
		"abgelehnt", "fehlt", "nicht", "rechazado", "rechazada", "rechaza", "falla", "refusé", "refusée", "rejeté",
		"rejetée", "échoue", "rifiutato", "rifiutata", "rejeitado", "rejeitada", "afgewezen":
		return true
	}
	return false
}
