package directives

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/examples/desk"
	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/ui"
)

func demo(t testing.TB) (*app.App, []Scenario) {
	t.Helper()
	a, err := desk.App()
	if err != nil {
		t.Fatal(err)
	}
	list, err := Builtin(a)
	if err != nil {
		t.Fatal(err)
	}
	return a, list
}

func simulators(t testing.TB, a *app.App, list []Scenario, names ...string) (out []*Model) {
	t.Helper()
	for _, name := range names {
		m, closer, err := Simulator(name, a, list)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(closer)
		out = append(out, m)
	}
	return out
}

func run(t testing.TB, p Plan) Report {
	t.Helper()
	var results []Result
	stopped, err := p.Run(t.Context(), nil, func(r Result) error { results = append(results, r); return nil })
	if err != nil {
		t.Fatal(err)
	}
	return Score(p, results, stopped)
}

// TestBuiltin: the demo's scenarios are many, of every kind and of several
// languages.
func TestBuiltin(t *testing.T) {
	t.Parallel()
	_, list := demo(t)
	kinds, langs := map[string]int{}, map[string]bool{}
	for _, sc := range list {
		kinds[sc.Kind]++
		langs[sc.Lang] = true
	}
	want := map[string]int{"form": 6, "patch": 4, "close": 1, "upload": 1, "table": 4, "map": 3, "view": 2, "toast": 2,
		"chat": 6, "tools": 2, "hybrid": 2}
	if diff := cmp.Diff(want, kinds); diff != "" || len(langs) < 8 {
		t.Errorf("kinds (-want +got):\n%s%d languages", diff, len(langs))
	}
}

// TestSimulators measures models of known kinds: what each is worth is known
// before.
func TestSimulators(t *testing.T) {
	t.Parallel()
	a, list := demo(t)
	list = slices.DeleteFunc(list, func(sc Scenario) bool { return sc.Run != app.RunDirectives })
	n := len(list)
	words := 0 // scenarios that words alone satisfy
	for _, sc := range list {
		if len(sc.Want) == 0 {
			words++
		}
	}
	type worth struct {
		ok, requests int
		held         map[Stage]Share // those that are not all of all
		code         ui.Code         // of the commonest failure
	}
	talkative := worth{ok: 0, requests: 2 * n, code: "DIRECTIVE_UNSURE",
		held: map[Stage]Share{StageDirectives: {0, n}, StageExecute: {}, StageScreen: {}, StageCompile: {},
			StageMessages: {}}}
	tests := map[string]worth{
		simGood:                {ok: n, requests: n},
		simPolite:              {ok: n, requests: 2 * n}, // asked for the JSON alone
		simProse:               {ok: n, requests: 2 * n}, // marked as meant when asked
		simDeaf:                talkative,                // words: it repeats itself
		simFlaky:               {ok: n, requests: n + n/3},
		simMute:                {ok: words, requests: n, code: CodeMissing, held: map[Stage]Share{StageDirectives: {words, n}, StageScreen: {8, n}}},
		simWrong:               {ok: 3, requests: n, code: CodeMissing, held: map[Stage]Share{StageDirectives: {3, n}, StageScreen: {8, n}}},
		simLost:                {ok: 0, requests: n, code: CodeMissing, held: map[Stage]Share{StageDirectives: {1, n}, StageExecute: {0, n}, StageScreen: {8, n}}},
		"not_found":            {ok: n, requests: 3 * n},
		"ignores_format":       {ok: n, requests: 2 * n},
		"rejects_unknown_keys": {ok: n, requests: 3 * n},
		"rate_limits":          {ok: n, requests: n}, // the adapter tries again
		"truncates":            {ok: 0, requests: 6 * n, code: llm.CodeTruncated, held: map[Stage]Share{StageDirectives: {0, n}, StageExecute: {}, StageScreen: {}, StageCompile: {}, StageMessages: {}}},
		"refuses":              {ok: 0, requests: n, code: llm.CodeRefused, held: map[Stage]Share{StageDirectives: {0, n}, StageExecute: {}, StageScreen: {}, StageCompile: {}, StageMessages: {}}},
		"wrong_type":           {ok: 0, requests: 6 * n, code: llm.CodeReplyInvalid, held: map[Stage]Share{StageDirectives: {0, n}, StageExecute: {}, StageScreen: {}, StageCompile: {}, StageMessages: {}}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := run(t, Plan{App: a, Scenarios: list, Models: simulators(t, a, list, name), PerEndpoint: 1})
			held := map[Stage]Share{}
			for _, s := range Stages() {
				held[s] = Share{n, n}
				if w, ok := tt.held[s]; ok {
					held[s] = w
				}
				if held[s].Of == 0 {
					delete(held, s)
				}
			}
			m := r.Models[0]
			first := m.OK
			if tt.requests > n {
				first = max(0, 2*n-tt.requests)
			}
			if m.First != first {
				t.Errorf("%d right at the first request, want %d", m.First, first)
			}
			if m.N != n || m.OK != tt.ok || m.Attempts != tt.requests {
				t.Errorf("%d of %d right in %d requests, want %d of %d in %d", m.OK, m.N, m.Attempts, tt.ok, n,
					tt.requests)
			}
			if diff := cmp.Diff(held, m.Stages); diff != "" {
				t.Errorf("stages (-want +got):\n%s", diff)
			}
			switch {
			case tt.code == "" && len(r.Failures) > 0:
				t.Errorf("failures: %+v", r.Failures)
			case tt.code != "" && (len(r.Failures) == 0 || r.Failures[0].Code != tt.code):
				t.Errorf("failures: %+v, want %s", r.Failures, tt.code)
			}
		})
	}
}

