package sqlite

import (
	"context"
	"database/sql"
	"errors"

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
	if s.writer.Stopping() {
		return store.ErrClosed
	}
	err := f(s.reads)
	if err != nil && s.writer.Stopping() {
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

// scanner reads one row; scan is that of the row.
type scanner[T any] func(scan func(...any) error) (T, error)

// collect reads all rows of a query.
func collect[T any](ctx context.Context, q querier, row scanner[T], query string, args ...any) (list []T, err error) {
	err = each(ctx, q, query, args, func(rows *sql.Rows) error {
		v, err := row(rows.Scan)
		list = append(list, v)
		return err
	})
	if err != nil {
		return nil, err
	}
	return list, nil
}

// list is collect on the read connections.
func list[T any](ctx context.Context, s *driver, row scanner[T], query string, args ...any) (all []T, err error) {
	err = s.read(func(q querier) error {
		all, err = collect(ctx, q, row, query, args...)
		return err
	})
	return all, err
}

func scanID(scan func(...any) error) (id string, err error) {
	err = scan(&id)
	return id, err
}

// scanFrame reads a number and a body.
func scanFrame(scan func(...any) error) (f store.Frame, err error) {
	err = scan(&f.Seq, &f.Body)
	return f, err
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
