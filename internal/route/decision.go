package route

import (
	"strconv"
	"strings"

	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/ui"
)

// Action is what to do with a message.
type Action string

// The actions.
const (
	ActionTool    Action = "tool"
	ActionClarify Action = "clarify"
	ActionChat    Action = "chat"
)

// Control is a command of the user about the tools themselves.
type Control string

// The controls. The zero value means none. Each has a text control.… in
// ui.Words, but resume and submit.
const (
	ControlOptOut   Control = "opt_out"
	ControlOptIn    Control = "opt_in"
	ControlCancel   Control = "cancel"
	ControlSubmit   Control = "submit"
	ControlDecline  Control = "decline" // cancel, and "don't ask again": Question asks whether to opt out
	ControlResume   Control = "resume"
	ControlPrefer   Control = "prefer"
	ControlRule     Control = "rule"      // a rule of the user's own: Question asks whether to keep it
	ControlRuleYes  Control = "rule_yes"  // the rule asked about is kept
	ControlRuleNo   Control = "rule_no"   // it is dropped
	ControlRuleFull Control = "rule_full" // it would be one too many
)

// Decision is the answer of Decide. As JSON it has exactly the members action,
// tool_name, confidence, params and rationale; the rest is for the session.
type Decision struct {
	Action     Action
	Tool       string // ui.ToolTable or ui.ToolMap exactly when Action is tool, else ""
	Confidence float64
	Params     *Params // exactly when Action is tool
	Rationale  string  // a fixed id and integers, such as "hard.list_size:n=20"; never user text

	// key of ui.Words: clarify.count and clarify.map with Action clarify; rule.confirm,
	// optout.confirm, submit.which and cancel.which with their Control
	Question  string
	Candidate string // clarify: the tool a fitting answer opens
	// clarify.count: the noun asked about, singular; rule.confirm: the topic as the user wrote it
	Subject string
	Control Control       // what Next has to remember
	OptOut  string        // the tool Control is about; "" for all of them
	Rule    *ui.Guardrail // ControlRule: the rule, without an ID yet
	Which   []ui.Name     // the open surfaces that Control can mean, if it submits or cancels; several: Question
	Resumed bool          // the tool is the open one, to be shown again as it is
	Open    bool          // no rule fired and no gate is closed: a model may be asked (Admit)
	Denied  []string      // tools the message refuses for this turn: "don't show me a table"
	Ignored []string      // ids of guardrails that could not be used
}

// Ask is the question of the decision in words, "" without a question.
func (d Decision) Ask(words ui.Words) string {
	label := d.Items()
	switch {
	case d.Question == "":
		return ""
	case d.Control != "":
		label = words.Say(map[string]string{ui.ToolTable: "tool.table", ui.ToolMap: "tool.map",
			"": "tool.any"}[d.OptOut])
	}
	rule := ""
	if d.Rule != nil {
		key := "rule.force"
		if d.Rule.Action == SuppressTool {
			key = "rule.suppress"
		}
		rule = words.Say(key, "label", label, "list", d.Subject)
	}
	return words.Say(d.Question, "label", label, "list", rule)
}

// Items is the subject of a clarify.count question, in the plural: "risks", or "items"
// where the message names nothing.
func (d Decision) Items() string {
	if d.Subject == "" {
		return "items"
	}
	return plural(d.Subject)
}

// plural is the plural of an English noun.
func plural(n string) string {
	switch {
	case n == "person":
		return "people"
	case strings.HasSuffix(n, "y") && !strings.ContainsAny(n[max(0, len(n)-2):len(n)-1], "aeiou"):
		return n[:len(n)-1] + "ies"
	case strings.HasSuffix(n, "s"), strings.HasSuffix(n, "x"), strings.HasSuffix(n, "ch"), strings.HasSuffix(n, "sh"):
		return n + "es"
	}
	return n + "s"
}

// MarshalJSON writes the canonical form.
func (d Decision) MarshalJSON() ([]byte, error) { return d.AppendJSON(nil), nil }

// AppendJSON writes the canonical form into dst.
func (d Decision) AppendJSON(dst []byte) []byte {
	dst = append(dst, `{"action":`...)
	dst = jsonx.AppendString(dst, string(d.Action))
	dst = append(dst, `,"tool_name":`...)
	if d.Tool == "" {
		dst = append(dst, "null"...)
	} else {
		dst = jsonx.AppendString(dst, d.Tool)
	}
	dst = append(dst, `,"confidence":`...)
	dst = jsonx.AppendFloat(dst, d.Confidence)
	dst = append(dst, `,"params":`...)
	if d.Params == nil {
		dst = append(dst, "null"...)
	} else {
		dst = d.Params.AppendJSON(dst)
	}
	dst = append(dst, `,"rationale":`...)
	return append(jsonx.AppendString(dst, d.Rationale), '}')
}

