package app

import (
	"errors"
	"fmt"
	"net/url"
	"slices"

	"github.com/limn-ui/limn/ui"
)

// views checks names and, of fixed views, every node. A view that code builds
// is checked by ui.Apply each time it is drawn.
func (c checker) views() error {
	for i, v := range c.cfg.Views {
		at := fmt.Sprintf("views[%d]", i)
		if err := c.claim("view", at+".name", v.Name); err != nil {
			return err
		}
		if (v.Build == nil) == (v.Nodes == nil) {
			return ui.Errorf(CodeInvalid, at, "view %q needs either nodes or a Build function", v.Name)
		}
		if err := c.live(at, v); err != nil {
			return err
		}
		if v.Nodes == nil {
			continue
		}
		if err := c.checkNodes(at+".nodes", v); err != nil {
			return err
		}
		if err := c.binds(at, v); err != nil {
			return err
		}
	}
	return nil
}

// checkNodes reports at/<key path> of the first node that breaks a rule.
func (c checker) checkNodes(at string, v View) error {
	if err := ui.CheckTree(v.Nodes, c.cfg.Limits); err != nil {
		var e *ui.Error
		if errors.As(err, &e) && e.Path != "" {
			at += "/" + e.Path
		}
		return &ui.Error{Code: CodeInvalid, Path: at, Message: "nodes of view " + v.Name, Err: err}
	}
	var first error
	ui.Walk(v.Nodes[0], func(k ui.KeyPath, n ui.Node) bool {
		if first == nil {
			first = c.checkNode(at+"/"+string(k), n)
		}
		return first == nil
	})
	return first
}

func (c checker) checkNode(at string, n ui.Node) error {
	if in := ui.InputOf(n); in != nil {
		return checkField(at, in.Field)
	}
	if rs := ui.RowsetOf(n); rs != nil {
		return c.checkFields(at, rs.Columns, true)
	}
	switch n := n.(type) {
	case *ui.Heading:
		if n.Level < 1 || n.Level > 5 {
			return ui.Errorf(CodeInvalid, at, "heading level %d: want 1 to 5", n.Level)
		}
	case *ui.Progress:
		if n.Percent < 0 || n.Percent > 100 {
			return ui.Errorf(CodeInvalid, at, "percent %d: want 0 to 100", n.Percent)
		}
	case *ui.Notice:
		switch n.Tone {
		case ui.ToneInfo, ui.ToneSuccess, ui.ToneWarning, ui.ToneError:
		default:
			return suggest(ui.Errorf(CodeInvalid, at, "unknown tone %q", clip(string(n.Tone))), string(n.Tone),
				[]string{"info", "success", "warning", "error"})
		}
	case *ui.Image:
		if u, err := url.Parse(n.URL); err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" {
			return ui.Errorf(CodeInvalid, at, "%q is no http or https address", clip(n.URL))
		}
	case *ui.Button:
		return c.checkButton(at, n)
	}
	return nil
}

func (c checker) checkButton(at string, b *ui.Button) error {
	if b.Label == "" {
		return ui.Errorf(CodeInvalid, at, "a button needs a label")
	}
	if !c.Allowed(b.Action.Name) {
		known := names(c.cfg.Actions, func(x Action) string { return x.Name })
		return suggest(ui.Errorf(CodeDangling, at, "the button does %q, which is no action of this app",
			clip(b.Action.Name)), b.Action.Name, known)
	}
	for _, x := range b.Action.Context {
		if !ui.ValidKey(x.Key) || reserved(x.Key) {
			return ui.Errorf(CodeInvalid, at, "context key %q: %s, not starting with limn_", clip(x.Key), wantKey)
		}
		if !c.Allowed(b.Action.Name, x.Key) {
			a, _ := c.Action(b.Action.Name)
			return suggest(ui.Errorf(CodeInvalid, at,
				"the button sends %q, which the context of action %q does not declare",
				x.Key, a.Name), x.Key, names(a.Context, func(k ContextKey) string { return k.Key }))
		}
		if (x.Path == "") == x.Value.IsNull() {
			return ui.Errorf(CodeInvalid, at, "context key %q needs either a value or a path", x.Key)
		}
		if x.Path == "" {
			if err := c.checkLiteral(at, b.Action.Name, x); err != nil {
				return err
			}
			continue
		}
		if p, _, err := ui.ParsePath(string(x.Path), true); err != nil || p != x.Path {
			return ui.Errorf(CodeInvalid, at,
				"context path %q is not canonical: write /draft/…, /ui_state/… or /committed/…", clip(string(x.Path)))
		}
	}
	return nil
}

// checkLiteral holds the literal of a context key against its declared type.
func (c checker) checkLiteral(at, action string, x ui.Context) error {
	a, _ := c.Action(action)
	i := slices.IndexFunc(a.Context, func(k ContextKey) bool { return k.Key == x.Key })
	if i < 0 || a.Context[i].Type == ui.TypeChoice || a.Context[i].Type == ui.TypeChoices { // they declare no options
		return nil
	}
	if _, e := (ui.Field{Name: x.Key, Type: a.Context[i].Type}).Check(x.Value, x.Key, c.cfg.Words); e != nil {
		return ui.Errorf(CodeInvalid, at, "the value of context key %q: %s", x.Key, e.Text)
	}
	return nil
}
