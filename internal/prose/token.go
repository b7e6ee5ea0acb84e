package prose

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// MaxRead is how many bytes of a message become tokens. Longer messages are
// pastes; Lines reads those to the end.
const MaxRead = 64 << 10

// Kind is the kind of a Token.
type Kind uint8

// The kinds of a Token.
const (
	Word   Kind = iota
	Number      // digits; see Dim
	Comma       // , and its relatives
	Stop        // . ! ? ; and a line break: ends a clause for good
	Colon       // :
	Dash        // a dash with spaces around it, a bracket, a slash
	Arrow       // -> → => -->
	Masked      // quoted text or code, whatever it holds
	Symbol      // anything else
)

// Dim is the dimension of a Number token; only Plain ones can be a list size.
type Dim uint8

// The dimensions the form of a number alone gives away.
const (
	Plain Dim = iota
	Decimal
	Money
	Percent
	Clock
	Date
	Ordinal
	Ident // digits glued to letters, phone numbers, very long digits
)

// Token is one word, number or mark. Start and End are byte offsets in
// Text.Src.
type Token struct {
	Word       string // lower case, apostrophes straight
	Start, End int
	Class      Class
	Num        int // value of a number or number word
	thousandth int // of a number, what its decimals are: 500 of 2.5
	Kind       Kind
	Dim        Dim
	Hyphen     bool // joined to the token before by a dash without spaces
	Upper      bool // starts with a capital
	Mark       byte // the mark itself for Stop, Dash, Symbol ('\n' for a line break)
}

// Text is a message read once.
type Text struct {
	Src  string // NFC, valid UTF-8, at most MaxRead bytes
	Toks []Token
	Lang Lang
	CJK  bool // has Han or kana, which carry no spaces

	unknown  bool // none of its words is known: a language without a Lexicon
	other    bool // most words are in a script without a Lexicon: Hangul, Devanagari, Arabic
	unlisted bool // unknown, and not in ASCII alone
	lex      *Lexicon

	known bool // to be a process: evidence is no longer asked for
}

// Unlisted reports a text in a language without a Lexicon.
func (t *Text) Unlisted() bool { return t.other || t.unlisted }

// Clean returns s as valid UTF-8 in NFC.
func Clean(s string) string {
	if ascii(s) {
		return s
	}
	return norm.NFC.String(strings.ToValidUTF8(s, "\uFFFD"))
}

