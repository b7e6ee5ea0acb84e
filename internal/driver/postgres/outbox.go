package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/limn-ui/limn/internal/sqlstore"
	"github.com/limn-ui/limn/store"
)

const jobColumns = `conv, id, event, kind, due, tries, why, body`

func (s *driver) Take(ctx context.Context, now, until time.Time, limit int) ([]store.Job, error) {
	// Jobs that another node takes at this moment are passed over.
	jobs, err := list(ctx, s, scanJob, `WITH ready AS MATERIALIZED (
			SELECT conv, id, due AS was FROM job WHERE buried IS NULL AND due <= $1
			ORDER BY due, n LIMIT $3 FOR UPDATE SKIP LOCKED),
		taken AS (
			UPDATE job SET due = $2, tries = tries + 1 FROM ready
			WHERE job.conv = ready.conv AND job.id = ready.id
			RETURNING job.*, was)
		SELECT `+jobColumns+` FROM taken ORDER BY was, n`,
		now.UnixMicro(), until.UnixMicro(), store.Limit(limit))
	return jobs, s.act(ctx, err, "take jobs")
}

func (s *driver) Waiting(ctx context.Context) (n int, next time.Time, err error) {
	var due *int64
	err = s.row(ctx, `SELECT count(*), min(due) FROM job WHERE buried IS NULL`, nil, &n, &due)
	if due != nil {
		next = sqlstore.Instant(*due)
	}
	return n, next, s.act(ctx, err, "count jobs")
}

func (s *driver) DeadLetters(ctx context.Context, skip, limit int) ([]store.Job, error) {
	jobs, err := list(ctx, s, scanJob, `SELECT `+jobColumns+` FROM job
		WHERE buried IS NOT NULL ORDER BY buried, n LIMIT $1 OFFSET $2`, store.Limit(limit), skip)
	return jobs, s.act(ctx, err, "list dead letters")
}

// scanJob reads jobColumns.
func scanJob(row pgx.CollectableRow) (j store.Job, err error) {
	var due int64
	err = row.Scan(name{&j.Conversation}, name{&j.ID}, name{&j.Event}, name{&j.Kind}, &due, &j.Tries, name{&j.Why},
		&j.Body)
	j.Due = sqlstore.Instant(due)
	return j, err
}

func (s *driver) Finish(ctx context.Context, id, job string) error {
	err := s.changeJob(ctx, id, `DELETE FROM job WHERE conv = $1 AND id = $2 RETURNING 1`, text(id), text(job))
	return s.act(ctx, err, "finish job %q", job)
}

func (s *driver) Retry(ctx context.Context, id, job string, due time.Time) error {
	err := s.changeJob(ctx, id, `UPDATE job SET due = $3
		WHERE conv = $1 AND id = $2 AND buried IS NULL RETURNING 1`,
		text(id), text(job), due.UnixMicro())
	return s.act(ctx, err, "retry job %q", job)
}

func (s *driver) Kill(ctx context.Context, id, job, why string) error {
	err := store.CheckWhy(why)
	if err == nil {
		err = s.changeJob(ctx, id, `UPDATE job SET buried = clock_timestamp(), why = $3
			WHERE conv = $1 AND id = $2 AND buried IS NULL RETURNING 1`, text(id), text(job), text(why))
	}
	return s.act(ctx, err, "kill job %q", job)
}

func (s *driver) Requeue(ctx context.Context, id, job string, due time.Time) error {
	err := s.changeJob(ctx, id, `UPDATE job SET buried = NULL, why = '', tries = 0, due = $3
		WHERE conv = $1 AND id = $2 AND buried IS NOT NULL RETURNING 1`, text(id), text(job), due.UnixMicro())
	return s.act(ctx, err, "requeue job %q", job)
}

// changeJob runs a statement that must change one job.
func (s *driver) changeJob(ctx context.Context, conv, sql string, args ...any) error {
	found, err := s.write(ctx, conv, sql, args, new(int))
	if err == nil && !found {
		err = store.ErrNotFound
	}
	return err
}
