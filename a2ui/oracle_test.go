package a2ui_test

import (
	"bytes"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/limn-ui/limn/a2ui"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// oracle is the published schema of a dialect, read by an independent library.
type oracle struct {
	dialect          a2ui.Dialect
	dir, server, cli string   // folder and the two schemas in it
	with             []string // resources that they refer to, by their $id
	catalog          string   // registered beside the schemas, as the specification tells
	components       string   // v0.8: its components replace those of the schema, which lags behind
}

var oracles = []oracle{
	{dialect: a2ui.V08, dir: "v0_8/json", server: "server_to_client_with_standard_catalog.json", cli: "client_to_server.json",
		components: "standard_catalog_definition.json"},
	{dialect: a2ui.V09, dir: "v0_9/json", server: "server_to_client.json", cli: "client_to_server.json",
		with: []string{"common_types.json"}, catalog: "v0_9/catalogs/basic/catalog.json"},
	{dialect: a2ui.V091, dir: "v0_9_1/json", server: "server_to_client.json", cli: "client_to_server.json",
		with: []string{"common_types.json"}, catalog: "v0_9_1/catalogs/basic/catalog.json"},
}

var schemas = struct {
	sync.Mutex
	made map[string]*jsonschema.Schema
}{made: map[string]*jsonschema.Schema{}}

// schema compiles a published schema once; nil, with a note, without the files.
func schema(t *testing.T, d a2ui.Dialect, client bool) *jsonschema.Schema {
	t.Helper()
	for _, o := range oracles {
		if o.dialect != d {
			continue
		}
		file := o.server
		if client {
			file = o.cli
		}
		schemas.Lock()
		defer schemas.Unlock()
		key := o.dir + "/" + file
		if published(key) == nil {
			t.Logf("not compared with the published schema %s, which is missing (set A2UI_SPEC_DIR)", key)
			return nil
		}
		if schemas.made[key] == nil {
			schemas.made[key] = o.compile(t, file)
		}
		return schemas.made[key]
	}
	t.Fatalf("no schema for %s", d)
	return nil
}

func (o oracle) compile(t *testing.T, file string) *jsonschema.Schema {
	t.Helper()
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	read := func(path string) map[string]any {
		b, err := os.ReadFile(append(published(path), path)[0])
		if err != nil {
			t.Fatal(err)
		}
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(b))
		if err != nil {
			t.Fatal(err)
		}
		return doc.(map[string]any)
	}
	add := func(path, id string) string {
		m := read(path)
		if o.components != "" && filepath.Base(path) == o.server {
			catalog := read(filepath.Join(o.dir, o.components))
			component := dig(m, "properties", "surfaceUpdate", "properties", "components", "items", "properties", "component")
			component["properties"] = catalog["components"]
		}
		if declared, ok := m["$id"].(string); id == "" && ok {
			id = declared
		} else if id == "" {
			id = "https://a2ui.org/specification/" + filepath.Base(path)
		}
		m["$id"] = id
		if err := c.AddResource(id, m); err != nil {
			t.Fatal(err)
		}
		return id
	}
	for _, name := range o.with {
		add(filepath.Join(o.dir, name), "")
	}
	if o.catalog != "" {
		add(o.catalog, "https://a2ui.org/specification/v0_9/catalog.json")
	}
	s, err := c.Compile(add(filepath.Join(o.dir, file), ""))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func dig(m map[string]any, keys ...string) map[string]any {
	for _, k := range keys {
		m = m[k].(map[string]any)
	}
	return m
}

func conforms(s *jsonschema.Schema, b []byte) error {
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(b))
	if err != nil {
		return err
	}
	return s.Validate(v)
}

// TestFormsConform checks that what the benchmarks encode is what the published
// schemas describe, and that the schemas would notice if it were not.
func TestFormsConform(t *testing.T) {
	t.Parallel()
	for _, o := range oracles {
		s := schema(t, o.dialect, false)
		if s == nil {
			continue
		}
		for _, m := range form(o.dialect, 30) {
			b, err := a2ui.AppendMessage(nil, o.dialect, m)
			if err != nil {
				t.Fatal(err)
			}
			if err := conforms(s, b); err != nil {
				t.Errorf("%s: %v\n%.300s", o.dialect, err, b)
			}
			if err := conforms(s, bytes.Replace(b, []byte(`"surfaceId"`), []byte(`"surface"`), 1)); err == nil {
				t.Errorf("%s: the schema takes a message without surfaceId", o.dialect)
			}
		}
	}
}
