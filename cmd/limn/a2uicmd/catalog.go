package a2uicmd

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/a2ui/catalog"
	"github.com/limn-ui/limn/cmd/limn/term"
	"github.com/limn-ui/limn/internal/components"
)

// Catalog is the command "limn catalog": it lists the components, functions and properties of a catalog.
type Catalog struct {
	Names   []string `arg:"" optional:"" name:"name" help:"${a2ui_catalog_names}"`
	Version string   `default:"auto" enum:"auto,${versions}" help:"The A2UI version: ${enum}; auto is what a file says, else v0.9."`
	Minimal bool     `help:"The minimal catalog instead of the basic one."`
	Limn    bool     `help:"Limn's own catalog: the basic one, DataGrid, ProcessMap, Fold and Chart."`
	Check   string   `placeholder:"FILE" help:"Compile a catalog of one's own and list it."`
	JSON    bool     `name:"json" help:"Print one JSON object."`
}

// Help is shown below the options.
func (Catalog) Help() string {
	return `Lists what a client of a version can draw and compute. "*" marks what is required; "path" is a
binding into the data model and "call" the result of a function. Every component has an id, too, and
inside a Row or Column it may have a weight, a number.

--check compiles a JSON file of one's own as a client would, and names the keyword and the place of
what it cannot take.

Exit status: 0 ok, 1 the catalog is wrong or has no such name, 2 a wrong command line.

Examples:
  limn catalog
  limn catalog --version v1.0 TextField formatDate
  limn catalog --check shop.json
  limn catalog --json | jq -r '.components[].name'`
}

