// Package capture turns a text into the rows of a table or the steps of a process map, and
// finds faults in a submission.
//
// In: pasted text and the declared columns, or a submission. Out:
//
//	Look       pasted text → Preview: its columns, and which declared one each is
//	Table      pasted text → Rows: typed cells, raw text kept, errors per cell
//	TableWith  the same with the columns mapped by the user
//	Process    text → Map: steps with owners, edges with their kinds
//	Validate   a submission → warnings with confidence
//
// Where the reader must choose, it asks, and the draft holds its guess ([Question]). Package
// sheet below turns files into text that Table reads back exactly.
//
// Invariants:
//   - Pure, linear in the input (up to MaxRows rows, MaxSteps steps, 64 KB of a process);
//     never panics.
//   - Nothing pasted is dropped: cells that do not fit stay as text with an error, undeclared
//     columns in Row.Extra, and sentences that are no rows or steps in Intro.
//   - Types come from the declared columns, never from guesses over the values.
//
// Callers: execute and worksheet (pastes), validators (submissions), cmd/limn, eval.
package capture
