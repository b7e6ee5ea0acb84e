// Package capture turns what people paste or tell into the rows of a table or
// the steps of a process map, says whether the result is complete, and what is
// wrong with it.
//
//	Table    pasted text → Rows: typed cells, raw text kept, errors per cell
//	Process  text → Map: steps with owners, edges with their kinds
//	Complete rows → are enough of them filled in, and which cells are not
//	Validate a submission → warnings with confidence (checks.go)
//
// Invariants: pure, linear in the input (up to MaxRows rows, MaxSteps steps),
// never panics. Nothing pasted is dropped: cells that do not fit stay as text
// with an error, columns nobody declared stay in Row.Extra, lines before the
// header in Rows.Intro. Types come from the declared columns, never from
// guesses over the values.
//
// Deviations from facts/decisions-and-capture.md: validators run one after the
// other, because pure packages start no goroutines; a panic in one is caught
// and hides no other. A conditional edge carries the cell "conditional".
//
// Called by: execute (pastes and seeds of tools), session (completion).
package capture
