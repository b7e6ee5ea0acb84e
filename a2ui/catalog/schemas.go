package catalog

import (
	"strings"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/internal/jsonx"
)

// Standard returns schemas of the messages and of the common types of a dialect,
// written for models: short, and with the names that catalogs and prompts refer
// to. A host that wants the published ones puts them in their place. Both are
// Null for an unknown dialect, and v0.8 has no common types.
func Standard(d a2ui.Dialect) Schemas {
	form, ok := forms[d]
	if !ok {
		return Schemas{}
	}
	write := func(text string) a2ui.Data {
		text = strings.NewReplacer("%V", form.version, "%@", form.reserved).Replace(text)
		v, err := jsonx.Parse([]byte(text), jsonx.Limits{})
		if err != nil {
			return a2ui.Data{} // never: a test parses them all
		}
		return v
	}
	return Schemas{Messages: write(form.messages), Common: write(form.common)}
}

// forms are the schemas by dialect; in them %V is the version and %@ stands
// before the keys that v1.0 reserves.
var forms = map[a2ui.Dialect]struct{ version, reserved, messages, common string }{
	a2ui.V08:   {"", "", messages08, "null"},
	a2ui.V09:   {"v0.9", "", messages09, common09},
	a2ui.V091:  {"v0.9.1", "", messages09, common09},
	a2ui.V10RC: {"v1.0", "", messages10, common10},
	a2ui.V10:   {"1.0", "@", messages10, common10},
}

const messages08 = `{"type":"object","description":"A message: exactly one of these members.","minProperties":1,"maxProperties":1,"additionalProperties":false,"properties":{
"surfaceUpdate":{"type":"object","description":"Adds components to a surface, or replaces those with the same id.","required":["surfaceId","components"],"additionalProperties":false,"properties":{
 "surfaceId":{"type":"string"},
 "components":{"type":"array","minItems":1,"items":{"type":"object","required":["id","component"],"additionalProperties":false,"properties":{
  "id":{"type":"string","description":"Unique on the surface; other components refer to it."},
  "weight":{"type":"number","description":"The share of the space of its container."},
  "component":{"type":"object","description":"One member: the name of the component in the catalog, with an object of its properties.","minProperties":1,"maxProperties":1}}}}}},
"dataModelUpdate":{"type":"object","description":"Replaces what stands at a path of the surface's data.","required":["surfaceId","contents"],"additionalProperties":false,"properties":{
 "surfaceId":{"type":"string"},
 "path":{"type":"string","description":"Such as /user; all of the data if left out."},
 "contents":{"type":"array","items":{"type":"object","description":"A key with one value.","required":["key"],"minProperties":2,"maxProperties":2,"additionalProperties":false,"properties":{
  "key":{"type":"string"},"valueString":{"type":"string"},"valueNumber":{"type":"number"},"valueBoolean":{"type":"boolean"},
  "valueMap":{"type":"array","items":{"type":"object","required":["key"],"minProperties":2,"maxProperties":2,"additionalProperties":false,"properties":{
   "key":{"type":"string"},"valueString":{"type":"string"},"valueNumber":{"type":"number"},"valueBoolean":{"type":"boolean"}}}}}}}}},
"beginRendering":{"type":"object","description":"Shows the surface; send it after its components and data.","required":["surfaceId","root"],"additionalProperties":false,"properties":{
 "surfaceId":{"type":"string"},"root":{"type":"string","description":"The id of the outermost component."},
 "catalogId":{"type":"string"},"styles":{"type":"object"}}},
"deleteSurface":{"type":"object","required":["surfaceId"],"additionalProperties":false,"properties":{"surfaceId":{"type":"string"}}}}}`

