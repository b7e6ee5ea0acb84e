package worksheet

import (
	"slices"
	"strconv"
	"strings"

	"github.com/limn-ui/limn/internal/capture"
	"github.com/limn-ui/limn/internal/excerpt"
	"github.com/limn-ui/limn/ui"
)

// Taken is the effect of a paste on the rows of a worksheet.
type Taken struct {
	Rows    int             // that were added, or filled
	Over    int             // more rows than there is room for; 0 = all fit
	Fits    int             // rows that there was room for
	Cut     bool            // Rows are the first ones, and Over were left out
	Changes []ui.PatchOne   // of the surface's data
	Errors  []ui.FieldError // of the surface, afterwards
	Look    ui.Path         // the first cell to look at; "" = none
	Said    string          // the changes, in a sentence
}

// Take takes a source into the rows of a worksheet, by the mapping its preview shows:
// blank rows are filled first, the rest is appended. The raw text of a cell that
// does not fit stays in the cell. A table with room for most rows takes as many as
// fit. An error asks at the mapping.
func Take(w ui.Words, sf *ui.Surface, src Source, most int) (Taken, *ui.FieldError) {
	of, word := Filled(sf.Root), "paste.added"
	t := taking{w: w, sf: sf, rs: ui.RowsetOf(of), errors: sf.Errors, most: most}
	if t.rs == nil {
		return Taken{}, &ui.FieldError{Path: src.Path(), Code: ui.CodeFieldType, Text: w.Say("paste.none")}
	}
	t.fits = most - len(FilledRows(sf, t.rs).Records())
	if m := processIn(of, src.Text, t.rs.Columns); m != nil {
		t.steps(m)
	} else if ask := t.table(src.Text, of); ask != nil {
		return Taken{}, ask
	}
	if _, ok := of.(*ui.Steps); ok {
		word += ".map"
	}
	rows := len(t.added) + t.more
	out := Taken{Rows: rows, Over: max(t.over, rows-t.fits), Fits: t.fits, Cut: t.over > 0,
		Changes: t.changes(), Errors: t.errors, Said: t.said(word)}
	if len(t.asked) > 0 {
		out.Look = t.asked[0].Path
	}
	return out, nil
}

// Seed reads the content of a table from a message: its rows in the form of a draft,
// and the questions at their cells. ok is false if the message has no rows, or more
// than the table takes.
func Seed(w ui.Words, rs *ui.Rowset, text string, most int) (rows ui.Value, asked []ui.FieldError, ok bool) {
	p := capture.Look(text, rs.Columns)
	if p.Rows+p.More > most || len(p.Columns)+p.MoreColumns > MaxColumns {
		return ui.Value{}, nil, false
	}
	read := capture.Reader{DecimalComma: w.DecimalComma()}.Table(text, rs.Columns)
	rows = read.Value()
	t := taking{w: w, rs: rs, added: rows.Records()}
	for i := range t.added {
		t.number = append(t.number, i+1)
	}
	t.misfits(read)
	return rows, t.asked, len(t.added) > 0
}

// taking takes a paste into rows: blank ones are filled, the rest is appended,
// and what does not fit or had to be chosen is asked at its cell.
type taking struct {
	w      ui.Words
	sf     *ui.Surface
	rs     *ui.Rowset
	added  []ui.Record // in pasted order: the first of them blank rows of rs, then new ones
	blank  int         // how many blank ones
	number []int       // of each added row, from 1
	merged []ui.PatchOne
	edges  []ui.Record
	errors []ui.FieldError // of the surface, afterwards
	asked  []ui.FieldError // those of them that are new
	left   []string        // pasted columns that were left out
	most   int             // rows that there can be
	fits   int             // that there is room for
	over   int             // that were left out
	more   int             // that were not read, or not taken as there are too many
}

// place gives the rows of cells their ids: of blank rows first, then new ones.
func (t *taking) place(cells []ui.Value) {
	rows, _ := t.sf.Get(t.rs.Path)
	taken := make(map[string]bool, len(rows.Records()))
	for i, r := range rows.Records() {
		taken[r.ID] = true
		if t.blank < len(cells) && t.rs.Blank(r.Cells) {
			t.added, t.number = append(t.added, ui.Record{ID: r.ID, Cells: cells[t.blank]}), append(t.number, i+1)
			t.blank++
		}
	}
	order := ""
	for i, c := range cells[t.blank:] {
		n := len(rows.Records()) + 1 + i
		order = ui.OrderBetween(order, "") // rows are kept in the order of their orders
		t.added, t.number = append(t.added, ui.Record{ID: FreeRow(taken, max(n, Used(t.sf, t.rs)+1)), Order: order,
			Cells: c}), append(t.number, n)
	}
	now := map[string]bool{}
	for _, r := range t.added {
		now[r.ID] = true
	}
	t.errors = slices.DeleteFunc(slices.Clone(t.errors), func(e ui.FieldError) bool {
		rest, below := strings.CutPrefix(string(e.Path), string(t.rs.Path)+"/")
		row, _, _ := strings.Cut(rest, "/")
		return e.Path == t.rs.Path || below && now[row]
	})
}

