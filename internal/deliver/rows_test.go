package deliver

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/datasync"
	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/internal/recovery"
	"github.com/limn-ui/limn/internal/turn"
	"github.com/limn-ui/limn/ui"
)

// rowsOf are the rows of the table of these tests.
func (m *meeting) rowsOf() (*ui.Surface, *ui.Rowset) {
	sf := m.state.Surface("table:risks")
	if sf == nil {
		m.t.Fatal("no table")
	}
	for n := range ui.All(sf.Tree()) {
		if rs := ui.RowsetOf(n); rs != nil {
			return sf, rs
		}
	}
	m.t.Fatal("no rows")
	return nil, nil
}

// press is a click of somebody who has seen the surface as it was; a refusal changes nothing.
func (m *meeting) press(who string, seen *ui.Surface, key string) {
	e := &ui.Event{V: ui.Version, ID: ui.EventID(fmt.Sprint("e", m.state.Seq)), At: m.now, Kind: ui.EventAction, Principal: who,
		Action: &ui.ActionEvent{Surface: seen.WireID(), Nonce: seen.Nonce, Rev: seen.Rev,
			Component: ui.KeyPath("main/rows/" + key).ComponentID("Button"), Context: jsonx.OfObject(), Form: true}}
	m.commit(e, turn.Decide(m.env, m.state, turn.Received{Event: e}))
}

// TestRowsTogether: three people add, move, remove and bring back rows of one table, as they
// saw it some time ago, and type into its cells, some offline. No id is ever that of another
// row; no word gets into another row; and what is typed into a row that is gone is told, and
// comes back with the row.
func TestRowsTogether(t *testing.T) {
	t.Parallel()
	a, err := app.New(app.Config{Name: "t", Extensions: []string{app.DataSync}, Tables: []app.Table{{Name: "risks",
		Title: "Risks", Nouns: []string{"risks"}, Columns: []ui.Field{{Name: "risk", Type: ui.TypeText}}}}})
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		m := &meeting{t: t, now: time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC), state: ui.NewState("c1"),
			env: turn.Env{App: a, Recovery: recovery.Default(), Nonce: func() string { return "n" }, Warn: func(string, ...any) {}}}
		m.take(&ui.Event{Kind: ui.EventMessage, Text: "We have 3 risks."})
		sf, rs := m.rowsOf()
		history := []*ui.Surface{sf}
		for i := range 3 {
			r, err := datasync.Open(datasync.Options{Surface: sf.WireID(), Actor: fmt.Sprint("r-", i), Role: datasync.Renderer})
			if err != nil {
				t.Fatal(err)
			}
			m.clients = append(m.clients, &place{r, m.state})
		}
		births, last := map[string]int{}, map[string]string{} // of each row: how often it began; what was typed last
		for _, r := range sf.Rows(rs) {
			births[r.ID] = 1
		}
		for n := range rapid.IntRange(1, 40).Draw(t, "steps") {
			m.now = m.now.Add(time.Second)
			seen := history[rapid.IntRange(max(0, len(history)-4), len(history)-1).Draw(t, "seen")]
			rows := seen.Rows(rs)
			row := "r1"
			if len(rows) > 0 {
				row = rows[rapid.IntRange(0, len(rows)-1).Draw(t, "row")].ID
			}
			c := m.clients[rapid.IntRange(0, 2).Draw(t, "client")]
			before, _ := m.rowsOf()
			restores := false
			switch rapid.IntRange(0, 7).Draw(t, "do") {
			case 0, 1:
				m.press("p", seen, builtin.KeyAdd)
			case 2:
				m.press("p", seen, row+"/"+builtin.KeyRemove)
			case 3:
				m.press("p", seen, row+"/"+builtin.KeyDown)
			case 4:
				m.press("p", seen, builtin.KeyRestore)
				restores = true
			default:
				m.typeInto(c, before, rs, row, fmt.Sprint("word", n), last)
			}
			now, _ := m.rowsOf()
			history = append(history, now)
			m.checkRows(before, now, rs, births, last, restores)
		}
	})
}

// typeInto writes a word into a cell, as a client that may have missed that its row is gone.
func (m *meeting) typeInto(c *place, sf *ui.Surface, rs *ui.Rowset, row, word string, last map[string]string) {
	p := rs.CellPath(row, "risk")
	if err := c.Edit(datasync.Update{Path: string(p), Value: `"` + word + `"`}); err != nil {
		m.t.Fatal(err)
	}
	_, there := sf.Get(p)
	last[row] = word
	said := m.send(c, m.flush(c))
	if there != (said == "") || !there && !strings.Contains(said, word) {
		m.t.Fatalf("%s, there: %v, was told %q", p, there, said)
	}
}

func (m *meeting) checkRows(before, now *ui.Surface, rs *ui.Rowset, births map[string]int, last map[string]string, restores bool) {
	for _, r := range now.Rows(rs) {
		if !slices.ContainsFunc(before.Rows(rs), func(o ui.Record) bool { return o.ID == r.ID }) {
			if births[r.ID]++; births[r.ID] > 1 && !restores {
				m.t.Fatalf("the id %s is used again for another row", r.ID)
			}
		}
		if v, _ := r.Cells.Get("risk"); v.Text() != last[r.ID] {
			m.t.Fatalf("row %s has %q, typed was %q", r.ID, v.Text(), last[r.ID])
		}
	}
	removed, _ := now.Get(rs.RemovedPath())
	for _, r := range removed.Records() {
		if v, _ := r.Cells.Get("cells", "risk"); v.Text() != last[r.ID] {
			m.t.Fatalf("removed row %s is kept with %q, typed was %q", r.ID, v.Text(), last[r.ID])
		}
	}
}
