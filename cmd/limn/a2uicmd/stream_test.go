package a2uicmd

import (
	"bufio"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/cmd/limn/term"
)

// TestSpellings: the first message with reserved keys tells how a stream of v1.0 is
// spelled, whether it is there at once or comes later, and though it is wrong.
func TestSpellings(t *testing.T) {
	t.Parallel()
	const create = `{"version":"v1.0","createSurface":{"surfaceId":"s"}}` + "\n"
	update := func(version, text, more string) string {
		return `{"version":"` + version + `","updateComponents":{"surfaceId":"s","components":[` +
			`{"id":"root","component":"Text","text":` + text + more + `}]}}` + "\n"
	}
	const label = `,"@accessibility":{"label":"x"}`
	plain, october := update("v1.0", `{"path":"/a"}`, ""), update("v1.0", `{"@path":"/a"}`, "")
	november := update("v1.0", `{"@path":"/a"}`, label)
	for name, c := range map[string]struct {
		stream string
		is     a2ui.Dialect
		wrong  int // messages
	}{
		"no reserved key":       {create + plain, a2ui.V10RC, 0},
		"@path":                 {create + october, a2ui.V10Oct, 0},
		"@accessibility":        {create + october + november + october, a2ui.V10, 0},
		"the newest version":    {create + update("1.0", `"x"`, ""), a2ui.V10, 0},
		"a key nobody reserved": {create + update("v1.0", `{"@path":"/a","@b":1}`, ""), a2ui.V10Oct, 1},
		"another after it":      {create + october + plain, a2ui.V10Oct, 0}, // plain objects are data
		"two versions":          {create + update("v0.9", `"x"`, ""), a2ui.V10RC, 1},
	} {
		for way, in := range map[string]io.Reader{"at once": strings.NewReader(c.stream),
			"slowly": iotest.OneByteReader(strings.NewReader(c.stream))} {
			s, _, file, err := openStream("-", autoVersion, term.Terminal{In: in}, bufio.NewWriter(io.Discard))
			if err != nil {
				t.Fatal(err)
			}
			wrong := 0
			for p, err := range s.pieces() {
				if err != nil {
					t.Fatal(err)
				}
				if _, bad := s.decode(p); bad != nil {
					wrong++
				}
			}
			if file.Close(); s.dialect != c.is || wrong != c.wrong {
				t.Errorf("%s, %s: %s with %d wrong messages, want %s with %d", name, way, s.dialect, wrong, c.is, c.wrong)
			}
		}
	}
}

// TestValidateAlias: the ids under which the basic catalog is known are known.
func TestValidateAlias(t *testing.T) {
	t.Parallel()
	for id, ok := range map[string]bool{"https://a2ui.org/catalogs/v1/basic.json": true, "https://a2ui.org/other": false} {
		_, said, err := command(Validate{Version: autoVersion, Profile: "spec", Partial: true}.Run,
			`{"version":"1.0","createSurface":{"surfaceId":"s","catalogId":"`+id+`"}}`)
		if (err == nil) != ok {
			t.Errorf("%s: %v\n%s", id, err, said)
		}
	}
}
