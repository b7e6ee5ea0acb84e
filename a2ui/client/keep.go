package client

import (
	"slices"
	"strings"

	"github.com/limn-ui/limn/a2ui"
)

// keeper copies the parts of a message that a client keeps, so that a long-lived text
// does not hold the bytes of its line, and no value that others hold is written to.
// Repeated names are kept once.
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
		v.Items = copied(v.Items, k.data)
	case object:
		v.Members = copied(v.Members, func(m a2ui.Member) a2ui.Member {
			return a2ui.Member{Key: k.name(m.Key), Value: k.data(m.Value)}
		})
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
	return copied(props, func(p a2ui.Prop) a2ui.Prop {
		return a2ui.Prop{Name: k.name(p.Name), Value: k.value(p.Value)}
	})
}

// copied returns a list of the copies of its items.
func copied[L ~[]T, T any](list L, one func(T) T) L {
	list = slices.Clone(list)
	for i := range list {
		list[i] = one(list[i])
	}
	return list
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
		return copied(v, k.name)
	case a2ui.Template:
		return a2ui.Template{Component: k.name(v.Component), Path: strings.Clone(v.Path)}
	case a2ui.Call:
		return k.call(v)
	case a2ui.List:
		return copied(v, k.value)
	case a2ui.Object:
		return a2ui.Object(k.props(v))
	case a2ui.Options:
		return copied(v, func(o a2ui.Option) a2ui.Option {
			return a2ui.Option{Label: k.value(o.Label), Value: strings.Clone(o.Value)}
		})
	case a2ui.Tabs:
		return copied(v, func(t a2ui.Tab) a2ui.Tab {
			return a2ui.Tab{Title: k.value(t.Title), Child: k.name(t.Child)}
		})
	case a2ui.Event:
		return a2ui.Event{Name: strings.Clone(v.Name), Context: k.props(v.Context), UserMessage: k.value(v.UserMessage)}
	case a2ui.Local:
		return a2ui.Local{Call: k.call(v.Call)}
	case a2ui.Checks:
		return copied(v, func(c a2ui.Check) a2ui.Check {
			return a2ui.Check{Condition: k.value(c.Condition), Message: strings.Clone(c.Message)}
		})
	}
	return v
}

func (k *keeper) call(c a2ui.Call) a2ui.Call {
	c.Func, c.CatalogID, c.ReturnType = k.name(c.Func), k.name(c.CatalogID), k.name(c.ReturnType)
	c.Args = k.props(c.Args)
	return c
}
