// Package sheet turns an uploaded file into text that capture reads: XLSX, CSV,
// TSV and plain text.
//
//	Text(File, Limits) → text, Info
//
// Workbooks become tab separated text with RFC 4180 quotes, files with
// separators stay as they are, in UTF-8; both begin with a "sep=" line, as Excel
// writes it, so that capture.Table reads exactly these cells and guesses
// nothing. Plain text is decoded and otherwise left alone.
//
// Of a workbook, one sheet is read: the one asked for, or the first with a cell
// in it. Dates become ISO text, numbers lose their format (1.250,00 € is 1250),
// formulas are their stored results, a cell merged over several rows stands in
// each of them. Hidden rows are read like others. Info counts what the text
// does not show.
//
// Invariants: never panics, a panic of the library included. The archive is
// unpacked here, part by part, within Limits, before the library sees it: sizes
// an archive claims are not believed, checksums are checked, and only the parts
// that hold cells are unpacked. Rows are streamed, so a cell far out costs
// nothing. Same bytes, same text. The package starts nothing and has no clock;
// the limits bound its time, about a second for the largest file they admit.
//
// Errors are *ui.Error with a code of this package and a hint for people.
//
// Called by: transport/web (uploads), cmd/limn.
package sheet
