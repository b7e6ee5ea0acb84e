package directives

import (
	"bytes"
	"cmp"
	"embed"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/directive"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/internal/near"
	"github.com/limn-ui/limn/internal/schema"
	"github.com/limn-ui/limn/internal/yamlline"
	"github.com/limn-ui/limn/ui"
)

// Bounds of a file of scenarios.
const (
	maxFile      = 1 << 20 // bytes
	maxScenarios = 500
)

// CodeScenario is a file of scenarios that cannot be used.
const CodeScenario ui.Code = "EVAL_SCENARIO_INVALID"

// Scenario is one wish of a user, and the effect of a good answer.
type Scenario struct {
	Name  string                       `yaml:"name"` // unique: letters, digits, _ and -
	Kind  string                       `yaml:"kind"` // its subject, for the tables: form, table, …
	Lang  string                       `yaml:"lang"` // of the user, such as en or ja
	Said  []Line                       `yaml:"said"` // the conversation so far, oldest first
	Given []Saying                     `yaml:"given"`
	Typed map[ui.Name]map[string]Value `yaml:"typed"` // the user's input since: surface → field → value
	User  string                       `yaml:"user"`  // the user's message; or
	Event string                       `yaml:"event"` // what happens instead, in the app's words
	Run   string                       `yaml:"run"`   // app.RunDirectives (the default), RunTools or RunHybrid
	Tools []Tool                       `yaml:"tools"` // the functions the model may call then
	Calls []Saying                     `yaml:"calls"` // calls of tools: each must come, with these arguments
	// each must come, with these members of its payload; none = words are wanted
	Want   []Saying          `yaml:"want"`
	Forbid []string          `yaml:"forbid"`
	Screen map[ui.Name]Shown `yaml:"screen"` // the screen afterwards
	Answer Answer            `yaml:"answer"` // a good answer: what simulators say
}

// Tool is a model tool as a scenario has it. Its results are made up: nothing is called.
type Tool struct {
	Name        string `yaml:"name"`
	Description string `yaml:"description"` // default: that of the app's tool with this name
	Schema      Value  `yaml:"schema"`      // of its arguments; default: as above
	Result      string `yaml:"result"`      // of every call

	args *schema.Schema
}

// Line is one line of the conversation so far; one of the two is set.
type Line struct {
	User      string `yaml:"user"`
	Assistant string `yaml:"assistant"`
}

// Answer is an example of a good answer.
type Answer struct {
	Text       string   `yaml:"text"`
	Directives []Saying `yaml:"directives"`
	Calls      []Saying `yaml:"calls"` // first, one a request
}

// Shown is the wanted state of a surface.
type Shown struct {
	Absent bool             `yaml:"absent"` // it must not be there; else it must be open
	Values map[string]Value `yaml:"values"` // path below /draft → value
	Rows   int              `yaml:"rows"`   // at least so many rows or steps hold something
}

// Saying is a directive as scenarios write it: {type: payload}.
type Saying struct {
	Type    string
	Payload jsonx.Value // an object
}

// UnmarshalYAML reads a mapping of one member, or a type alone.
func (s *Saying) UnmarshalYAML(n *yaml.Node) error {
	switch {
	case n.Kind == yaml.ScalarNode && n.Value != "":
		s.Type, s.Payload = n.Value, jsonx.OfObject()
		return nil
	case n.Kind != yaml.MappingNode || len(n.Content) != 2:
		return fmt.Errorf("line %d: want one directive: a type and its payload, such as ui.show_form: {name: customer}",
			n.Line)
	}
	s.Type = n.Content[0].Value
	v, err := dataOf(n.Content[1], 0)
	if err == nil && v.Kind == jsonx.Null {
		v = jsonx.OfObject()
	}
	if err == nil && v.Kind != jsonx.Object {
		err = fmt.Errorf("line %d: want the payload of the directive, a mapping", n.Line)
	}
	s.Payload = v
	return err
}

// Value is a value of a draft as scenarios write it.
type Value struct{ jsonx.Value }

// UnmarshalYAML reads a scalar, a list or a mapping.
func (v *Value) UnmarshalYAML(n *yaml.Node) (err error) {
	v.Value, err = dataOf(n, 0)
	return err
}

