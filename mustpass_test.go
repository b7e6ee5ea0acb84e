package limn_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/limn-ui/limn"
	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/a2ui/client"
	"github.com/limn-ui/limn/compile"
	"github.com/limn-ui/limn/examples/desk"
	"github.com/limn-ui/limn/internal/limntest"
	"github.com/limn-ui/limn/internal/llmtest"
	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/llm/openai"
	"github.com/limn-ui/limn/ui"
)

// TestMustPass holds the eight edge cases that every A2UI compiler has to get
// right, each where a user would meet it.
func TestMustPass(t *testing.T) {
	t.Parallel()
	t.Run("1 nothing is shown before beginRendering", func(t *testing.T) {
		c := client.New(a2ui.V08, client.Strict)
		feed(t, c, `{"surfaceUpdate":{"surfaceId":"s","components":[{"id":"a","component":{"Text":{"text":{"literalString":"Hi"}}}}]}}`)
		if view, _ := c.Surface("s"); strings.Contains(c.Dump("s"), `"Hi"`) || view.Root.Text != "" {
			t.Errorf("shown early:\n%s", c.Dump("s"))
		}
		feed(t, c, `{"beginRendering":{"surfaceId":"s","root":"a"}}`)
		if !strings.Contains(c.Dump("s"), `"Hi"`) {
			t.Errorf("not shown:\n%s", c.Dump("s"))
		}
	})
	t.Run("2 a missing root is refused", func(t *testing.T) {
		refused(t, "A2UI_S2C_BEGIN_MISSING_ROOT", `{"id":"a","component":"Text","text":"Hi"}`)
	})
	t.Run("3 a circle is refused", func(t *testing.T) {
		refused(t, "A2UI_S2C_COMPONENT_CYCLE",
			`{"id":"root","component":"Card","child":"a"},{"id":"a","component":"Card","child":"root"}`)
		refused(t, "A2UI_S2C_COMPONENT_CYCLE", `{"id":"root","component":"Card","child":"root"}`)
	})
	t.Run("4 deleting twice is fine", func(t *testing.T) {
		for _, d := range []a2ui.Dialect{a2ui.V08, a2ui.V09, a2ui.V10} {
			c := client.New(d, client.Strict)
			gone := []a2ui.Message{&a2ui.DeleteSurface{SurfaceID: "s"}, &a2ui.DeleteSurface{SurfaceID: "s"}}
			for _, m := range gone {
				if err := c.Apply(m); err != nil {
					t.Errorf("%s: %v", d, err)
				}
			}
			if p := a2ui.Validate(a2ui.Rules{Dialect: d, Profile: a2ui.Safe}, gone); len(p) > 0 {
				t.Errorf("%s: %v", d, &p[0])
			}
		}
	})
	t.Run("5 no path with a literal", pathAndLiteral)
	t.Run("6 a stale action is refused", staleAction)
	t.Run("7 an oversized context is refused", oversizedContext)
	t.Run("8 structured output forbids parallel tool calls", noParallelCalls)
}

func feed(t *testing.T, c *client.Client, line string) {
	t.Helper()
	if err := c.Feed([]byte(line)); err != nil {
		t.Fatal(err)
	}
}

// refused validates a v0.9 surface of these components.
func refused(t *testing.T, want a2ui.Code, components string) {
	t.Helper()
	_, batch, err := a2ui.DecodeMessages(fmt.Appendf(nil, `[{"version":"v0.9","createSurface":{"surfaceId":"s","catalogId":%q}},
		{"version":"v0.9","updateComponents":{"surfaceId":"s","components":[%s]}}]`, a2ui.CatalogID(a2ui.V09), components))
	if err != nil {
		t.Fatal(err)
	}
	problems := a2ui.Validate(a2ui.Rules{Dialect: a2ui.V09}, batch)
	if !slices.ContainsFunc(problems, func(p a2ui.Problem) bool { return p.Code == want }) {
		t.Errorf("%s: problems %v, want %s", components, problems, want)
	}
}

// pathAndLiteral draws a form with drafts for v0.8, where the shorthand exists:
// no value of it has both, and the validator would not let one through.
func pathAndLiteral(t *testing.T) {
	a := limntest.Must(desk.App())
	form, _ := a.Form("customer")
	st, _, err := ui.Apply(ui.NewState("c"), &ui.Frame{V: 1, Seq: 1,
		Ops: ui.Ops{a.OpenForm(form, ui.Map(ui.Pair{Key: "company", Value: ui.String("Globex")})).Op("00")}},
		ui.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	batches, err := compile.Snapshot(compile.Target{Dialect: a2ui.V08, Rules: &compile.Rules{Allowed: a.Allowed}}, st)
	if err != nil {
		t.Fatal(err)
	}
	bound := 0
	for _, m := range batches.Messages() {
		line, err := a2ui.AppendMessage(nil, a2ui.V08, m)
		if err != nil {
			t.Fatal(err)
		}
		var v any
		if err := json.Unmarshal(line, &v); err != nil {
			t.Fatal(err)
		}
		everyObject(v, func(o map[string]any) {
			if _, ok := o["path"]; !ok {
				return
			}
			bound++
			for k := range o {
				if strings.HasPrefix(k, "literal") {
					t.Errorf("a value with a path and a literal: %v", o)
				}
			}
		})
	}
	if bound == 0 {
		t.Error("no value of the form has a path")
	}
	_, m, err := a2ui.DecodeMessage(
		[]byte(`{"surfaceUpdate":{"surfaceId":"s","components":[{"id":"r","component":{"Text":{"text":{"path":"/a","literalString":"x"}}}}]}}`))
	if err != nil {
		t.Fatal(err)
	}
	problems := a2ui.Validate(a2ui.Rules{Dialect: a2ui.V08, Profile: a2ui.Safe, Partial: true}, []a2ui.Message{m})
	if !slices.ContainsFunc(problems, func(p a2ui.Problem) bool { return p.Code == "A2UI_S2C_COMPONENT_PATH_LITERAL" }) {
		t.Errorf("problems %v", problems)
	}
}

func everyObject(v any, fn func(map[string]any)) {
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			everyObject(item, fn)
		}
	case map[string]any:
		fn(v)
		for _, item := range v {
			everyObject(item, fn)
		}
	}
}

