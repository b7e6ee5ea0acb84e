package app_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/ui"
)

func nothing(context.Context, app.Call) (app.Result, error) { return app.Result{}, nil }

const everything = `
name: desk
title: The desk
instructions: Be brief.
suggestions: [add a customer]
directives: [ui.show_form, ui.show_table, show_view]
aliases: {ask: ui.show_form}
forms:
  - name: customer
    help: Who is it?
    phrases: [new client]
    submit: Save
    done: Done.
    on_submit: check
    fields:
      - {name: company, label: Company, required: true, min: 2, max: 80, placeholder: Acme}
      - name: segment
        type: choice
        options: [a, {value: b, label: Bee}]
        default: b
      - {name: size, type: number, min: 0, max: 1e3, step: 0.5, default: 2.50}
      - {name: sure, type: slider, min: 0, max: 10}
      - {name: since, type: date, min: 1990-01-01, default: 2026-11-20}
      - {name: tags, type: tags, default: [x, y], clear: true}
      - {name: ok, type: boolean, default: true}
      - {name: file, type: upload, accept: [application/json], help: JSON only}
      - {name: code, type: text, pattern: "^[A-Z]+$"}
tables:
  - name: risks
    title: Risks
    nouns: [risk, risks]
    min_rows: 2
    on_submit: later
    columns: [{name: risk, type: text, required: true}]
maps:
  - {name: process, title: Process, help: Steps., on_submit: later}
views:
  - name: overview
    nodes:
      - heading: Hello
      - heading: {text: Small, level: 4}
      - text: {path: /committed/customer/company, small: true}
      - stat: {label: Size, value: 3, note: about}
      - progress: {label: Half, percent: 50}
      - notice: Careful
      - notice: {tone: warning, text: More care}
      - diagram: {label: Kept, steps: /committed/process/steps, edges: /committed/process/edges}
      - diagram:
          label: Leave
          steps: [Ask, {id: agree, name: Agree, owner: Lead, outcome: Leave}, Go]
          edges: [{from: 1, to: agree, kind: approval}, {from: agree, to: 3, conditional: true}]
      - diagram: {steps: [One, Two]}
      - chart: {label: Sales, unit: €, labels: [May, 6], values: [1.5, null]}
      - chart: {kind: line, labels: [a], series: [{name: North, values: [1]}, {name: South, values: [2e3]}]}
      - image: {url: "https://example.org/a.png", alt: A}
      - icon: check
      - divider
      - row: [{text: one}, {text: two}]
      - card:
          key: box
          children: [{text: three}]
      - section: {title: Part, children: [divider, divider: {}]}
      - tabs:
          - {title: First, children: [{text: four}]}
          - {key: other, title: Second, children: []}
      - button: {action: check, primary: true, context: [{key: id, value: 7}, {key: company, path: /committed/customer/company}]}
      - button: later
actions:
  - {name: check, label: Check, handler: check_it, context: [{key: id, type: number}, {key: company}], idempotent: true, repeat: true}
  - {name: later, reply: Later.}
  - {name: more, run: directives}
  - {name: out, webhook: {url: "https://example.org/hook", secret: "whsec_${HOOK}", later: true}}
guardrails:
  - {id: g1, pattern: no tables, action: suppress_tool, tool: request_data_table}
tools: {max_iterations: {request_data_table: 3, request_process_map: 0}, preferred_ui: request_process_map}
limits: {rows: 500, nodes: 200}
a2ui_limits: {components: 4000, message_bytes: 900000}
strict: true
words: {submit.done: Kept.}
`

func rows(list ...ui.Record) ui.Value {
	order := ""
	for i := range list {
		order = ui.OrderBetween(order, "")
		list[i].Order = order
	}
	return ui.Rows(list...)
}

func row(id string, cells ...string) ui.Record {
	r := ui.Record{ID: id, Cells: ui.Map()}
	for i := 0; i < len(cells); i += 2 {
		r.Cells, _ = r.Cells.With(ui.String(cells[i+1]), cells[i])
	}
	return r
}

func withIf(r ui.Record) ui.Record {
	r.Cells, _ = r.Cells.With(ui.Bool(true), "conditional")
	return r
}

