package ui

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/limn-ui/limn/internal/excerpt"
)

// apply writes the values the user sent. Rev grows even when no value differs: the
// action was answered.
func (op *Draft) apply(a *applier) error {
	t, err := a.edit(op.Surface)
	if err == nil && t.surface.Status == StatusSubmitted { // on an expired one it is kept for the next
		t, err = a.editOpen(op.Surface)
	}
	if err != nil {
		return err
	}
	edits := make([]edit, len(op.Values))
	for i, l := range op.Values {
		p, _, err := ParsePath(string(l.Path), true)
		if err != nil || p != l.Path || !p.Under(DraftRoot) {
			return Errorf(codePathInvalid, excerpt.Of(string(l.Path), 80),
				"a draft value is at a canonical path under /draft")
		}
		if err := a.fits(t.surface.Root, p, l.Value); err != nil {
			return err
		}
		edits[i] = edit{p, p.Segments()[1:], l.Value}
	}
	draft, bad := t.surface.Draft.withAll(edits)
	if bad != nil {
		return Errorf(codeValueInvalid, string(bad.at), "leads through a value that holds no keys")
	}
	t.surface.Draft = draft
	t.mark(ChangedData)
	return nil
}

// apply keeps the stamps of leaves that the surface has; those of others go.
func (op *Stamp) apply(a *applier) error {
	t, err := a.edit(op.Surface)
	if err != nil {
		return err
	}
	sf := t.surface
	stamps, there := maps.Clone(sf.Stamps), drafted(sf)
	if stamps == nil {
		stamps = map[Path]Stamped{}
	}
	maps.DeleteFunc(stamps, func(p Path, _ Stamped) bool { return !there(p) })
	for p, at := range op.Writes {
		if !there(p) {
			return Errorf(codePathInvalid, excerpt.Of(string(p), 80), "a stamp is for a draft value that is there")
		}
		stamps[p] = Stamped{at, sf.Rev + 1, a.frame.Seq}
	}
	sf.Stamps = stamps
	sf.Actors = maps.Clone(sf.Actors)
	if sf.Actors == nil {
		sf.Actors = map[string]Actor{}
	}
	maps.Copy(sf.Actors, op.Actors)
	sf.forget()
	return nil
}

// drafted returns a function that reports draft values that are there. Asked about many cells, it is faster than Get:
// it searches the rows of a table once.
func drafted(sf *Surface) func(Path) bool {
	tables := map[*Record]map[string]*Record{} // by their first rows
	record := func(rows []Record, id string) *Record {
		if len(rows) == 0 {
			return nil
		}
		byID := tables[&rows[0]]
		if byID == nil {
			byID = make(map[string]*Record, len(rows))
			for i := range slices.Backward(rows) { // of two with one id the first counts
				byID[rows[i].ID] = &rows[i]
			}
			tables[&rows[0]] = byID
		}
		return byID[id]
	}
	return func(p Path) bool {
		if !p.Under(DraftRoot) {
			return false
		}
		v, ok := sf.Draft, true
		for _, key := range p.Segments()[1:] {
			if v.kind == RowsValue {
				r := record(v.rows, key)
				if r == nil {
					return false
				}
				v = r.Cells
			} else if v, ok = v.child(key); !ok {
				return false
			}
		}
		return true
	}
}

// forget drops the actors that wrote longest ago, down to maxActors. Those with a write in
// the draft stay, or another person could take the name of the writer.
func (s *Surface) forget() {
	if len(s.Actors) <= maxActors {
		return
	}
	standing := make(map[string]bool, len(s.Actors))
	for _, w := range s.Stamps {
		standing[w.Actor()] = true
	}
	var others []string
	for name := range s.Actors {
		if !standing[name] {
			others = append(others, name)
		}
	}
	slices.SortFunc(others, func(a, b string) int {
		return cmp.Or(cmp.Compare(s.Actors[a].Last, s.Actors[b].Last), cmp.Compare(a, b))
	})
	for _, name := range others[:min(len(others), len(s.Actors)-maxActors)] {
		delete(s.Actors, name)
	}
}

// maxActors is how many actors a surface remembers; more only while the draft has writes of all.
const maxActors = 64

// holds bounds the data a surface opens with: nothing, or a map.
func (a *applier) holds(root Nodes, v Value, at Path) error {
	if v.kind != NullValue && v.kind != MapValue {
		return Errorf(codeValueInvalid, string(at), "a surface's data is a map")
	}
	return a.fits(root, at, v)
}

