package route

import (
	"slices"
	"strings"

	"github.com/limn-ui/limn/internal/prose"
)

var (
	verb, request, between, alone    = the("verb"), the("request"), the("between"), the("alone")
	explicit, sheet, forNumber, file = the("explicit"), the("sheet"), the("forNumber"), the("file")
	something, mapsSomething         = the("something"), the("mapsSomething")
	tells, lasts, happened, steps    = the("tells"), the("lasts"), the("happened"), the("steps")
	told, tabular, part              = the("told"), the("tabular"), the("part")
	tasksAbroad                      = the("tasksAbroad")
	has, passed, breaks, possesses   = the("has"), the("passed"), the("breaks"), the("possesses")
	me                               = the("me")
	held, bareFile, hands, asksMay   = the("held"), the("bareFile"), the("hands"), the("asksMay")
	entersItems, collected, bulk     = the("entersItems"), the("collected"), the("bulk")
	workflowNoun, processNoun        = the("workflowNoun"), the("processNoun")
	notNames, gives, letMe           = the("notNames"), the("gives"), the("letMe")
	namesMembers                     = the("namesMembers")
	asForm, ordered                  = the("asForm"), the("ordered")
)

// trigger is one rule: if match says so, its tool is a candidate with its
// confidence. match fills in the tool and what it knows of the parameters.
type trigger struct {
	id         string
	confidence float64
	match      func(*reading, *candidate) bool
	weak       bool // names a subject only: a preferred tool named beside it wins
}

// triggers are tried in this order; the first whose tool is allowed decides.
// A process with linked clauses comes before a count (facts R-12).
var triggers = []trigger{
	{RationaleExplicit, 0.95, (*reading).explicit, false},
	{"hard.workflow", 0.91, (*reading).workflow, false},
	{"hard.pasted", 0.90, (*reading).pasted, false},
	{"hard.list_size", 0.86, (*reading).listSize, false},
	{"hard.inferred_list", 0.80, (*reading).inlineList, false},
	{"hard.bulk", 0.85, (*reading).bulk, true},
	{"hard.workflow_noun", 0.80, (*reading).workflowNoun, true},
	{"soft.roles_process", 0.65, (*reading).rolesProcess, true},
	{"soft.noun_no_count", 0.58, (*reading).bareNoun, true},
	{"soft.process", 0.58, (*reading).bareProcess, true},
}

// forced builds the candidate of a guardrail, with what the message says.
func (r *reading) forced(t tools) candidate {
	c := candidate{rule: "guardrail.force", tool: t, confidence: 1, noun: -1}
	r.fill(&c)
	return c
}

// fill adds the count or the steps the message states to a tool that opens for
// another reason.
func (r *reading) fill(c *candidate) {
	switch probe := (candidate{noun: -1}); {
	case c.tool == processMap && r.workflow(&probe):
		c.n, c.flow = probe.n, probe.flow
	case c.tool == table && r.listSize(&probe) && probe.tool == table:
		c.n, c.noun, c.approx, c.upTo = probe.n, probe.noun, probe.approx, probe.upTo
	}
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
		return true
	}
	if r.block.Orders && r.block.Rows >= 3 && !r.headed() {
		c.flow, c.n = prose.FlowOfLines(r.block.Items), r.block.Rows
		return true
	}
	c.flow, c.n = listed, listed.Linked
	return listed.Linked >= 2
}

// headed: "Risks so far:", "goals this year" before lines says what they are, whoever acts
// in them.
func (r *reading) headed() bool {
	for i := 0; i < len(r.t.Toks) && r.t.Toks[i].Kind == prose.Word; i++ {
		if c := r.class(i); c&(prose.Core|prose.Plural) == prose.Core|prose.Plural || i == 0 && r.is(collected, i) &&
			c&prose.Process == 0 && !r.is(steps, i) {
			return true
		}
	}
	return false
}

// pasted: rows of a table, bullets or short lines.
func (r *reading) pasted(c *candidate) bool {
	if r.block.Rows < 3 || r.block.Orders && !r.headed() ||
		r.greeting() && r.block.Kind >= prose.Pairs && !r.block.Intro {
		return false
	}
	c.tool, c.n, c.seed = table, r.block.Rows, r.block.Text
	if n := r.collectedNoun(); n >= 0 {
		c.noun = n
	}
	return true
}

