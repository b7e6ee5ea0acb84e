// Package v09 is A2UI v0.9 and v0.9.1: its wire form, its basic catalog.
//
// In: neutral messages, or a parsed JSON value. Out: bytes, or neutral
// messages. Property names are the neutral ones, so a component the package
// does not know is read by the shape of its values. What stands where a list of
// children, options or checks belongs but has another shape is kept as a
// Literal and written back as it came; the validator then says what is wrong.
package v09
