package conformance

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/a2ui/internal/wire"
)

func init() {
	register("validate_common_type", validateCommonType)
	register("common_types_schema", commonTypesSchema)
}

// validateCommonType judges values of one type that all catalogs share: each is
// put into a message where that type belongs, and comes out as it went in.
func validateCommonType(c *testCase) error {
	if err := c.only("definition", "steps", "value", "expectError"); err != nil {
		return err
	}
	version := c.version()
	if version == "" {
		version = "v0.9"
	}
	d, err := dialectOf(version, c.text("dialect"))
	if err != nil {
		return err
	}
	steps, _, err := c.steps("value")
	if err != nil {
		return err
	}
	for i, s := range steps {
		value := field(s.raw, "value")
		if value == nil {
			return fmt.Errorf("step %d has no value", i+1)
		}
		if c.text("definition") == "Surface" {
			return errNotSent
		}
		m, raw, faults, err := judgeType(d, c.text("definition"), value)
		if err == nil {
			err = s.fail.match(faults)
		}
		if err == nil && len(faults) == 0 {
			err = roundTrip(d, places(d)[c.text("definition")].at, raw, m)
		}
		if err != nil {
			return fmt.Errorf("step %d, %s: %w", i+1, show(value), err)
		}
	}
	return nil
}

// errNotSent skips cases about a type that no message carries.
var errNotSent = errors.New("v1.0, common types: a Surface is the container that a renderer makes itself; no message has a place for one")

// place is where a type stands in a message.
type place struct {
	message string   // with @ for the value
	at      []string // the value in the message
	is      string   // what it must be read as: "path", "call", "@index"; "" = anything
}

// places of the types in the messages of a dialect; probe is a component with
// one property of each kind, and stands in a template, where @index means
// something.
func places(d a2ui.Dialect) map[string]place {
	version, prefix := d.String(), ""
	if d.Protocol() == "1.0" {
		version = "v1.0"
	}
	if d == a2ui.V10 {
		prefix = "@"
	}
	component := func(name, is string) place {
		name = strings.Replace(name, "@", prefix, 1)
		return place{`{"version":"` + version + `","updateComponents":{"surfaceId":"s","components":[` +
			`{"id":"root","component":"Probe","children":{"componentId":"item","path":"/items"}},{"id":"item","component":"Probe","` + name + `":` + "\x00" + `}]}}`,
			[]string{"updateComponents", "components", "1", name}, is}
	}
	members := place{`{"version":"` + version + `","updateComponents":{"surfaceId":"s","components":[` + "\x00" + `]}}`,
		[]string{"updateComponents", "components", "0"}, ""}
	out := map[string]place{
		"ComponentId": component("child", ""), "ChildList": component("children", ""),
		"AccessibilityAttributes": component("@accessibility", ""), "Action": component("action", ""),
		"DataBinding": component("any", "path"), "FunctionCall": component("any", "call"),
		"DynamicValue": component("any", ""), "DynamicString": component("string", ""), "DynamicNumber": component("number", ""),
		"DynamicBoolean": component("bool", ""), "DynamicStringList": component("strings", ""),
		"ComponentCommon": members, "Checkable": members,
	}
	checks := component("@checks", "")
	checks.message = strings.Replace(checks.message, "\x00", "[\x00]", 1)
	checks.at = append(checks.at, "0")
	out["CheckRule"] = checks
	if d.Protocol() == "1.0" {
		out["Child"], out["FunctionCommon"], out["IndexSystemFunction"] = component("child", ""),
			component("any", "call"), component("any", "@index")
		out["Extensions"] = place{
			`{"version":"v1.0","createSurface":{"surfaceId":"s","catalogId":"probe","metadata":{"extensions":` + "\x00" + `}}}`,
			[]string{"createSurface", "metadata", "extensions"}, ""}
		out["FunctionResponse"] = place{`{"version":"v1.0","agentFunctionResponse":` + "\x00" + `}`,
			[]string{"agentFunctionResponse"}, ""}
		out["CallId"] = place{`{"version":"v1.0","agentFunctionResponse":{"functionCallId":` + "\x00" + `,"value":1}}`,
			[]string{"agentFunctionResponse", "functionCallId"}, ""}
	}
	return out
}

