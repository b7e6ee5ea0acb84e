// Package worksheet builds the surface of a worksheet, a table or a process map, from parts:
// the phase, the notes of the checks, pasted text that waits to be taken over, the rows, the
// picture, the buttons.
//
// In: a tree, and the parts that are new in it. Out: another tree; the rows of a paste.
//
//	capture ── limn.submit ──▶ check ── limn.submit ──▶ confirm ── limn.confirm ──▶ committed
//	   └────────── complete at once ────────────────────▶  ▲│ not complete any more: back to check
//
//	box, file ──Read──▶ Found, shown ──Take──▶ rows, edges, what to ask at which cell
//	                        └────────Forget──▶ nothing
//
// Invariants:
//   - Pure. Parts are plain nodes, so html and compile need to know nothing about them.
//   - The button limn.confirm is there once the checks found the worksheet complete,
//     limn.accept, which commits it as it is, after the last round of check.
//   - Pasted text stays in the box until it is added. A preview is of one text only.
//   - Connections of a process map name steps by id: moving a step changes none of them,
//     removing a step removes its own.
//
// Callers: app (rows), execute (when parts come and go), transport web (files).
package worksheet
