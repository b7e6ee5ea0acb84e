package html

import (
	"bytes"
	"strings"
	"testing"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/ui"
)

var testOptions = Options{Action: "/c/1/actions", Uploads: "/c/1/uploads", MaxUpload: 8 << 20}

// page is a parsed drawing with the questions tests ask of it.
type page struct {
	t    testing.TB
	root *html.Node
}

func parse(t testing.TB, b []byte) page {
	t.Helper()
	if bytes.ContainsAny(b, "\n\r") {
		t.Errorf("raw line end in %q", b)
	}
	ctx := &html.Node{Type: html.ElementNode, Data: "body", DataAtom: atom.Body}
	nodes, err := html.ParseFragment(bytes.NewReader(b), ctx)
	if err != nil {
		t.Fatal(err)
	}
	root := &html.Node{Type: html.ElementNode, Data: "body", DataAtom: atom.Body}
	for _, n := range nodes {
		root.AppendChild(n)
	}
	return page{t, root}
}

func draw(t testing.TB, s *ui.Surface) page {
	t.Helper()
	return parse(t, AppendSurface(nil, nil, s, testOptions))
}

// all returns the elements with a tag ("" = any) that have every attribute
// given as name=value, or name alone; class=x asks for one class.
func (p page) all(tag string, attrs ...string) (out []*html.Node) {
	for n := range p.root.Descendants() {
		if n.Type == html.ElementNode && (tag == "" || n.Data == tag) && has(n, attrs) {
			out = append(out, n)
		}
	}
	return out
}

func has(n *html.Node, attrs []string) bool {
	for _, want := range attrs {
		name, value, valued := strings.Cut(want, "=")
		got, ok := attr(n, name)
		switch {
		case !ok:
			return false
		case name == "class":
			if !strings.Contains(" "+got+" ", " "+value+" ") {
				return false
			}
		case valued && got != value:
			return false
		}
	}
	return true
}

func (p page) one(tag string, attrs ...string) *html.Node {
	p.t.Helper()
	found := p.all(tag, attrs...)
	if len(found) != 1 {
		p.t.Fatalf("%d elements %s %v, want 1", len(found), tag, attrs)
	}
	return found[0]
}

func attr(n *html.Node, name string) (string, bool) {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val, true
		}
	}
	return "", false
}

func val(n *html.Node, name string) string { v, _ := attr(n, name); return v }

func text(n *html.Node) string {
	if n == nil {
		return ""
	}
	var b strings.Builder
	for c := range n.Descendants() {
		if c.Type == html.TextNode {
			b.WriteString(c.Data)
		}
		if c.Data == "br" {
			b.WriteString("\n")
		}
	}
	return b.String()
}

func surface(nodes ...ui.Node) *ui.Surface {
	root := &ui.Column{Key: "main", Children: nodes}
	return &ui.Surface{Name: "form:customer", Epoch: 1, Rev: 3, Guard: 1, Nonce: "0123456789abcdef",
		Status: ui.StatusOpen,
		Title:  "Customer", Root: ui.Nodes{root}, Draft: ui.BlankDraft(root, ui.Value{})}
}

func input(f ui.Field) ui.Node { return ui.InputFor(ui.PathOf("draft", f.Name), f) }

// everyField has one field of each type, and both ways of drawing a choice.
func everyField() (fields []ui.Field) {
	for _, typ := range ui.FieldTypes() {
		f := ui.Field{Name: "f_" + string(typ), Label: "The " + string(typ), Type: typ, Required: true,
			Help: "Help for " + string(typ)}
		if typ == ui.TypeChoice || typ == ui.TypeChoices {
			f.Options = []ui.Option{{Value: "a", Label: "Option A"}, {Value: "b"}}
		}
		fields = append(fields, f)
	}
	many := ui.Field{Name: "many", Type: ui.TypeChoice}
	for _, v := range strings.Fields("a b c d e f g") {
		many.Options = append(many.Options, ui.Option{Value: v})
	}
	return append(fields, many)
}

