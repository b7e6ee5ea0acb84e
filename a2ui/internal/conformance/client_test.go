package conformance

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/a2ui/client"
	"github.com/limn-ui/limn/a2ui/internal/wire"
	"github.com/limn-ui/limn/internal/jsonx"
)

// The suites about what a client computes: its data model, templates, functions
// and actions.
func init() {
	register("data_model", dataModel)
	register("parse_expression_template", parseTemplate)
	register("evaluate_function", evaluateFunction)
	register("dispatch_action", dispatchAction)
}

// value parses a member of a case; an absent one is Null.
func value(raw json.RawMessage) (a2ui.Data, error) {
	if raw == nil {
		return a2ui.Data{}, nil
	}
	return jsonx.Parse(raw, jsonx.Limits{})
}

// holds compares a value with the one a case wants.
func holds(name string, got a2ui.Data, want json.RawMessage) error {
	var w any
	if err := json.Unmarshal(want, &w); err != nil {
		return err
	}
	return same(name, plain(got), w)
}

func str(raw json.RawMessage) string {
	var s string
	_ = json.Unmarshal(raw, &s)
	return s
}

// renders is the dialect of a renderer for a case: v0.9 unless it says another.
func (c *testCase) renders() (a2ui.Dialect, error) {
	version := c.version()
	if version == "" {
		version = "v0.9"
	}
	return dialectOf(version, c.text("dialect"))
}

// watcher is one path that a case watches.
type watcher struct {
	path  string
	fired bool
	value a2ui.Data
	stop  func()
}

func dataModel(c *testCase) error {
	if err := c.only("catalog", "initial", "watch", "steps"); err != nil {
		return err
	}
	d, err := c.renders()
	if err != nil {
		return err
	}
	initial, err := value(c.get("initial"))
	if err != nil {
		return err
	}
	m := client.NewModel(d, client.Strict, initial)
	var paths []string
	if raw := c.get("watch"); raw != nil {
		if err := json.Unmarshal(raw, &paths); err != nil {
			return err
		}
	}
	var watched []*watcher
	for _, path := range paths {
		w := &watcher{path: path}
		w.value, _, _ = m.Get(path)
		if w.stop, err = m.Watch(path, func(v a2ui.Data, _ bool) { w.fired, w.value = true, v }); err != nil {
			return err
		}
		watched = append(watched, w)
	}
	list, anyFails, err := c.steps("op", "path", "value", "expectAbsent", "expectType", "expectValues",
		"expectNotified")
	if err != nil {
		return err
	}
	var last step
	return runSteps(list, anyFails, func(s step) ([]fault, error) {
		last = s
		return dataStep(m, watched, s)
	}, func(want json.RawMessage) error {
		got, _, _ := m.Get(client.ResolvePath(str(last.raw["path"]), "/"))
		return holds(str(last.raw["path"]), got, want)
	})
}

// dataStep does what a step says and looks at what came of it.
func dataStep(m *client.Model, watched []*watcher, s step) ([]fault, error) {
	for _, w := range watched {
		w.fired = false
	}
	path := client.ResolvePath(str(s.raw["path"]), "/")
	v, err := value(s.raw["value"])
	if err != nil {
		return nil, err
	}
	var got a2ui.Data
	found := false
	switch op := str(s.raw["op"]); op {
	case "get":
		got, found, err = m.Get(path)
	case "set":
		err = m.Set(path, v)
	case "delete":
		err = m.Delete(path)
	case "dispose":
		for _, w := range watched {
			if path == "" || path == w.path {
				w.stop()
			}
		}
	default:
		return nil, fmt.Errorf("unknown op %q", op)
	}
	if err != nil {
		return []fault{errorFault(err, 0, nil)}, nil
	}
	if string(field(s.raw, "expectAbsent")) == "true" && found && got.Kind != jsonx.Null { // a hole is null here
		return nil, fmt.Errorf("%s holds %s, want nothing", path, show(plain(got)))
	}
	kinds := map[string]jsonx.Kind{"list": jsonx.Array, "array": jsonx.Array, "map": jsonx.Object,
		"object": jsonx.Object,
		"string": jsonx.String, "number": jsonx.Number, "boolean": jsonx.Bool, "null": jsonx.Null}
	if raw := field(s.raw, "expectType"); raw != nil {
		if want, ok := kinds[str(raw)]; !ok || want != got.Kind {
			return nil, fmt.Errorf("%s is a %s, want a %s", path, got.Kind, str(raw))
		}
	}
	return nil, watchedAs(watched, s)
}