// inGo is everything, written in Go.
func inGo() app.Config {
	number := func(s string) ui.Value { v, _ := ui.Number(s); return v }
	company := ui.Path("/committed/customer/company")
	return app.Config{
		Name: "desk", Title: "The desk", Instructions: "Be brief.", Suggestions: []string{"add a customer"},
		Directives: []string{"ui.show_form", "ui.show_table", "show_view"}, Aliases: map[string]string{"ask": "ui.show_form"},
		Forms: []app.Form{{Name: "customer", Help: "Who is it?", Phrases: []string{"new client"}, Submit: "Save", Done: "Done.", OnSubmit: "check",
			Fields: []ui.Field{
				{Name: "company", Label: "Company", Type: ui.TypeText, Required: true, Min: "2", Max: "80", Placeholder: "Acme"},
				{Name: "segment", Type: ui.TypeChoice, Options: []ui.Option{{Value: "a"}, {Value: "b", Label: "Bee"}}, Default: ui.String("b")},
				{Name: "size", Type: ui.TypeNumber, Min: "0", Max: "1e3", Step: "0.5", Default: number("2.50")},
				{Name: "sure", Type: ui.TypeSlider, Min: "0", Max: "10"},
				{Name: "since", Type: ui.TypeDate, Min: "1990-01-01", Default: ui.String("2026-11-20")},
				{Name: "tags", Type: ui.TypeTags, Default: ui.Strings("x", "y"), Clear: true},
				{Name: "ok", Type: ui.TypeBoolean, Default: ui.Bool(true)},
				{Name: "file", Type: ui.TypeUpload, Accept: []string{"application/json"}, Help: "JSON only"},
				{Name: "code", Type: ui.TypeText, Pattern: "^[A-Z]+$"},
			}}},
		Tables: []app.Table{{Name: "risks", Title: "Risks", Nouns: []string{"risk", "risks"}, MinRows: 2, OnSubmit: "later",
			Columns: []ui.Field{{Name: "risk", Type: ui.TypeText, Required: true}}}},
		Maps: []app.Map{{Name: "process", Title: "Process", Help: "Steps.", OnSubmit: "later"}},
		Views: []app.View{{Name: "overview", Nodes: ui.Nodes{&ui.Column{Key: "main", Children: ui.Nodes{
			&ui.Heading{Key: "heading", Level: 2, Text: "Hello"},
			&ui.Heading{Key: "heading2", Level: 4, Text: "Small"},
			&ui.Text{Key: "text", Path: company, Small: true},
			&ui.Stat{Key: "stat", Label: "Size", Value: "3", Note: "about"},
			&ui.Progress{Key: "progress", Label: "Half", Percent: 50},
			&ui.Notice{Key: "notice", Tone: ui.ToneInfo, Text: "Careful"},
			&ui.Notice{Key: "notice2", Tone: ui.ToneWarning, Text: "More care"},
			&ui.Diagram{Key: "diagram", Label: "Kept", Steps: "/committed/process/steps", Edges: "/committed/process/edges"},
			&ui.Diagram{Key: "diagram2", Label: "Leave", Data: ui.Map(
				ui.Pair{Key: "steps", Value: rows(row("s1", "name", "Ask"), row("agree", "name", "Agree", "owner", "Lead", "outcome", "Leave"), row("s3", "name", "Go"))},
				ui.Pair{Key: "edges", Value: rows(row("e1", "kind", "approval", "from", "s1", "to", "agree"), withIf(row("e2", "from", "agree", "to", "s3")))})},
			&ui.Diagram{Key: "diagram3", Data: ui.Map(ui.Pair{Key: "steps", Value: rows(row("s1", "name", "One"), row("s2", "name", "Two"))})},
			&ui.Chart{Key: "chart", Kind: ui.ChartBar, Label: "Sales", Unit: "€", Labels: []string{"May", "6"}, Series: []ui.Series{{Values: []float64{1.5, math.NaN()}}}},
			&ui.Chart{Key: "chart2", Kind: ui.ChartLine, Labels: []string{"a"}, Series: []ui.Series{{Name: "North", Values: []float64{1}}, {Name: "South", Values: []float64{2000}}}},
			&ui.Image{Key: "image", URL: "https://example.org/a.png", Alt: "A"},
			&ui.Icon{Key: "icon", Name: "check"},
			&ui.Divider{Key: "divider"},
			&ui.Row{Key: "row", Children: ui.Nodes{&ui.Text{Key: "text", Text: "one"}, &ui.Text{Key: "text2", Text: "two"}}},
			&ui.Card{Key: "box", Children: ui.Nodes{&ui.Text{Key: "text", Text: "three"}}},
			&ui.Section{Key: "section", Title: "Part", Children: ui.Nodes{&ui.Divider{Key: "divider"}, &ui.Divider{Key: "divider2"}}},
			&ui.Tabs{Key: "tabs", Tabs: []ui.Tab{
				{Key: "tab", Title: "First", Children: ui.Nodes{&ui.Text{Key: "text", Text: "four"}}},
				{Key: "other", Title: "Second"}}},
			&ui.Button{Key: "button", Label: "Check", Primary: true, Action: ui.Action{Name: "check", Repeat: true,
				Context: []ui.Context{{Key: "id", Value: ui.Int(7)}, {Key: "company", Path: company}}}},
			&ui.Button{Key: "button2", Label: "later", Action: ui.Action{Name: "later"}},
		}}}}},
		Actions: []app.Action{
			{Name: "check", Label: "Check", Handler: nothing, Context: []app.ContextKey{{Key: "id", Type: ui.TypeNumber}, {Key: "company", Type: ui.TypeText}}, Idempotent: true, Repeat: true},
			{Name: "later", Reply: "Later."},
			{Name: "more", Run: "directives"},
			{Name: "out", Webhook: &app.Webhook{URL: "https://example.org/hook", Secret: "whsec_c2VjcmV0", Later: true}}},
		Guardrails: []ui.Guardrail{{ID: "g1", Pattern: "no tables", Action: "suppress_tool", Tool: ui.ToolTable, Enabled: true}},
		Tools:      app.Tools{MaxIterations: map[string]int{ui.ToolTable: 3, ui.ToolMap: 0}, Preferred: ui.ToolMap},
		Limits:     ui.Limits{Rows: 500, Nodes: 200},
		A2UILimits: a2ui.Limits{Components: 4000, MessageBytes: 900_000}, Strict: true,
		Words: ui.Words{"submit.done": "Kept."},
	}
}

func hook(name string) (string, bool) { return "c2VjcmV0", name == "HOOK" }

