package appcall_test

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/agent"
	"github.com/limn-ui/limn/internal/appcall"
	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/execute"
	"github.com/limn-ui/limn/internal/files"
	"github.com/limn-ui/limn/internal/journal"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/internal/limntest"
	"github.com/limn-ui/limn/internal/outbox"
	"github.com/limn-ui/limn/internal/turntrace"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/store/memory"
	"github.com/limn-ui/limn/ui"
)

// bench is a conversation with one recorded click, whose action is save.
type bench struct {
	t       *testing.T
	store   store.Store
	cfg     appcall.Config
	journal journal.Journal
	stop    context.CancelCauseFunc
	save    app.Action
	values  ui.Value // what save is about
	keys    []string // of the calls that were made
	trace   turntrace.Turn
	over    chan struct{} // ends a handler that is deaf
}

// newBench returns a bench whose handler answers its calls in turn: "panic" panics,
// "hang" waits for the deadline, "deaf" for longer, "err" is an error, and anything else is a text.
func newBench(t *testing.T, idempotent bool, answers ...string) *bench {
	t.Helper()
	b := &bench{t: t, store: memory.New(), over: make(chan struct{})}
	b.journal = journal.Journal{Store: b.store, Conversation: "c", Event: "e"}
	b.save = app.Action{Name: "save", Idempotent: idempotent, Handler: func(ctx context.Context, c app.Call) (app.Result, error) {
		if c.Principal != "ann" || c.Surface != "form" {
			t.Errorf("called for %q, surface %q", c.Principal, c.Surface)
		}
		b.keys = append(b.keys, c.Key)
		switch answer := answers[len(b.keys)-1]; answer {
		case "panic":
			panic("boom")
		case "hang":
			<-ctx.Done()
			return app.Result{}, errors.New("late")
		case "deaf":
			<-b.over
			return app.Result{}, nil
		case "err":
			return app.Result{}, errors.New("no")
		default:
			return app.Result{Text: answer}, nil
		}
	}}
	if err := b.store.Create(t.Context(), store.Conversation{ID: "c", Log: "0123456789abcdef", Owner: "p"}); err != nil {
		t.Fatal(err)
	}
	if _, err := b.store.Record(t.Context(), "c", store.Event{ID: "e", Hash: "h", Body: []byte("{}")}); err != nil {
		t.Fatal(err)
	}
	stop, cut := context.WithCancelCause(context.Background())
	b.stop = cut
	b.cfg = appcall.Config{Timeout: time.Minute, Fit: func(s string) string { return s }, Files: b.store, Stop: stop,
		Log:        slog.New(slog.DiscardHandler),
		Directives: func(jsonx.Value) ([]app.Directive, []*ui.Error) { return nil, nil }}
	return b
}

// start is a new start of the event's turn; looks says that it is not the first.
func (b *bench) start(looks bool) *appcall.Call {
	return &appcall.Call{Config: &b.cfg, Journal: b.journal, ReadJournal: looks, Trace: &b.trace,
		Event: &ui.Event{V: ui.Version, ID: "e", Kind: ui.EventAction, Principal: "p", User: "ann"}}
}

func (b *bench) make(c *appcall.Call) error {
	return c.Make(b.t.Context(), appcall.Effect{Effect: &execute.Effect{Action: b.save, Values: b.values},
		Surface: "form", State: ui.NewState("c"), Keep: func(app.Result) (ui.Ops, *ui.Outcome) {
			return nil, &ui.Outcome{Kind: ui.OutcomeDone, Message: "kept"}
		}})
}

// says is what became of a call, in a line.
func says(c *appcall.Call) string {
	switch {
	case c.Done == nil:
		return "nothing"
	case c.Done.Failed != nil:
		return string(c.Done.Failed.Code)
	}
	return c.Done.Result.Text
}

