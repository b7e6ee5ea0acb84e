package ui

import (
	"strings"
	"testing"
)

// paper opens a surface with a long text that takes 100 KiB and a table.
func paper(t *testing.T, draft Value) *State {
	t.Helper()
	in := Input{Key: "paste", Path: "/draft/paste", Field: Field{Name: "paste", Type: TypeLongText, Max: "102400"}}
	s, _, err := Apply(NewState("c"), &Frame{Seq: 1,
		Ops: Ops{&Open{Surface: "a", Nonce: "n", Draft: draft, Root: Nodes{&Column{Key: "main", Children: Nodes{
			&TextInput{in}, &Table{Rowset{Key: "items", Path: "/draft/items",
				Columns: []Field{{Name: "title", Type: TypeText}}, Starter: -1}}}}}}}}, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestAppendRows: many rows are added by one change, behind the others, and
// none is when one of them cannot be.
func TestAppendRows(t *testing.T) {
	t.Parallel()
	row := func(id string) Record { return Record{ID: id, Order: id, Cells: Map(Pair{"title", String("T " + id)})} }
	s := paper(t, Map(Pair{"items", Rows(row("r1"), row("r2"))}))
	add := func(rows Value) (*State, []Change, error) {
		return Apply(s, &Frame{Seq: 2, Ops: Ops{
			&Patch{"a", []PatchOne{{Do: PatchAppend, Path: "/draft/items", Value: rows}}}}}, Limits{})
	}
	next, changes, err := add(Rows(row("b"), row("a"), row("c")))
	if err != nil {
		t.Fatal(err)
	}
	v, _ := next.Surface("a").Draft.Get("items")
	got := ""
	for i, r := range v.Records() {
		if got += r.ID + " "; i > 0 && r.Order <= v.Records()[i-1].Order {
			t.Errorf("row %s has order %q behind %q", r.ID, r.Order, v.Records()[i-1].Order)
		}
	}
	if got != "r1 r2 a b c " || changes[0].Kind != ChangedUpdated || len(changes[0].Wrote) != 3 ||
		changes[0].Wrote[0] != "/draft/items/a/title" {
		t.Errorf("rows %s, change %+v", got, changes[0])
	}
	for name, bad := range map[string]Value{"taken": Rows(row("x"), row("r2")), "no key": Rows(row("X")),
		"no cells": Rows(Record{ID: "x"})} {
		if _, _, err := add(bad); CodeOf(err) != codeValueInvalid {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestRoom: a long text that declares more than a string may have takes it, and
// so does what the server keeps of it; nothing else on that surface does.
func TestRoom(t *testing.T) {
	t.Parallel()
	long := String(strings.Repeat("x", 102400))
	s := paper(t, Map(Pair{"paste", long}))
	for _, tt := range []struct {
		op   Op
		want Code
	}{
		{&Draft{"a", []Leaf{{"/draft/paste", long}}}, ""},
		{&Draft{"a", []Leaf{{"/draft/paste", String(long.Text() + "x")}}}, CodeLimit},
		{&Draft{"a", []Leaf{{"/draft/other", long}}}, CodeLimit},
		{&Patch{"a", []PatchOne{{Do: PatchSet, Path: "/ui_state/kept", Value: Map(Pair{"text", long})}}}, ""},
		{&Patch{"a", []PatchOne{{Do: PatchSet, Path: "/draft/items/r1/title", Value: long}}}, CodeLimit},
	} {
		if _, _, err := Apply(s, &Frame{Seq: 2, Ops: Ops{tt.op}}, Limits{}); CodeOf(err) != tt.want {
			t.Errorf("%+v: %v, want %q", tt.op, CodeOf(err), tt.want)
		}
	}
}

// TestDraftKind: a value of the kind a field drafts is drafted as it is, which
// lets rows that are complete stay.
func TestDraftKind(t *testing.T) {
	t.Parallel()
	for _, typ := range FieldTypes() {
		f := Field{Name: "x", Type: typ, Min: "1", Max: "9", Options: []Option{{Value: "a"}}}
		for _, v := range []Value{{}, Bool(true), Int(3), String("a"), Strings("a"), Map()} {
			if got := f.Draft(v); got.kind != f.draftKind() || v.kind == f.draftKind() && !got.Equal(v) {
				t.Errorf("%s drafts %s as %s, want kind %d", typ, v.AppendJSON(nil), got.AppendJSON(nil), f.draftKind())
			}
		}
	}
}
