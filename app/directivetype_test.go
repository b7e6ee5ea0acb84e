package app_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/ui"
)

const withTypes = `
name: crm
actions:
  - {name: assign, webhook: {url: "https://crm.example/assign", secret: s}}
directive_types:
  - name: crm.assign
    description: Give the case to somebody.
    schema:
      type: object
      properties: {who: {type: string}, days: {type: integer}, to: {type: object, properties: {team: {type: string}}}}
      required: [who]
    example: {who: Ann}
    action: assign
  - {name: crm.close, description: Close the case., webhook: {url: "https://crm.example/close", secret: s}}
  - {name: crm.note, description: Keep a note., handler: note}
`

func noOps(app.DirectiveCall) (ui.Ops, error) { return nil, nil }

func typesInGo() app.Config {
	return app.Config{Name: "crm",
		Actions: []app.Action{{Name: "assign", Webhook: &app.Webhook{URL: "https://crm.example/assign", Secret: "s"}}},
		DirectiveTypes: []app.DirectiveType{
			{Name: "crm.assign", Description: "Give the case to somebody.", Action: "assign", Example: `{"who":"Ann"}`,
				Schema: `{"type":"object","properties":{"who":{"type":"string"},"days":{"type":"integer"},"to":{"type":"object","properties":{"team":{"type":"string"}}}},"required":["who"]}`},
			{Name: "crm.close", Description: "Close the case.", Webhook: &app.Webhook{URL: "https://crm.example/close", Secret: "s"}},
			{Name: "crm.note", Description: "Keep a note.", Build: noOps},
		}}
}

// TestDirectiveTypesInYAML: the file and Go declare the same, and the model reads it.
func TestDirectiveTypesInYAML(t *testing.T) {
	t.Parallel()
	read, err := app.Load("f.yaml", []byte(withTypes), app.HandleDirective("note", noOps))
	if err != nil {
		t.Fatal(err)
	}
	written, err := app.New(typesInGo())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(written.Config(), read.Config(), cmpopts.IgnoreFields(app.DirectiveType{}, "Build")); diff != "" {
		t.Errorf("(-Go +YAML)\n%s", diff)
	}
	if again, err := app.New(read.Config()); err != nil || len(again.Config().Actions) != 2 {
		t.Errorf("declared again: %v", err)
	}
	for _, want := range []string{"crm.assign: Give the case to somebody.\n- payload, by this JSON Schema: {",
		"\n- for example: {\"who\":\"Ann\"}\n", "crm.close", "crm.note"} {
		if prompt := read.Registry().Prompt(); !strings.Contains(prompt, want) {
			t.Errorf("the prompt lacks %q:\n%s", want, prompt)
		}
	}
}

// TestDirectiveTypeStrict: the schema of structured outputs is closed at every level,
// and takes null for what is not required; the reader takes that as left out.
func TestDirectiveTypeStrict(t *testing.T) {
	t.Parallel()
	a, err := app.New(typesInGo())
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(string(a.Registry().Schema())))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("x:y", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("x:y")
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		payload, want string
		fits          bool
	}{
		{`{"who":"Ann","days":null,"to":{"team":null}}`, `{"who":"Ann","to":{}}`, true},
		{`{"who":"Ann","days":2,"to":null}`, `{"who":"Ann","days":2}`, true},
		{`{"who":"Ann"}`, `{"who":"Ann"}`, false},
		{`{"who":null,"days":1,"to":null}`, "", false},
		{`{"who":"Ann","days":"soon","to":null}`, "", false},
		{`{"who":"Ann","days":1,"to":null,"dry_run":true}`, `{"who":"Ann","days":1}`, false},
	} {
		answer := `{"assistant_text":"x","directives":[{"type":"crm.assign","payload":` + row.payload + `}]}`
		v, err := jsonschema.UnmarshalJSON(strings.NewReader(answer))
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Validate(v); (err == nil) != row.fits {
			t.Errorf("%s: fits %v, want %v", row.payload, err, row.fits)
		}
		env, err := a.Registry().Read(answer)
		got := ""
		if len(env.Directives) == 1 {
			got = strings.TrimSuffix(strings.SplitAfterN(string(env.JSON()), `"payload":`, 2)[1], `}]}`)
		}
		if got != row.want {
			t.Errorf("%s reads as %s (%v), want %s", row.payload, got, err, row.want)
		}
		if undeclared := env.Undeclared() != nil; undeclared != strings.Contains(row.payload, "dry_run") {
			t.Errorf("%s: undeclared key %v", row.payload, undeclared)
		}
	}
}

func TestDirectiveTypeFaults(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, types, want string }{
		{"below ui", `{name: ui.x, description: d, action: a}`, `APP_INVALID at f.yaml:4: name of a directive type "ui.x"`},
		{"a name of the preset", `{name: u.iclose, description: d, action: a}`, `APP_INVALID at f.yaml:4: a directive type has the name of another`},
		{"no dot", `{name: toast, description: d, action: a}`, `APP_INVALID at f.yaml:4: name of a directive type "toast"`},
		{"no name", `{name: "", description: d, action: a}`, `APP_INVALID at f.yaml:4: name of a directive type ""`},
		{"twice", "{name: c.x, description: d, action: a}\n  - {name: c.x, description: d, action: a}", `APP_DUPLICATE at f.yaml:5: two directive types`},
		{"two ways", `{name: c.x, description: d, action: a, webhook: {url: "https://x.example"}}`, `APP_INVALID at f.yaml:4: directive type "c.x" needs exactly one of`},
		{"no way", `{name: c.x, description: d}`, `APP_INVALID at f.yaml:4: directive type "c.x" needs exactly one of`},
		{"no description", `{name: c.x, action: a}`, `APP_INVALID at f.yaml:4: directive type "c.x" needs a description`},
		{"no such action", `{name: c.x, description: d, action: b}`, `APP_DANGLING at f.yaml:4: no action is named "b"`},
		{"a model asks a model", `{name: c.x, description: d, action: m}`, `APP_INVALID at f.yaml:4: action "m" asks a model`},
		{"no schema of an object", `{name: c.x, description: d, action: a, schema: {type: string}}`, `APP_INVALID at f.yaml:4: schema of directive type "c.x"`},
		{"example", `{name: c.x, description: d, action: a, example: {y: 1}}`, `APP_INVALID at f.yaml:4: the example of "c.x" does not fit its schema`},
		{"handler", `{name: c.x, description: d, handler: h}`, `APP_DANGLING at f.yaml:4: no handler is bound under the name "h"`},
		{"webhook", `{name: c.x, description: d, webhook: {url: "ftp://x"}}`, `APP_INVALID at f.yaml:4: "ftp://x"`},
		{"webhook, secret", `{name: c.x, description: d, webhook: {url: "https://x", secret: whsec_not-base64}}`, `APP_INVALID at f.yaml:4: a secret`},
		{"name of an action", `{name: c.taken, description: d, webhook: {url: "https://x"}}`, `APP_DUPLICATE at f.yaml:4: two actions`},
		{"function of a client", `{name: c.x, description: d, action: f}`, `APP_INVALID at f.yaml:4: action "f" calls a function`},
	} {
		file := "name: x\nactions: [{name: a, reply: x}, {name: m, run: chat}, {name: c.taken, reply: x}, {name: f, call: {function: g, then: a}}]\ndirective_types:\n  - " + c.types + "\n"
		_, err := app.Load("f.yaml", []byte(file))
		var e *ui.Error
		if !errors.As(err, &e) || !strings.HasPrefix(byLine(e), c.want) {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
}
