package app

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/limn-ui/limn/internal/limits"
	"github.com/limn-ui/limn/ui"
)

// mapping is one kind of mapping in a file: the keys that it may have, each once.
type mapping struct {
	must int // so many of the first keys are required
	keys []key
}

// key is a key, what its value may be, and a line about it for editors.
type key struct {
	name string
	is   shape
	doc  string
}

// shape is a part of a JSON Schema.
type shape map[string]any

var (
	isText   = shape{"type": []string{"string", "number"}} // a number is kept as it is written
	isTexts  = anyOf(isText, listOf(isText))
	isFlag   = shape{"type": "boolean"}
	isCount  = shape{"type": "integer"}
	isObject = shape{"type": "object"}
	isValue  = shape{"type": []string{"string", "number", "boolean", "array"}}
)

// mappings are all that a file can have, by name. The reader takes the keys that are here
// and no others.
var mappings = map[string]mapping{
	"application": {1, []key{
		{"name", isText, "a to z first, then a to z, 0 to 9, - and _"},
		{"title", isText, "the name for people; without it name"},
		{"instructions", isText, "how a model should answer: the beginning of its system prompt"},
		{"suggestions", isTexts, "messages to begin with, shown while the conversation is empty"},
		{"directives", isTexts, "the types of directives that a model may use; without it all that are of use"},
		{"aliases", dictOf(isText), "further names of types of directives"},
		{"forms", listOf(an("form")), "forms to fill in"},
		{"tables", listOf(an("table")), "tables to fill in or to paste into"},
		{"maps", listOf(an("map")), "processes: steps, and what follows from what"},
		{"views", listOf(an("view")), "what is shown and not filled in"},
		{"records", listOf(an("records")), "how what is saved is listed, and who may see it"},
		{"operators", isTexts, "roles whose users see all conversations and answer in them as persons"},
		{"actions", listOf(an("action")), "what a button or a message leads to"},
		{"directive_types", listOf(an("directive_type")), "one more thing that a model may ask for, each"},
		{"model_tools", listOf(an("model_tool")), "functions that a model may call"},
		{"messages", listOf(an("message")), "how messages are answered; the first that fits"},
		{"guardrails", listOf(an("guardrail")), "rules that every conversation starts with"},
		{"tools", an("tools"), "how tables and process maps are offered"},
		{"limits", an("limits"), "bounds of a conversation; 0 is the default (docs/limits.md)"},
		{"a2ui_limits", an("a2ui_limits"), "bounds of what A2UI clients are sent (docs/limits.md)"},
		{"catalogs", dictOf(isText), "catalog ids by surface (form:order), kind (form, table, map, view) or *"},
		{"send_data_model", isFlag, "clients send what is filled in beside each message and click"},
		{"extensions", isTexts, "to A2UI, used with clients that ask for them: data-sync/1"},
		{"strict", isFlag, "refuse what would be coerced; for development"},
		{"theme", an("theme"), "the look of the pages"},
		{"languages", isTexts, "those it can be used in, such as en; default: page.lang of words, else all of Limn's"},
		{"words", wordKeys(), "sentences on the screen, in words of your own; under a language those of that language"},
		{"recovery", dictOf(an("code")), "what is said and done about a problem, by its code"}}},
	"form": {2, []key{
		{"name", isText, "a key; values are saved as /committed/NAME"},
		{"fields", listOf(an("field")), "what the form asks for"},
		{"title", isText, "above the form; without it name"},
		{"help", isText, "a paragraph above the fields"},
		{"phrases", isTexts, "messages that open it where there is no model, such as add a customer"},
		{"submit", isText, "the label of its button"},
		{"done", isText, "what is said after a submit"},
		{"on_submit", isText, "the action that checks or stores the values before they are saved"}}},
	"table": {2, []key{
		{"name", isText, "a key; rows are saved as /committed/NAME"},
		{"columns", listOf(an("field")), "what each row has"},
		{"title", isText, "above the table; without it name"},
		{"help", isText, "a paragraph above the rows"},
		{"nouns", isTexts, "what its rows are called in a message, such as supplier"},
		{"min_rows", isCount, "how many rows there must be at least"},
		{"on_submit", isText, "the action that checks or stores the rows before they are saved"}}},
	"map": {1, []key{
		{"name", isText, "a key; steps and edges are saved as /committed/NAME"},
		{"title", isText, "above the map; without it name"},
		{"help", isText, "a paragraph above the steps"},
		{"on_submit", isText, "the action that checks or stores the map before it is saved"}}},
	"field": {1, []key{
		{"name", isText, "a key"},
		{"label", isText, "the name for people; without it name"},
		{"type", among(ui.FieldTypes()...), "without it text"},
		{"required", isFlag, "it has to be filled in"},
		{"help", isText, "a line below the field"},
		{"placeholder", isText, "an example, shown while the field is empty"},
		{"min", isText, "the smallest number, the earliest day, the shortest text or the fewest choices"},
		{"max", isText, "the largest number, the latest day, the longest text or the most choices"},
		{"step", isText, "of numbers and sliders"},
		{"pattern", isText, "a regular expression (RE2) that a text has to match"},
		{"options", listOf(anyOf(isText, an("option"))), "of choice and choices"},
		{"accept", isTexts, "the media types of an upload, such as application/pdf"},
		{"default", isValue, "what is filled in at first"},
		{"clear", isFlag, "empty the field on the screen after a submit"}}},
	"option": {1, []key{
		{"value", isText, "what is saved"},
		{"label", isText, "what is shown; without it value"}}},
	"records": {1, []key{
		{"name", isText, "of a form, table or map"},
		{"title", isText, "for several of them, such as Customers"},
		{"phrases", isTexts, "what people call them: with clients, 'show all clients' lists them"},
		{"fields", isTexts, "the columns of the list"},
		{"read", isTexts, "the roles that see the records of others; everyone: all"},
		{"write", isTexts, "the roles that change and delete the records of others; everyone: all"},
		{"decide", an("decide"), "what others than the owner fill in, such as an approval"},
		{"off", isFlag, "keep no records"}}},
	"decide": {2, []key{
		{"fields", isTexts, "of the form; the owner cannot change them, nor anything once one is filled in"},
		{"roles", isTexts, "who fills them in; everyone: all but the owner"},
		{"own", isFlag, "they may do it with their own records"}}},
	"action": {1, []key{
		{"name", isText, "a key"},
		{"label", isText, "what its buttons say"},
		{"reply", isText, "a fixed answer"},
		{"show", isText, "the form, table, map or view that it opens, with or without a reply"},
		{"run", runs, "ask the model"},
		{"webhook", an("webhook"), "ask a program over HTTP"},
		{"handler", isText, "the name of a Go function, bound with app.Handle"},
		{"context", listOf(an("context_key")), "the keys that its buttons send"},
		{"repeat", isFlag, "a second click is a second wish"},
		{"idempotent", isFlag, "it may be called again with the same key after a crash"},
		{"callers", among("client", "any"), "who may call it as a function: clients, or they and buttons"},
		{"call", an("call"), "has a client run a function"},
		{"after", isTexts, "the forms, tables and maps that must be submitted first"},
		{"until", isTexts, "the forms, tables and maps that must not be submitted yet"}}},
	"context_key": {1, []key{
		{"key", isText, "its name"},
		{"type", among(ui.FieldTypes()...), "without it text"}}},
	"call": {1, []key{
		{"function", isText, "of the client's catalog, which lets agents call it"},
		{"then", isText, "the action that gets its result, under value, or error"},
		{"context", listOf(an("context")), "its arguments, as values"}}},
	"webhook": {1, []key{
		{"url", isText, "where the program answers"},
		{"secret", isText, "signs each request; ${NAME} is read from the environment"},
		{"later", isFlag, "answer at once, and call it afterwards until it succeeds"}}},
	"directive_type": {2, []key{
		{"name", isText, "lower-case words with a dot, such as crm.assign"},
		{"description", isText, "when to use it, for the model"},
		{"schema", isObject, "the JSON Schema of its payload"},
		{"example", isObject, "a payload, for the prompt"},
		{"handler", isText, "the name of a Go function, bound with app.HandleDirective"},
		{"action", isText, "the action that gets the payload"},
		{"webhook", an("webhook"), "the program that gets the payload"}}},
	"model_tool": {0, []key{
		{"name", isText, "a key; of an MCP server's tool SERVER_TOOL without it"},
		{"description", isText, "when to call it, for the model"},
		{"schema", isObject, "the JSON Schema of its arguments"},
		{"handler", isText, "the name of a Go function, bound with app.HandleTool"},
		{"webhook", an("webhook"), "the program that answers"},
		{"mcp", an("mcp"), "the tool of an MCP server that answers"},
		{"idempotent", isFlag, "it may be called again with the same key after a crash"},
		{"read_only", isFlag, "it changes nothing: it may be called again at any time"},
		{"repeat", isFlag, "the same call twice in one run is two calls"},
		{"after", isTexts, "the forms, tables and maps that must be submitted first"},
		{"until", isTexts, "the forms, tables and maps that must not be submitted yet"}}},
	"mcp": {2, []key{
		{"server", isText, "the name that limn serve --mcp NAME=… gives it"},
		{"tool", isText, "its name there"}}},
	"message": {0, []key{
		{"phrases", isTexts, "words of a message; without it every message, which only the last may say"},
		{"run", runs, "ask the model"},
		{"action", isText, "the action that gets the message as text"}}},
	"guardrail": {4, []key{
		{"id", isText, "a key"},
		{"pattern", isText, "a regular expression (RE2) for messages"},
		{"action", among("force_tool", "suppress_tool"), "what a message that matches does"},
		{"tool", among(ui.ToolTable, ui.ToolMap), "to which tool"},
		{"enabled", isFlag, "false: users switch it on"}}},
	"tools": {0, []key{
		{"max_iterations", dictOf(isCount), "by tool: how often a submit is questioned, 0 to 10"},
		{"preferred_ui", among(ui.ToolTable, ui.ToolMap), "the tool that conversations prefer at first"}}},
	"theme": {0, []key{
		{"accent", isText, "the colour of buttons and links, as #rrggbb"},
		{"font", isText, "font families as in CSS, such as Inter, sans-serif"},
		{"logo", isText, "an address on the same server, or an image as data:image/…"},
		{"radius", isCount, "of corners, 1 to 24 px"}}},
	"limits":      {0, limitDocs(limitKeys(new(ui.Limits)))},
	"a2ui_limits": {0, limitDocs(a2uiKeys(new(limits.A2UI)))},
	"code": {0, []key{
		{"status", isCount, "of HTTP, 200 to 599"},
		{"do", among("soft", "surface_fail", "reset"), "about the surface"},
		{"title", isText, "one sentence for people"},
		{"hint", isText, "advice for a program"}}},
	"view": {1, []key{
		{"name", isText, "a key"},
		{"title", isText, "above the view; without it name"},
		{"phrases", isTexts, "what people call it: with dashboard, 'show the dashboard' opens it"},
		{"topics", isTexts, "published data that it shows"},
		{"records", dictOf(anyOf(isText, an("view_records"))), "records that it shows, by its name for them"},
		{"refresh", isText, "how often it is drawn again, such as 30s"},
		{"nodes", listOf(an("node")), "what it shows, one below the other"}}},
	"view_records": {1, []key{
		{"name", isText, "of a form, table or map"},
		{"search", isText, "words that they have"},
		{"filter", isTexts, "FIELD:OP:TEXT, such as status:eq:Open"},
		{"sort", isText, "a field, or -saved"},
		{"limit", isCount, "how many"}}},

	// Nodes. What is first may be written alone: heading: Hello.
	"heading": node([]key{{"text", isText, ""}, {"level", isCount, "1 to 5; without it 2"}}),
	"text":    node([]key{{"text", isText, ""}, {"path", isText, pathDoc}, {"small", isFlag, "a note"}}),
	"stat": node([]key{{"label", isText, ""}, {"value", isText, ""}, {"path", isText, pathDoc},
		{"note", isText, ""}}),
	"progress": node([]key{{"label", isText, ""}, {"percent", isCount, "0 to 100"}, {"path", isText, pathDoc}}),
	"notice": node([]key{{"text", isText, ""}, {"tone", among(ui.ToneInfo, ui.ToneSuccess, ui.ToneWarning,
		ui.ToneError), "without it info"}}),
	"diagram": node([]key{
		{"steps", anyOf(isText, listOf(anyOf(isText, an("step")))), "the steps, or the path of them"},
		{"label", isText, "what it shows, for those who do not see it"},
		{"edges", anyOf(isText, listOf(an("edge"))), "what follows from what, or the path of it"}}),
	"chart": node([]key{
		{"values", numbers, "of the one series there is"},
		{"kind", among(ui.ChartBar, ui.ChartLine, ui.ChartPie), "without it bar"},
		{"label", isText, "what it shows"}, {"unit", isText, "of the values"},
		{"labels", isTexts, "below the values"},
		{"series", listOf(an("series")), "several series"},
		{"path", isText, "of the rows whose fields are the values"},
		{"x", isText, "the field below the values"}, {"field", isText, "the field of the one series"}}),
	"list": node([]key{{"path", isText, "of the rows"}, {"label", isText, "what it shows"},
		{"columns", listOf(anyOf(isText, an("list_column"))), "the fields it shows"}}),
	"image":   node([]key{{"url", isText, "https or a data: URL"}, {"alt", isText, "what it shows"}}),
	"icon":    node([]key{{"name", isText, ""}, {"label", isText, "what it means"}}),
	"divider": node(nil),
	"button": node([]key{
		{"action", isText, "the action it does"}, {"label", isText, "without it that of the action"},
		{"primary", isFlag, "the one that most people want"}, {"repeat", isFlag, "a second click is a second wish"},
		{"context", listOf(an("context")), "what it sends, or the arguments of call"},
		{"open", isText, "the address it opens, in place of action"},
		{"copy", isText, "the text it copies, in place of action"},
		{"call", isText, "the function of the client that it runs, in place of action"}}),
	"row":     node([]key{{"children", nodesIn, "beside each other"}}),
	"column":  node([]key{{"children", nodesIn, "one below the other"}}),
	"card":    node([]key{{"children", nodesIn, "in a frame"}}),
	"section": node([]key{{"children", nodesIn, "one below the other"}, {"title", isText, ""}}),
	"tabs":    node([]key{{"tabs", listOf(an("tab")), "one of which is seen"}}),

	"context": {1, []key{{"key", isText, "one of the action's context"}, {"value", isValue, ""},
		{"path", isText, pathDoc}}},
	"tab":  {0, []key{{"key", isText, ""}, {"title", isText, ""}, {"children", nodesIn, ""}}},
	"step": {0, []key{{"id", isText, "a key"}, {"name", isText, ""}, {"owner", isText, ""}, {"outcome", isText, ""}}},
	"edge": {2, []key{
		{"from", isText, "the id or number of a step"},
		{"to", isText, "the id or number of a step"},
		{"kind", among(edgeKinds...), "without it sequence"},
		{"conditional", isFlag, "not always"}}},
	"series":      {0, []key{{"name", isText, ""}, {"values", numbers, ""}, {"field", isText, "of the rows"}}},
	"list_column": {1, []key{{"field", isText, "of the rows"}, {"label", isText, "without it field"}}},
}

