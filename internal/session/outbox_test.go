package session_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/limntest"
	"github.com/limn-ui/limn/internal/outbox"
	"github.com/limn-ui/limn/internal/session"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/trace"
	"github.com/limn-ui/limn/ui"
)

// endpoint is what the later webhooks of a world call.
type endpoint struct {
	mu     sync.Mutex
	keys   []string // of the calls, in order
	at     []time.Time
	bodies map[string]string               // by key: every try posts the same
	answer func(n int) (string, error)     // n counts from 1
	delay  func(ctx context.Context) error // before it answers
}

func (e *endpoint) post(ctx context.Context, h app.Webhook, key string, body []byte) ([]byte, error) {
	e.mu.Lock()
	e.keys, e.at = append(e.keys, key), append(e.at, time.Now())
	if was, ok := e.bodies[key]; ok && was != string(body) || h.URL != "https://example.org/later" ||
		h.Secret != "s3cret" {
		e.mu.Unlock()
		panic("another call under the same key")
	}
	if e.bodies == nil {
		e.bodies = map[string]string{}
	}
	e.bodies[key] = string(body)
	n := len(e.keys)
	e.mu.Unlock()
	if e.delay != nil {
		if err := e.delay(ctx); err != nil {
			return nil, err
		}
	}
	text, err := e.answer(n)
	return []byte(text), err
}

func (e *endpoint) calls() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return len(e.keys)
}

// refusal is an error as internal/transport/webhook makes them.
type refusal struct {
	status int
	after  time.Duration
}

func (r refusal) Error() string             { return "a body that somebody wrote" }
func (r refusal) StatusCode() int           { return r.status }
func (r refusal) RetryAfter() time.Duration { return r.after }
func (r refusal) Final() bool               { return r.status == 410 }

func later(c *app.Config) {
	c.Actions = append(c.Actions, app.Action{Name: "save",
		Webhook: &app.Webhook{URL: "https://example.org/later", Secret: "s3cret", Later: true}})
	c.Forms[0].OnSubmit = "save"
}

func calling(e *endpoint) func(*session.Config) {
	return func(c *session.Config) { c.Webhook = e.post }
}

// sent opens the form, submits it and returns the receipt.
func (w *world) sent(company string) session.Receipt {
	w.Helper()
	w.submit(say("add a customer"))
	rec := w.submit(send(w.open(form), company))
	w.outcome(rec, ui.OutcomeDone, "")
	return rec
}

// answers lists the frames that later webhooks ended with.
func (w *world) answers() (out []*ui.Frame) {
	for _, f := range w.frames() {
		if strings.Contains(string(f.Event), "/0.") {
			out = append(out, f)
		}
	}
	return out
}

func TestLater(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		e := &endpoint{answer: func(int) (string, error) {
			return `{"text":"Welcome, Acme.","toast":"Synced.","errors":[{"path":"/draft/note","code":"X","text":"No note."}],"directives":[{"type":"ui.show_form","payload":{"name":"customer"}}]}`, nil
		}, delay: func(context.Context) error { time.Sleep(5 * time.Second); return nil }}
		w := newWorld(t, declared(t, later), phrases, calling(e))
		began := time.Now()
		rec := w.sent("Acme")
		if time.Since(began) != 0 || len(w.answers()) != 0 {
			t.Fatalf("the submit waited %v for its call", time.Since(began))
		}
		equal(t, "committed", []string{"Acme"}, w.committed())
		time.Sleep(time.Minute)
		synctest.Wait()
		equal(t, "keys", []string{string(rec.Event) + "/0"}, e.keys)
		if got, want := e.bodies[e.keys[0]], fmt.Sprintf(
			`{"key":%q,"conversation":%q,"principal":"p","action":"save","surface":"form:customer","values":{"company":"Acme"},`+
				`"record":{"id":%q,"version":1}}`, e.keys[0], w.id, strings.TrimSuffix(e.keys[0], "/0")); got != want {
			t.Errorf("posted %s, want %s", got, want)
		}
		list := w.answers()
		if len(list) != 1 || list[0].Text != "Welcome, Acme.\nNo note." || len(list[0].Toasts) != 1 ||
			list[0].Outcome.Kind != ui.OutcomeDone || w.open(form).Epoch != 2 {
			t.Errorf("%+v", list)
		}
		turns := w.traces()
		if c := turns[len(turns)-1].Effect; c == nil || c.Action != "save" || c.By != "later" || c.Ms != 5000 ||
			c.Code != "" {
			t.Errorf("%+v", c)
		}
		if jobs, err := w.store.Take(t.Context(), time.Now().Add(time.Hour), time.Now().Add(2*time.Hour), 0); err != nil || len(jobs) > 0 {
			t.Errorf("%v %v", jobs, err)
		}
	})
}

