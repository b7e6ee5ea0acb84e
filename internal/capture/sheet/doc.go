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
// in it, visible ones before hidden ones. Dates become ISO text, numbers lose
// their format (1.250,00 € is 1250), formulas are their stored results, a cell
// merged over several rows is in each of them. Hidden rows are read like
// others. Info counts the parts that the text leaves out.
//
// Invariants: never panics. Parts of a workbook are streamed: only kept are the
// cells of one sheet and the shared strings that they name, each at most 32,767
// characters, together at most Limits.Text. Sizes that an archive claims are not
// believed, checksums are checked, parts that no relationship names are not
// unpacked. Work is bounded by the bytes and elements that are read, and by
// Limits.Stop. Same bytes, same text. The package starts nothing and has no clock.
//
// Errors are *ui.Error with a code of this package and a hint for people.
//
// Called by: internal/transport/web (uploads), cmd/limn.
package sheet
