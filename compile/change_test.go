package compile

import (
	"slices"
	"strings"
	"testing"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/ui"
)

// text is what the input with that id holds in the client.
func (w *world) text(id string) string {
	view, _ := w.client.Surface("s#e=1")
	s, ok := view.Find(id)
	if !ok {
		w.tb.Errorf("%s is not on the screen:\n%s", id, w.client.Dump("s#e=1"))
	}
	return s.Value.Str
}

// TestDraftsAreNotEchoed: a refused submit records what was sent and shows
// errors; what was typed since the click stays.
func TestDraftsAreNotEchoed(t *testing.T) {
	t.Parallel()
	eachDialect(t, func(t *testing.T, d a2ui.Dialect) {
		w := newWorld(t, target(d))
		w.apply(openOp("s", everything(), everythingDraft(), everythingState("x")))
		typed := []string{"c#main/fields/name:TextField", "c#main/tabs/one/goods/r1/item:TextField"}
		for _, id := range typed {
			if err := w.client.Type("s#e=1", id, "typed since"); err != nil {
				t.Fatal(err)
			}
		}
		w.apply(&ui.Draft{Surface: "s", Values: []ui.Leaf{{Path: "/draft/name", Value: ui.String("sent")},
			{Path: "/draft/goods/r1/item", Value: ui.String("sent")}}},
			&ui.Errors{Surface: "s", Errors: []ui.FieldError{{Path: "/draft/name", Text: "No."},
				{Path: "/draft/goods/r1/item", Text: "No."}}},
			&ui.Patch{Surface: "s", Changes: []ui.PatchOne{
				{Do: ui.PatchSet, Path: "/draft/notes", Value: ui.String("from the server")}}})
		for _, id := range typed {
			if got := w.text(id); got != "typed since" {
				t.Errorf("%s: %q", id, got)
			}
		}
		if got := w.text("c#main/fields/notes:TextField"); got != "from the server" {
			t.Errorf("the server's write reads %q", got)
		}
	})
}

// TestShapeChanges: another kind of input under the same path gets its data in
// the new shape.
func TestShapeChanges(t *testing.T) {
	t.Parallel()
	eachDialect(t, func(t *testing.T, d a2ui.Dialect) {
		w := newWorld(t, target(d))
		fields := []ui.Field{{Type: ui.TypeText}, {Type: ui.TypeBoolean}, {Type: ui.TypeChoice, Options: colors},
			{Type: ui.TypeChoices, Options: colors},
			{Type: ui.TypeSlider, Min: "0", Max: "9"}, {Type: ui.TypeText}}
		for i, f := range fields {
			f.Name = "x"
			if i == 0 {
				w.apply(openOp("s", input(f), ui.Map(ui.Pair{Key: "x", Value: ui.String("red")}), ui.Value{}))
			}
			w.apply(&ui.Update{Surface: "s", Root: ui.Nodes{input(f)}})
			w.same(string(f.Type))
		}
	})
}

// TestRemovedOption is no longer sent as chosen.
func TestRemovedOption(t *testing.T) {
	t.Parallel()
	eachDialect(t, func(t *testing.T, d a2ui.Dialect) {
		w := newWorld(t, target(d))
		form := func(options []ui.Option) ui.Node {
			root := &ui.Column{Key: "main", Children: ui.Nodes{
				input(ui.Field{Name: "x", Type: ui.TypeChoices, Options: options})}}
			root.Children = append(root.Children, submit(root))
			return root
		}
		w.apply(openOp("s", form(colors), ui.Map(ui.Pair{Key: "x", Value: ui.Strings("red", "green")}), ui.Value{}))
		w.apply(&ui.Update{Surface: "s", Root: ui.Nodes{form(colors[1:])}})
		w.same("without red")
		a, err := w.client.Click("s#e=1", "c#main/submit:Button")
		if got := string(jsonx.Append(nil, a.Context.At("x"))); err != nil ||
			d.Features().FlatData && !strings.Contains(got, `"red":{"v":false}`) {
			t.Errorf("sent %s, %v", got, err)
		}
	})
}

