package prose

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxCount caps every number; nothing larger is ever a list size.
const maxCount = 1_000_000

// number reads digits with what is glued to them and classifies by form:
// 1,200 · 1.5k · 12.4 · $250,000 · 60% · 3pm · 10:30 · 24/7 · 2025-03-14 · 2nd.
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
	tok.Word = s.low[tok.Start:i]
	s.prefix(&tok)
	if len(s.toks) > 0 { // 555 0199: two numbers side by side are a phone number or a reference
		if p := &s.toks[len(s.toks)-1]; p.Kind == Number && !tok.Hyphen && p.Dim == Plain && tok.Dim == Plain {
			p.Dim, tok.Dim = Ident, Ident
		}
	}
	s.toks = append(s.toks, tok)
	return i
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// digits reads a run of decimal digits of any script.
func (s *scanner) digits(i int) (end, value, count int) {
	for i < len(s.src) {
		r, n := utf8.DecodeRuneInString(s.src[i:])
		d, ok := digitValue(r)
		if !ok {
			break
		}
		value = min(value*10+d, maxCount)
		count++
		i += n
	}
	return i, value, count
}

// digitValue knows ASCII and the decimal digits of every other script: those
// stand in blocks of ten, which start where the digit before is none.
func digitValue(r rune) (int, bool) {
	if '0' <= r && r <= '9' {
		return int(r - '0'), true
	}
	if r < utf8.RuneSelf || !unicode.IsDigit(r) {
		return 0, false
	}
	d := 0
	for d < 9 && unicode.IsDigit(r-rune(d)-1) {
		d++
	}
	return d, true
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
	switch {
	case letters == "", letters == "ish":
		return i
	case letters == "k" && tok.Dim <= Decimal:
		*n = min(*n*1000, maxCount)
		for j, scale := 0, 100; j < len(decimals) && j < 3; j, scale = j+1, scale/10 {
			*n += int(decimals[j]-'0') * scale
		}
		tok.Dim = Plain
	case letters == "st" || letters == "nd" || letters == "rd" || letters == "th":
		tok.Dim = Ordinal
	case letters == "am" || letters == "pm" || letters == "h" || letters == "uhr":
		tok.Dim = Clock
	case letters == "x":
		tok.Dim = Decimal
	default:
		tok.Dim = Ident
	}
	return end
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
	return len(s.src) >= i+10 && strings.IndexFunc(s.src[i:i+10], func(r rune) bool { return r != '-' && (r < '0' || r > '9') }) < 0 &&
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
