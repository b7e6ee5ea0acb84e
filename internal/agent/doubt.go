package agent

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/limn-ui/limn/internal/directive"
	"github.com/limn-ui/limn/llm"
)

// doubt is an envelope with ordinary words around it, and the mark that the
// model is asked to put around it if it was meant. The zero doubt has no mark.
//
// A model that announces an envelope writes the same as one that quotes or
// denies it, and one that only repeats itself has not answered. So the words
// never count. What counts is the mark: it is another one for each answer and named
// only as the way to say yes, so no document, example or repetition holds it.
type doubt struct {
	mark string
	env  directive.Envelope
}

// newDoubt takes the first answer; without one clear envelope no mark is offered.
func (d *dialogue) newDoubt(reply llm.Reply) doubt {
	if len(reply.Calls) > 0 || reply.Check() != nil {
		return doubt{}
	}
	env, ok := d.cfg.Registry.Among(reply.Text)
	if !ok {
		return doubt{}
	}
	return doubt{mark: newMark(d.in, reply.Text), env: env}
}

// newMark is the same when a run is repeated after a crash with recorded answers.
// It depends on the conversation's id and on the whole first answer, so no text in
// that answer or before it can contain it.
func newMark(in Input, answer string) string {
	id := ""
	if in.State != nil {
		id = in.State.ID
	}
	sum := sha256.Sum256([]byte(strings.Join([]string{id, in.Event, in.Text, answer}, "\x00")))
	return "run-" + hex.EncodeToString(sum[:8])
}

// resolve returns the envelope of the second answer if it is marked and asks for
// exactly the same as the first.
func (d doubt) resolve(reg *directive.Registry, text string) (directive.Envelope, bool) {
	if d.mark == "" {
		return directive.Envelope{}, false
	}
	env, ok := reg.Marked(text, d.mark)
	return env, ok && bytes.Equal(request(env), request(d.env))
}

// request is what an envelope asks for, without its text.
func request(env directive.Envelope) []byte {
	return directive.Envelope{Directives: env.Directives}.JSON()
}

// hide removes the marks from words that a person will read.
func (d doubt) hide(text string) string {
	if d.mark == "" {
		return text
	}
	return strings.TrimSpace(strings.NewReplacer("<"+d.mark+">", "", "</"+d.mark+">", "").Replace(text))
}
