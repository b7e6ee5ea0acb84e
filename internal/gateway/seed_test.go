package gateway_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/compile"
	"github.com/limn-ui/limn/internal/foreign"
	"github.com/limn-ui/limn/internal/gateway"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/internal/prove"
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

// TestOddData: a surface is drawn for every version whatever its bindings lead to, and a write that does not apply is
// said.
func TestOddData(t *testing.T) {
	t.Parallel()
	c := load(t, good)
	write := func(path, value string) string {
		return `{"version":"v0.9","updateDataModel":{"surfaceId":"main","path":"` + path + `","value":` + value + `}}`
	}
	text := func(value string) string {
		return `{"version":"v0.9","updateComponents":{"surfaceId":"main","components":[{"id":"t","component":"Text","text":` + value + `}]}}`
	}
	for name, one := range map[string]struct {
		lines  []string
		reason string
	}{
		"a key without name":    {[]string{write("//", "1"), write("/o", `{"":1,"a":[{"":2,"b":3}]}`)}, ""},
		"bound to it":           {[]string{write("//", "1"), text(`{"path":"//"}`)}, ""},
		"no such item":          {[]string{write("/l", "[]"), text(`{"path":"/l/0/n"}`)}, ""},
		"an item without it":    {[]string{write("/l", `[{"n":1},{"x":2},null]`), text(`{"path":"/l/1/n"}`)}, ""},
		"below a text":          {[]string{text(`{"path":"/v/x"}`)}, ""},
		"in a call":             {[]string{text(`{"call":"formatString","args":{"value":{"path":"/v/x"}}}`)}, ""},
		"a list below a text":   {[]string{strings.Replace(text(`"x"`), `{"id":"t"`, `{"id":"root","component":"List","children":{"componentId":"t","path":"/v/x"}},{"id":"t"`, 1)}, ""},
		"a write below a text":  {[]string{write("/v/x/y", "1")}, `segment "x" on a string`},
		"a write beside a list": {[]string{write("/l", "[]"), write("/l/-", "1")}, "on an array"},
		"no object":             {[]string{write("/", `"x"`)}, "an object, not string"},
	} {
		s, _ := take(t, c, ui.NewState("c"), "weather", surface("main", "Sun", "1")...)
		s, warnings := take(t, c, s, "weather", one.lines...)
		if got := fmt.Sprint(warnings); (len(warnings) > 0) != (one.reason != "") || !strings.Contains(got, one.reason) {
			t.Errorf("%s: %v, want %q", name, got, one.reason)
		}
		if v := foreign.Of(s.Surface("weather:main")).Data.At("v"); v.Str != "1" {
			t.Errorf("%s: the other data are lost", name)
		}
		for _, d := range []a2ui.Dialect{a2ui.V08, a2ui.V09, a2ui.V091, a2ui.V10} {
			target := compile.Target{Dialect: d}
			shown, err := compile.Snapshot(target, s)
			if err != nil {
				t.Fatal(name, d, err)
			}
			if problems := a2ui.Validate(prove.Rules(target), shown.Messages()); len(problems) > 0 {
				t.Errorf("%s → %s: %v", name, d, &problems[0])
			}
		}
	}
}

// TestKeysStayApart: keys that could be Limn's own are shown under names of their own, each under another one.
func TestKeysStayApart(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, key := range []string{"limn_x", "agent_limn_x", "agent_agent_limn_x", "x", "agent_x"} {
		shown := foreign.Key(key)
		if seen[shown] || strings.HasPrefix(shown, "limn_") {
			t.Errorf("%s is shown as %s", key, shown)
		}
		seen[shown] = true
	}
}
