// Package a2ui is the A2UI protocol, usable alone: messages in one form for all versions,
// codecs both ways for v0.8, v0.9, v0.9.1 and v1.0, catalogs, and a validator.
//
// In: bytes from an agent or a client, or messages built in Go. Out: messages, bytes, or
// problems with stable codes.
//
//	bytes ─ DecodeMessage ─→ Message ─ Validator.Check ─→ []Problem
//	                            │
//	bytes ←── AppendMessage ────┘        bytes ─ DecodeClient ─→ ClientMessage
//
// A [Message] is modelled on v0.9 and the same in every [Dialect]; the codecs rename types
// and properties. [Dialect.Features] says how versions differ; v1.0 has three spellings,
// [V10RC], [V10Oct] and [V10]. A [Parser] takes A2UI out of the text of a language model
// while it streams. A [Translator] carries a stream from any version to any other and
// reports each [Loss]. [Negotiate] checks that a client has a catalog.
//
// Invariants:
//   - Everything is pure: no clock, randomness, log, network, file, lock or goroutine.
//     [ReadLines] and [Translate] use the reader and writer of the caller.
//   - Decode(Append(m)) equals m. A message that passes a [Validator] can be written.
//   - A part that a dialect cannot express is a [*Problem]; no part is dropped.
//
// docs/a2ui.md is a tour, with the versions, the rules of each [Profile], and the deviations
// from the specification.
package a2ui
