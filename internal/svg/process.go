package svg

import (
	"slices"
	"strconv"
	"strings"

	"github.com/limn-ui/limn/internal/excerpt"
	"github.com/limn-ui/limn/ui"
)

// Process is the content of the image of a process.
type Process struct {
	Steps []Step
	Edges []Edge
}

// Step is one box. Texts are on one line and at most maxText runes long.
type Step struct {
	ID    string // row id
	N     int    // its number among all rows, from 1
	Name  string
	Owner string
}

// Edge leads from one step to another, by their indices.
type Edge struct {
	From, To    int
	Kind        EdgeKind
	Conditional bool
}

// EdgeKind is what kind of work an edge leads to; any other text is drawn as a
// sequence.
type EdgeKind string

// The kinds of an Edge (decision logic §6.2).
const (
	Sequence EdgeKind = "sequence"
	Approval EdgeKind = "approval"
	Parallel EdgeKind = "parallel"
)

const maxText = 120

// Of reads the process of a diagram; value returns the value at a path.
func Of(n *ui.Diagram, value func(ui.Path) ui.Value) Process {
	if n.Steps != "" {
		var edges ui.Value
		if n.Edges != "" {
			edges = value(n.Edges)
		}
		return Read(value(n.Steps), edges, n.Edges == "")
	}
	steps, _ := n.Data.Get("steps")
	edges, declared := n.Data.Get("edges")
	return Read(steps, edges, !declared)
}

// Read takes a process from rows of steps and edges; chain makes each step lead
// to the next instead. Rows that hold nothing, and edges that lead nowhere, are
// left out: they are about to be filled in.
func Read(steps, edges ui.Value, chain bool) Process {
	var p Process
	linked := map[string]bool{}
	for _, r := range edges.Records() {
		linked[cell(r, "from")], linked[cell(r, "to")] = true, true
	}
	index := map[string]int{}
	for i, r := range steps.Records() {
		s := Step{ID: r.ID, N: i + 1, Name: shownText(cell(r, "name")), Owner: shownText(cell(r, "owner"))}
		if s.Name == "" && s.Owner == "" && !linked[r.ID] {
			continue
		}
		index[r.ID] = len(p.Steps)
		p.Steps = append(p.Steps, s)
	}
	if chain {
		for i := 1; i < len(p.Steps); i++ {
			p.Edges = append(p.Edges, Edge{From: i - 1, To: i, Kind: Sequence})
		}
		return p
	}
	seen := map[Edge]bool{}
	for _, r := range edges.Records() {
		from, ok := index[cell(r, "from")]
		to, and := index[cell(r, "to")]
		conditional, _ := r.Cells.Get("conditional")
		e := Edge{From: from, To: to, Kind: EdgeKind(cell(r, "kind")), Conditional: conditional.True()}
		if e.Kind != Approval && e.Kind != Parallel {
			e.Kind = Sequence
		}
		if ok && and && !seen[e] {
			seen[e] = true
			p.Edges = append(p.Edges, e)
		}
	}
	return p
}

func cell(r ui.Record, name string) string {
	v, _ := r.Cells.Get(name)
	return v.Text()
}

// shownText is a text on one line, as long as there is room for.
func shownText(s string) string { return excerpt.Runes(excerpt.Line(s), maxText) }

// Equal reports whether two pictures would be the same.
func (p Process) Equal(q Process) bool {
	return slices.Equal(p.Steps, q.Steps) && slices.Equal(p.Edges, q.Edges)
}

// Label is the name of a step, or where it has none, its number.
func (s Step) Label(w ui.Words) string {
	if s.Name != "" {
		return s.Name
	}
	return w.Say("steps.step", "n", strconv.Itoa(s.N))
}

// Label says what an edge is beyond one step after the other; "" is nothing.
func (e Edge) Label(w ui.Words) string {
	var parts []string
	if e.Kind != Sequence {
		parts = append(parts, w.Say("edge."+string(e.Kind)))
	}
	if e.Conditional {
		parts = append(parts, w.Say("edge.conditional"))
	}
	return strings.Join(parts, ", ")
}

// Words describes the picture: its EdgeWords, then the steps without an edge.
func (p Process) Words(w ui.Words) []string {
	out, linked := p.EdgeWords(w), make([]bool, len(p.Steps))
	for _, e := range p.Edges {
		linked[e.From], linked[e.To] = true, true
	}
	for i, s := range p.Steps {
		if !linked[i] {
			out = append(out, s.named(w))
		}
	}
	return out
}

// EdgeWords are the edges, in the order of the steps they leave, each as "Review (finance) → Sign off
// (IT) [approval]".
func (p Process) EdgeWords(w ui.Words) (out []string) {
	from := make([][]Edge, len(p.Steps))
	for _, e := range p.Edges {
		from[e.From] = append(from[e.From], e)
	}
	for i, s := range p.Steps {
		for _, e := range from[i] {
			line := s.named(w) + " → " + p.Steps[e.To].named(w)
			if label := e.Label(w); label != "" {
				line += " [" + label + "]"
			}
			out = append(out, line)
		}
	}
	return out
}

// named is the label of a step and its owner.
func (s Step) named(w ui.Words) string {
	if s.Owner == "" {
		return s.Label(w)
	}
	return s.Label(w) + " (" + s.Owner + ")"
}
