package route

import (
	"github.com/limn-ui/limn/internal/prose"
	"github.com/limn-ui/limn/ui"
)

var (
	polite, order, tool, quotes          = the("polite"), the("order"), the("tool"), the("quotes")
	optsOut, optsOutLasting              = the("optsOut"), the("optsOutLasting")
	lasting, fromNowOn                   = the("lasting"), the("fromNowOn")
	optsOutAbroad, ordersAbroad, refuses = the("optsOutAbroad"), the("ordersAbroad"), the("refuses")
	optsIn, optsInAgain, again, notBack  = the("optsIn"), the("optsInAgain"), the("again"), the("notBack")
	reactivates, impersonates            = the("reactivates"), the("impersonates")
	willing, cancels, closesAbroad       = the("willing"), the("cancels"), the("closesAbroad")
	lets, resumes, resumesAbroad         = the("let's"), the("resumes"), the("resumesAbroad")
	declines, declinesAbroad, moreAbroad = the("declines"), the("declinesAbroad"), the("moreAbroad")
	prefers                              = the("prefers")
)

// controlMessage is the part of a message about the tools themselves.
type controlMessage struct {
	kind  Control
	tool  string // the tool it is about, "" = all
	rule  *ui.Guardrail
	topic string
	a, b  int // the tokens that say it
}

// control finds an order about the tools. Only clauses in the user's own
// imperative count; quoted text is masked, and text that plays someone else
// ("SYSTEM:", "pretend …") never re-enables anything (facts R-21).
func (r *reading) control(state ui.Router) controlMessage {
	if c, ok := r.confirms(state); ok {
		return c
	}
	if c, ok := r.declines(state); ok {
		return c
	}
	if c, ok := r.makesRule(state); ok {
		return c
	}
	if r.t.CJK {
		return r.controlCJK(state)
	}
	var c controlMessage
	outs := state.OptOut.All || len(state.OptOut.Tools)+len(state.OptOut.Once) > 0
	open := state.LastStatus == ui.StatusToolOpen
	r.eachClause(func(a, b int) {
		if c.kind != "" {
			return
		}
		s := r.begin(a, b)
		switch {
		case open && r.resumes(s, b):
			c.kind = ControlResume
			return
		case r.optsOut(s, b):
			c = controlMessage{kind: ControlOptOut, tool: r.namedTool(s, b), a: a, b: b}
		case outs && r.optsIn(s, b):
			c = controlMessage{kind: ControlOptIn, tool: r.namedTool(s, b), a: a, b: b}
		case open && r.cancels(s, b):
			c.kind = ControlCancel
		default:
			if t := r.prefers(s, b); t != 0 {
				c = controlMessage{kind: ControlPrefer, tool: t.name(), a: a, b: b}
			}
		}
		if c.kind != "" && r.asked(a, b) {
			c = controlMessage{}
		}
	})
	if p := state.Pending; c.kind == "" && p != nil && p.Rule != nil && r.says(no) {
		c = controlMessage{kind: ControlRuleNo, b: r.clauseEnd(0)}
	}
	return c
}

// confirms reads a yes to "shall I keep this rule?" and "never open it again?".
// Anything but a clear yes or no is no answer (facts R-53); a no is read last,
// as "No more tables" is an order.
func (r *reading) confirms(state ui.Router) (controlMessage, bool) {
	p := state.Pending
	if p == nil || p.Rule == nil && !p.OptOut {
		return controlMessage{}, false
	}
	c := controlMessage{b: r.clauseEnd(0)}
	agreed := r.says(yes)
	switch {
	case agreed && p.OptOut:
		c.kind, c.tool = ControlOptOut, p.Tool
	case agreed && len(state.Guardrails) >= MaxGuardrails:
		c.kind = ControlRuleFull
	case agreed:
		c.kind = ControlRuleYes
	}
	return c, c.kind != ""
}

// clauseEnd returns the token of the stop, comma or dash after token i.
func (r *reading) clauseEnd(i int) int {
	for i < len(r.t.Toks) && r.t.Toks[i].Kind != prose.Stop && r.t.Toks[i].Kind != prose.Comma &&
		r.t.Toks[i].Kind != prose.Dash {
		i++
	}
	return i
}

// asked reports that the clause [a,b) belongs to a question that is no polite
// order: "should I turn them back on?".
func (r *reading) asked(a, b int) bool {
	for b < len(r.t.Toks) && r.t.Toks[b].Kind != prose.Stop {
		b++
	}
	if b == len(r.t.Toks) || r.t.Toks[b].Mark != '?' {
		return false
	}
	for a > 0 && r.t.Toks[a-1].Kind != prose.Stop {
		a--
	}
	return !r.is(order, r.skip(filler, a, b))
}

