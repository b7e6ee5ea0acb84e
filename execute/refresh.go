package execute

import (
	"bytes"

	"github.com/limn-ui/limn/ui"
)

// CodeView is a view whose Build gave a tree that cannot be shown.
const CodeView ui.Code = "EXECUTE_VIEW_INVALID"

// Refresh draws the open views of the app again from the state they show. A
// view that did not change gives no op; one whose Build is not a function of
// the state is an error in strict mode, and one that cannot be shown keeps its
// last tree.
func Refresh(env Env, s *ui.State) (ui.Ops, []*ui.Error) {
	var ops ui.Ops
	var warnings []*ui.Error
	for _, sf := range s.Surfaces {
		v, ok := env.App.View(sf.Origin.Template)
		if sf.Origin.Kind != "view" || sf.Status != ui.StatusOpen || !ok || v.Build == nil {
			continue
		}
		root := v.Build(s)
		if err := ui.CheckTree(root, env.limits()); err != nil {
			warnings = append(warnings, &ui.Error{Code: CodeView, Path: v.Name, Message: "the view cannot be shown", Err: err})
			continue
		}
		if env.Strict && !sameTree(root, v.Build(s)) {
			warnings = append(warnings, &ui.Error{Code: CodeView, Path: v.Name, Message: "two calls of the view's Build disagree",
				Hint: "Build must be a function of the state: no clock, no randomness, no map order"})
			continue
		}
		if sameTree(root, sf.Root) {
			continue
		}
		update := &ui.Update{Surface: sf.Name, Root: root}
		if _, err := env.look(s, ui.Ops{update}); err != nil { // Apply asks for a little more than CheckTree
			warnings = append(warnings, &ui.Error{Code: CodeView, Path: v.Name, Message: "the view cannot be shown", Err: err})
			continue
		}
		ops = append(ops, update)
	}
	return ops, warnings
}

func sameTree(a, b ui.Nodes) bool {
	x, err := a.MarshalJSON()
	if err != nil {
		return false
	}
	y, err := b.MarshalJSON()
	return err == nil && bytes.Equal(x, y)
}
