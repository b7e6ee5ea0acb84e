package capture_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/limn-ui/limn/internal/capture"
	"github.com/limn-ui/limn/ui"
)

func vendors() []ui.Field {
	return []ui.Field{
		{Name: "vendor", Label: "Vendor", Type: ui.TypeText, Required: true},
		{Name: "annual_cost", Label: "Annual cost", Type: ui.TypeNumber},
		{Name: "renewal", Label: "Renewal", Type: ui.TypeDate},
		{Name: "risk", Label: "Risk", Type: ui.TypeChoice, Options: []ui.Option{{Value: "High"}, {Value: "Low"}}},
	}
}

// look writes "form rows: header→column …", a guess with "?".
func look(p capture.Preview) string {
	out := fmt.Sprintf("%s %d:", p.Form, p.Rows)
	for _, c := range p.Columns {
		out += " " + c.Header + "→" + c.Column
		if c.Guessed {
			out += "?"
		}
	}
	return out
}

func TestLook(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, want string }{
		{"Vendor,Renewal\nAcme,2025-01-02", "csv 1: Vendor→vendor Renewal→renewal"},
		{"annual_cost\tVENDOR:\n1\tAcme\n2\tInit", "tabs 2: annual_cost→annual_cost VENDOR:→vendor"},
		{"Acme,12\nInit,13", "csv 2: →vendor →annual_cost"},
		// unknown headers: likeness, then content
		{"Vendor,Yearly spend,Renewal date\nAcme,12,2025-01-02", "csv 1: Vendor→vendor Yearly spend→annual_cost? Renewal date→renewal?"},
		{"Vendor,When,Zustand,Colour\nAcme,2025-01-02,high,red\nInit,2025-03-02,low,blue", "csv 2: Vendor→vendor When→renewal? Zustand→risk? Colour→"},
		{"Vendor name,Cost,Colour\nAcme,12,red\nInit,9,blue", "csv 2: Vendor name→vendor? Cost→annual_cost? Colour→"},
		{"Vendor A,Vendor risk\nVendor B,Vendor cost", "csv 2: →vendor →annual_cost"}, // like a header, and so is the next: rows
		// names of other things, or of the same in other words: by position, which is a guess
		{"Marke,Aufwand,Ablauf,Gefahr\nAcme,12,2025-01-02,high\nInit,9,2025-03-02,low",
			"csv 2: Marke→vendor? Aufwand→annual_cost? Ablauf→renewal? Gefahr→risk?"},
		{"", " 0:"},
	} {
		if got := look(capture.Look(c.text, vendors())); got != c.want {
			t.Errorf("%q\n got %s\nwant %s", c.text, got, c.want)
		}
	}
	p := capture.Look("Vendor\tX\n"+strings.Repeat("Acme  Ltd\t"+strings.Repeat("long ", 60)+"\n", 5), vendors())
	if s := p.Columns[1].Samples; len(s) != 3 || len([]rune(s[0])) != 80 || p.Columns[0].Samples[0] != "Acme Ltd" {
		t.Errorf("samples %q", s)
	}
	wide := capture.Look(strings.Repeat("a,", 9_999)+"a\n"+strings.Repeat("b,", 9_999)+"b", vendors())
	if len(wide.Columns) != 200 || wide.MoreColumns != 9_800 {
		t.Errorf("%d columns and %d more", len(wide.Columns), wide.MoreColumns)
	}
}

func TestTableWith(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text, want string
		mapping    []string
	}{
		{"Vendor,Spend\nAcme,12\nInit,x", "csv: Acme|12|∅|∅/Init|∅x|∅|∅ !1.annual_cost.not_a_number", []string{"vendor", "annual_cost"}},
		{"Vendor,Spend\nAcme,12", "csv: ∅|∅|∅|∅|+Acme|+12 !0.vendor.required_missing", []string{}},
		{"Acme,red,12\nInit,,13", "csv: Acme|12|∅|∅|+red/Init|13|∅|∅|+", []string{"vendor", "", "annual_cost"}},
		{"a,b,c,d\ne,f,g,h", "csv: a|∅|∅|∅|+b|+c|+d !0..extra_cells/e|∅|∅|∅|+f|+g|+h !0..extra_cells !1..extra_cells", []string{"vendor", "vendor"}},
	} {
		got := show(capture.Reader{}.TableWith(c.text, vendors(), c.mapping))
		if want := strings.Replace(c.want, " !0..extra_cells/", "/", 1); got != want {
			t.Errorf("%q %q\n got %s\nwant %s", c.text, c.mapping, got, want)
		}
	}
}

