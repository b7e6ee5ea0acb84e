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
// view that did not change gives no op. One that panics or cannot be shown has a
// text that says so, until it can be shown again; one whose Build is not a function
// of the state is an error in strict mode.
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
		op, err := env.redraw(s, sf, v)
		if err != nil {
			warnings = append(warnings, err)
			text := env.words().Say("view.unavailable", "label", v.Title)
			op = env.update(sf, ui.Nodes{&ui.Text{Key: "unavailable", Text: text}})
		}
		if op != nil {
			ops = append(ops, op)
		}
	}
	return ops, warnings
}

// redraw returns the op that draws a view again, nil if it is as it was.
func (e Env) redraw(s *ui.State, sf *ui.Surface, v app.View) (op ui.Op, failed *ui.Error) {
	defer func() {
		if p := recover(); p != nil {
			e.Panicked("panic in a view", p)
			op, failed = nil, &ui.Error{Code: CodeView, Path: v.Name, Message: "the view panicked"}
		}
	}()
	root := v.Root(s)
	if err := ui.CheckTree(root, e.limits()); err != nil {
		return nil, &ui.Error{Code: CodeView, Path: v.Name, Message: "the view cannot be shown", Err: err}
	}
	if e.Strict && !sameTree(root, v.Root(s)) {
		return nil, &ui.Error{Code: CodeView, Path: v.Name, Message: "two calls of the view's Build disagree",
			Hint: "Build must be a function of the state: no clock, no randomness, no map order"}
	}
	root, _ = masked(e.App, s, root)
	if op = e.update(sf, root); op == nil {
		return nil, nil
	}
	if _, err := e.look(s, ui.Ops{op}); err != nil { // Apply asks for a little more than CheckTree
		return nil, &ui.Error{Code: CodeView, Path: v.Name, Message: "the view cannot be shown", Err: err}
	}
	return op, nil
}

// update returns the op that gives a surface another tree, nil if it is the same.
func (e Env) update(sf *ui.Surface, root ui.Nodes) ui.Op {
	if sameTree(root, sf.Root) {
		return nil
	}
	return &ui.Update{Surface: sf.Name, Root: root, Live: e.Live}
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
