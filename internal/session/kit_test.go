package session_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/compile"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/internal/limntest"
	"github.com/limn-ui/limn/internal/localbus"
	"github.com/limn-ui/limn/internal/official"
	"github.com/limn-ui/limn/internal/session"
	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/store/memory"
	"github.com/limn-ui/limn/ui"
)

const (
	form ui.Name = "form:customer"
	pad  ui.Name = "view:pad"
)

// declared is the application of these tests: a form, a view with buttons, and
// what the options add.
func declared(tb limntest.TB, opts ...func(*app.Config)) *app.App {
	tb.Helper()
	cfg := app.Config{Name: "t",
		Forms: []app.Form{{Name: "customer", Phrases: []string{"add a customer"}, Fields: []ui.Field{
			{Name: "company", Type: ui.TypeText, Required: true}, {Name: "note", Type: ui.TypeText}}}},
		Actions: []app.Action{{Name: "think", Run: "directives"}, {Name: "hello", Reply: "Hello."}},
		Views: []app.View{{Name: "pad", Nodes: ui.Nodes{&ui.Column{Key: "main", Children: []ui.Node{
			&ui.Text{Key: "t", Text: "pad"}, button("think", false), button("hello", false)}}}}},
	}
	for _, o := range opts {
		o(&cfg)
	}
	a, err := app.New(cfg)
	if err != nil {
		tb.Fatal(err)
	}
	return a
}

func button(name string, repeat bool) *ui.Button {
	return &ui.Button{Key: name, Label: name, Action: ui.Action{Name: name, Repeat: repeat}}
}

// handled makes the form run a handler before it is committed.
func handled(idempotent bool, h app.Handler) func(*app.Config) {
	return func(c *app.Config) {
		c.Actions = append(c.Actions, app.Action{Name: "save", Idempotent: idempotent, Handler: h})
		c.Forms[0].OnSubmit = "save"
	}
}

func targets(a *app.App) []compile.Target {
	rules := &compile.Rules{Allowed: a.Allowed, Words: a.Config().Words}
	return []compile.Target{{Dialect: a2ui.V09, Rules: rules}, {Dialect: a2ui.V08, Rules: rules},
		{Dialect: a2ui.V10, Rules: rules}}
}

// world is a service with one conversation of the principal "p".
type world struct {
	limntest.TB
	svc   *session.Service
	cfg   session.Config
	store store.Store
	id    string

	mu      sync.Mutex
	read    []store.Frame // what frames found last
	decoded []*ui.Frame
}

func newWorld(tb limntest.TB, a *app.App, opts ...func(*session.Config)) *world {
	tb.Helper()
	w := &world{TB: tb, store: memory.New()}
	w.cfg = session.Config{App: a, Store: w.store, Bus: localbus.New(), Targets: targets(a)}
	for _, o := range opts {
		o(&w.cfg)
	}
	w.svc = w.start()
	var err error
	if w.id, err = w.svc.Create(context.Background(), "p"); err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(w.judged)
	return w
}

// tap holds what clients of these tests would be sent against the published schemas.
var tap official.Tap

// judged draws what was committed as streams draw it.
func (w *world) judged() {
	w.Helper()
	before := ui.NewState(w.id)
	before.Router.Guardrails, before.Router.Preferred = w.cfg.App.Config().Guardrails,
		w.cfg.App.Config().Tools.Preferred
	raw, err := w.store.Frames(context.Background(), w.id, 0, 20) // of some tests there are hundreds
	if err != nil {
		return // trimmed, or closed
	}
	for _, r := range raw {
		f, err := ui.DecodeFrame(r.Body)
		if err != nil {
			return
		}
		after, _, err := ui.Apply(before, f, w.cfg.App.Config().Limits)
		if err != nil {
			return // a test's own frame
		}
		for _, t := range w.cfg.Targets {
			batches, err := drawing(t, before, after, f)
			if err != nil {
				continue
			}
			for _, m := range batches.Messages() {
				line, err := a2ui.AppendMessage(nil, t.Dialect, m)
				if err == nil {
					err = tap.See(t.Dialect.String(), line)
				}
				if err != nil {
					w.Error(err)
				}
			}
		}
		before = after
	}
}

// drawing is compile.Update; a rule of a test's own may panic.
func drawing(t compile.Target, before, after *ui.State, f *ui.Frame) (b compile.Batches, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	return compile.Update(t, before, after, f)
}

func model(m llm.Model) func(*session.Config) { return func(c *session.Config) { c.Model = m } }

// start opens another service with the same settings.
func (w *world) start() *session.Service {
	w.Helper()
	svc, err := session.New(w.cfg)
	if err != nil {
		w.Fatal(err)
	}
	w.Cleanup(func() { _ = svc.Close(ended) })
	return svc
}

// ended is a context that has ended: Close cuts everything off at once.
var ended = func() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}()

