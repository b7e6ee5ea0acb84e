package records

import (
	"archive/zip"
	"context"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/ui"
)

// Formats are the forms of an export, with their media types.
var Formats = map[string]string{
	"csv":  "text/csv; charset=utf-8",
	"json": "application/json",
	"xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}

const (
	exportPage = 200         // records that are read at a time
	saveTime   = time.Minute // from the time of a record until it can be read, if its action is not slow
)

// Export writes all records that fit q, in one of Formats. In CSV and XLSX a record of
// a form is one line, and each row of a table or map is one; a text is never a formula.
// A record that is saved while the pages are read may be missed, or met twice: each is
// written once, and those that were missed come last. pace is called before each page is
// read; its error ends the export.
func Export(ctx context.Context, w io.Writer, format string, a *app.App, from app.Records, q app.RecordQuery,
	pace func() error) error {
	fields, nested := exportFields(a, q.Name)
	head := []ui.Value{ui.String("id"), ui.String("version"), ui.String("saved"), ui.String("author")}
	types := []ui.FieldType{"", "", ui.TypeDateTime, ""}
	for _, f := range fields {
		head, types = append(head, ui.String(f.Name)), append(types, f.Type)
	}
	out, err := newWriter(w, format, types, a.Config().Words)
	if err != nil {
		return err
	}
	if err := out.line(head, nil); err != nil {
		return err
	}
	x := export{app: a, from: from, sort: q.Sort, pace: pace, written: map[string]bool{},
		write: func(r app.Record) error {
			for _, values := range lines(r, nested) {
				cells := []ui.Value{ui.String(r.ID), ui.Int(int64(r.Version)),
					ui.String(r.At.UTC().Format(time.RFC3339)), ui.String(r.Author)}
				for _, f := range fields {
					v, _ := values.Get(f.Name)
					cells = append(cells, v)
				}
				if err := out.line(cells, &r); err != nil {
					return err
				}
				if format == "json" {
					break // the values of a record are whole
				}
			}
			return nil
		}}
	if err := x.all(ctx, q); err != nil {
		return err
	}
	return out.close()
}

// export is one call of Export.
type export struct {
	app     *app.App
	from    app.Records
	sort    string // field that all records have
	pace    func() error
	write   func(app.Record) error
	written map[string]bool // by id
}

// all writes all records that fit q. If they are more than a page, it then reads those that were
// saved since it began, until there is nothing that it has not written.
func (x *export) all(ctx context.Context, q app.RecordQuery) error {
	latest := q
	latest.Sort, latest.Desc, latest.After, latest.Limit = "", true, "", 1
	page, err := x.from.List(ctx, latest)
	if err != nil {
		return err
	}
	var since time.Time
	for _, r := range page.Records {
		since = r.At.Add(-saveTime)
	}
	pages, _, err := x.pages(ctx, q, time.Time{})
	for wrote := 1; err == nil && pages > 1 && wrote > 0; {
		pages, wrote, err = x.pages(ctx, latest, since)
	}
	return err
}

// pages writes the records that fit q and are not written, until it meets one that was
// saved before since.
func (x *export) pages(ctx context.Context, q app.RecordQuery, since time.Time) (pages, wrote int, err error) {
	for q.After, q.Limit = "", exportPage; ; {
		if err := x.pace(); err != nil {
			return pages, wrote, err
		}
		page, err := x.from.List(ctx, q)
		if err != nil {
			return pages, wrote, err
		}
		pages++
		for _, r := range page.Records {
			switch {
			case r.At.Before(since):
				return pages, wrote, nil
			case x.written[r.ID] || !x.sorts(r):
				continue
			}
			x.written[r.ID] = true
			wrote++
			if err := x.write(r); err != nil {
				return pages, wrote, err
			}
		}
		if q.After = page.Next; q.After == "" {
			return pages, wrote, nil
		}
	}
}

// sorts reports whether a record has the field to sort by.
func (x *export) sorts(r app.Record) bool {
	return x.sort == "" || slices.ContainsFunc(terms(x.app, r.Name, r.Values),
		func(t store.Term) bool { return t.Field == x.sort })
}

// exportFields are the columns of an export. nested is the member with the rows of a
// table or map.
func exportFields(a *app.App, name string) (fields []ui.Field, nested string) {
	if t, ok := a.Table(name); ok {
		return t.Columns, name
	}
	if _, ok := a.Map(name); ok {
		return []ui.Field{{Name: "name"}, {Name: "owner"}, {Name: "outcome"}}, "steps"
	}
	return a.RecordLists().Fields(name), ""
}

func lines(r app.Record, nested string) []ui.Value {
	if nested == "" {
		return []ui.Value{r.Values}
	}
	rows, _ := r.Values.Get(nested)
	var out []ui.Value
	for _, row := range rows.Records() {
		out = append(out, row.Cells)
	}
	return out
}

// writer writes lines. r is nil for the head.
type writer interface {
	line(cells []ui.Value, r *app.Record) error
	close() error
}

// newWriter writes columns of these types.
func newWriter(w io.Writer, format string, types []ui.FieldType, words ui.Words) (writer, error) {
	switch format {
	case "csv":
		return csvWriter{csv.NewWriter(w)}, nil
	case "json":
		return &jsonWriter{w: w}, nil
	case "xlsx":
		return newWorkbook(w, types, " … "+words.Say("records.cut"))
	}
	return nil, &ui.Error{Code: app.CodeRecordQuery, Path: "format", Message: "there is no such format",
		Hint: "want csv, json or xlsx"}
}

// text is a value in one cell.
func text(v ui.Value) string {
	switch v.Kind() {
	case ui.StringsValue:
		return strings.Join(v.List(), "; ")
	case ui.BoolValue:
		return strconv.FormatBool(v.True())
	}
	return v.Text()
}

type csvWriter struct{ *csv.Writer }

// line puts an apostrophe before a text that a spreadsheet would run as a formula.
func (w csvWriter) line(cells []ui.Value, _ *app.Record) error {
	record := make([]string, len(cells))
	for i, v := range cells {
		record[i] = text(v)
		if v.Kind() != ui.NumberValue && record[i] != "" && strings.ContainsRune("=+-@\t\r", rune(record[i][0])) {
			record[i] = "'" + record[i]
		}
	}
	return w.Write(record)
}

func (w csvWriter) close() error {
	w.Flush()
	return w.Error()
}

type jsonWriter struct {
	w     io.Writer
	begun bool
}

// JSON is a record as the API and exports have it.
type JSON struct {
	Name         string    `json:"name"`
	ID           string    `json:"id"`
	Version      uint64    `json:"version"`
	Author       string    `json:"author"`
	Conversation string    `json:"conversation,omitempty"`
	Created      time.Time `json:"created"`
	Saved        time.Time `json:"saved"`
	Writable     bool      `json:"writable"`
	Values       ui.Value  `json:"values"`
}

// JSONOf returns r as the API has it.
func JSONOf(r app.Record) JSON {
	return JSON{r.Name, r.ID, r.Version, r.Author, r.Conversation, r.Created, r.At, r.Writable, r.Values}
}

func (w *jsonWriter) line(_ []ui.Value, r *app.Record) error {
	if r == nil {
		_, err := io.WriteString(w.w, "[")
		return err
	}
	b, err := json.Marshal(JSONOf(*r))
	if err != nil {
		return err
	}
	before := "\n"
	if w.begun {
		before = ",\n"
	}
	w.begun = true
	_, err = w.w.Write(append([]byte(before), b...))
	return err
}

func (w *jsonWriter) close() error {
	_, err := io.WriteString(w.w, "\n]\n")
	return err
}

// workbook writes the smallest XLSX file: one sheet, with its texts in the cells.
type workbook struct {
	types []ui.FieldType // of the columns
	cut   string         // ends a text that is cut
	zip   *zip.Writer
	sheet io.Writer
	row   int
}

const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"

func newWorkbook(w io.Writer, types []ui.FieldType, cut string) (*workbook, error) {
	const sheets, packages = "application/vnd.openxmlformats-officedocument.spreadsheetml",
		"http://schemas.openxmlformats.org/package/2006"
	parts := [][2]string{
		{"[Content_Types].xml", `<Types xmlns="` + packages + `/content-types">` +
			`<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
			`<Override PartName="/xl/workbook.xml" ContentType="` + sheets + `.sheet.main+xml"/>` +
			`<Override PartName="/xl/styles.xml" ContentType="` + sheets + `.styles+xml"/>` +
			`<Override PartName="/xl/worksheets/sheet1.xml" ContentType="` + sheets + `.worksheet+xml"/></Types>`},
		{"_rels/.rels", `<Relationships xmlns="` + packages + `/relationships"><Relationship Id="r1" Type="` + office +
			`/officeDocument" Target="xl/workbook.xml"/></Relationships>`},
		{"xl/_rels/workbook.xml.rels", `<Relationships xmlns="` + packages + `/relationships"><Relationship Id="r1" ` +
			`Type="` + office + `/worksheet" Target="worksheets/sheet1.xml"/>` +
			`<Relationship Id="r2" Type="` + office + `/styles" Target="styles.xml"/></Relationships>`},
		{"xl/styles.xml", stylesXML},
		{"xl/workbook.xml", `<workbook xmlns="` + mainXML + `" xmlns:r="` + office +
			`"><sheets><sheet name="Records" sheetId="1" r:id="r1"/></sheets></workbook>`},
		{"xl/worksheets/sheet1.xml", `<worksheet xmlns="` + mainXML + `"><sheetData>`},
	}
	b := &workbook{types: types, cut: cut, zip: zip.NewWriter(w)}
	for _, p := range parts {
		var err error
		if b.sheet, err = b.zip.Create(p[0]); err != nil {
			return nil, err
		}
		if _, err = io.WriteString(b.sheet, xml.Header+p[1]); err != nil {
			return nil, err
		}
	}
	return b, nil
}

const mainXML = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"

// stylesXML has the formats of cells: none, a date, both, and a time, which a spreadsheet
// writes as its user does.
const stylesXML = `<styleSheet xmlns="` + mainXML + `"><fonts count="1"><font/></fonts>` +
	`<fills count="2"><fill><patternFill patternType="none"/></fill>` +
	`<fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders>` +
	`<cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="4"><xf/>` +
	`<xf numFmtId="14" applyNumberFormat="1"/><xf numFmtId="22" applyNumberFormat="1"/>` +
	`<xf numFmtId="20" applyNumberFormat="1"/></cellXfs></styleSheet>`

// moments are the types that a spreadsheet keeps as a number of days, with their style.
var moments = map[ui.FieldType]struct {
	style   int
	layouts []string
}{
	ui.TypeDate:     {1, []string{time.DateOnly}},
	ui.TypeDateTime: {2, []string{"2006-01-02T15:04", "2006-01-02T15:04:05", time.RFC3339}},
	ui.TypeTime:     {3, []string{"15:04", time.TimeOnly}},
}

// moment is a date or a time as a spreadsheet keeps it: the days since the end of 1899. ok
// is false for other texts, and before March 1900, where spreadsheets differ.
func moment(t ui.FieldType, text string) (style int, days float64, ok bool) {
	for _, layout := range moments[t].layouts {
		at, err := time.Parse(layout, text)
		switch {
		case err != nil:
		case t == ui.TypeTime:
			return moments[t].style, at.Sub(time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC)).Hours() / 24, true
		default:
			days = float64(at.Unix()-time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC).Unix()) / (24 * 60 * 60)
			return moments[t].style, days, days >= 61 && at.Year() < 10_000
		}
	}
	return 0, 0, false
}

