// Package store is the port for what Limn remembers: conversations, their
// committed frames, the events that led to them, and what must still be done.
//
// # What comes in, what goes out
//
// Frames, answers, journal entries, snapshots, traces and files are bytes here.
// The package knows their order, their identity and their fate, never their
// meaning, and imports nothing else of Limn. Package session writes; others,
// such as conversation and directory, read.
//
// # The life of one event
//
//	              Append(Commit{Event})
//	Record ──▶ pending ───────────────────▶ done ──▶ forgotten
//	  │           │  ▲                       ▲         (Retention.Forget, 24 h)
//	  │           └──┘ Start, Note           │
//	  └── key or event id known: the prior   │
//	      record is the answer               │
//	  Append(Commit{Record}) ────────────────┘  recorded and done in one step
//
// # Invariants
//
// Every implementation keeps these, and package storetest checks them:
//
//   - Sequence numbers of a conversation are dense from 1. The frame with number
//     n was committed on top of n-1: of any number of concurrent Appends with the
//     same Expect exactly one wins, the others get [ErrConflict].
//   - One Append is atomic: frame, answer, record, snapshot and outbox are all
//     there or none is.
//   - What a method returned nil for survives kill -9 (package memory excepted).
//   - Within a conversation an event id, and a non-empty idempotency key, name at
//     most one record.
//   - A frame is trimmed only when a snapshot that includes it is kept, so the
//     newest state can always be rebuilt.
//   - Slices passed in are not kept; slices handed out belong to the caller.
//   - Times come back in UTC, to the microsecond.
//
// # Errors
//
// The sentinels below are for errors.Is; everything else is a fault of the disk,
// the network or the program. An error of the caller's context means that nothing
// was written. Any other unnamed error of a write leaves open whether it became
// durable: open the conversation again and look.
//
// # Parts
//
// [Store] is composed of parts, such as [Log] and [Outbox], so that code which needs
// only one of them can ask for just that. Every driver implements all of them. All
// methods may be called from any goroutine.
package store
