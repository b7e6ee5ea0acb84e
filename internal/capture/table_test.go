package capture_test

import (
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/limn-ui/limn/internal/capture"
	"github.com/limn-ui/limn/ui"
)

func people() []ui.Field {
	return []ui.Field{
		{Name: "name", Label: "Name", Type: ui.TypeText, Required: true},
		{Name: "role", Label: "Role", Type: ui.TypeText},
		{Name: "influence", Label: "Influence", Type: ui.TypeChoice, Options: []ui.Option{{Value: "High"}, {Value: "Medium"}, {Value: "Low"}}},
	}
}

func column(t ui.FieldType) []ui.Field {
	return []ui.Field{{Name: "item", Label: "Item", Type: ui.TypeText}, {Name: "x", Label: "X", Type: t}}
}

// show writes rows as cells joined by "|", rows by "/", then the errors.
func show(r capture.Rows) string {
	var rows []string
	for _, row := range r.Rows {
		var cells []string
		for _, c := range row.Cells {
			s := c.Value.Text()
			if c.Value.IsNull() {
				s = "∅"
				if c.Raw != "" {
					s += c.Raw
				}
			}
			cells = append(cells, s)
		}
		for _, e := range row.Extra {
			cells = append(cells, "+"+e)
		}
		rows = append(rows, strings.Join(cells, "|"))
	}
	out := string(r.Form) + ": " + strings.Join(rows, "/")
	for _, e := range r.Errors {
		out += fmt.Sprintf(" !%d.%s.%s", e.Row, e.Col, e.Code)
	}
	return out
}

