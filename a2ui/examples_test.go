package a2ui_test

import (
	"maps"
	"os"
	"path/filepath"
	"testing"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/a2ui/internal/wire"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/internal/official"
)

// published are the examples of each dialect.
var published = []struct {
	dialect a2ui.Dialect
	pattern string
	least   int
}{
	{a2ui.V08, "v0_8/json/catalogs/basic/examples/*.json", 30},
	{a2ui.V08, "v0_8/json/catalogs/minimal/examples/*.json", 5},
	{a2ui.V09, "v0_9/catalogs/basic/examples/*.json", 43},
	{a2ui.V09, "v0_9/catalogs/minimal/examples/*.json", 7},
	{a2ui.V091, "v0_9_1/catalogs/basic/examples/*.json", 43},
	{a2ui.V10RC, "v1_0/catalogs/basic/examples/*.json", 43},
}

// TestOfficialExamples decodes every published message, writes it again with the
// same meaning, and finds nothing to say about it in profile Spec.
func TestOfficialExamples(t *testing.T) {
	t.Parallel()
	for _, set := range published {
		files := official.Files(set.pattern)
		if len(files) == 0 {
			t.Logf("the published examples %s are missing (set A2UI_SPEC_DIR)", set.pattern)
		} else if len(files) < set.least {
			t.Errorf("%s: %d files, want %d or more", set.pattern, len(files), set.least)
		}
		for _, file := range files {
			t.Run(set.dialect.String()+"/"+filepath.Base(file), func(t *testing.T) { example(t, set.dialect, file) })
		}
	}
}

func example(t *testing.T, want a2ui.Dialect, file string) {
	items := exampleMessages(t, file)
	rules := a2ui.Rules{Dialect: want}
	var msgs []a2ui.Message
	for i, item := range items {
		in := jsonx.Append(nil, item)
		m, err := a2ui.DecodeMessageAs(want, in)
		if err != nil {
			t.Fatalf("message %d: %v", i, err)
		}
		if d, _, err := a2ui.DecodeMessage(in); err != nil || d.Features() != want.Features() {
			t.Fatalf("message %d: dialect %s, %v", i, d, err)
		}
		out, err := a2ui.AppendMessage(nil, want, m)
		if err != nil {
			t.Fatalf("message %d: %v", i, err)
		}
		if got, want := canonical(t, out, want), canonical(t, in, want); got != want {
			t.Errorf("message %d:\n got %s\nwant %s", i, got, want)
		}
		if c, ok := m.(*a2ui.CreateSurface); ok && c.CatalogID != "" {
			rules.Catalog = &a2ui.Catalog{}
			*rules.Catalog = *a2ui.Basic(want)
			rules.Catalog.ID = c.CatalogID // the minimal catalog is a part of the basic one, but for capitalize
			rules.Catalog.Functions = withCapitalize(rules.Catalog.Functions)
		}
		msgs = append(msgs, m)
	}
	if p := a2ui.Validate(rules, msgs); p != nil {
		t.Errorf("Spec complains:%s", list(p))
	}
}

func withCapitalize(in map[string]*a2ui.FunctionDef) map[string]*a2ui.FunctionDef {
	out := map[string]*a2ui.FunctionDef{"capitalize": {Name: "capitalize", Returns: "string",
		Args: []a2ui.PropDef{{Name: "value", Kind: wire.DynString, Required: true}}}}
	maps.Copy(out, in)
	return out
}

func exampleMessages(t testing.TB, file string) []jsonx.Value {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	v, err := jsonx.Parse(b, jsonx.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if v.Kind == jsonx.Object {
		v = v.At("messages")
	}
	if len(v.Items) == 0 {
		t.Fatal("the example has no messages")
	}
	return v.Items
}

// canonical sorts keys, writes numbers in one way and drops the version, which
// v0.9.1 may write in two.
func canonical(t *testing.T, b []byte, d a2ui.Dialect) string {
	t.Helper()
	v, err := jsonx.Parse(b, jsonx.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if d == a2ui.V091 && v.At("version").Text() == "v0.9" {
		v.Members[0].Value = jsonx.Of("v0.9.1")
	}
	return string(jsonx.AppendCanonical(nil, plainNumbers(v)))
}

func plainNumbers(v jsonx.Value) jsonx.Value {
	if f, ok := v.Float(); ok {
		return jsonx.OfNumber(string(jsonx.AppendFloat(nil, f)))
	}
	items, members := make([]jsonx.Value, len(v.Items)), make([]jsonx.Member, len(v.Members))
	for i := range v.Items {
		items[i] = plainNumbers(v.Items[i])
	}
	for i := range v.Members {
		members[i] = jsonx.Member{Key: v.Members[i].Key, Value: plainNumbers(v.Members[i].Value)}
	}
	v.Items, v.Members = items, members
	return v
}
