package app

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/limn-ui/limn/ui"
)

// View is a declared read-only surface, drawn again whenever the state under
// it changes. Build is pure; Version names its code.
type View struct {
	Name    string
	Title   string
	Phrases []string // what people call it: figures; "show the figures" opens it, see App.ViewFor
	Version string
	Build   func(*ui.State) ui.Nodes // in Go
	Nodes   ui.Nodes                 // or fixed, from YAML
	Binds   []Bind                   // charts and lists of Nodes that show rows of data

	// What it shows beside the data of its conversation. It is kept under /committed/<name> while the
	// view is open and watched, and is the newest whenever it is opened.
	Topics  []string               // of these the newest value; see Live.Publish
	Records map[string]RecordQuery // name → a page of records as rows
	// how often the page of records is read again while somebody watches, besides after each save; at
	// least 1 s; 0: never
	Refresh time.Duration
}

// Bind has a chart or list of View.Nodes show rows of data.
type Bind struct {
	At     ui.KeyPath // the node
	Path   ui.Path    // of the rows, under /committed
	X      string     // of a chart: the cell with the label of a value
	Fields []string   // cells: of a chart one for each series, of a list one for each column
}

// Bounds of what a view shows.
const (
	maxTopics     = 64 // of an application
	maxShownRows  = 50
	maxChartShown = 500 // values
)

// ViewRoot is the content of a view for a state; nil is the state before the first frame.
func (a *App) ViewRoot(v View, s *ui.State) ui.Nodes {
	if v.Build != nil {
		return v.Build(s)
	}
	if len(v.Binds) == 0 {
		return v.Nodes
	}
	root := ui.MapNodes(v.Nodes, func(n ui.Node) ui.Node {
		if c, ok := n.(*ui.Chart); ok {
			own := *c
			own.Series = slices.Clone(c.Series)
			return &own
		}
		return n
	})
	for n := range root {
		ui.Walk(root[n], func(at ui.KeyPath, n ui.Node) bool {
			if b, ok := find(v.Binds, string(at), func(b Bind) string { return string(b.At) }); ok {
				b.fill(n, s)
			}
			return true
		})
	}
	return root
}

func (b Bind) fill(n ui.Node, s *ui.State) {
	var rows []ui.Record
	if s != nil {
		v, _ := s.Committed.Get(b.Path.Segments()[1:]...)
		rows = v.Records()
	}
	switch n := n.(type) {
	case *ui.Chart:
		b.chart(n, rows)
	case *ui.List:
		b.list(n, rows[:min(len(rows), maxShownRows)])
	}
}

// chart shows the last rows that there is room for.
func (b Bind) chart(c *ui.Chart, rows []ui.Record) {
	rows = rows[max(0, len(rows)-maxChartShown/len(b.Fields)):]
	c.Labels = nil
	for _, r := range rows {
		label, _ := r.Cells.Get(b.X)
		c.Labels = append(c.Labels, clipTo(label.Text(), maxCell))
	}
	for i, field := range b.Fields {
		var values []float64
		for _, r := range rows {
			v, _ := r.Cells.Get(field)
			values = append(values, figure(v))
		}
		c.Series[i].Values = values
	}
}

// figure is a number, or a text that is one; else 0.
func figure(v ui.Value) float64 {
	f, ok := v.Float()
	if !ok {
		n, _ := ui.Number(v.Text())
		f, _ = n.Float()
	}
	return f
}

func (b Bind) list(l *ui.List, rows []ui.Record) {
	for _, r := range rows {
		row := &ui.Row{Key: r.ID}
		for i, field := range b.Fields {
			v, _ := r.Cells.Get(field)
			row.Children = append(row.Children, &ui.Text{Key: "c" + strconv.Itoa(i), Text: clipTo(v.Text(), maxCell)})
		}
		l.Children = append(l.Children, row)
	}
}

// Topics are those that views show, sorted; others cannot be published to.
func (a *App) Topics() []string { return a.topics }