func anyOf(some ...shape) shape         { return shape{"anyOf": some} }
func listOf(items shape) shape          { return shape{"type": "array", "items": items} }
func dictOf(values shape) shape         { return shape{"type": "object", "additionalProperties": values} }
func an(kind string) shape              { return shape{"$ref": "#/$defs/" + kind} }
func among[S ~string](known ...S) shape { return shape{"enum": known} }

const pathDoc = "a path below /committed, /draft or /ui_state, whose value is shown"

var (
	runs    = among(RunDirectives, RunChat, RunTools, RunHybrid)
	numbers = listOf(shape{"type": []string{"number", "null"}}) // null: a gap
	nodesIn = listOf(an("node"))
)

// wordKeys lists the words, each with its default text.
func wordKeys() shape {
	known := shape{}
	for name, text := range ui.DefaultWords() {
		known[name] = described(isText, text)
	}
	return shape{"type": "object", "properties": known, "additionalProperties": anyOf(isText,
		shape{"type": "object", "properties": known, "additionalProperties": isText})}
}

func limitDocs(list []limitKey) (keys []key) {
	for _, l := range list {
		keys = append(keys, key{l.key, isCount, ""})
	}
	return keys
}

// node is the mapping of a kind of node.
func node(keys []key) mapping {
	return mapping{keys: append(keys, key{"key", isText, "a key; without it the kind, numbered"})}
}

