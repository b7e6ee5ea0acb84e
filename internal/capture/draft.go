package capture

import (
	"slices"
	"strings"

	"github.com/limn-ui/limn/ui"
)

// Question is one choice the reader had to make. Its best guess is filled into
// the draft (Rows.Value), so the user need only say no. The typed view (Cell.Value,
// Rows.Errors) never guesses: it is null with a code.
//
//   - A date such as 03/04/2025 is certain if another cell of its column has a part above
//     12. Else the guess is the majority of the column, then of the other columns, then day
//     first.
//   - For a header no column is named like, the guess is the column with the same words or a
//     synonym, then the one whose type the cells fit. The cells stay in Row.Extra and are in
//     the draft as well.
type Question struct {
	Row   int    // data row from 0; -1 for a pasted column
	Col   string // name of the declared column; "" where none suits an unknown header
	Code  string // CodeAmbiguous or CodeHeader
	Raw   string // the cell or the header as pasted
	Guess string // the value filled in: a date as ISO, or the name of the column
	Other string // the other reading; "" = to leave the column out
}

// CodeHeader is the code of a Question about a header no column is named like.
const CodeHeader = "unmapped_header"

// Text says in English which reading was chosen, and which other one is possible.
func (q Question) Text() string {
	switch {
	case q.Code == CodeAmbiguous:
		return q.Raw + " is read as " + q.Guess + "; it could also be " + q.Other + "."
	case q.Guess == "":
		return "No column is called " + q.Raw + "; it is left out."
	}
	return "No column is called " + q.Raw + "; it is read as " + q.Guess + "."
}

// Value returns the rows in the form a draft holds: typed cells as their field
// drafts them, guesses where the reader had to choose, and cells with an error
// as the text they were.
func (out Rows) Value() ui.Value {
	records := make([]ui.Record, len(out.Rows))
	byName := make([]int, len(out.Columns)) // columns in the order a map keeps them
	for c := range byName {
		byName[c] = c
	}
	slices.SortFunc(byName, func(a, b int) int { return strings.Compare(out.Columns[a].Name, out.Columns[b].Name) })
	pairs := make([]ui.Pair, len(out.Columns)) // of one row after the other: ui.Map copies
	for i, row := range out.Rows {
		for k, c := range byName {
			pairs[k] = ui.Pair{Key: out.Columns[c].Name, Value: row.Cells[c].draft(&out.Columns[c])}
		}
		records[i] = ui.Record{ID: rowID('r', i), Order: rowOrder(i), Cells: ui.Map(pairs...)}
	}
	return ui.Rows(records...)
}

func (c *Cell) draft(f *ui.Field) ui.Value {
	switch {
	case c.Guess != "" && c.Code == CodeAmbiguous:
		return f.Draft(ui.String(c.Guess))
	case c.Guess != "":
		if guess := convert(*f, c.Guess, columnHint{}); guess.Code == "" {
			return f.Draft(guess.Value)
		}
		return ui.String(c.Guess)
	case c.Code == "" && !c.Value.IsNull():
		return f.Draft(c.Value)
	case c.Raw == "":
		return f.Blank()
	}
	return ui.String(c.Raw)
}

// Cut leaves the first n rows, and counts the rest in More.
func (out *Rows) Cut(n int) {
	out.More += len(out.Rows) - n
	out.Rows = out.Rows[:n]
	out.Errors = slices.DeleteFunc(out.Errors, func(e CellError) bool { return e.Row >= n })
	out.Questions = slices.DeleteFunc(out.Questions, func(q Question) bool { return q.Row >= n })
}

// DraftErrors returns the faults of the rows as Value drafts them: Errors without the
// cells that a guess has filled in, which are in Questions.
func (out Rows) DraftErrors() []CellError {
	at := make(map[string]int, len(out.Columns))
	for c, f := range out.Columns {
		at[f.Name] = c
	}
	var list []CellError
	for _, e := range out.Errors {
		if e.Col == "" || out.Rows[e.Row].Cells[at[e.Col]].Guess == "" {
			list = append(list, e)
		}
	}
	return list
}
