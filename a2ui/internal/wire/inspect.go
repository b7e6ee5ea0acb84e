package wire

import (
	"strconv"

	"github.com/limn-ui/limn/internal/jsonptr"
	"github.com/limn-ui/limn/internal/jsonx"
)

// Inspect lists every fault of an envelope that Decode refuses, where Decode
// reports the first: members that are unknown, missing or of a wrong kind, and the
// first fault of each component. version is checked elsewhere.
func (c *Codec) Inspect(v jsonx.Node) []*Problem {
	var out []*Problem
	found := 0
	for e := v.Entries(); e.OK(); e = e.Next() {
		key, body := e.Key(), e.Value()
		if key == "version" && c.Versions != nil {
			continue
		}
		found++
		fields, known := c.Parts[key]
		switch {
		case !known:
			out = append(out, Bad(EnvelopeInvalid, jsonptr.Join(key), "unknown message %q", key))
		case body.Kind() != jsonx.Object:
			out = append(out, Bad(EnvelopeInvalid, "/"+key, "%s must be an object, not %s", key, body.Kind()))
		default:
			out = append(out, c.body(key, body, fields)...)
		}
	}
	if found != 1 {
		out = append(out, Bad(EnvelopeInvalid, "", "the message has %d members beside the version, want one", found))
	}
	return out
}

func (c *Codec) body(key string, body jsonx.Node, fields []Field) (out []*Problem) {
	eachFault(Part{key, body}, EnvelopeInvalid, nil, fields, make([]jsonx.Node, len(fields)),
		func(p *Problem) (more bool) {
			out = append(out, p)
			return true
		})
	if list := body.At("components"); list.Kind() == jsonx.Array {
		i := 0
		for e := list.Entries(); e.OK(); i, e = i+1, e.Next() {
			var m Component
			if p := c.Component(&m, e.Value()); p != nil {
				p.Component, p.Path = m.ID, "/components/"+strconv.Itoa(i)+p.Path
				out = append(out, p)
			}
		}
	}
	for _, p := range out {
		p.Surface = body.At("surfaceId").Text()
	}
	return out
}
