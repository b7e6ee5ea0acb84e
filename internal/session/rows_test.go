package session_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/limn-ui/limn/html"
	"github.com/limn-ui/limn/internal/worksheet"
	"github.com/limn-ui/limn/ui"
)

// productList is n product codes as a spreadsheet copies them.
func productList(n int) string {
	var b strings.Builder
	b.WriteString("Name\tRole\tInfluence\n")
	for i := range n {
		fmt.Fprintf(&b, "Code %d\tKind %d\tHigh\n", i+1, i%9)
	}
	return b.String()
}

// TestFullTable: a table wants what the message states, takes 5,000 rows by a paste,
// keeps them over a crash, and commits each of them once, whatever page is shown;
// nothing that it sends grows with its rows.
func TestFullTable(t *testing.T) {
	t.Parallel()
	w := newWorld(t, declared(t))
	w.outcome(w.submit(say("We have 6,000 stakeholders to list.")), ui.OutcomeDone, "")
	const told = "A table holds at most 5000 rows, so this one is for the first 5000 of your 6000."
	if said := w.state().Transcript; !strings.Contains(said[len(said)-1].Text, told) {
		t.Errorf("the user reads %q", said[len(said)-1].Text)
	}
	if c := w.state().Router.Checkpoint.Criteria; c.Stated != 5000 {
		t.Errorf("%+v", c)
	}
	w.outcome(w.submit(posted(w.open(stakeholders), "main/paste/read", "/draft/paste", productList(5000))),
		ui.OutcomeDone, "")
	w.outcome(w.submit(posted(w.open(stakeholders), "main/paste/found/buttons/apply")), ui.OutcomeDone, "")
	w.crash()
	w.outcome(w.submit(posted(w.open(stakeholders), "main/rows/r4975/!show")), ui.OutcomeDone, "")
	sf := w.open(stakeholders)
	if first, last := sf.Page(worksheet.Rows(sf)); first != 4950 || last != 5000 {
		t.Errorf("rows %d to %d are shown", first, last)
	}
	w.outcome(w.submit(posted(sf, "main/rows/!add")), ui.OutcomeRefused, ui.CodeLimit)
	w.outcome(w.submit(posted(w.open(stakeholders), "main/buttons/submit", "/draft/list/r4990/name", "Changed", "/draft/list/r1/role", "First")),
		ui.OutcomeAsked, "")
	sf = w.open(stakeholders)
	first := w.submit(keyed(posted(sf, "main/buttons/confirm"), "once"))
	w.outcome(first, ui.OutcomeDone, "")
	if again := w.submit(keyed(posted(sf, "main/buttons/confirm"), "once")); again.Seq != first.Seq {
		t.Errorf("the same submit is %v and %v", first.Seq, again.Seq)
	}
	commits, st := 0, w.state()
	for _, f := range w.frames() {
		for _, op := range f.Ops {
			if c, ok := op.(*ui.Commit); ok {
				commits++
				rows, _ := c.Values.Get("list")
				list := rows.Records()
				cell := func(i int, name string) string { v, _ := list[i].Cells.Get(name); return v.Text() }
				if len(list) != 5000 || cell(0, "role") != "First" || cell(4989, "name") != "Changed" ||
					cell(4999, "name") != "Code 5000" || cell(2500, "name") != "Code 2501" {
					t.Errorf("%d rows are committed", len(list))
				}
			}
		}
	}
	if commits != 1 {
		t.Errorf("%d commits", commits)
	}
	if size := len(html.AppendSnapshot(nil, st, html.Options{})); size > 200_000 {
		t.Errorf("the answered table is drawn in %d bytes", size)
	}
}
