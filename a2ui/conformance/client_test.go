package conformance

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/a2ui/client"
	"github.com/limn-ui/limn/a2ui/internal/expr"
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

// categories are the names of the suites for the codes of package client.
var categories = map[client.Code]string{
	client.StateError: "IntegrityError", client.ValidationError: "ValidationError", client.DataError: "DataError",
	client.ExpressionError: "ExpressionError", client.CyclicReference: "IntegrityError", client.CatalogError: "CatalogError",
	client.UnallowedParent: "ValidationError", client.UnallowedChild: "ValidationError",
}

// wanted is the expectError of a case or a step; ok is false without one.
func wanted(raw map[string]json.RawMessage) (category, message string, ok bool) {
	b := raw["expectError"]
	if b == nil {
		b = raw["expect_error"]
	}
	if b == nil {
		return "", "", false
	}
	var e struct{ Category, Message string }
	if json.Unmarshal(b, &e) != nil {
		_ = json.Unmarshal(b, &e.Message)
	}
	return e.Category, e.Message, true
}

// fails compares an error with what a case wants; the category alone counts
// where the message is the wording of one SDK.
func fails(err error, raw map[string]json.RawMessage) error {
	category, message, want := wanted(raw)
	switch {
	case err == nil && want:
		return fmt.Errorf("no error, want %s %q", category, message)
	case err == nil || !want:
		return err
	}
	got := "ParseError"
	var e *client.Error
	if errors.As(err, &e) {
		got = categories[e.Code]
	}
	if category != "" && got != category {
		return fmt.Errorf("%s, want %s: %w", got, category, err)
	}
	if !strings.Contains(err.Error(), message) {
		return fmt.Errorf("want a message with %q: %w", message, err)
	}
	return nil
}

// value parses a member of a case; an absent one is Null.
func value(raw json.RawMessage) (a2ui.Data, error) {
	if raw == nil {
		return a2ui.Data{}, nil
	}
	return jsonx.Parse(raw, jsonx.Limits{})
}

// canon is one text for equal values: members sorted, numbers in one form.
func canon(v a2ui.Data) string { return string(jsonx.AppendCanonical(nil, plainNumbers(v))) }

func plainNumbers(v a2ui.Data) a2ui.Data {
	if f, ok := v.Float(); ok {
		return jsonx.OfNumber(string(jsonx.AppendFloat(nil, f)))
	}
	out := v
	out.Items, out.Members = nil, nil
	for _, item := range v.Items {
		out.Items = append(out.Items, plainNumbers(item))
	}
	for _, m := range v.Members {
		out.Members = append(out.Members, a2ui.Member{Key: m.Key, Value: plainNumbers(m.Value)})
	}
	return out
}

// same compares a value with the one a case wants.
func same(got a2ui.Data, want json.RawMessage) error {
	w, err := value(want)
	if err != nil {
		return err
	}
	if canon(got) != canon(w) {
		return fmt.Errorf("got %s, want %s", canon(got), canon(w))
	}
	return nil
}

// dialect is the version a case speaks: its own, its catalog's, else v0.9. The
// key names of v1.0 are those that dialect says.
func (c *testCase) dialect() (a2ui.Dialect, error) {
	version := c.text("protocolVersion", "protocol_version")
	if version == "" {
		var catalog struct{ ProtocolVersion, Version string }
		_ = json.Unmarshal(c.get("catalog"), &catalog)
		if version = catalog.ProtocolVersion; version == "" {
			version = catalog.Version
		}
	}
	if version == "" {
		version = "0.9"
	}
	d, err := a2ui.ParseDialect("v" + strings.TrimPrefix(version, "v"))
	if err == nil && d == a2ui.V10 && c.text("dialect") == "v1.0-rc" {
		d = a2ui.V10RC
	}
	return d, err
}

type steps []map[string]json.RawMessage

func (c *testCase) steps() (steps, error) {
	var list steps
	if raw := c.get("steps"); raw != nil {
		return list, json.Unmarshal(raw, &list)
	}
	return list, nil
}

func str(raw json.RawMessage) string {
	var s string
	_ = json.Unmarshal(raw, &s)
	return s
}

func has(raw map[string]json.RawMessage, names ...string) (json.RawMessage, bool) {
	for _, n := range names {
		if v, ok := raw[n]; ok {
			return v, true
		}
	}
	return nil, false
}

// watcher is one path that a case watches.
type watcher struct {
	path  string
	fired bool
	value a2ui.Data
	stop  func()
}

func dataModel(c *testCase) error {
	d, err := c.dialect()
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
	list, err := c.steps()
	if err != nil {
		return err
	}
	for i, step := range list {
		if err := dataStep(m, watched, step); err != nil {
			return fmt.Errorf("step %d: %w", i+1, err)
		}
	}
	return nil
}

func dataStep(m *client.Model, watched []*watcher, step map[string]json.RawMessage) error {
	for _, w := range watched {
		w.fired = false
	}
	path := str(step["path"])
	v, err := value(step["value"])
	if err != nil {
		return err
	}
	var got a2ui.Data
	found := false
	switch op := str(step["op"]); op {
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
		return fmt.Errorf("unknown op %q", op)
	}
	if _, _, want := wanted(step); err != nil || want {
		return fails(err, step)
	}
	if want, ok := step["expect"]; ok {
		if err := same(got, want); err != nil {
			return err
		}
	}
	if string(step["expect_absent"]) == "true" && found && got.Kind != jsonx.Null { // a hole is null here
		return fmt.Errorf("%s holds %s, want nothing", path, canon(got))
	}
	kinds := map[string]string{"list": "array", "map": "object"}
	if want := str(step["expect_type"]); want != "" && got.Kind.String() != want && got.Kind.String() != kinds[want] {
		return fmt.Errorf("%s is a %s, want a %s", path, got.Kind, want)
	}
	return watchedAs(watched, step)
}

