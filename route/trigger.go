package route

import (
	"strings"

	"github.com/limn-ui/limn/route/prose"
	"github.com/limn-ui/limn/ui"
)

// trigger is one rule: if match says so, its tool is a candidate with its
// confidence. match fills in the tool and what it knows of the parameters.
type trigger struct {
	id         string
	confidence float64
	match      func(*reading, *candidate) bool
}

// triggers are tried in this order; the first whose tool is allowed decides.
// A process with linked clauses stands above a count (facts R-12).
var triggers = []trigger{
	{"hard.explicit_request", 0.95, (*reading).explicit},
	{"hard.workflow", 0.91, (*reading).workflow},
	{"hard.pasted", 0.90, (*reading).pasted},
	{"hard.list_size", 0.86, (*reading).listSize},
	{"hard.bulk", 0.85, (*reading).bulk},
	{"hard.workflow_noun", 0.80, (*reading).workflowNoun},
	{"hard.inferred_list", 0.80, (*reading).inlineList},
	{"soft.roles_process", 0.65, (*reading).rolesProcess},
	{"soft.noun_no_count", 0.58, (*reading).bareNoun},
	{"soft.process", 0.58, (*reading).bareProcess},
}

// forced builds the candidate of a guardrail, with what the message tells.
func (r *reading) forced(t tools) candidate {
	c := candidate{rule: "guardrail.force", tool: t, confidence: 1, noun: -1}
	switch probe := (candidate{noun: -1}); {
	case t == processMap && r.workflow(&probe):
		c.n, c.flow = probe.n, probe.flow
	case t == table && r.listSize(&probe) && probe.tool == table:
		c.n, c.noun, c.approx, c.upTo = probe.n, probe.noun, probe.approx, probe.upTo
	}
	return c
}

// explicit: open the process map · give me a table · let's map our workflow.
func (r *reading) explicit(c *candidate) bool {
	for i := range r.t.Toks {
		n := r.toolNoun(i)
		if n != 0 && r.w(i) != "sheet" && !spreadsheet(r.w(i)) && r.requested(i) && !r.tableOfContents(i) && !r.denies(i, true) {
			c.tool = n
			return !(n == table && r.w(i+1) == "for" && i+2 < len(r.t.Toks) && r.t.Toks[i+2].Kind == prose.Number)
		}
		if r.w(i) == "map" && r.mapsSomething(i) {
			c.tool = processMap
			return true
		}
	}
	return false
}

// requested finds an order or a wish right before the tool at i.
func (r *reading) requested(i int) bool {
	for j := i - 1; j >= 0 && j >= i-6; j-- {
		switch r.w(j) {
		case "open", "show", "give", "start", "create", "make", "display", "launch", "bring", "pull", "need", "want", "use", "build", "draw", "let's", "get", "like":
			return !(j > 0 && (r.w(j-1) == "the" || r.w(j-1) == "they" || r.w(j-1) == "he" || r.w(j-1) == "she"))
		case "a", "an", "the", "me", "us", "up", "new", "process", "data", "flow", "simple", "empty", "blank", "to", "please", "workflow", "small", "quick", "proper", "our", "my", "another":
		default:
			return false
		}
	}
	return false
}

// mapsSomething: "map" as a verb with a process or steps behind it.
func (r *reading) mapsSomething(i int) bool {
	switch r.w(i - 1) {
	case "let's", "to", "please", "we", "i", "can", "us", "":
	default:
		return false
	}
	if r.denies(i, true) {
		return false
	}
	for j := i + 1; j < min(len(r.t.Toks), i+8) && r.t.Toks[j].Kind == prose.Word; j++ {
		switch w := r.w(j); {
		case r.class(j)&prose.Process != 0, w == "steps", w == "flow", w == "onboarding", w == "journey":
			return true
		}
	}
	return r.w(i+1) == "out"
}

