package prose

import (
	"cmp"
	"slices"
	"strings"
)

// Use is the use of a number: a count, an amount, a name and so on.
type Use uint8

// The uses of a Quantity. Only Count and Bare can be a list size.
const (
	Count   Use = iota // bound to a noun: 12 vendors
	Bare               // nothing after it: "about twenty"
	Amount             // a dimension: years, money, percent, clock, version
	Name               // ticket 4512, row 12, catch-22
	Rate               // 300 invoices a day
	Divided            // across 3 teams
	Shape              // a 30-day trial
)

// Quantity is one number of a message with the thing that it counts. Lo is certain: the
// lower end of a range. Hi decides whether it is many.
type Quantity struct {
	Lo, Hi     int
	Approx     bool // about, roughly, dozens
	UpTo       bool // at most N: Lo says nothing
	Use        Use
	Start, End int // tokens
	Noun       int // token of the noun, -1 without one
}

// Quantities returns every number of the message in order.
func (t *Text) Quantities() []Quantity {
	if t.CJK {
		return t.countersCJK()
	}
	var out []Quantity
	for i := 0; i < len(t.Toks); {
		q, ok := t.quantityAt(i)
		if !ok {
			i++
			continue
		}
		t.bind(&q)
		if q.Noun >= 0 && q.Use == Count && len(out) > 0 {
			if p := &out[len(out)-1]; t.each(q) && p.Use == Count && q.Start-p.End <= 4 &&
				t.Toks[q.Start-1].Kind != Comma { // 4 teams with 6 people each
				p.Lo, p.Hi, p.End, p.Noun = min(p.Lo*q.Lo, maxCount), min(p.Hi*q.Hi, maxCount), q.End, q.Noun
				i = q.End
				continue
			}
		}
		out = append(out, q)
		i = q.End
	}
	return out
}

func (t *Text) each(q Quantity) bool {
	return t.said(q.Noun+1, "each", "apiece") > 0
}

// word returns the word at i, "" outside and for other tokens.
func (t *Text) word(i int) string {
	if i < 0 || i >= len(t.Toks) {
		return ""
	}
	return t.Toks[i].Word
}

func (t *Text) class(i int) Class {
	if i < 0 || i >= len(t.Toks) {
		return 0
	}
	return t.Toks[i].Class
}

// said returns how many tokens the first of these phrases has that is at i, 0 without one.
func (t *Text) said(i int, phrases ...string) int {
	for _, p := range phrases {
		for n := i; ; n++ {
			rest, ok := strings.CutPrefix(p, t.word(n))
			if ok && rest == "" {
				return n + 1 - i
			}
			if !ok || rest[0] != ' ' {
				break
			}
			p = rest[1:]
		}
	}
	return 0
}

// follows reports that one of these phrases ends right before i.
func (t *Text) follows(i int, phrases ...string) bool {
	return slices.ContainsFunc(phrases, func(p string) bool { return t.said(i-1-strings.Count(p, " "), p) > 0 })
}

// quantityAt reads a number or a range that starts at token i.
func (t *Text) quantityAt(i int) (q Quantity, ok bool) {
	n, end, approx, ok := t.numeral(i)
	if !ok {
		return q, false
	}
	q = Quantity{Lo: n, Hi: n, Approx: approx, Start: i, End: end, Noun: -1}
	if j, joint := t.rangeJoint(i, end); joint {
		if m, end2, _, ok := t.numeral(j); ok && m >= n && t.Toks[j].Dim == Plain {
			q.Hi, q.End = m, end2
		}
	}
	t.modify(&q)
	return q, true
}

// numberPhrases are the English numbers whose words are no number by themselves.
var numberPhrases = []struct {
	words  string
	n      int
	approx bool
}{
	{"half a dozen", 6, false}, {"a couple", 2, false}, {"a pair", 2, false}, {"couple", 2, false},
	{"both", 2, false}, {"dozens", 24, true}, {"scores of", 40, true}, {"hundreds", 200, true},
	{"thousands", 2000, true},
}

