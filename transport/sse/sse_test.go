package sse_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"iter"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/limn-ui/limn/deliver"
	"github.com/limn-ui/limn/transport/sse"
)

func lines(list ...string) [][]byte {
	out := make([][]byte, len(list))
	for i, s := range list {
		out[i] = []byte(s)
	}
	return out
}

func TestAppend(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		chunk deliver.Chunk
		want  string
	}{
		"frame":        {deliver.Chunk{ID: "a.1.b", Data: lines(`{"x":1}`)}, "id: a.1.b\ndata: {\"x\":1}\n\n"},
		"batch":        {deliver.Chunk{ID: "a.1.b", Data: lines("1", "2")}, "id: a.1.b\ndata: 1\ndata: 2\n\n"},
		"cursor only":  {deliver.Chunk{ID: "a.2.b"}, "id: a.2.b\n\n"},
		"named":        {deliver.Chunk{Event: "reset", Data: lines(`{}`)}, "event: reset\ndata: {}\n\n"},
		"both":         {deliver.Chunk{ID: "c", Event: "reset", Data: lines(`{}`)}, "id: c\nevent: reset\ndata: {}\n\n"},
		"beat":         {deliver.Chunk{Beat: true, ID: "never", Data: lines("never")}, ":\n\n"},
		"broken lines": {deliver.Chunk{Data: lines("a\nb\r\nc\rd", "\n", "")}, "data: a\ndata: b\ndata: c\ndata: d\ndata: \ndata: \ndata: \n\n"},
		"colons":       {deliver.Chunk{Data: lines(": id: x")}, "data: : id: x\n\n"},
	} {
		if diff := cmp.Diff("before "+c.want, string(sse.Append([]byte("before "), c.chunk))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
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
	return nil
}

func (r *recorder) SetWriteDeadline(t time.Time) error {
	r.deadlines = append(r.deadlines, t)
	return nil
}

func chunks(err error, list ...deliver.Chunk) iter.Seq2[deliver.Chunk, error] {
	return func(yield func(deliver.Chunk, error) bool) {
		for _, c := range list {
			if !yield(c, nil) {
				return
			}
		}
		if err != nil {
			yield(deliver.Chunk{}, err)
		}
	}
}

var errSource = errors.New("source")

func TestServe(t *testing.T) {
	t.Parallel()
	w := &recorder{ResponseRecorder: httptest.NewRecorder()}
	started, err := sse.Serve(w, chunks(errSource, deliver.Chunk{ID: "c1", Data: lines("1")}, deliver.Chunk{Beat: true}), 1500*time.Millisecond)
	if !started || !errors.Is(err, errSource) {
		t.Errorf("started %v, %v", started, err)
	}
	first := "retry: 1500\n\nid: c1\ndata: 1\n\n"
	if diff := cmp.Diff([]string{first, first + ":\n\n"}, w.flushes); diff != "" {
		t.Errorf("flushed (-want +got):\n%s", diff)
	}
	want := http.Header{"Content-Type": {"text/event-stream"}, "Cache-Control": {"no-store"}, "X-Accel-Buffering": {"no"}}
	if diff := cmp.Diff(want, w.Result().Header); diff != "" {
		t.Errorf("headers (-want +got):\n%s", diff)
	}
	if len(w.deadlines) != 4 || w.deadlines[0].IsZero() || !w.deadlines[1].IsZero() || w.deadlines[2].IsZero() || !w.deadlines[3].IsZero() {
		t.Errorf("deadlines %v: each write has one, and none stands between writes", w.deadlines)
	}
}

// TestErrorFirst: before the first chunk the caller may still answer otherwise.
func TestErrorFirst(t *testing.T) {
	t.Parallel()
	w := &recorder{ResponseRecorder: httptest.NewRecorder()}
	started, err := sse.Serve(w, chunks(errSource), time.Second)
	if started || !errors.Is(err, errSource) || len(w.Header()) != 0 || w.Body.Len() != 0 {
		t.Errorf("started %v, %v, headers %v, body %q", started, err, w.Header(), w.Body)
	}
	blind := httptest.NewRecorder() // knows no deadlines
	if started, err := sse.Serve(blind, chunks(nil, deliver.Chunk{Beat: true}), time.Second); started || !errors.Is(err, http.ErrNotSupported) || blind.Body.Len() != 0 {
		t.Errorf("without deadlines: started %v, %v", started, err)
	}
}

// pipes is a listener in memory.
type pipes struct {
	conns chan net.Conn
	once  sync.Once
	done  chan struct{}
}

func newPipes() *pipes { return &pipes{conns: make(chan net.Conn), done: make(chan struct{})} }

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.done:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error   { p.once.Do(func() { close(p.done) }); return nil }
func (p *pipes) Addr() net.Addr { return &net.TCPAddr{} }

func (p *pipes) dial(context.Context, string, string) (net.Conn, error) {
	a, b := net.Pipe()
	select {
	case p.conns <- b:
		return a, nil
	case <-p.done:
		return nil, net.ErrClosed
	}
}

// TestSlowClient: a client that stops reading is cut off after WriteTimeout;
// one that only waits is not.
func TestSlowClient(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		next := make(chan deliver.Chunk)
		ended := make(chan error, 1)
		srv := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			_, err := sse.Serve(w, func(yield func(deliver.Chunk, error) bool) {
				for c := range next {
					if !yield(c, nil) {
						return
					}
				}
			}, time.Second)
			ended <- err
		})}
		l := newPipes()
		go srv.Serve(l)
		defer srv.Close()
		conn, err := l.dial(t.Context(), "", "")
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		if _, err := io.WriteString(conn, "GET / HTTP/1.1\r\nHost: x\r\n\r\n"); err != nil {
			t.Fatal(err)
		}
		next <- deliver.Chunk{Data: lines("1")}
		resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil || resp.StatusCode != http.StatusOK {
			t.Fatal(resp, err)
		}
		body := bufio.NewReader(resp.Body)
		expect := func(want string) {
			t.Helper()
			got := make([]byte, len(want))
			if _, err := io.ReadFull(body, got); err != nil || string(got) != want {
				t.Fatalf("%q, %v, want %q", got, err, want)
			}
		}
		expect("retry: 1000\n\ndata: 1\n\n")
		time.Sleep(10 * sse.WriteTimeout) // nothing to say: the stream stands
		next <- deliver.Chunk{Data: lines("2")}
		expect("data: 2\n\n")
		began := time.Now()
		next <- deliver.Chunk{Data: lines(strings.Repeat("x", 1<<20))} // nobody reads
		if err := <-ended; err == nil || time.Since(began) != sse.WriteTimeout {
			t.Errorf("cut off after %v with %v", time.Since(began), err)
		}
		close(next)
	})
}
