package app

import (
	"cmp"
	"math"
	"net/url"
	"slices"
	"strconv"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/internal/near"
	"github.com/limn-ui/limn/ui"
)

// nodeKinds are the kinds of nodes a view in YAML can have.
var nodeKinds = []string{"heading", "text", "stat", "progress", "notice", "diagram", "chart", "list", "image", "icon",
	"divider", "button", "row", "column", "card", "section", "tabs"}

// nodes reads the nodes of one view.
type nodes struct {
	r       *reader
	path    string // views[i].nodes
	actions []Action
	binds   *[]Bind
}

// view reads a fixed view: its nodes become the children of one column.
func (r *reader) view(it item, actions []Action) View {
	o := it.object("view")
	v := View{Name: o.text("name"), Title: o.text("title"), Phrases: o.get("phrases").texts(),
		Topics: o.get("topics").texts(), Records: r.shownRecords(o.get("records")),
		Refresh: o.get("refresh").duration()}
	list := o.get("nodes")
	ns := nodes{r: r, path: list.path, actions: actions, binds: &v.Binds}
	if children := ns.children("main", list, 2); len(children) > 0 {
		v.Nodes = ui.Nodes{&ui.Column{Key: "main", Children: children}}
	}
	return v
}

// shownRecords reads the records that a view shows: a name, or a query.
func (r *reader) shownRecords(it item) map[string]RecordQuery {
	out := map[string]RecordQuery{}
	for _, p := range it.pairs() {
		one := r.item(it.path+"."+p.key, p.value)
		if one.is(yaml.ScalarNode) {
			out[p.key] = RecordQuery{Name: one.text(), Desc: true}
			continue
		}
		o := one.object("view_records")
		params := url.Values{"filter": o.get("filter").texts()}
		params.Set("q", o.text("search"))
		params.Set("sort", o.text("sort"))
		q, err := ParseRecordQuery(o.text("name"), params)
		if err != nil {
			r.report(one.node, CodeInvalid, "%s: %s", one.path, ui.AsError(err, CodeInvalid, "").Message).Hint =
				ui.AsError(err, CodeInvalid, "").Hint
		}
		q.Limit = o.get("limit").count()
		out[p.key] = q
	}
	return out
}

// duration reads a time such as 30s or 5m.
func (it item) duration() time.Duration {
	text := it.text()
	if text == "" {
		return 0
	}
	d, err := time.ParseDuration(text)
	if err != nil {
		it.wrong("a time such as 30s or 5m")
	}
	return d
}

// children reads a list of nodes. A node without a key gets its kind as one,
// numbered from the second of its kind on, so that the same file always gives
// the same keys.
func (ns nodes) children(parent ui.KeyPath, list item, depth int) ui.Nodes {
	if depth > maxDepth {
		if !list.absent() {
			ns.r.report(list.node, CodeYAML, "nodes nested deeper than %d", maxDepth)
		}
		return nil
	}
	items := list.list()
	heads := make([]head, len(items))
	taken := map[string]bool{}
	for i, it := range items {
		heads[i] = ns.head(it)
		taken[heads[i].key] = true
	}
	var out ui.Nodes
	for _, h := range heads {
		if h.kind == "" {
			continue
		}
		if h.key == "" {
			for n := 1; h.key == "" || taken[h.key]; n++ {
				h.key = h.kind + index(n)
			}
			taken[h.key] = true
		}
		out = append(out, ns.node(parent, h, depth))
	}
	return out
}

// head is a node before its members are read: `- kind: body`, or `- kind`.
type head struct {
	kind, key string
	item      // the whole node
	body      item
}