// beginsNumber has the first words of these, and of "a dozen".
var beginsNumber = newSet([]string{"half", "a", "couple", "both", "dozens", "scores", "hundreds", "thousands"})

// numeral reads one number: digits, words, dozens.
func (t *Text) numeral(i int) (n, end int, approx, ok bool) {
	if i >= len(t.Toks) {
		return 0, i, false, false
	}
	tok, half := &t.Toks[i], i
	switch {
	case tok.Kind == Number:
		n, end = t.scale(i)
		return n, end, false, true
	case tok.Class&NumWord != 0:
		half++ // ein halbes Dutzend
	case t.Lang == English && !beginsNumber.has(tok.Word):
		return 0, i, false, false
	case t.Lang == English && t.said(i, "a dozen", "a hundred", "a thousand") > 0:
		n, end = t.numberWords(i + 1)
		return n, end, false, true
	case t.Lang == English:
		for _, p := range numberPhrases {
			if words := t.said(i, p.words); words > 0 {
				return p.n, i + words, p.approx, true
			}
		}
		return 0, i, false, false
	}
	if t.Lang != English && halves.has(t.word(half)) && t.class(half+1)&NumWord != 0 && t.Toks[half+1].Num == 12 {
		return 6, half + 2, false, true
	}
	if half == i {
		return 0, i, false, false
	}
	n, end = t.numberWords(i)
	return n, end, tok.Class&Vague != 0, true
}

// scale multiplies the number at i by a following dozen, hundred or thousand: 2,5 mil.
func (t *Text) scale(i int) (n, end int) {
	tok := &t.Toks[i]
	switch by := t.word(i + 1); {
	case by == "dozen", by == "hundred", by == "k", t.class(i+1)&NumWord != 0 && t.Toks[i+1].Num == 1000:
		if tok.Dim == Decimal {
			tok.Dim = Plain
		}
		by := cmp.Or(t.Toks[i+1].Num, 1000) // 2.5 k
		return min(tok.Num*by+tok.thousandth*by/1000, maxCount), i + 2
	case by == "million", by == "billion":
		return maxCount, i + 2
	}
	return tok.Num, i + 1
}

// numberWords reads "one hundred and twenty", "twenty-five", "treinta y cinco".
func (t *Text) numberWords(i int) (int, int) {
	total, part := 0, t.Toks[i].Num
	last := part // what may still be added must be smaller than this
	i++
	for i < len(t.Toks) {
		tok := &t.Toks[i]
		switch {
		case tok.Class&NumWord == 0 || tok.Kind != Word:
			if t.join(i) && t.class(i+1)&NumWord != 0 && t.Toks[i+1].Num < last && last >= 20 && last%10 == 0 {
				i++
				continue
			}
			return min(total+part, maxCount), i
		case tok.Num == 100 && part < 100, tok.Num == 12 && part < 10 && tok.Word != "twelve":
			part, last = part*tok.Num, tok.Num
		case tok.Num == 1000:
			total, part, last = total+part*1000, 0, 1000
		case t.Lang == French && tok.Num == 20 && part == 4:
			part, last = 80, 20
		case tok.Num < last && (last >= 20 || tok.Hyphen):
			part, last = part+tok.Num, tok.Num
		default:
			return min(total+part, maxCount), i
		}
		i++
	}
	return min(total+part, maxCount), i
}

// join reports the word that ties tens and units together.
func (t *Text) join(i int) bool {
	switch t.word(i) {
	case "and":
		return t.Lang == English
	case "y", "e", "et":
		return t.Lang == Spanish || t.Lang == Portuguese || t.Lang == French
	}
	return false
}

