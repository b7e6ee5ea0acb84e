// Package worksheet builds the surface of a worksheet, a table or a process map, from
// parts: the phase, the notes of the checks, pasted text that waits to be taken over,
// the rows, the picture, the buttons.
//
// In: a tree, and the parts that are new in it. Out: another tree. Parts are
// plain nodes, so every drawing shows them; package execute says when they come
// and go, package app which rows a worksheet has.
//
// A worksheet goes through three phases (decision logic §9):
//
//	capture ── limn.submit ──▶ check ── limn.submit ──▶ confirm ── limn.confirm ──▶ committed
//	   └────────── complete at once ────────────────────▶  ▲│ not complete any more: back to check
//
// After the last round of check there is limn.accept as well, which commits what
// is there as it is. Rows changed by a button while the worksheet waits to be
// confirmed take it back to capture.
//
// Rows come by typing, by pasting and from a file. Pasted text waits in the part paste:
// Read analyses it and ShowFound shows the rows it would add; Take adds them, or Forget
// drops them. The text stays in the box until it is added, and a preview is of one text
// only: another text in the box is read again.
//
//	box, file ──Read──▶ Found, shown ──Take──▶ rows, edges, what to ask at which cell
//	                        └────────Forget──▶ nothing
//
// The connections of a process map are rows of a table, whose ends are chosen
// among the steps (Edges). They belong to steps by id: moving a step changes
// none, removing it removes them. A step added at the end is connected with the
// last one if the map is a Chain already, so that each step is known to follow the
// one before; else nothing is guessed.
//
// Pure; called by app and execute, and by internal/transport/web for files.
package worksheet
