package mcp

import (
	"cmp"
	"crypto/rand"
	"hash/fnv"
	"slices"
	"strings"
	"time"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/directive"
	"github.com/limn-ui/limn/internal/ingress"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/internal/transport/door"
	"github.com/limn-ui/limn/ui"
)

// Names of the tools that every application has.
const (
	toolSay    = "say"
	toolAction = "a2ui_action"
	toolError  = "a2ui_error"

	// Of the app alone.
	toolSurface = "limn_surface"
	toolSubmit  = "limn_submit"
	toolDraft   = "limn_draft"
)

// shows are the kinds of declared surfaces: the beginning of the name of a tool, and the
// directive that opens them.
var shows = []struct{ prefix, kind, directive string }{
	{"show_form_", "form", directive.TypeShowForm},
	{"show_table_", "table", directive.TypeShowTable},
	{"show_map_", "map", directive.TypeShowMap},
	{"show_view_", "view", directive.TypeShowView},
}

// object is the schema of an object.
func object(properties map[string]any, required ...string) map[string]any {
	o := map[string]any{"type": "object", "properties": properties, "additionalProperties": false}
	if len(required) > 0 {
		o["required"] = required
	}
	return o
}

func text(description string) map[string]any {
	return map[string]any{"type": "string", "description": description}
}

// tool describes a tool.
func tool(name, title, description string, schema map[string]any, meta map[string]any) map[string]any {
	t := map[string]any{"name": name, "title": title, "description": description, "inputSchema": schema,
		"annotations": map[string]bool{"openWorldHint": false, "destructiveHint": false}}
	if meta != nil {
		t["_meta"] = map[string]any{"ui": meta}
	}
	return t
}

// tools answers what tools there are.
func (v *visit) tools() error {
	a := v.Service().App()
	d := v.agent
	d.list.Lock()
	if d.list.app != a.Fingerprint() {
		d.list.app, d.list.json = a.Fingerprint(), encode(d.describe(a))
	}
	list := jsonRaw(d.list.json)
	d.list.Unlock()
	return v.result(map[string]any{"tools": list})
}

// describe lists the tools of an application.
func (d *agent) describe(a *app.App) []any {
	var shown, private map[string]any
	if d.html != nil {
		shown = map[string]any{"resourceUri": appURI}
		private = map[string]any{"resourceUri": appURI, "visibility": []string{"app"}}
	}
	out := []any{}
	for _, o := range opens(a) {
		out = append(out, tool(o.tool, o.title, o.description, o.schema, shown))
	}
	said := object(map[string]any{"text": text("what the user says")}, "text")
	out = append(out, tool(toolSay, "Say something", "Passes a message of the user on to the application, which "+
		"answers it and opens what is needed.", said, shown),
		tool(toolAction, "Act on a surface", "Sends what a renderer of A2UI fires when the user acts, as it is.",
			openObject(map[string]any{"name": text("of the action"), "surfaceId": text("of the surface"),
				"sourceComponentId": text("of the component"), "timestamp": text("RFC 3339"),
				"context": map[string]any{"type": "object"}}), shown),
		tool(toolError, "Report an error", "Sends the error of a renderer of A2UI.",
			openObject(map[string]any{"code": text("such as VALIDATION_FAILED"), "surfaceId": text("of the surface"),
				"path": text("to the fault"), "message": text("what is wrong")}), nil))
	if d.html != nil {
		of := map[string]any{"surface": text("address of the surface; default: all that are open")}
		form := object(map[string]any{"surface": text("address of the surface"),
			"fields": text("of its form, URL-encoded")}, "surface", "fields")
		out = append(out, tool(toolSurface, "Draw a surface", "For the app: a surface as HTML.", object(of), private),
			tool(toolSubmit, "Press a button", "For the app: a button of a surface.", form, private),
			tool(toolDraft, "Keep what is typed", "For the app: what a form holds so far.", form, private))
	}
	return out
}

// openObject is the schema of an object that may have further members.
func openObject(properties map[string]any) map[string]any {
	return map[string]any{"type": "object", "properties": properties}
}

// opening is one declared surface as a tool.
type opening struct {
	tool, title, description string
	kind, name, directive    string
	schema                   map[string]any
	form                     *app.Form
}

// opens are the surfaces that an application lets be opened.
func opens(a *app.App) (out []opening) {
	cfg, allowed := a.Config(), a.Registry().Types()
	add := func(n int, name, title, help, what string, properties map[string]any, form *app.Form) {
		s := shows[n]
		for _, t := range allowed {
			if t == s.directive {
				out = append(out, opening{s.prefix + name, title, strings.TrimSpace(what + title + ". " + help),
					s.kind, name, s.directive, object(properties), form})
			}
		}
	}
	for _, f := range cfg.Forms {
		fields := slices.DeleteFunc(slices.Clone(f.Fields), func(f ui.Field) bool { return f.Type == ui.TypeUpload })
		properties := door.Schema(fields)["properties"].(map[string]any) // none is required: the user has the rest
		add(0, f.Name, f.Title, f.Help, "Opens a form for the user, with what is known of its fields: ", properties, &f)
	}
	for _, t := range cfg.Tables {
		row := map[string]any{"type": "object", "properties": door.Schema(t.Columns)["properties"]}
		rows := map[string]any{"type": "array", "items": row, "description": "what the user has given already"}
		add(1, t.Name, t.Title, t.Help, "Opens a table for the user: ", map[string]any{"rows": rows}, nil)
	}
	for _, m := range cfg.Maps {
		step := openObject(map[string]any{"name": text("what is done"), "owner": text("who does it"),
			"outcome": text("what comes of it")})
		steps := map[string]any{"type": "array", "items": step, "description": "what the user has given already"}
		add(2, m.Name, m.Title, m.Help, "Opens a process map for the user: ", map[string]any{"steps": steps}, nil)
	}
	for _, view := range cfg.Views {
		add(3, view.Name, view.Title, "", "Shows the user: ", map[string]any{}, nil)
	}
	return out
}

