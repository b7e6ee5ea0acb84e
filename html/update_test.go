package html

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
	"pgregory.net/rapid"

	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/ui"
)

// browser is a page that applies streams as Turbo 8 does, permanent elements
// included; "typed" marks a control the user has touched.
type browser struct{ page }

func newBrowser(t testing.TB, s *ui.State) browser {
	b := append([]byte(`<section id="limn-surfaces">`), AppendSnapshot(nil, s, testOptions)...)
	return browser{parse(t, append(b, `</section>`...))}
}

func (b browser) byID(id string) *html.Node {
	for n := range b.root.Descendants() {
		if n.Type == html.ElementNode && val(n, "id") == id {
			return n
		}
	}
	return nil
}

func (b browser) typeEverywhere() {
	for _, n := range b.all("", "data-turbo-permanent") {
		n.Attr = append(n.Attr, html.Attribute{Key: "typed", Val: "yes"})
	}
}

func (b browser) apply(streams []string) {
	b.t.Helper()
	for _, s := range streams {
		el := parse(b.t, []byte(s)).root.FirstChild
		if el.Data != "turbo-stream" || el.NextSibling != nil {
			b.t.Fatalf("not one turbo-stream: %s", s)
		}
		b.stream(el)
	}
}

func (b browser) stream(el *html.Node) {
	b.t.Helper()
	action, target := val(el, "action"), b.byID(val(el, "target"))
	if target == nil {
		if action != "remove" {
			b.t.Fatalf("%s has no target %q", action, val(el, "target"))
		}
		return
	}
	var content []*html.Node
	if el.FirstChild != nil {
		b.keep(el.FirstChild)
		for c := el.FirstChild.FirstChild; c != nil; c = el.FirstChild.FirstChild {
			el.FirstChild.RemoveChild(c)
			content = append(content, c)
		}
	}
	switch action { // as Turbo does: an element of the same id, here or among the new neighbours, goes
	case "before", "after":
		takeAway(target.Parent, content)
	case "append", "prepend":
		takeAway(target, content)
	}
	parent, next, first := target.Parent, target.NextSibling, target.FirstChild
	switch action {
	case "remove", "replace":
		parent.RemoveChild(target)
	case "before":
		next = target
	case "append", "prepend", "update":
		for c := target.FirstChild; action == "update" && c != nil; c = target.FirstChild {
			target.RemoveChild(c)
		}
		parent, next = target, nil
		if action == "prepend" {
			next = first
		}
	}
	for _, c := range content {
		parent.InsertBefore(c, next)
	}
}

// takeAway removes the children of parent that come anew.
func takeAway(parent *html.Node, content []*html.Node) {
	for _, fresh := range content {
		for c := parent.FirstChild; c != nil; c = c.NextSibling {
			if id := val(fresh, "id"); id != "" && val(c, "id") == id {
				parent.RemoveChild(c)
				break
			}
		}
	}
}

// keep puts the page's permanent elements into new content.
func (b browser) keep(template *html.Node) {
	for _, n := range (page{b.t, template}).all("", "data-turbo-permanent") {
		if old := b.byID(val(n, "id")); old != nil {
			old.Parent.RemoveChild(old)
			n.Parent.InsertBefore(old, n)
			n.Parent.RemoveChild(n)
		}
	}
}

// text is the page without what it may differ in from a fresh drawing: the
// content of controls that were kept, and the attributes of the page script.
func (b browser) islands(kept map[string]bool) string {
	for _, n := range b.all("") {
		n.Attr = slices.DeleteFunc(n.Attr, func(a html.Attribute) bool {
			return a.Key == "typed" || a.Key == "aria-invalid" || a.Key == "autofocus"
		})
	}
	for _, n := range b.all("", "data-turbo-permanent") {
		for kept[val(n, "id")] && n.FirstChild != nil {
			n.RemoveChild(n.FirstChild)
		}
	}
	var out bytes.Buffer
	if err := html.Render(&out, b.root); err != nil {
		b.t.Fatal(err)
	}
	return strings.ReplaceAll(out.String(), "><", ">\n<")
}

