package session_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/limntest"
	"github.com/limn-ui/limn/internal/live"
	"github.com/limn-ui/limn/internal/localbus"
	"github.com/limn-ui/limn/internal/session"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/store/memory"
	"github.com/limn-ui/limn/ui"
)

// following declares a view of a topic and of the newest customers.
func following(c *app.Config) {
	c.Records = []app.RecordSpec{{Name: "customer", Read: []string{app.Everyone}}}
	c.Views = append(c.Views, app.View{Name: "board", Title: "Board", Phrases: []string{"figures"},
		Topics:  []string{"sales"},
		Records: map[string]app.RecordQuery{"newest": {Name: "customer", Desc: true, Limit: 2}},
		Nodes: column(&ui.Stat{Key: "total", Label: "Total", Path: "/committed/sales/total"},
			&ui.Chart{Key: "days", Kind: ui.ChartBar, Label: "Days", Series: []ui.Series{{Name: "n"}}},
			&ui.List{Key: "list", Label: "Newest", Columns: []string{"Company"}}),
		Binds: []app.Bind{{At: "main/days", Path: "/committed/sales/days", X: "day", Fields: []string{"n"}},
			{At: "main/list", Path: "/committed/newest", Fields: []string{"company"}}}})
}

// boardOf is what the view of a state shows: total, points, companies.
func boardOf(s *ui.State) string {
	total, _ := s.Committed.Get("sales", "total")
	out := total.Text()
	for n := range ui.All(s.Surface(board).Tree()) {
		switch n := n.(type) {
		case *ui.Chart:
			out += fmt.Sprint(" ", n.Labels, n.Series[0].Values)
		case *ui.List:
			for _, row := range n.Children {
				out += " " + ui.Children(row)[0].(*ui.Text).Text
			}
		}
	}
	return out
}

// TestTopics: a view shows the newest value from its first frame on; one that somebody
// watches follows, a few frames a second; one that nobody watches gets no frames, and is
// current when it is read.
func TestTopics(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		w := newWorld(t, declared(t, following), phrases)
		writer, ctx := w.svc.Live(), context.Background()
		publish := func(total int) {
			t.Helper()
			err := writer.Publish(ctx, "sales", sales{"total": total, "days": []sales{{"day": "Mon", "n": total}}})
			if err != nil {
				t.Fatal(err)
			}
		}
		publish(1)
		w.watches("board")
		raw := w.frames()
		equal(t, "frames", 1, len(raw))
		equal(t, "board", "1 [Mon] [1]", boardOf(w.state()))

		publish(2)
		synctest.Wait()
		equal(t, "frames of one that nobody watches", 1, len(w.frames()))
		equal(t, "board that is read", "2 [Mon] [2]", boardOf(w.state()))

		stop := w.svc.Watch(w.id, func() {})
		before := len(w.frames())
		for i := range 50 { // in one second
			publish(100 + i)
			time.Sleep(20 * time.Millisecond)
		}
		time.Sleep(time.Second)
		frames := w.frames()
		if n := len(frames) - before; n < 5 || n > 12 {
			t.Errorf("%d frames for 50 values in a second", n)
		}
		s := ui.NewState(w.id)
		for _, f := range frames {
			if f.Text != "" && f.Seq > 1 || f.Outcome.Kind != ui.OutcomeDone {
				t.Errorf("frame %d: %q, %+v", f.Seq, f.Text, f.Outcome)
			}
			var err error
			if s, _, err = ui.Apply(s, f, ui.Limits{}); err != nil {
				t.Fatal(err)
			}
		}
		equal(t, "board that is watched", "149 [Mon] [149]", boardOf(s))
		stop()
		publish(7)
		time.Sleep(time.Second)
		equal(t, "frames after the last viewer left", len(frames), len(w.frames()))
		for _, name := range []string{"sales", "newest"} { // which a topic and records have
			equal(t, "code of "+name, app.CodeDataName, ui.CodeOf(writer.Set(ctx, w.id, "", name, 1)))
		}
		equal(t, "code of an unknown topic", live.CodeTopic, ui.CodeOf(writer.Publish(ctx, "rain", 1)))
	})
}

// TestTopicWhileViewOpens: a value that is published between the reading of a view and its first frame is shown.
func TestTopicWhileViewOpens(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		st := newFlaky(memory.New())
		w := newWorld(t, declared(t, following), phrases, func(c *session.Config) { c.Store = st })
		w.store = st
		publish := func(total int) {
			if err := w.svc.Live().Publish(context.Background(), "sales", sales{"total": total}); err != nil {
				t.Error(err)
			}
		}
		publish(1)
		defer w.svc.Watch(w.id, func() {})()
		time.Sleep(time.Second)
		var once sync.Once
		st.set(func(op string) error {
			if op == "append" {
				once.Do(func() { st.set(nil, nil); publish(2) })
			}
			return nil
		}, nil)
		w.watches("board")
		time.Sleep(time.Second)
		s := ui.NewState(w.id)
		for _, f := range w.frames() { // a reading would bring it up to date
			var err error
			if s, _, err = ui.Apply(s, f, ui.Limits{}); err != nil {
				t.Fatal(err)
			}
		}
		if got := boardOf(s); !strings.HasPrefix(got, "2 ") {
			t.Errorf("the view shows %q", got)
		}
	})
}