// TestReplacedRows: cells that a new value of the whole table, or of one row, leaves out are emptied, even those that
// the same frame takes from the user; what was typed since stays where the state is unchanged.
func TestReplacedRows(t *testing.T) {
	t.Parallel()
	item := ui.Map(ui.Pair{Key: "item", Value: ui.String("nut")})
	errors := &ui.Errors{Surface: "s", Errors: []ui.FieldError{{Path: "/draft/goods", Text: "New."}}}
	rows := []ui.Record{{ID: "r2", Order: "a", Cells: item}, {ID: "r1", Order: "b", Cells: item},
		{ID: "r3", Order: "c", Cells: item}, {ID: "r4", Order: "d", Cells: item}}
	for name, one := range map[string]ui.PatchOne{
		"rows":       {Path: "/draft/goods", Value: ui.Rows(rows[:3]...)},
		"fewer rows": {Path: "/draft/goods", Value: ui.Rows(rows[:2]...)},
		"more rows":  {Path: "/draft/goods", Value: ui.Rows(rows...)},
		"row":        {Path: "/draft/goods/r1", Value: item},
		"blank row":  {Path: "/draft/goods/r1", Value: ui.Map()},
	} {
		one.Do = ui.PatchSet
		for _, more := range []ui.Ops{nil, {errors}} {
			eachDialect(t, func(t *testing.T, d a2ui.Dialect) {
				w := newWorld(t, target(d))
				w.apply(openOp("s", &ui.Table{Rowset: rowset("goods")}, everythingDraft(), ui.Value{}))
				w.apply(&ui.Patch{Surface: "s", Changes: []ui.PatchOne{{Do: ui.PatchSet, Path: "/draft/goods/r1/qty",
					Value: ui.String("5")}}})
				view, _ := w.client.Surface("s#e=1")
				qty, _ := view.Find("c#goods/r2/qty:TextField")
				if err := w.write("s#e=1", qty, "7"); err != nil {
					t.Fatal(err)
				}
				w.apply(append(ui.Ops{&ui.Draft{Surface: "s", Values: []ui.Leaf{{Path: "/draft/goods/r1/qty",
					Value: ui.String("6")}}}, &ui.Patch{Surface: "s", Changes: []ui.PatchOne{one}}}, more...)...)
				w.same(name)
				if got := w.text("c#goods/r1/qty:TextField"); got != "" {
					t.Errorf("%s: the cell still holds %q", name, got)
				}
				if got := w.text("c#goods/r2/qty:TextField"); got != "7" && (d.Features().Delete || name != "fewer rows") {
					t.Errorf("%s: the cell that was typed into holds %q", name, got)
				}
			})
		}
	}
}

// TestReplacedMap: what a new map leaves out is emptied where an input has it, and gone elsewhere.
func TestReplacedMap(t *testing.T) {
	t.Parallel()
	home := func(pairs ...ui.Pair) ui.Value { return ui.Map(ui.Pair{Key: "home", Value: ui.Map(pairs...)}) }
	city, phone := ui.Pair{Key: "city", Value: ui.String("Rome")}, ui.Pair{Key: "phone", Value: ui.String("7")}
	eachDialect(t, func(t *testing.T, d a2ui.Dialect) {
		w := newWorld(t, target(d))
		w.apply(openOp("s", &ui.Column{Key: "main", Children: ui.Nodes{
			ui.InputFor("/draft/home/city", ui.Field{Name: "city", Type: ui.TypeText}),
			&ui.Text{Key: "shown", Path: "/ui_state/home/city", Text: "none"},
			&ui.Button{Key: "ask", Label: "Ask", Action: ui.Action{Name: "ask",
				Context: []ui.Context{{Key: "city", Path: "/ui_state/home/city"}}}}}}, home(city), home(city)))
		for _, root := range []ui.Path{"/draft", "/ui_state"} {
			w.apply(&ui.Patch{Surface: "s", Changes: []ui.PatchOne{{Do: ui.PatchSet, Path: root.Join("home"),
				Value: ui.Map(phone)}}})
			w.same(string(root))
		}
		if got := w.text("c#main/city:TextField"); got != "" {
			t.Errorf("the input still holds %q", got)
		}
	})
}