// collectedNoun returns the first plural noun of the lexicon, or -1.
func (r *reading) collectedNoun() int {
	return r.find(collected, 0, min(len(r.t.Toks), 20))
}

// listSize: a count of three or more bound to what is collected.
func (r *reading) listSize(c *candidate) bool {
	var best *prose.Quantity
	for i := range r.qs {
		q := &r.qs[i]
		// "We have 6, I'll enter …", "11 classes a week, let me put in …"
		have := (q.Use == prose.Bare && r.is(held, q.Start-1) || q.Use == prose.Rate && q.Noun >= 0) && r.entersItems()
		if q.Use != prose.Count && !have || q.Hi < 3 || r.denies(q.Start, false) && q.Noun >= 0 {
			continue
		}
		if q.Noun >= 0 && !r.collected(q) || r.narrated(q) || r.background(q) || r.inPassing(q) {
			continue
		}
		if best == nil || best.Noun >= 0 && r.class(best.Noun)&prose.Item == 0 && q.Noun >= 0 &&
			r.class(q.Noun)&prose.Item != 0 {
			best = q
		}
	}
	if best == nil || (r.t.CJK || r.t.Unlisted()) && r.t.Recounts() && !r.holds("enters") {
		return false
	}
	c.tool, c.n, c.noun, c.approx, c.upTo = table, best.Lo, best.Noun, best.Approx, best.UpTo
	if r.is(steps, best.Noun) {
		c.tool = processMap
	}
	return true
}

// narrated reports a number that only tells what happened: "I ran 5 tests",
// "we had 3 meetings". Core nouns count all the same.
func (r *reading) narrated(q *prose.Quantity) bool {
	if q.Noun >= 0 && r.class(q.Noun)&prose.Core != 0 || r.entersItems() {
		return false
	}
	verb, w := q.Start-1, r.w(q.Start-1)
	unknown := q.Noun >= 0 && r.class(q.Noun)&prose.Item == 0
	// "she baked 12 muffins"; "we identified 9 bottlenecks" is a verb of work
	past := w == "had" || len(w) > 4 && strings.HasSuffix(w, "ed") && r.class(verb)&prose.Verb == 0
	past = past || verb > 0 && r.class(verb-1)&prose.Subject == 0 && r.w(verb) != "got" && r.t.Past(verb)
	if r.is(part, verb) {
		return true
	}
	past = past || r.is(told, verb-1) && r.t.Past(verb-1)
	if w := r.w(q.Start - 2); r.w(q.Start-1) == "than" && (w == "less" || w == "fewer") {
		return true // "a file has less than 24 values"
	}
	return unknown && (past || r.is(tells, verb)) || r.is(lasts, verb) || r.is(happened, verb)
}

// inPassing reports a count that no one has or does anything with in the present: "the
// alarm went off and 200 people stood outside", "since I updated 5 plugins".
func (r *reading) inPassing(q *prose.Quantity) bool {
	known := q.Noun >= 0 && r.class(q.Noun)&prose.Item != 0
	if r.foreign() || r.t.CJK || r.t.Unlisted() || known && r.class(q.Noun)&prose.Core != 0 || r.entersItems() {
		return false
	}
	past := func(i int) bool { // of an everyday verb, or one in no list
		return r.t.Past(i) && r.class(i)&prose.VerbPast == 0 || r.class(i) == 0 && strings.HasSuffix(r.w(i), "ed")
	}
	if q.Noun >= 0 && past(q.Noun+1) && r.is(me, q.Noun+2) { // three patients asked me
		return true
	}
	for i := q.Start - 1; i >= 0; i-- {
		switch kind := r.t.Toks[i].Kind; {
		case r.w(i) == "has" && (!known || r.class(i-1)&prose.Everyday != 0): // our neighbour has 7 bikes
			return r.class(i-1)&prose.Everyday != 0 || r.find(possesses, max(0, i-6), min(len(r.ids), q.End+20)) < 0
		case kind == prose.Stop, kind == prose.Colon, kind == prose.Dash, r.is(has, i):
			return false
		case r.is(passed, i):
			return true
		case past(i) && r.class(i-1)&prose.Aux == 0: // the audit turned up 7 findings
			return !known || i < q.Start-2 || r.class(q.Start-1)&prose.Prep != 0
		case r.is(breaks, i):
			start := i
			for start > 0 && i-start < 5 && r.t.Toks[start-1].Kind != prose.Stop {
				start--
			}
			return i-start > 3 // "This semester, fourteen tutors …" begins with it
		}
	}
	return false
}

