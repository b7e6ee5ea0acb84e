package app

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/limn-ui/limn/internal/directive"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/internal/schema"
	"github.com/limn-ui/limn/ui"
)

// DirectiveType is a directive of the app's own: one more thing that a model may ask
// for. Exactly one of Build, Action and Webhook is set.
type DirectiveType struct {
	Name        string // lower-case words with a dot, such as crm.assign; not below ui or limn
	Description string // when to use it, for the model
	Schema      string // JSON Schema of its payload, an object; default: no members
	Example     string // a payload as JSON, for the prompt; default: none is shown
	Build       DirectiveFunc
	Action      string   // an action of the app without Run; its handler or webhook gets the payload as its values
	Webhook     *Webhook // short for an action of the type's name with this webhook
}

// DirectiveFunc turns a directive into ops. It must be pure: the same call gives the
// same ops. It may open (see App.OpenForm and its kin; the nonce is filled in), update
// and close surfaces, draft, patch, commit, say and toast. A table or process map that
// it opens meets the gates of the tool menu. An error leaves the directive undone.
type DirectiveFunc func(c DirectiveCall) (ui.Ops, error)

// DirectiveCall is the argument of a DirectiveFunc.
type DirectiveCall struct {
	App     *App
	Payload JSON      // an object that fits the schema
	State   *ui.State // read only; with the ops of the directives before it
}

// DirectiveType returns a declared directive type.
func (a *App) DirectiveType(name string) (DirectiveType, bool) {
	return find(a.cfg.DirectiveTypes, name, func(t DirectiveType) string { return t.Name })
}

// directiveDefaults gives every type a schema, and a webhook the action that calls it.
func directiveDefaults(cfg *Config) {
	cfg.DirectiveTypes = orNil(cfg.DirectiveTypes)
	for i := range cfg.DirectiveTypes {
		t := &cfg.DirectiveTypes[i]
		if t.Schema == "" {
			t.Schema = schema.None
		}
		if t.Webhook != nil && t.Action == "" && t.Build == nil {
			cfg.Actions = append(cfg.Actions, Action{Name: t.Name, Webhook: t.Webhook})
			t.Action, t.Webhook = t.Name, nil
		}
	}
}

// Bounds of the declarations of directive types: all of them are in every prompt.
const (
	maxDirectiveTypes  = 32
	maxDirectiveSchema = 8 << 10
)

var directiveName = regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z0-9]+)*(\.[a-z0-9]+(_[a-z0-9]+)*)+$`)

func (c checker) directiveTypes() error {
	if len(c.cfg.DirectiveTypes) > maxDirectiveTypes {
		return ui.Errorf(CodeInvalid, "directive_types", "more than %d directive types", maxDirectiveTypes)
	}
	seen := map[string]bool{}
	return checkAll(c.cfg.DirectiveTypes, func(i int, t DirectiveType) error {
		at := fmt.Sprintf("directive_types[%d]", i)
		space, _, _ := strings.Cut(t.Name, ".")
		switch {
		case !directiveName.MatchString(t.Name) || len(t.Name) > 64 || space == "ui" || space == "limn":
			return ui.Errorf(CodeInvalid, at+".name", "name of a directive type %q: want lower-case words with a dot, "+
				"such as crm.assign, at most 64 bytes, not below ui or limn", clip(t.Name))
		case seen[t.Name]:
			return ui.Errorf(CodeDuplicate, at+".name", "two directive types are named %q", t.Name)
		case count(t.Build != nil, t.Action != "", t.Webhook != nil) != 1:
			return ui.Errorf(CodeInvalid, at,
				"directive type %q needs exactly one of build (in YAML handler), action and webhook", t.Name)
		case t.Description == "" || len(t.Description) > maxDescription:
			return ui.Errorf(CodeInvalid, at+".description",
				"directive type %q needs a description of at most %d bytes: it is how a model knows when to use it",
				t.Name, maxDescription)
		case len(t.Schema) > maxDirectiveSchema:
			return ui.Errorf(CodeInvalid, at+".schema", "the schema is above %d bytes, and every prompt has it",
				maxDirectiveSchema)
		}
		seen[t.Name] = true
		if err := c.runs(at+".action", t.Action); err != nil {
			return err
		}
		if a, ok := c.Action(t.Action); ok && a.Run != "" {
			return ui.Errorf(CodeInvalid, at+".action", "action %q asks a model, and a model asks for it", a.Name)
		}
		if err := checkPayload(at, t); err != nil {
			return err
		}
		return nil
	})
}

// checkPayload checks the schema of a type, and its example against it.
func checkPayload(at string, t DirectiveType) error {
	var e *ui.Error
	s, err := schema.CompileObject([]byte(t.Schema))
	if errors.As(err, &e) {
		return &ui.Error{Code: CodeInvalid, Path: at + ".schema" + e.Path,
			Message: fmt.Sprintf("schema of directive type %q: %s", t.Name, e.Message), Hint: e.Hint, Err: e.Err}
	}
	if t.Example == "" {
		return nil
	}
	if f := s.Check([]byte(t.Example)); f != nil {
		return ui.Errorf(CodeInvalid, at+".example"+f.Path, "the example of %q does not fit its schema: %s", t.Name,
			f.Text)
	}
	return nil
}

// def declares the type for the registry. Names of the rule that is broken, and no
// values, are in its errors: models read them.
func (t DirectiveType) def() directive.Def {
	s, _ := schema.CompileObject([]byte(t.Schema)) // checked before
	v, _ := jsonx.Parse(s.JSON(), jsonx.Limits{})
	return directive.Def{Type: t.Name, Description: t.Description, Example: t.Example, Schema: v,
		Check: func(payload jsonx.Value) *ui.Error {
			if f := s.Check(jsonx.Append(nil, payload)); f != nil {
				return ui.Errorf(directive.CodePayloadInvalid, f.Path, "breaks the rule %q of its schema", f.Keyword)
			}
			return nil
		}}
}

func defsOf(list []DirectiveType) []directive.Def {
	var defs []directive.Def
	for _, t := range list {
		defs = append(defs, t.def())
	}
	return defs
}
