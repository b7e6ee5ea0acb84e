package catalog_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/a2ui/catalog"
	"github.com/limn-ui/limn/internal/jsonx"
)

func TestPrune(t *testing.T) {
	t.Parallel()
	d := decode(t, `{"catalogId":"c","components":{"A":{"$ref":"#/$defs/a"},"B":{"$ref":"#/$defs/b"}},"functions":[{"name":"f"},{"name":"g"}],
		"$defs":{"a":{"$ref":"#/$defs/both"},"b":{"$ref":"#/$defs/both"},"both":{"default":{"$ref":"#/$defs/nobody"}},"theme":{},"nobody":{},
		"anyComponent":{"oneOf":[{"$ref":"#/components/A"},{"$ref":"#/components/B"},{"type":"null"}]},"anyFunction":{"oneOf":[{"$ref":"#/functions/f"},{"$ref":"#/functions/g"}]}}}`)
	for _, c := range []struct {
		components, functions []string
		want                  string
	}{
		{nil, nil, text(d.Data())},
		{[]string{"B", "gone"}, nil, `{"catalogId":"c","components":{"B":{"$ref":"#/$defs/b"}},"functions":[{"name":"f"},{"name":"g"}],"$defs":{"b":{"$ref":"#/$defs/both"},"both":{"default":{"$ref":"#/$defs/nobody"}},` +
			`"theme":{},"anyComponent":{"oneOf":[{"$ref":"#/components/B"}]},"anyFunction":{"oneOf":[{"$ref":"#/functions/f"},{"$ref":"#/functions/g"}]}}}`},
		{[]string{}, []string{"g"}, `{"catalogId":"c","components":{},"functions":{"g":{}},"$defs":{"theme":{},"anyComponent":{"oneOf":[]},` +
			`"anyFunction":{"oneOf":[{"$ref":"#/functions/g"}]}}}`},
	} {
		before := text(d.Data())
		if got := text(d.Prune(c.components, c.functions).Data()); got != c.want {
			t.Errorf("%v %v:\n got %s\nwant %s", c.components, c.functions, got, c.want)
		}
		if text(d.Data()) != before {
			t.Fatal("the document itself has changed")
		}
	}
}

func TestPruneMessages(t *testing.T) {
	t.Parallel()
	s := catalog.Schemas{Messages: published(t, "v0_9/json/server_to_client.json"),
		Common: published(t, "v0_9/json/common_types.json")}
	for _, names := range [][]string{{"CreateSurfaceMessage", "DeleteSurfaceMessage"},
		{"createSurface", "deleteSurface"}} {
		got := s.Prune(catalog.Keep{Messages: names})
		if list := text(got.Messages.At("oneOf")); list != `[{"$ref":"#/$defs/CreateSurfaceMessage"},{"$ref":"#/$defs/DeleteSurfaceMessage"}]` {
			t.Errorf("%v: %s", names, list)
		}
		if n := len(got.Messages.At("$defs").Members); n != 2 {
			t.Errorf("%v: %d definitions", names, n)
		}
	}
}

// What is left of the published schemas refers to nothing that is gone, and
// contains no more than what is referred to.
func TestPrunePublished(t *testing.T) {
	t.Parallel()
	for folder, messages := range map[string]string{"v0_9": "server_to_client", "v0_9_1": "server_to_client",
		"v1_0": "agent_to_renderer"} {
		d, err := catalog.NewDocument(published(t, folder+"/catalogs/basic/catalog.json"), catalog.Options{})
		if err != nil {
			t.Fatal(err)
		}
		all := catalog.Schemas{Messages: published(t, folder+"/json/"+messages+".json"),
			Common: published(t, folder+"/json/common_types.json"), Catalogs: []*catalog.Document{d}}
		var components, functions []string
		for _, m := range d.Components() {
			components = append(components, m.Key)
		}
		for _, m := range d.Functions() {
			functions = append(functions, m.Key)
		}
		before := all.Text()
		rapid.Check(t, func(t *rapid.T) {
			keep := catalog.Keep{
				Components: rapid.SliceOfN(rapid.SampledFrom(components), 1, 4).Draw(t, "components"),
				Functions:  rapid.SliceOfN(rapid.SampledFrom(functions), 1, 2).Draw(t, "functions"),
			}
			got := all.Prune(keep)
			resolves(t, got)
			if again := got.Prune(keep); again.Text() != got.Text() {
				t.Error("pruning again changes something")
			}
			if len(got.Text()) >= len(before) {
				t.Error("nothing was saved")
			}
		})
		if all.Text() != before {
			t.Error("the schemas themselves have changed")
		}
	}
}

// resolves looks up every reference between the schemas.
func resolves(t *rapid.T, s catalog.Schemas) {
	d := s.Catalogs[0].Data()
	for _, doc := range []a2ui.Data{s.Messages, s.Common, d} {
		used := map[string]int{}
		refs(doc, used)
		for ref := range used {
			file, pointer, _ := strings.Cut(ref, "#/")
			target := map[string]a2ui.Data{"": doc, "common_types.json": s.Common, "catalog.json": d,
				"agent_to_renderer.json": s.Messages, "server_to_client.json": s.Messages}[file]
			if target.Kind != jsonx.Object {
				continue // the JSON Schema of schemas
			}
			for seg := range strings.SplitSeq(pointer, "/") {
				next, ok := target.Get(seg)
				if !ok {
					t.Fatalf("%s leads nowhere", ref)
				}
				target = next
			}
		}
	}
}

func TestLenient(t *testing.T) {
	t.Parallel()
	in := data(t, `{"additionalProperties":false,"properties":{"additionalProperties":{"unevaluatedProperties":false,"additionalProperties":true}},"items":[{"additionalProperties":{"additionalProperties":false}}]}`)
	before := text(in)
	want := `{"properties":{"additionalProperties":{"additionalProperties":true}},"items":[{"additionalProperties":{}}]}`
	if got := text(catalog.Lenient(in)); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if text(in) != before {
		t.Error("the schema itself has changed")
	}
}
