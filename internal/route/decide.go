package route

import (
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/limn-ui/limn/internal/prose"
	"github.com/limn-ui/limn/ui"
)

// Prefs are the app's preferences. The zero value is complete.
type Prefs struct {
	MaxIterations map[string]int // tool → rounds of correction; default 2
	Nouns         []Template     // tables for the app's own nouns; they win over the built-in ones
	Titled        []Template     // its tables without nouns, by title and name: found when a table is asked for
	Guardrails    *Guardrails    // compiled from state.Guardrails; nil: compiled on each call
	Rows          int            // most rows of a table; default that of ui.Limits
	Open          []Open         // surfaces that are open and can be submitted; nil: the tool that the memory has open
	Asked         Control        // ControlSubmit, ControlCancel: which surface is meant was just asked
}

func (p Prefs) rows() int { return ui.Limits{Rows: p.Rows}.WithDefaults().Rows }

// Cut returns how many rows or steps the message states, and how many there can be;
// cut says that it states more.
func (p Prefs) Cut(of *Params) (stated, most int, cut bool) {
	switch {
	case of == nil:
	case of.Table != nil:
		stated, most = of.Table.Stated, p.rows()
	case of.Map != nil:
		stated, most = of.Map.Stated, maxSteps
	}
	return stated, most, stated > most
}

// The thresholds of the seed (§5), and the cap of a closed gate. Confidence is the confidence
// that a tool should open, not that the action is right.
const (
	thresholdTool    = 0.75
	thresholdClarify = 0.45
	gateCap          = 0.44
)

// tools is a set of the two tools.
type tools uint8

const (
	table tools = 1 << iota
	processMap
	both = table | processMap
)

func toolSet(name string) tools {
	switch name {
	case ui.ToolTable:
		return table
	case ui.ToolMap:
		return processMap
	}
	return 0
}

func (t tools) name() string {
	switch t {
	case table:
		return ui.ToolTable
	case processMap:
		return ui.ToolMap
	}
	return ""
}

// reading is a message read for one decision.
type reading struct {
	t       prose.Text
	ids     []uint16 // of its words in the rules, 0 = none; see number
	few     [64]uint16
	held    set             // the words and classes of the text
	title   uint16          // of TITLE, in the rules about open surfaces
	titled  map[string]bool // words that were looked for in the titles of open surfaces
	message string
	prefs   Prefs
	qs      []prose.Quantity
	flow    prose.Flow
	block   prose.Block
	shape   string // the chat-only shape found, "" = none
	top     string // what head returns, "" = not yet
	denied  tools  // "no table, please": not in this turn

	preferred tools // breaks ties
	prepared  bool
	enters    uint8 // entersItems: 0 = not looked for, 1 = no, 2 = yes

	noted struct {
		wonders    bool // the last sentence asks for an explanation
		asked      bool // the line before the pasted ones is a question
		keeps      bool // it asks for a table of them
		checks     bool // the last sentence asks whether one follows, and nothing else
		arrows     bool // draw the flow
		outweighed bool // a rule found something, but messages like this one want words
	}
}

// candidate is a tool some rule wants to open or to ask about.
type candidate struct {
	rule       string // id of the rule, a literal
	tool       tools
	confidence float64
	trust      float64 // of the rule; see weigh
	n          int     // count or steps; 0 = not stated
	approx     bool
	upTo       bool
	file       bool   // a file was named
	noun       int    // token, -1 = none
	subject    string // singular noun where no token has it
	flow       prose.Flow
	seed       string // the part of the message that already holds rows
}

// Decide returns the decision for a message. It never fails: a message it cannot read
// is chat. now is only compared with the expiry of the opt-out.
func Decide(message string, state ui.Router, prefs Prefs, now time.Time) Decision {
	if garbled(message) {
		message = ""
	}
	r := read(message, prefs)
	r.preferred = toolSet(state.Preferred)
	d := r.decide(state, now)
	if !r.prepared {
		r.denied = r.deniedTools()
	}
	for _, t := range [2]tools{table, processMap} {
		if r.denied&t != 0 {
			d.Denied = append(d.Denied, t.name())
		}
	}
	return d
}

