package sqlite

import (
	"context"
	"database/sql"
	"time"

	"github.com/limn-ui/limn/store"
)

// Take implements store.Jobs. The single writer makes leases exclusive.
func (s *Store) Take(ctx context.Context, now, until time.Time, limit int) ([]store.Job, error) {
	var taken []store.Job
	err := s.writer.do(ctx, func(t *txn) error {
		rows, err := t.dueJobs(now, store.Limit(limit))
		if err != nil {
			return err
		}
		for _, r := range rows {
			err := t.exec(`UPDATE job SET due = ?, tries = tries + 1 WHERE n = ?`, until.UnixMicro(), r.n)
			if err != nil {
				return err
			}
			r.job.Due = store.Time(until)
			r.job.Tries++
			taken = append(taken, r.job)
		}
		return nil
	})
	if err != nil {
		return nil, s.act(err, "take jobs")
	}
	return taken, nil
}

type jobRow struct {
	n   int64
	job store.Job
}

// dueJobs reads all rows before the caller changes any: an UPDATE of due under an
// open cursor on that index could meet a row twice.
func (t *txn) dueJobs(now time.Time, limit int) (list []jobRow, err error) {
	const query = `SELECT j.n, c.id, j.id, j.event, j.kind, j.tries, j.body
		FROM job j JOIN conv c ON c.n = j.conv
		WHERE j.due <= ? ORDER BY j.due, j.n LIMIT ?`
	err = t.each(query, []any{now.UnixMicro(), limit}, func(rows *sql.Rows) error {
		var r jobRow
		j := &r.job
		err := rows.Scan(&r.n, &j.Conversation, &j.ID, &j.Event, &j.Kind, &j.Tries, &j.Body)
		list = append(list, r)
		return err
	})
	return list, err
}

// Finish implements store.Jobs.
func (s *Store) Finish(ctx context.Context, id, job string) error {
	err := s.changeJob(ctx, `DELETE FROM job
		WHERE conv = (SELECT n FROM conv WHERE id = ?) AND id = ?`, id, job)
	return s.act(err, "finish job %q", job)
}

// Retry implements store.Jobs.
func (s *Store) Retry(ctx context.Context, id, job string, due time.Time) error {
	err := s.changeJob(ctx, `UPDATE job SET due = ?
		WHERE conv = (SELECT n FROM conv WHERE id = ?) AND id = ?`, due.UnixMicro(), id, job)
	return s.act(err, "retry job %q", job)
}

// changeJob runs a statement that must change one job.
func (s *Store) changeJob(ctx context.Context, query string, args ...any) error {
	return s.writer.do(ctx, func(t *txn) error {
		n, err := t.changed(query, args...)
		if err == nil && n == 0 {
			return store.ErrNotFound
		}
		return err
	})
}
