package ingress

import (
	"bytes"
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/ui"
)

// TestDecodeEnvelope holds each fault, and each limit at it and one over.
func TestDecodeEnvelope(t *testing.T) {
	t.Parallel()
	sized := func(n int) []byte { // an envelope of n bytes, in strings that are short enough
		var parts []string
		for i := 0; ; i++ {
			rest := n - len(envelope(strings.Join(parts, ",")))
			if len(parts) > 0 {
				rest--
			}
			key := fmt.Sprintf(`"k%06d":""`, i)
			if rest < len(key) {
				break
			}
			parts = append(parts, key[:len(key)-1]+strings.Repeat("x", min(60_000, rest-len(key)))+`"`)
		}
		b := envelope(strings.Join(parts, ","))
		return append(b, bytes.Repeat([]byte(" "), n-len(b))...)
	}
	nested := func(n int) []byte { // n levels in all: the envelope has three
		return envelope(`"a":` + strings.Repeat("[", n-3) + strings.Repeat("]", n-3))
	}
	entries := func(n int) []byte { // the envelope has six, then a and its items
		return envelope(`"a":[` + strings.TrimSuffix(strings.Repeat("1,", n-7), ",") + `]`)
	}
	text := func(n int) []byte { return envelope(`"a":"` + strings.Repeat("x", n) + `"`) }
	for _, c := range []struct {
		name string
		body []byte
		code ui.Code
	}{
		{"fine", envelope(`"a":1`), ""}, {"bytes at", sized(1 << 20), ""}, {"bytes over", sized(1<<20 + 1), CodeTooLarge}, {"10 MB", text(10 << 20), CodeTooLarge},
		{"depth at", nested(16), ""}, {"depth over", nested(17), CodeTooLarge}, {"depth 10,000", nested(10_000), CodeTooLarge},
		{"entries at", entries(50_000), ""}, {"entries over", entries(50_001), CodeTooLarge},
		{"string at", text(512 << 10), ""}, {"string over", text(512<<10 + 1), CodeTooLarge},
		{"empty", nil, CodeEnvelope}, {"no JSON", []byte("hello"), CodeEnvelope}, {"list", []byte("[]"), CodeEnvelope}, {"nothing in it", []byte("{}"), CodeEnvelope},
		{"two kinds", []byte(`{"userAction":{},"error":{}}`), CodeEnvelope}, {"two messages", append(envelope(""), envelope("")...), CodeEnvelope},
		{"lone surrogate", envelope(`"a":"\ud800"`), CodeEnvelope}, {"duplicate key", envelope(`"a":1,"a":2`), CodeEnvelope}, {"invalid UTF-8", envelope("\"a\":\"\xff\""), CodeEnvelope},
		{"rev no number", envelope(`"limn_rev":"x"`), CodeEnvelope}, {"rev negative", envelope(`"limn_rev":-1`), CodeEnvelope}, {"rev a fraction", envelope(`"limn_rev":1.5`), CodeEnvelope}, {"rev huge", envelope(`"limn_rev":1e300`), CodeEnvelope},
	} {
		e, err := DecodeEnvelope(c.body, Limits{})
		if ui.CodeOf(err) != c.code || (e == nil) != (err != nil) {
			t.Errorf("%s: %v, want %q", c.name, err, c.code)
		}
	}
}

