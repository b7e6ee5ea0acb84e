package prose

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/limn-ui/limn/internal/jsonx"
)

// BlockKind is the form of pasted lines.
type BlockKind uint8

// The forms, in the order they are tried (facts §4).
const (
	NoBlock  BlockKind = iota
	Records            // a list of JSON, a table of HTML
	Markdown           // | a | b |
	Tabs               // a<TAB>b
	Commas             // a,b or a;b with the same number of fields
	Bullets            // - a, 1. a
	Dashes             // a – b – c
	Pairs              // a (b), a: b
	Plain3             // three or more short lines
)

// Block is the form of the lines of a message. Rows counts data lines: no header, no
// separator, no introduction.
type Block struct {
	Kind   BlockKind
	Rows   int
	Orders bool     // most lines begin with an order: steps, not rows
	Intro  bool     // a line before them ends in a colon
	Items  []string // the lines without bullet, for Bullets and Plain3, at most maxSteps
	Text   string   // the lines themselves, header included
	From   int      // the byte of the message where Text begins, 0 for items inside a line
	To     int      // and where it ends
}

// tally counts the lines of each form.
type tally struct {
	all                    extent
	pipes, bullets, tabbed extent // of the tabbed lines the last may lack its empty cells
	tabs, commas, semis    fields
	header                 string
	items                  []string
	intro                  bool
	asked                  int // lines before the others that ask about them
	kinds
}

// kinds counts lines of which it does not matter where they are.
type kinds struct {
	rules, dashes, pairs, short int
	stepped                     int // those that begin with "Step 2:"
	figures                     int // those after the first one with a digit
}

// extent counts lines, and says where the first begins and the last ends.
type extent struct{ lines, from, to int }

func (e *extent) see(from, to int) {
	if e.lines == 0 {
		e.from = from
	}
	e.lines, e.to = e.lines+1, to
}

// fields finds the commonest number of separators on a line.
type fields struct{ count, lines int }

func (f *fields) see(n int) {
	switch {
	case n == 0:
	case n == f.count:
		f.lines++
	case f.lines <= 1:
		f.count, f.lines = n, 1
	}
}

// Lines classifies the lines of a message. It reads all of it, once.
func Lines(message string) Block {
	if b := records(message); b.Rows >= 3 {
		return b
	}
	if breaks := strings.Count(message, "\n"); breaks < 2 {
		if items := Numbered(message); breaks == 0 && len(items) >= 3 {
			return Block{Kind: Bullets, Rows: len(items), Orders: orders(items), Items: items,
				Text: strings.Join(items, "\n")}
		}
		return Block{}
	}
	c, fenced, begin := tally{}, false, len(message)-len(strings.TrimPrefix(message, "\uFEFF"))
	for at := begin; at < len(message); {
		line := logicalLine(message[at:])
		from, to := at, at+len(line)
		at = to + 1
		trimmed := strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(trimmed, "```"): // code is not the user's list
			fenced = !fenced
		case trimmed == "" || fenced || line[0] == '>':
		case (strings.HasSuffix(trimmed, ":") || strings.HasSuffix(trimmed, "：")) && !c.found():
			// "Here are our risks:"
			c = tally{intro: true}
		case c.asked == c.all.lines && asks(trimmed): // "Which row is wrong?"
			c.asked++
			c.all.lines++
			c.all.from = min(at, len(message))
		default:
			c.see(trimmed, from, to)
		}
	}
	b := c.block()
	if b.Rows > 0 {
		part := c.part(len(message), b.Kind)
		b.From, b.To, b.Text = part.from, part.to, strings.TrimSpace(message[part.from:part.to])
	}
	b.Intro = c.intro
	return b
}

// records finds what another program wrote: lines that end the message, from a bracket at the
// start of a line to its counterpart.
func records(message string) Block {
	text := strings.TrimRight(message, " \t\r\n")
	at := 0
	for at < len(text) && strings.IndexByte("[{<", text[at]) < 0 {
		next := strings.IndexByte(text[at:], '\n')
		if next < 0 {
			return Block{}
		}
		at += next + 1
	}
	b := Block{Kind: Records, From: at, To: len(text), Text: text[at:]}
	switch ends := strings.HasSuffix; {
	case b.Text == "":
	case ends(b.Text, ">") && b.Text[0] == '<':
		low := strings.ToLower(b.Text)
		headed := strings.Contains(low, "<th>") || strings.Contains(low, "<th ")
		if b.Rows = strings.Count(low, "<tr"); headed {
			b.Rows--
		}
	case ends(b.Text, "]") || ends(b.Text, "}"):
		b.Rows = objects(b.Text)
	}
	return b
}