func topicsOf(views []View) (list []string) {
	for _, v := range views {
		list = append(list, v.Topics...)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// WatchedRecords are the names of the records that views show, sorted.
func (a *App) WatchedRecords() (list []string) {
	for _, v := range a.cfg.Views {
		for _, q := range v.Records {
			list = append(list, q.Name)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// OpenViews are the views that a state has open which show more than the data of its
// conversation.
func (a *App) OpenViews(s *ui.State) (list []View) {
	if !a.live {
		return nil
	}
	for _, sf := range s.Surfaces {
		if sf.Origin.Kind != "view" || sf.Status != ui.StatusOpen {
			continue
		}
		if v, ok := a.View(sf.Origin.Template); ok && len(v.Topics)+len(v.Records) > 0 {
			list = append(list, v)
		}
	}
	return list
}

// RecordRows are records as the rows that views show: numbers as they are, everything
// else as people read it. The cell saved is the time.
func (a *App) RecordRows(name string, list []Record) ui.Value {
	fields := a.lists.Fields(name)
	rows, order := make([]ui.Record, len(list)), ""
	for i, r := range list {
		order = ui.OrderBetween(order, "")
		cells := []ui.Pair{{Key: "saved", Value: ui.String(r.At.UTC().Format("2006-01-02 15:04"))}}
		for _, f := range fields {
			v, _ := r.Values.Get(f.Name)
			if v.Kind() != ui.NumberValue {
				v = ui.String(clipTo(f.Shown(a.cfg.Words, v), maxCell))
			}
			cells = append(cells, ui.Pair{Key: f.Name, Value: v})
		}
		if len(fields) == 0 {
			cells = append(cells, ui.Pair{Key: "rows", Value: ui.String(a.lists.rowsText(r.Values))})
		}
		rows[i] = ui.Record{ID: "r" + strconv.Itoa(i+1), Order: order, Cells: ui.Map(cells...)}
	}
	return ui.Rows(rows...)
}

// ViewFor returns the view with phrases that a message asks for in so many words: "show
// the dashboard". It may be named by a phrase, its title or its name; a phrase of several
// words may be the whole message. Only words of politeness or of asking may stand around
// it. Views without phrases are for models.
func (a *App) ViewFor(message string) (View, bool) {
	words := orderOf(message)
	for _, n := range a.viewNames {
		if n.in(words, opensView) {
			return a.View(n.of)
		}
	}
	return View{}, false
}

var opensView = set("show open see view display bring give")

func viewNames(views []View) (list []spoken) {
	for _, v := range views {
		if len(v.Phrases) > 0 {
			list = append(list, namesOf(v.Name, v.Phrases, v.Title, v.Name)...)
		}
	}
	return list
}

// live checks what a view shows beside the data of its conversation.
func (c checker) live(at string, v View) error {
	for i, p := range v.Phrases {
		if n := len(wordsOf(p)); n == 0 || n > maxWords {
			return ui.Errorf(CodeInvalid, fmt.Sprintf("%s.phrases[%d]", at, i), "want 1 to %d words", maxWords)
		}
	}
	if v.Refresh != 0 && v.Refresh < time.Second {
		return ui.Errorf(CodeInvalid, at+".refresh", "want a time of at least 1s, such as 30s")
	}
	if len(c.topics) > maxTopics {
		return ui.Errorf(CodeInvalid, at+".topics", "the application has %d topics, the most is %d", len(c.topics), maxTopics)
	}
	for i, name := range v.Topics {
		if err := c.freeName(name); err != nil {
			return misnamed(fmt.Sprintf("%s.topics[%d]", at, i), err)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(v.Records)) {
		if err := c.shownRecords(at+".records."+name, name, v.Records[name]); err != nil {
			return err
		}
	}
	return nil
}

func (c checker) shownRecords(at, name string, q RecordQuery) error {
	if err := c.freeName(name); err != nil {
		return misnamed(at, err)
	}
	if slices.Contains(c.topics, name) {
		return ui.Errorf(CodeDuplicate, at, "%q is a topic, too", name)
	}
	spec, ok := find(c.lists.specs, q.Name, func(s RecordSpec) string { return s.Name })
	if !ok {
		return suggest(ui.Errorf(CodeDangling, at, "there are no records %q", clip(q.Name)), q.Name,
			names(c.lists.specs, func(s RecordSpec) string { return s.Name }))
	}
	if q.Limit < 0 || q.Limit > maxShownRows {
		return ui.Errorf(CodeInvalid, at+".limit", "want 1 to %d", maxShownRows)
	}
	fields := []string{q.Sort}
	for _, w := range q.Where {
		fields = append(fields, w.Field)
	}
	for _, name := range fields {
		_, known := find(c.lists.Fields(spec.Name), name, func(f ui.Field) string { return f.Name })
		if name != "" && !known {
			return ui.Errorf(CodeDangling, at, "%s has no field %q", spec.Name, clip(name))
		}
	}
	return nil
}

func misnamed(at string, err error) error {
	e := ui.AsError(err, CodeInvalid, "")
	return &ui.Error{Code: CodeInvalid, Path: at, Message: e.Message, Hint: e.Hint}
}

func (c checker) binds(at string, v View) error {
	nodes := map[ui.KeyPath]ui.Node{}
	for _, n := range v.Nodes {
		ui.Walk(n, func(k ui.KeyPath, n ui.Node) bool { nodes[k] = n; return true })
	}
	for _, b := range v.Binds {
		here := at + ".nodes/" + string(b.At)
		p, _, err := ui.ParsePath(string(b.Path), true)
		if err != nil || p != b.Path || !p.Under(ui.CommittedRoot) || len(p.Segments()) < 2 {
			return ui.Errorf(CodeInvalid, here, "path %q: want /committed/… where the rows are", clip(string(b.Path)))
		}
		want := 0
		switch n := nodes[b.At].(type) {
		case *ui.Chart:
			want = len(n.Series)
		case *ui.List:
			want = len(n.Columns)
		}
		if len(b.Fields) == 0 || len(b.Fields) != want || slices.Contains(b.Fields, "") {
			return ui.Errorf(CodeInvalid, here, "a chart with a path names a field for each series, a list for each column")
		}
	}
	return nil
}
