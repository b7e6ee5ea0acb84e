package route

import (
	"strings"

	"github.com/limn-ui/limn/internal/intent"
	"github.com/limn-ui/limn/internal/prose"
)

var (
	verb, request, between           = the("verb"), the("request"), the("between")
	alone, explicit, sheet           = the("alone"), the("explicit"), the("sheet")
	forNumber, file, something       = the("forNumber"), the("file"), the("something")
	mapsSomething, steps, tabular    = the("mapsSomething"), the("steps"), the("tabular")
	bareFile, hands, asksMay         = the("bareFile"), the("hands"), the("asksMay")
	entersItems, collected, bulk     = the("entersItems"), the("collected"), the("bulk")
	workflowNoun, processNoun, gives = the("workflowNoun"), the("processNoun"), the("gives")
	letMe, asForm, ordered           = the("letMe"), the("asForm"), the("ordered")
	presents                         = the("presents")
)

// trigger is one rule: if match says so, its tool is a candidate with its
// confidence. match fills in the tool and the parameters it knows.
type trigger struct {
	id         string
	confidence float64
	match      func(*reading, *candidate) bool
	weak       bool    // names a subject only: a preferred tool named beside it wins
	trust      float64 // see weigh
}

// triggers are tried in this order; the first whose tool is allowed decides.
// A process with linked clauses comes before a count (facts R-12).
var triggers = []trigger{
	{RationaleExplicit, 0.95, (*reading).explicit, false, trustSure},
	{"hard.workflow", 0.91, (*reading).workflow, false, trustWords},
	{"hard.pasted", 0.90, (*reading).pasted, false, trustWords},
	{"hard.list_size", 0.86, (*reading).listSize, false, trustWords},
	{"hard.inferred_list", 0.80, (*reading).inlineList, false, trustWords},
	{"hard.bulk", 0.85, (*reading).bulk, true, trustForm},
	{"hard.workflow_noun", 0.80, (*reading).workflowNoun, true, trustWords},
	{"soft.roles_process", 0.65, (*reading).rolesProcess, true, trustAsk},
	{"soft.noun_no_count", 0.58, (*reading).bareNoun, true, trustForm},
	{"soft.process", 0.58, (*reading).bareProcess, true, trustAsk},
}

// forced builds the candidate of a guardrail, with the content of the message.
func (r *reading) forced(t tools) candidate {
	c := candidate{rule: "guardrail.force", tool: t, confidence: 1, trust: trustSure, noun: -1}
	r.fill(&c)
	return c
}

// fill adds the rows, the count or the steps the message states to a tool that opens
// for another reason. Where no rule found the tool (trust 0), clauses are enough.
func (r *reading) fill(c *candidate) {
	tool, probe := c.tool, candidate{noun: -1}
	switch {
	case tool == processMap && r.workflow(&probe):
	case tool == processMap && r.block.Rows >= 2:
		probe.flow, probe.n = prose.FlowOfLines(r.block.Items), r.block.Rows
	case tool == processMap:
		if probe.flow = r.t.FlowOf(r.parts()); probe.flow.Linked < 2 || c.trust > 0 && probe.flow.Linked < 3 {
			return // "a diagram please, I'll name the lanes"
		}
		probe.n = probe.flow.Linked
	case tool == table && (r.listSize(&probe) && probe.tool == table || r.rows(&probe) || r.inlineList(&probe)):
	case tool == table && c.trust == 0 && r.things(&probe):
	default:
		return
	}
	probe.tool, probe.rule, probe.confidence, probe.trust = tool, c.rule, c.confidence, c.trust
	*c = probe
}

// parts are the clauses of the sentence that has most of them, after a colon if there is
// one: "payroll: timesheets in, team leads approve, bank file sent".
func (r *reading) parts() (most []prose.Span) {
	for i := range r.t.Toks {
		if i > 0 {
			before := r.t.Toks[i-1]
			if before.Kind != prose.Colon && (before.Kind != prose.Stop || before.Mark == ';') {
				continue // Parts has read it: each token is read once
			}
		}
		if items := r.t.Parts(i); len(items) > len(most) {
			most = items
		}
	}
	if len(most) > 0 && r.class(most[0].A)&prose.Greet != 0 {
		most = most[1:]
	}
	return most
}

// things are rows in the words of a message that hands over records: "please record
// these: tap in 2B, blind in 2D, mould in 3A".
func (r *reading) things(c *candidate) bool {
	items := r.parts()
	if len(items) < 4 && (len(items) < 3 || items[0].A == 0 || r.t.Toks[items[0].A-1].Kind != prose.Colon) {
		return false
	}
	c.n = len(items)
	c.seed = strings.TrimSpace(r.t.Src[r.t.Toks[items[0].A].Start:r.t.Toks[items[len(items)-1].B-1].End])
	return true
}