// probe is a catalog with one component that has a property of every kind, the
// functions of the basic catalog and those that are named, which return returns.
func probe(d a2ui.Dialect, returns string, functions ...string) *a2ui.Catalog {
	out := &a2ui.Catalog{ID: "probe", Functions: map[string]*a2ui.FunctionDef{},
		Components: map[string]*a2ui.ComponentDef{
			"Probe": {Name: "Probe", Props: []a2ui.PropDef{
				{Name: "any", Kind: wire.DynValue}, {Name: "string", Kind: wire.DynString}, {Name: "number", Kind: wire.DynNumber},
				{Name: "bool", Kind: wire.DynBool}, {Name: "strings", Kind: wire.DynStrings}, {Name: "child", Kind: wire.Child},
				{Name: "children", Kind: wire.Children}, {Name: "action", Kind: wire.ActionValue}, {Name: "checks", Kind: wire.CheckList},
				{Name: "accessibility", Kind: wire.A11y}, {Name: "metadata", Kind: wire.Metadata},
			}},
		}}
	for _, name := range functions {
		if !strings.HasPrefix(name, "@") {
			out.Functions[name] = &a2ui.FunctionDef{Name: name, Open: true, Returns: returns}
		}
	}
	maps.Copy(out.Functions, a2ui.Basic(d).Functions)
	return out
}

var (
	calledName = regexp.MustCompile(`"@?call"\s*:\s*"([^"]*)"`)
	returned   = regexp.MustCompile(`"returnType"\s*:\s*"(string|number|boolean|array|object|any|void)"`)
)

// judgeType judges one value, and returns the message it was put into; the error
// is about the harness.
func judgeType(d a2ui.Dialect, definition string, value json.RawMessage) (m a2ui.Message, raw []byte, _ []fault,
	err error) {
	at, ok := places(d)[definition]
	if !ok {
		return nil, nil, nil, fmt.Errorf("no message of %s has a place for %q", d, definition)
	}
	if len(at.at) == 3 { // members of a component
		var members map[string]json.RawMessage
		if json.Unmarshal(value, &members) != nil || members == nil {
			return nil, nil, []fault{{code: string(a2ui.EnvelopeInvalid), text: "a component is an object"}}, nil
		}
		if definition == "Checkable" {
			members["id"] = json.RawMessage(`"root"`)
		}
		members["component"] = json.RawMessage(`"Probe"`)
		value, _ = json.Marshal(members)
	}
	raw = []byte(strings.Replace(at.message, "\x00", string(value), 1))
	if m, err = a2ui.DecodeMessageAs(d, raw); err != nil {
		return nil, raw, []fault{errorFault(err, 0, raw)}, nil
	}
	var functions []string
	for _, found := range calledName.FindAllSubmatch(value, -1) {
		functions = append(functions, string(found[1]))
	}
	returns := "any"
	if found := returned.FindSubmatch(value); found != nil {
		returns = string(found[1])
	}
	rules := a2ui.Rules{Dialect: d, Catalog: probe(d, returns, functions...), Partial: true}
	if def := rules.Catalog.Components["Probe"]; len(at.at) == 3 { // types that components are built from: open
		def.Open = true
		if definition == "Checkable" {
			def.Props = []a2ui.PropDef{{Name: "checks", Kind: wire.CheckList}}
		}
	}
	for _, p := range a2ui.Validate(rules, []a2ui.Message{m}) {
		if p.Code != wire.BeginMissingRoot && p.Code != wire.ComponentDangling && p.Code != wire.ComponentCatalog {
			return m, raw, []fault{problemFault(&p, 0, raw)}, nil
		}
	}
	if err := readAs(at.is, m); err != nil {
		return m, raw, []fault{{code: string(wire.ComponentProperty), text: err.Error()}}, nil
	}
	return m, raw, nil, nil
}