// dataOf turns YAML into JSON: dates stay the text they are, and there are no
// aliases, which could make much out of little.
func dataOf(n *yaml.Node, depth int) (jsonx.Value, error) {
	if depth > 16 {
		return jsonx.Value{}, fmt.Errorf("line %d: too deep", n.Line)
	}
	switch n.Kind {
	case yaml.ScalarNode:
		switch n.ShortTag() {
		case "!!null":
			return jsonx.Value{}, nil
		case "!!bool":
			return jsonx.OfBool(strings.EqualFold(n.Value, "true")), nil
		case "!!int", "!!float":
			if v, err := jsonx.Parse([]byte(n.Value), jsonx.Limits{}); err == nil && v.Kind == jsonx.Number {
				return v, nil
			}
		}
		return jsonx.Of(n.Value), nil
	case yaml.SequenceNode:
		out := jsonx.OfArray()
		for _, item := range n.Content {
			v, err := dataOf(item, depth+1)
			if err != nil {
				return v, err
			}
			out.Items = append(out.Items, v)
		}
		return out, nil
	case yaml.MappingNode:
		out := jsonx.OfObject()
		for i := 0; i+1 < len(n.Content); i += 2 {
			v, err := dataOf(n.Content[i+1], depth+1)
			if err != nil {
				return v, err
			}
			out.Members = append(out.Members, jsonx.Member{Key: n.Content[i].Value, Value: v})
		}
		return out, nil
	}
	return jsonx.Value{}, fmt.Errorf("line %d: aliases are not taken", n.Line)
}

//go:embed scenarios/*.yaml
var builtin embed.FS

// Builtin returns the scenarios of the demo application.
func Builtin(a *app.App) ([]Scenario, error) {
	files, err := builtin.ReadDir("scenarios")
	if err != nil {
		return nil, err
	}
	var all []Scenario
	for _, f := range files {
		data, err := builtin.ReadFile("scenarios/" + f.Name())
		if err != nil {
			return nil, err
		}
		list, err := Load(f.Name(), data, a)
		if err != nil {
			return nil, err
		}
		all = append(all, list...)
	}
	return all, nil
}

// Load reads a file of scenarios about an application: YAML with the one key
// scenarios. An error is a *ui.Error with CodeScenario; its Path is file:line,
// or the file and the scenario's name.
func Load(file string, data []byte, a *app.App) ([]Scenario, error) {
	list, err := load(file, data, a)
	if e, ok := errors.AsType[*ui.Error](err); ok && e.Hint == "" {
		e.Hint = "docs/eval.md has a scenario with all its keys"
	}
	return list, err
}

func load(file string, data []byte, a *app.App) ([]Scenario, error) {
	bad := func(path, format string, args ...any) error { return ui.Errorf(CodeScenario, path, format, args...) }
	if len(data) > maxFile {
		return nil, bad(file, "the file is above %d bytes", maxFile)
	}
	var doc struct {
		Scenarios []Scenario `yaml:"scenarios"`
	}
	dec := yaml.NewDecoder(bytes.NewReader(data))
	dec.KnownFields(true)
	switch err := dec.Decode(&doc); {
	case errors.Is(err, io.EOF):
		return nil, bad(file, "the file is empty")
	case err != nil:
		return nil, unreadable(file, data, err)
	case len(doc.Scenarios) == 0:
		return nil, bad(file, "the file has no scenarios")
	case len(doc.Scenarios) > maxScenarios:
		return nil, bad(file, "the file has more than %d scenarios", maxScenarios)
	}
	var extra yaml.Node
	if err := dec.Decode(&extra); !errors.Is(err, io.EOF) {
		return nil, bad(file, "the file holds more than one document")
	}
	seen := map[string]bool{}
	for i := range doc.Scenarios {
		sc := &doc.Scenarios[i]
		at := file + " " + strconv.Quote(sc.Name)
		if seen[sc.Name] {
			return nil, &ui.Error{Code: CodeScenario, Path: at, Message: "two scenarios have this name",
				Hint: "give each a name of its own"}
		}
		seen[sc.Name] = true
		if err := sc.check(a); err != nil {
			err.Path = strings.TrimSuffix(at+" "+err.Path, " ")
			return nil, err
		}
	}
	return doc.Scenarios, nil
}

func unreadable(file string, data []byte, err error) error {
	line, text := yamlline.Split(data, err)
	e := &ui.Error{Code: CodeScenario, Path: file + ":" + strconv.Itoa(line), Message: text}
	if name, _, ok := strings.Cut(strings.TrimPrefix(e.Message, "field "), " not found in type "); ok {
		e.Message = strconv.Quote(name) + " is no key here"
		e.Hint = meant(name, []string{"scenarios", "name", "kind", "lang", "said", "given", "typed", "user", "event",
			"run", "tools", "calls", "want", "forbid", "screen", "answer", "assistant", "text", "directives", "absent",
			"values", "rows", "description", "schema", "result"})
	}
	return e
}

// meant is a hint for an unknown name.
func meant(name string, possible []string) string {
	hint := "possible: " + strings.Join(possible, ", ")
	if n := near.Name(name, possible); n != "" {
		hint = "did you mean `" + n + "`? " + hint
	}
	return hint
}

var nameForm = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