func TestDecodeAction(t *testing.T) {
	t.Parallel()
	for _, rev := range []string{`7`, `"7"`, `7.0`, `{"v":7}`, `{"v":"7"}`} {
		e, err := DecodeEnvelope(envelope(`"limn_nonce":`+quote(nonce)+`,"limn_rev":`+rev+
			`,"limn_other":1,"a":{"v":"x"}`), Limits{})
		if err != nil {
			t.Fatal(err)
		}
		a := e.Action
		if e.Kind != ui.EventAction || e.V != ui.Version || a.Nonce != nonce || a.Rev != 7 ||
			a.Surface != "form:all#e=2" || a.Name != builtin.ActionSubmit || a.Form {
			t.Errorf("rev %s: %+v", rev, a)
		}
		if got := string(jsonx.Append(nil, a.Context)); got != `{"a":{"v":"x"}}` {
			t.Errorf("context = %s", got)
		}
	}
	long := strings.Repeat("x", 1025)
	for _, c := range []struct{ name, old, with string }{
		{"long component", "c#main/submit:Button", long}, {"long surface", "form:all#e=2", long}, {"control character", "c#main/submit:Button", `c#\u0001`}, {"long name", "limn.submit", long},
	} {
		body := strings.Replace(string(envelope("")), c.old, c.with, 1)
		if _, err := DecodeEnvelope([]byte(body), Limits{}); ui.CodeOf(err) != CodeEnvelope {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestDecodeError(t *testing.T) {
	t.Parallel()
	e, err := DecodeEnvelope(
		[]byte(`{"version":"v0.9","error":{"code":"VALIDATION_FAILED","surfaceId":"a#e=1","path":"/x","message":"`+
			strings.Repeat("é", 500)+`"}}`), Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if e.Kind != ui.EventError || e.Error.Code != "VALIDATION_FAILED" || len(e.Error.Message) != 512 {
		t.Errorf("error = %+v, %d bytes", e.Error, len(e.Error.Message))
	}
}

// TestDecodeErrorPath: one fault has one path, however a renderer writes it.
func TestDecodeErrorPath(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{"a/0": "/a/0", "/a/0": "/a/0", "draft/name": "/draft/name",
		"/draft/name": "/draft/name"} {
		e, err := DecodeEnvelope([]byte(`{"version":"v0.9","error":{"code":"VALIDATION_FAILED","surfaceId":"a#e=1","path":`+
			quote(path)+`,"message":"m"}}`), Limits{})
		if err != nil || e.Error.Path != want {
			t.Errorf("%q: %+v, %v, want %q", path, e, err, want)
		}
	}
}

// TestDecodeErrorSaysWhy: a member of another type is named as what it is.
func TestDecodeErrorSaysWhy(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`"error":{"code":"VALIDATION_FAILED","surfaceId":"s","message":"m","path":7}`: "path must be a text that is not empty",
		`"action":{"name":"a","surfaceId":"` + strings.Repeat("s", 129) + `","sourceComponentId":"c",` +
			`"timestamp":"2026-11-20T10:00:00Z","context":{}}`: "want at most 128 bytes of text without control characters",
		`"action":{"name":"a","surfaceId":"s","sourceComponentId":"c","timestamp":"2026-11-20T10:00:00Z","context":[]}`: "action.context " +
			"must be of type object, not array",
	} {
		_, err := DecodeEnvelope([]byte(`{"version":"v0.9",`+body+`}`), Limits{})
		if e := ui.AsError(err, "", ""); e.Message != want || e.Path == "" || e.Hint == "" {
			t.Errorf("%s: %q at %q, %q", body, e.Message, e.Path, e.Hint)
		}
	}
}

// TestDecodeForeignSurface: a surface id that A2UI allows is an action's, whoever gave it.
func TestDecodeForeignSurface(t *testing.T) {
	t.Parallel()
	for _, id := range []string{"my surface", "münchen", "表"} {
		body := strings.Replace(string(envelope("")), "form:all#e=2", id, 1)
		if e, err := DecodeEnvelope([]byte(body), Limits{}); err != nil || e.Action.Surface != id {
			t.Errorf("%q: %v", id, err)
		}
	}
}

func TestDecodeMessage(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, body, text string
		code             ui.Code
	}{
		{"fine", `{"text":" Hello \n"}`, "Hello", ""}, {"at", `{"text":"` + strings.Repeat("x", 32<<10) + `"}`, strings.Repeat("x", 32<<10), ""}, {"over", `{"text":"` + strings.Repeat("x", 32<<10+1) + `"}`, "", CodeTooLarge},
		{"empty", `{"text":" "}`, "", CodeEnvelope}, {"number", `{"text":1}`, "", CodeEnvelope}, {"none", `{}`, "", CodeEnvelope}, {"more", `{"text":"a","role":"system"}`, "", CodeEnvelope},
		{"list", `["a"]`, "", CodeEnvelope}, {"surrogate", `{"text":"\ud800"}`, "", CodeEnvelope}, {"twice", `{"text":"a","text":"b"}`, "", CodeEnvelope}, {"deep", strings.Repeat("[", 10_000), "", CodeTooLarge},
	} {
		e, err := DecodeMessage([]byte(c.body), Limits{})
		if ui.CodeOf(err) != c.code || err == nil && e.Text != c.text {
			t.Errorf("%s: %v, want %q", c.name, err, c.code)
		}
	}
	if e, err := MessageEvent("a\xff", Limits{}); err != nil || e.Text != "a\uFFFD" {
		t.Errorf("invalid UTF-8: %v, %v", e, err)
	}
}

func TestDecodeForm(t *testing.T) {
	t.Parallel()
	form := func(more map[string][]string) map[string][]string {
		f := map[string][]string{builtin.FieldSurface: {"a#e=1"}, builtin.FieldComponent: {"c#a:Button"}, builtin.FieldNonce: {"old", nonce},
			builtin.FieldRev: {"3"}}
		maps.Copy(f, more)
		return f
	}
	many := make([]string, 50_001)
	for _, c := range []struct {
		name string
		in   map[string][]string
		code ui.Code
	}{
		{"fine", form(nil), ""}, {"no surface", map[string][]string{builtin.FieldComponent: {"x"}}, CodeEnvelope}, {"no button", map[string][]string{builtin.FieldSurface: {"x"}}, CodeEnvelope}, {"nil", nil, CodeEnvelope},
		{"empty list", form(map[string][]string{"/draft/a": {}}), ""}, {"only empty lists", map[string][]string{builtin.FieldSurface: {}, builtin.FieldComponent: {}}, CodeEnvelope},
		{"rev", form(map[string][]string{builtin.FieldRev: {"x"}}), CodeEnvelope},
		{"value at", form(map[string][]string{"/draft/a": {strings.Repeat("x", 512<<10)}}), ""}, {"value over", form(map[string][]string{"/draft/a": {strings.Repeat("x", 512<<10+1)}}), CodeTooLarge},
		{"values at", form(map[string][]string{"/draft/a": many[:50_000-5]}), ""}, {"values over", form(map[string][]string{"/draft/a": many[:50_000-3]}), CodeTooLarge},
	} {
		e, err := DecodeForm(c.in, Limits{})
		if ui.CodeOf(err) != c.code || err == nil &&
			(e.Action.Nonce != nonce || e.Action.Rev != 3 || !e.Action.Form || e.Action.Name != "") {
			t.Errorf("%s: %v, want %q", c.name, err, c.code)
		}
	}
}

func FuzzDecodeEnvelope(f *testing.F) {
	f.Add(envelope(`"limn_rev":1,"a":["x"]`))
	f.Add([]byte(`{"version":"v0.9","error":{"code":"X","surfaceId":"s","message":"m"}}`))
	f.Add([]byte(`{"version":"1.0","callAgentFunction":{"surfaceId":"s","functionCallId":"1","callFunction":{"@call":"f","args":{"a":[1]}}}}`))
	f.Add([]byte(`{"version":"1.0","rendererFunctionResponse":{"functionCallId":"1","value":{"a":null}}}`))
	f.Add([]byte(`{"text":"x","a2uiClientCapabilities":{"v0.9":{"supportedCatalogIds":["x"]}}}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		if _, err := Capabilities(body, Limits{}); err != nil {
			checkDecoded(t, nil, err)
		}
		e, err := DecodeEnvelope(body, Limits{})
		checkDecoded(t, e, err)
		e, err = DecodeMessage(body, Limits{})
		checkDecoded(t, e, err)
	})
}

func FuzzDecodeForm(f *testing.F) {
	f.Add("limn_surface", "a#e=1", "limn_component", "c#x:Button")
	f.Add("limn_rev", "3", "/draft/a", "\xff")
	f.Add("a", "1", "/draft/a", "2")
	f.Fuzz(func(t *testing.T, k1, v1, k2, v2 string) {
		e, err := DecodeForm(map[string][]string{k1: {v1, v2}, k2: {v2}, builtin.FieldSurface: {"a#e=1"}, builtin.FieldComponent: {v1}},
			Limits{})
		checkDecoded(t, e, err)
	})
}

// checkDecoded: an event that can be stored and read again, or a coded fault.
func checkDecoded(t *testing.T, e *ui.Event, err error) {
	t.Helper()
	if err != nil {
		if c := ui.CodeOf(err); c != CodeEnvelope && c != CodeTooLarge {
			t.Fatalf("fault %v", err)
		}
		return
	}
	b, err := ui.Encode(e)
	if err != nil {
		t.Fatal(err)
	}
	again, err := ui.DecodeEvent(b)
	if err != nil {
		t.Fatalf("%v: %s", err, b)
	}
	if twice, _ := ui.Encode(again); !bytes.Equal(b, twice) {
		t.Fatalf("stored\n%s\nthen\n%s", b, twice)
	}
}

// FuzzAdmit: whatever a context holds, what is admitted applies.
func FuzzAdmit(f *testing.F) {
	for _, in := range []string{`{"text":"a","choices":{"red":true}}`, `{"items":{"r1":{"title":"x"}},"steps":[]}`,
		`{"choice":"[\"red\"]","slider":"x"}`, `{"text":{"v":{"v":1}}}`, `{"/draft/text":["a","b"]}`} {
		f.Add([]byte(in), true, false)
		f.Add([]byte(in), false, true)
	}
	s := state(f)
	f.Fuzz(func(t *testing.T, in []byte, known, form bool) {
		v, err := jsonx.Parse(in, Limits{}.withDefaults().json())
		if err != nil || v.Kind != jsonx.Object {
			return
		}
		e := &ui.ActionEvent{Surface: "form:all#e=2", Name: builtin.ActionSubmit, Component: "c#main/submit:Button",
			Nonce: nonce, Rev: 5, Context: v, Form: form}
		if !known {
			e.Component = "c#main/gone:Button"
		}
		a, err := Admit(s, e, allowed)
		if err != nil && ui.CodeOf(err) != CodeEnvelope && ui.CodeOf(err) != CodeForbidden {
			t.Fatal(err)
		}
		if a == nil {
			return
		}
		if len(a.Values) > 60 || len(a.Warnings) > maxWarnings {
			t.Fatalf("%d values, %d warnings", len(a.Values), len(a.Warnings))
		}
		if _, _, err := ui.Apply(s, &ui.Frame{Seq: s.Seq + 1,
			Ops: ui.Ops{&ui.Draft{Surface: surface, Values: a.Values}}}, ui.Limits{}); err != nil {
			t.Fatalf("the draft does not apply: %v", err)
		}
	})
}

// TestFormPaths: a field of a form and the field of an upload are named by any spelling
// of their path that ui.ParsePath takes.
func TestFormPaths(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]ui.Path{"/draft/a": "/draft/a", "a": "/draft/a", "draft/a": "/draft/a", "t/r1/c": "/draft/t/r1/c",
		"/draft/a~1b": "/draft/a~1b", "/ui_state/rev": "", "/other/a": "", "__proto__": "", "/draft/": ""} {
		e, err := DecodeForm(map[string][]string{builtin.FieldSurface: {"a#e=1"}, builtin.FieldComponent: {"c#a:Button"}, name: {"x"}},
			Limits{})
		if err != nil {
			t.Fatal(err)
		}
		got := ui.Path("")
		for _, m := range e.Action.Context.Members {
			got = ui.Path(m.Key)
		}
		if got != want {
			t.Errorf("%q is kept as %q, want %q", name, got, want)
		}
	}
	if at := Path("card"); at != "/draft/card" {
		t.Errorf("the field of an upload is %q", at)
	}
}
