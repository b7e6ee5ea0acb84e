package ingress

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/limn-ui/limn/compile"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/ui"
)

// normalise fills Values and Context. An A2UI action carries what its button
// declares; a browser form carries every input of the surface.
func (a *Admitted) normalise(e *ui.ActionEvent, found bool) error {
	declared := a.Action.Context
	if e.Form || !found {
		declared = mergeContext(a.Action.Context, ui.SubmitContext(a.Surface.Tree()))
	}
	owners := ownersOf(a.Surface)
	known := map[string]bool{}
	for _, c := range declared {
		known[c.Key] = true
		if c.Path == "" {
			a.Context, _ = a.Context.With(c.Value, c.Key)
			continue
		}
		raw, sent := pick(e, c)
		before := len(a.Values)
		if err := a.value(owners[c.Path], c, raw, sent, e.Form); err != nil {
			return err
		}
		if before < len(a.Values) && owners[c.Path].rows == nil {
			a.Context, _ = a.Context.With(a.Values[before].Value, c.Key)
		}
	}
	for _, m := range e.Context.Members {
		if !e.Form && !known[m.Key] {
			a.Warnings = append(a.Warnings, ui.Errorf(CodeEnvelope, "/context/"+clip(m.Key, 64), "not declared by the action; left out"))
		}
	}
	return nil
}

func mergeContext(own, all []ui.Context) []ui.Context {
	out := slices.Clone(own)
	for _, c := range all {
		if !slices.ContainsFunc(out, func(o ui.Context) bool { return o.Path == c.Path }) {
			out = append(out, c)
		}
	}
	return out
}

// owner is the node that binds a path: exactly one member is set.
type owner struct {
	input *ui.Input
	rows  *ui.Rowset
	edges bool
}

func ownersOf(s *ui.Surface) map[ui.Path]owner {
	owners := map[ui.Path]owner{}
	ui.Walk(s.Tree(), func(_ ui.KeyPath, n ui.Node) bool {
		if in := ui.InputOf(n); in != nil {
			owners[in.Path] = owner{input: in}
		}
		if rs := ui.RowsetOf(n); rs != nil {
			owners[rs.Path] = owner{rows: rs}
		}
		if st, ok := n.(*ui.Steps); ok && st.Edges != "" {
			owners[st.Edges] = owner{edges: true}
		}
		return true
	})
	return owners
}

// pick finds what was sent for a declared key: under the key, or in a browser
// form under its path; a rowset's cells there are gathered into an object.
func pick(e *ui.ActionEvent, c ui.Context) (jsonx.Value, bool) {
	if !e.Form {
		return e.Context.Get(c.Key)
	}
	if v, ok := e.Context.Get(string(c.Path)); ok {
		return v, true
	}
	rows := map[string][]jsonx.Member{}
	for _, m := range e.Context.Members {
		rest, ok := strings.CutPrefix(m.Key, string(c.Path)+"/")
		if row, cell, two := strings.Cut(rest, "/"); ok && two {
			rows[row] = append(rows[row], jsonx.Member{Key: cell, Value: m.Value})
		}
	}
	v := jsonx.Value{Kind: jsonx.Object}
	for _, row := range slices.Sorted(maps.Keys(rows)) {
		v.Members = append(v.Members, jsonx.Member{Key: row, Value: jsonx.OfObject(rows[row]...)})
	}
	return v, len(rows) > 0
}

func (a *Admitted) value(o owner, c ui.Context, raw jsonx.Value, sent, form bool) error {
	where := "/context/" + c.Key
	switch {
	case o.input != nil:
		if !sent && form {
			return nil // not on the page; a box that is off still sends its companion
		}
		v, ok := scalar(o.input.Field, raw)
		if !ok {
			return wrongKind(where, o.input.Type)
		}
		a.Values = append(a.Values, ui.Leaf{Path: c.Path, Value: v})
	case o.rows != nil:
		if !sent {
			return nil
		}
		return a.cells(o.rows, raw, where)
	case o.edges || !sent:
		return nil // edges are changed by actions, not by typing
	default: // a content path, such as /ui_state/…: the server knows it better
		v, _ := a.Surface.Get(c.Path)
		a.Context, _ = a.Context.With(v, c.Key)
	}
	return nil
}