func (m mapping) names() (list []string) {
	for _, k := range m.keys {
		list = append(list, k.name)
	}
	return list
}

func (m mapping) has(name string) bool {
	return slices.ContainsFunc(m.keys, func(k key) bool { return k.name == name })
}

// schema is the JSON Schema of the mapping.
func (m mapping) schema() shape {
	members := shape{}
	for _, k := range m.keys {
		members[k.name] = described(k.is, k.doc)
	}
	s := shape{"type": "object", "properties": members, "additionalProperties": false}
	if m.must > 0 {
		s["required"] = m.names()[:m.must]
	}
	return s
}

func described(s shape, doc string) shape {
	if doc == "" {
		return s
	}
	s = maps.Clone(s)
	s["description"] = doc
	return s
}

// nodeSchema is the JSON Schema of a node: its kind with its mapping, or with the value of
// the mapping's first key alone.
func nodeSchema() shape {
	kinds := shape{}
	for _, kind := range nodeKinds {
		kinds[kind] = an(kind)
		m, ok := mappings[kind]
		if !ok {
			panic("app/keys.go: mappings has no node " + kind)
		}
		if keys := m.keys; len(keys) > 0 && keys[0].name != "key" {
			kinds[kind] = anyOf(an(kind), keys[0].is)
		}
	}
	return anyOf(among("divider"), shape{"type": "object", "properties": kinds, "additionalProperties": false,
		"minProperties": 1, "maxProperties": 1})
}

// FileSchema returns the JSON Schema (draft 2020-12) of the files that Load reads, for
// editors. It has each key that Load takes and no other; what only the whole of a file
// can check, such as whether an action of that name is declared, is left to Load.
func FileSchema() []byte {
	defs := shape{"node": nodeSchema()}
	for kind, m := range mappings {
		defs[kind] = m.schema()
	}
	root := mappings["application"].schema()
	delete(defs, "application")
	root["$schema"], root["$defs"] = "https://json-schema.org/draft/2020-12/schema", defs
	root["title"] = "Limn application"
	out, _ := json.MarshalIndent(root, "", "  ") // texts, lists and mappings: no error
	return append(out, '\n')
}
