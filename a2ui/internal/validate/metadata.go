package validate

import (
	"strconv"

	"github.com/limn-ui/limn/a2ui/internal/wire"
)

// metadataRules checks metadata.
type metadataRules struct{ *run }

// metadata checks {extensions: {name: anything}}. Clients ignore the names they
// do not know; those with a2ui_ are the specification's own.
func (r metadataRules) metadata(v wire.Value) {
	outer, ok := r.custom().fieldsOf(v)
	for i := range outer {
		r.push(outer[i].Name)
		if outer[i].Name != "extensions" {
			r.add(wire.ComponentProperty, "put it into extensions", "metadata has no member %q", clip(outer[i].Name))
		} else if names, is := r.custom().fieldsOf(outer[i].Value); is {
			r.extensions(names)
		} else {
			r.wrong("an object", outer[i].Value)
		}
		r.pop()
	}
	if !ok {
		r.wrong("an object with extensions", v)
	}
	r.structures().once(outer)
}

func (r metadataRules) extensions(names []wire.Prop) {
	for i := range names {
		r.push(names[i].Name)
		r.literal(names[i].Name)
		switch name := names[i].Name; {
		case !wire.IsName(name):
			r.add(wire.ComponentProperty, "", "%s is not an identifier", strconv.Quote(clip(name)))
		case r.Safe && len(name) >= 5 && name[:5] == "a2ui_":
			r.add(wire.ComponentProperty, "", "the name %q is reserved", clip(name))
		}
		r.inAction = true // not drawn
		r.values().value(&anything, names[i].Value, 0)
		r.inAction = false
		r.pop()
	}
	r.structures().once(names)
}
