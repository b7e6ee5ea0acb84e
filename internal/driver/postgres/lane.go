package postgres

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/limn-ui/limn/internal/sqlstore"
	"github.com/limn-ui/limn/store"
)

const (
	queueSize = 512 // requests waiting; full: callers wait
	batchSize = 128 // statements in one transaction
)

// lane sends the writes, or the short reads, of a node. Its goroutine takes the queued
// requests, sends them in one round trip as one transaction, and answers each caller
// after the commit. No timer makes a lonely writer wait.
//
// Statements lose races without an error. If a write does fail, the transaction is undone
// and each is sent by itself: no write fails because of another. Reads fail with their
// batch. Rows are locked in the order of their conversations, so batches of several nodes
// cannot block each other.
//
// A full lane makes callers wait until there is room or their context ends. A statement that
// was sent is waited for, at most callTimeout. If the connection is lost after that, the
// error has no name and leaves open what became durable.
type lane struct {
	*sqlstore.Queue[*request]
	s      *driver
	writes bool
	next   *request // taken off the queue, not yet in a batch
}

// request is one statement.
type request struct {
	*sqlstore.Ticket
	conv  string // the conversation whose rows it locks
	sql   string
	args  []any
	scan  func(pgx.Rows) error // reads one row
	found bool                 // it returned a row
}

func (s *driver) startLane(writes bool) *lane {
	l := &lane{Queue: newQueue(queueSize), s: s, writes: writes}
	l.Run(l.loop)
	return l
}

func newQueue(size int) *sqlstore.Queue[*request] {
	return sqlstore.NewQueue[*request](size, func(context.Context) error { return errGaveUp })
}

// write runs a statement that locks rows of one conversation, and reports after it
// is durable whether it returned a row. It did not if a name was taken.
func (s *driver) write(ctx context.Context, conv, sql string, args []any, dest ...any) (found bool, err error) {
	return s.writes.do(ctx, &request{conv: conv, sql: sql, args: args,
		scan: func(rows pgx.Rows) error { return rows.Scan(dest...) }})
}

// look runs a query that is asked often and answered shortly, and reports whether it
// returned a row.
func (s *driver) look(ctx context.Context, sql string, args []any, scan func(pgx.Rows) error) (found bool, err error) {
	return s.reads.do(ctx, &request{sql: sql, args: args, scan: scan})
}

// do has r sent and waits until it is answered.
func (l *lane) do(ctx context.Context, r *request) (found bool, err error) {
	r.Ticket = sqlstore.NewTicket()
	err = l.Do(ctx, r)
	return err == nil && r.found, err
}

func (l *lane) loop() {
	for {
		if l.next == nil {
			select {
			case l.next = <-l.Requests:
			case <-l.Quit:
			}
		}
		batch := l.fill()
		if len(batch) == 0 {
			return // closing, and the queue is empty
		}
		l.commit(batch)
		for _, r := range batch {
			r.Answer()
		}
	}
}

// fill takes the requests queued right now, without waiting. Of writes it takes at most
// one of a conversation: then a batch that locks in the order of ids cannot block
// another that does, on this node or elsewhere.
func (l *lane) fill() (batch []*request) {
	taken := map[string]bool{}
	for len(batch) < batchSize {
		if l.next == nil {
			select {
			case l.next = <-l.Requests:
			default:
				l.sort(batch)
				return batch
			}
		}
		if l.writes && taken[l.next.conv] {
			break
		}
		taken[l.next.conv] = true
		batch = append(batch, l.next)
		l.next = nil
	}
	l.sort(batch)
	return batch
}

func (l *lane) sort(batch []*request) {
	slices.SortFunc(batch, func(a, b *request) int { return strings.Compare(a.conv, b.conv) })
}

// commit sends a batch and sets what came of each request.
func (l *lane) commit(batch []*request) {
	ctx, cancel := context.WithTimeout(context.Background(), callTimeout)
	defer cancel()
	conn, err := l.s.pool.Acquire(ctx)
	if err == nil {
		defer conn.Release()
	}
	live := batch[:0:0]
	for _, r := range batch {
		if r.Claim() { // else its caller has gone
			r.Err = err
			live = append(live, r)
		}
	}
	if err != nil || len(live) == 0 {
		return
	}
	if send(ctx, conn, live) || len(live) == 1 || !l.writes {
		return
	}
	// One statement failed and took the others with it: each by itself.
	for _, r := range live {
		send(ctx, conn, []*request{r})
	}
}

