package compile

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/a2ui/client"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/ui"
)

// TestUpdatesShowWhatSnapshotsShow is the law of this package: a client that
// followed every update shows what a client shows that starts now, whatever
// happened; every batch is Safe; and no update changes what the user typed into
// an input that stays, unless the frame wrote it.
func TestUpdatesShowWhatSnapshotsShow(t *testing.T) {
	t.Parallel()
	eachTarget(t, func(t *testing.T, tg Target) {
		d, flags := tg.Dialect, tg.Flags
		rapid.Check(t, func(rt *rapid.T) {
			tg := tg
			tg.Flags = flags
			if rapid.Bool().Draw(rt, "toasts") {
				tg.Flags |= Toasts
			}
			w := newWorld(rt, tg)
			for i := range rapid.IntRange(1, 12).Draw(rt, "frames") {
				before, typed := w.state, w.typing(rt)
				ops := w.randomOps(rt)
				if rapid.IntRange(0, 3).Draw(rt, "toast") == 0 {
					ops = append(ops, &ui.Toast{Text: someText.Draw(rt, "text")}, &ui.Toast{Text: "twice"})
				}
				msgs, err := w.try(ops...)
				if err != nil {
					continue // ui refuses what makes no sense here
				}
				context := fmt.Sprintf("frame %d %T\n%s", i, ops[0], encode(rt, d, msgs...))
				w.same(context)
				w.sameGrids(context)
				w.keeps(context, before, typed, ops)
			}
		})
	})
}

var names = []ui.Name{"form:a", "main"}

// randomTree draws a tree from the nodes of everything, in any order.
func randomTree(rt *rapid.T) ui.Node {
	all := ui.Children(everything())
	last := len(all) - 2 // the buttons
	var pool ui.Nodes
	for _, n := range all[:last] {
		if s, ok := n.(*ui.Section); ok {
			pool = append(pool, s.Children...)
			continue
		}
		pool = append(pool, n)
	}
	pool = append(pool, &ui.Text{Key: "done", Path: "/committed/a/name"},
		&ui.Text{Key: "picked", Path: "/draft/colors"},
		&ui.Text{Key: "cell", Path: "/draft/goods/r1/item"})
	root := &ui.Column{Key: "main"}
	for _, i := range rapid.SliceOfNDistinct(rapid.IntRange(0, len(pool)-1), 0, 8, rapid.ID[int]).Draw(rt, "nodes") {
		root.Children = append(root.Children, pool[i])
	}
	if rapid.Bool().Draw(rt, "buttons") {
		root.Children = append(root.Children, all[last], submit(root))
	}
	return root
}

var someText = rapid.SampledFrom([]string{"", "a", "Ada", `["x"]`, "*bold*", "c#main:Column", "red", "light blue",
	"true", "7", "line\nline", "# h"})

func randomValue(rt *rapid.T) ui.Value {
	switch rapid.IntRange(0, 4).Draw(rt, "kind") {
	case 0:
		return ui.Bool(rapid.Bool().Draw(rt, "bool"))
	case 1:
		return ui.Int(rapid.Int64Range(0, 9).Draw(rt, "int"))
	case 2:
		return ui.Strings(rapid.SliceOfN(rapid.SampledFrom([]string{"red", "green", "other"}), 0, 2).Draw(rt,
			"list")...)
	case 3:
		return ui.Value{}
	}
	return ui.String(someText.Draw(rt, "text"))
}

var leafPaths = []ui.Path{"/draft/name", "/draft/notes", "/draft/age", "/draft/color", "/draft/colors", "/draft/agree",
	"/draft/level",
	"/draft/file", "/draft/left", "/draft/goods/r1/item", "/draft/goods/r1/marks", "/draft/goods/r2/kind", "/draft/wares/r2/kind", "/draft/wares/r1/due", "/draft/wares/r1/scan", "/draft/plan/r1/qty",
	"/ui_state/status", "/ui_state/sum", "/ui_state/percent", "/ui_state/cart/apples", "/ui_state/cart/pears",
	"/draft/flow/e1/kind", "/ui_state/page_goods"}

var rowPaths = []ui.Path{"/draft/goods", "/draft/wares", "/draft/plan", "/draft/flow"}

