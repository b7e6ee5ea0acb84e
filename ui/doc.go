// Package ui holds the facts of a conversation and how they change.
//
// In: a [State] and a [Frame] whose [Op]s say what happened. Out: the next State and the
// [Change]s, by [Apply]. Nothing here knows A2UI, HTML, a model or a store; all of it is
// pure, and the stored form of every type is canonical JSON with a version (docs/ui.md).
//
//	Event ──▶ Op … Op ──▶ Frame ──Apply──▶ State
//
//	Open ─▶ open ─Lock──▶ submitted ─┐
//	         │ └──Expire─▶ expired ──┼─Close─▶ (gone; Open starts the next epoch)
//	         └──Reset─▶ open, epoch+1┘
//
// Invariants:
//   - A State is never mutated; states share the parts that a frame leaves alone.
//   - Seq is dense. Apply(State n, Frame n+1) is State n+1. After End frames have no ops.
//   - A surface is name and epoch; rev grows by one in each frame that touches it; guard ≤
//     rev. A closed surface is gone, its epoch is remembered.
//   - Every input binds its own path under /draft and always has a value there.
//   - /draft is the user's and never authoritative; only a Commit writes /committed.
//
// Callers: execute makes ops, turn applies them, html and compile render.
package ui