// same compares declarations; functions count as equal when both are set.
var same = cmp.Options{
	cmp.Comparer(func(a, b app.Handler) bool { return (a == nil) == (b == nil) }),
	cmp.Comparer(func(a, b func(*ui.State) ui.Nodes) bool { return (a == nil) == (b == nil) }),
	cmpopts.EquateEmpty(), cmpopts.EquateNaNs(),
}

func TestLoadIsTheSameAsGo(t *testing.T) {
	t.Parallel()
	loaded, err := app.Load("desk.yaml", []byte(everything), app.Handle("check_it", nothing), app.Env(hook))
	if err != nil {
		t.Fatal(err)
	}
	written, err := app.New(inGo())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(written.Config(), loaded.Config(), same); diff != "" {
		t.Errorf("declaration (-go +yaml):\n%s", diff)
	}
	if written.Fingerprint() != loaded.Fingerprint() {
		t.Error("the fingerprints differ")
	}
	if diff := cmp.Diff(written.Registry().Types(), loaded.Registry().Types()); diff != "" {
		t.Errorf("types (-go +yaml):\n%s", diff)
	}
}

// TestLoadFaults: each file has one fault; want is the error and its hint.
func TestLoadFaults(t *testing.T) {
	t.Parallel()
	const start = "name: x\nforms:\n  - name: f\n    fields:\n"
	const field = start + "      - {name: a, type: text}\n"
	for _, tt := range []struct{ name, file, want, hint string }{
		{"empty", "", "APP_YAML at f.yaml:1: the file is empty", ""},
		{"comment only", "# nothing\n", "APP_YAML at f.yaml:1: the file is empty", ""},
		{"no YAML", "name: [\n", "APP_YAML at f.yaml:", ""},
		{"indentation", "name: x\nforms:\n  - name: a\n    title: A\n   fields: []\n", "APP_YAML at f.yaml:5: did not find", ""},
		{"a list", "- name: x\n", "APP_YAML at f.yaml:1: the file is a list: want a mapping", ""},
		{"two documents", "name: x\n---\nname: y\n", "APP_YAML at f.yaml:2: a second document", ""},
		{"no name", "title: x\n", "APP_INVALID at f.yaml:1: app name \"\"", ""},
		{"unknown key", "name: x\nform: []\n", `APP_YAML at f.yaml:2: unknown key "form"`, "did you mean `forms`? possible: name, title,"},
		{"unknown key of a field", start + "      - name: a\n        requierd: true\n", `APP_YAML at f.yaml:6: forms[0].fields[0]: unknown key "requierd"`, "did you mean `required`?"},
		{"duplicate key", "name: x\ntitle: a\ntitle: b\n", `APP_YAML at f.yaml:3: key "title" stands twice, first in line 2`, ""},
		{"duplicate word", "name: x\nwords:\n  submit.done: a\n  submit.done: b\n", `APP_YAML at f.yaml:4: words: key "submit.done" stands twice`, ""},
		{"merge key", "name: x\nlimits:\n  <<: {rows: 1}\n", "APP_YAML at f.yaml:3: limits: a key is a plain text", "merge keys are not read"},
		{"key that is no text", "name: x\n1: y\n", "APP_YAML at f.yaml:2: a key is a plain text", ""},
		{"text", "name: x\ntitle: true\n", "APP_YAML at f.yaml:2: title is true or false: want a text", "put it in quotes"},
		{"text as list", "name: x\ntitle: [a]\n", "APP_YAML at f.yaml:2: title is a list: want a text", ""},
		{"list", "name: x\nforms: {name: f}\n", "APP_YAML at f.yaml:2: forms is a mapping: want a list", ""},
		{"flag", start + "      - name: a\n        required: yes\n", "APP_YAML at f.yaml:6: forms[0].fields[0].required is a text: want true or false", ""},
		{"count with a line", "name: x\nlimits: {rows: 1_0}\n", "APP_YAML at f.yaml:2: limits.rows is a number: want a whole number such as 10", ""},
		{"default with a sign", start + "      - {name: a, type: number, default: +5}\n", "APP_YAML at f.yaml:5: forms[0].fields[0].default is a number: want a decimal number such as 10", ""},
		{"count", "name: x\nlimits: {rows: many}\n", "APP_YAML at f.yaml:2: limits.rows is a text: want a whole number", ""},
		{"count too large", "name: x\nlimits: {rows: 99999999999999999999}\n", "APP_YAML at f.yaml:2: limits.rows is a number: want a whole number", ""},
		{"default number", start + "      - {name: a, type: number, default: 0x10}\n", "APP_YAML at f.yaml:5: forms[0].fields[0].default is a number: want a decimal number", ""},
		{"tag", "name: !secret x\n", "APP_YAML at f.yaml:1: name is a value of type !secret", ""},
		{"negative limit", "name: x\nlimits:\n  rows: -1\n", "APP_INVALID at f.yaml:3: a limit cannot be negative", ""},
		{"field type", start + "      - name: a\n        type: nubmer\n", `APP_INVALID at f.yaml:6: unknown field type "nubmer"`, "did you mean `number`?"},
		{"field name", start + "      - name: A\n", `APP_INVALID at f.yaml:5: field name "A"`, ""},
		{"reserved field name", start + "      - name: limn_rev\n", `APP_INVALID at f.yaml:5: field name "limn_rev"`, ""},
		{"no field name", start + "      - label: A\n", `APP_INVALID at f.yaml:5: field name ""`, ""},
		{"two fields", field + "      - {name: a, type: text}\n", `APP_DUPLICATE at f.yaml:6: two fields are named "a"`, ""},
		{"no fields", "name: x\nforms:\n  - name: f\n", `APP_INVALID at f.yaml:3: form "f" has no fields`, ""},
		{"choice without options", start + "      - name: a\n        type: choice\n", "APP_INVALID at f.yaml:5: field \"a\"", ""},
		{"option twice", start + "      - name: a\n        type: choice\n        options:\n          - x\n          - x\n", "APP_INVALID at f.yaml:8: field \"a\"", ""},
		{"pattern", start + "      - name: a\n        pattern: '('\n", "APP_INVALID at f.yaml:6: field \"a\"", ""},
		{"slider", start + "      - name: a\n        type: slider\n        min: 3\n        max: 3\n", `APP_INVALID at f.yaml:8: field "a": UI_NODE_INVALID at max: max 3 is not above min 3`, ""},
		{"infinite bound", start + "      - name: a\n        type: number\n        max: inf\n", `APP_INVALID at f.yaml:7: field "a": UI_NODE_INVALID at max: max "inf" cannot be read for type number`, ""},
		{"step", start + "      - name: a\n        type: number\n        step: 0\n", `APP_INVALID at f.yaml:7: field "a": UI_NODE_INVALID at step: a step is above 0`, ""},
		{"accept", start + "      - name: a\n        accept: [text/plain]\n", "APP_INVALID at f.yaml:6: accept belongs to upload", ""},
		{"default", start + "      - name: a\n        max: 2\n        default: long\n", "APP_INVALID at f.yaml:7: field \"a\"", ""},
		{"column type", "name: x\ntables:\n  - name: t\n    columns:\n      - name: a\n        type: upload\n", "APP_INVALID at f.yaml:6: a table column cannot be of type upload", ""},
		{"min_rows", "name: x\ntables:\n  - name: t\n    min_rows: -1\n    columns: [{name: a}]\n", "APP_INVALID at f.yaml:4: min_rows -1", ""},
		{"two nouns", "name: x\ntables:\n  - {name: t, nouns: [a], columns: [{name: a}]}\n  - {name: u, nouns: [A], columns: [{name: a}]}\n", `APP_DUPLICATE at f.yaml:4: noun "A" belongs to table t already`, ""},
		{"empty phrase", field + "    phrases: ['?!']\n", "APP_INVALID at f.yaml:6: a phrase has 1 to 12 words", ""},
		{"two phrases", field + "    phrases: [new client, New  client!]\n", `APP_DUPLICATE at f.yaml:6: phrase "New  client!" belongs to form f already`, ""},
		{"form and table", field + "tables:\n  - {name: f, columns: [{name: a}]}\n", `APP_DUPLICATE at f.yaml:7: two of the forms, tables and maps are named "f"`, "the first one is forms[0].name"},
		{"long name", "name: x\nviews:\n  - name: " + strings.Repeat("v", 60) + "\n    nodes: [divider]\n", "APP_INVALID at f.yaml:3: view name", ""},
		{"dangling on_submit", field + "    on_submit: chekc\nactions: [{name: check, reply: x}]\n", `APP_DANGLING at f.yaml:6: no action is named "chekc"`, "did you mean `check`? possible: check"},
		{"dangling map", "name: x\nmaps:\n  - name: m\n    on_submit: y\n", `APP_DANGLING at f.yaml:4: no action is named "y"`, ""},
		{"dangling show", "name: x\nforms: [{name: f, fields: [{name: a}]}]\nactions: [{name: b, show: g}]\n", `APP_DANGLING at f.yaml:3: no form, table, map or view is named "g"`, ""},
		{"show of two", "name: x\nforms: [{name: f, fields: [{name: a}]}]\nviews: [{name: f, nodes: [{text: x}]}]\nactions: [{name: b, show: f}]\n", `APP_DUPLICATE at f.yaml:4: a view has the name "f", and something else`, ""},
		{"action name", "name: x\nactions:\n  - {name: limn.submit, reply: x}\n", `APP_INVALID at f.yaml:3: action name "limn.submit"`, ""},
		{"two actions", "name: x\nactions:\n  - {name: a, reply: x}\n  - {name: a, reply: y}\n", `APP_DUPLICATE at f.yaml:4: two actions are named "a"`, ""},
		{"two answers", "name: x\nactions:\n  - {name: a, reply: x, run: directives}\n", `APP_INVALID at f.yaml:3: action "a" needs exactly one of`, ""},
		{"run", "name: x\nactions:\n  - name: a\n    run: all\n", `APP_INVALID at f.yaml:4: run "all": want directives`, ""},
		{"webhook", "name: x\nactions:\n  - name: a\n    webhook:\n      url: ftp://x\n", `APP_INVALID at f.yaml:5: "ftp://x" is no http or https address`, ""},
		{"secret that is no base64", "name: x\nactions:\n  - name: a\n    webhook:\n      url: https://x\n      secret: whsec_not/base64!\n", "APP_INVALID at f.yaml:6: a secret that begins with whsec_", ""},
		{"secret without a key", "name: x\nactions:\n  - name: a\n    webhook:\n      url: https://x\n      secret: whsec_\n", "APP_INVALID at f.yaml:6: a secret that begins with whsec_", ""},
		{"submit of a call", "name: x\nforms:\n  - name: f\n    on_submit: c\n    fields: [{name: a}]\nactions: [{name: r, reply: R}, {name: c, call: {function: g, then: r}}]\n", `APP_INVALID at f.yaml:4: action "c" calls a function of the client`, ""},
		{"empty word", "name: x\nwords:\n  chat.thanks: ''\n", "APP_INVALID at f.yaml:3: the text is empty", ""},
		{"empty word of a language", "name: x\nlanguages: [en, de]\nwords:\n  de:\n    chat.thanks: ' '\n", "APP_INVALID at f.yaml:5: the text is empty", ""},
		{"secret", "name: x\nactions:\n  - name: a\n    webhook:\n      url: https://x\n      secret: ${NOPE}\n", "APP_DANGLING at f.yaml:6: the environment has no variable NOPE", ""},
		{"context type", "name: x\nactions:\n  - name: a\n    reply: x\n    context:\n      - {key: k, type: int}\n", `APP_INVALID at f.yaml:6: unknown field type "int"`, ""},
		{"context key", "name: x\nactions:\n  - name: a\n    reply: x\n    context: [{key: limn_rev, type: text}]\n", `APP_INVALID at f.yaml:5: context key "limn_rev"`, ""},
		{"handler", "name: x\nactions:\n  - name: a\n    handler: chek_it\n", `APP_DANGLING at f.yaml:4: no handler is bound under the name "chek_it"`, "did you mean `check_it`?"},
		{"directive", field + "directives: [ui.show_from]\n", `APP_DANGLING at f.yaml:6: "ui.show_from" is no directive type`, "did you mean `ui.show_form`?"},
		{"directive without use", field + "directives: [ui.show_map]\n", `APP_DANGLING at f.yaml:6: "ui.show_map" is no directive type this app has something for`, ""},
		{"alias", field + "aliases:\n  ask: ui.ask\n", `APP_DANGLING at f.yaml:7: "ui.ask" is no directive type`, ""},
		{"alias taken", field + "aliases:\n  notify: ui.show_form\n", "APP_INVALID at f.yaml:7: an alias is taken already", ""},
		{"guardrail", "name: x\nguardrails:\n  - {id: g, pattern: '(', action: force_tool, tool: request_data_table}\n", "APP_INVALID at f.yaml:3: not a regular expression", ""},
		{"guardrail tool", "name: x\nguardrails:\n  - {id: g, pattern: x, action: force_tool, tool: table}\n", `APP_INVALID at f.yaml:3: want request_data_table or request_process_map`, ""},
		{"word", "name: x\nwords:\n  submit.dome: Saved\n", `APP_DANGLING at f.yaml:3: Limn has no text under the key "submit.dome"`, "did you mean `submit.done`?"},
		{"suggestion", "name: x\nsuggestions: [' ']\n", "APP_INVALID at f.yaml:2: a suggestion has 1 to 200 bytes", ""},
		{"no nodes", "name: x\nviews:\n  - {name: v}\n", `APP_INVALID at f.yaml:3: view "v" needs either nodes or a Build function`, ""},
		{"node", view("hedding: x"), `APP_YAML at f.yaml:5: views[0].nodes[0]: unknown node "hedding"`, "did you mean `heading`?"},
		{"node of two kinds", view("text: x\n        heading: y"), `APP_YAML at f.yaml:6: views[0].nodes[0]: a node has one kind; "heading" is a second one`, ""},
		{"node member", view("stat: {lable: x}"), `APP_YAML at f.yaml:5: views[0].nodes[0].stat: unknown key "lable"`, "did you mean `label`?"},
		{"node key", view("row:\n          - text: {key: A b}"), "APP_INVALID at f.yaml:6: nodes of view v", ""},
		{"two keys", view("text: {key: a}\n      - text: {key: a}"), "APP_INVALID at f.yaml:", ""},
		{"node path", view("text: {path: name}"), "APP_INVALID at f.yaml:5: nodes of view v", ""},
		{"heading level", view("heading: {text: x, level: 6}"), "APP_INVALID at f.yaml:5: heading level 6", ""},
		{"percent", view("progress: {label: x, percent: 101}"), "APP_INVALID at f.yaml:5: percent 101", ""},
		{"step of nothing", view("diagram: {steps: [Ask], edges: [{from: 1, to: Agree}]}"), `APP_DANGLING at f.yaml:5: to: no step is "Agree"`, "name a step"},
		{"step twice", view("diagram: {steps: [{id: a, name: Ask}, {id: a, name: Tell}]}"), `APP_INVALID at f.yaml:5: step id "a" is no key, or stands twice`, ""},
		{"edge", view("diagram: {steps: [Ask], edges: [{from: 1, to: 1, kind: aproval}]}"), `APP_INVALID at f.yaml:5: unknown kind of edge "aproval"`, "did you mean `approval`?"},
		{"diagram without steps", view("diagram: {label: x}"), "APP_INVALID at f.yaml:5: nodes of view v", ""},
		{"chart kind", view("chart: {kind: donut}"), "APP_INVALID at f.yaml:5: nodes of view v", ""},
		{"chart value", view("chart: {labels: [a], values: [x]}"), "APP_YAML at f.yaml:5: views[0].nodes[0].chart.values[0] is a text: want a decimal number", ""},
		{"chart value above all", view("chart: {labels: [a], values: [1e999]}"), "APP_YAML at f.yaml:5: views[0].nodes[0].chart.values[0] is a", ""},
		{"values missing", view("chart: {labels: [a, b], values: [1]}"), "APP_INVALID at f.yaml:5: nodes of view v", ""},
		{"tone", view("notice: {tone: warn, text: x}"), `APP_INVALID at f.yaml:5: unknown tone "warn"`, "did you mean `warning`?"},
		{"image", view("image: {url: 'javascript:x'}"), `APP_INVALID at f.yaml:5: "javascript:x" is no http or https address`, ""},
		{"button", view("row:\n          - button: {label: x, action: nope}"), `APP_DANGLING at f.yaml:6: the button does "nope"`, ""},
		{"catalog of nothing", start + "      - name: a\ncatalogs: {\"form:g\": x}\n", "APP_DANGLING at f.yaml:6: no form is named \"g\"", ""},
		{"catalog of no surface", start + "      - name: a\ncatalogs: {Form: x}\n", "APP_INVALID at f.yaml:6: \"Form\" is no surface", ""},
		{"catalog without id", start + "      - name: a\ncatalogs: {form: ''}\n", "APP_INVALID at f.yaml:6: the id of the catalog is missing", ""},
		{"undeclared context", view("button: {action: go, context: [{key: kind, value: x}]}") + "actions: [{name: go, reply: x, context: [{key: kin}]}]\n", `APP_INVALID at f.yaml:5: the button sends "kind", which the context of action "go" does not declare`, "did you mean `kin`?"},
		{"context of nothing", view("button: {action: limn.cancel, context: [{key: k}]}"), `APP_INVALID at f.yaml:5: context key "k" needs either a value or a path`, ""},
		{"context of both", view("button: {action: limn.cancel, context: [{key: k, value: 1, path: /draft/k}]}"), "APP_INVALID at f.yaml:5: context key", ""},
		{"context of another type", view("button: {action: go, context: [{key: n, value: four}]}") + "actions: [{name: go, reply: x, context: [{key: n, type: number}]}]\n", `APP_INVALID at f.yaml:5: the value of context key "n": n must be a number.`, ""},
		{"catalog of a kind", start + "      - name: a\ncatalogs: {forms: x}\n", `APP_INVALID at f.yaml:6: "forms" is no kind of surface`, "did you mean `form`?"},
		{"opens no address", view("button: {open: 'javascript:alert(1)', label: x}"), `APP_INVALID at f.yaml:5: a button that opens an address needs one of http or https`, ""},
		{"both kinds of action", view("button: {copy: x, action: limn.cancel}"), `APP_INVALID at f.yaml:5: a button does "copy" here, or the action "limn.cancel", not both`, ""},
		{"function without a name", view("button: {call: 'a b'}"), `APP_INVALID at f.yaml:5: "a b" is no name of a function`, ""},
		{"button context", view("button: {action: limn.cancel, context: [{key: k, path: x}]}"), "APP_INVALID at f.yaml:5: context path", ""},
		{"too many nodes", view("row: [divider, divider, divider]") + "limits: {nodes: 4}\n", "APP_INVALID at f.yaml:5: nodes of view v", ""},
		{"form too large", field + "limits: {nodes: 3}\n", "APP_INVALID at f.yaml:3: form:f cannot be opened", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			bind := []app.Option{app.Env(hook)}
			if strings.Contains(tt.file, "handler:") {
				bind = append(bind, app.Handle("check_it", nothing), app.Handle("chek_it_not", nothing))
			}
			_, err := app.Load("f.yaml", []byte(tt.file), bind...)
			if err == nil {
				t.Fatal("no error")
			}
			if !strings.HasPrefix(byLine(err), tt.want) {
				t.Errorf("got  %v\nwant %s", err, tt.want)
			}
			var e *ui.Error
			if !errors.As(err, &e) {
				t.Fatalf("%T is no *ui.Error", err)
			}
			if !strings.HasPrefix(e.Hint, tt.hint) {
				t.Errorf("hint %q, want %q", e.Hint, tt.hint)
			}
		})
	}
}

