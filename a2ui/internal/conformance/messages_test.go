package conformance

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/a2ui/internal/wire"
)

func init() { register("agent_to_renderer_schema", messagesSchema) }

// messagesSchema proves that our messages are those of a published file: decoder
// and validator take and refuse what the schema does, message by message. (Its
// texts are not ours to write out.)
func messagesSchema(c *testCase) error {
	if err := c.only("expectFile"); err != nil {
		return err
	}
	d, err := dialectOf(c.version(), "v1.0-rc") // as the file spells it; messages are the same in both
	if err != nil {
		return err
	}
	schema, err := messageSchema(c.path(c.text("expectFile", "expect_file")), d)
	if err != nil {
		return err
	}
	rules := a2ui.Rules{Dialect: d, Partial: true}
	var differ []error
	judged := 0
	for _, sample := range messageSamples(d) {
		v, err := jsonschema.UnmarshalJSON(strings.NewReader(sample))
		if err != nil {
			return err
		}
		want := schema.Validate(v)
		m, got := a2ui.DecodeMessageAs(d, []byte(sample))
		if got == nil {
			for _, p := range a2ui.Validate(rules, []a2ui.Message{m}) {
				if !ofOrder[p.Code] && got == nil {
					got = &p
				}
			}
		}
		if judged++; (want == nil) != (got == nil) {
			differ = append(differ, fmt.Errorf("%s: the schema says %v, we say %v", sample, want, got))
		}
	}
	if judged < 100 {
		return fmt.Errorf("%d samples only", judged)
	}
	if len(differ) > 5 {
		differ = append(differ[:5], fmt.Errorf("and %d more of %d", len(differ)-5, judged))
	}
	return errors.Join(differ...)
}

// ofOrder are faults that no schema of one message knows of.
var ofOrder = map[a2ui.Code]bool{wire.BeginSurfaceUnknown: true, wire.BeginMissingRoot: true, wire.BeginCatalog: true,
	wire.ComponentCatalog: true, wire.BeginOrder: true}

// messageSchema compiles the schema of the messages with what it refers to.
func messageSchema(file string, d a2ui.Dialect) (*jsonschema.Schema, error) {
	messages, id, err := readSchema(file, "")
	if err != nil {
		return nil, err
	}
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	compiler.UseRegexpEngine(identifiers)
	if err := compiler.AddResource(id, messages); err != nil {
		return nil, err
	}
	if d != a2ui.V08 {
		beside := id[:strings.LastIndexByte(id, '/')+1]
		for name, path := range map[string]string{"common_types.json": filepath.Join(filepath.Dir(file), "common_types.json"),
			"catalog.json": filepath.Join(filepath.Dir(file), "..", "catalogs", "basic", "catalog.json")} {
			doc, _, err := readSchema(path, beside+name)
			if err != nil {
				return nil, err
			}
			if err := compiler.AddResource(beside+name, doc); err != nil {
				return nil, err
			}
		}
	}
	return compiler.Compile(id)
}

// messageSamples are the messages of a dialect and what comes of them when one
// member, at most two objects deep, is missing, of another kind or not known.
func messageSamples(d a2ui.Dialect) (out []string) {
	var whole []string
	switch d {
	case a2ui.V08:
		whole = []string{`{"beginRendering":{"surfaceId":"s","root":"root"}}`,
			`{"surfaceUpdate":{"surfaceId":"s","components":[{"id":"root","component":{"Text":{"text":{"literalString":"x"}}}}]}}`,
			`{"dataModelUpdate":{"surfaceId":"s","path":"/a","contents":[{"key":"b","valueString":"c"}]}}`,
			`{"deleteSurface":{"surfaceId":"s"}}`}
	default:
		whole = []string{`{"createSurface":{"surfaceId":"s","catalogId":"c","sendDataModel":true}}`,
			`{"updateComponents":{"surfaceId":"s","components":[{"id":"root","component":"Text","text":"x"}]}}`,
			`{"updateDataModel":{"surfaceId":"s","path":"/a","value":{"b":1}}}`,
			`{"deleteSurface":{"surfaceId":"s"}}`}
	}
	for _, text := range whole {
		var message map[string]any
		_ = json.Unmarshal([]byte(text), &message)
		if d != a2ui.V08 {
			message["version"] = map[a2ui.Dialect]string{a2ui.V10RC: "v1.0", a2ui.V091: "v0.9"}[d]
		}
		emit := func() {
			if len(message) > 0 { // v0.8 takes a message that says nothing; it says which one, says its text
				b, _ := json.Marshal(message)
				out = append(out, string(b))
			}
		}
		emit()
		objects := []map[string]any{message}
		for _, v := range message {
			if body, ok := v.(map[string]any); ok {
				objects = append(objects, body)
			}
		}
		for _, object := range objects {
			object["unknown"] = 1
			emit()
			delete(object, "unknown")
			for _, key := range sortedKeys(object) {
				was := object[key]
				delete(object, key)
				emit()
				for _, other := range []any{nil, true, 7, "x", []any{}, map[string]any{}, []any{7}} {
					if key == "path" && other == "x" && d == a2ui.V10RC {
						continue // a pointer, says a case of the same set
					}
					object[key] = other
					emit()
				}
				object[key] = was
			}
		}
	}
	return out
}