// Run prints the catalog.
func (c Catalog) Run(t term.Terminal) error {
	if len(c.Names) > 0 && strings.ContainsAny(c.Names[0], `./\`) && c.Check == "" {
		c.Check, c.Names = c.Names[0], c.Names[1:]
	}
	d, name, listed, err := c.find()
	if bad, ok := errors.AsType[*catalogError](err); ok {
		styleOf(t.Err, t.Env).problem(t.Err, bad.file, bad.place, bad.problem)
		return term.Problems{N: 1}
	}
	if err != nil {
		return err
	}
	l, err := newListing(d, name, listed, c.Names)
	if err != nil {
		return err
	}
	return t.Show(c.JSON, l, func(w io.Writer, s term.Style) { l.print(w, style{s}) })
}

// find returns the catalog that is asked for, its version and what to call it.
func (c Catalog) find() (d a2ui.Dialect, name string, _ *a2ui.Catalog, err error) {
	version := c.Version
	if version == autoVersion && c.Check == "" {
		version = "v0.9"
	}
	if d, err = asked(version); err != nil {
		return 0, "", nil, err
	}
	if c.Check != "" {
		listed, d, err := customCatalog(d, c.Check)
		return d, c.Check, listed, err
	}
	switch name = "basic"; {
	case c.Limn:
		name = "limn"
	case c.Minimal:
		name = "minimal"
	}
	list, err := catalogs(d, []string{name})
	if err != nil {
		return 0, "", nil, err
	}
	return d, name + " catalog", list[0], nil
}

// catalogs returns those that are named, basic, minimal, limn or a file; without names
// the published ones.
func catalogs(d a2ui.Dialect, names []string) ([]*a2ui.Catalog, error) {
	var out []*a2ui.Catalog
	if len(names) == 0 {
		for _, c := range []*a2ui.Catalog{a2ui.Basic(d), a2ui.Minimal(d)} {
			if c != nil {
				out = append(out, c)
			}
		}
	}
	for _, name := range names {
		var c *a2ui.Catalog
		switch name {
		case "basic":
			c = a2ui.Basic(d)
		case "minimal":
			c = a2ui.Minimal(d)
		case "limn":
			if own := components.For(d); own != nil {
				c = own.Catalog
			}
		default:
			var err error
			if c, _, err = customCatalog(d, name); errors.Is(err, fs.ErrNotExist) {
				err = fmt.Errorf("catalog: %w; want basic, minimal, limn or a file", err)
			}
			if err != nil {
				return nil, err
			}
		}
		if c == nil {
			return nil, fmt.Errorf("%s has no %s catalog", d, name)
		}
		out = append(out, c)
	}
	return out, nil
}

// listing is a catalog as it is printed, and as --json writes it.
type listing struct {
	Name       string      `json:"name"`
	Version    string      `json:"version"`
	ID         string      `json:"id"`
	Components []component `json:"components"`
	Functions  []function  `json:"functions"`
	Theme      *component  `json:"theme,omitempty"`
}

type component struct {
	Name     string             `json:"name,omitempty"`
	Props    []catalog.Property `json:"properties"`
	Open     bool               `json:"open,omitempty"` // takes other properties
	Parents  []string           `json:"allowedParents,omitempty"`
	Children []string           `json:"allowedChildren,omitempty"`
}

type function struct {
	Name       string             `json:"name"`
	Args       []catalog.Property `json:"arguments"`
	OneOf      []string           `json:"oneOf,omitempty"` // one of these is required
	Open       bool               `json:"open,omitempty"`
	Returns    string             `json:"returns,omitempty"`
	Callers    string             `json:"allowedCallers,omitempty"`
	Activation bool               `json:"requiresUserActivation,omitempty"`
}

// newListing sorts a catalog out; names pick some of it.
func newListing(d a2ui.Dialect, name string, c *a2ui.Catalog, names []string) (*listing, error) {
	l := &listing{Name: name, Version: d.String(), ID: c.ID, Components: []component{}, Functions: []function{}}
	props := func(component string, defs []a2ui.PropDef) []catalog.Property {
		return catalog.Properties(d, component, defs, len(names) > 0)
	}
	written := map[string]*a2ui.ComponentDef{}
	for name, def := range c.Components {
		written[d.WireName(name, "")] = def
	}
	for _, name := range names {
		if written[name] == nil && c.Functions[name] == nil {
			return nil, fmt.Errorf("the %s of %s has no component or function %q", l.Name, d, name)
		}
	}
	wanted := func(name string) bool { return len(names) == 0 || slices.Contains(names, name) }
	for _, name := range slices.Sorted(maps.Keys(written)) {
		if def := written[name]; wanted(name) {
			l.Components = append(l.Components,
				component{name, props(def.Name, def.Props), def.Open, def.Parents, def.Children})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.Functions)) {
		if def := c.Functions[name]; wanted(name) {
			f := function{def.Name, props("", def.Args), def.OneOf, def.Open, def.Returns, "", def.Activation}
			f.Callers = map[a2ui.Callers]string{a2ui.AgentOnly: "agentOnly",
				a2ui.RendererOrAgent: "rendererOrAgent"}[def.Callers]
			l.Functions = append(l.Functions, f)
		}
	}
	if len(names) == 0 && (len(c.Theme) > 0 || c.ThemeOpen) {
		l.Theme = &component{Props: props("", c.Theme), Open: c.ThemeOpen}
	}
	return l, nil
}

// print writes a block for each component and function.
func (l *listing) print(w io.Writer, s style) {
	fmt.Fprintf(w, "%s of %s: %s, %s\n%s\n", term.Clean(l.Name), l.Version,
		term.Count(len(l.Components), "component"), term.Count(len(l.Functions), "function"), term.Clean(l.ID))
	for _, c := range l.Components {
		fmt.Fprintf(w, "\n%s\n", s.Paint(term.Bold, term.Clean(c.Name)))
		s.props(w, c.Props, c.Open)
		s.row(w, "inside", strings.Join(c.Parents, " | "))
		s.row(w, "holds", strings.Join(c.Children, " | "))
	}
	for _, f := range l.Functions {
		fmt.Fprintf(w, "\n%s\n", s.Paint(term.Bold, term.Clean(f.Name)+"() → "+term.Clean(f.Returns)))
		s.props(w, f.Args, f.Open)
		s.row(w, "needs", strings.Join(f.OneOf, " or "))
		s.row(w, "callers", f.Callers)
		if f.Activation {
			s.row(w, "only", "after a click of the user")
		}
	}
	if l.Theme != nil {
		fmt.Fprintf(w, "\n%s\n", s.Paint(term.Bold, "theme"))
		s.props(w, l.Theme.Props, l.Theme.Open)
	}
}

func (s style) props(w io.Writer, props []catalog.Property, open bool) {
	for _, p := range props {
		name := p.Name
		if p.Required {
			name += "*"
		}
		s.row(w, name, p.Type)
	}
	if open {
		s.row(w, "…", "any other")
	}
}

// row prints a name and its text, wrapped beside it.
func (s style) row(w io.Writer, name, text string) {
	const indent = 24
	if text == "" {
		return
	}
	line := fmt.Sprintf("  %-*s", indent-2, term.Clean(name))
	for _, part := range strings.SplitAfter(term.Clean(text), " | ") {
		if term.Columns(line)+term.Columns(part) > s.Width && term.Columns(line) > indent {
			fmt.Fprintln(w, strings.TrimRight(line, " "))
			line = strings.Repeat(" ", indent)
		}
		line += part
	}
	fmt.Fprintln(w, line)
}