// byLine is an error without its column. [TestLoadNamesColumns] has those.
func byLine(err error) string {
	return regexp.MustCompile(`(\w+\.yaml:\d+):\d+`).ReplaceAllString(err.Error(), "$1")
}

// TestLoadNamesColumns: each fault is named with its place, all at once.
func TestLoadNamesColumns(t *testing.T) {
	t.Parallel()
	const file = `name: x
forms:
  - name: f
    fields:
      - {name: ä, label: ü, type: emial}
      - {name: b, type: nubmer}
  - {name: g, fields: [{name: a}]}
views:
  - {name: v, nodes: [text: {path: /nowhere}]}
actions:
  - {name: a, run: fly}
records: [{name: g}]
`
	_, err := app.Load("f.yaml", []byte(file))
	var got []string
	for _, one := range err.(interface{ Unwrap() []error }).Unwrap() {
		place, _, _ := strings.Cut(strings.TrimPrefix(one.(*ui.Error).Path, "f.yaml:"), " ")
		got = append(got, place)
	}
	if want := []string{"11:20", "5:16", "6:25", "9:23"}; !slices.Equal(got, want) {
		t.Errorf("%v: %v, want %v", err, got, want)
	}
}

// TestLoadReadsOn: an unknown key hides nothing. It is read as the key that it resembles,
// so what else is wrong is found, and what does not follow from it only.
func TestLoadReadsOn(t *testing.T) {
	t.Parallel()
	const file = `name: x
titel: X
forms:
  - {name: f, fieldz: [{name: a, requird: true, type: txt}]}
  - {name: f, on_submit: nope, fields: [{name: a}]}
views:
  - {name: v, nodes: [{hedding: x}, {button: {action: go}}]}
acitons:
  - {nmae: go, reply: x}
`
	_, err := app.Load("f.yaml", []byte(file))
	var got []string
	for _, one := range err.(interface{ Unwrap() []error }).Unwrap() {
		e := one.(*ui.Error)
		got = append(got, strings.TrimPrefix(e.Path, "f.yaml:")+" "+string(e.Code))
	}
	slices.Sort(got)
	want := []string{"2:1 APP_YAML", "4:15 APP_YAML", "4:34 APP_YAML", "4:55 APP_INVALID", "5:12 APP_DUPLICATE",
		"5:26 APP_DANGLING", "7:23 APP_YAML", "8:1 APP_YAML", "9:6 APP_YAML"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s\n%v", diff, err)
	}
}

