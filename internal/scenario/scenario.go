// Package scenario loads the corpus of testdata/scenario: one txtar file a
// story, followed through every stage.
//
// A file starts with a comment that describes the story in a sentence or two. Its steps
// are numbered. The inputs:
//
//	in/1.json       one event: {"message": text}, {"click": {…}}, {"envelope": {…}} or {"form": {…}}
//	in/1.model.txt  the model's answer, byte for byte; without it the scripted model answers
//
// and what must come out, written by go test -update as [Lines] describes:
//
//	out/1.directives  the directives in in/1.model.txt
//	out/1.ops.jsonl   the frame's ops, one a line
//	out/1.frame       outcome, text, warnings
//	out/1.v0.8.jsonl  the messages to a client of that version
//	out/1.v0.9.jsonl
//	out/1.html        the page's surfaces, one node a line, attributes sorted
//
// No line is longer than [Width]; one that starts with "↪ " goes on where the
// line above it stops. Only tests import it.
package scenario

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/txtar"
)

// Scenario is one file of the corpus.
type Scenario struct {
	Name    string
	Steps   []Step
	archive *txtar.Archive
	path    string
}

// Step is one event and what came of it.
type Step struct {
	Event []byte // in/N.json
	Model []byte // in/N.model.txt, nil without that file
}

// Load reads every *.txtar below dir in the order of names.
func Load(dir string) ([]*Scenario, error) {
	paths, err := filepath.Glob(filepath.Join(dir, "*.txtar"))
	if err != nil || len(paths) == 0 {
		return nil, fmt.Errorf("no scenarios in %s: %w", dir, err)
	}
	var out []*Scenario
	for _, p := range paths {
		s, err := read(p)
		if err != nil {
			return nil, fmt.Errorf("scenario %s: %w", p, err)
		}
		out = append(out, s)
	}
	return out, nil
}

func read(path string) (*Scenario, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	s := &Scenario{Name: strings.TrimSuffix(filepath.Base(path), ".txtar"), archive: txtar.Parse(data), path: path}
	for n := 1; ; n++ {
		event, ok := s.File("in/" + strconv.Itoa(n) + ".json")
		if !ok {
			break
		}
		st := Step{Event: joined(event)}
		if model, ok := s.File("in/" + strconv.Itoa(n) + ".model.txt"); ok {
			st.Model = model
		}
		s.Steps = append(s.Steps, st)
	}
	if len(s.Steps) == 0 {
		return nil, fmt.Errorf("no in/1.json")
	}
	return s, nil
}

// File returns a section by name.
func (s *Scenario) File(name string) ([]byte, bool) {
	for _, f := range s.archive.Files {
		if f.Name == name {
			return f.Data, true
		}
	}
	return nil, false
}

// Write replaces every out/ section and saves the file: what -update does.
func (s *Scenario) Write(out []txtar.File) error {
	var files []txtar.File
	for _, f := range s.archive.Files {
		if !strings.HasPrefix(f.Name, "out/") {
			files = append(files, f)
		}
	}
	for _, f := range out {
		files = append(files, txtar.File{Name: f.Name, Data: Lines(f.Data)})
	}
	s.archive.Files = files
	return os.WriteFile(s.path, txtar.Format(s.archive), 0o644)
}
