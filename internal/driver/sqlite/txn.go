package sqlite

import (
	"context"
	"database/sql"
	"errors"

	"github.com/limn-ui/limn/store"
)

// txn is the write transaction as a request sees it. It works without a context:
// an interrupt in the middle would fail the whole batch.
type txn struct {
	w     *writer
	wrote bool // since the caller set it to false
}

func (t *txn) exec(query string, args ...any) error {
	_, err := t.changed(query, args...)
	return err
}

// changed runs a statement and returns how many rows it changed.
func (t *txn) changed(query string, args ...any) (int64, error) {
	stmt, err := t.stmt(query)
	if err != nil {
		return 0, err
	}
	res, err := stmt.ExecContext(context.Background(), args...)
	if err != nil {
		t.wrote = true // it may have
		return 0, err
	}
	n, err := res.RowsAffected()
	t.wrote = t.wrote || n > 0
	return n, err
}

// returning runs a statement that changes one row and reads from it.
func (t *txn) returning(query string, args []any, dest ...any) error {
	t.wrote = true
	return t.row(query, args, dest...)
}

// row reads one row; sql.ErrNoRows if no row matches.
func (t *txn) row(query string, args []any, dest ...any) error {
	stmt, err := t.stmt(query)
	if err != nil {
		return err
	}
	return stmt.QueryRowContext(context.Background(), args...).Scan(dest...)
}

// each calls scan for every row.
func (t *txn) each(query string, args []any, scan func(*sql.Rows) error) error {
	stmt, err := t.stmt(query)
	if err != nil {
		return err
	}
	rows, err := stmt.QueryContext(context.Background(), args...)
	if err != nil {
		return err
	}
	return scanAll(rows, scan)
}

// stmt prepares a statement once. The texts are constants, so the map is bounded.
func (t *txn) stmt(query string) (*sql.Stmt, error) {
	if s := t.w.stmts[query]; s != nil {
		return s, nil
	}
	s, err := t.w.conn.PrepareContext(context.Background(), query)
	if err == nil {
		t.w.stmts[query] = s
	}
	return s, err
}

// insert runs an INSERT … ON CONFLICT DO NOTHING; ErrExists if it did nothing.
func (t *txn) insert(query string, args ...any) error {
	n, err := t.changed(query, args...)
	if err == nil && n == 0 {
		return store.ErrExists
	}
	return err
}

// convRow is the row of a conversation, as a write needs it.
type convRow struct {
	n    int64
	head uint64
	turn lease
}

func (t *txn) conv(id string) (c convRow, err error) {
	err = t.row(`SELECT n, seq, node, until, token FROM conv WHERE id = ?`, []any{id},
		&c.n, &c.head, &c.turn.node, &c.turn.until, &c.turn.token)
	c.turn.table, c.turn.n = "conv", c.n
	return c, notFound(err)
}

// notFound says in the port's words that a row is missing.
func notFound(err error) error {
	if errors.Is(err, sql.ErrNoRows) {
		return store.ErrNotFound
	}
	return err
}
