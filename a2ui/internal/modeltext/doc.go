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
// docs/a2ui-rules.md has the forms it finds, the mistakes it heals, and its laws.
package modeltext
