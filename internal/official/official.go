// Package official finds the published A2UI schemas and examples and judges
// messages by them with an independent JSON Schema library. Only tests import it.
//
// The files are data of others and stay where they are: in the folder that
// A2UI_SPEC_DIR names, in ../shared/spec beside the project, or in the npm
// package @a2ui/web_core below web/node_modules ("make web" installs it).
package official

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// ErrMissing says that the published files are not there, and how to get them.
var ErrMissing = errors.New("the published A2UI schemas are missing: run 'make web', or set A2UI_SPEC_DIR")

// source is where the schema of a dialect stands and what it refers to.
type source struct {
	dir, server, client string
	with                []string // resources it refers to, by their $id
	catalog             string   // registered beside the schemas, as the specification tells
	components          string   // v0.8: its components replace those of the schema, which lags behind
}

var sources = map[string]source{
	"v0.8": {dir: "v0_8/json", server: "server_to_client_with_standard_catalog.json", client: "client_to_server.json", components: "standard_catalog_definition.json"},
	"v0.9": {dir: "v0_9/json", server: "server_to_client.json", client: "client_to_server.json", with: []string{"common_types.json"},
		catalog: "v0_9/catalogs/basic/catalog.json"},
	"v0.9.1": {dir: "v0_9_1/json", server: "server_to_client.json", client: "client_to_server.json", with: []string{"common_types.json"},
		catalog: "v0_9_1/catalogs/basic/catalog.json"},
}

// Files returns the published files that match a pattern such as
// "v0_9/catalogs/basic/examples/*.json"; none when they are missing.
func Files(pattern string) []string {
	root, err := moduleRoot()
	if err != nil {
		return nil
	}
	spec := os.Getenv("A2UI_SPEC_DIR")
	if spec == "" {
		spec = filepath.Join(root, "..", "shared", "spec")
	}
	if files, _ := filepath.Glob(filepath.Join(spec, pattern)); len(files) > 0 {
		return files
	}
	version, rest, _ := strings.Cut(pattern, "/")
	files, _ := filepath.Glob(filepath.Join(root, "web", "node_modules", "@a2ui", "web_core", "src", version, "schemas", strings.TrimPrefix(rest, "json/")))
	return files
}

func moduleRoot() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
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

var made sync.Map // dialect and direction → func() (*Schema, error), compiled once

// Server returns the schema of server→client messages of a dialect, such as
// "v0.9". The error is ErrMissing when the files are not there.
func Server(dialect string) (*Schema, error) { return schema(dialect, false) }

// Client returns the schema of client→server messages.
func Client(dialect string) (*Schema, error) { return schema(dialect, true) }

func schema(dialect string, client bool) (*Schema, error) {
	src, ok := sources[dialect]
	if !ok {
		return nil, fmt.Errorf("no published schema for %s", dialect)
	}
	file := src.server
	if client {
		file = src.client
	}
	once, _ := made.LoadOrStore(src.dir+"/"+file, sync.OnceValues(func() (*Schema, error) { return src.compile(file) }))
	return once.(func() (*Schema, error))()
}

// Check returns what the schema says against a message.
func (s *Schema) Check(message []byte) error {
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(message))
	if err != nil {
		return err
	}
	return s.compiled.Validate(v)
}

func (src source) compile(file string) (*Schema, error) {
	if Files(src.dir+"/"+file) == nil {
		return nil, ErrMissing
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	for _, name := range src.with {
		if _, err := src.add(c, src.dir+"/"+name, ""); err != nil {
			return nil, err
		}
	}
	if src.catalog != "" {
		if _, err := src.add(c, src.catalog, "https://a2ui.org/specification/v0_9/catalog.json"); err != nil {
			return nil, err
		}
	}
	id, err := src.add(c, src.dir+"/"+file, "")
	if err != nil {
		return nil, err
	}
	compiled, err := c.Compile(id)
	if err != nil {
		return nil, err
	}
	return &Schema{compiled}, nil
}

// add registers a file under an id: the given one, its own, or one after its name.
func (src source) add(c *jsonschema.Compiler, path, id string) (string, error) {
	m, err := load(path)
	if err != nil {
		return "", err
	}
	if src.components != "" && filepath.Base(path) == src.server {
		catalog, err := load(src.dir + "/" + src.components)
		if err != nil {
			return "", err
		}
		component := m
		for _, k := range []string{"properties", "surfaceUpdate", "properties", "components", "items", "properties", "component"} {
			component, _ = component[k].(map[string]any)
		}
		component["properties"] = catalog["components"]
	}
	declared, _ := m["$id"].(string)
	switch {
	case id != "":
	case declared != "":
		id = declared
	default:
		id = "https://a2ui.org/specification/" + filepath.Base(path)
	}
	m["$id"] = id
	return id, c.AddResource(id, m)
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
