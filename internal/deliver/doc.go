// Package deliver is the clients' subscriptions to conversations.
//
// In: a target (a drawing), a format, a framing and a cursor. Out: the bytes of
// [Chunk]s: a snapshot or a reset where the cursor does not fit, then every
// committed frame after it, each once, in order.
//
//	wake-up ─▶ hub: session.Steps ─▶ view: draw, encode ─▶ window ─▶ connections
//
// A hub has the streams of one conversation in this process, a view those of them
// with the same bytes. A view's window holds encoded bytes that some subscriber
// still needs; a subscriber is a position in it. The hub writes to connections that
// take bytes without waiting (Sub.Hand); others pull (Sub.Serve).
//
// Invariants:
//   - (target, cursor) decide which bytes a client gets, so frames are encoded once;
//   - subscribe first, then read the log, then follow: no frame is missed;
//   - only committed frames have an id; a cursor of another log or drawing, above
//     the head or below the floor gives a reset and a snapshot, as do trimmed frames
//     and a client whose renderer failed;
//   - a client that lags by more than Config.Behind bytes, or for longer than
//     Config.Late, is cut and resumes from the log; all windows together are bounded;
//   - an idle stream has no goroutine, timer or buffer; a failing source ends none;
//   - a private stream (Request.Private) shares its bytes with none, and ends with the frame
//     that its writer calls the last.
//
// Deviation: in the framing "message" all messages of a snapshot but the last have
// the id of an incomplete snapshot (k = 0): a client cut off there starts over.
package deliver