func TestCalledOnce(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name       string
		idempotent bool
		answers    []string
		want       string
		calls      int
	}{
		{"fine", false, []string{"saved"}, "saved", 1},
		{"error", false, []string{"err"}, "ACTION_FAILED", 1},
		{"panic", false, []string{"panic"}, "ACTION_FAILED", 1},
		{"deadline", false, []string{"hang"}, string(agent.CodeEffectUnknown), 1},
		{"deadline, idempotent", true, []string{"hang", "saved"}, "saved", 2},
		{"deadline, then an error", true, []string{"hang", "err"}, string(agent.CodeEffectUnknown), 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				b := newBench(t, c.idempotent, c.answers...)
				var log strings.Builder
				b.cfg.Log = slog.New(slog.NewTextHandler(&log, nil))
				for start := range 3 { // the second and third find the result in the journal
					call := b.start(start > 0)
					if err := b.make(call); err != nil || says(call) != c.want {
						t.Errorf("start %d: %s, %v; want %s", start, says(call), err, c.want)
					}
					again := b.start(true)
					if err := again.Recall(t.Context(), false); err != nil || says(again) != c.want {
						t.Errorf("recalled: %s, %v; want %s", says(again), err, c.want)
					}
				}
				if len(b.keys) != c.calls || strings.Trim(strings.Join(b.keys, ""), "e/0") != "" {
					t.Errorf("called under the keys %v, want %d times e/0", b.keys, c.calls)
				}
				if panicked := strings.Contains(log.String(), "appcall_test.go"); panicked != (c.name == "panic") {
					t.Errorf("where it panicked is in the log: %v\n%s", panicked, log.String())
				}
				if b.trace.Effect == nil || b.trace.Effect.Action != "save" || b.trace.Effect.By != "handler" {
					t.Errorf("the trace says %+v", b.trace.Effect)
				}
			})
		})
	}
}

// TestIntentWithoutResult: a crash came between the call and its result.
func TestIntentWithoutResult(t *testing.T) {
	t.Parallel()
	for idempotent, want := range map[bool]string{true: "saved", false: string(agent.CodeEffectUnknown)} {
		t.Run(fmt.Sprint("idempotent ", idempotent), func(t *testing.T) {
			t.Parallel()
			b := newBench(t, idempotent, "saved")
			if err := b.journal.Write(t.Context(), 0, journal.Note{Kind: journal.KindIntent, Name: "save"}); err != nil {
				t.Fatal(err)
			}
			gone := b.start(true) // its form is gone: it calls nothing
			if err := gone.Recall(t.Context(), false); err != nil || says(gone) != string(agent.CodeEffectUnknown) {
				t.Errorf("recalled: %s, %v", says(gone), err)
			}
			call := b.start(true)
			if err := b.make(call); err != nil || says(call) != want {
				t.Errorf("%s, %v; want %s", says(call), err, want)
			}
			if called := len(b.keys) == 1; called != idempotent {
				t.Errorf("called under %v", b.keys)
			}
		})
	}
}

// TestCutOff: Close cuts the call off, and the next start calls again if it may.
func TestCutOff(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, true, "hang", "saved")
		closing := errors.New("closing")
		go b.stop(closing)
		call := b.start(false)
		if err := b.make(call); !errors.Is(err, closing) || says(call) != "nothing" {
			t.Errorf("%s, %v", says(call), err)
		}
		b.cfg.Stop = context.Background()
		call = b.start(true)
		if err := b.make(call); err != nil || says(call) != "saved" {
			t.Errorf("after the restart: %s, %v", says(call), err)
		}
	})
}

// TestIntentOfAnotherNode: an intent that could not be written is no leave to call once another node has written its own
// in its place, which may have called.
func TestIntentOfAnotherNode(t *testing.T) {
	t.Parallel()
	for _, other := range []bool{false, true} {
		b := newBench(t, false, "saved")
		broken, st := true, b.journal.Store
		b.journal.Store = limntest.Store{Store: b.store, Around: func(op string, run func() error) error {
			err := run()
			if op == "note" && broken {
				err = errors.New("no answer")
			}
			return err
		}}
		call := b.start(false)
		call.Nodes = true
		if other {
			call.Journal.Store = limntest.Store{Store: b.store, Around: func(string, func() error) error { return errors.New("away") }}
		}
		if err := b.make(call); ui.CodeOf(err) != conversation.CodeStore || len(b.keys) > 0 {
			t.Fatalf("the intent cannot be written: %v", err)
		}
		want := "saved"
		if broken, call.Journal.Store = false, st; other {
			want = string(agent.CodeEffectUnknown)
			if err := b.journal.Write(t.Context(), 0, journal.Note{Kind: journal.KindIntent, Name: "save"}); err != nil {
				t.Fatal(err)
			}
		}
		call.ReadJournal = true
		if err := b.make(call); err != nil || says(call) != want || (len(b.keys) == 1) == other {
			t.Errorf("another node has the intent %v: %s, %v, called under %v", other, says(call), err, b.keys)
		}
	}
}

// TestDeafHandler: a handler that ignores its deadline is left to itself. Whether it does its work is unknown, and it
// is not called a second time beside itself.
func TestDeafHandler(t *testing.T) {
	t.Parallel()
	for _, idempotent := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			b := newBench(t, idempotent, "deaf", "saved")
			began, call := time.Now(), b.start(false)
			if err := b.make(call); err != nil || says(call) != string(agent.CodeEffectUnknown) {
				t.Errorf("%s, %v", says(call), err)
			}
			if took := time.Since(began); took > b.cfg.Timeout+10*time.Second {
				t.Errorf("it took %v", took)
			}
			close(b.over)
			synctest.Wait()
			if len(b.keys) != 1 {
				t.Errorf("called under %v", b.keys)
			}
		})
	}
}

