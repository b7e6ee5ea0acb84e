package a2ui

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/limn-ui/limn/a2ui/internal/wire"
)

// Escape returns text so that a client shows it as it is, where the client would
// read it as Markdown; elsewhere, and for plain words, it returns text itself.
//
// Markdown is read in the property text of Text: on v0.8 and v1.0 in every
// variant, with "# " or "*" put around headings and captions by clients of v0.8,
// so those become one line; on v0.9 in the variant body (or "") alone.
// Labels and other properties are never Markdown. Where a version has no heading
// variants, h1 to h6 name the single line that a caller puts after its own "#".
// Line breaks of a body stay line breaks; the escape assumes CommonMark with
// tables and strikethrough, the defaults of markdown-it.
func Escape(d Dialect, component, variant, property, text string) string {
	if component != "Text" || property != "text" || text == "" {
		return text
	}
	f := d.Features()
	switch variant {
	case "", "body":
		return escapeBody(text)
	case "caption":
		if f.MarkdownText {
			return escapeInline(wire.OneLine(text), '*')
		}
	default:
		if f.MarkdownText {
			return escapeHeading(wire.OneLine(text))
		}
	}
	return text
}

// Guard returns a data text so that no client parses it as JSON: on v0.8 a text
// that looks like an array or object gets a trailing U+200B. Ingress strips it.
func Guard(d Dialect, text string) string {
	if d.Features().ParsesJSONText && wire.LooksLikeJSON(text) {
		return text + "\u200b"
	}
	return text
}

// escapeHeading keeps the closing # that Markdown would drop.
func escapeHeading(line string) string {
	out := escapeInline(line, ' ')
	body := strings.TrimRight(out, "#")
	if len(body) < len(out) && (body == "" || strings.HasSuffix(body, " ") || strings.HasSuffix(body, "\t")) {
		return body + `\` + out[len(body):]
	}
	return out
}

func escapeBody(text string) string {
	if !strings.ContainsAny(text, "\r\n") {
		return escapeLine(text)
	}
	lines := strings.Split(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text), "\n")
	var b strings.Builder
	for i, line := range lines {
		line = strings.TrimRight(line, " \t")
		if i > 0 {
			if line != "" && lines[i-1] != "" {
				b.WriteString("  ") // a hard break, so that the line stays one
			}
			b.WriteByte('\n')
		}
		lines[i] = line
		b.WriteString(escapeLine(line))
	}
	return b.String()
}

// escapeLine escapes one line of a body: first the characters that would start a block,
// then the inline ones.
func escapeLine(line string) string {
	indent := len(line) - len(strings.TrimLeft(line, " \t"))
	rest := line[indent:]
	if indent >= 4 || strings.Contains(line[:indent], "\t") {
		line, indent = rest, 0 // it would be a code block; HTML collapses spaces anyway
	}
	at := blockMark(rest)
	if at < 0 {
		return escapeInline(line, ' ')
	}
	return line[:indent] + rest[:at] + `\` + rest[at:at+1] + escapeInline(rest[at+1:], rune(rest[at]))
}

// blockMark returns the place of the character that makes rest a block, or -1.
func blockMark(rest string) int {
	if rest == "" {
		return -1
	}
	switch c := rest[0]; {
	case c == '>':
		return 0
	case c == '#' && blank(strings.TrimLeft(rest, "#")):
		return 0
	case (c == '-' || c == '+' || c == '*') && blank(rest[1:]):
		return 0
	case strings.Trim(rest, "= \t") == "", strings.Trim(rest, "_ \t") == "", strings.Trim(rest, "* \t") == "":
		return 0
	case strings.Trim(rest, "|:- \t") == "" && strings.Contains(rest, "-"):
		return 0 // a line under a heading, or under the head of a table
	case c >= '0' && c <= '9':
		n := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
		if n <= 9 && n < len(rest) && (rest[n] == '.' || rest[n] == ')') && blank(rest[n+1:]) {
			return n
		}
	}
	return -1
}

// blank reports whether s is empty or starts with a space.
func blank(s string) bool { return s == "" || s[0] == ' ' || s[0] == '\t' }

// escapeInline escapes the characters with a meaning for Markdown inside a line. edge
// is the character around it: a space, or the mark that a client puts there.
func escapeInline(s string, edge rune) string {
	if !strings.ContainsAny(s, "\\`*_[<&~") {
		return s
	}
	links := strings.Contains(s, "](") || strings.Contains(s, "]:") || strings.Contains(s, "][")
	var b strings.Builder
	prev := edge
	for i := 0; i < len(s); {
		c, n := utf8.DecodeRuneInString(s[i:])
		next := edge
		if i+n < len(s) {
			next, _ = utf8.DecodeRuneInString(s[i+n:])
		}
		if c < utf8.RuneSelf && special(byte(c), prev, next, s[i:], links) {
			b.WriteByte('\\')
		}
		b.WriteString(s[i : i+n])
		prev = c
		i += n
	}
	return b.String()
}

func special(c byte, prev, next rune, rest string, links bool) bool {
	switch c {
	case '\\':
		return len(rest) == 1 || next < utf8.RuneSelf && (unicode.IsPunct(next) || unicode.IsSymbol(next))
	case '`':
		return true
	case '*':
		return !unicode.IsSpace(prev) || !unicode.IsSpace(next)
	case '_':
		return !(unicode.IsSpace(prev) && unicode.IsSpace(next)) && !(word(prev) && word(next))
	case '[':
		return links
	case '<':
		return next == '/' || next == '!' || next == '?' || next < utf8.RuneSelf && unicode.IsLetter(next)
	case '&':
		end := strings.IndexByte(rest, ';')
		return end > 1 && strings.Trim(rest[1:end],
			"#abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") == ""
	case '~':
		return prev == '~' || next == '~'
	}
	return false
}

func word(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
