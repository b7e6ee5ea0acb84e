package catalog_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/a2ui/catalog"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/internal/official"
)

// judge compiles schemas with an independent library.
func judge(t *testing.T, s catalog.Schemas) *jsonschema.Schema {
	t.Helper()
	c := jsonschema.NewCompiler()
	if s.Common.Kind == jsonx.Null { // v0.8: the components stand right in the messages
		components := jsonx.OfObject(s.Catalogs[0].Components()...)
		closed := jsonx.OfObject(a2ui.Member{Key: "properties", Value: components},
			a2ui.Member{Key: "additionalProperties", Value: jsonx.OfBool(false)})
		s.Messages = setAt(s.Messages, closed, "properties", "surfaceUpdate", "properties", "components", "items",
			"properties", "component")
	}
	for name, v := range map[string]a2ui.Data{"messages.json": s.Messages, "common_types.json": s.Common,
		"catalog.json": s.Catalogs[0].Schema()} {
		if v.Kind != jsonx.Object {
			continue
		}
		v.Members = append([]a2ui.Member{}, v.Members...)
		for i, m := range v.Members {
			if m.Key == "$id" {
				v.Members[i].Value = jsonx.Of("https://example.org/" + name)
			}
		}
		doc, err := jsonschema.UnmarshalJSON(
			strings.NewReader(strings.ReplaceAll(text(v), "https://a2ui.org/specification/v0_9/common_types",
				"common_types")))
		if err != nil {
			t.Fatal(err)
		}
		if err := c.AddResource("https://example.org/"+name, doc); err != nil {
			t.Fatal(err)
		}
	}
	compiled, err := c.Compile("https://example.org/messages.json")
	if err != nil {
		t.Fatal(err)
	}
	return compiled
}

func setAt(v, value a2ui.Data, path ...string) a2ui.Data {
	if len(path) == 0 {
		return value
	}
	v.Members = slices.Clone(v.Members)
	for i, m := range v.Members {
		if m.Key == path[0] {
			v.Members[i].Value = setAt(m.Value, value, path[1:]...)
		}
	}
	return v
}

// The standard schemas take every published example, and nothing with a member
// too many.
func TestStandard(t *testing.T) {
	t.Parallel()
	for d, folder := range map[a2ui.Dialect]string{a2ui.V08: "v0_8/json/catalogs/basic",
		a2ui.V09: "v0_9/catalogs/basic", a2ui.V091: "v0_9_1/catalogs/basic", a2ui.V10RC: "v1_0/catalogs/basic",
		a2ui.V10: "v1_0/catalogs/basic"} {
		t.Run(d.String(), func(t *testing.T) {
			t.Parallel()
			s := catalog.Standard(d)
			path := folder + "/catalog.json"
			if s.Common.Kind == jsonx.Null {
				path = "v0_8/json/standard_catalog_definition.json"
			}
			doc, err := catalog.NewDocument(published(t, path), catalog.Options{ID: "c", Dialect: d})
			if err != nil {
				t.Fatal(err)
			}
			own := s
			s.Catalogs, own.Catalogs = []*catalog.Document{doc}, []*catalog.Document{catalog.Describe(a2ui.Basic(d), d)}
			if d == a2ui.V10 { // and so has the published catalog
				s = own
			}
			compiled, described := judge(t, s), judge(t, own)
			n := 0
			for _, file := range official.Files(folder + "/examples/*.json") {
				b, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				v := data(t, string(b))
				if v.Kind == jsonx.Object {
					v = v.At("messages")
				}
				for i, m := range v.Items {
					n++
					in := strings.Replace(text(m), `"version":"v0.9"`, `"version":"`+d.String()+`"`, 1)
					if d == a2ui.V10 { // the examples have the key names of the release candidate
						in = reserved(t, in)
					}
					if err := errors.Join(valid(compiled, in), valid(described, in)); err != nil {
						t.Errorf("%s message %d: %v", filepath.Base(file), i, err)
					}
					if valid(compiled, strings.Replace(in, "{", `{"surplus":1,`, 1)) == nil ||
						valid(compiled, strings.Replace(in, `"surfaceId"`, `"surfaceid"`, 1)) == nil {
						t.Errorf("%s message %d is taken with a member that is none", filepath.Base(file), i)
					}
					if wrong := strings.ReplaceAll(in, `"text":`, `"txet":`); wrong != in && updates(m) && valid(described, wrong) == nil {
						t.Errorf("%s message %d is taken with a property that is none", filepath.Base(file), i)
					}
				}
			}
			if n < 40 {
				t.Errorf("only %d messages", n)
			}
		})
	}
}