// TestRolesPanic: code of the application that panics while a view is brought up to date takes nothing else along; the
// view follows once it works again.
func TestRolesPanic(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		var broken atomic.Bool
		w := newWorld(t, declared(t, func(c *app.Config) {
			following(c)
			c.Records[0].Read = []string{"sales"}
		}), phrases, func(c *session.Config) {
			c.Roles = func(string) []string {
				if broken.Load() {
					panic("broken")
				}
				return nil
			}
		})
		w.watches("board")
		defer w.svc.Watch(w.id, func() {})()
		synctest.Wait()
		publish := func(total int) {
			t.Helper()
			if err := w.svc.Live().Publish(context.Background(), "sales", sales{"total": total}); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Second)
		}
		broken.Store(true)
		publish(1)
		broken.Store(false)
		publish(2)
		last := w.frames()[len(w.frames())-1]
		if s := w.state(); s.Seq != last.Seq || !strings.HasPrefix(boardOf(s), "2 ") {
			t.Errorf("frame %d of %d shows %q", last.Seq, s.Seq, boardOf(s))
		}
	})
}

// lister is a flaky store that also lists records.
type lister struct{ *flaky }

func (l lister) FindRecords(ctx context.Context, q store.Query) (list []store.Record, next string, err error) {
	err = l.around("list", func() error { list, next, err = l.flaky.FindRecords(ctx, q); return err })
	return list, next, err
}

// TestCatchUpFails: a view that is watched follows also if a reading of its records, or the insert of its frame, fails
// once, without another hint.
func TestCatchUpFails(t *testing.T) {
	for _, c := range []struct {
		op string
		at int
	}{{"append", 1}, {"list", 1}, {"list", 2}, {"list", 3}} {
		catchUpFails := func(t *testing.T) {
			st := lister{newFlaky(memory.New())}
			w := newWorld(t, declared(t, following), phrases, func(c *session.Config) { c.Store = st })
			w.store = st
			w.watches("board")
			defer w.svc.Watch(w.id, func() {})()
			time.Sleep(time.Second)
			var calls atomic.Int32
			st.set(func(op string) error {
				if op == c.op && int(calls.Add(1)) == c.at {
					return errDisk
				}
				return nil
			}, nil)
			if _, err := w.svc.Records("q").Put(context.Background(), app.Record{Name: "customer",
				Values: ui.Map(ui.Pair{Key: "company", Value: ui.String("Beta")})}); err != nil {
				t.Fatal(err)
			}
			time.Sleep(5 * time.Second)
			s := ui.NewState(w.id)
			for _, f := range w.frames() { // a reading would bring it up to date
				var err error
				if s, _, err = ui.Apply(s, f, ui.Limits{}); err != nil {
					t.Fatal(err)
				}
			}
			if got := boardOf(s); got != " [] [] Beta" || int(calls.Load()) < c.at {
				t.Errorf("%s %d of %d fails: the view shows %q", c.op, c.at, calls.Load(), got)
			}
		}
		t.Run(fmt.Sprint(c.op, c.at), func(t *testing.T) { limntest.Bubble(t, catchUpFails) })
	}
}

// TestViewOfRecords: a record that is saved is in the view in the same frame; one that is
// saved elsewhere follows.
func TestViewOfRecords(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		w := newWorld(t, declared(t, following), phrases)
		w.watches("board")
		w.saved("Acme")
		last := w.frames()[len(w.frames())-1]
		if s := w.state(); s.Seq != last.Seq || boardOf(s) != " [] [] Acme" {
			t.Errorf("frame %d of %d shows %q", last.Seq, s.Seq, boardOf(s))
		}
		defer w.svc.Watch(w.id, func() {})()
		synctest.Wait()
		for _, company := range []string{"Beta", "Gamma"} {
			time.Sleep(time.Second)
			_, err := w.svc.Records("q").Put(context.Background(), app.Record{Name: "customer",
				Values: ui.Map(ui.Pair{Key: "company", Value: ui.String(company)})})
			if err != nil {
				t.Fatal(err)
			}
		}
		time.Sleep(time.Second)
		equal(t, "board", " [] [] Gamma Beta", boardOf(w.state()))
	})
}

// TestTopicsBetweenNodes: a value that one node publishes reaches whoever watches on
// another, also where hints are lost; both at once make one frame of it.
func TestTopicsBetweenNodes(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		m := newNodes(t, 1, declared(t, following))
		m.cfg.Bus, m.cfg.Node = localbus.New(), "node-1" // which hears nothing of the other
		m.all = append(m.all, m.start())
		m.watches("board")
		m.stateAt(1)
		for _, svc := range m.all {
			defer svc.Watch(m.id, func() {})()
		}
		time.Sleep(time.Second)
		for i := range 3 {
			if err := m.all[i%2].Live().Publish(context.Background(), "sales", sales{"total": i + 1}); err != nil {
				t.Fatal(err)
			}
			before := len(m.frames())
			time.Sleep(5 * time.Second)
			frames := m.frames()
			if n := len(frames) - before; n != 1 {
				t.Errorf("%d frames for a value", n)
			}
			var total ui.Value
			for _, f := range frames {
				for _, op := range f.Ops {
					if c, ok := op.(*ui.Commit); ok && c.Form == "sales" {
						total, _ = c.Values.Get("total")
					}
				}
			}
			equal(t, "total", fmt.Sprint(i+1), total.Text())
		}
	})
}