// everything is a surface with every kind of node.
func everything() *ui.Surface {
	var nodes ui.Nodes
	for _, f := range everyField() {
		nodes = append(nodes, input(f))
	}
	step := ui.Rowset{Key: "map", Path: "/draft/map", Label: "Process", Columns: everyField()}
	nodes = append(nodes,
		&ui.Heading{Key: "h", Level: 1, Text: "Head"},
		&ui.Text{Key: "t", Text: "one\ntwo"},
		&ui.Text{Key: "bound", Path: "/ui_state/note", Text: "literal"},
		&ui.Image{Key: "i", URL: "https://example.com/a.png", Alt: "A"},
		&ui.Icon{Key: "icon", Name: "check", Label: "Done"},
		&ui.Stat{Key: "stat", Label: "Sales", Value: "12", Note: "up"},
		&ui.Progress{Key: "p", Label: "Work", Percent: 140},
		&ui.Notice{Key: "n", Tone: ui.ToneError, Text: "Careful"},
		&ui.Divider{Key: "d"},
		&ui.Row{Key: "row", Children: ui.Nodes{
			&ui.Card{Key: "card", Children: ui.Nodes{&ui.Text{Key: "t", Text: "in", Small: true}}}}},
		&ui.Section{Key: "sec", Title: "Group", Children: ui.Nodes{&ui.Heading{Key: "h", Level: 1, Text: "Sub"}}},
		&ui.Tabs{Key: "tabs", Tabs: []ui.Tab{
			{Key: "a", Title: "First", Children: ui.Nodes{&ui.Text{Key: "t", Text: "A"}}},
			{Key: "b", Title: "Second"}}},
		&ui.Table{Rowset: ui.Rowset{Key: "people", Path: "/draft/people", Label: "People", Help: "All of them",
			Columns: everyField()}},
		&ui.Steps{Rowset: step, Edges: "/draft/edges"},
		&ui.Diagram{Key: "diagram", Label: "The process", Steps: "/draft/map", Edges: "/draft/edges"},
		&ui.Chart{Key: "chart", Kind: ui.ChartBar, Label: "Sales", Unit: "€", Labels: []string{"May", "June"},
			Series: []ui.Series{{Name: "North", Values: []float64{1, -2.5}}}},
		&ui.Button{Key: "cancel", Label: "Cancel", Action: ui.Action{Name: builtin.ActionCancel}},
		&ui.Button{Key: "submit", Label: "Send", Primary: true, Action: ui.Action{Name: builtin.ActionSubmit}},
	)
	return surface(nodes...)
}

func TestUniqueIdsAndReferences(t *testing.T) {
	t.Parallel()
	s := everything()
	for _, status := range []ui.Status{ui.StatusOpen, ui.StatusSubmitted, ui.StatusExpired} {
		s.Status = status
		p := draw(t, s)
		ids := map[string]bool{}
		for _, n := range p.all("", "id") {
			if id := val(n, "id"); ids[id] {
				t.Errorf("%s: id %q twice", status, id)
			} else {
				ids[id] = true
			}
		}
		for _, name := range []string{"for", "form", "aria-labelledby", "aria-describedby", "aria-controls",
			"data-for"} {
			for _, n := range p.all("", name) {
				for _, ref := range strings.Fields(val(n, name)) {
					if !ids[ref] {
						t.Errorf("%s: %s=%q on %s names nothing", status, name, ref, n.Data)
					}
				}
			}
		}
		for _, n := range p.all("a", "href") {
			if id, ok := strings.CutPrefix(val(n, "href"), "#"); !ok || !ids[id] {
				t.Errorf("%s: link to %q", status, val(n, "href"))
			}
		}
		for _, n := range p.all("", "data-turbo-permanent") {
			if id := val(n, "id"); strings.Trim(id,
				"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_") != "" || id == "" {
				t.Errorf("permanent id %q is no CSS identifier", id)
			}
		}
	}
}

// TestEveryInputHasAName: by a label, by labelledby, by an enclosing label.
func TestEveryInputHasAName(t *testing.T) {
	t.Parallel()
	p := draw(t, everything())
	seen := 0
	for _, tag := range []string{"input", "select", "textarea"} {
		for _, n := range p.all(tag) {
			if val(n, "type") == "hidden" {
				continue
			}
			seen++
			name := ""
			for _, l := range p.all("label", "for="+val(n, "id")) {
				name += text(l)
			}
			for _, id := range strings.Fields(val(n, "aria-labelledby")) {
				name += text(p.one("", "id="+id))
			}
			if n.Parent.Data == "label" {
				name += text(n.Parent)
			}
			if strings.TrimSpace(name) == "" {
				t.Errorf("%s %q has no name", tag, val(n, "id"))
			}
		}
	}
	if seen < 3*len(everyField()) {
		t.Errorf("only %d inputs drawn", seen)
	}
	for _, n := range p.all("button") {
		if text(n) == "" && val(n, "aria-hidden") != "true" {
			t.Errorf("button %q has no name", val(n, "value"))
		}
	}
}