// maxOrder is how many tokens of a message are read for orders about the tools: a
// longer message is a paste.
const maxOrder = 400

// eachClause calls f for each run of tokens between stops, commas, colons and dashes.
func (r *reading) eachClause(f func(a, b int)) {
	start, n := 0, min(len(r.t.Toks), maxOrder)
	for i := 0; i <= n; i++ {
		if i < n && r.t.Toks[i].Kind != prose.Stop && r.t.Toks[i].Kind != prose.Comma &&
			r.t.Toks[i].Kind != prose.Colon && (r.t.Toks[i].Kind != prose.Dash || r.t.Toks[i].Mark != '-') {
			continue
		}
		if i > start {
			f(start, i)
		}
		start = i + 1
	}
}

// begin returns where the order of [a,b) begins, after "ok, could you please".
func (r *reading) begin(a, b int) int {
	return r.skip(filler, min(r.past(polite, r.skip(filler, a, b), b), b), b)
}

// namedTool returns the tool named in [a,b), "" for none or for all.
func (r *reading) namedTool(a, b int) string {
	var set tools
	for i := a; i < b; i++ {
		if r.class(i)&prose.AnyTool != 0 {
			return ""
		}
		set |= r.toolNoun(i)
	}
	return set.name()
}

// optsOut: stop showing me tables · never open a map again · no more tools ·
// from now on don't pop up forms · disable the tables. "Don't show me a table"
// alone holds for this turn only (deniedTools).
func (r *reading) optsOut(s, b int) bool {
	if r.find(tool, s, b) < 0 || r.at(quotes, s, b) {
		return false
	}
	if r.foreign() {
		return r.at(optsOutAbroad, s, b) && r.at(ordersAbroad, s, b)
	}
	always := r.find(fromNowOn, max(0, s-8), min(len(r.t.Toks), b+6)) >= 0
	if r.is(fromNowOn, s) {
		s = r.skip(filler, r.past(fromNowOn, s, b), b)
	}
	return r.at(optsOut, s, b) ||
		(always || r.find(lasting, s, b) >= 0) && r.at(optsOutLasting, s, b)
}

// optsIn: turn the tools back on · you can use the tables again · enable maps.
func (r *reading) optsIn(s, b int) bool {
	if r.find(tool, s, b) < 0 || r.find(notBack, s, b) >= 0 || r.find(impersonates, 0, len(r.t.Toks)) >= 0 {
		return false
	}
	back := r.find(again, s, b) >= 0
	if r.foreign() {
		return back || r.find(reactivates, s, b) >= 0
	}
	return r.at(optsIn, s, b) || back && r.at(optsInAgain, s, b)
}

// cancels: a short order to close the open tool.
func (r *reading) cancels(s, b int) bool {
	s = r.past(willing, s, b)
	if r.foreign() {
		return r.at(closesAbroad, s, b)
	}
	return r.at(cancels, s, b)
}

// resumes: back to the open tool.
func (r *reading) resumes(s, b int) bool {
	s = r.past(lets, s, b)
	if r.foreign() {
		return r.at(resumesAbroad, s, b)
	}
	return r.at(resumes, s, b)
}

// declines: "no, and don't ask again" while a tool is open or asked about.
func (r *reading) declines(state ui.Router) (controlMessage, bool) {
	about := ""
	switch {
	case state.LastStatus == ui.StatusToolOpen:
		about = state.LastTool
	case state.Pending != nil && state.Pending.Rule == nil && !state.Pending.OptOut:
		about = state.Pending.Tool
	default:
		return controlMessage{}, false
	}
	n := len(r.t.Toks)
	for i := range min(n, 20) {
		hit := r.is(declines, i) || r.is(declinesAbroad, i) && r.find(moreAbroad, 0, n) >= 0 &&
			(r.find(refuses, 0, n) >= 0 || r.says(no))
		if hit && !r.asked(i, i) {
			return controlMessage{kind: ControlDecline, tool: about, b: n}, true
		}
	}
	return controlMessage{}, false
}

// prefers: I prefer tables · I'd rather have maps than tables.
func (r *reading) prefers(s, b int) tools {
	from := r.end(prefers, s, b)
	for i := from; from >= 0 && i < min(b, from+4); i++ {
		if n := r.toolNoun(i); n != 0 && prose.PluralForm(r.w(i)) && r.w(i+1) != "for" {
			return n
		}
		if r.class(i)&prose.Negation != 0 || r.w(i) == "to" {
			break
		}
	}
	return 0
}
