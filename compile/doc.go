// Package compile renders surfaces as A2UI messages, in the form of package a2ui.
//
// In: a [Target] and one State ([Snapshot]), or two States and the Frame between them
// ([Update]). Out: one [Batch] of messages for each surface that has to be rendered,
// complete and ready for a validator, or a [Failure] for that surface, while the others are
// still returned.
//
//	ui.Surface ──draw──▶ drawing (components + bound data) ──▶ messages
//	                     before ⊖ after ──────────────────────▶ messages
//
// Every surface is under one Column: title, status, errors, then the node tree.
//
// Invariants:
//   - The package is pure: nothing is remembered between calls, and the same input gives the
//     same bytes. No code asks for a protocol version: [a2ui.Features] and the pinned catalog
//     have the abilities of a client.
//   - Component ids come from key paths and the emitted type: a component never changes its
//     type, and a moved row keeps its identity. A type always has the same properties.
//   - Every path that a component binds has a value before the component arrives, or is in
//     the same batch where data follow components by design.
//   - An update leaves drafts alone that its frame did not write. limn_rev comes last.
//
// Callers: prove (before a frame is committed), deliver (for each target), inspect, cmd/limn.
package compile
