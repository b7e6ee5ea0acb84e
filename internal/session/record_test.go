package session_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/limntest"
	"github.com/limn-ui/limn/ui"
)

const list ui.Name = "records:customer"

// saved adds a customer by the form.
func (w *world) saved(company string) {
	w.Helper()
	w.outcome(w.submit(say("add a customer")), ui.OutcomeDone, "")
	w.outcome(w.submit(posted(w.open(form), "main/buttons/submit", "/draft/company", company)), ui.OutcomeDone, "")
}

func (w *world) same(got, want []string) {
	w.Helper()
	if !slices.Equal(got, want) {
		w.Errorf("got %q, want %q", got, want)
	}
}

// record is the newest version of the only record that has a company.
func (w *world) record(company string) app.Record {
	w.Helper()
	page, err := w.svc.Records("p").List(context.Background(), app.RecordQuery{Name: "customer", Search: company, Limit: 9})
	if err != nil || len(page.Records) != 1 {
		w.Fatalf("%d records of %q: %v", len(page.Records), company, err)
	}
	return page.Records[0]
}

// TestRecords: what a form commits is listed by a message, found, edited in the same
// form and deleted.
func TestRecords(t *testing.T) {
	t.Parallel()
	w := newWorld(t, declared(t), phrases)
	w.saved("Acme")
	w.saved("Beta")
	if r := w.record("beta"); r.Version != 1 || r.Conversation != w.id || !r.Writable {
		t.Fatalf("%+v", r)
	}
	w.outcome(w.submit(say("Show me all customers, please")), ui.OutcomeDone, "")
	sf := w.open(list)
	rows := func() (companies []string) {
		sf = w.open(list)
		for n := range ui.All(sf.Tree()) {
			if l, ok := n.(*ui.List); ok {
				for _, row := range l.Children {
					companies = append(companies, ui.Children(row)[0].(*ui.Text).Text)
				}
			}
		}
		return companies
	}
	w.same(rows(), []string{"Beta", "Acme"})
	w.outcome(w.submit(posted(sf, "main/search/find", "/draft/search", "nobody")), ui.OutcomeDone, "")
	if text, _ := ui.Children(w.open(list).Tree())[1].(*ui.Text); text == nil || text.Text != "Nothing found." {
		t.Errorf("the list says %v", text)
	}
	w.outcome(w.submit(posted(w.open(list), "main/search/find", "/draft/search", "acm")), ui.OutcomeDone, "")
	w.same(rows(), []string{"Acme"})

	w.outcome(w.submit(posted(sf, "main/list/r0/edit")), ui.OutcomeDone, "")
	edited := w.open(form)
	if v, _ := edited.Get("/draft/company"); v.Text() != "Acme" || edited.Origin.Record.Version != 1 {
		t.Fatalf("the form has %q of version %d", v.Text(), edited.Origin.Record.Version)
	}
	w.outcome(w.submit(posted(edited, "main/buttons/submit", "/draft/company", "Acme & Sons")), ui.OutcomeDone, "")
	if r := w.record("sons"); r.Version != 2 {
		t.Errorf("%+v", r)
	}
	w.same(rows(), []string{"Acme & Sons"}) // the list shows it at once
	w.saved("Gamma")
	w.same(rows(), []string{"Acme & Sons"}) // it does not fit the search

	w.outcome(w.submit(posted(w.open(list), "main/list/r0/delete")), ui.OutcomeDone, "")
	if w.record("sons").Version != 2 {
		t.Error("deleted without asking")
	}
	asked := w.open(list)
	if _, err := w.svc.Records("p").Put(t.Context(), w.record("sons")); err != nil {
		t.Fatal(err)
	}
	w.outcome(w.submit(posted(asked, "main/list/r0/sure")), ui.OutcomeDone, "")
	if w.record("sons").Version != 3 {
		t.Error("deleted a version that was not shown")
	}
	w.outcome(w.submit(posted(w.open(list), "main/list/r0/sure")), ui.OutcomeDone, "") // it asks again
	w.same(rows(), []string(nil))
	w.outcome(w.submit(posted(w.open(list), "main/search/find", "/draft/search", "")), ui.OutcomeDone, "")
	w.saved("Delta")
	w.same(rows(), []string{"Delta", "Gamma", "Beta"})
	w.outcome(w.submit(posted(w.open(list), "main/list/n2/edit")), ui.OutcomeDone, "")
	w.outcome(w.submit(posted(w.open(form), "main/buttons/submit", "/draft/company", "Echo")), ui.OutcomeDone, "")
	w.same(rows(), []string{"Echo", "Gamma", "Beta"})
	w.outcome(w.submit(posted(w.open(list), "main/pages/close")), ui.OutcomeDone, "")
	if w.state().Surface(list) != nil {
		t.Error("the list is still there")
	}
	w.record("beta")
}