// checkUpdate applies Update to a page the user has typed on and compares it
// with a fresh drawing: no control that keeps its id may lose what was typed.
func checkUpdate(t testing.TB, before, after *ui.State, f *ui.Frame) []string {
	t.Helper()
	b := newBrowser(t, before)
	b.typeEverywhere()
	old := map[string]bool{}
	for _, n := range b.all("", "data-turbo-permanent") {
		old[val(n, "id")] = true
	}
	streams := Update(before, after, f, testOptions)
	b.apply(streams)
	fresh := newBrowser(t, after)
	kept := map[string]bool{}
	for _, n := range fresh.all("", "data-turbo-permanent") {
		id := val(n, "id")
		if !old[id] {
			continue
		}
		kept[id] = true
		if now := b.byID(id); now == nil || val(now, "typed") == "" {
			t.Errorf("what was typed in %s is gone", id)
		}
	}
	got, want := strings.Split(b.islands(kept), "\n"), strings.Split(fresh.islands(kept), "\n")
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) || got[i] != want[i] {
			t.Fatalf("page differs from a fresh drawing at %d:\n got %q\nwant %q\nstreams %q", i,
				got[min(i, len(got)-1):min(i+3, len(got))], want[min(i, len(want)-1):min(i+3, len(want))], streams)
		}
	}
	return streams
}

// step applies ops to a state, or returns nil when they are not allowed.
func step(s *ui.State, ops ...ui.Op) (*ui.State, *ui.Frame) {
	f := &ui.Frame{V: 1, Seq: s.Seq + 1, Ops: ops}
	next, changes, err := ui.Apply(s, f, ui.Limits{})
	if err != nil {
		return nil, nil
	}
	f.Changes = changes
	return next, f
}

func opened(t testing.TB, s *ui.Surface) *ui.State {
	t.Helper()
	next, _ := step(ui.NewState("c"), &ui.Open{Surface: s.Name, Nonce: s.Nonce, Title: s.Title, Root: s.Root,
		Draft: s.Draft, UIState: s.UIState})
	if next == nil {
		t.Fatal("surface does not open")
	}
	return next
}

func TestUpdateStreams(t *testing.T) {
	t.Parallel()
	s0 := opened(t, everything())
	name := ui.Name("form:customer")
	set := func(p ui.Path, v ui.Value) ui.Op {
		return &ui.Patch{Surface: name, Changes: []ui.PatchOne{{Do: ui.PatchSet, Path: p, Value: v}}}
	}
	const in = "limn-formCcustomerE1"
	rows, _ := s0.Surfaces[0].Get("/draft/people")
	turned := slices.Clone(rows.Records())
	turned[0].Order, turned[2].Order = turned[2].Order, turned[0].Order
	tree := *s0.Surfaces[0].Tree().(*ui.Column)
	tree.Children = slices.Delete(slices.Clone(tree.Children), 3, 5)
	rev := "replace " + in + "V"
	edge := ui.Record{ID: "e1", Order: "b", Cells: ui.Map(ui.Pair{Key: "from", Value: ui.String("r1")},
		ui.Pair{Key: "to", Value: ui.String("r2")})}
	for _, c := range []struct {
		about string
		op    ui.Op
		want  []string
	}{
		{"the user's draft", &ui.Draft{Surface: name, Values: []ui.Leaf{{Path: "/draft/f_text", Value: ui.String("x")}}}, []string{rev}},
		{"a server write", set("/draft/f_text", ui.String("x")), []string{"replace " + in + "WSf_textTtextN0", rev}},
		{"a bound text", set("/ui_state/note", ui.String("x")), []string{"replace " + in + "KmainSbound", rev}},
		{"a cell", set("/draft/people/r2/f_text", ui.String("x")), []string{"replace " + in + "WSpeopleSr2Sf_textTtextN0", rev}},
		{"an edge of a process", set("/draft/edges", ui.Rows(edge)), []string{"replace " + in + "JSedges", "replace " + in + "SmainSdiagram", "replace " + in + "XmainSdiagram", rev}},
		{"an error", &ui.Errors{Surface: name, Errors: []ui.FieldError{{Path: "/draft/f_url", Text: "No"}}},
			[]string{"update " + in + "RSf_url", "update " + in + "M", rev}},
		{"a row less", &ui.Patch{Surface: name, Changes: []ui.PatchOne{{Do: ui.PatchDelete, Path: "/draft/people/r2"}}},
			[]string{"remove " + in + "GSpeopleSr2", "update " + in + "LSpeopleSr3", rev}},
		{"a row more", &ui.Patch{Surface: name, Changes: []ui.PatchOne{{Do: ui.PatchInsert, Path: "/draft/people", Before: "r1", Row: "new", Value: ui.Map()}}},
			[]string{"prepend " + in + "QSpeople", "update " + in + "LSpeopleSr1", "update " + in + "LSpeopleSr2", "update " + in + "LSpeopleSr3", rev}},
		{"another tree", &ui.Update{Surface: name, Root: ui.Nodes{&tree}}, []string{"replace form:customer#e=1"}},
		{"an answer", &ui.Lock{Surface: name}, []string{"replace form:customer#e=1"}},
		{"the end", &ui.Close{Surface: name}, []string{"remove form:customer#e=1"}},
		{"a reset", &ui.Reset{Surface: name, Nonce: "ff"}, []string{"remove form:customer#e=1", "remove form:customer#e=2", "append limn-surfaces"}},
		{"nothing", &ui.Say{Role: ui.RoleUser, Text: "hi"}, nil},
	} {
		after, f := step(s0, c.op)
		if after == nil {
			t.Fatalf("%s: not applied", c.about)
		}
		var got []string
		for _, s := range checkUpdate(t, s0, after, f) {
			el := parse(t, []byte(s)).root.FirstChild
			got = append(got, val(el, "action")+" "+val(el, "target"))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s:\n got %q\nwant %q", c.about, got, c.want)
		}
	}
	after, f := step(s0, set("/draft/people", ui.Rows(turned...)))
	checkUpdate(t, s0, after, f)
}

