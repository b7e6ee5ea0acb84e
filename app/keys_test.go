package app_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"

	"github.com/limn-ui/limn/app"
)

// further has the keys that everything, withTools and withTypes lack.
const further = `
name: further
forms: [{name: f, title: F, fields: [{name: a}]}]
tables: [{name: t, help: Rows., columns: [{name: a}]}]
views:
  - name: v
    title: V
    phrases: [figures]
    topics: [sales]
    records: {new: f, some: {name: f, search: x, filter: "a:eq:x", sort: a, limit: 3}}
    refresh: 30s
    nodes:
      - chart: {path: /committed/sales, x: at, field: n}
      - chart: {path: /committed/sales, series: [{name: N, field: n}]}
      - list: {path: /committed/new, label: L, columns: [a, {field: a, label: A}], key: li}
      - heading: {text: H, key: h}
      - text: {text: T, key: t}
      - stat: {label: S, path: /committed/f/a, key: s}
      - progress: {label: P, path: /committed/f/a, key: p}
      - notice: {text: N, key: n}
      - diagram: {steps: [{name: A}], key: d}
      - chart: {values: [1, null], labels: [a, b], key: c}
      - image: {url: "https://example.org/a.png", alt: A, key: i}
      - icon: {name: check, label: Right, key: k}
      - divider: {key: line}
      - button: {action: a, label: A, repeat: true, key: b}
      - button: {open: "https://limn.example", label: Help}
      - button: {copy: A-17, label: Copy}
      - button: {call: scrollTo, label: End, context: [{key: where, value: end}]}
      - row: {children: [divider], key: r}
      - column: {children: [divider], key: co}
      - section: {children: [divider], key: se}
      - tabs: {tabs: [{title: T, children: [divider]}], key: ta}
actions:
  - {name: a, reply: Yes., until: f, show: f}
  - {name: price, reply: "12", callers: any}
  - {name: where, call: {function: getPosition, then: a, context: [{key: exact, value: true}]}}
model_tools:
  - {name: m, description: Does., webhook: {url: "https://x.example/", secret: s}, after: f, until: t}
records: [{name: f, title: Fs, phrases: [effs], fields: [a], read: [everyone], write: [boss], off: false, decide: {fields: a, roles: boss, own: true}}]
guardrails: [{id: g, pattern: x, action: force_tool, tool: request_data_table, enabled: false}]
limits: {surfaces: 9, nodes: 99, depth: 9, rows: 9, options: 9, string_size: 900, draft_size: 9000, transcript: 9,
  text_size: 900, committed: 9000}
a2ui_limits: {message_bytes: 99999, surface_bytes: 99999, batch_bytes: 99999, messages: 99, components: 99,
  depth: 9, call_depth: 5, data_depth: 9, data_entries: 999, string: 9999}
catalogs: {"form:f": "urn:x"}
theme: {accent: "#0b6e4f", font: "Inter, sans-serif", logo: /logo.svg, radius: 4}
recovery: {FIELD_REQUIRED: {status: 422, do: soft, title: Please fill it in., hint: Say what.}}
`

// TestFileSchema: the schema takes what Load takes. Both refuse a key that is not there
// and miss one that is required, in each kind of mapping; each key of the schema is in
// one of the files that load.
func TestFileSchema(t *testing.T) {
	t.Parallel()
	s := readFileSchema(t)
	seen := map[string]bool{}
	for _, text := range []string{everything, withTools, withTypes, further} {
		file := s.file(t, text)
		if err := s.both(t, file); err != nil {
			t.Errorf("%v\n%s", err, text)
		}
		s.walk("application", s.doc, file, func(kind string, is, value map[string]any) {
			for name := range value {
				seen[kind+"."+name] = true
			}
			if value["zzz"] = "x"; s.both(t, file) == nil {
				t.Errorf("%s: an unknown key is taken", kind)
			}
			delete(value, "zzz")
			required, _ := is["required"].([]any)
			for _, r := range required {
				was := value[r.(string)]
				if delete(value, r.(string)); s.both(t, file) == nil {
					t.Errorf("%s: taken without %s", kind, r)
				}
				value[r.(string)] = was
			}
		})
	}
	for kind, is := range s.kinds {
		members, _ := is.(map[string]any)["properties"].(map[string]any)
		for name := range members {
			if kind != "node" && !seen[kind+"."+name] {
				t.Errorf("no file of this test has the key %q of %s: add it to further", name, kind)
			}
		}
	}
}