// crash cuts the service off and starts another one on the same store.
func (w *world) crash() {
	w.Helper()
	if err := w.svc.Close(ended); err != nil {
		w.Fatal(err)
	}
	w.svc = w.start()
}

// talk is the conversation at the service that runs now.
func (w *world) talk() *limntest.Talk {
	return &limntest.Talk{TB: w.TB, Service: w.svc, ID: w.id, Principal: "p"}
}

const wait = time.Hour

func (w *world) submit(e *ui.Event) session.Receipt { w.Helper(); return w.talk().Submit(e) }

func (w *world) state() *ui.State { w.Helper(); return w.talk().State() }

func (w *world) open(n ui.Name) *ui.Surface { w.Helper(); return w.talk().Open(n) }

// post is submit without waiting.
func (w *world) post(e *ui.Event) session.Receipt {
	w.Helper()
	rec, err := w.svc.Submit(context.Background(), w.id, "p", e, 0)
	if err != nil {
		w.Errorf("submit: %v", err)
	}
	return rec
}

func keyed(e *ui.Event, key string) *ui.Event { e.Key = key; return e }

func send(sf *ui.Surface, company string) *ui.Event {
	return press(sf, "main/buttons/submit", jsonx.Member{Key: "company", Value: jsonx.Of(company)},
		jsonx.Member{Key: "note", Value: jsonx.Of("")})
}

// frames reads the log from the store, past every cache, and checks that it is
// dense and that no event has two frames.
func (w *world) frames() []*ui.Frame {
	w.Helper()
	var out []*ui.Frame
	seen := map[ui.EventID]uint64{}
	raw, err := w.store.Frames(context.Background(), w.id, 0, 0)
	if err != nil {
		w.Fatal(err)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for i, r := range raw {
		if i >= len(w.read) || !bytes.Equal(r.Body, w.read[i].Body) { // else it was decoded before
			f, err := ui.DecodeFrame(r.Body)
			if err != nil {
				w.Fatal(err)
			}
			w.read, w.decoded = append(w.read[:i], r), append(w.decoded[:i], f)
		}
		f := w.decoded[i]
		if f.Seq != uint64(i+1) || r.Seq != f.Seq {
			w.Fatalf("frame %d stands at %d", f.Seq, i+1)
		}
		if other, twice := seen[f.Event]; twice {
			w.Errorf("event %s has the frames %d and %d", f.Event, other, f.Seq)
		}
		seen[f.Event] = f.Seq
		out = append(out, f)
	}
	return out
}

func (w *world) pending() int {
	w.Helper()
	h, err := w.store.Open(context.Background(), w.id)
	if err != nil {
		w.Fatal(err)
	}
	return len(h.Pending)
}

// committed lists what was committed for the form, in order.
func (w *world) committed() []string {
	var out []string
	for _, f := range w.frames() {
		for _, op := range f.Ops {
			if c, ok := op.(*ui.Commit); ok {
				v, _ := c.Values.Get("company")
				out = append(out, v.Text())
			}
		}
	}
	return out
}

func (w *world) outcome(rec session.Receipt, kind ui.OutcomeKind, code ui.Code) {
	w.Helper()
	if !rec.Done || rec.Outcome.Kind != kind || rec.Outcome.Code != code {
		w.Errorf("receipt %+v, want done with %s %s", rec, kind, code)
	}
}

func equal(tb limntest.TB, what string, want, got any) {
	tb.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		tb.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

func encoded(tb limntest.TB, v any) string {
	tb.Helper()
	b, err := ui.Encode(v)
	if err != nil {
		tb.Fatal(err)
	}
	return string(b)
}

var errDisk = errors.New("disk")

// flaky is a store whose methods fail on demand, before or after they worked.
type flaky struct {
	limntest.Store
	mu     sync.Mutex
	before func(op string) error
	after  func(op string) error
	calls  []string
}

func newFlaky(st store.Store) *flaky {
	f := &flaky{}
	f.Store = limntest.Store{Store: st, Around: f.around}
	return f
}

func (f *flaky) around(op string, run func() error) error {
	f.mu.Lock()
	if op != "orphans" { // comes when it comes
		f.calls = append(f.calls, op)
	}
	before, after := f.before, f.after
	f.mu.Unlock()
	if before != nil {
		if err := before(op); err != nil {
			return err
		}
	}
	if err := run(); err != nil {
		return err
	}
	if after != nil {
		return after(op)
	}
	return nil
}

func (f *flaky) set(before, after func(op string) error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.before, f.after, f.calls = before, after, nil
}

// failing makes one operation fail.
func failing(op string) func(string) error {
	return func(o string) error {
		if o == op {
			return errDisk
		}
		return nil
	}
}

// What models say, and what users do.
var (
	envelope = limntest.Envelope
	say      = limntest.Say
	press    = limntest.Press
	showForm = limntest.ShowForm("customer")
	showPad  = limntest.ShowView("pad")
)