// TestWrittenAround: deleting what holds a leaf is a server write of the leaf.
func TestWrittenAround(t *testing.T) {
	t.Parallel()
	s0 := opened(t, surface(ui.InputFor("/draft/address/city", ui.Field{Name: "city", Type: ui.TypeText})))
	s1, f := step(s0, &ui.Patch{Surface: "form:customer",
		Changes: []ui.PatchOne{{Do: ui.PatchDelete, Path: "/draft/address"}}})
	if got := checkUpdate(t, s0, s1, f); len(got) != 2 || !strings.Contains(got[0], "WSaddressScityTtextN0") {
		t.Errorf("streams %q", got)
	}
}

// TestOptionsChange: new options are shown, though the control would be kept.
func TestOptionsChange(t *testing.T) {
	t.Parallel()
	field := func(values ...string) ui.Nodes {
		f := ui.Field{Name: "c", Type: ui.TypeChoice}
		for _, v := range values {
			f.Options = append(f.Options, ui.Option{Value: v})
		}
		return ui.Nodes{input(f)}
	}
	s := surface()
	s.Root = field("a", "b")
	s0 := opened(t, s)
	s1, f := step(s0, &ui.Update{Surface: s.Name, Root: field("a", "z")})
	b := newBrowser(t, s0)
	b.typeEverywhere()
	b.apply(Update(s0, s1, f, testOptions))
	b.one("input", "type=radio", "value=z")
	s2, f := step(s1, &ui.Update{Surface: s.Name,
		Root: append(ui.Nodes{}, &ui.Column{Key: "main", Children: field("a", "z")})})
	b.typeEverywhere()
	b.apply(Update(s1, s2, f, testOptions))
	b.one("div", "data-turbo-permanent", "typed")
}

