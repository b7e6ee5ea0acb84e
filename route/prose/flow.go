package prose

import "strings"

// Link is what a marker says about the clause it starts.
type Link uint8

// The links between clauses.
const (
	LinkNone   Link = iota
	LinkFirst       // first, to start with
	LinkThen        // then, next, after that, finally
	LinkBefore      // before X, Y: Y comes first
	LinkAfter       // after X, Y; once X, Y
	LinkWhile       // meanwhile, at the same time
	LinkIf          // if, otherwise, unless
)

// Step is one step of a process. Name is what a box in a picture would say:
// the verb in its base form with what it acts on ("Review the invoice"). Owner
// is the subject as written, without its article ("finance"). Raw is the text.
type Step struct {
	Name, Owner, Raw string
	Approves         bool // the step itself approves, signs off or authorises
}

// Edge joins two steps by index. Conditional edges hold only if something
// happens ("if rejected").
type Edge struct {
	From, To    int
	Parallel    bool
	Conditional bool
}

// Flow is a process found in a text: steps in order of execution as far as the
// text says it. Linked is how many steps hang together; below 2 the text
// describes no process.
type Flow struct {
	Steps  []Step
	Edges  []Edge
	Linked int
	tails  []int // the steps the next one follows
	heads  []int // what the tails themselves follow
}

// maxSteps bounds the steps of one text.
const maxSteps = 200

func (f *Flow) add(s Step) int {
	f.Steps = append(f.Steps, s)
	return len(f.Steps) - 1
}

// then puts a step behind the current tails. "Back to the draft" and a step
// already named with the same owner are that step.
func (f *Flow) then(s Step, conditional bool) {
	i := f.known(s)
	if i < 0 {
		i = f.add(s)
	}
	for _, from := range f.tails {
		f.edge(Edge{From: from, To: i, Conditional: conditional})
	}
	f.heads, f.tails = f.tails, []int{i}
}

// known finds the step a mention goes back to, or -1.
func (f *Flow) known(s Step) int {
	name := strings.ToLower(s.Name)
	back := false
	for _, p := range [...]string{"it goes ", "go ", "goes ", "we ", "back to ", "return to ", "returns to ", "the "} {
		if rest, ok := strings.CutPrefix(name, p); ok {
			name, back = rest, back || strings.HasSuffix(p, "to ")
		}
	}
	for i, have := range f.Steps {
		if back && name != "" && strings.Contains(strings.ToLower(have.Name), name) || strings.Contains(name, " ") && strings.EqualFold(have.Name, s.Name) && strings.EqualFold(have.Owner, s.Owner) {
			return i
		}
	}
	return -1
}

// beside appends a step parallel to the current tails: a fork where they have
// a common predecessor, else siblings.
func (f *Flow) beside(s Step) {
	i := f.add(s)
	if len(f.heads) == 0 && len(f.tails) > 0 {
		f.Edges = append(f.Edges, Edge{From: f.tails[0], To: i, Parallel: true})
	}
	for _, from := range f.heads {
		for k := range f.Edges {
			if e := &f.Edges[k]; e.From == from {
				e.Parallel = true
			}
		}
		f.Edges = append(f.Edges, Edge{From: from, To: i, Parallel: true})
	}
	f.tails = append(f.tails, i)
}

// piece is a run of tokens between breaks, with the marker that opened it.
type piece struct {
	a, b  int
	link  Link
	comma bool // opened by a comma, not by a stop
}

// Flow reads a process out of sentences. It answers only where markers link
// clauses that act (facts R-47): "First of all", "next week", "before I
// forget", "after the merger" are no markers.
func (t *Text) Flow() Flow {
	if t.CJK || t.other {
		return t.flowCJK()
	}
	if !t.hasMark() {
		return Flow{}
	}
	pieces := t.pieces()
	var f Flow
	marks, thens := 0, 0
	for _, p := range pieces {
		if p.link == LinkThen {
			thens++
		}
	}
	for i := 0; i < len(pieces) && len(f.Steps) < maxSteps; i++ {
		p := pieces[i]
		switch p.link {
		case LinkBefore, LinkAfter:
			marks++
			i = t.ordered(&f, pieces, i)
		case LinkIf:
			continue
		case LinkNone:
			leads := i+1 < len(pieces) && pieces[i+1].link > LinkFirst && pieces[i+1].link < LinkIf
			if t.acts(p.a, p.b) && (len(f.Steps) > 0 || leads) || leads && thens > 1 && pieces[i+1].comma {
				t.thenSteps(&f, p, false)
			}
		case LinkWhile: // ties, but is no evidence: "he called while I approved it"
			f.beside(t.step(p.a, p.b))
		default:
			marks++
			if p.link == LinkFirst && len(f.Steps) == 1 && marks == 1 { // what stood before "first" is an introduction
				f = Flow{}
			}
			conditional := i > 0 && pieces[i-1].link == LinkIf && p.comma
			t.thenSteps(&f, p, conditional || t.conditionInside(p))
		}
	}
	if marks > 0 && len(f.Edges) > 0 && t.credible(pieces, marks) {
		f.Linked = len(f.Steps)
	}
	return f
}