// fits bounds one value of a surface with that root.
func (a *applier) fits(root Nodes, p Path, v Value) error {
	if len(v.s) > a.lim.StringSize {
		if room := a.lim.room(root, p); len(v.s) > room {
			return Errorf(CodeLimit, string(p), "string above %d bytes", room)
		}
	}
	if len(v.rows) > a.lim.Rows {
		return Errorf(CodeLimit, string(p), "more than %d rows", a.lim.Rows)
	}
	for _, s := range v.list {
		if len(s) > a.lim.StringSize {
			return Errorf(CodeLimit, string(p), "string above %d bytes", a.lim.StringSize)
		}
	}
	for _, pair := range v.pairs {
		if err := a.fits(root, p.Join(pair.Key), pair.Value); err != nil {
			return err
		}
	}
	for _, r := range v.rows {
		if err := a.fits(root, p.Join(r.ID), r.Cells); err != nil {
			return err
		}
	}
	return nil
}

// room is how many bytes a string may have at a path: StringSize, or the Max of the
// long text bound there, where that is more. The copies of such a text that the server
// keeps in /ui_state have the same room.
func (l Limits) room(root Nodes, p Path) int {
	room := l.StringSize
	for _, top := range root {
		for n := range All(top) {
			if in := InputOf(n); in != nil && in.Type == TypeLongText && (in.Path == p || p.Under(UIStateRoot)) {
				if most, err := strconv.Atoi(in.Max); err == nil {
					room = max(room, most)
				}
			}
		}
	}
	return room
}

// Room is how many bytes a string may have at a path of this surface.
func (s *Surface) Room(p Path, lim Limits) int { return lim.WithDefaults().room(s.Root, p) }

// apply makes the server's own change of data.
func (op *Patch) apply(a *applier) error {
	t, err := a.editOpen(op.Surface)
	if err != nil {
		return err
	}
	if t.surface.Wrote != nil {
		t.surface.Wrote = maps.Clone(t.surface.Wrote)
	}
	before, set, patched := *t.surface, []Path(nil), make([]Path, 0, len(op.Changes))
	for _, c := range op.Changes {
		p, _, err := ParsePath(string(c.Path), true)
		if err != nil {
			return err
		}
		c.Path = p
		if err := a.patchOne(t, c); err != nil {
			return err
		}
		if p.Under(DraftRoot) {
			patched = append(patched, p)
		}
		if c.Do == PatchSet {
			set = append(set, p)
		}
	}
	t.surface.settle(patched)
	for _, p := range set {
		was, _ := before.Get(p)
		is, _ := t.surface.Get(p)
		for _, w := range replaced(p, was, is, nil) {
			t.wrote(w)
		}
	}
	return nil
}

func (a *applier) patchOne(t *touch, c PatchOne) error {
	p, root := c.Path, &t.surface.UIState
	switch {
	case p.Under(DraftRoot):
		root, t.guard = &t.surface.Draft, true
	case !p.Under(UIStateRoot):
		return Errorf(codePathInvalid, string(p), "a patch changes /draft or /ui_state")
	}
	keys := p.Segments()[1:]
	before, _ := root.Get(keys...)
	after, wrote, err := c.result(p, before)
	if err != nil {
		return err
	}
	if err := a.fits(t.surface.Root, p, after); err != nil {
		return err
	}
	next, ok := *root, true
	if c.Do == PatchDelete {
		next = next.without(keys...)
	} else {
		next, ok = next.With(after, keys...)
	}
	if !ok {
		return Errorf(codeValueInvalid, string(p), "leads through a value that holds no keys")
	}
	*root = next
	if c.Do == PatchSet || c.Do == PatchDelete { // what stood below is gone
		maps.DeleteFunc(t.surface.Wrote, func(w Path,
			_ uint64) bool {
			return w != p && strings.HasPrefix(string(w), string(p)+"/")
		})
	}
	for _, w := range wrote {
		t.wrote(w)
	}
	if changesShape(p, before, after, c.Do) {
		t.guard = t.guard || isPage(p)
		t.mark(ChangedUpdated)
		return nil
	}
	t.mark(ChangedData)
	return nil
}

// result computes the value at the path after one change, and the leaves written.
func (c PatchOne) result(p Path, before Value) (after Value, wrote []Path, err error) {
	switch c.Do {
	case PatchSet:
		return c.Value, leaves(p, c.Value, nil), nil
	case PatchDelete:
		return Value{}, []Path{p}, nil
	case PatchAppend, PatchInsert:
		switch {
		case before.kind == RowsValue && (c.Value.kind == MapValue || c.Value.kind == NullValue):
			return c.insertRow(p, before)
		case before.kind == RowsValue && c.Value.kind == RowsValue && c.Do == PatchAppend:
			return c.appendRows(p, before)
		case before.kind == StringsValue || before.kind == NullValue:
			return c.insertString(p, before)
		}
		return Value{}, nil, Errorf(codeValueInvalid, string(p), "append and insert need a list or rows")
	case PatchMove:
		return c.moveRow(p, before)
	}
	return Value{}, nil, Errorf(codeValueInvalid, string(p), "unknown patch verb %q", excerpt.Of(string(c.Do), 20))
}

