package client

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/internal/jsonx"
)

// HashOption changes what ShownHash sees.
type HashOption func(*hashing)

type hashing struct{ ignored []string }

// IgnorePaths makes the values at these paths, and everything computed from
// them, the same for every client: for draft leaves that the user touched and
// no server wrote. Paths are as bound on the dialect, as Touched returns them.
func IgnorePaths(paths ...string) HashOption {
	return func(h *hashing) { h.ignored = append(h.ignored, paths...) }
}

// ShownHash is the SHA-256, in hex, of what the user sees: roles, heading
// levels, texts, values, options, visible details, action names and failing
// checks, in reading order. Component ids, layout containers, order of
// messages and how a text was escaped do not count. "" for an unknown surface.
func (c *Client) ShownHash(surface string, opts ...HashOption) string {
	s, ok := c.surfaces[surface]
	if !ok {
		return ""
	}
	var h hashing
	for _, o := range opts {
		o(&h)
	}
	data := s.data
	if len(h.ignored) > 0 {
		data = c.keep.data(data)
	}
	for _, path := range slices.Sorted(slices.Values(h.ignored)) {
		segs, err := c.rules.split(path)
		if err != nil {
			continue
		}
		_ = c.rules.put(&data, segs, a2ui.Data{}, false) // where nothing can be written, nothing is read
	}
	v := c.view(s, data)
	seen := semantic(v.Root)
	return digest(jsonx.OfArray(append([]a2ui.Data{jsonx.OfBool(s.created)}, seen...)...))
}

// semantic lists what s shows, layout containers dissolved into their children.
//
// Hashes are compared within one dialect today. To compare across dialects,
// groups that are drawn with other components must be brought to one form here,
// after flattening: several CheckBoxes of one v0.8 "choose many" are one Choice
// elsewhere (regroup by the common prefix of Bound), an Upload is a Text or a
// Button, and Details that a dialect lacks (placeholder) must go.
func semantic(s Shown) []a2ui.Data {
	var inside []a2ui.Data
	for _, child := range s.Children {
		inside = append(inside, semantic(child)...)
	}
	switch s.Role {
	case Column, Row, List, Card:
		return inside
	case "":
		return nil
	}
	var members []a2ui.Member
	add := func(key string, v a2ui.Data) { members = append(members, a2ui.Member{Key: key, Value: v}) }
	add("role", dataText(string(s.Role)))
	add("level", jsonx.OfInt(int64(s.Level)))
	add("text", unguard(dataText(s.Text)))
	add("value", unguard(s.Value))
	details := slices.SortedFunc(slices.Values(s.Details), func(a, b Detail) int { return strings.Compare(a.Name, b.Name) })
	add("details", list(details, func(d Detail) a2ui.Data { return jsonx.OfArray(dataText(d.Name), unguard(dataText(d.Value))) }))
	add("options", list(s.Options, func(o Option) a2ui.Data {
		return jsonx.OfArray(unguard(dataText(o.Label)), dataText(o.Value), jsonx.OfBool(o.Selected))
	}))
	add("actions", list(s.Actions, dataText))
	add("errors", list(s.Errors, dataText))
	add("disabled", jsonx.OfBool(s.Disabled))
	add("inside", jsonx.OfArray(inside...))
	return []a2ui.Data{jsonx.OfObject(members...)}
}

func list[T any](in []T, f func(T) a2ui.Data) a2ui.Data {
	out := a2ui.Data{Kind: array}
	for _, x := range in {
		out.Items = append(out.Items, f(x))
	}
	return out
}

// unguard removes the U+200B that keeps a v0.8 client from parsing a string,
// and writes numbers in one form.
func unguard(v a2ui.Data) a2ui.Data {
	switch v.Kind {
	case text:
		return dataText(strings.TrimSuffix(v.Str, "\u200b"))
	case number:
		return a2ui.Data{Kind: number, Str: show(v)}
	case array:
		return list(v.Items, unguard)
	}
	return v
}

// ExactHash is the SHA-256, in hex, of all a client holds for a surface, shown
// or not: components with every property, data, root, catalog and theme. Equal
// after the same messages, however they travelled. "" for an unknown surface.
func (c *Client) ExactHash(surface string) string {
	s, ok := c.surfaces[surface]
	if !ok {
		return ""
	}
	comps := a2ui.Data{Kind: object}
	for _, id := range slices.Sorted(maps.Keys(s.comps)) {
		comp := s.comps[id]
		comps.Members = append(comps.Members, a2ui.Member{Key: id, Value: jsonx.OfArray(
			dataText(comp.Type), dataText(comp.CatalogID), numberData(comp.Weight), propsData(comp.Props))})
	}
	return digest(jsonx.OfArray(jsonx.OfBool(s.created), dataText(s.root), dataText(s.catalog),
		s.theme, jsonx.OfBool(s.send), comps, s.data))
}

func digest(v a2ui.Data) string {
	sum := sha256.Sum256(jsonx.AppendCanonical(nil, v))
	return hex.EncodeToString(sum[:])
}

func propsData(props []a2ui.Prop) a2ui.Data {
	out := a2ui.Data{Kind: object}
	for _, p := range props {
		out.Members = append(out.Members, a2ui.Member{Key: p.Name, Value: valueData(p.Value)})
	}
	return out
}

// valueData writes a value so that different values differ: its type, then it.
func valueData(v a2ui.Value) a2ui.Data {
	tag := func(parts ...a2ui.Data) a2ui.Data {
		return jsonx.OfArray(append([]a2ui.Data{dataText(fmt.Sprintf("%T", v))}, parts...)...)
	}
	switch v := v.(type) {
	case a2ui.String:
		return tag(dataText(string(v)))
	case a2ui.Bool:
		return tag(jsonx.OfBool(bool(v)))
	case a2ui.Literal:
		return tag(v.Data)
	case a2ui.Path:
		return tag(dataText(string(v)))
	case a2ui.Ref:
		return tag(dataText(string(v)))
	case a2ui.Refs:
		return tag(list(v, dataText))
	case a2ui.Template:
		return tag(dataText(v.Component), dataText(v.Path))
	case a2ui.Call:
		return tag(dataText(v.Func), propsData(v.Args), dataText(v.ReturnType), dataText(v.CatalogID))
	case a2ui.List:
		return tag(list(v, valueData))
	case a2ui.Object:
		return tag(propsData(v))
	case a2ui.Options:
		return tag(list(v, func(o a2ui.Option) a2ui.Data { return jsonx.OfArray(valueData(o.Label), dataText(o.Value)) }))
	case a2ui.Tabs:
		return tag(list(v, func(t a2ui.Tab) a2ui.Data { return jsonx.OfArray(valueData(t.Title), dataText(t.Child)) }))
	case a2ui.Event:
		if v.UserMessage == nil {
			return tag(dataText(v.Name), propsData(v.Context))
		}
		return tag(dataText(v.Name), propsData(v.Context), valueData(v.UserMessage))
	case a2ui.Local:
		return tag(valueData(v.Call))
	case a2ui.Checks:
		return tag(list(v, func(c a2ui.Check) a2ui.Data { return jsonx.OfArray(valueData(c.Condition), dataText(c.Message)) }))
	}
	return dataText("unknown " + strconv.Quote(fmt.Sprintf("%T", v)))
}
