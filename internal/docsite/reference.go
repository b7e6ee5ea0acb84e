package docsite

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/directive"
	"github.com/limn-ui/limn/internal/recovery"
	"github.com/limn-ui/limn/trace"
	"github.com/limn-ui/limn/trace/metrics"
)

// generated are the documents that come from code, by the source they would have.
var generated = map[string]func(root string) ([]byte, error){
	"docs/reference-app.md":        writeApp,
	"docs/reference-codes.md":      writeCodes,
	"docs/reference-directives.md": writeDirectives,
	"docs/reference-http.md":       writeHTTP,
	"docs/reference-metrics.md":    writeMetrics,
}

// object is a JSON object, or a mapping of YAML.
type object = map[string]any

func in(o object, keys ...string) object {
	for _, k := range keys {
		o, _ = o[k].(object)
	}
	return o
}

// words is a text of an object on one line.
func words(o object, key string) string {
	s, _ := o[key].(string)
	return strings.Join(strings.Fields(s), " ")
}

// cell is a text as a cell of a table shows it.
func cell(s string) string {
	return strings.NewReplacer("|", `\|`, "<", `\<`, "*", `\*`, "[", `\[`).Replace(s)
}

// writeApp writes the keys of an application file, kind by kind, each kind after the
// first that holds it.
func writeApp(string) ([]byte, error) {
	var schema object
	if err := json.Unmarshal(app.FileSchema(), &schema); err != nil {
		return nil, err
	}
	var b strings.Builder
	b.WriteString("# Every key of app.yaml\n\nThis is what `limn schema` prints, for people. " +
		"[yaml.md](yaml.md) explains how the keys work together.\n")
	kinds := []string{""}
	for i := 0; i < len(kinds); i++ {
		o, title := in(schema, "$defs", kinds[i]), kinds[i]
		if i == 0 {
			o, title = schema, "The file"
		}
		if o["properties"] == nil {
			o = alternative(o)
		}
		fmt.Fprintf(&b, "\n## %s\n\n", title)
		for _, kind := range writeKeys(&b, o) {
			if !slices.Contains(kinds, kind) {
				kinds = append(kinds, kind)
			}
		}
	}
	fmt.Fprint(&b, "\n## Words\n\nThe keys of `words`, each with its sentence in English.\n\n"+
		"| key | sentence |\n|---|---|\n")
	list := in(schema, "properties", "words", "properties")
	for _, key := range slices.Sorted(maps.Keys(list)) {
		fmt.Fprintf(&b, "| `%s` | %s |\n", key, cell(words(in(list, key), "description")))
	}
	return []byte(b.String()), nil
}

// alternative is the one of several shapes that has keys.
func alternative(o object) object {
	list, _ := o["anyOf"].([]any)
	for _, one := range list {
		if one, ok := one.(object); ok && one["properties"] != nil {
			return one
		}
	}
	return o
}

// writeKeys writes the keys of one kind, the required ones first, and names the kinds
// that their values can have.
func writeKeys(b *strings.Builder, o object) (kinds []string) {
	required, _ := o["required"].([]any)
	keys := slices.Sorted(maps.Keys(in(o, "properties")))
	slices.SortStableFunc(keys, func(x, y string) int {
		return boolOrder(slices.Contains(required, any(y))) - boolOrder(slices.Contains(required, any(x)))
	})
	b.WriteString("| key | value |\n|---|---|\n")
	for _, key := range keys {
		is := in(o, "properties", key)
		text, used := shape(is)
		kinds = append(kinds, used...)
		writeRow(b, key, text, slices.Contains(required, any(key)), words(is, "description"))
	}
	return kinds
}

// writeRow writes a key of a table with the shape and the meaning of its value.
func writeRow(b *strings.Builder, key, is string, required bool, doc string) {
	if required {
		is += ", required"
	}
	if doc != "" {
		is += " · "
	}
	fmt.Fprintf(b, "| `%s` | %s%s |\n", key, is, cell(doc))
}

