// Package session runs the turns of conversations: the imperative shell around package turn,
// which decides.
//
// In: a ui.Event for a conversation. Out: a committed frame, a [Receipt], and for readers the
// [Step]s of the log. Start with turn.go: [Turn.Run] has all parts of a turn in their order.
//
//	Submit, takeover, expiry ─┐
//	reply of a model ─────────┼─▶ Turn.do ─▶ Run ─▶ frame
//	answer of a webhook ──────┘     │ withLease, recoverPanic, retryOnConflict
//
// It calls journal (notes of an event), appcall (handlers, webhooks), modelrun (models) and
// prove; package conversation has the log in memory and its followers. See docs/walk.md.
//
// Invariants:
//   - One turn at a time per conversation in this process (mailbox.go); between processes the
//     compare-and-append of store.Append decides. A lost race starts again at step 2 of Run.
//   - An event makes at most one frame, whatever fails. A repeat and a cancel make none.
//   - An event is recorded before its frame only if its turn leaves the process; a recorded
//     event is answered or tried again, and in place of its third new start a failure answers it.
//   - Nothing is committed that does not render for every target.
//   - Locks: the right to the turn, then the cache's, then the conversation's or its log's;
//     nothing blocks under one.
//
// Callers: transports submit, deliver reads. Ports are injected.
package session
