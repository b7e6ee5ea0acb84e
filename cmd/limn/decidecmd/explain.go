package decidecmd

import (
	"cmp"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/limn-ui/limn/cmd/limn/term"
	"github.com/limn-ui/limn/internal/eval"
	"github.com/limn-ui/limn/internal/route"
	"github.com/limn-ui/limn/ui"
)

// reasons has the explanation of every rule of package route, by its id.
var reasons = map[string]string{
	"control.opt_out":   "the user wants this tool no more, or none of them",
	"control.opt_in":    "the user wants the tools again",
	"control.cancel":    "the user dismisses the open tool",
	"control.resume":    "the user wants to see the open tool again",
	"control.decline":   "the user dismisses what is open or asked, and may want it no more",
	"control.prefer":    "the user prefers this tool where either would do",
	"control.rule":      "the user states a rule of their own: it is kept once they confirm it",
	"control.rule_yes":  "the user confirms the rule asked about",
	"control.rule_no":   "the user does not want the rule asked about",
	"control.rule_full": "the user has as many rules as there may be",

	"gate.open":          "a tool is open: no other opens and nothing is asked until it is submitted or cancelled",
	"gate.opt_out_all":   "the user has opted out of all tools",
	"gate.cancel_streak": "the user has cancelled twice in a row: this turn is chat",
	"gate.opt_out_tool":  "the user has opted out of the only tool that fits",

	"model.tool":    "the routing model proposes this tool, and no gate is closed",
	"model.clarify": "the routing model proposes to ask",
	"model.chat":    "the routing model sees no tool, or is not sure enough",

	"guardrail.force":    "a rule of the user's own opens this tool",
	"guardrail.suppress": "a rule of the user's own keeps the only tool that fits closed",

	"pending.count":   "the answer to the question is a count of three or more",
	"pending.yes":     "the answer to the question is yes",
	"pending.no":      "the answer to the question is no",
	"pending.unclear": "the message does not answer the question, and a second one is not asked",

	"hard.explicit_request": "the message asks for this tool by name",
	"hard.workflow":         "two or more actions follow one another",
	"hard.pasted":           "the message holds three or more rows or items",
	"hard.list_size":        "the message counts three or more things to be listed",
	"hard.bulk":             "the message speaks of bulk entry, a spreadsheet or pasting a list",
	"hard.workflow_noun":    "the message names an approval process, a pipeline or migration steps",
	"hard.inferred_list":    "the message lists three or more things by name",

	"soft.roles_process": "two or more roles and a process are named, its steps are not",
	"soft.noun_no_count": "things to be listed are named, how many there are is not",
	"soft.process":       "a process is named, its steps are not",

	"learned.map":   "messages like this one tell a process, though no rule found one",
	"learned.table": "messages like this one hand over records, though no rule found any",

	"chat.learned":            "a rule found something, but messages like this one want an answer in words",
	"chat.hypothetical":       "the message supposes something: nothing is to be captured",
	"chat.invalid_params":     "the table the application declared for this cannot be shown",
	"chat.explain":            "the message asks for an explanation or advice",
	"chat.assistant_produces": "the list is to come from the assistant, not from the user",
	"chat.single_item":        "the message is about a single item",
	"chat.negation":           "the message itself rules the tool out",
	"chat.small_count":        "one or two items are no list",
	"chat.greeting":           "the message greets or thanks",
	"chat.nonlist_number":     "its numbers are no list size: times, money, versions and the like",
	"chat.statement":          "nothing in the message calls for a tool",
}

// facts prints names and values, a line each.
type facts struct {
	w     io.Writer
	style term.Style
}

// line prints a text under a name; a long one goes on below itself.
func (s facts) line(name, text string) {
	const indent = 12
	if text == "" {
		return
	}
	head, wide := fmt.Sprintf("  %-*s", indent-2, name), max(20, s.style.Width-indent)
	for rest := term.Clean(text); rest != ""; head = strings.Repeat(" ", indent) {
		part, more := term.KeepFirst(rest, wide)
		if cut := strings.LastIndexByte(part, ' '); more && cut > 0 {
			part = part[:cut]
		}
		rest = strings.TrimLeft(rest[len(part):], " ")
		fmt.Fprintln(s.w, strings.TrimRight(head+part, " "))
	}
}