// background reports a count that a question follows: "I have 26 pupils and two of them
// fight. What would you try?".
func (r *reading) background(q *prose.Quantity) bool {
	return r.wonders && (q.Noun < 0 || r.class(q.Noun)&prose.Core == 0) && !r.entersItems()
}

// collected reports that a counted noun is one a list is made of: any but the
// nouns of everyday stories, unless the user asks to enter those.
func (r *reading) collected(q *prose.Quantity) bool {
	if q.Noun < 0 || r.class(q.Noun)&(prose.Item|prose.Everyday) != prose.Everyday {
		return true
	}
	task := r.w(q.Noun+1) == "to" && r.class(q.Noun+2)&prose.VerbBase != 0 || // 80 apple trees to label
		r.foreign() && r.is(tasksAbroad, q.Noun+1)
	return task || r.entersItems()
}

// entersItems reports that the user says what is to happen with their items.
func (r *reading) entersItems() bool {
	if r.enters == 0 {
		if r.enters = 1; r.find(entersItems, 0, len(r.t.Toks)) >= 0 {
			r.enters = 2
		}
	}
	return r.enters == 2
}

// small reports a count of one or two bound to a known noun.
func (r *reading) small() bool {
	for _, q := range r.qs {
		if q.Use == prose.Count && q.Hi < 3 && q.Noun >= 0 && r.class(q.Noun)&prose.Item != 0 {
			return true
		}
	}
	for i := range r.t.Toks { // "one issue", "both risks": the noun may be singular
		if n := r.t.Toks[i]; n.Class&prose.NumWord != 0 && n.Num <= 2 && r.class(i+1)&prose.Item != 0 {
			return true
		}
	}
	return false
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
	for a > 0 && r.t.Toks[a-1].Kind != prose.Stop {
		a--
	}
	for b < len(r.t.Toks) && r.t.Toks[b].Kind != prose.Stop {
		b++
	}
	asked := b < len(r.t.Toks) && r.t.Toks[b].Mark == '?' || r.at(asksMay, r.skip(filler, a, b), b)
	return (asked || r.shape == "chat.explain") && r.find(hands, a, b) < 0 && !r.entersItems()
}

// workflowNoun: the markers of the seed that stand alone (facts R-48).
func (r *reading) workflowNoun(c *candidate) bool {
	c.tool = processMap
	if r.wonders {
		return false
	}
	if r.said(workflowNoun, false) >= 0 || r.foreign() && r.said(approvalAbroad, false) >= 0 {
		return true
	}
	return r.holds("approval")
}

// inlineList: a noun, then ":" or "are", then three or more things.
func (r *reading) inlineList(c *candidate) bool {
	if r.t.CJK || r.t.Unlisted() {
		return r.inlineCJK(c)
	}
	for i := range r.t.Toks {
		known := r.class(i)&prose.Item != 0 && r.class(i)&prose.Plural != 0
		known = known || r.plural(i) && (r.w(i+1) == "we" || r.w(i+1) == "i") // the instruments we teach are
		if !known && !r.plural(i) || r.denies(i, false) {
			continue
		}
		from, ok := r.t.Introduces(i)
		if !ok {
			continue
		}
		items, colon := r.t.Enumeration(from), r.t.Toks[from-1].Kind == prose.Colon
		if items == nil && known && colon { // issues: the beamer flickers, no power
			items = r.t.Parts(from)
		}
		if len(items) < 3 || !r.things(items, colon, known) {
			continue
		}
		c.tool, c.n, c.noun = table, len(items), i
		c.seed = strings.TrimSpace(r.t.Src[r.t.Toks[items[0].A].Start:r.t.Toks[items[len(items)-1].B-1].End])
		return true
	}
	return r.names(c)
}

