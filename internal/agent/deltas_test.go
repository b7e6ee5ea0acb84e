package agent_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/limn-ui/limn/internal/agent"
	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/ui"
)

// drip streams pieces, then ends with err or with all of them.
type drip struct {
	pieces []string
	err    error
	asked  []llm.Request
}

func (d *drip) Ask(_ context.Context, r llm.Request) (llm.Reply, error) {
	d.asked = append(d.asked, r)
	for _, p := range d.pieces {
		if r.Stream && (d.err == nil || ui.CodeOf(d.err) == llm.CodeUnavailable) { // the others come instead of words
			r.OnText(p)
		}
	}
	if r.Stream && d.err != nil {
		return llm.Reply{}, d.err
	}
	return llm.Reply{Text: strings.Join(d.pieces, ""), Finish: llm.FinishStop}, nil
}

// A streamed answer is emitted only while it reads as words.
func TestChatStreamsOnlyWords(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		pieces []string
		want   string
	}{
		{[]string{"Hel", "lo."}, "0:Hel 0:lo."},
		{[]string{"", " \n", "Hi", " {you}"}, "0:Hi 0: {you}"},
		{[]string{"\n ", "{", `"assistant_text":"Hi"}`}, ""},
		{[]string{"```json\n", "{}"}, ""},
		{[]string{"<think>", "so", "</think>Hi"}, ""},
		{[]string{"é"}, "0:é"},
	} {
		var heard []string
		c := agent.Config{OnText: func(try int, s string) { heard = append(heard, fmt.Sprint(try, ":", s)) }}
		if _, _, err := agent.Chat(t.Context(), &drip{pieces: tt.pieces}, c, agent.Input{Text: "hi"}); err != nil {
			t.Error(err)
		}
		if got := strings.Join(heard, " "); got != tt.want {
			t.Errorf("%q: heard %q, want %q", tt.pieces, got, tt.want)
		}
	}
}

// Of an envelope the text is emitted; a refused answer starts over with a higher try,
// and one whose stream breaks is asked for as a whole.
func TestDirectivesStreamTheText(t *testing.T) {
	t.Parallel()
	var heard []string
	c := agent.Config{OnText: func(try int, s string) { heard = append(heard, fmt.Sprint(try, ":", s)) }}
	bad := []string{`{"assistant_text":"One two`, `","directives":[{"type":"no.such"}]}`}
	m := &drip{pieces: bad}
	if _, err := agent.Directives(t.Context(), m, c, agent.Input{Text: "hi"}); err != nil {
		t.Error(err)
	}
	if len(heard) < 4 || heard[0] != "0:One" || heard[1] != "0: two" || heard[2] != "1:One" {
		t.Errorf("heard %q", heard)
	}
	for _, code := range []ui.Code{llm.CodeUnavailable, llm.CodeReplyInvalid, llm.CodeUnsupported} {
		m := &drip{pieces: []string{`{"assistant_text":"One two","directives":[]}`},
			err: ui.Errorf(code, "", "no stream")}
		res, err := agent.Directives(t.Context(), m, c, agent.Input{Text: "hi"})
		if err != nil || res.Envelope.Text != "One two" || len(m.asked) != 2 || !m.asked[0].Stream ||
			m.asked[1].Stream || m.asked[1].Format == nil {
			t.Errorf("%s: %+v, %v, %d requests", code, res.Envelope, err, len(m.asked))
		}
	}
}

// A stream that broke after its first words is asked for as a whole; one that never
// began is an outage.
func TestBrokenStreamIsRetriedWhole(t *testing.T) {
	t.Parallel()
	cut := ui.Errorf(llm.CodeUnavailable, "", "the stream broke")
	c := agent.Config{OnText: func(int, string) {}}
	m := &drip{pieces: []string{"One", " two."}, err: cut}
	text, r, err := agent.Chat(t.Context(), m, c, agent.Input{Text: "hi"})
	if text != "One two." || err != nil || len(m.asked) != 2 || m.asked[1].Stream ||
		r.Attempts[0].Code != llm.CodeUnavailable {
		t.Errorf("%q, %v, %d requests, %+v", text, err, len(m.asked), r.Attempts)
	}
	for _, m := range []*drip{
		{pieces: []string{"<think>", "so", "</think>One"}, err: cut}, // thoughts are heard by nobody, but they came
		{pieces: []string{"One"}, err: ui.Errorf(llm.CodeUnsupported, "/stream_options", "no such key")},
		{pieces: []string{"One"}, err: ui.Errorf(llm.CodeReplyInvalid, "", "ends in the middle")},
	} {
		if text, _, err := agent.Chat(t.Context(), m, c, agent.Input{Text: "hi"}); text != "One" || err != nil ||
			len(m.asked) != 2 {
			t.Errorf("%q, %v, %d requests", text, err, len(m.asked))
		}
	}
	m = &drip{err: ui.Errorf(llm.CodeUnsupported, "/model", "no such model")}
	if _, _, err := agent.Chat(t.Context(), m, c, agent.Input{Text: "hi"}); ui.CodeOf(err) != llm.CodeUnsupported ||
		len(m.asked) != 1 {
		t.Errorf("%v, %d requests", err, len(m.asked))
	}
	m = &drip{err: cut}
	if _, _, err := agent.Chat(t.Context(), m, c, agent.Input{Text: "hi"}); ui.CodeOf(err) != llm.CodeUnavailable ||
		len(m.asked) != 1 {
		t.Errorf("%v, %d requests", err, len(m.asked))
	}
}
