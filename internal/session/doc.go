// Package session runs the turns of conversations: the imperative shell around
// package turn, which decides.
//
// In: a ui.Event for a conversation. Out: a committed frame, a [Receipt], and for
// readers the [Step]s of the log. Start with turn.go: [Turn.Run] is the architecture.
//
//	Submit, takeover, expiry ─┐
//	reply of a model ─────────┼─▶ Turn.do ─▶ Run ─▶ frame
//	answer of a webhook ──────┘     │ withLease, recoverPanic, retryOnConflict
//
// Each part is a type in a separate file: mailbox (a conversation in this process),
// leases and retry (takeover), call and modelRun. Separate packages are cache,
// conversation (log in memory, followers, streamed text), journal (notes of an event),
// appcall (calls handlers and webhooks), modelrun (asks models), prove (7), tally (the
// trace of a turn), outbox, quota, directory (lists), share (links), live (topics and
// records that views show) and work (the end of the server).
//
// Invariants:
//   - One turn at a time per conversation in this process; between processes the
//     compare-and-append of store.Append decides. A lost race starts again at 2.
//   - Every event that is taken ends as exactly one frame, whatever fails.
//   - Only what leaves the process is recorded before its frame; a recorded event is
//     answered or tried again, and after three starts a failure answers it.
//   - Nothing is committed that does not render for every target.
//   - Locks: the right to the turn, then the cache's, then the conversation's or its
//     log's; nothing blocks under one.
//
// Callers: transports submit, deliver reads. Ports are injected.
package session
