package html

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/limn-ui/limn/ui"
)

func TestCard(t *testing.T) {
	t.Parallel()
	field := func(f ui.Field) ui.Node { return ui.InputFor(ui.PathOf("draft", f.Name), f) }
	rows := ui.Rowset{Key: "people", Label: "People", Path: "/draft/people", Columns: []ui.Field{{Name: "name", Type: ui.TypeText}}}
	s := surface(
		&ui.Section{Key: "paste", Title: "Paste", Fold: true,
			Children: ui.Nodes{field(ui.Field{Name: "box", Label: "Box", Type: ui.TypeText})}},
		field(ui.Field{Name: "notes", Label: "Notes", Type: ui.TypeLongText}),
		field(ui.Field{Name: "off", Label: "Off", Type: ui.TypeBoolean}),
		field(ui.Field{Name: "a", Label: "A", Type: ui.TypeText}),
		field(ui.Field{Name: "b", Label: "B", Type: ui.TypeText}),
		field(ui.Field{Name: "none", Label: "None", Type: ui.TypeText}),
		field(ui.Field{Name: "kind", Label: "Kind", Type: ui.TypeChoice,
			Options: []ui.Option{{Value: "x", Label: "The <x>"}}}),
		field(ui.Field{Name: "must", Label: "Must", Type: ui.TypeText, Required: true}),
		&ui.Table{Rowset: rows})
	for _, key := range []string{"box", "notes", "a", "b", "must"} {
		s.Draft, _ = s.Draft.With(ui.String(key+" said"), key)
	}
	s.Draft, _ = s.Draft.With(ui.String("x"), "kind")
	var people []ui.Record
	for i, name := range []string{"Ann", "", "Bob", "Cid", "Dan"} {
		people = append(people, ui.Record{ID: "r" + strconv.Itoa(i+1),
			Cells: ui.Map(ui.Pair{Key: "name", Value: ui.String(name)})})
	}
	s.Draft, _ = s.Draft.With(ui.Rows(people...), "people")
	s.Status = ui.StatusSubmitted
	s.Done = ui.Moment{Seq: 7, At: time.Date(2026, 11, 26, 12, 4, 0, 0, time.UTC)}
	p := draw(t, s)

	if got := val(p.one("section", "class=limn-done"), "data-seq"); got != "7" {
		t.Errorf("the card is of frame %q", got)
	}
	when := p.one("time")
	if got := val(when, "datetime") + " " + text(when); got != "2026-11-26T12:04:00Z 26 Nov 2026, 12:04 UTC" {
		t.Errorf("when: %q", got)
	}
	var got []string
	list := page{t, p.one("dl", "class=limn-lines")}
	for _, div := range list.all("div") {
		one := page{t, div}
		got = append(got, text(one.one("dt"))+"="+text(one.one("dd")))
	}
	want := "A=a said|B=b said|Kind=The <x>|Must=must said|People=4 rows: Ann, Bob, Cid"
	if strings.Join(got, "|") != want {
		t.Errorf("the card says %q,\nwant %q", strings.Join(got, "|"), want)
	}
	all := text(p.one("details", "class=limn-all"))
	for _, part := range []string{"Show all", "notes said", "Dan", "None"} {
		if !strings.Contains(all, part) {
			t.Errorf("%q is not in all there is: %q", part, all)
		}
	}
	if strings.Contains(text(p.root), "box said") {
		t.Error("what was pasted is shown as if it were submitted")
	}
}

// TestCardLeadsBack: a card whose values are a record edits it, in its conversation.
func TestCardLeadsBack(t *testing.T) {
	t.Parallel()
	s := surface(ui.InputFor("/draft/a", ui.Field{Name: "a", Label: "A", Type: ui.TypeText}))
	s.Status, s.Origin = ui.StatusSubmitted, ui.Origin{Template: "customer", Record: ui.RecordRef{ID: "r 1", Version: 1}}
	o := Options{Records: "/in/records", Conversation: "c1"}
	out := string(AppendSurface(nil, nil, s, o))
	for _, want := range []string{`action="/in/records/customer/r%201/edit"`, `name="limn_conversation" value="c1"`, ">Edit</button>"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %s in %s", want, out)
		}
	}
	for name, without := range map[string]func(){"addresses": func() { o.Records = "" },
		"a record": func() { o.Records, s.Origin.Record = "/in/records", ui.RecordRef{} }} {
		if without(); strings.Contains(string(AppendSurface(nil, nil, s, o)), "Edit</button>") {
			t.Errorf("without %s there is a way to it", name)
		}
	}
}

func TestFold(t *testing.T) {
	t.Parallel()
	box := ui.InputFor("/draft/box", ui.Field{Name: "box", Label: "Box", Type: ui.TypeLongText})
	s := surface(&ui.Section{Key: "paste", Title: "Paste rows", Fold: true, Children: ui.Nodes{box}})
	closed := draw(t, s).one("details", "class=limn-fold")
	if _, open := attr(closed, "open"); open || val(closed, "id") == "" {
		t.Errorf("an empty fold is open, or forgets what the user does: %v", closed.Attr)
	}
	s.Draft, _ = s.Draft.With(ui.String("Ann"), "box")
	open := draw(t, s).one("details", "class=limn-fold")
	if _, is := attr(open, "open"); !is || val(open, "id") != "" {
		t.Errorf("a fold with a value in it is closed, or stays open for ever: %v", open.Attr)
	}
}
