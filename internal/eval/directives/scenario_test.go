package directives

import (
	"errors"
	"strings"
	"testing"

	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/ui"
)

func TestLoadRefuses(t *testing.T) {
	t.Parallel()
	a, _ := demo(t)
	const good = "scenarios:\n- name: a\n  user: hi\n  answer: {text: hello}\n"
	if list, err := Load("f", []byte(good), a); err != nil || len(list) != 1 {
		t.Fatalf("%v, %v", list, err)
	}
	for name, tt := range map[string]struct{ in, at, says string }{
		"empty":           {"", "f", "empty"},
		"no list":         {"scenarios: []", "f", "no scenarios"},
		"no YAML":         {"scenarios: [", "f:1", ""},
		"indentation":     {good + " kind: x\n", "f:5", "did not find"},
		"unknown key":     {strings.Replace(good, "user:", "usr:", 1), "f:3", "no key"},
		"two documents":   {good + "---\n" + good, "f", "more than one"},
		"same name":       {good + strings.TrimPrefix(good, "scenarios:\n"), `f "a"`, "this name"},
		"bad name":        {strings.Replace(good, "name: a", "name: a b", 1), `f "a b" name`, ""},
		"neither":         {strings.Replace(good, "user: hi", "lang: en", 1), `f "a" user`, ""},
		"both":            {strings.Replace(good, "user: hi", "user: hi\n  event: it", 1), `f "a" user`, ""},
		"no answer":       {strings.Replace(good, "answer: {text: hello}", "lang: en", 1), `f "a" answer`, ""},
		"no such type":    {good + "  want: [ui.show_fort]\n", `f "a" want`, "declares no"},
		"two in one":      {good + "  want: [{ui.toast: {}, ui.close: {}}]\n", "f:5", "one directive"},
		"no payload":      {good + "  want: [{ui.toast: hi}]\n", "f:5", "payload"},
		"forbids nothing": {good + "  forbid: [toast]\n", `f "a" forbid`, ""},
		"given in vain":   {good + "  given: [{ui.show_form: {name: nobody}}]\n", `f "a" given`, ""},
		"typed nowhere":   {good + "  typed: {form:customer: {company: x}}\n", `f "a" given`, ""},
		"bad answer":      {strings.Replace(good, "{text: hello}", "{directives: [{ui.show_form: {name: nobody}}]}", 1), `f "a" answer`, "would not be taken"},
		"no such run":     {good + "  run: tool\n", `f "a" run`, "no kind of run"},
		"tools for none":  {good + "  tools: [{name: t}]\n", `f "a" tools`, "are for runs"},
		"run without":     {good + "  run: tools\n", `f "a" tools`, "are for runs"},
		"tool name":       {good + "  run: tools\n  tools: [{name: a b}]\n", `f "a" tools a b`, "want a name"},
		"tool schema":     {good + "  run: tools\n  tools: [{name: t, schema: {type: 1}}]\n", `f "a" tools t`, ""},
		"no such tool":    {good + "  run: hybrid\n  tools: [{name: t}]\n  calls: [{u: {}}]\n", `f "a" calls`, "no tool"},
		"tools say words": {good + "  run: tools\n  tools: [{name: t}]\n  want: [ui.toast]\n", `f "a" want`, "no directives"},
		"alias":           {good + "  want: [{ui.toast: &x {text: *x}}]\n", "f:5", "aliases"},
	} {
		_, err := Load("f", []byte(tt.in), a)
		var e *ui.Error
		if !errors.As(err, &e) || e.Code != CodeScenario || e.Path != tt.at || !strings.Contains(e.Message, tt.says) ||
			e.Hint == "" {
			t.Errorf("%s: %v, hint %q", name, err, e.Hint)
		}
	}
	_, err := Load("f", []byte(strings.Replace(good, "answer:", "anser:", 1)), a)
	var e *ui.Error
	if !errors.As(err, &e) || !strings.Contains(e.Hint, "did you mean `answer`?") {
		t.Errorf("no hint: %v", err)
	}
}

func FuzzLoad(f *testing.F) {
	a, _ := demo(f)
	f.Add([]byte("scenarios:\n- name: a\n  user: hi\n  want: [{ui.toast: {text: x}}]\n  screen: {form:customer: {values: {a: 1}}}\n  answer: {text: hello}\n"))
	files, _ := builtin.ReadDir("scenarios")
	for _, file := range files {
		data, _ := builtin.ReadFile("scenarios/" + file.Name())
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		list, err := Load("f", data, a)
		if err != nil && ui.CodeOf(err) != CodeScenario {
			t.Errorf("%v", err)
		}
		for _, sc := range list {
			if _, err := sc.before(a); err != nil {
				t.Errorf("taken, but cannot be set up: %v", err)
			}
		}
	})
}

func TestHolds(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		got, want string
		holds     bool
	}{
		{`{"a":1,"b":2}`, `{"a":1}`, true},
		{`{"a":1}`, `{"a":1,"b":2}`, false},
		{`"Acme "`, `"acme"`, true},
		{`"500"`, `500`, true},
		{`500`, `501`, false},
		{`["b","a"]`, `["a"]`, true},
		{`["a"]`, `["a","a"]`, false},
		{`["ent"]`, `"ent"`, true},
		{`true`, `true`, true},
		{`"true"`, `true`, true},
		{`[{"name":"Ann","role":"x"}]`, `[{"name":"ann"}]`, true},
		{`[{"name":"Ann"}]`, `[{"name":"Bob"}]`, false},
		{`{"a":[]}`, `{"a":"\u0000"}`, false},
		{`""`, `null`, true},
		{`"x"`, `null`, false},
		{`[]`, `{}`, false},
		{`{}`, `[]`, false},
	} {
		got, err1 := jsonx.Parse([]byte(tt.got), jsonx.Limits{})
		want, err2 := jsonx.Parse([]byte(tt.want), jsonx.Limits{})
		if err1 != nil || err2 != nil || holds(got, want) != tt.holds {
			t.Errorf("%s holds %s: want %v", tt.got, tt.want, tt.holds)
		}
	}
}
