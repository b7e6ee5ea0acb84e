package postgres

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/limn-ui/limn/internal/pgtest"
	"github.com/limn-ui/limn/internal/sqlstore"
	"github.com/limn-ui/limn/store"
)

func one(conv, sql string) *request {
	return &request{conv: conv, sql: sql, scan: func(rows pgx.Rows) error { return rows.Scan(new(int)) },
		Ticket: sqlstore.NewTicket()}
}

// A statement that fails takes nobody with it, and leaves nothing behind.
func TestFailingStatementSparesItsBatch(t *testing.T) {
	t.Parallel()
	s := openTest(t, pgtest.DSN(t))
	create(t, s, "a")
	create(t, s, "b")
	batch := []*request{
		one("a", `UPDATE conv SET seq = 7 WHERE id = 'a' RETURNING 1`),
		one("b", `UPDATE conv SET seq = 1 / (seq - seq) WHERE id = 'b' RETURNING 1`),
		one("c", `UPDATE conv SET seq = 7 WHERE id = 'c' RETURNING 1`),
	}
	(&lane{s: s, writes: true}).commit(batch)
	if r := batch[0]; r.Err != nil || !r.found {
		t.Errorf("the first: %v, %v", r.found, r.Err)
	}
	if r := batch[1]; r.Err == nil || r.found {
		t.Errorf("the one that divides by zero: %v, %v", r.found, r.Err)
	}
	if r := batch[2]; r.Err != nil || r.found {
		t.Errorf("the one that finds nothing: %v, %v", r.found, r.Err)
	}
	for id, want := range map[string]uint64{"a": 7, "b": 0} {
		if h, err := s.Heads(t.Context(), []string{id}); err != nil || h[id] != want {
			t.Errorf("head of %s: %d, %v; want %d", id, h[id], err, want)
		}
	}
}

// A node that stops in the middle of a transaction, and keeps a lock, holds up its conversation alone; the server ends
// the transaction.
func TestStoppedNodeSparesOthers(t *testing.T) {
	t.Parallel()
	dsn := pgtest.DSN(t)
	s, stopped := openTest(t, dsn), openTest(t, dsn)
	create(t, s, "a")
	create(t, s, "b")
	tx, err := stopped.pool.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback(context.Background())
	if _, err := tx.Exec(t.Context(), `SELECT 1 FROM conv WHERE id = 'a' FOR UPDATE`); err != nil {
		t.Fatal(err)
	}
	update := func(id string) *request {
		return one(id, `UPDATE conv SET seq = seq + 1 WHERE id = '`+id+`' RETURNING 1`)
	}
	batch := []*request{update("a"), update("b")}
	(&lane{s: s, writes: true}).commit(batch)
	if batch[0].Err == nil || batch[1].Err != nil {
		t.Errorf("of the conversation: %v; of another one: %v", batch[0].Err, batch[1].Err)
	}
	for range 10 { // 3 s each at most
		batch = []*request{update("a")}
		if (&lane{s: s, writes: true}).commit(batch); batch[0].Err == nil {
			return
		}
	}
	t.Errorf("after the transaction ended: %v", batch[0].Err)
}

// A batch has one statement of a conversation, in the order of ids; what was
// queued first comes first.
func TestBatchOrder(t *testing.T) {
	t.Parallel()
	l := &lane{Queue: newQueue(8), writes: true}
	for _, conv := range []string{"c", "a", "b", "a", "d"} {
		l.Requests <- one(conv, "")
	}
	for _, want := range []string{"abc", "ad", ""} {
		got := ""
		for _, r := range l.fill() {
			got += r.conv
		}
		if got != want {
			t.Errorf("batch %q, want %q", got, want)
		}
	}
}

// Two nodes that race on one conversation at the server: one head, one key, one
// winner, and no error but those of the port.
func TestNodesRace(t *testing.T) {
	t.Parallel()
	dsn := pgtest.DSN(t)
	a, b := openTest(t, dsn), openTest(t, dsn)
	create(t, a, "c")
	seq := uint64(0)
	for round := range 40 {
		commit := func(s *driver, event string) error {
			r := store.Event{ID: event, Key: fmt.Sprint("k", round), Hash: "h"}
			return s.Append(t.Context(), "c", store.Commit{Expect: seq, Frame: []byte("x"), Record: &r})
		}
		var prior *store.Event
		var appended, also, recorded error
		var wg sync.WaitGroup
		wg.Go(func() { appended = commit(a, fmt.Sprint("a", round)) }) // Wait below
		wg.Go(func() { also = commit(b, fmt.Sprint("b", round)) })
		wg.Go(func() {
			prior, recorded = b.Record(t.Context(), "c",
				store.Event{ID: fmt.Sprint("r", round), Key: fmt.Sprint("k", round), Hash: "h"})
		})
		wg.Wait()
		won := 0
		for _, err := range []error{appended, also} {
			switch {
			case err == nil:
				won++
				seq++
			case !errors.Is(err, store.ErrExists) && !errors.Is(err, store.ErrConflict):
				t.Fatal(err)
			}
		}
		if recorded != nil {
			t.Fatal(recorded)
		}
		if prior == nil {
			won++
		}
		if won != 1 {
			t.Fatalf("round %d: %d winners: %v, %v, recorded %v", round, won, appended, also, prior == nil)
		}
	}
}
