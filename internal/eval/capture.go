package eval

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/limn-ui/limn/internal/capture"
	"github.com/limn-ui/limn/ui"
)

// The kinds of a CaptureCase.
const (
	KindTable = "table"
	KindMap   = "map"
)

// CaptureCase is a line of a capture set. Only ID, Kind, Input and, for tables,
// Columns are needed to capture; ScoreCapture looks at the rest.
type CaptureCase struct {
	ID      string        `json:"id"`
	Kind    string        `json:"kind"` // table or map
	Format  string        `json:"format"`
	Input   *string       `json:"input"`
	Columns []Column      `json:"columns"`
	Stated  int           `json:"stated_count"`
	Approx  bool          `json:"approx"`
	Expect  CaptureExpect `json:"expect"`
}

// CaptureExpect is the label of a CaptureCase: rows and errors of a table, steps
// and edges of a map.
type CaptureExpect struct {
	Rows       []Cells      `json:"rows"`
	Errors     []CellError  `json:"errors"`
	Steps      []StepMatch  `json:"steps"`
	Edges      []Edge       `json:"edges"`
	Validators []Validation `json:"validators"`
}

// Cells is one row: a JSON value by the title of its column.
type Cells map[string]json.RawMessage

// CellError is one thing wrong with a table. Col is null for one of the row.
type CellError struct {
	Row  int     `json:"row"` // data rows from 0
	Col  *string `json:"col"`
	Code string  `json:"code"`
}

// StepMatch is an expected step: words its name must hold, and part of its owner.
type StepMatch struct {
	Match []string `json:"match"`
	Owner string   `json:"owner"`
}

// Edge leads from one step to another, by their places.
type Edge struct {
	From int    `json:"from"`
	To   int    `json:"to"`
	Type string `json:"type"`
}

// Validation says whether a check is to be shown.
type Validation struct {
	Type     string `json:"type"`
	Surfaced bool   `json:"surfaced"`
}

func (c CaptureCase) check() *ui.Error {
	switch {
	case c.ID == "":
		return &ui.Error{Code: CodeLine, Path: "id", Message: "there is no id",
			Hint: `{"id":"a1","kind":"table","input":"…","columns":[…]}`}
	case c.Kind != KindTable && c.Kind != KindMap:
		return &ui.Error{Code: CodeLine, Path: "kind", Message: strconv.Quote(c.Kind) + " is no kind",
			Hint: "table or map"}
	case c.Input == nil:
		return &ui.Error{Code: CodeLine, Path: "input", Message: "there is no input", Hint: "the pasted text"}
	case c.Kind == KindTable && len(c.Columns) == 0:
		return &ui.Error{Code: CodeLine, Path: "columns", Message: "a table has columns",
			Hint: `[{"name":"Name","type":"text","required":true}]`}
	}
	_, err := Fields(c.Columns)
	return err
}

// Column declares a column in the words of the tool menu (seed §6.1).
type Column struct {
	Name     string   `json:"name"` // the title
	Type     string   `json:"type"` // text, number, enum, date, url; and email, boolean, tags, choices
	Required bool     `json:"required"`
	Options  []string `json:"options,omitempty"` // of enum and choices
}

// columnTypes are the types of a column.
var columnTypes = []struct {
	name string
	kind ui.FieldType
}{
	{"text", ui.TypeText}, {"number", ui.TypeNumber}, {"enum", ui.TypeChoice}, {"date", ui.TypeDate},
	{"url", ui.TypeURL},
	{"email", ui.TypeEmail}, {"boolean", ui.TypeBoolean}, {"tags", ui.TypeTags}, {"choices", ui.TypeChoices},
}

// TypeName is the type of a column in the words of Column.
func TypeName(kind ui.FieldType) string {
	for _, t := range columnTypes {
		if t.kind == kind {
			return t.name
		}
	}
	return string(kind)
}

