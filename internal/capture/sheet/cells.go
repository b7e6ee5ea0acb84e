package sheet

import (
	"encoding/xml"
	"strconv"
	"strings"
	"unicode/utf8"
)

// The size of the largest sheet, and of the largest cell, that Excel has.
const (
	lastRow    = 1 << 20
	lastColumn = 1 << 14
	maxCell    = 32_767 // characters
)

// cell is one that holds something.
type cell struct {
	row, column int // from 1, from 0
	shared      int // the number of its shared string; -1: text is its own
	text        string
}

// grid collects the cells of a sheet while its part is read.
type grid struct {
	book   *book
	lim    Limits
	info   *Info
	cells  []cell
	hidden map[int]bool // rows
	merges merges
	bytes  int // of text

	row, column    int    // of the element that is read
	kind, style    string // attributes of the cell that is read
	inside         string // the element whose text counts: "v", "t" or ""
	phonetic       int    // depth of rPh, whose text is not the cell's
	formula, value bool
	text           []byte
}

func (g *grid) visit(t xml.Token) error {
	switch t := t.(type) {
	case xml.StartElement:
		return g.start(t)
	case xml.EndElement:
		return g.end(t.Name.Local)
	case xml.CharData:
		if g.inside != "" && g.phonetic == 0 {
			return grow(&g.text, t)
		}
	}
	return nil
}

func (g *grid) start(t xml.StartElement) error {
	switch t.Name.Local {
	case "row":
		g.row, g.column = g.row+1, -1
		if r := attribute(t, "r"); r != "" {
			n, err := strconv.Atoi(r)
			if err != nil || n < 1 {
				return unreadable(err)
			}
			g.row = n
		}
		if g.row > lastRow {
			return unreadable(nil)
		}
		if flag(t, "hidden") && len(g.hidden) <= g.lim.Rows {
			g.hidden[g.row] = true
		}
	case "c":
		g.column++
		if ref := attribute(t, "r"); ref != "" {
			column, _, ok := position(ref)
			if !ok {
				return unreadable(nil)
			}
			g.column = column
		}
		g.kind, g.style = attribute(t, "t"), attribute(t, "s")
		g.formula, g.value, g.text = false, false, g.text[:0]
	case "f":
		g.formula = true
	case "v":
		g.inside, g.value = "v", true
	case "is":
		g.value = true
	case "t":
		g.inside = "t"
	case "rPh":
		g.phonetic++
	case "mergeCell":
		return g.merges.add(attribute(t, "ref"), g.info)
	}
	return nil
}

func (g *grid) end(name string) error {
	switch name {
	case "v", "t":
		g.inside = ""
	case "rPh":
		g.phonetic--
	case "c":
		if g.formula && !g.value {
			g.info.NoValue++
		}
		if len(g.text) > 0 {
			return g.add()
		}
	}
	return nil
}

// add keeps the cell that was read.
func (g *grid) add() error {
	c := cell{row: g.row, column: g.column, shared: -1}
	switch {
	case c.row == 0 || c.column < 0: // a value outside of a row or of a cell
		return unreadable(nil)
	case c.column >= g.lim.Columns:
		return tooLarge("sheet", "columns", g.lim.Columns)
	case len(g.cells) >= g.lim.Cells:
		return tooLarge("sheet", "cells", g.lim.Cells)
	case utf8.RuneCount(g.text) > maxCell:
		return cellTooLong()
	}
	value := string(g.text)
	switch g.kind {
	case "s":
		n, err := strconv.Atoi(strings.TrimSpace(value))
		if err != nil || n < 0 {
			return unreadable(err)
		}
		c.shared = n
	case "b":
		c.text = "FALSE"
		if value = strings.TrimSpace(value); value == "1" || value == "true" {
			c.text = "TRUE"
		}
	case "inlineStr", "str":
		c.text = unescape(value)
	case "e":
		c.text = value
	case "d":
		c.text = isoText(value)
	default:
		c.text = g.book.styles.show(strings.TrimSpace(value), g.style, g.book.from)
	}
	if g.bytes += len(c.text); g.bytes > g.lim.Text {
		return tooMuchText(g.lim)
	}
	g.cells = append(g.cells, c)
	return nil
}

