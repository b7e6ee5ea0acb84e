package execute

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/limn-ui/limn/internal/route"
	"github.com/limn-ui/limn/ui"
)

// CodePreference: a preference that cannot be kept as it is.
const CodePreference ui.Code = "PREFERENCE_INVALID"

// maxIterations is how many rounds of correction anybody may ask for.
const maxIterations = 10

// CheckPreference checks everything that needs no State. Errors are
// CodePreference or route.CodeGuardrail; their path is within the member that
// is set, as the HTTP API takes it.
func CheckPreference(p *ui.Preference) error {
	set := 0
	for _, there := range []bool{p.OptOut != nil, p.Preferred != nil, p.Iterations != nil, p.SetRule != nil,
		p.DropRule != "", p.Language != ""} {
		if there {
			set++
		}
	}
	switch {
	case set != 1:
		return ui.Errorf(CodePreference, "", "want exactly one preference")
	case p.OptOut != nil:
		return checkOptOut(*p.OptOut)
	case p.Preferred != nil && *p.Preferred != "":
		return checkTool("/tool", *p.Preferred)
	case p.SetRule != nil:
		return checkRule(*p.SetRule)
	}
	for _, tool := range slices.Sorted(maps.Keys(p.Iterations)) {
		if err := checkTool("", tool); err != nil {
			return err
		}
		if n := p.Iterations[tool]; n < 0 || n > maxIterations {
			return ui.Errorf(CodePreference, "/"+tool, "want 0 to %d rounds", maxIterations)
		}
	}
	return nil
}

func checkOptOut(o ui.OptOut) error {
	if err := cmp.Or(checkTools("/tools", o.Tools), checkTools("/this_turn", o.Once)); err != nil {
		return err
	}
	if _, err := o.Expires.MarshalJSON(); err != nil {
		return &ui.Error{Code: CodePreference, Path: "/expires_at", Message: "not a time that can be written down",
			Err: err}
	}
	return nil
}

func checkTools(at string, tools []string) error {
	for i, tool := range tools {
		at := at + "/" + strconv.Itoa(i)
		if err := checkTool(at, tool); err != nil {
			return err
		}
		if slices.Contains(tools[:i], tool) {
			return ui.Errorf(CodePreference, at, "the tool stands twice")
		}
	}
	return nil
}

func checkTool(at, name string) error {
	if name == ui.ToolTable || name == ui.ToolMap {
		return nil
	}
	return &ui.Error{Code: CodePreference, Path: at, Message: "no such tool",
		Hint: "want " + ui.ToolTable + " or " + ui.ToolMap}
}

func checkRule(g ui.Guardrail) error {
	if g.ID != "" && !ui.ValidKey(g.ID) {
		return &ui.Error{Code: route.CodeGuardrail, Path: "/id", Message: "not an id of a rule",
			Hint: "want [a-z][a-z0-9_-]{0,63}"}
	}
	if route.OnlySwitches(g) {
		return nil
	}
	return rooted(route.CheckGuardrail(g, 0))
}

// rooted gives an error of a rule the path of a JSON body.
func rooted(err error) error {
	e, ok := err.(*ui.Error)
	if !ok || e.Path == "" || strings.HasPrefix(e.Path, "/") {
		return err
	}
	out := *e
	out.Path = "/" + e.Path
	return &out
}

// Preference changes the user's preferences of routing. The path
// of the outcome is /guardrails/<id> for a rule that was set. Errors are those
// of CheckPreference, and route.CodeRuleUnknown.
func Preference(env Env, s *ui.State, p *ui.Preference) (Step, error) {
	if err := CheckPreference(p); err != nil {
		return Step{}, err
	}
	r, step := s.Router, Step{Outcome: ui.Outcome{Kind: ui.OutcomeDone}}
	var err error
	switch {
	case p.OptOut != nil:
		err = optOut(&r, *p.OptOut, env.Now)
	case p.Preferred != nil:
		r.Preferred = *p.Preferred
	case p.Language != "":
		if !slices.Contains(env.App.Config().Languages, p.Language) {
			return Step{}, &ui.Error{Code: CodePreference, Path: "/language", Message: "the app has no such language",
				Hint: "want one of " + strings.Join(env.App.Config().Languages, ", ")}
		}
		r.Language = p.Language
	case p.Iterations != nil:
		r.MaxIterations = maps.Clone(p.Iterations)
	case p.SetRule != nil:
		var id string
		r.Guardrails, id, err = route.SetRule(r.Guardrails, *p.SetRule, env.Now)
		step.Outcome.Path = ui.Path("/guardrails/" + id)
	default:
		r.Guardrails, err = route.DropRule(r.Guardrails, p.DropRule)
	}
	if err != nil {
		return Step{}, rooted(err)
	}
	step.Ops = ui.Ops{&ui.Set{Router: r}}
	return step, nil
}

// optOut replaces the opt-outs. A question about a worksheet that may not open any
// more is not open any more either: its answer could lead nowhere.
func optOut(r *ui.Router, o ui.OptOut, now time.Time) error {
	if !o.Expires.IsZero() && !o.Expires.After(now) {
		return &ui.Error{Code: CodePreference, Path: "/expires_at", Message: "this time is over",
			Hint: "want a time in the future, or null"}
	}
	o.Tools, o.Once, o.Expires = sorted(o.Tools), sorted(o.Once), o.Expires.UTC()
	if !o.All && len(o.Tools) == 0 {
		o.Expires = time.Time{}
	}
	r.OptOut = o
	if r.Pending != nil && (o.All || slices.Contains(o.Tools, r.Pending.Tool) ||
		slices.Contains(o.Once, r.Pending.Tool)) {
		r.Pending = nil
	}
	return nil
}

// sorted is a copy in the one order that states have; nil when empty.
func sorted(list []string) []string {
	if len(list) == 0 {
		return nil
	}
	return slices.Sorted(slices.Values(list))
}
