// Package picture draws processes and charts as SVG, and says in words what
// they show.
//
// In: the rows of steps and edges that a [ui.Diagram] shows ([Read]), or a
// [ui.Chart]. Out: lines of text, always; and an SVG, unless there is too much
// to draw. Packages html and compile ask for the words, html and transport web
// for the picture.
//
// Pure: the same input gives the same bytes.
package picture
