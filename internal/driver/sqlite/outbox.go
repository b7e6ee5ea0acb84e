package sqlite

import (
	"context"
	"database/sql"
	"time"

	"github.com/limn-ui/limn/internal/sqlstore"
	"github.com/limn-ui/limn/store"
)

// Take implements store.Store. The single writer makes leases exclusive.
func (s *driver) Take(ctx context.Context, now, until time.Time, limit int) ([]store.Job, error) {
	var taken []store.Job
	err := s.writer.do(ctx, func(t *txn) error {
		taken = nil
		// All rows are read before any changes: an UPDATE of due under an open cursor on
		// that index could meet a row twice.
		err := t.each(jobColumns+`WHERE j.grave = 0 AND j.due <= ? ORDER BY j.due, j.n LIMIT ?`,
			[]any{now.UnixMicro(), store.Limit(limit)}, func(rows *sql.Rows) error {
				j, err := scanJob(rows.Scan)
				taken = append(taken, j)
				return err
			})
		if err != nil {
			return err
		}
		for i := range taken {
			j := &taken[i]
			j.Due = store.Time(until)
			j.Tries++
			if err := t.exec(`UPDATE job SET due = ?, tries = ?
				WHERE conv = (SELECT n FROM conv WHERE id = ?) AND id = ?`,
				until.UnixMicro(), j.Tries, j.Conversation, j.ID); err != nil {
				return err
			}
		}
		return nil
	})
	return taken, s.act(err, "take jobs")
}

const jobColumns = `SELECT c.id, j.id, j.event, j.kind, j.due, j.tries, j.why, j.body
	FROM job j JOIN conv c ON c.n = j.conv `

func scanJob(scan func(...any) error) (j store.Job, err error) {
	var due int64
	err = scan(&j.Conversation, &j.ID, &j.Event, &j.Kind, &due, &j.Tries, &j.Why, &j.Body)
	j.Due = sqlstore.Instant(due)
	return j, err
}

func (s *driver) Finish(ctx context.Context, id, job string) error {
	err := s.changeJob(ctx, `DELETE FROM job
		WHERE conv = (SELECT n FROM conv WHERE id = ?) AND id = ?`, id, job)
	return s.act(err, "finish job %q", job)
}

func (s *driver) Retry(ctx context.Context, id, job string, due time.Time) error {
	err := s.changeJob(ctx, `UPDATE job SET due = ?
		WHERE conv = (SELECT n FROM conv WHERE id = ?) AND id = ? AND grave = 0`, due.UnixMicro(), id, job)
	return s.act(err, "retry job %q", job)
}

func (s *driver) Waiting(ctx context.Context) (n int, next time.Time, err error) {
	var due sql.NullInt64
	err = s.read(func(q querier) error {
		return q.QueryRowContext(ctx, `SELECT count(*), min(due) FROM job WHERE grave = 0`).Scan(&n, &due)
	})
	if due.Valid {
		next = sqlstore.Instant(due.Int64)
	}
	return n, next, s.act(err, "count jobs")
}

const kill = `UPDATE job SET why = ?, grave = 1 + coalesce((SELECT max(grave) FROM job WHERE grave > 0), 0)
	WHERE conv = (SELECT n FROM conv WHERE id = ?) AND id = ? AND grave = 0`

func (s *driver) Kill(ctx context.Context, id, job, why string) error {
	err := store.CheckWhy(why)
	if err == nil {
		err = s.changeJob(ctx, kill, why, id, job)
	}
	return s.act(err, "kill job %q", job)
}

func (s *driver) DeadLetters(ctx context.Context, skip, limit int) ([]store.Job, error) {
	jobs, err := list(ctx, s, scanJob, jobColumns+`WHERE j.grave > 0 ORDER BY j.grave LIMIT ? OFFSET ?`,
		store.Limit(limit), skip)
	return jobs, s.act(err, "list dead letters")
}

func (s *driver) Requeue(ctx context.Context, id, job string, due time.Time) error {
	err := s.changeJob(ctx, `UPDATE job SET grave = 0, why = '', tries = 0, due = ?
		WHERE conv = (SELECT n FROM conv WHERE id = ?) AND id = ? AND grave > 0`, due.UnixMicro(), id, job)
	return s.act(err, "requeue job %q", job)
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
