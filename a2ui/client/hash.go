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

// ShownHash is the SHA-256, in hex, of the screen as the user sees it: roles, heading
// levels, texts after Markdown, values, options and actions, in reading order.
// Component ids, layout containers, order of messages and how a text was escaped
// do not count. Nor does how a dialect has to draw a thing, see semantic; so it is
// equal across dialects for what all of them can show. "" for an unknown surface.
//
// The values at the ignored paths, and everything computed from them, are the same
// for every client: for draft leaves that the user touched and no server wrote.
// Paths are as bound on the dialect, as Touched returns them.
func (c *Client) ShownHash(surface string, ignored ...string) string {
	return hashOf(c, surface, ignored, false)
}

// DetailedHash is ShownHash of everything that is drawn: details such as variants and
// bounds, failing checks and the buttons they disable. For clients of one
// dialect, since not every dialect has them.
func (c *Client) DetailedHash(surface string, ignored ...string) string {
	return hashOf(c, surface, ignored, true)
}

func hashOf(c *Client, surface string, ignored []string, details bool) string {
	s, ok := c.surfaces[surface]
	if !ok {
		return ""
	}
	data := s.data
	if len(ignored) > 0 {
		data = c.keep.data(data)
	}
	for _, path := range slices.Sorted(slices.Values(ignored)) {
		segs, err := c.rules.split(path)
		if err != nil {
			continue
		}
		_ = c.rules.put(&data, nil, segs, a2ui.Data{}, false) // where nothing can be written, nothing is read
	}
	root := []Shown{c.screen().view(s, data).Root}
	seen := []a2ui.Data{jsonx.OfBool(s.created), jsonx.OfArray(semantic(root)...)}
	if details {
		seen = append(seen, detailed(root))
	}
	return digest(jsonx.OfArray(seen...))
}

// semantic lists the things on the screen, in reading order, in one form for every
// way in which a dialect draws them:
//
//   - layout containers are their children, an empty Text is nothing, lines and
//     spaces are one space: not every Text of every dialect keeps them
//   - the label of an input is a Text before it, but for a CheckBox
//   - a Choice of many is a CheckBox for each option
//   - a placeholder is a text after the input, among others there: of
//     the texts and icons that follow an input for text, the words count and not
//     their order
//   - a button that opens an address, with one text in it, is a link, as is a
//     Text that is one
//   - of the details the address of a picture, a film, a sound or a link counts
func semantic(shown []Shown) (out []a2ui.Data) {
	items := flatten(shown)
	for i := 0; i < len(items); i++ {
		s := items[i]
		out = append(out, item(s))
		if s.Role != roleTextBox {
			continue
		}
		hint, _ := s.look("placeholder")
		words := strings.Fields(collapse(hint))
		for ; i+1 < len(items); i++ {
			_, link := items[i+1].look("url")
			if next := items[i+1]; next.Role == roleIcon {
				out = append(out, item(next))
			} else if next.Role == roleText && next.Markdown == "" && !link {
				words = append(words, strings.Fields(collapse(next.Text))...)
			} else {
				break
			}
		}
		slices.Sort(words)
		out = append(out, list(words, dataText))
	}
	return out
}

// flatten brings things to the forms that semantic compares.
func flatten(list []Shown) (out []Shown) {
	label := func(s *Shown) {
		if collapse(s.Text) != "" {
			out = append(out, Shown{Role: roleText, Text: s.Text})
		}
		s.Text = ""
	}
	for _, s := range list {
		switch s.Role {
		case roleColumn, roleRow, roleList, roleCard:
			out = append(out, flatten(s.Children)...)
			continue
		case "":
			continue
		case roleText:
			if collapse(s.Text) == "" {
				continue
			}
		case roleButton:
			inside := flatten(s.Children)
			if url, ok := s.look("url"); ok && len(inside) == 1 && inside[0].Role == roleText {
				s = inside[0]
				s.Details = []Detail{{"url", url}}
			}
		case roleChoice:
			label(&s)
			if variant, _ := s.look("variant"); variant == "multipleSelection" {
				for _, o := range s.Options {
					out = append(out, Shown{Role: roleCheckBox, Text: o.Label, Value: jsonx.OfBool(o.Selected)})
				}
				continue
			}
		case roleTextBox, roleSlider, roleDateTime:
			label(&s)
		}
		out = append(out, s)
	}
	return out
}

// look returns a detail by its name.
func (s Shown) look(name string) (string, bool) {
	for _, d := range s.Details {
		if d.Name == name {
			return d.Value, true
		}
	}
	return "", false
}

// collapse returns a text as it is seen where lines and spaces collapse.
func collapse(s string) string {
	return strings.Join(strings.Fields(strings.TrimSuffix(s, "\u200b")), " ")
}

// item writes one thing.
func item(s Shown) a2ui.Data {
	var members []a2ui.Member
	add := func(key string, v a2ui.Data) { members = append(members, a2ui.Member{Key: key, Value: v}) }
	add("role", dataText(s.Role))
	add("level", jsonx.OfInt(int64(s.Level)))
	add("text", dataText(collapse(s.Text)))
	if s.Markdown != "" {
		add("markdown", dataText(collapse(s.Markdown)))
	}
	if url, ok := s.look("url"); ok {
		add("url", unguard(dataText(url)))
	}
	add("value", unguard(s.Value))
	add("options", list(s.Options, func(o Option) a2ui.Data {
		return jsonx.OfArray(dataText(collapse(o.Label)), dataText(o.Value), jsonx.OfBool(o.Selected))
	}))
	add("actions", list(s.Actions, dataText))
	add("inside", jsonx.OfArray(semantic(s.Children)...))
	return jsonx.OfObject(members...)
}

// detailed writes what semantic leaves out, thing by thing, layout dissolved.
func detailed(shown []Shown) a2ui.Data {
	out := a2ui.Data{Kind: array}
	for _, s := range shown {
		inside := detailed(s.Children)
		switch s.Role {
		case roleColumn, roleRow, roleList, roleCard, "":
			out.Items = append(out.Items, inside.Items...)
			continue
		}
		details := slices.SortedFunc(slices.Values(s.Details),
			func(a, b Detail) int { return strings.Compare(a.Name, b.Name) })
		out.Items = append(out.Items, jsonx.OfArray(dataText(s.Role),
			dataText(strings.TrimSuffix(s.Text, "\u200b")),
			list(details, func(d Detail) a2ui.Data {
				return jsonx.OfArray(dataText(d.Name), unguard(dataText(d.Value)))
			}), list(s.Errors, dataText), jsonx.OfBool(s.Disabled), inside))
	}
	return out
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
		return tag(list(v, func(o a2ui.Option) a2ui.Data {
			return jsonx.OfArray(valueData(o.Label), dataText(o.Value))
		}))
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
		return tag(list(v, func(c a2ui.Check) a2ui.Data {
			return jsonx.OfArray(valueData(c.Condition), dataText(c.Message))
		}))
	}
	return dataText("unknown " + strconv.Quote(fmt.Sprintf("%T", v)))
}