const messages09 = `{"description":"A message: the version and exactly one other member.","oneOf":[
{"$ref":"#/$defs/CreateSurface"},{"$ref":"#/$defs/UpdateComponents"},{"$ref":"#/$defs/UpdateDataModel"},{"$ref":"#/$defs/DeleteSurface"}],"$defs":{
"CreateSurface":{"type":"object","description":"Makes a surface; send it first.","required":["version","createSurface"],"additionalProperties":false,"properties":{"version":{"const":"%V"},
 "createSurface":{"type":"object","required":["surfaceId","catalogId"],"additionalProperties":false,"properties":{
  "surfaceId":{"type":"string"},"catalogId":{"type":"string","description":"The id of the catalog that its components come from."},
  "theme":{"type":"object"},"sendDataModel":{"type":"boolean","description":"Whether user actions bring the data along."}}}}},
"UpdateComponents":{"type":"object","description":"Adds components to a surface, or replaces those with the same id. The outermost has the id root.","required":["version","updateComponents"],"additionalProperties":false,"properties":{"version":{"const":"%V"},
 "updateComponents":{"type":"object","required":["surfaceId","components"],"additionalProperties":false,"properties":{
  "surfaceId":{"type":"string"},"components":{"type":"array","minItems":1,"items":{"$ref":"catalog.json#/$defs/anyComponent"}}}}}},
"UpdateDataModel":{"type":"object","description":"Replaces what stands at a path of the surface's data; without a value, removes it.","required":["version","updateDataModel"],"additionalProperties":false,"properties":{"version":{"const":"%V"},
 "updateDataModel":{"type":"object","required":["surfaceId"],"additionalProperties":false,"properties":{
  "surfaceId":{"type":"string"},"path":{"type":"string","description":"A JSON Pointer such as /user/name; all of the data if left out."},"value":{}}}}},
"DeleteSurface":{"type":"object","required":["version","deleteSurface"],"additionalProperties":false,"properties":{"version":{"const":"%V"},
 "deleteSurface":{"type":"object","required":["surfaceId"],"additionalProperties":false,"properties":{"surfaceId":{"type":"string"}}}}}}}`

const messages10 = `{"description":"A message: the version and exactly one other member.","oneOf":[
{"$ref":"#/$defs/CreateSurface"},{"$ref":"#/$defs/UpdateComponents"},{"$ref":"#/$defs/UpdateDataModel"},{"$ref":"#/$defs/DeleteSurface"},
{"$ref":"#/$defs/CallRendererFunction"},{"$ref":"#/$defs/AgentFunctionResponse"}],"$defs":{
"Component":{"description":"One component with its properties in the same object.","allOf":[{"$ref":"common_types.json#/$defs/ComponentCommon"},{"$ref":"catalog.json#/$defs/anyComponent"}],"unevaluatedProperties":false},
"CreateSurface":{"type":"object","description":"Makes a surface; send it first. It may bring its components and data.","required":["version","createSurface"],"additionalProperties":false,"properties":{"version":{"const":"%V"},
 "createSurface":{"type":"object","required":["surfaceId"],"additionalProperties":false,"properties":{
  "surfaceId":{"type":"string"},"catalogId":{"type":"string","description":"The id of the catalog of components and functions that name none."},
  "sendDataModel":{"type":"boolean","description":"Whether user actions bring the data along."},
  "components":{"type":"array","minItems":1,"items":{"$ref":"#/$defs/Component"}},"dataModel":{"type":"object"},
  "metadata":{"type":"object","additionalProperties":false,"properties":{"extensions":{"type":"object"}}}}}}},
"UpdateComponents":{"type":"object","description":"Adds components to a surface, or replaces those with the same id. The outermost has the id root.","required":["version","updateComponents"],"additionalProperties":false,"properties":{"version":{"const":"%V"},
 "updateComponents":{"type":"object","required":["surfaceId","components"],"additionalProperties":false,"properties":{
  "surfaceId":{"type":"string"},"components":{"type":"array","minItems":1,"items":{"$ref":"#/$defs/Component"}}}}}},
"UpdateDataModel":{"type":"object","description":"Replaces what stands at a path of the surface's data; null removes it.","required":["version","updateDataModel"],"additionalProperties":false,"properties":{"version":{"const":"%V"},
 "updateDataModel":{"type":"object","required":["surfaceId","value"],"additionalProperties":false,"properties":{
  "surfaceId":{"type":"string"},"path":{"type":"string","description":"A JSON Pointer such as /user/name; all of the data if left out."},"value":{}}}}},
"DeleteSurface":{"type":"object","required":["version","deleteSurface"],"additionalProperties":false,"properties":{"version":{"const":"%V"},
 "deleteSurface":{"type":"object","required":["surfaceId"],"additionalProperties":false,"properties":{"surfaceId":{"type":"string"}}}}},
"CallRendererFunction":{"type":"object","description":"Asks the renderer to run a function that agents may call.","required":["version","callRendererFunction"],"additionalProperties":false,"properties":{"version":{"const":"%V"},
 "callRendererFunction":{"type":"object","required":["functionCallId","callFunction"],"additionalProperties":false,"properties":{
  "functionCallId":{"type":"string","description":"The answer has the same."},"callFunction":{"allOf":[{"$ref":"common_types.json#/$defs/FunctionCall"},{"required":["catalogId"]}]}}}}},
"AgentFunctionResponse":{"type":"object","description":"Answers a function call of the renderer.","required":["version","agentFunctionResponse"],"additionalProperties":false,"properties":{"version":{"const":"%V"},
 "agentFunctionResponse":{"$ref":"common_types.json#/$defs/FunctionResponse"}}}}}`

