package catalog

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/a2ui/internal/wire"
	"github.com/limn-ui/limn/internal/jsonx"
)

// FormatConfig describes the messages a model may write. Only Catalogs is required.
type FormatConfig struct {
	Catalogs []*Document  // the catalogs it may use; surfaces name one of them
	Dialect  a2ui.Dialect // the version it writes; default: that of the first catalog
	Messages a2ui.Data    // schema of the messages; default Standard, without function calls and replies
	Common   a2ui.Data    // common types; default Standard
	Examples []Example    // good answers; each must pass CheckExample
	Role     string       // who the model is; default nothing
	Workflow string       // how it is to work; default: how A2UI is put into an answer
	UI       string       // what its user interfaces are to be like; default nothing
	// Parser says how answers are read. Its Rules are replaced by the catalogs,
	// but for their Limits and Actions; what of the catalogs holds ids of
	// components is added to its Refs.
	Parser a2ui.ParserOptions
}

// Format is one agreement with a model: its prompt, and how its answers are
// read and checked. It is immutable and safe to share.
type Format struct {
	cfg     FormatConfig
	schemas Schemas
}

// NewFormat compiles the catalogs and checks the examples, so that answers are checked
// by the same schemas that the model is shown. The error is an *Error for a catalog,
// and names the example for an example.
func NewFormat(cfg FormatConfig) (*Format, error) {
	if len(cfg.Catalogs) == 0 {
		return nil, &Error{Message: "a format needs a catalog"}
	}
	if cfg.Dialect == 0 {
		cfg.Dialect = cfg.Catalogs[0].dialect
	}
	rules := a2ui.Rules{Dialect: cfg.Dialect, Limits: cfg.Parser.Rules.Limits, Actions: cfg.Parser.Rules.Actions}
	for i, d := range cfg.Catalogs {
		if d.dialect.Features() != cfg.Dialect.Features() {
			return nil, &Error{Keyword: "protocolVersion",
				Message: fmt.Sprintf("the catalog %s is for %s, not for %s", d.id, d.dialect, cfg.Dialect)}
		}
		compiled, err := d.Compile()
		if err != nil {
			return nil, fmt.Errorf("catalog %s: %w", d.id, err)
		}
		if i == 0 {
			rules.Catalog = compiled
		} else {
			rules.Catalogs = append(rules.Catalogs, compiled)
		}
	}
	cfg.Parser.Rules = rules
	cfg.Parser.Refs = slices.Concat(cfg.Parser.Refs,
		refNames(slices.Concat(rules.Catalogs, []*a2ui.Catalog{rules.Catalog})))
	f := &Format{cfg: cfg, schemas: cfg.schemas()}
	for _, e := range cfg.Examples {
		if err := f.CheckExample(e); err != nil {
			return nil, fmt.Errorf("catalog: example %s: %w", e.Name, err)
		}
	}
	return f, nil
}

