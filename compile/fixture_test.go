package compile

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/a2ui/client"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/ui"
)

var dialects = []a2ui.Dialect{a2ui.V08, a2ui.V09, a2ui.V091, a2ui.V10RC, a2ui.V10}

func target(d a2ui.Dialect) Target {
	return Target{Dialect: d, Rules: &Rules{Base: "https://limn.test", Until: func() int64 { return 1795392000 }}}
}

// rulesOf is what the messages for a target are held against.
func rulesOf(t Target) a2ui.Rules {
	return a2ui.Rules{Dialect: t.Dialect, Profile: a2ui.Safe, Catalogs: slices.Collect(maps.Values(t.rules().Catalogs))}
}

func eachDialect(t *testing.T, run func(t *testing.T, d a2ui.Dialect)) {
	t.Helper()
	for _, d := range dialects {
		t.Run(d.String(), func(t *testing.T) {
			t.Parallel()
			run(t, d)
		})
	}
}

func input(f ui.Field) ui.Node { return ui.InputFor(ui.PathOf("draft", f.Name), f) }

func submit(root ui.Node) *ui.Button {
	return &ui.Button{Key: "submit", Label: "Submit", Primary: true,
		Action: ui.Action{Name: "save", Context: ui.SubmitContext(root)}}
}

var colors = []ui.Option{{Value: "red", Label: "Red"}, {Value: "green", Label: "Green"}, {Value: "light blue"}}

// allFields is one field of every type.
func allFields() []ui.Field {
	return []ui.Field{
		{Name: "name", Label: "Name", Type: ui.TypeText, Required: true, Min: "2", Max: "40", Pattern: `^[A-Z]`, Help: "As in the passport"},
		{Name: "notes", Label: "Notes", Type: ui.TypeLongText, Placeholder: "Anything"},
		{Name: "age", Label: "Age", Type: ui.TypeNumber, Min: "0", Max: "150"},
		{Name: "mail", Label: "Mail", Type: ui.TypeEmail},
		{Name: "site", Label: "Site", Type: ui.TypeURL},
		{Name: "day", Label: "Day", Type: ui.TypeDate, Min: "2026-01-01"},
		{Name: "clock", Label: "Clock", Type: ui.TypeTime, Max: "18:00"},
		{Name: "when", Label: "When", Type: ui.TypeDateTime},
		{Name: "color", Label: "Color", Type: ui.TypeChoice, Options: colors},
		{Name: "colors", Label: "Colors", Type: ui.TypeChoices, Options: colors},
		{Name: "agree", Label: "Agree", Type: ui.TypeBoolean, Required: true},
		{Name: "level", Label: "Level", Type: ui.TypeSlider, Min: "1", Max: "5", Step: "1"},
		{Name: "tags", Label: "Tags", Type: ui.TypeTags},
		{Name: "file", Label: "File", Type: ui.TypeUpload},
	}
}

func rowset(key string) ui.Rowset {
	return ui.Rowset{Key: key, Path: ui.PathOf("draft", key), Label: "The " + key, Columns: []ui.Field{
		{Name: "item", Label: "Item", Type: ui.TypeText},
		{Name: "qty", Label: "Quantity", Type: ui.TypeNumber, Min: "1"},
		{Name: "kind", Label: "Kind", Type: ui.TypeChoice, Options: colors},
		{Name: "marks", Label: "Marks", Type: ui.TypeChoices, Options: colors},
	}}
}

// wide is a rowset whose rows do not fit on one line.
func wide() ui.Rowset {
	rs := rowset("wares")
	rs.Columns = append(rs.Columns, ui.Field{Name: "due", Label: "Due", Type: ui.TypeDate, Required: true},
		ui.Field{Name: "done", Label: "Done", Type: ui.TypeBoolean, Help: "or not"},
		ui.Field{Name: "scan", Label: "Scan", Type: ui.TypeUpload},
		ui.Field{Name: "rate", Label: "Rate", Type: ui.TypeSlider, Max: "9"})
	return rs
}

