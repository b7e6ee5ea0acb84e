// Package deliver is the clients' subscriptions to conversations.
//
// In: a target (a drawing), a format, a framing and a cursor. Out: the bytes of
// [Chunk]s in that framing: a snapshot or a reset where the cursor does not fit,
// then every committed frame after it, each once, in order.
//
//	wake-up ─▶ hub: session.Steps ─▶ view: draw, encode ─▶ window ─▶ connections
//
// A hub is the streams of one conversation in this process, a view those of
// them whose bytes are the same. A view's window holds what some of its
// subscribers still have to get, as it goes over the wire; a subscriber is a
// place in it. Whoever takes bytes without waiting is written to by the hub
// (Sub.Hand); others pull (Sub.Serve), or are waited for by a goroutine of
// their own for as long as they are behind.
//
// Invariants (contract b):
//
//   - What a client has is a function of (target, cursor), so encoded frames
//     are shared by all subscribers of one (conversation, target, framing, seq).
//
//   - Subscribe first, then read the log, then follow: nothing falls between.
//
//   - Only committed frames carry an id. A cursor of another log or drawing,
//     above the head or below the floor gives a reset and a snapshot, never a
//     broken patch.
//
//   - Nothing is kept for one slow client: who is behind by more than
//     Config.Behind bytes or for longer than Config.Late is cut, and goes on from
//     the log when it comes back. All windows together are bounded too.
//
//   - A stream whose frames were trimmed meanwhile goes on with a reset and a
//     snapshot, as does that of a client whose renderer failed, in place of the
//     frame that says so.
//
//   - An idle stream has no goroutine, no timer and no buffer.
//
//   - A source that fails ends no stream; it is asked again each second.
//
// Callers: transports. Deviation: in the framing "message" all messages of a
// snapshot but the last carry the id of an incomplete snapshot (k = 0), so that
// a client cut off in the middle starts over instead of missing the rest.
package deliver
