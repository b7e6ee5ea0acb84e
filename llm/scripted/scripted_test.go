package scripted_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/limn-ui/limn/internal/fence"
	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/llm/scripted"
	"github.com/limn-ui/limn/ui"
)

const script = `# test
on: hello | good morning
say: Hello!
say: How are you?

on: Neuer Kunde
say: Here.
do: ui.show_form {"name":"customer"}

otherwise:
say: What?
`

func ask(t *testing.T, m *scripted.Model, r llm.Request, text string) string {
	t.Helper()
	r.Messages = append(r.Messages, llm.Message{Role: llm.RoleUser, Text: text})
	reply, err := m.Ask(t.Context(), r)
	if err != nil || reply.Finish != llm.FinishStop {
		t.Fatalf("%q: %+v, %v", text, reply, err)
	}
	return reply.Text
}

func TestAnswers(t *testing.T) {
	t.Parallel()
	m, err := scripted.New([]byte(script))
	if err != nil {
		t.Fatal(err)
	}
	structured := llm.Request{Format: &llm.Format{Name: "x"}}
	for _, tt := range []struct {
		r          llm.Request
		text, want string
	}{
		{llm.Request{}, "Hello, you", "Hello!\nHow are you?"},
		{llm.Request{}, "GOOD  morning!", "Hello!\nHow are you?"},
		{llm.Request{}, fence.Text("ein neuer Kunde, bitte"), "Here."},
		{llm.Request{}, "othello", "What?"},
		{llm.Request{}, "", "What?"},
		{structured, "neuer kunde", `{"assistant_text":"Here.","directives":[{"type":"ui.show_form","payload":{"name":"customer"}}]}`},
		{structured, "x", `{"assistant_text":"What?","directives":[]}`},
	} {
		if got := ask(t, m, tt.r, tt.text); got != tt.want {
			t.Errorf("%q: %s, want %s", tt.text, got, tt.want)
		}
	}
	var pieces []string
	if got := ask(t, m, llm.Request{Stream: true, OnText: func(s string) { pieces = append(pieces, s) }}, "hello"); strings.Join(pieces, "") != got || len(pieces) < 2 {
		t.Errorf("pieces %q", pieces)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := m.Ask(ctx, llm.Request{Messages: []llm.Message{{Role: llm.RoleUser}}}); ui.CodeOf(err) != llm.CodeCanceled {
		t.Errorf("canceled: %v", err)
	}
}

func TestNewNamesTheLine(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"say: x":                           "line 1",
		"on: a\nsay: x\nfoo":               "line 3",
		"on: a | \nsay: x":                 "line 1",
		"on: a\ndo: ui.x {":                "line 2",
		"on: a\ndo: ui.x []":               "line 2",
		"otherwise:\nsay: a\n\notherwise:": "line 4",
		"on: a":                            "",
	} {
		_, err := scripted.New([]byte(in))
		if e, _ := err.(*ui.Error); e == nil || e.Code != llm.CodeConfigInvalid || e.Path != want {
			t.Errorf("%q: %v, want %s", in, err, want)
		}
	}
}

func FuzzNew(f *testing.F) {
	f.Add([]byte(script))
	f.Fuzz(func(t *testing.T, in []byte) {
		if m, err := scripted.New(in); err == nil {
			ask(t, m, llm.Request{}, "hello")
		}
	})
}

func ExampleNew() {
	m, _ := scripted.New([]byte("on: hello | hi\nsay: Hello! What would you like to record?"))
	reply, _ := m.Ask(context.Background(), llm.Request{Messages: []llm.Message{{Role: llm.RoleUser, Text: "Hello!"}}})
	fmt.Println(reply.Text)
	// Output: Hello! What would you like to record?
}
