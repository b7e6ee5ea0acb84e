package compile

import (
	"slices"

	"github.com/limn-ui/limn/a2ui"
)

// sameComponent reports whether two components would be written alike.
func sameComponent(a, b *a2ui.Component) bool {
	return a.ID == b.ID && a.Type == b.Type && a.Weight == b.Weight && sameProps(a.Props, b.Props)
}

func sameProps(a, b []a2ui.Prop) bool {
	return slices.EqualFunc(a, b, func(a, b a2ui.Prop) bool { return a.Name == b.Name && sameValue(a.Value, b.Value) })
}

// sameValue compares the values this package emits; any other kind differs
// from itself, so that it is sent rather than missed.
func sameValue(a, b a2ui.Value) bool {
	switch a := a.(type) {
	case a2ui.String, a2ui.Path, a2ui.Ref, a2ui.Bool:
		return a == b
	case a2ui.Literal:
		b, ok := b.(a2ui.Literal)
		return ok && sameData(a.Data, b.Data)
	case a2ui.Refs:
		b, ok := b.(a2ui.Refs)
		return ok && slices.Equal(a, b)
	case a2ui.Options:
		b, ok := b.(a2ui.Options)
		return ok && slices.EqualFunc(a, b, func(a, b a2ui.Option) bool { return a.Value == b.Value && sameValue(a.Label, b.Label) })
	case a2ui.Tabs:
		b, ok := b.(a2ui.Tabs)
		return ok && slices.EqualFunc(a, b, func(a, b a2ui.Tab) bool { return a.Child == b.Child && sameValue(a.Title, b.Title) })
	case a2ui.Event:
		b, ok := b.(a2ui.Event)
		return ok && a.Name == b.Name && sameProps(a.Context, b.Context)
	case a2ui.Local:
		b, ok := b.(a2ui.Local)
		return ok && sameCall(a.Call, b.Call)
	case a2ui.Checks:
		b, ok := b.(a2ui.Checks)
		return ok && slices.EqualFunc(a, b, func(a, b a2ui.Check) bool {
			return a.Message == b.Message && sameValue(a.Condition, b.Condition)
		})
	case a2ui.Call:
		b, ok := b.(a2ui.Call)
		return ok && sameCall(a, b)
	case a2ui.List:
		b, ok := b.(a2ui.List)
		return ok && slices.EqualFunc(a, b, sameValue)
	}
	return false
}

func sameCall(a, b a2ui.Call) bool {
	return a.Func == b.Func && a.ReturnType == b.ReturnType && a.CatalogID == b.CatalogID && sameProps(a.Args, b.Args)
}

func sameData(a, b a2ui.Data) bool {
	return a.Kind == b.Kind && a.Bool == b.Bool && a.Str == b.Str && slices.EqualFunc(a.Items, b.Items, sameData) &&
		slices.EqualFunc(a.Members, b.Members, func(a, b a2ui.Member) bool { return a.Key == b.Key && sameData(a.Value, b.Value) })
}
