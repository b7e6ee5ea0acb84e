package postgres

import (
	"context"
	"time"

	"github.com/limn-ui/limn/internal/sqlstore"
	"github.com/limn-ui/limn/store"
)

func (s *driver) Acquire(ctx context.Context, id, what, node string, ttl time.Duration) (store.Lease, error) {
	l, err := s.acquire(ctx, id, what, node, ttl)
	return l, s.act(ctx, err, "lease %q of %q", what, id)
}

func (s *driver) acquire(ctx context.Context, id, what, node string, ttl time.Duration) (store.Lease, error) {
	if err := store.CheckLease(node, ttl); err != nil {
		return store.Lease{}, err
	}
	// Both kinds have the same columns: of the turn in conv, of an event in its record.
	table, where, args := "conv", "id = $1", []any{text(id), text(node), ttl}
	if what != "" {
		table, where, args = "record", "conv = $1 AND event = $4 AND seq = 0", append(args, text(what))
	}
	l := store.Lease{What: what, Node: node}
	var left time.Duration
	found, err := s.write(ctx, id, `UPDATE `+table+` SET node = $2, until = clock_timestamp() + $3,
			token = token + (node <> $2 OR until IS NULL OR until <= clock_timestamp())::int
		WHERE `+where+` AND (node = $2 OR until IS NULL OR until <= clock_timestamp())
		RETURNING token, until - clock_timestamp()`, args, &l.Token, &left)
	l.Left = left
	if err != nil || found {
		return l, err
	}
	return s.holder(ctx, id, what)
}

// holder returns the lease that could not be taken, and the reason.
func (s *driver) holder(ctx context.Context, id, what string) (store.Lease, error) {
	l := store.Lease{What: what}
	var answered bool
	var left *time.Duration
	sql, args := `SELECT false, node, token, until - clock_timestamp() FROM conv WHERE id = $1`, []any{text(id)}
	if what != "" {
		sql, args = `SELECT seq > 0, node, token, until - clock_timestamp() FROM record WHERE conv = $1 AND event = $2`,
			append(args, text(what))
	}
	err := s.row(ctx, sql, args, &answered, name{&l.Node}, &l.Token, &left)
	switch {
	case err != nil:
		return store.Lease{}, err
	case answered:
		return store.Lease{}, store.ErrConflict
	}
	if left != nil {
		l.Left = max(*left, 0)
	}
	return l, store.ErrLeased
}

func (s *driver) Release(ctx context.Context, id string, l store.Lease) error {
	table, where, args := "conv", "id = $1", []any{text(id), text(l.Node), sqlstore.Integer(l.Token)}
	if l.What != "" {
		table, where, args = "record", "conv = $1 AND event = $4", append(args, text(l.What))
	}
	_, err := s.write(ctx, id, `UPDATE `+table+` SET until = NULL WHERE `+where+
		` AND node = $2 AND token = $3 RETURNING 1`, args, new(int))
	return s.act(ctx, err, "release %q of %q", l.What, id)
}

func (s *driver) Orphans(ctx context.Context, limit int) ([]string, error) {
	ids, err := list(ctx, s, scanName, `SELECT conv FROM record
		WHERE seq = 0 AND (until IS NULL OR until <= clock_timestamp())
		GROUP BY conv ORDER BY min(at), min(n) LIMIT $1`, store.Limit(limit))
	return ids, s.act(ctx, err, "list orphans")
}
