// Package tool builds the surface of a tool, a table or a process map, from
// parts: what phase it is in, what the checks say, pasted text that waits to be
// taken over, the rows, the picture, the buttons.
//
// In: a tree, and the parts that are new in it. Out: another tree. Parts are
// plain nodes, so every drawing shows them; package execute says when they come
// and go, package app which rows a tool has.
//
// A tool goes through three phases (decision logic §9):
//
//	capture ── limn.submit ──▶ check ── limn.submit ──▶ confirm ── limn.confirm ──▶ committed
//	   └────────── complete at once ────────────────────▶  ▲│ not complete any more: back to check
//
// After the last round of check there is limn.accept as well, which commits what
// is there as it is. Rows changed by a button while the tool waits to be
// confirmed take it back to capture.
//
// Pure; called by app and execute.
package tool