// send runs a batch as one transaction. It returns false if the server undid it,
// true if it is done, or lost.
func send(ctx context.Context, conn *pgxpool.Conn, batch []*request) bool {
	var b pgx.Batch
	for _, r := range batch {
		b.Queue(r.sql, r.args...)
	}
	results := conn.SendBatch(ctx, &b)
	var failed error
	for _, r := range batch {
		rows, err := results.Query()
		if err == nil {
			r.found, r.Err = false, nil
			for rows.Next() && r.Err == nil {
				r.found, r.Err = true, r.scan(rows)
			}
			rows.Close()
			err = rows.Err()
		}
		if err != nil && failed == nil {
			failed = err
		}
	}
	if err := results.Close(); err != nil && failed == nil { // the commit
		failed = err
	}
	if failed == nil {
		return true
	}
	for _, r := range batch {
		r.found, r.Err = false, failed
	}
	var e *pgconn.PgError
	if !errors.As(failed, &e) || conn.Conn().IsClosed() {
		return true
	}
	if len(batch) == 1 && e.Code == "23505" { // unique_violation, in a race: as if it had been seen before
		batch[0].Err = nil
	}
	return false
}

// run calls f with a connection. The caller's context counts until there is one;
// then f is waited for, so that an error of the context means nothing was sent,
// and a reader that goes away costs no connection.
func (s *driver) run(ctx context.Context, f func(context.Context, *pgx.Conn) error) error {
	return s.runFor(ctx, s.call, f)
}

// runFor is run, for so long at most.
func (s *driver) runFor(ctx context.Context, most time.Duration, f func(context.Context, *pgx.Conn) error) error {
	if s.closed() {
		return store.ErrClosed
	}
	conn, err := s.pool.Acquire(ctx)
	switch {
	case err != nil && ctx.Err() != nil:
		return errGaveUp
	case err != nil && s.closed():
		return store.ErrClosed
	case err != nil:
		return err
	}
	defer conn.Release()
	bounded, cancel := context.WithTimeout(context.WithoutCancel(ctx), most)
	defer cancel()
	err = f(bounded, conn.Conn())
	if errors.Is(err, pgx.ErrNoRows) {
		return store.ErrNotFound
	}
	return err
}

// row is run for one statement with one row.
func (s *driver) row(ctx context.Context, sql string, args []any, dest ...any) error {
	return s.run(ctx, func(ctx context.Context, conn *pgx.Conn) error {
		return conn.QueryRow(ctx, sql, args...).Scan(dest...)
	})
}

// each is run for one statement with any number of rows.
func (s *driver) each(ctx context.Context, sql string, args []any, scan func(pgx.Rows) error) error {
	return s.run(ctx, func(ctx context.Context, conn *pgx.Conn) error {
		return scanAll(ctx, conn, sql, args, scan)
	})
}

// list is run for one statement whose rows are a list.
func list[T any](ctx context.Context, s *driver, row pgx.RowToFunc[T], sql string, args ...any) (all []T, err error) {
	err = s.run(ctx, func(ctx context.Context, conn *pgx.Conn) error {
		rows, _ := conn.Query(ctx, sql, args...) // AppendRows returns its error
		all, err = pgx.AppendRows(all, rows, row)
		return err
	})
	if err != nil {
		return nil, err
	}
	return all, nil
}

// scanName reads one text.
func scanName(row pgx.CollectableRow) (s string, err error) {
	err = row.Scan(name{&s})
	return s, err
}

func scanAll(ctx context.Context, q querier, sql string, args []any, scan func(pgx.Rows) error) error {
	rows, err := q.Query(ctx, sql, args...)
	if err != nil {
		return err
	}
	return drain(rows, scan)
}

func drain(rows pgx.Rows, scan func(pgx.Rows) error) error {
	defer rows.Close()
	for rows.Next() {
		if err := scan(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}
