package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/limn-ui/limn/internal/sqlstore"
	"github.com/limn-ui/limn/store"
)

// Drop implements store.Store. Once the row of conv is locked nothing is added: every
// write that adds something locks that row, at least for key share. Records are locked
// before it, as Append locks them, and deleted before their notes, since Note holds the
// record.
func (s *driver) Drop(ctx context.Context, id string, expect uint64) error {
	err := s.inTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		key := text(id)
		if _, err := tx.Exec(ctx, `SELECT FROM record WHERE conv = $1 AND seq = 0 ORDER BY n FOR UPDATE`,
			key); err != nil {
			return err
		}
		if err := mayDrop(ctx, tx, key, expect); err != nil {
			return err
		}
		for _, table := range []string{"record", "note", "frame", "snapshot", "blob", "job", "share"} {
			if _, err := tx.Exec(ctx, `DELETE FROM `+table+` WHERE conv = $1`, key); err != nil {
				return err
			}
		}
		_, err := tx.Exec(ctx, `DELETE FROM conv WHERE id = $1`, key)
		return err
	})
	return s.act(ctx, err, "drop conversation %q", id)
}

// mayDrop locks a conversation that nothing is under way in.
func mayDrop(ctx context.Context, tx pgx.Tx, key string, expect uint64) error {
	var seq int64
	var turn, event, queued bool
	err := tx.QueryRow(ctx, `SELECT seq, (until > clock_timestamp()) IS TRUE FROM conv WHERE id = $1 FOR UPDATE`, key).
		Scan(&seq, &turn) // without a row: run says ErrNotFound
	if err != nil {
		return err
	}
	// a separate statement: it sees the rows written while it waited for the lock
	err = tx.QueryRow(ctx, `SELECT
		EXISTS (SELECT FROM record WHERE conv = $1 AND seq = 0 AND until > clock_timestamp()),
		EXISTS (SELECT FROM job WHERE conv = $1 AND buried IS NULL)`, key).Scan(&event, &queued)
	switch {
	case err != nil:
		return err
	case seq != sqlstore.Integer(expect):
		return store.ErrConflict
	case turn || event:
		return store.ErrLeased
	case queued:
		return store.ErrQueued
	}
	return nil
}
