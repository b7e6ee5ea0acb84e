package directive

import (
	"regexp"
	"slices"
	"strings"

	"github.com/limn-ui/limn/ui"
)

// maxAround bounds the words before and after an envelope that [Registry.Among]
// accepts, each in bytes: a preamble or a closing remark, not an explanation.
const maxAround = 240

// Among returns the only envelope of an answer that has ordinary words around
// it, such as "Opening it for you:". It has no undeclared
// key. The form says nothing about intent, since a quotation looks
// the same: a caller may ask about the result, but never runs it.
func (r *Registry) Among(text string) (Envelope, bool) {
	if len(text) > r.opt.Size {
		return Envelope{}, false
	}
	s := trimThoughts(trim(text))
	at := next(s)
	if at < 0 {
		return Envelope{}, false
	}
	_, end, err := (&reading{reg: r}).readValue(s[at:], "")
	if err != nil {
		return Envelope{}, false
	}
	if !ordinary(s[:at], s[at+end:]) {
		return Envelope{}, false
	}
	return r.meant(s[at : at+end])
}

// Marked returns the envelope between <mark> and </mark>, with at most ordinary
// words outside. A mark that depends on the first answer cannot be part of
// anything that the model quotes.
func (r *Registry) Marked(text, mark string) (Envelope, bool) {
	if len(text) > r.opt.Size {
		return Envelope{}, false
	}
	before, rest, opened := strings.Cut(trimThoughts(trim(text)), "<"+mark+">")
	body, after, closed := strings.Cut(rest, "</"+mark+">")
	if !opened || !closed || !ordinary(before, after) {
		return Envelope{}, false
	}
	return r.meant(body)
}

// meant reads an envelope that must be alone in s.
func (r *Registry) meant(s string) (Envelope, bool) {
	env, err := r.Read(s)
	return env, err == nil && !slices.ContainsFunc(env.Warnings, func(w *ui.Error) bool {
		return w.Code == CodeNone || w.Code == CodeKeyDropped
	})
}

// ordinary reports that before and after an envelope, and one fence around it,
// are words without marks of code, quotation, templates or JSON.
func ordinary(before, after string) bool {
	before, after = trim(before), trim(after)
	if at := openFence.FindStringIndex(before); at != nil && strings.HasPrefix(after, "```") {
		before, after = before[:at[0]], after[3:]
	}
	return len(before) <= maxAround && len(after) <= maxAround && !strings.ContainsAny(before+after, "<>{}[]|`~\\")
}

// openFence is the opening mark of a fence named json or not at all.
var openFence = regexp.MustCompile("(?i)```(?:json)?$")
