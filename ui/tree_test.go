package ui

import (
	"math"
	"strconv"
	"strings"
	"testing"
)

func text(key string) Node { return &Divider{Key: key} }

func in(key string, p Path) Node {
	return &TextInput{Input{Key: key, Path: p, Field: Field{Name: "x", Type: TypeText}}}
}

func TestCheckTree(t *testing.T) {
	t.Parallel()
	col := func(kids ...Node) Nodes { return Nodes{&Column{Key: "main", Children: kids}} }
	table := func(p Path, cols ...Field) Node {
		return &Table{Rowset{Key: "t", Path: p, Columns: cols}}
	}
	one := Field{Name: "a", Type: TypeText}
	rows := func(n int) (out Value) {
		list := make([]Record, n)
		for i := range list {
			list[i] = Record{ID: "s" + strconv.Itoa(i), Order: "b", Cells: Map()}
		}
		return Map(Pair{"steps", Rows(list...)})
	}
	chart := func(kind ChartKind, labels int, series ...Series) Nodes {
		return col(&Chart{Key: "c", Kind: kind, Labels: make([]string, labels), Series: series})
	}
	values := func(v ...float64) Series { return Series{Values: v} }
	for _, c := range []struct {
		name string
		root Nodes
		code Code
		path string
	}{
		{"fine", Nodes{everything()}, "", ""},
		{"no root", Nodes{}, codeNodeInvalid, "/root"}, {"two roots", Nodes{text("a"), text("b")}, codeNodeInvalid, "/root"}, {"nil root", Nodes{nil}, codeNodeInvalid, ""},
		{"nil child", col(nil), codeNodeInvalid, "main"}, {"no key", col(text("")), codeNodeInvalid, "main/"}, {"bad key", col(text("A")), codeNodeInvalid, "main/A"},
		{"reserved key", col(text("!add")), codeNodeInvalid, "main/!add"}, {"siblings", col(text("a"), text("a")), codeNodeInvalid, "main/a"},
		{"cousins", col(&Row{Key: "r", Children: Nodes{text("a")}}, text("a")), "", ""},
		{"tabs are siblings", col(&Tabs{Key: "t", Tabs: []Tab{{Key: "a"}, {Key: "a"}}}), codeNodeInvalid, "main/t/a"},
		{"path without", col(in("a", "")), codeNodeInvalid, "main/a"}, {"path relative", col(in("a", "name")), codeNodeInvalid, "main/a"},
		{"path elsewhere", col(in("a", "/ui_state/a")), codeNodeInvalid, "main/a"}, {"path not canonical", col(in("a", "/draft/~2")), codeNodeInvalid, "main/a"},
		{"path twice", col(in("a", "/draft/x"), in("b", "/draft/x")), codeNodeInvalid, "main/b"},
		{"path below", col(in("a", "/draft/x"), in("b", "/draft/x/y")), codeNodeInvalid, "main/b"}, {"path above", col(in("a", "/draft/x/y"), in("b", "/draft/x")), codeNodeInvalid, "main/b"},
		{"paths beside", col(in("a", "/draft/x/y"), in("b", "/draft/x/z"), in("c", "/draft/xy")), "", ""},
		{"cell of a table", col(table("/draft/t", one), in("b", "/draft/t/r1/a")), codeNodeInvalid, "main/b"},
		{"no columns", col(table("/draft/t")), codeNodeInvalid, "main/t"},
		{"edges", col(&Steps{Rowset{Key: "s", Path: "/draft/s", Columns: []Field{one}}, "/draft/~"}), codeNodeInvalid, "main/s"},
		{"edges are the steps", col(&Steps{Rowset{Key: "s", Path: "/draft/s", Columns: []Field{one}}, "/draft/s"}), codeNodeInvalid, "main/s"},
		{"diagram of paths", col(&Diagram{Key: "d", Steps: "/draft/s"}, &Diagram{Key: "e", Steps: "/committed/map/steps", Edges: "/committed/map/edges"}), "", ""},
		{"diagram of data", col(&Diagram{Key: "d", Data: rows(200)}), "", ""}, {"diagram of nothing", col(&Diagram{Key: "d"}), codeNodeInvalid, "main/d"},
		{"diagram of both", col(&Diagram{Key: "d", Steps: "/draft/s", Data: rows(1)}), codeNodeInvalid, "main/d"}, {"diagram of a text", col(&Diagram{Key: "d", Data: String("x")}), codeNodeInvalid, "main/d"},
		{"large diagram", col(&Diagram{Key: "d", Data: rows(201)}), CodeLimit, "main/d"}, {"diagram of a bad path", col(&Diagram{Key: "d", Steps: "steps"}), codeNodeInvalid, "main/d"},
		{"edges alone", col(&Diagram{Key: "d", Data: rows(1), Edges: "/draft/e"}), codeNodeInvalid, "main/d"}, {"bad edges", col(&Diagram{Key: "d", Steps: "/draft/s", Edges: "e"}), codeNodeInvalid, "main/d"},
		{"chart", chart(ChartBar, 2, values(1, -2), values(0, 0.5)), "", ""}, {"empty chart", chart(ChartPie, 0), "", ""}, {"donut", chart("donut", 0), codeNodeInvalid, "main/c"},
		{"value missing", chart(ChartLine, 2, values(1)), codeNodeInvalid, "main/c"}, {"infinite", chart(ChartLine, 1, values(math.Inf(1))), codeNodeInvalid, "main/c"},
		{"negative pie", chart(ChartPie, 1, values(-1)), codeNodeInvalid, "main/c"}, {"two pies", chart(ChartPie, 1, values(1), values(1)), codeNodeInvalid, "main/c"},
		{"large chart", chart(ChartLine, 251, values(make([]float64, 251)...), values(make([]float64, 251)...)), CodeLimit, "main/c"},
		{"many series", chart(ChartLine, 0, make([]Series, 13)...), CodeLimit, "main/c"},
		{"shown path", col(&Text{Key: "a", Path: "hint"}), codeNodeInvalid, "main/a"}, {"shown draft", col(in("a", "/draft/x"), &Text{Key: "b", Path: "/draft/x"}), "", ""},
	} {
		err := CheckTree(c.root, Limits{})
		path := ""
		if e, ok := err.(*Error); ok {
			path = e.Path
		}
		if CodeOf(err) != c.code || path != c.path {
			t.Errorf("%s: %v, want %s at %q", c.name, err, c.code, c.path)
		}
		if _, _, aerr := Apply(NewState("c"), frameOf(NewState("c"), &Open{Surface: "a", Root: c.root}), Limits{}); CodeOf(aerr) != c.code {
			t.Errorf("%s: Apply says %v", c.name, aerr)
		}
	}
	// Apply alone: names of columns, paths of contexts
	for name, n := range map[string]Node{"column": table("/draft/t", Field{Name: "A b"}),
		"column twice": table("/draft/t", one, one),
		"context":      &Button{Key: "b", Action: Action{Name: "x", Context: []Context{{Key: "k", Path: "x"}}}}} {
		if _, _, err := Apply(NewState("c"), frameOf(NewState("c"), &Open{Surface: "a", Root: Nodes{n}}), Limits{}); CodeOf(err) != codeNodeInvalid {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestLimits holds every limit at it and one over.
func TestLimits(t *testing.T) {
	t.Parallel()
	kids := func(n int) Nodes {
		var list Nodes
		for i := range n {
			list = append(list, text("n"+strconv.Itoa(i)))
		}
		return Nodes{&Column{Key: "main", Children: list}}
	}
	deep := func(n int) Nodes {
		root := text("d")
		for range n - 1 {
			root = &Column{Key: "c", Children: Nodes{root}}
		}
		return Nodes{root}
	}
	options := func(n int) []Option { return make([]Option, n) }
	choice := func(n int) Nodes {
		return Nodes{&Choice{Input{Key: "c", Path: "/draft/c",
			Field: Field{Name: "c", Type: TypeChoice, Options: options(n)}}}}
	}
	cell := func(n int) Nodes {
		return Nodes{&Table{Rowset{Key: "t", Path: "/draft/t",
			Columns: []Field{{Name: "c", Type: TypeChoice, Options: options(n)}}}}}
	}
	rows := func(n int) Value {
		var list []Record
		for i := range n {
			list = append(list, Record{"r" + strconv.Itoa(i), "", Map()})
		}
		return Rows(list...)
	}
	lim := Limits{Surfaces: 2, Nodes: 4, Depth: 3, Rows: 5, Options: 3, StringSize: 6, DraftSize: 400, Transcript: 3,
		TextSize: 7, Committed: 60}
	base := mustApply(NewState("c"), &Open{Surface: "a", Root: Nodes{in("x", "/draft/x")}})
	str := func(n int) Value { return String(strings.Repeat("s", n)) }
	open := func(n Name, root Nodes, draft Value) Op {
		return &Open{Surface: n, Root: root, Draft: draft}
	}
	fill := func(n int) Op { // one byte at a time, in strings that are no longer than they may be
		var l []Leaf
		for i := 0; n > 0; i++ {
			l = append(l, Leaf{Path("/draft/f" + strconv.Itoa(100+i)), str(min(n, 6))})
			n -= 6
		}
		return &Draft{Surface: "a", Values: l}
	}
	room := 0 // how many bytes fill can have
	for {
		next, _, err := Apply(base, frameOf(base, fill(room+1)), Limits{})
		if err != nil || next.Surface("a").Draft.size()+next.Surface("a").UIState.size() > lim.DraftSize {
			break
		}
		room++
	}
	if room < 50 {
		t.Fatalf("room = %d", room)
	}
	commit := 0
	for (Map(Pair{"f", str(commit + 1)})).size() <= lim.Committed {
		commit++
	}
	for _, c := range []struct {
		name     string
		at, over Op
	}{
		{"surfaces", open("b", kids(0), Value{}), nil},
		{"nodes", open("a", kids(3), Value{}), open("a", kids(4), Value{})}, {"nodes of an update", &Update{Surface: "a", Root: kids(3)}, &Update{Surface: "a", Root: kids(4)}},
		{"depth", open("a", deep(3), Value{}), open("a", deep(4), Value{})},
		{"options", open("a", choice(3), Value{}), open("a", choice(4), Value{})}, {"options of a column", open("a", cell(3), Value{}), open("a", cell(4), Value{})},
		{"rows opened", open("a", kids(0), Map(Pair{"t", rows(5)})), open("a", kids(0), Map(Pair{"t", rows(6)}))},
		{"rows patched", &Patch{"a", []PatchOne{{Do: PatchSet, Path: "/draft/t", Value: rows(5)}}}, &Patch{"a", []PatchOne{{Do: PatchSet, Path: "/draft/t", Value: rows(6)}}}},
		{"rows drafted", &Draft{"a", []Leaf{{"/draft/t", rows(5)}}}, &Draft{"a", []Leaf{{"/draft/t", rows(6)}}}},
		{"string drafted", &Draft{"a", []Leaf{{"/draft/x", str(6)}}}, &Draft{"a", []Leaf{{"/draft/x", str(7)}}}},
		{"string in a list", &Draft{"a", []Leaf{{"/draft/x", Strings("s", "123456")}}}, &Draft{"a", []Leaf{{"/draft/x", Strings("s", "1234567")}}}},
		{"string of a cell", &Draft{"a", []Leaf{{"/draft/t", Rows(Record{"r", "", Map(Pair{"k", str(6)})})}}}, &Draft{"a", []Leaf{{"/draft/t", Rows(Record{"r", "", Map(Pair{"k", str(7)})})}}}},
		{"draft", fill(room), fill(room + 1)},
		{"text", &Say{Role: RoleUser, Text: "1234567"}, &Say{Role: RoleUser, Text: "12345678"}},
		{"committed", &Commit{Form: "f", Values: str(commit)}, &Commit{Form: "f", Values: str(commit + 1)}},
	} {
		if _, _, err := Apply(base, frameOf(base, c.at), lim); err != nil {
			t.Errorf("%s, at the limit: %v", c.name, err)
		}
		ops := Ops{c.over}
		if c.over == nil {
			ops = Ops{c.at, open("third", kids(0), Value{})}
		}
		if _, _, err := Apply(base, frameOf(base, ops...), lim); CodeOf(err) != CodeLimit {
			t.Errorf("%s, one over: %v", c.name, err)
		}
	}
	s := base
	for i := range 5 {
		next, _, err := Apply(s, frameOf(s, &Say{Role: RoleUser, Text: strconv.Itoa(i)}), lim)
		if err != nil {
			t.Fatal(err)
		}
		s = next
	}
	if len(s.Transcript) != 3 || s.Transcript[0].Text != "2" {
		t.Errorf("transcript = %+v", s.Transcript)
	}
}

func TestApplyFaults(t *testing.T) {
	t.Parallel()
	s := mustApply(NewState("c"), &Open{Surface: "a", Root: Nodes{everything()}},
		&Open{Surface: "done", Root: Nodes{text("x")}}, &Lock{Surface: "done"})
	patch := func(one PatchOne) Op { return &Patch{"a", []PatchOne{one}} }
	for _, c := range []struct {
		name string
		op   Op
		code Code
	}{
		{"name", &Open{Surface: "A", Root: Nodes{text("x")}}, codeNameInvalid},
		{"unknown", &Lock{Surface: "b"}, codeSurfaceUnknown}, {"unknown update", &Update{Surface: "b", Root: Nodes{text("x")}}, codeSurfaceUnknown}, {"unknown close", &Close{Surface: "b"}, codeSurfaceUnknown}, {"unknown reset", &Reset{"b", ""}, codeSurfaceUnknown},
		{"draft of an answered one", &Draft{Surface: "done"}, codeSurfaceNotOpen}, {"patch of it", &Patch{Surface: "done"}, codeSurfaceNotOpen}, {"errors on it", &Errors{Surface: "done"}, codeSurfaceNotOpen}, {"update of it", &Update{Surface: "done", Root: Nodes{text("x")}}, codeSurfaceNotOpen},
		{"draft elsewhere", &Draft{"a", []Leaf{{"/ui_state/x", Int(1)}}}, codePathInvalid}, {"draft at the root", &Draft{"a", []Leaf{{"/draft", Map()}}}, codePathInvalid}, {"draft malformed", &Draft{"a", []Leaf{{"/draft/~2", Int(1)}}}, codePathInvalid},
		{"draft through a string", &Draft{"a", []Leaf{{"/draft/name/x", Int(1)}}}, codeValueInvalid}, {"row of no key", &Draft{"a", []Leaf{{"/draft/items/R 1/title", String("x")}}}, codeValueInvalid},
		{"patch committed", patch(PatchOne{Do: PatchSet, Path: "/committed/a"}), codePathInvalid}, {"patch relative", patch(PatchOne{Do: PatchSet, Path: "a"}), codePathInvalid}, {"verb", patch(PatchOne{Do: "swap", Path: "/draft/a"}), codeValueInvalid},
		{"append to text", patch(PatchOne{Do: PatchAppend, Path: "/draft/name", Value: String("x")}), codeValueInvalid}, {"append a number", patch(PatchOne{Do: PatchAppend, Path: "/draft/sizes", Value: Int(1)}), codeValueInvalid},
		{"row taken", patch(PatchOne{Do: PatchAppend, Path: "/draft/items", Row: "r1"}), codeValueInvalid}, {"row before nothing", patch(PatchOne{Do: PatchInsert, Path: "/draft/items", Before: "zz"}), codeValueInvalid}, {"index", patch(PatchOne{Do: PatchInsert, Path: "/draft/sizes", Before: "9", Value: String("a")}), codeValueInvalid},
		{"form name", &Commit{Form: "A"}, codeNameInvalid}, {"role", &Say{Role: "system"}, codeValueInvalid}, {"nil", nil, codeRecordInvalid},
		{"draft is no map", &Open{Surface: "b", Root: Nodes{text("x")}, Draft: String("x")}, codeValueInvalid},
	} {
		_, _, err := Apply(s, frameOf(s, &Toast{}, c.op), Limits{})
		e, ok := err.(*Error)
		if !ok || e.Code != c.code || !strings.HasPrefix(e.Path, "/ops/1/"+opTypes.name(c.op)) {
			t.Errorf("%s: %v, want %s at /ops/1", c.name, err, c.code)
		}
	}
}

func TestSubmitContextKeysAreUnique(t *testing.T) {
	t.Parallel()
	root := &Column{Key: "m", Children: Nodes{in("a", "/draft/one/name"), in("b", "/draft/two/name"),
		in("c", "/draft/two_name")}}
	seen := map[string]Path{}
	for _, c := range SubmitContext(root) {
		seen[c.Key] = c.Path
	}
	if len(seen) != 3 || seen["name"] != "/draft/one/name" || seen["two_name"] != "/draft/two/name" {
		t.Errorf("keys = %v", seen)
	}
}

func TestPages(t *testing.T) {
	t.Parallel()
	rs := &tableNode().Rowset
	v := Rows()
	for i := range 120 {
		v, _ = v.With(Map(), "k"+strconv.Itoa(i))
	}
	for _, c := range []struct {
		page     Value
		from, to int
	}{
		{Value{}, 0, 50}, {Int(50), 50, 100}, {Int(100), 100, 120}, {Int(119), 119, 120}, {Int(120), 0, 50}, {Int(-1), 0, 50}, {number("1e300"), 0, 50}, {String("50"), 0, 50},
	} {
		s := &Surface{Root: Nodes{tableNode()}, Draft: Map(Pair{"items", v}), UIState: Map(Pair{"page_items", c.page})}
		if from, to := s.Page(rs); from != c.from || to != c.to {
			t.Errorf("page %s: %d to %d, want %d to %d", c.page.AppendJSON(nil), from, to, c.from, c.to)
		}
		_, prev := s.ActionAt("items/!prev")
		_, next := s.ActionAt("items/!next")
		if prev != (c.from > 0) || next != (c.to < 120) {
			t.Errorf("page %s: previous %v, next %v", c.page.AppendJSON(nil), prev, next)
		}
	}
}

// An update keeps the rows there are: it adds none for the look of it.
func TestUpdateKeepsData(t *testing.T) {
	t.Parallel()
	root := Nodes{&Column{Key: "main", Children: Nodes{tableNode(), in("x", "/draft/x")}}}
	s := mustApply(NewState("c"), &Open{Surface: "a", Root: root, Draft: BlankDraft(root[0], Value{})},
		&Draft{"a", []Leaf{{"/draft/x", String("typed")}}})
	if n := len(s.Surface("a").Rows(&tableNode().Rowset)); n != 3 {
		t.Fatalf("starts with %d rows", n)
	}
	s = mustApply(s, &Patch{"a", []PatchOne{{Do: PatchDelete, Path: "/draft/items/r1"},
		{Do: PatchDelete, Path: "/draft/items/r2"}}})
	s = mustApply(s, &Update{Surface: "a", Root: root})
	v, _ := s.Surface("a").Get("/draft/x")
	if n := len(s.Surface("a").Rows(&tableNode().Rowset)); n != 1 || v.Text() != "typed" {
		t.Errorf("%d rows and %q after the update", n, v.Text())
	}
	s = mustApply(s, &Patch{"a", []PatchOne{{Do: PatchDelete, Path: "/draft/x"},
		{Do: PatchDelete, Path: "/draft/items"}}})
	if v, ok := s.Surface("a").Get("/draft/x"); !ok || !v.Equal(String("")) {
		t.Errorf("a deleted input holds %v, %v", v, ok)
	}
}

// What the server wrote is remembered for leaves that are there, not for ever.
func TestWroteIsBounded(t *testing.T) {
	t.Parallel()
	s := mustApply(NewState("c"), &Open{Surface: "a", Root: Nodes{everything()}})
	for range 30 {
		s = mustApply(s, &Patch{"a", []PatchOne{
			{Do: PatchAppend, Path: "/draft/items", Row: "x1", Value: Map(Pair{"title", String("t")})},
			{Do: PatchSet, Path: "/ui_state/progress", Value: Int(1)}}})
		s = mustApply(s, &Patch{"a", []PatchOne{{Do: PatchDelete, Path: "/draft/items/x1"}}})
	}
	if sf := s.Surface("a"); len(sf.Wrote) != 1 || sf.Wrote["/draft/items/x1"] != sf.Rev {
		t.Errorf("wrote = %v at rev %d", sf.Wrote, sf.Rev)
	}
}

// A submitted table of 2,000 rows is written in one go.
func BenchmarkDraft(b *testing.B) {
	order := ""
	var list []Record
	var leaves []Leaf
	for i := range 2000 {
		order = OrderBetween(order, "")
		list = append(list, Record{"r" + strconv.Itoa(i+1), order, Map()})
		for _, c := range tableNode().Columns {
			leaves = append(leaves, Leaf{tableNode().CellPath("r"+strconv.Itoa(i+1), c.Name), String("x")})
		}
	}
	v := Rows(list...)
	s := mustApply(NewState("c"), &Open{Surface: "a", Root: Nodes{tableNode()}, Draft: Map(Pair{"items", v})})
	f := frameOf(s, &Draft{"a", leaves})
	for b.Loop() {
		if _, _, err := Apply(s, f, Limits{}); err != nil {
			b.Fatal(err)
		}
	}
}

// An input below another key has its value whatever a patch puts there.
func TestNestedInputs(t *testing.T) {
	t.Parallel()
	root := Nodes{&Column{Key: "main", Children: Nodes{in("a", "/draft/home/address/city"),
		in("b", "/draft/home/phone")}}}
	s := mustApply(NewState("c"), &Open{Surface: "a", Root: root, Draft: Map(Pair{"home", String("no map")})},
		&Draft{"a", []Leaf{{"/draft/home/phone", String("1")}}})
	for _, one := range []PatchOne{{Do: PatchSet, Path: "/draft/home/address", Value: Strings("x")},
		{Do: PatchDelete, Path: "/draft/home/address"},
		{Do: PatchSet, Path: "/draft/home", Value: Map(Pair{"phone", String("1")})}} {
		s = mustApply(s, &Patch{"a", []PatchOne{one}})
		city, ok := s.Surface("a").Get("/draft/home/address/city")
		phone, _ := s.Surface("a").Get("/draft/home/phone")
		if !ok || !city.Equal(String("")) || phone.Text() != "1" {
			t.Errorf("after %v: %s", one, s.Surface("a").Draft.AppendJSON(nil))
		}
	}
}
