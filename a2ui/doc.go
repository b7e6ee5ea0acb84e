// Package a2ui is the A2UI protocol, usable alone: neutral messages, codecs both
// ways for v0.8, v0.9, v0.9.1 and v1.0 in two dialects, catalogs, and a validator.
//
// In: bytes from an agent or a client, or neutral messages built in Go. Out:
// neutral messages, bytes, or problems with stable codes. Everything is pure: no
// clock, randomness, log, network, file, lock or goroutine; ReadLines and
// Translate use the reader and writer of the caller.
//
//	bytes ─ DecodeMessage ─→ Message ─ Validator.Check ─→ []Problem
//	                            │
//	bytes ←── AppendMessage ────┘        bytes ─ DecodeClient ─→ ClientMessage
//
// A Message is modelled on v0.9 and the same in every dialect; the codecs rename
// types and properties. Dialect.Features says how versions differ, so that no
// caller asks for a version number.
//
// Parser takes A2UI out of the text of a language model while it streams.
// Translator carries a stream from any version to any other and reports each Loss.
// Negotiate picks a catalog for the Capabilities of a client.
//
// docs/a2ui-rules.md has the laws, the profiles Spec and Safe, the keys of v1.0
// and the deviations from the specification.
package a2ui
