package compile

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/ui"
)

// gridMaker draws tables, processes and charts as one component each, where the catalog
// has them: Limn's own does.
type gridMaker struct{ *drawing }

func (d *drawing) grids() gridMaker { return gridMaker{d} }

// The properties by which a catalog's components are known as Limn's own.
const (
	propRows   = "rows"   // of a DataGrid
	propSteps  = "steps"  // of a ProcessMap
	propSeries = "series" // of a Chart
	propTitle  = "title"  // of a Fold
)

// whole reports a rowset that a component can draw: files are taken by pages, which no
// cell opens.
func (d gridMaker) whole(typ, property string, rs *ui.Rowset) bool {
	return d.has(typ, property) &&
		!slices.ContainsFunc(rs.Columns, func(f ui.Field) bool { return f.Type == ui.TypeUpload })
}

// table draws a Table.
func (d gridMaker) table(at ui.KeyPath, rs *ui.Rowset) string {
	return d.component(at, "DataGrid", rs, propRows, rs)
}

// process draws Steps and their connections.
func (d gridMaker) process(at ui.KeyPath, n *ui.Steps) string {
	return d.component(at, "ProcessMap", &n.Rowset, propSteps, &n.Rowset, d.connections(n))
}

// fold draws a section that folds. What was put into it later, such as a preview, opens it.
func (d gridMaker) fold(at ui.KeyPath, n *ui.Section) string {
	opened := slices.ContainsFunc(n.Children, func(c ui.Node) bool { return len(ui.Children(c)) > 0 })
	return d.folded(at, n.Title, opened, func() []string { return d.content().children(at, n.Children, false, nil) })
}

func (d gridMaker) folded(at ui.KeyPath, title string, opened bool, kids func() []string) string {
	i, body := d.open(), d.open()
	child := d.setBox(body, at.Join(keyBody).ComponentID("Column"), "Column", kids())
	id := at.ComponentID("Fold")
	d.set(i, id, "Fold", prop(propTitle, a2ui.String(title)), prop("child", a2ui.Ref(child)),
		prop("open", a2ui.Bool(opened)))
	return id
}

// connections returns the rows of the Table of connections between steps, nil without a Table.
func (d gridMaker) connections(of *ui.Steps) (rs *ui.Rowset) {
	edges := of.Edges
	for n := range ui.All(d.surface.Tree()) {
		if picture, ok := n.(*ui.Diagram); ok && picture.Steps == of.Path {
			edges = cmp.Or(edges, picture.Edges)
		}
		if table, ok := n.(*ui.Table); ok && edges != "" && table.Path == edges {
			rs = &table.Rowset
		}
	}
	return rs
}

// covered reports a node that a ProcessMap of the surface shows.
func (d gridMaker) covered(n ui.Node) bool {
	for other := range ui.All(d.surface.Tree()) {
		steps, ok := other.(*ui.Steps)
		if !ok || !d.whole("ProcessMap", propSteps, &steps.Rowset) {
			continue
		}
		if picture, is := n.(*ui.Diagram); is && picture.Steps == steps.Path {
			return true
		}
		if table, is := n.(*ui.Table); is && d.connections(steps) == &table.Rowset {
			return true
		}
	}
	return false
}

// component draws rowsets as one component. Its actions bind what all inputs of the
// surface hold, and are filled in after those.
func (d gridMaker) component(at ui.KeyPath, typ string, head *ui.Rowset, first string, rows ...*ui.Rowset) string {
	i, id := d.open(), at.ComponentID(typ)
	label := head.Label
	if label == d.surface.Title { // the title says it already
		label = ""
	}
	props := []a2ui.Prop{prop("label", a2ui.String(label)), prop("help", a2ui.String(head.Help))}
	d.set(i, id, typ)
	for _, rs := range rows {
		if rs != nil {
			d.cells(rs)
		}
	}
	d.later = append(d.later, func() {
		for j, rs := range rows {
			name := first
			if j > 0 {
				name = "connections"
			}
			if rs != nil {
				props = append(props, prop(name, d.rowset(at, rs)))
			}
		}
		d.comps[i].Props = append(props, prop("words", d.dictionary(typ)))
	})
	return id
}

