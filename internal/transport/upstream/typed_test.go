package upstream_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/limn-ui/limn"
	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/internal/foreign"
	"github.com/limn-ui/limn/internal/jsonx"
)

// TestTypedData: what is typed on a surface reaches its agent whole, at every path, beside each message, click and
// call, by the ids that the agent knows, and nobody else. While it is typed it does not: a watch of the agent and the
// changes of a client are refused, and both are told what to do.
func TestTypedData(t *testing.T) {
	t.Parallel()
	const watch = `{"version":"v0.9","watchDataModel":{"surfaceId":"main","configurations":[{"path":"/deep/er","mode":"onChanged"}]}}`
	atlas := speaks(t, func(w http.ResponseWriter, body string) {
		lines := []string{`{"text":"Well."}`}
		if strings.Contains(body, "a map") {
			lines = append(surface("Map", "Oslo"), watch)
		}
		for i := range lines {
			lines[i] = strings.NewReplacer("v0_9", "v1_0", "v0.9", "1.0", `{"path"`, `{"@path"`).Replace(lines[i])
		}
		says(lines...)(w, body)
	})
	bank := speaks(t, says(surface("Money", "SECRET")...))
	d := open(t, fmt.Sprintf(`
agents: [{name: atlas, title: Atlas, url: %q, version: v1.0}, {name: bank, title: Bank, url: %q}]
routes: [{prefix: "@bank", to: bank}]
fallback: atlas
`, atlas.URL, bank.URL), nil)
	d.say("@bank hi")
	if said := d.say("a map"); strings.Count(said, "left out") != 1 {
		t.Errorf("of the watch the user reads %q", said)
	}
	sf := d.state().Surface("atlas:main")
	const from = `"surfaceId":"atlas:main#e=1"`
	for i, one := range []struct{ path, body string }{
		{"messages", `"text":"further"`},
		{"events", fmt.Sprintf(`"version":"1.0","action":{"name":"go",%s,"sourceComponentId":"go",`+
			`"timestamp":"2026-11-27T08:00:00Z","context":{"limn_nonce":%q,"limn_rev":%d}}`, from, sf.Nonce, sf.Rev)},
		{"events", fmt.Sprintf(`"version":"1.0","callAgentFunction":{%s,"functionCallId":"c1",`+
			`"callFunction":{"@call":"distance","args":{}}}`, from)},
	} {
		model := fmt.Sprintf(`{"city":"typed-%d","deep":{"er":[%d]}}`, i, i)
		body := fmt.Sprintf(`{%s,"a2uiRendererDataModel":{"version":"1.0","surfaces":{"atlas:main#e=1":%s,`+
			`"bank:main#e=1":{"city":"SECRET"}}}}`, one.body, model)
		if w := d.do("POST", "/v1/conversations/"+d.id+"/"+one.path, body, nil); w.Code != 200 {
			t.Fatalf("%d %s", w.Code, w.Body)
		}
		got := atlas.got()
		if last := got[len(got)-1]; len(got) != i+2 || !strings.Contains(last, `"main":`+model) ||
			strings.Contains(last, "SECRET") || strings.Contains(last, "bank") {
			t.Errorf("after %d requests the agent got %s", len(got), last)
		}
	}
	before := len(atlas.got())
	for _, surface := range []string{"atlas:main#e=1", "bank:main#e=1", "none:main#e=1"} {
		w := d.do("POST", "/v1/conversations/"+d.id+"/events", fmt.Sprintf(`{"version":"v0.9","dataModelChanged":{"surfaceId":%q,`+
			`"actorId":"r-a","updates":[],"versions":{}}}`, surface), nil)
		if said := w.Body.String(); w.Code < 400 || !strings.Contains(said, "A2UI_C2S_EXTENSION_UNKNOWN") ||
			surface[:4] != "none" && !strings.Contains(said, "beside the next message or action") {
			t.Errorf("%s: %d %s", surface, w.Code, said)
		}
	}
	if n := len(atlas.got()); n != before || len(bank.got()) != 1 {
		t.Errorf("the agents were asked %d and %d times", n, len(bank.got()))
	}
}