// Params are the parameters of one tool: exactly one member is set.
type Params struct {
	Table *Table
	Map   *Map
}

// RationaleForm is the Rationale of a message that a form of the application is for.
const RationaleForm = "chat.form"

// Guessed reports a tool that no rule found: other messages like this one wanted it.
func (d Decision) Guessed() bool {
	return d.Action == ActionTool && strings.HasPrefix(d.Rationale, "learned.")
}

// RationaleExplicit is the Rationale of a message that asks for a tool by name.
const RationaleExplicit = "hard.explicit_request"

// Shows reports that the message asks for a tool by its name, and has nothing
// for it: no rows, steps or number of them.
func (d Decision) Shows() bool {
	if d.Rationale != RationaleExplicit || d.Params == nil {
		return false
	}
	m, t := d.Params.Map, d.Params.Table
	return m != nil && m.Stated == 0 && len(m.SeedNodes) == 0 || t != nil && t.Stated == 0 && t.Seed == ""
}

// AnyTitle is the title of a table whose rows have no name.
const AnyTitle = "List"

// Table are the parameters of request_data_table.
type Table struct {
	Title         string
	Columns       []ui.Field // types text, number, choice, date, url, email
	MinRows       int        // rows needed to submit, 1 to ui.Limits.Rows
	StarterRows   int        // blank rows shown at first, 3 to 20
	InputModes    []string   // paste, inline, import
	SummaryPrompt string
	Stated        int    // the count the user gave, 0 = none; for the low_coverage check, not in JSON
	Approx        bool   // the count was "about N"; not in JSON
	Seed          string // the part of the message that already holds rows, "" = none; not in JSON
}

// Map are the parameters of request_process_map.
type Map struct {
	Title          string
	RequiredFields []string
	EdgeTypes      []string
	MinSteps       int // 2 to 200
	SeedNodes      []string
	Stated         int // as Table.Stated
}

// MarshalJSON writes the parameters of the tool, in the seed's schema.
func (p *Params) MarshalJSON() ([]byte, error) { return p.AppendJSON(nil), nil }

// AppendJSON writes the parameters of the tool, in the seed's schema.
func (p *Params) AppendJSON(dst []byte) []byte {
	if p.Table != nil {
		return p.Table.appendJSON(dst)
	}
	if p.Map != nil {
		return p.Map.appendJSON(dst)
	}
	return append(dst, "null"...)
}

func (t *Table) appendJSON(dst []byte) []byte {
	dst = jsonx.AppendString(append(dst, `{"title":`...), t.Title)
	dst = append(dst, `,"columns":[`...)
	for i, f := range t.Columns {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = jsonx.AppendString(append(dst, `{"name":`...), f.Title())
		dst = jsonx.AppendString(append(dst, `,"type":`...), menuType(f.Type))
		dst = strconv.AppendBool(append(dst, `,"required":`...), f.Required)
		if len(f.Options) > 0 {
			values := make([]string, len(f.Options))
			for k, o := range f.Options {
				values[k] = o.Value
			}
			dst = jsonx.AppendStrings(append(dst, `,"options":`...), values)
		}
		dst = append(dst, '}')
	}
	dst = strconv.AppendInt(append(dst, `],"min_rows":`...), int64(t.MinRows), 10)
	dst = strconv.AppendInt(append(dst, `,"starter_rows":`...), int64(t.StarterRows), 10)
	dst = jsonx.AppendStrings(append(dst, `,"input_modes":`...), t.InputModes)
	dst = jsonx.AppendString(append(dst, `,"summary_prompt":`...), t.SummaryPrompt)
	return append(dst, '}')
}

// menuType maps a field type to the five of the tool menu (seed §6.1).
func menuType(t ui.FieldType) string {
	switch t {
	case ui.TypeNumber, ui.TypeDate, ui.TypeURL:
		return string(t)
	case ui.TypeChoice:
		return "enum"
	}
	return "text"
}

func (m *Map) appendJSON(dst []byte) []byte {
	dst = jsonx.AppendString(append(dst, `{"title":`...), m.Title)
	dst = jsonx.AppendStrings(append(dst, `,"required_fields":`...), m.RequiredFields)
	dst = jsonx.AppendStrings(append(dst, `,"edge_types":`...), m.EdgeTypes)
	dst = strconv.AppendInt(append(dst, `,"min_steps":`...), int64(m.MinSteps), 10)
	dst = jsonx.AppendStrings(append(dst, `,"seed_nodes":`...), m.SeedNodes)
	return append(dst, '}')
}
