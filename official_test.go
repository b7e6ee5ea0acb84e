package limn_test

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/limn-ui/limn/internal/official"
)

// TestOfficialSchemas holds every message of the corpus against the published
// schemas, by a library that knows nothing of ours.
func TestOfficialSchemas(t *testing.T) {
	t.Parallel()
	checked := 0
	played := map[string][]txtar.File{}
	for _, sc := range corpus(t) {
		played[sc.Name] = play(t, sc)
	}
	for _, version := range []string{"v0.8", "v0.8-alone", "v0.9", "v1.0"} {
		schema, err := official.Server(version)
		if errors.Is(err, official.ErrMissing) && os.Getenv("LIMN_REQUIRE") != "1" {
			t.Skip(err)
		}
		if err != nil {
			t.Fatal(err)
		}
		for name, files := range played {
			for _, f := range files {
				if !strings.HasSuffix(f.Name, "."+strings.TrimSuffix(version, "-alone")+".jsonl") {
					continue
				}
				for line := range strings.Lines(string(f.Data)) {
					if err := schema.Check([]byte(line)); err != nil {
						t.Errorf("%s %s: %v\n%.400s", name, f.Name, err, line)
					}
					checked++
				}
			}
		}
		if err := schema.Check([]byte(`{"version":"` + version + `","createSurface":{"surfaceId":1}}`)); err == nil {
			t.Errorf("the %s schema accepts a surface id that is a number", version)
		}
	}
	if checked < 50 {
		t.Errorf("only %d messages were checked", checked)
	}
}