// objects counts those in a list of JSON, in the only list of an object, or side by side.
func objects(text string) int {
	if strings.Contains(text, "}\n{") {
		text = "[" + strings.ReplaceAll(text, "}\n{", "},\n{") + "]"
	}
	v, err := jsonx.ParseString(text, jsonx.Limits{Bytes: 8 << 20, Depth: 16})
	if err != nil {
		return 0
	}
	if len(v.Members) == 1 {
		v = v.Members[0].Value
	}
	if slices.ContainsFunc(v.Items, func(item jsonx.Value) bool { return item.Kind != jsonx.Object }) {
		return 0
	}
	return len(v.Items)
}

// maxCellLines bounds the lines of one quoted cell.
const maxCellLines = 20

// logicalLine returns the first line of a text, with the lines that follow in a quoted cell.
func logicalLine(text string) string {
	first, quotes := -1, 0
	for end, n := 0, 0; n < maxCellLines && end <= len(text); n++ {
		line, _, _ := strings.Cut(text[end:], "\n")
		quotes += strings.Count(line, "\"")
		if end += len(line); first < 0 {
			first = end
		}
		if quotes%2 == 0 {
			return text[:end]
		}
		opens := func(d string) bool { return strings.Contains(line, d+"\"") }
		if n == 0 && !opens(",") && !opens(";") && !opens("\t") {
			break
		}
		end++
	}
	return text[:first]
}

// found reports that the lines so far may be a block already.
func (c *tally) found() bool {
	return max(c.bullets.lines, c.pipes.lines, c.tabs.lines, c.commas.lines, c.semis.lines, c.dashes, c.pairs) >= 3 ||
		c.short >= 3 && c.short == c.all.lines
}

// asks reports a line that is a question or a sentence of Japanese or Chinese, and no row.
func asks(line string) bool {
	for _, mark := range [...]string{"?", "？", "。"} {
		if _, bullet := Bullet(line); strings.HasSuffix(line, mark) {
			return !bullet && !strings.ContainsAny(line, "\t|;") && tight(line, ',') == 0
		}
	}
	return false
}

// part returns the part of a message of size bytes that holds the block.
func (c *tally) part(size int, kind BlockKind) extent {
	part := extent{from: c.all.from, to: size}
	switch kind {
	case Bullets:
		part = c.bullets
	case Markdown:
		part = c.pipes
	case Tabs:
		part = c.tabbed
	}
	return part
}

func (c *tally) see(trimmed string, from, to int) {
	if c.all.see(from, to); c.all.lines == c.asked+1 {
		c.header = trimmed
	} else if strings.ContainsAny(trimmed, "0123456789") {
		c.figures++
	}
	tabs := strings.Count(trimmed, "\t")
	if c.tabs.see(tabs); tabs > 0 {
		c.tabbed.see(from, to)
	}
	c.commas.see(tight(trimmed, ','))
	c.semis.see(tight(trimmed, ';'))
	item, bullet := Bullet(trimmed)
	switch {
	case trimmed[0] == '|':
		c.pipes.see(from, to)
		if strings.Trim(trimmed, "|-: \t") == "" {
			c.rules++
		}
	case bullet:
		c.bullets.see(from, to)
	}
	if rest, ok := stepped(item); ok {
		c.stepped++
		item = rest
	}
	words := strings.Count(item, " ") + 1
	if tabs == 0 && words <= 12 && spacedDash(item) {
		c.dashes++
	}
	if words <= 8 && pair(item) {
		c.pairs++
	}
	if words <= 6 && len(item) <= 80 && !strings.ContainsAny(item[len(item)-1:], ".!?,;") &&
		strings.IndexByte(item, ',') < 0 {
		c.short++
	}
	if len(c.items) < maxSteps && len(item) <= 200 {
		c.items = append(c.items, item)
	}
}