// everything holds every node type at least once.
func everything() ui.Node {
	root := &ui.Column{Key: "main"}
	fields := &ui.Section{Key: "fields", Title: "Fields"}
	for _, f := range allFields() {
		fields.Children = append(fields.Children, input(f))
	}
	side := &ui.Row{Key: "side", Children: ui.Nodes{
		ui.InputFor("/draft/left", ui.Field{Name: "left", Type: ui.TypeText, Help: "Beside"}),
		&ui.Stat{Key: "stat", Label: "Sum", Path: "/ui_state/sum", Note: "so far"},
		&ui.Stat{Key: "fixed", Label: "Fixed", Value: "*7*"},
	}}
	root.Children = ui.Nodes{
		&ui.Heading{Key: "title", Level: 2, Text: "A *title* # here"},
		&ui.Text{Key: "intro", Text: "Line one\n# not a heading\n[x](http://y)"},
		&ui.Text{Key: "small", Text: "small", Small: true},
		&ui.Text{Key: "live", Path: "/ui_state/status"},
		&ui.Text{Key: "echo", Path: "/draft/name"},
		&ui.Image{Key: "pic", URL: "https://limn.test/a.png", Alt: "A picture"},
		&ui.Icon{Key: "icon", Name: "home"},
		&ui.Icon{Key: "named", Name: "home", Label: "Home"},
		&ui.Divider{Key: "line"},
		&ui.Progress{Key: "bar", Label: "Done", Path: "/ui_state/percent"},
		&ui.Progress{Key: "half", Label: "Half", Percent: 50},
		&ui.Notice{Key: "hint", Tone: ui.ToneWarning, Text: "Careful"},
		&ui.Diagram{Key: "map", Label: "The plan", Steps: "/draft/plan", Edges: "/draft/flow"},
		&ui.Chart{Key: "chart", Kind: ui.ChartBar, Label: "Sales", Unit: "€", Labels: []string{"May", "June"},
			Series: []ui.Series{{Name: "North", Values: []float64{1, -2.5}}, {Name: "South", Values: []float64{0, 3}}}},
		fields, side,
		&ui.Card{Key: "card", Children: ui.Nodes{&ui.Text{Key: "in", Text: "c#main:Column"}}},
		&ui.Tabs{Key: "tabs", Tabs: []ui.Tab{
			{Key: "one", Title: "One", Children: ui.Nodes{&ui.Table{Rowset: rowset("goods")}}},
			{Key: "two", Title: "Two", Children: ui.Nodes{&ui.Steps{Rowset: rowset("plan"), Edges: "/draft/flow"}, &ui.Table{Rowset: wide()}}},
		}},
		&ui.Button{Key: "ask", Label: "Ask", Action: ui.Action{Name: "ask", Context: []ui.Context{
			{Key: "what", Value: ui.String("c#main:Column")}, {Key: "n", Value: ui.Int(3)}, {Key: "list", Value: ui.Strings("a", "b")},
			{Key: "cart", Path: "/ui_state/cart"}, {Key: "status", Path: "/ui_state/status"}, {Key: "none"}}}},
	}
	root.Children = append(root.Children, submit(root))
	return root
}

func everythingState(id string) ui.Value {
	return ui.Map(ui.Pair{Key: "status", Value: ui.String("*waiting*")}, ui.Pair{Key: "sum", Value: ui.Int(12)},
		ui.Pair{Key: "percent", Value: ui.Int(40)},
		ui.Pair{Key: "cart", Value: ui.Map(ui.Pair{Key: "apples", Value: ui.Int(2)},
			ui.Pair{Key: "note", Value: ui.String(id)})})
}

func openOp(name ui.Name, root ui.Node, draft, state ui.Value) *ui.Open {
	return &ui.Open{Surface: name, Nonce: strings.Repeat("ab", 16), Title: "A surface", Root: ui.Nodes{root},
		Draft: ui.BlankDraft(root, draft), UIState: state, Origin: ui.Origin{Kind: "form", Template: "t"}}
}

func everythingDraft() ui.Value {
	rows := ui.Rows(
		ui.Record{ID: "r1", Order: "b", Cells: ui.Map(ui.Pair{Key: "item", Value: ui.String("bolt")},
			ui.Pair{Key: "marks", Value: ui.Strings("red")})},
		ui.Record{ID: "r2", Order: "a", Cells: ui.Map(ui.Pair{Key: "item", Value: ui.String(`["json"]`)})})
	return ui.Map(ui.Pair{Key: "goods", Value: rows}, ui.Pair{Key: "wares", Value: rows},
		ui.Pair{Key: "plan", Value: rows}, ui.Pair{Key: "color", Value: ui.String("green")},
		ui.Pair{Key: "colors", Value: ui.Strings("red", "light blue")},
		ui.Pair{Key: "flow", Value: ui.Rows(ui.Record{ID: "e1", Order: "a",
			Cells: ui.Map(ui.Pair{Key: "from", Value: ui.String("r1")},
				ui.Pair{Key: "to", Value: ui.String("r2")}, ui.Pair{Key: "kind", Value: ui.String("approval")})})})
}

