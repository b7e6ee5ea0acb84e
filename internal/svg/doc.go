// Package svg draws processes and charts as SVG, and describes them in words.
//
// In: the rows of steps and edges that a [ui.Diagram] shows ([Of], [Read]), or
// a [ui.Chart]. Out: lines of text ([Process.Words], [ChartWords]), always; and
// an SVG ([Process.SVG], [ChartSVG]), unless there is nothing or too much to
// draw. Package html puts both on a page; package compile sends the words, and
// with them the address at which transport web serves the SVG.
//
// # Layers
//
// A process is drawn after Sugiyama, each part that hangs together by itself:
//
//	edges that close a cycle are turned ─▶ steps get ranks ─▶ edges get a bend in
//	every rank they pass, and labels a separate rank ─▶ ranks are ordered by
//	where neighbours are ─▶ each rank is placed by least squares ─▶ drawn
//
// from top to bottom, or from left to right where that is less wide. An edge
// keeps to its bend within a rank and turns between ranks, where nothing is: so
// no edge runs through a box. What turned edges mean is drawn as it is, an arrow
// back.
//
// # Invariants
//
//   - Same input, same bytes, on every machine: lengths are integers, tenths of a
//     pixel. There are no font metrics; texts are measured too long rather than
//     too short.
//   - An SVG holds shapes and text only: no style, script, id, link, or line end,
//     so it works in a page and in a document, under any content policy.
//   - Nothing is said by colour alone: kinds of edges differ in their strokes and
//     have labels, series in dashes and marks, pieces of a pie are numbered.
//   - Work is bounded: ui.MaxDiagramSteps, ui.MaxDiagramEdges, [ui.CodeLimit]
//     beyond, and for edges that pass too many ranks.
//
// Pure; called by html, compile and transport web.
package svg
