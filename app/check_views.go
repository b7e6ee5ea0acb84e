package app

import (
	"errors"
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"time"

	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/internal/local"
	"github.com/limn-ui/limn/ui"
)

// views checks names and contents.
func (c checker) views() error {
	return checkAll(c.cfg.Views, func(i int, v View) error {
		at := fmt.Sprintf("views[%d]", i)
		if err := c.claim("view", at+".name", v.Name); err != nil {
			return err
		}
		return errors.Join(c.own(at+".phrases", "phrase", 2, v.Phrases, "view "+v.Name), viewChecker{c.App}.view(at, v))
	})
}

// viewChecker checks the contents of an app's views.
type viewChecker struct{ *App }

// view checks one view: of a fixed one every node. A view that code builds is
// checked by ui.Apply each time it is drawn.
func (c viewChecker) view(at string, v View) error {
	if (v.Build == nil) == (v.Nodes == nil) {
		return ui.Errorf(CodeInvalid, at, "view %q needs either nodes or a Build function", v.Name)
	}
	if err := c.live(at, v); err != nil || v.Nodes == nil {
		return err
	}
	if err := c.checkNodes(at+".nodes", v); err != nil {
		return err
	}
	return c.binds(at, v)
}

// checkNodes reports at/<key path> of the nodes that break a rule.
func (c viewChecker) checkNodes(at string, v View) error {
	if err := ui.CheckTree(v.Nodes, c.cfg.Limits); err != nil {
		var e *ui.Error
		if errors.As(err, &e) && e.Path != "" {
			at += "/" + e.Path
		}
		return &ui.Error{Code: CodeInvalid, Path: at, Message: "nodes of view " + v.Name, Err: err}
	}
	var faults []error
	ui.Walk(v.Nodes[0], func(k ui.KeyPath, n ui.Node) bool {
		faults = append(faults, c.checkNode(at+"/"+string(k), n))
		return true
	})
	return errors.Join(faults...)
}

func (c viewChecker) checkNode(at string, n ui.Node) error {
	if in := ui.InputOf(n); in != nil {
		return checkField(at, in.Field)
	}
	if rs := ui.RowsetOf(n); rs != nil {
		return checkFields(c.cfg.Limits, at, rs.Columns, true)
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

// checkLocal checks an action that runs on the client.
func checkLocal(at string, a ui.Action) error {
	switch {
	case a.Name != "":
		return ui.Errorf(CodeInvalid, at, "a button does %q here, or the action %q, not both", clip(a.Do), clip(a.Name))
	case a.Do == builtin.DoOpen && local.Address(a) == "":
		return ui.Errorf(CodeInvalid, at, "a button that opens an address needs one of http or https")
	case a.Do == builtin.DoCopy && local.Text(a) == "":
		return ui.Errorf(CodeInvalid, at, "a button that copies a text needs one")
	case !functionName.MatchString(a.Do):
		return ui.Errorf(CodeInvalid, at, "%q is no name of a function", clip(a.Do))
	}
	for _, x := range a.Context {
		if !functionName.MatchString(x.Key) || reserved(x.Key) || (x.Path == "") == x.Value.IsNull() {
			return ui.Errorf(CodeInvalid, at, "the argument %q needs a name, and either a value or a path", clip(x.Key))
		}
	}
	return nil
}

var functionName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]{0,63}$`)

func (c viewChecker) checkButton(at string, b *ui.Button) error {
	if b.Label == "" {
		return ui.Errorf(CodeInvalid, at, "a button needs a label")
	}
	if b.Action.Do != "" {
		return checkLocal(at, b.Action)
	}
	if !c.Allowed(b.Action.Name) {
		known := names(c.cfg.Actions, func(x Action) string { return x.Name })
		return suggest(ui.Errorf(CodeDangling, at, "the button does %q, which is no action of this app",
			clip(b.Action.Name)), b.Action.Name, known)
	}
	if a, ok := c.Action(b.Action.Name); ok && a.Callers == "client" {
		return ui.Errorf(CodeInvalid, at, "the action %q is for clients that call it, not for buttons", a.Name)
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
func (c viewChecker) checkLiteral(at, action string, x ui.Context) error {
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

// live checks the topics and records of a view.
func (c viewChecker) live(at string, v View) error {
	if v.Refresh != 0 && v.Refresh < time.Second {
		return ui.Errorf(CodeInvalid, at+".refresh", "want a time of at least 1s, such as 30s")
	}
	if len(c.Views().topics) > maxTopics {
		return ui.Errorf(CodeInvalid, at+".topics", "the application has %d topics, the most is %d",
			len(c.Views().topics), maxTopics)
	}
	for i, name := range v.Topics {
		if err := freeName(c.App, name); err != nil {
			return misnamed(fmt.Sprintf("%s.topics[%d]", at, i), err)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(v.Records)) {
		if err := c.shownRecords(at+".records."+name, name, v.Records[name]); err != nil {
			return err
		}
	}
	return nil
}

func (c viewChecker) shownRecords(at, name string, q RecordQuery) error {
	if err := freeName(c.App, name); err != nil {
		return misnamed(at, err)
	}
	if slices.Contains(c.Views().topics, name) {
		return ui.Errorf(CodeDuplicate, at, "%q is a topic, too", name)
	}
	spec, ok := find(c.lists.specs, q.Name, func(s RecordSpec) string { return s.Name })
	if !ok {
		return suggest(ui.Errorf(CodeDangling, at, "there are no records %q", clip(q.Name)), q.Name,
			names(c.lists.specs, func(s RecordSpec) string { return s.Name }))
	}
	if q.Limit < 0 || q.Limit > maxShownRows {
		return ui.Errorf(CodeInvalid, at+".limit", "want 1 to %d", maxShownRows)
	}
	fields := []string{q.Sort}
	for _, w := range q.Where {
		fields = append(fields, w.Field)
	}
	for _, name := range fields {
		_, known := find(c.lists.Fields(spec.Name), name, func(f ui.Field) string { return f.Name })
		if name != "" && !known {
			return ui.Errorf(CodeDangling, at, "%s has no field %q", spec.Name, clip(name))
		}
	}
	return nil
}

func misnamed(at string, err error) error {
	e := ui.AsError(err, CodeInvalid, "")
	return &ui.Error{Code: CodeInvalid, Path: at, Message: e.Message, Hint: e.Hint}
}

func (c viewChecker) binds(at string, v View) error {
	nodes := map[ui.KeyPath]ui.Node{}
	for _, n := range v.Nodes {
		ui.Walk(n, func(k ui.KeyPath, n ui.Node) bool { nodes[k] = n; return true })
	}
	for _, b := range v.Binds {
		here := at + ".nodes/" + string(b.At)
		p, _, err := ui.ParsePath(string(b.Path), true)
		if err != nil || p != b.Path || !p.Under(ui.CommittedRoot) || len(p.Segments()) < 2 {
			return ui.Errorf(CodeInvalid, here, "path %q: want /committed/… where the rows are", clip(string(b.Path)))
		}
		want := 0
		switch n := nodes[b.At].(type) {
		case *ui.Chart:
			want = len(n.Series)
		case *ui.List:
			want = len(n.Columns)
		}
		if len(b.Fields) == 0 || len(b.Fields) != want || slices.Contains(b.Fields, "") {
			return ui.Errorf(CodeInvalid, here,
				"a chart with a path names a field for each series, a list for each column")
		}
	}
	return nil
}