// Fields returns the columns as package capture takes them. Errors have
// CodeColumn, and the name of the column as their Path.
func Fields(columns []Column) ([]ui.Field, *ui.Error) {
	out := make([]ui.Field, 0, len(columns))
	for i, c := range columns {
		var known []string
		f := ui.Field{Name: fieldName(c.Name, i), Label: c.Name, Required: c.Required}
		for _, t := range columnTypes {
			if known = append(known, t.name); t.name == c.Type {
				f.Type = t.kind
			}
		}
		options := f.Type == ui.TypeChoice || f.Type == ui.TypeChoices
		switch {
		case strings.TrimSpace(c.Name) == "":
			return nil, &ui.Error{Code: CodeColumn, Path: "column " + strconv.Itoa(i+1),
				Message: "the column has no name", Hint: "name:type"}
		case f.Type == "":
			return nil, &ui.Error{Code: CodeColumn, Path: c.Name, Message: strconv.Quote(c.Type) + " is no type",
				Hint: "one of " + strings.Join(known, ", ")}
		case options != (len(c.Options) > 0):
			return nil, &ui.Error{Code: CodeColumn, Path: c.Name,
				Message: "enum and choices have options, and nothing else has", Hint: "enum(High|Medium|Low)"}
		case slices.ContainsFunc(out, func(other ui.Field) bool { return other.Label == c.Name }):
			return nil, &ui.Error{Code: CodeColumn, Path: c.Name, Message: "the column stands twice",
				Hint: "give one of them another name"}
		}
		taken := func(other ui.Field) bool { return other.Name == f.Name }
		for n := i + 1; slices.ContainsFunc(out, taken); n++ {
			f.Name = "c" + strconv.Itoa(n)
		}
		for _, o := range c.Options {
			f.Options = append(f.Options, ui.Option{Value: o})
		}
		out = append(out, f)
	}
	return out, nil
}

// fieldName makes a key of a title: "Due date" → due_date; c1, c2, … where
// nothing is left.
func fieldName(title string, i int) string {
	name := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '-':
			return r
		case unicode.IsSpace(r) || r == '_':
			return '_'
		}
		return -1
	}, strings.ToLower(strings.TrimSpace(title)))
	if !ui.ValidName(name) {
		return "c" + strconv.Itoa(i+1)
	}
	return name
}

// Captured is the parser's result, as score_capture.py reads it: rows and
// errors of a table, steps and edges of a map.
type Captured struct {
	ID       string      `json:"id"`
	Rows     []Cells     `json:"rows,omitzero"`
	Errors   []CellError `json:"errors,omitzero"`
	Steps    []Step      `json:"steps,omitzero"`
	Edges    []Edge      `json:"edges,omitzero"`
	Surfaced []string    `json:"surfaced"` // checks that are certain enough to show
}

// Step is one step of a Captured map.
type Step struct {
	Name  string `json:"step_name"`
	Owner string `json:"owner"`
}

// Capture reads the input of the case.
func (c CaptureCase) Capture() Captured {
	out := Captured{ID: c.ID, Surfaced: []string{}}
	sub := capture.Submission{Stated: c.Stated, Approx: c.Approx}
	if c.Kind == KindTable {
		columns, _ := Fields(c.Columns) // check has read them
		rows := capture.Table(*c.Input, columns)
		out.Rows, out.Errors = tableOf(rows)
		sub.Columns, sub.Rows = columns, rows.Value()
	} else {
		m := capture.Process(*c.Input)
		out.Steps, out.Edges = mapOf(m)
		sub.Rows, sub.Edges = m.Rows()
	}
	for _, w := range capture.Shown(capture.Validate(sub)) {
		out.Surfaced = append(out.Surfaced, w.Check)
	}
	return out
}

func tableOf(rows capture.Rows) ([]Cells, []CellError) {
	title := map[string]*string{}
	for i := range rows.Columns {
		title[rows.Columns[i].Name] = &rows.Columns[i].Label
	}
	cells, errs := make([]Cells, len(rows.Rows)), make([]CellError, len(rows.Errors))
	for i, row := range rows.Rows {
		cells[i] = Cells{}
		for c, cell := range row.Cells {
			cells[i][rows.Columns[c].Label] = cell.Value.AppendJSON(nil)
		}
	}
	for i, e := range rows.Errors {
		errs[i] = CellError{e.Row, title[e.Col], e.Code}
	}
	return cells, errs
}

func mapOf(m capture.Map) ([]Step, []Edge) {
	steps, edges := make([]Step, len(m.Steps)), make([]Edge, len(m.Edges))
	for i, s := range m.Steps {
		steps[i] = Step{s.Name, s.Owner}
	}
	for i, e := range m.Edges {
		edges[i] = Edge{e.From, e.To, string(e.Kind)}
	}
	return steps, edges
}
