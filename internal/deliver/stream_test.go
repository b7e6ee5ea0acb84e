package deliver_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/deliver"
	"github.com/limn-ui/limn/internal/limntest"
	"github.com/limn-ui/limn/internal/localbus"
	"github.com/limn-ui/limn/internal/recovery"
	"github.com/limn-ui/limn/internal/session"
	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/ui"
)

// first takes the first n chunks of a stream.
func (w *world) first(req deliver.Request, n int) (out []deliver.Chunk) {
	w.Helper()
	for c, err := range stream(context.Background(), w.deliver, req) {
		if err != nil {
			w.Fatal(err)
		}
		if out = append(out, c); len(out) == n {
			break
		}
	}
	return out
}

func TestCursorThatDoesNotFitGivesAReset(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		w := newWorld(t)
		w.say("Here.", showForm)
		for range 70 {
			w.submit(nothing())
		}
		w.say("", closing("form:customer"))
		w.say("Again.", showForm)
		if _, err := w.store.Trim(t.Context(), w.id, 10); err != nil {
			t.Fatal(err)
		}
		w.svc = w.start()
		w.deliver = w.deliverer(w.svc)
		h := w.head()
		at, _ := deliver.ParseCursor(w.deliver.Cursor(h, w.target("v0.9")))
		cursor := func(change func(*deliver.Cursor)) string {
			c := at
			change(&c)
			return c.String()
		}
		for name, c := range map[string]struct {
			after, reason string
			parts         bool
		}{
			"garbage":       {after: "yesterday", reason: "malformed"},
			"half":          {after: cursor(func(c *deliver.Cursor) { c.Part = 0 }), reason: "malformed", parts: true},
			"part of batch": {after: cursor(func(c *deliver.Cursor) { c.Part = 1 }), reason: "malformed"},
			"part of none":  {after: cursor(func(c *deliver.Cursor) { c.Seq, c.Part = 0, 1 }), reason: "malformed", parts: true},
			"restored":      {after: cursor(func(c *deliver.Cursor) { c.Log = strings.Repeat("0", 16) }), reason: "log"},
			"redrawn":       {after: cursor(func(c *deliver.Cursor) { c.Fingerprint = "00000000" }), reason: "target"},
			"future":        {after: cursor(func(c *deliver.Cursor) { c.Seq++ }), reason: "ahead"},
			"past":          {after: cursor(func(c *deliver.Cursor) { c.Seq = 9 }), reason: "floor"},
			"at the floor":  {after: cursor(func(c *deliver.Cursor) { c.Seq = 10 }), reason: "floor"}, // what it was then is known at 64 only
			"past in parts": {after: cursor(func(c *deliver.Cursor) { c.Seq, c.Part = 10, 1 }), reason: "floor", parts: true},
		} {
			req := w.request("v0.9", deliver.A2UI)
			req.After, req.PerMessage = c.after, c.parts
			got := w.first(req, 2)
			want := deliver.Chunk{Event: "reset", Data: [][]byte{[]byte(`{"reason":"` + c.reason + `"}`)}}
			if diff := cmp.Diff(want, got[0]); diff != "" {
				t.Errorf("%s (-want +got):\n%s", name, diff)
			}
			// Clients blind to named events are told in their own words.
			if !strings.Contains(string(got[1].Data[0]), `"deleteSurface"`) || !c.parts && got[1].ID != at.String() {
				t.Errorf("%s: snapshot %q under %q", name, got[1].Data[0], got[1].ID)
			}
		}
		for _, ok := range []string{at.String(), cursor(func(c *deliver.Cursor) { c.Seq = 73 })} {
			req := w.request("v0.9", deliver.A2UI)
			req.After = ok
			if c := w.first(req, 1)[0]; !c.Beat {
				t.Errorf("%s: %+v", ok, c)
			}
		}
		if c := w.first(w.request("v0.9", deliver.A2UI), 1)[0]; strings.Contains(string(c.Data[0]), "deleteSurface") {
			t.Errorf("an empty renderer is told to delete: %s", c.Data[0])
		}
	})
}

