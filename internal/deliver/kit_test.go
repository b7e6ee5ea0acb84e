package deliver_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"sync/atomic"

	"pgregory.net/rapid"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/a2ui/client"
	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/compile"
	"github.com/limn-ui/limn/html"
	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/deliver"
	"github.com/limn-ui/limn/internal/limntest"
	"github.com/limn-ui/limn/internal/localbus"
	"github.com/limn-ui/limn/internal/official"
	"github.com/limn-ui/limn/internal/session"
	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/store/memory"
	"github.com/limn-ui/limn/ui"
)

// timeless hides Deadline, which a bubble does not have.
type timeless struct{ rapid.TB }

// world is a service, a conversation and what its model will say next.
type world struct {
	limntest.TB
	cfg     session.Config
	svc     *session.Service
	store   store.Store
	deliver *deliver.Deliverer
	targets []deliver.Target
	id      string
	next    atomic.Pointer[string]
}

func newWorld(t limntest.TB, opts ...func(*session.Config)) *world {
	t.Helper()
	w := &world{TB: t, store: memory.New()}
	a, err := app.New(app.Config{Name: "t", Forms: []app.Form{{Name: "customer", Fields: []ui.Field{
		{Name: "company", Type: ui.TypeText, Required: true}, {Name: "note", Type: ui.TypeText}}}},
		Tables: []app.Table{{Name: "risks", Columns: []ui.Field{{Name: "risk", Type: ui.TypeText}}}},
		Views: []app.View{{Name: "board", Version: "1", Build: func(s *ui.State) ui.Nodes {
			v, _ := s.Committed.Get("customer", "company")
			return ui.Nodes{&ui.Column{Key: "main", Children: []ui.Node{&ui.Text{Key: "t", Text: "Last: " + v.Text()}}}}
		}}}})
	if err != nil {
		t.Fatal(err)
	}
	rules := &compile.Rules{Allowed: a.Allowed, Words: a.Config().Words}
	w.targets = []deliver.Target{{Name: "v0.9", A2UI: compile.Target{Dialect: a2ui.V09, Rules: rules}},
		{Name: "v0.8", A2UI: compile.Target{Dialect: a2ui.V08, Rules: rules}},
		{Name: "v1.0", A2UI: compile.Target{Dialect: a2ui.V10, Rules: rules}},
		{Name: "html", HTML: func(s *ui.State) html.Options {
			return html.Options{Action: "/c/" + s.ID, Uploads: "/u/" + s.ID}
		}}}
	w.cfg = session.Config{App: a, Store: w.store, Bus: localbus.New(), Model: w,
		Targets: []compile.Target{w.targets[0].A2UI, w.targets[1].A2UI, w.targets[2].A2UI}}
	for _, o := range opts {
		o(&w.cfg)
	}
	w.svc = w.start()
	w.deliver = w.deliverer(w.svc)
	if w.id, err = w.svc.Create(context.Background(), "p"); err != nil {
		t.Fatal(err)
	}
	return w
}

func (w *world) start() *session.Service {
	svc, err := session.New(w.cfg)
	if err != nil {
		w.Fatal(err)
	}
	w.Cleanup(func() { _ = svc.Close(context.Background()) })
	return svc
}

// Ask implements llm.Model.
func (w *world) Ask(context.Context, llm.Request) (llm.Reply, error) {
	return limntest.Reply(*w.next.Load()), nil
}

// say makes one frame out of what a model says.
func (w *world) say(text string, directives ...string) {
	w.Helper()
	next := limntest.Envelope(text, directives...)
	w.next.Store(&next)
	w.submit(limntest.Say("what is new"))
}

// nothing is an event whose frame changes nothing.
func nothing() *ui.Event {
	return &ui.Event{Kind: ui.EventPreference, Preference: &ui.Preference{OptOut: &ui.OptOut{}}}
}

func (w *world) submit(e *ui.Event) {
	w.Helper()
	(&limntest.Talk{TB: w.TB, Service: w.svc, ID: w.id, Principal: "p"}).Submit(e)
}

func (w *world) head() conversation.Head {
	w.Helper()
	h, err := w.svc.Head(context.Background(), w.id, "p")
	if err != nil {
		w.Fatal(err)
	}
	return h
}

func (w *world) target(name string) deliver.Target {
	for _, t := range w.targets {
		if t.Name == name {
			return t
		}
	}
	panic(name)
}

func (w *world) request(target string, format deliver.Format) deliver.Request {
	return deliver.Request{Conversation: w.id, Principal: "p", Target: w.target(target), Format: format,
		Framing: framing}
}

func (w *world) deliverer(src deliver.Source) *deliver.Deliverer {
	d := deliver.New(deliver.Config{Source: src, App: w.cfg.App.Fingerprint()})
	w.Cleanup(d.Drain)
	return d
}

// framing is one that tests can read: a chunk as JSON, a line each.
var framing = deliver.Framing{Name: "test", Append: func(dst []byte, c deliver.Chunk) []byte {
	b, err := json.Marshal(c)
	if err != nil {
		panic(err)
	}
	return append(append(dst, b...), '\n')
}}

// chunksOf reads what framing wrote.
func chunksOf(b []byte) (out []deliver.Chunk) {
	for line := range bytes.Lines(b) {
		var c deliver.Chunk
		if err := json.Unmarshal(line, &c); err != nil {
			panic(err)
		}
		out = append(out, c)
	}
	return out
}

// writer hands what is written to a function, which may refuse it.
type writer func(p []byte) error

func (f writer) Write(p []byte) (int, error) { return len(p), f(p) }

