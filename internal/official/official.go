// Package official finds the published A2UI schemas and examples and judges
// messages by them with an independent JSON Schema library. Only tests import it.
//
// The files are data of others and stay where they are: in the folder that
// A2UI_SPEC_DIR names, in ../shared/spec beside the project, or in the npm
// package @a2ui/web_core below web/node_modules ("make web" installs it).
package official

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// ErrMissing says that the published files are not there, and how to get them.
var ErrMissing = errors.New("the published A2UI schemas are missing: run 'make web', or set A2UI_SPEC_DIR")

// source is the place of the schemas of a dialect, and of the files they refer to.
type source struct {
	dir, server, client string
	base                string   // the folder that the $id of schemas and catalog name
	with                []string // resources it refers to, by their $id
	// "basic" and "minimal"; one is registered beside the schemas, as the specification says
	catalogs   map[string]string
	components string // v0.8: its components replace those of the schema, which are older
	now        bool   // the files are those of the release candidate and are rewritten
	envelope   bool   // the members of every component also have an @
}

// The published files of v1.0 are those of its release candidate.
var candidate = source{dir: "v1_0/json", server: "agent_to_renderer.json", client: "renderer_to_agent.json",
	base:     "https://a2ui.org/specification/v1_0/",
	with:     []string{"common_types.json", "catalog_definition.json", "agent_to_renderer.json"},
	catalogs: map[string]string{"basic": "v1_0/catalogs/basic/catalog.json"}}

var sources = map[string]source{
	"v0.8": {dir: "v0_8/json", server: "server_to_client_with_standard_catalog.json", client: "client_to_server.json",
		components: "standard_catalog_definition.json",
		base:       "https://a2ui.org/specification/v0_8/", with: []string{"catalog_description_schema.json"},
		catalogs: map[string]string{"basic": "v0_8/json/standard_catalog_definition.json",
			"minimal": "v0_8/json/catalogs/minimal/minimal_catalog.json"}},
	// the schema of v0.8 as published, with its components only
	"v0.8-alone": {dir: "v0_8/json", server: "server_to_client_with_standard_catalog.json",
		client: "client_to_server.json", base: "https://a2ui.org/specification/v0_8/",
		with:     []string{"catalog_description_schema.json"},
		catalogs: map[string]string{"basic": "v0_8/json/standard_catalog_definition.json"}},
	"v0.9": {dir: "v0_9/json", server: "server_to_client.json", client: "client_to_server.json",
		with: []string{"common_types.json"},
		base: "https://a2ui.org/specification/v0_9/", catalogs: catalogs09("v0_9")},
	"v0.9.1": {dir: "v0_9_1/json", server: "server_to_client.json", client: "client_to_server.json",
		with: []string{"common_types.json"},
		base: "https://a2ui.org/specification/v0_9/", catalogs: catalogs09("v0_9_1")},
	"v1.0-rc":      candidate,
	"v1.0":         released(candidate, true),
	"v1.0-2026-10": released(candidate, false),
}

func catalogs09(dir string) map[string]string {
	return map[string]string{"basic": dir + "/catalogs/basic/catalog.json",
		"minimal": "v0_9/catalogs/minimal/catalog.json"}
}

func released(s source, envelope bool) source { s.now, s.envelope = true, envelope; return s }

// Files returns the published files that match a pattern such as
// "v0_9/catalogs/basic/examples/*.json"; none when they are missing.
func Files(pattern string) []string {
	root, err := moduleRoot()
	if err != nil {
		return nil
	}
	spec := cmp.Or(os.Getenv("A2UI_SPEC_DIR"), filepath.Join(root, "..", "shared", "spec"))
	if files, _ := filepath.Glob(filepath.Join(spec, pattern)); len(files) > 0 {
		return files
	}
	version, rest, _ := strings.Cut(pattern, "/")
	files, _ := filepath.Glob(filepath.Join(root, "web", "node_modules", "@a2ui", "web_core", "src", version, "schemas",
		strings.TrimPrefix(rest, "json/")))
	return files
}

// Example is a published example: a file with messages of one dialect.
type Example struct {
	Dialect string // such as "v0.9"
	Minimal bool   // of the minimal catalog, else of the basic one
	File    string
}

// Name is the example in the name of a test.
func (e Example) Name() string {
	catalog := "basic"
	if e.Minimal {
		catalog = "minimal"
	}
	return e.Dialect + "/" + catalog + "/" + strings.TrimSuffix(filepath.Base(e.File), ".json")
}

// Schema returns the schema that the example must satisfy in a dialect: the one with
// the minimal catalog, if the example uses it and the dialect has one.
func (e Example) Schema(dialect string) (*Schema, error) {
	src := sources[dialect]
	if e.Minimal && src.catalogs["minimal"] != "" {
		return Named(dialect, src.server, "minimal")
	}
	return Server(dialect)
}

