package sqlite

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/limn-ui/limn/internal/sqlstore"
	"github.com/limn-ui/limn/store"
)

func (s *driver) Start(ctx context.Context, id, event string) (starts int, err error) {
	err = s.writer.do(ctx, func(t *txn) error {
		open, err := t.open(id, event)
		if err != nil {
			return err
		}
		return t.returning(`UPDATE record SET starts = starts + 1 WHERE n = ? RETURNING starts`, []any{open.n}, &starts)
	})
	return starts, s.act(err, "start event %q", event)
}

func (s *driver) Note(ctx context.Context, id, event string, step int, body []byte) error {
	err := s.writer.do(ctx, func(t *txn) error {
		open, err := t.open(id, event)
		if err != nil {
			return err
		}
		var next int
		err = t.row(`SELECT coalesce(max(step) + 1, 0) FROM note WHERE record = ?`, []any{open.n}, &next)
		switch {
		case err != nil:
			return err
		case step < 0 || step > next:
			return fmt.Errorf("%w: the next step is %d", store.ErrInvalid, next)
		case step < next:
			return store.ErrExists
		}
		return t.exec(insertNote, open.n, step, sqlstore.NotNull(body))
	})
	return s.act(err, "note step %d of event %q", step, event)
}

const insertNote = `INSERT INTO note (record, step, body) VALUES (?, ?, ?)`

func (s *driver) Notes(ctx context.Context, id, event string) ([][]byte, error) {
	var notes [][]byte
	found := false
	err := s.read(func(q querier) error {
		return each(ctx, q, `SELECT note.n, note.body FROM conv
			JOIN record ON record.conv = conv.n AND record.event = ?
			LEFT JOIN note ON note.record = record.n
			WHERE conv.id = ? ORDER BY note.step`, []any{event, id},
			func(rows *sql.Rows) error {
				found = true
				var n sql.NullInt64
				var body []byte
				if err := rows.Scan(&n, &body); err != nil || !n.Valid {
					return err
				}
				notes = append(notes, body)
				return nil
			})
	})
	if err == nil && !found {
		err = store.ErrNotFound
	}
	return notes, s.act(err, "read notes of event %q", event)
}

// open finds the record of an event that is not answered.
func (t *txn) open(id, event string) (lease, error) {
	conv, err := t.conv(id)
	if err != nil {
		return lease{}, err
	}
	return t.pending(conv.n, event)
}
