package gateway_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/limn-ui/limn/internal/foreign"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/ui"
)

// TestAcceptedStays: a surface that has taken a message takes the next one, too.
func TestAcceptedStays(t *testing.T) {
	t.Parallel()
	c := load(t, good)
	ok := surface("main", "Sun", "1")
	big := func(n int) (out []string) {
		for i := range n {
			out = append(out, fmt.Sprintf(`{"version":"v0.9","updateDataModel":{"surfaceId":"main","path":"/big%d","value":%q}}`, i, strings.Repeat("x", 60_000)))
		}
		return out
	}
	for name, update := range map[string][]string{
		"refers to what comes later": {strings.Replace(ok[1], `["t"]`, `["t","later"]`, 1)},
		"much data":                  big(14),
	} {
		s, warnings := take(t, c, ui.NewState("c"), "weather", ok...)
		if len(warnings) > 0 {
			t.Fatal(name, warnings)
		}
		s, warnings = take(t, c, s, "weather", update...)
		t.Log(name, warnings)
		s, warnings = take(t, c, s, "weather", `{"version":"v0.9","updateDataModel":{"surfaceId":"main","path":"/v","value":"paid"}}`)
		if v := foreign.Of(s.Surface("weather:main")).Data.At("v"); v.Kind != jsonx.String || v.Str != "paid" || len(warnings) > 0 {
			t.Errorf("%s: holds %q: %v", name, v.Str, warnings)
		}
	}
}
