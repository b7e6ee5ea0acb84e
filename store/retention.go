package store

import (
	"context"
	"time"
)

// ForgetMax is the most records one Retention.Forget removes, so that it does not
// block writers for long.
const ForgetMax = 500

// Retention keeps the store small. Its deletions are bounded per call; call again
// until nothing is left to do.
type Retention interface {
	// Forget removes up to limit (1..ForgetMax, else ForgetMax) answered records
	// received before the given time, with their keys and notes, and returns how
	// many. A later repeat of such an event counts as new, and is refused by its
	// rev or epoch. Pending records stay, whatever their age.
	Forget(ctx context.Context, before time.Time, limit int) (n int, err error)

	// Trim removes frames with seq <= upTo, never above the newest snapshot and at
	// most Page of them, removes the snapshots below the new floor, and returns that
	// floor. ErrNotFound if there is no such conversation.
	Trim(ctx context.Context, id string, upTo uint64) (floor uint64, err error)
	// Usage sums up what an owner keeps.
	Usage(ctx context.Context, owner string) (Usage, error)
}

// Usage is what an owner keeps. Quotas use it.
type Usage struct {
	Conversations int
	Bytes         int64 // of files
}
