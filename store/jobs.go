package store

import (
	"context"
	"time"
)

// Jobs is the optional ability to work off the outbox: jobs that a commit queued
// in its own transaction, such as a webhook to call. A job runs at least once.
//
//	Append ──▶ queued ──Take──▶ leased ──Finish──▶ gone
//	             ▲                │
//	             ├── Retry, or the lease ran out
//	             └── Revive ◀── buried ◀── Bury
type Jobs interface {
	// Take leases up to limit (see Page) jobs that are due at now, over all
	// conversations, the longest due first: it counts a try and moves Due to
	// until, so a worker that dies gives its jobs back. Concurrent calls never
	// lease the same job.
	Take(ctx context.Context, now, until time.Time, limit int) ([]Job, error)
	// Finish removes a job, buried or not. ErrNotFound if it is gone already.
	Finish(ctx context.Context, id, job string) error
	// Retry makes a job due again at due. ErrNotFound if it is gone already, or
	// buried.
	Retry(ctx context.Context, id, job string, due time.Time) error
	// Waiting counts the jobs that are queued or leased, over all conversations,
	// and says when the first of them is due; the zero time if there is none.
	Waiting(ctx context.Context) (n int, next time.Time, err error)
}

// Graves is the optional ability to keep the jobs that were given up, so that
// somebody can look at them and have them tried again. Take leaves them alone.
type Graves interface {
	// Bury gives a job up and says why, which is not empty. ErrNotFound if it is
	// gone, or buried already.
	Bury(ctx context.Context, id, job, why string) error
	// Buried lists buried jobs, the oldest grave first, without the first skip of
	// them, at most limit (see Page). Graves that go between two pages move the
	// later ones up.
	Buried(ctx context.Context, skip, limit int) ([]Job, error)
	// Revive makes a buried job due at due, with no tries counted. ErrNotFound if
	// there is no such grave.
	Revive(ctx context.Context, id, job string, due time.Time) error
}

// Job is one piece of work in the outbox.
type Job struct {
	Conversation string // filled by Take
	ID           string // 1..128 bytes, unique in the conversation while queued; "event/step" makes it the effect key
	Event        string // the event it comes from
	Kind         string // who runs it
	Body         []byte
	Due          time.Time // not before; after Take: end of the lease
	Tries        int       // how often it was taken, this time included
	Why          string    // why it was given up; not empty: it is buried
}
