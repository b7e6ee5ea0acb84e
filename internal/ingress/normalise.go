package ingress

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/limn-ui/limn/internal/draft"
	"github.com/limn-ui/limn/internal/excerpt"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/ui"
)

// maxWarnings is how many undeclared keys of one action are named.
const maxWarnings = 8

// normalise fills Values and Context. An A2UI action carries what its button
// declares; a browser form carries every input of the surface. It reads on
// after a value that is no input's, and returns the first such. counts says
// that nothing else speaks against the action: then, and only then, an input
// whose key is missing is empty.
func (a *Admitted) normalise(e *ui.ActionEvent, found, counts bool, beyond []ui.Field) (unread error) {
	declared := a.Action.Context
	if e.Form || !found {
		declared = mergeContext(a.Action.Context, ui.SubmitContext(a.Surface.Tree()))
	}
	owners, sent := ownersOf(a.Surface), indexed(e)
	known := map[string]bool{}
	for _, f := range beyond {
		known[f.Name] = true
	}
	for _, c := range declared {
		known[c.Key] = true
		if c.Path == "" {
			a.Context, _ = a.Context.With(c.Value, c.Key)
			continue
		}
		raw, ok := sent.pick(c)
		before := len(a.Values)
		if err := a.value(owners[c.Path], c, raw, ok, e.Form || !counts, e.Form); err != nil && unread == nil {
			unread = err
		}
		if before < len(a.Values) && owners[c.Path].rows == nil {
			a.Context, _ = a.Context.With(a.Values[before].Value, c.Key)
		}
	}
	for _, m := range e.Context.Members {
		if e.Form || known[m.Key] {
			continue
		}
		// scalar first: other shapes are declared
		if v := unwrap(m.Value); unread == nil && (v.Kind == jsonx.Object || v.Kind == jsonx.Array) {
			unread = wrongKind("/context/"+excerpt.Head(m.Key, 64), "scalar")
		}
		if len(a.Warnings) < maxWarnings {
			a.Warnings = append(a.Warnings, ui.Errorf(CodeEnvelope, "/context/"+excerpt.Head(m.Key, 64),
				"not declared by the action; left out"))
		}
	}
	return unread
}

// beyond reads the keys that the app declares for the action itself. They are
// for its handler; no input binds them.
func (a *Admitted) beyond(e *ui.ActionEvent, fields []ui.Field, unread error) error {
	for _, f := range fields {
		where := "/context/" + f.Name
		raw, sent := e.Context.Get(f.Name)
		if _, known := a.Context.Get(f.Name); known || !sent ||
			slices.ContainsFunc(a.Action.Context, func(c ui.Context) bool { return c.Key == f.Name }) {
			continue
		}
		v, ok := scalar(f, raw, false)
		switch {
		case !ok:
			unread = cmp.Or(unread, wrongKind(where, f.Type))
		case len(v.Text()) > longest:
			unread = cmp.Or(unread, overlong(where, longest))
		default:
			a.Context, _ = a.Context.With(v, f.Name)
		}
	}
	return unread
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
	for n := range ui.All(s.Tree()) {
		if in := ui.InputOf(n); in != nil {
			owners[in.Path] = owner{input: in}
		}
		if rs := ui.RowsetOf(n); rs != nil {
			owners[rs.Path] = owner{rows: rs}
		}
		if st, ok := n.(*ui.Steps); ok && st.Edges != "" {
			owners[st.Edges] = owner{edges: true}
		}
	}
	return owners
}

// context holds the values sent, by key, or in a browser form by path; the cells of a
// form are gathered below the path of their rowset.
type context struct {
	form bool
	by   map[string]jsonx.Value
	rows map[string]*formRows
}

type formRows struct {
	order []string
	cells map[string][]jsonx.Member
}

func indexed(e *ui.ActionEvent) context {
	c := context{form: e.Form, by: make(map[string]jsonx.Value, len(e.Context.Members)), rows: map[string]*formRows{}}
	for _, m := range e.Context.Members {
		if _, twice := c.by[m.Key]; !twice {
			c.by[m.Key] = m.Value
		}
		if e.Form {
			c.cell(m)
		}
	}
	return c
}

