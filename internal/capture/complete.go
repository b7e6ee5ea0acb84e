package capture

import (
	"strings"

	"github.com/limn-ui/limn/ui"
)

// Completion says whether rows may be submitted.
type Completion struct {
	Done    bool
	Filled  int         // rows with at least one cell filled in
	Missing int         // rows that are still needed
	Cells   []CellPlace // required cells that are empty, and cells that do not fit
}

// CellPlace is one cell of submitted rows.
type CellPlace struct {
	Row, Column string // row id, column name
	Code        string // as CellError.Code
}

// Complete reports whether at least minRows rows are filled in and each filled
// row has its required cells, all of them valid (facts R-61). It serves tables
// and the steps of a map alike. Blank rows never count.
func Complete(columns []ui.Field, rows ui.Value, minRows int) Completion {
	var c Completion
	for _, r := range rows.Records() {
		if emptyRow(r) {
			continue
		}
		c.Filled++
		for _, f := range columns {
			v, _ := r.Cells.Get(f.Name)
			code := ""
			switch {
			case blankCell(v):
				if f.Required {
					code = CodeRequired
				}
			case v.Kind() == ui.StringValue:
				code = convert(f, strings.TrimSpace(v.Text()), columnHint{}).Code
			}
			if code != "" {
				c.Cells = append(c.Cells, CellPlace{r.ID, f.Name, code})
			}
		}
	}
	c.Missing = max(0, minRows-c.Filled)
	c.Done = c.Missing == 0 && len(c.Cells) == 0
	return c
}

// blankCell reports a cell that is not filled in: empty, or spaces only.
func blankCell(v ui.Value) bool {
	return v.Empty() || v.Kind() == ui.StringValue && strings.TrimSpace(v.Text()) == ""
}

// emptyRow reports a row without any entry. A false checkbox or a zero is the
// state such a cell starts in.
func emptyRow(r ui.Record) bool {
	for _, p := range r.Cells.Pairs() {
		if !blankCell(p.Value) && !(p.Value.Kind() == ui.BoolValue && !p.Value.True()) &&
			!(p.Value.Kind() == ui.NumberValue && p.Value.Equal(ui.Int(0))) {
			return false
		}
	}
	return true
}