// watchedAs compares who was told of a write, and what watchers see now.
func watchedAs(watched []*watcher, s step) error {
	if raw := field(s.raw, "expectNotified"); raw != nil {
		var want []string
		if err := json.Unmarshal(raw, &want); err != nil {
			return err
		}
		var got []string
		for _, w := range watched {
			if w.fired {
				got = append(got, w.path)
			}
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			return fmt.Errorf("notified %v, want %v", got, want)
		}
	}
	var values map[string]json.RawMessage
	if raw := field(s.raw, "expectValues"); raw != nil {
		if err := json.Unmarshal(raw, &values); err != nil {
			return err
		}
	}
	for path, want := range values {
		i := slices.IndexFunc(watched, func(w *watcher) bool { return w.path == path })
		if i < 0 {
			return fmt.Errorf("nobody watches %s", path)
		}
		if err := holds("watched "+path, watched[i].value, want); err != nil {
			return err
		}
	}
	return nil
}

// parseReasons are the words of other SDKs for what is wrong with a template.
var parseReasons = []struct {
	text *regexp.Regexp
	is   wire.FormatReason
}{
	{regexp.MustCompile(`(?i)unclosed|unterminated`), wire.FormatUnclosed},
	{regexp.MustCompile(`(?i)argument name|expected ':'`), wire.FormatColon},
	{regexp.MustCompile(`(?i)expected '\)'|after function arguments|closing paren`), wire.FormatParen},
	{regexp.MustCompile(`(?i)unexpected character`), wire.FormatTrailing},
	{regexp.MustCompile(`(?i)invalid number|out of range`), wire.FormatNumber},
	{regexp.MustCompile(`(?i)depth|recursion|nest`), wire.FormatDepth},
}

func parseTemplate(c *testCase) error {
	if err := c.only("input", "expect", "expectError", "catalog"); err != nil {
		return err
	}
	parts, err := wire.ParseFormat(c.text("input"), wire.FormatRules{})
	if raw := c.get("expectError", "expect_error"); raw != nil {
		return parseFails(err, raw)
	}
	if err != nil {
		return err
	}
	var want []any
	if err := json.Unmarshal(c.get("expect"), &want); err != nil {
		return err
	}
	got := []any{}
	for _, p := range parts {
		got = append(got, plain(partForm(p)))
	}
	return same("template", joined(got), joined(want))
}

func parseFails(err error, raw json.RawMessage) error {
	want, bad := parseWant(raw)
	if bad != nil {
		return bad
	}
	var e *wire.FormatError
	if !errors.As(err, &e) {
		return fmt.Errorf("no error, want %s", want)
	}
	if want.Category != "" && want.Category != parseError {
		return fmt.Errorf("another category than %s: %w", want.Category, err)
	}
	for _, row := range parseReasons {
		if row.text.MatchString(want.Message) {
			if row.is != e.Reason {
				return fmt.Errorf("another reason than %q: %w", want.Message, err)
			}
			return nil
		}
	}
	if want.Message != "" {
		return fmt.Errorf("the harness has no row for the expected text %q", want.Message)
	}
	return nil
}

// partForm writes a part of a template as the suite does.
func partForm(v a2ui.Value) a2ui.Data {
	switch v := v.(type) {
	case a2ui.String:
		return jsonx.Of(string(v))
	case a2ui.Bool:
		return jsonx.OfBool(bool(v))
	case a2ui.Literal:
		return v.Data
	case a2ui.Path:
		return jsonx.OfObject(a2ui.Member{Key: "path", Value: jsonx.Of(string(v))})
	case a2ui.Call:
		args := a2ui.Data{Kind: jsonx.Object}
		for _, p := range v.Args {
			args.Members = append(args.Members, a2ui.Member{Key: p.Name, Value: partForm(p.Value)})
		}
		return jsonx.OfObject(a2ui.Member{Key: "call", Value: jsonx.Of(v.Func)}, a2ui.Member{Key: "args", Value: args},
			a2ui.Member{Key: "returnType", Value: jsonx.Of("any")})
	}
	return a2ui.Data{}
}

// joined makes one text of neighbouring texts; null is no text.
func joined(parts []any) []any {
	out := []any{}
	for _, p := range parts {
		text, isText := p.(string)
		n := len(out)
		switch {
		case p == nil || isText && text == "":
		case isText && n > 0 && reflect.TypeOf(out[n-1]).Kind() == reflect.String:
			out[n-1] = out[n-1].(string) + text
		default:
			out = append(out, p)
		}
	}
	return out
}

