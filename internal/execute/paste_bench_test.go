package execute

import (
	"fmt"
	"strings"
	"testing"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/route"
	"github.com/limn-ui/limn/internal/worksheet"
	"github.com/limn-ui/limn/ui"
)

// BenchmarkPaste reads, adds and sends 2,000 and 5,000 rows of six columns, every
// tenth of which has a bad cell, turns a page of them, and applies what comes of it.
func BenchmarkPaste(b *testing.B) {
	for _, rows := range []int{2000, 5000} {
		b.Run(fmt.Sprint(rows), func(b *testing.B) { benchPaste(b, rows) })
	}
}

func benchPaste(b *testing.B, rows int) {
	a, err := app.New(app.Config{Name: "desk"})
	if err != nil {
		b.Fatal(err)
	}
	e := Env{App: a, Now: noon, Nonce: func() string { return "n" }}
	var columns []ui.Field
	text := "A\tB\tC\tD\tE\tF\n"
	for i, t := range []ui.FieldType{ui.TypeText, ui.TypeText, ui.TypeNumber, ui.TypeDate, ui.TypeText, ui.TypeURL} {
		columns = append(columns, ui.Field{Name: string(rune('a' + i)), Type: t})
	}
	for i := range rows {
		n := fmt.Sprint(i)
		if i%10 == 0 {
			n = "many"
		}
		text += strings.Join([]string{"Name " + fmt.Sprint(i), "Role", n, "2025-01-02", "x", "example.org"}, "\t") +
			"\n"
	}
	s, _, err := ui.Apply(ui.NewState("c"), &ui.Frame{Seq: 1, At: noon, Ops: ui.Ops{
		a.OpenTable(app.Table{Name: "list"}, app.TableSpec{Table: route.Table{Title: "List", Columns: columns}}).Op(
			"n")}}, ui.Limits{})
	if err != nil {
		b.Fatal(err)
	}
	for _, tt := range []struct {
		key    string
		values []ui.Leaf
	}{{"main/paste/read", []ui.Leaf{{Path: worksheet.PastePath, Value: ui.String(text)}}},
		{"main/paste/found/buttons/apply", nil}, {"main/rows/r9/!show", nil}, {"main/buttons/submit", nil}} {
		var next *ui.State
		b.Run(tt.key[strings.LastIndexByte(tt.key, '/')+1:], func(b *testing.B) {
			for b.Loop() {
				act, ok := s.Surface("table:list").ActionAt(ui.KeyPath(tt.key))
				if !ok {
					b.Fatal("no button")
				}
				said := ui.Map()
				for _, c := range act.Context {
					if c.Path == "" {
						said, _ = said.With(c.Value, c.Key)
					}
				}
				step, err := Action(e, s, Click{Surface: s.Surface("table:list"), Action: act, Values: tt.values, Context: said})
				if err != nil || step.Outcome.Kind != ui.OutcomeDone && step.Outcome.Kind != ui.OutcomeAsked {
					b.Fatal(err, step.Outcome)
				}
				if next, _, err = ui.Apply(s, &ui.Frame{Seq: s.Seq + 1, At: noon, Ops: step.Ops}, ui.Limits{}); err != nil {
					b.Fatal(err)
				}
			}
		})
		s = next
	}
}
