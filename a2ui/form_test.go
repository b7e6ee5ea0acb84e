package a2ui_test

import (
	"fmt"
	"strconv"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/internal/jsonx"
)

// form returns what opens a form of n fields on a dialect: a title, for each
// field a column with a heading and an input, and a button. n = 30 makes about
// 100 components.
func form(d a2ui.Dialect, n int) []a2ui.Message {
	f := d.Features()
	id := func(s string) string { return "c#" + s }
	root := f.RootID
	if root == "" {
		root = id("root")
	}
	leaf := ""
	if f.LeafKey != "" {
		leaf = "/" + f.LeafKey
	}
	var kids a2ui.Refs
	var body []a2ui.Component
	var data []a2ui.Member
	context := []a2ui.Prop{{Name: "limn_nonce", Value: a2ui.String("n0nce")},
		{Name: "limn_rev", Value: a2ui.Path("/ui_state/rev" + leaf)}}
	returns := ""
	if f.ReturnTypes {
		returns = "boolean"
	}
	add := func(id, typ string, props ...a2ui.Prop) {
		body = append(body, a2ui.Component{ID: id, Type: typ, Props: props})
	}
	for i := range n {
		name := "field" + strconv.Itoa(i)
		path := a2ui.Path("/draft/" + name + leaf)
		kids = append(kids, id(name))
		add(id(name), "Column", prop("children", a2ui.Refs{id(name + "/h"), id(name + "/in")}),
			prop("align", a2ui.String("stretch")))
		add(id(name+"/h"), "Text", prop("text", a2ui.String("Heading of field "+strconv.Itoa(i))),
			prop("variant", a2ui.String("caption")))
		switch i % 3 {
		case 0:
			props := []a2ui.Prop{prop("label", a2ui.String("Name of the thing")), prop("value", path),
				prop("variant", a2ui.String("shortText"))}
			if f.Checks {
				props = append(props, prop("checks", a2ui.Checks{{Message: "Not an address.", Condition: a2ui.Call{
					Func: "or", ReturnType: returns, Args: []a2ui.Prop{prop("values", a2ui.List{
						a2ui.Call{Func: "not", Args: []a2ui.Prop{prop("value", a2ui.Call{Func: "required", Args: []a2ui.Prop{prop("value", path)}})}},
						a2ui.Call{Func: "email", Args: []a2ui.Prop{prop("value", path)}},
					})}}}}))
			}
			add(id(name+"/in"), "TextField", props...)
			data = append(data, leafOf(f, name, jsonx.Of("")))
		case 1:
			add(id(name+"/in"), "CheckBox", prop("label", a2ui.String("Yes, please")), prop("value", path))
			data = append(data, leafOf(f, name, jsonx.OfBool(false)))
		default:
			add(id(name+"/in"), "Slider", prop("label", a2ui.String("How many")), prop("value", path),
				prop("min", number("0")), prop("max", number("10")))
			data = append(data, leafOf(f, name, jsonx.OfInt(3)))
		}
		context = append(context, a2ui.Prop{Name: name, Value: path})
	}
	kids = append(kids, id("ok"))
	body = append([]a2ui.Component{{ID: root, Type: "Column", Props: []a2ui.Prop{prop("children", kids)}}}, body...)
	add(id("ok"), "Button", prop("child", a2ui.Ref(id("ok/t"))), prop("variant", a2ui.String("primary")),
		prop("action", a2ui.Event{Name: "submit", Context: context}))
	add(id("ok/t"), "Text", prop("text", a2ui.String("Send")), prop("variant", a2ui.String("body")))

	create := &a2ui.CreateSurface{SurfaceID: "form:x#e=1", CatalogID: a2ui.CatalogID(d), Root: root}
	components := &a2ui.UpdateComponents{SurfaceID: create.SurfaceID, Components: body}
	draft := &a2ui.UpdateData{SurfaceID: create.SurfaceID, Path: "/draft", Value: jsonx.OfObject(data...)}
	state := &a2ui.UpdateData{SurfaceID: create.SurfaceID, Path: "/ui_state",
		Value: jsonx.OfObject(leafOf(f, "rev", jsonx.OfInt(1)))}
	if f.CreateLast {
		return []a2ui.Message{components, draft, state, create}
	}
	return []a2ui.Message{create, draft, state, components}
}

func leafOf(f a2ui.Features, name string, v a2ui.Data) a2ui.Member {
	if f.LeafKey != "" {
		v = jsonx.OfObject(a2ui.Member{Key: f.LeafKey, Value: v})
	}
	return a2ui.Member{Key: name, Value: v}
}

func prop(name string, v a2ui.Value) a2ui.Prop { return a2ui.Prop{Name: name, Value: v} }

func number(text string) a2ui.Value { return a2ui.Literal{Data: jsonx.OfNumber(text)} }

func codes(problems []a2ui.Problem) []a2ui.Code {
	var out []a2ui.Code
	for _, p := range problems {
		out = append(out, p.Code)
	}
	return out
}

func list(problems []a2ui.Problem) string {
	s := ""
	for i := range problems {
		s += fmt.Sprintf("\n  %v", &problems[i])
	}
	return s
}
