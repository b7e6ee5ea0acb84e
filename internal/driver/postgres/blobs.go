package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/limn-ui/limn/internal/sqlstore"
	"github.com/limn-ui/limn/store"
)

func (s *driver) PutBlob(ctx context.Context, id string, b store.Blob) error {
	err := b.Validate()
	if err == nil {
		err = s.addTo(ctx, id, `blob (conv, id, name, type, at, body) SELECT id, $2, $3, $4, $5, $6`,
			text(b.ID), text(b.Name), text(b.Type), b.At.UnixMicro(), sqlstore.NotNull(b.Body))
	}
	return s.act(ctx, err, "put blob %q", b.ID)
}

// addTo inserts a row that belongs to a conversation: a table, and the values from the
// conversation's id and from args, which are $2 and on. Errors: store.ErrNotFound, store.ErrExists.
// It is not in a lane: megabytes would delay the appends after it.
func (s *driver) addTo(ctx context.Context, id, row string, args ...any) error {
	var there, added bool
	err := s.run(ctx, func(ctx context.Context, conn *pgx.Conn) error {
		return conn.QueryRow(ctx, `WITH c AS (SELECT id FROM conv WHERE id = $1 FOR KEY SHARE), added AS (
			INSERT INTO `+row+` FROM c ON CONFLICT DO NOTHING RETURNING 1)
			SELECT EXISTS (SELECT FROM c), EXISTS (SELECT FROM added)`,
			append([]any{text(id)}, args...)...).Scan(&there, &added)
	})
	switch {
	case err != nil:
		return err
	case !there:
		return store.ErrNotFound
	case !added:
		return store.ErrExists
	}
	return nil
}

func (s *driver) Blob(ctx context.Context, id, blob string) (store.Blob, error) {
	b := store.Blob{ID: blob}
	var at int64
	err := s.row(ctx, `SELECT name, type, at, body FROM blob WHERE conv = $1 AND id = $2`,
		[]any{text(id), text(blob)}, name{&b.Name}, name{&b.Type}, &at, &b.Body)
	if err != nil {
		return store.Blob{}, s.act(ctx, err, "read blob %q", blob)
	}
	b.At = sqlstore.Instant(at)
	return b, nil
}

func (s *driver) DropBlob(ctx context.Context, id, blob string) error {
	err := s.run(ctx, func(ctx context.Context, conn *pgx.Conn) error {
		_, err := conn.Exec(ctx, `DELETE FROM blob WHERE conv = $1 AND id = $2`, text(id), text(blob))
		return err
	})
	return s.act(ctx, err, "drop blob %q", blob)
}
