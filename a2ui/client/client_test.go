package client

import (
	"fmt"
	"slices"
	"testing"

	"github.com/limn-ui/limn/a2ui"
)

// TestApplyRefuses: the last message of each row is refused with the code, and
// leaves no trace.
func TestApplyRefuses(t *testing.T) {
	t.Parallel()
	text := comp("root", "Text", "text", "hello")
	col := func(ids ...string) a2ui.Component { return comp("root", "Column", "children", ids) }
	ms := func(list ...a2ui.Message) []a2ui.Message { return list }
	for _, c := range []struct {
		name    string
		dialect a2ui.Dialect
		mode    Mode
		ms      []a2ui.Message
		want    Code // "" = accepted
	}{
		{"no message", a2ui.V09, Strict, ms(nil), validationError},
		{"nil create", a2ui.V09, Strict, ms((*a2ui.CreateSurface)(nil)), validationError},
		{"no surface id", a2ui.V09, Strict, ms(create("")), validationError},
		{"components before create", a2ui.V09, Strict, ms(comps("s", text)), stateError},
		{"data before create", a2ui.V10, LikeWebCore, ms(data("s", "/a", `1`)), stateError},
		{"components before create, v0.8", a2ui.V08, Strict, ms(comps("s", text)), ""},
		{"data before create, v0.8", a2ui.V08, LikeWebCore, ms(data("s", "/a", `{"v":1}`)), ""},
		{"create twice", a2ui.V09, LikeWebCore, ms(create("s"), create("s")), stateError},
		{"create twice, v0.8", a2ui.V08, Strict, ms(create("s"), create("s")), stateError},
		{"begin twice, v0.8 web", a2ui.V08, LikeWebCore, ms(create("s"), create("s")), ""},
		{"create after delete", a2ui.V09, Strict, ms(create("s"), remove("s"), create("s")), ""},
		{"delete unknown", a2ui.V09, Strict, ms(remove("s")), ""},
		{"delete twice", a2ui.V09, LikeWebCore, ms(create("s"), remove("s"), remove("s")), ""},
		{"update after delete", a2ui.V09, Strict, ms(create("s"), remove("s"), comps("s", text)), stateError},
		{"foreign root id", a2ui.V09, Strict, ms(&a2ui.CreateSurface{SurfaceID: "s", Root: "top"}), validationError},
		{"any root id on v0.8", a2ui.V08, Strict, ms(&a2ui.CreateSurface{SurfaceID: "s", Root: "top"}), ""},
		{"no root on v0.8", a2ui.V08, Strict, ms(&a2ui.CreateSurface{SurfaceID: "s"}), validationError},

		{"no components", a2ui.V09, Strict, ms(create("s"), comps("s")), validationError},
		{"no id", a2ui.V09, Strict, ms(create("s"), comps("s", comp("", "Text"))), validationError},
		{"no type", a2ui.V09, LikeWebCore, ms(create("s"), comps("s", comp("root", ""))), validationError},
		{"no type, known, web", a2ui.V09, LikeWebCore, ms(create("s"), comps("s", text), comps("s", comp("root", ""))), ""},
		{"no type, known, strict", a2ui.V09, Strict, ms(create("s"), comps("s", text), comps("s", comp("root", ""))), validationError},
		{"unknown type", a2ui.V09, Strict, ms(create("s"), comps("s", comp("root", "Chart"))), validationError},
		{"unknown type, web", a2ui.V09, LikeWebCore, ms(create("s"), comps("s", comp("root", "Chart"))), ""},
		{"id twice", a2ui.V09, Strict, ms(create("s"), comps("s", text, text)), validationError},
		{"id twice, web", a2ui.V09, LikeWebCore, ms(create("s"), comps("s", text, text)), ""},
		{"id twice, v0.8 web", a2ui.V08, LikeWebCore, ms(comps("s", text, text)), validationError},
		{"root changes type, web", a2ui.V09, LikeWebCore, ms(create("s"), comps("s", text), comps("s", comp("root", "Divider"))), stateError},
		{"root changes type, strict", a2ui.V09, Strict, ms(create("s"), comps("s", text), comps("s", comp("root", "Divider"))), ""},
		{"child to come", a2ui.V09, LikeWebCore, ms(create("s"), comps("s", col("a"))), ""},
		{"child to come, v0.8 strict", a2ui.V08, Strict, ms(comps("s", col("a"))), ""},
		{"child to come, v0.8 web", a2ui.V08, LikeWebCore, ms(comps("s", col("a"))), validationError},
		{"child from before, v0.8 web", a2ui.V08, LikeWebCore, ms(comps("s", comp("a", "Divider")), comps("s", col("a"))), validationError},
		{"template from before, v0.8 web", a2ui.V08, LikeWebCore, ms(comps("s", comp("a", "Divider")),
			comps("s", comp("root", "List", "children", a2ui.Template{Component: "a", Path: "/l"}))), validationError},
		{"child with it, v0.8 web", a2ui.V08, LikeWebCore, ms(comps("s", comp("a", "Divider"), col("a"))), ""},
		{"literal is an id, v0.8 web", a2ui.V08, LikeWebCore, ms(comps("s", comp("hello", "Divider")), comps("s", text)), validationError},
		{"id is an old literal, v0.8 web", a2ui.V08, LikeWebCore, ms(comps("s", text), comps("s", comp("hello", "Divider"))), validationError},
		{"option is an id, v0.8 web", a2ui.V08, LikeWebCore, ms(comps("s", comp("root", "ChoicePicker", "options",
			a2ui.Options{{Label: a2ui.String("L"), Value: "root"}}))), validationError},
		{"literal list holds an id, v0.8 web", a2ui.V08, LikeWebCore, ms(comps("s", comp("root", "ChoicePicker", "value", lit(`["root"]`)))), validationError},
		{"list holds an id, v0.8 web", a2ui.V08, LikeWebCore, ms(comps("s", comp("root", "Text", "text", a2ui.List{a2ui.String("root")}))), validationError},
		{"literal in an action is an id, v0.8 web", a2ui.V08, LikeWebCore, ms(comps("s", comp("root", "Button", "action", a2ui.Event{Name: "root"}))), ""},
		{"literal is an id, v0.9 web", a2ui.V09, LikeWebCore, ms(create("s"), comps("s", comp("root", "Text", "text", "root"))), ""},

		{"holds itself", a2ui.V09, LikeWebCore, ms(create("s"), comps("s", col("root"))), cyclicReference},
		{"cycle of two", a2ui.V09, Strict, ms(create("s"), comps("s", col("a"), comp("a", "Card", "child", a2ui.Ref("root")))), cyclicReference},
		{"cycle in a tab", a2ui.V10, Strict, ms(create("s"), comps("s", comp("root", "Tabs", "tabs", a2ui.Tabs{{Title: a2ui.String("t"), Child: "root"}}))), cyclicReference},
		{"cycle inside a template", a2ui.V09, Strict, ms(create("s"), comps("s", comp("root", "List", "children", a2ui.Template{Component: "a", Path: "/l"}),
			comp("a", "Card", "child", a2ui.Ref("a")))), cyclicReference},
		{"cycle seen at begin", a2ui.V08, Strict, ms(comps("s", col("root")), create("s")), cyclicReference},
		{"cycle nobody shows", a2ui.V09, Strict, ms(create("s"), comps("s", text, comp("a", "Card", "child", a2ui.Ref("a")))), ""},
		{"one child twice is no cycle", a2ui.V09, Strict, ms(create("s"), comps("s", col("a", "a"), comp("a", "Divider"))), ""},

		{"delete data, v0.8", a2ui.V08, Strict, ms(drop("s", "/a")), validationError},
		{"scalar data, v0.8", a2ui.V08, Strict, ms(data("s", "/a", `1`)), validationError},
		{"null inside, v0.8", a2ui.V08, LikeWebCore, ms(data("s", "/a", `{"v":null}`)), validationError},
		{"list inside, v0.8", a2ui.V08, LikeWebCore, ms(data("s", "/a", `{"v":[]}`)), validationError},
		{"one map inside, v0.8", a2ui.V08, Strict, ms(data("s", "/", `{"a":{"v":1}}`)), ""},
		{"two maps inside, v0.8", a2ui.V08, Strict, ms(data("s", "/", `{"a":{"b":{"v":1}}}`)), validationError},
		{"two maps inside, v0.8 web", a2ui.V08, LikeWebCore, ms(data("s", "/", `{"a":{"b":{"v":1}}}`)), ""},
		{"key with a dot, v0.8 web", a2ui.V08, LikeWebCore, ms(data("s", "/a", `{"a.b":1}`)), dataError},
		{"key with a dot, v0.8 strict", a2ui.V08, Strict, ms(data("s", "/a", `{"a.b":1}`)), ""},
		{"path with a bracket, v0.8 web", a2ui.V08, LikeWebCore, ms(data("s", "/a[0]", `{"b":1}`)), dataError},
		{"path without slash", a2ui.V09, Strict, ms(create("s"), data("s", "a", `1`)), dataError},
		{"path without slash, web", a2ui.V09, LikeWebCore, ms(create("s"), data("s", "a", `1`)), ""},
		{"bad escape", a2ui.V09, Strict, ms(create("s"), data("s", "/a~2", `1`)), dataError},
		{"append", a2ui.V09, LikeWebCore, ms(create("s"), data("s", "/a", `[]`), data("s", "/a/-", `1`)), dataError},
		{"through a scalar", a2ui.V09, Strict, ms(create("s"), data("s", "/a", `1`), data("s", "/a/b", `1`)), dataError},
		{"constructor, web", a2ui.V09, LikeWebCore, ms(create("s"), data("s", "/draft/constructor", `1`)), dataError},
		{"constructor, strict", a2ui.V09, Strict, ms(create("s"), data("s", "/draft/constructor", `1`)), dataError},
		{"far index", a2ui.V09, Strict, ms(create("s"), data("s", "/a/999999999", `1`)), dataError},
	} {
		t.Run(fmt.Sprintf("%s/%v", c.name, c.mode), func(t *testing.T) {
			t.Parallel()
			last := len(c.ms) - 1
			r := start(t, c.dialect, c.mode, c.ms[:last]...)
			before, known := r.ExactHash("s"), r.Surfaces()
			err := r.Apply(c.ms[last])
			if got := codeOf(err); got != c.want {
				t.Fatalf("Apply = %v, want code %q", err, c.want)
			}
			if c.want != "" && (r.ExactHash("s") != before || !slices.Equal(r.Surfaces(), known)) {
				t.Error("a refused message left a trace")
			}
		})
	}
}

