package catalog_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/a2ui/catalog"
	"github.com/limn-ui/limn/internal/jsonx"
)

func TestExpand(t *testing.T) {
	t.Parallel()
	common := data(t, `{"$id":"https://example.org/common_types.json","$defs":{
		"Text":{"oneOf":[{"type":"string"},{"$ref":"#/$defs/Call"}]},
		"Call":{"type":"object","properties":{"args":{"additionalProperties":{"$ref":"#/$defs/Text"}},"f":{"$ref":"catalog.json#/$defs/anyFunction"}}}}}`)
	for _, c := range []struct{ name, component, defs, want, wantDefs string }{
		{"plain", `{"$ref":"#/$defs/a"}`, `{"a":{"type":"string"},"b":{}}`, `{"type":"string"}`, ``},
		{"chain", `{"$ref":"#/$defs/a"}`, `{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/c/properties/x"},"c":{"properties":{"x":{"const":1}}}}`, `{"const":1}`, ``},
		{"escaped", `{"$ref":"#/$defs/a~1b"}`, `{"a/b":{"const":1}}`, `{"const":1}`, ``},
		{"note beside", `{"$ref":"#/$defs/a","description":"mine"}`, `{"a":{"type":"string","description":"its"}}`, `{"type":"string","description":"mine"}`, ``},
		{"check beside", `{"$ref":"#/$defs/a","maxLength":3}`, `{"a":{"type":"string"}}`, `{"type":"string","maxLength":3}`, ``},
		{"same check beside", `{"$ref":"#/$defs/a","maxLength":3}`, `{"a":{"maxLength":5}}`, `{"maxLength":3,"allOf":[{"maxLength":5}]}`, ``},
		{"closed", `{"$ref":"#/$defs/a","required":["x"]}`, `{"a":{"additionalProperties":false}}`, `{"required":["x"],"allOf":[{"additionalProperties":false}]}`, ``},
		{"beside allOf", `{"$ref":"#/$defs/a","allOf":[{"title":"t"}]}`, `{"a":true}`, `{"allOf":[true,{"title":"t"}]}`, ``},
		{"data is no schema", `{"const":{"$ref":"#/$defs/x"},"enum":[{"$ref":"#/$defs/x"}]}`, `{}`, `{"const":{"$ref":"#/$defs/x"},"enum":[{"$ref":"#/$defs/x"}]}`, ``},
		{"a property called const", `{"properties":{"const":{"$ref":"#/$defs/a"}}}`, `{"a":{"type":"string"}}`, `{"properties":{"const":{"type":"string"}}}`, ``},
		{"a property called $ref", `{"properties":{"$ref":{"$ref":"#/$defs/a"}}}`, `{"a":true}`, `{"properties":{"$ref":true}}`, ``},
		{"circle", `{"$ref":"#/$defs/a"}`, `{"a":{"items":{"$ref":"#/$defs/a"}},"b":{}}`, `{"items":{"$ref":"#/$defs/a"}}`, `{"a":{"items":{"$ref":"#/$defs/a"}}}`},
		{"elsewhere", `{"$ref":"other.json#/$defs/a"}`, `{}`, `{"$ref":"other.json#/$defs/a"}`, ``},
		{"anchor", `{"$ref":"#a"}`, `{}`, `{"$ref":"#a"}`, ``},
		{"common", `{"$ref":"common_types.json#/$defs/Text"}`, `{"anyFunction":{"oneOf":[]}}`, `{"oneOf":[{"type":"string"},{"type":"object","properties":{` +
			`"args":{"additionalProperties":{"$ref":"#/$defs/Text"}},"f":{"$ref":"#/$defs/anyFunction"}}}]}`, `{"anyFunction":{"oneOf":[]},"Text":{"oneOf":[{"type":"string"},{"type":"object","properties":{` +
			`"args":{"additionalProperties":{"$ref":"#/$defs/Text"}},"f":{"$ref":"#/$defs/anyFunction"}}}]}}`},
		{"common, with a definition of its own by that name", `{"$ref":"common_types.json#/$defs/Text"}`, `{"Text":{},"anyFunction":{}}`, `{"oneOf":[{"type":"string"},{"type":"object","properties":{` +
			`"args":{"additionalProperties":{"$ref":"https://example.org/common_types.json#/$defs/Text"}},"f":{"$ref":"#/$defs/anyFunction"}}}]}`, `{"anyFunction":{}}`},
	} {
		d, err := decode(t, `{"catalogId":"c","components":{"A":`+c.component+`},"$defs":`+c.defs+`}`).Expand(common)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got := text(d.Components()[0].Value); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
		defs, ok := d.Data().Get("$defs")
		if got := text(defs); ok != (c.wantDefs != "") || ok && got != c.wantDefs {
			t.Errorf("%s: $defs %s, want %s", c.name, got, c.wantDefs)
		}
	}
}