func view(node string) string {
	return "name: x\nviews:\n  - name: v\n    nodes:\n      - " + node + "\n"
}

func TestLoadReportsSeveralFaults(t *testing.T) {
	t.Parallel()
	_, err := app.Load("f.yaml", []byte("name: x\ntitel: a\nforms:\n  - nam: f\n    fields: no\n"))
	want := "APP_YAML at f.yaml:2: unknown key \"titel\"\n" +
		"APP_YAML at f.yaml:4: forms[0]: unknown key \"nam\"\n"
	if err == nil || !strings.HasPrefix(byLine(err), want) {
		t.Errorf("got\n%v\nwant\n%s…", err, want)
	}
	if got := ui.CodeOf(err); got != app.CodeYAML {
		t.Errorf("code %q", got)
	}
	var many strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&many, "k%d: x\n", i)
	}
	_, err = app.Load("f.yaml", []byte(many.String()))
	if n := strings.Count(err.Error(), "\n") + 1; n != 20 {
		t.Errorf("%d faults reported, want 20", n)
	}
}

// TestNodeKeys: a key that is made up avoids those that are given, wherever
// they stand.
func TestNodeKeys(t *testing.T) {
	t.Parallel()
	a, err := app.Load("f.yaml", []byte(view(
		"text: a\n      - text: b\n      - stat: {key: text2, label: c}\n      - stat: {key: text, label: d}\n      - text: e")))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, n := range ui.Children(a.Config().Views[0].Nodes[0]) {
		got = append(got, ui.NodeKey(n))
	}
	if diff := cmp.Diff([]string{"text3", "text4", "text2", "text", "text5"}, got); diff != "" {
		t.Errorf("keys (-want +got):\n%s", diff)
	}
}