// dynamic are the definitions that v0.9 and v1.0 have in common.
const dynamic = `
"ComponentId":{"type":"string","description":"The id of a component of the same surface."},
"ChildList":{"description":"Ids of components, or one component repeated for each item of a list in the data; paths in it start at the item.","oneOf":[
 {"type":"array","items":{"$ref":"#/$defs/ComponentId"}},
 {"type":"object","required":["componentId","path"],"additionalProperties":false,"properties":{"componentId":{"$ref":"#/$defs/ComponentId"},"path":{"type":"string"}}}]},
"DataBinding":{"type":"object","description":"A value of the data model: a JSON Pointer such as /user/name, or without the first slash inside a repeated component.","required":["%@path"],"additionalProperties":false,"properties":{"%@path":{"type":"string"}}},
"DynamicString":{"oneOf":[{"type":"string"},{"$ref":"#/$defs/DataBinding"},{"$ref":"#/$defs/FunctionCall"}]},
"DynamicNumber":{"oneOf":[{"type":"number"},{"$ref":"#/$defs/DataBinding"},{"$ref":"#/$defs/FunctionCall"}]},
"DynamicBoolean":{"oneOf":[{"type":"boolean"},{"$ref":"#/$defs/DataBinding"},{"$ref":"#/$defs/FunctionCall"}]},
"DynamicStringList":{"oneOf":[{"type":"array","items":{"type":"string"}},{"$ref":"#/$defs/DataBinding"},{"$ref":"#/$defs/FunctionCall"}]},
"Checkable":{"type":"object","properties":{"%@checks":{"type":"array","items":{"$ref":"#/$defs/CheckRule"}}}},`

const common09 = `{"$id":"common_types.json","$defs":{` + dynamic + `
"DynamicValue":{"oneOf":[{"type":"string"},{"type":"number"},{"type":"boolean"},{"type":"array"},{"$ref":"#/$defs/DataBinding"},{"$ref":"#/$defs/FunctionCall"}]},
"FunctionCall":{"type":"object","description":"A value that the client computes.","required":["call"],"properties":{"call":{"type":"string"},"args":{"type":"object"},
 "returnType":{"enum":["string","number","boolean","array","object","any","void"]}},"allOf":[{"$ref":"catalog.json#/$defs/anyFunction"}]},
"CheckRule":{"type":"object","description":"The message is shown while the condition is false.","required":["condition","message"],"additionalProperties":false,"properties":{
 "condition":{"$ref":"#/$defs/DynamicBoolean"},"message":{"type":"string"}}},
"AccessibilityAttributes":{"type":"object","properties":{"label":{"$ref":"#/$defs/DynamicString"},"description":{"$ref":"#/$defs/DynamicString"}}},
"ComponentCommon":{"type":"object","required":["id"],"properties":{"id":{"$ref":"#/$defs/ComponentId"},"accessibility":{"$ref":"#/$defs/AccessibilityAttributes"}}},
"Action":{"description":"What a click does: tell the agent, or run a function on the client.","oneOf":[
 {"type":"object","required":["event"],"additionalProperties":false,"properties":{"event":{"type":"object","required":["name"],"additionalProperties":false,"properties":{
  "name":{"type":"string"},"context":{"type":"object","description":"Values that the agent is told.","additionalProperties":{"$ref":"#/$defs/DynamicValue"}}}}}},
 {"type":"object","required":["functionCall"],"additionalProperties":false,"properties":{"functionCall":{"$ref":"#/$defs/FunctionCall"}}}]}}}`

