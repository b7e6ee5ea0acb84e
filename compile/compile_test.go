package compile

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/a2ui/client"
	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/internal/draft"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/ui"
)

func TestSurfaceLifecycle(t *testing.T) {
	t.Parallel()
	eachDialect(t, func(t *testing.T, d a2ui.Dialect) {
		w := newWorld(t, target(d))
		const name = ui.Name("form:all")
		for _, step := range []struct {
			op   ui.Op
			want string // part of what the surface shows
		}{
			{openOp(name, everything(), everythingDraft(), everythingState("x")), `heading 2 "A surface"`},
			{&ui.Errors{Surface: name, Errors: []ui.FieldError{{Path: "/draft/name", Text: "Name is required."},
				{Path: "/draft/goods/r1/item", Text: "Item, row 1 is wrong."}, {Path: "/draft/left", Text: "Left!"}}},
				`"Please check:  \nName is required.  \nItem, row 1 is wrong.  \nLeft!"`},
			{&ui.Lock{Surface: name}, `"Submitted"`},
			{&ui.Expire{Surface: name}, `"This has expired."`},
			{&ui.Reset{Surface: name, Nonce: "n2"}, `-> limn.regenerate`},
		} {
			w.apply(step.op)
			w.same(step.want)
			s := w.state.Surface(name)
			if dump := w.client.Dump(s.WireID()); !strings.Contains(dump, step.want) {
				t.Errorf("nothing reads %s:\n%s", step.want, dump)
			}
		}
		if got := encode(t, d, w.apply(&ui.Close{Surface: name})...); strings.Count(got, "\n") != 1 ||
			!strings.Contains(got, `"deleteSurface":{"surfaceId":"form:all#e=2"}`) {
			t.Errorf("closing sends %s", got)
		}
	})
}

// TestAccent: the application's colour is the theme of what is drawn with the basic
// catalog, where the protocol has themes; clients take it.
func TestAccent(t *testing.T) {
	t.Parallel()
	eachDialect(t, func(t *testing.T, d a2ui.Dialect) {
		to := target(d)
		to.Rules.Accent = "#0b6e4f"
		w := newWorld(t, to)
		sent := encode(t, d, w.apply(openOp("form:all", everything(), everythingDraft(), everythingState("x")))...)
		if want := d.Features().Theme; strings.Contains(sent, `{"primaryColor":"#0b6e4f"}`) != want {
			t.Errorf("the theme is in a creation: want %v: %s", want, sent[:min(len(sent), 300)])
		}
	})
}

// TestLockedSurface: containers keep their ids, inputs become texts under other
// ids, and nothing can be done any more.
func TestLockedSurface(t *testing.T) {
	t.Parallel()
	eachDialect(t, func(t *testing.T, d a2ui.Dialect) {
		w := newWorld(t, target(d))
		w.apply(openOp("s", everything(), everythingDraft(), everythingState("x")))
		open, _ := w.client.Surface("s#e=1")
		w.apply(&ui.Lock{Surface: "s"})
		locked, _ := w.client.Surface("s#e=1")
		texts := map[string]string{}
		for s := range locked.Root.All() {
			texts[s.ID] = s.Text
			if s.Bound != "" && s.Role != "text" || len(s.Actions) > 0 {
				t.Errorf("%s %s can still be used", s.Role, s.ID)
			}
		}
		for s := range open.Root.All() {
			if (s.Role == "column" || s.Role == "row" || s.Role == "card") && !strings.Contains(s.ID, keyField) &&
				!strings.Contains(s.ID, keyButtons) {
				if _, ok := texts[s.ID]; !ok {
					t.Errorf("%s %s is gone", s.Role, s.ID)
				}
			}
		}
		for id, want := range map[string]string{
			"c#main/fields/color:Text": "Color: Green", "c#main/fields/colors:Text": "Colors: Red, light blue",
			"c#main/fields/agree:Text": "", "c#main/tabs/one/goods/r1/item:Text": "bolt",
		} {
			if texts[id] != want {
				t.Errorf("%s reads %q, want %q", id, texts[id], want)
			}
		}
	})
}