func TestFormWorksWithoutScript(t *testing.T) {
	t.Parallel()
	p := draw(t, everything())
	f := p.one("form", "class=limn-form")
	if val(f, "method") != "post" || val(f, "action") != "/c/1/actions" {
		t.Errorf("form %v", f.Attr)
	}
	inside := page{t, f}
	for name, want := range map[string]string{builtin.FieldSurface: "form:customer#e=1", builtin.FieldNonce: "0123456789abcdef",
		builtin.FieldRev: "3"} {
		if got := val(inside.one("input", "name="+name), "value"); got != want {
			t.Errorf("%s = %q, want %q", name, got, want)
		}
	}
	if f.LastChild != inside.one("input", "name="+builtin.FieldRev) {
		t.Error("rev is not last in the form")
	}
	if first := inside.all("button")[0]; !has(first, []string{"disabled="}) { // there is a table on it
		t.Errorf("Enter presses %v", first.Attr)
	}
	for _, b := range inside.all("button", "name="+builtin.FieldComponent) {
		at, ok := ui.ParseComponentID(val(b, "value"))
		if _, known := everything().ActionAt(at); !ok || !known {
			t.Errorf("button %q is no action of the surface", val(b, "value"))
		}
	}
}

func TestDefaultButton(t *testing.T) {
	t.Parallel()
	plain := &ui.Button{Key: "go", Label: "Go", Action: ui.Action{Name: "go"}}
	cancel := &ui.Button{Key: "no", Label: "No", Action: ui.Action{Name: builtin.ActionCancel}}
	first := draw(t, surface(cancel, plain)).all("button")[0]
	if val(first, "value") != "c#main/go:Button" {
		t.Errorf("default is %v", first.Attr)
	}
	first = draw(t, surface(cancel)).all("button")[0]
	if _, off := attr(first, "disabled"); !off {
		t.Errorf("Enter cancels: %v", first.Attr)
	}
	confirm := &ui.Button{Key: "yes", Label: "Submit", Primary: true, Action: ui.Action{Name: builtin.ActionConfirm}}
	check := &ui.Button{Key: "check", Label: "Check", Action: ui.Action{Name: builtin.ActionSubmit}}
	if first = draw(t, surface(plain, check, confirm, cancel)).all("button")[0]; val(first, "value") != "c#main/check:Button" {
		t.Errorf("Enter in a tool presses %v", first.Attr)
	}
}

func TestStatuses(t *testing.T) {
	t.Parallel()
	s := everything()
	s.Status = ui.StatusSubmitted
	p := draw(t, s)
	if got := text(p.one("span", "class=limn-answered")); !strings.Contains(got, "Submitted") {
		t.Errorf("mark %q", got)
	}
	if n := len(p.all("input")) + len(p.all("select")) + len(p.all("textarea")); n != 0 {
		t.Errorf("%d controls on an answered surface", n)
	}
	if n := len(p.all("button")) + len(p.all("form")) + len(p.all("", "data-turbo-permanent")); n != 0 {
		t.Errorf("%d buttons, forms and kept elements on an answered surface", n)
	}
	s.Status = ui.StatusExpired
	p = draw(t, s)
	if len(p.all("input", "type=text")) != 0 || !strings.Contains(text(p.root), "This has expired.") {
		t.Error("expired surface is no stub")
	}
	if val(p.one("input", "name="+builtin.FieldAction), "value") != builtin.ActionRegenerate {
		t.Error("no regenerate")
	}
}

func TestErrors(t *testing.T) {
	t.Parallel()
	s := everything()
	s.Errors = []ui.FieldError{
		{Path: "/draft/people/r2/f_text", Text: "Cell wrong"},
		{Path: "/draft/f_choice", Text: "Choose"},
		{Path: "/draft/f_email", Text: "Mail wrong"},
		{Path: "/draft/people", Text: "Too few"},
		{Path: "/draft/gone", Text: "Elsewhere"},
	}
	p := draw(t, s)
	for _, e := range s.Errors[:4] {
		id := Target(e.Path, s)
		target := p.one("", "id="+id)
		slot := p.one("p", "class=limn-error", "id="+strings.Replace(id, "E1I", "E1R", 1))
		if text(slot) != e.Text {
			t.Errorf("slot of %s: %q", e.Path, text(slot))
		}
		if link := p.one("a", "href=#"+id); text(link) != e.Text {
			t.Errorf("link of %s: %q", e.Path, text(link))
		}
		owner := p.one("", "id="+val(slot, "data-for"))
		if !strings.Contains(val(owner, "aria-describedby"), val(slot, "id")) &&
			!strings.Contains(val(target.Parent.Parent.Parent, "aria-describedby"), val(slot, "id")) {
			t.Errorf("%s is not described by its error", e.Path)
		}
		if val(owner, "aria-invalid") != "true" && e.Path != "/draft/people" {
			t.Errorf("%s is not invalid: %v", e.Path, owner.Attr)
		}
	}
	if got := val(p.one("", "autofocus"), "id"); got != Target("/draft/f_email", s) {
		t.Errorf("focus on %q, want the first in the order of the page", got)
	}
	if got := text(p.one("div", "class=limn-summary", "role=alert")); !strings.Contains(got, "Elsewhere") ||
		len(p.all("a", "href")) != 2+len(s.Errors)-1 || Target("/draft/gone", s) != "" {
		t.Errorf("summary %q", got)
	}
}