// TestDroppedProperty: strict clients forget a property that an update does not
// name, the shipping ones keep it.
func TestDroppedProperty(t *testing.T) {
	t.Parallel()
	ms := []a2ui.Message{create("s"),
		comps("s", comp("root", "Column", "children", []string{"t"}), comp("t", "Text", "text", "a", "variant", "h1")),
		comps("s", comp("root", "Column", "children", []string{"t"}), comp("t", "Text", "text", "b"))}
	for _, c := range []struct {
		d    a2ui.Dialect
		mode Mode
		want string
	}{{a2ui.V09, Strict, roleText}, {a2ui.V09, LikeWebCore, roleHeading}, {a2ui.V08, Strict, roleText},
		{a2ui.V08, LikeWebCore, roleText}} {
		r := start(t, c.d, c.mode, ms...)
		if got, _ := view(t, r, "s").Find("t"); got.Role != c.want || got.Text != "b" {
			t.Errorf("%v %v: %s %q, want %s b", c.d, c.mode, got.Role, got.Text, c.want)
		}
	}
	r := start(t, a2ui.V09, LikeWebCore, append(ms, comps("s", comp("t", "Icon", "name", "add")),
		comps("s", comp("t", "Text", "text", "c")))...)
	if got, _ := view(t, r, "s").Find("t"); got.Role != roleText {
		t.Errorf("after a change of type the old properties are gone; got %s", got.Role)
	}
}

