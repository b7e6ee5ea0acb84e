package prose

import (
	"slices"
	"strings"
)

// Link is the relation that a marker gives the clause it starts.
type Link uint8

// The links between clauses.
const (
	LinkNone   Link = iota
	LinkFirst       // first, to start with
	LinkThen        // then, next, after that, finally
	LinkBefore      // before X, Y: Y comes first
	LinkAfter       // after X, Y; once X, Y
	LinkWhile       // meanwhile, at the same time
	LinkIf          // if, in case, unless
	LinkElse        // otherwise
	LinkPrior       // before that
)

// Step is one step of a process. Name is the text of a box in a picture:
// the verb in its base form with its object ("Review the invoice"). Owner
// is the subject as written, without its article ("finance"). Raw is the text.
type Step struct {
	Name, Owner, Raw string
	Approves         bool // the step itself approves, signs off or authorises

	base, object string // the verb and its object
	again        bool   // "… again"
}

// Edge joins two steps by index. Conditional edges hold only if something
// happens ("if rejected"). Doubt names the question that the text leaves open.
type Edge struct {
	From, To    int
	Parallel    bool
	Conditional bool
	Doubt       Doubt
}

// Doubt is what an edge could be instead.
type Doubt uint8

// The doubts.
const (
	Sure       Doubt = iota
	MaybeAside       // the two could run side by side: "A checks it and B pays it"
	MaybeBack        // after an exception the process could go back instead of on
)

// Flow is a process found in a text: steps in order of execution as far as the
// text says it. Linked is how many steps hang together; below 2 the text
// describes no process.
type Flow struct {
	Steps  []Step
	Edges  []Edge
	Linked int
	Taken  []string // the text of every mention of a step, also of one named before
	tails  []int    // the steps the next one follows
	heads  []int    // the steps that the tails follow
	detour []int    // tails that are exceptions: whether the process goes on from them is a guess
	fork   []int    // the tails before the last conditional step: "otherwise" starts there
}

// maxSteps bounds the steps of one text.
const maxSteps = 200

func (f *Flow) add(s Step) int {
	f.Steps = append(f.Steps, s)
	return len(f.Steps) - 1
}

// then puts a step after the current tails. "Back to the draft" and a step
// already named with the same owner are that step.
func (f *Flow) then(s Step, conditional bool) {
	f.Taken = append(f.Taken, s.Raw)
	i, back := f.known(s)
	if i < 0 {
		i = f.add(s)
	}
	for _, from := range f.tails {
		doubt := Sure
		if slices.Contains(f.detour, from) {
			doubt = MaybeBack
		}
		f.edge(Edge{From: from, To: i, Conditional: conditional, Doubt: doubt})
	}
	if conditional {
		f.fork = f.tails
	}
	if back && conditional { // the process goes on after the exception
		return
	}
	f.heads, f.tails = f.tails, []int{i}
}

// known finds the step a mention goes back to, or -1; back reports words such
// as "goes back to".
func (f *Flow) known(s Step) (at int, back bool) {
	name := strings.ToLower(s.Name)
	if s.again {
		if i := f.mention(s); i >= 0 {
			return i, true
		}
	}
	if i := f.returns(name); i >= 0 {
		return i, true
	}
	for cut := true; cut; {
		cut = false
		for _, p := range [...]string{"it goes ", "go ", "goes ", "send it ", "send ", "we ", "back to ", "return to ",
			"returns to ", "return it to ", "restart at ", "restart from ", "repeat ", "loop to ", "loop ", "the "} {
			if rest, ok := strings.CutPrefix(name, p); ok {
				name, cut = rest, true
				back = back || strings.Contains(p, "to ") || p == "repeat " || strings.HasPrefix(p, "restart")
			}
		}
	}
	if i := strings.LastIndex(name, " back to "); i >= 0 {
		name, back = strings.TrimPrefix(name[i+len(" back to "):], "the "), true
	}
	if back {
		if i := f.place(name); i >= 0 {
			return i, true
		}
	}
	for i := len(f.Steps) - 1; i >= 0; i-- {
		have := &f.Steps[i]
		if back && name != "" && (strings.Contains(strings.ToLower(have.Name), name) ||
			have.base != "" && strings.HasPrefix(name, have.base) || strings.EqualFold(have.Owner, name)) {
			return i, true
		}
		if strings.Contains(name, " ") && strings.EqualFold(have.Name, s.Name) &&
			strings.EqualFold(have.Owner, s.Owner) {
			return i, back
		}
	}
	return -1, false
}

// returns finds the step "vuelve al solicitante", "zurück an den Antragsteller"
// goes back to: the last one whose owner or verb is among the words.
func (f *Flow) returns(name string) int {
	words := strings.Fields(name)
	going := slices.ContainsFunc(words, backs.has)
	for i := len(f.Steps) - 1; i >= 0 && going; i-- {
		owner := strings.ToLower(f.Steps[i].Owner)
		for _, w := range words {
			if len(w) > 3 && (w == owner || strings.HasSuffix(owner, " "+w) || f.Steps[i].base == w) {
				return i
			}
		}
	}
	return -1
}

