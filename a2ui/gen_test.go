package a2ui_test

import (
	"fmt"
	"slices"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/a2ui/internal/wire"
	"github.com/limn-ui/limn/internal/jsonx"
	"pgregory.net/rapid"
)

// gen draws messages that a dialect's own tables allow.
type gen struct {
	*rapid.T
	d   a2ui.Dialect
	cat *a2ui.Catalog
	n   int
}

func newGen(t *rapid.T, d a2ui.Dialect) *gen { return &gen{T: t, d: d, cat: a2ui.Basic(d)} }

func (g *gen) name(what string) string { g.n++; return fmt.Sprint(what, g.n) }
func (g *gen) flip(what string) bool   { return rapid.Bool().Draw(g.T, g.name(what)) }
func (g *gen) pick(n int) int          { return rapid.IntRange(0, n-1).Draw(g.T, g.name("pick")) }

func (g *gen) text() string {
	return rapid.SampledFrom([]string{"", "x", "Größe <b>", "a\"b\\", "\u2028", "#1", "😀", "c#2", "1",
		"http://x.y"}).Draw(g.T, g.name("text"))
}

func (g *gen) num() a2ui.Data {
	return jsonx.OfNumber(rapid.SampledFrom([]string{"0", "-1", "2.50", "1e3", "12345678901234567890"}).Draw(g.T,
		g.name("num")))
}

func (g *gen) path() a2ui.Path {
	return a2ui.Path(rapid.SampledFrom([]string{"/a", "/draft/x", "rel", "/a~1b/~0", ""}).Draw(g.T, g.name("path")))
}

func (g *gen) message() a2ui.Message {
	id := "s" + g.text()
	kinds := 4
	if g.d.Features().Remote {
		kinds = 6
	}
	switch g.pick(kinds) {
	case 4:
		call := g.call("", 2)
		call.CatalogID = g.cat.ID
		return &a2ui.CallRenderer{CallID: g.text(), Call: call}
	case 5:
		return g.reply()
	case 0:
		return g.create(id)
	case 1:
		return g.data(id)
	case 2:
		return &a2ui.DeleteSurface{SurfaceID: id}
	}
	return g.components(id)
}

func (g *gen) create(id string) a2ui.Message {
	m := &a2ui.CreateSurface{SurfaceID: id, CatalogID: g.cat.ID, Root: "root"}
	if g.d.Features().CreateLast {
		m.Root = "c#root"
		if g.flip("no catalog") {
			m.CatalogID = ""
		}
	} else {
		m.SendDataModel = g.flip("send")
	}
	if g.d.Features().Theme && g.flip("theme") {
		m.Theme = jsonx.OfObject(a2ui.Member{Key: "primaryColor", Value: jsonx.Of("#00bfFF")})
	}
	if g.d.Features().Inline && g.flip("inline") {
		m.Components = g.components(id).(*a2ui.UpdateComponents).Components
		m.Data = g.object()
		m.Metadata = g.metadata()
	}
	return m
}

func (g *gen) reply() *a2ui.Reply {
	m := &a2ui.Reply{CallID: g.text(), Value: g.json(2)}
	if g.flip("failed") {
		m.Value, m.Err = a2ui.Data{}, &a2ui.CallError{Code: g.text(), Message: g.text()}
	}
	return m
}

func (g *gen) object() a2ui.Data {
	return jsonx.OfObject(a2ui.Member{Key: "path", Value: g.json(2)}, a2ui.Member{Key: "@call", Value: g.json(1)})
}

func (g *gen) metadata() a2ui.Data {
	return jsonx.OfObject(a2ui.Member{Key: "extensions",
		Value: jsonx.OfObject(a2ui.Member{Key: "_ext1", Value: g.object()})})
}

func (g *gen) data(id string) a2ui.Message {
	m := &a2ui.UpdateData{SurfaceID: id, Path: rapid.SampledFrom([]string{"", "/", "/a", "/a~1b/0"}).Draw(g.T,
		g.name("path"))}
	f := g.d.Features()
	if f.Delete && g.flip("delete") {
		m.Delete = true
		return m
	}
	if m.Value = g.json(3); f.NullDeletes && m.Value.Kind == jsonx.Null {
		m.Delete = true
	}
	if f.FlatData {
		m.Value = g.flat(2)
	}
	return m
}

