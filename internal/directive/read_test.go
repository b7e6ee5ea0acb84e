package directive_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limn-ui/limn/internal/directive"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/ui"
)

func preset(t testing.TB) *directive.Registry {
	t.Helper()
	r, err := directive.Preset(directive.PresetConfig{
		Forms: []string{"customer", "order"}, Tables: []string{"risks"}, Maps: []string{"onboarding"}, Views: []string{"overview"},
		Aliases: map[string]string{"present_form": "ui.show_form"},
	})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// show writes what a test compares: text | directives | error code | warnings.
func show(env directive.Envelope, err error) string {
	var b strings.Builder
	b.WriteString(env.Text)
	for _, d := range env.Directives {
		one := directive.Envelope{Directives: []directive.Directive{d}}
		s := strings.TrimPrefix(string(one.JSON()), `{"assistant_text":"","directives":[{"type":"`)
		s = strings.Replace(strings.TrimSuffix(s, "}]}"), `","payload":`, " ", 1)
		b.WriteString("\n" + s)
	}
	for _, w := range env.Warnings {
		b.WriteString("\n! " + string(w.Code))
		if w.Path != "" {
			b.WriteString(" " + w.Path)
		}
	}
	if err != nil {
		b.WriteString("\nERR " + string(ui.CodeOf(err)))
	}
	return b.String()
}

const form = `{"assistant_text":"Here.","directives":[{"type":"ui.show_form","payload":{"name":"customer"}}]}`
const formRead = "Here.\nui.show_form {\"name\":\"customer\"}"

func TestRead(t *testing.T) {
	t.Parallel()
	reg := preset(t)
	tests := []struct{ name, in, want string }{
		{"plain envelope", form, formRead},
		{"BOM and space", "\uFEFF \n" + form + "\n", formRead},
		{"fence", "```json\n" + form + "\n```", formRead},
		{"fence without language", "```\n" + form + "\n```", formRead},
		{"prose around", "Sure, {name}!\n" + form + "\nAnything else?", "Sure, {name}!\n\nAnything else?\nERR DIRECTIVE_UNSURE"},
		{"brackets and quotes in strings", `{"assistant_text":"a } ] \" { b","directives":[]}`, "a } ] \" { b"},
		{"prose and fence", "Sure:\n```json\n" + form + "\n```\nDone.", "Sure:\n\nDone.\nERR DIRECTIVE_UNSURE"},
		{"a preamble", "Ja, hoor:\n" + form, "\nERR DIRECTIVE_UNSURE"},
		{"fence of another name", "```example\n" + form + "\n```", "\nERR DIRECTIVE_UNSURE"},
		{"half a fence", "```json\n" + form, formRead},
		{"a key nobody declared", strings.Replace(form, "{", `{"dry_run":true,`, 1), formRead + "\n! DIRECTIVE_KEY_DROPPED"},
		{"a key beside a payload", strings.Replace(form, `"type"`, `"note":"not yet","type"`, 1), formRead + "\n! DIRECTIVE_KEY_DROPPED /directives/0"},
		{"a comment", strings.Replace(form, "{", "{ /* an example */ ", 1), "\nERR DIRECTIVE_JSON_INVALID"},
		{"thoughts first", "<think>maybe {\"assistant_text\":\"no\"}</think>\n" + form, formRead},
		{"prose becomes the text", "I opened it.\n```json\n{\"directives\":[{\"type\":\"ui.toast\",\"payload\":{\"text\":\"x\"}}]}\n```",
			"I opened it.\nERR DIRECTIVE_UNSURE"},
		{"trailing commas", `{"assistant_text":"Hi",  "directives":[ ] , }`, "Hi\n! DIRECTIVE_COERCED"},
		{"raw line break in a string", "{\"assistant_text\":\"a\nb\",\"directives\":[]}", "a\nb\n! DIRECTIVE_COERCED"},
		{"single quotes", `{'assistant_text':'Hi','directives':[]}`, "Hi\n! DIRECTIVE_COERCED"},
		{"duplicate keys", `{"assistant_text":"a","assistant_text":"b","directives":[]}`, "\nERR DIRECTIVE_JSON_INVALID"},
		{"cut short", form[:len(form)-2], "Here.\nERR DIRECTIVE_JSON_INVALID"},
		{"cut short behind prose", "Here you go: " + form[:60], "\nERR DIRECTIVE_UNSURE"},
		{"cut short in the text", form[:20], "\nERR DIRECTIVE_JSON_INVALID"},
		{"nothing", " \n", "\nERR DIRECTIVE_EMPTY"},
		{"empty envelope", `{"assistant_text":"","directives":[]}`, "\nERR DIRECTIVE_EMPTY"},
		{"empty object", `{}`, "\nERR DIRECTIVE_EMPTY"},
		{"other JSON", `{"foo":1}`, "\nERR DIRECTIVE_JSON_INVALID"},
		{"bare text", "Hello there.", "Hello there.\n! DIRECTIVE_NONE"},
		{"text about JSON", "Use this: {\"a\": 1} and it works.", "Use this: {\"a\": 1} and it works.\nERR DIRECTIVE_UNSURE"},
		{"a JSON string of text", `"Hello"`, "Hello\n! DIRECTIVE_NONE"},
		{"a JSON string of an envelope", `"{\"assistant_text\":\"Hi\"}"`, "Hi\nERR DIRECTIVE_UNSURE"},
		{"only text", `{"assistant_text":"Hi"}`, "Hi"},
		{"text under another name", `{"response":"Hi"}`, "\nERR DIRECTIVE_JSON_INVALID"},
		{"payload as a JSON string", `{"assistant_text":"","directives":[{"type":"ui.toast","payload":"{\"text\":\"x\"}"}]}`,
			"\nui.toast {\"text\":\"x\"}\n! DIRECTIVE_COERCED /directives/0/payload"},
		{"list as a JSON string", `{"assistant_text":"","directives":"[{\"type\":\"ui.toast\",\"payload\":{\"text\":\"x\"}}]"}`,
			"\n! DIRECTIVE_PAYLOAD_INVALID /directives\nERR DIRECTIVE_EMPTY"},
		{"one directive for a list", `{"assistant_text":"","directives":{"type":"ui.toast","payload":{"text":"x"}}}`,
			"\nui.toast {\"text\":\"x\"}\n! DIRECTIVE_COERCED /directives"},
		{"no envelope", `{"type":"ui.toast","payload":{"text":"x"}}`, "\nERR DIRECTIVE_JSON_INVALID"},
		{"a list without envelope", `[{"type":"ui.toast","payload":{"text":"x"}},{"type":"toast","text":"y"}]`,
			"\nERR DIRECTIVE_JSON_INVALID"},
		{"several envelopes", form + "\n" + `{"assistant_text":"Two","directives":[]}`, "\nERR DIRECTIVE_UNSURE"},
		{"the same envelope twice", form + "\n\n" + form, "\nERR DIRECTIVE_UNSURE"},
		{"a broken one first", `{"assistant_text":"a","directives":[{"type":}]}` + "\n" + form, "\nERR DIRECTIVE_JSON_INVALID"},
		{"unknown type is dropped", `{"assistant_text":"Hi","directives":[{"type":"fs.delete","payload":{}},{"type":"ui.toast","payload":{"text":"x"}}]}`,
			"Hi\nui.toast {\"text\":\"x\"}\n! DIRECTIVE_UNKNOWN_TYPE /directives/0/type"},
		{"invalid payload is dropped", `{"assistant_text":"Hi","directives":[{"type":"ui.show_form","payload":{"name":"secret"}}]}`,
			"Hi\n! DIRECTIVE_PAYLOAD_INVALID /directives/0/payload/name"},
		{"missing key", `{"assistant_text":"Hi","directives":[{"type":"ui.show_form","payload":{}}]}`,
			"Hi\n! DIRECTIVE_PAYLOAD_INVALID /directives/0/payload/name"},
		{"nothing left", `{"assistant_text":"","directives":[{"type":"nope"}]}`,
			"\n! DIRECTIVE_UNKNOWN_TYPE /directives/0/type\nERR DIRECTIVE_EMPTY"},
		{"undeclared key", `{"assistant_text":"","directives":[{"type":"ui.toast","payload":{"text":"x","color":"red"}}]}`,
			"\nui.toast {\"text\":\"x\"}\n! DIRECTIVE_KEY_DROPPED /directives/0/payload"},
		{"nulls are absent", `{"assistant_text":"","directives":[{"type":"ui.show_form","payload":{"name":"order","title":null,"values":null}}]}`,
			"\nui.show_form {\"name\":\"order\"}"},
		{"values in strict form", `{"assistant_text":"","directives":[{"type":"ui.show_form","payload":{"name":"order","title":null,"values":[{"field":"qty","value":2},{"field":"item","value":"tea"}]}}]}`,
			"\nui.show_form {\"name\":\"order\",\"values\":{\"item\":\"tea\",\"qty\":2}}"},
		{"spelling of a name", `{"assistant_text":"","directives":[{"type":"ui.show_form","payload":{"name":"form:Customer"}}]}`,
			"\nui.show_form {\"name\":\"customer\"}\n! DIRECTIVE_COERCED /directives/0/payload/name"},
		{"steps as strings", `{"assistant_text":"","directives":[{"type":"ui.show_map","payload":{"name":"onboarding","min_steps":"2","steps":["Ask","Sign"]}}]}`,
			"\nui.show_map {\"name\":\"onboarding\",\"min_steps\":2,\"steps\":[{\"id\":\"r1\",\"name\":\"Ask\"},{\"id\":\"r2\",\"name\":\"Sign\"}]}\n! DIRECTIVE_COERCED /directives/0/payload/min_steps\n! DIRECTIVE_COERCED /directives/0/payload/steps/0\n! DIRECTIVE_COERCED /directives/0/payload/steps/1"},
		{"steps with numbers", `{"assistant_text":"","directives":[{"type":"ui.show_map","payload":{"name":"onboarding","steps":[{"id":"1","name":"Ask"},{"id":"2","name":"Sign"}],"edges":[{"from":"1","to":2,"kind":"sequence"}]}}]}`,
			"\nui.show_map {\"name\":\"onboarding\",\"steps\":[{\"id\":\"r1\",\"name\":\"Ask\"},{\"id\":\"r2\",\"name\":\"Sign\"}],\"edges\":[{\"id\":\"r1\",\"from\":\"r1\",\"kind\":\"sequence\",\"to\":\"r2\"}]}"},
		{"the end of a thought in an answer", `{"assistant_text":"It writes </think> at the end.","directives":[{"type":"ui.toast","payload":{"text":"x"}}]}`,
			"It writes </think> at the end.\nui.toast {\"text\":\"x\"}"},
		{"rows in every form", `{"assistant_text":"","directives":[{"type":"ui.show_table","payload":{"name":"risks","rows":[{"Risk name":"fire","r-1":7},{"id":"r1","cells":{"b":["c"]}},{"id":null,"cells":[{"field":"a","value":true}]}]}}]}`,
			"\nui.show_table {\"name\":\"risks\",\"rows\":[{\"id\":\"r2\",\"Risk name\":\"fire\",\"r-1\":7},{\"id\":\"r1\",\"b\":[\"c\"]},{\"id\":\"r3\",\"a\":true}]}"},
		{"a cell that would pass for an id", `{"assistant_text":"a","directives":[{"type":"ui.show_table","payload":{"name":"risks","rows":[{"cells":{"id":"x"}}]}}]}`,
			"a\n! DIRECTIVE_PAYLOAD_INVALID /directives/0/payload/rows/0/id"},
		{"a surface is a name", `{"assistant_text":"a","directives":[{"type":"ui.close","payload":{"surface":"../x"}}]}`,
			"a\n! DIRECTIVE_PAYLOAD_INVALID /directives/0/payload/surface"},
		{"invalid UTF-8", "caf\xe9", "caf\uFFFD\n! DIRECTIVE_NONE"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, show(reg.Read(tt.in))); diff != "" {
				t.Errorf("Read(%s) (-want +got):\n%s", tt.in, diff)
			}
		})
	}
}

