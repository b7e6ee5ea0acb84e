package eval

import (
	"cmp"
	"slices"
	"strings"

	"github.com/limn-ui/limn/internal/route"
	"github.com/limn-ui/limn/ui"
)

// RouteScore counts as score_router.py does.
type RouteScore struct {
	N              int             `json:"n"`
	Action         int             `json:"action"`      // an accepted action
	ActionTool     int             `json:"action_tool"` // and an accepted tool
	Strict         int             `json:"strict"`      // and an accepted count
	FalseTool      int             `json:"false_tool"`  // a tool that is not accepted
	MissedTool     int             `json:"missed_tool"` // a tool was expected, the action is not accepted
	GateViolations int             `json:"gate_violations"`
	DoubleAsks     int             `json:"double_asks"`
	FalseSubmit    int             `json:"false_submit"` // submitted or canceled, though no one asks for it
	Categories     []RouteCategory `json:"categories"`   // in the order they come up
	Confusion      Confusion       `json:"confusion"`
	Failures       []RouteFailure  `json:"failures"` // not strict
}

// RouteCategory counts the cases of one category.
type RouteCategory struct {
	Name       string `json:"name"`
	N          int    `json:"n"`
	ActionTool int    `json:"action_tool"`
	Strict     int    `json:"strict"`
}

// RouteFailure is a case that is not right.
type RouteFailure struct {
	ID       string `json:"id"`
	Category string `json:"category"`
	Message  string `json:"message"`
	Want     string `json:"want"` // "table 20", "map", "clarify", "chat"
	Got      string `json:"got"`
	Trigger  string `json:"trigger"`
}

// ScoreRoute scores predictions against their cases, by id; of several with one
// id the last counts. A case without a prediction is wrong.
func ScoreRoute(cases []RouteCase, predictions []Routed) RouteScore {
	by := make(map[string]Routed, len(predictions))
	for _, p := range predictions {
		by[p.ID] = p
	}
	out := RouteScore{Categories: []RouteCategory{}, Failures: []RouteFailure{}}
	categories := map[string]int{}
	for _, c := range cases {
		x, p := c.Expect, by[c.ID]
		opens := p.Action == string(route.ActionTool)
		control := c.control(p)
		action := (p.Action == x.Action || slices.Contains(x.ActionAny, p.Action)) && control == x.Control
		right := action && (!opens || acceptedTool(x, p.Tool))
		strict := right && acceptedCount(x, p)

		out.N++
		count(&out.Action, action)
		count(&out.ActionTool, right)
		count(&out.Strict, strict)
		count(&out.FalseTool, opens && !right)
		count(&out.MissedTool, x.Action == string(route.ActionTool) && !action)
		count(&out.GateViolations, opens && strings.HasPrefix(x.Trigger, "gate."))
		count(&out.FalseSubmit, control != "" && control != x.Control)
		count(&out.DoubleAsks, c.State.Pending != nil && p.Action == string(route.ActionClarify))

		at, seen := categories[c.Category]
		if !seen {
			at = len(out.Categories)
			categories[c.Category] = at
			out.Categories = append(out.Categories, RouteCategory{Name: c.Category})
		}
		count(&out.Categories[at].N, true)
		count(&out.Categories[at].ActionTool, right)
		count(&out.Categories[at].Strict, strict)

		out.Confusion.add(cmp.Or(x.Control, outcome(x.Action, &x.Tool, nil)),
			cmp.Or(control, outcome(p.Action, p.Tool, nil)))
		if !strict {
			out.Failures = append(out.Failures,
				RouteFailure{c.ID, c.Category, *c.Message, cmp.Or(x.Control, outcome(x.Action, &x.Tool, x.MinCount)),
					cmp.Or(control, outcome(p.Action, p.Tool, p.MinCount)), p.Trigger})
		}
	}
	return out
}

func acceptedTool(x RouteExpect, tool *string) bool {
	if tool == nil || *tool == "" {
		return false
	}
	if len(x.ToolAny) > 0 {
		return slices.Contains(x.ToolAny, *tool)
	}
	return *tool == x.Tool || *tool == x.Candidate
}

func acceptedCount(x RouteExpect, p Routed) bool {
	if p.Action != string(route.ActionTool) || x.Action != string(route.ActionTool) || x.MinCount == nil {
		return true
	}
	return p.MinCount != nil && (*p.MinCount == *x.MinCount || slices.Contains(x.MinCountAny, *p.MinCount))
}

// outcome names an action for people: the tool instead of "tool", and its count.
func outcome(action string, tool *string, n *int) string {
	if action == "" {
		return "nothing"
	}
	if action != string(route.ActionTool) || tool == nil {
		return action
	}
	name := *tool
	switch name {
	case ui.ToolTable:
		name = "table"
	case ui.ToolMap:
		name = "map"
	}
	if n != nil {
		name += " " + itoa(*n)
	}
	return name
}
