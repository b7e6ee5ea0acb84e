// Package modeltext finds A2UI in the output of a model and separates it from the text
// around it, while it streams.
//
// In: bytes, cut anywhere. Out, in their order, to a [Sink]: text, raw messages (compact
// JSON, healed), faults.
//
//	bytes ─ modeltext.go, look.go ─→ text
//	           │ tag, fence or bare JSON opens a payload
//	           └─ reader.go ─→ healed bytes ─ message.go ─→ messages and pieces
//	                                └─ legacy.go, only on demand ─→ early forms
//
// A payload is in <a2ui-json …>…</a2ui-json>, in a fenced block, or JSON that starts a line:
// messages one after the other, an array of them, or {"messages":[…]}.
//
// Invariants:
//   - It does not interpret messages: package a2ui decodes and validates.
//   - Its output does not depend on how the input was cut, but for Early and [Legacy].
//   - No half-read id, path or reference leaves.
//   - It holds at most Options.Limit bytes and the ids of the live surfaces.
//
// Callers: a2ui.Parser.
package modeltext
