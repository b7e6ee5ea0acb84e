// Package wire holds the types that the A2UI codecs share: the neutral messages and
// values, problems with their codes, and the shape of a component table.
//
// In: nothing; it is declarations, helpers of two codecs or more, and the parser of
// the text of a formatString ([ParseFormat]), whose parts are values. Out: the
// types that package a2ui re-exports under its own name and that plain and v08
// read and write. It exists because internal packages cannot import a2ui.
// Everything here is pure.
package wire