func TestTable(t *testing.T) {
	t.Parallel()
	vendor := []ui.Field{{Name: "vendor", Label: "Vendor", Type: ui.TypeText, Required: true}}
	for _, c := range []struct {
		text    string
		columns []ui.Field
		want    string
	}{
		// markdown
		{"| Name | Role |\n|:--|--:|\n| A\\|B | x |\n| C | |", people(), "markdown: A|B|x|∅/C|∅|∅"},
		{"|Role|Name|\n|--|--|\n|x|A|\n|y|B|", people(), "markdown: A|x|∅/B|y|∅"},
		{"|Name|Role|\n|-|-|\n|**A**|`x`|\n|B|a_b|", people(), "markdown: A|x|∅/B|a_b|∅"},
		{"```\nName,Role\nA,x\nB,y\n```", people(), "csv: A|x|∅/B|y|∅"},
		// what other programs write, with words before it, and an object a line
		{"Our list:\n[{\"name\":\"A\",\"role\":\"x\"}]", people(), "json: A|x|∅"},
		{"{\"name\":\"A\"}\n{\"name\":\"B\",\"role\":\"y\"}", people(), "json: A|∅|∅/B|y|∅"},
		// letters
		{"Dear all,\n\nplease find them below.\n\nName;Role\nA;x\nB;y\n\nKind regards\nC", people(), "csv: A|x|∅/B|y|∅"},
		// slashes, ideographic commas, sentences
		{"1. A / x\n2. B / y", people(), "bullets: A|x|∅/B|y|∅"},
		{"甲、乙\n丙、丁", column(ui.TypeText), "csv: 甲|乙/丙|丁"},
		{"Ann is project manager, Bob does testing and Cleo runs the bar.", people()[:2],
			"inline: Ann|project manager/Bob|testing/Cleo|bar"},
		// tabs
		{"Name\tRole\tInfluence\nA\tx\thigh\nB\ty\tLOW", people(), "tabs: A|x|High/B|y|Low"},
		{"A\tx\thigh\r\nB\t\tlow\r\n", people(), "tabs: A|x|High/B|∅|Low"},
		// CSV and semicolons
		{"\uFEFFName,Role\r\n\"Smith, J\",\"a \"\"b\"\"\"\r\n\r\nK,c", people(), "csv: Smith, J|a \"b\"|∅/K|c|∅"},
		{"Influence,Name\nhigh,A\nlow,B", people(), "csv: A|∅|High/B|∅|Low"},
		{"A;x;High\nB;y;Low", people(), "csv: A|x|High/B|y|Low"},
		{"Item;X\nA;1.250\nB;9", column(ui.TypeNumber), "csv: A|1250/B|9"},
		{"Item;X\nA;1.250\nB;1.5", column(ui.TypeNumber), "csv: A|1.25/B|1.5"},
		{"Item;X\nA;1.250\nB;1.5\nC;2,5", column(ui.TypeNumber), "csv: A|1250/B|1.5/C|2.5"},
		{"A,x,High,more\nB,y,Low", people(), "csv: A|x|High|+more/B|y|Low !0..extra_cells"},
		{"A\tx\nB\ty\nName\tRole\nC\tz\nName\tRole\nD\tq", people(), "tabs: A|x|∅/B|y|∅/C|z|∅/D|q|∅"},
		{"A,x,Huge\n,y,Low", people(), "csv: A|x|∅Huge/∅|y|Low !0.influence.not_in_enum !1.name.required_missing"},
		{"Name,Shoe size,Role\nA,42,x\nB,39,y", people(), "csv: A|x|∅|+42/B|y|∅|+39"},
		{"Name,Role\nA,\"unclosed\nB,y", people(), "csv: A|\"unclosed|∅/B|y|∅"},
		{"Name,Role\nA,\"two\nlines\"", people(), "csv: A|two\nlines|∅"},
		// near misses of CSV: sentences are no cells
		{"Well, this is a rather long sentence about nothing at all.\nYes, and here is another one that goes on and on.", vendor, "lines: Well, this is a rather long sentence about nothing at all./Yes, and here is another one that goes on and on."},
		// bullets and numbers
		{"- Acme\n* Globex\n• Initech", vendor, "bullets: Acme/Globex/Initech"},
		{"1. Acme\n2) 3M\n10. Hooli", vendor, "bullets: Acme/3M/Hooli"},
		{"Our vendors:\n- Acme, Inc.\n- Globex", vendor, "bullets: Acme, Inc./Globex"},
		{"- Ana – CFO – high\n- Ben – CIO – low", people(), "bullets: Ana|CFO|High/Ben|CIO|Low"},
		{"-5\n-7", vendor, "lines: -5/-7"},
		{"3M\n7-Eleven", vendor, "lines: 3M/7-Eleven"},
		// dashes, parentheses, colons
		{"Ana Lo - CFO - high\nJean-Luc Po - Co-founder - low", people(), "dashes: Ana Lo|CFO|High/Jean-Luc Po|Co-founder|Low"},
		{"Ana (CFO)\nBen (Head (EMEA))", people(), "parens: Ana|CFO|∅/Ben (Head|EMEA)|∅"},
		{"Ana: CFO\nBen: Head: Legal", people(), "colons: Ana|CFO|∅/Ben|Head: Legal|∅"},
		{"https://a.example\nhttps://b.example", vendor, "lines: https://a.example/https://b.example"},
		// inline
		{"Acme, Globex and Hooli", vendor, "inline: Acme/Globex/Hooli"},
		{"Vendors: Acme; Globex, Inc.; Hooli.", vendor, "inline: Acme/Globex, Inc./Hooli"},
		{"甲、乙、丙", vendor, "inline: 甲/乙/丙"},
		{"Ana (CFO), Ben (CIO)", people(), "inline: Ana|CFO|∅/Ben|CIO|∅"},
		{"Salt and Pepper", vendor, "lines: Salt and Pepper"},
		// nothing
		{" \n\t\n", vendor, ": "},
		{"007\n042", vendor, "lines: 007/042"},
	} {
		got := show(capture.Table(c.text, c.columns))
		if got != c.want {
			t.Errorf("%q\n got %s\nwant %s", c.text, got, c.want)
		}
	}
}