// TestTypedIsNoFault: a surface about which a client has reported an error is still shown whole after its data come,
// and in strict mode.
func TestTypedIsNoFault(t *testing.T) {
	t.Parallel()
	for _, strict := range []bool{false, true} {
		atlas := speaks(t, func(w http.ResponseWriter, body string) {
			if strings.Contains(body, "a map") && !strings.Contains(body, "more") {
				says(surface("Map", "Oslo")...)(w, body)
			}
		})
		d := openWith(t, fmt.Sprintf(`{agents: [{name: atlas, url: %q}], fallback: atlas}`, atlas.URL),
			limn.Config{Strict: strict})
		d.say("a map")
		if !strict {
			d.do("POST", "/v1/conversations/"+d.id+"/events", `{"version":"v0.9","error":{"code":"VALIDATION_FAILED",`+
				`"surfaceId":"atlas:main#e=1","path":"/x","message":"odd"}}`, nil)
		}
		d.do("POST", "/v1/conversations/"+d.id+"/messages", `{"text":"more","a2uiClientDataModel":{"version":"v0.9",`+
			`"surfaces":{"atlas:main#e=1":{"city":"Rome"}}}}`, nil)
		for _, v := range []a2ui.Dialect{a2ui.V08, a2ui.V09, a2ui.V10} {
			if w := d.do("GET", "/v1/conversations/"+d.id+"/a2ui?version="+v.String(), "", nil); !strings.Contains(
				w.Body.String(), "Rome") || strings.Contains(w.Body.String(), "In words") {
				t.Errorf("%v strict %v: %s", v, strict, w.Body)
			}
		}
	}
}

// TestUnaskedModel: the data model of a surface that does not ask for it changes nothing, and a page of HTML, whose
// drafts are no data of an agent, sends none.
func TestUnaskedModel(t *testing.T) {
	t.Parallel()
	lines := surface("Sun", "Oslo")
	lines[0] = strings.Replace(lines[0], `"sendDataModel":true`, `"sendDataModel":false`, 1)
	f := speaks(t, says(append(lines, `{"text":"Here."}`)...))
	d := one(t, f, "")
	d.say("sun?")
	w := d.do("POST", "/v1/conversations/"+d.id+"/messages", `{"text":"hello","a2uiClientDataModel":{"version":"v0.9",`+
		`"surfaces":{"weather:main#e=1":{"ui_state":{"rev":1},"draft":{"city":"Typed"}}}}}`, nil)
	if n := foreign.Of(d.state().Surface("weather:main")); w.Code >= 300 || n.Model.Kind != jsonx.Null {
		t.Errorf("%d %s: shown as %v", w.Code, w.Body, n.Model)
	}
	if page := d.page(); !strings.Contains(page, `limn-surface limn-open" data-agent="" aria-labelledby=`) {
		t.Errorf("the page does not say whose surface it is: %.2000s", page)
	}
}