// TestRecordChangedMeanwhile: a form that edits an old version, or a deleted record,
// calls no handler, saves nothing, says so and keeps what was typed.
func TestRecordChangedMeanwhile(t *testing.T) {
	t.Parallel()
	saved := func(w *world, r app.Record) error { _, err := w.svc.Records("p").Put(t.Context(), r); return err }
	deleted := func(w *world, r app.Record) error {
		return w.svc.Records("p").Delete(t.Context(), r.Name, r.ID, r.Version)
	}
	submit := func(sf *ui.Surface) *ui.Event { return posted(sf, "main/buttons/submit", "/draft/company", "Mine") }
	for name, c := range map[string]struct {
		change func(*world, app.Record) error
		event  func(*ui.Surface) *ui.Event
		typed  string
		code   ui.Code
	}{
		"saved":             {saved, submit, "Mine", app.CodeRecordChanged},
		"saved, in words":   {saved, func(*ui.Surface) *ui.Event { return say("send it") }, "Acme", app.CodeRecordChanged},
		"deleted":           {deleted, submit, "Mine", app.CodeNoRecord},
		"deleted, in words": {deleted, func(*ui.Surface) *ui.Event { return say("send it") }, "Acme", app.CodeNoRecord},
	} {
		for _, acts := range []bool{false, true} {
			calls := 0
			opts := []func(*app.Config){}
			if acts {
				opts = append(opts, handled(true, func(context.Context, app.Call) (app.Result, error) {
					calls++
					return app.Result{Toast: "Sent."}, nil
				}))
			}
			w := newWorld(t, declared(t, opts...), phrases)
			w.saved("Acme")
			r := w.record("acme")
			w.outcome(w.submit(&ui.Event{Kind: ui.EventRecord, Data: ui.Map(ui.Pair{Key: "name",
				Value: ui.String("customer")}, ui.Pair{Key: "id", Value: ui.String(r.ID)})}), ui.OutcomeDone, "")
			calls = 0
			if err := c.change(w, r); err != nil {
				t.Fatal(err)
			}
			event := c.event(w.open(form))
			w.outcome(w.submit(event), ui.OutcomeFailed, c.code)
			if v, _ := w.open(form).Get("/draft/company"); v.Text() != c.typed || calls > 0 {
				t.Errorf("%s: the form has %q, %d calls", name, v.Text(), calls)
			}
			said := func(tr *ui.Entry) bool { return tr.Role == ui.RoleUser && tr.Text == "send it" }
			if (event.Kind == ui.EventMessage) != slices.ContainsFunc(w.state().Transcript, said) {
				t.Errorf("%s: the conversation has %v", name, w.state().Transcript)
			}
			if r, err := w.svc.Records("p").Get(t.Context(), r.Name, r.ID, 0); err == nil && r.Version != 2 {
				t.Errorf("%s: %+v", name, r)
			}
		}
	}
}