// A stream resumes in the middle of a frame, and starts over in the middle of a
// snapshot.
func TestResumeWithinAFrame(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		w := newWorld(t)
		req := w.request("v0.9", deliver.A2UI)
		req.PerMessage = true
		empty := w.first(req, 1)[0]
		if len(empty.Data) != 0 || empty.ID == "" {
			t.Errorf("empty conversation: %+v", empty)
		}
		w.say("Here.", showForm)
		w.say("Only words.")
		req.After = empty.ID
		all := w.first(req, 5) // beat, three messages, the frame of words
		if last := all[4]; len(last.Data) != 0 || !strings.Contains(last.ID, ".2.") {
			t.Errorf("a frame without messages: %+v", last)
		}
		for i := 1; i < 4; i++ {
			req.After = all[i].ID
			if diff := cmp.Diff(all[i+1:], w.first(req, 5-i)[1:]); diff != "" {
				t.Errorf("after %s (-want +got):\n%s", all[i].ID, diff)
			}
		}
		req.After = ""
		half := w.first(req, 2)[0]
		if c, _ := deliver.ParseCursor(half.ID); c.Part != 0 {
			t.Errorf("half a snapshot has the id %s", half.ID)
		}
		req.After = half.ID
		if c := w.first(req, 1)[0]; c.Event != "reset" {
			t.Errorf("half a snapshot goes on with %+v", c)
		}
	})
}

// deaf is a bus that loses everything.
type deaf struct{ *localbus.Bus }

func (deaf) Notify(string, uint64) {}

// TestLostWakeUps: what no wake-up told of is found in a while, also when another process committed it.
func TestLostWakeUps(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		w := newWorld(t, func(c *session.Config) { c.Bus = deaf{localbus.New()} })
		other := w.start()
		f := w.follow(w.request("v0.9", deliver.A2UI))
		f.expect("", 0) // the empty snapshot
		w.say("Here.", showForm)
		began := time.Now()
		f.expect("", 1, 6*time.Minute)
		if _, err := other.Submit(t.Context(), w.id, "p", nothing(), 0); err != nil {
			t.Fatal(err)
		}
		f.expect("", 2, 6*time.Minute)
		time.Sleep(10 * time.Minute)
		if n, most := f.beats(), int(time.Since(began)/(25*time.Second)); n < most-2 || n > most {
			t.Errorf("%d heartbeats in %v", n, time.Since(began))
		}
		f.stop() // nothing is left behind: the bubble would say so
	})
}

// A consumer may stop at any chunk, and a stream may end at any.
func TestStreamStopsAtAnyChunk(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		w := newWorld(t)
		w.say("Here.", showForm)
		req := w.request("v0.9", deliver.A2UI)
		req.PerMessage = true
		for n := 1; n < 8; n++ {
			for _, after := range []string{"", "garbage"} {
				req.After = after
				w.first(req, n) // beats fill up
			}
		}
		broken := &failing{Service: w.svc, left: 0}
		d := w.deliverer(broken)
		if _, err := d.Open(t.Context(), req); !errors.Is(err, errBroken) {
			t.Errorf("opened with %v", err)
		}
		broken.left = 1
		if _, err := d.Open(t.Context(), req); !errors.Is(err, errBroken) || d.Stats().Streams != 0 {
			t.Errorf("opened with %v, %d streams are left", err, d.Stats().Streams)
		}
		broken.left = 2
		s, err := d.Open(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		s.Close()
		s.Close()
		req.Principal = "other"
		if _, err := w.deliver.Open(t.Context(), req); ui.CodeOf(err) != conversation.CodeNotFound {
			t.Errorf("another principal: %v", err)
		}
	})
}

var errBroken = errors.New("broken")