// TestAnotherProcess: nothing is called for an event that another process has.
func TestAnotherProcess(t *testing.T) {
	t.Parallel()
	b := newBench(t, false)
	b.cfg.Nodes = true
	if err := b.journal.Write(t.Context(), 0, journal.Note{Kind: journal.KindIntent, Name: "save"}); err != nil {
		t.Fatal(err)
	}
	if err := b.make(b.start(false)); !errors.Is(err, journal.ErrTaken) {
		t.Errorf("its intent is there: %v", err)
	}
	if err := b.store.Append(t.Context(), "c", store.Commit{Event: "e", Frame: []byte("{}"), Answer: []byte("{}")}); err != nil {
		t.Fatal(err)
	}
	if err := b.make(b.start(false)); !errors.Is(err, store.ErrConflict) {
		t.Errorf("the event is answered: %v", err)
	}
	if len(b.keys) > 0 {
		t.Errorf("called under %v", b.keys)
	}
}

// TestCanceledBeforeTheCall: a user who cancels what a model answers, on several nodes, leaves a note. It is
// no note of another process, before the call or after its intent.
func TestCanceledBeforeTheCall(t *testing.T) {
	t.Parallel()
	reply, cancel := journal.Note{Kind: journal.KindReply}, journal.Note{Kind: journal.KindCancel}
	intent := journal.Note{Kind: journal.KindIntent, Name: "save"}
	for name, c := range map[string]struct {
		notes []journal.Note
		calls int
	}{
		"before it":           {[]journal.Note{cancel}, 1},
		"after the reply":     {[]journal.Note{reply, cancel}, 1},
		"before and after it": {[]journal.Note{reply, cancel, intent, cancel}, 0},
	} {
		b := newBench(t, false, "saved")
		b.cfg.Nodes = true
		for i, n := range c.notes {
			if err := b.journal.Write(t.Context(), i, n); err != nil {
				t.Fatal(err)
			}
		}
		other := b.start(true)
		if err := other.Recall(t.Context(), false); err != nil || says(other) != "nothing" {
			t.Errorf("%s: a turn that does not call has %s, %v", name, says(other), err)
		}
		if err := b.make(b.start(true)); err != nil || len(b.keys) != c.calls {
			t.Errorf("%s: called %d times, %v, want %d", name, len(b.keys), err, c.calls)
		}
		again := b.start(true)
		if err := b.make(again); err != nil || len(b.keys) != c.calls || says(again) == "nothing" {
			t.Errorf("%s: once more: called %d times, %s, %v", name, len(b.keys), says(again), err)
		}
	}
}

// TestManyUnknownKeys: an answer of unknown keys alone costs a few warnings.
func TestManyUnknownKeys(t *testing.T) {
	t.Parallel()
	b := newBench(t, false)
	b.save.Handler, b.save.Webhook = nil, &app.Webhook{URL: "https://example.org/save"}
	b.cfg.Webhook = func(context.Context, app.Webhook, string, []byte) ([]byte, error) {
		var answer strings.Builder
		for i := range 1000 {
			fmt.Fprintf(&answer, `"k%d":%d,`, i, i)
		}
		return []byte("{" + answer.String() + `"text":"saved"}`), nil
	}
	call := b.start(false)
	if err := b.make(call); err != nil || says(call) != "saved" || len(call.Done.Warnings) != 8 {
		t.Errorf("%s with %d warnings, %v", says(call), len(call.Done.Warnings), err)
	}
}

