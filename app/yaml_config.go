package app

import (
	"cmp"
	"context"
	"maps"
	"regexp"
	"slices"
	"strconv"

	"go.yaml.in/yaml/v3"

	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/internal/limits"
	"github.com/limn-ui/limn/ui"
)

// config reads the top of the file. Actions come first: buttons of views take
// their labels from them.
func (r *reader) config(root *yaml.Node) Config {
	o := r.item("", root).object("application")
	cfg := Config{
		Name:           o.text("name"),
		Title:          o.text("title"),
		Instructions:   o.text("instructions"),
		Suggestions:    o.get("suggestions").texts(),
		Directives:     o.get("directives").texts(),
		Aliases:        o.get("aliases").dictionary(),
		Actions:        each(o.get("actions"), r.action),
		Forms:          each(o.get("forms"), r.form),
		Tables:         each(o.get("tables"), r.table),
		Maps:           each(o.get("maps"), r.processMap),
		Records:        each(o.get("records"), r.records),
		Operators:      o.get("operators").texts(),
		DirectiveTypes: each(o.get("directive_types"), r.directiveType),
		ModelTools:     each(o.get("model_tools"), r.modelTool),
		Messages:       each(o.get("messages"), r.messageRoute),
		Guardrails:     each(o.get("guardrails"), r.guardrail),
		Tools:          r.tools(o.get("tools")),
		Limits:         limitsOf(o.get("limits"), "limits", limitKeys),
		A2UILimits:     limitsOf(o.get("a2ui_limits"), "a2ui_limits", a2uiKeys),
		Catalogs:       o.get("catalogs").dictionary(),
		Strict:         o.get("strict").flag(false),
		SendDataModel:  o.get("send_data_model").flag(false),
		Extensions:     o.get("extensions").texts(),
		Theme:          theme(o.get("theme")),
		Languages:      o.get("languages").texts(),
		Recovery:       codes(o.get("recovery")),
	}
	cfg.Words, cfg.Translations = words(o.get("words"))
	cfg.Views = each(o.get("views"), func(it item) View { return r.view(it, cfg.Actions) })
	r.unused(root)
	return cfg
}

func each[T any](list item, read func(item) T) []T {
	var out []T
	for _, it := range list.list() {
		out = append(out, read(it))
	}
	return out
}

// dictionary reads a mapping of texts with free keys.
func (it item) dictionary() map[string]string {
	out := map[string]string{}
	for _, p := range it.pairs() {
		out[p.key] = it.r.item(it.path+"."+p.key, p.value).text()
	}
	return out
}

func theme(it item) Theme {
	o := it.object("theme")
	return Theme{Accent: o.text("accent"), Font: o.text("font"), Logo: o.text("logo"), Radius: o.get("radius").count()}
}

// words reads texts by key, and mappings of such texts by language.
func words(it item) (own ui.Words, others map[string]ui.Words) {
	own, others = ui.Words{}, map[string]ui.Words{}
	for _, p := range it.pairs() {
		at := it.r.item(it.path+"."+p.key, p.value)
		if at.is(yaml.MappingNode) {
			others[p.key] = at.dictionary()
		} else {
			own[p.key] = at.text()
		}
	}
	return own, others
}

// codes reads the mapping of codes, in the order of the file.
func codes(it item) (out []Code) {
	for _, p := range it.pairs() {
		o := it.r.item(it.path+"."+p.key, p.value).object("code")
		out = append(out, Code{Code: ui.Code(p.key), Status: o.get("status").count(), Do: o.text("do"),
			Title: o.text("title"), Hint: o.text("hint")})
	}
	return out
}

func (r *reader) records(it item) RecordSpec {
	o := it.object("records")
	by := o.get("decide").object("decide")
	return RecordSpec{Decide: by.get("fields").texts(), Deciders: by.get("roles").texts(),
		DecideOwn: by.get("own").flag(false), Name: o.text("name"), Title: o.text("title"), Phrases: o.get("phrases").texts(),
		Fields: o.get("fields").texts(), Read: o.get("read").texts(), Write: o.get("write").texts(),
		Off: o.get("off").flag(false)}
}

