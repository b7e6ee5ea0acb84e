package capture

import (
	"slices"
	"strings"

	"github.com/limn-ui/limn/internal/excerpt"
	"github.com/limn-ui/limn/ui"
)

// Preview describes a paste before it is taken in.
type Preview struct {
	Form        Form
	Header      bool     // the first line names columns
	Columns     []Pasted // in pasted order
	Rows        int      // data rows that will be read
	More        int      // rows beyond MaxRows
	MoreColumns int      // pasted columns beyond those listed
	Intro       []string // lines that are no rows
}

// Pasted is one pasted column.
type Pasted struct {
	Header  string   // as pasted; "" without a header line
	Samples []string // the first cells with text, at most three, shortened
	Column  string   // name of the declared column it seems to be; "" = none
	Guessed bool     // Column is a guess: the header says something else
}

// Look cuts a paste into columns and guesses which declared one each is: by the
// names in the header, by likeness and by content where a name is unknown, by
// position where there is no header. It types nothing. The names of Columns are
// a mapping for TableWith.
func Look(text string, columns []ui.Field) Preview {
	g := cut(text, columns)
	p := Preview{Form: g.form, Header: g.header != nil, Rows: min(len(g.records), MaxRows), Intro: g.intro}
	p.More = len(g.records) - p.Rows
	width := len(g.header)
	for _, r := range g.records {
		width = max(width, len(r))
	}
	source := g.sources(columns, nil)
	_, guess := g.askHeaders(columns, source)
	p.Columns = make([]Pasted, min(width, maxPasted))
	p.MoreColumns = width - len(p.Columns)
	for at := range p.Columns {
		col := &p.Columns[at]
		if at < len(g.header) {
			col.Header = short(g.header[at])
		}
		if c := slices.Index(source, at); c >= 0 {
			col.Column, col.Guessed = columns[c].Name, g.inOrder
		} else if c := slices.Index(guess, at); c >= 0 {
			col.Column, col.Guessed = columns[c].Name, true
		}
		for _, r := range g.records[:p.Rows] {
			if len(col.Samples) == 3 {
				break
			}
			if at < len(r) && strings.TrimSpace(r[at]) != "" {
				col.Samples = append(col.Samples, short(r[at]))
			}
		}
	}
	return p
}

// Mapping returns the proposed mapping: Column of each pasted column.
func (p Preview) Mapping() []string {
	names := make([]string, len(p.Columns))
	for i, c := range p.Columns {
		names[i] = c.Column
	}
	return names
}

// maxShort is how many characters of a cell a preview shows, before the … for more.
const maxShort = 79

func short(s string) string {
	return excerpt.Runes(excerpt.Line(s[:min(len(s), 8*maxShort)]), maxShort)
}