func TestCells(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		typ        ui.FieldType
		raw, want  string // want: value, or !code
		otherCells string // further cells of the column, separated by ;
	}{
		{ui.TypeNumber, "1,250.00", "1250", ""}, {ui.TypeNumber, "$15.50", "15.5", ""}, {ui.TypeNumber, "1.250,75", "1250.75", ""}, {ui.TypeNumber, "12,5", "12.5", ""},
		{ui.TypeNumber, "R$ 45,90", "45.9", ""}, {ui.TypeNumber, "340 zł", "340", ""}, {ui.TypeNumber, "₩9,000", "9000", ""}, {ui.TypeNumber, "１８", "18", ""}, {ui.TypeNumber, "R45", "!not_a_number", ""}, {ui.TypeNumber, "5²", "!not_a_number", ""},
		{ui.TypeNumber, "₹3,40,000", "340000", ""}, {ui.TypeNumber, "1,20,45,000.5", "12045000.5", ""}, {ui.TypeNumber, "1,20,450,000", "!not_a_number", ""},
		{ui.TypeNumber, "1.250", "1.25", ""}, {ui.TypeNumber, "1.250", "1250", "3,5"}, {ui.TypeNumber, "12 000 €", "12000", ""}, {ui.TypeNumber, "(40)", "-40", ""}, {ui.TypeNumber, "-3", "-3", ""},
		{ui.TypeNumber, "007", "7", ""}, {ui.TypeNumber, "0.0", "0", ""}, {ui.TypeNumber, "n/a", "!not_a_number", ""}, {ui.TypeNumber, "1,2,3", "!not_a_number", ""}, {ui.TypeNumber, "12%", "!not_a_number", ""},
		{ui.TypeNumber, "1e9", "!not_a_number", ""}, {ui.TypeNumber, strings.Repeat("9", 100), "!not_a_number", ""}, {ui.TypeNumber, "$", "!not_a_number", ""}, {ui.TypeNumber, "1-2", "!not_a_number", ""},
		{ui.TypeDate, "2025-03-14", "2025-03-14", ""}, {ui.TypeDate, "14 Mar 2025", "2025-03-14", ""}, {ui.TypeDate, "March 14, 2025", "2025-03-14", ""}, {ui.TypeDate, "2025/12/31", "2025-12-31", ""},
		{ui.TypeDate, "7. Mai 2024", "2024-05-07", ""}, {ui.TypeDate, "Montag, 9. Dez. 2024", "2024-12-09", ""}, {ui.TypeDate, "1er août 2024", "2024-08-01", ""}, {ui.TypeDate, "2 de outubro de 2024", "2024-10-02", ""}, {ui.TypeDate, "11 juil. 2024", "2024-07-11", ""},
		{ui.TypeDate, "5 lutego 2024", "2024-02-05", ""}, {ui.TypeDate, "16 сентября 2024 г.", "2024-09-16", ""}, {ui.TypeDate, "29 Ağustos 2024", "2024-08-29", ""}, {ui.TypeDate, "3 jui 2024", "!not_a_date", ""},
		{ui.TypeDate, "2024年8月5日", "2024-08-05", ""}, {ui.TypeDate, "2024年8月5日（月）", "2024-08-05", ""}, {ui.TypeDate, "2024년 8월 5일", "2024-08-05", ""}, {ui.TypeDate, "2024年13月5日", "!not_a_date", ""},
		{ui.TypeDate, "14.3.2025", "2025-03-14", ""}, {ui.TypeDate, "14/03/2025", "2025-03-14", ""}, {ui.TypeDate, "03/14/2025", "2025-03-14", ""}, {ui.TypeDate, "5/5/25", "2025-05-05", ""},
		{ui.TypeDate, "03/04/2025", "!ambiguous_date", ""}, {ui.TypeDate, "03/04/2025", "2025-04-03", "25/04/2025"}, {ui.TypeDate, "03/04/2025", "2025-03-04", "04/25/2025"}, {ui.TypeDate, "03/04/2025", "!ambiguous_date", "25/04/2025;04/25/2025"},
		{ui.TypeDate, "2025-02-30", "!not_a_date", ""}, {ui.TypeDate, "31/31/2025", "!not_a_date", ""}, {ui.TypeDate, "soon", "!not_a_date", ""}, {ui.TypeDate, "12", "!not_a_date", ""}, {ui.TypeDate, "32.1.2025", "!not_a_date", ""},
		{ui.TypeDateTime, "2026-03-14 15:04", "2026-03-14T15:04", ""}, {ui.TypeDateTime, "2026-03-14 15:04:30", "2026-03-14T15:04", ""}, {ui.TypeDateTime, "2026-03-14T15:04", "2026-03-14T15:04", ""}, {ui.TypeDateTime, "soon", "soon", ""},
		{ui.TypeURL, "https://a.example/x?y", "https://a.example/x?y", ""}, {ui.TypeURL, "a.example", "https://a.example", ""}, {ui.TypeURL, "http://localhost:80", "http://localhost:80", ""},
		{ui.TypeURL, "HTTPS://A.example/X", "HTTPS://A.example/X", ""}, {ui.TypeURL, "javascript:alert(1)", "!not_a_url", ""}, {ui.TypeURL, "a b.example", "!not_a_url", ""}, {ui.TypeURL, "word", "!not_a_url", ""}, {ui.TypeURL, "https://", "!not_a_url", ""}, {ui.TypeURL, "me@a.example", "!not_a_url", ""},
		{ui.TypeBoolean, "Yes", "true", ""}, {ui.TypeBoolean, "no", "false", ""}, {ui.TypeBoolean, "Oui", "true", ""}, {ui.TypeBoolean, "はい", "true", ""}, {ui.TypeBoolean, "Não", "false", ""}, {ui.TypeBoolean, "nein", "false", ""}, {ui.TypeBoolean, "✗", "false", ""}, {ui.TypeBoolean, "perhaps", "!not_in_enum", ""}, {ui.TypeText, "007", "007", ""},
	} {
		text := "Item\tX\na\t" + c.raw
		for _, o := range strings.Split(c.otherCells, ";") {
			text += "\nb\t" + o
		}
		r := capture.Table(text, column(c.typ))
		if len(r.Rows) == 0 {
			t.Errorf("%s %q: no rows", c.typ, c.raw)
			continue
		}
		cell := r.Rows[0].Cells[1]
		got := cell.Value.Text()
		if cell.Code != "" {
			got = "!" + cell.Code
		}
		if got != c.want || cell.Raw != c.raw {
			t.Errorf("%s %q (with %q): %q raw %q, want %q", c.typ, c.raw, c.otherCells, got, cell.Raw, c.want)
		}
	}
}

