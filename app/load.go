package app

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/limn-ui/limn/internal/excerpt"
	"github.com/limn-ui/limn/internal/yamlline"
	"github.com/limn-ui/limn/ui"
)

// maxFile bounds a YAML declaration, in bytes.
const maxFile = 1 << 20

// Option is what Load takes beside the file.
type Option func(*loading)

type loading struct {
	handlers  map[string]Handler
	toolFuncs map[string]ToolFunc
	builds    map[string]DirectiveFunc
	env       func(string) (string, bool)
	anything  bool // is bound
}

// Handle binds a Go function to the actions declared with `handler: name`. A
// handler that the file does not name is a fault: one of the two is misspelt.
func Handle(name string, h Handler) Option {
	return func(l *loading) { l.handlers[name] = h }
}

// HandleTool binds a Go function to the model tools declared with `handler:
// name`, as Handle does for actions.
func HandleTool(name string, f ToolFunc) Option {
	return func(l *loading) { l.toolFuncs[name] = f }
}

// HandleDirective binds a Go function to the directive types declared with `handler:
// name`, as Handle does for actions.
func HandleDirective(name string, f DirectiveFunc) Option {
	return func(l *loading) { l.builds[name] = f }
}

// AnyHandler takes every handler that the file names as bound. The App is good for
// checks and pictures only: its handlers do nothing.
func AnyHandler() Option { return func(l *loading) { l.anything = true } }

// Env says where ${NAME} in the secret of a webhook comes from, usually
// os.LookupEnv. Nothing else of the file is expanded. Without this option a
// secret that names a variable is a fault.
func Env(lookup func(name string) (value string, ok bool)) Option {
	return func(l *loading) { l.env = lookup }
}

// Load reads a declaration from one YAML document, of at most 1 MiB. The
// result is the App that New makes of the same declaration in Go. Keys are
// those of docs/yaml.md; a key that is unknown,
// occurs twice or has a value of the wrong type is a fault.
//
// file is the name of the file for messages. A fault is a *ui.Error with the
// Path file:line:column, or file:line where YAML itself is broken, and, where a name is
// wrong, the possible ones as its Hint; several come joined (errors.Join), at most
// maxFaults. A secret is never part of a message.
func Load(file string, data []byte, opts ...Option) (*App, error) {
	l := loading{handlers: map[string]Handler{}, toolFuncs: map[string]ToolFunc{},
		builds: map[string]DirectiveFunc{}}
	for _, o := range opts {
		o(&l)
	}
	doc, err := parse(file, data)
	if err != nil {
		return nil, err
	}
	r := &reader{file: file, loading: l, places: map[string]place{}, budget: maxVisits, room: maxFile,
		used: map[string]bool{}}
	a, err := New(r.config(doc))
	switch {
	case len(r.faults) > 0:
		return nil, joined(r.others(err))
	case err != nil:
		return nil, r.locate(err)
	}
	return a, nil
}

// others adds to the faults of the reader those of New that do not follow from them. An
// entry that could not be read may lack what New misses in it, and so may one that others
// name. An unknown key spoils less: it was read as the key that it resembles, so only what
// is missing may follow from it.
func (r *reader) others(err error) []error {
	list := slices.Clone(r.faults)
	for _, one := range flat(err) {
		var e *ui.Error
		if len(list) < maxFaults && errors.As(one, &e) && r.certain(e) {
			list = append(list, r.locate(one))
		}
	}
	return list
}

// certain reports a fault of New that does not follow from one of the reader.
func (r *reader) certain(e *ui.Error) bool {
	entry := entryOf(e.Path)
	switch _, given := r.places[e.Path]; {
	case r.faulty(entry, r.unread), e.Code == CodeDangling && len(r.unread) > 0:
		return false
	case given:
		return true
	}
	return !r.faulty(entry, r.faults)
}

// faulty reports whether one of the faults is in an entry: between its beginning and that
// of the next one.
func (r *reader) faulty(entry string, faults []error) bool {
	begin, known := r.places[entry]
	if !known {
		return true
	}
	end := place{line: 1 << 30}
	for path, p := range r.places {
		if entryOf(path) == path && p.after(begin) && end.after(p) {
			end = p
		}
	}
	return slices.ContainsFunc(faults, func(f error) bool {
		e := ui.AsError(f, "", "")
		var at place
		_, _ = fmt.Sscanf(strings.TrimPrefix(e.Path, r.file+":"), "%d:%d", &at.line, &at.column)
		return !begin.after(at) && end.after(at)
	})
}

