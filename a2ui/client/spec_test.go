package client

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/internal/official"
)

// TestOfficialExamples replays the examples that come with the specification, in
// every version: every message is taken, every surface shows text or a picture,
// and nothing is wrong with it.
func TestOfficialExamples(t *testing.T) {
	t.Parallel()
	found := false
	for _, version := range []struct {
		d       a2ui.Dialect
		folder  string
		rewrite func(jsonx.Value) jsonx.Value
	}{
		{a2ui.V08, "v0_8/json/catalogs/basic/examples", nil},
		{a2ui.V09, "v0_9/catalogs/basic/examples", nil},
		{a2ui.V091, "v0_9_1/catalogs/basic/examples", nil},
		{a2ui.V10RC, "v1_0/catalogs/basic/examples", nil},
		{a2ui.V10, "v1_0/catalogs/basic/examples", func(v jsonx.Value) jsonx.Value { return reserve(v, false) }},
	} {
		for _, file := range official.Files(version.folder + "/*.json") {
			found = true
			for _, mode := range []Mode{Strict, LikeWebCore} {
				if version.d == a2ui.V08 && mode == LikeWebCore {
					continue // they send updates that are not self-contained, which its clients refuse
				}
				t.Run(strings.Join([]string{version.d.String(), mode.String(),
					strings.TrimSuffix(filepath.Base(file), ".json")}, "/"), func(t *testing.T) {
					t.Parallel()
					c := New(version.d, mode)
					for i, m := range exampleMessages(t, file) {
						if version.rewrite != nil {
							m = version.rewrite(m)
						}
						if err := c.Feed(jsonx.Append(nil, m)); err != nil {
							t.Fatalf("message %d: %v", i, err)
						}
					}
					if len(c.Surfaces()) == 0 {
						t.Fatal("no surface")
					}
					for _, id := range c.Surfaces() {
						v := view(t, c, id)
						shows := false
						for s := range v.Root.All() {
							shows = shows || s.Text != "" || s.Role == roleImage
						}
						if !v.Ready || !shows || len(v.Problems) > 0 || len(c.Calls()) > 0 {
							t.Errorf("ready %v, shows anything %v\n%s", v.Ready, shows, c.Dump(id))
						}
					}
				})
			}
		}
	}
	if !found {
		t.Skip(official.ErrMissing)
	}
}

// exampleMessages reads an example: a list of messages, or an object with one.
func exampleMessages(t *testing.T, file string) []jsonx.Value {
	t.Helper()
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonx.Parse(raw, jsonx.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if doc.Kind == array {
		return doc.Items
	}
	return doc.At("messages").Items
}

// reserve writes the key names of the candidate of v1.0 as v1.0 has them.
func reserve(v jsonx.Value, component bool) jsonx.Value {
	out := jsonx.Value{Kind: v.Kind, Str: v.Str, Bool: v.Bool}
	for _, item := range v.Items {
		_, isComponent := item.Get("component")
		out.Items = append(out.Items, reserve(item, isComponent))
	}
	_, template := v.Get("componentId")
	_, update := v.Get("surfaceId")
	for _, m := range v.Members {
		switch key := m.Key; {
		case key == "version":
			m.Value.Str = "1.0"
		case key == "path" && !template && !update, key == "call",
			component && (key == "catalogId" || key == "accessibility" || key == "metadata" || key == "checks"):
			m.Key = "@" + key
		}
		out.Members = append(out.Members, jsonx.Member{Key: m.Key, Value: reserve(m.Value, false)})
	}
	return out
}

func TestFeed(t *testing.T) {
	t.Parallel()
	c := New(a2ui.V08, LikeWebCore)
	for _, line := range []string{
		`{"surfaceUpdate":{"surfaceId":"s","components":[{"id":"c#t","component":{"Text":{"text":{"path":"/a/v"},"usageHint":"h2"}}}]}}`,
		`{"dataModelUpdate":{"surfaceId":"s","path":"/a","contents":[{"key":"v","valueString":"Hi"}]}}`,
		`{"beginRendering":{"surfaceId":"s","root":"c#t"}}`,
	} {
		if err := c.Feed([]byte(line)); err != nil {
			t.Fatal(err)
		}
	}
	if root := view(t, c, "s").Root; root.Role != roleHeading || root.Level != 2 || root.Text != "Hi" {
		t.Errorf("shown %+v", root)
	}
	err := c.Feed([]byte(`{"version":"v0.9","deleteSurface":{"surfaceId":"s"}}`))
	var p *a2ui.Problem
	if codeOf(err) != validationError || !errors.As(err, &p) {
		t.Errorf("a message of another dialect: %v", err)
	}
}
