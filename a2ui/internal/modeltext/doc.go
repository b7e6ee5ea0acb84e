// Package modeltext finds A2UI in the output of a model and separates it from the text
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
// It finds A2UI in <a2ui-json …>…</a2ui-json>, in a fenced block, and in JSON that
// starts a line: messages one after the other, an array of them, or {"messages":[…]}.
// Outside a tag JSON is A2UI once the first key of a message is read. Inside a tag, what
// cannot be read is a fault when the block ends.
//
// It heals: curly quotes that delimit strings; commas too many, and one that lacks
// between objects of a list; raw control characters and meaningless backslashes in
// strings; fences inside and around tags; a bracket too many, and one that lacks where
// the next shows it. At the end of the block all that is open is closed; a string cut
// there stays only under a key whose text is shown, so no half-read id, path or
// reference leaves.
//
// What leaves does not depend on how the input was cut, but for Early and the legacy
// mode. What is held is at most Options.Limit and the ids of the live surfaces.
//
// The legacy mode follows the first parsers of the A2UI project in what leaves at the
// end of each Write (legacy.go has the rules), but for three things: a deletion of an
// open surface leaves on v0.8 too, an empty list of children stays empty, and data that
// was sent for one message is sent again for the next.
package modeltext