// names: "Who's coming: Omar, Beatrix, Yuki", "the committee is Petra (chair), Lou and
// Sam" list names after any words.
func (r *reading) names(c *candidate) bool {
	for i := range r.t.Toks[:min(len(r.t.Toks), 12)] {
		colon := r.t.Toks[i].Kind == prose.Colon && !r.is(notNames, i-1)
		dash := r.t.Toks[i].Kind == prose.Dash && r.t.Toks[i].Mark == '-'
		if i == 0 || !colon && !dash && !r.is(namesMembers, i) || r.denies(i, false) {
			continue
		}
		items := r.t.Enumeration(i + 1)
		things := colon && len(items) >= 5 && !r.explained(i) && r.things(items, true, false) // in the box: plasters, …
		if things || len(items) >= 3 && !slices.ContainsFunc(items, func(it prose.Span) bool { return !r.named(it) }) {
			c.tool, c.n = table, len(items)
			c.seed = strings.TrimSpace(r.t.Src[r.t.Toks[items[0].A].Start:r.t.Toks[items[len(items)-1].B-1].End])
			return true
		}
	}
	return false
}

// named reports a name of at most three words, perhaps with a note in parentheses.
func (r *reading) named(it prose.Span) bool {
	end := it.A
	for end < it.B && r.t.Toks[end].Mark != '(' {
		end++
	}
	return r.t.Toks[it.A].Upper && end-it.A <= 3 && r.class(it.A)&prose.VerbBase == 0
}

// plural reports a plural noun that is in no list: allergens, exhibits, unsere Lehrlinge.
func (r *reading) plural(i int) bool {
	w := r.w(i)
	if r.foreign() {
		return r.is(ours, i)
	}
	var everyday prose.Class
	if r.w(i-1) == "our" || r.w(i-1) == "following" {
		everyday = prose.Everyday // our lanes: north, south
	}
	if (r.w(i-1) == "my" || r.w(i-1) == "our") && r.w(i+1) == "are" && r.class(i)&^everyday == 0 { // my bonsai are
		return true
	}
	return r.class(i)&^(everyday|prose.VerbS|prose.Named|prose.Plural|prose.Role) == 0 &&
		len(w) > 3 && r.t.Toks[i].Kind == prose.Word && w[0] < 0x80 && prose.PluralForm(w)
}

// things reports that the items of an enumeration are things: not qualities, not
// what someone does. Behind an unknown noun one of them has to look like a name
// or a plural, unless a colon announces them.
func (r *reading) things(items []prose.Span, colon, known bool) bool {
	if colon {
		return known || !r.is(orders, items[0].A) && r.class(items[0].A)&prose.VerbBase == 0
	}
	if r.t.Qualities(items) || r.progressive(items[0]) || r.measured(items) && !known {
		return false
	}
	for _, it := range items {
		last := it.B - 1
		known = known || r.t.Toks[last].Upper || prose.PluralForm(r.w(last)) || it.B-it.A > 1
	}
	return known
}

// measured: "225g flour, 55g butter" are amounts, not things to list.
func (r *reading) measured(items []prose.Span) bool {
	n := 0
	for _, q := range r.qs {
		for _, it := range items {
			if q.Use != prose.Count && q.Start >= it.A && q.Start < it.B {
				n++
			}
		}
	}
	return n*2 >= len(items)
}

// progressive: "customers are getting angry, calling us …" says what they do.
func (r *reading) progressive(first prose.Span) bool {
	return first.B-first.A > 1 && strings.HasSuffix(r.w(first.A), "ing") && !prose.PluralForm(r.w(first.A+1))
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
			return true
		}
	}
	return false
}

// bareProcess: a process is mentioned, its steps are not.
func (r *reading) bareProcess(c *candidate) bool {
	c.tool = processMap
	return r.processNoun() >= 0 || r.holds("process")
}