func (r *reader) form(it item) Form {
	o := it.object("form")
	return Form{Name: o.text("name"), Title: o.text("title"), Help: o.text("help"), Phrases: o.get("phrases").texts(),
		Fields: each(o.get("fields"), r.field), Submit: o.text("submit"), Done: o.text("done"),
		OnSubmit: o.text("on_submit")}
}

func (r *reader) table(it item) Table {
	o := it.object("table")
	return Table{Name: o.text("name"), Title: o.text("title"), Help: o.text("help"), Nouns: o.get("nouns").texts(),
		Columns: each(o.get("columns"), r.field), MinRows: o.get("min_rows").count(), OnSubmit: o.text("on_submit")}
}

func (r *reader) processMap(it item) Map {
	o := it.object("map")
	return Map{Name: o.text("name"), Title: o.text("title"), Help: o.text("help"), OnSubmit: o.text("on_submit")}
}

func (r *reader) field(it item) ui.Field {
	o := it.object("field")
	f := ui.Field{Name: o.text("name"), Label: o.text("label"), Type: ui.FieldType(o.text("type")),
		Required: o.get("required").flag(false),
		Help:     o.text("help"), Placeholder: o.text("placeholder"), Min: o.text("min"), Max: o.text("max"),
		Step:    o.text("step"),
		Pattern: o.text("pattern"), Options: each(o.get("options"), r.option), Accept: o.get("accept").texts(),
		Clear: o.get("clear").flag(false)}
	if f.Type == "" && !o.absent() {
		f.Type = ui.TypeText
	}
	f.Default = o.get("default").value(f.Type)
	return f
}

// option is a text, or a value with a label.
func (r *reader) option(it item) ui.Option {
	if !it.is(yaml.MappingNode) {
		return ui.Option{Value: it.text()}
	}
	o := it.object("option")
	return ui.Option{Value: o.text("value"), Label: o.text("label")}
}

// value reads the default of a field in the type that is committed for it.
func (it item) value(t ui.FieldType) ui.Value {
	if it.absent() {
		return ui.Value{}
	}
	switch t {
	case ui.TypeBoolean:
		return ui.Bool(it.flag(false))
	case ui.TypeChoices, ui.TypeTags:
		return ui.Strings(it.texts()...)
	case ui.TypeNumber, ui.TypeSlider:
		return it.number()
	}
	return ui.String(it.text())
}

func (it item) number() ui.Value {
	if it.is(yaml.ScalarNode) && (it.node.ShortTag() == "!!int" || it.node.ShortTag() == "!!float") {
		if v, ok := ui.Number(it.node.Value); ok {
			return v
		}
	}
	it.wrong(wantNumber)
	return ui.Value{}
}

func (r *reader) action(it item) Action {
	o := it.object("action")
	a := Action{Name: o.text("name"), Label: o.text("label"), Reply: o.text("reply"), Show: o.text("show"),
		Run:    o.text("run"),
		Repeat: o.get("repeat").flag(false), Idempotent: o.get("idempotent").flag(false), Callers: o.text("callers"),
		After: o.get("after").texts(), Until: o.get("until").texts()}
	a.Context = each(o.get("context"), func(it item) ContextKey {
		k := it.object("context_key")
		return ContextKey{Key: k.text("key"), Type: ui.FieldType(cmp.Or(k.text("type"), string(ui.TypeText)))}
	})
	a.Webhook = r.webhook(o.get("webhook"))
	if it := o.get("call"); !it.absent() {
		call := it.object("call")
		a.Call = &ui.Action{Do: call.text("function"), Name: call.text("then"),
			Context: each(call.get("context"), sent)}
	}
	if name := o.get("handler"); !name.absent() {
		a.Handler = handler(name, r.handlers, "bind it in Go with app.Handle, or use webhook, run, reply or show")
	}
	return a
}