// TestClickKeepsTyped: what a click sends of the data of a surface is shown to a client that comes back, though the
// agent does not ask for its data. What the agent writes counts after it.
func TestClickKeepsTyped(t *testing.T) {
	t.Parallel()
	lines := surface("First", "Oslo")
	lines[0] = strings.Replace(lines[0], `,"sendDataModel":true`, "", 1)
	f := speaks(t, func(w http.ResponseWriter, body string) {
		switch {
		case strings.Contains(body, `"city":"Rome"`):
			says(`{"text":"Sunny."}`)(w, body)
		case strings.Contains(body, `"action"`):
			says(fmt.Sprintf(data, "Bergen"))(w, body)
		default:
			says(lines...)(w, body)
		}
	})
	d := one(t, f, "")
	d.say("begin")
	screen := d.shown(a2ui.V09)
	for _, c := range []struct{ typed, want string }{{"Rome", "Rome"}, {"Paris", "Bergen"}} {
		if err := screen.Type("weather:main#e=1", "field", c.typed); err != nil {
			t.Fatal(err)
		}
		if w := d.press(a2ui.V09, screen, "weather:main#e=1"); w.Code != 200 {
			t.Fatalf("%d %s", w.Code, w.Body)
		}
		for _, v := range []a2ui.Dialect{a2ui.V08, a2ui.V09, a2ui.V10} {
			if got, ok := d.shown(v).Data("weather:main#e=1"); !ok || got.At("city").Text() != c.want {
				t.Errorf("after %s a client of %s shows %v", c.typed, v, got)
			}
		}
		if !strings.Contains(d.page(), `value="`+c.want+`"`) {
			t.Errorf("after %s the page lacks %s", c.typed, c.want)
		}
	}
}

// TestSentBeforeItWasSeen: data that a client sent before it saw the last write of the agent do not take that write
// back, for clients that come then, and in what the agent is sent next. What was typed counts.
func TestSentBeforeItWasSeen(t *testing.T) {
	t.Parallel()
	for old, bound := range map[string]string{
		`"text":"Map"`: `"text":{"path":"/count"}`,
		`"context":{`:  `"context":{"count":{"path":"/count"},`,
		`"id":"say","component":"Text","text":"Map"`: `"id":"say","component":"Text","text":{"call":"formatString","args":{"value":"there is ${formatString(value: ${/count})}"}}`,
	} {
		sentBeforeItWasSeen(t, old, bound)
	}
}

