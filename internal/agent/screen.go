package agent

import (
	"slices"
	"strconv"
	"strings"

	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/internal/fence"
	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/ui"
)

// Bounds of the description of a screen.
const (
	maxSurfaces = 12  // surfaces described, open ones first
	maxFields   = 40  // fields of one surface
	maxRows     = 8   // rows of one table
	maxOptions  = 12  // options of one choice
	maxValue    = 200 // bytes of one value
	maxRecord   = 400 // bytes of a submission under one name
)

// screen describes the user's screen in at most so many tokens: names, fields,
// their values, errors, and submissions. All of it is data: titles and values may
// come from anyone.
func screen(s *ui.State, tokens int) string {
	if s == nil {
		return ""
	}
	if len(s.Surfaces) == 0 && len(s.Committed.Pairs()) == 0 {
		return "The user sees nothing but this chat."
	}
	w := &words{b: make([]byte, 0, 12<<10), room: tokens}
	said, parts := described(s.Surfaces), make(map[*ui.Surface]part, maxSurfaces)
	w.full = len(said) < len(s.Surfaces)
	for _, sf := range said { // names first: the model must know every open surface
		from := len(w.b)
		w.title(sf)
		parts[sf] = part{title: span{from, len(w.b)}}
	}
	for _, sf := range said {
		if sf.Status == ui.StatusOpen {
			p := parts[sf]
			p.body.from = len(w.b)
			w.body(sf)
			p.body.to = len(w.b)
			parts[sf] = p
		}
	}
	from := len(w.b)
	for _, p := range s.Committed.Pairs() {
		w.line(func(b []byte) []byte {
			b = append(append(b, "- submitted: "...), oneLine(p.Key, 64)...)
			return append(append(b, ' '), oneLine(string(p.Value.AppendJSON(nil)), maxRecord)...)
		})
	}
	out := make([]byte, 0, len(w.b)+16)
	for _, sf := range s.Surfaces { // in the order in which they were opened
		p := parts[sf]
		out = append(append(out, w.b[p.title.from:p.title.to]...), w.b[p.body.from:p.body.to]...)
	}
	out = append(out, w.b[from:]...)
	if w.full {
		out = append(out, "- and more\n"...)
	}
	return "What the user sees now:\n" + fence.Text(strings.TrimSuffix(string(out), "\n"))
}

// part is the position of a surface's lines in words.b.
type part struct{ title, body span }

type span struct{ from, to int }

// described picks the surfaces that are spoken of, the most important first:
// those that are open, and of each kind those that were opened last.
func described(all []*ui.Surface) []*ui.Surface {
	var open, others []*ui.Surface
	for _, sf := range slices.Backward(all) {
		if sf.Status == ui.StatusOpen {
			open = append(open, sf)
		} else {
			others = append(others, sf)
		}
	}
	list := append(open, others...)
	return list[:min(len(list), maxSurfaces)]
}

// words is a text of whole lines that keeps to a budget.
type words struct {
	b    []byte
	room int  // tokens
	over bool // there was no room for a line: nothing follows
	full bool // something was left out
}

// line writes one, if there is room for it.
func (w *words) line(write func(b []byte) []byte) {
	if w.over {
		return
	}
	from := len(w.b)
	w.b = append(write(w.b), '\n')
	if n := llm.Tokens(w.b[from:]); n <= w.room {
		w.room -= n
		return
	}
	w.b, w.over, w.full = w.b[:from], true, true
}

func (w *words) title(sf *ui.Surface) {
	w.line(func(b []byte) []byte {
		b = append(append(b, "- "...), oneLine(string(sf.Name), 64)...)
		b = append(append(append(b, ", "...), kind(sf)...), ' ')
		return append(append(quoted(b, sf.Title, 80), ", "...), sf.Status...)
	})
}

func (w *words) body(sf *ui.Surface) {
	n := 0
	ui.Walk(sf.Tree(), func(_ ui.KeyPath, node ui.Node) bool {
		if w.over {
			return false
		}
		if in := ui.InputOf(node); in != nil {
			if n++; n <= maxFields {
				w.input(sf, in)
			} else {
				w.full = true
			}
		}
		if rs := ui.RowsetOf(node); rs != nil {
			w.rows(sf, rs)
		}
		return true
	})
}

