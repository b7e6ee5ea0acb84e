package directive_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"pgregory.net/rapid"

	"github.com/limn-ui/limn/internal/directive"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/ui"
)

// checkLaws holds whatever the input: only declared types come out, patches
// stay in their namespaces, and the canonical form reads as itself.
func checkLaws(t interface{ Fatalf(string, ...any) }, reg *directive.Registry, in string) {
	env, err := reg.Read(in)
	if err == nil && env.Text == "" && len(env.Directives) == 0 {
		t.Fatalf("nothing came out of %q, without an error", in)
	}
	for _, d := range env.Directives {
		if c, ok := reg.Canonical(d.Type); !ok || c != d.Type {
			t.Fatalf("type %q came out of %q", d.Type, in)
		}
		if d.Type != directive.TypePatch {
			continue
		}
		ops, _, err := directive.ParseOps(d.Payload.At("ops"), true)
		if err != nil || len(ops) == 0 {
			t.Fatalf("ops of %q: %v", in, err)
		}
		for _, o := range ops {
			if p, w, err := ui.ParsePath(string(o.Path), true); err != nil || w != nil || p != o.Path ||
				o.Path == "/ui_state/rev" ||
				!o.Path.Under(ui.DraftRoot) && !o.Path.Under(ui.UIStateRoot) {
				t.Fatalf("path %q came out of %q", o.Path, in)
			}
		}
	}
	if err != nil {
		return
	}
	for _, r := range []*directive.Registry{reg, reg.With(directive.Options{Size: 1 << 20, Strict: true})} {
		if env.Text != strings.TrimSpace(env.Text) {
			env.Text = strings.TrimSpace(env.Text)
		}
		again, err := r.Read(string(env.JSON()))
		if len(env.Directives) == 0 && env.Text == "" {
			return
		}
		for i := range env.Directives {
			env.Directives[i].Index = i
		}
		if err != nil || len(again.Warnings) > 0 || again.Text != env.Text ||
			!cmp.Equal(again.Directives, env.Directives, cmpopts.EquateEmpty()) {
			t.Fatalf("%q\nreads as %s\nthen as %s\n%v %v", in, env.JSON(), again.JSON(), err, again.Warnings)
		}
	}
}