// TestRecordOfAnother: nobody reads or edits the records of others by their ids.
func TestRecordOfAnother(t *testing.T) {
	t.Parallel()
	w := newWorld(t, declared(t), phrases)
	w.saved("Acme")
	r := w.record("acme")
	if _, err := w.svc.Records("q").Get(t.Context(), "customer", r.ID, 0); err == nil {
		t.Error("read by another")
	}
	id, err := w.svc.Create(t.Context(), "q")
	if err != nil {
		t.Fatal(err)
	}
	_, err = w.svc.Submit(t.Context(), id, "q", &ui.Event{Kind: ui.EventRecord, Data: ui.Map(
		ui.Pair{Key: "name", Value: ui.String("customer")}, ui.Pair{Key: "id", Value: ui.String(r.ID)})}, time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	head, err := w.svc.Head(t.Context(), id, "q")
	if err != nil || head.State.Surface(form) != nil {
		t.Errorf("%v, %v", head.State.Surfaces, err)
	}
}

// TestShowRecords: a model lists records that it names and filters; a name that is not
// there is said.
func TestShowRecords(t *testing.T) {
	t.Parallel()
	w := newWorld(t, declared(t, func(c *app.Config) { c.Records = []app.RecordSpec{{Name: "customer"}} }),
		model(limntest.Says(envelope("Here.", `{"type":"ui.show_records","payload":{"name":"customer",`+
			`"where":{"company":"Beta"}}}`))))
	for _, company := range []string{"Acme", "Beta"} {
		if _, err := w.svc.Records("p").Put(t.Context(), app.Record{Name: "customer",
			Values: ui.Map(ui.Pair{Key: "company", Value: ui.String(company)})}); err != nil {
			t.Fatal(err)
		}
	}
	w.outcome(w.submit(say("which of them is called Beta?")), ui.OutcomeDone, "")
	var rows []string
	for n := range ui.All(w.open(list).Tree()) {
		if l, ok := n.(*ui.List); ok {
			for _, row := range l.Children {
				rows = append(rows, ui.Children(row)[0].(*ui.Text).Text)
			}
		}
	}
	w.same(rows, []string{"Beta"})
}

// TestRecordsOff: an application can keep nothing.
func TestRecordsOff(t *testing.T) {
	t.Parallel()
	w := newWorld(t, declared(t, func(c *app.Config) { c.Records = []app.RecordSpec{{Name: "customer", Off: true}} }),
		phrases)
	w.saved("Acme")
	if _, err := w.svc.Records("p").List(t.Context(), app.RecordQuery{Name: "customer"}); ui.CodeOf(err) != app.CodeNoRecord {
		t.Error(err)
	}
}

// TestHandlerKnowsRecord: the action of a submit learns which version is saved, and by
// whom.
func TestHandlerKnowsRecord(t *testing.T) {
	t.Parallel()
	var calls []app.Call
	w := newWorld(t, declared(t, handled(true, func(_ context.Context, c app.Call) (app.Result, error) {
		calls = append(calls, c)
		return app.Result{}, nil
	})), phrases)
	w.saved("Acme")
	r := w.record("acme")
	w.submit(&ui.Event{Kind: ui.EventRecord, Data: ui.Map(ui.Pair{Key: "name", Value: ui.String("customer")},
		ui.Pair{Key: "id", Value: ui.String(r.ID)})})
	w.outcome(w.submit(posted(w.open(form), "main/buttons/submit", "/draft/company", "Beta")), ui.OutcomeDone, "")
	if len(calls) != 2 {
		t.Fatalf("%d calls", len(calls))
	}
	for i, c := range calls {
		if c.Record.ID != r.ID || c.Record.Version != uint64(i+1) || c.Principal != "p" {
			t.Errorf("call %d: %+v by %s, want %s", i, c.Record, c.Principal, r.ID)
		}
	}
}

// TestFullRecordList: a list that has no room for another row refuses no submit.
func TestFullRecordList(t *testing.T) {
	t.Parallel()
	w := newWorld(t, declared(t, func(c *app.Config) { c.Limits.Nodes = 25 }), phrases)
	w.outcome(w.submit(say("Show all customers")), ui.OutcomeDone, "")
	for _, company := range []string{"Acme", "Beta", "Gamma", "Delta"} {
		w.saved(company)
	}
	w.record("delta")
}
