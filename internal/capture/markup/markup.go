// Package markup reads tables of HTML, as browsers and mail programs paste them.
package markup

import (
	"strings"

	"golang.org/x/net/html"
)

// MaxCells bounds what one table gives; the rest is not read.
const MaxCells = 200_000

// Table returns the rows of the first table in a text of HTML, cell by cell, and
// whether the first row consists of header cells. Tables inside cells are part of
// their text. Outside of tables an item of a list is a row of one cell. ok is false for a text without a row.
func Table(text string) (rows [][]string, headed, ok bool) {
	if low := strings.ToLower(text); !strings.Contains(low, "<t") && !strings.Contains(low, "<li") {
		return nil, false, false
	}
	z := html.NewTokenizer(strings.NewReader(text))
	r := reader{headed: true}
	for r.cells < MaxCells && !r.over {
		switch z.Next() {
		case html.ErrorToken:
			r.over = true
		case html.StartTagToken, html.SelfClosingTagToken:
			name, _ := z.TagName()
			r.open(string(name))
		case html.EndTagToken:
			name, _ := z.TagName()
			r.close(string(name))
		case html.TextToken:
			if r.in {
				r.cell.Write(z.Text())
			}
		default: // comments and the document's type
		}
	}
	r.row()
	return r.rows, r.headed, len(r.rows) > 0
}

// reader holds the table as far as it was read.
type reader struct {
	rows   [][]string
	now    []string // the row that is open
	cell   strings.Builder
	in     bool // a cell is open
	depth  int  // tables inside one another
	cells  int
	headed bool // no cell of the first row is a td
	over   bool
}

func (r *reader) open(name string) {
	switch {
	case name == "table":
		r.depth++
	case r.depth > 1:
	case name == "tr":
		r.row()
	case name == "td" || name == "th":
		r.end()
		r.in = true
		r.headed = r.headed && (len(r.rows) > 0 || name == "th")
	case name == "li" && r.depth == 0:
		r.row()
		r.in, r.headed = true, false
	case name == "br":
		r.cell.WriteByte(' ')
	}
}

func (r *reader) close(name string) {
	switch {
	case name == "table":
		r.depth--
		r.over = r.depth <= 0
	case r.depth > 1:
	case name == "tr":
		r.row()
	case name == "td" || name == "th":
		r.end()
	}
}

// end closes a cell.
func (r *reader) end() {
	if r.in {
		r.now = append(r.now, strings.Join(strings.Fields(html.UnescapeString(r.cell.String())), " "))
		r.cells++
	}
	r.in = false
	r.cell.Reset()
}

// row closes a row.
func (r *reader) row() {
	r.end()
	if r.now != nil {
		r.rows = append(r.rows, r.now)
	}
	r.now = nil
}