func (r *reader) webhook(it item) *Webhook {
	if it.absent() {
		return nil
	}
	h := it.object("webhook")
	return &Webhook{URL: h.text("url"), Secret: r.secret(h.get("secret")), Later: h.get("later").flag(false)}
}

// handler finds what Go bound under a name; without any the hint says what to do.
func handler[F Handler | ToolFunc | DirectiveFunc](it item, bound map[string]F, hint string) F {
	name, r := it.text(), it.r
	r.used[name] = true
	h, ok := bound[name]
	switch {
	case ok || name == "": // a wrong type, reported already, or an empty text: New reports it
		return h
	case r.anything:
		return stub[F]()
	}
	e := suggest(r.report(it.node, CodeDangling, "no handler is bound under the name %q", clip(name)), name,
		slices.Sorted(maps.Keys(bound)))
	if e.Hint == "" {
		e.Hint = hint
	}
	return h
}

// stub is a function for AnyHandler. It is not called.
func stub[F Handler | ToolFunc | DirectiveFunc]() (f F) {
	switch f := any(&f).(type) {
	case *Handler:
		*f = func(context.Context, Call) (Result, error) { return Result{}, nil }
	case *ToolFunc:
		*f = func(context.Context, ToolCall) (string, error) { return "", nil }
	case *DirectiveFunc:
		*f = func(DirectiveCall) (ui.Ops, error) { return nil, nil }
	}
	return f
}

func (r *reader) directiveType(it item) DirectiveType {
	o := it.object("directive_type")
	t := DirectiveType{Name: o.text("name"), Description: o.text("description"), Schema: r.json(o.get("schema")),
		Example: r.json(o.get("example")), Action: o.text("action"), Webhook: r.webhook(o.get("webhook"))}
	if name := o.get("handler"); !name.absent() {
		t.Build = handler(name, r.builds, "bind it in Go with app.HandleDirective, or use action or webhook")
	}
	return t
}

func (r *reader) modelTool(it item) ModelTool {
	o := it.object("model_tool")
	t := ModelTool{Name: o.text("name"), Description: o.text("description"), Schema: r.json(o.get("schema")),
		Webhook:    r.webhook(o.get("webhook")),
		Idempotent: o.get("idempotent").flag(false), ReadOnly: o.get("read_only").flag(false),
		Repeat: o.get("repeat").flag(false), After: o.get("after").texts(), Until: o.get("until").texts()}
	if name := o.get("handler"); !name.absent() {
		t.Func = handler(name, r.toolFuncs, "bind it in Go with app.HandleTool, or use webhook or mcp")
	}
	if mcp := o.get("mcp"); !mcp.absent() {
		m := mcp.object("mcp")
		t.MCP = &MCPTool{Server: m.text("server"), Tool: m.text("tool")}
	}
	return t
}

// json writes the YAML of a JSON value as JSON; "" if it is absent.
func (r *reader) json(it item) string {
	if it.absent() {
		return ""
	}
	return string(jsonx.Append(nil, it.json(0)))
}

// fits counts the text of a node against the bound of a file: aliases repeat texts.
func (r *reader) fits(n *yaml.Node) bool {
	if r.room < 0 {
		return false
	}
	if r.room -= len(n.Value); r.room < 0 {
		r.report(n, CodeYAML, "schemas and examples above %d bytes, what aliases repeat included", maxFile)
	}
	return r.room >= 0
}

