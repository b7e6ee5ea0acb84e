package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"math"

	"github.com/limn-ui/limn/store"
)

// querier is what *sql.DB and *sql.Tx share.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// read runs f on the read connections, unless the store is closed. A single
// statement sees one moment by itself.
func (s *driver) read(f func(q querier) error) error {
	if s.writer.quitting() {
		return store.ErrClosed
	}
	err := f(s.reads)
	if err != nil && s.writer.quitting() {
		return store.ErrClosed // closed while it ran
	}
	if errors.Is(err, sql.ErrNoRows) {
		return store.ErrNotFound
	}
	return err
}

// readTx is read for several statements that must see the same moment.
func (s *driver) readTx(ctx context.Context, f func(q querier) error) error {
	return s.read(func(querier) error {
		tx, err := s.reads.BeginTx(ctx, nil) // deferred: takes its snapshot at the first read
		if err != nil {
			return err
		}
		defer tx.Rollback() // ends the snapshot; there is nothing to undo
		return f(tx)
	})
}

// each calls scan for every row of a query.
func each(ctx context.Context, q querier, query string, args []any, scan func(*sql.Rows) error) error {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	return scanAll(rows, scan)
}

func scanAll(rows *sql.Rows, scan func(*sql.Rows) error) error {
	defer rows.Close()
	for rows.Next() {
		if err := scan(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// integer turns a sequence number given by a caller into SQLite's signed integer.
// Frames never get that far, so clamping changes no answer.
func integer(seq uint64) int64 { return int64(min(seq, math.MaxInt64)) }

// orNull turns an empty value into NULL.
func orNull(b []byte) any {
	if len(b) == 0 {
		return nil
	}
	return b
}

// notNull turns nil into an empty blob, for NULL is not allowed in a body.
func notNull(b []byte) []byte {
	if b == nil {
		return []byte{}
	}
	return b
}
