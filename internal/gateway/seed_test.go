package gateway_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/limn-ui/limn/internal/foreign"
	"github.com/limn-ui/limn/internal/gateway"
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

// TestSentBack: the data that clients send beside each message fits into a message, and no agent takes the room of all
// others.
func TestSentBack(t *testing.T) {
	t.Parallel()
	c := load(t, strings.Replace(good, "version: v0.8", "version: v0.9", 1))
	bytes := func(n int) []string { // of data, in texts that are not too long
		out := surface("main", "Sun", "1")
		for i := 0; i < n; i += 50_000 {
			out = append(out, fmt.Sprintf(`{"version":"v0.9","updateDataModel":{"surfaceId":"main","path":"/b%d","value":%q}}`, i, strings.Repeat("x", 50_000)))
		}
		return out
	}
	s := ui.NewState("c")
	for _, step := range []struct {
		agent string
		size  int
		fits  bool
	}{{"weather", 450_000, false}, {"weather", 350_000, true}, {"bank", 250_000, false}, {"bank", 150_000, true}} {
		next, warnings := take(t, c, s, step.agent, bytes(step.size)...)
		fits := next.Surface(ui.Name(step.agent+":main")) != nil
		if fits != step.fits || !fits && (warnings[0].Code != gateway.CodeLimit || !strings.Contains(warnings[0].Message, "sendDataModel")) {
			t.Errorf("%d bytes of %s: %v, %v", step.size, step.agent, fits, warnings)
		}
		s = next
	}
	open := strings.Replace(strings.Join(bytes(450_000), "\n"), `"sendDataModel":true`, `"sendDataModel":false`, 1)
	if next, warnings := take(t, c, ui.NewState("c"), "weather", strings.Split(open, "\n")...); len(warnings) > 0 || next.Surface("weather:main") == nil {
		t.Errorf("data that are not sent back: %v", warnings)
	}
}