// Examples returns the published examples of all versions, and those beside the
// conformance cases of 2026-10. The error is ErrMissing when there are none.
func Examples() (list []Example, err error) {
	for _, set := range []struct{ dialect, folder string }{{"v0.8", "v0_8/json"}, {"v0.9", "v0_9"},
		{"v0.9.1", "v0_9_1"}, {"v1.0-rc", "v1_0"}} {
		for _, catalog := range []string{"basic", "minimal"} {
			for _, file := range Files(set.folder + "/catalogs/" + catalog + "/examples/*.json") {
				list = append(list, Example{set.dialect, catalog == "minimal", file})
			}
		}
	}
	if root, err := moduleRoot(); err == nil {
		cases := cmp.Or(os.Getenv("A2UI_CONFORMANCE_DIR"), filepath.Join(root, "..", "shared", "conformance-2026-10"))
		files, _ := filepath.Glob(filepath.Join(cases, "catalogs", "basic", "v1", "examples", "*.json"))
		for _, file := range files {
			list = append(list, Example{"v1.0-2026-10", false, file})
		}
	}
	if len(list) == 0 {
		return nil, ErrMissing
	}
	return list, nil
}

func moduleRoot() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		// bench has a separate go.mod
		b, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		if err == nil && bytes.HasPrefix(b, []byte("module github.com/limn-ui/limn\n")) {
			return dir, nil
		}
		up := filepath.Dir(dir)
		if up == dir {
			return "", errors.New("no go.mod above " + dir)
		}
		dir = up
	}
}

// Schema judges the messages of one dialect and direction.
type Schema struct{ compiled *jsonschema.Schema }

var made sync.Map // dialect, file and catalog → func() (*Schema, error), compiled once

// Server returns the schema of server→client messages of a dialect, such as
// "v0.9", with its basic catalog. The error is ErrMissing when the files are not
// there.
func Server(dialect string) (*Schema, error) { return Named(dialect, sources[dialect].server, "basic") }

// Client returns the schema of client→server messages.
func Client(dialect string) (*Schema, error) { return Named(dialect, sources[dialect].client, "basic") }

// Named returns any published schema of a dialect by its file name, such as
// "client_capabilities.json", that refers to the catalog "basic" or "minimal".
func Named(dialect, file, catalog string) (*Schema, error) {
	src, ok := sources[dialect]
	if !ok {
		return nil, fmt.Errorf("no published schema for %s", dialect)
	}
	once, _ := made.LoadOrStore(dialect+" "+file+" "+catalog,
		sync.OnceValues(func() (*Schema, error) { return src.compile(file, catalog) }))
	return once.(func() (*Schema, error))()
}

// Fresh compiles what Server returns again, for benchmarks.
func Fresh(dialect string) (*Schema, error) {
	return sources[dialect].compile(sources[dialect].server, "basic")
}

// Catalog returns the published catalog "basic" or "minimal" of a dialect as a
// JSON document.
func Catalog(dialect, name string) ([]byte, error) {
	src := sources[dialect]
	path, ok := src.catalogs[name]
	if !ok {
		return nil, fmt.Errorf("no published catalog %s for %s", name, dialect)
	}
	doc, err := src.load(path)
	if err != nil {
		return nil, err
	}
	return json.Marshal(doc)
}

// Check returns the schema's error for a message.
func (s *Schema) Check(message []byte) error {
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(message))
	if err != nil {
		return err
	}
	return s.compiled.Validate(v)
}

func (src source) compile(file, catalog string) (*Schema, error) {
	if Files(src.dir+"/"+file) == nil {
		return nil, ErrMissing
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	c.UseRegexpEngine(identifiers)
	for _, name := range src.with {
		if name == file {
			continue
		}
		if err := src.add(c, src.dir+"/"+name, src.base+name); err != nil {
			return nil, err
		}
	}
	if src.components == "" {
		if err := src.add(c, src.catalogs[catalog], src.base+"catalog.json"); err != nil {
			return nil, err
		}
	}
	if err := src.add(c, src.dir+"/"+file, src.base+file); err != nil {
		return nil, err
	}
	compiled, err := c.Compile(src.base + file)
	if err != nil {
		return nil, err
	}
	return &Schema{compiled}, nil
}

// identifiers compiles patterns with the properties that Go lacks spelled out.
func identifiers(pattern string) (jsonschema.Regexp, error) {
	pattern = strings.NewReplacer(`\p{XID_Start}`, `\p{L}\p{Nl}`, `\p{XID_Continue}`,
		`\p{L}\p{Nl}\p{Mn}\p{Mc}\p{Nd}\p{Pc}`).Replace(pattern)
	return regexp.Compile(pattern)
}

// add registers a file under the id by which the others refer to it.
func (src source) add(c *jsonschema.Compiler, path, id string) error {
	m, err := src.load(path)
	if err != nil {
		return err
	}
	m["$id"] = id
	return c.AddResource(id, m)
}

// load reads a file as the dialect has it.
func (src source) load(path string) (map[string]any, error) {
	m, err := load(path)
	if err != nil {
		return nil, err
	}
	if src.components != "" && filepath.Base(path) == src.server {
		catalog, err := load(src.dir + "/" + src.components)
		if err != nil {
			return nil, err
		}
		member(m, "properties", "surfaceUpdate", "properties", "components", "items", "properties",
			"component")["properties"] = catalog["components"]
	}
	if src.now {
		release(m, src.envelope)
	}
	return m, nil
}

// member walks down into objects; a missing one is empty.
func member(m map[string]any, path ...string) map[string]any {
	for _, k := range path {
		m, _ = m[k].(map[string]any)
	}
	return m
}

func load(path string) (map[string]any, error) {
	files := Files(path)
	if len(files) == 0 {
		return nil, fmt.Errorf("%s: %w", path, ErrMissing)
	}
	b, err := os.ReadFile(files[0])
	if err != nil {
		return nil, err
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(b))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	m, ok := doc.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("%s is no object", path)
	}
	return m, nil
}