func (g *gen) json(depth int) a2ui.Data {
	n := 6
	if depth == 0 {
		n = 4
	}
	switch g.pick(n) {
	case 0:
		return a2ui.Data{}
	case 1:
		return jsonx.OfBool(g.flip("b"))
	case 2:
		return g.num()
	case 3:
		return jsonx.Of(g.text())
	case 4:
		v := a2ui.Data{Kind: jsonx.Array}
		for range g.pick(3) {
			v.Items = append(v.Items, g.json(depth-1))
		}
		return v
	}
	v := a2ui.Data{Kind: jsonx.Object}
	for i := range g.pick(3) {
		v.Members = append(v.Members, a2ui.Member{Key: fmt.Sprint("k/", i, g.text()), Value: g.json(depth - 1)})
	}
	return v
}

func (g *gen) flat(depth int) a2ui.Data {
	v := a2ui.Data{Kind: jsonx.Object}
	for i := range g.pick(4) {
		m := a2ui.Member{Key: fmt.Sprint("k", i, g.text()), Value: jsonx.Of(g.text())}
		switch g.pick(4) {
		case 0:
			m.Value = g.num()
		case 1:
			m.Value = jsonx.OfBool(g.flip("b"))
		case 2:
			if depth > 1 {
				m.Value = g.flat(depth - 1)
			}
		}
		v.Members = append(v.Members, m)
	}
	return v
}

func (g *gen) components(id string) a2ui.Message {
	m := &a2ui.UpdateComponents{SurfaceID: id}
	names := make([]string, 0, len(g.cat.Components))
	for name := range g.cat.Components {
		names = append(names, name)
	}
	slices.Sort(names)
	for i := range 1 + g.pick(4) {
		def := g.cat.Components[names[g.pick(len(names))]]
		c := a2ui.Component{ID: fmt.Sprint("id", i), Type: def.Name}
		if g.flip("weight") {
			c.Weight = 1.5
		}
		if g.d.Features().OwnCatalogs && g.flip("catalog") {
			c.CatalogID = g.cat.ID
		}
		for _, p := range def.Props {
			if p.Name == "maxAllowedSelections" || !p.Required && !g.flip(p.Name) {
				continue
			}
			c.Props = append(c.Props, a2ui.Prop{Name: p.Name, Value: g.value(p, 2)})
		}
		m.Components = append(m.Components, g.canonical(c))
	}
	return m
}

// canonical gives a v0.8 ChoicePicker the form in which it is read back: its
// variant is written, and last if it is the absence of a limit.
func (g *gen) canonical(c a2ui.Component) a2ui.Component {
	if c.Type != "ChoicePicker" || g.d.Features().Calls {
		return c
	}
	c.Props = slices.DeleteFunc(c.Props, func(p a2ui.Prop) bool { return p.Name == "variant" })
	variant := a2ui.String("multipleSelection")
	if g.flip("single") {
		variant = "mutuallyExclusive"
	}
	c.Props = append(c.Props, a2ui.Prop{Name: "variant", Value: variant})
	return c
}

func (g *gen) value(p a2ui.PropDef, depth int) a2ui.Value {
	f := g.d.Features()
	dynamic := func(returns string) a2ui.Value {
		if f.Calls && depth > 0 && g.flip("call") {
			return g.call(returns, depth)
		}
		return g.path()
	}
	dyn := g.flip("dynamic")
	switch p.Kind {
	case wire.AnyValue:
		if dyn {
			return dynamic("")
		}
		return literal(g.num())
	case wire.DynString:
		if dyn {
			return dynamic("string")
		}
		if p.URL {
			return a2ui.String("http://a.b/" + g.name(""))
		}
		return a2ui.String(g.text())
	case wire.DynMoment:
		if dyn {
			return dynamic("string")
		}
		return a2ui.String([]string{"2026-11-20", "10:30:00Z", "2026-11-20T10:30:00+01:00"}[g.pick(3)])
	case wire.DynNumber:
		if dyn {
			return g.path()
		}
		return literal(g.num())
	case wire.DynBool:
		if dyn {
			return dynamic("boolean")
		}
		return a2ui.Bool(g.flip("b"))
	case wire.DynStrings:
		if dyn {
			return g.path()
		}
		return literal(jsonx.Value{Kind: jsonx.Array, Items: []jsonx.Value{jsonx.Of(g.text())}})
	case wire.DynValue:
		if dyn {
			return dynamic("")
		}
		return []a2ui.Value{a2ui.String(g.text()), a2ui.Bool(true), literal(g.num())}[g.pick(3)]
	case wire.DynBools:
		return a2ui.List{g.value(a2ui.PropDef{Kind: wire.DynBool}, depth), g.path()}
	case wire.PlainString:
		return a2ui.String("http://a.b/" + g.name(""))
	case wire.PlainNumber:
		if p.Bounds != nil {
			return literal(jsonx.OfInt(3))
		}
		return literal(g.num())
	case wire.PlainCount:
		return literal(jsonx.OfInt(3))
	case wire.PlainBool:
		return a2ui.Bool(g.flip("b"))
	case wire.Enum:
		return a2ui.String(p.Enum[g.pick(len(p.Enum))])
	case wire.IconName:
		if dyn {
			return g.path()
		}
		return a2ui.String(p.Enum[g.pick(len(p.Enum))])
	}
	return g.structure(p)
}