// tester is what testing.TB and rapid.T share.
type tester interface {
	Helper()
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
	Fatal(args ...any)
}

// world is a conversation and a client that follows it through updates.
type world struct {
	tb     tester
	target Target
	state  *ui.State
	client *client.Client
	valid  *a2ui.Validator
	memo   Memo
	looks  map[string]*seen                 // what a renderer that followed holds
	typed  func(surface, path, text string) // hears what is typed; nil = nobody
}

// write types a text into an input of the client.
func (w *world) write(id string, in client.Shown, text string) error {
	err := w.client.Type(id, in.ID, text)
	if err == nil && w.typed != nil {
		w.typed(id, in.Bound, text)
	}
	return err
}

func newWorld(tb tester, t Target) *world {
	return &world{tb: tb, target: t, state: ui.NewState("conv"), client: client.New(t.Dialect, client.LikeWebCore),
		valid: a2ui.NewValidator(rulesOf(t)), looks: map[string]*seen{}}
}

// apply makes a frame of ops, draws it and feeds the client; it returns what
// was sent.
func (w *world) apply(ops ...ui.Op) []a2ui.Message {
	w.tb.Helper()
	msgs, err := w.try(ops...)
	if err != nil {
		w.tb.Fatal(err)
	}
	return msgs
}

func (w *world) try(ops ...ui.Op) ([]a2ui.Message, error) {
	w.tb.Helper()
	f := &ui.Frame{V: ui.Version, Seq: w.state.Seq + 1, Ops: ops}
	next, changes, err := ui.Apply(w.state, f, ui.Limits{})
	if err != nil {
		return nil, err
	}
	f.Changes = changes
	batches, err := Update(w.target, w.state, next, f)
	w.remembers(f, next, batches, err)
	if err != nil {
		return nil, err
	}
	before, started := w.state, w.fresh()
	w.state = next
	w.leaves(started, batches)
	w.feed(w.client, w.valid, batches)
	w.checksRead(before)
	if w.target.rules().Catalogs != nil {
		look(w.tb, w.target.Dialect, w.looks, batches.Messages())
	}
	return batches.Messages(), nil
}

// remembers checks that a Memo changes nothing but the work.
func (w *world) remembers(f *ui.Frame, next *ui.State, want Batches, wantErr error) {
	w.tb.Helper()
	if testing.Short() && f.Seq%4 != 1 {
		return // what it has not seen it draws
	}
	got, err := w.memo.Update(w.target, w.state, next, f)
	if !reflect.DeepEqual(want, got) || (err == nil) != (wantErr == nil) {
		w.tb.Fatalf("an update with a memo differs, %v and %v\n%s", wantErr, err, cmp.Diff(want, got))
	}
	want, wantErr = Snapshot(w.target, next)
	got, err = w.memo.Snapshot(w.target, next)
	if !reflect.DeepEqual(want, got) || (err == nil) != (wantErr == nil) {
		w.tb.Fatalf("a snapshot with a memo differs, %v and %v\n%s", wantErr, err, cmp.Diff(want, got))
	}
	if err == nil {
		w.memo.Only(next)
	}
}

// leaves checks what Batch.Leaves says, with a client that had started before.
func (w *world) leaves(started *client.Client, batches Batches) {
	w.tb.Helper()
	for _, b := range batches {
		if !b.Leaves {
			continue
		}
		id := w.state.Surface(b.Surface).WireID()
		was, _ := started.Data(id)
		had := entries(was)
		for _, m := range slices.Concat(b.Messages, b.Typed) {
			if err := started.Apply(m); err != nil {
				w.tb.Errorf("%s: the client refuses: %v", b.Surface, err)
			}
		}
		now := w.fresh()
		got, _ := started.Data(id)
		want, _ := now.Data(id)
		if n, most := entries(want), had+len(b.Messages)+len(b.Typed); n > most {
			w.tb.Errorf("%s: leaves made %d entries of %d, want %d at most", id, n, had, most)
		}
		if g, w2 := string(jsonx.AppendCanonical(nil, got)), string(jsonx.AppendCanonical(nil, want)); g != w2 ||
			started.Dump(id) != now.Dump(id) {
			w.tb.Errorf("%s: leaves do not lead to the snapshot:\n--- leaves\n%s%s\n--- snapshot\n%s%s", id,
				started.Dump(id), g, now.Dump(id), w2)
		}
	}
}