func TestWebhookAnswers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, answer string
		err          error
		want         string
		log          string
	}{
		{"text", `{"text":"saved"}`, nil, "saved", ""},
		{"other case", `{"Text":"saved"}`, nil, "saved", ""},
		{"a key too many", `{"text":"saved","id":"Ada","error":null}`, nil,
			"saved, /id: an answer has text, toast, errors, directives, value, /error: an answer has text, toast, errors, directives, value", "text, toast, errors"},
		{"a misspelt key", `{"text":"saved","error":[{"path":"/draft/a","text":"Ada"}]}`, nil, string(agent.CodeEffectUnknown), `did you mean \"errors\"?`},
		{"an error that is false", `{"text":"saved","error":0}`, nil, "saved, /error: an answer has text, toast, errors, directives, value", ""},
		{"only another key", `{"ok":true}`, nil, ", /ok: an answer has text, toast, errors, directives, value", "text, toast, errors"},
		{"nothing", `{}`, nil, "", ""},
		{"another type", `{"errors":{"Ada":"no"}}`, nil, string(agent.CodeEffectUnknown), "errors takes no object"},
		{"a list", `[]`, nil, string(agent.CodeEffectUnknown), "takes no array"},
		{"not JSON", `<html>`, nil, string(agent.CodeEffectUnknown), "jsonx.Error"},
		{"refused", "", errors.New("502"), "ACTION_FAILED", ""},
		{"none configured", "none", nil, "ACTION_FAILED", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, false)
			b.save.Handler, b.save.Webhook = nil, &app.Webhook{URL: "https://example.org/save"}
			if c.answer != "none" {
				b.cfg.Webhook = func(_ context.Context, hook app.Webhook, key string, body []byte) ([]byte, error) {
					if hook.URL != b.save.Webhook.URL || key != "e/0" || !strings.Contains(string(body), `"ann"`) {
						t.Errorf("posted to %s under %s: %s", hook.URL, key, body)
					}
					return []byte(c.answer), c.err
				}
			}
			var log strings.Builder
			b.cfg.Log = slog.New(slog.NewTextHandler(&log, nil))
			call := b.start(false)
			err := b.make(call)
			got := says(call)
			for _, w := range call.Done.Result.Warnings {
				got += fmt.Sprintf(", %s: %s", w.Path, w.Hint)
			}
			if err != nil || got != c.want {
				t.Errorf("%s, %v; want %s", got, err, c.want)
			}
			if !strings.Contains(log.String(), c.log) || strings.Contains(log.String(), "Ada") {
				t.Errorf("log without %s, or with words of the answer:\n%s", c.log, &log)
			}
			if b.trace.Effect.By != "webhook" {
				t.Errorf("called by %s", b.trace.Effect.By)
			}
		})
	}
}

// TestFieldErrorsFit: the texts of field errors are cut to what the transcript takes, before
// the journal has them. Those of the handler stay as they are.
func TestFieldErrorsFit(t *testing.T) {
	t.Parallel()
	b, own := newBench(t, false), []ui.FieldError{{Path: "/draft/day", Code: "X", Text: "taken by others"}}
	b.cfg.Fit = func(s string) string { return s[:min(len(s), 5)] }
	b.save.Handler = func(context.Context, app.Call) (app.Result, error) { return app.Result{Errors: own}, nil }
	for start := range 2 { // the second finds the result in the journal
		call := b.start(start > 0)
		if err := b.make(call); err != nil || call.Done.Result.Errors[0].Text != "taken" {
			t.Errorf("start %d: %+v, %v", start, call.Done, err)
		}
	}
	if own[0].Text != "taken by others" {
		t.Errorf("the handler's own error is %q by now", own[0].Text)
	}
}

// TestJournalCannotBeRead: nothing is called, and the turn is tried again.
func TestJournalCannotBeRead(t *testing.T) {
	t.Parallel()
	b := newBench(t, false)
	b.journal.Conversation = "gone"
	for _, looks := range []bool{true, false} {
		if err := b.make(b.start(looks)); ui.CodeOf(err) != conversation.CodeStore {
			t.Errorf("looks %v: %v", looks, err)
		}
	}
	if len(b.keys) > 0 {
		t.Errorf("called under %v", b.keys)
	}
}

// TestWebhookGetsFiles: the body has the uploads that the values name.
func TestWebhookGetsFiles(t *testing.T) {
	t.Parallel()
	b := newBench(t, false)
	id := files.New(sha256.Sum256(nil), []byte("12345678"))
	if err := b.store.PutBlob(t.Context(), "c", store.Blob{ID: id, Name: "a.txt", Type: "text/plain",
		Body: []byte("Ada")}); err != nil {
		t.Fatal(err)
	}
	b.save.Handler, b.save.Webhook = nil, &app.Webhook{URL: "https://example.org/save"}
	b.values = ui.Map(ui.Pair{Key: "card", Value: ui.String(id)})
	var got outbox.Call
	b.cfg.Webhook = func(_ context.Context, _ app.Webhook, _ string, body []byte) ([]byte, error) {
		return nil, json.Unmarshal(body, &got)
	}
	if err := b.make(b.start(false)); err != nil {
		t.Fatal(err)
	}
	want := []files.Attachment{{ID: id, Name: "a.txt", Type: "text/plain", Size: 3, Data: []byte("Ada")}}
	if diff := cmp.Diff(want, got.Files); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
}
