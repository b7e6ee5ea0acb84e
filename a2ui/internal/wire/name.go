package wire

import (
	"strings"
	"unicode"
)

// IsName reports whether s is an identifier as v1.0 wants it for components,
// functions and extensions (UAX 31): a character of XID_Start or an underscore,
// then characters of XID_Continue.
func IsName(s string) bool {
	for i, c := range s {
		if c == '_' || c < 0x80 && (c|0x20 >= 'a' && c|0x20 <= 'z' || i > 0 && c >= '0' && c <= '9') {
			continue
		}
		if c < 0x80 || !idStart(c) && (i == 0 || !idContinue(c)) ||
			unicode.Is(normalized, c) && !(i > 0 && unicode.Is(continues, c)) {
			return false
		}
	}
	return s != ""
}

func idStart(c rune) bool {
	return unicode.In(c, unicode.L, unicode.Nl, unicode.Other_ID_Start) &&
		!unicode.In(c, unicode.Pattern_Syntax, unicode.Pattern_White_Space)
}

func idContinue(c rune) bool {
	return unicode.In(c, unicode.Mn, unicode.Mc, unicode.Nd, unicode.Pc, unicode.Other_ID_Continue) &&
		!unicode.In(c, unicode.Pattern_Syntax, unicode.Pattern_White_Space)
}

// normalized are the characters that may start an identifier, but whose
// compatibility form may not: XID_Start is ID_Start without them.
var normalized = &unicode.RangeTable{R16: []unicode.Range16{
	{Lo: 0x037A, Hi: 0x037A, Stride: 1}, {Lo: 0x0E33, Hi: 0x0E33, Stride: 1}, {Lo: 0x0EB3, Hi: 0x0EB3, Stride: 1},
	{Lo: 0x309B, Hi: 0x309C, Stride: 1}, {Lo: 0xFC5E, Hi: 0xFC63, Stride: 1}, {Lo: 0xFDFA, Hi: 0xFDFB, Stride: 1},
	{Lo: 0xFE70, Hi: 0xFE7E, Stride: 2}, {Lo: 0xFF9E, Hi: 0xFF9F, Stride: 1},
}}

// continues are those of them that XID_Continue has.
var continues = &unicode.RangeTable{R16: []unicode.Range16{
	{Lo: 0x0E33, Hi: 0x0E33, Stride: 1}, {Lo: 0x0EB3, Hi: 0x0EB3, Stride: 1}, {Lo: 0xFF9E, Hi: 0xFF9F, Stride: 1},
}}

// OneLine joins the lines of a text and trims it, as a heading needs: a space
// beside the mark of a caption would undo the mark.
func OneLine(text string) string {
	if strings.ContainsAny(text, "\r\n") {
		text = strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' }), " ")
	}
	return strings.TrimSpace(text)
}

// MarkdownMarks are the characters that a backslash escapes in Markdown.
const MarkdownMarks = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"

// UnescapeMarkdown removes the backslashes that escape punctuation in Markdown.
func UnescapeMarkdown(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && strings.IndexByte(MarkdownMarks, s[i+1]) >= 0 {
			i++
		}
		b = append(b, s[i])
	}
	return string(b)
}

// LooksLikeJSON reports whether a client that parses JSON texts would try s.
func LooksLikeJSON(s string) bool {
	if len(s) < 2 {
		return false
	}
	s = strings.TrimSpace(s)
	return len(s) >= 2 && (s[0] == '{' && s[len(s)-1] == '}' || s[0] == '[' && s[len(s)-1] == ']')
}