var errStop = errors.New("the reader stops")

// stream yields chunks until ctx ends or the consumer stops; an error is the last.
func stream(ctx context.Context, d *deliver.Deliverer, r deliver.Request) iter.Seq2[deliver.Chunk, error] {
	return func(yield func(deliver.Chunk, error) bool) {
		s, err := d.Open(ctx, r)
		if err == nil {
			err = s.Serve(ctx, writer(func(p []byte) error {
				for _, c := range chunksOf(p) {
					if !yield(c, nil) {
						return errStop
					}
				}
				return nil
			}))
		}
		if !errors.Is(err, errStop) && ctx.Err() == nil {
			yield(deliver.Chunk{}, err)
		}
	}
}

var (
	showForm  = limntest.ShowForm("customer")
	showBoard = limntest.ShowView("board")
)

const (
	showTable = `{"type":"ui.show_table","payload":{"name":"risks","rows":[{"risk":"fire"}]}}`
)

func closing(name string) string {
	return `{"type":"ui.close","payload":{"surface":"` + name + `"}}`
}

func patch(name, path, value string) string {
	return fmt.Sprintf(`{"type":"ui.patch","payload":{"surface":%q,"ops":[{"op":"replace","path":%q,"value":%q}]}}`,
		name, path, value)
}

// press is a click on a surface that stands there, with nothing typed but the company.
func press(sf *ui.Surface, key ui.KeyPath, company string) *ui.Event {
	note, _ := sf.Get("/draft/note") // as every client shows it: what one client types, the others are not told
	return limntest.Press(sf, key, limntest.Input("company", company), limntest.Input("note", note.Text()))
}

// tap holds what these tests send against the published schemas.
var tap official.Tap

// reader is a client of a stream that is cut off now and then.
type reader struct {
	limntest.TB
	w      *world
	req    deliver.Request
	client *client.Client // nil for html
	last   deliver.Cursor
	id     string
	seqs   []uint64 // frames that came whole, after the newest snapshot
	base   uint64   // of that snapshot
	resets []string
	bytes  []string // of the chunks after it, in order
	part   int
}

func newReader(t limntest.TB, w *world, req deliver.Request) *reader {
	r := &reader{TB: t, w: w, req: req}
	r.clear()
	return r
}

func (r *reader) clear() {
	r.part = 0
	if r.req.Target.HTML == nil {
		r.client = client.New(r.req.Target.A2UI.Dialect, client.Strict)
	}
}

// read takes chunks until it has n of them, beats aside, or has caught up
// with the log.
func (r *reader) read(n int) {
	r.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	req := r.req
	req.After = r.id
	head := r.w.head().State.Seq
	if r.id != "" && r.last.Seq == head && r.last.Part < 0 {
		return
	}
	fresh := r.id == ""
	for c, err := range stream(ctx, r.w.deliver, req) {
		if err != nil {
			r.Fatalf("stream after %q: %v", r.id, err)
		}
		if c.Beat {
			continue
		}
		if c.Event == "reset" {
			r.resets = append(r.resets, string(c.Data[0]))
			r.clear()
			fresh = true
			continue
		}
		r.take(c, fresh)
		if r.last.Part != 0 {
			fresh = false
		}
		if n--; n == 0 || r.last.Seq >= head && r.last.Part < 0 {
			return
		}
	}
}

// take applies one chunk; fresh says that it belongs to a snapshot.
func (r *reader) take(c deliver.Chunk, fresh bool) {
	r.Helper()
	at, ok := deliver.ParseCursor(c.ID)
	if !ok {
		r.Fatalf("id %q", c.ID)
	}
	switch {
	case fresh:
		r.base, r.seqs, r.bytes = at.Seq, nil, nil
	case at.Part < 0:
		if want := r.base + uint64(len(r.seqs)) + 1; at.Seq != want {
			r.Fatalf("frame %d came, want %d", at.Seq, want)
		}
		r.seqs, r.part = append(r.seqs, at.Seq), 0
	default:
		if r.part++; at.Part != r.part || at.Seq != r.base+uint64(len(r.seqs))+1 {
			r.Fatalf("message %d of frame %d came after frame %d, message %d", at.Part, at.Seq,
				r.base+uint64(len(r.seqs)), r.part-1)
		}
	}
	r.last, r.id = at, c.ID
	if !fresh {
		r.bytes = append(r.bytes, string(framing.Append(nil, c)))
	}
	messages := c.Data
	if r.req.Format == deliver.Limn {
		messages = r.body(c.Data, at, fresh)
	}
	for _, m := range messages {
		if r.client == nil {
			continue
		}
		if err := r.client.Feed(m); err != nil {
			r.Fatalf("frame %d: %v\n%s", at.Seq, err, m)
		}
		if err := tap.See(r.req.Target.Name, m); err != nil {
			r.Errorf("frame %d: %v", at.Seq, err)
		}
	}
}

func (r *reader) body(data [][]byte, at deliver.Cursor, fresh bool) [][]byte {
	r.Helper()
	var b struct {
		Kind     string
		Seq      uint64
		Messages []json.RawMessage
	}
	if err := json.Unmarshal(data[0], &b); err != nil || len(data) != 1 {
		r.Fatal(err)
	}
	if b.Seq != at.Seq || (b.Kind == "snapshot") != fresh {
		r.Fatalf("%s %d under the id %s", b.Kind, b.Seq, at)
	}
	out := make([][]byte, len(b.Messages))
	for i, m := range b.Messages {
		out[i] = m
	}
	return out
}