// reserved writes a message with the reserved keys of v1.0.
func reserved(t *testing.T, in string) string {
	t.Helper()
	_, m, err := a2ui.DecodeMessage([]byte(in))
	if err != nil {
		t.Fatal(err)
	}
	out, err := a2ui.AppendMessage(nil, a2ui.V10, m)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// updates reports whether a message brings components.
func updates(m a2ui.Data) bool {
	return strings.Contains(text(m), `"component":`)
}

func valid(s *jsonschema.Schema, in string) error {
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(in))
	if err != nil {
		return err
	}
	return s.Validate(v)
}

// The standard schemas have all that the published ones are asked for.
func TestStandardNames(t *testing.T) {
	t.Parallel()
	for d, file := range map[a2ui.Dialect]string{a2ui.V09: "v0_9", a2ui.V10: "v1_0"} {
		own := catalog.Standard(d).Common.At("$defs")
		for _, m := range published(t, file+"/json/common_types.json").At("$defs").Members {
			if _, ok := own.Get(m.Key); !ok && m.Key != "Surface" {
				t.Errorf("%s: no %s", d, m.Key)
			}
		}
	}
	for _, d := range []a2ui.Dialect{a2ui.V08, a2ui.V09, a2ui.V091, a2ui.V10RC, a2ui.V10} {
		if s := catalog.Standard(d); s.Messages.Kind != jsonx.Object ||
			(s.Common.Kind == jsonx.Object) != d.Features().AnyDefs {
			t.Errorf("%s does not parse", d)
		}
	}
	if s := catalog.Standard(0); s.Messages.Kind != jsonx.Null {
		t.Error("an unknown dialect has messages")
	}
}

// What a model is told of our own tables is what the published documents say.
func TestDescribe(t *testing.T) {
	t.Parallel()
	for d, file := range map[a2ui.Dialect]string{a2ui.V08: "v0_8/json/standard_catalog_definition.json",
		a2ui.V09: "v0_9/catalogs/basic/catalog.json", a2ui.V10RC: "v1_0/catalogs/basic/catalog.json"} {
		own := catalog.Describe(a2ui.Basic(d), d)
		again, err := catalog.NewDocument(own.Data(), catalog.Options{})
		if err != nil || again.Dialect() != d || again.ID() != a2ui.CatalogID(d) {
			t.Fatalf("%s: read as %s, %v", d, again.Dialect(), err)
		}
		theirs, err := catalog.NewDocument(published(t, file), catalog.Options{ID: own.ID(), Dialect: d})
		if err != nil {
			t.Fatal(err)
		}
		for _, kind := range []struct{ own, theirs []a2ui.Member }{{own.Components(), theirs.Components()},
			{own.Functions(), theirs.Functions()}} {
			if got, want := names(kind.own), names(kind.theirs); got != want {
				t.Errorf("%s: %s, want %s", d, got, want)
			}
		}
		for _, c := range theirs.Components() { // v0.8 has its properties right there
			for _, p := range c.Value.At("properties").Members {
				got, _ := own.Data().At("components").At(c.Key).At("properties").Get(p.Key)
				if want := p.Value.At("enum"); want.Kind == jsonx.Array && !d.Features().BareValues && sorted(got.At("enum")) != sorted(want) {
					t.Errorf("%s: %s.%s is one of %s, want %s", d, c.Key, p.Key, text(got.At("enum")), text(want))
				}
			}
		}
	}
	if catalog.Describe(a2ui.Basic(a2ui.V09), 0) != nil {
		t.Error("a document of an unknown dialect")
	}
}

func sorted(list a2ui.Data) string {
	var out []string
	for _, item := range list.Items {
		out = append(out, item.Text())
	}
	slices.Sort(out)
	return strings.Join(out, " ")
}

func names(members []a2ui.Member) string {
	var out []string
	for _, m := range members {
		out = append(out, m.Key)
	}
	slices.Sort(out)
	return strings.Join(out, " ")
}