func TestStrictRefusesWhatWouldBeCoerced(t *testing.T) {
	t.Parallel()
	reg := preset(t).With(directive.Options{Strict: true})
	for _, tt := range []struct{ in, want string }{
		{form, formRead},
		{"```json\n" + form + "\n```", formRead},
		{"Hello.", "Hello.\n! DIRECTIVE_NONE"},
		{"Sure! " + form, "Sure!\nERR DIRECTIVE_UNSURE"},
		{`{"assistant_text":"a",}`, "\nERR DIRECTIVE_JSON_INVALID"},
		{`{"assistant_text":"a","directives":[{"type":"show_form","payload":{"name":"customer"}}]}`, "a\n! DIRECTIVE_UNKNOWN_TYPE /directives/0/type"},
		{`{"assistant_text":"a","directives":[{"type":"ui.toast","payload":{"text":7}}]}`, "a\n! DIRECTIVE_PAYLOAD_INVALID /directives/0/payload/text"},
		{`{"assistant_text":"a","directives":[{"type":"ui.toast","payload":{"text":"x","y":1}}]}`, "a\n! DIRECTIVE_PAYLOAD_INVALID /directives/0/payload"},
		{`{"assistant_text":"a","directives":[{"type":"ui.patch","payload":{"surface":"form:customer","ops":[{"path":"name","value":"x"}]}}]}`,
			"a\n! DIRECTIVE_PAYLOAD_INVALID /directives/0/payload/ops/0/op"},
	} {
		if diff := cmp.Diff(tt.want, show(reg.Read(tt.in))); diff != "" {
			t.Errorf("Read(%s) (-want +got):\n%s", tt.in, diff)
		}
	}
}