func (w *world) randomOps(rt *rapid.T) []ui.Op {
	name := rapid.SampledFrom(names).Draw(rt, "surface")
	if w.state.Surface(name) == nil {
		draft := ui.Value{}
		if rapid.Bool().Draw(rt, "filled") {
			draft = everythingDraft()
		}
		return []ui.Op{openOp(name, randomTree(rt), draft, everythingState("x"))}
	}
	patch := func(do ui.PatchVerb, p ui.Path, v ui.Value, before string) []ui.Op {
		return []ui.Op{&ui.Patch{Surface: name, Changes: []ui.PatchOne{{Do: do, Path: p, Value: v, Before: before}}}}
	}
	row := ui.Map(ui.Pair{Key: "item", Value: ui.String("new")}, ui.Pair{Key: "from", Value: ui.String("r1")},
		ui.Pair{Key: "to", Value: ui.String("r2")})
	switch rapid.IntRange(0, 17).Draw(rt, "op") {
	case 17:
		return patch(ui.PatchSet, rapid.SampledFrom(rowPaths).Draw(rt, "rows").Join("r1"), row, "")
	case 0, 1, 2:
		return patch(ui.PatchSet, rapid.SampledFrom(leafPaths).Draw(rt, "path"), randomValue(rt), "")
	case 3:
		return patch(ui.PatchDelete, rapid.SampledFrom(leafPaths).Draw(rt, "path"), ui.Value{}, "")
	case 4:
		return patch(ui.PatchAppend, rapid.SampledFrom(rowPaths).Draw(rt, "rows"), row, "")
	case 5:
		return patch(ui.PatchInsert, rapid.SampledFrom(rowPaths).Draw(rt, "rows"), row, "r1")
	case 6:
		id := rapid.SampledFrom([]string{"r1", "r2", "r3", "e1"}).Draw(rt, "row")
		return patch(ui.PatchDelete, rapid.SampledFrom(rowPaths).Draw(rt, "rows").Join(id), ui.Value{}, "")
	case 15:
		return []ui.Op{&ui.StandIn{Surface: name, Targets: []string{w.target.Dialect.String()}}}
	case 14:
		return []ui.Op{&ui.Patch{Surface: name,
			Changes: []ui.PatchOne{{Do: ui.PatchMove, Path: rapid.SampledFrom(rowPaths).Draw(rt, "rows"),
				Row:    rapid.SampledFrom([]string{"r1", "r2", "r3"}).Draw(rt, "row"),
				Before: rapid.SampledFrom([]string{"", "r1", "r2"}).Draw(rt, "before")}}}}
	case 7:
		return []ui.Op{&ui.Update{Surface: name, Root: ui.Nodes{randomTree(rt)}}}
	case 8:
		var errs []ui.FieldError
		for _, p := range rapid.SliceOfN(rapid.SampledFrom(leafPaths), 0, 3).Draw(rt, "errors") {
			errs = append(errs, ui.FieldError{Path: p, Text: "Wrong *here*."})
		}
		return []ui.Op{&ui.Errors{Surface: name, Errors: errs}}
	case 9:
		return []ui.Op{&ui.Lock{Surface: name}}
	case 10:
		return []ui.Op{&ui.Expire{Surface: name}, &ui.Say{Role: ui.RoleAssistant, Text: "late"}}
	case 11:
		return []ui.Op{&ui.Reset{Surface: name, Nonce: "n2"}}
	case 12:
		return []ui.Op{&ui.Close{Surface: name}}
	case 13:
		return []ui.Op{&ui.Commit{Form: "a", Values: ui.Map(
			ui.Pair{Key: "name", Value: ui.String(someText.Draw(rt, "committed"))})}}
	}
	return w.sent(rt, name)
}

// sent is the draft op of what a user types now and sends.
func (w *world) sent(rt *rapid.T, name ui.Name) []ui.Op {
	op := &ui.Draft{Surface: name}
	id := w.state.Surface(name).WireID()
	for _, in := range w.textboxes(id) {
		if rapid.Bool().Draw(rt, "type") {
			text := someText.Draw(rt, "text")
			if w.write(id, in, text) == nil {
				op.Values = append(op.Values,
					ui.Leaf{Path: ui.Path(strings.TrimSuffix(in.Bound, "/v")), Value: ui.String(text)})
			}
		}
	}
	return []ui.Op{op}
}

func (w *world) textboxes(id string) (out []client.Shown) {
	view, err := w.client.Surface(id)
	if err != nil {
		return nil
	}
	for s := range view.Root.All() {
		if s.Role == "textbox" && s.Bound != "" {
			out = append(out, s)
		}
	}
	return out
}

// typing types into some inputs without sending, and returns what stands in
// every text box, by surface and path.
func (w *world) typing(rt *rapid.T) map[string]string {
	typed := map[string]string{}
	for _, id := range w.client.Surfaces() {
		for _, in := range w.textboxes(id) {
			if rapid.IntRange(0, 5).Draw(rt, "unsent") == 0 {
				if err := w.write(id, in, "unsent"); err != nil {
					rt.Fatal(err)
				}
				typed[id+in.Bound] = "unsent"
			}
		}
	}
	return typed
}

