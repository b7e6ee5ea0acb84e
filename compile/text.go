package compile

import (
	"hash/fnv"
	"strconv"
	"strings"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/ui"
)

// textMaker writes texts and bindings to them.
type textMaker struct{ *drawing }

// idPrefix starts every component id that is not the root's.
const idPrefix = "c#"

// empty represents a text without characters where a client shows "(empty)".
const empty = "\u200B"

// literal is a text as the value of a property: escaped, and bound to data of
// its own where a client would take it for a component id.
func (d textMaker) literal(component, variant, property, text string) a2ui.Value {
	return d.verbatim(d.escape(component, variant, property, text))
}

func (d textMaker) verbatim(text string) a2ui.Value {
	if !d.f.LiteralsAreRefs || !strings.HasPrefix(text, idPrefix) {
		return a2ui.String(text)
	}
	path := ui.PathOf("literal", hashKey(text))
	d.data.put(path, leaf{val: a2ui.Data{Kind: kindString, Str: text}, shape: shapeRaw})
	return d.bind(path)
}

// hashKey is a data key made from a text.
func hashKey(text string) string {
	h := fnv.New64a()
	h.Write([]byte(text))
	return "t" + strconv.FormatUint(h.Sum64(), 16)
}

func (d textMaker) escape(component, variant, property, text string) string {
	text = a2ui.Escape(d.target.Dialect, component, variant, property, text)
	if text == "" && component == "Text" && d.f.EmptyShown {
		return empty
	}
	return text
}

// bind is a binding to a leaf.
func (d textMaker) bind(p ui.Path) a2ui.Value { return a2ui.Path(d.leafPath(p)) }

// leafPath is where the value of a leaf is found.
func (d textMaker) leafPath(p ui.Path) string {
	if d.f.LeafKey != "" {
		return string(p) + "/" + d.f.LeafKey
	}
	return string(p)
}

// text draws a Text with a literal.
func (d textMaker) text(at ui.KeyPath, variant, text string) string {
	return d.textValue(at, variant, d.literal("Text", variant, "text", text))
}

func (d textMaker) textValue(at ui.KeyPath, variant string, v a2ui.Value) string {
	name := vBody
	if variant == "caption" {
		name = vCaption
	} else if variant != "body" {
		name = a2ui.String(variant)
	}
	return d.add(at.ComponentID("Text"), "Text", prop("text", v), prop("variant", name))
}

var headings = [...]string{1: "h1", 2: "h2", 3: "h3", 4: "h4", 5: "h5"}

// heading draws a Text of one line: by its variant, or without a variant by the
// Markdown mark.
func (d textMaker) heading(at ui.KeyPath, level int, text string) string {
	level = min(max(level, 1), 5)
	text = strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' }), " ")
	if d.f.HeadingVariant {
		return d.text(at, headings[level], text)
	}
	marked := strings.Repeat("#", level) + " " + a2ui.Escape(d.target.Dialect, "Text", headings[level], "text", text)
	return d.textValue(at, "body", d.verbatim(marked))
}

// shownText draws the value at a path, or the literal where there is no path or no value.
func (d textMaker) shownText(at ui.KeyPath, p ui.Path, literal, variant string) string {
	if p == "" {
		return d.text(at, variant, literal)
	}
	v, plain, bound := d.shown(p, literal, variant)
	if bound {
		return d.textValue(at, plain, v)
	}
	return d.text(at, variant, d.readable(d.value(p, string(at)), literal))
}

// shown binds a Text to a path. Users type data that cannot be escaped, so such a path
// is bound only under a variant that shows the text as it is. bound is false without
// such a variant, and where the data hold another text: draw the value the server knows instead.
func (d textMaker) shown(p ui.Path, literal, variant string) (v a2ui.Value, as string, bound bool) {
	if owner := d.owner(p); owner != nil {
		if _, isText := owner.(*ui.Choice); isText || !d.plain("caption") {
			return nil, "", false
		}
		if _, isUpload := owner.(*ui.Upload); isUpload || ui.InputOf(owner) == nil {
			return nil, "", false
		}
		in := ui.InputOf(owner)
		d.values().putInput(in.Path, &in.Field)
		return d.bind(p), "caption", true
	}
	value := d.value(p, string(p))
	data, shape := d.shownData(value, literal, variant), shapeShown
	if data.Str == value.Text() && d.plain(variant) {
		shape = shapePlain
	}
	put := d.data.put(p, leaf{val: data, shape: shape})
	bound = put != nil && put.kids == nil && put.leaf.shape == shape && put.leaf.val.Str == data.Str
	return d.bind(p), variant, bound
}

// shownData is the text form of a value that only the server writes.
func (d textMaker) shownData(v ui.Value, literal, variant string) a2ui.Data {
	return d.stringData(d.escape("Text", variant, "text", d.readable(v, literal)))
}

// readable is a value as people read it, as in HTML. Of null it is the literal.
func (d textMaker) readable(v ui.Value, literal string) string {
	if v.IsNull() {
		return literal
	}
	return (ui.Field{}).Shown(d.words, v)
}

// plain reports whether a Text of that variant shows data as they are.
func (d textMaker) plain(variant string) bool {
	const probe = "*_`#[<a>](b)"
	return a2ui.Escape(d.target.Dialect, "Text", variant, "text", probe) == probe
}

// owner returns the input or rowset of the surface whose data a path is in.
func (d textMaker) owner(p ui.Path) ui.Node {
	if !p.Under(ui.DraftRoot) {
		return nil
	}
	for n := range ui.All(d.surface.Tree()) {
		if in := ui.InputOf(n); in != nil && in.Path == p {
			return n
		}
		if rs := ui.RowsetOf(n); rs != nil && within(p, rs.Path) {
			return n
		}
	}
	return nil
}

// within reports whether p is base or below it.
func within(p, base ui.Path) bool {
	return len(p) >= len(base) && p[:len(base)] == base && (len(p) == len(base) || p[len(base)] == '/')
}

// related reports whether one of two paths is within the other.
func related(p, q ui.Path) bool {
	if len(p) < len(q) {
		p, q = q, p
	}
	return within(p, q)
}

// stringData is a text as data, kept from being parsed as JSON by clients that
// do so; ingress strips the trailing U+200B.
func (d textMaker) stringData(s string) a2ui.Data {
	return a2ui.Data{Kind: kindString, Str: a2ui.Guard(d.target.Dialect, s)}
}
