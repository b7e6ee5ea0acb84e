package a2ui

import (
	"strconv"

	"github.com/limn-ui/limn/internal/jsonptr"
	"github.com/limn-ui/limn/internal/jsonx"
)

// WireType returns what d calls a component type, such as MultipleChoice for
// ChoicePicker on v0.8.
func (d Dialect) WireType(component string) string {
	if c := d.codec(); c != nil && c.Names != nil && c.Names.Type != nil {
		return c.Names.Type(component)
	}
	return component
}

// WireProp returns what d calls a property of a component.
func (d Dialect) WireProp(component, prop string) string {
	if c := d.codec(); c != nil && c.Names != nil {
		return c.Names.Prop(component, prop)
	}
	return prop
}

// WireEnum returns how d writes one of the listed values of a property.
func (d Dialect) WireEnum(component, prop, value string) string {
	if c := d.codec(); c != nil && c.Names != nil && c.Names.Enum != nil {
		return c.Names.Enum(component, prop, value)
	}
	return value
}

// WirePath turns a JSON Pointer into the body of m that has neutral names into
// one that has those of d. Problems of decoders and validators have it already.
func (d Dialect) WirePath(m Message, path string) string {
	if c := d.codec(); c != nil && c.Names != nil && path != "" {
		return c.Names.Path(m, path)
	}
	return path
}

// Locate returns the byte column, from 1, at which the value stands in a line
// that p complains of: that of its path, or where that is missing the object it
// is missing in, or the id of its component. It is 0 if the line does not tell.
func Locate(line []byte, p Problem) int {
	doc, err := jsonx.Scan(line, jsonx.Limits{Bytes: len(line) + 1, String: len(line) + 1, Entries: len(line) + 1, Depth: 256})
	if err != nil {
		return p.Column
	}
	root := doc.Root()
	key, body := bodyOf(root)
	at, found := lookup(body, p.Path)
	switch {
	case p.Path == "/version" || p.Path == "/"+key || body.Kind() != jsonx.Object:
		at, _ = lookup(root, p.Path)
	case !found && at == body || p.Path == "":
		for e := body.At("components").Entries(); e.OK() && p.Component != ""; e = e.Next() {
			if id := e.Value().At("id"); id.Text() == p.Component {
				return id.Off() + 1
			}
		}
		if p.Path == "" && p.Component != "" {
			return 0
		}
	}
	return at.Off() + 1
}

// bodyOf returns the first member of an envelope that is not its version.
func bodyOf(root jsonx.Node) (key string, body jsonx.Node) {
	for e := root.Entries(); e.OK(); e = e.Next() {
		if key = e.Key(); key != "version" {
			return key, e.Value()
		}
	}
	return "", root
}

// lookup follows a pointer from v as far as it leads; found is false if that is
// not to its end.
func lookup(v jsonx.Node, path string) (_ jsonx.Node, found bool) {
	steps, err := jsonptr.Split(path)
	if err != nil {
		return v, false
	}
	for _, step := range steps {
		next, ok := v.Get(step)
		if index, err := strconv.Atoi(step); err == nil && v.Kind() == jsonx.Array {
			next, ok = v.Item(index)
		}
		if !ok {
			return v, false
		}
		v = next
	}
	return v, true
}
