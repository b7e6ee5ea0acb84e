package modeltext

import (
	"strconv"

	"github.com/limn-ui/limn/a2ui/internal/wire"
	"github.com/limn-ui/limn/internal/jsonx"
)

// member is one that the body of a message has.
type member struct {
	key      string
	kind     jsonx.Kind
	required bool
}

// bodies are the messages with the members that matter here, by key.
var bodies = map[string][]member{
	"beginRendering": {{"surfaceId", jsonx.String, true}, {"root", jsonx.String, true},
		{"styles", jsonx.Object, false}},
	"surfaceUpdate":         {{"surfaceId", jsonx.String, true}, {"components", jsonx.Array, true}},
	"dataModelUpdate":       {{"surfaceId", jsonx.String, true}, {"contents", jsonx.Array, true}},
	"deleteSurface":         {{"surfaceId", jsonx.String, true}},
	"createSurface":         {{"surfaceId", jsonx.String, true}, {"catalogId", jsonx.String, false}},
	"updateComponents":      {{"surfaceId", jsonx.String, true}, {"components", jsonx.Array, true}},
	"updateDataModel":       {{"surfaceId", jsonx.String, true}, {"path", jsonx.String, false}},
	"callRendererFunction":  {{"functionCallId", jsonx.String, true}, {"callFunction", jsonx.Object, true}},
	"agentFunctionResponse": {{"functionCallId", jsonx.String, true}},
}

// CheckEnvelope reports whether JSON is exactly one message with the members it
// needs, and whether its components have an id and a type; nil = it is. Each
// component is shown to component: on v0.8 (old) props is the object below the
// type, else the component itself.
func CheckEnvelope(json []byte, component func(path, typ string, old bool,
	props jsonx.Node) *wire.Problem) *wire.Problem {
	doc, err := jsonx.Scan(json, jsonx.Limits{Bytes: len(json), String: len(json)})
	if err != nil {
		return wire.FromJSON(err, json, wire.EnvelopeUnreadable, wire.LimitBytes)
	}
	body, err := wire.Body(doc.Root(), "version", wire.EnvelopeInvalid)
	if p, ok := err.(*wire.Problem); ok {
		return p
	}
	members := bodies[body.Key]
	if members == nil {
		return wire.Bad(wire.EnvelopeInvalid, "", "unknown message %q", body.Key)
	}
	for _, m := range members {
		got, ok := body.Value.Get(m.key)
		if !ok && m.required {
			return wire.Bad(wire.EnvelopeInvalid, "/"+m.key, "%s lacks %s", body.Key, m.key)
		}
		if ok && got.Kind() != m.kind {
			return wire.Bad(wire.EnvelopeInvalid, "/"+m.key, "%s.%s must be a %s, not %s", body.Key, m.key, m.kind,
				got.Kind())
		}
	}
	typ := jsonx.String
	if body.Key == "surfaceUpdate" {
		typ = jsonx.Object
	}
	i := 0
	for e := body.Value.At("components").Entries(); e.OK(); i, e = i+1, e.Next() {
		c, path := e.Value(), "/components/"+strconv.Itoa(i)
		if c.At("id").Kind() != jsonx.String {
			return wire.Bad(wire.EnvelopeInvalid, path+"/id", "a component needs an id")
		}
		name := c.At("component")
		if name.Kind() != typ || typ == jsonx.Object && name.Len() != 1 {
			return wire.Bad(wire.EnvelopeInvalid, path+"/component", "a component needs its type as a %s", typ)
		}
		text, props, old := name.Text(), c, typ == jsonx.Object
		if old {
			inner := name.Entries()
			text, props = inner.Key(), inner.Value()
		}
		if p := component(path, text, old, props); p != nil {
			p.Component = c.At("id").Text()
			return p
		}
	}
	return nil
}