// Nothing is called for an action that did not count.
func TestLaterOfARefusedSubmit(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		e := &endpoint{answer: func(int) (string, error) { return "", nil }}
		w := newWorld(t, declared(t, later), phrases, calling(e))
		w.submit(say("add a customer"))
		w.submit(send(w.open(form), "")) // a required field is missing
		stale := send(w.open(form), "Acme")
		stale.Action.Nonce = "00"
		w.submit(stale)
		time.Sleep(time.Minute)
		synctest.Wait()
		if e.calls() != 0 {
			t.Errorf("called %d times", e.calls())
		}
	})
}

func TestLaterIsTriedAgain(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		e := &endpoint{answer: func(n int) (string, error) {
			switch n {
			case 1:
				return "", errors.New("connection refused")
			case 2:
				return "", refusal{status: 503, after: time.Hour}
			case 3:
				panic("boom")
			}
			return "not JSON", nil
		}}
		w := newWorld(t, declared(t, later), phrases, calling(e))
		rec := w.sent("Acme")
		time.Sleep(24 * time.Hour)
		synctest.Wait()
		key := string(rec.Event) + "/0"
		equal(t, "keys", []string{key, key, key, key}, e.keys)
		for i, least := range []time.Duration{4 * time.Second, time.Hour, 144 * time.Second} {
			if d := e.at[i+1].Sub(e.at[i]); d < least || d > 2*least+time.Minute {
				t.Errorf("pause %d is %v", i+1, d)
			}
		}
		if list := w.answers(); len(list) != 1 || list[0].Outcome.Kind != ui.OutcomeDone || list[0].Text != "" {
			t.Errorf("%+v", list)
		}
	})
}

// A 2xx that is too large to be read has taken the call all the same.
func TestLaterAnswersTooMuch(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		e := &endpoint{answer: func(int) (string, error) { return "", tooLarge{errors.New("above 1 MiB")} }}
		w := newWorld(t, declared(t, later), phrases, calling(e))
		w.sent("Acme")
		time.Sleep(48 * time.Hour)
		synctest.Wait()
		list := w.answers()
		if len(list) != 1 || e.calls() != 1 {
			t.Fatalf("%d calls, answers %+v", e.calls(), list)
		}
		equal(t, "outcome", ui.Outcome{Kind: ui.OutcomeDone, Surface: form}, list[0].Outcome)
	})
}

// What nobody takes is given up after about a day; the user is told, and it can
// be taken up again.
func TestLaterIsGivenUp(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		up := false
		e := &endpoint{answer: func(int) (string, error) {
			if up {
				return `{"text":"At last."}`, nil
			}
			return "", refusal{status: 500}
		}}
		w := newWorld(t, declared(t, later), phrases, calling(e))
		rec := w.sent("Acme")
		time.Sleep(48 * time.Hour)
		synctest.Wait()
		if n, d := e.calls(), e.at[len(e.at)-1].Sub(e.at[0]); n != 8 || d < 18*time.Hour || d > 32*time.Hour {
			t.Errorf("%d tries in %v", n, d)
		}
		list := w.answers()
		if len(list) != 1 || list[0].Outcome.Code != outbox.CodeGivenUp || list[0].Text == "" {
			t.Fatalf("%+v", list)
		}
		graves, err := w.store.DeadLetters(t.Context(), 0, 0)
		if err != nil || len(graves) != 1 || graves[0].ID != string(rec.Event)+"/0" ||
			graves[0].Why != "8 tries; the last: it answered 500" {
			t.Fatalf("%+v %v", graves, err)
		}
		up = true
		if err := w.store.Requeue(t.Context(), w.id, graves[0].ID, time.Now()); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		if list = w.answers(); len(list) != 2 || list[1].Text != "At last." {
			t.Errorf("%+v", list)
		}
	})
}