// What Look proposes and TableWith reads is what Table reads, guesses aside.
func TestLookAgrees(t *testing.T) {
	t.Parallel()
	words := rapid.SampledFrom([]string{"Vendor", "Renewal", "annual cost", "Colour", "12", "2025-01-02", "high", "x"})
	rapid.Check(t, func(t *rapid.T) {
		var lines []string
		for range rapid.IntRange(2, 5).Draw(t, "lines") {
			lines = append(lines, strings.Join(rapid.SliceOfN(words, 2, 4).Draw(t, "cells"), "\t"))
		}
		text := strings.Join(lines, "\n")
		p := capture.Look(text, vendors())
		a, sure := capture.Table(text, vendors()), p.Mapping()
		for i, c := range p.Columns {
			if c.Guessed && slices.Contains(a.Unknown, c.Header) {
				sure[i] = ""
			}
		}
		b := capture.Reader{}.TableWith(text, vendors(), sure)
		if len(a.Rows) != p.Rows || a.Header != p.Header || fmt.Sprint(a.Unknown) != fmt.Sprint(b.Unknown) {
			t.Fatalf("%q: %+v, %+v, %+v", text, p, a, b)
		}
		for i := range a.Rows {
			for c := range a.Rows[i].Cells {
				if x, y := a.Rows[i].Cells[c], b.Rows[i].Cells[c]; x.Raw != y.Raw || !x.Value.Equal(y.Value) {
					t.Fatalf("%q row %d: %+v, %+v", text, i, x, y)
				}
			}
		}
	})
}

func TestQuestions(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, draft, want string }{
		{"Vendor,Renewal\nAcme,03/04/2025", "Acme||2025-04-03|", "0 renewal 03/04/2025 is read as 2025-04-03; it could also be 2025-03-04."},
		{"Vendor,Renewal\nAcme,03/04/2025\nB,25/04/2025\nC,04/25/2025\nD,04/28/2025", "Acme||2025-03-04|", "0 renewal 03/04/2025 is read as 2025-03-04; it could also be 2025-04-03."},
		{"Vendor,Renewal\nAcme,03/04/2025\nB,25/04/2025", "Acme||2025-04-03|", ""}, // certain, so nothing is asked
		{"Vendor,Spend\nAcme,\"1,250\"", "Acme|1250||", "-1 annual_cost No column is called Spend; it is read as Annual cost."},
		{"Vendor,Colour\nAcme,red", "Acme|||", "-1  No column is called Colour; it is left out."},
		{"Supplier,Annual cost\nAcme,12", "Acme|12||", "-1 vendor No column is called Supplier; it is read as Vendor."},
		{"Vendor,Renewal day,Annual cost\nAcme,soon,12", "Acme|12|soon|", "-1 renewal No column is called Renewal day; it is read as Renewal."},
	} {
		r := capture.Table(c.text, vendors())
		var asked []string
		for _, q := range r.Questions {
			asked = append(asked, fmt.Sprintf("%d %s %s", q.Row, q.Col, q.Text()))
		}
		var cells []string
		for _, f := range r.Columns {
			v, _ := r.Value().Records()[0].Cells.Get(f.Name)
			cells = append(cells, v.Text())
		}
		if got := strings.Join(asked, "; "); got != c.want || strings.Join(cells, "|") != c.draft {
			t.Errorf("%q\n got %s, draft %s\nwant %s, draft %s", c.text, got, strings.Join(cells, "|"), c.want, c.draft)
		}
		if errs := r.DraftErrors(); len(errs) != 0 {
			t.Errorf("%q: errors at what was guessed: %v", c.text, errs)
		}
	}
	r := capture.Table("Vendor,Renewal\nAcme,03/04/2025", vendors())
	if c := r.Rows[0].Cells[2]; !c.Value.IsNull() || c.Code != capture.CodeAmbiguous || len(r.Errors) != 1 {
		t.Errorf("the typed cell has no guess: %+v %v", c, r.Errors)
	}
	us := []ui.Field{{Name: "a", Type: ui.TypeDate}, {Name: "b", Type: ui.TypeDate}}
	if r := capture.Table("a,b\n01/02/2025,12/31/2025\n03/04/2025,11/30/2025", us); r.Questions[1].Guess != "2025-03-04" {
		t.Errorf("the other column has the month first: %+v", r.Questions)
	}
}

// TestTableWithGuesses: what the user mapped is no guess, and no cell carries
// another column's.
func TestTableWithGuesses(t *testing.T) {
	t.Parallel()
	columns := []ui.Field{{Name: "name", Type: ui.TypeText}, {Name: "role", Type: ui.TypeText}}
	got := capture.Reader{}.TableWith("Name\tRole\tPhone\nAnn\tCFO\t1\n", columns,
		[]string{"name", "role", ""}).Value().Records()
	if len(got) != 1 {
		t.Fatalf("%d rows", len(got))
	}
	name, _ := got[0].Cells.Get("name")
	role, _ := got[0].Cells.Get("role")
	if name.Text() != "Ann" || role.Text() != "CFO" {
		t.Errorf("name %q, role %q", name.Text(), role.Text())
	}
}