func TestExpandRefuses(t *testing.T) {
	t.Parallel()
	bomb := `{"catalogId":"c","components":{"A":{"$ref":"#/$defs/d0"}},"$defs":{`
	chain := bomb
	for i := range 30 {
		bomb += fmt.Sprintf(`"d%d":{"anyOf":[{"$ref":"#/$defs/d%d"},{"$ref":"#/$defs/d%d"}]},`, i, i+1, i+1)
	}
	for i := range 400 {
		chain += fmt.Sprintf(`"d%d":{"$ref":"#/$defs/d%d"},`, i, i+1)
	}
	for doc, want := range map[string]string{
		bomb + `"d30":{}}}`:   "larger than",
		chain + `"d400":{}}}`: "deeper than",
		`{"catalogId":"c","components":{"A":{"$ref":"#/$defs/x"}}}`:                     `there is no "$defs"`,
		`{"catalogId":"c","components":{"A":{"$ref":"#/$defs/x"}},"$defs":{}}`:          `there is no "x"`,
		`{"catalogId":"c","components":{"A":{"$ref":"#"}}}`:                             "no schema",
		`{"catalogId":"c","components":{"A":{"$ref":"#/catalogId"}}}`:                   "no schema",
		`{"catalogId":"c","components":{"A":{"$ref":"#/$defs/~7"}},"$defs":{}}`:         "~",
		`{"catalogId":"c","components":{"A":{"$ref":"common_types.json#/$defs/Nope"}}}`: `there is no "Nope"`,
	} {
		_, err := decode(t, doc).Expand(data(t, `{"$defs":{}}`))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.80s: error %v, want %q", doc, err, want)
		}
	}
}

// A published catalog loses every reference that does not lead in a circle.
func TestExpandPublished(t *testing.T) {
	t.Parallel()
	for _, folder := range []string{"v0_9", "v0_9_1", "v1_0"} {
		d, err := catalog.NewDocument(published(t, folder+"/catalogs/basic/catalog.json"), catalog.Options{})
		if err != nil {
			t.Fatal(err)
		}
		common := published(t, folder+"/json/common_types.json")
		full, err := d.Expand(common)
		if err != nil {
			t.Fatalf("%s: %v", folder, err)
		}
		left := map[string]int{}
		refs(full.Data(), left)
		for ref := range left {
			if !strings.HasPrefix(ref, "#/") && !strings.HasPrefix(ref, common.At("$id").Text()+"#/") {
				t.Errorf("%s: %s is left", folder, ref)
			}
		}
		for _, gone := range []string{"ComponentId", "DataBinding", "ComponentCommon", "ChildList"} {
			for ref := range left {
				if strings.HasSuffix(ref, "/"+gone) {
					t.Errorf("%s: %s is left", folder, ref)
				}
			}
		}
	}
}

// refs counts the references in a value, wherever they stand.
func refs(v a2ui.Data, into map[string]int) {
	for _, m := range v.Members {
		if m.Key == "$ref" && m.Value.Kind == jsonx.String {
			into[m.Value.Str]++
		}
		refs(m.Value, into)
	}
	for _, item := range v.Items {
		refs(item, into)
	}
}
