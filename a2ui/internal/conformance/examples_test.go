package conformance

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/a2ui/client"
)

// TestConformanceExamples takes every official example through decoder, validator
// and renderer, and through the parser of model text in chunks of every size.
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
	if files := movedExamples(); len(files) > 0 {
		t.Run("moved", func(t *testing.T) { report(t, runExamples(a2ui.V10Oct, files)) })
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

// movedExamples are those beside the moved catalog of v1.0, in its newest spelling.
func movedExamples() []string {
	files, _ := filepath.Glob(filepath.Join(newestConformance, filepath.Dir(movedCatalog), "examples", "*.json"))
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
	raws, err := exampleMessages(file)
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
	held, err := hold(d, catalog, msgs)
	if err != nil {
		return fmt.Errorf("process: %w", err)
	}
	return inChunks(d, catalog, raws, held)
}

// hold applies messages and returns what all surfaces then hold.
func hold(d a2ui.Dialect, catalog *a2ui.Catalog, msgs []a2ui.Message) (string, error) {
	r := client.With(client.Config{Dialect: d, Catalogs: []*a2ui.Catalog{catalog}})
	for _, m := range msgs {
		if err := r.Apply(m); err != nil {
			return "", err
		}
	}
	held := ""
	for _, id := range r.Surfaces() {
		held += fmt.Sprintln(id, r.ExactHash(id))
	}
	return held, nil
}

// chunks are the sizes in which an example reaches the parser; 0 = whole.
var chunks = []int{1, 2, 3, 4, 7, 16, 64, 256, 0}

// inChunks gives an example to the parser as a model would write it, between words
// and in pieces of every size, and wants to see the same.
func inChunks(d a2ui.Dialect, catalog *a2ui.Catalog, raws []json.RawMessage, want string) error {
	list, err := json.Marshal(raws)
	if err != nil {
		return err
	}
	text := "Here you are. <a2ui-json>" + string(list) + "</a2ui-json> Anything else?"
	for _, size := range chunks {
		p := a2ui.NewParser(a2ui.ParserOptions{Rules: a2ui.Rules{Dialect: d, Catalog: catalog}})
		var msgs []a2ui.Message
		take := func(parts []a2ui.Part, err error) error {
			for _, part := range parts {
				for _, m := range part.Messages {
					msgs = append(msgs, m.Message)
				}
			}
			return err
		}
		for rest := []byte(text); len(rest) > 0; {
			n := len(rest)
			if size > 0 {
				n = min(size, n)
			}
			if err := take(p.Write(rest[:n])); err != nil {
				return fmt.Errorf("parse, %d bytes at a time: %w", size, err)
			}
			rest = rest[n:]
		}
		if err := take(p.Close()); err != nil {
			return fmt.Errorf("parse, %d bytes at a time: %w", size, err)
		}
		if got, err := hold(d, catalog, msgs); err != nil || got != want {
			return fmt.Errorf("parse, %d bytes at a time: something else is shown (%v)", size, err)
		}
	}
	return nil
}
