package session_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/bus/local"
	"github.com/limn-ui/limn/compile"
	"github.com/limn-ui/limn/internal/jsonx"
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

// tb is what *testing.T and *rapid.T have in common.
type tb interface {
	Helper()
	Error(args ...any)
	Errorf(format string, args ...any)
	Fatal(args ...any)
	Fatalf(format string, args ...any)
	Cleanup(func())
}

// declared is the application of these tests: a form, a view with buttons, and
// what the options add.
func declared(tb tb, opts ...func(*app.Config)) *app.App {
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

// modelFunc is a model of one function.
type modelFunc func(ctx context.Context, r llm.Request) (llm.Reply, error)

func (f modelFunc) Ask(ctx context.Context, r llm.Request) (llm.Reply, error) { return f(ctx, r) }

// says is a model that always answers the same envelope.
func says(envelope string) modelFunc {
	return func(context.Context, llm.Request) (llm.Reply, error) {
		return llm.Reply{Text: envelope, Finish: llm.FinishStop}, nil
	}
}

// gate is a model whose answers wait for Open.
type gate struct {
	asked  chan struct{} // one for each question
	answer chan string   // one for each answer
}

func newGate() *gate { return &gate{make(chan struct{}, 64), make(chan string)} }

func (g *gate) Ask(ctx context.Context, _ llm.Request) (llm.Reply, error) {
	g.asked <- struct{}{}
	select {
	case text := <-g.answer:
		return llm.Reply{Text: text, Finish: llm.FinishStop}, nil
	case <-ctx.Done():
		return llm.Reply{}, &ui.Error{Code: llm.CodeCanceled, Err: context.Cause(ctx)}
	}
}

func targets(a *app.App) []compile.Target {
	rules := &compile.Rules{Allowed: a.Allowed, Words: a.Config().Words}
	return []compile.Target{{Dialect: a2ui.V09, Rules: rules}, {Dialect: a2ui.V08, Rules: rules},
		{Dialect: a2ui.V10, Rules: rules}}
}

// world is a service with one conversation of the principal "p".
type world struct {
	tb
	svc   *session.Service
	cfg   session.Config
	store *memory.Store
	id    string
}

func newWorld(tb tb, a *app.App, opts ...func(*session.Config)) *world {
	tb.Helper()
	w := &world{tb: tb, store: memory.New()}
	w.cfg = session.Config{App: a, Store: w.store, Bus: local.New(), Targets: targets(a)}
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

const wait = 10 * time.Minute

func (w *world) submit(e *ui.Event) session.Receipt {
	w.Helper()
	rec, err := w.svc.Submit(context.Background(), w.id, "p", e, wait)
	if err != nil {
		w.Errorf("submit: %v", err)
	}
	return rec
}

// post is submit without waiting.
func (w *world) post(e *ui.Event) session.Receipt {
	w.Helper()
	rec, err := w.svc.Submit(context.Background(), w.id, "p", e, 0)
	if err != nil {
		w.Errorf("submit: %v", err)
	}
	return rec
}

func (w *world) state() *ui.State {
	w.Helper()
	h, err := w.svc.Head(context.Background(), w.id, "p")
	if err != nil {
		w.Fatal(err)
	}
	return h.State
}

// open shows the form or the view with directives, not with a model.
func (w *world) open(n ui.Name) *ui.Surface {
	w.Helper()
	sf := w.state().Surface(n)
	if sf == nil || sf.Status != ui.StatusOpen {
		w.Fatalf("surface %s is not open", n)
	}
	return sf
}

func say(text string) *ui.Event { return &ui.Event{Kind: ui.EventMessage, Text: text} }

func keyed(e *ui.Event, key string) *ui.Event { e.Key = key; return e }

// press is a click on a button of a surface.
func press(sf *ui.Surface, key ui.KeyPath, context ...jsonx.Member) *ui.Event {
	a, _ := sf.ActionAt(key)
	return &ui.Event{Kind: ui.EventAction, Action: &ui.ActionEvent{Surface: sf.WireID(), Name: a.Name,
		Component: key.ComponentID("Button"),
		Nonce:     sf.Nonce, Rev: sf.Rev, Context: jsonx.OfObject(context...)}}
}

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
	for i, r := range raw {
		f, err := ui.DecodeFrame(r.Body)
		if err != nil {
			w.Fatal(err)
		}
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

func equal(tb tb, what string, want, got any) {
	tb.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		tb.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

func encoded(tb tb, v any) string {
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
	*memory.Store
	mu     sync.Mutex
	before func(op string) error
	after  func(op string) error
	calls  []string
}

func (f *flaky) do(op string, run func() error) error {
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

func (f *flaky) Record(ctx context.Context, id string, r store.Record) (prior *store.Record, err error) {
	err = f.do("record", func() error { prior, err = f.Store.Record(ctx, id, r); return err })
	return prior, err
}

func (f *flaky) Lookup(ctx context.Context, id string, r store.Record) (prior *store.Record, err error) {
	err = f.do("lookup", func() error { prior, err = f.Store.Lookup(ctx, id, r); return err })
	return prior, err
}

func (f *flaky) Append(ctx context.Context, id string, c store.Commit) error {
	return f.do("append", func() error { return f.Store.Append(ctx, id, c) })
}

func (f *flaky) Note(ctx context.Context, id, event string, step int, body []byte) error {
	return f.do("note", func() error { return f.Store.Note(ctx, id, event, step, body) })
}

func (f *flaky) Create(ctx context.Context, conv store.Conversation) error {
	return f.do("create", func() error { return f.Store.Create(ctx, conv) })
}

func (f *flaky) Open(ctx context.Context, id string) (h store.Head, err error) {
	err = f.do("open", func() error { h, err = f.Store.Open(ctx, id); return err })
	return h, err
}

func (f *flaky) Frames(ctx context.Context, id string, after uint64, limit int) (list []store.Frame, err error) {
	err = f.do("frames", func() error { list, err = f.Store.Frames(ctx, id, after, limit); return err })
	return list, err
}

func (f *flaky) Start(ctx context.Context, id, event string) (n int, err error) {
	err = f.do("start", func() error { n, err = f.Store.Start(ctx, id, event); return err })
	return n, err
}

func (f *flaky) Notes(ctx context.Context, id, event string) (list [][]byte, err error) {
	err = f.do("notes", func() error { list, err = f.Store.Notes(ctx, id, event); return err })
	return list, err
}

func (f *flaky) Acquire(ctx context.Context, id, what, node string, ttl time.Duration) (l store.Lease, err error) {
	err = f.do("acquire", func() error { l, err = f.Store.Acquire(ctx, id, what, node, ttl); return err })
	return l, err
}

func (f *flaky) Release(ctx context.Context, id string, l store.Lease) error {
	return f.do("release", func() error { return f.Store.Release(ctx, id, l) })
}

func (f *flaky) Orphans(ctx context.Context, limit int) (ids []string, err error) {
	err = f.do("orphans", func() error { ids, err = f.Store.Orphans(ctx, limit); return err })
	return ids, err
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

// envelope is what a model says.
func envelope(text string, directives ...string) string {
	list := make([]json.RawMessage, len(directives))
	for i, d := range directives {
		list[i] = json.RawMessage(d)
	}
	b, err := json.Marshal(map[string]any{"assistant_text": text, "directives": list})
	if err != nil {
		panic(err)
	}
	return string(b)
}

const (
	showForm = `{"type":"ui.show_form","payload":{"name":"customer"}}`
	showPad  = `{"type":"ui.show_view","payload":{"name":"pad"}}`
)
