package decidecmd

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/limn-ui/limn/cmd/limn/term"
	"github.com/limn-ui/limn/internal/capture"
	"github.com/limn-ui/limn/internal/eval"
	"github.com/limn-ui/limn/ui"
)

// forms names the ways a paste is read.
var forms = map[capture.Form]string{
	capture.FormMarkdown: "a markdown table", capture.FormTabs: "text between tabs", capture.FormCSV: "CSV",
	capture.FormAligned: "columns aligned with spaces",
	capture.FormHTML:    "a table of HTML", capture.FormJSON: "JSON", capture.FormBullets: "a list of bullets",
	capture.FormDashes: "name – role – more", capture.FormParens: "name (role)", capture.FormColons: "name: role",
	capture.FormInline: "a list in a sentence", capture.FormLines: "one row a line",
}

// table prints a paste read against its columns.
// Remarks are notes for the reader of the file.
func (c Capture) table(t term.Terminal, name, text string, columns []ui.Field, remarks []string) error {
	rows := capture.Table(text, columns)
	warnings := capture.Shown(capture.Validate(capture.Submission{Columns: columns, Rows: rows.Value()}))
	if c.CSV {
		return writeCSV(t.Out, rows)
	}
	return t.Show(c.JSON, newTableJSON(rows, warnings, remarks), func(w io.Writer, style term.Style) {
		printTable(w, style, name, rows, warnings, c.Max)
		for _, text := range remarks {
			facts{w, style}.line("remark", text)
		}
	})
}

// note is something to say below a cell; column -1 is the row.
type note struct {
	column int
	text   string
	ask    bool
}

// notes are the errors and questions of each row; -1 has those of whole columns.
func notes(rows capture.Rows) map[int][]note {
	column := map[string]int{"": -1}
	for i, f := range rows.Columns {
		column[f.Name] = i
	}
	out := map[int][]note{}
	for _, e := range rows.DraftErrors() {
		out[e.Row] = append(out[e.Row], note{column: column[e.Col], text: problem(rows, e)})
	}
	for _, q := range rows.Questions {
		out[q.Row] = append(out[q.Row], note{column: column[q.Col], text: q.Code + ": " + q.Text(), ask: true})
	}
	return out
}

// problem describes the fault of a cell and a value that would fit.
func problem(rows capture.Rows, e capture.CellError) string {
	switch e.Code {
	case capture.CodeRequired:
		return e.Code + ": has to be filled in"
	case capture.CodeEnum:
		for _, f := range rows.Columns {
			if f.Name == e.Col && len(f.Options) > 0 {
				return e.Code + ": " + strings.Join(values(f), ", ")
			}
		}
	case capture.CodeExtra:
		extra := rows.Rows[e.Row].Extra // those of unknown columns come first
		return e.Code + ": " + strings.Join(extra[min(len(rows.Unknown), len(extra)):], " | ")
	case capture.CodeDate:
		return e.Code + ": such as 2026-05-31"
	}
	return e.Code
}

// shown is a cell as the draft holds it.
func shown(c capture.Cell) string {
	switch {
	case c.Guess != "":
		return c.Guess
	case c.Code == "" && !c.Value.IsNull():
		return c.Value.Text()
	}
	return c.Raw
}

func printTable(w io.Writer, style term.Style, name string, rows capture.Rows, warnings []capture.Warning, most int) {
	how := cmp.Or(forms[rows.Form], "nothing")
	if rows.Header {
		how += " with a header"
	}
	all := notes(rows)
	fmt.Fprintf(w, "%s: read as %s: %s, %s, %s\n", style.Paint(term.Bold, name), how,
		term.Count(len(rows.Rows), "row"), term.Count(len(rows.DraftErrors()), "error"),
		term.Count(len(rows.Questions), "question"))
	shownRows := len(rows.Rows)
	if most > 0 {
		shownRows = min(shownRows, most)
	}
	printRows(w, style, rows, all, shownRows)
	s := facts{w, style}
	if left := len(rows.Rows) - shownRows; left > 0 {
		s.line("", term.Count(left, "more row")+" not printed; --max 0 prints all")
	}
	if rows.More > 0 {
		s.line("left out", fmt.Sprintf("%s beyond the first %d", term.Count(rows.More, "row"), capture.MaxRows))
	}
	if len(rows.Intro) > 0 {
		s.line("no rows", strings.Join(rows.Intro, " / "))
	}
	if len(rows.Unknown) > 0 {
		s.line("kept", "columns nobody declared: "+strings.Join(rows.Unknown, ", "))
	}
	for _, n := range all[-1] {
		s.line("asks", n.text)
	}
	for _, v := range warnings {
		s.line("warning", warn(v, func(id string) string { return "row " + number(id) }))
	}
}

// printRows prints the first rows, with the fault below each cell.
func printRows(w io.Writer, style term.Style, rows capture.Rows, all map[int][]note, most int) {
	if most == 0 {
		return
	}
	grid := make([][]string, 0, most+1)
	head := []string{""}
	for _, f := range rows.Columns {
		head = append(head, term.Clean(f.Title()))
	}
	grid = append(grid, head)
	for i, row := range rows.Rows[:most] {
		line := []string{strconv.Itoa(i + 1)}
		for _, cell := range row.Cells {
			line = append(line, term.Clean(shown(cell)))
		}
		grid = append(grid, line)
	}
	widths := term.Fit(grid, style.Width-2)
	at := make([]int, len(widths)) // where each column begins
	for i := 1; i < len(widths); i++ {
		at[i] = at[i-1] + widths[i-1] + 2
	}
	for i, line := range grid {
		text := term.Line(line, widths, false)
		if i == 0 {
			text = style.Paint(term.Bold, text)
		}
		fmt.Fprintln(w, " ", text)
		if i == 0 {
			continue
		}
		for _, n := range all[i-1] {
			mark := style.Paint(term.Red, "^")
			if n.ask {
				mark = style.Paint(term.Blue, "?")
			}
			fmt.Fprintf(w, "  %s%s %s\n", strings.Repeat(" ", at[n.column+1]), mark, term.Clip(term.Clean(n.text)))
		}
	}
}

