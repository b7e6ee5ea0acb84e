package inspect_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/ingress"
	"github.com/limn-ui/limn/internal/inspect"
	"github.com/limn-ui/limn/internal/limntest"
	"github.com/limn-ui/limn/internal/recovery"
	"github.com/limn-ui/limn/ui"
)

func shop(t testing.TB) inspect.Env {
	t.Helper()
	a, err := app.Load("shop.yaml", []byte(declaration))
	if err != nil {
		t.Fatal(err)
	}
	return inspect.Env{App: a, Targets: drawings}
}

func compiled(t testing.TB, kind, text, show string) *inspect.Compiled {
	t.Helper()
	c, err := shop(t).Compile(inspect.Source{Kind: kind, Text: text, Show: show})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// shows holds a result to what every drawing must show.
func shows(t *testing.T, c *inspect.Compiled, text string) {
	t.Helper()
	if len(c.Renderings) != 3 || len(c.Found) > 0 {
		t.Fatalf("%d renderings, %+v", len(c.Renderings), c.Found)
	}
	for _, r := range c.Renderings {
		if r.Count == 0 || !strings.Contains(r.Screen, text) {
			t.Errorf("%s: %d messages, screen\n%s", r.Target, r.Count, r.Screen)
		}
	}
}

func TestCompile(t *testing.T) {
	t.Parallel()
	c := compiled(t, inspect.KindDirectives, limntest.Envelope("Hi.", limntest.ShowForm("customer")), "")
	shows(t, c, "Company")
	if !strings.Contains(c.HTML, "Company") || c.State.At("surfaces").Items[0].At("name").Str != "form:customer" {
		t.Errorf("%s\n%v", c.HTML, c.State)
	}
	const two = "name: x\nforms:\n  - {name: one, title: One, fields: [{name: a, label: Apple, type: text}]}\n" +
		"  - {name: two, title: Two, fields: [{name: b, label: Banana, type: text}]}\n"
	c = compiled(t, inspect.KindApp, two, "")
	shows(t, c, "Apple")
	if fmt.Sprint(c.Surfaces) != "[form:one form:two]" || c.Shown != "form:one" {
		t.Errorf("%v, shown %s", c.Surfaces, c.Shown)
	}
	shows(t, compiled(t, inspect.KindApp, two, "form:two"), "Banana")

	const messages = `{"version":"v0.9","createSurface":{"surfaceId":"s","catalogId":"https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json"}}
{"version":"v0.9","updateComponents":{"surfaceId":"s","components":[{"id":"root","component":"Text","text":"Cherry"}]}}`
	shows(t, compiled(t, inspect.KindA2UI, messages, ""), "Cherry")
	shows(t, compiled(t, inspect.KindA2UI, "["+strings.ReplaceAll(messages, "\n", ",\n")+"]", ""), "Cherry")
	shows(t, compiled(t, inspect.KindA2UI, `{"name":"x","messages":[`+strings.ReplaceAll(messages, "\n", ",")+"]}", ""), "Cherry")
}

// Each fault has its place in the text.
func TestCompileNamesThePlace(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		kind, text   string
		line, column int
		code         ui.Code
	}{
		{inspect.KindDirectives, "{\n \"directives\": [\n  {\"type\" 1}]}", 3, 11, "DIRECTIVE_JSON_INVALID"},
		{inspect.KindDirectives, "{\"assistant_text\": \"é\",\n \"directives\": [\n  {\"type\": \"ui.show_form\", \"payload\": {\"name\": \"nobody\"}}]}", 3, 48, "DIRECTIVE_PAYLOAD_INVALID"},
		{inspect.KindApp, "name: x\nforms:\n  - {name: one, tittle: One}\n", 3, 17, "APP_YAML"},
		{inspect.KindApp, "name: x\n  forms: [\n", 2, 0, "APP_YAML"},
		{inspect.KindA2UI, "{\"version\":\"v0.9\",\n\"createSurface\":{\"surfaceId\":1}}", 2, 30, "A2UI_S2C_ENVELOPE_INVALID"},
		{inspect.KindA2UI, "\n{\"version\":\"v0.9\",\"deleteSurface\":{\"surfaceId\":\"s\"}}\n{\"version\":\"v0.9\",\"deleteSurface\":{\"surfaceId\":1}}", 3, 48, "A2UI_S2C_ENVELOPE_INVALID"},
		{inspect.KindA2UI, "{\"version\":\"v0.9\",\"deleteSurface\":{\"surfaceId\":\"s\"}}\n{\"version\"", 2, 11, "A2UI_S2C_ENVELOPE_INVALID"},
	} {
		got := compiled(t, c.kind, c.text, "")
		if len(got.Found) == 0 || len(got.Renderings) > 0 && c.kind != inspect.KindDirectives {
			t.Errorf("%s %q: %+v", c.kind, c.text, got)
			continue
		}
		p := got.Found[0]
		if p.Line != c.line || p.Column != c.column || p.Code != c.code {
			t.Errorf("%s %q: %+v, want %d:%d %s", c.kind, c.text, p, c.line, c.column, c.code)
		}
	}
	for code, bad := range map[ui.Code]inspect.Source{ingress.CodeEnvelope: {Kind: "poem"},
		recovery.CodeBodyTooLarge: {Kind: inspect.KindApp, Text: strings.Repeat("#", inspect.MaxSource+1)}} {
		if _, err := shop(t).Compile(bad); ui.CodeOf(err) != code {
			t.Errorf("%s of %d bytes: %v", bad.Kind, len(bad.Text), err)
		}
	}
}

// The official examples are shown, as far as they are at hand.
func TestCompileOfficialExamples(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../../../shared/spec/v0_9/catalogs/basic/examples/*.json")
	if err != nil || len(files) == 0 {
		t.Skip("needs the examples of the specification, catalogs/basic/examples of github.com/google/A2UI")
	}
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		c := compiled(t, inspect.KindA2UI, string(b), "")
		if len(c.Renderings) != 3 || c.Renderings[1].Target != "v0.9" || !strings.Contains(c.Renderings[1].Screen, "#root") {
			t.Errorf("%s: %d renderings, %+v", filepath.Base(file), len(c.Renderings), c.Found)
		}
		for _, p := range c.Found {
			if p.Where == "error" {
				t.Errorf("%s: %+v", filepath.Base(file), p)
			}
		}
	}
}

// breaks are the ends of lines, in YAML.
var breaks = regexp.MustCompile(`[\n\r\x{85}\x{2028}\x{2029}]`)

// FuzzCompile: whatever is typed, the result is one, and its places are in the text.
func FuzzCompile(f *testing.F) {
	for i, text := range []string{limntest.Envelope("Hi.", limntest.ShowForm("customer")), declaration,
		`[{"version":"v0.9","deleteSurface":{"surfaceId":"s"}}]`, "{", "", "name: [", "\r\r\r\rname: [", "\xff"} {
		f.Add(i%3, text)
	}
	env := shop(f)
	f.Fuzz(func(t *testing.T, kind int, text string) {
		kinds := []string{inspect.KindDirectives, inspect.KindApp, inspect.KindA2UI}
		c, err := env.Compile(inspect.Source{Kind: kinds[uint(kind)%3], Text: text})
		if len(text) > inspect.MaxSource {
			if err == nil {
				t.Error("no bound")
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range c.Found {
			if p.Line < 0 || p.Column < 0 || p.Line > 2+len(breaks.FindAllString(text, -1)) {
				t.Errorf("%+v is not in %q", p, text)
			}
		}
	})
}