func boolOrder(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// shape describes a JSON Schema in words, and names the kinds it refers to.
func shape(o object) (text string, kinds []string) {
	if ref, ok := o["$ref"].(string); ok {
		kind := ref[strings.LastIndex(ref, "/")+1:]
		return fmt.Sprintf("[%s](#%s)", kind, kind), []string{kind}
	}
	if list, ok := o["anyOf"].([]any); ok {
		var all []string
		for _, one := range list {
			t, k := shape(one.(object))
			all, kinds = append(all, t), append(kinds, k...)
		}
		return strings.Join(all, ", or "), kinds
	}
	if list, ok := o["enum"].([]any); ok {
		return "`" + strings.Trim(strings.ReplaceAll(fmt.Sprint(list...), " ", "` `"), "[]") + "`", nil
	}
	for _, of := range []struct{ key, say string }{{"items", "a list of "},
		{"additionalProperties", "a mapping of names to "}} {
		if more, ok := o[of.key].(object); ok {
			text, kinds = shape(more)
			return of.say + text, kinds
		}
	}
	switch t := o["type"].(type) {
	case []any:
		if len(t) == 2 {
			return "text", nil
		}
		return "text, a number, yes or no, or a list", nil
	case string:
		return map[string]string{"string": "text", "boolean": "`true` or `false`", "integer": "a whole number",
			"number": "a number", "object": "a mapping"}[t], nil
	}
	return "", nil
}

// kinds are the values of a parameter of a directive, in words.
var kindWords = map[directive.Kind]string{directive.String: "text", directive.Integer: "a whole number",
	directive.Boolean: "`true` or `false`", directive.Strings: "a list of texts", directive.Values: "values by field",
	directive.Rows: "a list of rows", directive.Ops: "a list of changes"}

// writeDirectives writes the directives that the registry declares.
func writeDirectives(string) ([]byte, error) {
	some := []string{"name"} // of the application that has it
	defs := directive.PresetDefs(directive.PresetConfig{Forms: some, Tables: some, Maps: some, Views: some,
		Records: some})
	var b strings.Builder
	b.WriteString("# Every directive\n\nWhat a model may ask for, from the registry that its answers are read with. " +
		"[directives.md](directives.md) says how an answer is read. An application adds " +
		"[directives of its own](directives.md#directives-of-your-own).\n")
	for _, d := range defs {
		fmt.Fprintf(&b, "\n## %s\n\n%s", d.Type, d.Description)
		if len(d.Aliases) > 0 {
			fmt.Fprintf(&b, " It is also called `%s`.", strings.Join(d.Aliases, "` `"))
		}
		b.WriteString("\n\n| key | value |\n|---|---|\n")
		for _, p := range d.Params {
			doc := p.Description
			switch {
			case p.Name == "name" && p.Required:
				doc = "One that the application declares."
			case len(p.Enum) > 0:
				doc += " One of `" + strings.Join(p.Enum, "` `") + "`."
			}
			if len(p.Columns) > 0 {
				doc += " Columns: `" + strings.Join(p.Columns, "` `") + "`."
			}
			writeRow(&b, p.Name, kindWords[p.Kind], p.Required, strings.TrimSpace(doc))
		}
		if d.Example != "" {
			fmt.Fprintf(&b, "\n```json\n{\"type\": %q, \"payload\": %s}\n```\n", d.Type, d.Example)
		}
	}
	return []byte(b.String()), nil
}

// writeCodes writes the status and the title of each code in the table of recoveries.
func writeCodes(string) ([]byte, error) {
	var b strings.Builder
	b.WriteString("# Every code\n\n" +
		"With its HTTP status and what the user reads, unless the application says otherwise. " +
		"A code that is not here has the line of its family, which ends in `*`. [http.md](http.md#problems) says how " +
		"to read them.\n\n| code | status | what the user reads |\n|---|---|---|\n")
	for _, e := range recovery.Default().All() {
		fmt.Fprintf(&b, "| `%s` | %d | %s |\n", e.Code, e.Status, cell(e.Title))
	}
	return []byte(b.String()), nil
}

// writeMetrics writes the help text that a server gives for each metric. It counts every
// metric once, so that the server lists all.
func writeMetrics(string) ([]byte, error) {
	m := metrics.New()
	for _, s := range trace.Specs() {
		var values []string
		for _, l := range s.Labels {
			values = append(values, append(l.May, "")[0])
		}
		m.Series(s.Name, values...).Add(1)
	}
	for _, name := range []trace.Name{trace.RouterDecision, trace.ToolOpened, trace.ToolSubmitted, trace.ToolCanceled,
		trace.WarningShown, trace.OptOutChanged} {
		m.Emit(trace.Event{Name: name})
	}
	answer := httptest.NewRecorder()
	m.ServeHTTP(answer, httptest.NewRequest("GET", "/metrics", nil))
	var b strings.Builder
	b.WriteString("# Every metric\n\n" +
		"As `GET /metrics` describes it. [operations.md](operations.md#metrics) lists labels " +
		"and alerts.\n\n| metric | what |\n|---|---|\n")
	for _, h := range regexp.MustCompile(`# HELP (limn_\w+) (.*)`).FindAllStringSubmatch(answer.Body.String(), -1) {
		fmt.Fprintf(&b, "| `%s` | %s |\n", h[1], cell(h[2]))
	}
	return []byte(b.String()), nil
}

var methods = []string{"get", "post", "put", "patch", "delete"}

// writeHTTP writes the addresses of docs/openapi.yaml.
func writeHTTP(root string) ([]byte, error) {
	raw, err := os.ReadFile(filepath.Join(root, "docs/openapi.yaml"))
	if err != nil {
		return nil, err
	}
	var spec object
	if err := yaml.Unmarshal(raw, &spec); err != nil {
		return nil, err
	}
	var b strings.Builder
	b.WriteString("# Every address of the HTTP API\n\n" +
		"From [openapi.yaml](openapi.yaml), which the tests hold against the " +
		"server. [http.md](http.md) says how the addresses work together.\n")
	paths := in(spec, "paths")
	for _, address := range slices.Sorted(maps.Keys(paths)) {
		for _, m := range methods {
			if op := in(paths, address, m); op != nil {
				writeOperation(&b, spec, in(paths, address), op, strings.ToUpper(m)+" "+address)
			}
		}
	}
	return []byte(b.String()), nil
}

func writeOperation(b *strings.Builder, spec, at, op object, title string) {
	fmt.Fprintf(b, "\n## %s\n\n**%s** %s\n", title, words(op, "summary"), cell(words(op, "description")))
	shared, _ := at["parameters"].([]any)
	own, _ := op["parameters"].([]any)
	if len(shared)+len(own) > 0 {
		b.WriteString("\n| parameter | |\n|---|---|\n")
	}
	for _, p := range append(slices.Clone(shared), own...) {
		p := follow(spec, p)
		required := p["required"] == true && p["in"] != "path"
		writeRow(b, words(p, "name"), words(p, "in"), required, words(p, "description"))
	}
	if body := follow(spec, op["requestBody"]); body != nil {
		kinds := slices.Sorted(maps.Keys(in(body, "content")))
		fmt.Fprintf(b, "\nThe body is `%s`.\n", strings.Join(kinds, "` or `"))
		writeExample(b, in(body, "content", "application/json"))
	}
	b.WriteString("\n| answer | |\n|---|---|\n")
	responses := in(op, "responses")
	same := map[string][]string{} // statuses by meaning
	for _, status := range slices.Sorted(maps.Keys(responses)) {
		doc := words(follow(spec, responses[status]), "description")
		same[doc] = append(same[doc], status)
	}
	for _, doc := range slices.SortedFunc(maps.Keys(same), func(x, y string) int {
		return cmp.Compare(same[x][0], same[y][0])
	}) {
		fmt.Fprintf(b, "| %s | %s |\n", strings.Join(same[doc], ", "), cell(doc))
	}
}

func writeExample(b *strings.Builder, content object) {
	if example := content["example"]; example != nil {
		if out, err := json.MarshalIndent(example, "", "  "); err == nil {
			fmt.Fprintf(b, "\n```json\n%s\n```\n", out)
		}
	}
}

// follow is an object, or the one that its $ref names.
func follow(spec object, v any) object {
	o, _ := v.(object)
	if ref, ok := o["$ref"].(string); ok {
		return in(spec, strings.Split(strings.TrimPrefix(ref, "#/"), "/")...)
	}
	return o
}
