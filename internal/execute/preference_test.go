package execute

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/limn-ui/limn/internal/route"
	"github.com/limn-ui/limn/ui"
)

func ptr[T any](v T) *T { return &v }

func TestPreference(t *testing.T) {
	t.Parallel()
	rule := ui.Guardrail{ID: "mine", Pattern: "risk", Action: route.SuppressTool, Tool: ui.ToolTable, Enabled: true}
	kept := rule
	kept.Created = "2026-11-20T12:00:00Z"
	asked := ui.Router{LastTool: ui.ToolMap, LastStatus: ui.StatusCompleted, Cancels: 1,
		Pending: &ui.Pending{Tool: ui.ToolTable, Subject: "risk"}, Guardrails: []ui.Guardrail{kept}}
	for _, tt := range []struct {
		name string
		p    ui.Preference
		want func(*ui.Router)
		path ui.Path
	}{
		{"nothing opens", ui.Preference{OptOut: &ui.OptOut{All: true}}, func(r *ui.Router) { r.OptOut.All, r.Pending = true, nil }, ""},
		{"no maps until one", ui.Preference{OptOut: &ui.OptOut{Tools: []string{ui.ToolMap}, Expires: noon.Add(time.Hour).In(time.FixedZone("", 3600))}},
			func(r *ui.Router) { r.OptOut.Tools, r.OptOut.Expires = []string{ui.ToolMap}, noon.Add(time.Hour) }, ""},
		{"no table for the next message", ui.Preference{OptOut: &ui.OptOut{Once: []string{ui.ToolTable}}}, func(r *ui.Router) { r.OptOut.Once, r.Pending = []string{ui.ToolTable}, nil }, ""},
		{"in one order", ui.Preference{OptOut: &ui.OptOut{Tools: []string{ui.ToolMap, ui.ToolTable}}}, func(r *ui.Router) { r.OptOut.Tools, r.Pending = []string{ui.ToolTable, ui.ToolMap}, nil }, ""},
		{"everything opens", ui.Preference{OptOut: &ui.OptOut{Expires: noon.Add(time.Hour)}}, func(*ui.Router) {}, ""},
		{"maps are preferred", ui.Preference{Preferred: ptr(ui.ToolMap)}, func(r *ui.Router) { r.Preferred = ui.ToolMap }, ""},
		{"nothing is preferred", ui.Preference{Preferred: ptr("")}, func(*ui.Router) {}, ""},
		{"rounds", ui.Preference{Iterations: map[string]int{ui.ToolMap: 0, ui.ToolTable: 10}}, func(r *ui.Router) { r.MaxIterations = map[string]int{ui.ToolMap: 0, ui.ToolTable: 10} }, ""},
		{"the app's rounds", ui.Preference{Iterations: map[string]int{}}, func(r *ui.Router) { r.MaxIterations = map[string]int{} }, ""},
		{"another rule", ui.Preference{SetRule: &ui.Guardrail{Pattern: "x", Action: route.ForceTool, Tool: ui.ToolMap}}, func(r *ui.Router) {
			r.Guardrails = append(slices.Clone(r.Guardrails), ui.Guardrail{ID: "g1", Pattern: "x", Action: route.ForceTool, Tool: ui.ToolMap, Created: kept.Created})
		}, "/guardrails/g1"},
		{"the rule off", ui.Preference{SetRule: &ui.Guardrail{ID: "mine"}}, func(r *ui.Router) {
			off := kept
			off.Enabled = false
			r.Guardrails = []ui.Guardrail{off}
		}, "/guardrails/mine"},
		{"no rule", ui.Preference{DropRule: "mine"}, func(r *ui.Router) { r.Guardrails = []ui.Guardrail{} }, ""},
	} {
		s := &ui.State{V: 1, Router: asked}
		step, err := Preference(env(t), s, &tt.p)
		if err != nil || len(step.Ops) != 1 || step.Outcome != (ui.Outcome{Kind: ui.OutcomeDone, Path: tt.path}) {
			t.Errorf("%s: %v %+v", tt.name, err, step)
			continue
		}
		want := asked
		tt.want(&want)
		if got := step.Ops[0].(*ui.Set).Router; !reflect.DeepEqual(got, want) {
			t.Errorf("%s:\n%+v, want\n%+v", tt.name, got, want)
		}
	}
}

