package sqlite

import (
	"context"
	"math"
	"time"

	"github.com/limn-ui/limn/internal/sqlstore"
	"github.com/limn-ui/limn/store"
)

func (s *driver) Snapshot(ctx context.Context, id string, at uint64) (seq uint64, body []byte, err error) {
	err = s.read(func(q querier) error {
		return q.QueryRowContext(ctx, `SELECT s.seq, s.body FROM conv c
			JOIN snapshot s ON s.conv = c.n AND s.seq <= ?
			WHERE c.id = ? ORDER BY s.seq DESC LIMIT 1`, sqlstore.Integer(at), id).Scan(&seq, &body)
	})
	return seq, body, s.act(err, "read snapshot of %q at %d", id, at)
}

func (s *driver) Owned(ctx context.Context, owner string, archived bool, after store.Conversation,
	limit int) ([]store.Conversation, error) {
	since := after.Created.UnixMicro()
	if after.ID == "" {
		since = math.MaxInt64
	}
	all, err := list(ctx, s, func(scan func(...any) error) (store.Conversation, error) {
		c := store.Conversation{Owner: owner, Archived: archived}
		var created int64
		err := scan(&c.ID, &c.Log, &created, &c.Title, &c.First)
		c.Created = sqlstore.Instant(created)
		return c, err
	}, `SELECT id, log, created, title, first FROM conv
		WHERE owner = ? AND archived = ? AND (created, id) < (?, ?) ORDER BY created DESC, id DESC LIMIT ?`,
		owner, archived, since, after.ID, store.Limit(limit))
	return all, s.act(err, "list conversations")
}

func (s *driver) All(ctx context.Context, archived bool, after string, limit int) ([]store.Conversation, error) {
	all, err := list(ctx, s, func(scan func(...any) error) (store.Conversation, error) {
		c := store.Conversation{Archived: archived}
		var created int64
		err := scan(&c.ID, &c.Log, &c.Owner, &created, &c.Title, &c.First)
		c.Created = sqlstore.Instant(created)
		return c, err
	}, `SELECT id, log, owner, created, title, first FROM conv
		WHERE archived = ? AND (id < ? OR ? = '') ORDER BY id DESC LIMIT ?`,
		archived, after, after, store.Limit(limit))
	return all, s.act(err, "list all conversations")
}

func (s *driver) Forget(ctx context.Context, before time.Time, limit int) (n int, err error) {
	if limit < 1 || limit > store.ForgetMax {
		limit = store.ForgetMax
	}
	err = s.writer.do(ctx, func(t *txn) error {
		// The same choice twice: nothing comes between, this is the only writer.
		const old = `(SELECT n FROM record WHERE seq > 0 AND at < ? ORDER BY at, n LIMIT ?)`
		args := []any{before.UnixMicro(), limit}
		if err := t.exec(`DELETE FROM note WHERE record IN `+old, args...); err != nil {
			return err
		}
		deleted, err := t.changed(`DELETE FROM record WHERE n IN `+old, args...)
		n = int(deleted)
		return err
	})
	if err != nil {
		return 0, s.act(err, "forget events")
	}
	return n, nil
}

// Trim implements store.Store. Frames of conversations that were busy together
// share pages: trimming 64 of them at the same time, so that one transaction takes
// them, costs a third of trimming one after the other (5 µs a frame instead of 16).
func (s *driver) Trim(ctx context.Context, id string, upTo uint64) (floor uint64, err error) {
	err = s.writer.do(ctx, func(t *txn) error {
		var conv int64
		var newest uint64
		err := t.row(`SELECT c.n, c.floor, coalesce((SELECT max(s.seq) FROM snapshot s WHERE s.conv = c.n), 0)
			FROM conv c WHERE c.id = ?`, []any{id}, &conv, &floor, &newest)
		if err != nil {
			return notFound(err)
		}
		to := min(upTo, newest, floor+store.Page)
		if to <= floor {
			return nil
		}
		floor = to
		return t.trim(conv, int64(to))
	})
	return floor, s.act(err, "trim %q up to %d", id, upTo)
}

func (t *txn) trim(conv, floor int64) error {
	if err := t.exec(`DELETE FROM frame WHERE conv = ? AND seq <= ?`, conv, floor); err != nil {
		return err
	}
	if err := t.exec(`DELETE FROM snapshot WHERE conv = ? AND seq < ?`, conv, floor); err != nil {
		return err
	}
	return t.exec(`UPDATE conv SET floor = ? WHERE n = ?`, floor, conv)
}

func (s *driver) Usage(ctx context.Context, owner string) (u store.Usage, err error) {
	err = s.read(func(q querier) error {
		return q.QueryRowContext(ctx, `SELECT
			(SELECT count(*) FROM conv WHERE owner = ?1),
			(SELECT coalesce(sum(length(b.body)), 0) FROM conv c
				JOIN blob b ON b.conv = c.n WHERE c.owner = ?1)`, owner).
			Scan(&u.Conversations, &u.Bytes)
	})
	return u, s.act(err, "sum up usage")
}
