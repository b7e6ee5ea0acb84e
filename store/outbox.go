package store

import (
	"context"
	"time"
)

// Outbox holds jobs that a commit queued in its own transaction, such as a webhook
// to call. A job runs at least once.
//
//	Append ──▶ queued ──Take──▶ leased ──Finish──▶ gone
//	             ▲                │
//	             ├── Retry, or the lease ran out
//	             └── Requeue ◀── dead letter ◀── Kill
type Outbox interface {
	// Take leases up to limit (see Page) jobs that are due at now, over all
	// conversations, the longest due first. It counts a try and sets Due to until,
	// so the jobs of a worker that dies become due again. Concurrent calls never
	// lease the same job.
	Take(ctx context.Context, now, until time.Time, limit int) ([]Job, error)
	// Finish removes a job or a dead letter. ErrNotFound if it does not exist.
	Finish(ctx context.Context, id, job string) error
	// Retry makes a job due again at due. ErrNotFound if it does not exist or is a dead
	// letter.
	Retry(ctx context.Context, id, job string, due time.Time) error
	// Waiting counts the jobs that are queued or leased, over all conversations,
	// and returns when the first of them is due: the zero time without jobs.
	Waiting(ctx context.Context) (n int, next time.Time, err error)
}

// DeadLetters keeps the jobs that were given up, so that an operator can inspect
// and requeue them. Take ignores them.
type DeadLetters interface {
	// Kill makes a job a dead letter. The reason why must not be empty. ErrNotFound
	// if there is no such job, or if it is a dead letter already.
	Kill(ctx context.Context, id, job, why string) error
	// DeadLetters lists dead letters, the oldest first, without the first skip of
	// them, at most limit (see Page). If one is removed between two pages, the later
	// ones move up.
	DeadLetters(ctx context.Context, skip, limit int) ([]Job, error)
	// Requeue makes a dead letter a job again, due at due, with no tries counted.
	// ErrNotFound if there is no such dead letter.
	Requeue(ctx context.Context, id, job string, due time.Time) error
}

// Job is one piece of work in the outbox.
type Job struct {
	Conversation string // filled by Take
	ID           string // 1..128 bytes, unique in the conversation while queued; "event/step" makes it the effect key
	Event        string // the event it comes from
	Kind         string // the kind of worker that runs it
	Body         []byte
	Due          time.Time // not before; after Take: end of the lease
	Tries        int       // how often it was taken, this time included
	Why          string    // why it was given up; not empty: it is a dead letter
}
