package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/limn-ui/limn/store"
)

const (
	queueSize = 256 // requests waiting for the writer; full: callers wait
	batchSize = 64  // requests in one transaction
)

// writer owns the one connection that writes. Only its goroutine touches conn
// and stmts, between startWriter and stop.
type writer struct {
	path    string
	conn    *sql.Conn
	stmts   map[string]*sql.Stmt // by SQL text
	queue   chan *request
	quit    chan struct{} // closed by stop: finish what is queued
	stopped chan struct{} // closed when the goroutine is gone
	once    sync.Once
}

// request is one call's work. Whoever moves state away from waiting decides its
// fate: the writer runs it, or the caller gives up.
type request struct {
	run   func(*txn) error
	state atomic.Int32
	err   error         // set before done is closed
	done  chan struct{} // closed by the writer after COMMIT
}

const (
	waiting int32 = iota
	running
	abandoned
)

func startWriter(path string, conn *sql.Conn) *writer {
	w := &writer{
		path:    path,
		conn:    conn,
		stmts:   map[string]*sql.Stmt{},
		queue:   make(chan *request, queueSize),
		quit:    make(chan struct{}),
		stopped: make(chan struct{}),
	}
	go w.loop() // stop waits for it
	return w
}

// do has run executed and returns after it is durable, or failed. run is called
// once, or twice if a batch is undone and run again: it must not keep its txn, nor
// build on what an earlier call found.
func (w *writer) do(ctx context.Context, run func(*txn) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if w.quitting() { // or a closed store could still win the race for the queue
		return store.ErrClosed
	}
	r := &request{run: run, done: make(chan struct{})}
	select {
	case w.queue <- r:
	case <-ctx.Done():
		return ctx.Err()
	case <-w.quit:
		return store.ErrClosed
	}
	select {
	case <-r.done:
		return r.err
	case <-ctx.Done():
		if r.state.CompareAndSwap(waiting, abandoned) {
			return ctx.Err()
		}
	case <-w.stopped:
	}
	// Running, which takes one transaction, or the writer is gone.
	select {
	case <-r.done:
		return r.err
	case <-w.stopped:
	}
	select {
	case <-r.done: // both were ready
		return r.err
	default:
		return store.ErrClosed // queued too late to be seen
	}
}

// stop refuses new requests, lets the queued ones finish and waits for that.
func (w *writer) stop() {
	w.once.Do(func() { close(w.quit) })
	<-w.stopped
}

// close moves what the WAL holds into the file and gives the connection back; call
// stop first. PASSIVE does not wait: another process may be at work, as when a
// backup beside a server ends. The last one to close removes the WAL.
func (w *writer) close() (err error) {
	for _, s := range w.stmts {
		err = errors.Join(err, s.Close())
	}
	_, cerr := w.conn.ExecContext(context.Background(), "PRAGMA wal_checkpoint(PASSIVE)")
	return errors.Join(err, cerr, w.conn.Close())
}

// quitting reports whether stop was called.
func (w *writer) quitting() bool {
	select {
	case <-w.quit:
		return true
	default:
		return false
	}
}

func (w *writer) loop() {
	defer close(w.stopped)
	batch := make([]*request, 0, batchSize)
	for {
		batch = batch[:0]
		select {
		case r := <-w.queue:
			batch = append(batch, r)
			// The first of many wakes this goroutine at once, ahead of those that are
			// about to ask as well: let them, or the commits of a busy server are many
			// and small. On an idle one this returns at once.
			runtime.Gosched()
		case <-w.quit:
		}
		batch = w.fill(batch)
		if len(batch) == 0 {
			return // closing, and the queue is empty
		}
		w.commit(batch)
	}
}

// fill adds what is queued right now, without waiting.
func (w *writer) fill(batch []*request) []*request {
	for len(batch) < batchSize {
		select {
		case r := <-w.queue:
			batch = append(batch, r)
		default:
			return batch
		}
	}
	return batch
}

// commit runs a batch in one transaction and answers each request.
func (w *writer) commit(batch []*request) {
	err := w.transact(batch)
	for _, r := range batch {
		if err != nil {
			// Nothing of the batch is durable. That goes for requests with an
			// error of their own too: they may have met a batch mate's write.
			r.err = err
		}
		close(r.done)
	}
}

// transact runs the requests one after the other. Nearly all that fail do so
// before they write, so savepoints, two statements each, are for the second try.
func (w *writer) transact(batch []*request) error {
	err := w.attempt(batch, (*txn).plain)
	if err == errUndo {
		err = w.attempt(batch, (*txn).savepoint)
	}
	return err
}

func (w *writer) attempt(batch []*request, run func(*txn, *request) error) error {
	t := &txn{w: w}
	if err := t.exec("BEGIN IMMEDIATE"); err != nil {
		return err
	}
	for _, r := range batch {
		if !r.state.CompareAndSwap(waiting, running) && r.state.Load() == abandoned {
			continue // its caller has gone
		}
		if err := run(t, r); err != nil {
			t.rollback()
			return err
		}
	}
	if err := t.exec("COMMIT"); err != nil {
		t.rollback()
		return err
	}
	return nil
}

// errUndo: a request failed after it wrote.
var errUndo = errors.New("undo")

// plain runs one request, whose failure is its own as long as it wrote nothing.
func (t *txn) plain(r *request) error {
	t.wrote = false
	if r.err = r.run(t); r.err != nil && t.wrote {
		return errUndo
	}
	return nil
}

// rollback ignores its error: after some faults SQLite has rolled back by itself
// and only complains that there is no transaction. If one really stays open, the
// next BEGIN says so.
func (t *txn) rollback() { _ = t.exec("ROLLBACK") }

// savepoint runs one request so that its failure, kept in r.err, leaves the rest
// of the batch alone. An error it returns concerns the whole transaction.
func (t *txn) savepoint(r *request) error {
	if err := t.exec("SAVEPOINT request"); err != nil {
		return err
	}
	if r.err = r.run(t); r.err != nil {
		if err := t.exec("ROLLBACK TO request"); err != nil {
			// The fault, a full disk for instance, has ended the transaction; this
			// error only says that the savepoint is gone.
			return r.err
		}
	}
	return t.exec("RELEASE request")
}
