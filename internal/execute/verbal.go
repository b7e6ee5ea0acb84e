package execute

import (
	"slices"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/internal/route"
	"github.com/limn-ui/limn/ui"
)

// Codes of a submit that a model asks for.
const (
	CodeNotAsked ui.Code = "EXECUTE_NOT_ASKED" // the user's words do not ask to submit that surface
	CodeUnseen   ui.Code = "EXECUTE_UNSEEN"    // the same answer changes the surface: the user has not seen it so
)

// Submittable lists the open surfaces that can be submitted in words: forms, worksheets,
// and views with an input and a primary button of an action of the app.
func Submittable(a *app.App, s *ui.State) []route.Open {
	open := []route.Open{}
	for _, sf := range s.Surfaces {
		submit, _ := SubmitButton(a, sf)
		if submit == nil {
			continue
		}
		o := route.Open{Surface: sf.Name, Kind: sf.Origin.Kind, Title: sf.Title, Submit: submit.Label,
			Masked: submit.Action.Masked || a.Masked(s, submit.Action.Name)}
		if cancel, _ := CancelButton(sf); cancel != nil {
			o.Cancel = cancel.Label
		}
		open = append(open, o)
	}
	return open
}

// SubmitButton returns the button that submits an open surface, and its place; nil if
// nothing does.
func SubmitButton(a *app.App, sf *ui.Surface) (*ui.Button, ui.KeyPath) {
	inputs := slices.ContainsFunc(slices.Collect(ui.All(sf.Tree())),
		func(n ui.Node) bool { return ui.InputOf(n) != nil || ui.RowsetOf(n) != nil })
	return buttonOf(sf, func(b *ui.Button) bool {
		switch b.Action.Name {
		case builtin.ActionSubmit, builtin.ActionConfirm, builtin.ActionAccept:
			return b.Primary
		}
		_, declared := a.Action(b.Action.Name)
		return declared && b.Primary && inputs && sf.Origin.Kind == "view"
	})
}

// CancelButton returns the button that cancels an open surface, and its place.
func CancelButton(sf *ui.Surface) (*ui.Button, ui.KeyPath) {
	return buttonOf(sf, func(b *ui.Button) bool { return b.Action.Name == builtin.ActionCancel })
}

func buttonOf(sf *ui.Surface, is func(*ui.Button) bool) (found *ui.Button, at ui.KeyPath) {
	if sf.Status != ui.StatusOpen {
		return nil, ""
	}
	ui.Walk(sf.Tree(), func(here ui.KeyPath, n ui.Node) bool {
		if b, ok := n.(*ui.Button); ok && found == nil && is(b) {
			found, at = b, here
		}
		return found == nil
	})
	return found, at
}

// submit keeps the surface that a model asks to submit, if the user's own words of this
// turn ask for it. The button is pressed when the answer has been carried out.
func (r *runner) submit(name ui.Name) error {
	switch {
	case !isOpen(r.state, name):
		return unknown("/surface", "open surface", string(name))
	case !r.calls || len(r.env.Asked) != 1 || r.env.Asked[0] != name:
		return &ui.Error{Code: CodeNotAsked, Path: "/surface", Message: "the user did not ask to submit that now",
			Hint: "ask the user to press its button, or to say so"}
	case r.effect != nil:
		return ui.Errorf(CodeOneAction, "", "an answer asks for one action: %q waits", name)
	}
	if err := r.reopened(name); err != nil {
		return err
	}
	r.press = name
	return nil
}

// changes reports ops that change a surface: the words of the user were about other content.
func changes(ops ui.Ops, name ui.Name) bool {
	return slices.ContainsFunc(ops, func(op ui.Op) bool { return SurfaceOf(op) == name })
}

// SurfaceOf is the surface that an op changes, or "".
func SurfaceOf(op ui.Op) ui.Name {
	switch op := op.(type) {
	case *ui.Open:
		return op.Surface
	case *ui.Update:
		return op.Surface
	case *ui.Lock:
		return op.Surface
	case *ui.Expire:
		return op.Surface
	case *ui.Close:
		return op.Surface
	case *ui.Reset:
		return op.Surface
	case *ui.Draft:
		return op.Surface
	case *ui.Stamp:
		return op.Surface
	case *ui.StandIn:
		return op.Surface
	case *ui.Patch:
		return op.Surface
	case *ui.Errors:
		return op.Surface
	}
	return ""
}
