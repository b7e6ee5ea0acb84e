package outbox_test

import (
	"context"
	"errors"
	"log/slog"
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
	ctx, st, called := context.Background(), recorded(t), 0
	job := store.Job{ID: "e/0", Event: "e", Kind: outbox.Kind, Due: time.Now(),
		Body: []byte(`{"key":"e/0","conversation":"c","action":"send","surface":"","values":null}`)}
	frame, err := ui.Encode(&ui.Frame{V: ui.Version, Seq: 1, Event: "e"})
	if err != nil {
		t.Fatal(err)
	}
	tx := store.Commit{Event: "e", Frame: frame, Answer: []byte("{}"), Outbox: []store.Job{job}}
	if err := st.Append(ctx, "c", tx); err != nil {
		t.Fatal(err)
	}
	var answers []ui.Code
	quiet, work := make(chan struct{}), sync.WaitGroup{}
	o := outbox.New(outbox.Config{Jobs: st, App: a, Calls: 1, Tries: 3, Retry: 5 * time.Second, Timeout: 30 * time.Second,
		Now: time.Now, Request: func() string { return "r" }, Meter: trace.NoMeter(),
		Log: slog.New(slog.DiscardHandler), Stop: ctx, Quiet: quiet, Go: work.Go,
		Post: func(context.Context, app.Webhook, string, []byte) ([]byte, error) {
			called++
			return nil, errs[called-1]
		},
		Settle: func(_ context.Context, _ store.Job, e *ui.Event, _ turntrace.Call) error {
			answers = append(answers, e.Answer.Code)
			return nil
		}})
	work.Go(o.Run)
	time.Sleep(24 * time.Hour) // of the bubble's clock
	close(quiet)
	work.Wait()
	if called != tries || len(answers) != 1 || answers[0] != code {
		t.Errorf("called %d times, answers %q; want %d times and %q", called, answers, tries, code)
	}
	if n, _, err := st.Waiting(ctx); n != 0 || err != nil {
		t.Errorf("%d jobs wait, %v", n, err)
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
