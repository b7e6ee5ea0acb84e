package session_test

import (
	"context"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/directory"
	"github.com/limn-ui/limn/internal/ingress"
	"github.com/limn-ui/limn/internal/limntest"
	"github.com/limn-ui/limn/internal/recovery"
	"github.com/limn-ui/limn/internal/session"
	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/ui"
)

// supported declares operators; anna and bea are two.
func supported(c *app.Config) { c.Operators = []string{"support"} }

func roles(c *session.Config) {
	c.Roles = func(name string) []string {
		return map[string][]string{"anna": {"support"}, "bea": {"sales", "support"}, "carl": {"sales"}}[name]
	}
}

// operate submits what somebody does as an operator, and returns the code of a refusal.
func (w *world) operate(who, key, do, name, text string) ui.Code {
	w.Helper()
	e, err := ingress.OperatorEvent(do, name, text, ingress.Limits{})
	if err != nil {
		w.Fatal(err)
	}
	rec, err := w.svc.Submit(context.Background(), w.id, who, keyed(e, key), wait)
	if err != nil {
		return ui.CodeOf(err)
	}
	return rec.Outcome.Code
}

func (w *world) attend(who string) {
	w.Helper()
	equal(w, "code of attending", ui.Code(""), w.operate(who, "", builtin.OperatorAttend, "Anna from support", ""))
}

// said are the entries of the transcript after the first n.
func (w *world) said(n int) (list []string) {
	w.Helper()
	for _, e := range w.state().Transcript[n:] {
		list = append(list, string(e.Role)+" "+e.By+": "+e.Text)
	}
	return list
}

// TestOperator: an operator joins, which the user reads; while they are there the model is
// not asked, and they answer, each message once; then the model answers again.
func TestOperator(t *testing.T) {
	t.Parallel()
	var asked atomic.Int32
	m := limntest.Model(func(context.Context, llm.Request) (llm.Reply, error) {
		asked.Add(1)
		return limntest.Reply(envelope("I am the model.")), nil
	})
	w := newWorld(t, declared(t, supported), model(m), roles)
	w.outcome(w.submit(say("What is this?")), ui.OutcomeDone, "")
	began := len(w.state().Transcript)
	w.attend("anna")
	w.attend("anna") // again: nothing changes
	w.outcome(w.submit(say("Is somebody there?")), ui.OutcomeDone, "")
	w.outcome(w.submit(say("We have 20 stakeholders")), ui.OutcomeDone, "") // opens a table without her
	for range 2 {
		equal(t, "code", ui.Code(""), w.operate("anna", "k1", builtin.OperatorSay, "", "Yes, I am."))
	}
	equal(t, "code of another text", ui.Code(recovery.CodeKeyReused), w.operate("anna", "k1", builtin.OperatorSay, "", "No."))
	equal(t, "surfaces", 0, len(w.state().Surfaces))
	equal(t, "code", ui.Code(""), w.operate("anna", "", builtin.OperatorLeave, "", ""))
	equal(t, "code", ui.Code(""), w.operate("anna", "", builtin.OperatorLeave, "", ""))
	w.outcome(w.submit(say("And now?")), ui.OutcomeDone, "")
	want := []string{
		"assistant : Anna from support joined this conversation and answers now. The assistant pauses.",
		"user : Is somebody there?", "user : We have 20 stakeholders", "assistant Anna from support: Yes, I am.",
		"assistant : Anna from support left. The assistant answers again.", "user : And now?", "assistant : I am the model."}
	if got := w.said(began); !slices.Equal(got, want) {
		t.Errorf("the transcript is %q", got)
	}
	if n := asked.Load(); n != 2 {
		t.Errorf("the model was asked %d times", n)
	}
	want2 := encoded(t, w.state())
	w.crash()
	equal(t, "state after restart", want2, encoded(t, w.state()))
}