// tight counts separators of a line whose cells are short enough to be cells.
func tight(line string, sep byte) int {
	n, quoted := 0, false
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case '"':
			quoted = !quoted
		case sep:
			if !quoted {
				n++
			}
		}
	}
	if n == 0 || quoted || strings.Count(line, " ")+1 > 6*(n+1) || strings.HasSuffix(line, ".") {
		return 0
	}
	return n
}

func (c *tally) block() Block {
	b := Block{Items: c.items}
	if c.stepped >= 3 && c.stepped == c.all.lines {
		b.Kind, b.Rows, b.Orders = Plain3, c.stepped, true
		return b
	}
	headed := func(sep string) int { // a line that names columns, or the only one without a figure
		if HeaderLike(strings.Split(c.header, sep)) ||
			c.figures == c.all.lines-c.asked-1 && !strings.ContainsAny(c.header, "0123456789@") {
			return 1
		}
		return 0
	}
	switch {
	case c.pipes.lines >= 3 && c.rules > 0:
		return Block{Kind: Markdown, Rows: c.pipes.lines - 1 - c.rules}
	case c.tabs.lines >= 3 && c.tabs.lines*10 >= c.all.lines*5:
		return Block{Kind: Tabs, Rows: c.tabbed.lines - headed("\t")}
	case c.semis.lines >= 3 && c.semis.lines*10 >= c.all.lines*8:
		return Block{Kind: Commas, Rows: c.semis.lines - headed(";")}
	case c.commas.lines >= 3 && c.commas.lines*10 >= c.all.lines*8 && c.bullets.lines < 3:
		return Block{Kind: Commas, Rows: c.commas.lines - headed(",")}
	case c.bullets.lines >= 3:
		b.Kind, b.Rows = Bullets, c.bullets.lines
	case c.dashes >= 3 && c.dashes*10 >= c.all.lines*8:
		b.Kind, b.Rows = Dashes, c.dashes-headed(dashOf(c.header))
	case c.pairs >= 3 && c.pairs*10 >= c.all.lines*8:
		b.Kind, b.Rows = Pairs, c.pairs
	case c.short >= 3 && c.short == c.all.lines:
		b.Kind, b.Rows = Plain3, c.short
		if !c.intro && c.short > 3 && heading(c.header) { // "Suppliers", then one a line
			b.Rows, b.Items = b.Rows-1, b.Items[1:]
		}
	default:
		return Block{}
	}
	if b.Kind == Pairs {
		b.Orders = lanes(b.Items)
	} else {
		b.Orders = orders(b.Items)
	}
	return b
}

// lanes reports that most of the lines say what someone does: "Sales: takes the order".
func lanes(items []string) bool {
	n := 0
	for _, item := range items[:min(len(items), 30)] {
		_, what, _ := strings.Cut(item, ": ")
		t := Read(what)
		v, ok := t.predicate(0, len(t.Toks))
		third := t.class(0)&VerbS != 0 || everyday[t.word(0)].form == VerbS
		if ok && v == 0 && third && t.Lang == English && t.class(1)&(Det|Prep|Subject) != 0 {
			n++
		}
	}
	return n >= 2 && n*10 >= len(items[:min(len(items), 30)])*6
}

// stepped strips "Step 2:" and its like from a line.
func stepped(line string) (string, bool) {
	word, rest, ok := strings.Cut(line, " ")
	if !ok || len(word) > 12 {
		return line, false
	}
	if !stepWords.has(strings.ToLower(word)) {
		return line, false
	}
	n := 0
	for n < len(rest) && isDigit(rest[n]) {
		n++
	}
	name := strings.TrimLeft(rest[n:], " :.-–—)")
	return name, n > 0 && name != "" && name != rest[n:]
}

// heading reports a line that only names the kind of the other lines.
func heading(line string) bool {
	t := Read(line)
	n := len(t.Toks)
	return n > 0 && n <= 3 && t.class(n-1)&Item != 0 && t.class(n-1)&Plural != 0
}

// dashOf returns the spaced dash a line uses.
func dashOf(line string) string {
	for _, d := range [...]string{" – ", " — "} {
		if strings.Contains(line, d) {
			return d
		}
	}
	return " - "
}