// evaluateFunction calls one function on a surface.
func evaluateFunction(c *testCase) error {
	if err := c.only(append([]string{"function", "args", "surface", "catalogId", "dataModel", "scope", "expect",
		"expectError", "useBasicCatalog", "locale"}, catalogFields...)...); err != nil {
		return err
	}
	if locale := c.text("locale"); locale != "" && locale != "en-US" {
		return fmt.Errorf("the renderer speaks en-US, not %s", locale)
	}
	d, err := c.renders()
	if err != nil {
		return err
	}
	r, err := evaluator(c, d)
	if err != nil {
		return err
	}
	call, err := readCall(d, c.text("function"), c.get("args"))
	if err != nil {
		return err
	}
	call.CatalogID = c.text("catalogId", "catalog_id")
	got, err := r.Evaluate("s", c.text("scope"), call)
	if raw := c.get("expectError", "expect_error"); raw != nil {
		return failsAs(err, raw)
	}
	if err != nil {
		return err
	}
	if def := a2ui.Basic(d).Functions[call.Func]; def != nil && def.Returns == "void" {
		got = a2ui.Data{} // what the host is to do
	}
	return holds("value", got, c.get("expect"))
}

// failsAs compares an error of a client with the one a case wants: its category,
// and its text where that is not the wording of one SDK.
func failsAs(err error, raw json.RawMessage) error {
	want, bad := parseWant(raw)
	if bad != nil {
		return bad
	}
	var e *client.Error
	if !errors.As(err, &e) {
		return fmt.Errorf("no error, want %s", want)
	}
	if want.Category != "" && !slices.Contains(categories[string(e.Code)], want.Category) {
		return fmt.Errorf("another category than %s: %w", want.Category, err)
	}
	if want.Category == catalogError && !strings.Contains(err.Error(), want.Message) {
		return fmt.Errorf("another reason than %q: %w", want.Message, err)
	}
	return nil
}

// evaluator is a renderer with the surface s of a case.
func evaluator(c *testCase, d a2ui.Dialect) (*client.Client, error) {
	cfg := client.Config{Dialect: d}
	list, err := c.supplied(d)
	if err != nil {
		return nil, err
	}
	for _, s := range list {
		if own, err := dialectOf(catalogVersion(s.doc), ""); err != nil || own.Features() == d.Features() {
			cfg.Catalogs = append(cfg.Catalogs, s.Catalog)
		}
	}
	if basic := a2ui.Basic(d); string(c.get("useBasicCatalog")) == "true" && cfg.Catalogs != nil {
		cfg.Catalogs = append(cfg.Catalogs, basic)
	}
	surface := a2ui.CreateSurface{SurfaceID: "s", CatalogID: a2ui.CatalogID(d), Root: "root"}
	if raw := c.get("surface"); raw != nil {
		var named struct{ CatalogID string }
		if err := json.Unmarshal(raw, &named); err != nil {
			return nil, err
		}
		surface.CatalogID = named.CatalogID
	}
	model, err := value(c.get("dataModel"))
	if err != nil {
		return nil, err
	}
	r := client.With(cfg)
	turn := []a2ui.Message{&surface}
	if model.Kind != jsonx.Null {
		turn = append(turn, &a2ui.UpdateData{SurfaceID: "s", Path: "/", Value: model})
	}
	if failed := r.ApplyAll(turn); failed != nil {
		return nil, failed[0]
	}
	return r, nil
}

var versionInID = regexp.MustCompile(`/v(\d+)_(\d+)(?:_\d+)?/`)

// catalogVersion is the version a catalog says it is for; older ones say it in
// their id alone. A renderer offers a surface those of its version.
func catalogVersion(doc json.RawMessage) string {
	var head struct{ ProtocolVersion, CatalogID string }
	_ = json.Unmarshal(doc, &head)
	if head.ProtocolVersion != "" {
		return withV(head.ProtocolVersion)
	}
	if m := versionInID.FindStringSubmatch(head.CatalogID); m != nil {
		return "v" + m[1] + "." + m[2]
	}
	return ""
}

func dispatchAction(c *testCase) error {
	if err := c.only(append([]string{"actionPayload", "dataModel", "scope", "surfaceId", "useBasicCatalog", "expectDispatched",
		"expectDispatchedErrors", "expectDataModel", "expectError"}, catalogFields...)...); err != nil {
		return err
	}
	var payload struct {
		Event struct{ UserMessage json.RawMessage }
	}
	_ = json.Unmarshal(c.get("actionPayload"), &payload)
	d, err := c.renders()
	// v1.0 has userMessage
	if dialect := c.text("dialect"); c.version() == "" && (dialect != "" || payload.Event.UserMessage != nil) {
		if dialect == "" {
			dialect = "v1.0-rc"
		}
		d, err = dialectOf("v1.0", dialect)
	}
	if err != nil {
		return err
	}
	r, err := evaluator(c, d)
	if err != nil {
		return err
	}
	action, err := readProperty(d, "Button", "action", c.get("actionPayload"))
	if err != nil {
		return err
	}
	got, problems := r.Dispatch("s", "root", c.text("scope"), action)
	if raw := c.get("expectError"); raw != nil {
		return failsAs(errors.Join(asErrors(problems)...), raw)
	}
	if raw := c.get("expectDataModel"); raw != nil {
		data, _ := r.Data("s")
		if err := holds("the data model", data, raw); err != nil {
			return err
		}
	}
	return dispatched(c, got, problems)
}

