// Package capture turns a text into the rows of a table or the steps of a
// process map, and says whether the result is complete and where it has faults.
//
//	Look       pasted text → Preview: its columns, and which declared one each is
//	Table      pasted text → Rows: typed cells, raw text kept, errors per cell
//	TableWith  the same with the columns mapped by the user
//	Process    text → Map: steps with owners, edges with their kinds
//	Complete   rows → are enough of them filled in, and which cells are not
//	Validate   a submission → warnings with confidence (checks.go)
//
// Files of a paste: split.go cuts text into records (the forms of facts §4),
// around.go sets apart the lines that a mail or a chat puts around them, header.go finds
// which column is which, cell.go and date.go type a cell, draft.go has the
// questions to the user. Package sheet below turns files into text that Table reads back
// exactly.
//
// # Asking with a best guess
//
// Where the reader must choose it asks, and the draft holds its guess. The typed
// view (Cell.Value, Rows.Errors) never guesses: it is null with a code.
//
//   - A date such as 03/04/2025 (CodeAmbiguous) is certain if another cell of
//     its column has a part above 12. Else the guess is the majority of the
//     column, then of the other columns, then day first.
//   - A header no column is named like (CodeHeader): the guess is the column
//     with the same words or a synonym, then the one whose type the cells fit.
//     The cells stay in Row.Extra and are in the draft as well.
//   - An edge of a process (Edge.Other): two clauses joined by "and" could run
//     side by side, and after an exception the process could go back.
//
// Rows.Value is the draft form, Rows.Questions and Map.Questions what to ask,
// Rows.DraftErrors the faults of the draft.
//
// Invariants: pure, linear in the input (up to MaxRows rows, MaxSteps steps, 64
// KB of a process), never panics. Nothing pasted is dropped: cells that do not
// fit stay as text with an error, undeclared columns stay in Row.Extra, and
// sentences that are no rows or steps in Intro. Types come from the declared
// columns, never from guesses over the values.
//
// The four checks are independent functions of a Submission; session may run
// them side by side. Near duplicates are looked for among the first 2,000 rows,
// loops among the first 1,000 edges.
//
// Deviations from facts/decisions-and-capture.md: Validate runs the checks one
// after the other, because pure packages start no goroutines; a panic in one is
// caught and hides no other. A conditional edge carries the cell "conditional".
// A first line that is only like the columns' names counts as a header where the
// line below is unlike it.
//
// Called by: execute and worksheet (pastes and first rows), validators (completion),
// cmd/limn and eval.
package capture