func (it item) json(depth int) jsonx.Value {
	switch {
	case it.absent() || !it.r.fits(it.node):
	case depth > maxDepth:
		it.wrong("something less deep")
	case it.is(yaml.MappingNode):
		var members []jsonx.Member
		for _, p := range it.pairs() {
			if !it.r.fits(p.at) {
				break
			}
			members = append(members, jsonx.Member{Key: p.key,
				Value: it.r.item(it.path+"/"+p.key, p.value).json(depth + 1)})
		}
		return jsonx.OfObject(members...)
	case it.is(yaml.SequenceNode):
		var items []jsonx.Value
		for _, x := range it.list() {
			items = append(items, x.json(depth+1))
		}
		return jsonx.OfArray(items...)
	case it.node.ShortTag() == "!!bool":
		return jsonx.OfBool(it.flag(false))
	case it.node.ShortTag() == "!!int", it.node.ShortTag() == "!!float":
		if v, err := jsonx.Parse([]byte(it.node.Value), jsonx.Limits{}); err == nil && v.Kind == jsonx.Number {
			return v
		}
		it.wrong(wantNumber)
	default:
		return jsonx.Of(it.text())
	}
	return jsonx.Value{Kind: jsonx.Null}
}

func (r *reader) messageRoute(it item) MessageRoute {
	o := it.object("message")
	return MessageRoute{Phrases: o.get("phrases").texts(), Run: o.text("run"), Action: o.text("action")}
}

var variable = regexp.MustCompile(`\$\{([A-Za-z_][A-Za-z0-9_]*)\}`)

// secret expands ${NAME}. Messages name the variable, never the value.
func (r *reader) secret(it item) string {
	text := it.text()
	return variable.ReplaceAllStringFunc(text, func(m string) string {
		name := variable.FindStringSubmatch(m)[1]
		if r.env == nil {
			r.report(it.node, CodeInvalid, "the secret names %s, but no environment was given",
				clip(name)).Hint = "pass app.Env(os.LookupEnv) to Load"
			return ""
		}
		value, ok := r.env(name)
		if !ok || value == "" {
			r.report(it.node, CodeDangling, "the environment has no variable %s, or it is empty", clip(name))
		}
		return value
	})
}

func (r *reader) guardrail(it item) ui.Guardrail {
	o := it.object("guardrail")
	g := ui.Guardrail{ID: o.text("id"), Pattern: o.text("pattern"), Action: o.text("action"), Tool: o.text("tool"),
		Enabled: o.get("enabled").flag(true)}
	return g
}

func (r *reader) tools(it item) Tools {
	o := it.object("tools")
	rounds := map[string]int{}
	for _, p := range o.get("max_iterations").pairs() {
		rounds[p.key] = r.item(it.path+".max_iterations."+p.key, p.value).count()
	}
	return Tools{MaxIterations: rounds, Preferred: o.text("preferred_ui")}
}

type limitKey struct {
	key string
	at  *int
}

// limitKeys lists the members of Limits under their names in YAML.
func limitKeys(l *ui.Limits) []limitKey {
	return []limitKey{{"surfaces", &l.Surfaces}, {"nodes", &l.Nodes}, {"depth", &l.Depth}, {"rows", &l.Rows},
		{"options", &l.Options}, {"string_size", &l.StringSize}, {"draft_size", &l.DraftSize},
		{"transcript", &l.Transcript}, {"text_size", &l.TextSize}, {"committed", &l.Committed}}
}

// a2uiKeys is limitKeys for A2UILimits.
func a2uiKeys(l *limits.A2UI) []limitKey {
	return []limitKey{{"message_bytes", &l.MessageBytes}, {"surface_bytes", &l.SurfaceBytes},
		{"batch_bytes", &l.BatchBytes}, {"messages", &l.Messages}, {"components", &l.Components},
		{"depth", &l.Depth}, {"call_depth", &l.CallDepth}, {"data_depth", &l.DataDepth},
		{"data_entries", &l.DataEntries}, {"string", &l.String}}
}

func limitsOf[L any](it item, kind string, keysOf func(*L) []limitKey) L {
	var l L
	o := it.object(kind)
	for _, k := range keysOf(&l) {
		*k.at = o.get(k.key).count()
	}
	return l
}

// index names the nth of several: "", "2", "3", …
func index(n int) string {
	if n < 2 {
		return ""
	}
	return strconv.Itoa(n)
}