// TestEveryButtonIsAdmitted: what is drawn as a button is what ingress finds.
func TestEveryButtonIsAdmitted(t *testing.T) {
	t.Parallel()
	eachDialect(t, func(t *testing.T, d a2ui.Dialect) {
		w := newWorld(t, target(d))
		w.apply(openOp("s", everything(), manyRows(120), everythingState("x")))
		w.apply(&ui.Patch{Surface: "s", Changes: []ui.PatchOne{
			{Do: ui.PatchSet, Path: "/ui_state/page_goods", Value: ui.Int(50)}}})
		w.same("page 2")
		seen := map[string]int{}
		batches, _ := Snapshot(w.target, w.state)
		for _, c := range components(batches) {
			if c.Type != "Button" {
				continue
			}
			for _, p := range c.Props {
				e, isEvent := p.Value.(a2ui.Event)
				if p.Name != "action" || !isEvent {
					continue
				}
				seen[e.Name]++
				at, ok := ui.ParseComponentID(c.ID)
				want, found := w.state.Surface("s").ActionAt(at)
				if !ok || !found || want.Name != e.Name {
					t.Errorf("%s: ActionAt = %+v, %t, want %s", c.ID, want, found, e.Name)
				}
				var keys, wantKeys []string
				for _, entry := range e.Context {
					keys = append(keys, entry.Name)
				}
				for _, entry := range want.Context {
					wantKeys = append(wantKeys, entry.Key)
				}
				if diff := cmp.Diff(append(wantKeys, builtin.FieldNonce, builtin.FieldRev), keys); diff != "" {
					t.Errorf("%s: context (-want +got)\n%s", c.ID, diff)
				}
				if a, err := w.client.Click("s#e=1", c.ID); err != nil ||
					a.Context.At(builtin.FieldNonce).Str != w.state.Surface("s").Nonce ||
					a.Context.At(builtin.FieldRev).Str != "2" {
					t.Errorf("%s: click %v %s", c.ID, err, jsonx.Append(nil, a.Context))
				}
			}
		}
		want := map[string]int{"limn.remove_row": 56, "limn.move_row": 108, "limn.add_row": 3, "limn.page": 2, "ask": 1,
			"save": 1}
		if diff := cmp.Diff(want, seen); diff != "" {
			t.Errorf("buttons (-want +got)\n%s", diff)
		}
	})
}

func manyRows(n int) ui.Value {
	rows := make([]ui.Record, n)
	for i := range rows {
		rows[i] = ui.Record{ID: fmt.Sprintf("r%d", i+1), Order: fmt.Sprintf("a%04d", i),
			Cells: ui.Map(ui.Pair{Key: "item", Value: ui.String(fmt.Sprintf("item %d", i+1))})}
	}
	v := ui.Rows(rows...)
	return ui.Map(ui.Pair{Key: "goods", Value: v})
}

func components(batches Batches) (out []a2ui.Component) {
	for _, m := range batches.Messages() {
		if u, ok := m.(*a2ui.UpdateComponents); ok {
			out = append(out, u.Components...)
		}
	}
	return out
}

// TestPages: only the shown rows are drawn and sent, and rows of another page
// do not stay behind.
func TestPages(t *testing.T) {
	t.Parallel()
	eachDialect(t, func(t *testing.T, d a2ui.Dialect) {
		w := newWorld(t, target(d))
		root := &ui.Column{Key: "main", Children: ui.Nodes{&ui.Table{Rowset: rowset("goods")},
			input(ui.Field{Name: "name", Type: ui.TypeText})}}
		w.apply(openOp("s", root, manyRows(120), ui.Value{}))
		if err := w.client.Type("s#e=1", "c#main/name:TextField", "unsent"); err != nil {
			t.Fatal(err)
		}
		for page, first := range []int64{0, 50, 100} {
			w.apply(&ui.Patch{Surface: "s", Changes: []ui.PatchOne{
				{Do: ui.PatchSet, Path: "/ui_state/page_goods", Value: ui.Int(first)}}})
			w.same("page")
			data, _ := w.client.Data("s#e=1")
			var ids []string
			for _, m := range data.At("draft").At("goods").Members {
				ids = append(ids, m.Key)
			}
			n := []int{50, 50, 20}[page]
			if len(ids) != n || ids[0] != fmt.Sprintf("r%d", first+1) {
				t.Errorf("page from %d holds %v", first, ids)
			}
			if view, _ := w.client.Surface("s#e=1"); func() string { s, _ := view.Find("c#main/name:TextField"); return s.Value.Str }() != "unsent" {
				t.Errorf("paging lost typed text")
			}
		}
	})
}