// changes are the changes to the data of the surface.
func (t *taking) changes() (list []ui.PatchOne) {
	for _, r := range t.added[:t.blank] {
		list = append(list, ui.PatchOne{Do: ui.PatchSet, Path: t.rs.Path.Join(r.ID), Value: r.Cells})
	}
	if more := t.added[t.blank:]; len(more) > 0 {
		list = append(list, ui.PatchOne{Do: ui.PatchAppend, Path: t.rs.Path, Value: ui.Rows(more...)})
	}
	if len(t.edges) > 0 {
		list = append(list, ui.PatchOne{Do: ui.PatchAppend, Path: EdgesPath, Value: ui.Rows(t.edges...)})
	}
	list = append(list, t.merged...)
	if len(t.number) > 0 {
		if first, end := t.sf.Page(t.rs); t.number[0] <= first || t.number[0] > max(end, ui.PageRows) {
			list = append(list, Turn(t.rs, (t.number[0]-1)/ui.PageRows*ui.PageRows))
		}
	}
	return list
}

// table takes rows in by the mapping the user left; an error asks at the mapping.
func (t *taking) table(text string, of ui.Node) *ui.FieldError {
	mapping, ask := t.mapping()
	if ask != nil {
		return ask
	}
	rows := capture.Reader{DecimalComma: t.w.DecimalComma()}.TableWith(text, t.rs.Columns, mapping)
	switch n := len(rows.Rows) + rows.More; {
	case n <= t.fits:
	case t.fits > 0 && canCut(of):
		rows.Cut(t.fits)
		t.over = n - t.fits
	default:
		t.more = n
		return nil
	}
	var cells []ui.Value
	for _, r := range rows.Value().Records() {
		cells = append(cells, r.Cells)
	}
	t.place(cells)
	t.misfits(rows)
	for i, name := range mapping {
		if name == "" {
			t.left = append(t.left, t.pasted(i))
		}
	}
	if _, ok := of.(*ui.Steps); ok {
		t.chain()
	}
	return nil
}

// mapping reads which column each pasted one is.
func (t *taking) mapping() (names []string, ask *ui.FieldError) {
	w, used := t.w, false
	for i := range MaxColumns {
		v, ok := t.sf.Get(t.mappingPath(i))
		if !ok {
			break
		}
		name, at := v.Text(), slices.IndexFunc(t.rs.Columns, func(c ui.Field) bool { return c.Name == v.Text() })
		switch {
		case at < 0:
			name = ""
		case slices.Contains(names, name):
			return nil, &ui.FieldError{Path: t.mappingPath(i), Code: ui.CodeFieldOption,
				Text: w.Say("paste.twice", "label", t.rs.Columns[at].Title())}
		}
		used = used || name != ""
		names = append(names, name)
	}
	if !used {
		return nil, &ui.FieldError{Path: t.mappingPath(0), Code: ui.CodeFieldRequired, Text: w.Say("paste.nothing")}
	}
	return names, nil
}

func (t *taking) mappingPath(i int) ui.Path { return MappingPath.Join("c" + strconv.Itoa(i+1)) }

// pasted is how the preview calls a pasted column.
func (t *taking) pasted(i int) (label string) {
	ui.Walk(t.sf.Tree(), func(_ ui.KeyPath, n ui.Node) bool {
		if in := ui.InputOf(n); in != nil && in.Path == t.mappingPath(i) {
			label = in.Title()
		}
		return true
	})
	return label
}

// maxRaw is how many characters of pasted text a question quotes.
const maxRaw = 300

