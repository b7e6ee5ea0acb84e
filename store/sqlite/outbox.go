package sqlite

import (
	"context"
	"database/sql"
	"time"

	"github.com/limn-ui/limn/store"
)

// Take implements store.Store. The single writer makes leases exclusive.
func (s *driver) Take(ctx context.Context, now, until time.Time, limit int) ([]store.Job, error) {
	var taken []store.Job
	err := s.writer.do(ctx, func(t *txn) error {
		taken = nil
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
	const query = jobColumns + `WHERE j.grave = 0 AND j.due <= ? ORDER BY j.due, j.n LIMIT ?`
	err = t.each(query, []any{now.UnixMicro(), limit}, func(rows *sql.Rows) error {
		n, j, err := scanJob(rows)
		list = append(list, jobRow{n, j})
		return err
	})
	return list, err
}

const jobColumns = `SELECT j.n, c.id, j.id, j.event, j.kind, j.due, j.tries, j.why, j.body
	FROM job j JOIN conv c ON c.n = j.conv `

func scanJob(rows *sql.Rows) (n int64, j store.Job, err error) {
	var due int64
	err = rows.Scan(&n, &j.Conversation, &j.ID, &j.Event, &j.Kind, &due, &j.Tries, &j.Why, &j.Body)
	j.Due = instant(due)
	return n, j, err
}

// Finish implements store.Store.
func (s *driver) Finish(ctx context.Context, id, job string) error {
	err := s.changeJob(ctx, `DELETE FROM job
		WHERE conv = (SELECT n FROM conv WHERE id = ?) AND id = ?`, id, job)
	return s.act(err, "finish job %q", job)
}

// Retry implements store.Store.
func (s *driver) Retry(ctx context.Context, id, job string, due time.Time) error {
	err := s.changeJob(ctx, `UPDATE job SET due = ?
		WHERE conv = (SELECT n FROM conv WHERE id = ?) AND id = ? AND grave = 0`, due.UnixMicro(), id, job)
	return s.act(err, "retry job %q", job)
}

// Waiting implements store.Store.
func (s *driver) Waiting(ctx context.Context) (n int, next time.Time, err error) {
	var due sql.NullInt64
	err = s.read(func(q querier) error {
		return q.QueryRowContext(ctx, `SELECT count(*), min(due) FROM job WHERE grave = 0`).Scan(&n, &due)
	})
	if due.Valid {
		next = instant(due.Int64)
	}
	return n, next, s.act(err, "count jobs")
}

const kill = `UPDATE job SET why = ?, grave = 1 + coalesce((SELECT max(grave) FROM job WHERE grave > 0), 0)
	WHERE conv = (SELECT n FROM conv WHERE id = ?) AND id = ? AND grave = 0`

// Kill implements store.Store.
func (s *driver) Kill(ctx context.Context, id, job, why string) error {
	err := store.CheckWhy(why)
	if err == nil {
		err = s.changeJob(ctx, kill, why, id, job)
	}
	return s.act(err, "bury job %q", job)
}

// DeadLetters implements store.Store.
func (s *driver) DeadLetters(ctx context.Context, skip, limit int) ([]store.Job, error) {
	var list []store.Job
	err := s.read(func(q querier) error {
		return each(ctx, q, jobColumns+`WHERE j.grave > 0 ORDER BY j.grave LIMIT ? OFFSET ?`,
			[]any{store.Limit(limit), skip},
			func(rows *sql.Rows) error {
				_, j, err := scanJob(rows)
				list = append(list, j)
				return err
			})
	})
	if err != nil {
		return nil, s.act(err, "list buried jobs")
	}
	return list, nil
}

// Requeue implements store.Store.
func (s *driver) Requeue(ctx context.Context, id, job string, due time.Time) error {
	err := s.changeJob(ctx, `UPDATE job SET grave = 0, why = '', tries = 0, due = ?
		WHERE conv = (SELECT n FROM conv WHERE id = ?) AND id = ? AND grave > 0`, due.UnixMicro(), id, job)
	return s.act(err, "revive job %q", job)
}

// changeJob runs a statement that must change one job.
func (s *driver) changeJob(ctx context.Context, query string, args ...any) error {
	return s.writer.do(ctx, func(t *txn) error {
		n, err := t.changed(query, args...)
		if err == nil && n == 0 {
			return store.ErrNotFound
		}
		return err
	})
}