func kind(sf *ui.Surface) string {
	switch sf.Origin.Kind {
	case "form", "table", "map", "view":
		return sf.Origin.Kind
	}
	return "surface"
}

func (w *words) input(sf *ui.Surface, in *ui.Input) {
	w.line(func(b []byte) []byte {
		b = head(b, in.Path, in.Title())
		b = append(b, in.Type...)
		if in.Required {
			b = append(b, ", required"...)
		}
		for i, o := range in.Options[:min(len(in.Options), maxOptions)] {
			b = append(append(b, []string{", one of ", " | "}[min(i, 1)]...), oneLine(o.Value, 64)...)
		}
		v, _ := sf.Get(in.Path)
		return wrong(writer(value(append(b, ": "...), in.Type, v), sf, in.Path), sf.ErrorAt(in.Path))
	})
}

func (w *words) rows(sf *ui.Surface, rs *ui.Rowset) {
	v, _ := sf.Get(rs.Path)
	rows, columns := v.Records(), rs.Columns[:min(len(rs.Columns), maxFields)]
	w.line(func(b []byte) []byte {
		b = append(strconv.AppendInt(head(b, rs.Path, rs.Label), int64(len(rows)), 10), " rows of "...)
		for i, c := range columns {
			b = append(append(b, []string{"", ", "}[min(i, 1)]...), oneLine(c.Name, 64)...)
		}
		return wrong(b, sf.ErrorAt(rs.Path))
	})
	faulty := slices.ContainsFunc(sf.Errors, func(e ui.FieldError) bool {
		return strings.HasPrefix(string(e.Path), string(rs.Path))
	})
	for _, r := range rows[:min(len(rows), maxRows)] {
		w.line(func(b []byte) []byte {
			b = append(append(append(b, "    - "...), oneLine(r.ID, 64)...), ':')
			for _, c := range columns {
				cell, _ := r.Cells.Get(c.Name)
				b = writer(value(append(b, ' '), c.Type, cell), sf, rs.Path.Join(r.ID, c.Name))
				if faulty {
					b = wrong(b, sf.ErrorAt(rs.Path.Join(r.ID, c.Name)))
				}
			}
			return b
		})
	}
	if more := len(rows) - maxRows; more > 0 {
		w.line(func(b []byte) []byte {
			return append(strconv.AppendInt(append(b, "    - "...), int64(more), 10), " more rows"...)
		})
	}
}

func head(b []byte, p ui.Path, title string) []byte {
	b = append(append(append(b, "  - "...), oneLine(string(p), 200)...), ' ')
	return append(quoted(b, title, 80), ", "...)
}

func quoted(b []byte, s string, n int) []byte {
	return append(append(append(b, '"'), oneLine(s, n)...), '"')
}

// writer appends who wrote a value last, where more than one did on this surface.
func writer(b []byte, sf *ui.Surface, p ui.Path) []byte {
	w, ok := sf.Stamps[p]
	if !ok || len(sf.Actors) < 2 {
		return b
	}
	a := sf.Actors[w.Actor()]
	switch {
	case a.Name != "":
		return quoted(append(b, " by "...), a.Name, 64)
	case a.By != "":
		return append(b, " by the user"...)
	}
	if w.Actor() == builtin.ActorAgent {
		return append(b, " by you"...)
	}
	return append(b, " by the application"...)
}

// wrong appends the error of the value before it.
func wrong(b []byte, e string) []byte {
	if e == "" {
		return b
	}
	return append(append(append(b, " (error: "...), oneLine(e, maxValue)...), ')')
}

// value appends the value of a field, on one line.
func value(b []byte, t ui.FieldType, v ui.Value) []byte {
	switch {
	case v.Empty():
		return append(b, "empty"...)
	case t == ui.TypeUpload:
		return append(append(b, "the file "...), oneLine(v.Text(), maxValue)...)
	case v.Kind() == ui.StringValue:
		return quoted(b, v.Text(), maxValue)
	}
	return append(b, oneLine(string(v.AppendJSON(nil)), maxValue)...)
}