// workflow: linked clauses, arrows, lines that give orders, "the steps are …".
func (r *reading) workflow(c *candidate) bool {
	c.tool = processMap
	if r.flow.Linked >= 2 {
		c.flow, c.n = r.flow, r.flow.Linked
		return true
	}
	if r.block.Orders && r.block.Rows >= 3 {
		c.flow, c.n = prose.FlowOfLines(r.block.Items), r.block.Rows
		return true
	}
	if f := r.t.StepList(func(i int) bool { return r.denies(i, false) }); f.Linked >= 2 {
		c.flow, c.n = f, f.Linked
		return true
	}
	return false
}

// pasted: rows of a table, bullets or short lines.
func (r *reading) pasted(c *candidate) bool {
	if r.block.Rows < 3 || r.block.Orders || r.greeting() {
		return false
	}
	c.tool, c.n = table, r.block.Rows
	if n := r.collectedNoun(); n >= 0 {
		c.noun = n
	}
	return true
}

// collectedNoun returns the first plural noun of the lexicon, or -1.
func (r *reading) collectedNoun() int {
	for i := range r.t.Toks[:min(len(r.t.Toks), 20)] {
		if r.class(i)&prose.Item != 0 && r.class(i)&prose.Plural != 0 {
			return i
		}
	}
	return -1
}

// listSize: a count of three or more bound to what is collected.
func (r *reading) listSize(c *candidate) bool {
	var best *prose.Quantity
	for i := range r.qs {
		q := &r.qs[i]
		if q.Use != prose.Count || q.Hi < 3 || r.denies(q.Start, false) && q.Noun >= 0 {
			continue
		}
		if q.Noun >= 0 && !r.collected(q) || r.narrated(q) {
			continue
		}
		if best == nil || best.Noun >= 0 && r.class(best.Noun)&prose.Item == 0 && q.Noun >= 0 && r.class(q.Noun)&prose.Item != 0 {
			best = q
		}
	}
	if best == nil {
		return false
	}
	c.tool, c.n, c.noun, c.approx, c.upTo = table, best.Lo, best.Noun, best.Approx, best.UpTo
	if best.UpTo {
		c.n = best.Hi
	}
	switch r.w(best.Noun) {
	case "steps", "stages", "phases":
		c.tool = processMap
	}
	return true
}

// narrated reports a number that only tells what happened: "I ran 5 tests",
// "we had 3 meetings". Core nouns count all the same.
func (r *reading) narrated(q *prose.Quantity) bool {
	if q.Noun >= 0 && r.class(q.Noun)&prose.Core != 0 || r.class(q.Start-2)&prose.Subject == 0 {
		return false
	}
	switch r.w(q.Start - 1) {
	case "ran", "had", "did", "took", "made", "saw", "met", "read", "wrote", "attended", "spent", "bought", "ate", "watched", "lost", "won",
		"hired", "hire", "fired", "closed", "fixed", "shipped", "sold", "visited", "called", "interviewed", "sent", "opened":
		return true
	}
	return false
}

