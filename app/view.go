package app

import (
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/limn-ui/limn/internal/excerpt"
	"github.com/limn-ui/limn/ui"
)

// View is a declared read-only surface, drawn again whenever the state under
// it changes. Build is pure; Version names its code.
type View struct {
	Name    string
	Title   string
	Phrases []string // what people call it: figures; "show the figures" opens it, with a model as well; see Views.For
	Version string
	Build   func(*ui.State) ui.Nodes // in Go
	Nodes   ui.Nodes                 // or fixed, from YAML
	Binds   []Bind                   // charts and lists of Nodes that show rows of data

	// What it shows beside the data of its conversation. It is kept under /committed/<name> while the
	// view is open and watched, and is the newest whenever it is opened.
	Topics  []string               // of these the newest value; see Live.Publish
	Records map[string]RecordQuery // name → a page of records as rows
	// how often the page of records is read again while a stream is open, besides after each save;
	// at least 1 s; 0: never
	Refresh time.Duration
}

// Bind has a chart or list of View.Nodes show rows of data.
type Bind struct {
	At     ui.KeyPath // the node
	Path   ui.Path    // of the rows, under /committed
	X      string     // of a chart: the cell with the label of a value
	Fields []string   // cells: of a chart one for each series, of a list one for each column
}

// Bounds of the contents of a view.
const (
	maxTopics     = 64 // of an application
	maxShownRows  = 50
	maxChartShown = 500 // values
)

// Root is the content of the view for a state; nil is the state before the first frame.
func (v View) Root(s *ui.State) ui.Nodes {
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

// chart shows the last rows that there is room for. A row without a figure leaves a gap, and in a
// pie one with a figure below 0.
func (b Bind) chart(c *ui.Chart, rows []ui.Record) {
	rows = rows[max(0, len(rows)-maxChartShown/len(b.Fields)):]
	c.Labels = nil
	for _, r := range rows {
		label, _ := r.Cells.Get(b.X)
		c.Labels = append(c.Labels, excerpt.Of(label.Text(), maxCell))
	}
	for i, field := range b.Fields {
		var values []float64
		for _, r := range rows {
			v, _ := r.Cells.Get(field)
			n := figure(v)
			if c.Kind == ui.ChartPie && n < 0 {
				n = math.NaN()
			}
			values = append(values, n)
		}
		c.Series[i].Values = values
	}
}

// figure is a number, or a text that is one; else a gap.
func figure(v ui.Value) float64 {
	f, ok := v.Float()
	if !ok {
		n, _ := ui.Number(v.Text())
		f, ok = n.Float()
	}
	if !ok {
		return math.NaN()
	}
	return f
}

func (b Bind) list(l *ui.List, rows []ui.Record) {
	for _, r := range rows {
		row := &ui.Row{Key: r.ID}
		for i, field := range b.Fields {
			v, _ := r.Cells.Get(field)
			text := excerpt.Of(v.Text(), maxCell)
			row.Children = append(row.Children, &ui.Text{Key: "c" + strconv.Itoa(i), Text: text})
		}
		l.Children = append(l.Children, row)
	}
}

// Views describes the topics and records that the views of an app show, and which messages
// open them. It is immutable and safe for concurrent use.
type Views struct {
	list    []View
	names   []spoken // how people name them
	topics  []string
	records []string
}

func viewName(v View) string { return v.Name }

func newViews(list []View) *Views {
	return &Views{list, viewNames(list), topicsOf(list), recordsOf(list)}
}

// Topics are those that views show, sorted; others cannot be published to.
func (vs *Views) Topics() []string { return vs.topics }

// Records are the names of the records that views show, sorted.
func (vs *Views) Records() []string { return vs.records }

// Live reports whether a view shows topics or records.
func (vs *Views) Live() bool { return len(vs.topics)+len(vs.records) > 0 }

func topicsOf(views []View) (list []string) {
	for _, v := range views {
		list = append(list, v.Topics...)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

func recordsOf(views []View) (list []string) {
	for _, v := range views {
		for _, q := range v.Records {
			list = append(list, q.Name)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// Open returns the views that a state has open which show more than the data of its
// conversation.
func (vs *Views) Open(s *ui.State) (list []View) {
	if !vs.Live() {
		return nil
	}
	for _, sf := range s.Surfaces {
		if sf.Origin.Kind != "view" || sf.Status != ui.StatusOpen {
			continue
		}
		if v, ok := find(vs.list, sf.Origin.Template, viewName); ok && len(v.Topics)+len(v.Records) > 0 {
			list = append(list, v)
		}
	}
	return list
}

// For returns the view with phrases that a message asks for in so many words: "show
// the dashboard". It may be named by a phrase, its title or its name; a phrase of several
// words may be the whole message. All other words must be polite or ask for
// something. Views without phrases are for models.
func (vs *Views) For(message string) (View, bool) {
	n, _ := named(vs.names, message)
	return find(vs.list, n.of, viewName)
}

func viewNames(views []View) (list []spoken) {
	for _, v := range views {
		if len(v.Phrases) > 0 {
			list = append(list, namesOf(v.Name, v.Phrases, v.Title, v.Name)...)
		}
	}
	return list
}