// refNames lists the properties of components that hold ids of others, from which a
// parser learns which components are reachable.
func refNames(catalogs []*a2ui.Catalog) []string {
	names := map[string]bool{}
	var visit func(rows []a2ui.PropDef)
	visit = func(rows []a2ui.PropDef) {
		for _, p := range rows {
			if p.Kind == wire.Child || p.Kind == wire.Children {
				names[p.Name] = true
			}
			visit(p.Fields)
			visit(p.Any)
			if p.Item != nil {
				visit([]a2ui.PropDef{{Name: p.Name, Kind: p.Item.Kind, Fields: p.Item.Fields, Any: p.Item.Any,
					Item: p.Item.Item}})
			}
		}
	}
	for _, c := range catalogs {
		for _, def := range c.Components {
			visit(def.Props)
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// schemas are those that the model is shown, without types that nothing needs.
// Catalogs have the unions that the schema of the messages refers to.
func (cfg *FormatConfig) schemas() Schemas {
	standard := Standard(cfg.Dialect)
	s := Schemas{Messages: cfg.Messages, Common: cfg.Common}
	for _, d := range cfg.Catalogs {
		s.Catalogs = append(s.Catalogs, d.with(d.Schema()))
	}
	keep := Keep{}
	if s.Messages.Kind == jsonx.Null {
		s.Messages, keep.Messages = standard.Messages, answers
	}
	if s.Common.Kind == jsonx.Null {
		s.Common = standard.Common
	}
	return s.Prune(keep)
}

// answers are the messages that draw, in every version.
var answers = []string{"createSurface", "updateComponents", "updateDataModel", "beginRendering", "surfaceUpdate",
	"dataModelUpdate", "deleteSurface"}

// ParserOptions returns how answers are read: by the rules of the catalogs.
func (f *Format) ParserOptions() a2ui.ParserOptions { return f.cfg.Parser }

// NewParser returns a parser for one answer. Parsers share nothing.
func (f *Format) NewParser() *a2ui.Parser {
	o := f.cfg.Parser
	o.Rules.Dialect = 0 // both forms of v1.0 are read
	return a2ui.NewParser(o)
}

// CheckExample reports the faults of an example: it must be one message, a list of
// them, or {"messages": […]}, and show surfaces of these catalogs that are whole. The
// error is a *Problem, or Problems.
func (f *Format) CheckExample(e Example) error {
	d, msgs, err := a2ui.DecodeMessages([]byte(e.Text))
	if err != nil {
		return err
	}
	rules := f.cfg.Parser.Rules
	if d.Features() != rules.Dialect.Features() {
		return &a2ui.Problem{Code: a2ui.EnvelopeInvalid,
			Message: fmt.Sprintf("the messages are of %s, not of %s", d, rules.Dialect)}
	}
	rules.Dialect = d
	if problems := a2ui.Validate(rules, msgs); len(problems) > 0 {
		return a2ui.Problems(problems)
	}
	return nil
}

// Prompt returns the prompt of the model: role, workflow, the wishes for the user
// interface, the instructions of the catalogs, the schemas (see Schemas.Text) and the
// examples, under headings and without empty parts.
func (f *Format) Prompt() string {
	workflow := f.cfg.Workflow
	if workflow == "" {
		workflow = f.workflow()
	}
	var b strings.Builder
	add := func(heading, text string) {
		if text = strings.TrimSpace(text); text == "" {
			return
		}
		if b.Len() > 0 {
			b.WriteString("\n\n")
		}
		if heading != "" {
			b.WriteString(heading + "\n")
		}
		b.WriteString(text)
	}
	add("", f.cfg.Role)
	add("## Workflow Description:", workflow)
	add("## UI Description:", f.cfg.UI)
	for _, d := range f.cfg.Catalogs {
		add("## Instructions of the catalog "+d.id+":", d.Instructions())
	}
	add("", f.schemas.Text())
	add("### Examples:", ExampleText(f.cfg.Examples))
	return b.String()
}

// workflow says how an answer contains A2UI, in the words of the version.
func (f *Format) workflow() string {
	features := f.cfg.Dialect.Features()
	lines := []string{
		"Answer in plain words. Where a user interface helps, add one in the form of A2UI messages:",
		"- Put them between " + a2ui.OpenTag + " and " + a2ui.CloseTag +
			", as one JSON array. What stands outside is read as words.",
		"- Every message fits the message schema below and has no other members; " +
			"nothing in it is cut short or left as a placeholder.",
	}
	if features.CreateLast {
		lines = append(lines,
			"- First send the components of a surface, then its data, "+
				"and then the message that shows it, which names the outermost component.")
	} else {
		lines = append(lines, "- Create a surface before anything else is sent to it.",
			`- The outermost component of a surface has the id "`+features.RootID+`".`)
	}
	lines = append(lines,
		"- Components stand in one flat list and refer to one another by id. "+
			"Every id that is referred to is defined, and no component contains itself.",
		"- Use only the components and functions that the catalogs below declare, "+
			"with the properties that they declare.")
	ids := make([]string, len(f.cfg.Catalogs))
	for i, d := range f.cfg.Catalogs {
		ids[i] = d.id
	}
	return strings.Join(append(lines, "- The catalogId of a surface is "+strings.Join(ids, " or ")+"."), "\n")
}