// line writes texts as inline strings, which are never formulas. r is nil for the head.
func (b *workbook) line(cells []ui.Value, r *app.Record) error {
	b.row++
	var line strings.Builder
	fmt.Fprintf(&line, `<row r="%d">`, b.row)
	for i, v := range cells {
		style, days, ok := moment(b.types[i], v.Text())
		switch {
		case v.Kind() == ui.NumberValue:
			line.WriteString(`<c><v>` + v.Text() + `</v></c>`)
			continue
		case ok && r != nil:
			fmt.Fprintf(&line, `<c s="%d"><v>%s</v></c>`, style, strconv.FormatFloat(days, 'f', -1, 64))
			continue
		case v.Kind() == ui.BoolValue && v.True():
			line.WriteString(`<c t="b"><v>1</v></c>`)
			continue
		case v.Kind() == ui.BoolValue:
			line.WriteString(`<c t="b"><v>0</v></c>`)
			continue
		}
		line.WriteString(`<c t="inlineStr"><is><t xml:space="preserve">`)
		_ = xml.EscapeText(&line, []byte(cell(text(v), b.cut))) // a Builder takes everything
		line.WriteString(`</t></is></c>`)
	}
	_, err := io.WriteString(b.sheet, line.String()+`</row>`)
	return err
}

// maxCell is how many characters a cell of a workbook holds, in UTF-16. A spreadsheet
// does not open a file with a longer one.
const maxCell = 32_767

// cell is a text as a cell holds it: one that is too long is cut and ends with note.
func cell(s, note string) string {
	n, cut := 0, 0 // units; where the note fits
	for i, r := range s {
		if n <= maxCell-len(note) { // it has at most as many units as bytes
			cut = i
		}
		if n += max(utf16.RuneLen(r), 1); n > maxCell {
			return s[:cut] + note
		}
	}
	return s
}

func (b *workbook) close() error {
	if _, err := io.WriteString(b.sheet, `</sheetData></worksheet>`); err != nil {
		return err
	}
	return b.zip.Close()
}