// keeps checks that typed text is still there where its input is.
func (w *world) keeps(context string, before *ui.State, typed map[string]string, ops []ui.Op) {
	w.tb.Helper()
	for _, id := range w.client.Surfaces() {
		for _, in := range w.textboxes(id) {
			path := ui.Path(strings.TrimSuffix(in.Bound, "/v"))
			want, ok := typed[id+in.Bound]
			if !ok || w.mayWrite(id, path, before, ops) {
				continue
			}
			if in.Value.Str != want {
				w.tb.Errorf("%s: %s%s: typed text became %q", context, id, in.Bound, in.Value.Str)
			}
		}
	}
}

// mayWrite lists the reasons to overwrite what was typed.
func (w *world) mayWrite(id string, path ui.Path, before *ui.State, ops []ui.Op) bool {
	name, _, _ := ui.ParseWireID(id)
	old, now := before.Surface(name), w.state.Surface(name)
	if old == nil {
		return true
	}
	if slices.ContainsFunc(ops, func(op ui.Op) bool {
		switch op := op.(type) {
		case *ui.Update: // the input may be another one under the same path
			return op.Surface == name
		case *ui.Draft: // typed anew and sent
			return op.Surface == name
		case *ui.Patch:
			return op.Surface == name && (within(path, op.Changes[0].Path) ||
				within(op.Changes[0].Path, path) && op.Changes[0].Do == ui.PatchSet)
		}
		return false
	}) {
		return true
	}
	if w.target.Dialect.Features().Delete {
		return false
	}
	if slices.ContainsFunc(ops, func(op ui.Op) bool {
		patch, ok := op.(*ui.Patch)
		return ok && patch.Changes[0].Path == "/ui_state/page_goods"
	}) {
		return within(path, "/draft/goods")
	}
	for _, p := range rowPaths { // a lost row takes its neighbours along
		if within(path, p) {
			was, _ := old.Get(p)
			is, _ := now.Get(p)
			if len(was.Records()) != len(is.Records()) {
				return true
			}
		}
	}
	return false
}

// TestPatchEqualsFullUpdate: what patch sends has the effect of a drawn update.
func TestPatchEqualsFullUpdate(t *testing.T) {
	t.Parallel()
	eachDialect(t, func(t *testing.T, d a2ui.Dialect) {
		rapid.Check(t, func(rt *rapid.T) {
			w := newWorld(rt, target(d))
			w.apply(openOp("main", randomTree(rt), everythingDraft(), everythingState("x")))
			row := ui.Map(ui.Pair{Key: "kind", Value: ui.String("red")}, ui.Pair{Key: "item", Value: randomValue(rt)})
			f := &ui.Frame{Seq: 2, Ops: ui.Ops{&ui.Patch{Surface: "main", Changes: []ui.PatchOne{
				{Do: ui.PatchSet, Path: rapid.SampledFrom([]ui.Path{"/draft/goods/r1", "/draft/wares/r2",
					"/ui_state/cart"}).Draw(rt, "row"), Value: row},
				{Do: ui.PatchSet, Path: rapid.SampledFrom(leafPaths).Draw(rt, "path"), Value: randomValue(rt)},
				{Do: ui.PatchSet, Path: rapid.SampledFrom(leafPaths).Draw(rt, "path2"), Value: randomValue(rt)}}}}}
			next, changes, err := ui.Apply(w.state, f, ui.Limits{})
			if err != nil {
				return
			}
			f.Changes = changes
			short, err := Update(w.target, w.state, next, f)
			if err != nil {
				rt.Fatal(err)
			}
			f.Changes = slices.Clone(changes)
			f.Changes[0].Kind = ui.ChangedUpdated
			long, err := Update(w.target, w.state, next, f)
			if err != nil {
				rt.Fatal(err)
			}
			if a, b := w.after(short), w.after(long); a != b {
				rt.Errorf("short:\n%s\nlong:\n%s\n%s\nagainst\n%s", a, b, encode(rt, d, short.Messages()...),
					encode(rt, d, long.Messages()...))
			}
		})
	})
}

// after is what a client of the current state holds once it got batches.
func (w *world) after(batches Batches) string {
	w.tb.Helper()
	c := w.fresh()
	for _, m := range batches.Messages() {
		if err := c.Apply(m); err != nil {
			w.tb.Fatal(err)
		}
	}
	data, _ := c.Data("main#e=1")
	return c.DetailedHash("main#e=1") + string(jsonx.AppendCanonical(nil, data))
}
