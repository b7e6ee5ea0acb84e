package a2uicmd

import (
	"bytes"
	"strings"
	"testing"

	"github.com/limn-ui/limn/cmd/limn/term"
)

// TestTurnBytes: a turn above the limit of a batch is one problem, the next turn none.
func TestTurnBytes(t *testing.T) {
	t.Parallel()
	var in strings.Builder
	in.WriteString(`{"version":"v0.9","createSurface":{"surfaceId":"s","catalogId":` +
		`"https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json"}}` + "\n" +
		`{"version":"v0.9","updateComponents":{"surfaceId":"s","components":[{"id":"root","component":"Text","text":"x"}]}}`)
	data := `{"version":"v0.9","updateDataModel":{"surfaceId":"s","path":"/a","value":["` +
		strings.TrimSuffix(strings.Repeat(strings.Repeat("x", 60_000)+`","`, 8), `","`) + `"]}}` + "\n"
	in.WriteString("\n" + strings.Repeat(data, 18) + "\n" + data)
	var out bytes.Buffer
	err := Validate{Version: "v0.9", Profile: "spec", Max: 9, Turns: true}.Run(
		term.Terminal{In: strings.NewReader(in.String()), Out: &out, Env: func(string) string { return "" }})
	if n := strings.Count(out.String(), "A2UI_S2C_LIMIT_BATCH_BYTES"); n != 1 || err == nil {
		t.Errorf("%d problems, %v: %.600s", n, err, out.String())
	}
}