// entries counts members and items, as the limit of a surface's data does.
func entries(v jsonx.Value) (n int) {
	for i := range v.Members {
		n += 1 + entries(v.Members[i].Value)
	}
	for i := range v.Items {
		n += 1 + entries(v.Items[i])
	}
	return n
}

// checksRead checks that what the checks of the frame before read still has a
// value: renderers take inputs away a moment after the components went. Rows
// that only left the page are the exception.
func (w *world) checksRead(before *ui.State) {
	w.tb.Helper()
	for _, id := range w.client.Surfaces() {
		name, _, _ := ui.ParseWireID(id)
		old := before.Surface(name)
		if old == nil || old.WireID() != id || w.target.Flags&Rebuild != 0 {
			continue
		}
		was, err := draw(w.target, before, old, 8)
		if err != nil {
			continue
		}
		is, err := draw(w.target, w.state, w.state.Surface(name), 8)
		if err != nil {
			w.tb.Fatal(err)
		}
		for p := range checkedPaths(was.comps) {
			path := ui.Path(p)
			keys := path.Segments()
			row := ui.PathOf(keys[:min(3, len(keys))]...)
			if !w.holds(id, path) && !(&dataDiff{d: is}).offPage(row) {
				w.tb.Errorf("%s: %s has no value any more", id, p)
			}
		}
	}
}

func (w *world) holds(id string, p ui.Path) bool {
	v, _ := w.client.Data(id)
	for _, key := range p.Segments() {
		var ok bool
		if v, ok = v.Get(key); !ok {
			return false
		}
	}
	return v.Kind == kindString
}

// feed gives batches to a validator and a client.
func (w *world) feed(c *client.Client, v *a2ui.Validator, batches Batches) {
	w.tb.Helper()
	for _, b := range batches {
		for _, p := range v.Check(b.Messages) {
			w.tb.Errorf("%s: invalid: %v", b.Surface, &p)
		}
		for _, m := range b.Messages {
			if err := c.Apply(m); err != nil {
				w.tb.Errorf("%s: the client refuses: %v\n%s", b.Surface, err, encode(w.tb, w.target.Dialect, m))
			}
		}
	}
}

func encode(tb tester, d a2ui.Dialect, msgs ...a2ui.Message) string {
	tb.Helper()
	var out []byte
	for _, m := range msgs {
		var err error
		if out, err = a2ui.AppendMessage(out, d, m); err != nil {
			tb.Fatalf("encode: %v", err)
		}
		out = append(out, '\n')
	}
	return string(out)
}

// fresh is a client that got only the snapshot of the current state.
func (w *world) fresh() *client.Client {
	w.tb.Helper()
	c := client.New(w.target.Dialect, client.LikeWebCore)
	batches, err := Snapshot(w.target, w.state)
	if err != nil {
		w.tb.Fatal(err)
	}
	w.feed(c, a2ui.NewValidator(rulesOf(w.target)), batches)
	return c
}

// same compares the client that followed with one that starts now.
func (w *world) same(context string) {
	w.tb.Helper()
	c := w.fresh()
	if got, want := fmt.Sprint(w.client.Surfaces()), fmt.Sprint(c.Surfaces()); got != want {
		w.tb.Errorf("%s: surfaces %s, want %s", context, got, want)
		return
	}
	for _, id := range c.Surfaces() {
		touched := w.client.Touched(id)
		if w.client.DetailedHash(id, touched...) != c.DetailedHash(id, touched...) {
			w.tb.Errorf("%s: %s shows something else after updates:\n--- updates\n%s--- snapshot\n%s", context, id,
				w.client.Dump(id), c.Dump(id))
		}
		view, _ := w.client.Surface(id)
		for _, p := range view.Problems {
			if w.target.rules().Catalogs != nil && p.Code == "UNKNOWN_COMPONENT_TYPE" {
				continue // this client draws the basic catalog
			}
			w.tb.Errorf("%s: %v", context, p)
		}
	}
}
