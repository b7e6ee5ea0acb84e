package conformance

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/a2ui/client"
)

// TestConformanceExamples takes every official example through decoder, validator
// and renderer.
func TestConformanceExamples(t *testing.T) {
	ran := false
	for _, folder := range specFolders {
		files := exampleFiles(folder.name)
		if len(files) == 0 {
			continue
		}
		ran = true
		t.Run(folder.name, func(t *testing.T) {
			report(t, runExamples(folder.dialect, files))
		})
	}
	if !ran {
		t.Skipf("no examples in %s: set A2UI_SPEC_DIR", specDir())
	}
}

func exampleFiles(version string) (files []string) {
	for _, pattern := range []string{"catalogs/*/examples/*.json", "json/catalogs/*/examples/*.json"} {
		found, _ := filepath.Glob(filepath.Join(specDir(), version, filepath.FromSlash(pattern)))
		files = append(files, found...)
	}
	return files
}

func runExamples(d a2ui.Dialect, files []string) []result {
	list := make([]result, len(files))
	for i, file := range files {
		parts := strings.Split(filepath.ToSlash(file), "/")
		list[i] = result{name: strings.Join(parts[len(parts)-3:], "/"), kind: "pass"}
		if err := runExample(d, file); err != nil {
			list[i].kind, list[i].note = "fail", err.Error()
		}
	}
	return list
}

func runExample(d a2ui.Dialect, file string) error {
	b, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var named struct{ Messages json.RawMessage } // beside a name and a description
	if json.Unmarshal(b, &named) == nil && named.Messages != nil {
		b = named.Messages
	}
	raws, err := split(b)
	if err != nil {
		return err
	}
	catalog := a2ui.Basic(d)
	if strings.Contains(filepath.ToSlash(file), "/minimal/") {
		catalog = a2ui.Minimal(d)
	}
	msgs := make([]a2ui.Message, len(raws))
	for i, raw := range raws {
		if msgs[i], err = a2ui.DecodeMessageAs(d, raw); err != nil {
			return fmt.Errorf("decode: %w", err)
		}
	}
	if problems := a2ui.Validate(a2ui.Rules{Dialect: d, Catalog: catalog}, msgs); len(problems) > 0 {
		return fmt.Errorf("validate: %w", &problems[0])
	}
	r := client.With(client.Config{Dialect: d, Catalogs: []*a2ui.Catalog{catalog}})
	for _, m := range msgs {
		if err := r.Apply(m); err != nil {
			return fmt.Errorf("process: %w", err)
		}
	}
	return nil
}
