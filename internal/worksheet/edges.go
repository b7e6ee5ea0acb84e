package worksheet

import (
	"strconv"
	"strings"

	"github.com/limn-ui/limn/internal/capture"
	"github.com/limn-ui/limn/internal/excerpt"
	"github.com/limn-ui/limn/ui"
)

// Where a process map keeps its rows.
const (
	StepsPath ui.Path = "/draft/steps"
	EdgesPath ui.Path = "/draft/edges"
)

// Edges is the part with the connections of a process map: rows whose ends are
// chosen among the steps as they are.
func Edges(w ui.Words, steps ui.Value) *ui.Table {
	ends := make([]ui.Option, 0, len(steps.Records()))
	for i, r := range steps.Records() {
		name, _ := r.Cells.Get("name")
		label := w.Say("steps.step", "n", strconv.Itoa(i+1))
		if text := strings.TrimSpace(name.Text()); text != "" {
			label = strconv.Itoa(i+1) + " " + excerpt.Runes(text, 60)
		}
		ends = append(ends, ui.Option{Value: r.ID, Label: label})
	}
	var kinds []ui.Option
	for _, k := range []capture.Kind{capture.Sequence, capture.Approval, capture.Parallel} {
		kinds = append(kinds, ui.Option{Value: string(k), Label: w.Say("edge." + string(k))})
	}
	return &ui.Table{Rowset: ui.Rowset{Key: "edges", Path: EdgesPath, Label: w.Say("edges.label"),
		Help: w.Say("edges.help"), Starter: -1, Unordered: true,
		Columns: []ui.Field{
			{Name: "from", Label: w.Say("edges.from"), Type: ui.TypeChoice, Required: true, Options: ends},
			{Name: "to", Label: w.Say("edges.to"), Type: ui.TypeChoice, Required: true, Options: ends},
			{Name: "kind", Label: w.Say("edges.kind"), Type: ui.TypeChoice, Required: true, Options: kinds,
				Default: ui.String(string(capture.Sequence))},
			{Name: "conditional", Label: w.Say("edges.conditional"), Type: ui.TypeBoolean},
		}}}
}

// ends are the ids of the steps a connection leads from and to; "" is open.
func ends(edge ui.Record) (from, to string) {
	a, _ := edge.Cells.Get("from")
	b, _ := edge.Cells.Get("to")
	return a.Text(), b.Text()
}

// Chain reports at least two steps whose connections lead from each to the
// next, unconditionally, and nowhere else: a step added at the end of such a map
// is meant to follow the last one, and is connected with it. Without a chain nothing is
// guessed. Connections with two open ends do not count.
func Chain(steps, edges ui.Value) bool {
	rows := steps.Records()
	next := make(map[string]string, len(rows))
	for i := 1; i < len(rows); i++ {
		next[rows[i-1].ID] = rows[i].ID
	}
	n := 0
	for _, e := range edges.Records() {
		from, to := ends(e)
		conditional, _ := e.Cells.Get("conditional")
		switch {
		case from == "" && to == "":
			continue
		case to == "" || next[from] != to || conditional.True():
			return false
		}
		delete(next, from)
		n++
	}
	return n > 0 && len(next) == 0
}

// Connect is a new connection between two steps.
func Connect(from, to string, kind capture.Kind, conditional bool) ui.Value {
	return ui.Map(ui.Pair{Key: "from", Value: ui.String(from)}, ui.Pair{Key: "to", Value: ui.String(to)},
		ui.Pair{Key: "kind", Value: ui.String(string(kind))}, ui.Pair{Key: "conditional", Value: ui.Bool(conditional)})
}

// Touching lists the connections at a step.
func Touching(edges ui.Value, step string) (ids []string) {
	for _, e := range edges.Records() {
		if from, to := ends(e); from == step || to == step {
			ids = append(ids, e.ID)
		}
	}
	return ids
}

// Joins reports a connection whose ends are steps that are there, or the step added.
func Joins(steps ui.Value, edge ui.Record, added string) bool {
	there := func(id string) bool {
		_, ok := steps.Record(id)
		return ok || id == added
	}
	from, to := ends(edge)
	return there(from) && there(to)
}

// OpenEnds lists the cells, from or to, of connections that lead to no step or to an
// empty one: blank reports whether a step is empty.
func OpenEnds(steps, edges ui.Value, blank func(cells ui.Value) bool) (cells []capture.CellPlace) {
	for _, e := range edges.Records() {
		from, to := ends(e)
		if from == "" && to == "" {
			continue
		}
		for _, end := range [...]struct{ column, step string }{{"from", from}, {"to", to}} {
			if r, ok := steps.Record(end.step); !ok || blank(r.Cells) {
				cells = append(cells, capture.CellPlace{Row: e.ID, Column: end.column, Code: capture.CodeEnum})
			}
		}
	}
	return cells
}

// OwnEdges returns the steps and connections of a map if rs are its steps. In
// maps stored by earlier versions the connections belong to the steps' node.
func OwnEdges(sf *ui.Surface, rs *ui.Rowset) (steps, edges ui.Value) {
	st, ok := Filled(sf.Root).(*ui.Steps)
	if !ok || &st.Rowset != rs {
		return ui.Value{}, ui.Value{}
	}
	steps, _ = sf.Get(rs.Path)
	edges, _ = sf.Get(EdgesPath)
	return steps, edges
}
