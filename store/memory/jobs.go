package memory

import (
	"context"
	"slices"
	"time"

	"github.com/limn-ui/limn/store"
)

// Take implements store.Jobs.
func (s *Store) Take(ctx context.Context, now, until time.Time, limit int) (taken []store.Job, err error) {
	err = s.do(ctx, func() error {
		now := store.Time(now)
		var due []*store.Job
		for _, j := range s.jobs {
			if !j.Due.After(now) {
				due = append(due, j)
			}
		}
		// Stable: jobs due at the same moment keep their order of arrival.
		slices.SortStableFunc(due, func(a, b *store.Job) int { return a.Due.Compare(b.Due) })
		for _, j := range due[:min(len(due), store.Limit(limit))] {
			j.Due = store.Time(until)
			j.Tries++
			out := *j
			out.Body = slices.Clone(j.Body)
			taken = append(taken, out)
		}
		return nil
	})
	return taken, act(err, "take jobs")
}

// Finish implements store.Jobs.
func (s *Store) Finish(ctx context.Context, id, job string) error {
	err := s.do(ctx, func() error {
		i := s.job(id, job)
		if i < 0 {
			return store.ErrNotFound
		}
		s.jobs = slices.Delete(s.jobs, i, i+1)
		return nil
	})
	return act(err, "finish job %q", job)
}

// Retry implements store.Jobs.
func (s *Store) Retry(ctx context.Context, id, job string, due time.Time) error {
	err := s.do(ctx, func() error {
		i := s.job(id, job)
		if i < 0 {
			return store.ErrNotFound
		}
		s.jobs[i].Due = store.Time(due)
		return nil
	})
	return act(err, "retry job %q", job)
}

// job returns the index of a queued job, or -1.
func (s *Store) job(id, job string) int {
	return slices.IndexFunc(s.jobs, func(j *store.Job) bool {
		return j.Conversation == id && j.ID == job
	})
}
