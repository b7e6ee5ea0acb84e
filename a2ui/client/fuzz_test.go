package client

import (
	"errors"
	"testing"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/internal/jsonptr"
)

// source turns fuzz bytes into choices; past its end every choice is 0.
type source struct{ in []byte }

func (s *source) pick(n int) int {
	if len(s.in) == 0 {
		return 0
	}
	b := s.in[0]
	s.in = s.in[1:]
	return int(b) % n
}

func (s *source) of(list ...string) string { return list[s.pick(len(list))] }

func (s *source) id() string { return s.of("root", "a", "b", "c", "d", "") }

func (s *source) path() string {
	if s.pick(8) == 0 {
		return s.of("", "/", ".", "x", "~", "/~2", "/constructor", "a.b[0]")
	}
	var segs []string
	for range 1 + s.pick(3) {
		segs = append(segs, s.of("l", "k", "0", "1", "v", "", "~"))
	}
	if p := jsonptr.Join(segs...); s.pick(4) > 0 {
		return p
	} else {
		return p[1:]
	}
}

func (s *source) data(depth int) a2ui.Data {
	kind := s.pick(8)
	if depth > 4 {
		kind %= 5
	}
	switch kind {
	case 0:
		return dataText(s.of("", "x", "[1]", `{"a":1}`, "${/l/0/k}", "${${", "${f(a:1)}", `\${`, "1e999", "2026-01-02",
			"(", "https://x.test"))
	case 1:
		return parse(s.of("0", "1", "-1.5", "1e400", "3"))
	case 2:
		return a2ui.Data{Kind: truth, Bool: s.pick(2) == 1}
	case 3:
		return a2ui.Data{}
	case 4:
		return parse(s.of(`{"path":"k"}`, `{"path":"/l"}`, `{"call":"not","args":{"value":{"path":"/l"}}}`,
			`{"call":"formatString","args":{"value":"${/l}${.}"}}`))
	case 5, 6:
		out := a2ui.Data{Kind: array}
		for range s.pick(4) {
			out.Items = append(out.Items, s.data(depth+1))
		}
		return out
	}
	out := a2ui.Data{Kind: object}
	for range s.pick(4) {
		out = setMember(out, s.of("k", "l", "v", "0", "a.b", ""), s.data(depth+1))
	}
	return out
}

func (s *source) props(depth int) (out []a2ui.Prop) {
	for range s.pick(4) {
		out = append(out, a2ui.Prop{Name: s.of("value", "values", "min", "decimals", "format", "currency", "pattern",
			"url", "one"), Value: s.value(depth + 1)})
	}
	return out
}

func (s *source) value(depth int) a2ui.Value {
	n := s.pick(16)
	if depth > 3 {
		n %= 7
	}
	switch n {
	case 0:
		return a2ui.String(s.data(9).Str)
	case 1:
		return a2ui.Literal{Data: s.data(2)}
	case 2, 3:
		return a2ui.Path(s.path())
	case 4:
		return a2ui.Ref(s.id())
	case 5:
		return a2ui.Refs{s.id(), s.id()}
	case 6:
		return a2ui.Template{Component: s.id(), Path: s.path()}
	case 7, 8:
		return a2ui.Call{Func: s.of("required", "regex", "length", "numeric", "email", "and", "or", "not",
			"formatString",
			"formatNumber", "formatCurrency", "formatDate", "pluralize", "openUrl", "@index", "x"),
			Args: s.props(depth)}
	case 9:
		return a2ui.Options{{Label: s.value(depth + 1), Value: s.id()}}
	case 10:
		return a2ui.Tabs{{Title: s.value(depth + 1), Child: s.id()}, {Child: s.id()}}
	case 11:
		return a2ui.Event{Name: "e", Context: s.props(depth)}
	case 14:
		return a2ui.Object(s.props(depth))
	case 13:
		return a2ui.List{s.value(depth + 1), s.value(depth + 1)}
	case 12:
		return a2ui.Checks{{Condition: s.value(depth + 1), Message: "m"}, {}}
	}
	return a2ui.Local{Call: a2ui.Call{Func: s.of("openUrl", "not"), Args: s.props(depth)}}
}

func (s *source) component() a2ui.Component {
	c := a2ui.Component{ID: s.id(), Type: s.of("Column", "Text", "List", "Card", "Tabs", "Modal", "Button", "TextField",
		"CheckBox",
		"ChoicePicker", "Slider", "DateTimeInput", "Image", "Icon", "Divider", "X", "")}
	for range s.pick(4) {
		name := s.of("children", "child", "text", "value", "label", "action", "checks", "options", "tabs", "trigger",
			"content", "variant", "max",
			"validationRegexp", "accessibility", "placeholder", "steps")
		c.Props = append(c.Props, a2ui.Prop{Name: name, Value: s.value(0)})
	}
	return c
}

