package ui

import (
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/internal/excerpt"
	"github.com/limn-ui/limn/internal/jsonx"
)

// PageRows is how many rows of a rowset a drawing shows at once; the steps of a process have no
// pages in HTML.
const PageRows = 50

// KeyPath is the keys from the root to a node, joined by '/': what component
// ids are made from.
type KeyPath string

// Join appends a key.
func (k KeyPath) Join(key string) KeyPath {
	if k == "" {
		return KeyPath(key)
	}
	return k + "/" + KeyPath(key)
}

// ComponentID returns the id of the component (or HTML element) of type typ
// that draws the node at k.
func (k KeyPath) ComponentID(typ string) string { return "c#" + string(k) + ":" + typ }

// ParseComponentID returns the key path in a component id.
func ParseComponentID(id string) (KeyPath, bool) {
	rest, ok := strings.CutPrefix(id, "c#")
	i := strings.LastIndexByte(rest, ':')
	if !ok || i <= 0 {
		return "", false
	}
	return KeyPath(rest[:i]), true
}

// All returns n and everything below it in drawing order, without missing nodes.
func All(n Node) iter.Seq[Node] {
	return func(yield func(Node) bool) { all(n, yield) }
}

func all(n Node, yield func(Node) bool) bool {
	switch tabs, ok := n.(*Tabs); {
	case n == nil:
		return true
	case !yield(n):
		return false
	case ok: // Children would allocate
		for i := range tabs.Tabs {
			if !all(&tabs.Tabs[i], yield) {
				return false
			}
		}
		return true
	}
	for _, c := range Children(n) {
		if !all(c, yield) {
			return false
		}
	}
	return true
}

// Walk visits n and everything below it in drawing order; visit returns false
// to skip the children of a node.
func Walk(n Node, visit func(at KeyPath, n Node) bool) { walk("", n, visit) }

func walk(at KeyPath, n Node, visit func(KeyPath, Node) bool) {
	at = at.Join(NodeKey(n))
	if !visit(at, n) {
		return
	}
	for _, c := range Children(n) {
		walk(at, c, visit)
	}
}

// Tree returns the root node of a surface.
func (s *Surface) Tree() Node {
	if len(s.Root) == 0 {
		return &Column{Key: "main"}
	}
	return s.Root[0]
}

// Rows returns the rows of a rowset on this surface, in order.
func (s *Surface) Rows(rs *Rowset) []Record {
	v, _ := s.Get(rs.Path)
	return v.Records()
}

// PagePath is where the first shown row of a rowset is kept, as a number under
// /ui_state.
func (rs *Rowset) PagePath() Path { return PathOf(UIStateRoot, "page_"+rs.Key) }

// Page returns the index of the first row a drawing shows, and the index after
// the last.
func (s *Surface) Page(rs *Rowset) (from, to int) {
	n := len(s.Rows(rs))
	if v, ok := s.Get(rs.PagePath()); ok {
		if f, _ := v.Float(); f > 0 && f < float64(n) {
			from = int(f)
		}
	}
	return from, min(from+PageRows, n)
}

// RemovedPath is where the rows of a rowset that were removed last are kept, the
// newest last, as rows under /ui_state. Each has "cells", "order" (its
// place) and, for a step of a process, "edges".
func (rs *Rowset) RemovedPath() Path { return PathOf(UIStateRoot, "removed_"+rs.Key) }

// LastRemoved returns the row of a rowset that was removed last, if it is kept.
func (s *Surface) LastRemoved(rs *Rowset) (Record, bool) {
	if s.UIState.IsNull() { // of most surfaces
		return Record{}, false
	}
	v, _ := s.Get(rs.RemovedPath())
	rows := v.Records()
	if len(rows) == 0 {
		return Record{}, false
	}
	return rows[len(rows)-1], true
}

// CellPath is the path of one cell.
func (rs *Rowset) CellPath(row, column string) Path { return rs.Path.Join(row, column) }

// action is one of a rowset's own: it sends the rows and names the rowset.
func (rs *Rowset) action(name string, more ...Context) Action {
	return Action{Name: name, Context: append([]Context{
		{Key: "rows", Path: rs.Path}, {Key: "table", Value: String(string(rs.Path))}}, more...)}
}

