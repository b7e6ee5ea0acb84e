package upstream_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/limn-ui/limn/a2ui"
)

// TestNamesOfAnyKind: a button counts whatever its agent calls the action, its component and the keys of its context,
// for clients of each version. A name that clients could not send back is left out with a reason.
func TestNamesOfAnyKind(t *testing.T) {
	t.Parallel()
	named := func(action, id, key string) []string {
		s := strings.NewReplacer(`"name":"go"`, `"name":"`+action+`"`, `"go"]`, `"`+id+`"]`, `"id":"go"`, `"id":"`+id+`"`,
			`"context":{"city"`, `"context":{"`+key+`"`)
		lines := surface("Sun", "Oslo")
		lines[1] = s.Replace(lines[1])
		return lines
	}
	for name, c := range map[string]struct {
		action, id, key string
		refused         string
	}{
		"spaces":      {"do it", "b b", "a b", ""},
		"other words": {"größe", "日本", "ключ", ""},
		"long":        {strings.Repeat("x", 1000), strings.Repeat("é", 128), strings.Repeat("k", 1000), ""},
		"too long":    {strings.Repeat("x", 2000), "go", "city", "want a name of at most 1024 bytes"},
		"a long id":   {"go", strings.Repeat("x", 300), "city", "want at most 256 bytes"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := speaks(t, func(w http.ResponseWriter, body string) {
				if strings.Contains(body, `"message":`) {
					says(`{"text":"Pressed."}`)(w, body)
					return
				}
				lines := named(c.action, c.id, c.key)
				if strings.Contains(body, `"surfaces":["main"]`) {
					lines = append([]string{`{"version":"v0.9","deleteSurface":{"surfaceId":"main"}}`}, lines...)
				}
				says(lines...)(w, body)
			})
			d := one(t, f, "")
			if said := d.say("show"); c.refused != "" {
				if !strings.Contains(said, c.refused) {
					t.Errorf("said %q", said)
				}
				return
			}
			for _, v := range []a2ui.Dialect{a2ui.V08, a2ui.V09, a2ui.V10} {
				screen, from := d.shown(v), len(d.state().Transcript)
				if w := d.press(v, screen, screen.Surfaces()[0]); w.Code != 200 || d.said(from) != "Weather: Pressed." {
					t.Errorf("%s: %d %s: said %q", v, w.Code, w.Body, d.said(from))
				}
				asked := f.got()
				if got := asked[len(asked)-1]; !strings.Contains(got, `"`+c.id+`"`) || !strings.Contains(got, `"`+c.key+`":"Oslo"`) {
					t.Errorf("%s: the agent is sent %s", v, got)
				}
				d.say("show")
			}
		})
	}
}
