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

// LoadExamples reads the files that the patterns name (see Match), each once,
// sorted by path. A pattern that is a folder represents the .json files right in
// it; "" and what is not there mean nothing. Patterns are slash-separated
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

// Match reports whether a slash-separated path fits a pattern:
//
//	a*b        any text without a slash
//	a?b        one character but a slash
//	a/**/b     any number of folders, none too
//	[abc-f]    one of these characters
//	[!abc-f]   any other character; [^abc-f] as well
//	{one,two}  either text
//
// As in a shell, *, ? and ** find nothing whose name starts with a dot unless the
// pattern has the dot too. A class that is not closed is an ordinary bracket. The
// error says that the braces represent more than 64 patterns.
func Match(pattern, name string) (bool, error) {
	patterns, err := expand(pattern)
	if err != nil {
		return false, err
	}
	return matchAny(patterns, name), nil
}

func matchAny(patterns []string, name string) bool {
	for _, p := range patterns {
		if matchPath(strings.Split(p, "/"), strings.Split(name, "/")) {
			return true
		}
	}
	return false
}

// expand writes out the braces of a pattern, the first ones first.
func expand(pattern string) ([]string, error) {
	open := []string{pattern}
	for {
		next := make([]string, 0, len(open))
		for _, p := range open {
			next = append(next, expandFirst(p)...)
			if len(next) > maxPatterns {
				return nil, fmt.Errorf("the braces of %q stand for more than %d patterns", pattern, maxPatterns)
			}
		}
		if len(next) == len(open) {
			return next, nil
		}
		open = next
	}
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

// matchName matches one name of a path, in the same way.
func matchName(pattern, name string) bool {
	if hidden(name) && !hidden(pattern) {
		return false
	}
	p, n := []rune(pattern), []rune(name)
	i, j, star, mark := 0, 0, -1, 0
	for j < len(n) {
		took, ok := 0, false
		if i < len(p) && p[i] != '*' {
			took, ok = matchRune(p[i:], n[j])
		}
		switch {
		case i < len(p) && p[i] == '*':
			star, mark = i, j
			i++
		case ok:
			i, j = i+took, j+1
		case star >= 0:
			mark++
			i, j = star+1, mark
		default:
			return false
		}
	}
	for i < len(p) && p[i] == '*' {
		i++
	}
	return i == len(p)
}

// matchRune matches one character and returns how much of the pattern that took.
func matchRune(p []rune, r rune) (took int, ok bool) {
	switch {
	case p[0] == '?':
		return 1, true
	case p[0] == '[':
		if took, ok := matchClass(p, r); took > 0 {
			return took, ok
		}
	}
	return 1, p[0] == r
}

// matchClass matches a class; took is 0 if it is not closed. A bracket at its
// start is one of its characters.
func matchClass(p []rune, r rune) (took int, ok bool) {
	i := 1
	not := i < len(p) && (p[i] == '!' || p[i] == '^')
	if not {
		i++
	}
	in := false
	for first := i; i < len(p); {
		if p[i] == ']' && i > first {
			return i + 1, in != not
		}
		low, high := p[i], p[i]
		if i+2 < len(p) && p[i+1] == '-' && p[i+2] != ']' {
			high = p[i+2]
			i += 2
		}
		i++
		in = in || low <= r && r <= high
	}
	return 0, false
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
