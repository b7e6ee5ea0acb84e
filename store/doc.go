// Package store is the port for what Limn keeps: conversations, their committed frames, the
// events that led to them, and what must still be done.
//
// In and out: frames, answers, journal entries, snapshots, traces and files, as bytes. The
// package knows their order and their identity, never their meaning, and imports nothing else
// of Limn. [Store] is composed of parts, such as [Log] and [Outbox], so that code which needs
// one of them can ask for that alone.
//
// Every implementation keeps these invariants, and package storetest checks them:
//   - Sequence numbers of a conversation are dense from 1. Frame n was committed on top of
//     n-1: of concurrent Appends with the same Expect one wins, the others get [ErrConflict].
//   - One Append is atomic: all of a [Commit] is there or nothing is.
//   - A write for which a method returned nil survives kill -9 (package memory excepted).
//   - Within a conversation an event id, and an idempotency key, name at most one [Event].
//   - A frame is trimmed only when a snapshot that includes it is kept, so the newest state
//     can always be rebuilt.
//   - Slices passed in are not kept; slices handed out belong to the caller.
//   - Times come back in UTC, to the microsecond.
//   - All methods may be called from any goroutine.
//
// Callers: session writes; others, such as conversation and directory, read. Packages
// store/sqlite, store/postgres and store/memory open a store.
package store
