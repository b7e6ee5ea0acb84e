package capture

import (
	"strings"

	"github.com/limn-ui/limn/route/prose"
	"github.com/limn-ui/limn/ui"
)

// MaxRows is how many rows one paste gives; Rows.More counts the rest.
const MaxRows = 20_000

// Form is the way a paste was read.
type Form string

// The forms, in the order they are tried.
const (
	FormMarkdown Form = "markdown"
	FormTabs     Form = "tabs"
	FormCSV      Form = "csv"
	FormBullets  Form = "bullets"
	FormDashes   Form = "dashes"
	FormParens   Form = "parens"
	FormColons   Form = "colons"
	FormInline   Form = "inline"
	FormLines    Form = "lines"
)

// Rows is a paste read against declared columns.
type Rows struct {
	Form    Form
	Columns []ui.Field
	Rows    []Row
	Errors  []CellError // by row, then column
	Header  bool        // a header was found and is not among Rows
	Unknown []string    // header cells no column is named like; Row.Extra has their cells first
	Intro   []string    // lines before the header
	More    int         // rows beyond MaxRows
}

// Row has one Cell per column. Extra holds the cells of unknown columns, then
// those that were too many.
type Row struct {
	Cells []Cell
	Extra []string
}

// Cell is one cell: the text as pasted (without outer spaces), and the typed
// value, null when empty or when Code says why it does not fit.
type Cell struct {
	Raw   string
	Value ui.Value
	Code  string
}

// CellError is one thing wrong with a paste. Row counts data rows from 0; Col
// is the column's name, "" for an error of the row.
type CellError struct {
	Row  int
	Col  string
	Code string
}

// The codes of CellError.
const (
	CodeRequired  = "required_missing"
	CodeNumber    = "not_a_number"
	CodeDate      = "not_a_date"
	CodeAmbiguous = "ambiguous_date"
	CodeURL       = "not_a_url"
	CodeEnum      = "not_in_enum"
	CodeExtra     = "extra_cells"
)

// grid is a paste cut into cells, before columns are known.
type grid struct {
	form    Form
	intro   []string // a line above the list: "Our vendors:"
	records [][]string
	comma   bool // decimal comma: the delimiter is a semicolon
}

// Table reads pasted text against the declared columns. It always answers: text
// without structure becomes rows of its lines.
func Table(text string, columns []ui.Field) Rows {
	text = strings.TrimPrefix(prose.Clean(text), "\uFEFF")
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	out := Rows{Columns: columns}
	if strings.TrimSpace(text) == "" || len(columns) == 0 {
		return out
	}
	g := detect(text, columns)
	out.Form, out.Intro = g.form, g.intro
	at, header := findHeader(g.records, columns)
	order := make([]int, len(columns)) // column → cell
	for i := range order {
		order[i] = i
	}
	used := len(columns)
	if at >= 0 {
		out.Header = true
		for _, r := range g.records[:at] {
			out.Intro = append(out.Intro, strings.Join(r, " "))
		}
		g.records = g.records[at+1:]
		order, used = mapHeader(header, columns, &out)
	}
	out.fill(g, order, header, used)
	return out
}

// findHeader looks for the first of five records where at least half of the
// cells name columns.
func findHeader(records [][]string, columns []ui.Field) (int, []string) {
	for i, r := range records[:min(len(records), 5)] {
		hits, cells := 0, 0
		for _, c := range r {
			if strings.TrimSpace(c) == "" {
				continue
			}
			cells++
			if columnNamed(columns, c) >= 0 {
				hits++
			}
		}
		if hits > 0 && hits*2 >= cells && (len(records) > i+1 || cells > 1) {
			return i, r
		}
	}
	return -1, nil
}

// columnNamed finds the column a header cell names, by label or by name.
func columnNamed(columns []ui.Field, cell string) int {
	want := fold(strings.Trim(strings.TrimSpace(cell), "*_`"))
	for i, f := range columns {
		if want != "" && (fold(f.Title()) == want || fold(f.Name) == want) {
			return i
		}
	}
	return -1
}

// mapHeader maps columns to cells by name. Unknown header cells are noted.
func mapHeader(header []string, columns []ui.Field, out *Rows) (order []int, used int) {
	order = make([]int, len(columns))
	for i := range order {
		order[i] = -1
	}
	for cell, name := range header {
		if i := columnNamed(columns, name); i >= 0 && order[i] < 0 {
			order[i] = cell
			continue
		}
		out.Unknown = append(out.Unknown, strings.TrimSpace(name))
	}
	return order, len(header)
}

// fill types the cells of every record.
func (out *Rows) fill(g grid, order []int, header []string, used int) {
	taken := make([]bool, max(used, len(out.Columns)))
	for _, cell := range order {
		if cell >= 0 {
			taken[cell] = true
		}
	}
	hints := make([]columnHint, len(out.Columns))
	for c, f := range out.Columns {
		hints[c] = hintFor(f, g, order[c])
	}
	for _, record := range g.records {
		if blank(record) {
			continue
		}
		if len(out.Rows) == MaxRows {
			out.More++
			continue
		}
		row := Row{Cells: make([]Cell, len(out.Columns))}
		n := len(out.Rows)
		for c, f := range out.Columns {
			if at := order[c]; at >= 0 && at < len(record) {
				row.Cells[c] = convert(f, strings.TrimSpace(record[at]), hints[c])
			}
			if cell := &row.Cells[c]; cell.Raw == "" && f.Required {
				cell.Code = CodeRequired
			}
			if code := row.Cells[c].Code; code != "" {
				out.Errors = append(out.Errors, CellError{n, f.Name, code})
			}
		}
		extra := false
		for i, cell := range record {
			if i < len(taken) && taken[i] {
				continue
			}
			if i < used && header != nil { // of an unknown column
				row.Extra = append(row.Extra, strings.TrimSpace(cell))
			} else if strings.TrimSpace(cell) != "" {
				row.Extra = append(row.Extra, strings.TrimSpace(cell))
				extra = true
			}
		}
		if extra {
			out.Errors = append(out.Errors, CellError{n, "", CodeExtra})
		}
		out.Rows = append(out.Rows, row)
	}
}

func blank(record []string) bool {
	for _, c := range record {
		if strings.TrimSpace(c) != "" {
			return false
		}
	}
	return true
}

// Value returns the rows in the form a draft holds: typed cells as their field
// drafts them, cells with an error as the text they were.
func (out Rows) Value() ui.Value {
	records := make([]ui.Record, len(out.Rows))
	for i, row := range out.Rows {
		pairs := make([]ui.Pair, len(row.Cells))
		for c, cell := range row.Cells {
			f := out.Columns[c]
			v := ui.String(cell.Raw)
			switch {
			case cell.Code == "" && !cell.Value.IsNull():
				v = f.Draft(cell.Value)
			case cell.Raw == "":
				v = f.Blank()
			}
			pairs[c] = ui.Pair{Key: f.Name, Value: v}
		}
		records[i] = ui.Record{ID: rowID('r', i), Order: rowOrder(i), Cells: ui.Map(pairs...)}
	}
	return ui.Rows(records...)
}
