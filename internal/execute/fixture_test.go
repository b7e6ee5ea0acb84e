package execute

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/directive"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/ui"
)

var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

func newApp(t testing.TB) *app.App {
	t.Helper()
	never := func(context.Context, app.Call) (app.Result, error) { panic("execute called a handler") }
	a, err := app.New(app.Config{Name: "desk",
		Limits: ui.Limits{Rows: 10},
		Forms: []app.Form{
			{Name: "customer", Title: "Customer", OnSubmit: "save", Fields: []ui.Field{{Name: "name", Label: "Name", Type: ui.TypeText, Required: true}, {Name: "age", Type: ui.TypeNumber, Max: "120"},
				{Name: "sizes", Type: ui.TypeChoices, Options: []ui.Option{{Value: "s"}, {Value: "m"}}}}},
			{Name: "note", Title: "Note", Done: "Noted.", Fields: []ui.Field{{Name: "body", Type: ui.TypeLongText}}},
			{Name: "reply", Title: "Reply", OnSubmit: "thanks", Fields: []ui.Field{{Name: "body", Type: ui.TypeText}}},
			{Name: "ask", Title: "Ask", OnSubmit: "think", Fields: []ui.Field{{Name: "body", Type: ui.TypeText}}},
			{Name: "first", Title: "First", OnSubmit: "next", Fields: []ui.Field{{Name: "body", Type: ui.TypeText}}},
			{Name: "scans", Title: "Scans", Fields: []ui.Field{{Name: "scan", Type: ui.TypeUpload, Accept: []string{"image/*", "application/pdf"}}}},
		},
		Tables: []app.Table{{Name: "risks", Title: "Risks", Nouns: []string{"risks"}, MinRows: 1, Columns: []ui.Field{{Name: "title", Label: "Title", Type: ui.TypeText, Required: true}, {Name: "count", Type: ui.TypeNumber}}}},
		Maps:   []app.Map{{Name: "process", Title: "Process"}},
		Views: []app.View{{Name: "home", Title: "Home", Nodes: ui.Nodes{&ui.Text{Key: "t", Text: "Hello"}}}, {Name: "count", Title: "Count", Build: func(s *ui.State) ui.Nodes {
			return ui.Nodes{&ui.Text{Key: "t", Text: fmt.Sprint(len(s.Committed.Pairs()))}}
		}}},
		Actions: []app.Action{{Name: "save", Handler: never}, {Name: "thanks", Reply: "Thank you."}, {Name: "think", Run: "directives"}, {Name: "next", Show: "note"},
			{Name: "both", Reply: "Here.", Show: "risks"}, {Name: "home", Show: "count"}, {Name: "call", Handler: never}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// env counts nonces, so that each is told from the others.
func env(t testing.TB) Env {
	n := 0
	return Env{App: newApp(t), Now: noon, Nonce: func() string { n++; return fmt.Sprintf("nonce%d", n) }}
}

func payload(t testing.TB, s string) jsonx.Value {
	t.Helper()
	v, err := jsonx.Parse([]byte(s), jsonx.Limits{})
	if err != nil {
		t.Fatalf("%s: %v", s, err)
	}
	return v
}

func direct(t testing.TB, typ, body string) []directive.Directive {
	return []directive.Directive{{Type: typ, Payload: payload(t, body), Index: 3}}
}

// run carries out one directive and returns the state after it.
func run(t testing.TB, e Env, s *ui.State, typ, body string) (*ui.State, ui.Ops, []*ui.Error) {
	t.Helper()
	ops, warnings := Run(e, s, direct(t, typ, body))
	return apply(t, e, s, ops...), ops, warnings
}

func apply(t testing.TB, e Env, s *ui.State, ops ...ui.Op) *ui.State {
	t.Helper()
	next, _, err := ui.Apply(s, &ui.Frame{Seq: s.Seq + 1, At: noon, Ops: ops}, e.limits())
	if err != nil {
		t.Fatal(err)
	}
	return next
}

func get(s *ui.State, n ui.Name, p ui.Path) string {
	v, _ := s.Surface(n).Get(p)
	return string(v.AppendJSON(nil))
}

func codes(list []*ui.Error) string {
	s := ""
	for _, e := range list {
		s += string(e.Code) + " " + e.Path + ";"
	}
	return s
}

func names(ops ui.Ops) string {
	s := ""
	for _, op := range ops {
		s += fmt.Sprintf("%T ", op)[4:]
	}
	return s
}
