// Package v08 is A2UI v0.8: its wire form, its standard catalog, and the names
// that v0.8 has for the neutral types and properties.
//
// In: neutral messages, or a parsed JSON value. Out: bytes, or neutral
// messages. Known components are written by the table in catalog.go. A
// component the table does not know keeps its names: String and Path values
// travel as {literalString} and {path}, a Literal as the JSON it holds.
//
// Differences that are more than a name: Button.variant is the boolean primary;
// ChoicePicker.variant is maxAllowedSelections (1 or none); a value that has a
// path and a literal is kept as a Literal; data travels as typed entries, one
// valueMap level deep when written, up to five when read.
package v08
