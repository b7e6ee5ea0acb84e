package sqlite

import (
	"context"
	"fmt"
	"time"

	"github.com/limn-ui/limn/store"
)

// lease is the lease of a turn, on its conversation, or of an event, on its record. Its
// times are the process clock's: every process that opens the file is on this machine
// and reads the same clock. If that clock is set, leases end early or late by as much; logs
// stay right, since Append compares Commit.Expect.
type lease struct {
	table string // its table: conv or record
	n     int64  // in which row
	node  string
	until int64 // microseconds since 1970
	token uint64
}

// others reports whether a node other than this one holds it.
func (l lease) others(node string) bool {
	return l.node != node && l.left() > 0
}

// left is how long it still lives, 0 if it does not.
func (l lease) left() time.Duration {
	if l.until == 0 { // most have never been taken
		return 0
	}
	return max(0, time.Until(time.UnixMicro(l.until)))
}

func (s *driver) Acquire(ctx context.Context, id, what, node string, ttl time.Duration) (got store.Lease, err error) {
	err = store.CheckLease(node, ttl)
	if err == nil {
		err = s.writer.do(ctx, func(t *txn) (err error) {
			got, err = t.acquire(id, what, node, ttl)
			return err
		})
	}
	return got, s.act(err, "lease %q of %q", what, id)
}

func (t *txn) acquire(id, what, node string, ttl time.Duration) (store.Lease, error) {
	l, err := t.lease(id, what)
	if err != nil {
		return store.Lease{}, err
	}
	if l.others(node) {
		return store.Lease{What: what, Node: l.node, Token: l.token, Left: l.left()}, store.ErrLeased
	}
	if l.node != node || l.left() == 0 {
		l.token++
	}
	err = t.exec(`UPDATE `+l.table+` SET node = ?, until = ?, token = ? WHERE n = ?`,
		node, time.Now().Add(ttl).UnixMicro(), int64(l.token), l.n)
	return store.Lease{What: what, Node: node, Token: l.token, Left: ttl}, err
}

// lease finds the lease of the turn or of a pending event.
func (t *txn) lease(id, what string) (lease, error) {
	if what != "" {
		return t.open(id, what)
	}
	conv, err := t.conv(id)
	return conv.turn, err
}

// pending finds the record of an event that is not answered.
func (t *txn) pending(conv int64, event string) (lease, error) {
	l := lease{table: "record"}
	var seq int64
	err := t.row(`SELECT n, seq, node, until, token FROM record WHERE conv = ? AND event = ?`,
		[]any{conv, event}, &l.n, &seq, &l.node, &l.until, &l.token)
	if err != nil {
		return l, fmt.Errorf("event %q: %w", event, notFound(err))
	}
	if seq > 0 {
		return l, fmt.Errorf("event %q is answered: %w", event, store.ErrConflict)
	}
	return l, nil
}

func (s *driver) Release(ctx context.Context, id string, l store.Lease) error {
	err := s.writer.do(ctx, func(t *txn) error {
		held, err := t.lease(id, l.What)
		if err != nil || held.node != l.Node || held.token != l.Token {
			return nil // there is nothing to end
		}
		return t.exec(`UPDATE `+held.table+` SET node = '', until = 0 WHERE n = ?`, held.n)
	})
	return s.act(err, "release %q of %q", l.What, id)
}

// orphans reads only the index of what pends, however much is stored.
const orphans = `SELECT c.id FROM
	(SELECT conv, min(at) AS at FROM record WHERE seq = 0 AND until <= ? GROUP BY conv) o
	JOIN conv c ON c.n = o.conv ORDER BY o.at, c.id LIMIT ?`

func (s *driver) Orphans(ctx context.Context, limit int) ([]string, error) {
	ids, err := list(ctx, s, scanID, orphans, time.Now().UnixMicro(), store.Limit(limit))
	return ids, s.act(err, "list orphans")
}
