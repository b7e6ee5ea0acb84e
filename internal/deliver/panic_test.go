package deliver_test

import (
	"context"
	"io"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/limn-ui/limn/html"
	"github.com/limn-ui/limn/internal/deliver"
	"github.com/limn-ui/limn/internal/limntest"
	"github.com/limn-ui/limn/ui"
)

// TestPanicEndsStreams: a panic while a frame is drawn for streams ends those of its conversation, and nothing else.
// One while a stream is opened, or handed over, leaves no stream.
func TestPanicEndsStreams(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		w := newWorld(t)
		var broken atomic.Bool
		target := deliver.Target{Name: "html", HTML: func(*ui.State) html.Options {
			if broken.Load() {
				panic("broken")
			}
			return html.Options{}
		}}
		req := w.request("v0.9", deliver.A2UI)
		req.Target, req.Format = target, deliver.Limn
		f := w.follow(req)
		synctest.Wait() // it has joined the others of its conversation
		broken.Store(true)
		w.say("hello", showForm)
		if err := <-f.ended; err == nil || !strings.Contains(err.Error(), "panic") {
			t.Errorf("the stream ended with %v", err)
		}
		panics := func(what string, f func()) {
			defer func() {
				if recover() == nil {
					t.Errorf("no panic while a stream is %s", what)
				}
			}()
			f()
		}
		panics("opened", func() { _, _ = w.deliver.Open(t.Context(), req) })
		broken.Store(false)
		sub, err := w.deliver.Open(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		w.say("more")
		broken.Store(true)
		p := &pipe{}
		panics("handed over", func() { _ = sub.Hand(t.Context(), p, nil) })
		if !p.closed {
			t.Error("the connection stays open")
		}
		broken.Store(false)
		if s := w.deliver.Stats(); s.Streams != 0 || s.Held != 0 {
			t.Errorf("streams are left: %+v", s)
		}
		again := w.follow(req)
		again.stop()
	})
}

// TestFirstBytesAreBounded: a client that comes back after many large frames gets them in parts.
func TestFirstBytesAreBounded(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		w := newWorld(t)
		w.say("hello", showForm)
		req := w.request("v0.9", deliver.Limn)
		for range 3 {
			w.say(strings.Repeat("x", 10_000))
		}
		req.After = w.deliver.CursorAt(w.head(), req.Target, 0)
		for range 60 {
			w.say(strings.Repeat("y", 60_000))
		}
		sub, err := w.deliver.Open(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		largest, total := 0, 0
		done := make(chan error)
		go func() {
			done <- sub.Serve(ctx, writer(func(p []byte) error {
				largest, total = max(largest, len(p)), total+len(p)
				if total > 3_600_000 {
					return io.EOF
				}
				return nil
			}))
		}()
		<-done
		if largest > 2<<20 || total < 3_600_000 {
			t.Errorf("%d bytes came, %d at once", total, largest)
		}
	})
}