// TestRunsWithTools: what models of known kinds are worth in runs that offer tools, and
// what clients are sent.
func TestRunsWithTools(t *testing.T) {
	t.Parallel()
	a, list := demo(t)
	list = slices.DeleteFunc(list, func(sc Scenario) bool { return sc.Run == app.RunDirectives })
	for name, want := range map[string]struct {
		ok, requests int
		code         ui.Code
	}{
		simGood:       {4, 10, ""},
		simPolite:     {4, 12, ""},
		simMute:       {1, 6, CodeNotCalled}, // the one that needs no call
		"not_found":   {1, 12, CodeNotCalled},
		"calls_tools": {0, 22, "DIRECTIVE_EMPTY"},
	} {
		r := run(t, Plan{App: a, Scenarios: list, Models: simulators(t, a, list, name), PerEndpoint: 1})
		if m := r.Models[0]; m.OK != want.ok || m.Attempts != want.requests ||
			want.code != "" && r.Failures[0].Code != want.code {
			t.Errorf("%s: %d right in %d requests, want %+v; %+v", name, m.OK, m.Attempts, want, r.Failures)
		}
		for _, d := range r.Total.Drawn {
			if name == simGood && (d.Frame.Messages < 4 || d.Frame.Bytes < 5000 || d.Screen != d.Frame ||
				d.Screen.Components <= d.Most) {
				t.Errorf("%s is sent %+v", d.Target, d)
			}
		}
	}
}

// TestModes: a mode uses its rung only, and what a model does not have is left
// out.
func TestModes(t *testing.T) {
	t.Parallel()
	a, list := demo(t)
	list = list[:4]
	p := Plan{App: a, Scenarios: list, Models: simulators(t, a, list, simGood, "not_found"), Modes: []Mode{Ladder, JSONSchema, JSONObject, PromptOnly}, Trials: 2}
	none := &Model{Name: "none", Model: narrowed{p.Models[0].Model, PromptOnly.narrow(p.Models[0].Capabilities())}}
	p.Models = append(p.Models, none)
	r := run(t, p)
	type rung struct {
		model string
		mode  Mode
		n     int
	}
	var got []rung
	for _, m := range r.Models {
		got = append(got, rung{m.Model, m.Mode, m.Attempts})
	}
	want := []rung{{"sim:good", Ladder, 8}, {"sim:good", JSONSchema, 8}, {"sim:good", JSONObject, 8},
		{"sim:good", PromptOnly, 8},
		{"sim:not_found", Ladder, 24}, {"sim:not_found", JSONSchema, 16}, {"sim:not_found", JSONObject, 16}, {"sim:not_found", PromptOnly, 8},
		{"none", Ladder, 8}, {"none", PromptOnly, 8}}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(rung{})); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
	if r.Want != 80 || r.Total.OK != 80 {
		t.Errorf("%d of %d, want 80 of 80", r.Total.OK, r.Want)
	}
}

// narrowed is a model that is said to understand less than it does.
type narrowed struct {
	llm.Model
	caps llm.Capabilities
}

// Capabilities implements llm.Capable.
func (n narrowed) Capabilities() llm.Capabilities { return n.caps }

