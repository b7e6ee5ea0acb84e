package postgres

import (
	"context"
	"math"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/limn-ui/limn/internal/sqlstore"
	"github.com/limn-ui/limn/store"
)

func (s *driver) Snapshot(ctx context.Context, id string, at uint64) (seq uint64, body []byte, err error) {
	err = s.row(ctx, `SELECT seq, body FROM snapshot WHERE conv = $1 AND seq <= $2 ORDER BY seq DESC LIMIT 1`,
		[]any{text(id), sqlstore.Integer(at)}, &seq, &body)
	return seq, body, s.act(ctx, err, "read snapshot of %q at %d", id, at)
}

func (s *driver) Owned(ctx context.Context, owner string, archived bool, after store.Conversation,
	limit int) ([]store.Conversation, error) {
	since := after.Created.UnixMicro()
	if after.ID == "" {
		since = math.MaxInt64
	}
	all, err := list(ctx, s, func(row pgx.CollectableRow) (store.Conversation, error) {
		c := store.Conversation{Owner: owner, Archived: archived}
		var created int64
		err := row.Scan(name{&c.ID}, &c.Log, &created, name{&c.Title}, name{&c.First})
		c.Created = sqlstore.Instant(created)
		return c, err
	}, `SELECT id, log, created, title, first FROM conv
		WHERE owner = $1 AND archived = $5 AND (created, id) < ($2, $3) ORDER BY created DESC, id DESC LIMIT $4`,
		text(owner), since, text(after.ID), store.Limit(limit), archived)
	return all, s.act(ctx, err, "list conversations")
}

func (s *driver) All(ctx context.Context, archived bool, after string, limit int) ([]store.Conversation, error) {
	all, err := list(ctx, s, func(row pgx.CollectableRow) (store.Conversation, error) {
		c := store.Conversation{Archived: archived}
		var created int64
		err := row.Scan(name{&c.ID}, &c.Log, name{&c.Owner}, &created, name{&c.Title}, name{&c.First})
		c.Created = sqlstore.Instant(created)
		return c, err
	}, `SELECT id, log, owner, created, title, first FROM conv
		WHERE archived = $1 AND (id < $2 OR $3) ORDER BY id DESC LIMIT $4`,
		archived, text(after), after == "", store.Limit(limit))
	return all, s.act(ctx, err, "list all conversations")
}

func (s *driver) Forget(ctx context.Context, before time.Time, limit int) (n int, err error) {
	if limit < 1 || limit > store.ForgetMax {
		limit = store.ForgetMax
	}
	err = s.row(ctx, `WITH old AS MATERIALIZED (
			SELECT conv, event FROM record WHERE seq > 0 AND at < $1
			ORDER BY at LIMIT $2 FOR UPDATE SKIP LOCKED),
		notes AS (DELETE FROM note USING old WHERE note.conv = old.conv AND note.event = old.event),
		gone AS (DELETE FROM record USING old WHERE record.conv = old.conv AND record.event = old.event RETURNING 1)
		SELECT count(*) FROM gone`, []any{before.UnixMicro(), limit}, &n)
	return n, s.act(ctx, err, "forget events")
}

func (s *driver) Trim(ctx context.Context, id string, upTo uint64) (floor uint64, err error) {
	found, err := s.write(ctx, id, `WITH c AS (
			SELECT id, floor FROM conv WHERE id = $1 FOR NO KEY UPDATE),
		t AS (
			SELECT floor, least($2, floor + $3, (
				SELECT coalesce(max(seq), 0) FROM snapshot WHERE conv = $1)) AS upto FROM c),
		moved AS (
			UPDATE conv SET floor = upto FROM t WHERE id = $1 AND upto > t.floor RETURNING upto),
		frames AS (DELETE FROM frame USING moved WHERE conv = $1 AND seq <= upto),
		snapshots AS (DELETE FROM snapshot USING moved WHERE conv = $1 AND seq < upto)
		SELECT greatest(floor, upto) FROM t`, []any{text(id), sqlstore.Integer(upTo), store.Page}, &floor)
	if err == nil && !found {
		err = store.ErrNotFound
	}
	return floor, s.act(ctx, err, "trim %q up to %d", id, upTo)
}

func (s *driver) Usage(ctx context.Context, owner string) (u store.Usage, err error) {
	err = s.row(ctx, `SELECT (SELECT count(*) FROM conv WHERE owner = $1),
		(SELECT coalesce(sum(length(b.body)), 0)::bigint FROM conv c JOIN blob b ON b.conv = c.id WHERE c.owner = $1)`,
		[]any{text(owner)}, &u.Conversations, &u.Bytes)
	return u, s.act(ctx, err, "sum up usage")
}
