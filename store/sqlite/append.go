package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/limn-ui/limn/store"
)

// Append implements store.Store.
func (s *Store) Append(ctx context.Context, id string, c store.Commit) error {
	err := c.Validate()
	if err == nil {
		err = s.writer.do(ctx, func(t *txn) error { return t.append(id, c) })
	}
	return s.act(err, "append frame %d to %q", c.Expect+1, id)
}

// append runs inside the request's savepoint: an error undoes all of it.
func (t *txn) append(id string, c store.Commit) error {
	conv, head, err := t.conv(id)
	if err != nil {
		return err
	}
	seq := int64(head + 1)
	if c.Record != nil { // before the head is compared: a known key is the better news
		if err := t.record(conv, *c.Record, seq, c.Answer); err != nil {
			return err
		}
	}
	if head != c.Expect {
		return store.ErrConflict
	}
	if err := t.exec(`INSERT INTO frame (conv, seq, body) VALUES (?, ?, ?)`, conv, seq, c.Frame); err != nil {
		return err
	}
	if err := t.exec(`UPDATE conv SET seq = ? WHERE n = ?`, seq, conv); err != nil {
		return err
	}
	if c.Event != "" && c.Record == nil {
		if err := t.answer(conv, seq, c); err != nil {
			return err
		}
	}
	if len(c.Snapshot) > 0 {
		if err := t.snapshot(conv, seq, c.Snapshot); err != nil {
			return err
		}
	}
	for _, j := range c.Outbox {
		if err := t.enqueue(conv, j); err != nil {
			return err
		}
	}
	return nil
}

// answer marks the recorded event of c as answered by frame seq.
func (t *txn) answer(conv, seq int64, c store.Commit) error {
	n, err := t.changed(`UPDATE record SET seq = ?, answer = ? WHERE conv = ? AND event = ? AND seq = 0`,
		seq, bytes(c.Answer), conv, c.Event)
	if err != nil || n > 0 {
		return err
	}
	if _, _, err := t.event(conv, c.Event); err != nil {
		return fmt.Errorf("event %q: %w", c.Event, err)
	}
	return fmt.Errorf("event %q is answered: %w", c.Event, store.ErrConflict)
}

// snapshot adds one and keeps the last two.
func (t *txn) snapshot(conv, seq int64, body []byte) error {
	if err := t.exec(`INSERT INTO snapshot (conv, seq, body) VALUES (?, ?, ?)`, conv, seq, body); err != nil {
		return err
	}
	return t.exec(`DELETE FROM snapshot WHERE conv = ?1 AND seq <
		(SELECT seq FROM snapshot WHERE conv = ?1 ORDER BY seq DESC LIMIT 1 OFFSET 1)`, conv)
}

func (t *txn) enqueue(conv int64, j store.Job) error {
	err := t.insert(`INSERT INTO job (conv, id, event, kind, due, body) VALUES (?, ?, ?, ?, ?, ?)
		ON CONFLICT DO NOTHING`, conv, j.ID, j.Event, j.Kind, j.Due.UnixMicro(), bytes(j.Body))
	if errors.Is(err, store.ErrExists) {
		return fmt.Errorf("%w: job %q is still queued", store.ErrInvalid, j.ID)
	}
	return err
}

// Frames implements store.Store.
func (s *Store) Frames(ctx context.Context, id string, after uint64, limit int) ([]store.Frame, error) {
	var frames []store.Frame
	found := false
	err := s.read(func(q querier) error {
		// One statement, hence one moment: a trim cannot slip in between.
		return each(ctx, q, `SELECT c.floor, f.seq, f.body FROM conv c
			LEFT JOIN frame f ON f.conv = c.n AND f.seq > ?
			WHERE c.id = ? ORDER BY f.seq LIMIT ?`,
			[]any{integer(after), id, store.Limit(limit)},
			func(rows *sql.Rows) error {
				found = true
				var floor uint64
				var seq sql.NullInt64
				var body []byte
				if err := rows.Scan(&floor, &seq, &body); err != nil {
					return err
				}
				if after < floor {
					return store.ErrTrimmed
				}
				if seq.Valid {
					frames = append(frames, store.Frame{Seq: uint64(seq.Int64), Body: body})
				}
				return nil
			})
	})
	if err == nil && !found {
		err = store.ErrNotFound
	}
	if err != nil {
		return nil, s.act(err, "read frames of %q after %d", id, after)
	}
	return frames, nil
}
