package worksheet

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/limn-ui/limn/internal/capture"
	"github.com/limn-ui/limn/ui"
)

func rowsFrom(cells ...ui.Value) ui.Value {
	var records []ui.Record
	for i, c := range cells {
		records = append(records, ui.Record{ID: "r" + strconv.Itoa(i+1), Order: string(rune('b' + i)), Cells: c})
	}
	return ui.Rows(records...)
}

func stepsOf(names ...string) ui.Value {
	var cells []ui.Value
	for _, n := range names {
		cells = append(cells, ui.Map(ui.Pair{Key: "name", Value: ui.String(n)}))
	}
	return rowsFrom(cells...)
}

func TestChain(t *testing.T) {
	t.Parallel()
	e := func(from, to string) ui.Value { return Connect(from, to, capture.Sequence, false) }
	for name, c := range map[string]struct {
		steps, edges ui.Value
		want         bool
	}{
		"nothing":             {stepsOf(), rowsFrom(), false},
		"one step":            {stepsOf("a"), rowsFrom(), false},
		"no connections":      {stepsOf("a", "b"), rowsFrom(), false},
		"two":                 {stepsOf("a", "b"), rowsFrom(e("r1", "r2")), true},
		"three, in any order": {stepsOf("a", "b", "c"), rowsFrom(e("r2", "r3"), e("r1", "r2")), true},
		"an approval":         {stepsOf("a", "b"), rowsFrom(Connect("r1", "r2", capture.Approval, false)), true},
		"an open connection":  {stepsOf("a", "b"), rowsFrom(e("r1", "r2"), e("", "")), true},
		"half open":           {stepsOf("a", "b"), rowsFrom(e("r1", "r2"), e("r2", "")), false},
		"a gap":               {stepsOf("a", "b", "c"), rowsFrom(e("r1", "r2")), false},
		"backwards":           {stepsOf("a", "b"), rowsFrom(e("r2", "r1")), false},
		"a fork":              {stepsOf("a", "b", "c"), rowsFrom(e("r1", "r2"), e("r1", "r3")), false},
		"twice":               {stepsOf("a", "b"), rowsFrom(e("r1", "r2"), e("r1", "r2")), false},
		"only sometimes":      {stepsOf("a", "b"), rowsFrom(Connect("r1", "r2", capture.Sequence, true)), false},
	} {
		if got := Chain(c.steps, c.edges); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// TestChainLaw: a chain that a step is appended to and connected with stays one,
// and moving its steps makes it none.
func TestChainLaw(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 12).Draw(t, "steps")
		var names []string
		var edges []ui.Value
		for i := range n {
			names = append(names, strconv.Itoa(i))
			if i > 0 {
				edges = append(edges, Connect("r"+strconv.Itoa(i), "r"+strconv.Itoa(i+1), capture.Sequence, false))
			}
		}
		if !Chain(stepsOf(names...), rowsFrom(edges...)) {
			t.Fatal("no chain")
		}
		i := rapid.IntRange(0, n-2).Draw(t, "swapped")
		moved := stepsOf(names...).Records()
		moved[i].Order, moved[i+1].Order = moved[i+1].Order, moved[i].Order
		if Chain(ui.Rows(moved...), rowsFrom(edges...)) {
			t.Fatal("a chain that leads backwards")
		}
	})
}

func TestOpenEnds(t *testing.T) {
	t.Parallel()
	steps := stepsOf("a", "", "c")
	edges := rowsFrom(Connect("r1", "r3", "", false), Connect("r1", "r2", "", false), Connect("gone", "r3", "", false),
		Connect("", "", "", false), Connect("r1", "", "", false))
	blank := func(cells ui.Value) bool { v, _ := cells.Get("name"); return v.Text() == "" }
	got := ""
	for _, c := range OpenEnds(steps, edges, blank) {
		got += c.Row + "." + c.Column + " "
	}
	if got != "r2.to r3.from r5.to " {
		t.Errorf("open ends: %s", got)
	}
}

// TestGuessedEdges: a connection the text leaves open is asked about where it is
// to be mended.
func TestGuessedEdges(t *testing.T) {
	t.Parallel()
	m := capture.Map{Steps: []capture.Step{{Name: "Check"}, {Name: "Repair"}, {Name: "Ship"}},
		Edges: []capture.Edge{{From: 0, To: 1, Kind: capture.Sequence, Other: capture.OtherAside},
			{From: 1, To: 2, Kind: capture.Sequence},
			{From: 1, To: 0, Kind: capture.Sequence, Other: capture.OtherBack}}}
	asked := SeedMap(nil, m)
	if len(asked) != 2 || asked[0].Path != "/draft/edges/e1/kind" ||
		asked[0].Text != "Repair is taken to follow Check; the two could also run side by side." ||
		asked[1].Path != "/draft/edges/e3/to" || asked[1].Code != CodeGuess ||
		asked[1].Text != "Check is taken to follow Repair; the process could also go back from there." {
		t.Errorf("asked %+v", asked)
	}
	lines := stepLines(nil, &m)
	if lines[3] != "1 → 2 – "+asked[0].Text || lines[4] != "2 → 3" {
		t.Errorf("preview %q", lines)
	}
}

// TestModes: the ways of putting rows in decide what the part holds.
func TestModes(t *testing.T) {
	t.Parallel()
	of := &ui.Table{Rowset: ui.Rowset{Key: "rows", Path: "/draft/list"}}
	for want, modes := range map[string][]string{"text read import ": {ModePaste, ModeInline, ModeImport},
		"text read ": {ModePaste, ModeInline}, "import ": {ModeImport}, "": {ModeInline}} {
		got, n := "", Paste(nil, of, modes)
		if n != nil {
			for _, c := range ui.Children(n) {
				got += ui.NodeKey(c) + " "
			}
		}
		if got != want {
			t.Errorf("%v: %q, want %q", modes, got, want)
		}
	}
}

// TestTakeTooMuch: of a table with more steps than a map has room for nothing is taken, and it costs next to nothing.
func TestTakeTooMuch(t *testing.T) {
	t.Parallel()
	columns := []ui.Field{{Name: "name", Type: ui.TypeText}, {Name: "owner", Type: ui.TypeText},
		{Name: "outcome", Type: ui.TypeText}}
	sf := &ui.Surface{Root: ui.Nodes{&ui.Column{Key: "main", Children: ui.Nodes{
		&ui.Steps{Rowset: ui.Rowset{Key: "steps", Path: StepsPath, Columns: columns}}}}}}
	mapping := ui.Map(ui.Pair{Key: "c1", Value: ui.String("name")}, ui.Pair{Key: "c2", Value: ui.String("owner")},
		ui.Pair{Key: "c3", Value: ui.String("outcome")})
	sf.Draft = ui.Map(ui.Pair{Key: MappingPath.Last(), Value: mapping})
	src := Source{Text: "name,owner,outcome\n" + strings.Repeat("a,b,c\n", 20_000)}
	began := time.Now()
	got, ask := Take(nil, sf, src, 500)
	if ask != nil || got.Rows != 20_000 || got.Over != 19_500 || got.Fits != 500 || got.Cut || got.Changes != nil {
		t.Errorf("%d rows, %d over, %d fit, cut %v, %d changes, %v", got.Rows, got.Over, got.Fits, got.Cut,
			len(got.Changes), ask)
	}
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("it took %s", took)
	}
}