// cells puts the cells of the page that is shown into the data: of a surface that takes
// input what inputs bind, else what people read.
func (d gridMaker) cells(rs *ui.Rowset) {
	d.data.hold(rs.Path)
	for _, r := range d.shown(rs) {
		for c := range rs.Columns {
			f := &rs.Columns[c]
			v, ok := r.Cells.Get(f.Name)
			if ok && v.IsNull() {
				d.warn(codeNull, string(rs.CellPath(r.ID, f.Name)), "a null value is drawn as an empty one")
			}
			p := rs.CellPath(r.ID, f.Name)
			switch {
			case !d.locked:
				d.values().putCell(p, f, v)
			case f.Type == ui.TypeChoice: // a client looks for the option; connections are drawn by it
				d.data.put(p, leaf{d.texts().stringData(v.Text()), shapeRaw})
			case v.Empty():
				d.data.put(p, leaf{d.texts().stringData(""), shapeRaw})
			default:
				d.data.put(p, leaf{d.texts().stringData(d.inputs().answerText(f, v)), shapeRaw})
			}
		}
	}
	for _, name := range []string{"row", "before"} {
		d.data.put(d.scratch(rs, name), leaf{d.texts().stringData(""), shapeRaw})
	}
	d.data.put(d.scratch(rs, "count"), leaf{number(1), shapeRaw})
	d.data.put(d.scratch(rs, "at"), leaf{number(0), shapeRaw})
}

// A component has more rows than a page, and draws those in view: all of most tables.
const (
	windowRows  = 300 // a turn to other rows sends a message for each that comes and each that goes
	windowCells = 5000
	windowBytes = 256 << 10 // of cells; a page is sent whatever it holds
)

// window returns the index of the first row a component gets, and the index after the
// last: the page, and as many rows around it as the bounds allow.
func window(s *ui.Surface, rs *ui.Rowset) (from, to int) {
	rows := s.Rows(rs)
	from, to = s.Page(rs)
	if to-from == len(rows) {
		return from, to
	}
	left, size := min(windowRows, windowCells/max(1, len(rs.Columns))), windowBytes
	take := func(i int) bool {
		if i < 0 || i >= len(rows) || left <= 0 || size < 0 {
			return false
		}
		for _, f := range rs.Columns {
			v, _ := rows[i].Cells.Get(f.Name)
			size -= len(v.Text())
		}
		left--
		return size >= 0
	}
	for i := from; i < to; i++ {
		take(i)
	}
	for up, down := true, true; up || down; {
		if up = up && take(from-1); up {
			from--
		}
		if down = down && take(to); down {
			to++
		}
	}
	return from, to
}

// shown are the rows of the window; of a surface that takes no input those with something in
// them.
func (d gridMaker) shown(rs *ui.Rowset) []ui.Record {
	from, to := window(d.surface, rs)
	return d.filled(rs, d.surface.Rows(rs)[from:to])
}

func (d gridMaker) filled(rs *ui.Rowset, rows []ui.Record) []ui.Record {
	if !d.locked {
		return rows
	}
	return slices.DeleteFunc(slices.Clone(rows), func(r ui.Record) bool { return rs.Blank(r.Cells) })
}

// scratch is where the component writes what an action is about.
func (d gridMaker) scratch(rs *ui.Rowset, name string) ui.Path {
	return ui.PathOf("grid", hashKey(string(rs.Path)), name)
}

