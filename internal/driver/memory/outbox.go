package memory

import (
	"context"
	"slices"
	"time"

	"github.com/limn-ui/limn/store"
)

func (s *driver) Take(ctx context.Context, now, until time.Time, limit int) (taken []store.Job, err error) {
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
			taken = append(taken, copyJob(j))
		}
		return nil
	})
	return taken, act(err, "take jobs")
}

func (s *driver) Finish(ctx context.Context, id, job string) error {
	err := s.do(ctx, func() error {
		if remove(&s.jobs, id, job) == nil && remove(&s.dead, id, job) == nil {
			return store.ErrNotFound
		}
		return nil
	})
	return act(err, "finish job %q", job)
}

func (s *driver) Retry(ctx context.Context, id, job string, due time.Time) error {
	err := s.do(ctx, func() error {
		i := find(s.jobs, id, job)
		if i < 0 {
			return store.ErrNotFound
		}
		s.jobs[i].Due = store.Time(due)
		return nil
	})
	return act(err, "retry job %q", job)
}

func (s *driver) Waiting(ctx context.Context) (n int, next time.Time, err error) {
	err = s.do(ctx, func() error {
		for _, j := range s.jobs {
			if n++; n == 1 || j.Due.Before(next) {
				next = j.Due
			}
		}
		return nil
	})
	return n, next, act(err, "count jobs")
}

func (s *driver) Kill(ctx context.Context, id, job, why string) error {
	err := s.do(ctx, func() error {
		if err := store.CheckWhy(why); err != nil {
			return err
		}
		j := remove(&s.jobs, id, job)
		if j == nil {
			return store.ErrNotFound
		}
		j.Why = why
		s.dead = append(s.dead, j)
		return nil
	})
	return act(err, "kill job %q", job)
}

func (s *driver) DeadLetters(ctx context.Context, skip, limit int) (list []store.Job, err error) {
	err = s.do(ctx, func() error {
		rest := s.dead[min(skip, len(s.dead)):]
		for _, j := range rest[:min(len(rest), store.Limit(limit))] {
			list = append(list, copyJob(j))
		}
		return nil
	})
	return list, act(err, "list dead letters")
}

func (s *driver) Requeue(ctx context.Context, id, job string, due time.Time) error {
	err := s.do(ctx, func() error {
		j := remove(&s.dead, id, job)
		if j == nil {
			return store.ErrNotFound
		}
		j.Due, j.Tries, j.Why = store.Time(due), 0, ""
		s.jobs = append(s.jobs, j)
		return nil
	})
	return act(err, "requeue job %q", job)
}

// find returns the index of a job in a list, or -1.
func find(list []*store.Job, id, job string) int {
	return slices.IndexFunc(list, func(j *store.Job) bool {
		return j.Conversation == id && j.ID == job
	})
}

// remove takes a job out of a list; nil if it is not there.
func remove(list *[]*store.Job, id, job string) *store.Job {
	i := find(*list, id, job)
	if i < 0 {
		return nil
	}
	j := (*list)[i]
	*list = slices.Delete(*list, i, i+1)
	return j
}

func copyJob(j *store.Job) store.Job {
	out := *j
	out.Body = slices.Clone(j.Body)
	return out
}