func TestLoadOptions(t *testing.T) {
	t.Parallel()
	const handled = "name: x\nactions: [{name: a, handler: h}]\n"
	const secret = "name: x\nactions: [{name: a, webhook: {url: 'https://x', secret: '${HOOK}'}}]\n"
	for _, tt := range []struct {
		name, file, want string
		opts             []app.Option
	}{
		{"bound", handled, "", []app.Option{app.Handle("h", nothing)}},
		{"nothing bound", handled, "APP_DANGLING at f.yaml:2: no handler is bound under the name \"h\"", nil},
		{"not named", "name: x\n", "APP_DANGLING at f.yaml:1: handler \"h\" is bound, but no action names it", []app.Option{app.Handle("h", nothing)}},
		{"secret", secret, "", []app.Option{app.Env(hook)}},
		{"no environment", secret, "APP_INVALID at f.yaml:2: the secret names HOOK, but no environment was given", nil},
		{"only secrets", "name: x\ntitle: ${HOOK}\n", "", nil},
	} {
		a, err := app.Load("f.yaml", []byte(tt.file), tt.opts...)
		got := ""
		if err != nil {
			got = byLine(err)
		} else if a == nil {
			t.Fatal("neither app nor error")
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
	a, err := app.Load("f.yaml", []byte(secret), app.Env(hook))
	if err != nil || a.Config().Actions[0].Webhook.Secret != "c2VjcmV0" {
		t.Errorf("the secret was not filled in: %v", err)
	}
	if a, _ := app.Load("f.yaml", []byte("name: x\ntitle: ${HOOK}\n"), app.Env(hook)); a.Config().Title != "${HOOK}" {
		t.Error("something else than a secret was filled in")
	}
}

// TestLoadResolvesAliases: wherever a value is looked at.
func TestLoadResolvesAliases(t *testing.T) {
	t.Parallel()
	a, err := app.Load("f.yaml", []byte(`name: &name shop
languages: [en, de, fr]
words: {de: &de {chat.thanks: Bitte.}, fr: *de}
views: [{name: v, nodes: [divider: {key: *name}]}]
`))
	if err != nil {
		t.Fatal(err)
	}
	if got := a.In("fr").Config().Words["chat.thanks"]; got != "Bitte." {
		t.Errorf("words of an alias: %q", got)
	}
	v, _ := a.View("v")
	if got := v.Nodes[0].(*ui.Column).Children[0].(*ui.Divider).Key; got != "shop" {
		t.Errorf("key of an alias: %q", got)
	}
}

func TestLoadBounds(t *testing.T) {
	t.Parallel()
	var bomb strings.Builder // 10^9 values by ten levels of aliases
	bomb.WriteString("name: x\nsuggestions: &a0 [x, x, x, x, x, x, x, x, x, x]\n")
	bomb.WriteString(
		"views:\n  - name: v\n    nodes:\n      - row: &b0 [divider, divider, divider, divider, divider, divider, divider, divider, divider, divider]\n")
	for i := range 9 {
		fmt.Fprintf(&bomb, "      - row: &b%d [%s]\n", i+1,
			strings.TrimSuffix(strings.Repeat(fmt.Sprintf("row: *b%d, ", i), 10), ", "))
	}
	for _, tt := range []struct{ name, file, want string }{
		{"large", "name: x\n#" + strings.Repeat("x", 1<<20), "APP_YAML at f.yaml: the file is above 1048576 bytes"},
		{"aliases", bomb.String(), "more than 50000 values"},
		{"aliases of a long text", "name: x\ninstructions: &a " + strings.Repeat("x", 50<<10) + "\nmodel_tools: [{name: t, description: d, webhook: {url: 'https://x'}, schema: {enum: [" +
			strings.Repeat("*a, ", 1000) + "]}}]\n", "schemas and examples above 1048576 bytes"},
		{"aliases of a long key", "name: x\ninstructions: &a {" + strings.Repeat("x", 1000) + ": 1}\nmodel_tools: [{name: t, description: d, webhook: {url: 'https://x'}, schema: {enum: [" +
			strings.Repeat("*a, ", 1100) + "]}}]\n", "schemas and examples above 1048576 bytes"},
		{"long paths", "name: x\nmodel_tools: [{name: t, description: d, webhook: {url: 'https://x'}, schema: " + strings.Repeat("{"+strings.Repeat("k", 1000)+": ", 30) +
			"[" + strings.Repeat("1, ", 5000) + "]" + strings.Repeat("}", 30) + "}]\n", "more than 50000 values"},
		{"alias of itself", "name: x\nviews:\n  - name: v\n    nodes: &a\n      - row: *a\n", "nodes nested deeper than 40"},
		{"deep", "name: x\nviews: [{name: v, nodes: [" + strings.Repeat("row: [", 60) + strings.Repeat("]", 60) + "]}]\n", "nodes nested deeper than 40"},
		{"brackets", strings.Repeat("[", 1<<19), "APP_YAML at f.yaml:"},
		{"dashes", strings.Repeat("- ", 1<<19), "APP_YAML at f.yaml:"},
		{"questions", strings.Repeat("? ", 1<<19), "APP_YAML at f.yaml:"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := app.Load("f.yaml", []byte(tt.file))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %.300v, want %s", err, tt.want)
			}
		})
	}
}