func watchedAs(watched []*watcher, step map[string]json.RawMessage) error {
	if raw, ok := step["expect_notified"]; ok {
		var want []string
		if err := json.Unmarshal(raw, &want); err != nil {
			return err
		}
		got := []string{}
		for _, w := range watched {
			if w.fired {
				got = append(got, w.path)
			}
		}
		if strings.Join(got, " ") != strings.Join(want, " ") {
			return fmt.Errorf("notified %v, want %v", got, want)
		}
	}
	var values map[string]json.RawMessage
	if raw, ok := step["expect_values"]; ok {
		if err := json.Unmarshal(raw, &values); err != nil {
			return err
		}
	}
	for _, w := range watched {
		if want, ok := values[w.path]; ok {
			if err := same(w.value, want); err != nil {
				return fmt.Errorf("watched %s: %w", w.path, err)
			}
		}
	}
	return nil
}

func parseTemplate(c *testCase) error {
	parts, err := expr.Parse(c.text("input"), expr.Options{})
	if _, _, want := wanted(c.Raw); err != nil || want {
		return fails(err, c.Raw)
	}
	want, err := value(c.get("expect"))
	if err != nil {
		return err
	}
	got := a2ui.Data{Kind: jsonx.Array}
	for _, p := range parts {
		got.Items = append(got.Items, partForm(p))
	}
	if canon(joined(got)) != canon(joined(want)) {
		return fmt.Errorf("got %s, want %s", canon(got), canon(want))
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
func joined(parts a2ui.Data) a2ui.Data {
	out := a2ui.Data{Kind: jsonx.Array}
	for _, p := range parts.Items {
		n := len(out.Items)
		switch {
		case p.Kind == jsonx.Null || p.Kind == jsonx.String && p.Str == "":
		case p.Kind == jsonx.String && n > 0 && out.Items[n-1].Kind == jsonx.String:
			out.Items[n-1].Str += p.Str
		default:
			out.Items = append(out.Items, p)
		}
	}
	return out
}

func dispatchAction(c *testCase) error {
	d, err := c.dialect()
	if err != nil {
		return err
	}
	if c.get("protocolVersion", "catalog") == nil {
		d = a2ui.V10RC // the cases name none, and some have a userMessage
	}
	r := client.New(d, client.Strict)
	model, err := value(c.get("dataModel"))
	if err != nil {
		return err
	}
	turn := []a2ui.Message{&a2ui.CreateSurface{SurfaceID: "s", CatalogID: a2ui.CatalogID(d)}}
	if model.Kind != jsonx.Null {
		turn = append(turn, &a2ui.UpdateData{SurfaceID: "s", Path: "/", Value: model})
	}
	if failed := r.ApplyAll(turn); failed != nil {
		return failed[0]
	}
	action, err := readProperty(d, "Button", "action", c.get("actionPayload"))
	if err != nil {
		return err
	}
	got, problems := r.Dispatch("s", "root", c.text("scope"), action)
	return dispatched(c, got, problems)
}

// dispatched compares an action and what went wrong with what a case wants.
func dispatched(c *testCase, got a2ui.Action, problems []*client.Error) error {
	var codes []struct{ Code string }
	if raw := c.get("expectDispatchedErrors"); raw != nil {
		if err := json.Unmarshal(raw, &codes); err != nil {
			return err
		}
	} else if len(problems) > 0 {
		return problems[0]
	}
	for _, want := range codes {
		found := false
		for _, p := range problems {
			found = found || string(p.Code) == want.Code
		}
		if !found {
			return fmt.Errorf("problems %v, want %s", problems, want.Code)
		}
	}
	raw := c.get("expectDispatched")
	if raw == nil {
		return nil
	}
	if string(raw) == "null" {
		if got.Name != "" {
			return fmt.Errorf("sent %s, want nothing", got.Name)
		}
		return nil
	}
	var want map[string]json.RawMessage
	if err := json.Unmarshal(raw, &want); err != nil {
		return err
	}
	form := map[string]a2ui.Data{"name": jsonx.Of(got.Name), "context": got.Context, "userMessage": jsonx.Of(got.UserMessage),
		"surfaceId": jsonx.Of(got.SurfaceID), "sourceComponentId": jsonx.Of(got.Component)}
	for key, w := range want {
		if err := same(form[key], w); err != nil {
			return fmt.Errorf("%s: %w", key, err)
		}
	}
	return nil
}

// readProperty decodes the JSON of one property as a dialect has it.
func readProperty(d a2ui.Dialect, component, name string, raw json.RawMessage) (a2ui.Value, error) {
	prop, err := value(raw)
	if err != nil {
		return nil, err
	}
	version := map[a2ui.Dialect]string{a2ui.V09: "v0.9", a2ui.V091: "v0.9.1", a2ui.V10RC: "v1.0", a2ui.V10: "1.0"}[d]
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