// rowset is the value of a property that holds rows.
func (d gridMaker) rowset(at ui.KeyPath, rs *ui.Rowset) a2ui.Value {
	rows := d.surface.Rows(rs)
	from, to := window(d.surface, rs)
	ids := make([]a2ui.Data, 0, to-from)
	for _, r := range d.shown(rs) {
		ids = append(ids, jsonx.Of(r.ID))
	}
	columns := make([]a2ui.Data, len(rs.Columns))
	for c := range rs.Columns {
		columns[c] = d.column(at, &rs.Columns[c])
	}
	literal := func(v a2ui.Data) a2ui.Value { return a2ui.Literal{Data: v} }
	most := cmp.Or(rs.MaxRows, ui.Limits{}.WithDefaults().Rows)
	out := a2ui.Object{prop("cells", a2ui.Path(rs.Path)), prop("ids", literal(jsonx.OfArray(ids...))),
		prop("columns", literal(jsonx.OfArray(columns...))), prop("first", literal(number(len(d.filled(rs, rows[:from]))))),
		prop("total", literal(number(len(d.filled(rs, rows))))), prop("most", literal(number(most))),
		prop("readonly", a2ui.Bool(d.locked)), prop("errors", literal(d.errors(rs))),
		prop("offers", literal(d.offers(rs, len(rows), most, from, to)))}
	for _, name := range []string{"row", "before", "count", "at"} {
		out = append(out, prop(name, d.texts().bind(d.scratch(rs, name))))
	}
	bound := func(a ui.Action, keys ...string) ui.Action {
		for i, c := range a.Context {
			if slices.Contains(keys, c.Key) {
				a.Context[i] = ui.Context{Key: c.Key, Path: d.scratch(rs, c.Key)}
			}
			if c.Key == "first" {
				a.Context[i] = ui.Context{Key: c.Key, Path: d.scratch(rs, "at")}
			}
		}
		return a
	}
	add := rs.AddAction()
	add.Context = append(add.Context, ui.Context{Key: "count"})
	actions := map[string]ui.Action{"add": bound(add, "count"), "remove": bound(rs.RemoveAction(""), "row"),
		"move": bound(rs.PlaceAction("", ""), "row", "before"), "restore": rs.RestoreAction(),
		"page": bound(rs.PageAction(0))}
	if text, paste, ok := d.paste(); ok {
		out, actions["paste"] = append(out, prop("text", d.texts().bind(text))), paste
	}
	for _, name := range offered {
		if a, ok := actions[name]; ok {
			context := d.actions().context(&pending{at: at, action: a})
			out = append(out, prop(name, a2ui.Event{Name: a.Name, Context: context}))
		}
	}
	return out
}

// offered are the actions of rows, in the order of a component's properties.
var offered = []string{"add", "remove", "move", "restore", "page", "paste"}

// offers lists the actions that are possible now.
func (d gridMaker) offers(rs *ui.Rowset, n, most, from, to int) a2ui.Data {
	_, removed := d.surface.LastRemoved(rs)
	_, _, pastes := d.paste()
	can := map[string]bool{"add": n < most, "remove": n > 0, "move": n > 1 && !rs.Unordered, "restore": removed,
		"page": to-from < n, "paste": pastes}
	out := jsonx.OfArray()
	for _, name := range offered {
		if can[name] && !d.locked {
			out.Items = append(out.Items, jsonx.Of(name))
		}
	}
	return out
}

// paste finds the box of a worksheet that pasted text can be read from, and its action.
func (d gridMaker) paste() (text ui.Path, a ui.Action, ok bool) {
	for n := range ui.All(d.surface.Tree()) {
		b, is := n.(*ui.Button)
		if !is || b.Action.Name != builtin.ActionPaste || b.Action.Masked {
			continue
		}
		for _, c := range b.Action.Context {
			if c.Key == "paste" {
				return c.Path, b.Action, true
			}
		}
	}
	return "", ui.Action{}, false
}

// errors lists the errors of rs and its rows. On a locked surface it lists none.
func (d gridMaker) errors(rs *ui.Rowset) a2ui.Data {
	out := jsonx.OfArray()
	for _, e := range d.surface.Errors {
		if !within(e.Path, rs.Path) || d.locked {
			continue
		}
		row, column := "", ""
		if rest := string(e.Path[len(rs.Path):]); rest != "" {
			row, rest = segment(rest)
			column, _ = segment(rest)
		}
		out.Items = append(out.Items, object("row", row, "column", column, "text", e.Text))
	}
	return out
}

