package modeltext

import (
	"bytes"
	"strings"
)

// verdict is the result of looking at the bytes at a place.
type verdict uint8

const (
	isText     verdict = iota
	more               // the bytes end too early to decide
	opensTag           // <a2ui-json …>
	opensFence         // ```json, followed by A2UI
	opensBoth          // ```json and a tag after it
	dropsFence         // the end of such a fence
	opensBare          // A2UI without a fence
	opensCode          // a fence with something else
	closesCode         // its end
	closes             // the end of the payload
	skips              // nothing: a fence inside a tag
)

// maxLook is how far a tag, a fence line or a guess may reach.
const maxLook = 512

const (
	openTag  = "<a2ui-json"
	closeTag = "</a2ui-json"
	fence    = "```"
)

// look reports what opens at the start of b, which text.next found, and how long
// its opening is.
func look(b []byte, t *text, tagsOnly bool) (verdict, int) {
	switch {
	case b[0] == '<':
		return lookTag(b)
	case tagsOnly:
		return isText, 1
	case b[0] == '`':
		return lookFence(b, t)
	}
	switch guess(b, true) {
	case more:
		return more, 0
	case opensBare:
		return opensBare, 0
	}
	return isText, 1
}

// prefix compares b with a word, in any case: whole, a start that ends with b, or no.
func prefix(b []byte, word string) verdict {
	n := min(len(b), len(word))
	switch {
	case !strings.EqualFold(string(b[:n]), word[:n]):
		return isText
	case n < len(word):
		return more
	}
	return opensTag
}

// lookTag reads <a2ui-json> with or without attributes.
func lookTag(b []byte) (verdict, int) {
	if v := prefix(b, openTag); v != opensTag {
		return v, 1
	}
	quote := byte(0)
	for i := len(openTag); i < len(b); i++ {
		c := b[i]
		switch {
		case i == len(openTag) && c != '>' && !isSpace(c):
			return isText, 1
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '>':
			return opensTag, i + 1
		}
	}
	return more, 0
}

// lookClose reads </a2ui-json>.
func lookClose(b []byte) (verdict, int) {
	if v := prefix(b, closeTag); v != opensTag {
		return v, 1
	}
	for i := len(closeTag); i < len(b); i++ {
		if b[i] == '>' {
			return closes, i + 1
		}
		if !isSpace(b[i]) {
			return isText, 1
		}
	}
	return more, 0
}

// languages are the fence names that may hold A2UI.
const languages = " json jsonl ndjson json5 jsonc a2ui a2ui-json javascript js "

// lookFence reads a fence line and the start of its content.
func lookFence(b []byte, t *text) (verdict, int) {
	if v := prefix(b, fence); v != opensTag {
		return v, 1
	}
	switch {
	case t.both:
		return dropsFence, len(fence)
	case t.code:
		return closesCode, len(fence)
	}
	end := bytes.IndexByte(b, '\n')
	if end < 0 {
		return more, 0
	}
	name := strings.ToLower(string(bytes.TrimSpace(b[len(fence):end])))
	if name != "" && !strings.Contains(languages, " "+name+" ") {
		return opensCode, end + 1
	}
	at := end + 1
	for at < len(b) && isSpace(b[at]) {
		at++
	}
	if at == len(b) {
		return more, 0
	}
	if b[at] == '<' {
		v, n := lookTag(b[at:])
		if v == opensTag {
			return opensBoth, at + n
		}
		if v == more {
			return more, 0
		}
	}
	switch guess(b[at:], true) {
	case more:
		return more, 0
	case opensBare:
		return opensFence, at
	}
	return opensCode, end + 1
}

// isMessageKey reports whether a key is the member that names the kind of a message, of
// every version.
func isMessageKey[T string | []byte](key T) bool {
	switch string(key) {
	case "createSurface", "updateComponents", "updateDataModel", "deleteSurface",
		"beginRendering", "surfaceUpdate", "dataModelUpdate",
		"callRendererFunction", "agentFunctionResponse":
		return true
	}
	return false
}

// guess reports whether JSON outside a tag is A2UI by the first keys of its first object.
func guess(b []byte, outer bool) verdict {
	g := guesser{b: b}
	if outer {
		g.take('[')
	}
	if !g.take('{') {
		return g.no()
	}
	for {
		key, ok := g.quoted()
		if !ok || !g.take(':') {
			return g.no()
		}
		switch {
		case isMessageKey(key):
			return opensBare
		case string(key) == "messages" && outer:
			if g.take('[') {
				return guess(g.b, false)
			}
			return g.no()
		case string(key) != "version":
			return isText
		}
		if _, ok := g.quoted(); !ok || !g.take(',') {
			return g.no()
		}
	}
}

// guesser reads the tokens of a guess; b is the rest of the input.
type guesser struct {
	b   []byte
	cut bool // the bytes ended
}

func (g *guesser) no() verdict {
	if g.cut {
		return more
	}
	return isText
}

func (g *guesser) take(c byte) bool {
	for len(g.b) > 0 && isSpace(g.b[0]) {
		g.b = g.b[1:]
	}
	if g.cut = len(g.b) == 0; g.cut || g.b[0] != c {
		return false
	}
	g.b = g.b[1:]
	return true
}

// quoted reads a string in straight or curly quotes, without escapes.
func (g *guesser) quoted() ([]byte, bool) {
	if !g.take('"') {
		if !g.curly() {
			return nil, false
		}
	}
	for i, c := range g.b {
		switch {
		case c == '"':
			s := g.b[:i]
			g.b = g.b[i+1:]
			return s, true
		case c < ' ' || c == '\\':
			return nil, false
		case c == curlyLead:
			s := g.b[:i]
			rest := guesser{b: g.b[i:]}
			if rest.curly() {
				g.b = rest.b
				return s, true
			}
			g.cut = rest.cut
			return nil, false
		}
	}
	g.cut = true
	return nil, false
}

// curlyLead starts every curly quote in UTF-8.
const curlyLead = 0xE2

func (g *guesser) curly() bool {
	if len(g.b) == 0 || g.b[0] != curlyLead {
		return false
	}
	if len(g.b) < 3 {
		g.cut = true
		return false
	}
	if r := string(g.b[:3]); r != "“" && r != "”" {
		return false
	}
	g.b = g.b[3:]
	return true
}

// stopped classifies the byte at which feed stopped.
func (r *reader) stopped(b []byte, f form) (verdict, int) {
	switch b[0] {
	case '<':
		if f == tagged {
			if v, n := lookClose(b); v != isText {
				return v, n
			}
		}
		if f == endless {
			return isText, 1
		}
		return lookTag(b)
	case '`':
		if f == fenced {
			v := prefix(b, fence)
			if v == opensTag {
				v = closes
			}
			return v, len(fence)
		}
		if len(r.frames) > 0 || f == bare {
			return isText, 1
		}
		return lookSkip(b)
	case curlyLead:
		if prefix(b, "“") == more || prefix(b, "”") == more {
			return more, 1
		}
	}
	return isText, 1
}

// lookSkip reads a fence with its language inside a tag.
func lookSkip(b []byte) (verdict, int) {
	if v := prefix(b, fence); v != opensTag {
		return v, 1
	}
	at := len(fence)
	for at < len(b) && (b[at] == ' ' || b[at] == '\t') {
		at++
	}
	for ; at < len(b); at++ {
		if class[b[at]]&isWord == 0 {
			return skips, at
		}
	}
	return more, 0
}
