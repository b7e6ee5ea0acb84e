package ui

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// draft writes what the user sent. Rev moves even when nothing differs: the
// action was answered.
func (a *applier) draft(op *Draft) error {
	t, err := a.editOpen(op.Surface)
	if err != nil {
		return err
	}
	draft := t.surface.Draft
	for _, l := range op.Values {
		if !l.Path.Under(DraftRoot) {
			return Errorf(CodePathInvalid, string(l.Path), "a draft value is under /draft")
		}
		if err := a.fits(l.Path, l.Value); err != nil {
			return err
		}
		var ok bool
		if draft, ok = draft.With(l.Value, l.Path.Segments()[1:]...); !ok {
			return Errorf(CodeValueInvalid, string(l.Path), "leads through a value that holds no keys")
		}
	}
	t.surface.Draft = draft
	t.mark(ChangedData)
	return nil
}

// fits bounds one value.
func (a *applier) fits(p Path, v Value) error {
	if len(v.s) > a.lim.StringSize {
		return Errorf(CodeLimit, string(p), "string above %d bytes", a.lim.StringSize)
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
		if err := a.fits(p.Join(pair.Key), pair.Value); err != nil {
			return err
		}
	}
	for _, r := range v.rows {
		if err := a.fits(p.Join(r.ID), r.Cells); err != nil {
			return err
		}
	}
	return nil
}

// patch is the server's own change of data.
func (a *applier) patch(op *Patch) error {
	t, err := a.editOpen(op.Surface)
	if err != nil {
		return err
	}
	if t.surface.Wrote != nil {
		t.surface.Wrote = maps.Clone(t.surface.Wrote)
	}
	for _, c := range op.Changes {
		if err := a.patchOne(t, c); err != nil {
			return err
		}
	}
	return nil
}

func (a *applier) patchOne(t *touch, c PatchOne) error {
	p, _, err := ParsePath(string(c.Path), true)
	if err != nil {
		return err
	}
	root := &t.surface.UIState
	switch {
	case p.Under(DraftRoot):
		root, t.guard = &t.surface.Draft, true
	case !p.Under(UIStateRoot):
		return Errorf(CodePathInvalid, string(p), "a patch changes /draft or /ui_state")
	}
	keys := p.Segments()[1:]
	before, _ := root.Get(keys...)
	after, wrote, err := c.result(p, before)
	if err != nil {
		return err
	}
	if err := a.fits(p, after); err != nil {
		return err
	}
	next, ok := *root, true
	if c.Do == PatchDelete {
		next = next.Without(keys...)
	} else {
		next, ok = next.With(after, keys...)
	}
	if !ok {
		return Errorf(CodeValueInvalid, string(p), "leads through a value that holds no keys")
	}
	*root = next
	for _, w := range wrote {
		if !slices.Contains(t.change.Wrote, w) {
			t.change.Wrote = append(t.change.Wrote, w)
		}
	}
	if changesShape(p, before, after, c.Do) {
		t.guard = true
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
		case before.kind == StringsValue || before.kind == NullValue:
			return c.insertString(p, before)
		}
		return Value{}, nil, Errorf(CodeValueInvalid, string(p), "append and insert need a list or rows")
	}
	return Value{}, nil, Errorf(CodeValueInvalid, string(p), "unknown patch verb %q", clip(string(c.Do), 20))
}

func (c PatchOne) insertRow(p Path, before Value) (Value, []Path, error) {
	id := c.Row
	if id == "" {
		id = before.FreeRow()
	}
	if _, taken := before.Record(id); taken || !ValidKey(id) {
		return Value{}, nil, Errorf(CodeValueInvalid, string(p), "row id %q is taken or malformed", clip(id, 40))
	}
	at := len(before.rows)
	if c.Do == PatchInsert && c.Before != "" {
		if at = slices.IndexFunc(before.rows, func(r Record) bool { return r.ID == c.Before }); at < 0 {
			return Value{}, nil, Errorf(CodeValueInvalid, string(p), "no row %q to insert before", clip(c.Before, 40))
		}
	}
	lo, hi := "", ""
	if at > 0 {
		lo = before.rows[at-1].Order
	}
	if at < len(before.rows) {
		hi = before.rows[at].Order
	}
	cells := c.Value
	if cells.kind == NullValue {
		cells = Map()
	}
	rows := append(slices.Clone(before.rows), Record{id, OrderBetween(lo, hi), cells})
	return Rows(rows...), leaves(p.Join(id), cells, nil), nil
}

func (c PatchOne) insertString(p Path, before Value) (Value, []Path, error) {
	if c.Value.kind != StringValue {
		return Value{}, nil, Errorf(CodeValueInvalid, string(p), "a list holds strings only")
	}
	at := len(before.list)
	if c.Do == PatchInsert && c.Before != "" {
		n, err := strconv.Atoi(c.Before)
		if err != nil || n < 0 || n > at {
			return Value{}, nil, Errorf(CodeValueInvalid, string(p), "no index %q", clip(c.Before, 20))
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

// changesShape reports whether a change of data moves nodes too: rows that
// come, go or move, a value that goes away, the page of a rowset.
func changesShape(p Path, before, after Value, do PatchVerb) bool {
	if do == PatchDelete || p.Under(UIStateRoot) && strings.HasPrefix(p.Last(), "page_") {
		return true
	}
	return before.kind == RowsValue != (after.kind == RowsValue) ||
		!slices.EqualFunc(before.rows, after.rows, func(a, b Record) bool { return a.ID == b.ID && a.Order == b.Order })
}

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
