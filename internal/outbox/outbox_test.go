package outbox_test

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/outbox"
	"github.com/limn-ui/limn/internal/turntrace"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/store/memory"
	"github.com/limn-ui/limn/trace"
	"github.com/limn-ui/limn/ui"
)

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
		"never":          {[]error{errors.New("1"), errors.New("2"), errors.New("3")}, 3, outbox.CodeGivenUp},
		"gone for good":  {[]error{gone{errors.New("410")}}, 1, outbox.CodeGivenUp},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) { runOutbox(t, a, c.errs, c.tries, c.code) })
		})
	}
}

func runOutbox(t *testing.T, a *app.App, errs []error, tries int, code ui.Code) {
	t.Helper()
	w, called := newWorld(t), 0
	w.run(a, 24*time.Hour, func() error { called++; return errs[called-1] })
	if called != tries || len(w.answers) != 1 || w.answers[0] != code {
		t.Errorf("called %d times, answers %q; want %d times and %q", called, w.answers, tries, code)
	}
	if n, _, err := w.Waiting(t.Context()); n != 0 || err != nil {
		t.Errorf("%d jobs wait, %v", n, err)
	}
}

// world is a store with one job, to call a webhook later.
type world struct {
	store.Store
	answers []ui.Code
}

func newWorld(t *testing.T) *world {
	t.Helper()
	st := recorded(t)
	job := store.Job{ID: "e/0", Event: "e", Kind: outbox.Kind, Due: time.Now(),
		Body: []byte(`{"key":"e/0","conversation":"c","action":"send","surface":"","values":null}`)}
	frame, err := ui.Encode(&ui.Frame{V: ui.Version, Seq: 1, Event: "e"})
	if err != nil {
		t.Fatal(err)
	}
	tx := store.Commit{Event: "e", Frame: frame, Answer: []byte("{}"), Outbox: []store.Job{job}}
	if err := st.Append(t.Context(), "c", tx); err != nil {
		t.Fatal(err)
	}
	return &world{Store: st}
}

// run has a node of an application work for a time.
func (w *world) run(a *app.App, d time.Duration, post func() error) {
	quiet, work := make(chan struct{}), sync.WaitGroup{}
	o := outbox.New(outbox.Config{Jobs: w, App: a, Calls: 1, Tries: 3, Retry: 5 * time.Second, Timeout: 30 * time.Second,
		Now: time.Now, Request: func() string { return "r" }, Meter: trace.NoMeter(),
		Log: slog.New(slog.DiscardHandler), Stop: context.Background(), Quiet: quiet, Go: work.Go,
		Post: func(context.Context, app.Webhook, string, []byte) ([]byte, error) { return nil, post() },
		Settle: func(_ context.Context, _ store.Job, e *ui.Event, _ turntrace.Call) error {
			w.answers = append(w.answers, e.Answer.Code)
			return nil
		}})
	work.Go(o.Run)
	time.Sleep(d) // of the bubble's clock
	close(quiet)
	work.Wait()
}

// TestUndeclared: a call whose action a node does not declare waits for a node that does, and
// is given up if none comes.
func TestUndeclared(t *testing.T) {
	t.Parallel()
	declares := func(name string) *app.App {
		return must(app.New(app.Config{Name: "t", Actions: []app.Action{{Name: name,
			Webhook: &app.Webhook{URL: "https://example.org/hook", Later: true}}}}))
	}
	for name, c := range map[string]struct {
		next   string // what the next node declares
		called int
		code   ui.Code
	}{"the next does": {"send", 1, ""}, "none does": {"other", 0, outbox.CodeGivenUp}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				w, called := newWorld(t), 0
				post := func() error { called++; return nil }
				w.run(declares("other"), time.Second, post)
				if called != 0 || len(w.answers) != 0 {
					t.Errorf("called %d times, answers %q by a node that does not declare it", called, w.answers)
				}
				w.run(declares(c.next), 24*time.Hour, post)
				if called != c.called || !slices.Equal(w.answers, []ui.Code{c.code}) {
					t.Errorf("called %d times, answers %q; want %d times and %q", called, w.answers, c.called, c.code)
				}
			})
		})
	}
}