// orders reports that most of the lines begin with a verb.
func orders(items []string) bool {
	n, seen := 0, 0
	items = items[:min(len(items), 30)]
	lang := Read(strings.Join(items, "\n")).Lang
	for _, item := range items {
		t := readAs(item, lang)
		everyday := len(t.Toks) > 1 && t.Lang == English && everyday[t.word(0)].form == VerbBase
		switch {
		case everyday, t.VerbFirst(), t.imperative(), t.infinitive(), t.says():
			n, seen = n+1, seen+1
		case len(t.Toks) > 1: // one word says nothing
			seen++
		}
	}
	return n*10 >= seen*6 && n >= 2
}

// says reports an English line that says who acts: "Inspector visits the site".
func (t *Text) says() bool {
	v, ok := t.predicate(0, len(t.Toks))
	return t.Lang == English && ok && v > 0 && (t.class(v)&VerbS != 0 || everyday[t.word(v)].form == VerbS) &&
		(v+1 < len(t.Toks) || agent(t.word(v-1)))
}

// imperative reports a verb that is in no list by its object: "Wash the vegetables".
func (t *Text) imperative() bool {
	if len(t.Toks) < 2 || t.Lang != English || t.Toks[0].Kind != Word || t.Toks[1].Kind != Word ||
		t.class(0)&(Function|NumWord|Quality) != 0 && t.said(0, "get", "do", "have", "go", "let") == 0 {
		return false
	}
	switch t.word(1) {
	case "the", "a", "an", "your", "our", "their", "its", "them", "it", "him", "all", "each", "every", "both":
		return !PluralForm(t.word(0))
	}
	return false
}

// infinitive reports an order as the other languages write it in lists: "Antrag
// prüfen", "Revisar la factura".
func (t *Text) infinitive() bool {
	n := len(t.Toks)
	if n < 2 {
		return false
	}
	ends := func(tok Token, l *Lexicon) bool {
		return slices.ContainsFunc(l.infinitives,
			func(e string) bool { return len(tok.Word) > len(e)+2 && strings.HasSuffix(tok.Word, e) })
	}
	first, before, last := t.Toks[0], t.Toks[n-2], t.Toks[n-1]
	switch {
	case t.Lang == English: // German nouns are recognizable, even where no word is known
		return before.Upper && !last.Upper && before.Class|last.Class == 0 && ends(last, lexicons[German])
	case t.lex.verbLast:
		return !last.Upper && last.Class == 0 && ends(last, t.lex)
	}
	return first.Class&^Verbal == 0 && ends(first, t.lex)
}

// Outline strips the numbers of lines that count as chapters do: "1.1 a", "1.2 b",
// "2 c". ok is false unless every line has a number that follows the one before.
func Outline(lines []string) (items []string, ok bool) {
	var last []int
	deep := false
	for _, line := range lines {
		number, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		var now []int
		for part := range strings.SplitSeq(strings.TrimRight(number, ".)"), ".") {
			n, err := strconv.Atoi(part)
			if err != nil || n > maxSteps {
				return nil, false
			}
			now = append(now, n)
		}
		if len(now) > 6 || last != nil && !follows(last, now) || strings.TrimSpace(rest) == "" {
			return nil, false
		}
		deep = deep || len(now) > 1
		last, items = now, append(items, strings.TrimSpace(rest))
	}
	return items, deep && len(items) > 1
}

// Numbered cuts "1) intake 2) triage 3) treatment" at its numbers.
func Numbered(text string) (items []string) {
	at := -1
	for _, mark := range []string{")", "."} {
		if at = strings.Index(text, "1"+mark+" "); at >= 0 && (at == 0 || text[at-1] == ' ' || text[at-1] == '(') {
			rest := text[at+3:]
			for n := 2; n <= maxSteps; n++ {
				next := strings.Index(rest, " "+strconv.Itoa(n)+mark+" ")
				if next < 0 {
					break
				}
				items = append(items, strings.Trim(rest[:next], " ,;("))
				rest = rest[next+len(strconv.Itoa(n))+3:]
			}
			return append(items, strings.Trim(rest, " ,;"))
		}
	}
	return nil
}

// follows reports that a chapter may come after another: 1.2 after 1.1 or 1, 2 or
// 2.1 after 1.2.
func follows(last, now []int) bool {
	same := 0
	for same < min(len(last), len(now)) && last[same] == now[same] {
		same++
	}
	for _, n := range now[min(same+1, len(now)):] {
		if n != 1 {
			return false
		}
	}
	switch {
	case same == len(now):
		return false
	case same == len(last):
		return now[same] == 1
	}
	return now[same] == last[same]+1
}

