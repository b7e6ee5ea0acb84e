// Package streams is the door for clients of the Durable Streams protocol: a conversation is
// a stream that is read from an offset, at once, by long polls or over Server-Sent Events.
//
// In: a conversation, an offset and the drawing. Out: its frames, as the format limn of the
// web API has them, in a stream of the type application/json. The offset names the last frame
// that was read.
//
//	offset ─ position ─▶ page ─ read ─▶ body or event, with the offset after it
//
// Invariants: a read from the same offset gives the same frames again; a stream is closed when
// its conversation has ended, and not before.
//
// Deviations: streams are read only: conversations are begun, written and removed elsewhere.
// When the server draws otherwise than it did, an offset of before goes on with a frame of
// the kind snapshot.
//
// Caller: package limn mounts it in internal/transport/web.
package streams