var parts = []string{`{`, `}`, `[`, `]`, `,`, `:`, `"`, `\`, "```json\n", "\n```", "prose ", `"assistant_text":`,
	`"directives":`, `"type":`, `"payload":`,
	`"ui.toast"`, `"show_form"`, `"ui.patch"`, `"text":"x"`, `"name":"customer"`, `"ops":`, `"op":"set"`, `"op":"add"`, `"path":"/draft/a"`, `"path":"b"`,
	`"value":1`, `"value":null`, `"surface":"form:customer"`, `null`, `7`, `"\u00e9"`, "\n", form,
	`{"type":"ui.patch","payload":{"surface":"form:customer","ops":[{"op":"add","path":"/draft/t/-","value":{"a":"b"}}]}}`,
	`{"type":"ui.show_table","payload":{"name":"risks","rows":[{"a":1},{"id":"x","b":["c"]}]}}`}

func TestReadLaws(t *testing.T) {
	t.Parallel()
	reg := preset(t)
	rapid.Check(t, func(t *rapid.T) {
		checkLaws(t, reg, strings.Join(rapid.SliceOfN(rapid.SampledFrom(parts), 0, 40).Draw(t, "parts"), ""))
	})
}

// anyJSON draws small JSON whose keys and words are those that payloads use.
func anyJSON(depth int) *rapid.Generator[jsonx.Value] {
	return rapid.Custom(func(t *rapid.T) jsonx.Value {
		words := rapid.SampledFrom([]string{"id", "cells", "field", "name", "value", "a", "b-1", "Risk name", "$rows",
			"rows", "steps", "edges", "ops", "op", "path", "set",
			"add", "append", "/draft/a", "draft/t/-", "/ui_state/rev", "surface", "customer", "risks", "onboarding",
			"order", "from", "r1", "r2", "7", "", "é\n"})
		kind := rapid.IntRange(0, 5).Draw(t, "kind")
		if depth == 0 {
			kind = min(kind, 3)
		}
		switch kind {
		case 0:
			return jsonx.Value{}
		case 1:
			return jsonx.OfBool(rapid.Bool().Draw(t, "bool"))
		case 2:
			return jsonx.OfNumber(rapid.SampledFrom([]string{"0", "7", "-1", "2.50", "1e3", "1e400"}).Draw(t, "number"))
		case 3:
			return jsonx.Of(words.Draw(t, "word"))
		case 4:
			return jsonx.OfArray(rapid.SliceOfN(anyJSON(depth-1), 0, 4).Draw(t, "items")...)
		}
		out := jsonx.OfObject()
		for _, k := range rapid.SliceOfNDistinct(words, 0, 4, rapid.ID[string]).Draw(t, "keys") {
			out.Members = append(out.Members, jsonx.Member{Key: k, Value: anyJSON(depth-1).Draw(t, "member")})
		}
		return out
	})
}

// Whatever stands in a payload, the laws hold.
func TestPayloadLaws(t *testing.T) {
	t.Parallel()
	reg := preset(t)
	keys := map[string][]string{"ui.show_form": {"values"}, "ui.show_table": {"rows", "min_rows"},
		"ui.show_map": {"steps", "edges"}, "ui.patch": {"ops"}, "ui.request_upload": {"accept", "name"}}
	names := map[string]string{"ui.show_form": `"name":"order"`, "ui.show_table": `"name":"risks"`,
		"ui.show_map": `"name":"onboarding"`, "ui.patch": `"surface":"form:order"`, "ui.request_upload": `"label":"x"`}
	rapid.Check(t, func(t *rapid.T) {
		typ := rapid.SampledFrom([]string{"ui.show_form", "ui.show_table", "ui.show_map", "ui.patch",
			"ui.request_upload"}).Draw(t, "type")
		in := `{"assistant_text":"a","directives":[{"type":"` + typ + `","payload":{` + names[typ]
		for _, k := range keys[typ] {
			in += `,"` + k + `":` + string(jsonx.Append(nil, anyJSON(4).Draw(t, k)))
		}
		checkLaws(t, reg, in+"}}]}")
	})
}

func FuzzRead(f *testing.F) {
	for _, s := range []string{form, "hello", "```json\n" + form + "\n```", `[{"type":"toast","text":"y"}]`,
		`"{\"assistant_text\":1}"`,
		`{"directives":[{"type":"ui.patch","payload":{"surface":"a","ops":"{\"path\":\"x\",\"value\":[{\"id\":1}]}"}}]}`} {
		f.Add(s)
	}
	reg := preset(f)
	f.Fuzz(func(t *testing.T, in string) { checkLaws(t, reg, in) })
}

// What strict JSON says, the mender reads too, and forgives nothing for it.
func FuzzMend(f *testing.F) {
	f.Add(full)
	f.Add(`{"a":[1,-2.5e3,"\u00e9\ud83c\udf89",{"b":null}],"c":"it's “x”"}`)
	reg := preset(f)
	f.Fuzz(func(t *testing.T, in string) {
		inner := strings.TrimSpace(in)
		if _, err := jsonx.Parse([]byte(inner), jsonx.Limits{Depth: 32}); err != nil ||
			!strings.HasPrefix(inner, "{") || len(inner) > 60_000 {
			return
		}
		plain, err := reg.Read(inner)
		// a space that is not JSON's sends it to the lenient parser
		bent, berr := reg.Read(strings.Replace(inner, "{", "{\u00a0", 1))
		if (err == nil) != (berr == nil) || plain.Text != bent.Text ||
			!cmp.Equal(plain.Directives, bent.Directives, cmpopts.EquateEmpty()) {
			t.Fatalf("%q reads as %s %v, mended as %s %v", inner, plain.JSON(), err, bent.JSON(), berr)
		}
	})
}

func FuzzParseOps(f *testing.F) {
	f.Add(`[{"op":"add","path":"/draft/t/-","value":{"a":"b"}}]`)
	f.Add(`{"path":"a","value":[{"field":"a","value":null}]}`)
	f.Fuzz(func(t *testing.T, in string) {
		v, err := jsonx.Parse([]byte(in), jsonx.Limits{})
		if err != nil {
			return
		}
		lax, warnings, err := directive.ParseOps(v, false)
		strict, none, serr := directive.ParseOps(v, true)
		if serr == nil && (err != nil || len(warnings) > 0 || len(none) > 0 || !cmp.Equal(lax, strict)) {
			t.Fatalf("strict takes %s, lax says %v %v", in, err, warnings)
		}
	})
}

// Hostile inputs near the size limit take linear time: this test times out if not.
func TestReadIsLinear(t *testing.T) {
	t.Parallel()
	reg := preset(t)
	for _, unit := range []string{"{", "[", `{"`, `{"a":`, `[{`, `{"a":1}`, `{"type":"x","payload":{}}`, `[{"a":1},`,
		"```", `{ `, `\"`, "{ \"a\n\",",
		"<think>", "</think>", "<tool_call>", "<function=a>", "<parameter=a>x</parameter>", "<|im_end|>", "<|channel|>", "<user_text>", "<!--", "\nUser:", "\nAction: a\nAction Input: {", "<arg_key>", "{'", "{“", "{a:", "{//\n",
		`{"a":'`, `{"directives":[`, `{'a':'"'}`, `{"a":1,}`, "{\"a\":\"\"\"", "&quot;", `{\"`, "ui.toast", "例",
		"[{\"type\":\"ui.toast\",\"payload\":{}}]\n", `{"assistant_text":"a","directives":[]}` + "\n"} {
		s := strings.Repeat(unit, (64<<10)/len(unit))
		_, _ = reg.Read(s)
		_, _ = reg.Read("x" + s[:len(s)-1])
		_, _ = reg.Read("```json\n" + s[:len(s)-8])
	}
}

func TestSchemaIsStrictAndTakesTheForm(t *testing.T) {
	t.Parallel()
	reg := preset(t)
	if !bytes.Equal(reg.Schema(), preset(t).Schema()) || reg.Prompt() != preset(t).Prompt() {
		t.Fatal("not deterministic")
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(reg.Schema()))
	if err != nil {
		t.Fatal(err)
	}
	var closed func(at string, v any)
	closed = func(at string, v any) {
		switch v := v.(type) {
		case map[string]any:
			if v["type"] == "object" {
				props, _ := v["properties"].(map[string]any)
				required, _ := v["required"].([]any)
				if v["additionalProperties"] != false || len(required) != len(props) {
					t.Errorf("object at %s is open or has optional properties", at)
				}
			}
			for k, child := range v {
				closed(at+"/"+k, child)
			}
		case []any:
			for i, child := range v {
				closed(fmt.Sprint(at, "/", i), child)
			}
		}
	}
	closed("", doc)
	c := jsonschema.NewCompiler()
	if err := c.AddResource("envelope.json", doc); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("envelope.json")
	if err != nil {
		t.Fatal(err)
	}
	for in, want := range map[string]bool{
		`{"assistant_text":"a","directives":[]}`: true,
		`{"assistant_text":"a"}`:                 false,
		form:                                     false, // strict mode wants every key
		`{"assistant_text":"a","directives":[{"type":"ui.show_form","payload":{"name":"customer","title":null,"values":[{"field":"a","value":["b"]}]}}]}`:                                                                  true,
		`{"assistant_text":"a","directives":[{"type":"ui.show_form","payload":{"name":"other","title":null,"values":null}}]}`:                                                                                              false,
		`{"assistant_text":"a","directives":[{"type":"ui.patch","payload":{"surface":"form:customer","ops":[{"op":"append","path":"/draft/t","value":[{"field":"a","value":1}],"before":null,"row":null}]}}]}`:             true,
		`{"assistant_text":"a","directives":[{"type":"ui.show_map","payload":{"name":"onboarding","title":null,"min_steps":2,"steps":[{"id":"a","name":"Ask","owner":null,"outcome":null}],"edges":null}}]}`:               true,
		`{"assistant_text":"a","directives":[{"type":"ui.show_table","payload":{"name":"risks","title":null,"min_rows":null,"rows":[{"id":null,"cells":[{"field":"a","value":true}]}]}},{"type":"ui.exec","payload":{}}]}`: false,
		`{"assistant_text":"a","directives":[{"type":"ui.show_table","payload":{"name":"risks","title":null,"min_rows":null,"rows":[{"id":null,"cells":[{"field":"a","value":true}]}]}}]}`:                                 true,
	} {
		var v any
		if err := json.Unmarshal([]byte(in), &v); err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(v); (err == nil) != want {
			t.Errorf("%s: %v", in, err)
		}
		if !want {
			continue
		}
		// What the schema lets through is read without a warning, even strictly.
		env, err := reg.With(directive.Options{Strict: true}).Read(in)
		if err != nil || len(env.Warnings) > 0 {
			t.Errorf("Read(%s): %v %v", in, env.Warnings, err)
		}
	}
}

func TestPromptNamesEverything(t *testing.T) {
	t.Parallel()
	p := preset(t).Prompt()
	for _, want := range append(preset(t).Types(), `"customer", "order"`, `"risks"`, "assistant_text", "Example:\n{") {
		if !strings.Contains(p, want) {
			t.Errorf("the prompt lacks %q:\n%s", want, p)
		}
	}
	empty, err := directive.New()
	if err != nil || !strings.Contains(empty.Prompt(), "no directives") ||
		strings.Contains(string(empty.Schema()), "directives") {
		t.Errorf("without declarations: %s, %v", empty.Prompt(), err)
	}
}

// typical4K is a full envelope of 4 KB as a talkative model writes it; dense4K
// is as long and all rows, about 700 JSON values.
func typical4K() string {
	return `{"assistant_text":"` + strings.Repeat("I wrote down what you told me. ", 86) + `","directives":[` +
		`{"type":"ui.show_form","payload":{"name":"customer","title":null,"values":[` +
		strings.TrimSuffix(strings.Repeat(`{"field":"a@","value":"The supplier of the housing may be late"},`, 16),
			",") + `]}},` +
		`{"type":"ui.patch","payload":{"surface":"form:customer","ops":[{"op":"set","path":"/draft/name","value":"Ada","before":null,"row":null},{"op":"append","path":"/draft/tags","value":"new","before":null,"row":null}]}},` +
		`{"type":"ui.toast","payload":{"text":"Saved."}}]}`
}

func dense4K() string {
	row := `{"id":null,"cells":[{"field":"risk","value":"The supplier of the housing may be late by several weeks"},{"field":"owner","value":"Ada"},{"field":"weight","value":3}]},`
	return `{"assistant_text":"` + strings.Repeat("I wrote down what you told me. ", 20) + `","directives":[` +
		`{"type":"ui.show_table","payload":{"name":"risks","title":"Risks","min_rows":3,"rows":[` +
		strings.TrimSuffix(strings.Repeat(row, 21), ",") + `]}},` +
		`{"type":"ui.toast","payload":{"text":"Saved."}}]}`
}

func BenchmarkRead4KB(b *testing.B) {
	reg := preset(b)
	typical := typical4K()
	for i := range 16 { // every field once
		typical = strings.Replace(typical, "a@", "a"+fmt.Sprint(i), 1)
	}
	for _, tt := range [][2]string{{"typical", typical}, {"dense", dense4K()},
		{"dense in a fence", "<think>A table.</think>\n```json\n" + dense4K() + "\n```"}} {
		name, in := tt[0], tt[1]
		if env, err := reg.Read(in); err != nil || len(env.Directives) < 2 || len(env.Warnings) > 0 || len(in) < 4000 {
			b.Fatalf("%d bytes: %v %v", len(in), env.Warnings, err)
		}
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(in)))
			b.ReportAllocs()
			for b.Loop() {
				_, _ = reg.Read(in)
			}
		})
	}
}

func ExampleRegistry_Read() {
	reg, _ := directive.Preset(directive.PresetConfig{Forms: []string{"customer"}})
	env, err := reg.Read("```json\n" +
		`{"assistant_text": "Here is the form.", "directives": [{"type": "show-form", "payload": {"form": "customer"}}],}` + "\n```")
	fmt.Println(env.Text, err)
	for _, d := range env.Directives {
		fmt.Println(d.Type, d.Payload.At("name").Str)
	}
	for _, w := range env.Warnings {
		fmt.Println(w)
	}
	// Output:
	// Here is the form. <nil>
	// ui.show_form customer
	// DIRECTIVE_COERCED: mended: a comma
	// DIRECTIVE_COERCED at /directives/0/payload/name: given under another key
}

func ExampleParseOps() {
	v, _ := jsonx.Parse([]byte(`{"op": "replace", "path": "name", "value": "Ada"}`), jsonx.Limits{})
	ops, warnings, err := directive.ParseOps(v, false)
	fmt.Println(ops[0].Do, ops[0].Path, ops[0].Value.Text(), len(warnings), err)
	// Output: set /draft/name Ada 3 <nil>
}
