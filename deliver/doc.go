// Package deliver is one client's subscription to a conversation.
//
// In: a target (a drawing), a format and a cursor. Out: [Chunk]s: a snapshot
// or a reset where the cursor does not fit, then every committed frame after
// it, each once, in order, for as long as the context lives.
//
//	wake-up ─▶ session.Steps(after cursor) ─▶ compile or html ─▶ encode ─▶ Chunk
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
//   - Nothing is buffered for a slow client: it pulls from the log at its pace.
//
//   - A stream whose frames were trimmed while its client was slow goes on with a
//     reset and a snapshot.
//
// The cache of encoded frames is bounded by count and by bytes.
//
// Callers: transports. Deviation: in the framing "message" all messages of a
// snapshot but the last carry the id of an incomplete snapshot (k = 0), so that
// a client cut off in the middle starts over instead of missing the rest.
package deliver