// An endpoint that is gone is not asked again, nor an action that is no more.
func TestLaterIsFinal(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		e := &endpoint{answer: func(int) (string, error) { return "", refusal{status: 410} }}
		w := newWorld(t, declared(t, later), phrases, calling(e))
		w.sent("Acme")
		time.Sleep(time.Minute)
		synctest.Wait()
		graves, _ := w.store.DeadLetters(t.Context(), 0, 0)
		if e.calls() != 1 || len(graves) != 1 || len(w.answers()) != 1 {
			t.Errorf("%d calls, %+v", e.calls(), graves)
		}
		w.store.Close() //nolint:errcheck // in memory
	})
}

// A call that is cut off by a stop is made again by the next start, under its key.
func TestLaterSurvivesARestart(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		first := true
		e := &endpoint{answer: func(int) (string, error) { return "", nil }}
		e.delay = func(ctx context.Context) error {
			if first {
				first = false
				<-ctx.Done()
				return ctx.Err()
			}
			return nil
		}
		w := newWorld(t, declared(t, later), phrases, calling(e))
		rec := w.sent("Acme")
		synctest.Wait()
		w.crash()
		time.Sleep(2 * time.Minute)
		synctest.Wait()
		key := string(rec.Event) + "/0"
		equal(t, "keys", []string{key, key}, e.keys)
		if len(w.answers()) != 1 {
			t.Errorf("%+v", w.answers())
		}
	})
}