func sentBeforeItWasSeen(t *testing.T, old, bound string) {
	t.Helper()
	show := surface("Map", "")
	show[1] = strings.Replace(show[1], old, bound, 1)
	count := `{"version":"v0.9","updateDataModel":{"surfaceId":"main","path":"/count","value":"%s"}}`
	atlas := speaks(t, func(w http.ResponseWriter, body string) {
		switch {
		case strings.Contains(body, `"text":"a map","a2ui`):
			says(append(show, fmt.Sprintf(count, "none"))...)(w, body)
		case strings.Contains(body, `"text":"more","a2ui`):
			says(fmt.Sprintf(count, "one"))(w, body)
		default:
			says(`{"text":"Well."}`)(w, body)
		}
	})
	d := one(t, atlas, "")
	d.say("a map")
	d.say("more")
	w := d.do("POST", "/v1/conversations/"+d.id+"/messages", `{"text":"further","a2uiClientDataModel":{"version":"v0.9",`+
		`"surfaces":{"weather:main#e=1":{"count":"none","city":"Rome"}}}}`, nil)
	if w.Code != 200 {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	for _, v := range []a2ui.Dialect{a2ui.V08, a2ui.V09, a2ui.V10} {
		w := d.do("GET", "/v1/conversations/"+d.id+"/a2ui?version="+v.String(), "", nil)
		said := w.Body.String()
		if !strings.Contains(said, "one") || strings.Contains(said, "none") || !strings.Contains(said, "Rome") {
			t.Errorf("%s, %v: %s", bound, v, said)
		}
	}
	got := atlas.got()
	if last := got[len(got)-1]; !strings.Contains(last, `"main":{"city":"Rome","count":"one"}`) {
		t.Errorf("%s: the agent got %s", bound, last)
	}
}

// TestClickKeepsWritten: a click keeps what the agent wrote where the client has an older screen, and what its version
// leaves out of the data.
func TestClickKeepsWritten(t *testing.T) {
	t.Parallel()
	lines := surface("First", "Oslo")
	lines[0] = strings.Replace(lines[0], `,"sendDataModel":true`, "", 1)
	lines[1] = strings.Replace(lines[1], `{"city":{"path":"/city"}}`, `{"city":{"path":"/city"},"all":{"path":"/all"}}`, 1)
	lines = append(lines, `{"version":"v0.9","updateDataModel":{"surfaceId":"main","path":"/all","value":`+
		`{"none":null,"list":[null,"a"],"text":"b"}}}`)
	f := speaks(t, func(w http.ResponseWriter, body string) {
		switch {
		case strings.Contains(body, `"action"`):
			says(`{"text":"Well."}`)(w, body)
		case strings.Contains(body, `"text":"elsewhere"`):
			says(fmt.Sprintf(data, "Bergen"))(w, body)
		default:
			says(lines...)(w, body)
		}
	})
	d := one(t, f, "")
	shown := func() string {
		v, _ := d.shown(a2ui.V09).Data("weather:main#e=1")
		return string(jsonx.Append(nil, v))
	}
	d.say("begin")
	before := shown()
	if w := d.press(a2ui.V08, d.shown(a2ui.V08), "weather:main#e=1"); w.Code != 200 || shown() != before {
		t.Errorf("%d: a click of v0.8 makes %s of %s", w.Code, shown(), before)
	}
	old := d.shown(a2ui.V09)
	d.say("elsewhere")
	if w := d.press(a2ui.V09, old, "weather:main#e=1"); w.Code != 200 || !strings.Contains(shown(), "Bergen") {
		t.Errorf("%d: after a click of an older screen a client shows %s", w.Code, shown())
	}
}

// asksPIN is an agent whose surface has a name and two fields that show dots.
func asksPIN(t *testing.T) *fake {
	t.Helper()
	return speaks(t, func(w http.ResponseWriter, body string) {
		if strings.Contains(body, `"action"`) {
			says(`{"text":"Well."}`)(w, body)
			return
		}
		says(strings.Replace(create, `,"sendDataModel":true`, "", 1),
			`{"version":"v0.9","updateDataModel":{"surfaceId":"main","path":"/","value":{"form":{"name":"","pin":""},"name":"","pin":"old"}}}`,
			`{"version":"v0.9","updateComponents":{"surfaceId":"main","components":[`+
				`{"id":"root","component":"Column","children":["name","pin","deep","go"]},`+
				`{"id":"name","component":"TextField","label":"Name","value":{"path":"/name"}},`+
				`{"id":"pin","component":"TextField","label":"PIN","variant":"obscured","value":{"path":"/pin"}},`+
				`{"id":"deep","component":"TextField","label":"PIN","variant":"obscured","value":{"path":"/form/pin"}},`+
				`{"id":"label","component":"Text","text":"Go"},`+
				`{"id":"go","component":"Button","child":"label","action":{"event":{"name":"go","context":{`+
				`"name":{"path":"/name"},"pin":{"path":"/pin"},"form":{"path":"/form"}}}}}]}}`)(w, body)
	})
}

// TestClickKeepsNoSecret: what is typed into a field that shows dots goes to its agent, and to no other client.
func TestClickKeepsNoSecret(t *testing.T) {
	t.Parallel()
	f := asksPIN(t)
	d := one(t, f, "")
	d.say("begin")
	screen := d.shown(a2ui.V09)
	for key, text := range map[string]string{"name": "Ann", "pin": "1234", "deep": "5678"} {
		if err := screen.Type("weather:main#e=1", key, text); err != nil {
			t.Fatal(err)
		}
	}
	if w := d.press(a2ui.V09, screen, "weather:main#e=1"); w.Code != 200 {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	got := f.got()
	if last := got[len(got)-1]; !strings.Contains(last, "1234") || !strings.Contains(last, "5678") {
		t.Errorf("the agent got %s", last)
	}
	v, _ := d.shown(a2ui.V09).Data("weather:main#e=1")
	if text := string(jsonx.Append(nil, v)); !strings.Contains(text, "Ann") || strings.Contains(text, "1234") || strings.Contains(text, "5678") {
		t.Errorf("another client is sent %s", text)
	}
}