// check holds a scenario against the application: its directives are declared,
// the given surfaces can be opened, and Read accepts its answer.
func (sc *Scenario) check(a *app.App) *ui.Error {
	bad := func(path, format string, args ...any) *ui.Error {
		return ui.Errorf(CodeScenario, path, format, args...)
	}
	switch {
	case !nameForm.MatchString(sc.Name):
		return bad("name", "want a name of letters, digits, _ and -")
	case (sc.User == "") == (sc.Event == ""):
		return bad("user", "want either what the user writes (user) or what happens (event)")
	case sc.Answer.Text == "" && len(sc.Answer.Directives) == 0:
		return bad("answer", "want a good answer: its text, its directives, or both")
	}
	if err := sc.checkTools(a); err != nil {
		return err
	}
	types := a.Registry().Types()
	for _, part := range []struct {
		name string
		list []Saying
	}{{"given", sc.Given}, {"want", sc.Want}, {"answer", sc.Answer.Directives}} {
		for _, d := range part.list {
			if !slices.Contains(types, d.Type) {
				e := bad(part.name, "the app declares no directive %.64q", d.Type)
				e.Hint = meant(d.Type, types)
				return e
			}
		}
	}
	for _, t := range sc.Forbid {
		if t != anyType && !slices.Contains(types, t) {
			e := bad("forbid", "the app declares no directive %.64q", t)
			e.Hint = meant(t, append([]string{`"*"`}, types...))
			return e
		}
	}
	if _, err := sc.before(a); err != nil {
		return bad("given", "cannot be set up: %v", err)
	}
	env, err := a.Registry().Read(sc.answer())
	if err == nil && len(env.Directives) < len(sc.Answer.Directives) && len(env.Warnings) > 0 {
		err = env.Warnings[0]
	}
	if err != nil {
		return bad("answer", "would not be taken: %v", err)
	}
	return nil
}

// checkTools holds the tools of a scenario against its kind of run and its calls.
func (sc *Scenario) checkTools(a *app.App) *ui.Error {
	runs := []string{app.RunDirectives, app.RunTools, app.RunHybrid}
	sc.Run = cmp.Or(sc.Run, app.RunDirectives)
	bad := func(path, hint, format string, args ...any) *ui.Error {
		return &ui.Error{Code: CodeScenario, Path: path, Message: fmt.Sprintf(format, args...), Hint: hint}
	}
	switch {
	case !slices.Contains(runs, sc.Run):
		return bad("run", meant(sc.Run, runs), "no kind of run is named %.64q", sc.Run)
	case (sc.Run == app.RunDirectives) != (len(sc.Tools) == 0):
		return bad("tools", "name the tools, with run: tools or run: hybrid", "tools are for runs that offer them")
	case sc.Run == app.RunTools && len(sc.Want)+len(sc.Answer.Directives) > 0:
		return bad("want", "use run: hybrid", "a run with tools alone has no directives")
	}
	var known []string
	for i := range sc.Tools {
		t := &sc.Tools[i]
		if err := t.load(a); err != nil {
			return bad("tools "+t.Name, "", "%v", err)
		}
		known = append(known, t.Name)
	}
	for _, c := range slices.Concat(sc.Calls, sc.Answer.Calls) {
		if !slices.Contains(known, c.Type) {
			return bad("calls", meant(c.Type, known), "no tool of the scenario is named %.64q", c.Type)
		}
	}
	return nil
}

// load fills the parts that the scenario leaves out from the application's tool.
func (t *Tool) load(a *app.App) error {
	if !nameForm.MatchString(t.Name) {
		return errors.New("want a name of letters, digits, _ and -")
	}
	declared := a.Config().ModelTools
	if i := slices.IndexFunc(declared, func(d app.ModelTool) bool { return d.Name == t.Name }); i >= 0 {
		t.Description, t.args = cmp.Or(t.Description, declared[i].Description), a.Arguments(t.Name)
	}
	if t.Schema.Kind == jsonx.Null && t.args == nil {
		t.Schema.Value = jsonx.OfObject(jsonx.Member{Key: "type", Value: jsonx.Of("object")})
	}
	if t.Schema.Kind != jsonx.Null {
		var err error
		if t.args, err = schema.CompileObject(jsonx.Append(nil, t.Schema.Value)); err != nil {
			return err
		}
	}
	return nil
}

// answer is the good answer as a model writes it.
func (sc *Scenario) answer() string {
	return string(directive.Envelope{Text: sc.Answer.Text, Directives: directivesOf(sc.Answer.Directives)}.JSON())
}

func directivesOf(list []Saying) []directive.Directive {
	out := make([]directive.Directive, len(list))
	for i, d := range list {
		out[i] = directive.Directive{Type: d.Type, Payload: d.Payload, Index: i}
	}
	return out
}
