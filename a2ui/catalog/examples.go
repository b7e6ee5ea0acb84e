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

// Example is one answer that a model is shown: A2UI messages, as they are in a
// file.
type Example struct {
	Name string // of the file, without folder and extension
	Path string // of the file
	Text string // JSON, without white space around it
}

// LoadExamples reads the files that the patterns name, each once, sorted by
// path. A pattern that is a folder represents the .json files right in it; "" and paths
// that do not exist mean nothing. Patterns are slash-separated paths inside fsys,
// without "..":
//
//	a*b        any text without a slash
//	a?b        one character but a slash
//	a/**/b     any number of folders, none too
//	[abc-f]    one of these characters
//	[!abc-f]   any other character; [^abc-f] as well
//	{one,two}  either text
//
// As in a shell, *, ? and ** find nothing whose name starts with a dot unless the
// pattern has the dot too. Names are matched by path.Match. A malformed pattern
// is path.ErrBadPattern; the braces of one represent at most 64 patterns.
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

// skip ignores files that do not exist, or no longer.
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

// maxPatterns is how many patterns the braces of one may represent.
const maxPatterns = 64

// matchAny reports whether a slash-separated path fits one of some patterns.
func matchAny(patterns []string, name string) bool {
	for _, p := range patterns {
		if matchPath(strings.Split(p, "/"), strings.Split(name, "/")) {
			return true
		}
	}
	return false
}

// expand writes out the braces of a pattern, the first ones first, and refuses what
// path.Match does.
func expand(pattern string) ([]string, error) {
	open := []string{strings.ReplaceAll(pattern, "[!", "[^")}
	for {
		next := make([]string, 0, len(open))
		for _, p := range open {
			next = append(next, expandFirst(p)...)
			if len(next) > maxPatterns {
				return nil, fmt.Errorf("the braces of %q stand for more than %d patterns", pattern, maxPatterns)
			}
		}
		if len(next) == len(open) {
			break
		}
		open = next
	}
	for _, p := range open {
		if _, err := path.Match(p, ""); err != nil {
			return nil, err
		}
	}
	return open, nil
}

// expandFirst writes out the first innermost pair of braces with a comma; a
// pattern without one comes back as it is.
func expandFirst(p string) []string {
	for end := 0; end < len(p); end++ {
		if p[end] != '}' {
			continue
		}
		start := strings.LastIndexByte(p[:end], '{')
		if start < 0 || !strings.Contains(p[start:end], ",") {
			continue
		}
		var out []string
		for choice := range strings.SplitSeq(p[start+1:end], ",") {
			out = append(out, p[:start]+choice+p[end+1:])
		}
		return out
	}
	return []string{p}
}

// matchPath matches folder by folder: star is the last ** met, mark the place
// where it stops taking folders. Trying one more at a time keeps the work below
// the product of both lengths.
func matchPath(pattern, name []string) bool {
	p, n, star, mark := 0, 0, -1, 0
	for n < len(name) {
		switch {
		case p < len(pattern) && pattern[p] == "**":
			star, mark = p, n
			p++
		case p < len(pattern) && matchName(pattern[p], name[n]):
			p, n = p+1, n+1
		case star >= 0 && !hidden(name[mark]):
			mark++
			p, n = star+1, mark
		default:
			return false
		}
	}
	for p < len(pattern) && pattern[p] == "**" {
		p++
	}
	return p == len(pattern)
}

func hidden(name string) bool { return strings.HasPrefix(name, ".") }

// matchName matches one name of a path.
func matchName(pattern, name string) bool {
	if hidden(name) && !hidden(pattern) {
		return false
	}
	ok, _ := path.Match(pattern, name) // expand refused malformed patterns
	return ok
}

// base returns the folder below which everything lies that a pattern can match.
func base(pattern string) string {
	dir := "."
	for seg := range strings.SplitSeq(path.Dir(pattern), "/") {
		if strings.ContainsAny(seg, "*?[") {
			return dir
		}
		dir = path.Join(dir, seg)
	}
	return dir
}