func TestValue(t *testing.T) {
	t.Parallel()
	v := capture.Table("Name,Role,Influence\nMaya,CFO,high\n,x,Huge", people()).Value()
	want := `{"$rows":[{"id":"r1","order":"aaan","cells":{"influence":"High","name":"Maya","role":"CFO"}},{"id":"r2","order":"aabn","cells":{"influence":"Huge","name":"","role":"x"}}]}`
	if diff := cmp.Diff(want, string(v.AppendJSON(nil))); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if mid := ui.OrderBetween("aaan", "aabn"); mid <= "aaan" || mid >= "aabn" {
		t.Errorf("no room between rows: %q", mid)
	}
}

func TestManyRowsStayInOrder(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	for i := range capture.MaxRows {
		fmt.Fprintf(&text, "%d\tx\n", i)
	}
	rows := capture.Table(text.String(), people()).Value().Records()
	for i, r := range rows {
		if name, _ := r.Cells.Get("name"); name.Text() != strconv.Itoa(i) {
			t.Fatalf("row %d is %q, with the order %q", i, name.Text(), r.Order)
		}
		if i > 0 {
			if mid := ui.OrderBetween(rows[i-1].Order, r.Order); mid <= rows[i-1].Order || mid >= r.Order {
				t.Fatalf("no room between %q and %q: %q", rows[i-1].Order, r.Order, mid)
			}
		}
	}
	if len(rows) != capture.MaxRows {
		t.Errorf("%d rows", len(rows))
	}
}

// Nothing pasted is lost: every word of a text is in a cell, in Extra, in the
// header or in Intro.
func TestNothingDropped(t *testing.T) {
	t.Parallel()
	if r := capture.Table("Our vendors:\n- alpha", people()); strings.Join(r.Intro, "") != "Our vendors:" {
		t.Errorf("the line above the list: %q", r.Intro)
	}
	for text, intro := range map[string]string{"alpha: alpha,alpha(alpha)": "alpha:",
		"Our vendors are alpha, beta": "Our vendors are"} {
		if r := capture.Table(text, people()); strings.Join(r.Intro, "|") != intro || len(r.Rows) < 2 {
			t.Errorf("%q: before the list %q, %d rows", text, r.Intro, len(r.Rows))
		}
	}
	capture.Table(`- ""`, people()) // an item without a cell
	atoms := rapid.SampledFrom([]string{"alpha", "beta", "Name", "Role", "x7", ",", ";", "\t", "\n", "\n", " ", " - ",
		"(", ")", ": ", "\"", "- "})
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(atoms, 1, 40).Draw(t, "text"), "")
		r := capture.Table(text, people())
		kept := strings.Join(r.Intro, " ") + " " + strings.Join(r.Unknown, " ")
		for _, row := range r.Rows {
			for _, c := range row.Cells {
				kept += " " + c.Raw
			}
			kept += " " + strings.Join(row.Extra, " ")
		}
		for _, word := range []string{"alpha", "beta", "x7"} {
			if a, b := strings.Count(text, word), strings.Count(kept, word); b < a {
				t.Fatalf("%q: %d of %d times in %q (form %s)", word, b, a, kept, r.Form)
			}
		}
	})
}

