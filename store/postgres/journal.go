package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/limn-ui/limn/store"
)

// Start implements store.Journal.
func (s *Store) Start(ctx context.Context, id, event string) (starts int, err error) {
	found, err := s.write(ctx, id, `UPDATE record SET starts = starts + 1
		WHERE conv = $1 AND event = $2 AND seq = 0 RETURNING starts`, []any{text(id), text(event)}, &starts)
	if err == nil && !found {
		_, err = s.steps(ctx, id, event)
	}
	if err != nil {
		return 0, s.act(ctx, err, "start event %q", event)
	}
	return starts, nil
}

// Note implements store.Journal.
func (s *Store) Note(ctx context.Context, id, event string, step int, body []byte) error {
	// The record is held, so that no answer comes in between.
	found, err := s.write(ctx, id, `WITH r AS (
			SELECT conv, event FROM record WHERE conv = $1 AND event = $2 AND seq = 0 FOR SHARE)
		INSERT INTO note (conv, event, step, body) SELECT conv, event, $3::bigint, $4 FROM r
		WHERE $3::bigint = (SELECT count(*) FROM note WHERE conv = $1 AND event = $2)
		ON CONFLICT DO NOTHING RETURNING step`,
		[]any{text(id), text(event), step, full(body)}, new(int))
	if err == nil && !found {
		var next int
		next, err = s.steps(ctx, id, event)
		switch {
		case err != nil:
		case step < 0 || step > next:
			err = fmt.Errorf("%w: the next step is %d", store.ErrInvalid, next)
		default: // step == next: it was noted meanwhile, or what was before it is
			err = store.ErrExists
		}
	}
	return s.act(ctx, err, "note step %d of event %q", step, event)
}

// steps counts the notes of a pending event. ErrConflict if it is answered.
func (s *Store) steps(ctx context.Context, id, event string) (n int, err error) {
	var answered bool
	err = s.row(ctx, `SELECT seq > 0, (SELECT count(*) FROM note WHERE conv = $1 AND event = $2)
		FROM record WHERE conv = $1 AND event = $2`, []any{text(id), text(event)}, &answered, &n)
	if err == nil && answered {
		err = store.ErrConflict
	}
	return n, err
}

// Notes implements store.Journal.
func (s *Store) Notes(ctx context.Context, id, event string) ([][]byte, error) {
	var notes [][]byte
	found := false
	err := s.each(ctx, `SELECT n.step, n.body FROM record r
		LEFT JOIN note n ON n.conv = r.conv AND n.event = r.event
		WHERE r.conv = $1 AND r.event = $2 ORDER BY n.step`, []any{text(id), text(event)},
		func(rows pgx.Rows) error {
			found = true
			var step *int
			var body []byte
			if err := rows.Scan(&step, &body); err != nil || step == nil {
				return err
			}
			notes = append(notes, body)
			return nil
		})
	if err == nil && !found {
		err = store.ErrNotFound
	}
	if err != nil {
		return nil, s.act(ctx, err, "read notes of event %q", event)
	}
	return notes, nil
}
