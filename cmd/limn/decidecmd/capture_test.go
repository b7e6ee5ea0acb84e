package decidecmd

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"github.com/limn-ui/limn/cmd/limn/term"
)

// TestCaptureWorkbook reads the sheet that is asked for, types its cells by the
// columns and says what was read.
func TestCaptureWorkbook(t *testing.T) {
	t.Parallel()
	f := excelize.NewFile()
	defer f.Close()
	for _, name := range []string{"old", "new"} {
		if _, err := f.NewSheet(name); err != nil {
			t.Fatal(err)
		}
		for i, row := range [][]any{{"Vendor", "Cost"}, {"Acme " + name, 1250.5}, {"Globex, Inc.", "soon"}} {
			if err := f.SetSheetRow(name, "A"+string(rune('1'+i)), &row); err != nil {
				t.Fatal(err)
			}
		}
	}
	file := filepath.Join(t.TempDir(), "book.xlsx")
	if err := f.SaveAs(file); err != nil {
		t.Fatal(err)
	}
	run := func(c Capture) (string, string, error) {
		var out, errs bytes.Buffer
		c.Table, c.File, c.Columns = true, file, "Vendor!,Cost:number"
		err := c.Run(term.Terminal{In: strings.NewReader(""), Out: &out, Err: &errs,
			Env: func(string) string { return "" }})
		return out.String(), errs.String(), err
	}
	out, errs, err := run(Capture{Sheet: "new", Max: 10})
	for _, want := range []string{"2 rows, 1 error", "1  Acme new      1250.5\n", "2  Globex, Inc.  soon\n",
		"^ not_a_number\n", "remark    Sheet new of 3 was read."} {
		if err != nil || !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s%s%v", want, out, errs, err)
		}
	}
	if out, _, err := run(Capture{CSV: true}); err != nil ||
		out != "Vendor,Cost\nAcme old,1250.5\n\"Globex, Inc.\",soon\n" {
		t.Errorf("%q, %v", out, err)
	}
	if _, errs, err := run(Capture{Sheet: "none"}); err == nil ||
		!strings.Contains(errs, "book.xlsx: SHEET_NOT_FOUND") {
		t.Errorf("%q, %v", errs, err)
	}
}