func object(pairs ...string) a2ui.Data {
	out := jsonx.OfObject()
	for i := 0; i < len(pairs); i += 2 {
		out.Members = append(out.Members, a2ui.Member{Key: pairs[i], Value: jsonx.Of(pairs[i+1])})
	}
	return out
}

// column is a column as data. What is empty is left out: the component is sent whole.
func (d gridMaker) column(at ui.KeyPath, f *ui.Field) a2ui.Data {
	out := object("name", f.Name, "label", f.Title(), "type", string(f.Type))
	if f.Required {
		out.Members = append(out.Members, a2ui.Member{Key: "required", Value: jsonx.OfBool(true)})
	}
	help := f.Help
	if f.Type == ui.TypeTags {
		help = strings.TrimSpace(help + " " + d.say("tags.help"))
	}
	pattern, message := d.checks().regexp(f, at), d.hint(f)
	if pattern == anything || message == "" || d.locked {
		pattern, message = "", ""
	}
	more := object("help", help, "placeholder", f.Placeholder, "min", f.Min, "max", f.Max, "step", f.Step,
		"pattern", pattern, "message", message)
	for _, m := range more.Members {
		if m.Value.Str != "" {
			out.Members = append(out.Members, m)
		}
	}
	if len(f.Options) > 0 {
		options := jsonx.OfArray()
		for _, o := range f.Options {
			options.Items = append(options.Items, object("label", o.Text(), "value", o.Value))
		}
		out.Members = append(out.Members, a2ui.Member{Key: "options", Value: options})
	}
	return out
}

// hint describes the texts that a column accepts, "" if it accepts any text.
func (d gridMaker) hint(f *ui.Field) string {
	word := map[ui.FieldType]string{ui.TypeNumber: "field.number", ui.TypeEmail: "field.email", ui.TypeURL: "field.url",
		ui.TypeText: "field.pattern", ui.TypeLongText: "field.pattern"}[f.Type]
	if word == "" || word == "field.pattern" && f.Pattern == "" {
		return ""
	}
	return d.say(word, "label", f.Title(), "min", f.Min, "max", f.Max)
}

func (d gridMaker) dictionary(typ string) a2ui.Value {
	all := jsonx.OfObject()
	for name, key := range builtin.ComponentWords(typ) {
		all.Members = append(all.Members, a2ui.Member{Key: name, Value: jsonx.Of(d.say(key))})
	}
	return a2ui.Literal{Data: all}
}

// chart draws a Chart. Its figures are data, so that new ones alone are sent.
func (d gridMaker) chart(at ui.KeyPath, n *ui.Chart) string {
	place := hashKey(string(at))
	labels := jsonx.OfArray()
	for _, l := range n.Labels {
		labels.Items = append(labels.Items, jsonx.Of(l))
	}
	bind := func(name string, v a2ui.Data) a2ui.Value {
		p := ui.PathOf("chart", place, name)
		d.data.put(p, leaf{v, shapeRaw})
		return a2ui.Path(p)
	}
	labelled, series := bind("labels", labels), make(a2ui.List, len(n.Series))
	for i, s := range n.Series {
		values := jsonx.OfArray()
		for _, v := range s.Values {
			figure := a2ui.Data{} // of a gap
			if !math.IsNaN(v) {
				figure = jsonx.OfNumber(strconv.FormatFloat(v, 'g', -1, 64))
			}
			values.Items = append(values.Items, figure)
		}
		series[i] = a2ui.Object{prop("name", a2ui.String(s.Name)), prop("values", bind("s"+strconv.Itoa(i), values))}
	}
	var all a2ui.Value = series
	if len(series) == 0 {
		all = a2ui.Literal{Data: jsonx.OfArray()}
	}
	label := n.Label
	if label == d.surface.Title {
		label = ""
	}
	return d.add(at.ComponentID("Chart"), "Chart", prop("kind", a2ui.String(n.Kind)),
		prop("label", a2ui.String(label)), prop("unit", a2ui.String(n.Unit)), prop("labels", labelled),
		prop("series", all), prop("words", d.dictionary("Chart")))
}