// failing is a source that works for some calls, or with left -1 for all.
type failing struct {
	*session.Service
	mu   sync.Mutex
	left int
}

func (f *failing) set(n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.left = n
}

func (f *failing) call() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case f.left < 0:
		return nil
	case f.left == 0:
		return errBroken
	}
	f.left--
	return nil
}

func (f *failing) Head(ctx context.Context, id, principal string) (conversation.Head, error) {
	if err := f.call(); err != nil {
		return conversation.Head{}, err
	}
	return f.Service.Head(ctx, id, principal)
}

func (f *failing) Steps(ctx context.Context, id string, after uint64, max int) ([]conversation.Step, error) {
	if err := f.call(); err != nil {
		return nil, err
	}
	return f.Service.Steps(ctx, id, after, max)
}

func (f *failing) Look(ctx context.Context, id string) error {
	if err := f.call(); err != nil {
		return err
	}
	return f.Service.Look(ctx, id)
}

// Streams outlive a source that fails for a while, and continue with a snapshot
// where frames were trimmed meanwhile.
func TestStreamOutlivesAFailingSource(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		w := newWorld(t)
		src := &failing{Service: w.svc, left: -1}
		w.deliver = w.deliverer(src)
		f := w.follow(w.request("v0.9", deliver.A2UI))
		f.expect("", 0)
		w.say("Here.", showForm)
		f.expect("", 1)
		src.set(0)
		w.say("Only words.")
		time.Sleep(30 * time.Second)
		f.nothing()
		src.set(-1)
		f.expect("", 2, 2*time.Second)
		src.set(0)
		for range 200 {
			w.submit(nothing())
		}
		if _, err := w.store.Trim(t.Context(), w.id, 190); err != nil {
			t.Fatal(err)
		}
		src.set(-1)
		f.expect(`{"reason":"floor"}`, 0, 2*time.Second)
		f.expect("", 202)
		w.say("Only words.")
		f.expect("", 203)
		f.stop()
	})
}

// TestTrimmedWhileSlow: the log is trimmed under a client that does not read.
func TestTrimmedWhileSlow(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		w := newWorld(t)
		w.say("Here.", showForm)
		req := w.request("v0.9", deliver.A2UI)
		n := 0
		for c, err := range stream(t.Context(), w.deliver, req) {
			if err != nil {
				t.Fatal(err)
			}
			if n++; n == 1 {
				for range 200 {
					w.submit(nothing())
				}
				if _, err := w.store.Trim(t.Context(), w.id, 190); err != nil {
					t.Fatal(err)
				}
				continue
			}
			if string(c.Data[0]) != `{"reason":"floor"}` || c.Event != "reset" {
				t.Errorf("%+v", c)
			}
			break
		}
	})
}

// Subscribers of one drawing share encoded frames, late ones included.
func TestSubscribersShareEncodedFrames(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		w := newWorld(t)
		encoded := map[string]int{}
		var mu sync.Mutex
		req := w.request("v0.9", deliver.A2UI)
		req.Framing.Append = func(dst []byte, c deliver.Chunk) []byte {
			mu.Lock()
			defer mu.Unlock()
			encoded[c.ID]++
			return framing.Append(dst, c)
		}
		a, b := w.follow(req), w.follow(req)
		first := a.expect("", 0)
		b.expect("", 0)
		w.say("Here.", showForm)
		one := a.expect("", 1)
		b.expect("", 1)
		a.stop()
		b.stop()
		req.After = first.ID
		w.first(req, 2)
		if encoded[one.ID] != 1 {
			t.Errorf("encoded %d times", encoded[one.ID])
		}
		req.Rebuild = true
		w.first(req, 2)
		if encoded[one.ID] != 2 {
			t.Error("another drawing shares the bytes")
		}
	})
}

