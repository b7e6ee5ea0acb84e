package deliver_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/limn-ui/limn/bus/local"
	"github.com/limn-ui/limn/deliver"
	"github.com/limn-ui/limn/session"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/ui"
)

// first takes the first n chunks of a stream.
func (w *world) first(req deliver.Request, n int) (out []deliver.Chunk) {
	w.Helper()
	for c, err := range w.deliver.Stream(context.Background(), req) {
		if err != nil {
			w.Fatal(err)
		}
		if out = append(out, c); len(out) == n {
			break
		}
	}
	return out
}

func TestResets(t *testing.T) {
	bubble(t, func(t *testing.T) {
		w := newWorld(t)
		w.say("Here.", showForm)
		for range 70 {
			w.submit(&ui.Event{Kind: ui.EventError, Error: &ui.ErrorEvent{Code: "X"}})
		}
		w.say("", closing("form:customer"))
		w.say("Again.", showForm)
		if _, err := w.store.Trim(t.Context(), w.id, 10); err != nil {
			t.Fatal(err)
		}
		w.svc = w.start()
		w.deliver = deliver.New(w.svc, w.cfg.App.Fingerprint(), 0)
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
			"redrawn":       {after: cursor(func(c *deliver.Cursor) { c.Print = "00000000" }), reason: "target"},
			"future":        {after: cursor(func(c *deliver.Cursor) { c.Seq++ }), reason: "ahead"},
			"past":          {after: cursor(func(c *deliver.Cursor) { c.Seq = 9 }), reason: "floor"},
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
		for _, ok := range []string{at.String(), cursor(func(c *deliver.Cursor) { c.Seq = 10 }), cursor(func(c *deliver.Cursor) { c.Seq = 73 })} {
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

// TestParts resumes in the middle of a frame, and starts over in the middle of
// a snapshot.
func TestParts(t *testing.T) {
	bubble(t, func(t *testing.T) {
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
type deaf struct{ *local.Bus }

func (deaf) Notify(string, uint64) {}

// TestLostWakeUps: what no wake-up told of is found at the next heartbeat, also
// when another process committed it.
func TestLostWakeUps(t *testing.T) {
	bubble(t, func(t *testing.T) {
		w := newWorld(t, func(c *session.Config) { c.Bus = deaf{local.New()} })
		other := w.start()
		ctx, cancel := context.WithCancel(t.Context())
		got := make(chan string, 100)
		done := make(chan struct{})
		go func() {
			defer close(done)
			for c, err := range w.deliver.Stream(ctx, w.request("v0.9", deliver.A2UI)) {
				switch {
				case err != nil:
					t.Error(err)
				case c.Beat:
					got <- "beat"
				default:
					got <- fmt.Sprint(len(c.Data) > 0)
				}
			}
		}()
		began := time.Now()
		expect := func(want string) {
			t.Helper()
			if s := <-got; s != want {
				t.Errorf("after %v: %s, want %s", time.Since(began), s, want)
			}
		}
		expect("false") // the empty snapshot
		synctest.Wait()
		w.say("Here.", showForm)
		expect("beat")
		expect("true")
		if d := time.Since(began); d != 25*time.Second {
			t.Errorf("found after %v", d)
		}
		e := &ui.Event{Kind: ui.EventError, Error: &ui.ErrorEvent{Code: "X"}}
		if _, err := other.Submit(t.Context(), w.id, "p", e, 0); err != nil {
			t.Fatal(err)
		}
		expect("beat")
		expect("false")
		if d := time.Since(began); d != 50*time.Second {
			t.Errorf("found after %v", d)
		}
		expect("beat")
		cancel()
		<-done // nothing is left behind: the bubble would say so
	})
}

// TestStop: a consumer may stop at any chunk, and a source may fail at any.
func TestStop(t *testing.T) {
	bubble(t, func(t *testing.T) {
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
		broken := &failing{Service: w.svc}
		d := deliver.New(broken, "x", 0)
		for n := range 4 {
			broken.left = n
			seen := 0
			var last error
			for _, err := range d.Stream(t.Context(), req) {
				if last = err; err == nil {
					seen++
				}
			}
			if !errors.Is(last, errBroken) {
				t.Errorf("%d calls: %d chunks, then %v", n, seen, last)
			}
			broken.left = n
			for range d.Stream(t.Context(), req) { // stops, whatever fails next
				break
			}
		}
		req.Principal = "other"
		for _, err := range w.deliver.Stream(t.Context(), req) {
			if ui.CodeOf(err) != session.CodeNotFound {
				t.Errorf("another principal: %v", err)
			}
		}
	})
}

var errBroken = errors.New("broken")

// failing is a source that works for some calls.
type failing struct {
	*session.Service
	left int
}

func (f *failing) call() error {
	if f.left--; f.left < 0 {
		return errBroken
	}
	return nil
}

func (f *failing) Head(ctx context.Context, id, principal string) (session.Head, error) {
	if err := f.call(); err != nil {
		return session.Head{}, err
	}
	return f.Service.Head(ctx, id, principal)
}

func (f *failing) Steps(ctx context.Context, id string, after uint64, max int) ([]session.Step, error) {
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

// TestTrimmedWhileSlow: the log is trimmed under a client that does not read.
func TestTrimmedWhileSlow(t *testing.T) {
	bubble(t, func(t *testing.T) {
		w := newWorld(t)
		w.say("Here.", showForm)
		req := w.request("v0.9", deliver.A2UI)
		n := 0
		for c, err := range w.deliver.Stream(t.Context(), req) {
			if err != nil {
				t.Fatal(err)
			}
			if n++; n == 1 {
				for range 200 {
					w.submit(&ui.Event{Kind: ui.EventError, Error: &ui.ErrorEvent{Code: "X"}})
				}
				if _, err := store.Keeper(w.store).Trim(t.Context(), w.id, 190); err != nil {
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

// TestShared: subscribers of one drawing share what was encoded.
func TestShared(t *testing.T) {
	bubble(t, func(t *testing.T) {
		w := newWorld(t)
		req := w.request("v0.9", deliver.A2UI)
		req.After = w.first(req, 1)[0].ID
		w.say("Here.", showForm)
		a, b := w.first(req, 2)[1], w.first(req, 2)[1]
		if &a.Data[0][0] != &b.Data[0][0] {
			t.Error("encoded twice")
		}
		req.Rebuild = true
		if c := w.first(req, 2)[1]; &c.Data[0][0] == &a.Data[0][0] {
			t.Error("another drawing shares the cache")
		}
	})
}