// Whatever fails, crashes or runs beside it: the call of every submit is made
// under one key until it is taken, and its end is one frame.
func TestOutboxLaw(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		faults := rapid.SliceOfN(rapid.SampledFrom([]string{"ok", "ok", "fail", "late", "crash"}), 0, 30).Draw(rt,
			"faults")
		broken := rapid.SliceOfN(rapid.SampledFrom([]string{"", "", "", "append", "finish", "retry", "append after"}),
			0, 30).Draw(rt, "store")
		nodes := rapid.IntRange(1, 3).Draw(rt, "nodes")
		submits := rapid.IntRange(1, 3).Draw(rt, "submits")
		var wrong []string
		synctest.Test(t, func(t *testing.T) {
			var svcs []*session.Service
			restart := func(i int) {}
			e := &endpoint{answer: func(int) (string, error) { return "", nil }}
			var mu sync.Mutex
			taken := map[string]int{}
			post := func(node int) outbox.PostFunc {
				return func(ctx context.Context, h app.Webhook, key string, body []byte) ([]byte, error) {
					if _, err := e.post(ctx, h, key, body); err != nil {
						return nil, err
					}
					mu.Lock()
					fault := "ok"
					if n := len(faults); n > 0 {
						fault, faults = faults[0], faults[1:]
					}
					if fault == "ok" || fault == "late" {
						taken[key]++
					}
					mu.Unlock()
					switch fault {
					case "fail":
						return nil, errors.New("refused")
					case "late": // taken, but nobody hears of it
						<-ctx.Done()
						return nil, ctx.Err()
					case "crash":
						go restart(node)
						<-ctx.Done()
						return nil, ctx.Err()
					}
					return []byte(`{"text":"Taken."}`), nil
				}
			}
			w := newWorld(t, declared(t, later), phrases)
			st := newFlaky(w.store)
			fault := func(op string) error {
				mu.Lock()
				defer mu.Unlock()
				if len(broken) > 0 && broken[0] == op {
					broken = broken[1:]
					return errDisk
				}
				if len(broken) > 0 && broken[0] == "" {
					broken = broken[1:]
				}
				return nil
			}
			boxes := outboxStore{st, fault}
			starts := 0
			start := func(i int) *session.Service {
				cfg := w.cfg
				mu.Lock()
				starts++
				cfg.Node = fmt.Sprint("node-", starts)
				mu.Unlock()
				cfg.Store, cfg.Webhook, cfg.Tries, cfg.Retry = boxes, post(i), 5, time.Second
				svc, err := session.New(cfg)
				if err != nil {
					t.Fatal(err)
				}
				return svc
			}
			for range nodes {
				svcs = append(svcs, start(len(svcs)))
			}
			var restarts [3]sync.Mutex
			restart = func(i int) {
				restarts[i].Lock()
				defer restarts[i].Unlock()
				_ = svcs[i].Close(ended)
				svcs[i] = start(i)
			}
			var keys []string
			for i := range submits {
				keys = append(keys, string(w.sent(fmt.Sprint("c", i)).Event)+"/0")
			}
			st.set(fault, func(op string) error { return fault(op + " after") })
			time.Sleep(time.Hour)
			synctest.Wait()
			st.set(nil, nil)
			for _, svc := range svcs {
				_ = svc.Close(ended)
			}
			ends := map[string]int{}
			for _, f := range w.answers() {
				key, _, _ := strings.Cut(string(f.Event), ".")
				ends[key]++
				if f.Text == "Taken." && taken[key] == 0 {
					wrong = append(wrong, fmt.Sprintf("frame %d says so, but nothing was taken", f.Seq))
				}
			}
			for _, key := range keys {
				if ends[key] != 1 {
					wrong = append(wrong, fmt.Sprintf("%s has %d ends", key, ends[key]))
				}
			}
			for _, key := range e.keys {
				if ends[key] == 0 {
					wrong = append(wrong, fmt.Sprintf("call under the key %s", key))
				}
			}
			if left, err := w.store.Take(context.Background(), time.Now().Add(1000*time.Hour), time.Now(), 0); err != nil || len(left) > 0 {
				wrong = append(wrong, fmt.Sprintf("%d jobs are left: %v", len(left), err))
			}
		})
		if len(wrong) > 0 {
			rt.Fatalf("%s", strings.Join(wrong, "\n"))
		}
	})
}

// outboxStore fails calls of the outbox too.
type outboxStore struct {
	*flaky
	fault func(op string) error
}

func (s outboxStore) Finish(ctx context.Context, id, job string) error {
	if err := s.fault("finish"); err != nil {
		return err
	}
	return s.Store.Finish(ctx, id, job)
}

func (s outboxStore) Retry(ctx context.Context, id, job string, due time.Time) error {
	if err := s.fault("retry"); err != nil {
		return err
	}
	return s.Store.Retry(ctx, id, job, due)
}

// The outbox is counted.
func TestLaterIsCounted(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		count := &counts{n: map[string]float64{}}
		e := &endpoint{answer: func(n int) (string, error) {
			if n < 3 {
				return "", refusal{status: 500}
			}
			return "", nil
		}}
		w := newWorld(t, declared(t, later), phrases, calling(e), func(c *session.Config) { c.Meter = count })
		w.sent("Acme")
		time.Sleep(time.Hour)
		for series, want := range map[string]float64{"webhooks_total failed": 2, "webhooks_total done": 1,
			"turns_total answer done ": 1, "turns_total action done ": 1, "commits_total": 3} {
			if got := count.of(series); got != want {
				t.Errorf("%s: %v, want %v", series, got, want)
			}
		}
	})
}

// counts is a meter for tests: series by their name and labels.
type counts struct {
	mu sync.Mutex
	n  map[string]float64
}

type series struct {
	c    *counts
	name string
}

func (c *counts) Series(m trace.Metric, labels ...string) trace.Series {
	return series{c, strings.Join(append([]string{string(m)}, labels...), " ")}
}

func (s series) Add(v float64) {
	s.c.mu.Lock()
	defer s.c.mu.Unlock()
	s.c.n[s.name] += v
}

func (c *counts) of(name string) float64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.n[name]
}

var _ store.Store = outboxStore{}