// TestRebuild: a client that could not draw gets everything anew in place of
// the frame that says so, whether it listens or comes back; others get the frame.
func TestRebuild(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		w := newWorld(t)
		req := w.request("v0.9", deliver.A2UI)
		mine, other := req, req
		mine.Client, other.Client = "mine", "other"
		m, o, far := w.follow(mine), w.follow(other), w.follow(mine)
		w.say("Here.", showForm)
		before := m.expect("", 0)
		m.expect("", 1)
		far.stop()
		w.submit(&ui.Event{Kind: ui.EventError, Error: &ui.ErrorEvent{Code: "X", Client: "mine"}})
		w.say("Only words.")
		m.expect(`{"reason":"client"}`, 0)
		if c := m.expect("", 2); !strings.Contains(string(c.Data[0]), "deleteSurface") {
			t.Errorf("no snapshot: %s", c.Data)
		}
		m.expect("", 3)
		for seq := range uint64(4) {
			o.expect("", seq)
		}
		mine.After = before.ID
		late := w.follow(mine)
		late.expect("", 1)
		late.expect(`{"reason":"client"}`, 0)
		late.expect("", 2)
		late.expect("", 3)
		nobody := w.follow(w.request("v0.9", deliver.A2UI))
		nobody.expect("", 3)
		// by nobody: everybody of this principal
		w.submit(&ui.Event{Kind: ui.EventError, Error: &ui.ErrorEvent{Code: "Y"}})
		for _, f := range []*follower{m, o, late, nobody} {
			f.expect(`{"reason":"client"}`, 0)
			f.expect("", 4)
			f.stop()
		}
	})
}

// The frame that ends the conversation is the last one; after it no stream opens.
// TestToastIsANotice: who is sent nothing but messages sees a toast until the next frame,
// also who comes in between; others get its text in the frame.
func TestToastIsANotice(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		w := newWorld(t)
		w.say("Here.", showForm)
		bare, limn := w.request("v0.9", deliver.A2UI), w.request("v0.9", deliver.Limn)
		bare.After = w.deliver.Cursor(w.head(), w.target("v0.9"))
		limn.After = bare.After
		w.say("Saved.", `{"type":"ui.toast","payload":{"text":"It is saved."}}`)
		between := w.request("v0.9", deliver.A2UI)
		snapshot := w.first(between, 1)
		w.submit(nothing())

		text := func(c deliver.Chunk) string { return string(bytes.Join(c.Data, []byte("\n"))) }
		followed := w.first(bare, 3)[1:] // first its cursor
		for name, got := range map[string]string{"frame": text(followed[0]), "snapshot": text(snapshot[0])} {
			if !strings.Contains(got, "It is saved.") || !strings.Contains(got, "limn:toast#e=1") {
				t.Errorf("%s: %s", name, got)
			}
		}
		if got, want := text(followed[1]), `{"version":"v0.9","deleteSurface":{"surfaceId":"limn:toast#e=1"}}`; got != want {
			t.Errorf("next frame: %s, want %s", got, want)
		}
		for _, c := range w.first(limn, 3) {
			if strings.Contains(text(c), "limn:toast") {
				t.Errorf("format limn: %s", text(c))
			}
		}
	})
}