// TestPathShownTwiceHasOneValue that need different escapes, alone and beside a button
// that sends the value.
func TestPathShownTwiceHasOneValue(t *testing.T) {
	t.Parallel()
	texts := ui.Nodes{&ui.Text{Key: "body", Path: "/ui_state/t"},
		&ui.Text{Key: "small", Path: "/ui_state/t", Small: true}}
	button := &ui.Button{Key: "go", Label: "Go",
		Action: ui.Action{Name: "go", Context: []ui.Context{{Key: "t", Path: "/ui_state/t"}}}}
	for _, children := range []ui.Nodes{texts, append(texts[:2:2], button)} {
		eachDialect(t, func(t *testing.T, d a2ui.Dialect) {
			w := newWorld(t, target(d))
			w.apply(openOp("s", &ui.Column{Key: "main", Children: children}, ui.Value{},
				ui.Map(ui.Pair{Key: "t", Value: ui.String("*a*")})))
			for _, text := range []string{"*b*", "_c_", "", "d"} {
				w.apply(&ui.Patch{Surface: "s",
					Changes: []ui.PatchOne{{Do: ui.PatchSet, Path: "/ui_state/t", Value: ui.String(text)}}})
				w.same(text)
				view, _ := w.client.Surface("s#e=1")
				for s := range view.Root.All() {
					if (s.ID == "c#main/body:Text" || s.ID == "c#main/small:Text") &&
						strings.Trim(s.Text, empty) != text {
						t.Errorf("%s reads %q, want %q", s.ID, s.Text, text)
					}
				}
				if len(children) < 3 {
					continue
				}
				if a, err := w.client.Click("s#e=1", "c#main/go:Button"); err != nil || a.Context.At("t").Str != text {
					t.Errorf("sent %s, want %q, %v", jsonx.Append(nil, a.Context), text, err)
				}
			}
		})
	}
}

// TestLiteralsOfOnePath: until there is a value each Text reads its own literal, then all
// read the value.
func TestLiteralsOfOnePath(t *testing.T) {
	t.Parallel()
	texts := ui.Nodes{&ui.Text{Key: "dash", Path: "/ui_state/t", Text: "-"},
		&ui.Text{Key: "none", Path: "/ui_state/t", Text: "none"},
		&ui.Text{Key: "small", Path: "/ui_state/t", Text: "small", Small: true}}
	eachDialect(t, func(t *testing.T, d a2ui.Dialect) {
		w := newWorld(t, target(d))
		read := func(want ...string) {
			t.Helper()
			w.same(want[0])
			view, _ := w.client.Surface("s#e=1")
			for i, n := range texts {
				if got, _ := view.Find("c#main/" + ui.NodeKey(n) + ":Text"); got.Text != want[i] {
					t.Errorf("%s reads %q, want %q", ui.NodeKey(n), got.Text, want[i])
				}
			}
		}
		w.apply(openOp("s", &ui.Column{Key: "main", Children: texts}, ui.Value{}, ui.Value{}))
		read("-", "none", "small")
		w.apply(&ui.Patch{Surface: "s",
			Changes: []ui.PatchOne{{Do: ui.PatchSet, Path: "/ui_state/t", Value: ui.Bool(false)}}})
		read("No", "No", "No")
		w.apply(&ui.Patch{Surface: "s", Changes: []ui.PatchOne{{Do: ui.PatchDelete, Path: "/ui_state/t"}}})
		read("-", "none", "small")
	})
}