// grow adds to the text of a cell, up to the length of the longest cell.
func grow(text *[]byte, more []byte) error {
	if len(*text)+len(more) > maxCell*utf8.UTFMax {
		return cellTooLong()
	}
	*text = append(*text, more...)
	return nil
}

// resolve reads the shared strings that the cells of a sheet refer to. What others
// refer to is passed over, and what many refer to counts for each of them.
func (b *book) resolve(g *grid) error {
	uses := map[int]int{}
	for _, c := range g.cells {
		if c.shared >= 0 {
			uses[c.shared]++
		}
	}
	if len(uses) == 0 {
		return nil
	}
	found := make(map[int]string, len(uses))
	var text []byte
	n, depth, phonetic, inside := -1, 0, 0, false
	err := b.part(b.strings, b.limit, func(t xml.Token) error {
		switch t := t.(type) {
		case xml.StartElement:
			switch depth++; {
			case t.Name.Local == "si" && depth == 2:
				n, text = n+1, text[:0]
			case t.Name.Local == "rPh":
				phonetic++
			}
			inside = t.Name.Local == "t"
		case xml.CharData:
			if inside && phonetic == 0 && uses[n] > 0 {
				return grow(&text, t)
			}
		case xml.EndElement:
			inside = false
			depth--
			switch {
			case t.Name.Local == "rPh":
				phonetic--
			case t.Name.Local == "si" && depth == 1 && uses[n] > 0:
				if utf8.RuneCount(text) > maxCell {
					return cellTooLong()
				}
				if g.bytes += len(text) * uses[n]; g.bytes > g.lim.Text {
					return tooMuchText(g.lim)
				}
				found[n] = unescape(string(text))
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	for i := range g.cells {
		if c := &g.cells[i]; c.shared >= 0 {
			text, ok := found[c.shared]
			if !ok {
				return unreadable(nil)
			}
			c.text = text
		}
	}
	return nil
}

// unescape reads _x000D_, the form of characters that XML cannot hold (ECMA-376,
// part 1, 22.4.2.4, ST_Xstring).
func unescape(s string) string {
	if !strings.Contains(s, "_x") {
		return s
	}
	var out strings.Builder
	for {
		before, rest, found := strings.Cut(s, "_x")
		out.WriteString(before)
		if !found {
			return out.String()
		}
		if len(rest) >= 5 && rest[4] == '_' {
			if r, err := strconv.ParseUint(rest[:4], 16, 16); err == nil {
				out.WriteRune(rune(r))
				s = rest[5:]
				continue
			}
		}
		out.WriteString("_x")
		s = rest
	}
}

// merges are cells merged over several rows, by the row they begin in.
type merges struct {
	starts map[int][]span
	active map[int]filling // by column from 0
}

type span struct{ column, last int } // column from 0, last row

type filling struct {
	text string
	last int
}

// maxMerges bounds the merged ranges of a sheet.
const maxMerges = 10_000

func newMerges() merges { return merges{starts: map[int][]span{}, active: map[int]filling{}} }

func (m merges) add(ref string, info *Info) error {
	if info.Merged == maxMerges {
		return tooLarge("sheet", "merged cells", maxMerges)
	}
	from, to, _ := strings.Cut(ref, ":")
	column, first, ok1 := position(from)
	_, last, ok2 := position(to)
	if ok1 && ok2 && last > first {
		m.starts[first] = append(m.starts[first], span{column, last})
		info.Merged++
	}
	return nil
}

// fill repeats merged cells in row n.
func (m merges) fill(n int, row []string) []string {
	for column, f := range m.active {
		switch {
		case n > f.last:
			delete(m.active, column)
		case column < len(row) && row[column] == "":
			row[column] = f.text
		case column >= len(row):
			row = append(row, make([]string, column+1-len(row))...)
			row[column] = f.text
		}
	}
	for _, s := range m.starts[n] {
		if s.column < len(row) {
			m.active[s.column] = filling{row[s.column], s.last}
		}
	}
	return row
}