func TestSizeLimitIsInclusive(t *testing.T) {
	t.Parallel()
	reg := preset(t)
	var words strings.Builder
	for i := 0; words.Len() < 64<<10; i++ {
		fmt.Fprintf(&words, "word %d ", i)
	}
	at := words.String()[:64<<10-1] + "."
	env, err := reg.Read(at)
	if err != nil || len(env.Text) > 32<<10 || len(env.Text) < 32<<10-1 ||
		env.Warnings[1].Code != directive.CodeTextClipped {
		t.Errorf("at the limit: %d bytes of text, %v, %v", len(env.Text), env.Warnings, err)
	}
	if _, err := reg.Read(at + "a"); ui.CodeOf(err) != directive.CodeTooLarge {
		t.Errorf("above the limit: %v", err)
	}
	many := `{"assistant_text":"","directives":[` +
		strings.TrimSuffix(strings.Repeat(`{"type":"ui.toast","payload":{"text":"x"}},`, 17), ",") + `]}`
	env, err = reg.Read(many)
	if err != nil || len(env.Directives) != 16 || env.Warnings[0].Code != directive.CodeTooMany {
		t.Errorf("17 directives: %d kept, %v, %v", len(env.Directives), env.Warnings, err)
	}
}

func TestCanonicalNames(t *testing.T) {
	t.Parallel()
	reg := preset(t)
	for in, want := range map[string]string{
		"ui.show_form": "ui.show_form", "ui_show_form": "ui.show_form", "show-form": "ui.show_form", "UI.ShowForm": "ui.show_form",
		"show_form": "ui.show_form", "showForm": "ui.show_form", "open_form": "ui.show_form", "present-form": "ui.show_form",
		"close": "ui.close", "ui/toast": "ui.toast", "request_data_table": "ui.show_table",
		"": "", "ui": "", "form": "", "ui.show_form;drop": "", "ui.show_fоrm": "", "show_form2": "", strings.Repeat("a", 100): "",
	} {
		if got, ok := reg.Canonical(in); got != want || ok != (want != "") {
			t.Errorf("Canonical(%q) = %q, %v; want %q", in, got, ok, want)
		}
	}
}

