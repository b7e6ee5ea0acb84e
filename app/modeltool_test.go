package app_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/ui"
)

const withTools = `
name: shop
forms: [{name: customer, fields: [{name: company}]}]
actions:
  - {name: hours, reply: Nine to five., after: customer}
  - {name: check, run: tools}
model_tools:
  - name: find
    description: Finds.
    schema:
      type: object
      properties: {id: {type: string, minLength: 1}, n: {type: integer, maximum: 1e3}, in: {enum: [true, a, null, [1]]}}
      required: [id]
    handler: find_it
    idempotent: true
    read_only: true
    repeat: true
  - {name: buy, description: Buys., webhook: {url: "https://shop.example/buy", secret: s}, after: customer}
  - {mcp: {server: crm, tool: Customer.Find}, until: [customer]}
messages:
  - {phrases: [opening hours, "wann"], action: hours}
  - {phrases: order, run: hybrid}
  - {phrases: [order status], run: chat}
  - {run: directives}
`

func toolsInGo() app.Config {
	return app.Config{Name: "shop",
		Forms:   []app.Form{{Name: "customer", Fields: []ui.Field{{Name: "company", Type: ui.TypeText}}}},
		Actions: []app.Action{{Name: "hours", Reply: "Nine to five.", After: []string{"customer"}}, {Name: "check", Run: app.RunTools}},
		ModelTools: []app.ModelTool{
			{Name: "find", Description: "Finds.", Func: noTool, Idempotent: true, ReadOnly: true, Repeat: true,
				Schema: `{"type":"object","properties":{"id":{"type":"string","minLength":1},"n":{"type":"integer","maximum":1e3},"in":{"enum":[true,"a",null,[1]]}},"required":["id"]}`},
			{Name: "buy", Description: "Buys.", Webhook: &app.Webhook{URL: "https://shop.example/buy", Secret: "s"}, After: []string{"customer"}},
			{MCP: &app.MCPTool{Server: "crm", Tool: "Customer.Find"}, Until: []string{"customer"}},
		},
		Messages: []app.MessageRoute{{Phrases: []string{"opening hours", "wann"}, Action: "hours"},
			{Phrases: []string{"order"}, Run: app.RunHybrid}, {Phrases: []string{"order status"}, Run: app.RunChat}, {Run: app.RunDirectives}}}
}

func noTool(context.Context, app.ToolCall) (string, error) { return "", nil }

func TestModelTools(t *testing.T) {
	t.Parallel()
	loaded, err := app.Load("shop.yaml", []byte(withTools), app.HandleTool("find_it", noTool))
	if err != nil {
		t.Fatal(err)
	}
	written, err := app.New(toolsInGo())
	if err != nil {
		t.Fatal(err)
	}
	funcs := cmp.Comparer(func(a, b app.ToolFunc) bool { return (a == nil) == (b == nil) })
	if diff := cmp.Diff(written.Config(), loaded.Config(), same, funcs); diff != "" {
		t.Errorf("(-go +yaml):\n%s", diff)
	}
	bare := toolsInGo()
	bare.ModelTools, bare.Messages, bare.Actions = nil, nil, nil
	if b, err := app.New(bare); err != nil || b.Fingerprint() != loaded.Fingerprint() {
		t.Errorf("what draws nothing changes the fingerprint (%v)", err)
	}
	named := func(s *ui.State) (out []string) {
		for _, x := range loaded.ModelTools(s) {
			out = append(out, x.Name)
		}
		return out
	}
	before, after := ui.NewState("c"), ui.NewState("c")
	after.Committed = ui.Map(ui.Pair{Key: "customer", Value: ui.Map()})
	if diff := cmp.Diff([][]string{{"find", "crm_customer_find"}, {"find", "buy"}},
		[][]string{named(before), named(after)}); diff != "" {
		t.Errorf("for now (-want +got):\n%s", diff)
	}
	if f := loaded.Arguments("find").Check([]byte(`{"id":""}`)); f == nil || f.Path != "/id" {
		t.Errorf("%+v", f)
	}
	if f := loaded.Arguments("buy").Check([]byte(`{"x":1}`)); f == nil {
		t.Error("no schema is no arguments")
	}
	if loaded.Arguments("crm_customer_find") != nil {
		t.Error("a schema for what only a server knows")
	}
	for message, want := range map[string][2]string{
		"What are your opening HOURS?": {"directives", "action hours"},
		"Wann?":                        {"directives", "action hours"},
		"my order, please":             {"hybrid", "hybrid"},
		"Order: status?":               {"chat", "chat"},
		"my order status":              {"hybrid", "hybrid"},
		"border":                       {"directives", "directives"},
		"":                             {"directives", "directives"},
	} {
		for i, s := range []*ui.State{before, after} {
			r, ok := loaded.RouteFor(s, message)
			got := r.Run
			if r.Action != "" {
				got = "action " + r.Action
			}
			if !ok || got != want[i] {
				t.Errorf("%q: %q, want %q", message, got, want[i])
			}
		}
	}
}

