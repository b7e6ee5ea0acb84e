package capture

import (
	"slices"
	"strings"

	"github.com/limn-ui/limn/internal/prose"
	"github.com/limn-ui/limn/ui"
)

// MaxRows is how many rows one paste gives; Rows.More counts the rest.
const MaxRows = 20_000

// maxCells bounds a table whose rows are made as wide as its widest, with blank cells.
const maxCells = 1 << 20

// Form is the way a paste was read.
type Form string

// The forms, in the order they are tried.
const (
	FormHTML     Form = "html"
	FormJSON     Form = "json"
	FormMarkdown Form = "markdown"
	FormTabs     Form = "tabs"
	FormAligned  Form = "aligned"
	FormCSV      Form = "csv"
	FormBullets  Form = "bullets"
	FormDashes   Form = "dashes"
	FormParens   Form = "parens"
	FormColons   Form = "colons"
	FormInline   Form = "inline"
	FormLines    Form = "lines"
)

// Tabular reports a form that other programs write, with cells under a header.
func (f Form) Tabular() bool {
	return slices.Contains([]Form{FormHTML, FormJSON, FormMarkdown, FormTabs, FormAligned, FormCSV}, f)
}

// Rows is a paste read against declared columns.
type Rows struct {
	Form    Form
	Columns []ui.Field
	Rows    []Row
	Errors  []CellError // by row, then column
	Header  bool        // a header was found and is not among Rows
	Unknown []string    // header cells no column is named like; Row.Extra has their cells first
	Intro   []string    // lines that are no rows: before the header, above the list
	More    int         // rows beyond MaxRows

	Questions []Question // what had to be chosen, with the guess Value carries
}

// Row has one Cell per column. Extra holds the cells of unknown columns, then
// those that were too many.
type Row struct {
	Cells []Cell
	Extra []string
}

// Cell is one cell: the text as pasted (without outer spaces), and the typed
// value, null when empty or when Code says why it does not fit. Guess is what
// the draft holds instead where the reader had to choose, else empty: one
// reading of an ambiguous date as ISO, or the cell as pasted below an unknown
// header.
type Cell struct {
	Raw   string
	Value ui.Value
	Guess string
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
	header  []string // nil without one
	records [][]string
	comma   bool // decimal comma: the delimiter is a semicolon
	local   bool // the reader's language has a decimal comma
	bare    bool // there is no header among the records
	inOrder bool // the header is in other words than the columns, in their order
}

// Table reads pasted text against the declared columns. It always answers: text
// without structure becomes rows of its lines. Cells go to the columns their
// header names, without a header by position.
func Table(text string, columns []ui.Field) Rows { return Reader{}.Table(text, columns) }

// Reader reads tables in a language. The zero value takes a decimal point.
type Reader struct {
	// DecimalComma is the mark where a column does not say. A number that has another meaning with a
	// point, such as 1.234, is then a fault of its cell.
	DecimalComma bool
}

// Table reads as the function Table does.
func (r Reader) Table(text string, columns []ui.Field) Rows {
	return fill(r.cut(text, columns), columns, nil)
}

func (r Reader) cut(text string, columns []ui.Field) grid {
	g := cut(text, columns)
	g.local = r.DecimalComma
	return g
}

// TableWith reads as Table does, but the user has said which column each pasted
// column is: mapping holds their names in pasted order (Look proposes them), ""
// for one to leave out. Cells left out stay in Row.Extra, without an error.
// Where two name the same column, the first counts.
func (r Reader) TableWith(text string, columns []ui.Field, mapping []string) Rows {
	return fill(r.cut(text, columns), columns, append([]string{}, mapping...))
}

// cut brings a text to records and finds the header among them.
func cut(text string, columns []ui.Field) grid {
	text = strings.TrimPrefix(prose.Clean(text), "\uFEFF")
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	if strings.TrimSpace(text) == "" || len(columns) == 0 {
		return grid{}
	}
	g, ok := exported(text, columns)
	if !ok {
		g = detect(unfence(unquote(text)), columns)
	}
	if g.header != nil || g.bare {
		g.records = slices.DeleteFunc(g.records, blank)
		return g
	}
	if at, header := findHeader(g.records, columns); at >= 0 {
		for _, r := range g.records[:at] {
			g.intro = append(g.intro, strings.Join(r, " "))
		}
		g.header, g.records = header, g.records[at+1:]
	} else if foreignHeader(g.records, columns, g.comma) {
		g.header, g.records, g.inOrder = g.records[0], g.records[1:], true
	} else if at := headerBelow(g.records, columns); at > 0 {
		g.header = g.records[at]
	}
	again := func(r []string) bool { return g.header != nil && len(r) > 1 && slices.Equal(r, g.header) }
	g.records = slices.DeleteFunc(g.records, func(r []string) bool { return blank(r) || again(r) })
	return g
}

// fill types the cells of every record.
func fill(g grid, columns []ui.Field, mapping []string) Rows {
	out := Rows{Form: g.form, Columns: columns, Header: g.header != nil, Intro: g.intro}
	source := g.sources(columns, mapping)
	p := plan{source: source, known: max(len(g.header), len(mapping)), guess: slices.Repeat([]int{-1}, len(columns)),
		hints: g.hints(columns, source)}
	for _, at := range source {
		if at >= 0 {
			p.used = append(p.used, make([]bool, max(0, at+1-len(p.used)))...)
			p.used[at] = true
		}
	}
	for at, name := range g.header {
		if !p.uses(at) {
			out.Unknown = append(out.Unknown, strings.TrimSpace(name))
		}
	}
	if mapping == nil {
		out.Questions, p.guess = g.askHeaders(columns, source)
	}
	rows := min(len(g.records), MaxRows)
	out.More = len(g.records) - rows
	out.Rows = make([]Row, rows)
	cells := make([]Cell, rows*len(columns))
	for n, record := range g.records[:rows] {
		out.Rows[n].Cells, cells = cells[:len(columns):len(columns)], cells[len(columns):]
		out.row(n, record, p)
	}
	return out
}

// plan says where the cells of each column come from.
type plan struct {
	source []int        // column → pasted column, or -1
	guess  []int        // column → pasted column with an unknown header, or -1
	hints  []columnHint // by column
	used   []bool       // pasted columns that are a source
	known  int          // pasted columns with a header or a word of the user
}

func (p plan) uses(at int) bool { return at < len(p.used) && p.used[at] }

func (out *Rows) row(n int, record []string, p plan) {
	row := &out.Rows[n]
	for c, f := range out.Columns {
		cell := &row.Cells[c]
		if at := p.source[c]; at >= 0 && at < len(record) {
			*cell = convert(f, strings.TrimSpace(record[at]), p.hints[c])
		}
		if cell.Raw == "" && f.Required {
			cell.Code = CodeRequired
		}
		if at := p.guess[c]; at >= 0 && at < len(record) {
			cell.Guess = strings.TrimSpace(record[at])
		}
		if cell.Code != "" {
			out.Errors = append(out.Errors, CellError{n, f.Name, cell.Code})
		}
		if cell.Code == CodeAmbiguous {
			out.Questions = append(out.Questions, p.hints[c].ask(n, f.Name, cell))
		}
	}
	extra := false
	for at, cell := range record {
		if cell = strings.TrimSpace(cell); p.uses(at) || at >= p.known && cell == "" {
			continue
		}
		row.Extra = append(row.Extra, cell)
		extra = extra || at >= p.known
	}
	if extra {
		out.Errors = append(out.Errors, CellError{n, "", CodeExtra})
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