// call answers the call of a tool.
func (v *visit) call() error {
	name, arguments := v.params.At("name").Text(), v.params.At("arguments")
	if arguments.Kind != jsonx.Object && arguments.Kind != jsonx.Null {
		return wrong(invalidParams, "/params/arguments", "not an object", "the arguments of a tool have names")
	}
	for _, o := range opens(v.Service().App()) {
		if o.tool == name {
			if err := takes(arguments, door.Names(o.schema)...); err != nil {
				return err
			}
			return v.show(o, arguments)
		}
	}
	switch name {
	case toolSay:
		if err := takes(arguments, "text"); err != nil {
			return err
		}
		e, err := ingress.MessageEvent(arguments.At("text").Text(), v.Limits())
		if err != nil {
			return door.At(err, "/params/arguments")
		}
		return v.act(e)
	case toolAction:
		return v.envelope("action", ui.EventAction, arguments)
	case toolError:
		return v.envelope("error", ui.EventError, arguments)
	case toolSurface, toolSubmit, toolDraft:
		if v.html != nil {
			return v.appCall(name, arguments)
		}
	}
	return wrong(invalidParams, "/params/name", "there is no such tool", "tools/list has all of them")
}

// takes refuses arguments that a tool does not have.
func takes(arguments jsonx.Value, names ...string) error {
	return door.At(door.Unknown(arguments, names...), "/params/arguments")
}

// envelope takes the message of a renderer: with its envelope, or without.
func (v *visit) envelope(member string, kind ui.EventKind, arguments jsonx.Value) error {
	body := arguments
	enveloped := slices.ContainsFunc([]string{member, "userAction", "callAgentFunction", "rendererFunctionResponse"},
		func(name string) bool { _, ok := arguments.Get(name); return ok })
	if !enveloped {
		body = jsonx.OfObject(jsonx.Member{Key: "version", Value: jsonx.Of("v0.9")},
			jsonx.Member{Key: member, Value: completed(member, arguments, stampOf(v))})
	}
	e, err := ingress.DecodeEnvelope(jsonx.Append(nil, body), v.Limits())
	if err != nil {
		return door.At(err, "/params/arguments")
	}
	if e.Kind != kind {
		return wrong(invalidParams, "/params/arguments", "not what this tool takes", "there is a tool for each kind")
	}
	door.Reported(e, "mcp")
	return v.act(e)
}

// stampOf is the timestamp of a click without one: clicks that each count differ by it. It follows from the id of the
// request in its session, so a request that is sent again has it again. Without a session an id says nothing.
func stampOf(v *visit) string {
	h := fnv.New64a()
	h.Write([]byte(cmp.Or(v.r.Header.Get("Mcp-Session-Id"), rand.Text())))
	h.Write(v.id)
	return time.Unix(0, int64(h.Sum64()%uint64(time.Second))).UTC().Format(time.RFC3339Nano)
}

// completed adds the members that the guide of A2UI leaves out.
func completed(member string, v jsonx.Value, stamp string) jsonx.Value {
	add := func(key string, value jsonx.Value) {
		if _, ok := v.Get(key); !ok {
			v.Members = append(v.Members[:len(v.Members):len(v.Members)], jsonx.Member{Key: key, Value: value})
		}
	}
	if v.Kind != jsonx.Object {
		v = jsonx.OfObject()
	}
	if member == "action" {
		add("timestamp", jsonx.Of(stamp))
		add("context", jsonx.OfObject())
		add("sourceComponentId", jsonx.Of(""))
	}
	return v
}

// act hands an event over, and answers with what comes of it.
func (v *visit) act(e *ui.Event) error {
	t, err := v.open(v.byID())
	if err != nil {
		return err
	}
	if err := t.take(e); err != nil {
		return err
	}
	return t.respond()
}

// show opens a declared surface. A client that asks its user for fields and draws nothing is
// asked for those of a form.
func (v *visit) show(o opening, arguments jsonx.Value) error {
	t, err := v.open("")
	if err != nil {
		return err
	}
	ask := t.asks(o)
	if state := v.params.At("requestState").Text(); ask && state != "" {
		return t.resume(state)
	}
	payload := []jsonx.Member{{Key: "name", Value: jsonx.Of(o.name)}}
	switch {
	case o.form != nil && len(arguments.Members) > 0:
		payload = append(payload, jsonx.Member{Key: "values", Value: arguments})
	case o.form == nil:
		payload = append(payload, arguments.Members...)
	}
	if err := t.take(ingress.OpenEvent(o.directive, jsonx.OfObject(payload...))); err != nil {
		return err
	}
	opened := t.opened(o)
	if opened != nil {
		t.touch(opened.Name)
	}
	if ask && opened != nil && t.outcome.Kind == ui.OutcomeDone {
		return t.ask(o, opened)
	}
	return t.respond()
}

// opened is the open surface of a declaration.
func (t *turn) opened(o opening) *ui.Surface {
	for _, sf := range t.now.Surfaces {
		if sf.Origin.Kind == o.kind && sf.Origin.Template == o.name && sf.Status == ui.StatusOpen {
			return sf
		}
	}
	return nil
}
