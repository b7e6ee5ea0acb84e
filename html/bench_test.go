package html

import (
	"fmt"
	"testing"

	"github.com/limn-ui/limn/ui"
)

// form30 is an ordinary form of 30 fields, filled in.
func form30() *ui.Surface {
	types := []ui.FieldType{ui.TypeText, ui.TypeEmail, ui.TypeNumber, ui.TypeDate, ui.TypeBoolean, ui.TypeChoice,
		ui.TypeLongText, ui.TypeURL, ui.TypeTags, ui.TypeSlider}
	var nodes ui.Nodes
	for i := range 30 {
		f := ui.Field{Name: fmt.Sprintf("field_%d", i), Label: fmt.Sprintf("Field %d", i), Type: types[i%len(types)],
			Required: i%3 == 0}
		if i%4 == 0 {
			f.Help = "As it stands in the contract."
		}
		if f.Type == ui.TypeChoice {
			f.Options = []ui.Option{{Value: "a", Label: "First"}, {Value: "b", Label: "Second"},
				{Value: "c", Label: "Third"}}
		}
		nodes = append(nodes, input(f))
	}
	nodes = append(nodes, &ui.Button{Key: "submit", Label: "Submit", Primary: true,
		Action: ui.Action{Name: ui.ActionSubmit}})
	s := surface(nodes...)
	s.Wrote = map[ui.Path]uint64{"/draft/field_1": 2}
	return s
}

func table(rows int) *ui.Surface {
	rs := ui.Rowset{Key: "t", Path: "/draft/t", Label: "T",
		Columns: []ui.Field{{Name: "a", Type: ui.TypeText}, {Name: "b", Type: ui.TypeNumber},
			{Name: "c", Type: ui.TypeDate}}}
	s := surface(&ui.Table{Rowset: rs})
	var records []ui.Record
	for i := range rows {
		records = append(records, ui.Record{ID: fmt.Sprintf("r%d", i+1), Order: fmt.Sprintf("%06d", i),
			Cells: rs.BlankRow()})
	}
	s.Draft, _ = s.Draft.With(ui.Rows(records...), "t")
	return s
}

func benchSurface(b *testing.B, s *ui.Surface) {
	buf := AppendSurface(nil, s, testOptions)
	b.SetBytes(int64(len(buf)))
	b.ReportAllocs()
	for b.Loop() {
		buf = AppendSurface(buf[:0], s, testOptions)
	}
}

func BenchmarkForm30(b *testing.B)    { benchSurface(b, form30()) }
func BenchmarkTable2000(b *testing.B) { benchSurface(b, table(2000)) }

func BenchmarkTable2000Errors(b *testing.B) {
	s := table(2000)
	for i := range 2000 {
		s.Errors = append(s.Errors, ui.FieldError{Path: ui.Path(fmt.Sprintf("/draft/t/r%d/a", i+1)),
			Text: "A is required."})
	}
	benchSurface(b, s)
}

func BenchmarkUpdateCell2000(b *testing.B) {
	s0 := opened(b, table(2000))
	s1, f := step(s0, &ui.Patch{Surface: "form:customer",
		Changes: []ui.PatchOne{{Do: ui.PatchSet, Path: "/draft/t/r1000/a", Value: ui.String("x")}}})
	b.ReportAllocs()
	for b.Loop() {
		if len(Update(s0, s1, f, testOptions)) != 2 {
			b.Fatal("want a cell and the rev")
		}
	}
}

// TestDrawingAllocations: a drawing allocates its scratch block and no more,
// however many rows there are.
func TestDrawingAllocations(t *testing.T) {
	for _, s := range []*ui.Surface{form30(), table(2000)} {
		buf := AppendSurface(nil, s, testOptions)
		if n := testing.AllocsPerRun(20, func() { buf = AppendSurface(buf[:0], s, testOptions) }); n > 2 {
			t.Errorf("%v allocations, want at most 2", n)
		}
	}
}