func (ns nodes) head(it item) head {
	h := head{item: it, body: item{r: ns.r, path: it.path}}
	if it.is(yaml.ScalarNode) {
		h.kind = it.text()
	} else {
		for i, p := range it.pairs() {
			if i > 0 {
				ns.r.report(p.at, CodeYAML, "%sa node has one kind; %q is a second one", prefix(it.path),
					clip(p.key)).Hint = "indent what belongs to the node"
				continue
			}
			h.kind = p.key
			h.body = ns.r.item(it.path+"."+p.key, p.value)
		}
	}
	if !slices.Contains(nodeKinds, h.kind) {
		if !it.absent() {
			suggest(ns.r.note(it.node, CodeYAML, "%sunknown node %q", prefix(it.path), clip(h.kind)), h.kind, nodeKinds)
		}
		if h.kind = near.Name(h.kind, nodeKinds); h.kind == "" {
			return h
		}
	}
	if h.body.is(yaml.MappingNode) { // object reports the fault
		for i := 0; i+1 < len(h.body.node.Content); i += 2 {
			if h.body.node.Content[i].Value == "key" {
				h.key = resolved(h.body.node.Content[i+1]).Value
			}
		}
	}
	return h
}

// short returns the body as a mapping; anything else is short for a mapping with the first
// key of its kind.
func (h head) short() object {
	if h.body.absent() || h.body.is(yaml.MappingNode) {
		return h.body.object(h.kind)
	}
	return object{item: h.body, keys: map[string]*yaml.Node{mappings[h.kind].keys[0].name: h.body.node}}
}

// node reads the members of one node.
func (ns nodes) node(parent ui.KeyPath, h head, depth int) ui.Node {
	here := parent.Join(h.key)
	at := place{1, 1}
	if h.item.node != nil {
		at = placeOf(h.item.node)
	}
	ns.r.places[ns.path+"/"+string(here)] = at
	below := func(o object) ui.Nodes { return ns.children(here, o.get("children"), depth+1) }
	switch h.kind {
	case "heading":
		o := h.short()
		level := 2
		if l := o.get("level"); !l.absent() {
			level = l.count()
		}
		return &ui.Heading{Key: h.key, Level: level, Text: o.text("text")}
	case "text":
		o := h.short()
		return &ui.Text{Key: h.key, Text: o.text("text"), Path: ui.Path(o.text("path")),
			Small: o.get("small").flag(false)}
	case "stat":
		o := h.short()
		return &ui.Stat{Key: h.key, Label: o.text("label"), Value: o.text("value"), Path: ui.Path(o.text("path")),
			Note: o.text("note")}
	case "progress":
		o := h.short()
		return &ui.Progress{Key: h.key, Label: o.text("label"), Percent: o.get("percent").count(),
			Path: ui.Path(o.text("path"))}
	case "notice":
		o := h.short()
		tone := cmp.Or(ui.Tone(o.text("tone")), ui.ToneInfo)
		return &ui.Notice{Key: h.key, Tone: tone, Text: o.text("text")}
	case "diagram":
		return ns.diagram(h)
	case "chart":
		return ns.chart(here, h)
	case "list":
		return ns.list(here, h)
	case "image":
		o := h.short()
		return &ui.Image{Key: h.key, URL: o.text("url"), Alt: o.text("alt")}
	case "icon":
		o := h.short()
		return &ui.Icon{Key: h.key, Name: o.text("name"), Label: o.text("label")}
	case "button":
		return ns.button(h)
	case "row":
		return &ui.Row{Key: h.key, Children: below(h.short())}
	case "column":
		return &ui.Column{Key: h.key, Children: below(h.short())}
	case "card":
		return &ui.Card{Key: h.key, Children: below(h.short())}
	case "section":
		o := h.short()
		return &ui.Section{Key: h.key, Title: o.text("title"), Children: below(o)}
	case "tabs":
		return ns.tabs(here, h, depth)
	}
	h.body.object("divider")
	return &ui.Divider{Key: h.key}
}

