// Package modeltext finds A2UI in what a model writes and separates it from the text
// around it, while it streams.
//
// In: bytes, cut anywhere. Out, in their order, to a Sink: text, raw messages
// (compact JSON, healed), faults. It does not interpret messages:
// package a2ui decodes and validates.
//
//	bytes ─ modeltext.go, look.go ─→ text
//	           │ tag, fence or bare JSON opens a payload
//	           └─ reader.go ─→ healed bytes ─ message.go ─→ messages and pieces
//	                                └─ legacy.go, only on demand ─→ early forms
//
// # Forms
//
// <a2ui-json …>…</a2ui-json>; a fenced block; JSON that starts a line. Inside:
// messages one after the other, an array of them, or {"messages":[…]}. Outside a
// tag JSON is A2UI once the first key of a message is read, before that it is
// text; nothing is lost. Inside a tag, what cannot be read is a fault when the
// block ends.
//
// # Healing
//
// Curly quotes that delimit strings are read as straight ones, and then also the
// curly apostrophes inside strings; commas that are too many go, between objects
// of a list one that lacks is added; raw control characters in strings are
// escaped, and backslashes that escape nothing; fences inside and around tags are
// skipped; a bracket too many is skipped, a bracket that lacks is added where the
// next one shows it; at the end of the block all that is open is closed. A string
// cut there stays only under a key whose text is shown (see shownKeys), else its
// member goes: no half-read id, path or reference leaves.
//
// # Laws
//
// What leaves does not depend on how the input was cut: boundaries of messages,
// pieces and faults come from the content alone, but for Early and the legacy
// mode, which are about the moment. Each byte is looked at once, so time is linear;
// what is held is at most Options.Limit and the ids of the live surfaces.
package modeltext