func leafData(t *testing.T, w *world, keys ...string) (a2ui.Data, bool) {
	t.Helper()
	v, _ := w.client.Data("s#e=1")
	for _, k := range keys {
		var ok bool
		if v, ok = v.Get(k); !ok {
			return v, false
		}
	}
	if key := w.target.Dialect.Features().LeafKey; key != "" {
		return v.At(key), true
	}
	return v, true
}

// TestValueClearedValue: a value, nothing, a value again: each is shown.
func TestValueClearedValue(t *testing.T) {
	t.Parallel()
	eachDialect(t, func(t *testing.T, d a2ui.Dialect) {
		for _, path := range []ui.Path{"/draft/name", "/draft/color", "/ui_state/status", "/draft/goods/r1/item"} {
			w := newWorld(t, target(d))
			w.apply(openOp("s", everything(), everythingDraft(), everythingState("x")))
			for _, step := range []ui.PatchOne{
				{Do: ui.PatchSet, Value: ui.String("red")}, {Do: ui.PatchSet, Value: ui.String("")}, {Do: ui.PatchSet, Value: ui.String("red")},
				{Do: ui.PatchDelete}, {Do: ui.PatchSet, Value: ui.String("green")}, {Do: ui.PatchSet}, {Do: ui.PatchSet, Value: ui.String("red")},
			} {
				step.Path = path
				w.apply(&ui.Patch{Surface: "s", Changes: []ui.PatchOne{step}})
				w.same(string(path))
				got, ok := leafData(t, w, path.Segments()...)
				text := got.Str
				if len(got.Items) > 0 {
					text = got.Items[0].Str
				}
				if want := step.Value.Text(); !ok || strings.Trim(text, empty) != want {
					t.Errorf("%s holds %s after %s %q", path, jsonx.Append(nil, got), step.Do, want)
				}
			}
		}
	})
}

// TestNullsCompileToSameBytes: null is the empty value of its place, and said.
func TestNullsCompileToSameBytes(t *testing.T) {
	t.Parallel()
	eachDialect(t, func(t *testing.T, d a2ui.Dialect) {
		blank, null := ui.Map(), ui.Map()
		for _, f := range allFields() {
			f.Default = ui.Value{}
			blank, _ = blank.With(f.Blank(), f.Name)
			null, _ = null.With(ui.Value{}, f.Name)
		}
		root := &ui.Column{Key: "main", Children: ui.Nodes{&ui.Text{Key: "t", Path: "/ui_state/t"}}}
		for _, f := range allFields() {
			root.Children = append(root.Children, input(f))
		}
		root.Children = append(root.Children, submit(root))
		draw := func(draft, status ui.Value) (string, []Warning) {
			s := &ui.Surface{Name: "s", Epoch: 1, Rev: 1, Nonce: "n", Status: ui.StatusOpen, Root: ui.Nodes{root},
				Draft:   draft,
				UIState: ui.Map(ui.Pair{Key: "t", Value: status})}
			batches, err := Snapshot(target(d), &ui.State{ID: "c", Surfaces: []*ui.Surface{s}})
			if err != nil {
				t.Fatal(err)
			}
			return encode(t, d, batches.Messages()...), batches.Warnings()
		}
		want, none := draw(blank, ui.String(""))
		got, warnings := draw(null, ui.Value{})
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("null differs from empty (-empty +null)\n%s", diff)
		}
		said := 0
		for _, w := range warnings {
			if w.Code == codeNull {
				said++
			}
		}
		if len(none) != 0 || said < len(allFields())+1 {
			t.Errorf("warnings: %v for empty, %d for null: %v", none, said, warnings)
		}
	})
}

// blank reports a map of empty texts: what is left for checks to read.
func blank(v a2ui.Data) bool {
	for _, m := range v.Members {
		if m.Value.Kind != kindString || m.Value.Str != "" {
			return false
		}
	}
	return len(v.Members) > 0
}

