package store

import (
	"context"
	"time"
)

// ForgetMax is the most records one Keeper.Forget removes, so that it never
// holds up writers for long.
const ForgetMax = 500

// Snapshots is the optional ability to find an older snapshot, for a reader
// whose cursor is behind the newest one.
type Snapshots interface {
	// Snapshot returns the newest kept snapshot with seq <= at. ErrNotFound if
	// there is none: the state at 0 is empty and frames from 1 lead on, if Floor
	// is 0.
	Snapshot(ctx context.Context, id string, at uint64) (seq uint64, body []byte, err error)
}

// Keeper is the optional ability to list conversations and to keep the store
// small. Its deletions are bounded per call; repeat until nothing is left to do.
type Keeper interface {
	// Owned lists the conversations of an owner, newest first (by Created, then
	// ID), at most limit (see Page): those that follow after, of which Created and
	// ID count, or with an ID of "" the first.
	Owned(ctx context.Context, owner string, after Conversation, limit int) ([]Conversation, error)

	// Forget removes up to limit (1..ForgetMax, else ForgetMax) answered records
	// received before the given time, with their keys and notes, and returns how
	// many. A later repeat of such an event counts as new, and is refused by its
	// rev or epoch. Pending records stay, whatever their age.
	Forget(ctx context.Context, before time.Time, limit int) (n int, err error)

	// Trim removes frames with seq <= upTo, never above the newest snapshot and at
	// most Page of them, drops the snapshots below the new floor, and returns that
	// floor. ErrNotFound if there is no such conversation.
	Trim(ctx context.Context, id string, upTo uint64) (floor uint64, err error)
	// Usage sums up what an owner keeps.
	Usage(ctx context.Context, owner string) (Usage, error)
}

// Usage is what an owner keeps, for quotas.
type Usage struct {
	Conversations int
	Bytes         int64 // of files
}
