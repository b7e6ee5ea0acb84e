// Package session runs the turns of conversations.
//
// In: an admitted-or-not ui.Event for a conversation. Out: a committed frame,
// a [Receipt], and for readers the [Step]s (state before, frame, state after)
// of the log. turn.go is the walk; read it first.
//
//	Submit ─▶ 1 known? ─▶ 2 Admit ─▶ 3 record ─▶ 4 decide ─▶ 5 run ─▶ 6 apply ─▶ 7 draw ─▶ 8 commit ─▶ 9 tell
//	                                   │ needs a model: the mailbox is free while it answers
//	                                   └ needs a handler: journal intent, call, journal result
//
// Invariants:
//   - One turn at a time per conversation in this process; across processes
//     store.Append's compare-and-append is the only fence. A lost race reloads
//     and starts again from 2.
//   - Every event that is taken ends as exactly one frame, whatever fails. An
//     event without model or handler is recorded and committed in one transaction.
//   - What a [Receipt] reports is durable.
//   - Nothing is committed that did not draw and validate for every enabled target.
//   - The queue of a conversation is bounded; full is CodeBusy.
//
// Callers: transports submit, deliver reads. Ports (store, bus, model, webhook)
// are injected.
package session
