// Package compile draws surfaces as neutral A2UI messages.
//
// In: a [Target] and one State ([Snapshot]), or two States and the Frame
// between them ([Update]). Out: one [Batch] of messages for each surface that
// has to be drawn, complete and ready for the validator of package a2ui, or a
// [Failure] for that surface while the others are still returned. Nothing is
// remembered between calls and nothing here asks for a protocol version: what
// a client can do is read from [a2ui.Features] and from the pinned catalog.
//
//	ui.Surface ──draw──▶ drawing (components + bound data) ──▶ messages
//	                     before ⊖ after ──────────────────────▶ messages
//
// Every surface is drawn under one Column: title, status, errors, then the node
// tree. Component ids come from key paths and the emitted type, so a component
// never changes its type and a moved row keeps its identity.
//
// Invariants: the same input gives the same bytes; a bound path has a value before
// its component arrives; limn_rev is the last thing that a batch changes.
// docs/a2ui-rules.md has all of them and the shapes of drafts.
//
// Callers: session (to prove that a frame can be drawn, before it commits) and
// deliver (to encode it for each target). Pure.
package compile