// Bullet strips a bullet, a number or a letter with its dot, and reports
// whether there was one: "- a", "* a", "• a", "1. a", "2) a", "a) a", "[ ] a".
func Bullet(line string) (string, bool) {
	r, n := utf8.DecodeRuneInString(line)
	switch r {
	case '①', '②', '③', '④', '⑤', '⑥', '⑦', '⑧', '⑨', '⑩', '・':
		if rest := strings.TrimSpace(line[n:]); rest != "" {
			return rest, true
		}
		return line, false
	case '-', '*', '•', '·', '◦', '▪', '‣', '–', '—', '●', '○', '☐', '✓', '+':
		rest := strings.TrimLeft(line[n:], " \t")
		if rest == "" || rest == line[n:] && r != '•' && r != '◦' && r != '▪' && r != '‣' && r != '●' && r != '○' {
			return line, false
		}
		rest = strings.TrimPrefix(strings.TrimPrefix(rest, "[ ] "), "[x] ")
		if rest == "" {
			return line, false
		}
		return rest, true
	}
	if r == '(' {
		if item, ok := Bullet(line[1:]); ok { // (1) a
			return item, true
		}
		return line, false
	}
	for _, box := range [...]string{"[ ] ", "[x] ", "[X] ", "☐ ", "☑ "} {
		if rest, ok := strings.CutPrefix(line, box); ok && strings.TrimSpace(rest) != "" {
			return strings.TrimSpace(rest), true
		}
	}
	i := 0
	for i < len(line) && i < 4 && isDigit(line[i]) {
		i++
	}
	if rest, ok := strings.CutPrefix(line[i:], "、"); ok && i > 0 && rest != "" {
		return rest, true
	}
	if i == 0 && len(line) > 1 && line[0]|0x20 >= 'a' && line[0]|0x20 <= 'h' && line[1] == ')' {
		i = 1
	}
	if i > 0 && i+1 < len(line) && (line[i] == '.' || line[i] == ')') && (line[i+1] == ' ' || line[i+1] == '\t') {
		if rest := strings.TrimSpace(line[i+2:]); rest != "" {
			return rest, true
		}
	}
	return line, false
}

func spacedDash(s string) bool {
	return strings.Contains(s, " – ") || strings.Contains(s, " — ") || strings.Contains(s, " - ")
}

// pair reports "name (role)" and "name: role".
func pair(s string) bool {
	if i := strings.IndexByte(s, '('); i > 0 && strings.HasSuffix(s, ")") {
		return true
	}
	i := strings.IndexByte(s, ':')
	return i > 0 && i < len(s)-2 && s[i+1] == ' ' && strings.Count(s[:i], " ") < 4
}

// HeaderLike reports that at least half of the cells name columns.
func HeaderLike(cells []string) bool {
	n := 0
	for _, c := range cells {
		c = strings.ToLower(strings.Trim(c, " \t\"*#"))
		if i := strings.LastIndexByte(c, ' '); i >= 0 {
			c = c[i+1:]
		}
		if headers.has(c) {
			n++
		}
	}
	return n > 0 && n*2 >= len(cells)
}

// Greets reports a line that is a greeting: "Hello team,".
func Greets(line string) bool {
	t := Read(line)
	n := len(t.Toks)
	return n > 0 && n < 6 && t.class(0)&Greet != 0 && (n == 1 || t.Toks[n-1].Kind == Comma || t.Toks[n-1].Kind == Stop)
}

// TakesLeave reports a line that begins as the end of a letter does, "Thanks, Maud",
// "Kind regards", but not "Best Buy".
func TakesLeave(line string) bool {
	words := strings.FieldsFunc(strings.ToLower(line), func(r rune) bool { return !unicode.IsLetter(r) })
	if len(words) == 0 || len(words) > 8 ||
		!strings.ContainsAny(line, ",.!，。！") && len(words) > 1 && !leaves.has(words[len(words)-1]) {
		return false
	}
	return slices.ContainsFunc(words[:min(4, len(words))], leaves.has)
}