// warn says a warning in words; place names a row or an edge for people.
func warn(v capture.Warning, place func(id string) string) string {
	text := fmt.Sprintf("%s %.2f: %s", v.Check, v.Confidence, v.Text())
	const most = 20
	var where []string
	for _, id := range slices.Concat(v.Rows, v.Edges) {
		if len(where) == most {
			where = append(where, "…")
			break
		}
		where = append(where, place(id))
	}
	if len(where) > 0 {
		text += " (" + strings.Join(where, ", ") + ")"
	}
	return text
}

// number is the place of a row or an edge in its list, from 1: its id is a
// letter and that.
func number(id string) string { return id[min(1, len(id)):] }

// writeCSV writes the draft, then the values without a column.
func writeCSV(w io.Writer, rows capture.Rows) error {
	out := csv.NewWriter(w)
	head := make([]string, 0, len(rows.Columns)+len(rows.Unknown))
	for _, f := range rows.Columns {
		head = append(head, f.Title())
	}
	if err := out.Write(append(head, rows.Unknown...)); err != nil {
		return err
	}
	for _, row := range rows.Rows {
		line := make([]string, 0, len(row.Cells)+len(row.Extra))
		for _, c := range row.Cells {
			line = append(line, shown(c))
		}
		if err := out.Write(append(line, row.Extra...)); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// tableJSON is a paste as --json prints it. Rows are counted from 0.
type tableJSON struct {
	Form      string                `json:"form"`
	Header    bool                  `json:"header"`
	Columns   []eval.Column         `json:"columns"`
	Rows      []map[string]ui.Value `json:"rows"`
	Errors    []cellJSON            `json:"errors"`
	Questions []questionJSON        `json:"questions"`
	Warnings  []warningJSON         `json:"warnings"`
	Intro     []string              `json:"intro,omitempty"`
	Unknown   []string              `json:"unknown_columns,omitempty"`
	Extra     map[int][]string      `json:"extra_cells,omitempty"` // row → cells no column took
	More      int                   `json:"rows_left_out,omitempty"`
	Remarks   []string              `json:"remarks,omitempty"`
}

type cellJSON struct {
	Row  int    `json:"row"`
	Col  string `json:"col,omitempty"` // absent: the row
	Code string `json:"code"`
	Raw  string `json:"raw,omitempty"`
}

type questionJSON struct {
	Row   int    `json:"row"` // -1: the column
	Col   string `json:"col,omitempty"`
	Code  string `json:"code"`
	Raw   string `json:"raw"`
	Guess string `json:"guess,omitempty"`
	Other string `json:"other,omitempty"`
	Text  string `json:"text"`
}

type warningJSON struct {
	Check      string   `json:"check"`
	Confidence float64  `json:"confidence"`
	Rows       []string `json:"rows,omitempty"`
	Edges      []string `json:"edges,omitempty"`
	Text       string   `json:"text"`
}

func newTableJSON(rows capture.Rows, warnings []capture.Warning, remarks []string) tableJSON {
	out := tableJSON{Remarks: remarks, Form: string(rows.Form), Header: rows.Header, Columns: []eval.Column{},
		Rows: []map[string]ui.Value{}, Errors: []cellJSON{},
		Questions: []questionJSON{}, Warnings: warningsJSON(warnings), Intro: rows.Intro, Unknown: rows.Unknown,
		More: rows.More}
	title, at := map[string]string{}, map[string]int{}
	for i, f := range rows.Columns {
		title[f.Name], at[f.Name] = f.Label, i
		out.Columns = append(out.Columns,
			eval.Column{Name: f.Label, Type: eval.TypeName(f.Type), Required: f.Required, Options: values(f)})
	}
	for i, row := range rows.Rows {
		cells := map[string]ui.Value{}
		for c, cell := range row.Cells {
			cells[rows.Columns[c].Label] = cell.Value
		}
		out.Rows = append(out.Rows, cells)
		if len(row.Extra) > 0 {
			if out.Extra == nil {
				out.Extra = map[int][]string{}
			}
			out.Extra[i] = row.Extra
		}
	}
	for _, e := range rows.Errors {
		c := cellJSON{Row: e.Row, Col: title[e.Col], Code: e.Code}
		if e.Col != "" {
			c.Raw = rows.Rows[e.Row].Cells[at[e.Col]].Raw
		}
		out.Errors = append(out.Errors, c)
	}
	for _, q := range rows.Questions {
		out.Questions = append(out.Questions,
			questionJSON{q.Row, title[q.Col], q.Code, q.Raw, q.Guess, q.Other, q.Text()})
	}
	return out
}

func warningsJSON(list []capture.Warning) []warningJSON {
	out := []warningJSON{}
	for _, v := range list {
		out = append(out, warningJSON{v.Check, v.Confidence, v.Rows, v.Edges, v.Text()})
	}
	return out
}
