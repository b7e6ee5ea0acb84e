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

// TestOfficialExamples replays the examples that come with the specification:
// every message is taken, every surface shows text or a picture, and nothing
// is wrong with it.
func TestOfficialExamples(t *testing.T) {
	t.Parallel()
	files := official.Files("v0_9/catalogs/basic/examples/*.json")
	if len(files) == 0 {
		t.Skip(official.ErrMissing)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".json"), func(t *testing.T) {
			t.Parallel()
			raw, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			doc, err := jsonx.Parse(raw, jsonx.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			c := New(a2ui.V09, LikeWebCore)
			for i, m := range doc.At("messages").Items {
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
					shows = shows || s.Text != "" || s.Role == Image
				}
				if !v.Ready || !shows || len(v.Problems) > 0 {
					t.Errorf("ready %v, shows anything %v\n%s", v.Ready, shows, c.Dump(id))
				}
			}
		})
	}
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
	if root := view(t, c, "s").Root; root.Role != Heading || root.Level != 2 || root.Text != "Hi" {
		t.Errorf("shown %+v", root)
	}
	err := c.Feed([]byte(`{"version":"v0.9","deleteSurface":{"surfaceId":"s"}}`))
	var p *a2ui.Problem
	if codeOf(err) != ValidationError || !errors.As(err, &p) {
		t.Errorf("a message of another dialect: %v", err)
	}
}