// cell files "<path of a rowset>/<row>/<column>".
func (c context) cell(m jsonx.Member) {
	j := strings.LastIndexByte(m.Key, '/')
	if j <= 0 {
		return
	}
	i := strings.LastIndexByte(m.Key[:j], '/')
	if i <= 0 {
		return
	}
	r := c.rows[m.Key[:i]]
	if r == nil {
		r = &formRows{cells: map[string][]jsonx.Member{}}
		c.rows[m.Key[:i]] = r
	}
	row := m.Key[i+1 : j]
	if r.cells[row] == nil {
		r.order = append(r.order, row)
	}
	r.cells[row] = append(r.cells[row], jsonx.Member{Key: m.Key[j+1:], Value: m.Value})
}

// pick finds the value that was sent for a declared key.
func (c context) pick(want ui.Context) (jsonx.Value, bool) {
	if !c.form {
		v, ok := c.by[want.Key]
		return v, ok
	}
	if v, ok := c.by[string(want.Path)]; ok {
		return v, true
	}
	v, r := jsonx.Value{Kind: jsonx.Object}, c.rows[string(want.Path)]
	if r == nil {
		return v, false
	}
	for _, row := range r.order {
		v.Members = append(v.Members, jsonx.Member{Key: row, Value: jsonx.OfObject(r.cells[row]...)})
	}
	return v, true
}

// value reads one declared key. asSent leaves an input alone whose key is missing.
func (a *Admitted) value(o owner, c ui.Context, raw jsonx.Value, sent, asSent, form bool) error {
	where := "/context/" + c.Key
	if form {
		where = string(c.Path) // the name of its input
	}
	switch {
	case o.input != nil:
		if !sent && asSent {
			return nil // not on the page; a box that is off still sends its companion
		}
		v, ok := scalar(o.input.Field, raw, form)
		if !ok {
			return wrongKind(where, o.input.Type)
		}
		if err := a.tooLong(c.Path, v, where); err != nil {
			return err
		}
		a.Values = append(a.Values, ui.Leaf{Path: c.Path, Value: v})
	case o.rows != nil:
		if !sent {
			return nil
		}
		return a.cells(o.rows, raw, where, form)
	case o.edges:
		return nil // edges are changed by actions, not by typing
	default: // a content path, such as /ui_state/…: the server knows it better, and no page sends it
		if v, ok := a.state.Shown(a.Surface, c.Path); ok || sent {
			a.Context, _ = a.Context.With(v, c.Key)
		}
	}
	return nil
}

// cells takes the rows this surface has; a row that came or went in between is
// left alone, and so are cells that were not sent: they are not on the page.
func (a *Admitted) cells(rs *ui.Rowset, raw jsonx.Value, where string, form bool) (unread error) {
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
			unread = cmp.Or(unread, wrongKind(where+"/"+r.ID, "row"))
			continue
		}
		for _, col := range rs.Columns {
			cell, ok := row.Get(col.Name)
			if !ok {
				continue
			}
			v, ok := scalar(col, cell, form)
			if !ok {
				unread = cmp.Or(unread, wrongKind(where+"/"+r.ID+"/"+col.Name, col.Type))
				continue
			}
			if err := a.tooLong(rs.CellPath(r.ID, col.Name), v, where+"/"+r.ID+"/"+col.Name); err != nil {
				unread = cmp.Or(unread, err)
				continue
			}
			a.Values = append(a.Values, ui.Leaf{Path: rs.CellPath(r.ID, col.Name), Value: v})
		}
	}
	return unread
}

// longest is what any input takes; more only where a long text declares it.
var longest = ui.Limits{}.WithDefaults().StringSize

func (a *Admitted) tooLong(p ui.Path, v ui.Value, where string) error {
	if n := len(v.Text()); n > longest {
		if room := a.Surface.Room(p, ui.Limits{}); n > room {
			return overlong(where, room)
		}
	}
	return nil
}

func overlong(where string, room int) error {
	return &ui.Error{Code: CodeTooLarge, Path: where,
		Message: "the value has more than " + strconv.Itoa(room) + " bytes", Hint: "shorten it"}
}

