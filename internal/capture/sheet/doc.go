// Package sheet turns an uploaded file into text that capture reads: XLSX, CSV, TSV and
// plain text.
//
// In: a [File] and [Limits]. Out ([Text]): text, and an [Info] that counts the parts that the
// text leaves out. Workbooks become tab separated text with RFC 4180 quotes, files with
// separators stay as they are, in UTF-8; both begin with a "sep=" line, as Excel writes it,
// so that capture.Table reads exactly these cells and guesses nothing. Plain text is decoded
// and otherwise left alone.
//
// Invariants:
//   - It never panics, starts nothing and has no clock. Same bytes, same text.
//   - Parts of a workbook are streamed: only kept are the cells of one sheet and the shared
//     strings that they name, together at most Limits.Text.
//   - Sizes that an archive claims are not believed, checksums are checked, parts that no
//     relationship names are not unpacked. Work is bounded by the bytes and elements that
//     are read, and by Limits.Stop.
//   - Errors are *ui.Error with a code of this package and a hint for people.
//
// Callers: transport web (uploads), cmd/limn.
package sheet