func asErrors(list []*client.Error) (out []error) {
	for _, e := range list {
		out = append(out, e)
	}
	return out
}

// dispatched compares an action and what went wrong with what a case wants.
func dispatched(c *testCase, got a2ui.Action, problems []*client.Error) error {
	var codes []struct{ Code string }
	if raw := c.get("expectDispatchedErrors"); raw != nil {
		if err := json.Unmarshal(raw, &codes); err != nil {
			return err
		}
	}
	if len(problems) > len(codes) {
		return problems[len(codes)]
	}
	for i, want := range codes {
		if i >= len(problems) || string(problems[i].Code) != want.Code {
			return fmt.Errorf("problems %v, want %s", problems, want.Code)
		}
	}
	var want map[string]json.RawMessage
	if raw := c.get("expectDispatched"); raw != nil {
		if err := json.Unmarshal(raw, &want); err != nil {
			return err
		}
		if want == nil && got.Name != "" {
			return fmt.Errorf("sent %s, want nothing", got.Name)
		}
	}
	form := map[string]a2ui.Data{"name": jsonx.Of(got.Name), "context": got.Context,
		"userMessage": jsonx.Of(got.UserMessage),
		"surfaceId":   jsonx.Of(got.SurfaceID), "sourceComponentId": jsonx.Of(got.Component)}
	for key, w := range want {
		v, ok := form[key]
		if !ok {
			return fmt.Errorf("the harness does not know %q of an action", key)
		}
		if key == "context" { // JSON has no undefined: null is as good as nothing
			v, w = withoutNulls(v), jsonx.Append(nil, withoutNulls(parsed(w)))
		}
		if err := holds(key, v, w); err != nil {
			return err
		}
	}
	return nil
}

func parsed(raw json.RawMessage) a2ui.Data {
	v, _ := value(raw)
	return v
}

func withoutNulls(v a2ui.Data) a2ui.Data {
	v.Members = slices.DeleteFunc(slices.Clone(v.Members),
		func(m a2ui.Member) bool { return m.Value.Kind == jsonx.Null })
	return v
}

// readCall decodes a call of a function as a dialect has it.
func readCall(d a2ui.Dialect, name string, args json.RawMessage) (a2ui.Call, error) {
	in, err := value(args)
	if err != nil {
		return a2ui.Call{}, err
	}
	if in.Kind == jsonx.Null {
		in.Kind = jsonx.Object
	}
	key := "call"
	if reservesKeys(d) {
		key = "@call"
	}
	raw := jsonx.Append(nil, jsonx.OfObject(a2ui.Member{Key: key, Value: jsonx.Of(name)},
		a2ui.Member{Key: "args", Value: in}))
	v, err := readProperty(d, "Text", "text", raw)
	if call, ok := v.(a2ui.Call); ok {
		return call, nil
	}
	return a2ui.Call{}, fmt.Errorf("the codec reads %s as a %T: %w", raw, v, err)
}

// readProperty decodes the JSON of one property as a dialect has it.
func readProperty(d a2ui.Dialect, component, name string, raw json.RawMessage) (a2ui.Value, error) {
	prop, err := value(raw)
	if err != nil {
		return nil, err
	}
	version := map[a2ui.Dialect]string{a2ui.V091: "v0.9", a2ui.V10RC: "v1.0", a2ui.V10Oct: "v1.0", a2ui.V10: "1.0"}[d]
	line := jsonx.OfObject(a2ui.Member{Key: "version", Value: jsonx.Of(version)},
		a2ui.Member{Key: "updateComponents", Value: jsonx.OfObject(a2ui.Member{Key: "surfaceId", Value: jsonx.Of("s")},
			a2ui.Member{Key: "components", Value: jsonx.OfArray(jsonx.OfObject(a2ui.Member{Key: "id", Value: jsonx.Of("root")},
				a2ui.Member{Key: "component", Value: jsonx.Of(component)}, a2ui.Member{Key: name, Value: prop}))})})
	m, err := a2ui.DecodeMessageAs(d, jsonx.Append(nil, line))
	if err != nil {
		return nil, err
	}
	for _, p := range m.(*a2ui.UpdateComponents).Components[0].Props {
		if p.Name == name {
			return p.Value, nil
		}
	}
	return nil, fmt.Errorf("the codec dropped %s", name)
}