// AddAction adds a row; RemoveAction, RestoreAction, MoveAction, PlaceAction and
// PageAction are the other actions of a rowset's own buttons.
func (rs *Rowset) AddAction() Action {
	a := rs.action(builtin.ActionAddRow)
	a.Repeat = true
	return a
}

// RemoveAction removes one row.
func (rs *Rowset) RemoveAction(row string) Action {
	return rs.action(builtin.ActionRemoveRow, Context{Key: "row", Value: String(row)})
}

// RestoreAction puts back the row that was removed last.
func (rs *Rowset) RestoreAction() Action { return rs.action(builtin.ActionRestoreRow) }

// MoveAction moves one row a place up or down, where there is one; it changes
// no cell.
func (rs *Rowset) MoveAction(row string, down bool) Action {
	dir := "up"
	if down {
		dir = "down"
	}
	return rs.action(builtin.ActionMoveRow, Context{Key: "row", Value: String(row)},
		Context{Key: "dir", Value: String(dir)})
}

// PlaceAction puts one row before another, or with "" at the end.
func (rs *Rowset) PlaceAction(row, before string) Action {
	return rs.action(builtin.ActionMoveRow, Context{Key: "row", Value: String(row)},
		Context{Key: "before", Value: String(before)})
}

// PageAction shows the rows from index first.
func (rs *Rowset) PageAction(first int) Action {
	return rs.action(builtin.ActionPage, Context{Key: "first", Value: Int(int64(first))})
}

// DetachAction removes the file of the upload field bound to p.
func DetachAction(p Path) Action {
	return Action{Name: builtin.ActionDetach, Context: []Context{{Key: "path", Value: String(string(p))}}}
}

// ActionAt returns the action of the button drawn at a key path: a Button
// node, or one of a rowset's or an upload field's own. It is what ingress admits against.
func (s *Surface) ActionAt(at KeyPath) (Action, bool) {
	var found *Action
	Walk(s.Tree(), func(here KeyPath, n Node) bool {
		if found != nil || !strings.HasPrefix(string(at), string(here)) {
			return false
		}
		if b, ok := n.(*Button); ok && here == at {
			found = &b.Action
		}
		if up, ok := n.(*Upload); ok && here.Join(builtin.KeyDetach) == at {
			a := DetachAction(up.Path)
			found = &a
		}
		if rs := RowsetOf(n); rs != nil {
			if a, ok := s.rowsetAction(rs, strings.TrimPrefix(string(at), string(here)+"/")); ok {
				found = &a
			}
		}
		return true
	})
	if found == nil {
		return Action{}, false
	}
	return *found, true
}

// ActionFor returns the action that an event asks for: that of its component, or of a
// component that draws a rowset whole, the one of that name with the row, the place and
// the number that the event says.
func (s *Surface) ActionFor(e *ActionEvent) (Action, bool) {
	at, _ := ParseComponentID(e.Component)
	if a, ok := s.ActionAt(at); ok || e.Form || !s.isRowset(at) {
		return a, ok
	}
	text := func(key string) string { return e.Context.At(key).Text() }
	for n := range All(s.Tree()) {
		if b, ok := n.(*Button); ok && e.Name == builtin.ActionPaste && b.Action.Name == e.Name {
			return b.Action, true
		}
		if rs := RowsetOf(n); rs != nil && string(rs.Path) == text("table") {
			return s.wholeAction(rs, e.Name, text, e.Context.At("count"), e.Context.At("first"))
		}
	}
	return Action{}, false
}

func (s *Surface) isRowset(at KeyPath) (found bool) {
	Walk(s.Tree(), func(here KeyPath, n Node) bool {
		found = found || here == at && RowsetOf(n) != nil
		return !found && strings.HasPrefix(string(at), string(here))
	})
	return found
}