// garbled reports bytes that are no text, such as a file sent as a message: an
// arrow or a number among them means nothing. A few wrong bytes are passed over.
func garbled(message string) bool {
	bad := 0
	for i, r := range message {
		if r == utf8.RuneError && message[i] != 0xEF { // not U+FFFD itself
			bad++
		}
	}
	return bad > 64 && bad > len(message)/8
}

// decide is the precedence (facts 2.2), from top to bottom.
func (r *reading) decide(state ui.Router, now time.Time) Decision {
	optOut := activeOptOut(state.OptOut, now)

	// 0 open surfaces are submitted or canceled
	if kind, which := r.verbally(state); which != nil {
		out := Decision{Control: kind, Which: which}
		if len(which) > 1 {
			out.Question = string(kind) + ".which"
		}
		return out.chat("control."+string(kind), 0.05)
	}

	// 1 control
	out, done := r.obey(state, &optOut)
	if done {
		return out
	}

	// 2–5 gates and opt-outs
	gate, allowed, reason := gates(state, optOut)
	if gate != "" {
		return out.chat(gate, gateCap)
	}

	// 6 guardrails
	rails := r.prefs.Guardrails.For(state.Guardrails)
	force, suppressed := rails.match(r.t.Src, allowed)
	out.Ignored = rails.ignored
	if allowed&suppressed != 0 {
		allowed, reason = allowed&^suppressed, GateRule
	}
	r.prepare(force == 0)
	if force != 0 {
		return out.open(r, r.forced(force))
	}

	// 7 the answer to the pending question
	pending := state.Pending
	if pending != nil && pending.Rule == nil && !pending.OptOut && (r.shape == "" || r.says(yes)) {
		c, verdict := r.answer(pending)
		if c.tool != 0 {
			return out.pick(r, c, allowed, reason)
		}
		if verdict != "" {
			return out.chat(verdict, 0.30)
		}
	}

	// 8 chat-only shapes have muted their sentences (prepare); a table or map
	// the user has just refused is out for this turn
	if r.denied != 0 {
		allowed, reason = allowed&^r.denied, "chat.negation"
	}

	// 9 hard triggers, 10 soft ones, and what messages like this one want
	best, blocked := r.trigger(allowed, pending != nil)
	if pending == nil && blocked == 0 && out.Control == "" {
		found := best
		best = r.weigh(found, allowed)
		r.noted.outweighed = found != nil && best == nil
	}
	switch {
	case best != nil:
		return out.pick(r, *best, allowed, reason)
	case blocked > 0:
		return out.chat(reason, min(gateCap, blocked))
	}

	// 11 chat
	return r.talk(out, pending != nil, allowed)
}

// obey carries out orders about the tools themselves. done: nothing else is to be decided.
func (r *reading) obey(state ui.Router, optOut *ui.OptOut) (out Decision, done bool) {
	ctl := r.control(state)
	out = Decision{Control: ctl.kind, OptOut: ctl.tool, Rule: ctl.rule, Subject: ctl.topic}
	switch ctl.kind {
	case ControlOptOut, ControlCancel, ControlRuleFull:
		return out.chat("control."+string(ctl.kind), 0.05), true
	case ControlDecline:
		out.Question = "optout.confirm"
		return out.chat("control.decline", 0.05), true
	case ControlRule:
		out.Question = "rule.confirm"
		return out.chat("control.rule", 0.05), true
	case ControlResume:
		d, ok := resume(state, *optOut)
		return d, ok
	case ControlOptIn:
		*optOut = optIn(*optOut, ctl.tool)
		fallthrough
	case ControlPrefer, ControlRuleYes, ControlRuleNo:
		r.mute(ctl.a, ctl.b) // the rest of the message is routed in the same turn
	}
	return out, false
}

// gates returns the gate that is closed for every tool, if any, else the tools
// allowed and why others are not (facts ).
func gates(state ui.Router, optOut ui.OptOut) (gate string, allowed tools, reason string) {
	switch {
	case state.LastStatus == ui.StatusToolOpen:
		return GateOpen, 0, ""
	case optOut.All:
		return GateOptOutAll, 0, ""
	case state.Cancels >= 2:
		return GateCancels, 0, ""
	}
	allowed = both
	for _, list := range [2][]string{optOut.Tools, optOut.Once} {
		for _, t := range list {
			allowed, reason = allowed&^toolSet(t), GateOptOut
		}
	}
	return "", allowed, reason
}