// explain prints a decision for people.
func explain(w io.Writer, style term.Style, d route.Decision, state ui.Router) {
	s := facts{w, style}
	fmt.Fprintf(w, "%s, confidence %s\n", style.Paint(term.Bold, headline(d)),
		strconv.FormatFloat(d.Confidence, 'f', 2, 64))
	s.line("why", why(d))
	s.line("gate", gate(d, state))
	s.line("asks", d.Ask(nil))
	if d.Candidate != "" {
		s.line("then", "a fitting answer opens "+d.Candidate)
	}
	if d.Params != nil {
		s.params(d.Params)
	}
	s.line("remembers", kept(d))
	if d.Open {
		s.line("open", "no rule fired: a routing model may be asked, if there is one")
	}
	if len(d.Ignored) > 0 {
		s.line("ignored", "rules that cannot be used: "+strings.Join(d.Ignored, ", "))
	}
}

func headline(d route.Decision) string {
	switch {
	case d.Resumed:
		return "show " + d.Tool + " again"
	case d.Action == route.ActionTool:
		return "open " + d.Tool
	case d.Action == route.ActionClarify:
		return "ask one question"
	}
	return "chat"
}

// kept is the part that the conversation remembers.
func kept(d route.Decision) string {
	switch d.Control {
	case route.ControlOptOut:
		return named(d.OptOut) + " stays closed until the user asks for it again"
	case route.ControlOptIn:
		return named(d.OptOut) + " may open again"
	case route.ControlPrefer:
		return named(d.OptOut) + " where either would do"
	case route.ControlRuleYes:
		return "the rule"
	}
	return ""
}

func named(tool string) string { return cmp.Or(tool, "every tool") }

// gate says what keeps a tool closed.
func gate(d route.Decision, state ui.Router) string {
	switch eval.Trigger(d) {
	case "gate.open":
		return "closed: " + named(state.LastTool) + " is open"
	case "gate.opt_out_all":
		return "closed: every tool is opted out" + until(state.OptOut.Expires)
	case "gate.opt_out_tool":
		if out := state.OptOut.Tools; len(out) > 0 {
			return "closed: " + strings.Join(out, ", ") + " opted out" + until(state.OptOut.Expires)
		}
		return "closed: " + strings.Join(state.OptOut.Once, ", ") + " for this message"
	case "gate.cancel_streak":
		return "closed: " + term.Count(state.Cancels, "cancel") + " in a row"
	}
	return ""
}

func until(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return " until " + at.UTC().Format("2006-01-02 15:04 MST")
}

func (s facts) params(p *route.Params) {
	if t := p.Table; t != nil {
		columns := make([]string, len(t.Columns))
		for i, f := range t.Columns {
			columns[i] = describe(f)
		}
		s.line("title", t.Title)
		s.line("columns", strings.Join(columns, ", "))
		s.line("rows", fmt.Sprintf("at least %d to submit, %d at first", t.MinRows, t.StarterRows))
		if t.Stated > 0 {
			about := ""
			if t.Approx {
				about = "about "
			}
			s.line("stated", about+strconv.Itoa(t.Stated))
		}
		s.line("input", strings.Join(t.InputModes, ", "))
		s.line("summary", t.SummaryPrompt)
	}
	if m := p.Map; m != nil {
		s.line("title", m.Title)
		s.line("fields", strings.Join(m.RequiredFields, ", "))
		s.line("edges", strings.Join(m.EdgeTypes, ", "))
		s.line("steps", fmt.Sprintf("at least %d to submit", m.MinSteps))
		s.line("seeds", strings.Join(m.SeedNodes, "; "))
	}
}

// describe is a column as --columns takes it.
func describe(f ui.Field) string {
	text := f.Title()
	if kind := eval.TypeName(f.Type); kind != "text" {
		text += ":" + kind
	}
	if len(f.Options) > 0 {
		text += "(" + strings.Join(values(f), "|") + ")"
	}
	if f.Required {
		text += "!"
	}
	return text
}

// values lists what may be chosen.
func values(f ui.Field) (list []string) {
	for _, o := range f.Options {
		list = append(list, o.Value)
	}
	return list
}

// why is the rule, its figures and its sentence.
func why(d route.Decision) string {
	id, figures, _ := strings.Cut(d.Rationale, ":")
	if figures != "" {
		figures = " (" + figures + ")"
	}
	return id + figures + ": " + reasons[id]
}
