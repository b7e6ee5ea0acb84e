package conformance

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/limn-ui/limn/a2ui"
	a2uicatalog "github.com/limn-ui/limn/a2ui/catalog"
	"github.com/limn-ui/limn/a2ui/internal/wire"
)

// specFolders are the versions of the specification that have test cases or
// examples, and how their messages are read.
var specFolders = []struct {
	name    string
	dialect a2ui.Dialect
}{{"v0_8", a2ui.V08}, {"v0_9", a2ui.V09}, {"v0_9_1", a2ui.V091}, {"v1_0", a2ui.V10RC}}

// TestConformanceSpecCases runs the test cases of the specification: what a schema
// takes or refuses, the product takes or refuses.
func TestConformanceSpecCases(t *testing.T) {
	ran := false
	for _, folder := range specFolders {
		for _, file := range specFiles(folder.name, "test_cases") {
			ran = true
			t.Run(folder.name+"/"+filepath.Base(file), func(t *testing.T) {
				list, err := runSpecFile(folder.dialect, file)
				if err != nil {
					list = []result{{name: filepath.Base(file), kind: "fail", note: err.Error()}}
				}
				report(t, list)
			})
		}
	}
	if !ran {
		t.Skipf("no test cases in %s: set A2UI_SPEC_DIR", specDir())
	}
}

func specFiles(version, folder string) (files []string) {
	for _, pattern := range []string{"*.json", "*.jsonl"} {
		found, _ := filepath.Glob(filepath.Join(specDir(), version, folder, pattern))
		for _, f := range found {
			if filepath.Base(f) != "testing_catalog.json" { // what others refer to
				files = append(files, f)
			}
		}
	}
	slices.Sort(files)
	return files
}

// specFile is one file of test cases.
type specFile struct {
	Schema  string `json:"schema"`
	Catalog string `json:"catalog"`
	Tests   []struct {
		Description string          `json:"description"`
		Valid       *bool           `json:"valid"`
		Data        json.RawMessage `json:"data"`
	} `json:"tests"`
}

func runSpecFile(d a2ui.Dialect, path string) ([]result, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if strings.HasSuffix(path, ".jsonl") {
		return runLines(d, b)
	}
	var file specFile
	if err := decodeStrict(b, &file); err != nil {
		return nil, err
	}
	catalog := a2ui.Basic(d)
	if file.Catalog != "" {
		doc, err := os.ReadFile(filepath.Join(filepath.Dir(path), file.Catalog))
		if err != nil {
			return nil, err
		}
		if catalog, err = compileAs(doc, d); err != nil {
			return nil, err
		}
	}
	list := make([]result, len(file.Tests))
	for i, test := range file.Tests {
		err := judgeAs(file.Schema, d, catalog, test.Data)
		list[i] = result{name: test.Description, kind: "pass"}
		switch {
		case test.Valid == nil:
			list[i].kind, list[i].note = "fail", "the case does not say whether it is valid"
		case *test.Valid && err != nil:
			list[i].kind, list[i].note = "fail", "refused: "+err.Error()
		case !*test.Valid && err == nil:
			list[i].kind, list[i].note = "fail", "taken"
		}
	}
	return list, nil
}

// judgeAs is what the product says of data that a schema of the specification
// describes: nil = taken.
func judgeAs(schema string, d a2ui.Dialect, catalog *a2ui.Catalog, data []byte) error {
	switch schema {
	case "server_to_client.json", "agent_to_renderer.json":
		return judgeShape(d, catalog, data)
	case "client_to_server.json", "renderer_to_agent.json":
		_, _, err := a2ui.DecodeClient(data, a2ui.Limits{})
		return err
	case "catalog_definition.json":
		_, err := a2uicatalog.Compile(data, d)
		return err
	}
	return fmt.Errorf("the harness has no judge for %s", schema)
}

// judgeShape judges one message as a schema does: what other messages would have
// to bring (the surface, its root, what components refer to) is not asked, and a
// surface without a catalog is one of the case's.
func judgeShape(d a2ui.Dialect, catalog *a2ui.Catalog, data []byte) error {
	m, err := a2ui.DecodeMessageAs(d, data)
	if err != nil {
		return err
	}
	rules := a2ui.Rules{Dialect: d, Catalog: catalog, Partial: true, Aliases: map[string]string{}}
	switch m := m.(type) {
	case *a2ui.CreateSurface:
		if m.CatalogID == "" {
			m.CatalogID = catalog.ID
		}
		rules.Aliases[m.CatalogID] = catalog.ID
	case *a2ui.CallRenderer:
		rules.Aliases[m.Call.CatalogID] = catalog.ID
	}
	for _, c := range components(m) {
		rules.Aliases[c.CatalogID] = catalog.ID
	}
	delete(rules.Aliases, "")
	for _, p := range a2ui.Validate(rules, []a2ui.Message{m}) {
		if !slices.Contains(topology, p.Code) && p.Code != wire.CallFunction {
			return &p
		}
	}
	return nil
}

// runLines takes the lines of a stream as one turn, which must be right as a whole.
func runLines(d a2ui.Dialect, b []byte) ([]result, error) {
	var list []result
	var msgs []a2ui.Message
	for i, line := range bytes.Split(bytes.TrimSpace(b), []byte("\n")) {
		r := result{name: fmt.Sprintf("line %d", i+1), kind: "pass"}
		m, err := a2ui.DecodeMessageAs(d, line)
		if err != nil {
			r.kind, r.note = "fail", err.Error()
		}
		msgs, list = append(msgs, m), append(list, r)
	}
	for _, p := range a2ui.Validate(a2ui.Rules{Dialect: d}, msgs) {
		at := max(p.Line-1, 0)
		list[at].kind, list[at].note = "fail", list[at].note+" "+p.Error()
	}
	return list, nil
}
