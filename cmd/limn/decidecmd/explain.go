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
	s.line("why", d.Why())
	s.line("gate", gate(d, state))
	var which []string
	for _, n := range d.Which {
		which = append(which, string(n))
	}
	s.line("means", strings.Join(which, ", "))
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
	case len(d.Which) > 1:
		return "ask which one to " + string(d.Control)
	case len(d.Which) == 1:
		return string(d.Control) + " what is open"
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