// wholeAction is one of the actions of a rowset, with what text says of its context.
func (s *Surface) wholeAction(rs *Rowset, name string, text func(key string) string,
	count, first jsonx.Value) (Action, bool) {
	v, _ := s.Get(rs.Path)
	_, found := v.Record(text("row"))
	switch name {
	case builtin.ActionAddRow:
		a := rs.AddAction()
		if n, ok := whole(count, maxAdded); ok && n > 0 {
			a.Context = append(a.Context, Context{Key: "count", Value: Int(n)})
		}
		return a, true
	case builtin.ActionRemoveRow:
		return rs.RemoveAction(text("row")), found
	case builtin.ActionRestoreRow:
		_, found = s.LastRemoved(rs)
		return rs.RestoreAction(), found
	case builtin.ActionMoveRow:
		_, there := v.Record(text("before"))
		return rs.PlaceAction(text("row"), text("before")), found && !rs.Unordered && (there || text("before") == "")
	case builtin.ActionPage:
		n, ok := whole(first, int64(len(v.Records())))
		return rs.PageAction(int(n)), ok
	}
	return Action{}, false
}

// maxAdded bounds the rows that one action adds.
const maxAdded = 500

// whole reads a whole number from 0 to most.
func whole(v jsonx.Value, most int64) (int64, bool) {
	n, err := strconv.ParseInt(v.Str, 10, 64)
	return n, err == nil && v.Kind == jsonx.Number && n >= 0 && n <= most
}

func (s *Surface) rowsetAction(rs *Rowset, rest string) (Action, bool) {
	from, to := s.Page(rs)
	switch rest {
	case builtin.KeyAdd:
		return rs.AddAction(), true
	case builtin.KeyRestore:
		_, found := s.LastRemoved(rs)
		return rs.RestoreAction(), found
	case builtin.KeyPrev:
		return rs.PageAction(max(0, from-PageRows)), from > 0
	case builtin.KeyNext:
		return rs.PageAction(to), to < len(s.Rows(rs))
	}
	if row, ok := strings.CutSuffix(rest, "/"+builtin.KeyRemove); ok {
		v, _ := s.Get(rs.Path)
		_, found := v.Record(row)
		return rs.RemoveAction(row), found
	}
	if row, ok := strings.CutSuffix(rest, "/"+builtin.KeyShow); ok {
		at := slices.IndexFunc(s.Rows(rs), func(r Record) bool { return r.ID == row })
		return rs.PageAction(max(0, at) / PageRows * PageRows), at >= 0
	}
	if cell, ok := strings.CutSuffix(rest, "/"+builtin.KeyDetach); ok {
		at := Path(string(rs.Path) + "/" + cell)
		return DetachAction(at), s.uploadCell(rs, at) != nil
	}
	for _, key := range []string{builtin.KeyUp, builtin.KeyDown} {
		if row, ok := strings.CutSuffix(rest, "/"+key); ok && !rs.Unordered {
			v, _ := s.Get(rs.Path)
			_, found := v.Record(row)
			return rs.MoveAction(row, key == builtin.KeyDown), found
		}
	}
	return Action{}, false
}

// CheckTree reports the first rule a node tree breaks: keys valid and unique
// among siblings; paths canonical, of inputs and rowsets (edges too) under
// /draft and none at or below another's; rowsets with columns; enough room
// within the limits; a Diagram with one source, a Chart with a value for each
// label. Apply also holds the names of columns and the paths of
// contexts to their alphabets, which app reports by their place in a declaration.
func CheckTree(root Nodes, lim Limits) error {
	lim = lim.WithDefaults()
	if len(root) != 1 {
		return Errorf(codeNodeInvalid, "/root", "a surface has exactly one root node, got %d", len(root))
	}
	c := treeCheck{lim: lim, paths: map[Path]bool{}, above: map[Path]bool{}}
	return c.node("", root[0], 1)
}

type treeCheck struct {
	lim   Limits
	count int
	paths map[Path]bool // bound by an input or rowset
	above map[Path]bool // above such a path
}

func (c *treeCheck) node(at KeyPath, n Node, depth int) error {
	if n == nil {
		return Errorf(codeNodeInvalid, string(at), "a node is missing")
	}
	if at = at.Join(NodeKey(n)); !ValidKey(NodeKey(n)) {
		return Errorf(codeNodeInvalid, string(at), "key %q: want [a-z][a-z0-9_-]{0,63}", excerpt.Of(NodeKey(n), 40))
	}
	if c.count++; c.count > c.lim.Nodes {
		return Errorf(CodeLimit, string(at), "more than %d nodes on one surface", c.lim.Nodes)
	}
	if depth > c.lim.Depth {
		return Errorf(CodeLimit, string(at), "nodes nested deeper than %d", c.lim.Depth)
	}
	if err := c.paths1(at, n); err != nil {
		return err
	}
	seen := map[string]bool{}
	for _, child := range Children(n) {
		if child != nil && seen[NodeKey(child)] {
			return Errorf(codeNodeInvalid, string(at.Join(NodeKey(child))), "two siblings have the key %q",
				NodeKey(child))
		}
		if err := c.node(at, child, depth+1); err != nil {
			return err
		}
		seen[NodeKey(child)] = true
	}
	return nil
}