func TestPreferenceRefused(t *testing.T) {
	t.Parallel()
	rule := func(change func(*ui.Guardrail)) ui.Preference {
		g := ui.Guardrail{Pattern: "risk", Action: route.SuppressTool, Tool: ui.ToolTable}
		change(&g)
		return ui.Preference{SetRule: &g}
	}
	full := &ui.State{V: 1}
	for i := range 50 {
		full.Router.Guardrails = append(full.Router.Guardrails,
			ui.Guardrail{ID: fmt.Sprint("r", i), Pattern: "x", Action: route.ForceTool, Tool: ui.ToolMap})
	}
	for _, tt := range []struct {
		name string
		p    ui.Preference
		code ui.Code
		path string
	}{
		{"nothing", ui.Preference{}, CodePreference, ""},
		{"two at once", ui.Preference{DropRule: "r1", Preferred: ptr("")}, CodePreference, ""},
		{"an unknown tool", ui.Preference{OptOut: &ui.OptOut{Tools: []string{ui.ToolMap, "request_form"}}}, CodePreference, "/tools/1"},
		{"an unknown tool this turn", ui.Preference{OptOut: &ui.OptOut{Once: []string{""}}}, CodePreference, "/this_turn/0"},
		{"a tool twice", ui.Preference{OptOut: &ui.OptOut{Tools: []string{ui.ToolMap, ui.ToolMap}}}, CodePreference, "/tools/1"},
		{"an expiry that is over", ui.Preference{OptOut: &ui.OptOut{All: true, Expires: noon.Add(-time.Second)}}, CodePreference, "/expires_at"},
		{"an expiry that is now", ui.Preference{OptOut: &ui.OptOut{All: true, Expires: noon}}, CodePreference, "/expires_at"},
		{"an expiry nobody can write", ui.Preference{OptOut: &ui.OptOut{All: true, Expires: noon.AddDate(9000, 0, 0)}}, CodePreference, "/expires_at"},
		{"a preferred form", ui.Preference{Preferred: ptr("form")}, CodePreference, "/tool"},
		{"eleven rounds", ui.Preference{Iterations: map[string]int{ui.ToolMap: 11}}, CodePreference, "/" + ui.ToolMap},
		{"minus one round", ui.Preference{Iterations: map[string]int{ui.ToolMap: -1}}, CodePreference, "/" + ui.ToolMap},
		{"rounds of nothing", ui.Preference{Iterations: map[string]int{"x": 1}}, CodePreference, ""},
		{"no pattern", rule(func(g *ui.Guardrail) { g.Pattern = "" }), route.CodeGuardrail, "/intent_pattern"},
		{"no regular expression", rule(func(g *ui.Guardrail) { g.Pattern = "(" }), route.CodeGuardrail, "/intent_pattern"},
		{"a back reference", rule(func(g *ui.Guardrail) { g.Pattern = `(a)\1` }), route.CodeGuardrail, "/intent_pattern"},
		{"a long pattern", rule(func(g *ui.Guardrail) { g.Pattern = strings.Repeat("x", 257) }), route.CodeGuardrail, "/intent_pattern"},
		{"a pattern of 1 MB", rule(func(g *ui.Guardrail) { g.Pattern = strings.Repeat("x", 1<<20) }), route.CodeGuardrail, "/intent_pattern"},
		{"a pattern that repeats too much", rule(func(g *ui.Guardrail) { g.Pattern = strings.Repeat("x{1000}", 36) }), route.CodeGuardrail, "/intent_pattern"},
		{"another action", rule(func(g *ui.Guardrail) { g.Action = "never" }), route.CodeGuardrail, "/action"},
		{"another tool", rule(func(g *ui.Guardrail) { g.Tool = "x" }), route.CodeGuardrail, "/tool"},
		{"a strange id", rule(func(g *ui.Guardrail) { g.ID = "A/b" }), route.CodeGuardrail, "/id"},
		{"the 51st rule", rule(func(*ui.Guardrail) {}), route.CodeGuardrail, ""},
		{"switching a rule that is not there", ui.Preference{SetRule: &ui.Guardrail{ID: "none"}}, route.CodeRuleUnknown, "/id"},
		{"deleting a rule that is not there", ui.Preference{DropRule: "none"}, route.CodeRuleUnknown, "/id"},
	} {
		step, err := Preference(env(t), full, &tt.p)
		if e, ok := err.(*ui.Error); !ok || e.Code != tt.code || e.Path != tt.path || e.Message == "" ||
			len(step.Ops) > 0 {
			t.Errorf("%s: %v %+v, want %s %s", tt.name, err, step, tt.code, tt.path)
		}
	}
}

