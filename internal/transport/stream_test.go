package transport_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/limn-ui/limn/internal/deliver"
	"github.com/limn-ui/limn/internal/transport"
	"github.com/limn-ui/limn/internal/transport/sse"
)

// TestTakenOver: over HTTP/1.1 the connection is ours: frames come, others
// join, nothing waits in the handler.
func TestTakenOver(t *testing.T) {
	t.Parallel()
	s := serve(t, deliver.Config{})
	a := s.open(t, "/c")
	if n := a.seq(); n != 0 {
		t.Errorf("the snapshot is %d", n)
	}
	s.say(t, "c", "one")
	b := s.open(t, "/c")
	if n, m := a.seq(), b.seq(); n != 1 || m != 1 {
		t.Errorf("got %d and %d, want 1 and a snapshot of 1", n, m)
	}
	for want := uint64(2); want < 100; want++ {
		s.say(t, "c", "more")
		if n, m := a.seq(), b.seq(); n != want || m != want {
			t.Fatalf("got %d and %d, want %d", n, m, want)
		}
	}
	s.Config.SetKeepAlivesEnabled(false)
	s.deliver.Drain()
	if id := a.id() + b.id(); id != "" {
		t.Errorf("after the drain %q", id)
	}
	c, err := http.Get(s.URL + "/c")
	if err != nil || c.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("while draining: %v, %v", c, err)
	}
}

// TestStalled: a client that stops reading holds a bounded number of bytes, is
// cut, and loses nothing; others get everything meanwhile.
func TestStalled(t *testing.T) {
	t.Parallel()
	s := serve(t, deliver.Config{Behind: 1 << 20})
	good, stalled := s.open(t, "/c"), s.open(t, "/c")
	good.seq()
	stalled.seq()
	big := strings.Repeat("x", 16<<10)
	const frames = 1000 // 16 MiB, far above what the kernel and the window hold
	for want := uint64(1); want <= frames; want++ {
		s.say(t, "c", big)
		if n := good.seq(); n != want {
			t.Fatalf("the other client got %d, want %d", n, want)
		}
		if held := s.deliver.Stats().Held; held > 1<<20+64<<10+2*int64(len(big)) {
			t.Fatalf("%d bytes are held", held)
		}
	}
	last, id := uint64(0), ""
	for next := stalled.id(); next != ""; next = stalled.id() {
		c, _ := deliver.ParseCursor(next)
		if c.Seq != last+1 {
			t.Fatalf("frame %d came after %d", c.Seq, last)
		}
		last, id = c.Seq, next
	}
	if last == 0 || last == frames {
		t.Fatalf("the stalled client got %d of %d frames before it was cut", last, frames)
	}
	again := s.open(t, "/c?after="+id)
	for want := last + 1; want <= frames; want++ {
		if n := again.seq(); n != want {
			t.Fatalf("came back and got %d, want %d", n, want)
		}
	}
}

// TestGone: a client that goes away leaves with the next heartbeat, though
// nothing is said.
func TestGone(t *testing.T) {
	t.Parallel()
	s := serve(t, deliver.Config{Beat: time.Millisecond, PerPrincipal: -1})
	a := s.open(t, "/c")
	a.seq()
	a.Close()
	for s.deliver.Stats().Streams > 0 {
		<-time.After(time.Millisecond)
	}
}

// recorder counts flushes and knows deadlines.
type recorder struct {
	*httptest.ResponseRecorder
	flushes   []string // what stood there at each flush
	deadlines []time.Time
}

func (r *recorder) FlushError() error {
	r.flushes = append(r.flushes, r.Body.String())
	if len(r.flushes) == 2 {
		return errFull
	}
	return nil
}

func (r *recorder) SetWriteDeadline(t time.Time) error {
	r.deadlines = append(r.deadlines, t)
	return nil
}

func (r *recorder) SetReadDeadline(time.Time) error { return nil }

var errFull = errors.New("full")

// TestThroughHTTP: what cannot be taken over is served through net/http.
func TestThroughHTTP(t *testing.T) {
	t.Parallel()
	s := serve(t, deliver.Config{})
	r := httptest.NewRequest("GET", "/c", nil)
	w := &recorder{ResponseRecorder: httptest.NewRecorder()}
	sub, err := s.deliver.Open(t.Context(), request(r))
	if err != nil {
		t.Fatal(err)
	}
	s.say(t, "c", "one")
	sse.Headers(w.Header())
	started, err := transport.Stream(w, r, sub, "retry: 1500\n\n")
	if !started || !errors.Is(err, errFull) {
		t.Errorf("started %v, %v", started, err)
	}
	if len(w.flushes) != 2 || !strings.HasPrefix(w.flushes[0], "retry: 1500\n\nid: ") ||
		!strings.HasPrefix(w.flushes[1], w.flushes[0]+"id: ") {
		t.Errorf("flushed %q", w.flushes)
	}
	want := http.Header{"Content-Type": {"text/event-stream"}, "Cache-Control": {"no-store"},
		"X-Accel-Buffering": {"no"}}
	if diff := cmp.Diff(want, w.Result().Header); diff != "" {
		t.Errorf("headers (-want +got):\n%s", diff)
	}
	if len(w.deadlines) != 3 || w.deadlines[0].IsZero() || !w.deadlines[1].IsZero() || w.deadlines[2].IsZero() {
		t.Errorf("deadlines %v: each write has one, and none stands between writes", w.deadlines)
	}
	blind := httptest.NewRecorder() // knows no deadlines
	if sub, err = s.deliver.Open(t.Context(), request(r)); err != nil {
		t.Fatal(err)
	}
	if started, err := transport.Stream(blind, r, sub, ""); started || !errors.Is(err, http.ErrNotSupported) ||
		blind.Body.Len() != 0 {
		t.Errorf("without deadlines: started %v, %v", started, err)
	}
}

// TestStorm: clients that come, go and come back while frames are committed get
// each frame once, in order.
func TestStorm(t *testing.T) {
	t.Parallel()
	const clients, frames = 16, 600
	s := serve(t, deliver.Config{PerPrincipal: -1, Beat: 5 * time.Millisecond})
	read := make(chan struct{}, 1)
	var wg sync.WaitGroup
	for i := range clients {
		wg.Go(func() {
			after, last := "", uint64(0)
			for last < frames {
				r := s.open(t, "/c?after="+after)
				for n := 1 + (i*7+int(last))%23; n > 0 && last < frames; n-- { // then it is cut off
					id := r.id()
					c, ok := deliver.ParseCursor(id)
					if !ok || after != "" && c.Seq != last+1 {
						t.Errorf("client %d got %q after %q", i, id, after)
						return
					}
					after, last = id, c.Seq
					select {
					case read <- struct{}{}:
					default:
					}
				}
				r.Close()
			}
		})
	}
	for range frames {
		s.say(t, "c", "x")
		<-read // the streams are in the midst of it
	}
	wg.Wait()
}