// TestFileSchemaOfFiles: the applications of the repository fit the schema, and those
// that its documents print.
func TestFileSchemaOfFiles(t *testing.T) {
	t.Parallel()
	s := readFileSchema(t)
	texts := map[string]string{}
	for _, pattern := range []string{"../examples/*/*.yaml", "../cmd/limn/templates/*.yaml",
		"../cmd/limn/templates/*/*.yaml"} {
		files, _ := filepath.Glob(pattern)
		for _, file := range files {
			if filepath.Base(file) == "gateway.yaml" { // the file of a gateway is another one
				continue
			}
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			texts[file] = strings.NewReplacer("{{.Name}}", "x", "{{.Title}}", "X").Replace(string(data))
		}
	}
	pages, _ := filepath.Glob("../docs/*.md")
	howto, _ := filepath.Glob("../docs/howto/*.md")
	for _, page := range append(pages, howto...) {
		switch name := filepath.Base(page); name {
		case "models.md", "eval.md", "gateway.md": // their files are others
			continue
		default:
			data, err := os.ReadFile(page)
			if err != nil {
				t.Fatal(err)
			}
			blocks := regexp.MustCompile("(?ms)^```yaml( [a-z]+.yaml)?\n(.*?)^```$").FindAllStringSubmatch(string(data), -1)
			for i, block := range blocks {
				if strings.TrimSpace(block[1]) == "wrong.yaml" {
					continue
				}
				if !strings.HasPrefix(block[2], "name:") { // a part of a file
					block[2] = "name: x\n" + block[2]
				}
				texts[fmt.Sprint(name, ", block ", i)] = block[2]
			}
		}
	}
	if len(texts) < 20 {
		t.Fatalf("only %d files: %v", len(texts), slices.Collect(maps.Keys(texts)))
	}
	for file, text := range texts {
		if err := s.Validate(s.file(t, text)); err != nil {
			t.Errorf("%s: %v", file, err)
		}
	}
}

// fileSchema is the schema as a validator and as a document.
type fileSchema struct {
	*jsonschema.Schema
	doc, kinds map[string]any
}

func readFileSchema(t *testing.T) (s fileSchema) {
	t.Helper()
	if err := json.Unmarshal(app.FileSchema(), &s.doc); err != nil {
		t.Fatal(err)
	}
	s.kinds = s.doc["$defs"].(map[string]any)
	c := jsonschema.NewCompiler()
	if err := c.AddResource("file.json", s.doc); err != nil {
		t.Fatal(err)
	}
	var err error
	if s.Schema, err = c.Compile("file.json"); err != nil {
		t.Fatal(err)
	}
	return s
}

// both loads a file and holds it against the schema; they have to agree.
func (s fileSchema) both(t *testing.T, file any) error {
	t.Helper()
	data, err := json.Marshal(file)
	if err != nil {
		t.Fatal(err)
	}
	_, loads := app.Load("f.yaml", data, app.AnyHandler(), app.Env(hook))
	fits := s.Validate(file)
	if (loads == nil) != (fits == nil) {
		t.Errorf("Load: %v\nschema: %v\n%s", loads, fits, data)
	}
	return loads
}

// walk visits each mapping of a value with its kind.
func (s fileSchema) walk(kind string, is map[string]any, value any, visit func(kind string, is, value map[string]any)) {
	if ref, ok := is["$ref"].(string); ok {
		kind = strings.TrimPrefix(ref, "#/$defs/")
		s.walk(kind, s.kinds[kind].(map[string]any), value, visit)
		return
	}
	some, _ := is["anyOf"].([]any)
	for _, one := range some {
		s.walk(kind, one.(map[string]any), value, visit)
	}
	switch value := value.(type) {
	case []any:
		items, _ := is["items"].(map[string]any)
		for _, x := range value {
			s.walk(kind, items, x, visit)
		}
	case map[string]any:
		members, ok := is["properties"].(map[string]any)
		if ok && kind != "node" && is["additionalProperties"] == false {
			visit(kind, is, value)
		}
		for name, x := range value {
			member, ok := members[name].(map[string]any)
			if !ok {
				member, _ = is["additionalProperties"].(map[string]any)
			}
			s.walk(kind, member, x, visit)
		}
	}
}

// file reads YAML as JSON values.
func (s fileSchema) file(t *testing.T, text string) any {
	t.Helper()
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(text), &doc); err != nil {
		t.Fatal(err)
	}
	return plain(doc.Content[0])
}

func plain(n *yaml.Node) any {
	switch n.Kind {
	case yaml.AliasNode:
		return plain(n.Alias)
	case yaml.MappingNode:
		out := map[string]any{}
		for i := 0; i < len(n.Content); i += 2 {
			out[n.Content[i].Value] = plain(n.Content[i+1])
		}
		return out
	case yaml.SequenceNode:
		out := []any{}
		for _, x := range n.Content {
			out = append(out, plain(x))
		}
		return out
	}
	switch n.ShortTag() {
	case "!!int", "!!float":
		return json.Number(n.Value)
	case "!!bool":
		return n.Value == "true"
	case "!!null":
		return nil
	}
	return n.Value
}
