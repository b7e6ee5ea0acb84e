package postgres

import (
	"bytes"
	"context"
	"errors"
	"net"
	"net/url"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/limn-ui/limn/internal/pgtest"
	"github.com/limn-ui/limn/store"
)

// wire is a way to the server that a test can hold up or cut.
type wire struct {
	l      net.Listener
	to     string
	mu     sync.Mutex
	silent bool       // guarded by mu: what the server says is not passed on
	conns  []net.Conn // guarded by mu
	wg     sync.WaitGroup
}

// through returns dsn by way of a wire.
func through(t *testing.T, dsn string) (string, *wire) {
	t.Helper()
	u, err := url.Parse(dsn)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w := &wire{l: l, to: u.Host}
	u.Host = l.Addr().String()
	w.wg.Go(w.accept) // stop waits
	t.Cleanup(w.stop)
	return u.String(), w
}

func (w *wire) accept() {
	for {
		client, err := w.l.Accept()
		if err != nil {
			return
		}
		server, err := net.Dial("tcp", w.to)
		if err != nil {
			client.Close()
			continue
		}
		w.mu.Lock()
		w.conns = append(w.conns, client, server)
		w.mu.Unlock()
		w.wg.Go(func() { w.forth(server, client) })
		w.wg.Go(func() { w.back(client, server) })
	}
}

// marker in what a client says makes the wire silent.
const marker = "and then no word"

func (w *wire) forth(server, client net.Conn) {
	defer server.Close()
	buf := make([]byte, 32<<10)
	for {
		n, err := client.Read(buf)
		if err != nil {
			return
		}
		if bytes.Contains(buf[:n], []byte(marker)) {
			w.mute(true)
		}
		if _, err := server.Write(buf[:n]); err != nil {
			return
		}
	}
}

func (w *wire) back(client, server net.Conn) {
	defer client.Close()
	buf := make([]byte, 32<<10)
	for {
		n, err := server.Read(buf)
		w.mu.Lock()
		silent := w.silent
		w.mu.Unlock()
		if err != nil {
			return
		}
		if silent {
			continue
		}
		if _, err := client.Write(buf[:n]); err != nil {
			return
		}
	}
}

// mute keeps the server's answers from now on, or lets them pass again.
func (w *wire) mute(on bool) {
	w.mu.Lock()
	w.silent = on
	w.mu.Unlock()
}

func (w *wire) isMuted() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.silent
}

// cut closes all connections.
func (w *wire) cut() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, c := range w.conns {
		c.Close()
	}
	w.conns = nil
}

func (w *wire) stop() {
	w.l.Close()
	w.cut()
	w.wg.Wait()
}

// A commit whose answer is lost: the caller's context has ended meanwhile, and yet
// the error is none of the context's, for the frame is there.
func TestLostAnswerIsNotContextError(t *testing.T) {
	t.Parallel()
	dsn, w := through(t, pgtest.DSN(t))
	s := openTest(t, dsn)
	create(t, s, "c1")
	other := openTest(t, strings.Replace(dsn, w.l.Addr().String(), w.to, 1))

	ctx, cancel := context.WithCancel(t.Context())
	failed := make(chan error, 1)
	go func() { failed <- s.Append(ctx, "c1", store.Commit{Frame: []byte(marker)}) }() // received below
	for limit := soon(t); ; {
		h, err := other.Open(limit, "c1")
		if err != nil {
			t.Fatal(err)
		}
		if h.Seq == 1 {
			break
		}
	}
	cancel()
	w.cut()
	err := <-failed
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("Append = %v, want an error that leaves it open", err)
	}
	if !strings.Contains(err.Error(), "opened again") {
		t.Errorf("no hint in %v", err)
	}
	// The way is back, and so is the store.
	w.mute(false)
	if err := s.Append(t.Context(), "c1", store.Commit{Expect: 1, Frame: []byte("y")}); err != nil {
		t.Fatal(err)
	}
}

// A caller that gives up before its statement was sent has written nothing.
func TestCanceledInQueueWritesNothing(t *testing.T) {
	t.Parallel()
	dsn, w := through(t, pgtest.DSN(t)+"&pool_max_conns=1")
	s := openTest(t, dsn)
	create(t, s, "c1")
	first := make(chan error, 1)
	// received below; takes the only connection
	go func() { _, err := s.Open(context.Background(), marker); first <- err }()
	for limit := soon(t); limit.Err() == nil && !w.isMuted(); {
		runtime.Gosched()
	}
	ctx, cancel := context.WithCancel(t.Context())
	second := make(chan error, 1)
	go func() { second <- s.Append(ctx, "c1", store.Commit{Frame: []byte("x")}) }() // received below
	cancel()
	if err := <-second; !errors.Is(err, context.Canceled) {
		t.Errorf("Append = %v, want the context's error", err)
	}
	w.mute(false)
	w.cut()
	if err := <-first; err == nil || errors.Is(err, store.ErrNotFound) {
		t.Error("Open got an answer that was cut off")
	}
	h, err := s.Open(t.Context(), "c1")
	if err != nil || h.Seq != 0 {
		t.Errorf("head %d, %v; want nothing written", h.Seq, err)
	}
}

// The server ends our sessions, as a restart does: what was committed stays, and
// the store goes on without being told.
func TestStoreSurvivesEndedSessions(t *testing.T) {
	t.Parallel()
	dsn := pgtest.DSN(t)
	_, schema := connect(t, dsn)
	s := openTest(t, dsn+"&application_name="+schema)
	create(t, s, "c1")
	seq, limit := uint64(0), soon(t)
	for range 5 {
		pgtest.Exec(t, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = '`+schema+`'`)
		for {
			err := s.Append(t.Context(), "c1", store.Commit{Expect: seq, Frame: []byte("x")})
			if err == nil {
				seq++
				break
			}
			h, oerr := s.Open(limit, "c1")
			if errors.Is(oerr, context.DeadlineExceeded) {
				t.Fatal("the store does not come back: ", err)
			}
			if oerr != nil {
				continue // another session that was ended
			}
			if h.Seq != seq {
				t.Fatalf("head %d after %v, want %d", h.Seq, err, seq)
			}
		}
	}
}

// A server that falls silent does not hold up who asks whether it is there, and is
// there again without being told.
func TestPing(t *testing.T) {
	t.Parallel()
	dsn, w := through(t, pgtest.DSN(t))
	s := openTest(t, dsn)
	w.mute(true)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if err := s.Ping(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a silent server: %v", err)
	}
	w.mute(false)
	w.cut()
	for limit := soon(t); s.Ping(limit) != nil; { // sessions that were cut
		if limit.Err() != nil {
			t.Fatal("the server is not there again")
		}
	}
}

// soon ends a test that waits for what does not come.
func soon(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	t.Cleanup(cancel)
	return ctx
}

func create(t testing.TB, s *driver, id string) {
	t.Helper()
	if err := s.Create(t.Context(), store.Conversation{ID: id, Log: "0123456789abcdef", Owner: "ada"}); err != nil {
		t.Fatal(err)
	}
}