func wrongKind[T ~string](where string, want T) error {
	return &ui.Error{Code: CodeEnvelope, Path: where,
		Message: "the value is not what an input of the type " + string(want) + " sends",
		Hint:    "send what is bound there, unchanged"}
}

// scalar turns the value that a client sends for one input into its draft value. A
// missing value (Null) is the empty one. A list is taken where one is meant, and
// from a browser form, where a box follows its hidden companion: the last wins.
func scalar(f ui.Field, raw jsonx.Value, form bool) (ui.Value, bool) {
	raw = unwrap(raw)
	switch {
	case f.Type == ui.TypeChoices:
		return choices(f, raw)
	case f.Type == ui.TypeTags && raw.Kind == jsonx.Array:
		list, ok := choices(f, raw)
		return f.Draft(list), ok
	case f.Type == ui.TypeChoice:
		raw = chosen(f, raw)
	case form && raw.Kind == jsonx.Array:
		raw = last(raw.Items)
	}
	switch raw.Kind {
	case jsonx.Null:
		return f.Draft(ui.String("")), true
	case jsonx.Bool:
		return f.Draft(ui.Bool(raw.Bool)), f.Type == ui.TypeBoolean
	case jsonx.Number:
		n, ok := ui.Number(raw.Str)
		return f.Draft(n), ok && f.Type != ui.TypeBoolean
	case jsonx.String:
		return text(f, unguard(raw.Str))
	}
	return ui.Value{}, false
}

// text reads text for an input: any at all where text is drafted.
func text(f ui.Field, s string) (ui.Value, bool) {
	ok := true
	switch f.Type {
	case ui.TypeBoolean:
		ok = s == "" || s == "true" || s == "false"
	case ui.TypeSlider:
		s = strings.TrimSpace(s)
		_, ok = ui.Number(s)
		ok = ok || s == ""
	case ui.TypeDate, ui.TypeTime:
		s = draft.FromMoment(f.Type, s)
	}
	return f.Draft(ui.String(s)), ok
}

// chosen finds the one option in its forms: itself, a list, an index
// map, or on v0.8 a list as JSON text, which is how such a client reads it. That
// client adds to the list whatever its maximum, so the last one is meant.
func chosen(f ui.Field, raw jsonx.Value) jsonx.Value {
	if s := unguard(raw.Text()); strings.HasPrefix(s, "[") &&
		!slices.ContainsFunc(f.Options, func(o ui.Option) bool { return o.Value == s }) {
		if v, err := jsonx.Parse([]byte(s), jsonx.Limits{Depth: 1, Entries: 1000}); err == nil {
			raw = v
		}
	}
	if raw.Kind == jsonx.Array {
		return unwrap(last(raw.Items))
	}
	if m, ok := indexMap(raw); ok {
		return unwrap(last(m))
	}
	return raw
}

func last(items []jsonx.Value) jsonx.Value {
	if len(items) == 0 {
		return jsonx.Value{}
	}
	return items[len(items)-1]
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

// maxChoices is how many different values a list may have that declares fewer
// options, or none, as tags do.
const maxChoices = 1000

// choices reads a list, an index map {"0": "a"}, or v0.8's one flag an option
// under draft.OptionKey: {"red": {"v": true}}.
func choices(f ui.Field, raw jsonx.Value) (ui.Value, bool) {
	var list []string
	seen, most := map[string]bool{}, max(maxChoices, len(f.Options))
	add := func(v jsonx.Value) bool {
		v = unwrap(v)
		if v.Kind == jsonx.String && v.Str != "" && !seen[v.Str] {
			seen[v.Str] = true
			list = append(list, v.Str)
		}
		return v.Kind == jsonx.String && len(list) <= most
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
		flags := make(map[string]jsonx.Value, len(raw.Members))
		for _, m := range raw.Members {
			flags[m.Key] = m.Value
		}
		for _, o := range f.Options {
			if flag := unwrap(flags[draft.OptionKey(o.Value)]); flag.Kind == jsonx.Bool && flag.Bool {
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