// rangeJoint finds the second number of 10-15, 10 to 15, between 8 and 12,
// two or three, "14, maybe 15".
func (t *Text) rangeJoint(start, end int) (int, bool) {
	if end >= len(t.Toks) {
		return 0, false
	}
	tok := &t.Toks[end]
	switch {
	case tok.Hyphen && tok.Kind == Number, tok.Hyphen && tok.Class&NumWord != 0:
		return end, true
	case tok.Kind == Dash && tok.Mark == '-': // "quick one - 9 lamps" is no range
		return end + 1, t.Toks[start].Kind == Number || t.Toks[end-1].End == tok.Start
	case tok.Kind == Comma && t.said(end+1, "maybe", "perhaps") > 0:
		return end + 2, true
	}
	if t.follows(start, "entre", "zwischen", "tra", "fra", "tussen") && t.said(end, "y", "und", "et", "e", "en") > 0 {
		return end + 1, true
	}
	switch tok.Word {
	case "or", "to", "oder", "bis", "ou", "o", "of", "tot", "à", "a":
		if tok.Word == "of" && t.Lang != Dutch || tok.Word == "a" && t.Lang == English ||
			tok.Word == "to" && t.Lang != English {
			return 0, false
		}
		if t.word(end+1) == "maybe" {
			end++
		}
		return end + 1, true
	case "and":
		return end + 1, t.word(start-1) == "between"
	}
	return 0, false
}

// modify reads what comes before and after: at least, about, up to, between.
func (t *Text) modify(q *Quantity) {
	first, before := &t.Toks[q.Start], t.word(q.Start-1)
	q.Approx = q.Approx || approximates.has(before) || before == "some" && first.Kind == Number ||
		q.Start > 0 && t.Toks[q.Start-1].Mark == '~'
	q.UpTo = t.follows(q.Start, "up to", "at most", "maximum", "max", "fewer than", "less than", "no more than",
		"under", "below", "bis zu", "maximal", "höchstens", "hasta", "máximo", "jusqu'à", "até", "fino a",
		"massimo", "tot", "hoogstens")
	if q.End < len(t.Toks) && t.Toks[q.End].Mark == '+' && t.Toks[q.End].Start == t.Toks[q.End-1].End { // 16+
		q.End++
	}
	soft := t.said(q.End, "ish", "odd", "or so")
	q.Approx = q.Approx || soft > 0
	q.End += max(soft, t.said(q.End, "or more"))
}

// bind finds the noun of a number and the use of the number.
func (t *Text) bind(q *Quantity) {
	first, last := &t.Toks[q.Start], &t.Toks[q.End-1]
	if first.Dim != Plain || last.Dim != Plain {
		q.Use = Amount
		return
	}
	noun := t.headNoun(q.End)
	if noun < 0 && t.class(q.End) == 0 && t.word(q.End+1) == "to" && t.class(q.End+2)&VerbBase != 0 {
		// 200 alumni to record
		noun = q.End
	}
	next := t.class(q.End)
	switch {
	case first.Hyphen && q.Start > 0 && t.Toks[q.Start-1].Kind == Word: // catch-22
		q.Use = Name
	case t.proportion(q): // 3 of 10 seeds
		q.Use = Rate
	case t.code(q.Start-1) && (noun < 0 || t.class(noun)&Item == 0): // flight LH 454
		q.Use = Name
	case t.dated(q):
		q.Use = Amount
	case q.End < len(t.Toks) && t.Toks[q.End].Hyphen && t.Toks[q.End].Kind == Word && !PluralForm(t.Toks[q.End].Word):
		q.Use = Shape
	case t.word(q.Start-1) == "uhr", t.word(q.End) == "o'clock", t.clockWord(q.Start - 1): // 8 Uhr 15, alle 9
		q.Use = Amount
	case t.sized(q.Start): // teams of 20 people
		q.Use = Divided
	case t.Lang != English && singulars.has(t.word(q.Start-2)) && t.class(q.Start-1)&(Function|NumWord) == 0,
		labels.has(t.word(q.Start - 1)), strings.HasSuffix(t.word(q.Start-1), "nummer"): // в версии 5
		q.Use = Name
	case next&Measure != 0 && noun <= q.End || foreignUnit(t.word(q.End)) ||
		q.End < len(t.Toks) && t.Toks[q.End].Kind == Symbol && t.Toks[q.End].Mark == '$':
		q.Use = Amount
	case noun >= 0 && t.class(noun)&Measure != 0 && t.class(noun)&Item == 0:
		q.Use = Amount
	case t.class(q.Start-1)&Named != 0 && (noun != q.End || t.class(noun)&Plural == 0) &&
		(t.class(q.Start-1)&VerbBase == 0 || noun < 0 || !PluralForm(t.word(noun))): // "track 8 insurances" counts
		q.Use = Name
	case noun < 0 && t.nounBefore(q) >= 0: // suppliers: 14
		q.Use, q.Noun = Count, t.nounBefore(q)
	case noun < 0:
		q.Use = Bare
		if t.follows(q.Start, "at", "after", "by", "until", "till", "um", "uhr") {
			q.Use = Amount
		}
	case t.rate(noun + 1):
		q.Use, q.Noun = Rate, noun
	case t.share(q.Start), t.word(q.Start-1) == "between" && q.Lo == q.Hi: // between 7 people
		q.Use, q.Noun = Divided, noun
	default:
		q.Use, q.Noun = Count, noun
	}
}