// cells takes the rows this surface has; a row that came or went in between is
// left alone.
func (a *Admitted) cells(rs *ui.Rowset, raw jsonx.Value, where string) error {
	if raw.Kind != jsonx.Object {
		return wrongKind(where, "rows")
	}
	sent := make(map[string]jsonx.Value, len(raw.Members))
	for _, m := range raw.Members {
		sent[m.Key] = m.Value
	}
	for _, r := range a.Surface.Rows(rs) {
		row, ok := sent[r.ID]
		if !ok {
			continue
		}
		if row.Kind != jsonx.Object {
			return wrongKind(where+"/"+r.ID, "row")
		}
		for _, col := range rs.Columns {
			cell, ok := row.Get(col.Name)
			if !ok {
				continue
			}
			v, ok := scalar(col, cell)
			if !ok {
				return wrongKind(where+"/"+r.ID+"/"+col.Name, col.Type)
			}
			a.Values = append(a.Values, ui.Leaf{Path: rs.CellPath(r.ID, col.Name), Value: v})
		}
	}
	return nil
}

func wrongKind[T ~string](where string, want T) error {
	return ui.Errorf(CodeEnvelope, where, "the value is not what a %s input sends", string(want))
}

// scalar turns what a client sends for one input into its draft value. A
// missing value (Null) is the empty one.
func scalar(f ui.Field, raw jsonx.Value) (ui.Value, bool) {
	raw = unwrap(raw)
	if f.Type == ui.TypeChoices {
		return choices(f, raw)
	}
	if raw.Kind == jsonx.Array { // one-element list of a choice; a box behind its companion
		if len(raw.Items) == 0 {
			raw = jsonx.Value{}
		} else {
			raw = raw.Items[len(raw.Items)-1]
		}
	}
	if m, ok := indexMap(raw); ok && f.Type == ui.TypeChoice { // v0.8 selections
		raw = jsonx.Value{}
		if len(m) > 0 {
			raw = m[0]
		}
	}
	switch raw.Kind {
	case jsonx.Null:
		if f.Type == ui.TypeBoolean {
			return ui.Bool(false), true
		}
		return f.Draft(ui.String("")), true
	case jsonx.Bool:
		return f.Draft(ui.Bool(raw.Bool)), f.Type == ui.TypeBoolean
	case jsonx.Number:
		n, ok := ui.Number(raw.Str)
		return f.Draft(n), ok && f.Type != ui.TypeBoolean
	case jsonx.String:
		return f.Draft(ui.String(unguard(raw.Str))), true
	}
	return ui.Value{}, false
}

// unwrap takes a v0.8 leaf {"v": x} apart.
func unwrap(v jsonx.Value) jsonx.Value {
	if v.Kind == jsonx.Object && len(v.Members) == 1 && v.Members[0].Key == leafKey {
		return v.Members[0].Value
	}
	return v
}

// unguard removes the mark that keeps v0.8 clients from parsing text as JSON.
func unguard(s string) string {
	if rest, ok := strings.CutSuffix(s, zeroWidth); ok && rest != "" && (rest[0] == '[' || rest[0] == '{') {
		return rest
	}
	return s
}

// choices reads a list, an index map {"0": "a"}, or v0.8's one flag an option
// under compile.OptionKey: {"red": {"v": true}}.
func choices(f ui.Field, raw jsonx.Value) (ui.Value, bool) {
	var list []string
	add := func(v jsonx.Value) bool {
		v = unwrap(v)
		if v.Kind == jsonx.String && v.Str != "" && !slices.Contains(list, v.Str) {
			list = append(list, v.Str)
		}
		return v.Kind == jsonx.String
	}
	switch raw.Kind {
	case jsonx.Null:
	case jsonx.String:
		add(raw)
	case jsonx.Array:
		for _, item := range raw.Items {
			if !add(item) {
				return ui.Value{}, false
			}
		}
	case jsonx.Object:
		if m, ok := indexMap(raw); ok && (len(m) == 0 || unwrap(m[0]).Kind == jsonx.String) {
			for _, item := range m {
				if !add(item) {
					return ui.Value{}, false
				}
			}
			break
		}
		for _, o := range f.Options {
			if flag := unwrap(raw.At(compile.OptionKey(o.Value))); flag.Kind == jsonx.Bool && flag.Bool {
				list = append(list, o.Value)
			}
		}
	default:
		return ui.Value{}, false
	}
	return ui.Strings(list...), true
}

// indexMap reads an object whose keys are 0, 1, 2 … in numeric order.
func indexMap(v jsonx.Value) ([]jsonx.Value, bool) {
	if v.Kind != jsonx.Object || len(v.Members) == 0 {
		return nil, v.Kind == jsonx.Object
	}
	out := make([]jsonx.Value, len(v.Members))
	for _, m := range v.Members {
		i, err := strconv.Atoi(m.Key)
		if err != nil || i < 0 || i >= len(out) || strconv.Itoa(i) != m.Key {
			return nil, false
		}
		out[i] = m.Value
	}
	return out, true
}