// TestOperatorRights: a role is needed, in a conversation of somebody else; one operator
// attends at a time, until they are idle, leave or the owner wants the model back.
func TestOperatorRights(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		w := newWorld(t, declared(t, supported), phrases, roles)
		for who, code := range map[string]ui.Code{"carl": conversation.CodeNotFound, "p": directory.CodeOperatorDenied,
			"anna": "OPERATOR_AWAY"} {
			equal(t, who+" says", code, w.operate(who, "", builtin.OperatorSay, "", "hello"))
		}
		w.readsAs(w.svc, "anna", "")
		w.readsAs(w.svc, "carl", conversation.CodeNotFound)
		if _, err := w.svc.Submit(t.Context(), w.id, "anna", say("hello"), wait); ui.CodeOf(err) != conversation.CodeReadOnly {
			t.Errorf("an operator writes as the user: %v", err)
		}
		w.attend("anna")
		for _, do := range []string{builtin.OperatorSay, builtin.OperatorLeave} {
			equal(t, "bea: "+do, ui.Code("OPERATOR_AWAY"), w.operate("bea", "", do, "", "hello"))
		}
		time.Sleep(14 * time.Minute)
		equal(t, "say", ui.Code(""), w.operate("anna", "", builtin.OperatorSay, "", "One moment."))
		time.Sleep(14 * time.Minute)
		equal(t, "attend", ui.Code("OPERATOR_BUSY"), w.operate("bea", "", builtin.OperatorAttend, "", ""))
		time.Sleep(time.Minute)
		equal(t, "attend", ui.Code(""), w.operate("bea", "", builtin.OperatorAttend, "", ""))
		equal(t, "operator", "bea", w.state().Operator.Name)
		equal(t, "dismiss", conversation.CodeOwnerOnly, w.operate("anna", "", builtin.OperatorDismiss, "", ""))
		equal(t, "dismiss", ui.Code(""), w.operate("p", "", builtin.OperatorDismiss, "", ""))
		if w.state().Operator != nil {
			t.Error("the owner did not get the model back")
		}
	})
}

// TestOperatorStopsModel: what a model says that was asked before the operator came does
// not count.
func TestOperatorStopsModel(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		g := limntest.NewGate()
		w := newWorld(t, declared(t, supported), model(g), roles)
		w.post(say("think hard"))
		<-g.Asked
		w.attend("anna")
		synctest.Wait()
		want := []string{"assistant : Anna from support joined this conversation and answers now. The assistant pauses.",
			"user : think hard"}
		if got := w.said(0); !slices.Equal(got, want) {
			t.Errorf("the transcript is %q", got)
		}
	})
}

// TestWaiting: a user waits for the operator from their first line after one of the operator,
// whatever the application says meanwhile.
func TestWaiting(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		w := newWorld(t, declared(t, supported), phrases, roles)
		w.outcome(w.submit(say("add a customer")), ui.OutcomeDone, "")
		waiting := func(want time.Time) {
			t.Helper()
			list, _, err := w.svc.FindAll(t.Context(), "anna", conversation.Listing{})
			if err != nil || len(list) != 1 || !list[0].Waiting.Equal(want) {
				t.Errorf("%v: listed %+v, want one that waits since %v", err, list, want)
			}
		}
		time.Sleep(time.Minute)
		w.attend("anna")
		waiting(time.Time{})
		time.Sleep(time.Minute)
		w.outcome(w.submit(say("Is somebody there?")), ui.OutcomeDone, "")
		asked := time.Now()
		waiting(asked)
		time.Sleep(time.Minute)
		lines := len(w.state().Transcript)
		w.outcome(w.submit(limntest.Press(w.state().Surface(form), "main/buttons/submit", limntest.Input("company", "Acme"))),
			ui.OutcomeDone, "")
		if got := w.said(lines); len(got) == 0 {
			t.Error("the application says nothing")
		}
		waiting(asked)
		time.Sleep(time.Minute)
		equal(t, "say", ui.Code(""), w.operate("anna", "", builtin.OperatorSay, "", "Yes."))
		waiting(time.Time{})
	})
}

// TestFindAll: operators list and search the conversations of all, in pages; others do not.
func TestFindAll(t *testing.T) {
	t.Parallel()
	w := newWorld(t, declared(t, supported, following), phrases, roles)
	ctx := context.Background()
	if err := w.svc.Live().Publish(ctx, "sales", 1); err != nil { // a topic is no conversation of anybody
		t.Fatal(err)
	}
	want := []string{w.id}
	for _, who := range []string{"q", "p", "q"} {
		id, err := w.svc.Create(ctx, who)
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, id)
	}
	slices.SortFunc(want, func(a, b string) int { return strings.Compare(b, a) })
	w.outcome(w.submit(say("My printer is on fire")), ui.OutcomeDone, "")
	w.attend("bea")
	if _, _, err := w.svc.FindAll(ctx, "carl", conversation.Listing{}); ui.CodeOf(err) != directory.CodeOperatorDenied {
		t.Errorf("without the role: %v", err)
	}
	var got []string
	for next, more := "", true; more; more = next != "" {
		var list []conversation.Summary
		var err error
		list, next, err = w.svc.FindAll(ctx, "anna", conversation.Listing{Limit: 3, After: next})
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range list {
			got = append(got, c.ID)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("listed %q, want %q", got, want)
	}
	list, _, err := w.svc.FindAll(ctx, "anna", conversation.Listing{Words: "printer fire"})
	if err != nil || len(list) != 1 || list[0].ID != w.id || list[0].Operator != "Anna from support" {
		t.Errorf("found %+v, %v", list, err)
	}
}