// collected reports that a counted noun is one a list is made of: known, or
// unknown with a sign that the user has or gives them.
func (r *reading) collected(q *prose.Quantity) bool {
	if q.Noun < 0 || r.class(q.Noun)&prose.Item != 0 || r.t.Lang != prose.English || r.w(q.Noun)[0] >= 0x80 || r.nearNoun(q.Noun) != "" {
		return true
	}
	first := true
	for j := q.Start - 1; j >= 0 && j >= q.Start-6; j-- {
		if k := r.t.Toks[j].Kind; k == prose.Stop || k == prose.Comma || k == prose.Colon {
			break
		}
		switch r.w(j) {
		case "about", "around", "roughly", "approximately", "nearly", "almost", "least", "at", "between", "and", "so", "ok", "okay", "some":
			continue
		case "have", "has", "had", "got", "we've", "i've", "they've", "there", "there's", "need", "list", "log", "record", "add", "enter", "capture", "register", "collect", "track",
			"our", "my", "these", "the", "with", "identified", "found", "cover", "covers", "include", "includes", "paste", "import", "of", "give", "manage", "inventory", "document":
			return true
		}
		first = false
	}
	return first
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

func spreadsheet(w string) bool {
	switch w {
	case "spreadsheet", "spreadsheets", "excel", "csv", "xlsx", "xls", "tsv":
		return true
	}
	return false
}

// bulk: bulk entry, a spreadsheet, paste a list.
func (r *reading) bulk(c *candidate) bool {
	c.tool = table
	for i := range r.t.Toks {
		w, hit := r.w(i), false
		switch {
		case spreadsheet(w):
			hit = true
			c.file = true
		case w == "google":
			hit = r.w(i+1) == "sheet" || r.w(i+1) == "sheets"
		case w == "bulk" || w == "mass" || w == "batch":
			switch r.w(i + 1) {
			case "entry", "add", "upload", "import", "load", "insert", "edit", "enter", "paste", "entries":
				hit = true
			}
		case w == "upload" || w == "import" || w == "enter" || w == "add":
			hit = r.is(i+1, "in", "bulk")
		case w == "paste" || w == "pasting" || w == "dump" || w == "copy":
			hit = r.listNear(i)
		}
		if hit && !r.denies(i, true) {
			if n := r.collectedNoun(); n >= 0 {
				c.noun = n
			}
			return true
		}
	}
	return false
}

// listNear: paste … a list, the rows, them all, everything.
func (r *reading) listNear(i int) bool {
	for j := i + 1; j < min(len(r.t.Toks), i+6); j++ {
		switch r.w(j) {
		case "list", "lists", "rows", "table", "entries", "everything", "names", "data", "lines", "records":
			return true
		case "them":
			return r.w(j+1) == "over" || r.w(j+1) == "in" || r.w(j+1) == "all" || r.w(j+1) == "here"
		}
		if r.class(j)&prose.Item != 0 && r.class(j)&prose.Plural != 0 && r.w(i) != "copy" {
			return true
		}
	}
	return false
}

// workflowNoun: the markers of the seed that stand alone (facts R-48).
func (r *reading) workflowNoun(c *candidate) bool {
	c.tool = processMap
	for i := range r.t.Toks {
		hit := false
		switch w := r.w(i); w {
		case "pipeline", "pipelines":
			hit = true
		case "process", "processes", "workflow", "chain", "flow":
			hit = strings.HasPrefix(r.w(i-1), "approval") || r.w(i-1) == "off" && r.w(i-2) == "sign" && r.class(i)&prose.Process != 0
		case "steps", "path":
			hit = r.w(i-1) == "migration"
		}
		if hit && !r.denies(i, false) {
			return true
		}
	}
	return false
}

// inlineList: a noun, then ":" or "are", then three or more things.
func (r *reading) inlineList(c *candidate) bool {
	for i := range r.t.Toks {
		if r.class(i)&prose.Item == 0 || r.class(i)&prose.Plural == 0 || r.denies(i, false) {
			continue
		}
		from, ok := r.t.Introduces(i)
		if !ok {
			continue
		}
		items := r.t.Enumeration(from)
		if len(items) < 3 || r.t.Toks[from-1].Kind != prose.Colon && r.t.Qualities(items) {
			continue
		}
		c.tool, c.n, c.noun = table, len(items), i
		return true
	}
	return false
}

// processNoun returns the first bare process word that is a noun, or -1.
func (r *reading) processNoun() int {
	for i := range r.t.Toks {
		if r.class(i)&prose.Process == 0 || r.denies(i, false) {
			continue
		}
		if w := r.w(i); w == "process" || w == "processes" {
			prev := r.class(i - 1)
			if prev&(prose.Subject|prose.Negation) != 0 || r.w(i-1) == "to" || prev&prose.Aux != 0 && r.w(i-1) != "is" && r.w(i-1) != "have" && r.w(i-1) != "need" ||
				r.is(i-2, "in", "the") && r.w(i+1) == "of" || r.class(i+1)&(prose.NumWord|prose.Det) != 0 || w == "processes" && prev&prose.Role != 0 {
				continue
			}
		}
		return i
	}
	return -1
}

// rolesProcess: two roles or more, and process language.
func (r *reading) rolesProcess(c *candidate) bool {
	c.tool = processMap
	p := r.processNoun()
	if p < 0 {
		return false
	}
	roles, last := 0, -2
	for i := range r.t.Toks {
		if r.class(i)&prose.Role == 0 || i == p-1 || r.w(i) == "it" && r.t.Src[r.t.Toks[i].Start:r.t.Toks[i].End] != "IT" {
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
		if k&prose.Item == 0 || k&prose.Plural == 0 || r.denies(i, false) || r.counted(i) || k&prose.Verb != 0 && r.class(i+1)&prose.Det != 0 {
			continue
		}
		if k&prose.Core != 0 || r.given(i) {
			c.noun = i
			return true
		}
	}
	return false
}

// counted reports that a number which is no list size belongs to the noun.
func (r *reading) counted(i int) bool {
	for _, q := range r.qs {
		if q.Noun == i {
			return true
		}
	}
	return false
}

// given: "several vendors", "let me share our contracts".
func (r *reading) given(i int) bool {
	for j := i - 1; j >= 0 && j >= i-4; j-- {
		switch r.w(j) {
		case "share", "list", "log", "record", "capture", "register", "enter":
			return r.w(j-1) == "me" || r.w(j-1) == "to" || r.w(j-1) == "us" || r.w(j-1) == "let's"
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
	return r.processNoun() >= 0
}

// answer reads the reply to the pending question. A count or a yes is a
// candidate; a clear no, a small count or a vague one is a verdict for chat.
func (r *reading) answer(p *ui.Pending) (candidate, string) {
	c := candidate{tool: toolSet(p.Tool), noun: -1, subject: p.Subject}
	switch c.tool {
	case processMap:
		switch {
		case r.says("no"):
			return candidate{}, "pending.no"
		case r.says("yes"):
			c.rule, c.confidence = "pending.yes", 0.90
			if probe := (candidate{noun: -1}); r.workflow(&probe) {
				c.n, c.flow = probe.n, probe.flow
			}
			return c, ""
		}
	case table:
		for _, q := range r.qs {
			if q.Use != prose.Bare && q.Use != prose.Count || r.denies(q.Start, false) || len(r.t.Toks) > 14 && q.Use == prose.Bare {
				continue
			}
			if q.Hi < 3 {
				return candidate{}, "chat.small_count"
			}
			if q.Use == prose.Count && !r.collected(&q) {
				continue
			}
			c.rule, c.confidence, c.n, c.approx, c.upTo = "pending.count", 0.88, q.Lo, q.Approx, q.UpTo
			if c.noun = q.Noun; c.noun >= 0 && r.class(c.noun)&prose.Item != 0 {
				c.subject = ""
			}
			return c, ""
		}
		if r.says("no") {
			return candidate{}, "pending.no"
		}
	}
	return candidate{}, ""
}

// says reports a message that begins with yes or no in one of its forms.
func (r *reading) says(what string) bool {
	w := r.w(0)
	switch w {
	case "yes", "yeah", "yep", "yup", "sure", "ok", "okay", "please", "absolutely", "definitely", "certainly", "sí", "ja", "oui", "sim", "sì", "go":
		return what == "yes"
	case "no", "nope", "nah", "not", "later", "don't", "nein", "non", "não", "nee":
		return what == "no"
	}
	if what == "yes" {
		return r.is(0, "let's", "do") || r.is(0, "sounds", "good") || r.is(0, "why", "not") || r.is(0, "i", "do")
	}
	return r.is(0, "maybe", "later")
}
