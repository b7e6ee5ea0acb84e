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
	for e := body.Entries(); e.OK(); e = e.Next() {
		known := false
		for _, f := range fields {
			if f.Key != e.Key() {
				continue
			}
			if known = true; f.Kind != jsonx.Null && f.Kind != e.Value().Kind() {
				out = append(out, Bad(EnvelopeInvalid, "/"+f.Key, "%s.%s must be a %s, not %s", key, f.Key, f.Kind,
					e.Value().Kind()))
			}
		}
		if !known {
			out = append(out, Bad(EnvelopeInvalid, jsonptr.Join(e.Key()), "%s has an unknown member %q", key, e.Key()))
		}
	}
	for _, f := range fields {
		if f.Required && !body.At(f.Key).Found() {
			out = append(out, Bad(EnvelopeInvalid, "/"+f.Key, "%s lacks %s", key, f.Key))
		}
	}
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