// misfits asks at the cells that do not fit, and at those that were guessed.
func (t *taking) misfits(rows capture.Rows) {
	w, columns := t.w, map[string]int{}
	for i, c := range t.rs.Columns {
		columns[c.Name] = i
	}
	ask := func(row, col int, code ui.Code, text string) {
		e := ui.FieldError{Path: t.rs.CellPath(t.added[row].ID, t.rs.Columns[col].Name), Code: code, Text: text}
		if !slices.ContainsFunc(t.asked[max(0, len(t.asked)-len(columns)):],
			func(o ui.FieldError) bool { return o.Path == e.Path }) {
			t.asked = append(t.asked, e)
		}
	}
	for _, e := range rows.DraftErrors() {
		if e.Code == capture.CodeExtra {
			n := len(t.rs.Columns) - 1
			extra := excerpt.Runes(strings.Join(rows.Rows[e.Row].Extra, " / "), maxRaw)
			ask(e.Row, n, CodeExtra, w.Say("paste.extra", "label", CellLabel(w, t.rs.Columns[n], t.number[e.Row]),
				"list", extra))
			continue
		}
		c := columns[e.Col]
		raw := excerpt.Runes(rows.Rows[e.Row].Cells[c].Raw, maxRaw)
		code, text := misfit(t.rs.Columns[c], t.added[e.Row].Cells, raw,
			CellLabel(w, t.rs.Columns[c], t.number[e.Row]), w)
		ask(e.Row, c, code, text)
	}
	for _, q := range rows.Questions {
		c, known := columns[q.Col]
		row := max(q.Row, 0)
		if row >= len(t.added) {
			continue
		}
		label, raw := CellLabel(w, t.rs.Columns[c], t.number[row]), excerpt.Runes(q.Raw, maxRaw)
		switch {
		case q.Code == capture.CodeAmbiguous:
			ask(row, c, CodeGuess, w.Say("paste.date", "label", label, "raw", raw, "guess", q.Guess, "other", q.Other))
		case known:
			ask(row, c, CodeGuess, w.Say("paste.header", "raw", raw, "label", t.rs.Columns[c].Title()))
		default:
			ask(row, c, CodeGuess, w.Say("paste.header.none", "raw", raw))
		}
	}
	t.errors = append(t.errors, t.asked...)
}

// misfit returns the fault of a pasted cell as a submit would, and the pasted text
// where the cell's input cannot show it.
func misfit(f ui.Field, cells ui.Value, raw, label string, w ui.Words) (ui.Code, string) {
	v, _ := cells.Get(f.Name)
	_, e := f.Check(v, label, w)
	if e == nil {
		return ui.CodeFieldType, w.Say("paste.misfit", "label", label, "raw", raw)
	}
	switch f.Type {
	case ui.TypeText, ui.TypeLongText, ui.TypeNumber, ui.TypeEmail, ui.TypeURL, ui.TypeTags:
	default:
		if raw != "" {
			return e.Code, e.Text + " " + w.Say("paste.was", "raw", raw)
		}
	}
	return e.Code, e.Text
}

// chain connects steps that were pasted as a table, in their order, where the
// map had no other.
func (t *taking) chain() {
	steps, edges := OwnEdges(t.sf, t.rs)
	rows, filled, last := steps.Records(), len(FilledRows(t.sf, t.rs).Records()), ""
	if Chain(steps, edges) && filled == len(rows) {
		last = rows[len(rows)-1].ID
	} else if filled > 0 || len(edges.Records()) > 0 {
		return
	}
	for _, r := range t.added {
		if last != "" {
			t.connect(edges, last, r.ID, capture.Sequence, false)
		}
		last = r.ID
	}
}

// connect adds a connection unless the two steps have one; id is its row.
func (t *taking) connect(edges ui.Value, from, to string, kind capture.Kind, conditional bool) (id string) {
	taken := map[string]bool{}
	for _, e := range slices.Concat(edges.Records(), t.edges) {
		if a, b := ends(e); a == from && b == to {
			return ""
		}
		taken[e.ID] = true
	}
	order := ""
	if n := len(t.edges); n > 0 {
		order = t.edges[n-1].Order
	}
	id = FreeRow(taken, len(taken)+1)
	t.edges = append(t.edges, ui.Record{ID: id, Order: ui.OrderBetween(order, ""),
		Cells: Connect(from, to, kind, conditional)})
	return id
}

// known says which step of a map each step that was read is already: its row
// id, "" = none. Steps are one where their names are (facts C-7).
func known(sf *ui.Surface, rs *ui.Rowset, m *capture.Map) []string {
	names := map[string]string{}
	for _, r := range sf.Rows(rs) {
		name, _ := r.Cells.Get("name")
		if key := folded(name.Text()); key != "" {
			names[key] = r.ID
		}
	}
	ids := make([]string, len(m.Steps))
	for i, s := range m.Steps {
		ids[i] = names[folded(s.Name)]
	}
	return ids
}

func folded(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), " ")) }

