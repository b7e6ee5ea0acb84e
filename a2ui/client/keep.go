package client

import (
	"slices"
	"strings"

	"github.com/limn-ui/limn/a2ui"
)

// keeper copies what a client keeps of a message, so that a text that lives on
// does not hold the bytes of the line it came in, and nothing that others hold
// is written to. Names that come again and again are kept once.
type keeper struct{ names map[string]string }

const maxNames = 4096 // of one keeper; beyond, names are copied one by one

func (k *keeper) name(s string) string {
	if kept, ok := k.names[s]; ok {
		return kept
	}
	s = strings.Clone(s)
	if len(k.names) < maxNames && len(s) <= 64 {
		if k.names == nil {
			k.names = map[string]string{}
		}
		k.names[s] = s
	}
	return s
}

func (k *keeper) data(v a2ui.Data) a2ui.Data {
	switch v.Kind {
	case text, number:
		v.Str = strings.Clone(v.Str)
	case array:
		v.Items = slices.Clone(v.Items)
		for i := range v.Items {
			v.Items[i] = k.data(v.Items[i])
		}
	case object:
		v.Members = slices.Clone(v.Members)
		for i := range v.Members {
			v.Members[i] = a2ui.Member{Key: k.name(v.Members[i].Key), Value: k.data(v.Members[i].Value)}
		}
	default: // null and booleans hold nothing
	}
	return v
}

func (k *keeper) component(c a2ui.Component) a2ui.Component {
	c.ID, c.Type, c.CatalogID = k.name(c.ID), k.name(c.Type), k.name(c.CatalogID)
	c.Props = k.props(c.Props)
	return c
}

func (k *keeper) props(props []a2ui.Prop) []a2ui.Prop {
	props = slices.Clone(props)
	for i, p := range props {
		props[i] = a2ui.Prop{Name: k.name(p.Name), Value: k.value(p.Value)}
	}
	return props
}

// value copies a value; one of a foreign type stays as it is.
func (k *keeper) value(v a2ui.Value) a2ui.Value {
	switch v := v.(type) {
	case a2ui.String:
		return a2ui.String(strings.Clone(string(v)))
	case a2ui.Literal:
		return a2ui.Literal{Data: k.data(v.Data)}
	case a2ui.Path:
		return a2ui.Path(strings.Clone(string(v)))
	case a2ui.Ref:
		return a2ui.Ref(k.name(string(v)))
	case a2ui.Refs:
		v = slices.Clone(v)
		for i := range v {
			v[i] = k.name(v[i])
		}
		return v
	case a2ui.Template:
		return a2ui.Template{Component: k.name(v.Component), Path: strings.Clone(v.Path)}
	case a2ui.Call:
		return k.call(v)
	case a2ui.List:
		v = slices.Clone(v)
		for i := range v {
			v[i] = k.value(v[i])
		}
		return v
	case a2ui.Object:
		return a2ui.Object(k.props(v))
	case a2ui.Options:
		v = slices.Clone(v)
		for i := range v {
			v[i] = a2ui.Option{Label: k.value(v[i].Label), Value: strings.Clone(v[i].Value)}
		}
		return v
	case a2ui.Tabs:
		v = slices.Clone(v)
		for i := range v {
			v[i] = a2ui.Tab{Title: k.value(v[i].Title), Child: k.name(v[i].Child)}
		}
		return v
	case a2ui.Event:
		return a2ui.Event{Name: strings.Clone(v.Name), Context: k.props(v.Context), UserMessage: k.value(v.UserMessage)}
	case a2ui.Local:
		return a2ui.Local{Call: k.call(v.Call)}
	case a2ui.Checks:
		v = slices.Clone(v)
		for i := range v {
			v[i] = a2ui.Check{Condition: k.value(v[i].Condition), Message: strings.Clone(v[i].Message)}
		}
		return v
	}
	return v
}

func (k *keeper) call(c a2ui.Call) a2ui.Call {
	c.Func, c.CatalogID, c.ReturnType = k.name(c.Func), k.name(c.CatalogID), k.name(c.ReturnType)
	c.Args = k.props(c.Args)
	return c
}