// explicit: open the process map · give me a table · let's map our workflow.
func (r *reading) explicit(c *candidate) bool {
	if r.foreign() || r.t.CJK || r.t.Unlisted() {
		return r.explicitAbroad(c)
	}
	n := len(r.ids)
	for i := r.find(explicit, 0, n); i >= 0; i = r.find(explicit, i+1, n) {
		t := r.toolNoun(i)
		switch {
		case t != 0 && !r.is(sheet, i) && r.requested(i) && !r.is(filled, i) && !r.denies(i, true):
			c.tool = t
			r.fill(c)
			return !(t == table && r.is(forNumber, i))
		case r.is(mapsSomething, i) && !r.denies(i, true):
			c.tool = processMap
			return true
		case r.unnamed(i) && !r.denies(i, true):
			c.tool = max(r.preferred, table)
			return r.preferred != 0 || r.is(something, i)
		}
	}
	return false
}

// unnamed: open the tool for that · give me something to fill in. The preferred
// tool is meant; "something to fill in" is a table where none is.
func (r *reading) unnamed(i int) bool {
	return r.is(something, i) || r.class(i)&prose.AnyTool != 0 && r.preferred != 0 && r.requested(i)
}

// requested finds an order or a wish right before the tool at i: open a table,
// I'd like to fill in a table, let's put this into a process map, table please.
func (r *reading) requested(i int) bool {
	for j := i - 1; j >= 0 && j >= i-12; j-- {
		switch {
		case r.is(verb, j):
			return r.is(request, j) && (!r.is(asForm, i) || r.is(ordered, j))
		case r.is(between, j):
		case r.is(asForm, i):
		case r.class(j)&prose.Item == 0 || i-j > 3:
			return false
		}
	}
	return i <= 2 && r.is(alone, 0)
}

// workflow: linked clauses, arrows, lines that give orders, "the steps are …".
func (r *reading) workflow(c *candidate) bool {
	c.tool = processMap
	listed := r.t.StepList(func(i int) bool { return r.denies(i, false) })
	if r.flow.Linked >= 2 && r.flow.Linked >= listed.Linked {
		c.flow, c.n = r.flow, r.flow.Linked
		if r.noted.arrows && r.doubted() {
			c.trust = trustForm
		} else if r.noted.arrows {
			c.trust = trustSure
		} else if more := r.t.FlowOf(r.parts()); more.Linked > c.n {
			c.flow, c.n = more, more.Linked
		}
		return true
	}
	if r.block.Orders && r.block.Rows >= 3 && !r.headed() {
		c.trust = trustForm
		c.flow, c.n = prose.FlowOfLines(r.block.Items), r.block.Rows
		return true
	}
	c.flow, c.n = listed, listed.Linked
	return listed.Linked >= 2
}

// doubted reports a question after the arrows, or a negation before the first or after the
// last one: "Settings -> Privacy -> Cookies doesn't exist on my phone".
func (r *reading) doubted() bool {
	first, last := -1, -1
	for i, tok := range r.t.Toks {
		if tok.Kind == prose.Arrow {
			if last = i; first < 0 {
				first = i
			}
		}
	}
	for _, step := range [2]int{-1, 1} {
		i := first
		if step > 0 {
			i = last
		}
		for i += step; i >= 0 && i < len(r.t.Toks) && r.t.Toks[i].Kind != prose.Stop; i += step {
			if r.class(i)&prose.Negation != 0 {
				return true
			}
		}
	}
	return r.noted.wonders && !r.noted.checks
}

// headed reports a line such as "Risks so far:" or "goals this year" before the others:
// they are rows of a table, even if they name actions.
func (r *reading) headed() bool {
	for i := 0; i < len(r.t.Toks) && r.t.Toks[i].Kind == prose.Word; i++ {
		if c := r.class(i); c&(prose.Core|prose.Plural) == prose.Core|prose.Plural || i == 0 && r.is(collected, i) &&
			c&prose.Process == 0 && !r.is(steps, i) {
			return true
		}
	}
	return false
}

// pasted: rows of a table, bullets or short lines. What another program wrote may be there for
// any reason: its words decide, if there are any.
func (r *reading) pasted(c *candidate) bool {
	words := r.message[:r.block.From]
	if r.block.Kind == prose.Records && strings.TrimSpace(words) != "" && !r.noted.keeps {
		odds := intent.Score(words)
		if r.find(presents, 0, len(r.ids)) < 0 && r.find(keeps, 0, len(r.ids)) < 0 && !r.entersItems() ||
			odds[intent.Table]+trustWords < odds[intent.Chat]+trustChat {
			return false
		}
	}
	return r.rows(c)
}