func TestModelToolFaults(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ what, with, want, hint string }{
		{"description: Finds.", "", "APP_INVALID at shop.yaml:8: model tool \"find\" needs a description", ""},
		{"minLength: 1", "minLength: -1", "APP_INVALID at shop.yaml:12: schema of tool \"find\": ", ""},
		{"type: string", "type: text", "APP_INVALID at shop.yaml:12: schema of tool \"find\": ", ""},
		{"      type: object\n", "", "APP_INVALID at shop.yaml:11: schema of tool \"find\": arguments are an object", "begin the schema with"},
		{"      type: object\n", "      type: array\n", "APP_INVALID at shop.yaml:11: schema of tool", ""},
		{"maximum: 1e3", "maximum: 0x10", "APP_YAML at shop.yaml:12: model_tools[0].schema/properties/n/maximum is a number: want a decimal number", ""},
		{"find_it", "find_id", "APP_DANGLING at shop.yaml:14: no handler is bound under the name \"find_id\"", "did you mean `find_it`?"},
		{"name: buy", "name: find", "APP_DUPLICATE at shop.yaml:18: two model tools are named \"find\"", ""},
		{"name: buy", "name: Buy", "APP_INVALID at shop.yaml:18: name of a model tool", ""},
		{"secret: s", "secret: s, later: true", "APP_INVALID at shop.yaml:18: a model waits", ""},
		{"secret: s", "secret: whsec_a", "APP_INVALID at shop.yaml:18: a secret that begins with whsec_ goes on in base64", ""},
		{"reply: Nine to five.", "call: {function: f, then: check}", "APP_DANGLING", ""},
		{"https://shop", "ftp://shop", "APP_INVALID at shop.yaml:18: \"ftp://shop", ""},
		{"after: customer}\n  - {mcp", "after: custmer}\n  - {mcp", "APP_DANGLING at shop.yaml:18: no form, table or map is named \"custmer\"", "did you mean `customer`?"},
		{"mcp: {server: crm, tool: Customer.Find}", "name: crm", "APP_INVALID at shop.yaml:19: model tool \"crm\" needs exactly one of", ""},
		{"server: crm", "server: C R M", "APP_INVALID at shop.yaml:19: name of an MCP server", ""},
		{"tool: Customer.Find", "tool: ''", "APP_INVALID at shop.yaml:19: the name of a tool", ""},
		{"run: hybrid", "run: hybird", "APP_INVALID at shop.yaml:22: run \"hybird\": want directives, chat, tools or hybrid", "did you mean `hybrid`?"},
		{"run: tools", "run: tool", "APP_INVALID at shop.yaml:6: run \"tool\"", "did you mean `tools`?"},
		{"action: hours", "action: hour", "APP_DANGLING at shop.yaml:21: no action is named \"hour\"", "did you mean `hours`?"},
		{"run: hybrid", "run: hybrid, action: hours", "APP_INVALID at shop.yaml:22: a message route needs exactly one", ""},
		{"phrases: order, ", "", "APP_INVALID at shop.yaml:22: a route without phrases takes every message", "make it the last one"},
		{"phrases: order", "phrases: Wann", "APP_DUPLICATE at shop.yaml:22: phrase \"Wann\" belongs to message route 1 already", ""},
		{"phrases: order", "phrases: '?'", "APP_INVALID at shop.yaml:22: a phrase has", ""},
		{"idempotent: true", "idempotnt: true", "APP_YAML at shop.yaml:15: model_tools[0]: unknown key \"idempotnt\"", "did you mean `idempotent`?"},
	} {
		file := strings.Replace(withTools, tt.what, tt.with, 1)
		_, err := app.Load("shop.yaml", []byte(file), app.HandleTool("find_it", noTool))
		var e *ui.Error
		if all, ok := err.(interface{ Unwrap() []error }); ok {
			err = all.Unwrap()[0]
		}
		if !errors.As(err, &e) || !strings.HasPrefix(byLine(e), tt.want) || !strings.Contains(e.Hint, tt.hint) {
			t.Errorf("%s → %s:\n%v (%s)\nwant %s (%s)", tt.what, tt.with, err, hintOf(e), tt.want, tt.hint)
		}
	}
	none := strings.Replace(withTools, "model_tools:", "x:", 1)
	none = none[:strings.Index(none, "x:")] + "messages: [{run: tools}]\n"
	if _, err := app.Load("f.yaml", []byte(none)); err == nil ||
		!strings.Contains(byLine(err), "the app has no model_tools") {
		t.Errorf("%v", err)
	}
	if _, err := app.Load("f.yaml", []byte("name: x\n"), app.HandleTool("lost", noTool)); ui.CodeOf(err) != app.CodeDangling {
		t.Errorf("%v", err)
	}
}

func hintOf(e *ui.Error) string {
	if e == nil {
		return ""
	}
	return e.Hint
}
