package gateway

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/internal/excerpt"
	"github.com/limn-ui/limn/internal/jsonptr"
	"github.com/limn-ui/limn/internal/jsonx"
)

// healed reads a line that is no JSON where only one meaning is left.
func healed(raw []byte, was error) (a2ui.Dialect, []a2ui.Message, error) {
	var p *a2ui.Problem
	if errors.As(was, &p) && p.Code == a2ui.EnvelopeClientMessage || json.Valid(raw) {
		return 0, nil, was
	}
	list, err := a2ui.FixPayload(raw)
	if err != nil {
		return 0, nil, was
	}
	return a2ui.DecodeMessages(jsonx.Append(nil, jsonx.OfArray(list...)))
}

// maxTrimmed bounds the properties that a line is read without: it is read again for each.
const maxTrimmed = 20

// trimmed reads a line without the properties that the version of the agent does not have, as clients do.
func (in *Intake) trimmed(raw []byte, was error) (d a2ui.Dialect, list []a2ui.Message, err error) {
	v, _ := jsonx.Parse(raw, jsonx.Limits{Bytes: len(raw), String: len(raw)})
	err = was
	for range maxTrimmed {
		var p *a2ui.Problem
		if !errors.As(err, &p) || p.Code != a2ui.ComponentProperty {
			break
		}
		_, path, _ := strings.Cut(p.Path, "/component/") // also in other components of the type
		segs, _ := jsonptr.Split("/component/" + path)
		if len(segs) < 3 || !cut(&v, segs) {
			break
		}
		in.refuse(CodeProperty, p.Surface, "%s: it is left out", p.Message)
		d, list, err = a2ui.DecodeMessages(jsonx.Append(nil, v))
	}
	return d, list, err
}

// cut removes the member at a path, wherever that begins in v, and reports whether there was one. One that binds data
// stays: without it, what is typed would be lost.
func cut(v *jsonx.Value, path []string) (found bool) {
	at := v
	for _, key := range path[:len(path)-1] {
		i := slices.IndexFunc(at.Members, func(m jsonx.Member) bool { return m.Key == key })
		if i < 0 {
			at = &jsonx.Value{}
			break
		}
		at = &at.Members[i].Value
	}
	before := len(at.Members)
	at.Members = slices.DeleteFunc(at.Members, func(m jsonx.Member) bool {
		_, bound := m.Value.Get("path")
		return m.Key == path[len(path)-1] && !bound
	})
	found = len(at.Members) < before
	for i := range v.Items {
		found = cut(&v.Items[i], path) || found
	}
	for i := range v.Members {
		found = cut(&v.Members[i].Value, path) || found
	}
	return found
}

// heal is a message without what clients leave out, and in the form that its version wants. same reports that nothing
// was changed.
func (in *Intake) heal(m a2ui.Message) (list []a2ui.Message, same bool) {
	switch m := m.(type) {
	case *a2ui.CreateSurface: // of v1.0 with all of it
		return []a2ui.Message{m}, !in.strip(m.SurfaceID, m.Components)
	case *a2ui.UpdateComponents:
		return []a2ui.Message{m}, !in.strip(m.SurfaceID, m.Components)
	case *a2ui.UpdateData:
		if in.agent.Dialect.Features().FlatData {
			if !in.splits(in.agent.Limits, m) {
				in.refuse(CodeLimit, m.SurfaceID, "its nested data are more messages, or bytes, than one answer may have")
				return nil, false
			}
			list = levels(m)
			return list, len(list) == 1
		}
	}
	return []a2ui.Message{m}, true
}

// splits counts the messages that nested data become, and the bytes that these have more, if the limits have room.
func (s *spent) splits(l Limits, m *a2ui.UpdateData) bool {
	parts, size := 0, 0
	var add func(path []byte, v a2ui.Data)
	add = func(path []byte, v a2ui.Data) {
		for _, one := range v.Members {
			if isMap(one) && slices.ContainsFunc(one.Value.Members, isMap) {
				below := jsonptr.AppendSegment(path, one.Key)
				parts, size = parts+1, size+len(m.SurfaceID)+len(below)
				add(below, one.Value)
			}
		}
	}
	add([]byte(strings.TrimSuffix(m.Path, "/")), m.Value)
	if s.count+parts > l.Messages || s.bytes+size > l.Bytes {
		return false
	}
	s.count, s.bytes = s.count+parts, s.bytes+size
	return true
}

func isMap(m a2ui.Member) bool { return m.Value.Kind == jsonx.Object }

// strip removes properties that the catalog does not have, and reports whether there were some. One that binds data
// stays, and is a fault.
func (in *Intake) strip(surface string, components []a2ui.Component) (some bool) {
	for i := range components {
		c := &components[i]
		def := in.agent.Basis().Components[c.Type]
		if def == nil || def.Open || c.CatalogID != "" && c.CatalogID != in.agent.Basis().ID {
			continue
		}
		unknown := func(p a2ui.Prop) bool {
			row, _ := def.Find(p.Name)
			_, bound := p.Value.(a2ui.Path)
			return row == nil && !bound
		}
		for _, p := range c.Props {
			if unknown(p) {
				some = true
				name := excerpt.Of(p.Name, 40)
				in.refuse(CodeProperty, surface, "%s has no property %q: it is left out", c.Type, name)
			}
		}
		if some {
			c.Props = slices.DeleteFunc(c.Props, unknown)
		}
	}
	return some
}

// levels is a write of nested data where a message holds a map of maps: one for each map that holds others, from the
// root down. Their places are kept, so that lists have their order.
func levels(m *a2ui.UpdateData) []a2ui.Message {
	top := *m
	list, below := []a2ui.Message{&top}, []a2ui.Message(nil)
	top.Value.Members = slices.Clone(m.Value.Members)
	for i, one := range top.Value.Members {
		if isMap(one) && slices.ContainsFunc(one.Value.Members, isMap) {
			path := string(jsonptr.AppendSegment([]byte(strings.TrimSuffix(m.Path, "/")), one.Key))
			below = append(below, levels(&a2ui.UpdateData{SurfaceID: m.SurfaceID, Path: path, Value: one.Value})...)
			top.Value.Members[i].Value = jsonx.OfObject()
		}
	}
	return append(list, below...)
}