// proportion reports one of two numbers that "of" joins: 3 out of 10.
func (t *Text) proportion(q *Quantity) bool {
	number := func(i int) bool {
		return i >= 0 && i < len(t.Toks) && (t.Toks[i].Kind == Number || t.class(i)&NumWord != 0)
	}
	before, after := q.Start-1, q.End
	if t.word(before-1) == "out" {
		before--
	}
	if t.word(after) == "out" {
		after++
	}
	return partitives.has(t.word(q.Start-1)) && number(before-1) || partitives.has(t.word(after)) && number(after+1)
}

// nounBefore finds the noun a number follows: suppliers: 14 · risks (9) ·
// stakeholders, 20 of them. It returns its token, or -1.
func (t *Text) nounBefore(q *Quantity) int {
	i := q.Start - 1
	if i >= 1 && (t.Toks[i].Kind == Colon || t.Toks[i].Kind == Dash &&
		(t.Toks[i].Mark == '(' || t.Toks[i].Mark == '-')) && t.listable(i-1) {
		return i - 1
	}
	if t.said(q.End, "of them", "of those", "of these", "altogether", "overall", "in total", "in all") > 0 {
		for j := i; j >= max(0, i-15); j-- {
			if t.listable(j) || t.Lang == English && t.class(j) == 0 && PluralForm(t.word(j)) {
				return j
			}
		}
	}
	return -1
}

// listable reports the plural of a known noun.
func (t *Text) listable(i int) bool {
	return t.class(i)&(Item|Plural) == Item|Plural && t.class(i)&Measure == 0
}

// clockWord reports the word before an hour: alle 9, um 8, a las 3.
func (t *Text) clockWord(i int) bool {
	switch t.word(i) {
	case "um":
		return t.Lang == German
	case "om":
		return t.Lang == Dutch
	case "alle":
		return t.Lang == Italian
	case "às":
		return true
	case "las":
		return t.Lang == Spanish && t.word(i-1) == "a"
	case "الساعة", "오전", "오후":
		return true
	}
	return false
}

// code reports two to four capitals before a number: LH 454, RFC 2119.
func (t *Text) code(i int) bool {
	if i < 0 || t.Toks[i].Kind != Word || t.class(i)&(Aux|Det|Function) != 0 {
		return false
	}
	w := t.Src[t.Toks[i].Start:t.Toks[i].End]
	return len(w) >= 2 && len(w) <= 4 && strings.ToUpper(w) == w && w[0] < 0x80
}

