package html

import (
	"fmt"
	"testing"

	"github.com/limn-ui/limn/internal/builtin"
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
		Action: ui.Action{Name: builtin.ActionSubmit}})
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
	buf := AppendSurface(nil, nil, s, testOptions)
	b.SetBytes(int64(len(buf)))
	b.ReportAllocs()
	for b.Loop() {
		buf = AppendSurface(buf[:0], nil, s, testOptions)
	}
}

func BenchmarkForm30(b *testing.B)    { benchSurface(b, form30()) }
func BenchmarkTable2000(b *testing.B) { benchSurface(b, table(2000)) }
func BenchmarkTable5000(b *testing.B) { benchSurface(b, table(5000)) }

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
		if len(Update(s0, s1, f, testOptions)) != 1 { // the cell is on another page
			b.Fatal("want the rev")
		}
	}
}

// TestDrawingAllocations: a drawing allocates its scratch block and what its pages are
// said with, and no more, however many rows there are.
func TestDrawingAllocations(t *testing.T) {
	for _, c := range []struct {
		s    *ui.Surface
		most float64
	}{{form30(), 2}, {table(50), 2}, {table(2000), 5}, {table(5000), 5}} {
		buf := AppendSurface(nil, nil, c.s, testOptions)
		if n := testing.AllocsPerRun(20, func() { buf = AppendSurface(buf[:0], nil, c.s, testOptions) }); n > c.most {
			t.Errorf("%v allocations, want at most %v", n, c.most)
		}
	}
}

// products is a table of four columns with something in each cell.
func products(rows int) *ui.Surface {
	rs := ui.Rowset{Key: "t", Path: "/draft/t", Label: "Products",
		Columns: []ui.Field{{Name: "code", Type: ui.TypeText, Required: true}, {Name: "name", Type: ui.TypeText},
			{Name: "price", Type: ui.TypeNumber},
			{Name: "kind", Type: ui.TypeChoice, Options: []ui.Option{{Value: "High"}, {Value: "Low"}}}}}
	s := surface(&ui.Table{Rowset: rs})
	var records []ui.Record
	for i := range rows {
		records = append(records, ui.Record{ID: fmt.Sprintf("r%d", i+1), Order: fmt.Sprintf("%06d", i), Cells: ui.Map(
			ui.Pair{Key: "code", Value: ui.String(fmt.Sprintf("P-%05d", i))},
			ui.Pair{Key: "name", Value: ui.String("A product of some kind")},
			ui.Pair{Key: "price", Value: ui.String("12.50")}, ui.Pair{Key: "kind", Value: ui.String("High")})})
	}
	s.Draft, _ = s.Draft.With(ui.Rows(records...), "t")
	return s
}

// BenchmarkProducts draws a table of 2,000 and of 5,000 rows, and streams the change of
// one cell, a page, a row that goes, and errors in all rows.
func BenchmarkProducts(b *testing.B) {
	for _, rows := range []int{2000, 5000} {
		lim := ui.Limits{Rows: 5000, DraftSize: 4 << 20}
		s0 := ui.NewState("c")
		s := products(rows)
		s0, _, err := ui.Apply(s0, &ui.Frame{Seq: 1, Ops: ui.Ops{&ui.Open{Surface: s.Name, Nonce: "n", Title: s.Title,
			Root: s.Root, Draft: s.Draft}}}, lim)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprintf("draw/%d", rows), func(b *testing.B) {
			var buf []byte
			for b.Loop() {
				buf = AppendSnapshot(buf[:0], s0, testOptions)
			}
			b.ReportMetric(float64(len(buf)), "bytes")
		})
		var errs []ui.FieldError
		for i := range rows {
			errs = append(errs, ui.FieldError{Path: ui.Path(fmt.Sprintf("/draft/t/r%d/price", i+1)), Text: "Price must be a number."})
		}
		patch := func(one ui.PatchOne) ui.Op { return &ui.Patch{Surface: s.Name, Changes: []ui.PatchOne{one}} }
		for _, c := range []struct {
			name string
			op   ui.Op
		}{{"cell", patch(ui.PatchOne{Do: ui.PatchSet, Path: "/draft/t/r7/code", Value: ui.String("x")})},
			{"gone", patch(ui.PatchOne{Do: ui.PatchDelete, Path: "/draft/t/r7"})},
			{"turn", patch(ui.PatchOne{Do: ui.PatchSet, Path: "/ui_state/page_t", Value: ui.Int(1000)})},
			{"errors", &ui.Errors{Surface: s.Name, Errors: errs}}} {
			f := &ui.Frame{V: ui.Version, Seq: 2, Ops: ui.Ops{c.op}}
			s1, changes, err := ui.Apply(s0, f, lim)
			if err != nil {
				b.Fatal(err)
			}
			f.Changes = changes
			b.Run(fmt.Sprintf("%s/%d", c.name, rows), func(b *testing.B) {
				n := 0
				for b.Loop() {
					n = 0
					for _, s := range Update(s0, s1, f, testOptions) {
						n += len(s)
					}
				}
				b.ReportMetric(float64(n), "bytes")
			})
		}
	}
}
