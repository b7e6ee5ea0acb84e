package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"runtime"

	"github.com/limn-ui/limn/internal/sqlstore"
)

const (
	queueSize = 256 // requests waiting for the writer; full: callers wait
	batchSize = 64  // requests in one transaction
)

// writer owns the one connection that writes. Only the goroutine of its queue touches
// conn and stmts, between startWriter and Stop. It takes one request and those that are
// queued, runs them in one transaction, and answers after its commit: one fsync for many
// appends, and no timer that makes a lonely writer wait.
//
// A full queue makes callers wait until there is room or their context ends. A request whose
// context ends before its turn is skipped; one that is running is waited for.
type writer struct {
	*sqlstore.Queue[*request]
	path  string
	conn  *sql.Conn
	stmts map[string]*sql.Stmt // by SQL text
}

// request is one call's work.
type request struct {
	*sqlstore.Ticket
	run func(*txn) error
}

func startWriter(path string, conn *sql.Conn) *writer {
	w := &writer{
		Queue: sqlstore.NewQueue[*request](queueSize, context.Context.Err),
		path:  path,
		conn:  conn,
		stmts: map[string]*sql.Stmt{},
	}
	w.Run(w.loop)
	return w
}

// do has run executed and returns after it is durable, or failed. run is called
// once, or twice if a batch is undone and run again: it must not keep its txn, nor
// build on what an earlier call found.
func (w *writer) do(ctx context.Context, run func(*txn) error) error {
	return w.Do(ctx, &request{sqlstore.NewTicket(), run})
}

// close moves the content of the WAL into the file and closes the connection; call Stop
// first. PASSIVE does not wait: another process may be at work, as when a backup beside
// a server ends. The last process to close removes the WAL.
func (w *writer) close() (err error) {
	for _, s := range w.stmts {
		err = errors.Join(err, s.Close())
	}
	_, cerr := w.conn.ExecContext(context.Background(), "PRAGMA wal_checkpoint(PASSIVE)")
	return errors.Join(err, cerr, w.conn.Close())
}

func (w *writer) loop() {
	batch := make([]*request, 0, batchSize)
	for {
		batch = batch[:0]
		select {
		case r := <-w.Requests:
			batch = append(batch, r)
			// The first of many wakes this goroutine at once, ahead of those that are
			// about to ask as well: let them, or the commits of a busy server are many
			// and small. On an idle one this returns at once.
			runtime.Gosched()
		case <-w.Quit:
		}
		batch = w.fill(batch)
		if len(batch) == 0 {
			return // closing, and the queue is empty
		}
		w.commit(batch)
	}
}

// fill adds the requests queued right now, without waiting.
func (w *writer) fill(batch []*request) []*request {
	for len(batch) < batchSize {
		select {
		case r := <-w.Requests:
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
			// Nothing of the batch is durable. That also holds for a request that
			// failed with a separate error: it may have read a write of the same batch.
			r.Err = err
		}
		r.Answer()
	}
}

// transact runs the requests one after the other. Nearly all that fail do so
// before they write, so savepoints, two statements each, are for the second try. Only an
// unforeseen fault makes a request fail after it wrote.
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
		if !r.Claim() {
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
	if r.Err = r.run(t); r.Err != nil && t.wrote {
		return errUndo
	}
	return nil
}

// rollback ignores its error: after some faults SQLite has rolled back by itself
// and only complains that there is no transaction. If one really stays open, the
// next BEGIN says so.
func (t *txn) rollback() { _ = t.exec("ROLLBACK") }

// savepoint runs one request so that its failure, kept in r.Err, leaves the rest
// of the batch alone. An error it returns concerns the whole transaction.
func (t *txn) savepoint(r *request) error {
	if err := t.exec("SAVEPOINT request"); err != nil {
		return err
	}
	if r.Err = r.run(t); r.Err != nil {
		if err := t.exec("ROLLBACK TO request"); err != nil {
			// The fault, a full disk for instance, has ended the transaction; this
			// error only says that the savepoint is gone.
			return r.Err
		}
	}
	return t.exec("RELEASE request")
}