func (s *source) message() a2ui.Message {
	switch s.pick(13) {
	case 0:
		return &a2ui.CreateSurface{SurfaceID: "s", Root: s.of("root", "a", "")}
	case 10:
		m := &a2ui.CreateSurface{SurfaceID: "s", CatalogID: s.of("", "k"), SendDataModel: true, Data: s.data(0)}
		for range s.pick(5) {
			m.Components = append(m.Components, s.component())
		}
		return m
	case 11:
		return &a2ui.CallRenderer{CallID: s.id(),
			Call: a2ui.Call{Func: s.of("openUrl", "not", "x", "@index"), CatalogID: s.of("", "k"), Args: s.props(0)}}
	case 12:
		m := &a2ui.Reply{CallID: s.of("call-1", "call-2", "x"), Value: s.data(0)}
		if s.pick(2) == 1 {
			m.Err = &a2ui.CallError{Code: "C", Message: "m"}
		}
		return m
	case 1:
		return &a2ui.DeleteSurface{SurfaceID: s.of("s", "t", "")}
	case 2, 3, 4:
		return &a2ui.UpdateData{SurfaceID: "s", Path: s.path(), Value: s.data(0), Delete: s.pick(5) == 4}
	case 5:
		return nil
	}
	m := &a2ui.UpdateComponents{SurfaceID: "s"}
	for range 1 + s.pick(5) {
		m.Components = append(m.Components, s.component())
	}
	return m
}

// FuzzMessages: whatever comes, a client ends, does not panic, keeps its state
// when it refuses, and two clients that saw the same show the same.
func FuzzMessages(f *testing.F) {
	for i := range 64 {
		seed := make([]byte, 200)
		for j := range seed {
			seed[j] = byte((i*131 + j*j*7 + j*29) ^ (j * i))
		}
		f.Add(byte(i), seed)
	}
	f.Fuzz(func(t *testing.T, which byte, in []byte) {
		d, mode := dialects[int(which)%len(dialects)], Mode(which/128)
		a, b := New(d, mode), New(d, mode)
		a.rules.maxShown, b.rules.maxShown = 200, 200
		s := &source{in: in}
		for _, c := range []*Client{a, b} { // start shown, so that most messages land
			_ = c.Apply(comps("s", comp("root", "Column", "children", []string{"a", "b"})))
			_ = c.Apply(&a2ui.CreateSurface{SurfaceID: "s", Root: "root"})
		}
		for n := 0; len(s.in) > 0 && n < 40; n++ {
			m := s.message()
			before := a.ExactHash("s")
			err := a.Apply(m)
			if err != nil {
				var e *Error
				if !errors.As(err, &e) || e.Code == "" {
					t.Fatalf("error without a code: %v", err)
				}
				if a.ExactHash("s") != before {
					t.Fatalf("a refused message left a trace: %v", err)
				}
				continue
			}
			if err := b.Apply(m); err != nil {
				t.Fatalf("the other client refuses: %v", err)
			}
			if s.pick(4) == 0 && len(a.Calls()) != len(b.Calls()) {
				t.Fatal("the other client asks something else")
			}
		}
		if twin := a.Clone(); twin.ExactHash("s") != a.ExactHash("s") || twin.ShownHash("s") != a.ShownHash("s") {
			t.Fatal("a clone differs")
		}
		exercise(t, a, s)
		if len(a.Touched("s")) == 0 && (a.ExactHash("s") != b.ExactHash("s") || a.ShownHash("s") != b.ShownHash("s") ||
			a.Dump("s") != b.Dump("s")) {
			t.Fatalf("two clients differ\n%s\n%s", a.Dump("s"), b.Dump("s"))
		}
	})
}

// exercise uses everything on the screen of a surface, when it is small.
func exercise(t *testing.T, c *Client, s *source) {
	v, err := c.Surface("s")
	if err != nil {
		return
	}
	n := 0
	for shown := range v.Root.All() {
		if n++; n > 30 {
			break
		}
		id := shown.Key()
		for _, err := range []error{c.Type("s", id, "x"), c.Tick("s", id, true), c.Choose("s", id, s.id()),
			c.SetDate("s", id, "2026-01-01"), c.Slide("s", id, 2)} {
			var e *Error
			if err != nil && !errors.As(err, &e) {
				t.Fatalf("%s: %v", id, err)
			}
		}
		_, _ = c.Click("s", id)
	}
	nodes, _ := c.Nodes("s")
	for _, node := range nodes[:min(len(nodes), 30)] {
		for _, p := range node.Component.Props {
			_, _ = c.Dispatch("s", node.ID, node.Scope, p.Value)
			if _, err := c.Evaluate("s", node.Scope, p.Value); err != nil && codeOf(err) == "" {
				t.Fatalf("%s: %v", node.Path, err)
			}
		}
	}
	_ = c.Run(&a2ui.CallRenderer{CallID: "r", Call: a2ui.Call{Func: s.of("openUrl", "formatString"), Args: s.props(0)}},
		true)
	ignore := c.Touched("s")
	if first := c.ShownHash("s", ignore...); first != c.ShownHash("s", ignore...) {
		t.Fatal("a hash that changes")
	}
}