// readAs says what a value was not read as.
func readAs(is string, m a2ui.Message) error {
	if is == "" {
		return nil
	}
	v := components(m)[1].Props[0].Value
	if _, ok := v.(a2ui.Path); ok && is == "path" {
		return nil
	}
	if call, ok := v.(a2ui.Call); ok && (is == "call" || is == call.Func) {
		return nil
	}
	return fmt.Errorf("the value was not read as %s", is)
}

// roundTrip says whether a message is written as it was read.
func roundTrip(d a2ui.Dialect, at []string, raw []byte, m a2ui.Message) error {
	written, err := a2ui.AppendMessage(nil, d, m)
	if err != nil {
		return fmt.Errorf("write: %w", err)
	}
	var before, after any
	if err := errors.Join(json.Unmarshal(raw, &before), json.Unmarshal(written, &after)); err != nil {
		return err
	}
	before, _ = lookup(before, at)
	after, _ = lookup(after, at)
	if call, ok := before.(map[string]any); ok && (call["call"] != nil && !reservesKeys(d) || call["@call"] != nil) &&
		call["args"] == nil {
		call["args"] = map[string]any{} // as package a2ui writes a call without any
	}
	if !reflect.DeepEqual(before, after) {
		return fmt.Errorf("it comes back as %s", show(after))
	}
	return nil
}

// commonTypesSchema proves that our types are those of a published file: every
// definition that a message has a place for takes and refuses the same values.
// (Its texts are not ours to write out.)
func commonTypesSchema(c *testCase) error {
	if err := c.only("expectFile"); err != nil {
		return err
	}
	d, err := dialectOf(c.version(), c.text("dialect"))
	if err != nil {
		return err
	}
	file := c.path(c.text("expectFile", "expect_file"))
	definitions, judge, err := typeSchemas(file)
	if err != nil {
		return err
	}
	var differ []error
	for _, definition := range definitions {
		if _, ok := places(d)[definition]; !ok {
			if definition == "Surface" { // what the renderer makes itself, never in a message
				continue
			}
			return fmt.Errorf("no message has a place for %s", definition)
		}
		if definition == "FunctionCommon" { // a part of FunctionCall, which is judged
			continue
		}
		for _, value := range typeSamples {
			if definition == "CallId" && value == `""` { // an empty id is refused, see package a2ui
				continue
			}
			_, _, faults, err := judgeType(d, definition, json.RawMessage(value))
			if err != nil {
				return fmt.Errorf("%s %s: %w", definition, value, err)
			}
			if want := judge(definition, value); (want == nil) != (len(faults) == 0) {
				differ = append(differ, fmt.Errorf("%s %s: the schema takes it: %t, we say %v", definition, value,
					want == nil, faults))
			}
		}
	}
	if len(definitions) == 0 {
		return errors.New("the file has no definitions")
	}
	if len(differ) > 5 {
		differ = append(differ[:5], fmt.Errorf("and %d more", len(differ)-5))
	}
	return errors.Join(differ...)
}