// TestRemovedKeyIsGone: a row or a key that goes away leaves no value behind in
// the client, and text typed elsewhere stays.
func TestRemovedKeyIsGone(t *testing.T) {
	t.Parallel()
	for _, tg := range []Target{target(a2ui.V08), target(a2ui.V09), {Dialect: a2ui.V091},
		{Dialect: a2ui.V08, Flags: Rebuild}, {Dialect: a2ui.V09, Flags: Rebuild}} {
		w := newWorld(t, tg)
		w.apply(openOp("s", everything(), everythingDraft(), everythingState("x")))
		left := "c#main/side/left:TextField"
		if err := w.client.Type("s#e=1", left, "unsent"); err != nil {
			t.Fatal(err)
		}
		for _, path := range []ui.Path{"/draft/goods/r1", "/draft/plan/r2", "/draft/flow/e1", "/ui_state/cart/apples"} {
			if _, ok := leafData(t, w, path.Segments()...); !ok {
				t.Fatalf("%s is not there to begin with", path)
			}
			msgs := w.apply(&ui.Patch{Surface: "s", Changes: []ui.PatchOne{{Do: ui.PatchDelete, Path: path}}})
			w.same(string(path))
			if v, ok := leafData(t, w, path.Segments()...); ok && !blank(v) {
				t.Errorf("%s flags %d: %s still holds %s", tg.Dialect, tg.Flags, path, jsonx.Append(nil, v))
			}
			if _, rebuilt := msgs[0].(*a2ui.DeleteSurface); rebuilt != (tg.Flags&Rebuild != 0) {
				t.Errorf("%s flags %d: rebuilt = %t", tg.Dialect, tg.Flags, rebuilt)
			}
		}
		view, _ := w.client.Surface("s#e=1")
		if s, _ := view.Find(left); tg.Flags == 0 && s.Value.Str != "unsent" {
			t.Errorf("%s: a removal lost typed text: %q", tg.Dialect, s.Value.Str)
		}
	}
}