// TestSurfaceStates follows one surface from buffered to deleted.
func TestSurfaceStates(t *testing.T) {
	t.Parallel()
	r := start(t, a2ui.V08, LikeWebCore, comps("s", comp("top", "Text", "text", a2ui.Path("/a/v"))),
		data("s", "/a", `{"v":"x"}`))
	if v := view(t, r, "s"); v.Ready || v.Root.Role != "" {
		t.Errorf("buffered: %+v", v)
	}
	apply(t, r, &a2ui.CreateSurface{SurfaceID: "s", Root: "top", SendDataModel: true, CatalogID: "c"})
	if v := view(t, r, "s"); !v.Ready || v.Root.Text != "x" || v.CatalogID != "c" || !v.SendDataModel {
		t.Errorf("begun: %+v", v)
	}
	apply(t, r, &a2ui.CreateSurface{SurfaceID: "s", Root: "other"})
	if v := view(t, r, "s"); v.Ready || v.Root.Role != rolePending || len(v.Problems) != 1 {
		t.Errorf("begun again: %+v", v)
	}
	apply(t, r, remove("s"))
	if _, err := r.Surface("s"); codeOf(err) != stateError {
		t.Errorf("deleted: %v", err)
	}
	apply(t, r, create("s"))
	if d, _ := r.Data("s"); asJSON(d) != `{}` {
		t.Errorf("recreated with data %s", asJSON(d))
	}
}

// TestLongChain: no chain of components exhausts the stack; the drawing stops.
func TestLongChain(t *testing.T) {
	t.Parallel()
	list := []a2ui.Component{comp("root", "Card", "child", a2ui.Ref("c1"))}
	for i := 1; i < 20_000; i++ {
		list = append(list, comp(fmt.Sprint("c", i), "Card", "child", a2ui.Ref(fmt.Sprint("c", i+1))))
	}
	r := start(t, a2ui.V09, Strict, create("s"), comps("s", list...))
	if p := view(t, r, "s").Problems; len(p) != 1 || p[0].Code != cyclicReference {
		t.Errorf("problems %v", p)
	}
	list[19_999] = comp("c19999", "Card", "child", a2ui.Ref("root"))
	if err := r.Apply(comps("s", list...)); codeOf(err) != cyclicReference {
		t.Errorf("long cycle: %v", err)
	}
}