// TestControlsChange: a control that hides its text, or takes other numbers, is drawn again, though it would be kept.
func TestControlsChange(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		was, is ui.Field
		want    string
	}{
		"hidden":   {ui.Field{Type: ui.TypeText}, ui.Field{Type: ui.TypeText, Obscured: true}, "type=password"},
		"readable": {ui.Field{Type: ui.TypeText, Obscured: true}, ui.Field{Type: ui.TypeText}, "type=text"},
		"larger":   {ui.Field{Type: ui.TypeSlider, Max: "5"}, ui.Field{Type: ui.TypeSlider, Max: "9"}, "max=9"},
		"finer":    {ui.Field{Type: ui.TypeSlider, Max: "5"}, ui.Field{Type: ui.TypeSlider, Max: "5", Step: "0.5"}, "step=0.5"},
	} {
		s := surface()
		c.was.Name, c.is.Name = "c", "c"
		s.Root = ui.Nodes{input(c.was)}
		s0 := opened(t, s)
		s1, f := step(s0, &ui.Update{Surface: s.Name, Root: ui.Nodes{input(c.is)}})
		if s1 == nil {
			t.Fatalf("%s: the surface is not updated", name)
		}
		b := newBrowser(t, s0)
		b.typeEverywhere()
		b.apply(Update(s0, s1, f, testOptions))
		b.one("input", c.want)
	}
}

// TestErrorOfLostRow: the summary stops linking to a cell that is removed.
func TestErrorOfLostRow(t *testing.T) {
	t.Parallel()
	s := table(3)
	s0, _ := step(opened(t, s), &ui.Errors{Surface: s.Name,
		Errors: []ui.FieldError{{Path: "/draft/t/r2/a", Text: "No"}}})
	s1, f := step(s0, &ui.Patch{Surface: s.Name, Changes: []ui.PatchOne{{Do: ui.PatchDelete, Path: "/draft/t/r2"}}})
	if got := strings.Join(checkUpdate(t, s0, s1, f), ""); !strings.Contains(got, "<li>No</li>") {
		t.Errorf("streams %s", got)
	}
}

// TestFullTable: the button that adds rows follows their number.
func TestFullTable(t *testing.T) {
	t.Parallel()
	s := surface(&ui.Table{Rowset: ui.Rowset{Key: "t", Path: "/draft/t", MaxRows: 4,
		Columns: []ui.Field{{Name: "a", Type: ui.TypeText}}}})
	s0 := opened(t, s)
	s1, f := step(s0, &ui.Patch{Surface: s.Name,
		Changes: []ui.PatchOne{{Do: ui.PatchAppend, Path: "/draft/t", Value: ui.Map()}}})
	if got := strings.Join(checkUpdate(t, s0, s1, f), ""); !strings.Contains(got, `!add:Button" disabled`) {
		t.Errorf("a full table still takes rows: %s", got)
	}
}

// TestRestoreComes: the button that puts a row back comes with the row that is kept, though
// as many rows are left.
func TestRestoreComes(t *testing.T) {
	t.Parallel()
	s := table(2)
	s0 := opened(t, s)
	late := ui.Record{ID: "r3", Order: "zz", Cells: ui.Map(ui.Pair{Key: "cells", Value: ui.Map()})}
	s1, f := step(s0, &ui.Patch{Surface: s.Name,
		Changes: []ui.PatchOne{{Do: ui.PatchSet, Path: "/ui_state/removed_t", Value: ui.Rows(late)}}})
	if got := strings.Join(checkUpdate(t, s0, s1, f), ""); !strings.Contains(got, "limn-restore") {
		t.Errorf("no button puts the row back: %s", got)
	}
}

// TestUpdateLaw: whatever happens, the updated page equals a fresh drawing and
// nothing typed is lost that the server did not write.
func TestUpdateLaw(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		s := ui.NewState("c")
		for range rapid.IntRange(1, 5).Draw(rt, "frames") {
			var ops []ui.Op
			next, f := s, (*ui.Frame)(nil)
			for range rapid.IntRange(1, 3).Draw(rt, "ops") {
				tried := append(slices.Clone(ops), anyOp(rt))
				if n, tf := step(s, tried...); n != nil {
					ops, next, f = tried, n, tf
				}
			}
			if f == nil {
				continue
			}
			checkUpdate(reporter{t, rt}, s, next, f)
			if again := Update(s, next, nil, testOptions); !slices.Equal(again, Update(s, next, f, testOptions)) {
				rt.Fatalf("with the frame: %q\nwithout: %q", Update(s, next, f, testOptions), again)
			}
			s = next
		}
	})
}