// headNoun walks over adjectives to the noun a number counts: "27 open issues".
func (t *Text) headNoun(i int) int {
	if t.word(i) == "of" { // 12 of our suppliers
		for i++; t.class(i)&Det != 0; i++ {
		}
	}
	if t.Lang != English || t.unknown {
		return t.nounAfter(i)
	}
	best := -1
	for j := i; j < len(t.Toks) && j < i+6; j++ {
		tok := &t.Toks[j]
		if tok.Kind == Masked {
			continue
		}
		if tok.Kind != Word || tok.Class&(Function|NumWord|Negation) != 0 && tok.Class&Item == 0 {
			break
		}
		if best >= 0 && tok.Class&(Verb|Mark) != 0 && tok.Class&Plural == 0 { // 3 people review …
			break
		}
		if best >= 0 && (t.class(best)&(Plural|Measure) != 0 || PluralForm(t.word(best))) && tok.Class&Item == 0 &&
			!PluralForm(tok.Word) {
			break
		}
		switch {
		case tok.Word[0] >= 0x80 && strings.Contains(countersKorean, " "+tok.Word+" "):
		case tok.Word[0] >= 0x80:
			return j // no plural to go by
		case tok.Class&(Plural|Measure) != 0 || PluralForm(tok.Word) ||
			len(tok.Word) == 3 && tok.Word[2] == 's' && tok.Class == 0:
			// drs
			best = j
		}
	}
	return best
}

const countersKorean = " 개 개의 명 명의 건 건의 곳 곳의 가지 대 "

// nounAfter is the rule without grammar: a word that is no function word.
func (t *Text) nounAfter(i int) int {
	for j := i; j < len(t.Toks) && j < i+3 && t.Toks[j].Kind == Word; j++ {
		switch w := t.Toks[j].Word; {
		case w == "de" || w == "di" || w == "d" || w == "van":
		case t.Toks[j].Class&(Function|NumWord|Mark|Negation) != 0:
			return -1
		default:
			return j
		}
	}
	return -1
}

// rate reports "a day", "per hour", "every week" at i.
func (t *Text) rate(i int) bool {
	switch t.word(i) {
	case "a", "an", "per", "each", "every", "pro", "por", "par", "al", "a-la":
		return t.class(i+1)&Measure != 0
	case "daily", "weekly", "monthly", "yearly", "annually", "hourly":
		return true
	}
	return i < len(t.Toks) && t.Toks[i].Kind == Dash && t.Toks[i].Mark == '/' && t.class(i+1)&Measure != 0
}

// share reports that a dividing preposition governs the number: across (our) 3 teams.
func (t *Text) share(i int) bool {
	for j := i - 1; j >= 0 && j >= i-3; j-- {
		c := t.Toks[j].Class
		if c&Share != 0 { // "in all 12 offices"; "put in all 12 offices" is another verb
			return t.word(j) == "at" && t.class(j-1)&Aux == 0 || t.word(j) != "in" && t.word(j) != "at" ||
				t.word(j) == "in" && !entering.has(t.word(j-1))
		}
		if t.Toks[j].Kind != Word || c&Det == 0 && !approximates.has(t.Toks[j].Word) {
			return false
		}
	}
	return false
}

// sized reports "teams of" before a number: the number is the size of each one.
func (t *Text) sized(i int) bool {
	return t.word(i-1) == "of" && t.class(i-2)&Plural != 0 && !sizeless.has(t.word(i-2))
}

// dated reports 5 March, March 5, in 2023.
func (t *Text) dated(q *Quantity) bool {
	before, after := t.word(q.Start-1), t.word(q.End)
	if after == "of" {
		after = t.word(q.End + 1)
	}
	if months.has(before) || months.has(after) || after == "may" {
		return true
	}
	if q.Lo < 1900 || q.Lo > 2100 || t.Toks[q.Start].Kind != Number ||
		strings.ContainsAny(t.Toks[q.Start].Word, ",.'") {
		return false
	}
	switch before {
	case "the", "our", "my":
		return q.Lo >= 2010 && q.Lo <= 2040
	case "in", "since", "by", "until", "of", "from", "during", "for", "before", "after", "early", "late", "mid", "im",
		"en", "em", "nel":
		return true
	}
	return false
}