// rows fills in the pasted rows, if there are any.
func (r *reading) rows(c *candidate) bool {
	if r.block.Rows < 3 || r.block.Orders && !r.headed() ||
		r.greeting() && r.block.Kind >= prose.Pairs && !r.block.Intro {
		return false
	}
	c.tool, c.n, c.seed = table, r.block.Rows, r.block.Text
	if r.block.Kind <= prose.Commas {
		c.trust = trustSure
	}
	if n := r.collectedNoun(); n >= 0 {
		c.noun = n
	}
	return true
}

// collectedNoun returns the first plural noun of the lexicon, or -1.
func (r *reading) collectedNoun() int {
	return r.find(collected, 0, min(len(r.t.Toks), 20))
}

// bulk: bulk entry, a spreadsheet, paste a list, enter them all at once.
func (r *reading) bulk(c *candidate) bool {
	c.tool = table
	at := r.said(bulk, true)
	for at >= 0 && r.is(bareFile, at) && r.explained(at) { // can I freeze a row in Excel?
		if at = r.find(bulk, at+1, len(r.ids)); r.denies(at, true) {
			at = -1
		}
	}
	if at < 0 && r.foreign() {
		at = r.said(pastesAbroad, true)
	}
	if at >= 0 {
		c.file = r.find(file, 0, at+1) >= 0
		c.noun = r.collectedNoun()
		return true
	}
	return r.holds("sheet") && !r.explained(0) || r.holds("paste") && r.holds("listed")
}

// explained reports that the sentence of token i is a question, or that the message asks
// for an explanation, and that nothing is handed over.
func (r *reading) explained(i int) bool {
	a, b := i, i
	for a > max(0, i-nearby) && r.t.Toks[a-1].Kind != prose.Stop {
		a--
	}
	for b < min(len(r.t.Toks), i+nearby) && r.t.Toks[b].Kind != prose.Stop {
		b++
	}
	asked := b < len(r.t.Toks) && r.t.Toks[b].Mark == '?' || r.at(asksMay, r.skip(filler, a, b), b)
	return (asked || r.shape == "chat.explain") && r.find(hands, a, b) < 0 && !r.entersItems()
}

// workflowNoun: the markers of the seed that are enough alone (facts R-48).
func (r *reading) workflowNoun(c *candidate) bool {
	c.tool = processMap
	if r.noted.wonders {
		return false
	}
	if r.said(workflowNoun, false) >= 0 || r.foreign() && r.said(approvalAbroad, false) >= 0 {
		return true
	}
	return r.holds("approval")
}

// processNoun returns the first bare process word that is a noun, or -1.
func (r *reading) processNoun() int { return r.said(processNoun, false) }

// rolesProcess: two roles or more, and process language.
func (r *reading) rolesProcess(c *candidate) bool {
	c.tool = processMap
	p := r.processNoun()
	if p < 0 {
		return false
	}
	roles, last := 0, -2
	for i := range r.t.Toks {
		if r.class(i)&prose.Role == 0 || i == p-1 ||
			r.w(i) == "it" && r.t.Src[r.t.Toks[i].Start:r.t.Toks[i].End] != "IT" {
			continue
		}
		if i != last+1 {
			roles++
		}
		last = i
	}
	return roles >= 2
}

// bareNoun: stakeholders, risks or issues without a count; other collection
// nouns when the user wants to give them.
func (r *reading) bareNoun(c *candidate) bool {
	c.tool = table
	if r.small() {
		return false
	}
	for i := range r.t.Toks {
		k := r.class(i)
		if k&prose.Item == 0 || k&prose.Plural == 0 || r.denies(i, false) ||
			r.class(i-1)&prose.Subject != 0 || k&prose.Verb != 0 && r.class(i+1)&prose.Det != 0 {
			continue
		}
		if k&prose.Core != 0 || r.given(i) {
			c.noun = i
			return true
		}
	}
	return r.holds("core") && !strings.ContainsAny(r.head(), "?？؟")
}

// given: "several vendors", "let me share our contracts".
func (r *reading) given(i int) bool {
	for j := i - 1; j >= 0 && j >= i-4; j-- {
		if r.is(gives, j) {
			return r.is(letMe, j)
		}
		if r.class(j)&prose.Vague != 0 {
			return r.w(j-1) != "too"
		}
	}
	return false
}

// bareProcess: a process is mentioned, its steps are not.
func (r *reading) bareProcess(c *candidate) bool {
	c.tool = processMap
	return r.processNoun() >= 0 || r.holds("process")
}