// foreign checks the surface of another agent.
func (c *treeCheck) foreign(at KeyPath, n *Foreign) error {
	switch {
	case n.ID == "" || n.Messages.Kind != jsonx.Array:
		return Errorf(codeNodeInvalid, string(at), "a surface of another agent has an id and messages")
	case foreignSize(n) > c.lim.DraftSize:
		return Errorf(CodeLimit, string(at), "a surface above %d bytes", c.lim.DraftSize)
	}
	return nil
}

// foreignSize is its size in bytes of JSON.
func foreignSize(n *Foreign) (size int) {
	for path := range n.Writes {
		size += len(path) + len(`"":1234,`)
	}
	return size + len(jsonx.Append(nil, n.Messages)) + len(jsonx.Append(nil, n.Data)) + len(jsonx.Append(nil, n.Model))
}

// paths1 checks what one node binds: an input or a rowset owns its path.
func (c *treeCheck) paths1(at KeyPath, n Node) error {
	if in := InputOf(n); in != nil {
		if err := c.options(at, in.Field); err != nil {
			return err
		}
		return c.own(at, in.Path)
	}
	if rs := RowsetOf(n); rs != nil {
		return c.rowset(at, rs, n)
	}
	switch n := n.(type) {
	case *Diagram:
		return n.check(at)
	case *Foreign:
		return c.foreign(at, n)
	case *Chart:
		return n.check(at)
	}
	return shownPath(at, pathShown(n))
}

// check holds a Diagram to one source of rows, and literal ones to the limits.
func (n *Diagram) check(at KeyPath) error {
	if (n.Steps == "") == n.Data.IsNull() || n.Edges != "" && n.Steps == "" {
		return Errorf(codeNodeInvalid, string(at), "a diagram shows either the rows at a path or its own data")
	}
	steps, ok := n.Data.Get("steps")
	edges, some := n.Data.Get("edges")
	if !n.Data.IsNull() && (!ok || steps.kind != RowsValue) || some && edges.kind != RowsValue {
		return Errorf(codeNodeInvalid, string(at), "the data of a diagram are a map of rows, steps and edges")
	}
	if len(steps.rows) > builtin.MaxDiagramSteps || len(edges.rows) > builtin.MaxDiagramEdges {
		return Errorf(CodeLimit, string(at), "a diagram with more than %d steps or %d edges", builtin.MaxDiagramSteps,
			builtin.MaxDiagramEdges)
	}
	if err := shownPath(at, n.Steps); err != nil {
		return err
	}
	return shownPath(at, n.Edges)
}

func (n *Chart) check(at KeyPath) error {
	switch {
	case n.Kind != ChartBar && n.Kind != ChartLine && n.Kind != ChartPie:
		return Errorf(codeNodeInvalid, string(at), "chart of kind %q: want bar, line or pie",
			excerpt.Of(string(n.Kind), 40))
	case len(n.Series) > maxChartSeries || len(n.Series)*len(n.Labels) > maxChartPoints ||
		len(n.Labels) > maxChartPoints:
		return Errorf(CodeLimit, string(at), "a chart with more than %d series or %d values", maxChartSeries,
			maxChartPoints)
	case n.Kind == ChartPie && len(n.Series) > 1:
		return Errorf(codeNodeInvalid, string(at), "a pie shows one series, got %d", len(n.Series))
	}
	for _, s := range n.Series {
		if len(s.Values) != len(n.Labels) {
			return Errorf(codeNodeInvalid, string(at), "series %q has %d values for %d labels", excerpt.Of(s.Name, 40),
				len(s.Values), len(n.Labels))
		}
		for _, v := range s.Values {
			if math.IsInf(v, 0) || n.Kind == ChartPie && v < 0 {
				return Errorf(codeNodeInvalid, string(at),
					"series %q: values are finite numbers, and in a pie not negative", excerpt.Of(s.Name, 40))
			}
		}
	}
	return nil
}

