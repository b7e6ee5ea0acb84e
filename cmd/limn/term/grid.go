package term

import (
	"fmt"
	"io"
	"strings"
)

// Grid prints rows under the first of them, within the width of the style; with right,
// all but the first column end where their column ends. Cells are cleaned.
func (s Style) Grid(w io.Writer, rows [][]string, right bool) error {
	for _, row := range rows {
		for i := range row {
			row[i] = Clean(row[i])
		}
	}
	widths := Fit(rows, s.Width)
	for i, row := range rows {
		text := Line(row, widths, right)
		if i == 0 {
			text = s.Paint(Bold, text)
		}
		if _, err := fmt.Fprintln(w, text); err != nil {
			return err
		}
	}
	return nil
}

// Fit returns how wide each column of rows is drawn so that all of them, two
// spaces between them, fit into wide columns of the terminal: as wide as the
// widest cell, or the widest ones cut, to no less than six.
func Fit(rows [][]string, wide int) []int {
	var widths []int
	for _, row := range rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], Columns(cell))
		}
	}
	most := wide
	for ; most > 6 && total(widths, most) > wide; most-- {
	}
	for i := range widths {
		widths[i] = min(widths[i], most)
	}
	return widths
}

// Wide is how many columns of the terminal rows take where nothing is cut.
func Wide(rows [][]string) int {
	const any = 1 << 16
	return total(Fit(rows, any), any)
}

func total(widths []int, most int) int {
	n := 2 * max(0, len(widths)-1)
	for _, w := range widths {
		n += min(w, most)
	}
	return n
}

// Line puts cells beside each other as Fit says; with right, all but the first
// end where their column ends. What does not fit ends with "…".
func Line(cells []string, widths []int, right bool) string {
	var b strings.Builder
	for i, cell := range cells {
		cell = Cut(cell, widths[i])
		pad := strings.Repeat(" ", widths[i]-Columns(cell))
		if right && i > 0 {
			cell, pad = pad+cell, ""
		}
		b.WriteString(cell)
		if i < len(cells)-1 {
			b.WriteString(pad + "  ")
		}
	}
	return strings.TrimRight(b.String(), " ")
}

// Cut shortens s to wide columns of the terminal.
func Cut(s string, wide int) string {
	if Columns(s) <= wide {
		return s
	}
	head, _ := KeepFirst(s, wide-1)
	return head + "…"
}