// reporter lets helpers that take a testing.TB report to rapid.
type reporter struct {
	testing.TB
	rt *rapid.T
}

func (r reporter) Helper()                      {}
func (r reporter) Errorf(f string, args ...any) { r.rt.Errorf(f, args...) }
func (r reporter) Fatalf(f string, args ...any) { r.rt.Fatalf(f, args...) }
func (r reporter) Fatal(args ...any)            { r.rt.Fatal(args...) }

var surfaceNames = []ui.Name{"form:a", "main", "z"}

func anyTree(rt *rapid.T) ui.Nodes {
	options := []ui.Option{{Value: "a"}, {Value: "b"}}
	columns := []ui.Field{{Name: "n", Type: ui.TypeText}, {Name: "c", Type: ui.TypeChoice, Options: options}}
	all := ui.Nodes{
		input(ui.Field{Name: "x", Type: ui.TypeText, Help: rapid.SampledFrom([]string{"", "Help"}).Draw(rt, "help")}),
		input(ui.Field{Name: "y", Type: ui.TypeChoice, Options: options[:rapid.IntRange(1, 2).Draw(rt, "options")]}),
		input(ui.Field{Name: "f", Type: ui.TypeUpload}),
		&ui.Text{Key: "t", Text: "literal", Path: "/ui_state/t"},
		&ui.Stat{Key: "s", Label: "S", Path: "/committed/form/x"},
		&ui.Progress{Key: "p", Label: "P", Path: "/ui_state/p"},
		&ui.Table{Rowset: ui.Rowset{Key: "rows", Path: "/draft/rows", Label: "Rows", Columns: columns, MaxRows: 4}},
		&ui.Steps{Rowset: ui.Rowset{Key: "steps", Path: "/draft/steps", Columns: append(columns, ui.Field{Name: "u", Type: ui.TypeUpload})}, Edges: "/draft/edges"},
		&ui.Diagram{Key: "d", Label: "D", Steps: "/draft/steps", Edges: "/draft/edges"},
		&ui.Button{Key: "b", Label: "B", Action: ui.Action{Name: builtin.ActionSubmit}},
	}
	kept := all[:0]
	for _, n := range all {
		if rapid.IntRange(0, 5).Draw(rt, "skip") > 0 {
			kept = append(kept, n)
		}
	}
	return ui.Nodes{&ui.Column{Key: "main", Children: kept}}
}

func anyOp(rt *rapid.T) ui.Op {
	name := rapid.SampledFrom(surfaceNames).Draw(rt, "surface")
	path := ui.Path(rapid.SampledFrom([]string{"/draft/x", "/draft/y", "/draft/f", "/draft/rows", "/draft/rows/r1",
		"/draft/rows/r1/n", "/draft/rows/r2/c",
		"/draft/steps", "/draft/steps/r3/n", "/draft/edges", "/ui_state/t", "/ui_state/p", "/ui_state/uploads/a"}).Draw(
		rt, "path"))
	word := rapid.SampledFrom([]string{"", "a", "b", "<i>"}).Draw(rt, "word")
	switch rapid.IntRange(0, 13).Draw(rt, "op") {
	case 0, 1:
		tree := anyTree(rt)
		return &ui.Open{Surface: name, Nonce: word, Title: "T", Root: tree, Draft: ui.BlankDraft(tree[0], ui.Value{})}
	case 2:
		return &ui.Update{Surface: name, Root: anyTree(rt)}
	case 3:
		return &ui.Lock{Surface: name}
	case 4:
		return &ui.Expire{Surface: name}
	case 5:
		return &ui.Close{Surface: name}
	case 6:
		return &ui.Reset{Surface: name, Nonce: word + "n"}
	case 7:
		return &ui.Errors{Surface: name, Errors: []ui.FieldError{{Path: path, Text: "wrong " + word}}}
	case 8:
		return &ui.Commit{Form: "form", Values: ui.Map(ui.Pair{Key: "x", Value: ui.String(word)})}
	case 9:
		return &ui.Draft{Surface: name, Values: []ui.Leaf{{Path: "/draft/x", Value: ui.String(word)}}}
	}
	c := ui.PatchOne{Path: path, Do: rapid.SampledFrom(
		[]ui.PatchVerb{ui.PatchSet, ui.PatchDelete, ui.PatchInsert, ui.PatchAppend}).Draw(rt, "do"),
		Value: ui.String(word)}
	if c.Do != ui.PatchSet {
		c.Value = ui.Value{}
	} else if len(path.Segments()) == 2 && (path.Last() == "rows" || path.Last() == "steps" || path.Last() == "edges") {
		c.Value = anyRows(rt)
	}
	return &ui.Patch{Surface: name, Changes: []ui.PatchOne{c}}
}

