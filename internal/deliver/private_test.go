package deliver_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/deliver"
	"github.com/limn-ui/limn/internal/limntest"
	"github.com/limn-ui/limn/ui"
)

// turns writes a line for each call, and ends with a frame.
type turns struct {
	last uint64
	pad  string
}

func (p *turns) Start(s *ui.State, m [][]byte, cursor string) ([]byte, bool) {
	return fmt.Appendf(nil, "start %d %d\n", s.Seq, len(m)), s.Seq >= p.last
}

func (p *turns) Frame(st conversation.Step, m [][]byte, cursor string) ([]byte, bool) {
	return fmt.Appendf(nil, "frame %d %s%s\n", st.Frame.Seq, st.Frame.Text, p.pad), st.Frame.Seq >= p.last
}

func (*turns) Delta(d conversation.Delta, from int) []byte {
	return fmt.Appendf(nil, "delta %s\n", d.Text[from:])
}

// TestPrivate: a private stream has the frames after its cursor up to its last one, whether
// that is there when it is opened or comes later, and whoever else reads.
func TestPrivate(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		w := newWorld(t)
		w.say("one", showForm)
		at := w.deliver.Cursor(w.head(), w.target("v0.9"))
		open := func(after string, last uint64) *deliver.Sub {
			r := w.request("v0.9", deliver.Limn)
			r.After, r.Private = after, &turns{last: last}
			return limntest.Must(w.deliver.Open(t.Context(), r))
		}
		var got strings.Builder
		ended := make(chan error, 2)
		go func() { ended <- open(at, 3).Serve(t.Context(), &got) }()
		hub := &pipe{room: 1 << 20}
		if err := open(at, 2).Hand(t.Context(), hub, []byte("hello\n")); err != nil {
			t.Fatal(err)
		}
		go func() { // another stream of the conversation goes on
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			for range stream(ctx, w.deliver, w.request("v0.9", deliver.Limn)) {
			}
		}()
		for _, text := range []string{"two", "three", "four"} {
			synctest.Wait()
			w.say(text)
		}
		synctest.Wait()
		if err := <-ended; !errors.Is(err, deliver.ErrEnded) {
			t.Error(err)
		}
		if s := got.String(); s != ":\n\nframe 2 two\nframe 3 three\n" {
			t.Errorf("served %q", s)
		}
		if s := string(hub.got); s != "hello\n:\n\nframe 2 two\n" || !hub.closed {
			t.Errorf("handed %q, closed %v", s, hub.closed)
		}
		for after, want := range map[string]string{at: ":\n\nframe 2 two\nframe 3 three\n",
			"malformed": "start 4 3\n", "": "start 4 3\n"} {
			got.Reset()
			if err := open(after, 3).Serve(t.Context(), &got); !errors.Is(err, deliver.ErrEnded) {
				t.Error(err)
			}
			if s := got.String(); !strings.HasPrefix(s, want[:7]) || want[0] == ':' && s != want {
				t.Errorf("after %q: %q, want %q", after, s, want)
			}
		}
	})
}

// idler is a connection whose peer reads the beginning and nothing more.
type idler struct {
	*pipe
	heard chan struct{} // has room for the beginning
	shut  chan struct{}
}

func (d idler) Write(p []byte) (int, error) {
	select {
	case d.heard <- struct{}{}:
		return len(p), nil
	case <-d.shut:
		return 0, os.ErrClosed
	}
}

func (d idler) Close() error { close(d.shut); return nil }

// TestPrivateSlow: a client that does not read is cut, and has nothing lost that it asks for
// from its cursor.
func TestPrivateSlow(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		w := newWorld(t)
		w.say("one")
		d := deliver.New(deliver.Config{Source: w.svc, App: w.cfg.App.Fingerprint(), Behind: 1 << 10})
		t.Cleanup(d.Drain)
		r := w.request("v0.9", deliver.Limn)
		r.After = d.Cursor(w.head(), w.target("v0.9"))
		r.Private = &turns{last: 9, pad: strings.Repeat("x", 2000)}
		slow := idler{&pipe{}, make(chan struct{}, 1), make(chan struct{})}
		if err := limntest.Must(d.Open(t.Context(), r)).Hand(t.Context(), slow, nil); err != nil {
			t.Fatal(err)
		}
		for range 8 {
			w.say("more")
			synctest.Wait()
		}
		time.Sleep(2 * time.Minute)
		select {
		case <-slow.shut:
		default:
			t.Error("the client that does not read is not cut")
		}
		var got strings.Builder
		r.Private = &turns{last: 9}
		if err := limntest.Must(d.Open(t.Context(), r)).Serve(t.Context(), &got); !errors.Is(err, deliver.ErrEnded) {
			t.Error(err)
		}
		if n := strings.Count(got.String(), "frame"); n != 8 {
			t.Errorf("got %d frames again", n)
		}
		if d.Stats().Held != 0 {
			t.Errorf("%d bytes are held", d.Stats().Held)
		}
	})
}
