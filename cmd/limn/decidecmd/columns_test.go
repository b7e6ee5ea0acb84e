package decidecmd

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/limn-ui/limn/internal/eval"
	"github.com/limn-ui/limn/ui"
)

func TestParseColumns(t *testing.T) {
	t.Parallel()
	got, err := parseColumns(
		"name:text!,role, Influence : enum( High | Medium|Low ) !,due:date,lives in:choices(A (x), B|C)")
	if err != nil {
		t.Fatal(err)
	}
	options := func(values ...string) (out []ui.Option) {
		for _, v := range values {
			out = append(out, ui.Option{Value: v})
		}
		return out
	}
	want := []ui.Field{
		{Name: "name", Label: "name", Type: ui.TypeText, Required: true}, {Name: "role", Label: "role", Type: ui.TypeText},
		{Name: "influence", Label: "Influence", Type: ui.TypeChoice, Required: true, Options: options("High", "Medium", "Low")},
		{Name: "due", Label: "due", Type: ui.TypeDate}, {Name: "lives_in", Label: "lives in", Type: ui.TypeChoices, Options: options("A (x), B", "C")},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestColumnsRoundTrip: what explain prints of a column is what --columns takes.
func TestColumnsRoundTrip(t *testing.T) {
	t.Parallel()
	word := rapid.StringMatching(`[A-Za-zé0-9][A-Za-z 日]{0,8}[a-z]`)
	rapid.Check(t, func(t *rapid.T) {
		var columns []eval.Column
		for _, name := range rapid.SliceOfNDistinct(word, 1, 6, func(s string) string { return s }).Draw(t, "names") {
			c := eval.Column{Name: name, Type: rapid.SampledFrom(
				[]string{"text", "number", "enum", "date", "url", "tags"}).Draw(t, "type"),
				Required: rapid.Bool().Draw(t, "required")}
			if c.Type == "enum" {
				c.Options = rapid.SliceOfN(word, 1, 4).Draw(t, "options")
			}
			columns = append(columns, c)
		}
		want, err := eval.Fields(columns)
		if err != nil {
			t.Fatal(err)
		}
		var written []string
		for _, f := range want {
			written = append(written, describe(f))
		}
		got, err := parseColumns(strings.Join(written, ","))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatal(diff)
		}
	})
}

// FuzzColumns: every text is columns with names a draft can hold, or an error
// with a code.
func FuzzColumns(f *testing.F) {
	f.Add("name:text!,role,influence:enum(High|Medium|Low),due:date")
	f.Add("a:enum((),b:!,:(|)!")
	f.Add(strings.Repeat("a,", 200))
	f.Add("0,1,C4 ,2") // the fourth is not called c4 as well
	f.Fuzz(func(t *testing.T, text string) {
		fields, err := parseColumns(text)
		if err != nil {
			if err.Code != eval.CodeColumn || err.Message == "" {
				t.Fatal(err)
			}
			return
		}
		seen := map[string]bool{}
		for _, f := range fields {
			if !ui.ValidName(f.Name) || seen[f.Name] {
				t.Fatalf("%q in %+v", f.Name, fields)
			}
			seen[f.Name] = true
		}
		if len(fields) == 0 || len(fields) > maxColumns {
			t.Fatalf("%d columns", len(fields))
		}
	})
}