// steps takes the steps and connections of a process in.
func (t *taking) steps(m *capture.Map) {
	t.more = m.More
	ids := known(t.sf, t.rs, m)
	var cells []ui.Value
	for i, s := range m.Steps {
		if ids[i] == "" {
			cells = append(cells, stepCells(s))
			continue
		}
		at := t.rs.CellPath(ids[i], "owner")
		if textAt(t.sf, at) == "" && s.Owner != "" {
			t.merged = append(t.merged, ui.PatchOne{Do: ui.PatchSet, Path: at, Value: ui.String(s.Owner)})
		}
	}
	t.place(cells)
	n := 0
	for i := range ids {
		if ids[i] == "" {
			ids[i] = t.added[n].ID
			n++
		}
	}
	_, edges := OwnEdges(t.sf, t.rs)
	for _, e := range m.Edges {
		if id := t.connect(edges, ids[e.From], ids[e.To], e.Kind, e.Conditional); id != "" && e.Guess() {
			t.asked = append(t.asked, guessed(t.w, m, e, id))
		}
	}
	t.errors = append(t.errors, t.asked...)
}

// guessed asks about a connection that the text leaves open.
func guessed(w ui.Words, m *capture.Map, e capture.Edge, id string) ui.FieldError {
	column := "kind"
	if e.Other == capture.OtherBack {
		column = "to"
	}
	return ui.FieldError{Path: EdgesPath.Join(id, column), Code: CodeGuess, Text: guessText(w, m, e)}
}

func guessText(w ui.Words, m *capture.Map, e capture.Edge) string {
	return w.Say("edge.guess."+string(e.Other), "label", excerpt.Runes(m.Steps[e.To].Name, 60), "other",
		excerpt.Runes(m.Steps[e.From].Name, 60))
}

// SeedMap asks about the connections of a process that opens a map, by the ids
// that capture.Map.Rows gives them.
func SeedMap(w ui.Words, m capture.Map) (asked []ui.FieldError) {
	_, edges := m.Rows()
	for i, e := range m.Edges {
		if e.Guess() {
			asked = append(asked, guessed(w, &m, e, edges.Records()[i].ID))
		}
	}
	return asked
}

func stepCells(s capture.Step) ui.Value {
	text := func(key, v string) ui.Pair { return ui.Pair{Key: key, Value: ui.String(v)} }
	return ui.Map(text("name", s.Name), text("owner", s.Owner), text("outcome", s.Outcome))
}

// said sums up the changes.
func (t *taking) said(key string) string {
	w := t.w
	list := []string{Count(w, key, len(t.added))}
	if len(t.edges) > 0 {
		list = append(list, Count(w, "paste.linked", len(t.edges)))
	}
	if len(t.asked) > 0 {
		list = append(list, Count(w, "paste.check", len(t.asked)))
	}
	if t.over > 0 {
		list = append(list, Count(w, "paste.rest", t.over, "max", strconv.Itoa(t.most)))
	}
	if len(t.left) > 0 {
		list = append(list, w.Say("paste.left", "list", strings.Join(t.left, ", ")))
	}
	return strings.Join(list, ", ") + "."
}

// FreeRow returns the first row id from r<n> on that is not taken, and takes it.
func FreeRow(taken map[string]bool, n int) string {
	for ; ; n++ {
		if id := "r" + strconv.Itoa(n); !taken[id] {
			taken[id] = true
			return id
		}
	}
}

// usedPath is where the greatest number of a removed row is kept, under /ui_state.
func usedPath(rs *ui.Rowset) ui.Path { return ui.PathOf(ui.UIStateRoot, "rows_"+rs.Key) }

// Used is the greatest number that an id of a removed row has: a new row has a greater one, so
// that a late event about a removed row is never about another row.
func Used(sf *ui.Surface, rs *ui.Rowset) int {
	v, _ := sf.Get(usedPath(rs))
	n, _ := v.Float()
	return int(n)
}

// WasRow reports an id that a removed row can have had.
func WasRow(sf *ui.Surface, rs *ui.Rowset, id string) bool {
	n := rowNumber(id)
	return n > 0 && n <= Used(sf, rs)
}

// Retired keeps that rows with these ids were there; nothing if that is known.
func Retired(sf *ui.Surface, rs *ui.Rowset, ids ...string) []ui.PatchOne {
	n := 0
	for _, id := range ids {
		n = max(n, rowNumber(id))
	}
	if n <= Used(sf, rs) {
		return nil
	}
	return []ui.PatchOne{{Do: ui.PatchSet, Path: usedPath(rs), Value: ui.Int(int64(n))}}
}

// rowNumber is the number in an id such as r12; 0 for others.
func rowNumber(id string) int {
	digits, ok := strings.CutPrefix(id, "r")
	n, err := strconv.ParseUint(digits, 10, 31)
	if !ok || err != nil || len(digits) > 9 {
		return 0
	}
	return int(n)
}

// Turn shows the page of a rowset that begins with row first, from 0.
func Turn(rs *ui.Rowset, first int) ui.PatchOne {
	return ui.PatchOne{Do: ui.PatchSet, Path: rs.PagePath(), Value: ui.Int(int64(first))}
}
