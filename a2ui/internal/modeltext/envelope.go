package modeltext

import (
	"strconv"

	"github.com/limn-ui/limn/a2ui/internal/wire"
	"github.com/limn-ui/limn/internal/jsonx"
)

// bodies are the messages with the members that matter here, by key.
var bodies = map[string][]wire.Field{
	"beginRendering":        {wire.NeedText("surfaceId"), wire.NeedText("root"), {Key: "styles", Kind: jsonx.Object}},
	"surfaceUpdate":         {wire.NeedText("surfaceId"), {Key: "components", Kind: jsonx.Array, Required: true}},
	"dataModelUpdate":       {wire.NeedText("surfaceId"), {Key: "contents", Kind: jsonx.Array, Required: true}},
	"deleteSurface":         {wire.NeedText("surfaceId")},
	"createSurface":         {wire.NeedText("surfaceId"), {Key: "catalogId", Kind: jsonx.String}},
	"updateComponents":      {wire.NeedText("surfaceId"), {Key: "components", Kind: jsonx.Array, Required: true}},
	"updateDataModel":       {wire.NeedText("surfaceId"), {Key: "path", Kind: jsonx.String}},
	"callRendererFunction":  {wire.NeedText("functionCallId"), {Key: "callFunction", Kind: jsonx.Object, Required: true}},
	"agentFunctionResponse": {wire.NeedText("functionCallId")},
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
	fields := bodies[body.Key]
	if fields == nil {
		return wire.Bad(wire.EnvelopeInvalid, "", "unknown message %q", body.Key)
	}
	var others []wire.Member
	if err := wire.Fields(body, wire.EnvelopeInvalid, &others, fields, make([]jsonx.Node, len(fields))); err != nil {
		return err.(*wire.Problem)
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