// recorded is a store with a conversation in which an event is pending.
func recorded(t *testing.T) store.Store {
	t.Helper()
	st := memory.New()
	ctx := context.Background()
	if err := st.Create(ctx, store.Conversation{ID: "c", Log: "0123456789abcdef", Owner: "p"}); err != nil {
		t.Fatal(err)
	}
	if _, err := st.Record(ctx, "c", store.Event{ID: "e", Hash: "h", Body: []byte("{}")}); err != nil {
		t.Fatal(err)
	}
	return st
}

// TestCallExpires: a call without an answer ends once, at its deadline; not while a result of it is at work; again
// later if that cannot be kept; and not at all if it ended before.
func TestCallExpires(t *testing.T) {
	t.Parallel()
	const due, retry = 10 * time.Second, 5 * time.Second
	result := `{"v":1,"id":"r","kind":"action","action":{"returns":true,"call":"k1","context":{}}}`
	for name, c := range map[string]struct {
		pending string   // an event that is recorded, answered after 18 s
		errs    []error  // of Settle, one a try
		ended   bool     // it ends before
		tries   []string // when Settle is called
	}{
		"in time":          {"", []error{nil}, false, []string{"10s"}},
		"not kept at once": {"", []error{errors.New("full"), errors.New("full"), nil}, false, []string{"10s", "15s", "20s"}},
		"its call is gone": {"", []error{store.ErrNotFound}, false, []string{"10s"}},
		"a result at work": {result, []error{nil}, false, []string{"20s"}},
		"another's result": {strings.ReplaceAll(result, "k1", "k2"), []error{nil}, false, []string{"10s"}},
		"not a result":     {strings.ReplaceAll(result, "true", "false"), []error{nil}, false, []string{"10s"}},
		"ended":            {"", nil, true, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				ctx, st, began := context.Background(), recorded(t), time.Now()
				none, waits := ui.NewState("c"), ui.NewState("c")
				waits.Router.Calls = []ui.Action{{ID: "k1", Name: "found", Until: began.Add(due)}}
				jobs := outbox.Deadlines("c", &ui.Event{ID: "e"}, none, waits)
				if err := st.Append(ctx, "c", store.Commit{Event: "e", Answer: []byte("{}"), Outbox: jobs,
					Frame: must(ui.Encode(&ui.Frame{V: ui.Version, Seq: 1, Event: "e"}))}); err != nil {
					t.Fatal(err)
				}
				if c.pending != "" {
					must(st.Record(ctx, "c", store.Event{ID: "r", Hash: "h", Body: []byte(c.pending)}))
					time.AfterFunc(18*time.Second, func() {
						if err := st.Append(ctx, "c", store.Commit{Expect: 1, Event: "r", Answer: []byte("{}"),
							Frame: must(ui.Encode(&ui.Frame{V: ui.Version, Seq: 2, Event: "r"}))}); err != nil {
							t.Error(err)
						}
					})
				}
				var tries []string
				quiet, work := make(chan struct{}), sync.WaitGroup{}
				o := outbox.New(outbox.Config{Jobs: st, Calls: 1, Tries: 3, Retry: retry, Timeout: 30 * time.Second,
					Now: time.Now, Request: func() string { return "r" }, Meter: trace.NoMeter(),
					Log: slog.New(slog.DiscardHandler), Stop: ctx, Quiet: quiet, Go: work.Go,
					Settle: func(_ context.Context, _ store.Job, e *ui.Event, by turntrace.Call) error {
						code, _ := e.Data.Get("error", "code")
						if e.Action.Call != "k1" || !e.Action.Returns || code.Text() != outbox.CodeExpired || by.Action != "found" || by.By != "deadline" {
							t.Errorf("settled with %+v %s by %+v", e.Action, code.Text(), by)
						}
						tries = append(tries, time.Since(began).Round(time.Second).String())
						return c.errs[len(tries)-1]
					}})
				if c.ended {
					o.Moved(ctx, "c", waits, none, nil)
				}
				work.Go(o.Run)
				time.Sleep(time.Hour) // of the bubble's clock
				close(quiet)
				work.Wait()
				if !slices.Equal(tries, c.tries) {
					t.Errorf("settled after %v, want %v", tries, c.tries)
				}
				if n, _, err := st.Waiting(ctx); n != 0 || err != nil {
					t.Errorf("%d jobs wait, %v", n, err)
				}
			})
		})
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