// entryOf is the part of a member path that names an entry of the file: forms[1] of
// forms[1].fields[0].name, theme of theme.accent.
func entryOf(path string) string {
	i := strings.IndexAny(path, ".]/")
	switch {
	case i < 0:
		return path
	case path[i] == ']':
		i++
	}
	return path[:i]
}

// parse reads the one document. The YAML library is not ours: should it panic,
// that is a fault of the file.
func parse(file string, data []byte) (doc *yaml.Node, err error) {
	if len(data) > maxFile {
		return nil, ui.Errorf(CodeYAML, file, "the file is above %d bytes", maxFile)
	}
	defer func() {
		if p := recover(); p != nil {
			doc, err = nil, ui.Errorf(CodeYAML, file, "the file cannot be read as YAML")
		}
	}()
	dec := yaml.NewDecoder(bytes.NewReader(data))
	var root, more yaml.Node
	switch err := dec.Decode(&root); {
	case errors.Is(err, io.EOF) || err == nil && len(root.Content) == 0:
		return nil, ui.Errorf(CodeYAML, file+":1", "the file is empty")
	case err != nil:
		return nil, yamlError(file, data, err)
	}
	if err := dec.Decode(&more); !errors.Is(err, io.EOF) {
		if err != nil {
			return nil, yamlError(file, data, err)
		}
		return nil, ui.Errorf(CodeYAML, placeOf(&more).in(file), "a second document; a declaration is one")
	}
	return root.Content[0], nil
}

func yamlError(file string, data []byte, err error) *ui.Error {
	line, text := yamlline.Split(data, err)
	return ui.Errorf(CodeYAML, place{line, 0}.in(file), "%s", excerpt.Of(text, 200))
}

// place is where something is in the file. Both count from 1; columns are characters, 0
// is unknown.
type place struct{ line, column int }

func placeOf(n *yaml.Node) place { return place{n.Line, n.Column} }

func (p place) after(q place) bool {
	return p.line > q.line || p.line == q.line && p.column > q.column
}

func (p place) in(file string) string {
	if p.column == 0 {
		return fmt.Sprintf("%s:%d", file, max(p.line, 1))
	}
	return fmt.Sprintf("%s:%d:%d", file, p.line, p.column)
}

// maxFaults is how many faults of one file are reported.
const maxFaults = 20

// report keeps a fault and goes on, so that one look at the file is enough.
func (r *reader) report(n *yaml.Node, code ui.Code, format string, args ...any) *ui.Error {
	e := r.note(n, code, format, args...)
	r.unread = append(r.unread, e)
	return e
}

// note is report for a fault that loses no declaration.
func (r *reader) note(n *yaml.Node, code ui.Code, format string, args ...any) *ui.Error {
	e := ui.Errorf(code, placeOf(n).in(r.file), format, args...)
	if len(r.faults) < maxFaults {
		r.faults = append(r.faults, e)
	} else {
		r.budget = -2 // enough: nothing more is visited
	}
	return e
}

// joined is one error, or several as one.
func joined(list []error) error {
	if len(list) == 1 {
		return list[0]
	}
	return errors.Join(list...)
}

// locate replaces the member path of an error of New by its place in the file: of the
// member itself, or of the nearest one around it that is in the file.
func (r *reader) locate(err error) error {
	if all := flat(err); len(all) > 1 {
		for i, one := range all {
			all[i] = r.locate(one)
		}
		return errors.Join(all...)
	}
	var e *ui.Error
	if !errors.As(err, &e) {
		return fmt.Errorf("load %s: %w", r.file, err)
	}
	out := *e
	found := place{1, 1}
	for p := e.Path; p != ""; p = p[:max(strings.LastIndexAny(p, ".[/"), 0)] {
		if known, ok := r.places[p]; ok {
			found = known
			break
		}
	}
	out.Path = found.in(r.file)
	return &out
}

// unused reports handlers that were bound and never named.
func (r *reader) unused(root *yaml.Node) {
	unnamed(r, root, r.handlers, "action")
	unnamed(r, root, r.toolFuncs, "model tool")
	unnamed(r, root, r.builds, "directive type")
}

func unnamed[F any](r *reader, root *yaml.Node, bound map[string]F, what string) {
	for _, name := range slices.Sorted(maps.Keys(bound)) {
		if !r.used[name] {
			r.report(root, CodeDangling, "handler %q is bound, but no %s names it", clip(name), what)
		}
	}
}
