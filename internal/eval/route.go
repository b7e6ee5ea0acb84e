package eval

import (
	"strings"
	"time"

	"github.com/limn-ui/limn/internal/route"
	"github.com/limn-ui/limn/ui"
)

// RouteCase is a line of a router set. Only ID and Message are needed to decide;
// ScoreRoute looks at the rest.
type RouteCase struct {
	ID       string      `json:"id"`
	Message  *string     `json:"message"`
	Category string      `json:"category"`
	Lang     string      `json:"lang"`
	State    State       `json:"state"`
	Open     []string    `json:"open"` // see OpenOf
	Expect   RouteExpect `json:"expect"`
}

// RouteExpect is the label of a RouteCase. A nil MinCount is not scored.
type RouteExpect struct {
	Action      string   `json:"action"`
	ActionAny   []string `json:"action_any"`
	Tool        string   `json:"tool_name"`
	Candidate   string   `json:"candidate_tool"`
	ToolAny     []string `json:"tool_any"`
	MinCount    *int     `json:"min_count"`
	MinCountAny []int    `json:"min_count_any"`
	Trigger     string   `json:"trigger"`
	Control     string   `json:"control"` // of a case with Open: "submit", "cancel", or "" for neither
}

func (c RouteCase) check() *ui.Error {
	switch {
	case c.ID == "":
		return &ui.Error{Code: CodeLine, Path: "id", Message: "there is no id", Hint: `{"id":"a1","message":"…"}`}
	case c.Message == nil:
		return &ui.Error{Code: CodeLine, Path: "message", Message: "there is no message",
			Hint: `{"id":"a1","message":"…"}`}
	}
	return nil
}

// Routed is the router's decision about one message, as score_router.py reads it.
// Tool is null unless Action is tool; MinCount is min_rows or min_steps.
type Routed struct {
	ID         string  `json:"id"`
	Action     string  `json:"action"`
	Tool       *string `json:"tool_name"`
	MinCount   *int    `json:"min_count"`
	Confidence float64 `json:"confidence"`
	Trigger    string  `json:"trigger"` // the id of the rule
}

// Decide routes the message of the case.
func (c RouteCase) Decide(now time.Time) Routed {
	return routed(c.ID, route.Decide(*c.Message, c.State.Router, route.Prefs{Open: OpenOf(c.Open)}, now))
}

// OpenOf returns open surfaces by their titles: "Customer" is a form, "table: Risks" a
// table.
func OpenOf(titles []string) (open []route.Open) {
	for _, t := range titles {
		kind, title, ok := strings.Cut(t, ":")
		if kind = strings.TrimSpace(kind); !ok || kind != "form" && kind != "table" && kind != "map" && kind != "view" {
			kind, title = "form", t
		}
		title = strings.TrimSpace(title)
		open = append(open, route.Open{Surface: ui.Name(kind + ":" + title), Kind: kind, Title: title,
			Submit: "Submit", Cancel: "Cancel"})
	}
	return open
}

// control is the order that a prediction found about open surfaces, or "".
func (c RouteCase) control(p Routed) string {
	if name, ok := strings.CutPrefix(p.Trigger, "control."); ok && len(c.Open) > 0 &&
		(name == string(route.ControlSubmit) || name == string(route.ControlCancel)) {
		return name
	}
	return ""
}

func routed(id string, d route.Decision) Routed {
	r := Routed{ID: id, Action: string(d.Action), Confidence: d.Confidence, Trigger: Trigger(d)}
	if d.Tool != "" {
		r.Tool = &d.Tool
	}
	switch p := d.Params; {
	case p == nil:
	case p.Table != nil:
		r.MinCount = &p.Table.MinRows
	case p.Map != nil:
		r.MinCount = &p.Map.MinSteps
	}
	return r
}

// Trigger is the id of the rule of a decision: its rationale without the
// figures.
func Trigger(d route.Decision) string {
	id, _, _ := strings.Cut(d.Rationale, ":")
	return id
}