func TestNewRefusesBrokenDeclarations(t *testing.T) {
	t.Parallel()
	for name, defs := range map[string][]directive.Def{
		"no type":     {{}},
		"twice":       {{Type: "a.b"}, {Type: "a_b"}},
		"alias taken": {{Type: "a.b"}, {Type: "a.c", Aliases: []string{"A.B"}}},
	} {
		if _, err := directive.New(defs...); ui.CodeOf(err) != directive.CodeDefInvalid {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := directive.Preset(directive.PresetConfig{Allow: []string{"ui.show_form"}}); ui.CodeOf(err) != directive.CodeDefInvalid {
		t.Errorf("allowing a type without names: %v", err)
	}
	r, err := directive.Preset(directive.PresetConfig{Forms: []string{"a"}, Allow: []string{"toast"}})
	if err != nil || !cmp.Equal(r.Types(), []string{"ui.toast"}) {
		t.Errorf("Allow: %v, %v", r.Types(), err)
	}
}

// The examples that the prompt shows a model pass the strict reading.
func TestPresetExamplesAreValid(t *testing.T) {
	t.Parallel()
	reg := office(t).With(directive.Options{Strict: true})
	for _, d := range directive.PresetDefs(directive.PresetConfig{Forms: []string{"order"}, Tables: []string{"risks"},
		Maps: []string{"approval"}, Views: []string{"overview"}}) {
		if d.Example == "" {
			continue
		}
		v, err := jsonx.Parse([]byte(d.Example), jsonx.Limits{})
		if err != nil {
			t.Fatalf("%s: %v", d.Type, err)
		}
		if _, _, err := reg.Check(directive.Directive{Type: d.Type, Payload: v}); err != nil {
			t.Errorf("%s: %v", d.Type, err)
		}
	}
}