// button takes its label and whether it repeats from the action it does.
func (ns nodes) button(h head) ui.Node {
	o := h.short()
	b := &ui.Button{Key: h.key, Label: o.text("label"), Primary: o.get("primary").flag(false)}
	b.Action.Name = o.text("action")
	local := func(do, key, value string) {
		if value != "" {
			b.Action.Do = do
			b.Action.Context = []ui.Context{{Key: key, Value: ui.String(value)}}
		}
	}
	local(builtin.DoOpen, "url", o.text("open"))
	local(builtin.DoCopy, "text", o.text("copy"))
	for _, a := range ns.actions {
		if a.Name != b.Action.Name {
			continue
		}
		b.Action.Repeat = a.Repeat
		if b.Label == "" {
			b.Label = a.Label
		}
	}
	if b.Label == "" {
		b.Label = cmp.Or(b.Action.Name, o.text("open"), o.text("copy"), o.text("call"))
	}
	b.Action.Repeat = o.get("repeat").flag(b.Action.Repeat)
	b.Action.Context = append(b.Action.Context, each(o.get("context"), sent)...)
	if call := o.text("call"); call != "" {
		b.Action.Do = call
	}
	return b
}

// sent reads one value that a button sends, or an argument.
func sent(it item) ui.Context {
	c := it.object("context")
	return ui.Context{Key: c.text("key"), Path: ui.Path(c.text("path")), Value: c.get("value").literal()}
}

// literal reads a context value by its form: number, boolean or text.
func (it item) literal() ui.Value {
	switch {
	case it.absent():
		return ui.Value{}
	case it.is(yaml.SequenceNode):
		return ui.Strings(it.texts()...)
	case it.is(yaml.ScalarNode) && it.node.ShortTag() == "!!bool":
		return ui.Bool(it.flag(false))
	case it.is(yaml.ScalarNode) && (it.node.ShortTag() == "!!int" || it.node.ShortTag() == "!!float"):
		return it.number()
	}
	return ui.String(it.text())
}

// tabs are not nodes in YAML; they are numbered as their siblings.
func (ns nodes) tabs(here ui.KeyPath, h head, depth int) ui.Node {
	t := &ui.Tabs{Key: h.key}
	for i, it := range h.short().get("tabs").list() {
		o := it.object("tab")
		tab := ui.Tab{Key: o.text("key"), Title: o.text("title")}
		if tab.Key == "" {
			tab.Key = "tab" + index(i+1)
		}
		ns.r.places[ns.path+"/"+string(here.Join(tab.Key))] = ns.r.places[it.path]
		tab.Children = ns.children(here.Join(tab.Key), o.get("children"), depth+2)
		t.Tabs = append(t.Tabs, tab)
	}
	return t
}

// diagram shows the steps and edges at two paths, or those given here: a
// step is its name, or a mapping; an edge names steps by id or by number.
func (ns nodes) diagram(h head) ui.Node {
	o := h.short()
	n := &ui.Diagram{Key: h.key, Label: o.text("label")}
	steps, edges := o.get("steps"), o.get("edges")
	if !steps.is(yaml.SequenceNode) {
		n.Steps, n.Edges = ui.Path(steps.text()), ui.Path(edges.text())
		return n
	}
	ids := map[string]string{} // id or number → id
	var list []ui.Record
	for i, it := range steps.list() {
		r := ui.Record{ID: "s" + strconv.Itoa(i+1), Cells: ui.Map()}
		if it.is(yaml.MappingNode) {
			s := it.object("step")
			if id := s.text("id"); id != "" {
				r.ID = id
			}
			r.Cells = cells(s, "name", "owner", "outcome")
		} else {
			r.Cells, _ = r.Cells.With(ui.String(it.text()), "name")
		}
		if !ui.ValidKey(r.ID) || ids[r.ID] != "" {
			ns.r.report(it.node, CodeInvalid, "step id %q is no key, or stands twice", clip(r.ID))
		}
		ids[r.ID], ids[strconv.Itoa(i+1)] = r.ID, r.ID
		list = append(list, r)
	}
	pairs := []ui.Pair{{Key: "steps", Value: rows(list)}}
	if !edges.absent() {
		pairs = append(pairs, ui.Pair{Key: "edges",
			Value: rows(each(edges, func(it item) ui.Record { return ns.edge(it, ids) }))})
	}
	n.Data = ui.Map(pairs...)
	return n
}

