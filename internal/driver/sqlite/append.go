package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/limn-ui/limn/internal/sqlstore"
	"github.com/limn-ui/limn/store"
)

func (s *driver) Append(ctx context.Context, id string, c store.Commit) error {
	err := c.Validate()
	if err == nil {
		err = s.writer.do(ctx, func(t *txn) error { return t.append(id, c) })
	}
	return s.act(err, "append frame %d to %q", c.Expect+1, id)
}

// append finds every fault before it writes, so that a commit that is refused, as
// happens, has nothing to undo.
func (t *txn) append(id string, c store.Commit) error {
	conv, err := t.conv(id)
	if err != nil {
		return err
	}
	seq := int64(conv.head + 1)
	answered, err := t.mayAppend(conv, c)
	if err != nil {
		return err
	}
	if c.Record != nil {
		if err := t.record(conv.n, *c.Record, seq, c.Answer); err != nil {
			return err // ErrExists, if it is one: nothing is written yet
		}
	} else if c.Event != "" {
		err := t.exec(`UPDATE record SET seq = ?, answer = ? WHERE n = ?`, seq, sqlstore.NotNull(c.Answer), answered)
		if err != nil {
			return err
		}
	}
	if err := t.exec(insertFrame, conv.n, seq, c.Frame, sqlstore.OrNull(c.Trace),
		sqlstore.OrNull(c.Said)); err != nil {
		return err
	}
	if err := t.move(conv.n, seq, c.First); err != nil {
		return err
	}
	if len(c.Snapshot) > 0 {
		if err := t.snapshot(conv.n, seq, c.Snapshot); err != nil {
			return err
		}
	}
	for _, j := range c.Outbox {
		if err := t.enqueue(conv.n, j); err != nil {
			return err
		}
	}
	for _, r := range c.Records {
		if err := t.save(r); err != nil {
			return err
		}
	}
	return nil
}

// move makes seq the head, and notes how the first message begins.
func (t *txn) move(conv, seq int64, first string) error {
	if first == "" {
		return t.exec(`UPDATE conv SET seq = ? WHERE n = ?`, seq, conv)
	}
	return t.exec(`UPDATE conv SET seq = ?, first = CASE first WHEN '' THEN ? ELSE first END WHERE n = ?`,
		seq, first, conv)
}

// mayAppend checks c against all that is kept and returns the row of the recorded
// event that it answers. That the record c brings is unknown shows when it is
// written; only where c is refused anyway it is looked up here, for it is the
// better news that its event was answered.
func (t *txn) mayAppend(conv convRow, c store.Commit) (answered int64, err error) {
	if conv.head != c.Expect {
		err = store.ErrConflict
	} else {
		answered, err = t.mayAnswer(conv, c)
	}
	if err == nil {
		err = t.free(conv.n, c.Outbox)
	}
	if err == nil {
		err = store.CheckNext(c.Records, t.newest)
	}
	if err != nil && c.Record != nil {
		if _, unknown := known(t.row, conv.n, *c.Record); unknown == nil {
			err = store.ErrExists
		}
	}
	return answered, err
}

func (t *txn) mayAnswer(conv convRow, c store.Commit) (answered int64, err error) {
	var event lease
	if c.Event != "" && c.Record == nil {
		if event, err = t.pending(conv.n, c.Event); err != nil {
			return 0, err
		}
	}
	turn := conv.turn
	switch {
	case turn.others(c.Node):
		err = fmt.Errorf("turn: %w", store.ErrLeased)
	case c.Token != 0 && (turn.node != c.Node || turn.token != c.Token || turn.left() == 0):
		err = fmt.Errorf("turn, token %d: %w", c.Token, store.ErrLeased)
	case event.others(c.Node):
		err = fmt.Errorf("event %q: %w", c.Event, store.ErrLeased)
	}
	return event.n, err
}

// free checks that the ids of jobs are.
func (t *txn) free(conv int64, jobs []store.Job) error {
	for _, j := range jobs {
		err := t.row(`SELECT 1 FROM job WHERE conv = ? AND id = ?`, []any{conv, j.ID}, new(int))
		if err == nil {
			return fmt.Errorf("%w: job %q is still queued, or is a dead letter", store.ErrInvalid, j.ID)
		}
		if !errors.Is(err, sql.ErrNoRows) {
			return err
		}
	}
	return nil
}

const (
	insertFrame    = `INSERT INTO frame (conv, seq, body, trace, said) VALUES (?, ?, ?, ?, ?)`
	insertSnapshot = `INSERT INTO snapshot (conv, seq, body) VALUES (?, ?, ?)`
)

// snapshot adds one and keeps the last two.
func (t *txn) snapshot(conv, seq int64, body []byte) error {
	if err := t.exec(insertSnapshot, conv, seq, body); err != nil {
		return err
	}
	return t.exec(`DELETE FROM snapshot WHERE conv = ?1 AND seq <
		(SELECT seq FROM snapshot WHERE conv = ?1 ORDER BY seq DESC LIMIT 1 OFFSET 1)`, conv)
}

func (t *txn) enqueue(conv int64, j store.Job) error {
	return t.exec(`INSERT INTO job (conv, id, event, kind, due, body) VALUES (?, ?, ?, ?, ?, ?)`,
		conv, j.ID, j.Event, j.Kind, j.Due.UnixMicro(), sqlstore.NotNull(j.Body))
}

func (s *driver) Frames(ctx context.Context, id string, after uint64, limit int) ([]store.Frame, error) {
	var frames []store.Frame
	found := false
	err := s.read(func(q querier) error {
		// One statement, hence one moment: a trim cannot slip in between.
		return each(ctx, q, `SELECT c.floor, f.seq, f.body FROM conv c
			LEFT JOIN frame f ON f.conv = c.n AND f.seq > ?
			WHERE c.id = ? ORDER BY f.seq LIMIT ?`,
			[]any{sqlstore.Integer(after), id, store.Limit(limit)},
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
	return frames, s.act(err, "read frames of %q after %d", id, after)
}
