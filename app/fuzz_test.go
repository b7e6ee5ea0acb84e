package app_test

import (
	"strings"
	"testing"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/llm/scripted"
	"github.com/limn-ui/limn/ui"
)

// FuzzLoad: no file makes Load panic; what it accepts is the same each time
// and can be asked everything; what it refuses has a code.
func FuzzLoad(f *testing.F) {
	for _, seed := range []string{everything,
		strings.Replace(withTools, "handler: find_it", "mcp: {server: a, tool: b}", 1), "name: x\n", "name: x\nforms: [{name: f, fields: [{name: a}]}]\n",
		"name: x\nviews: [{name: v, nodes: [divider, tabs: [{title: t}]]}]\n", "a: &a [*a]\n", "name: x\nwords: {a: &b {}, *b : c}\n",
		"name: x\nmaps: &m\n- {name: m}\ntables: *m\n", "---\n...\n", "name: !!binary eA==\n", "\xff\xfe",
		"name: x\nviews: [{name: v, nodes: [chart: {values: [~]}]}]\n", "name: x\n? [a]\n: b\n", "<<: {name: x}\n"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<14 {
			return
		}
		a, err := app.Load("f.yaml", data, app.Env(hook))
		if err != nil {
			if ui.CodeOf(err) == "" {
				t.Fatalf("no code: %v", err)
			}
			return
		}
		b, err := app.Load("f.yaml", data, app.Env(hook))
		if err != nil || a.Fingerprint() != b.Fingerprint() || string(a.Script()) != string(b.Script()) {
			t.Fatalf("the second time is different: %v", err)
		}
		again, err := app.New(a.Config())
		if err != nil || again.Fingerprint() != a.Fingerprint() {
			t.Fatalf("its Config does not make the same App: %v", err)
		}
		if _, err := scripted.New(a.Script()); err != nil {
			t.Fatalf("its script cannot be read: %v\n%s", err, a.Script())
		}
		a.FormFor(a.Config().Title)
	})
}

// FuzzFormFor: no message panics; what opens a form does so in any case.
func FuzzFormFor(f *testing.F) {
	a := desk(f)
	for _, seed := range []string{"add a customer", "don't add a customer", "\xff new client", "''", "I’m off"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, message string) {
		if got, ok := a.FormFor(message); !ok && got.Name != "" {
			t.Fatal("a form without ok")
		}
	})
}