func FuzzTable(f *testing.F) {
	for _, s := range []string{"", "Name,Role\nA,b", "| A |\n|--|\n| b |", "a\tb\nc\td", "- a\n- b", "A – b – c", "\"",
		"a,\"b\nc", "\xff,\xfe\n\xfd,\x00", "1.\n2.", "、、、", "(", ";;;\n;;;", "|\n|\n|"} {
		f.Add(s)
	}
	columns := append(people(), column(ui.TypeNumber)[1], ui.Field{Name: "due", Type: ui.TypeDate},
		ui.Field{Name: "link", Type: ui.TypeURL})
	f.Fuzz(func(t *testing.T, s string) {
		r := capture.Table(s, columns)
		for _, row := range r.Rows {
			if len(row.Cells) != len(columns) {
				t.Fatalf("%d cells", len(row.Cells))
			}
			for _, c := range row.Cells {
				if c.Code != "" && !c.Value.IsNull() {
					t.Fatalf("a value beside an error: %+v", c)
				}
			}
		}
		p := capture.Look(s, columns)
		if with := (capture.Reader{}).TableWith(s, columns, p.Mapping()); len(with.Rows) != len(r.Rows) || p.Rows != len(r.Rows) {
			t.Fatalf("%d rows, %d with the proposed mapping, %d in the preview", len(r.Rows), len(with.Rows), p.Rows)
		}
		for _, e := range r.DraftErrors() {
			if e.Row >= len(r.Rows) {
				t.Fatalf("an error of row %d", e.Row)
			}
		}
		v := r.Value()
		if len(v.Records()) != len(r.Rows) {
			t.Fatal("rows lost on the way to a value")
		}
		for _, rec := range v.Records() {
			if !ui.ValidKey(rec.ID) {
				t.Fatalf("row id %q", rec.ID)
			}
		}
		capture.Validate(capture.Submission{Columns: columns, Rows: v, Stated: 5})
	})
}

// One megabyte of anything is read within bounds. Work that grew with the square
// of it would not end within the time a test run has.
func TestHostile(t *testing.T) {
	t.Parallel()
	size := 1 << 20
	if testing.Short() {
		size = 1 << 18
	}
	for _, unit := range []string{"a", ",", ";", "\"", "\n", "\t", "|", "- ", "a - ", "(", ": ", "a:\n", "a,\"\n", "9",
		"/", "-> ", "then a ", "if a, ", "a and b ", "checks and ", "before a, ",
		"\x00", "\xff", "\xed\xa0\x80", "\u202e", "|--|\n", "a -> b\n", "- review x\n", "1e309,"} {
		text := strings.Repeat(unit, size/len(unit))
		r := capture.Table(text, people())
		if len(r.Rows) > capture.MaxRows {
			t.Errorf("%q: %d rows", unit, len(r.Rows))
		}
		p := capture.Look(text, people())
		if p.Rows != len(r.Rows) || len(p.Columns) > 200 {
			t.Errorf("%q: a preview of %d rows and %d columns for %d rows", unit, p.Rows, len(p.Columns), len(r.Rows))
		}
		if m := capture.Process(text); len(m.Steps) > capture.MaxSteps {
			t.Errorf("%q: %d steps", unit, len(m.Steps))
		}
	}
}

