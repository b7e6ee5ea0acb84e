package session

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/store/memory"
	"github.com/limn-ui/limn/trace"
	"github.com/limn-ui/limn/ui"
)

// The parts of a Service work without one.

// recorded is a store with a conversation in which an event is pending.
func recorded(t *testing.T) *memory.Store {
	t.Helper()
	st := memory.New()
	ctx := context.Background()
	if err := st.Create(ctx, store.Conversation{ID: "c", Log: "0123456789abcdef", Owner: "p"}); err != nil {
		t.Fatal(err)
	}
	if _, err := st.Record(ctx, "c", store.Record{Event: "e", Hash: "h", Body: []byte("{}")}); err != nil {
		t.Fatal(err)
	}
	return st
}

func TestJournalKeepsNotesInOrder(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	j := journal{store: recorded(t), conversation: "c", event: "e"}
	want := []note{{Kind: noteRoute}, {Kind: noteIntent, Name: "save"}, {Kind: noteResult, Name: "save", Error: "no"}}
	for i, n := range want {
		if err := j.write(ctx, i, n); err != nil {
			t.Fatal(err)
		}
	}
	if err := j.write(ctx, 1, note{Kind: noteCancel}); !errors.Is(err, store.ErrExists) {
		t.Errorf("a second note at step 1: %v, want ErrExists", err)
	}
	got, err := j.notes(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("notes (-want +got):\n%s", diff)
	}
	for want := 1; want <= 2; want++ {
		if n, err := j.start(ctx); n != want || err != nil {
			t.Errorf("start %d, %v, want %d", n, err, want)
		}
	}
}

func TestCallInFindsTheCallAfterRouting(t *testing.T) {
	t.Parallel()
	route, intent, result := note{Kind: noteRoute}, note{Kind: noteIntent}, note{Kind: noteResult}
	tool := note{Kind: noteIntent, By: "w"}
	for name, c := range map[string]struct {
		notes        []note
		step         int
		begun, ended bool
	}{
		"nothing":                {nil, 0, false, false},
		"routed only":            {[]note{route}, 1, false, false},
		"begun":                  {[]note{route, intent}, 1, true, false},
		"ended":                  {[]note{intent, result}, 0, true, true},
		"ended after a cancel":   {[]note{intent, {Kind: noteCancel}, result}, 0, true, true},
		"the call of a tool":     {[]note{tool, result}, 0, false, false},
		"a model that was asked": {[]note{{Kind: noteAsked}, tool}, 0, false, false},
	} {
		step, begun, ended := callIn(c.notes)
		if step != c.step || begun != c.begun || (ended != nil) != c.ended {
			t.Errorf("%s: step %d, begun %v, ended %v", name, step, begun, ended != nil)
		}
	}
}

func TestWorkRefusesAfterClose(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := newWork()
		if err := w.enter(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan struct{})
		go func() { w.end(context.Background()); close(ended) }()
		synctest.Wait()
		if err := w.enter(); ui.CodeOf(err) != CodeDraining {
			t.Errorf("enter after Close began: %v", err)
		}
		if w.pause(nil, time.Hour) {
			t.Error("a pause goes on after Close began")
		}
		select {
		case <-ended:
			t.Error("Close does not wait")
		default:
		}
		w.Done()
		<-ended
	})
}

// gone is an endpoint's error that no try can change.
type gone struct{ error }

func (gone) Final() bool { return true }

func TestOutboxCallsUntilItIsGivenUp(t *testing.T) {
	t.Parallel()
	a, err := app.New(app.Config{Name: "t", Actions: []app.Action{{Name: "send",
		Webhook: &app.Webhook{URL: "https://example.org/hook", Later: true}}}})
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		errs  []error // of the endpoint, one a try
		tries int
		code  ui.Code
	}{
		"at once":        {[]error{nil}, 1, ""},
		"the third time": {[]error{errors.New("away"), errors.New("away"), nil}, 3, ""},
		"never":          {[]error{errors.New("1"), errors.New("2"), errors.New("3")}, 3, CodeGivenUp},
		"gone for good":  {[]error{gone{errors.New("410")}}, 1, CodeGivenUp},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) { runOutbox(t, a, c.errs, c.tries, c.code) })
		})
	}
}

func runOutbox(t *testing.T, a *app.App, errs []error, tries int, code ui.Code) {
	t.Helper()
	ctx, st, called := context.Background(), recorded(t), 0
	job := store.Job{ID: "e/0", Event: "e", Kind: jobWebhook, Due: time.Now(),
		Body: []byte(`{"key":"e/0","conversation":"c","action":"send","surface":"","values":null}`)}
	frame, err := ui.Encode(&ui.Frame{V: ui.Version, Seq: 1, Event: "e"})
	if err != nil {
		t.Fatal(err)
	}
	tx := store.Commit{Event: "e", Frame: frame, Answer: []byte("{}"), Outbox: []store.Job{job}}
	if err := st.Append(ctx, "c", tx); err != nil {
		t.Fatal(err)
	}
	cfg := Config{App: a, Tries: 3, Webhook: func(context.Context, app.Webhook, string, []byte) ([]byte, error) {
		called++
		return nil, errs[called-1]
	}}.withDefaults()
	var answers []ui.Code
	o := &outbox{cfg: cfg, work: newWork(), jobs: st, id: func() string { return "r" }, wake: make(chan struct{}, 1),
		free: make(chan struct{}, 1),
		settle: func(_ context.Context, _ store.Job, a *ui.AnswerEvent, _ trace.Call) error {
			answers = append(answers, a.Code)
			return nil
		}}
	cfg.Log = slog.New(slog.DiscardHandler)
	o.work.Go(o.run)
	time.Sleep(24 * time.Hour) // of the bubble's clock
	o.work.end(ctx)
	if called != tries || len(answers) != 1 || answers[0] != code {
		t.Errorf("called %d times, answers %q; want %d times and %q", called, answers, tries, code)
	}
	if n, _, err := st.Waiting(ctx); n != 0 || err != nil {
		t.Errorf("%d jobs wait, %v", n, err)
	}
}

func TestCacheEvictsTheLongestUnused(t *testing.T) {
	t.Parallel()
	k := &cache{most: 2, mostBytes: 1 << 30, open: map[string]*mailbox{}, weighs: map[string]int{}}
	add := func(id string, busy bool) {
		c := &mailbox{info: store.Conversation{ID: id}, log: &conversation.Log{}, inflight: map[ui.EventID]*running{}}
		if busy {
			c.inflight["e"] = &running{}
		}
		c, _ = k.put(c)
		c.unpin()
		k.weigh(c)
	}
	add("busy", true)
	add("old", false)
	add("new", false)
	if len(k.open) != 2 || k.open["busy"] == nil || k.open["new"] == nil {
		t.Errorf("in memory: %v, want the busy and the new one", k.open)
	}
	if want := int64(2 * new(conversation.Log).Weight()); k.weight != want {
		t.Errorf("weight %d, want %d", k.weight, want)
	}
}
