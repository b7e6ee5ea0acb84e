package main

import (
	"context"
	"io"
	"math/rand/v2"
	"net"
	"net/url"
	"sync"
	"testing"
	"time"

	"github.com/limn-ui/limn/internal/natstest"
	"github.com/limn-ui/limn/internal/pgtest"
)

// outage is how long a fault lasts: 30 s in make torture.
func outage() time.Duration {
	if long() {
		return 30 * time.Second
	}
	return 2 * time.Second
}

// notShort keeps what runs for many seconds out of the checks before a commit.
func notShort(t *testing.T) {
	if testing.Short() {
		t.Skip("runs real servers for many seconds: run without -short")
	}
}

// TestTortureKillNodes kills one, two or all of three servers on one PostgreSQL
// that hear of each other by NATS, while clients go to whichever is up.
func TestTortureKillNodes(t *testing.T) {
	t.Parallel()
	tr := newTorture(t, 3, "--store", pgtest.DSN(t), "--bus", natstest.Start(t).URL, "--lease-time", "1s", cutOff)
	tr.killing(scaled(3, 5, 100), scaled(8, 20, 50))
}

// TestTortureKillNodesListen is the same with PostgreSQL's own hints.
func TestTortureKillNodesListen(t *testing.T) {
	t.Parallel()
	notShort(t)
	tr := newTorture(t, 3, "--store", pgtest.DSN(t), "--bus", "postgres", "--lease-time", "1s", cutOff)
	tr.killing(scaled(3, 5, 30), scaled(8, 20, 50))
}

// TestTortureDatabaseGone: while PostgreSQL cannot be reached events are refused
// with 503 STORE_FAILED and streams stay open; all goes on when it is back.
func TestTortureDatabaseGone(t *testing.T) {
	t.Parallel()
	notShort(t)
	dsn, err := url.Parse(pgtest.DSN(t))
	if err != nil {
		t.Fatal(err)
	}
	w := newWire(t, dsn.Host)
	dsn.Host = w.addr
	tr := newTorture(t, 2, "--store", dsn.String(), "--bus", natstest.Start(t).URL, "--lease-time", "1s")
	tr.under(scaled(8, 20, 50), func(ctx context.Context) {
		for _, silent := range []bool{false, true} {
			pause(ctx, time.Second)
			before := tr.saw("STORE_FAILED")
			w.cut(silent)
			pause(ctx, outage())
			w.heal()
			if tr.saw("STORE_FAILED") == before && !silent {
				t.Error("nothing was refused: the database was not gone")
			}
			pause(ctx, time.Second)
		}
	})
	if tr.cuts > 0 {
		t.Errorf("streams were cut %d times", tr.cuts)
	}
}

// TestTortureBusGone: without NATS frames come late, and that is all.
func TestTortureBusGone(t *testing.T) {
	t.Parallel()
	notShort(t)
	bus := natstest.Start(t)
	tr := newTorture(t, 2, "--store", pgtest.DSN(t), "--bus", bus.URL, "--lease-time", "1s")
	tr.under(scaled(8, 20, 50), func(ctx context.Context) {
		pause(ctx, time.Second)
		bus.Stop()
		pause(ctx, outage())
		bus.Restart()
		pause(ctx, time.Second)
	})
	if len(tr.refusals) > 0 || tr.cuts > 0 {
		t.Errorf("refused: %v, streams cut: %d", tr.refusals, tr.cuts)
	}
}

// wire is a way to a server that can be cut.
type wire struct {
	to   string
	addr string

	mu     sync.Mutex // guards what follows
	down   bool
	silent bool // nothing is said any more, not even that it is down
	conns  map[net.Conn]bool
}

func newWire(t *testing.T, to string) *wire {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w := &wire{to: to, addr: l.Addr().String(), conns: map[net.Conn]bool{}}
	t.Cleanup(func() { l.Close(); w.cut(false) })
	go func() { // ends with the listener
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go w.carry(c)
		}
	}()
	return w
}

// carry is one connection, until either side ends it or the wire is cut.
func (w *wire) carry(near net.Conn) {
	defer near.Close()
	far, err := net.Dial("tcp", w.to)
	if err != nil {
		return
	}
	defer far.Close()
	w.mu.Lock()
	if w.down && !w.silent {
		w.mu.Unlock()
		return
	}
	w.conns[near], w.conns[far] = true, true
	w.mu.Unlock()
	done := make(chan struct{}, 2)
	for _, way := range [][2]net.Conn{{near, far}, {far, near}} {
		go func() { // ends when one of the two is closed
			defer func() { done <- struct{}{} }()
			io.Copy(speaker{w, way[0]}, way[1]) //nolint:errcheck // a cut is what this is for
		}()
	}
	<-done
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.conns, near)
	delete(w.conns, far)
}

// speaker passes on what is said, unless the wire is silent: then it is lost and
// the connection will never be right again.
type speaker struct {
	*wire
	net.Conn
}

func (s speaker) Write(b []byte) (int, error) {
	s.mu.Lock()
	lost := s.down && s.silent
	s.mu.Unlock()
	if lost {
		return len(b), nil
	}
	return s.Conn.Write(b)
}

// cut ends every connection and lets no new one through; a silent one stays open
// and says nothing.
func (w *wire) cut(silent bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.down, w.silent = true, silent; silent {
		return
	}
	for c := range w.conns {
		c.Close()
	}
}

// heal lets connections through again. Those that were silenced have lost words
// and end.
func (w *wire) heal() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.down = false
	for c := range w.conns {
		c.Close()
	}
}

// some picks who is killed: mostly one node, now and then two, or all.
func (tr *torture) some() []*node {
	n := 1
	if roll := rand.IntN(20); roll == 0 {
		n = len(tr.nodes)
	} else if roll < 4 {
		n = min(2, len(tr.nodes))
	}
	var out []*node
	for _, i := range rand.Perm(len(tr.nodes))[:n] {
		out = append(out, tr.nodes[i])
	}
	return out
}
