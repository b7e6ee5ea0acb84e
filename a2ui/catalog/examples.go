package catalog

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// What LoadExamples reads is bounded.
const (
	maxEntries      = 20_000  // files and folders looked at
	maxExamples     = 1_000   // files read
	maxExampleBytes = 1 << 20 // of one file
)

// Example is one answer that a model is shown: A2UI messages, as they stand in a
// file.
type Example struct {
	Name string // of the file, without folder and extension
	Path string // of the file
	Text string // JSON, without white space around it
}

// LoadExamples reads the files that the patterns name (see Match), each once,
// sorted by path. A pattern that is a folder stands for the .json files right in
// it; "" and what is not there stand for nothing. Patterns are slash-separated
// paths inside fsys, without "..".
//
// check judges each example, if it is not nil (Format.CheckExample does); its
// error comes back with the path of the file. More than 1,000 files, and files
// above 1 MiB, are errors.
func LoadExamples(fsys fs.FS, check func(Example) error, patterns ...string) ([]Example, error) {
	var files []string
	for _, pattern := range patterns {
		found, err := find(fsys, pattern)
		if err != nil {
			return nil, fmt.Errorf("catalog: examples %q: %w", pattern, err)
		}
		files = append(files, found...)
	}
	slices.Sort(files)
	files = slices.Compact(files)
	if len(files) > maxExamples {
		return nil, fmt.Errorf("catalog: %d examples, of at most %d", len(files), maxExamples)
	}
	out := make([]Example, 0, len(files))
	for _, file := range files {
		e, err := readExample(fsys, file)
		if err == nil && check != nil {
			err = check(e)
		}
		if err != nil {
			return nil, fmt.Errorf("catalog: example %s: %w", file, err)
		}
		out = append(out, e)
	}
	return out, nil
}

// find lists the files that one pattern names.
func find(fsys fs.FS, pattern string) ([]string, error) {
	if pattern == "" {
		return nil, nil
	}
	pattern = path.Clean(pattern)
	if info, err := fs.Stat(fsys, pattern); err == nil && info.IsDir() {
		pattern = path.Join(pattern, "*.json")
	}
	patterns, err := expand(pattern)
	if err != nil {
		return nil, err
	}
	var files []string
	for _, p := range patterns {
		dir := base(p)
		if !fs.ValidPath(p) {
			return nil, errors.New("a pattern is a path inside the file system")
		}
		entries := 0
		err := fs.WalkDir(fsys, dir, func(name string, entry fs.DirEntry, err error) error {
			if entries++; entries > maxEntries {
				return fmt.Errorf("more than %d files to look at", maxEntries)
			}
			if err != nil {
				return skip(err)
			}
			if !entry.IsDir() && matchAny([]string{p}, name) {
				files = append(files, name)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return files, nil
}

// skip ignores what is not there, or not any more.
func skip(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

func readExample(fsys fs.FS, file string) (Example, error) {
	f, err := fsys.Open(file)
	if err != nil {
		return Example{}, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxExampleBytes+1))
	if err != nil {
		return Example{}, err
	}
	if len(b) > maxExampleBytes {
		return Example{}, fmt.Errorf("larger than %d bytes", maxExampleBytes)
	}
	name := path.Base(file)
	text := strings.TrimSpace(strings.ToValidUTF8(string(b), "\uFFFD"))
	return Example{Name: strings.TrimSuffix(name, path.Ext(name)), Path: file, Text: text}, nil
}

// ExampleText writes examples as the part of a prompt that shows them, each
// between lines with its name.
//
//	---BEGIN greeting---
//	[…]
//	---END greeting---
func ExampleText(examples []Example) string {
	blocks := make([]string, len(examples))
	for i, e := range examples {
		blocks[i] = "---BEGIN " + e.Name + "---\n" + e.Text + "\n---END " + e.Name + "---"
	}
	return strings.Join(blocks, "\n\n")
}
