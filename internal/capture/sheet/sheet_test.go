package sheet_test

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/xuri/excelize/v2"
	"pgregory.net/rapid"

	"github.com/limn-ui/limn/internal/capture"
	"github.com/limn-ui/limn/internal/capture/sheet"
	"github.com/limn-ui/limn/ui"
)

// book saves what build writes into a new workbook.
func book(t testing.TB, build func(f *excelize.File)) []byte {
	t.Helper()
	f := excelize.NewFile()
	defer f.Close()
	build(f)
	var b bytes.Buffer
	if err := f.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func put(f *excelize.File, cells ...any) {
	for i := 0; i < len(cells); i += 2 {
		if err := f.SetCellValue("Sheet1", cells[i].(string), cells[i+1]); err != nil {
			panic(err)
		}
	}
}

func style(f *excelize.File, cell string, s excelize.Style) {
	id, err := f.NewStyle(&s)
	if err == nil {
		err = f.SetCellStyle("Sheet1", cell, cell, id)
	}
	if err != nil {
		panic(err)
	}
}

func TestWorkbook(t *testing.T) {
	t.Parallel()
	day := time.Date(2025, 3, 14, 0, 0, 0, 0, time.UTC)
	code := func(s string) excelize.Style { return excelize.Style{CustomNumFmt: &s} }
	data := book(t, func(f *excelize.File) {
		put(f, "B2", "Vendors of 2025")                                                 // a title above the table
		put(f, "B4", "Vendor", "C4", "Cost", "D4", "Renewal", "E4", "Code", "F4", "At") // and not in the corner
		put(f, "B5", "Acme, Inc.", "C5", 1250.5, "D5", day, "E5", "007", "F5", day.Add(15*time.Hour))
		style(f, "C5", code(`#,##0.00 "€"`))
		style(f, "D5", excelize.Style{NumFmt: 14})
		style(f, "F5", code("dd/mm/yyyy hh:mm"))
		put(f, "B6", "Tab\tand \"quote\"\nline", "C6", 0.000000123456789012345, "D6", day, "E6", "1E5", "F6", 0.75)
		style(f, "D6", code(`[$-407]d. mmmm yyyy;@`))
		style(f, "F6", excelize.Style{NumFmt: 20})
		put(f, "B7", "Globex", "C7", 12345678901234567.0, "E7", true)
		if err := f.SetRowVisible("Sheet1", 7, false); err != nil {
			t.Fatal(err)
		}
		if err := f.SetCellFormula("Sheet1", "D7", "TODAY()"); err != nil {
			t.Fatal(err)
		}
		put(f, "B8", "Hooli", "C8", 0.12)
		style(f, "C8", excelize.Style{NumFmt: 9})
		if err := f.MergeCell("Sheet1", "B8", "B9"); err != nil {
			t.Fatal(err)
		}
		put(f, "C9", -3)
		style(f, "C9", code(`0" days"`))
		if _, err := f.NewSheet("Other"); err != nil {
			t.Fatal(err)
		}
	})
	text, info, err := sheet.Text(sheet.File{Name: "vendors.xlsx", Data: data}, sheet.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	want := "sep=\t\n" +
		"\tVendors of 2025\n" +
		"\tVendor\tCost\tRenewal\tCode\tAt\n" +
		"\tAcme, Inc.\t1250.5\t2025-03-14\t007\t2025-03-14 15:00\n" +
		"\t\"Tab\tand \"\"quote\"\"\nline\"\t0.000000123456789012345\t2025-03-14\t1E5\t18:00\n" +
		"\tGlobex\t12345678901234600\t\tTRUE\n" +
		"\tHooli\t0.12\n" +
		"\tHooli\t-3\n"
	if diff := cmp.Diff(want, text); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	wantInfo := sheet.Info{Kind: sheet.Workbook, Sheet: "Sheet1", Sheets: []string{"Sheet1", "Other"}, Rows: 7,
		Columns: 6, HiddenRows: 1, Merged: 1, NoValue: 1}
	if diff := cmp.Diff(wantInfo, info); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	wantNotes := []string{"Sheet Sheet1 of 2 was read.", "1 hidden row is included.",
		"1 merged cell is repeated in each of its rows.", "1 formula has no stored result and is empty."}
	if diff := cmp.Diff(wantNotes, info.Notes(nil)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	rows := capture.Table(text, []ui.Field{{Name: "vendor", Type: ui.TypeText}, {Name: "cost", Type: ui.TypeNumber},
		{Name: "renewal", Type: ui.TypeDate}})
	if len(rows.Rows) != 5 || len(rows.Errors) != 0 || rows.Rows[1].Cells[0].Raw != "Tab\tand \"quote\"\nline" ||
		rows.Rows[0].Cells[2].Value.Text() != "2025-03-14" {
		t.Errorf("read back: %+v", rows)
	}
}

func TestSheets(t *testing.T) {
	t.Parallel()
	data := book(t, func(f *excelize.File) {
		for _, name := range []string{"Blank", "Data"} {
			if _, err := f.NewSheet(name); err != nil {
				t.Fatal(err)
			}
		}
		if err := f.SetCellValue("Data", "A1", "x"); err != nil {
			t.Fatal(err)
		}
	})
	for name, want := range map[string]string{"": "Data", "data": "Data", "Blank": "SHEET_EMPTY",
		"none": "SHEET_NOT_FOUND"} {
		_, info, err := sheet.Text(sheet.File{Data: data, Sheet: name}, sheet.Limits{})
		if got := answer(info.Sheet, err); got != want {
			t.Errorf("sheet %q: %s, want %s", name, got, want)
		}
	}
}

// answer is the code of an error, else what was got. Every error has a hint.
func answer(got string, err error) string {
	var e *ui.Error
	switch {
	case err == nil:
		return got
	case !errors.As(err, &e):
		return "an error without a code: " + err.Error()
	case e.Hint == "" || e.Message == "":
		return "no hint: " + err.Error()
	}
	return string(e.Code)
}

func TestText(t *testing.T) {
	t.Parallel()
	utf16 := func(s string) string {
		out := "\xff\xfe"
		for _, r := range s {
			out += string([]byte{byte(r), byte(r >> 8)})
		}
		return out
	}
	for _, c := range []struct{ name, media, data, want string }{
		{"a.csv", "", "\xef\xbb\xbfName,Ort\nJürgen,Köln", "sep=,\nName,Ort\nJürgen,Köln"},
		{"a.csv", "", "Name;Ort\nJ\xfcrgen;K\xf6ln \x80", "sep=;\nName;Ort\nJürgen;Köln €"},
		{"a.csv", "", utf16("Name\tOrt\r\nJürgen\tKöln"), "sep=\t\nName\tOrt\r\nJürgen\tKöln"},
		{"", "text/csv; charset=utf-8", "a|b|c\nd|e|f", "sep=|\na|b|c\nd|e|f"},
		{"a.csv", "", "\"Smith, J\"\n\"Doe, A\"", "sep=,\n\"Smith, J\"\n\"Doe, A\""},
		{"a.csv", "", strings.Repeat("a,b\r", 200), "sep=,\n" + strings.Repeat("a,b\n", 200)},
		{"a.csv", "", "sep=;\ra,1;b\r", "sep=;\na,1;b\n"},
		{"a.csv", "", "sep=;\na,1;b\nc,2;d", "sep=;\na,1;b\nc,2;d"},
		{"a.csv", "", "a;\"x,y,z\"\nb;\"u,v,w\"", "sep=;\na;\"x,y,z\"\nb;\"u,v,w\""},
		{"a.tsv", "", "a,1\tb", "sep=\t\na,1\tb"},
		{"notes.txt", "text/csv", "Ann (CFO)\nBob (CIO)", "Ann (CFO)\nBob (CIO)"},
		{"notes", "text/plain", "Ann – CFO", "Ann – CFO"},
		// errors
		{"a.csv", "", " \n", "SHEET_EMPTY"},
		{"a.csv", "", "", "SHEET_EMPTY"},
		{"a.csv", "", "a\x00b", "SHEET_TYPE"},
		{"a.pdf", "", "%PDF-1.4\x00\x01\x02", "SHEET_TYPE"},
		{"a.csv", "", strings.Repeat("\x01\x02", 50), "SHEET_TYPE"},
		{"a.csv", "", "\xff\xfea\x00\x00\x00", "SHEET_TYPE"},
		{"a.csv", "", strings.Repeat("a,", 9_999) + "a\n", "SHEET_TOO_LARGE"},
		{"a.csv", "", strings.Repeat("a,b\n", 20_001), "SHEET_TOO_LARGE"},
		{"a.xls", "", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + strings.Repeat("\x00", 600), "SHEET_TYPE"},
		{"a.xlsx", "", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + utf16("EncryptedPackage"), "SHEET_UNREADABLE"},
		{"a.xlsx", "", "PK\x03\x04 no archive", "SHEET_UNREADABLE"},
		{"a.xlsx", "", "PK\x05\x06" + strings.Repeat("\x00", 18), "SHEET_TYPE"},
	} {
		got, _, err := sheet.Text(sheet.File{Name: c.name, MediaType: c.media, Data: []byte(c.data)}, sheet.Limits{})
		if got = answer(got, err); got != c.want {
			t.Errorf("%s %s %.40q:\n got %q\nwant %q", c.name, c.media, c.data, got, c.want)
		}
	}
}

// archive packs parts as they are, in order.
func archive(t testing.TB, parts ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i := 0; i < len(parts); i += 2 {
		p, err := w.Create(parts[i])
		if err == nil {
			_, err = p.Write([]byte(parts[i+1]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

const (
	rootRels = `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>`
	bookRels = `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`
	bookXML  = `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="S" sheetId="1" r:id="r1"/></sheets></workbook>`
)

// bare is a workbook of one hand-made sheet.
func bare(t testing.TB, sheetData string, more ...string) []byte {
	return archive(t, append([]string{"_rels/.rels", rootRels, "xl/workbook.xml", bookXML, "xl/_rels/workbook.xml.rels",
		bookRels,
		"xl/worksheets/sheet1.xml", `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">` +
			sheetData}, more...)...)
}

// Hostile workbooks end with a code, within time and memory that the limits set.
func TestHostile(t *testing.T) {
	t.Parallel()
	cell := func(ref, v string) string { return `<c r="` + ref + `"><v>` + v + `</v></c>` }
	rows := func(inner string) string { return "<sheetData>" + inner + "</sheetData></worksheet>" }
	shared := func(strings ...string) (row string) { // a row of one cell for each number of a shared string
		for _, n := range strings {
			row += `<row><c t="s"><v>` + n + "</v></c></row>"
		}
		return row
	}
	whole := bare(t, rows("<row>"+cell("A1", "1")+"</row>"))
	flipped := bytes.Replace(whole, []byte("PK\x01\x02"), []byte("PK\x01\x03"), 1)
	corrupt := bytes.Clone(whole)
	corrupt[bytes.Index(corrupt, []byte("sheet1.xml"))+30] ^= 0xff // inside the compressed sheet
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"a small one":          {whole, "sep=\t\n1\n"},
		"zip bomb":             {bare(t, rows(shared("0")), "xl/sharedStrings.xml", strings.Repeat("<si/>", 14<<20)), "SHEET_TOO_LARGE"},
		"many strings":         {bare(t, rows(shared("0")), "xl/sharedStrings.xml", "<sst>"+strings.Repeat("<si/>", 5<<20)+"</sst>"), "SHEET_TOO_LARGE"},
		"one long string":      {bare(t, rows(shared("0")), "xl/sharedStrings.xml", "<sst><si><t>"+strings.Repeat("x", 20<<20)+"</t></si></sst>"), "SHEET_TOO_LARGE"},
		"a string above 32767": {bare(t, rows(shared("0")), "xl/sharedStrings.xml", "<sst><si><t>"+strings.Repeat("x", 32_768)+"</t></si></sst>"), "SHEET_TOO_LARGE"},
		"a cell above 32767":   {bare(t, rows(`<row><c t="inlineStr"><is><t>`+strings.Repeat("ä", 32_768)+"</t></is></c></row>")), "SHEET_TOO_LARGE"},
		"cells times string":   {bare(t, rows(shared(strings.Fields(strings.Repeat("0 ", 300))...)), "xl/sharedStrings.xml", "<sst><si><t>"+strings.Repeat("x", 32_767)+"</t></si></sst>"), "SHEET_TOO_LARGE"},
		"rows times merged":    {bare(t, "<sheetData><row><c t=\"str\"><v>"+strings.Repeat("x", 32_767)+"</v></c></row>"+strings.Repeat(`<row><c r="B1"><v>1</v></c></row>`, 300)+`</sheetData><mergeCell ref="A1:A400"/></worksheet>`), "SHEET_TOO_LARGE"},
		"parts nobody names":   {bare(t, rows("<row>"+cell("A1", "1")+"</row>"), "xl/worksheets/a.xml", strings.Repeat(" ", 70<<20)), "sep=\t\n1\n"},
		"a long attribute":     {bare(t, `<sheetData a="`+strings.Repeat("x", 20<<20)+`"/></worksheet>`), "SHEET_TOO_LARGE"},
		"an entity":            {bare(t, `<!DOCTYPE x [<!ENTITY a "b">]>`+rows("<row><c><v>&a;</v></c></row>")), "SHEET_UNREADABLE"},
		"formats":              {bare(t, rows("<row>"+cell("A1", "1")+"</row>"), "xl/styles.xml", `<styleSheet><numFmt numFmtId="200" formatCode="`+strings.Repeat("m", 400_000)+`h"/></styleSheet>`), "sep=\t\n1\n"},
		"other parts are free": {bare(t, rows("<row>"+cell("A1", "1")+"</row>"), "xl/media/a.bmp", strings.Repeat(" ", 70<<20)), "sep=\t\n1\n"},
		"16,384 columns":       {bare(t, rows(strings.Repeat("<row>"+cell("XFD1", "1")+"</row>", 50_000))), "SHEET_TOO_LARGE"},
		"too many rows":        {bare(t, rows(strings.Repeat("<row>"+cell("A1", "1")+"</row>", 20_001))), "SHEET_TOO_LARGE"},
		"too many cells":       {bare(t, rows(strings.Repeat("<row>"+strings.Repeat("<c><v>1</v></c>", 200)+"</row>", 2_001))), "SHEET_TOO_LARGE"},
		"the last row":         {bare(t, rows(`<row r="1048576">`+cell("A1048576", "1")+"</row>")), "sep=\t\n1\n"},
		"beyond the last row":  {bare(t, rows(`<row r="9223372036854775807">`+cell("A1", "1")+"</row>")), "SHEET_UNREADABLE"},
		"no such string":       {bare(t, rows(`<row><c t="s"><v>-7</v></c></row>`)), "SHEET_UNREADABLE"},
		"many merges":          {bare(t, rows("")+strings.Repeat(`<mergeCell ref="A1:A9"/>`, 10_001)), "SHEET_TOO_LARGE"},
		"cut off":              {bare(t, "<sheetData><row>"+cell("A1", "1")), "SHEET_UNREADABLE"},
		"no XML":               {bare(t, rows("<row>&&&</row>")), "SHEET_UNREADABLE"},
		"deep":                 {bare(t, rows(strings.Repeat("<x>", 1_000_000))), "SHEET_UNREADABLE"},
		"1e309":                {bare(t, rows("<row>"+cell("A1", "1e309")+"</row>")), "sep=\t\n1e309\n"},
		"damaged":              {corrupt, "SHEET_UNREADABLE"},
		"no directory":         {flipped, "SHEET_UNREADABLE"},
		"another archive":      {archive(t, "word/document.xml", "<w/>"), "SHEET_TYPE"},
		"no sheet":             {archive(t, "xl/workbook.xml", "<workbook/>"), "SHEET_UNREADABLE"},
		"too many parts":       {archive(t, strings.Fields(strings.Repeat("a b ", 5_001))...), "SHEET_TOO_LARGE"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, _, err := sheet.Text(sheet.File{Name: "a.xlsx", Data: c.data}, sheet.Limits{})
			if got = answer(got, err); got != c.want {
				t.Errorf("got %.200s (%v), want %s", got, err, c.want)
			}
		})
	}
	if _, _, err := sheet.Text(sheet.File{Data: whole}, sheet.Limits{Bytes: 100}); answer("", err) != "SHEET_TOO_LARGE" {
		t.Errorf("a file above the limit: %v", err)
	}
	lying := bare(t, rows(strings.Repeat(" ", 1<<20)))
	at := bytes.LastIndex(lying, []byte("PK\x01\x02")) // the directory entry of the sheet says 100 bytes
	copy(lying[at+24:at+28], []byte{100, 0, 0, 0})
	if _, _, err := sheet.Text(sheet.File{Data: lying}, sheet.Limits{}); answer("", err) != "SHEET_UNREADABLE" {
		t.Errorf("an archive that lies about sizes: %v", err)
	}
}

// TestShapes reads what other programs than the library of these tests write.
func TestShapes(t *testing.T) {
	t.Parallel()
	styles := `<styleSheet><numFmts><numFmt numFmtId="170" formatCode="yyyy\\-mm\\-dd"/></numFmts><cellStyleXfs><xf numFmtId="9"/></cellStyleXfs>` +
		`<cellXfs><xf numFmtId="0"/><xf numFmtId="170"/><xf numFmtId="46"/><xf numFmtId="22"/></cellXfs></styleSheet>`
	rels := strings.Replace(bookRels, "</Rel",
		`<Relationship Id="r2" Type="http://x/styles" Target="/xl/styles.xml"/><Relationship Id="r3" Type="http://x/sharedStrings" Target="texts.xml"/></Rel`, 1)
	texts := `<x:sst><x:si><x:r><x:t xml:space="preserve">two </x:t></x:r><x:r><x:t>runs</x:t></x:r><x:rPh><x:t>no</x:t></x:rPh></x:si><x:si><x:t>a_x000D__x005F_b</x:t></x:si></x:sst>`
	for name, c := range map[string]struct{ workbook, data, want string }{
		"rows and cells out of order": {bookXML, `<row r="3"><c r="B3"><v>4</v></c><c r="A3"><v>3</v></c></row><row r="1"><c r="C1"><v>1</v></c></row>`, "\t\t1\n3\t4\n"},
		"cells without references":    {bookXML, `<row><c><v>1</v></c><c/><c><v>2</v></c></row>`, "1\t\t2\n"},
		"prefixes and shared strings": {bookXML, `<x:row><x:c t="s"><x:v>0</x:v></x:c><x:c t="s"><x:v>1</x:v></x:c></x:row>`, "two runs\t\"a\n_b\"\n"},
		"errors, flags, formulas":     {bookXML, `<row><c t="e"><v>#N/A</v></c><c t="b"><v>0</v></c><c t="str"><f>A1&amp;"x"</f><v>x</v></c></row>`, "#N/A\tFALSE\tx\n"},
		"dates":                       {bookXML, `<row><c s="1"><v>59</v></c><c s="1"><v>61</v></c><c s="2"><v>1.5</v></c><c s="3"><v>45000.9999999</v></c><c s="1"><v>-1</v></c><c t="d"><v>2025-03-14T00:00:00</v></c></row>`, "1900-02-28\t1900-03-01\t36:00:00\t2023-03-16 00:00\t-1\t2025-03-14\n"},
		"dates from 1904":             {strings.Replace(bookXML, "<sheets>", `<workbookPr date1904="1"/><sheets>`, 1), `<row><c s="1"><v>0</v></c></row>`, "1904-01-01\n"},
		"numbers":                     {bookXML, `<row><c><v>0.30000000000000004</v></c><c><v>1E5</v></c><c s="9"><v>-0.5</v></c></row>`, "0.3\t100000\t-0.5\n"},
		"a hidden sheet first":        {strings.Replace(bookXML, "<sheets>", `<sheets><sheet name="lists" state="hidden" r:id="r9"/>`, 1), `<row><c><v>1</v></c></row>`, "1\n"},
	} {
		data := archive(t, "_rels/.rels", rootRels, "xl/workbook.xml", c.workbook, "xl/_rels/workbook.xml.rels",
			strings.Replace(rels, "</Rel",
				`<Relationship Id="r9" Type="http://x/worksheet" Target="worksheets/hidden.xml"/></Rel`, 1),
			"xl/worksheets/sheet1.xml", "<worksheet><sheetData>"+c.data+"</sheetData></worksheet>", "xl/styles.xml",
			styles, "xl/texts.xml", texts,
			"xl/worksheets/hidden.xml", "<worksheet><row><c><v>9</v></c></row></worksheet>")
		got, _, err := sheet.Text(sheet.File{Name: "a.xlsx", Data: data}, sheet.Limits{})
		if got = answer(got, err); got != "sep=\t\n"+c.want {
			t.Errorf("%s: %q (%v), want %q", name, got, err, c.want)
		}
	}
}

// TestStop: what takes too long ends, wherever the reader is.
func TestStop(t *testing.T) {
	t.Parallel()
	for name, f := range map[string]sheet.File{
		"workbook": {Data: bare(t, "<sheetData>"+strings.Repeat("<row><c><v>1</v></c></row>", 10_000)+"</sheetData></worksheet>")},
		"csv":      {Name: "a.csv", Data: []byte(strings.Repeat("a,b\n", 10_000))},
	} {
		left := 3
		stop := func() error {
			if left--; left < 0 {
				return context.DeadlineExceeded
			}
			return nil
		}
		if _, _, err := sheet.Text(f, sheet.Limits{Stop: stop}); answer("", err) != "SHEET_TOO_SLOW" ||
			!errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestMuchText: more text than is wanted is refused before it is split.
func TestMuchText(t *testing.T) {
	for name, data := range map[string]string{"commas": strings.Repeat(",", 8<<20),
		"quotes": strings.Repeat(`"`, 8<<20), "lines": strings.Repeat("a\n", 4<<20)} {
		before := testing.AllocsPerRun(1, func() {
			if _, _, err := sheet.Text(sheet.File{Name: "a.csv", Data: []byte(data)}, sheet.Limits{Text: 512 << 10}); answer("", err) != "SHEET_TOO_LARGE" {
				t.Errorf("%s: %v", name, err)
			}
		})
		if before > 20 {
			t.Errorf("%s: %v allocations", name, before)
		}
	}
}

// Any cells written to a workbook come back out of capture.Table.
func TestRoundTrip(t *testing.T) {
	t.Parallel()
	text := rapid.SampledFrom([]string{"", "a", "Smith, J", "x;y", "tab\there", "two\nlines", `say "hi"`, "| a | b |",
		"|--|", "- item", "Ann (CFO)", "a: b", "007", "1,250.00", "03/04/2025", "sep=;", "a -> b", "=SUM(A1)", "日本",
		"Ω", "1. one"})
	rapid.Check(t, func(t *rapid.T) {
		width := rapid.IntRange(1, 3).Draw(t, "width")
		var columns []ui.Field
		for i := range width {
			columns = append(columns, ui.Field{Name: fmt.Sprintf("c%d", i), Label: fmt.Sprintf("Column %d", i),
				Type: ui.TypeText})
		}
		f := excelize.NewFile()
		defer f.Close()
		var want [][]string
		for n := range rapid.IntRange(1, 6).Draw(t, "rows") {
			row := rapid.SliceOfN(text, width, width).Draw(t, "row")
			for i, cell := range row {
				at, _ := excelize.CoordinatesToCellName(i+1, n+1)
				if err := f.SetCellStr("Sheet1", at, cell); err != nil {
					t.Fatal(err)
				}
			}
			if strings.Join(row, "") != "" {
				want = append(want, row)
			}
		}
		var b bytes.Buffer
		if err := f.Write(&b); err != nil {
			t.Fatal(err)
		}
		out, _, err := sheet.Text(sheet.File{Data: b.Bytes()}, sheet.Limits{})
		if len(want) == 0 {
			if answer("", err) != "SHEET_EMPTY" {
				t.Fatalf("an empty sheet: %v", err)
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		var got [][]string
		for _, r := range capture.Table(out, columns).Rows {
			var row []string
			for _, c := range r.Cells {
				row = append(row, c.Raw)
			}
			got = append(got, row)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%q (-want +got)\n%s", out, diff)
		}
	})
}

// FuzzText gives any bytes, and FuzzWorkbook any parts in a whole archive, since
// a changed archive fails at its checksums.
func FuzzText(f *testing.F) {
	f.Add("a.csv", []byte("a,b\n\"c,d"))
	f.Add("a.csv", []byte("\xff\xfea\x00;\x00b\x00"))
	f.Add("a.xlsx", bare(f, "<sheetData/></worksheet>"))
	f.Fuzz(func(t *testing.T, name string, data []byte) { small(t, name, data) })
}

func FuzzWorkbook(f *testing.F) {
	f.Add(`<sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>x</t></is></c><c><f>1</f></c></row></sheetData><mergeCell ref="A1:A3"/></worksheet>`, "", "")
	f.Add(`<sheetData><row><c s="1"><v>45000</v></c><c t="s"><v>0</v></c></row></sheetData></worksheet>`,
		`<styleSheet><numFmts><numFmt numFmtId="170" formatCode="[h]d&quot;"/></numFmts><cellXfs><xf/><xf numFmtId="170"/></cellXfs></styleSheet>`, `<sst><si><t>x</t></si></sst>`)
	f.Fuzz(func(t *testing.T, data, styles, texts string) {
		small(t, "a.xlsx", bare(t, data, "xl/styles.xml", styles, "xl/sharedStrings.xml", texts))
	})
}

// small reads within low limits and wants text or a code.
func small(t *testing.T, name string, data []byte) {
	text, info, err := sheet.Text(sheet.File{Name: name, Data: data},
		sheet.Limits{Bytes: 1 << 20, Unpacked: 4 << 20, Rows: 200, Columns: 20, Cells: 1000})
	if got := answer("", err); err != nil && !strings.HasPrefix(got, "SHEET_") || err != nil && text != "" {
		t.Fatalf("%s %q", got, text)
	}
	info.Notes(nil)
}

func ExampleText() {
	text, info, err := sheet.Text(sheet.File{Name: "vendors.csv", Data: []byte("Vendor;Cost\nK\xf6nig;1.250,00")},
		sheet.Limits{})
	fmt.Printf("%q %s %d %v\n", text, info.Encoding, info.Rows, err)
	// Output: "sep=;\nVendor;Cost\nKönig;1.250,00" windows-1252 2 <nil>
}