func ascii(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// Read turns a message into tokens and finds its language.
func Read(message string) Text {
	if len(message) > MaxRead {
		message = strings.ToValidUTF8(message[:MaxRead], "")
	}
	t := Text{Src: Clean(message)}
	s := scanner{src: t.Src, low: lower(t.Src), toks: make([]Token, 0, estimate(t.Src))}
	s.run()
	t.Toks, t.CJK = s.toks, s.cjk
	t.classify(detect(t.Toks))
	return t
}

// readAs reads a text as one of a known language.
func readAs(s string, lang Lang) Text {
	t := Read(s)
	if t.Lang != lang {
		t.classify(lang)
	}
	return t
}

// classify gives every word its classes in a language.
func (t *Text) classify(lang Lang) {
	t.Lang = lang
	t.lex = lexicons[t.Lang]
	foreign, known, words := 0, 0, 0
	for i := range t.Toks {
		if tok := &t.Toks[i]; tok.Kind == Word {
			if tok.Word[0] >= 0xd0 { // Cyrillic and beyond
				foreign++
			}
			e := t.lex.find(tok.Word)
			tok.Class, tok.Num = e.class, e.num
			if words++; e.class != 0 || tok.Upper && i > 0 {
				known++
			}
		}
	}
	t.unknown = t.Lang == English && words > 1 && known*3 <= words
	t.unlisted = t.unknown && !ascii(t.Src)
	t.other = t.Lang == English && foreign*2 > len(t.Toks)
}

// estimate returns about how many tokens a text has: every space and mark parts
// two, and so may every letter of the scripts without spaces.
func estimate(s string) int {
	n := 4
	for i := 0; i < len(s); i++ {
		if c := s[i]; c <= '/' || ':' <= c && c <= '@' || c >= 0xe3 {
			n++
		}
	}
	return n
}

// lower maps to lower case without moving any byte, so that offsets in it are
// offsets in s.
func lower(s string) string {
	b := []byte(s)
	for i := 0; i < len(b); {
		c := b[i]
		if c < utf8.RuneSelf {
			if 'A' <= c && c <= 'Z' {
				b[i] = c + 'a' - 'A'
			}
			i++
			continue
		}
		r, n := utf8.DecodeRune(b[i:])
		if l := unicode.ToLower(r); l != r && utf8.RuneLen(l) == n {
			utf8.EncodeRune(b[i:], l)
		}
		i += n
	}
	return string(b)
}

type scanner struct {
	src, low string
	toks     []Token
	cjk      bool
	arrowsTo int // before it, " > " is an arrow
	plainTo  int // before it, " > " is no arrow
}

func (s *scanner) add(kind Kind, mark byte, start, end int) {
	if n := len(s.toks); n > 0 && (kind == Symbol || kind == Dash) && s.toks[n-1].Kind == kind &&
		s.toks[n-1].Mark == mark && s.toks[n-1].End == start {
		s.toks[n-1].End = end // "((((": one
		return
	}
	s.toks = append(s.toks, Token{Kind: kind, Mark: mark, Start: start, End: end})
}

func (s *scanner) run() {
	lineStart := true
	for i := 0; i < len(s.src); {
		c := s.src[i]
		if lineStart && c == '>' {
			line, _, _ := strings.Cut(s.src[i:], "\n")
			s.add(Masked, c, i, i+len(line))
			i += len(line)
			continue
		}
		lineStart = lineStart && (c == ' ' || c == '\t')
		switch {
		case c == '\n':
			s.add(Stop, '\n', i, i+1)
			lineStart = true
			i++
		case c <= ' ' || c == 0x7f:
			i++
		case 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z':
			i = s.word(i)
		case '0' <= c && c <= '9':
			i = s.number(i)
		case c < utf8.RuneSelf:
			i = s.mark(i, c)
		default:
			i = s.wide(i)
		}
	}
}

// word reads letters, digits inside, and apostrophes between letters.
func (s *scanner) word(i int) int {
	start, curly := i, false
	for i < len(s.src) {
		c := s.src[i]
		switch {
		case 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_':
			i++
			continue
		case c == '\'' && i > start && i+1 < len(s.src) && letterAt(s.src[i+1:]):
			i++
			continue
		case c >= utf8.RuneSelf:
			r, n := utf8.DecodeRuneInString(s.src[i:])
			if r == '’' && i > start && letterAt(s.src[i+n:]) {
				curly = true
			} else if !unicode.IsLetter(r) && !unicode.IsMark(r) || wide(r) {
				break
			}
			i += n
			continue
		}
		break
	}
	w := s.low[start:i]
	if curly {
		w = strings.ReplaceAll(w, "’", "'")
	}
	first, _ := utf8.DecodeRuneInString(s.src[start:])
	s.toks = append(s.toks, Token{Kind: Word, Word: w, Start: start, End: i, Upper: unicode.IsUpper(first),
		Hyphen: s.hyphened(start)})
	return i
}

func letterAt(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsLetter(r)
}

// hyphened reports a dash between the previous token and start, no spaces.
func (s *scanner) hyphened(start int) bool {
	if len(s.toks) == 0 {
		return false
	}
	switch s.src[s.toks[len(s.toks)-1].End:start] {
	case "-", "–", "‑":
		return true
	}
	return false
}

// mark reads one ASCII mark.
func (s *scanner) mark(i int, c byte) int {
	rest := s.src[i:]
	switch c {
	case ',':
		s.add(Comma, c, i, i+1)
	case '.':
		if !s.abbreviates(i) {
			s.add(Stop, c, i, i+1)
		}
	case '!', '?', ';':
		s.add(Stop, c, i, i+1)
	case ':':
		s.add(Colon, c, i, i+1)
	case '`':
		return s.fence(i)
	case '"':
		return s.quote(i, "\"", 1)
	case '\'':
		return s.single(i)
	case '-', '=':
		for _, a := range [...]string{"-->", "->", "=>", "==>"} {
			if strings.HasPrefix(rest, a) {
				s.add(Arrow, 0, i, i+len(a))
				return i + len(a)
			}
		}
		return s.dash(i, 1)
	case '>':
		if s.chevron(i) {
			s.add(Arrow, 0, i, i+1)
		} else {
			s.add(Symbol, c, i, i+1)
		}
	case '(', ')', '/', '|', '[', ']':
		s.add(Dash, c, i, i+1)
	default:
		s.add(Symbol, c, i, i+1)
	}
	return i + 1
}

// chevron reports an arrow: two or more " > " in one line. Before a number it compares,
// and "I clicked File > Options > Add-ins" is a menu.
func (s *scanner) chevron(i int) bool {
	if i >= max(s.arrowsTo, s.plainTo) {
		line, _, _ := strings.Cut(s.src[i:], "\n")
		before := s.src[strings.LastIndexByte(s.src[:i], '\n')+1 : i]
		menu := len(line) > 2 && 'A' <= line[2] && line[2] <= 'Z' && strings.Count(before, " ") > 2
		if end := i + len(line); strings.Contains(line, " > ") && strings.HasSuffix(before, " ") && !menu {
			s.arrowsTo = end
		} else {
			s.plainTo = end
		}
	}
	return i < s.arrowsTo && s.src[i-1] == ' ' && i+2 < len(s.src) && s.src[i+1] == ' ' && !isDigit(s.src[i+2])
}

// abbreviates reports a dot that ends no sentence: Dr. Obi, J. Smith, list.csv.
func (s *scanner) abbreviates(i int) bool {
	if len(s.toks) == 0 || i+1 >= len(s.src) {
		return false
	}
	last := &s.toks[len(s.toks)-1]
	if last.End != i || last.Kind != Word {
		return false
	}
	if next := s.src[i+1]; 'a' <= next|0x20 && next|0x20 <= 'z' { // list.csv, e.g
		return true
	}
	switch {
	case abbreviations.has(last.Word):
		return true
	case companies.has(last.Word):
		rest := strings.TrimLeft(s.src[i+1:], " ")
		return rest != "" && (rest[0] == ',' || 'a' <= rest[0] && rest[0] <= 'z')
	}
	return last.Upper && len(last.Word) == 1 && last.Word != "i"
}

// dash adds a token for a dash with a space beside it; one between letters or
// digits is remembered by the next token instead.
func (s *scanner) dash(i, n int) int {
	before := i > 0 && s.src[i-1] > ' '
	after := i+n < len(s.src) && s.src[i+n] > ' '
	if !before || !after {
		s.add(Dash, '-', i, i+n)
	}
	return i + n
}

// fence masks `code` and ```blocks```.
func (s *scanner) fence(i int) int {
	if strings.HasPrefix(s.src[i:], "```") {
		end := strings.Index(s.src[i+3:], "```")
		if end < 0 {
			s.add(Masked, '`', i, len(s.src))
			return len(s.src)
		}
		s.add(Masked, '`', i, i+end+6)
		return i + end + 6
	}
	return s.quote(i, "`", 1)
}

// quoteReach is how far a closing quotation mark is looked for: without a
// bound, a text of opening marks alone would be read once for each of them.
const quoteReach = 4000

// quote masks up to the closing mark; without one the mark is a token alone. n is
// the length of the opening mark.
func (s *scanner) quote(i int, closing string, n int) int {
	window := s.src[i+n : min(len(s.src), i+n+quoteReach)]
	if end := strings.Index(window, closing); end > 0 {
		s.add(Masked, '"', i, i+n+end+len(closing))
		return i + n + end + len(closing)
	}
	s.add(Symbol, '"', i, i+n)
	return i + n
}

// single masks 'a clause' in single quotes: from one after a space to one
// before a space or a mark, on the same line.
func (s *scanner) single(i int) int {
	if i == 0 || s.src[i-1] == ' ' || s.src[i-1] == '\n' {
		window := s.src[i+1 : min(len(s.src), i+200)]
		for k := 1; k < len(window) && window[k] != '\n'; k++ {
			if window[k] == '\'' && window[k-1] != ' ' && (k+1 == len(window) || !letterAt(window[k+1:])) {
				s.add(Masked, '"', i, i+k+2)
				return i + k + 2
			}
		}
	}
	s.add(Symbol, '\'', i, i+1)
	return i + 1
}

// wide reads characters outside ASCII.
func (s *scanner) wide(i int) int {
	r, n := utf8.DecodeRuneInString(s.src[i:])
	switch {
	case r == '，' || r == '、' || r == '،':
		s.add(Comma, ',', i, i+n)
	case r == '。' || r == '！' || r == '？' || r == '؟' || r == '।' || r == '；' || r == '…' || r == '\u2028' ||
		r == '\u2029':
		s.add(Stop, stopMark(r), i, i+n)
	case r == '：':
		s.add(Colon, ':', i, i+n)
	case r == '→' || r == '⟶' || r == '⇒' || r == '➔' || r == '➜':
		s.add(Arrow, 0, i, i+n)
	case r == '“' || r == '„':
		return s.quoteCurly(i, n)
	case r == '«':
		return s.quote(i, "»", n)
	case r == '「':
		return s.quote(i, "」", n)
	case r == '『':
		return s.quote(i, "』", n)
	case r == '–' || r == '—' || r == '‑':
		return s.dash(i, n)
	case wide(r):
		return s.ideographs(i)
	case unicode.IsDigit(r):
		return s.number(i)
	case unicode.IsLetter(r):
		return s.word(i)
	case r == '€' || r == '£' || r == '¥' || r == '₹':
		s.add(Symbol, '$', i, i+n)
	case unicode.IsSpace(r) || unicode.IsControl(r) || unicode.Is(unicode.Cf, r):
	default:
		s.add(Symbol, 0, i, i+n)
	}
	return i + n
}

func stopMark(r rune) byte {
	if r == '？' || r == '؟' {
		return '?'
	}
	return '.'
}

// quoteCurly closes “ with ” and „ with “ or ”.
func (s *scanner) quoteCurly(i, n int) int {
	window := s.src[i+n : min(len(s.src), i+n+quoteReach)]
	if end := strings.IndexAny(window, "”“"); end > 0 {
		s.add(Masked, '"', i, i+n+end+n)
		return i + n + end + n
	}
	s.add(Symbol, '"', i, i+n)
	return i + n
}

// wide reports Han and kana: scripts without spaces.
func wide(r rune) bool {
	return r >= 0x2e80 && (unicode.Is(unicode.Han, r) || unicode.Is(unicode.Hiragana, r) ||
		unicode.Is(unicode.Katakana, r))
}

// ideographs reads a run of Han and kana as one word.
func (s *scanner) ideographs(i int) int {
	start := i
	for i < len(s.src) {
		r, n := utf8.DecodeRuneInString(s.src[i:])
		if !wide(r) && r != 'ー' {
			break
		}
		i += n
	}
	s.cjk = true
	if i == start { // a lone mark such as ー
		_, n := utf8.DecodeRuneInString(s.src[i:])
		i += n
	}
	s.toks = append(s.toks, Token{Kind: Word, Word: s.src[start:i], Start: start, End: i})
	return i
}

// maxCount caps every number; nothing larger is ever a list size.
const maxCount = 1_000_000

// number reads digits with the characters glued to them and classifies by form: 1,200 ·
// 1.5k · 12.4 · $250,000 · 60% · 3pm · 10:30 · 24/7 · 2025-03-14 · 2nd.
func (s *scanner) number(i int) int {
	tok := Token{Kind: Number, Start: i, Hyphen: s.hyphened(i)}
	i, n, digits := s.digits(i)
	decimals := ""
	for i < len(s.src) { // groups of three, decimals
		c := s.src[i]
		if c != ',' && c != '.' && c != '\'' || i+1 >= len(s.src) || !isDigit(s.src[i+1]) {
			break
		}
		end, group, size := s.digits(i + 1)
		switch {
		case size == 3 && digits <= 3 && decimals == "" && n > 0:
			n = min(n*1000+group, maxCount)
		case decimals == "" && c != '\'':
			decimals = s.src[i+1 : end]
		default:
			tok.Dim = Ident // 1.2.3, 10,20,30
		}
		i = end
	}
	if tok.Dim == Plain && decimals != "" {
		tok.Dim = Decimal
	}
	if digits > 7 {
		tok.Dim = Ident
	}
	i = s.suffix(i, &tok, &n, decimals)
	tok.Num, tok.End = n, i
	if tok.Dim == Decimal {
		tok.thousandth = thousandths(decimals)
	}
	tok.Word = s.low[tok.Start:i]
	s.prefix(&tok)
	if len(s.toks) > 0 { // 555 0199: two numbers side by side are a phone number or a reference
		p := &s.toks[len(s.toks)-1]
		switch beside := p.Kind == Number && !tok.Hyphen && p.Dim == Plain && tok.Dim == Plain; {
		case beside && len(p.Word) <= 3 && p.Num > 0 && len(tok.Word) == 3 && p.End+1 == tok.Start && p.Word[0] != '0':
			// 10 000
			p.Num, p.End, p.Word = min(p.Num*1000+tok.Num, maxCount), tok.End, s.low[p.Start:tok.End]
			return i
		case beside:
			p.Dim, tok.Dim = Ident, Ident
		}
	}
	s.toks = append(s.toks, tok)
	return i
}

// suffix reads k, %, am, th, :30 and letters that make the number a name.
func (s *scanner) suffix(i int, tok *Token, n *int, decimals string) int {
	if i >= len(s.src) {
		return i
	}
	switch c := s.src[i]; {
	case c == '%':
		tok.Dim = Percent
		return i + 1
	case (c == ':' || c == 'h' || c == 'H') && i+1 < len(s.src) && isDigit(s.src[i+1]) && *n < 25:
		end, _, _ := s.digits(i + 1)
		tok.Dim = Clock
		return s.letters(end)
	case c == '/' && i+1 < len(s.src) && isDigit(s.src[i+1]):
		tok.Dim = Date
		for i < len(s.src) && (s.src[i] == '/' || isDigit(s.src[i])) {
			i++
		}
		return i
	case c == '-' && s.isoDate(tok.Start):
		tok.Dim = Date
		return tok.Start + 10
	}
	end := s.letters(i)
	letters := s.low[i:end]
	if n := shortThousand(s.low[i:]); n > 0 {
		letters, end = "k", i+n
	}
	switch {
	case letters == "", letters == "ish":
		return i
	case letters == "k" && tok.Dim <= Decimal:
		*n = min(*n*1000+thousandths(decimals), maxCount)
		tok.Dim = Plain
	case letters == "st" || letters == "nd" || letters == "rd" || letters == "th":
		tok.Dim = Ordinal
	case letters == "am" || letters == "pm" || letters == "h" || letters == "uhr":
		tok.Dim = Clock
	case letters == "x":
		// 12x laptops
		if rest := strings.TrimLeft(s.low[end:], " "); tok.Dim == Plain && rest != "" && pluralAhead(rest) {
			return end
		}
		tok.Dim = Decimal
	default:
		tok.Dim = Ident
		for end < len(s.src) && isDigit(s.src[end]) { // 1e309, 4b7c: one name
			end, _, _ = s.digits(end)
			end = s.letters(end)
		}
	}
	return end
}

// shortThousand returns how long a thousand is that is written short, apart from its
// number, at the start of s: 2,5 Tsd. Kunden.
func shortThousand(s string) int {
	rest, ok := strings.CutPrefix(strings.TrimLeft(s, " "), "tsd")
	if r, _ := utf8.DecodeRuneInString(rest); !ok || unicode.IsLetter(r) {
		return 0
	}
	return len(s) - len(strings.TrimPrefix(rest, "."))
}

// thousandths reads decimals: 500 of .5.
func thousandths(decimals string) (n int) {
	for j, scale := 0, 100; j < len(decimals) && j < 3; j, scale = j+1, scale/10 {
		n += int(decimals[j]-'0') * scale
	}
	return n
}

// pluralAhead reports that a text begins with a word in the plural.
func pluralAhead(s string) bool {
	n := 0
	for n < len(s) && 'a' <= s[n] && s[n] <= 'z' {
		n++
	}
	return PluralForm(s[:n])
}

func (s *scanner) letters(i int) int {
	for i < len(s.src) {
		r, n := utf8.DecodeRuneInString(s.src[i:])
		if !unicode.Is(unicode.Latin, r) { // 20명, 14件: a counter, read as its own word
			break
		}
		i += n
	}
	return i
}

func (s *scanner) isoDate(i int) bool {
	return len(s.src) >= i+10 && strings.IndexFunc(s.src[i:i+10],
		func(r rune) bool { return r != '-' && (r < '0' || r > '9') }) < 0 &&
		s.src[i+4] == '-' && s.src[i+7] == '-'
}

// prefix looks at the mark glued before the digits: $ € £ # v.
func (s *scanner) prefix(tok *Token) {
	if len(s.toks) == 0 {
		return
	}
	p := s.toks[len(s.toks)-1]
	if p.Kind != Symbol || p.End != tok.Start {
		return
	}
	switch p.Mark {
	case '$':
		tok.Dim = Money
	case '#', '+', '@', '\\':
		tok.Dim = Ident
	}
}