func ExampleLoad() {
	a, err := app.Load("shop.yaml", []byte(`
name: shop
forms:
  - name: customer
    title: Customer
    fields:
      - {name: company, label: Company, required: true}
      - {name: email, type: email}
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	form, _ := a.FormFor("Please add a new customer.")
	fmt.Println(form.Title, len(form.Fields))

	_, err = app.Load("shop.yaml", []byte("name: shop\nformz: []\n"))
	var e *ui.Error
	errors.As(err, &e)
	fmt.Println(e.Code, e.Path, e.Message)
	fmt.Println(e.Hint[:len("did you mean `forms`?")])
	// Output:
	// Customer 2
	// APP_YAML shop.yaml:2:1 unknown key "formz"
	// did you mean `forms`?
}

func TestLoadFlowAndRecovery(t *testing.T) {
	t.Parallel()
	const head = "name: a\nforms: [{name: f, fields: [{name: x}]}]\nactions: [{name: go, reply: r, "
	a, err := app.Load("a.yaml", []byte(head+
		"after: f, until: [f]}]\nrecovery:\n  LLM_TIMEOUT: {status: 504, title: Slow., hint: Ask less.}\n  COMPILE_*: {do: reset}\n"))
	if err != nil {
		t.Fatal(err)
	}
	x, _ := a.Action("go")
	if len(x.After) != 1 || len(x.Until) != 1 {
		t.Errorf("%+v", x)
	}
	if diff := cmp.Diff([]app.Code{{Code: "LLM_TIMEOUT", Status: 504, Title: "Slow.", Hint: "Ask less."},
		{Code: "COMPILE_*", Do: "reset"}}, a.Config().Recovery); diff != "" {
		t.Error(diff)
	}
	for in, say := range map[string]string{
		head + "after: g}]": `a.yaml:3: no form, table or map is named "g"`, head + "until: g}]": `a.yaml:3: no form, table or map is named "g"`,
		"name: a\nrecovery: {lower: {}}": `a.yaml:2: "lower" is no code`, "name: a\nrecovery: {A_B: {status: 99}}": "a.yaml:2: 99 is no HTTP status", "name: a\nrecovery: {A_B: {do: nothing}}": `a.yaml:2: "nothing": want soft`,
		"name: a\nrecovery: {A_B: {what: 1}}": "recovery.A_B", "name: a\nrecovery: 1": "recovery",
		"name: a\nrecovery: {A_B: {hint: " + strings.Repeat("x", 501) + "}}": "a.yaml:2: longer than 500 bytes",
	} {
		_, err := app.Load("a.yaml", []byte(in))
		if err == nil || !strings.Contains(byLine(err), say) {
			t.Errorf("%s: %v, want %q", in, err, say)
		}
	}
}
