// Package card sums up the answers of a surface in a few lines.
//
// In: a surface that takes no more input, and its values. Out: lines of a label and a
// value, none of them empty.
// Callers: html and compile, which draw them as a summary card. Pure.
package card

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/internal/excerpt"
	"github.com/limn-ui/limn/ui"
)

const (
	most  = 5  // lines of a card
	names = 3  // rows that a line names
	runes = 80 // characters of a value
)

// Line is a label with its value.
type Line struct {
	Label, Text string
	rank        int // the lower, the sooner it is on a card
}

// Card is a surface that is summed up.
type Card struct {
	Surface *ui.Surface
	Words   ui.Words
	Value   func(ui.Path) ui.Value
}

// Edit is the action of the one button of an answered surface that saved a record: it
// opens the record in its form again.
func Edit(s *ui.Surface) (ui.Action, bool) {
	record := s.Origin.Record.ID
	return ui.Action{Name: builtin.ActionRecordEdit, Context: []ui.Context{
		{Key: "name", Value: ui.String(s.Origin.Template)}, {Key: "id", Value: ui.String(record)},
	}}, record != "" && s.Status == ui.StatusSubmitted
}

// Lines returns the most telling values, in the order of the surface: rows and required
// values are chosen first, long texts last.
func (c Card) Lines() []Line {
	all := c.values()
	best := slices.Clone(all)
	slices.SortStableFunc(best, func(a, b Line) int { return cmp.Compare(a.rank, b.rank) })
	best = best[:min(most, len(best))]
	return slices.DeleteFunc(all, func(l Line) bool { return !slices.Contains(best, l) })
}

// values lists the values of the inputs.
func (c Card) values() (list []Line) {
	ui.Walk(c.Surface.Tree(), func(_ ui.KeyPath, n ui.Node) bool {
		if section, ok := n.(*ui.Section); ok && section.Fold {
			return false
		}
		if rs := ui.RowsetOf(n); rs != nil {
			if text := c.rows(rs); text != "" {
				list = append(list, Line{Label: rs.Label, Text: text})
			}
			return false
		}
		in := ui.InputOf(n)
		if in == nil {
			return true
		}
		v := c.Value(in.Path)
		if text := Shown(c.Surface, c.Words, &in.Field, v); text != "" {
			list = append(list, Line{in.Title(), excerpt.Runes(text, runes), rankOf(&in.Field, v)})
		}
		return true
	})
	return list
}

func rankOf(f *ui.Field, v ui.Value) int {
	switch {
	case f.Required:
		return 0
	case f.Type == ui.TypeLongText, f.Type == ui.TypeBoolean && !v.True():
		return 2
	}
	return 1
}

// rows counts the rows that are filled in and names the first ones.
func (c Card) rows(rs *ui.Rowset) string {
	var list []string
	filled := 0
	for _, row := range c.Value(rs.Path).Records() {
		for i := range rs.Columns {
			cell, _ := row.Cells.Get(rs.Columns[i].Name)
			text := Shown(c.Surface, c.Words, &rs.Columns[i], cell)
			if text == "" || rs.Columns[i].Type == ui.TypeBoolean {
				continue
			}
			if filled++; len(list) < names {
				list = append(list, excerpt.Runes(text, runes))
			}
			break
		}
	}
	if filled == 0 {
		return ""
	}
	return c.Words.Say("records.rows", "n", strconv.Itoa(filled), "list", strings.Join(list, ", "))
}

// Shown is a value as people read it: of an upload, the name of the file.
func Shown(s *ui.Surface, w ui.Words, f *ui.Field, v ui.Value) string {
	if text := v.Text(); f.Type == ui.TypeUpload && text != "" {
		return FileName(s, text)
	}
	return f.Shown(w, v)
}

// FileName is what people read for an upload: its file name if it is kept at
// /ui_state/uploads/<id>, else the id.
func FileName(s *ui.Surface, id string) string {
	if v, ok := s.UIState.Get("uploads", id); ok && v.Text() != "" {
		return v.Text()
	}
	return id
}
