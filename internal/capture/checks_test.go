package capture

import (
	"fmt"
	"strings"
	"testing"

	"github.com/limn-ui/limn/ui"
)

// rowsOf builds rows r1, r2, … of the cells name, role from "a|b/c|d".
func rowsOf(s string) ui.Value {
	var out []ui.Record
	for i, line := range strings.Split(s, "/") {
		name, role, _ := strings.Cut(line, "|")
		out = append(out, ui.Record{ID: rowID('r', i), Order: rowOrder(i),
			Cells: ui.Map(pair("name", name), pair("role", role))})
	}
	return ui.Rows(out...)
}

// edgesOf builds edges e1, e2, … from "a>b/b>a?/a>c=" (? conditional, = parallel).
func edgesOf(s string) ui.Value {
	var out []ui.Record
	for i, e := range strings.Split(s, "/") {
		kind := Sequence
		if strings.HasSuffix(e, "=") {
			kind = Parallel
		}
		from, to, _ := strings.Cut(strings.TrimRight(e, "?="), ">")
		out = append(out, ui.Record{ID: rowID('e', i), Order: rowOrder(i),
			Cells: ui.Map(pair("from", from), pair("to", to), pair("kind", string(kind)),
				ui.Pair{Key: "conditional", Value: ui.Bool(strings.HasSuffix(e, "?"))})})
	}
	return ui.Rows(out...)
}

var nameRole = []ui.Field{{Name: "name", Type: ui.TypeText, Required: true}, {Name: "role", Type: ui.TypeText}}

var nameInParts = []ui.Field{{Name: "name", Label: "Surname", Type: ui.TypeText, Required: true}, {Name: "role", Label: "Given name", Type: ui.TypeText}}

func list(ws []Warning) string {
	var out []string
	for _, w := range ws {
		out = append(out, fmt.Sprintf("%s %.2f %s", w.Check, w.Confidence,
			strings.Join(append(w.Rows, w.Edges...), ",")))
	}
	return strings.Join(out, "; ")
}

func TestChecks(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		s    Submission
		want string
	}{
		{"nothing wrong", Submission{Columns: nameRole, Rows: rowsOf("Ana|CFO/Ben|CIO"), Stated: 2}, ""},
		{"required", Submission{Columns: nameRole, Rows: rowsOf("Ana|CFO/|CIO/ |COO")}, "missing_required_fields 1.00 r2,r3"},
		{"a blank row lacks nothing", Submission{Columns: nameRole, Rows: rowsOf("Ana|CFO/|")}, ""},
		{"equal rows", Submission{Columns: nameRole, Rows: rowsOf("Maya|CFO/Tom|CIO/ maya |cfo/ＭＡＹＡ|CFO")}, "duplicate_entries 0.99 r1,r3,r4"},
		{"equal key", Submission{Columns: nameRole, Rows: rowsOf("Maya|CFO/maya|CIO")}, "duplicate_entries 0.85 r1,r2"},
		{"of one family", Submission{Columns: nameInParts, Rows: rowsOf("Okoro|Ada/Okoro|Chidi/Lind|Ada")}, ""},
		{"twice in the family", Submission{Columns: nameInParts, Rows: rowsOf("Okoro|Ada/Okoro|ada")}, "duplicate_entries 0.99 r1,r2"},
		{"one letter", Submission{Columns: nameRole, Rows: rowsOf("Martina|CFO/Marina|CIO")}, ""},
		{"short names differ", Submission{Columns: nameRole, Rows: rowsOf("Ana|CFO/Ann|CIO")}, ""},
		{"two letters", Submission{Columns: nameRole, Rows: rowsOf("Martina|CFO/Bettina|CIO")}, ""},
		{"both ways", Submission{Edges: edgesOf("a>b/b>a")}, "contradictory_sequences 0.97 e1,e2"},
		{"self", Submission{Edges: edgesOf("a>a")}, "contradictory_sequences 0.95 e1"},
		{"long loop", Submission{Edges: edgesOf("a>b/b>c/c>a/c>d")}, "contradictory_sequences 0.92 e1,e2,e3"},
		{"rework", Submission{Edges: edgesOf("a>b/b>a?")}, "contradictory_sequences 0.40 e1,e2"},
		{"smallest first", Submission{Edges: edgesOf("a>b/b>c/c>a/b>a")}, "contradictory_sequences 0.97 e1,e4; contradictory_sequences 0.92 e2,e3,e1"},
		{"parallel orders nothing", Submission{Edges: edgesOf("a>b=/b>a=")}, ""},
		{"a diamond is fine", Submission{Edges: edgesOf("a>b/a>c/b>d/c>d")}, ""},
		{"half of a stated count", Submission{Columns: nameRole, Rows: rowsOf("Ana|/Ben|"), Stated: 4}, "low_coverage 0.90 "},
		{"nearly all", Submission{Columns: nameRole, Rows: rowsOf("Ana|/Ben|/Cho|/Dov|"), Stated: 5}, "low_coverage 0.85 "},
		{"half of about", Submission{Columns: nameRole, Rows: rowsOf("Ana|/Ben|"), Stated: 4, Approx: true}, "low_coverage 0.82 "},
		{"nearly all of about", Submission{Columns: nameRole, Rows: rowsOf("Ana|/Ben|/Cho|/Dov|"), Stated: 5, Approx: true}, "low_coverage 0.50 "},
		{"more than stated", Submission{Columns: nameRole, Rows: rowsOf("Ana|/Ben|"), Stated: 1}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			all := Validate(c.s)
			if got := list(all); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
			for _, w := range Shown(all) {
				if w.Confidence < 0.80 {
					t.Errorf("shown at %v", w.Confidence)
				}
			}
		})
	}
}

func TestPanicHidesNothing(t *testing.T) {
	t.Parallel()
	broken := func(Submission) []Warning { panic("broken check") }
	got := run([]Validator{{"x", broken}, {Coverage, LowCoverage}, {"y", broken}}, Submission{Stated: 3})
	if len(got) != 1 || got[0].Check != Coverage {
		t.Errorf("%+v", got)
	}
}

// The list is the four of decision logic §10, in its order.
func TestValidatorsAreTheFour(t *testing.T) {
	t.Parallel()
	var names []string
	for _, v := range Validators() {
		names = append(names, v.Name)
	}
	if got := strings.Join(names, " "); got != "missing_required_fields duplicate_entries contradictory_sequences low_coverage" {
		t.Error(got)
	}
}