// typeSamples are values that one type or another takes. Names and arguments of
// functions are right, as far as they are calls: the catalog judges those.
var typeSamples = []string{
	`null`, `true`, `0`, `-1.5`, `""`, `"x"`, `"a b"`, `[]`, `["a"]`, `["a",1]`, `[{"path":"/a"}]`, `[[]]`, `{}`, `{"x":1}`,
	`{"path":"/a"}`, `{"path":1}`, `{"path":"/a","x":1}`, `{"path":"/a","call":"now"}`, `{"componentId":"a","path":"/l"}`, `{"componentId":"a"}`,
	`{"componentId":"a","path":"/l","x":1}`, `{"componentId":1,"path":"/l"}`,
	`{"call":"formatString","args":{"value":"x"}}`, `{"call":"formatString","args":{"value":"x"},"x":1}`, `{"call":1}`, `{"args":{}}`, `{"call":"formatString","args":[]}`,
	`{"call":"@index"}`, `{"call":"@index","args":{"offset":1}}`, `{"call":"@index","args":{"offset":1,"x":1}}`, `{"call":"@index","args":{"offset":"x"}}`,
	`{"label":"x"}`, `{"label":"x","description":{"path":"/a"}}`, `{"label":1}`,
	`{"event":{"name":"x"}}`, `{"event":{"name":"x","context":{"a":{"path":"/a"}}}}`, `{"event":{}}`, `{"event":{"name":"x","context":[]}}`,
	`{"functionCall":{"call":"openUrl","args":{"url":"https://a.b"}}}`, `{"functionCall":1}`, `{"event":{"name":"x"},"functionCall":{"call":"openUrl","args":{"url":"https://a.b"}}}`,
	`{"condition":{"path":"/a"},"message":"x"}`, `{"condition":1,"message":"x"}`, `{"message":"x"}`, `{"condition":{"path":"/a"},"message":1}`, `{"condition":{"path":"/a"},"message":"x","y":1}`,
	`{"checks":[{"condition":{"path":"/a"},"message":"x"}]}`, `{"checks":{}}`, `{"checks":[1]}`,
	`{"id":"a"}`, `{"id":1}`, `{"id":"a","accessibility":{"label":"x"}}`, `{"id":"a","accessibility":1}`,
	`{"functionCallId":"a","value":null}`, `{"functionCallId":"a"}`, `{"functionCallId":"a","error":{"code":"E","message":"m"}}`, `{"functionCallId":"a","value":1,"error":{"code":"E","message":"m"}}`, `{"functionCallId":1,"value":1}`,
}

// typeSchemas compiles the definitions of a file of common types.
func typeSchemas(file string) (names []string, judge func(name, value string) error, err error) {
	types, id, err := readSchema(file, "")
	if err != nil {
		return nil, nil, err
	}
	catalogFile := filepath.Join(filepath.Dir(file), "..", "catalogs", "basic", "catalog.json")
	catalog, catalogID, err := readSchema(catalogFile, strings.TrimSuffix(id, "common_types.json")+"catalog.json")
	if err != nil {
		return nil, nil, err
	}
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	compiler.UseRegexpEngine(identifiers)
	if err := errors.Join(compiler.AddResource(id, types), compiler.AddResource(catalogID, catalog)); err != nil {
		return nil, nil, err
	}
	defs, _ := types["$defs"].(map[string]any)
	compiled := map[string]*jsonschema.Schema{}
	for _, name := range sortedKeys(defs) {
		if compiled[name], err = compiler.Compile(id + "#/$defs/" + name); err != nil {
			return nil, nil, err
		}
		names = append(names, name)
	}
	return names, func(name, value string) error {
		v, err := jsonschema.UnmarshalJSON(strings.NewReader(value))
		if err != nil {
			return err
		}
		return compiled[name].Validate(v)
	}, nil
}

func readSchema(file, id string) (map[string]any, string, error) {
	b, err := os.ReadFile(file)
	if err != nil {
		return nil, "", err
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(b))
	if err != nil {
		return nil, "", err
	}
	m, ok := doc.(map[string]any)
	if !ok {
		return nil, "", fmt.Errorf("%s is no object", file)
	}
	if id == "" {
		id, _ = m["$id"].(string)
	}
	m["$id"] = id
	return m, id, nil
}

// identifiers knows the two classes of UAX #31 that Go's engine lacks.
func identifiers(pattern string) (jsonschema.Regexp, error) {
	pattern = strings.NewReplacer(`\p{XID_Start}`, `\p{L}\p{Nl}`, `\p{XID_Continue}`,
		`\p{L}\p{Nl}\p{Mn}\p{Mc}\p{Nd}\p{Pc}`).Replace(pattern)
	re, err := regexp.Compile(pattern)
	if err != nil {
		return nil, err
	}
	return re, nil
}