// TestTextOverADraft shows what is typed where a Text can show it as it is,
// else what the server knows.
func TestTextOverADraft(t *testing.T) {
	t.Parallel()
	eachDialect(t, func(t *testing.T, d a2ui.Dialect) {
		w := newWorld(t, target(d))
		root := &ui.Column{Key: "main", Children: ui.Nodes{&ui.Text{Key: "echo", Path: "/draft/x"},
			input(ui.Field{Name: "x", Type: ui.TypeText})}}
		w.apply(openOp("s", root, ui.Map(ui.Pair{Key: "x", Value: ui.String("![i](http://x.test)")}), ui.Value{}))
		if err := w.client.Type("s#e=1", "c#main/x:TextField", "*typed*"); err != nil {
			t.Fatal(err)
		}
		batches, _ := Snapshot(w.target, w.state)
		for _, c := range components(batches) {
			if c.ID != "c#main/echo:Text" {
				continue
			}
			want := `c#main/echo:Text text=@/draft/x variant="caption"`
			if d.Features().MarkdownText {
				want = `c#main/echo:Text text="!\\[i](http://x.test)" variant="body"`
			}
			if got := "c#" + componentLine(&c); got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		}
	})
}

// TestHeadingWithoutVariant is for dialects that write headings as Markdown.
func TestHeadingWithoutVariant(t *testing.T) {
	t.Parallel()
	d, err := newDrawing(target(a2ui.V09), ui.NewState("c"), &ui.Surface{Name: "s", Epoch: 1})
	if err != nil {
		t.Fatal(err)
	}
	d.f.HeadingVariant = false
	d.texts().heading("h", 3, "One\ntwo")
	if got, want := componentLine(&d.comps[0]), `h:Text text="### One two" variant="body"`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestWordsFillPlaceholders(t *testing.T) {
	t.Parallel()
	words := ui.Words{"k": "{n}: {label} {other} {min} {", "plain": "{n"}
	d := drawing{words: words}
	for _, key := range []string{"k", "plain", "field.min", "nobody's {n}"} {
		pairs := []string{"label", "n", "n", "{min}", "min", "3"}
		if got, want := d.say(key, pairs...), words.Say(key, slices.Clone(pairs)...); got != want && want != key {
			t.Errorf("%s: %q, want %q", key, got, want)
		}
	}
}

// TestChecksKeepTheirData (every world does, see checksRead): rows that others
// take the place of leave what their checks read, emptied; a surface that is
// locked or expires loses nothing.
func TestChecksKeepTheirData(t *testing.T) {
	t.Parallel()
	for _, end := range []ui.Op{&ui.Lock{Surface: "s"}, &ui.Expire{Surface: "s"}} {
		w := newWorld(t, target(a2ui.V09))
		w.apply(openOp("s", &ui.Column{Key: "main",
			Children: ui.Nodes{&ui.Table{Rowset: rowset("goods")}, input(ui.Field{Name: "mail", Type: ui.TypeEmail})}},
			everythingDraft(), ui.Value{}))
		rows := []ui.Record{{ID: "r3", Order: "a"}, {ID: "r4", Order: "b"}, {ID: "r5", Order: "c"}}
		for _, n := range []int{3, 2} { // all new; then one goes and the others are written anew
			for i := range rows {
				rows[i].Cells = ui.Map(ui.Pair{Key: "item", Value: ui.Int(int64(n))},
					ui.Pair{Key: "qty", Value: ui.Int(int64(n))},
					ui.Pair{Key: "kind", Value: ui.String(colors[n-2].Value)},
					ui.Pair{Key: "marks", Value: ui.Strings(colors[n-2].Value)})
			}
			w.apply(&ui.Patch{Surface: "s", Changes: []ui.PatchOne{
				{Do: ui.PatchSet, Path: "/draft/goods", Value: ui.Rows(rows[:n]...)}}})
		}
		if v, ok := leafData(t, w, "draft", "goods", "r1"); !ok || !blank(v) {
			t.Errorf("%T: the row that went holds %s", end, jsonx.Append(nil, v))
		}
		for _, m := range w.apply(end) {
			if data, ok := m.(*a2ui.UpdateData); ok && data.Path != string(revPath) {
				t.Errorf("%T sends %s", end, encode(t, a2ui.V09, m))
			}
		}
	}
}
