package models

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"

	"go.yaml.in/yaml/v3"

	"github.com/limn-ui/limn/internal/excerpt"
	"github.com/limn-ui/limn/internal/near"
	"github.com/limn-ui/limn/internal/yamlline"
	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/ui"
)

// Bounds of a file.
const (
	maxFile    = 256 << 10 // bytes
	maxEntries = 200
	maxKeys    = 64 // of one entry
	maxTokens  = 1_000_000_000
	maxPrice   = 1_000_000 // US dollars per million tokens
	maxFaults  = 20        // that are reported
)

// Load reads a capabilities file; name is its name for messages. A fault is a
// *ui.Error with llm.CodeConfigInvalid, the Path file:line and, where a word is
// wrong, the nearest one as its Hint; several come joined, at most maxFaults.
// The Source of an entry is file:line.
func Load(name string, data []byte) (llm.Table, error) {
	r := &reader{file: name}
	t := r.table(data)
	return t, errors.Join(r.faults...)
}

// reader walks the nodes of one file. It collects faults and goes on, so that
// one look at the file is enough.
type reader struct {
	file   string
	faults []error
}

func (r *reader) fault(line int, format string, args ...any) *ui.Error {
	e := ui.Errorf(llm.CodeConfigInvalid, fmt.Sprintf("%s:%d", r.file, max(line, 1)), format, args...)
	if len(r.faults) < maxFaults {
		r.faults = append(r.faults, e)
	}
	return e
}

// table reads the whole file: a mapping with the one key models.
func (r *reader) table(data []byte) llm.Table {
	if len(data) > maxFile {
		r.fault(1, "the file is above %d bytes", maxFile)
		return nil
	}
	var out llm.Table
	for _, item := range entries(r.document(data), r) {
		if len(out) == maxEntries {
			r.fault(item.Line, "more than %d entries", maxEntries)
			break
		}
		e := r.entry(item)
		for i, first := range out {
			if e.Provider != "" && e.Model != "" && first.Matches(e.Model, e.Provider) {
				r.fault(item.Line, "%s of %s is never reached: %s of %s, %s, decides before it", shown(e.Model),
					shown(e.Provider),
					shown(first.Model), shown(first.Provider),
					out[i].Source).Hint = "put it before that entry, or remove one of the two"
				break
			}
		}
		out = append(out, e)
	}
	return out
}

// entries returns the nodes of the list, or none.
func entries(doc *yaml.Node, r *reader) []*yaml.Node {
	if doc == nil {
		return nil
	}
	list := r.mapping(doc, []string{"models"})["models"]
	switch {
	case list == nil:
		if len(r.faults) == 0 {
			r.fault(doc.Line, "the file has no `models`")
		}
	case list.Kind == yaml.ScalarNode && list.ShortTag() == "!!null": // "models:" alone
	case list.Kind != yaml.SequenceNode:
		r.fault(list.Line, "models is a list")
	default:
		return list.Content
	}
	return nil
}

// document decodes the one document. The YAML library is not ours: should it
// panic, that is a fault of the file.
func (r *reader) document(data []byte) (doc *yaml.Node) {
	defer func() {
		if p := recover(); p != nil {
			r.fault(1, "the file cannot be read as YAML")
			doc = nil
		}
	}()
	dec := yaml.NewDecoder(bytes.NewReader(data))
	var root, more yaml.Node
	err := dec.Decode(&root)
	switch {
	case errors.Is(err, io.EOF) || err == nil && len(root.Content) == 0:
		r.fault(1, "the file is empty")
		return nil
	case err == nil:
		if err = dec.Decode(&more); errors.Is(err, io.EOF) {
			return root.Content[0]
		}
		if err == nil {
			r.fault(more.Line, "a second document; a file is one")
			return nil
		}
	}
	line, text := yamlline.Split(data, err)
	var name string
	switch { // of these two the library does not say where
	case strings.HasPrefix(text, "control characters"):
		line = lineAt(data, bytes.IndexFunc(data,
			func(c rune) bool { return unicode.IsControl(c) && c != '\n' && c != '\r' && c != '\t' && c != '\u0085' }))
	case scanned(text, "unknown anchor '%s", &name):
		line = lineAt(data, bytes.Index(data, []byte("*"+strings.TrimSuffix(name, "'"))))
	}
	e := r.fault(line, "%s", shown(text))
	switch {
	case strings.Contains(text, "alphabetic or numeric"), name != "":
		e.Hint = `a pattern that begins with * stands in quotes: "*"`
	case strings.HasPrefix(text, "control characters"):
		e.Hint = "remove the characters in this line that do not print"
	}
	return nil
}

func scanned(text, format string, to *string) bool {
	n, err := fmt.Sscanf(text, format, to)
	return err == nil && n == 1
}

// lineAt is the line of a byte, from 1; below 0 the byte was not found.
func lineAt(data []byte, at int) int { return 1 + bytes.Count(data[:max(at, 0)], []byte("\n")) }

// mapping reads a mapping with no other keys than known ones, each once, and
// without anchors: every entry is complete.
func (r *reader) mapping(n *yaml.Node, known []string) map[string]*yaml.Node {
	if n.Kind != yaml.MappingNode {
		r.fault(n.Line, "want a mapping with %s", strings.Join(known, ", "))
		return nil
	}
	out := map[string]*yaml.Node{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		k, v := n.Content[i], n.Content[i+1]
		switch {
		case k.Kind != yaml.ScalarNode || !slices.Contains(known, k.Value):
			e := r.fault(k.Line, "unknown key %q", shown(k.Value))
			e.Hint = "possible: " + strings.Join(known, ", ")
			if meant := near.Name(k.Value, known); meant != "" {
				e.Hint = "did you mean `" + meant + "`? " + e.Hint
			}
		case out[k.Value] != nil:
			r.fault(k.Line, "%s stands twice, first in line %d", k.Value, out[k.Value].Line)
		case v.Kind == yaml.AliasNode || v.Anchor != "":
			r.fault(v.Line, "%s has an anchor or an alias; write the value out", k.Value)
		default:
			out[k.Value] = v
		}
	}
	return out
}

// shown is a word of the file for a message: short, and printable.
func shown(s string) string {
	return strings.Map(printable, excerpt.Of(s, 80))
}