// openedForm starts a server, opens the customer form and returns the click on
// its submit button as a v0.9 client makes it.
func openedForm(t *testing.T) (*limntest.Client, *a2ui.Action) {
	t.Helper()
	v := limntest.Serve(t, limntest.Must(limn.New(limn.Config{App: limntest.Must(desk.App())}))).Create()
	v.Say("add a customer")
	c := client.New(a2ui.V09, client.LikeWebCore)
	for line := range strings.Lines(v.Do("GET", "/v1/-/a2ui?version=v0.9", "").Text) {
		feed(t, c, line)
	}
	const surface = "form:customer#e=1"
	if err := c.Type(surface, "c#main/fields/company:TextField", "Globex"); err != nil {
		t.Fatal(err)
	}
	act, err := c.Click(surface, "c#main/buttons/submit:Button")
	if err != nil {
		t.Fatal(err)
	}
	act.Timestamp = "2026-11-20T09:00:00Z"
	return v, &act
}

// act posts a client message and returns the status and the body.
func act(v *limntest.Client, m a2ui.ClientMessage) (int, string) {
	v.Helper()
	line, err := a2ui.AppendClient(nil, a2ui.V09, m)
	if err != nil {
		v.Fatal(err)
	}
	a := v.Do("POST", "/v1/-/events", string(line), "Prefer", "wait=10")
	return a.StatusCode, a.Text
}

// staleAction submits a form, and its first edition again when the second one
// is open.
func staleAction(t *testing.T) {
	v, click := openedForm(t)
	if status, body := act(v, click); status != 200 {
		t.Fatalf("the first submit: %d %.300s", status, body)
	}
	v.Say("add a customer")
	for i, m := range click.Context.Members { // another content: the same one is a retry
		if m.Key == "company" {
			click.Context.Members[i].Value = a2ui.TextData("Initech")
		}
	}
	if status, body := act(v, click); status != 409 || !strings.Contains(body, "A2UI_C2S_SURFACE_STALE") {
		t.Errorf("a click on the old form: %d %.300s", status, body)
	}
}

// oversizedContext sends contexts that are too large, too deep or too wide.
func oversizedContext(t *testing.T) {
	v, click := openedForm(t)
	good := click.Context
	for name, text := range map[string]string{
		"large": `"` + strings.Repeat("x", 1<<20) + `"`,
		"deep":  strings.Repeat(`[`, 60) + strings.Repeat(`]`, 60),
		"wide":  `[` + strings.Repeat(`0,`, 60_000) + `0]`,
	} {
		value, err := a2ui.ParseData([]byte(text))
		if err != nil { // above the limits of a2ui itself: sent as a text of that size
			value = a2ui.TextData(text)
		}
		click.Context.Members = append(slices.Clone(good.Members), a2ui.Member{Key: "more", Value: value})
		if status, body := act(v, click); status != 413 || !strings.Contains(body, "TOO_LARGE") {
			t.Errorf("%s: %d %.300s", name, status, body)
		}
	}
	click.Context = good
	if status, body := act(v, click); status != 200 {
		t.Errorf("the good one afterwards: %d %.300s", status, body)
	}
}

// noParallelCalls looks at what leaves for a model when an answer must have a
// form: the key is there, and false, and nobody can turn it on.
func noParallelCalls(t *testing.T) {
	s := llmtest.New(t, llmtest.Step{Text: "{}"}, llmtest.Step{Text: "{}"})
	generic := llm.Generic()
	m, err := openai.New(openai.Config{URL: s.URL, Model: "fake", Capabilities: &generic})
	if err != nil {
		t.Fatal(err)
	}
	r := llm.Request{Messages: []llm.Message{{Role: llm.RoleUser, Text: "hello"}},
		Format: &llm.Format{Name: "answer", Schema: []byte(
			`{"type":"object","properties":{},"required":[],"additionalProperties":false}`)}}
	if _, err := m.Ask(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	sent, ok := s.Requests()[0].Body.Get("parallel_tool_calls")
	if !ok || sent.Kind != a2ui.DataBool || sent.Bool {
		t.Errorf("sent %s", s.Requests()[0].Raw)
	}
	yes := true
	r.ParallelTools = &yes
	var refused *ui.Error
	if _, err := m.Ask(t.Context(), r); !errors.As(err, &refused) || refused.Code != "LLM_STRUCTURED_OUTPUTS_PARALLEL_TOOL_CALLS_FORBIDDEN" {
		t.Errorf("parallel calls with a form: %v", err)
	}
}