func (c PatchOne) insertRow(p Path, before Value) (Value, []Path, error) {
	id := c.Row
	if id == "" {
		id = before.FreeRow()
	}
	if _, taken := before.Record(id); taken || !ValidKey(id) {
		return Value{}, nil, Errorf(codeValueInvalid, string(p), "row id %q is taken or malformed", excerpt.Of(id, 40))
	}
	at := len(before.rows)
	if c.Do == PatchInsert && c.Before != "" {
		if at = slices.IndexFunc(before.rows, func(r Record) bool { return r.ID == c.Before }); at < 0 {
			return Value{}, nil, Errorf(codeValueInvalid, string(p), "no row %q to insert before",
				excerpt.Of(c.Before, 40))
		}
	}
	cells := c.Value
	if cells.kind == NullValue {
		cells = Map()
	}
	return insertAt(before.rows, at, id, cells), leaves(p.Join(id), cells, nil), nil
}

// appendRows adds many rows at once, under the ids and in the order they have.
func (c PatchOne) appendRows(p Path, before Value) (Value, []Path, error) {
	taken := make(map[string]bool, len(before.rows)+len(c.Value.rows))
	last := ""
	for _, r := range before.rows {
		taken[r.ID], last = true, r.Order
	}
	rows, wrote := slices.Grow(slices.Clone(before.rows), len(c.Value.rows)), []Path(nil)
	for _, r := range c.Value.rows {
		if taken[r.ID] || !ValidKey(r.ID) || r.Cells.kind != MapValue {
			return Value{}, nil, Errorf(codeValueInvalid, string(p),
				"row id %q is taken or malformed, or its cells are no map", excerpt.Of(r.ID, 40))
		}
		taken[r.ID], last = true, OrderBetween(last, "")
		rows = append(rows, Record{r.ID, last, r.Cells})
		wrote = leaves(p.Join(r.ID), r.Cells, wrote)
	}
	return Rows(rows...), wrote, nil
}

// moveRow takes a row elsewhere among its rows: only its order changes.
func (c PatchOne) moveRow(p Path, before Value) (Value, []Path, error) {
	row, ok := before.Record(c.Row)
	if before.kind != RowsValue || !ok {
		return Value{}, nil, Errorf(codeValueInvalid, string(p), "no row %q to move", excerpt.Of(c.Row, 40))
	}
	if c.Before == c.Row {
		return before, nil, nil
	}
	rest := slices.DeleteFunc(slices.Clone(before.rows), func(r Record) bool { return r.ID == c.Row })
	at := len(rest)
	if c.Before != "" {
		if at = slices.IndexFunc(rest, func(r Record) bool { return r.ID == c.Before }); at < 0 {
			return Value{}, nil, Errorf(codeValueInvalid, string(p), "no row %q to move before",
				excerpt.Of(c.Before, 40))
		}
	}
	return insertAt(rest, at, row.ID, row.Cells), nil, nil
}

// insertAt returns rows with one more at index at.
func insertAt(rows []Record, at int, id string, cells Value) Value {
	lo, hi := "", ""
	if at > 0 {
		lo = rows[at-1].Order
	}
	if at < len(rows) {
		hi = rows[at].Order
	}
	order := OrderBetween(lo, hi)
	out := slices.Insert(slices.Clone(rows), at, Record{id, order, cells})
	if order <= lo && at > 0 || at < len(rows) && order >= hi { // its neighbours have no orders between which it fits
		renumber(out)
	}
	return Rows(out...)
}

// renumber gives rows new orders, in the places they have.
func renumber(rows []Record) {
	last := ""
	for i := range rows {
		last = OrderBetween(last, "")
		rows[i].Order = last
	}
}

func (c PatchOne) insertString(p Path, before Value) (Value, []Path, error) {
	if c.Value.kind != StringValue {
		return Value{}, nil, Errorf(codeValueInvalid, string(p), "a list holds strings only")
	}
	at := len(before.list)
	if c.Do == PatchInsert && c.Before != "" {
		n, err := strconv.Atoi(c.Before)
		if err != nil || n < 0 || n > at {
			return Value{}, nil, Errorf(codeValueInvalid, string(p), "no index %q", excerpt.Of(c.Before, 20))
		}
		at = n
	}
	return Strings(slices.Insert(slices.Clone(before.list), at, c.Value.s)...), []Path{p}, nil
}

