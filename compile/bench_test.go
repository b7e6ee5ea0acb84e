package compile

import (
	"fmt"
	"testing"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/ui"
)

// form30 is a form of 30 fields with its submit button.
func form30() ui.Node {
	root := &ui.Column{Key: "main"}
	types := []ui.FieldType{ui.TypeText, ui.TypeEmail, ui.TypeNumber, ui.TypeChoice, ui.TypeBoolean, ui.TypeDate,
		ui.TypeLongText,
		ui.TypeChoices, ui.TypeText, ui.TypeSlider}
	for i := range 30 {
		f := ui.Field{Name: fmt.Sprintf("field_%d", i), Label: fmt.Sprintf("Field %d", i), Type: types[i%len(types)],
			Required: i%3 == 0}
		switch f.Type {
		case ui.TypeChoice, ui.TypeChoices:
			f.Options = colors
		case ui.TypeSlider:
			f.Min, f.Max = "0", "10"
		case ui.TypeText:
			f.Max = "80"
		}
		root.Children = append(root.Children, input(f))
	}
	root.Children = append(root.Children, submit(root))
	return root
}

func benchWorld(tb testing.TB, d a2ui.Dialect) *world {
	w := newWorld(tb, target(d))
	w.apply(openOp("form:thirty", form30(), ui.Value{}, ui.Value{}))
	return w
}

func benchForm(b *testing.B, d a2ui.Dialect) {
	w := benchWorld(b, d)
	rules := a2ui.Rules{Dialect: d, Profile: a2ui.Safe}
	buf := make([]byte, 0, 64<<10)
	b.ReportAllocs()
	for b.Loop() {
		batches, err := Snapshot(w.target, w.state)
		if err != nil {
			b.Fatal(err)
		}
		buf = buf[:0]
		for _, batch := range batches {
			if p := a2ui.Validate(rules, batch.Messages); len(p) > 0 {
				b.Fatal(&p[0])
			}
			for _, m := range batch.Messages {
				if buf, err = a2ui.AppendMessage(buf, d, m); err != nil {
					b.Fatal(err)
				}
			}
		}
	}
	b.ReportMetric(float64(len(buf)), "wire-bytes")
}

func BenchmarkForm30V09(b *testing.B) { benchForm(b, a2ui.V09) }
func BenchmarkForm30V08(b *testing.B) { benchForm(b, a2ui.V08) }

// BenchmarkForm30Compile is compile alone.
func BenchmarkForm30Compile(b *testing.B) {
	w := benchWorld(b, a2ui.V09)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Snapshot(w.target, w.state); err != nil {
			b.Fatal(err)
		}
	}
}

// patchFrame is one server patch of one field.
func patchFrame(tb testing.TB, w *world) (after *ui.State, f *ui.Frame) {
	tb.Helper()
	f = &ui.Frame{Seq: w.state.Seq + 1, Ops: ui.Ops{&ui.Patch{Surface: "form:thirty", Changes: []ui.PatchOne{
		{Do: ui.PatchSet, Path: "/draft/field_8", Value: ui.String("Ada Lovelace, London")}}}}}
	after, changes, err := ui.Apply(w.state, f, ui.Limits{})
	if err != nil {
		tb.Fatal(err)
	}
	f.Changes = changes
	return after, f
}

func BenchmarkPatch(b *testing.B) {
	w := benchWorld(b, a2ui.V09)
	after, f := patchFrame(b, w)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Update(w.target, w.state, after, f); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkUpdateDrawn is an update that has to draw both states.
func BenchmarkUpdateDrawn(b *testing.B) {
	w := benchWorld(b, a2ui.V09)
	f := &ui.Frame{Seq: w.state.Seq + 1, Ops: ui.Ops{&ui.Errors{Surface: "form:thirty",
		Errors: []ui.FieldError{{Path: "/draft/field_0", Text: "Field 0 is required."}}}}}
	after, changes, err := ui.Apply(w.state, f, ui.Limits{})
	if err != nil {
		b.Fatal(err)
	}
	f.Changes = changes
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Update(w.target, w.state, after, f); err != nil {
			b.Fatal(err)
		}
	}
}