func TestStreamEndsWithTheConversation(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		w := newWorld(t, func(c *session.Config) { c.Model = pondering{c.Model} })
		req := w.request("v0.9", deliver.Limn)
		f := w.follow(req)
		first := f.expect("", 0)
		w.say("Here.", showForm)
		one := f.expect("", 1)
		// refused in the end, by a frame of its own
		if _, err := w.svc.Submit(t.Context(), w.id, "p", &ui.Event{Kind: ui.EventMessage, Text: "ponder"}, 0); err != nil {
			t.Fatal(err)
		}
		w.submit(&ui.Event{Kind: ui.EventEnd})
		last := f.expect("", 2)
		for _, c := range []deliver.Chunk{first, one, last} {
			if got := strings.Contains(string(c.Data[0]), `"ended":true`); got != (c.ID == last.ID) {
				t.Errorf("%s says that the conversation has ended: %t", c.Data, got)
			}
		}
		if err := <-f.ended; !errors.Is(err, deliver.ErrEnded) {
			t.Errorf("the stream ended with %v", err)
		}
		if synctest.Wait(); w.head().State.Seq != 3 {
			t.Fatalf("%d frames, want that of the message after the end", w.head().State.Seq)
		}
		for _, after := range []string{first.ID, one.ID} {
			req.After = after
			f := w.follow(req)
			if after == first.ID {
				f.expect("", 1)
			}
			f.expect("", 2)
			if err := <-f.ended; !errors.Is(err, deliver.ErrEnded) {
				t.Errorf("after %s the stream ended with %v", after, err)
			}
		}
		for _, after := range []string{"", last.ID, w.deliver.Cursor(w.head(), req.Target)} {
			req.After = after
			if _, err := w.deliver.Open(t.Context(), req); !errors.Is(err, deliver.ErrEnded) {
				t.Errorf("after %q: %v", after, err)
			}
		}
	})
}

// pondering is a model that never answers some messages.
type pondering struct{ llm.Model }

func (m pondering) Ask(ctx context.Context, r llm.Request) (llm.Reply, error) {
	if strings.Contains(r.Messages[len(r.Messages)-1].Text, "ponder") {
		<-ctx.Done()
		return llm.Reply{}, ctx.Err()
	}
	return m.Model.Ask(ctx, r)
}

// TestLimits: streams are counted, cut when they are old, and all ended by a drain.
func TestLimits(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		w := newWorld(t)
		w.deliver = deliver.New(deliver.Config{Source: w.svc, PerPrincipal: 2, Streams: 3})
		req := w.request("v0.9", deliver.A2UI)
		a, b := w.follow(req), w.follow(req)
		if _, err := w.deliver.Open(t.Context(), req); ui.CodeOf(err) != "HTTP_STREAMS" {
			t.Errorf("a third stream: %v", err)
		}
		a.stop()
		c := w.follow(req)
		began := time.Now()
		for _, f := range []*follower{b, c} {
			err := <-f.ended
			if life := time.Since(began); !errors.Is(err, deliver.ErrLife) || life < 29*time.Minute ||
				life > 61*time.Minute {
				t.Errorf("ended after %v with %v", life, err)
			}
		}
		d := w.follow(req)
		w.deliver.Drain()
		w.deliver.Drain()
		if err := <-d.ended; !errors.Is(err, deliver.ErrDrain) {
			t.Errorf("drained with %v", err)
		}
		if _, err := w.deliver.Open(t.Context(), req); ui.CodeOf(err) != recovery.CodeDraining {
			t.Errorf("opened while draining: %v", err)
		}
		if s := w.deliver.Stats(); s.Streams != 0 || s.Held != 0 {
			t.Errorf("left behind: %+v", s)
		}
	})
}

// TestNetworkShare: one network cannot take all streams, whoever it says it is,
// and what it closes is free again.
func TestNetworkShare(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		w := newWorld(t)
		w.deliver = deliver.New(deliver.Config{Source: w.svc, PerNetwork: 2, Streams: 5})
		from := func(network string) deliver.Request {
			r := w.request("v0.9", deliver.A2UI)
			r.Network = network
			return r
		}
		a, _ := w.follow(from("192.0.2.1/32")), w.follow(from("192.0.2.1/32"))
		if _, err := w.deliver.Open(t.Context(), from("192.0.2.1/32")); ui.CodeOf(err) != "HTTP_STREAMS" {
			t.Errorf("a third stream of a network: %v", err)
		}
		w.follow(from("192.0.2.2/32")) // another network has its own share
		a.stop()
		w.follow(from("192.0.2.1/32"))
		w.follow(from("")) // nobody's share
		w.follow(from(""))
		if _, err := w.deliver.Open(t.Context(), from("")); ui.CodeOf(err) != "HTTP_STREAMS" {
			t.Errorf("above all streams: %v", err)
		}
		w.deliver.Drain()
	})
}