// TestRequire: with a semantic repair a model that forgets says it after all.
func TestRequire(t *testing.T) {
	t.Parallel()
	a, list := demo(t)
	list = slices.DeleteFunc(list, func(sc Scenario) bool { return len(sc.Want) == 0 })
	for _, tt := range []struct {
		require bool
		code    ui.Code
		n       int // requests
	}{{false, CodeMissing, 1}, {true, "DIRECTIVE_REQUIRED", 2}} {
		r := run(t, Plan{App: a, Scenarios: list[:1], Models: simulators(t, a, list, simMute), Require: tt.require})
		if r.Failures[0].Code != tt.code || r.Total.Attempts != tt.n {
			t.Errorf("require %v: %s in %d requests, want %s in %d", tt.require, r.Failures[0].Code, r.Total.Attempts,
				tt.code, tt.n)
		}
	}
}

// TestCost: tokens and dollars are those the server says; a server that says
// nothing is estimated.
func TestCost(t *testing.T) {
	t.Parallel()
	a, list := demo(t)
	ms := simulators(t, a, list, simGood, simScript)
	ms[0].Price = llm.Price{In: 1_000_000, CachedIn: 500_000, Out: 2_000_000}
	r := run(t, Plan{App: a, Scenarios: list[:2], Models: ms})
	if m := r.Models[0]; m.Usage != (Tokens{In: 22, CachedIn: 8, Out: 14}) || m.Cost != 14+4+28 || m.Unpriced ||
		m.Estimated != 0 {
		t.Errorf("%+v", m)
	}
	if m := r.Models[1]; m.Usage.In < 1000 || m.Usage.Out == 0 || !m.Unpriced || m.Estimated != 2 {
		t.Errorf("%+v", m)
	}
	if !r.Total.Unpriced || dollars(r.Total) != "above $46.0000" {
		t.Errorf("total %s", dollars(r.Total))
	}
}

// TestHTML: the page is well formed, loads nothing, says the figures, and shows
// what models and files say as text.
func TestHTML(t *testing.T) {
	t.Parallel()
	a, list := demo(t)
	evil := "<script>alert('A NAME WITHOUT END')</script>"
	ms := simulators(t, a, list, simGood, simMute)
	ms[1].Name = evil
	p := Plan{App: a, Scenarios: list, Models: ms}
	var results []Result
	if _, err := p.Run(t.Context(), nil, func(r Result) error {
		r.Answer = evil
		results = append(results, r)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	report := Score(p, results, []Stop{{Model: evil, Why: evil}})
	page := HTML(report)
	if bytes.Contains(page, []byte("<script")) || bytes.Contains(page, []byte("ZgotmplZ")) {
		t.Error("text became markup, or was replaced")
	}
	ids := map[string]int{}
	z := html.NewTokenizer(bytes.NewReader(page))
	for z.Next() != html.ErrorToken {
		tok := z.Token()
		for _, at := range tok.Attr {
			switch {
			case at.Key == "src" || at.Key == "href" || at.Key == "srcset" || strings.Contains(at.Val, "url("):
				t.Errorf("the page loads %s", tok)
			case at.Key == "id":
				ids[at.Val]++
			}
		}
	}
	for id, n := range ids {
		if n != 1 {
			t.Errorf("id %s stands %d times", id, n)
		}
	}
	for _, want := range []string{"66 of 66 trials", "60.6 %", "EVAL_DIRECTIVE_MISSING", "prefers-color-scheme: dark",
		"chat-injection"} {
		if !bytes.Contains(page, []byte(want)) {
			t.Errorf("%q is not on the page", want)
		}
	}
	if empty := HTML(Score(p, nil, nil)); !bytes.Contains(empty, []byte("No trial was made.")) {
		t.Error("an empty report")
	}
	var back Report
	b, err := json.Marshal(report)
	if err == nil {
		err = json.Unmarshal(b, &back)
	}
	if err != nil || back.Total.OK != 40 || len(back.Scenarios) != 66 {
		t.Errorf("JSON: %v, %+v", err, back.Total)
	}
}

func TestPercentiles(t *testing.T) {
	t.Parallel()
	var list []float64
	for i := range 100 {
		list = append(list, float64(i+1))
	}
	if a, b, c := percentile(list, 50), percentile(list, 95), percentile(list[:1], 95); a != 50 || b != 95 || c != 1 {
		t.Errorf("%v %v %v", a, b, c)
	}
	// the interval of 8 of 10, as in the literature
	if low, high := wilson(8, 10); low < 0.4901 || low > 0.4903 || high < 0.9432 || high > 0.9434 {
		t.Errorf("%v–%v", low, high)
	}
}