func (g *gen) structure(p a2ui.PropDef) a2ui.Value {
	text := a2ui.PropDef{Kind: wire.DynString}
	switch p.Kind {
	case wire.Child:
		return a2ui.Ref("child" + g.text())
	case wire.Children:
		if g.flip("template") {
			return a2ui.Template{Component: "t", Path: string(g.path())}
		}
		return a2ui.Refs{"x", "y" + g.text()}[:g.pick(3)]
	case wire.TabList:
		return a2ui.Tabs{{Title: g.value(text, 1), Child: "x"}, {Title: g.value(text, 1), Child: "y"}}
	case wire.OptionList:
		return a2ui.Options{{Label: g.value(text, 1), Value: g.text()}}[:g.pick(2)]
	case wire.ActionValue:
		if g.d.Features().Calls && g.flip("local") {
			return a2ui.Local{Call: g.call("void", 1)}
		}
		e := a2ui.Event{Name: "go"}
		if g.flip("context") {
			if g.d.Features().UserMessage {
				e.UserMessage = g.value(text, 1)
				e.Context = append(e.Context, g.objects()...)
			}
			e.Context = append(e.Context, []a2ui.Prop{{Name: "k", Value: g.value(a2ui.PropDef{Kind: wire.DynValue}, 1)},
				{Name: "k/2", Value: a2ui.String("v")}}...)
		}
		return e
	case wire.CheckList:
		if g.d.Features().VerdictChecks {
			return a2ui.Checks{{Condition: g.call("", 2)}, {Condition: g.path(), Message: "No."}}
		}
		return a2ui.Checks{{Condition: g.value(a2ui.PropDef{Kind: wire.DynBool}, 2), Message: "No."}}
	case wire.Metadata:
		return literal(g.metadata())
	case wire.A11y:
		if g.flip("dynamic label") {
			return a2ui.Object{{Name: "label", Value: g.call("string", 1)}}
		}
		return literal(jsonx.OfObject(a2ui.Member{Key: "label", Value: jsonx.Of(g.text())}))
	}
	panic(fmt.Sprint("no generator for kind ", p.Kind))
}

// objects are context entries that only versions with object values have, with
// keys that mean something elsewhere.
func (g *gen) objects() []a2ui.Prop {
	key := func(keys ...string) string { return rapid.SampledFrom(keys).Draw(g.T, g.name("key")) }
	plain := jsonx.OfObject(a2ui.Member{Key: key("x", "@", "@y", "@@", "@call", "@path"), Value: jsonx.Of("v")},
		a2ui.Member{Key: "in", Value: jsonx.OfObject(a2ui.Member{Key: "call", Value: g.num()})})
	return []a2ui.Prop{
		{Name: "plain", Value: literal(plain)},
		{Name: key("bound", "@bound", "@path"), Value: a2ui.Object{{Name: key("in", "@in"), Value: g.path()}, {Name: "list", Value: a2ui.List{literal(plain), g.path()}}}},
	}
}

// call draws a function of the catalog that returns what is wanted.
func (g *gen) call(returns string, depth int) a2ui.Call {
	var fit []string
	for name, fn := range g.cat.Functions {
		if fn.Returns == returns || returns == "" {
			fit = append(fit, name)
		}
	}
	slices.Sort(fit)
	fn := g.cat.Functions[fit[g.pick(len(fit))]]
	c := a2ui.Call{Func: fn.Name}
	if g.d.Features().ReturnTypes && g.flip("returnType") {
		c.ReturnType = fn.Returns
	}
	for _, a := range fn.Args {
		if a.Required || slices.Contains(fn.OneOf, a.Name) || g.flip(a.Name) {
			c.Args = append(c.Args, a2ui.Prop{Name: a.Name, Value: g.value(a, depth-1)})
		}
	}
	return c
}

func literal(v a2ui.Data) a2ui.Value {
	switch v.Kind { // texts and booleans have their own kinds
	case jsonx.String:
		return a2ui.String(v.Str)
	case jsonx.Bool:
		return a2ui.Bool(v.Bool)
	}
	return a2ui.Literal{Data: v}
}