// hooked is a source that does something after a look at the log.
type hooked struct {
	*session.Service
	once func()
}

func (h *hooked) Steps(ctx context.Context, id string, after uint64, max int) ([]conversation.Step, error) {
	steps, err := h.Service.Steps(ctx, id, after, max)
	if f := h.once; f != nil {
		h.once = nil
		f()
	}
	return steps, err
}

// Frames committed between reading the log and joining the view are not lost.
func TestJoiningLosesNoFrame(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		w := newWorld(t)
		src := &hooked{Service: w.svc}
		w.deliver = w.deliverer(src)
		req := w.request("v0.9", deliver.A2UI)
		a := w.follow(req)
		first := a.expect("", 0)
		synctest.Wait()
		src.once = func() {
			w.say("Here.", showForm)
			w.say("Only words.")
			<-a.got
			<-a.got
		}
		req.After = first.ID
		b := w.follow(req)
		b.expect("", 1)
		b.expect("", 2)
		w.say("Only words.")
		a.expect("", 3)
		b.expect("", 3)
		a.stop()
		b.stop()
	})
}

// A client that stops reading is cut when it is too far behind, in bytes or in time;
// one with little to read is not.
func TestSlowClientIsCut(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		for _, much := range []bool{true, false} {
			w := newWorld(t)
			w.deliver = deliver.New(deliver.Config{Source: w.svc, Behind: 16 << 10})
			stuck := make(chan bool)
			s, err := w.deliver.Open(t.Context(), w.request("v0.9", deliver.Limn))
			if err != nil {
				t.Fatal(err)
			}
			ended := make(chan error, 1)
			go func() {
				n := 0
				ended <- s.Serve(t.Context(), writer(func([]byte) error {
					if n++; n == 2 { // after the snapshot
						<-stuck
					}
					return nil
				}))
			}()
			other := w.follow(w.request("v0.9", deliver.Limn))
			other.expect("", 0)
			w.say("One.")
			began := time.Now()
			for seq := uint64(1); seq < 40; seq++ {
				if other.expect("", seq); much {
					w.say(strings.Repeat("much ", 200))
				} else {
					w.say("Little.")
					time.Sleep(1600 * time.Millisecond)
				}
			}
			time.Sleep(2 * time.Second)
			synctest.Wait()
			if held := w.deliver.Stats().Held; held != 0 {
				t.Errorf("%d bytes are held for a client that is cut", held)
			}
			close(stuck)
			if err := <-ended; !errors.Is(err, deliver.ErrSlow) {
				t.Errorf("ended with %v after %v", err, time.Since(began))
			}
			other.expect("", 40)
			other.stop()
		}
	})
}

// hanging is a source that may answer no more.
type hanging struct {
	*session.Service
	hang atomic.Bool
}

func (h *hanging) Steps(ctx context.Context, id string, after uint64, max int) ([]conversation.Step, error) {
	if h.hang.Load() {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	return h.Service.Steps(ctx, id, after, max)
}

// TestDrainAtOnce: a drain does not wait for a source that hangs.
func TestDrainAtOnce(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		w := newWorld(t)
		src := &hanging{Service: w.svc}
		w.deliver = w.deliverer(src)
		f := w.follow(w.request("v0.9", deliver.A2UI))
		f.expect("", 0)
		src.hang.Store(true)
		w.say("Here.", showForm)
		synctest.Wait()
		began := time.Now()
		w.deliver.Drain()
		if err := <-f.ended; !errors.Is(err, deliver.ErrDrain) || time.Since(began) > 0 {
			t.Errorf("ended after %v with %v", time.Since(began), err)
		}
	})
}