// TestPreferencesKeepRouterValid: whatever is asked for in whatever order, the
// state stays one that routing can use, and one that was refused changes nothing.
func TestPreferencesKeepRouterValid(t *testing.T) {
	t.Parallel()
	e := env(t)
	rapid.Check(t, func(t *rapid.T) {
		s := &ui.State{V: 1, ID: "c", Router: ui.Router{
			Pending: rapid.SampledFrom([]*ui.Pending{nil, {Tool: ui.ToolMap},
				{Tool: ui.ToolTable, Subject: "risk"}}).Draw(t, "pending")}}
		now := noon
		for range rapid.IntRange(1, 80).Draw(t, "events") {
			e.Now = now
			p := anyPreference(t, now)
			before := fmt.Sprintf("%+v", s.Router)
			step, err := Preference(e, s, p)
			if fmt.Sprintf("%+v", s.Router) != before {
				t.Fatalf("%+v changed the state it met", p)
			}
			if err != nil {
				if ui.CodeOf(err) == "" || len(step.Ops) > 0 {
					t.Fatalf("%+v: %v with %d ops", p, err, len(step.Ops))
				}
				continue
			}
			s = &ui.State{V: 1, ID: "c", Router: step.Ops[0].(*ui.Set).Router}
			valid(t, s)
			if o := s.Router.OptOut; p.OptOut != nil && !o.Expires.IsZero() &&
				(!o.Expires.After(now) || !o.All && len(o.Tools) == 0) {
				t.Fatalf("opt-out %+v at %v", o, now)
			}
			now = now.Add(time.Minute)
		}
	})
}

func anyPreference(t *rapid.T, now time.Time) *ui.Preference {
	tool := rapid.SampledFrom([]string{ui.ToolTable, ui.ToolMap, ui.ToolTable, ui.ToolMap, "", "x"})
	tools := rapid.SliceOfN(tool, 0, 3)
	id := rapid.SampledFrom([]string{"", "", "g1", "g2", "g3", "mine", "-"}).Draw(t, "id")
	switch rapid.IntRange(0, 6).Draw(t, "kind") {
	case 0:
		o := ui.OptOut{All: rapid.Bool().Draw(t, "all"), Tools: tools.Draw(t, "tools"), Once: tools.Draw(t, "once")}
		if rapid.Bool().Draw(t, "expires") {
			o.Expires = now.Add(time.Duration(rapid.IntRange(-3, 9).Draw(t, "in")) * time.Minute)
		}
		return &ui.Preference{OptOut: &o}
	case 1:
		return &ui.Preference{Preferred: ptr(tool.Draw(t, "tool"))}
	case 2:
		return &ui.Preference{Iterations: rapid.MapOfN(tool, rapid.IntRange(-1, 11), 0, 2).Draw(t, "rounds")}
	case 3:
		return &ui.Preference{DropRule: id}
	case 4:
		return &ui.Preference{SetRule: &ui.Guardrail{ID: id, Enabled: rapid.Bool().Draw(t, "on")}}
	}
	return &ui.Preference{SetRule: &ui.Guardrail{ID: id,
		Pattern: rapid.SampledFrom([]string{"risk", "(", "a|b", "x{1000}{2}"}).Draw(t, "pattern"),
		Action:  rapid.SampledFrom([]string{route.ForceTool, route.SuppressTool, "x"}).Draw(t, "action"),
		Tool:    tool.Draw(t, "tool"), Enabled: true}}
}

func valid(t *rapid.T, s *ui.State) {
	r := s.Router
	known := []string{ui.ToolTable, ui.ToolMap}
	for _, list := range [][]string{r.OptOut.Tools, r.OptOut.Once} {
		for i, tool := range list {
			if !slices.Contains(known, tool) || slices.Contains(list[:i], tool) {
				t.Fatalf("tools %q", list)
			}
		}
	}
	if p := r.Pending; p != nil && (r.OptOut.All || slices.Contains(r.OptOut.Tools, p.Tool) ||
		slices.Contains(r.OptOut.Once, p.Tool)) {
		t.Fatalf("a question about %s, which may not open", p.Tool)
	}
	if r.Preferred != "" && !slices.Contains(known, r.Preferred) {
		t.Fatalf("preferred %q", r.Preferred)
	}
	for tool, n := range r.MaxIterations {
		if !slices.Contains(known, tool) || n < 0 || n > 10 {
			t.Fatalf("%d rounds of %q", n, tool)
		}
	}
	for i, g := range r.Guardrails {
		if err := route.CheckGuardrail(g, i); err != nil || !ui.ValidKey(g.ID) || g.Created == "" {
			t.Fatalf("%+v: %v", g, err)
		}
		if slices.ContainsFunc(r.Guardrails[:i], func(o ui.Guardrail) bool { return o.ID == g.ID }) {
			t.Fatalf("two rules %q", g.ID)
		}
	}
	b, err := ui.Encode(s)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ui.DecodeState(b); err != nil {
		t.Fatalf("%v\n%s", err, b)
	}
}