// leaves lists the leaf paths of a value.
func leaves(p Path, v Value, out []Path) []Path {
	switch v.kind {
	case MapValue:
		for _, pair := range v.pairs {
			out = leaves(p.Join(pair.Key), pair.Value, out)
		}
		return out
	case RowsValue:
		for _, r := range v.rows {
			out = leaves(p.Join(r.ID), r.Cells, out)
		}
		return out
	}
	return append(out, p)
}

// replaced lists the leaves of a value that differ from those of the value before, or are gone. Rows that are gone are
// not among them.
func replaced(p Path, was, is Value, out []Path) []Path {
	switch {
	case was.Equal(is):
		return out
	case was.kind == MapValue && is.kind == MapValue:
		for _, pair := range was.pairs {
			v, _ := is.child(pair.Key)
			out = replaced(p.Join(pair.Key), pair.Value, v, out)
		}
		return out
	case was.kind == RowsValue && is.kind == RowsValue:
		rows := make(map[string]Value, len(is.rows))
		for _, r := range is.rows {
			rows[r.ID] = r.Cells
		}
		for _, r := range was.rows {
			if cells, ok := rows[r.ID]; ok {
				out = replaced(p.Join(r.ID), r.Cells, cells, out)
			}
		}
		return out
	}
	return append(out, p)
}

// changesShape reports whether a change of data moves nodes too: rows that
// come, go or move, a value that goes away, the page of a rowset.
func changesShape(p Path, before, after Value, do PatchVerb) bool {
	if do == PatchDelete || isPage(p) {
		return true
	}
	return before.kind == RowsValue != (after.kind == RowsValue) ||
		!slices.EqualFunc(before.rows, after.rows, func(a, b Record) bool { return a.ID == b.ID && a.Order == b.Order })
}

// isPage reports the path of a rowset's page (Rowset.PagePath).
func isPage(p Path) bool { return strings.HasPrefix(string(p), "/"+UIStateRoot+"/page_") }

// settle holds after a patch what every surface has: each input at or around
// the patched paths has a value of its kind, each rowset its cells.
func (s *Surface) settle(patched []Path) {
	if len(patched) == 0 {
		return
	}
	for n := range All(s.Tree()) {
		if in := InputOf(n); in != nil && slices.ContainsFunc(patched, in.Path.related) {
			s.settleOne(n)
		}
		if rs := RowsetOf(n); rs != nil {
			st, isSteps := n.(*Steps)
			whole, rows := rs.patched(patched)
			if whole || isSteps && st.Edges != "" && slices.ContainsFunc(patched, st.Edges.related) {
				s.settleOne(n)
			} else if len(rows) > 0 {
				v, _ := s.Get(rs.Path)
				records := slices.Clone(v.rows)
				for i := range records {
					if rows[records[i].ID] {
						records[i].Cells = rs.cells(records[i].Cells)
					}
				}
				s.Draft, _ = s.Draft.With(Rows(records...), rs.Path.Segments()[1:]...)
			}
		}
	}
}

func (s *Surface) settleOne(n Node) { s.Draft = fillDraft(n, s.Draft, false) }

// patched says whether rs was patched as a whole (rows added, replaced or taken
// away), else which of its rows were.
func (rs *Rowset) patched(paths []Path) (whole bool, rows map[string]bool) {
	for _, p := range paths {
		if rest, ok := strings.CutPrefix(string(p), string(rs.Path)+"/"); ok {
			if rows == nil {
				rows = map[string]bool{}
			}
			row, _, _ := strings.Cut(rest, "/")
			rows[row] = true
		} else if rs.Path.related(p) {
			return true, nil
		}
	}
	return false, rows
}

// related reports that one path is at, above or below the other.
func (p Path) related(q Path) bool {
	return p == q || strings.HasPrefix(string(p), string(q)+"/") || strings.HasPrefix(string(q), string(p)+"/")
}

// DataSize is about the number of bytes of the surface's data as JSON.
func (s *Surface) DataSize() int { return s.Draft.size() + s.UIState.size() }

// size is about the number of bytes of a value as JSON.
func (v Value) size() int {
	n := 4 + len(v.s)
	for _, s := range v.list {
		n += len(s) + 3
	}
	for _, p := range v.pairs {
		n += len(p.Key) + 4 + p.Value.size()
	}
	for _, r := range v.rows {
		n += len(r.ID) + len(r.Order) + 28 + r.Cells.size()
	}
	return n
}

func itoa(n int) string { return strconv.Itoa(n) }