// trigger returns the candidate of the first trigger whose tool is allowed,
// and the confidence of the first that is not. The preferred tool wins over one
// that is no more than named beside it.
func (r *reading) trigger(allowed tools, asked bool) (best *candidate, blocked float64) {
	c := &candidate{}
	for i := range triggers {
		rule := &triggers[i]
		if rule.confidence < thresholdTool && asked {
			break // never a second question
		}
		if best != nil && (rule.confidence < thresholdTool) != (best.confidence < thresholdTool) {
			break
		}
		*c = candidate{rule: rule.id, confidence: rule.confidence, trust: rule.trust, noun: -1}
		switch {
		case !rule.match(r, c):
		case c.tool&allowed == 0:
			blocked = max(blocked, c.confidence)
		case best == nil:
			if !rule.weak || r.preferred&^c.tool == 0 {
				return c, 0
			}
			best, c = c, &candidate{}
		case rule.weak && c.tool == r.preferred:
			return c, 0
		}
	}
	return best, blocked
}

// pick turns a candidate into an action, if its tool is allowed.
func (d Decision) pick(r *reading, c candidate, allowed tools, reason string) Decision {
	switch {
	case c.tool&allowed == 0:
		return d.chat(reason, gateCap)
	case c.confidence >= thresholdTool:
		return d.open(r, c)
	}
	d.Action, d.Confidence, d.Candidate, d.Rationale = ActionClarify, c.confidence, c.tool.name(), c.rule
	d.Question = "clarify.map"
	if c.tool == table {
		d.Question = "clarify.count"
		d.Subject, _ = r.noun(&c)
	}
	return d
}

// open returns the action tool with its parameters.
func (d Decision) open(r *reading, c candidate) Decision {
	d.Action, d.Tool, d.Confidence, d.Rationale = ActionTool, c.tool.name(), c.confidence, c.rule
	if c.n > 0 {
		d.Rationale += ":n=" + strconv.Itoa(c.n)
	}
	if c.tool == table {
		d.Params = r.table(&c)
	} else {
		d.Params = r.processMap(&c)
	}
	if d.Params.check() != nil { // an app's template that cannot be shown (facts R-06)
		d.Tool, d.Params = "", nil
		return d.chat("chat.invalid_params", gateCap)
	}
	return d
}

func (d Decision) chat(rationale string, confidence float64) Decision {
	d.Action, d.Confidence, d.Rationale = ActionChat, confidence, rationale
	return d
}

// talk names the kind of chat.
func (r *reading) talk(d Decision, pending bool, allowed tools) Decision {
	switch {
	case d.Control != "":
		return d.chat("control."+string(d.Control), 0.40)
	case r.shape != "":
		return d.chat(r.shape, 0.10)
	case r.small():
		return d.chat("chat.small_count", 0.30)
	case pending:
		return d.chat("pending.unclear", 0.30)
	case r.greeting():
		return d.chat("chat.greeting", 0.05)
	}
	d.Open = allowed != 0 && r.denied == 0 && len(r.t.Toks) > 2
	switch {
	case r.noted.outweighed:
		return d.chat("chat.learned", 0.30)
	case len(r.qs) > 0:
		return d.chat("chat.nonlist_number", 0.15)
	}
	return d.chat("chat.statement", 0.20)
}

// resume shows the open tool again, with the payload of its checkpoint.
func resume(state ui.Router, optOut ui.OptOut) (Decision, bool) {
	c := state.Checkpoint
	if c == nil || state.LastStatus != ui.StatusToolOpen {
		return Decision{}, false
	}
	p, err := ParamsOf(c.Tool, c.Payload)
	if err != nil || optOut.All {
		return Decision{}, false
	}
	return Decision{Action: ActionTool, Tool: c.Tool, Confidence: 0.95, Params: p, Rationale: "control.resume",
		Control: ControlResume, Resumed: true}, true
}
