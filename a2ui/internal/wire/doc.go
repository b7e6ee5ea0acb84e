// Package wire holds what the A2UI codecs share: the neutral messages and
// values, problems with their codes, and the shape of a component table.
//
// In: nothing; it is declarations. Out: the types that package a2ui re-exports
// under its own name and that v08 and v09 read and write. It exists because
// internal packages cannot import a2ui. Everything here is pure.
package wire