func anyRows(rt *rapid.T) ui.Value {
	var records []ui.Record
	for i := range 5 {
		if rapid.Bool().Draw(rt, "row") {
			order := fmt.Sprint(rapid.IntRange(0, 3).Draw(rt, "order"))
			records = append(records, ui.Record{ID: fmt.Sprint("r", i), Order: order,
				Cells: ui.Map(ui.Pair{Key: "n", Value: ui.String(order)},
					ui.Pair{Key: "name", Value: ui.String("Step " + order)}, ui.Pair{Key: "from", Value: ui.String("r1")},
					ui.Pair{Key: "to", Value: ui.String("r" + order)})})
		}
	}
	return ui.Rows(records...)
}

// TestMoveStreamsOneRow: a row that moves is taken to its place alone, and with
// it go the numbers that changed.
func TestMoveStreamsOneRow(t *testing.T) {
	t.Parallel()
	rows := ui.Rows()
	for range 100 {
		rows, _ = rows.With(ui.Map(ui.Pair{Key: "name", Value: ui.String("x")}), rows.FreeRow())
	}
	root := ui.Nodes{&ui.Column{Key: "main", Children: ui.Nodes{
		&ui.Table{Rowset: ui.Rowset{Key: "rows", Path: "/draft/rows",
			Columns: []ui.Field{{Name: "name", Type: ui.TypeText}}}}}}}
	s, _, err := ui.Apply(ui.NewState("c"), &ui.Frame{Seq: 1,
		Ops: ui.Ops{&ui.Open{Surface: "table:x", Nonce: "n", Root: root,
			Draft: ui.Map(ui.Pair{Key: "rows", Value: rows})}}}, ui.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	for _, move := range []ui.PatchOne{{Row: "r30", Before: "r29"}, {Row: "r30", Before: "r32"}} {
		move.Do, move.Path = ui.PatchMove, "/draft/rows"
		f := &ui.Frame{Seq: 2, Ops: ui.Ops{&ui.Patch{Surface: "table:x", Changes: []ui.PatchOne{move}}}}
		next, changes, err := ui.Apply(s, f, ui.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		f.Changes = changes
		if got := Update(s, next, f, Options{}); len(got) != 3 || !strings.Contains(got[1], `action="update"`) {
			t.Errorf("row %s before %s: %d streams, want the row, one number and the rev", move.Row, move.Before,
				len(got))
		}
	}
}

// TestUpdateDrawsOnce: an update asks once for each surface as it is drawn, also where that is the surface as it is.
func TestUpdateDrawsOnce(t *testing.T) {
	t.Parallel()
	s := surface(ui.InputFor("/draft/a", ui.Field{Name: "a", Type: ui.TypeText}))
	s0 := opened(t, s)
	s1, f := step(s0, &ui.Update{Surface: s.Name, Root: ui.Nodes{ui.InputFor("/draft/b", ui.Field{Name: "b", Type: ui.TypeText})}})
	if s1 == nil {
		t.Fatal("the surface is not updated")
	}
	drawn, o := 0, testOptions
	o.Foreign = func(s *ui.Surface) *ui.Surface { drawn++; return s }
	if got := Update(s0, s1, f, o); len(got) != 1 || drawn != 2 {
		t.Errorf("drawn %d times for %q", drawn, got)
	}
}