func (t *Text) hasMark() bool {
	for i := range t.Toks {
		if t.Toks[i].Class&Mark != 0 || t.Toks[i].Word == "step" || t.Toks[i].Word == "while" || t.Toks[i].Word == "to" && t.word(i+1) == "start" ||
			t.Toks[i].Word == "followed" || t.Toks[i].Word == "parallel" {
			return true
		}
	}
	return false
}

// credible asks for evidence of a process: two acting clauses, or bare names
// tied by two markers ("intake, then triage, then repair").
func (t *Text) credible(pieces []piece, marks int) bool {
	acting, named := 0, 0
	for _, p := range pieces {
		switch {
		case p.link == LinkIf:
		case t.Lang == English && t.acts(p.a, p.b):
			acting++
		case p.link != LinkNone && t.nameLength(p) > 0 && t.nameLength(p) <= 6:
			named++
		}
	}
	if t.Lang != English {
		return marks >= 2
	}
	return acting >= 2 || acting+named >= 2 && marks >= 2
}

// thenSteps appends the steps of a piece: one, or two for "legal and finance
// review in parallel".
func (t *Text) thenSteps(f *Flow, p piece, conditional bool) {
	if and := t.parallelSubjects(p); and > 0 {
		one, two := t.step(p.a, p.b), t.step(p.a, p.b)
		verb, _ := t.verb(p.a, p.b)
		one.Owner, two.Owner = t.owner(p.a, and), t.owner(and+1, verb)
		f.then(one, conditional)
		f.beside(two)
		return
	}
	f.then(t.step(p.a, p.b), conditional)
}

// parallelSubjects finds the "and" in "A and B act in parallel", or 0.
func (t *Text) parallelSubjects(p piece) int {
	verb, ok := t.verb(p.a, p.b)
	if !ok || !t.simultaneous(verb, p.b) {
		return 0
	}
	for i := p.a + 1; i < verb-1; i++ {
		if t.word(i) == "and" {
			return i
		}
	}
	return 0
}

func (t *Text) simultaneous(a, b int) bool {
	for i := a; i < b; i++ {
		switch t.word(i) {
		case "simultaneously", "concurrently", "parallel":
			return true
		case "same":
			return t.word(i+1) == "time"
		}
	}
	return false
}

// conditionInside reports "… if they cannot fix it" at the end of a piece.
func (t *Text) conditionInside(p piece) bool {
	for i := p.a + 1; i < p.b; i++ {
		if w := t.word(i); w == "if" || w == "unless" {
			return true
		}
	}
	return false
}

// nameLength counts the tokens of a piece up to its condition.
func (t *Text) nameLength(p piece) int {
	for i := p.a; i < p.b; i++ {
		if w := t.word(i); w == "if" || w == "unless" {
			return i - p.a
		}
	}
	return p.b - p.a
}

// ordered reads before and after: at the start of a sentence with the main
// clause behind a comma, or behind the main clause. It returns the last piece
// it used.
func (t *Text) ordered(f *Flow, pieces []piece, i int) int {
	p := pieces[i]
	x := t.step(p.a, p.b)
	if !p.comma && i+1 < len(pieces) && pieces[i+1].comma && pieces[i+1].link <= LinkThen {
		y := pieces[i+1]
		if p.link == LinkAfter {
			f.then(x, false)
			t.thenSteps(f, y, false)
		} else {
			t.thenSteps(f, y, false)
			f.then(x, false)
		}
		return i + 1
	}
	if len(f.Steps) == 0 {
		f.then(x, false)
		return i
	}
	last := len(f.Steps) - 1
	if p.link == LinkBefore { // M before X
		f.then(x, false)
		return i
	}
	// M after X: X goes between M and what came before it
	n := f.add(x)
	for k := range f.Edges {
		if f.Edges[k].To == last {
			f.Edges[k].To = n
		}
	}
	f.Edges = append(f.Edges, Edge{From: n, To: last})
	f.heads = []int{n}
	return i
}

// trimmed returns the text of tokens [a,b) without marks at its ends.
func (t *Text) trimmed(a, b int) string {
	for a < b && t.Toks[a].Kind != Word && t.Toks[a].Kind != Number && t.Toks[a].Kind != Masked {
		a++
	}
	for b > a && t.Toks[b-1].Kind != Word && t.Toks[b-1].Kind != Number && t.Toks[b-1].Kind != Masked && t.Toks[b-1].Mark != ')' {
		b--
	}
	if a >= b {
		return ""
	}
	return strings.TrimSpace(t.Src[t.Toks[a].Start:t.Toks[b-1].End])
}

// Orders makes a sequence of sentences that each act, without any marker:
// "Collect the documents. Verify identity."
func (t *Text) Orders() Flow {
	var f Flow
	for _, p := range t.pieces() {
		if len(f.Steps) < maxSteps && t.Lang == English && t.acts(p.a, p.b) && p.link != LinkIf {
			if p.link == LinkWhile {
				f.beside(t.step(p.a, p.b))
			} else {
				f.then(t.step(p.a, p.b), false)
			}
		}
	}
	f.Linked = len(f.Steps)
	return f
}