const common10 = `{"$id":"common_types.json","$defs":{` + dynamic + `
"Child":{"$ref":"#/$defs/ComponentId"},
"CallId":{"type":"string"},
"Extensions":{"type":"object"},
"DynamicValue":{"oneOf":[{"type":"string"},{"type":"number"},{"type":"boolean"},{"type":"array"},
 {"type":"object","not":{"anyOf":[{"required":["%@path"]},{"required":["%@call"]}]}},{"$ref":"#/$defs/DataBinding"},{"$ref":"#/$defs/FunctionCall"}]},
"FunctionCommon":{"type":"object","required":["%@call"],"properties":{"%@call":{"type":"string"},"catalogId":{"type":"string"}}},
"FunctionCall":{"type":"object","description":"A value that the renderer computes.","allOf":[{"$ref":"#/$defs/FunctionCommon"},
 {"oneOf":[{"$ref":"catalog.json#/$defs/anyFunction"},{"$ref":"#/$defs/IndexSystemFunction"}]}],"unevaluatedProperties":false},
"IndexSystemFunction":{"type":"object","description":"The position of the item of a repeated component, from offset.","required":["%@call"],"properties":{"%@call":{"const":"@index"},
 "args":{"type":"object","additionalProperties":false,"properties":{"offset":{"$ref":"#/$defs/DynamicNumber"}}}}},
"CheckRule":{"type":"object","description":"The condition tells what is wrong; the message is shown if it does not.","required":["condition"],"additionalProperties":false,"properties":{
 "condition":{"oneOf":[{"$ref":"#/$defs/DataBinding"},{"$ref":"#/$defs/FunctionCall"}]},"message":{"type":"string"}}},
"AccessibilityAttributes":{"type":"object","additionalProperties":false,"properties":{"label":{"$ref":"#/$defs/DynamicString"},"description":{"$ref":"#/$defs/DynamicString"},
 "live":{"enum":["off","polite","assertive"]},"hidden":{"$ref":"#/$defs/DynamicBoolean"}}},
"ComponentCommon":{"type":"object","required":["id"],"properties":{"id":{"$ref":"#/$defs/ComponentId"},"%@catalogId":{"type":"string"},"%@accessibility":{"$ref":"#/$defs/AccessibilityAttributes"},
 "%@metadata":{"type":"object","additionalProperties":false,"properties":{"extensions":{"$ref":"#/$defs/Extensions"}}}}},
"Action":{"description":"What a click does: tell the agent, or run a function on the renderer.","oneOf":[
 {"type":"object","required":["event"],"additionalProperties":false,"properties":{"event":{"type":"object","required":["name"],"additionalProperties":false,"properties":{
  "name":{"type":"string"},"userMessage":{"$ref":"#/$defs/DynamicString","description":"What the user is taken to have said."},
  "context":{"type":"object","description":"Values that the agent is told.","additionalProperties":{"$ref":"#/$defs/DynamicValue"}}}}}},
 {"type":"object","required":["functionCall"],"additionalProperties":false,"properties":{"functionCall":{"$ref":"#/$defs/FunctionCall"}}}]},
"FunctionResponse":{"type":"object","required":["functionCallId"],"additionalProperties":false,"oneOf":[{"required":["value"]},{"required":["error"]}],"properties":{
 "functionCallId":{"$ref":"#/$defs/CallId"},"value":{},"error":{"type":"object","required":["code","message"],"additionalProperties":false,"properties":{"code":{"type":"string"},"message":{"type":"string"}}}}}}}`
