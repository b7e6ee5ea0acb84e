// Package svg renders processes and charts as SVG, and describes them in words.
//
// In: the rows of steps and edges that a [ui.Diagram] shows ([Of], [Read]), or a [ui.Chart].
// Out: lines of text ([Process.Words], [ChartWords]), always; and an SVG ([Process.SVG],
// [ChartSVG]), unless there is nothing or too much to draw. A process has layers, from top to
// bottom, or from left to right where that is less wide (graph.go).
//
// Invariants:
//   - Pure: the same input gives the same bytes on every machine. Lengths are integers,
//     tenths of a pixel. There are no font metrics; texts are measured too long rather than
//     too short.
//   - An SVG holds shapes and text only: no style, script, id, link or line end, so it works
//     in a page and in a document, under any content policy.
//   - Colour alone says nothing: kinds of edges differ in their strokes and have labels,
//     series in dashes and marks, and pieces of a pie are numbered.
//   - Work is bounded: [ui.CodeLimit] above ui.MaxDiagramSteps, for many more edges than
//     steps, and for edges that pass too many ranks.
//
// Callers: html puts both on a page, compile sends the words and the address at which
// transport web serves the SVG.
package svg