// place finds "step 2", "the start", "the previous step".
func (f *Flow) place(name string) int {
	switch name {
	case "start", "beginning", "first step", "step one":
		return min(0, len(f.Steps)-1)
	case "previous step", "last step":
		return len(f.Steps) - 2
	}
	if n := strings.TrimPrefix(name, "step "); len(n) < 4 && n != "" {
		at := 0
		for i := 0; i < len(n); i++ {
			if !isDigit(n[i]) {
				return -1
			}
			at = at*10 + int(n[i]-'0')
		}
		if at <= len(f.Steps) {
			return at - 1
		}
	}
	return -1
}

// mention finds the step that a subordinate clause speaks of again: "once legal
// approves" after "legal approves the contract", or -1.
func (f *Flow) mention(s Step) int {
	for i := len(f.Steps) - 1; i >= 0; i-- {
		have := &f.Steps[i]
		if strings.EqualFold(have.Name, s.Name) &&
			(s.Owner == "" || have.Owner == "" || strings.EqualFold(have.Owner, s.Owner)) {
			return i
		}
		if s.base == "" && have.base != "" && s.Owner == "" && sameStem(have.base, s.Name) {
			return i
		}
		if s.base != "" && have.base == s.base && (s.Owner == "" || strings.EqualFold(have.Owner, s.Owner)) &&
			sameObject(have.object, s.object) {
			return i
		}
	}
	return -1
}

// sameStem reports that a noun is named after a verb: interview, approval,
// inspection, payment.
func sameStem(verb, noun string) bool {
	noun = strings.ToLower(noun)
	stem := strings.TrimSuffix(strings.TrimSuffix(verb, "e"), "y")
	if len(stem) < 3 || !strings.HasPrefix(noun, stem) {
		return false
	}
	switch noun[len(stem):] {
	case "", "e", "y", "al", "ment", "yment", "ion", "ation", "ing", "ance", "ery", "ure":
		return true
	}
	return false
}

func sameObject(a, b string) bool {
	a, b = bareObject(a), bareObject(b)
	return a == b || a == "" || b == "" || strings.HasPrefix(a, b) || strings.HasPrefix(b, a)
}

func bareObject(s string) string {
	s = strings.ToLower(s)
	for _, p := range [...]string{"the ", "a ", "an ", "it", "them", "this", "off"} {
		s = strings.TrimPrefix(s, p)
	}
	return strings.TrimSpace(s)
}

// put returns the step a clause mentions, or adds it.
func (f *Flow) put(s Step) int {
	f.Taken = append(f.Taken, s.Raw)
	if i := f.mention(s); i >= 0 {
		return i
	}
	return f.add(s)
}

// beside appends a step parallel to the current tails: a fork where they have
// a common predecessor, else siblings.
func (f *Flow) beside(s Step) {
	f.Taken = append(f.Taken, s.Raw)
	i := f.add(s)
	if len(f.heads) == 0 && len(f.tails) > 0 {
		f.edge(Edge{From: f.tails[0], To: i, Parallel: true})
	}
	for _, from := range f.heads {
		for k := range f.Edges {
			if e := &f.Edges[k]; e.From == from && !e.Conditional {
				e.Parallel, e.Doubt = true, Sure
			}
		}
		f.edge(Edge{From: from, To: i, Parallel: true})
	}
	f.tails = append(f.tails, i)
}

// edge adds an edge once.
func (f *Flow) edge(e Edge) {
	for i := range f.Edges {
		if f.Edges[i].From == e.From && f.Edges[i].To == e.To {
			f.Edges[i].Conditional = f.Edges[i].Conditional && e.Conditional
			return
		}
	}
	f.Edges = append(f.Edges, e)
}

// dropFirst leaves the first step out.
func (f *Flow) dropFirst() {
	f.Steps = f.Steps[1:]
	kept := f.Edges[:0]
	for _, e := range f.Edges {
		if e.From, e.To = e.From-1, e.To-1; e.From >= 0 && e.To >= 0 {
			kept = append(kept, e)
		}
	}
	f.Edges = kept
}

// forks marks as parallel the edges that lead from one step to several of which
// neither comes before the other (facts C-8). Branches with a condition exclude
// each other, and an edge back is no branch.
func (f *Flow) forks() {
	out := map[int][]int{}
	for k, e := range f.Edges {
		if !e.Conditional {
			out[e.From] = append(out[e.From], k)
		}
	}
	reached := map[int][]bool{}
	reaches := func(from, to int) bool {
		if reached[from] == nil {
			reached[from] = f.reach(from, out)
		}
		return reached[from][to]
	}
	for _, edges := range out {
		for _, k := range edges {
			for _, l := range edges {
				x, y := f.Edges[k], f.Edges[l]
				if k != l && !reaches(x.To, y.To) && !reaches(y.To, x.To) && !reaches(x.To, x.From) &&
					!reaches(y.To, y.From) {
					f.Edges[k].Parallel = true
				}
			}
		}
	}
}

// reach marks the steps that edges lead to from one.
func (f *Flow) reach(from int, out map[int][]int) []bool {
	seen := make([]bool, len(f.Steps))
	for queue := []int{from}; len(queue) > 0; queue = queue[1:] {
		for _, k := range out[queue[0]] {
			if to := f.Edges[k].To; !seen[to] && !f.Edges[k].Parallel {
				seen[to] = true
				queue = append(queue, to)
			}
		}
	}
	return seen
}

func union(a, b []int) []int {
	out := append([]int{}, a...)
	for _, x := range b {
		if !slices.Contains(out, x) {
			out = append(out, x)
		}
	}
	return out
}

func sameInts(a, b []int) bool { return len(union(a, b)) == len(a) && len(a) == len(b) }