// checkNames is what Apply asks of a tree that keeps CheckTree.
func checkNames(root Node) (err error) {
	Walk(root, func(at KeyPath, n Node) bool {
		if b, ok := n.(*Button); ok {
			for _, ctx := range b.Action.Context {
				if err == nil {
					err = shownPath(at, ctx.Path)
				}
			}
		}
		if rs := RowsetOf(n); rs != nil && err == nil {
			err = rs.checkNames(at)
		}
		return err == nil
	})
	return err
}

func (rs *Rowset) checkNames(at KeyPath) error {
	seen := map[string]bool{}
	for _, col := range rs.Columns {
		if !ValidKey(col.Name) || seen[col.Name] {
			return Errorf(codeNodeInvalid, string(at), "column name %q is no key, or occurs twice",
				excerpt.Of(col.Name, 40))
		}
		seen[col.Name] = true
	}
	return nil
}

func (c *treeCheck) rowset(at KeyPath, rs *Rowset, n Node) error {
	if len(rs.Columns) == 0 {
		return Errorf(codeNodeInvalid, string(at), "rows without a column")
	}
	for _, col := range rs.Columns {
		if err := c.options(at, col); err != nil {
			return err
		}
	}
	if st, ok := n.(*Steps); ok && st.Edges != "" {
		if err := c.own(at, st.Edges); err != nil {
			return err
		}
	}
	return c.own(at, rs.Path)
}

func (c *treeCheck) options(at KeyPath, f Field) error {
	if len(f.Options) > c.lim.Options {
		return Errorf(CodeLimit, string(at), "more than %d options", c.lim.Options)
	}
	return nil
}

// own takes a path for one node: no other node may bind it, or anything above or
// below it, where one value would overwrite the other.
func (c *treeCheck) own(at KeyPath, own Path) error {
	if p, _, err := ParsePath(string(own), true); err != nil || p != own || !own.Under(DraftRoot) {
		return Errorf(codeNodeInvalid, string(at), "input path %q is not a canonical path under /draft",
			excerpt.Of(string(own), 80))
	}
	taken := c.paths[own] || c.above[own]
	for i := strings.LastIndexByte(string(own), '/'); i > 0; i = strings.LastIndexByte(string(own[:i]), '/') {
		taken = taken || c.paths[own[:i]]
		c.above[own[:i]] = true
	}
	if taken {
		return Errorf(codeNodeInvalid, string(at), "two inputs are bound to %s, or one above the other", own)
	}
	c.paths[own] = true
	return nil
}

// shownPath checks a path that a node only shows or sends; "" means none.
func shownPath(at KeyPath, shown Path) error {
	if shown == "" {
		return nil
	}
	if p, _, err := ParsePath(string(shown), true); err != nil || p != shown {
		return Errorf(codeNodeInvalid, string(at), "path %q is not canonical", excerpt.Of(string(shown), 80))
	}
	return nil
}

// pathShown returns the path a content node shows, or "".
func pathShown(n Node) Path {
	switch n := n.(type) {
	case *Text:
		return n.Path
	case *Stat:
		return n.Path
	case *Progress:
		return n.Path
	}
	return ""
}

// UploadAt returns the upload field bound to a path, or nil.
func (s *Surface) UploadAt(p Path) *Field {
	for n := range All(s.Tree()) {
		if up, ok := n.(*Upload); ok && up.Path == p {
			return &up.Field
		}
		if rs := RowsetOf(n); rs != nil {
			if field := s.uploadCell(rs, p); field != nil {
				return field
			}
		}
	}
	return nil
}

// uploadCell returns the upload column of the cell at p, if its row is there.
func (s *Surface) uploadCell(rs *Rowset, p Path) *Field {
	rest, under := strings.CutPrefix(string(p), string(rs.Path)+"/")
	row, column, two := strings.Cut(rest, "/")
	if !under || !two {
		return nil
	}
	rows, _ := s.Get(rs.Path)
	if _, there := rows.Record(row); !there {
		return nil
	}
	for i := range rs.Columns {
		if rs.Columns[i].Type == TypeUpload && rs.Columns[i].Name == column {
			return &rs.Columns[i]
		}
	}
	return nil
}