var edgeKinds = []string{"sequence", "approval", "parallel"}

func (ns nodes) edge(it item, steps map[string]string) ui.Record {
	o := it.object("edge")
	r := ui.Record{Cells: cells(o, "kind")}
	if kind := o.text("kind"); kind != "" && !slices.Contains(edgeKinds, kind) {
		suggest(ns.r.report(it.node, CodeInvalid, "unknown kind of edge %q", clip(kind)), kind, edgeKinds)
	}
	for _, end := range []string{"from", "to"} {
		id, ok := steps[o.text(end)]
		if !ok {
			ns.r.report(it.node, CodeDangling, "%s: no step is %q", end,
				clip(o.text(end))).Hint = "name a step by its id or its number"
		}
		r.Cells, _ = r.Cells.With(ui.String(id), end)
	}
	if o.get("conditional").flag(false) {
		r.Cells, _ = r.Cells.With(ui.Bool(true), "conditional")
	}
	return r
}

func cells(o object, names ...string) ui.Value {
	out := ui.Map()
	for _, name := range names {
		if text := o.text(name); text != "" {
			out, _ = out.With(ui.String(text), name)
		}
	}
	return out
}

// rows are records in the order of the file; one without an id gets its number.
func rows(list []ui.Record) ui.Value {
	order := ""
	for i := range list {
		if order = ui.OrderBetween(order, ""); list[i].ID == "" {
			list[i].ID = "e" + strconv.Itoa(i+1)
		}
		list[i].Order = order
	}
	return ui.Rows(list...)
}

// chart has series, or the values of the one there is. With a path its figures are the
// fields of rows there.
func (ns nodes) chart(here ui.KeyPath, h head) ui.Node {
	o := h.short()
	n := &ui.Chart{Key: h.key, Kind: ui.ChartKind(o.text("kind")), Label: o.text("label"), Unit: o.text("unit"),
		Labels: o.get("labels").texts()}
	if n.Kind == "" {
		n.Kind = ui.ChartBar
	}
	var fields []string
	n.Series = each(o.get("series"), func(it item) ui.Series {
		s := it.object("series")
		if f := s.text("field"); f != "" {
			fields = append(fields, f)
		}
		return ui.Series{Name: cmp.Or(s.text("name"), s.text("field")), Values: s.get("values").floats()}
	})
	if values := o.get("values"); !values.absent() {
		n.Series = append(n.Series, ui.Series{Values: values.floats()})
	}
	if f := o.text("field"); f != "" {
		n.Series, fields = append(n.Series, ui.Series{Name: n.Label}), append(fields, f)
	}
	if path := o.text("path"); path != "" || len(fields) > 0 {
		*ns.binds = append(*ns.binds, Bind{At: here, Path: ui.Path(path), X: o.text("x"), Fields: fields})
	}
	return n
}

// list shows rows of data. A column is a field, or a field with a label.
func (ns nodes) list(here ui.KeyPath, h head) ui.Node {
	o := h.short()
	n, b := &ui.List{Key: h.key, Label: o.text("label")}, Bind{At: here, Path: ui.Path(o.text("path"))}
	for _, it := range o.get("columns").list() {
		field, label := "", ""
		if it.is(yaml.ScalarNode) {
			field = it.text()
		} else {
			c := it.object("list_column")
			field, label = c.text("field"), c.text("label")
		}
		n.Columns, b.Fields = append(n.Columns, cmp.Or(label, ui.Field{Name: field}.Title())), append(b.Fields, field)
	}
	*ns.binds = append(*ns.binds, b)
	return n
}

// floats are the values of a chart; null is a gap.
func (it item) floats() []float64 {
	return each(it, func(it item) float64 {
		if it.absent() {
			return math.NaN()
		}
		v := it.number()
		f, ok := v.Float()
		if !ok && !v.IsNull() {
			it.wrong("a number below 1e308")
		}
		return f
	})
}