// TestSmallPatch: one field of the server's is one leaf and rev.
func TestSmallPatch(t *testing.T) {
	t.Parallel()
	w := benchWorld(t, a2ui.V09)
	after, f := patchFrame(t, w)
	batches, err := Update(w.target, w.state, after, f)
	if err != nil {
		t.Fatal(err)
	}
	got := encode(t, a2ui.V09, batches.Messages()...)
	want := `{"version":"v0.9","updateDataModel":{"surfaceId":"form:thirty#e=1","path":"/draft/field_8","value":"Ada Lovelace, London"}}
{"version":"v0.9","updateDataModel":{"surfaceId":"form:thirty#e=1","path":"/ui_state/rev","value":2}}
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	sse := "id: 0123456789abcdef.12345.01234567\ndata: " +
		strings.ReplaceAll(strings.TrimSpace(got), "\n", "\ndata: ") + "\n\n"
	if len(sse) > 400 {
		t.Errorf("%d bytes of SSE, want 400 at most", len(sse))
	}
}

func TestSameBytesAlways(t *testing.T) {
	t.Parallel()
	eachDialect(t, func(t *testing.T, d a2ui.Dialect) {
		w := newWorld(t, target(d))
		w.apply(openOp("s", everything(), everythingDraft(), everythingState("x")))
		w.target.Flags = DeleteFirst
		w.state.Epochs = map[ui.Name]uint32{"s": 1, "a": 1, "b": 2, "c": 3, "d": 1, "e": 1}
		want := ""
		for i := range 1000 {
			batches, err := Snapshot(w.target, w.state)
			if err != nil {
				t.Fatal(err)
			}
			got := encode(t, d, batches.Messages()...)
			if want == "" {
				want = got
			}
			if got != want {
				t.Fatalf("run %d differs", i)
			}
		}
	})
}

func TestDeleteFirst(t *testing.T) {
	t.Parallel()
	w := newWorld(t, target(a2ui.V09))
	w.apply(openOp("form:b", &ui.Divider{Key: "d"}, ui.Value{}, ui.Value{}))
	w.apply(&ui.Close{Surface: "form:b"}, openOp("main", &ui.Divider{Key: "d"}, ui.Value{}, ui.Value{}))
	w.apply(&ui.Reset{Surface: "main", Nonce: "m"})
	w.target.Flags = DeleteFirst
	batches, err := Snapshot(w.target, w.state)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, b := range batches {
		for _, m := range b.Messages {
			got = append(got, fmt.Sprintf("%s %T %s", b.Surface, m, m.Surface()))
		}
	}
	want := []string{"form:b *wire.DeleteSurface form:b#e=1", "main *wire.DeleteSurface main#e=1",
		"main *wire.DeleteSurface main#e=2",
		"main *wire.CreateSurface main#e=2", "main *wire.UpdateData main#e=2", "main *wire.UpdateComponents main#e=2"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	w.feed(w.client, w.valid, batches) // a client that still shows everything takes it
	w.same("delete first")
}

// TestFailedSurfaceIsNamed: a surface that cannot be drawn is named, the others are drawn.
func TestFailedSurfaceIsNamed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		node  ui.Node
		rules Rules
		code  ui.Code
	}{
		{"context key", &ui.Button{Key: "b", Action: ui.Action{Name: "save", Context: []ui.Context{{Key: "who", Value: ui.Int(1)}, {Key: "secret", Value: ui.Int(2)}}}},
			Rules{Allowed: func(a string, keys ...string) bool { return a == "save" && !slices.Contains(keys, "secret") }}, CodeActionForbidden},
		{"action", &ui.Button{Key: "b", Action: ui.Action{Name: "launch"}}, Rules{Allowed: func(a string, _ ...string) bool { return a == "save" }}, CodeActionForbidden},
		{"component", &ui.Checkbox{Input: ui.Input{Key: "x", Path: "/draft/x", Field: ui.Field{Name: "x", Type: ui.TypeBoolean}}},
			Rules{Catalogs: map[string]*a2ui.Catalog{"*": a2ui.Basic(a2ui.V09).Prune("Column", "Text", "Row", "Divider")}}, codeComponent},
	} {
		w := newWorld(t, Target{Dialect: a2ui.V09, Rules: &c.rules})
		_, err := w.try(openOp("bad", c.node, ui.Value{}, ui.Value{}),
			openOp("good", &ui.Divider{Key: "d"}, ui.Value{}, ui.Value{}))
		var failures Failures
		if !errors.As(err, &failures) || len(failures) != 1 || failures[0].Surface != "bad" ||
			ui.CodeOf(err) != c.code {
			t.Errorf("%s: %v, want %s", c.name, err, c.code)
		}
		f := &ui.Frame{Seq: 1, Ops: ui.Ops{openOp("bad", c.node, ui.Value{}, ui.Value{}),
			openOp("good", &ui.Divider{Key: "d"}, ui.Value{}, ui.Value{})}}
		state, _, err := ui.Apply(ui.NewState("c"), f, ui.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		batches, err := Snapshot(w.target, state)
		if len(batches) != 1 || batches[0].Surface != "good" || ui.CodeOf(err) != c.code {
			t.Errorf("%s: snapshot %v, %v", c.name, batches, err)
		}
	}
	_, err := Snapshot(Target{Dialect: 99}, &ui.State{Surfaces: []*ui.Surface{{Name: "s", Epoch: 1}}})
	if ui.CodeOf(err) != codeDialect {
		t.Errorf("unknown dialect: %v", err)
	}
}

// TestSurfaceIsRebuiltAfterFailure: a client that could not be sent the old drawing gets a new one.
func TestSurfaceIsRebuiltAfterFailure(t *testing.T) {
	t.Parallel()
	rules := &Rules{Allowed: func(a string, _ ...string) bool { return a != "launch" }}
	bad := &ui.Button{Key: "b", Label: "B", Action: ui.Action{Name: "launch"}}
	before, _, err := ui.Apply(ui.NewState("c"),
		&ui.Frame{Seq: 1, Ops: ui.Ops{openOp("s", bad, ui.Value{}, ui.Value{})}}, ui.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	f := &ui.Frame{Seq: 2, Ops: ui.Ops{&ui.Update{Surface: "s", Root: ui.Nodes{&ui.Divider{Key: "d"}}}}}
	after, changes, err := ui.Apply(before, f, ui.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	f.Changes = changes
	batches, err := Update(Target{Dialect: a2ui.V09, Rules: rules}, before, after, f)
	if err != nil || len(batches.Messages()) != 4 {
		t.Errorf("%d messages, %v", len(batches.Messages()), err)
	}
}

func TestFingerprint(t *testing.T) {
	t.Parallel()
	seen := map[string]int{}
	targets := []Target{
		{Dialect: a2ui.V08}, {Dialect: a2ui.V09}, {Dialect: a2ui.V09, Catalog: "x"}, {Dialect: a2ui.V09, Flags: Rebuild},
		{Dialect: a2ui.V09, Rules: &Rules{Base: "https://x"}}, {Dialect: a2ui.V09, Rules: &Rules{Words: ui.Words{"table.add": "+"}}},
		{Dialect: a2ui.V09, Rules: &Rules{Limits: a2ui.Limits{Depth: 9}}}, {Dialect: a2ui.V09, Rules: &Rules{Catalogs: map[string]*a2ui.Catalog{"form": a2ui.Basic(a2ui.V09).Prune("Text")}}},
	}
	for i, tg := range targets {
		fp := Fingerprint(tg, "app")
		if fp != Fingerprint(tg, "app") || len(fp) != 8 || strings.Trim(fp, "0123456789abcdef") != "" {
			t.Errorf("fingerprint %q", fp)
		}
		if other, ok := seen[fp]; ok {
			t.Errorf("targets %d and %d have the same fingerprint", other, i)
		}
		seen[fp] = i
	}
	if Fingerprint(targets[0], "a") == Fingerprint(targets[0], "b") {
		t.Error("the declaration does not count")
	}
	if Fingerprint(Target{Dialect: a2ui.V09}, "a") != Fingerprint(Target{Dialect: a2ui.V09, Rules: &Rules{}}, "a") {
		t.Error("no rules and the zero Rules differ")
	}
}

// TestCommittedIsFollowed: a surface that shows what was committed is updated
// by a frame that does not name it.
func TestCommittedIsFollowed(t *testing.T) {
	t.Parallel()
	eachDialect(t, func(t *testing.T, d a2ui.Dialect) {
		w := newWorld(t, target(d))
		w.apply(openOp("main", &ui.Text{Key: "t", Path: "/committed/a/name"}, ui.Value{}, ui.Value{}))
		w.apply(&ui.Commit{Form: "a", Values: ui.Map(ui.Pair{Key: "name", Value: ui.String("Ada")})})
		w.same("commit")
		if view, _ := w.client.Surface("main#e=1"); !slices.ContainsFunc(slices.Collect(view.Root.All()), func(s client.Shown) bool { return s.Text == "Ada" }) {
			t.Errorf("not shown:\n%s", w.client.Dump("main#e=1"))
		}
	})
}

func TestOptionKey(t *testing.T) {
	t.Parallel()
	seen := map[string]string{}
	for _, v := range []string{"red", "light blue", "a.b", "a/b", "_x", "", "constructor", "ä", "A-1",
		strings.Repeat("x", 65)} {
		key := draft.OptionKey(v)
		if strings.ContainsAny(key, "./[]~ ") || key == "" || len(key) > 64 {
			t.Errorf("OptionKey(%q) = %q", v, key)
		}
		if other, ok := seen[key]; ok {
			t.Errorf("%q and %q share %q", v, other, key)
		}
		seen[key] = v
	}
}

// TestEveryNode: a node of any kind is drawn in each version.
func TestEveryNode(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../ui/testdata/node-v1-*.json")
	if err != nil || len(files) == 0 {
		t.Fatal(err, files)
	}
	eachDialect(t, func(t *testing.T, d a2ui.Dialect) {
		for _, file := range files {
			b, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var list ui.Nodes
			if err := json.Unmarshal([]byte("["+string(b)+"]"), &list); err != nil {
				t.Fatal(file, err)
			}
			s := ui.NewState("c")
			s.Surfaces = []*ui.Surface{{Name: "view:one", Epoch: 1, Status: ui.StatusOpen,
				Root: ui.Nodes{&ui.Column{Key: "main", Children: list}}}}
			if _, err := Snapshot(target(d), s); err != nil {
				t.Errorf("%s: %v", file, err)
			}
		}
	})
}
