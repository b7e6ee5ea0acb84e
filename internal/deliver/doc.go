// Package deliver is the clients' subscriptions to conversations.
//
// In: a target, a format, a framing and a cursor. Out: the bytes of [Chunk]s: a snapshot, or
// a reset where the cursor does not fit, then every committed frame after it, each once, in
// order.
//
//	wake-up ─▶ hub: session.Steps ─▶ view: render, encode ─▶ window ─▶ connections
//
// A hub has the streams of one conversation in this process, a view those of them with the
// same bytes. The window of a view holds encoded bytes that a subscriber still needs.
//
// Invariants:
//   - (target, cursor) decide which bytes a client gets, so frames are encoded once.
//   - Subscribe first, then read the log, then follow: no frame is missed.
//   - Only committed frames have an id. A cursor of another log or target, above the head or
//     below the floor gives a reset and a snapshot, as do trimmed frames and a client whose
//     renderer failed.
//   - A client that lags by more than Config.Behind bytes, or for longer than Config.Late, is
//     cut and resumes from the log; all windows together are bounded.
//   - An idle stream has no goroutine, timer or buffer; a failing source ends none.
//
// Callers: transports.
package deliver
