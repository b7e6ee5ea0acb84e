package execute

import (
	"bytes"
	"slices"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/ui"
)

// CodeView is a view whose Build gave a tree that cannot be shown.
const CodeView ui.Code = "EXECUTE_VIEW_INVALID"

// Refresh draws the open views of the app again from the state they show, and
// hides the buttons of all surfaces whose action is not for now. A
// view that did not change gives no op; one whose Build is not a function of
// the state is an error in strict mode, and one that cannot be shown keeps its
// last tree.
func Refresh(env Env, s *ui.State) (ui.Ops, []*ui.Error) {
	var ops ui.Ops
	var warnings []*ui.Error
	for _, sf := range s.Surfaces {
		v, ok := env.App.View(sf.Origin.Template)
		if sf.Status != ui.StatusOpen {
			continue
		}
		if sf.Origin.Kind != "view" || !ok || v.Build == nil && len(v.Binds) == 0 {
			if root, changed := masked(env.App, s, sf.Root); changed {
				ops = append(ops, &ui.Update{Surface: sf.Name, Root: root})
			}
			continue
		}
		root := v.Root(s)
		if err := ui.CheckTree(root, env.limits()); err != nil {
			warnings = append(warnings, &ui.Error{Code: CodeView, Path: v.Name, Message: "the view cannot be shown",
				Err: err})
			continue
		}
		if env.Strict && !sameTree(root, v.Root(s)) {
			warnings = append(warnings, &ui.Error{Code: CodeView, Path: v.Name,
				Message: "two calls of the view's Build disagree",
				Hint:    "Build must be a function of the state: no clock, no randomness, no map order"})
			continue
		}
		if root, _ = masked(env.App, s, root); sameTree(root, sf.Root) {
			continue
		}
		update := &ui.Update{Surface: sf.Name, Root: root, Live: env.Live}
		if _, err := env.look(s, ui.Ops{update}); err != nil { // Apply asks for a little more than CheckTree
			warnings = append(warnings, &ui.Error{Code: CodeView, Path: v.Name, Message: "the view cannot be shown",
				Err: err})
			continue
		}
		ops = append(ops, update)
	}
	return ops, warnings
}

// masked marks the buttons whose action is not for now, and says whether that
// changed any.
func masked(a *app.App, s *ui.State, root ui.Nodes) (out ui.Nodes, changed bool) {
	if !masks(a) {
		return root, false
	}
	out = ui.MapNodes(root, func(n ui.Node) ui.Node {
		b, ok := n.(*ui.Button)
		if !ok || b.Action.Masked == a.Masked(s, b.Action.Name) {
			return n
		}
		c := *b
		c.Action.Masked, changed = !b.Action.Masked, true
		return &c
	})
	return out, changed
}

func sameTree(a, b ui.Nodes) bool {
	x, err := a.MarshalJSON()
	if err != nil {
		return false
	}
	y, err := b.MarshalJSON()
	return err == nil && bytes.Equal(x, y)
}

// masks reports whether the app has actions that are not always for now.
func masks(a *app.App) bool {
	return slices.ContainsFunc(a.Config().Actions,
		func(x app.Action) bool { return x.When != nil || len(x.After)+len(x.Until) > 0 })
}