// TestBoundedMemory: the memory of a paste does not grow with the square of its length.
func TestBoundedMemory(t *testing.T) {
	var keys strings.Builder
	for i := range 12_000 {
		fmt.Fprintf(&keys, `{"k%d":1},`, i)
	}
	for name, text := range map[string]string{
		"a new key in each object":  "[" + strings.TrimSuffix(keys.String(), ",") + "]",
		"gaps of the longest line":  strings.Repeat("x  ", 10_000) + strings.Repeat("\nx  y", 8_000),
		"words after a quoted cell": "a,b\n\"q\"" + strings.Repeat("x", 60_000) + ",c\nd,e",
		"lines of one message":      "10:00 - Ana: hi" + strings.Repeat("\na", 40_000),
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		r := capture.Table(text, people())
		runtime.ReadMemStats(&after)
		if mb := (after.TotalAlloc - before.TotalAlloc) >> 20; mb > 128 || len(r.Rows) == 0 {
			t.Errorf("%s: %d MB for %d rows of %d KB", name, mb, len(r.Rows), len(text)>>10)
		}
	}
}

func BenchmarkTable10k(b *testing.B) {
	columns := append(people(), column(ui.TypeNumber)[1], ui.Field{Name: "due", Label: "Due", Type: ui.TypeDate},
		ui.Field{Name: "link", Label: "Link", Type: ui.TypeURL})
	var text strings.Builder
	text.WriteString("Name,Role,Influence,X,Due,Link\n")
	for i := range 10_000 {
		fmt.Fprintf(&text, "Person number %d,Role %d,high,\"1,%03d\",2025-03-14,a.example\n", i, i%50, i%1000)
	}
	b.ReportAllocs()
	for b.Loop() {
		r := capture.Table(text.String(), columns)
		capture.Validate(capture.Submission{Columns: columns, Rows: r.Value(), Stated: 10_000})
	}
}

func ExampleTable() {
	rows := capture.Table("Maya – CFO – high\nTom – CIO – huge", people())
	for _, r := range rows.Rows {
		fmt.Printf("%s %s %q\n", r.Cells[0].Raw, r.Cells[1].Raw, r.Cells[2].Value.Text())
	}
	fmt.Println(rows.Errors)
	// Output:
	// Maya CFO "High"
	// Tom CIO ""
	// [{1 influence not_in_enum}]
}

// TestDecimalComma: in a language with a decimal comma a column is read so, unless its
// cells say otherwise; a number that has two meanings, and no other cell to settle it, is
// a fault.
func TestDecimalComma(t *testing.T) {
	t.Parallel()
	columns := []ui.Field{{Name: "name", Label: "Name", Type: ui.TypeText}, {Name: "sum", Label: "Sum", Type: ui.TypeNumber}}
	for cells, want := range map[string]string{
		"1.234,5":        "1234.5",
		"1 234,5":        "1234.5",
		"1,5":            "1.5",
		"1.234":          "!",
		"1.234|5,5":      "1234|5.5",
		"1.234|5.5":      "1.234|5.5",
		"1.234|2.000":    "!|!",
		"1.234|1,234.56": "1.234|1234.56",
		"1,234":          "1.234",
		"1234.5":         "1234.5",
		"1.234.567":      "1234567",
	} {
		text := "Name\tSum"
		for i, cell := range strings.Split(cells, "|") {
			text += fmt.Sprintf("\nrow %d\t%s", i, cell)
		}
		var got []string
		for _, r := range (capture.Reader{DecimalComma: true}).Table(text, columns).Rows {
			if c := r.Cells[1]; c.Code == "" {
				got = append(got, c.Value.Text())
			} else {
				got = append(got, "!")
			}
		}
		if strings.Join(got, "|") != want {
			t.Errorf("%s: %s, want %s", cells, strings.Join(got, "|"), want)
		}
	}
	columns = append(columns, ui.Field{Name: "version", Label: "Version", Type: ui.TypeNumber})
	text := "Name\tSum\tVersion\na\t1.234\t2.5\nb\t2.000\t3.1" // the point of another column settles nothing
	for _, r := range (capture.Reader{DecimalComma: true}).Table(text, columns).Rows {
		if sum, version := r.Cells[1], r.Cells[2]; sum.Code != capture.CodeNumber || version.Code != "" {
			t.Errorf("a column with a point beside: %+v", r.Cells)
		}
	}
}
