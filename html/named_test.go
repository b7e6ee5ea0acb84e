package html

import (
	"strings"
	"testing"
	"time"

	"github.com/limn-ui/limn/ui"
)

// The named tests that every target has.

// TestValueClearedValue: a value, nothing, a value again: each is shown, and
// the page ends as it began.
func TestValueClearedValue(t *testing.T) {
	t.Parallel()
	s := surface(input(ui.Field{Name: "note", Type: ui.TypeText}))
	var pages []string
	for _, v := range []string{"one", "", "one"} {
		s.Draft = ui.Map(ui.Pair{Key: "note", Value: ui.String(v)})
		if got := val(draw(t, s).one("input", "name=/draft/note"), "value"); got != v {
			t.Errorf("shows %q, want %q", got, v)
		}
		pages = append(pages, string(AppendSurface(nil, nil, s, Options{})))
	}
	if pages[0] != pages[2] || pages[0] == pages[1] {
		t.Error("the page with the value again is not the first one")
	}
}

// TestNullsDrawTheSameBytes: null is the empty value of its place.
func TestNullsDrawTheSameBytes(t *testing.T) {
	t.Parallel()
	for _, f := range everyField() {
		s := surface(input(f))
		want := string(AppendSurface(nil, nil, s, Options{}))
		s.Draft = ui.Map(ui.Pair{Key: f.Name, Value: ui.Value{}})
		if got := string(AppendSurface(nil, nil, s, Options{})); got != want {
			t.Errorf("%s: null is drawn as\n%s\nnot as\n%s", f.Type, got, want)
		}
	}
}

// TestRemovedKeyIsGone: a row that goes away leaves nothing behind on the page.
func TestRemovedKeyIsGone(t *testing.T) {
	t.Parallel()
	table := &ui.Table{Rowset: ui.Rowset{Key: "rows", Path: "/draft/rows", Label: "Rows",
		Columns: []ui.Field{{Name: "name", Type: ui.TypeText}}}}
	root := &ui.Column{Key: "main", Children: ui.Nodes{table}}
	open := &ui.Open{Surface: "table:x", Nonce: "n", Title: "X", Root: ui.Nodes{root},
		Draft: ui.BlankDraft(root, ui.Value{})}
	before, _, err := ui.Apply(ui.NewState("c"), &ui.Frame{Seq: 1, Ops: ui.Ops{open}}, ui.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	f := &ui.Frame{Seq: 2, At: time.Unix(0, 0),
		Ops: ui.Ops{&ui.Patch{Surface: "table:x",
			Changes: []ui.PatchOne{{Do: ui.PatchDelete, Path: "/draft/rows/r2"}}}}}
	after, changes, err := ui.Apply(before, f, ui.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	f.Changes = changes
	const cell = `name="/draft/rows/r2/name"`
	if !strings.Contains(string(AppendSnapshot(nil, before, Options{})), cell) {
		t.Fatal("the row was not there")
	}
	if strings.Contains(string(AppendSnapshot(nil, after, Options{})), cell) {
		t.Error("a fresh page still has the row")
	}
	streams := strings.Join(Update(before, after, f, Options{}), "")
	if !strings.Contains(streams, `action="remove"`) && !strings.Contains(streams, `action="replace"`) ||
		strings.Contains(streams, cell) {
		t.Errorf("an open page keeps the row: %s", streams)
	}
}
