package upstream_test

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/limn-ui/limn"
	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/driver/memory"
	"github.com/limn-ui/limn/internal/localbus"
	"github.com/limn-ui/limn/ui"
)

// odd is JSON that no view of an application could show.
const odd = `{"coords":{"altitudeAccuracy":1.50},"list":[1,{"A":null}],"to":[52.1,"é"],"rows":[{"name":"a"}],"n":null}`

// TestClientFunctions: an agent has clients run a function of its catalog. The result goes to that agent, once, under
// the id that it gave, and to nobody else; other functions, and results that nothing waits for, are refused.
func TestClientFunctions(t *testing.T) {
	t.Parallel()
	const id = "https://maps.example/catalog.json"
	catalog := *a2ui.Basic(a2ui.V10)
	catalog.ID, catalog.Protocol, catalog.Functions = id, a2ui.V10.Protocol(), maps.Clone(catalog.Functions)
	catalog.Functions["getPosition"] = &a2ui.FunctionDef{Name: "getPosition", Returns: "object", Open: true, Callers: a2ui.AgentOnly}
	call := func(callID, name, args string) string {
		return fmt.Sprintf(`{"version":"1.0","callRendererFunction":{"functionCallId":%q,"callFunction":{"@call":%q,"catalogId":%q,"args":%s}}}`,
			callID, name, id, args)
	}
	maps := speaks(t, func(w http.ResponseWriter, body string) {
		if strings.Contains(body, "rendererFunctionResponse") {
			says(`{"text":"There you are."}`)(w, body)
			return
		}
		if strings.Contains(body, `"text":"and now?"`) {
			says(call("c1", "getPosition", `{"exact":false}`), call("c1", "getPosition", `{"exact":false}`),
				call("c1", "getPosition", `{"exact":true}`))(w, body)
			return
		}
		says(`{"text":"Where are you?"}`, call("c1", "getPosition", `{"exact":true,"near":`+odd+`}`), call("c2", "openUrl", `{"url":"https://spy.example"}`),
			call("c3", "nothing", "{}"), call("", "getPosition", "{}"))(w, body)
	})
	bank := speaks(t, says(`{"text":"Hello."}`))
	d := open(t, fmt.Sprintf(`
agents: [{name: atlas, title: Atlas, url: %q, version: v1.0, catalog: maps.json}, {name: bank, title: Bank, url: %q}]
routes: [{prefix: "@bank", to: bank}]
fallback: atlas
`, maps.URL, bank.URL), nil, &catalog)
	d.say("@bank hi")
	if said := d.say("where am I?"); !strings.Contains(said, "Where are you?") || !strings.Contains(said, "left out") {
		t.Errorf("said %q", said)
	}
	sent := d.do("GET", "/v1/conversations/"+d.id+"/a2ui?version=v1.0", "", nil).Body.String()
	const ours = "atlas/v1.0/2/c1"
	if strings.Count(sent, "callRendererFunction") != 1 || !strings.Contains(sent, `"functionCallId":"`+ours+`"`) ||
		!strings.Contains(sent, `"exact":true,"near":`+odd) {
		t.Fatalf("a client is sent %s", sent)
	}
	if old := d.do("GET", "/v1/conversations/"+d.id+"/a2ui?version=v0.9", "", nil).Body.String(); strings.Contains(old, "getPosition") {
		t.Errorf("a client of v0.9 is sent %s", old)
	}
	result := func(callID string) int {
		return d.do("POST", "/v1/conversations/"+d.id+"/events",
			`{"version":"1.0","rendererFunctionResponse":{"functionCallId":"`+callID+`","value":`+odd+`}}`, nil).Code
	}
	for _, forged := range []string{"c1", "bank/v1.0/c1", "atlas/v1.0/c1", "atlas/v1.0/2/c2", "atlas/v1.0/9/c1"} {
		if code := result(forged); code != 400 {
			t.Errorf("a result for %s: %d", forged, code)
		}
	}
	for range 2 {
		if code := result(ours); code != 200 {
			t.Errorf("%d", code)
		}
	}
	got := maps.got()
	if len(got) != 2 || !strings.Contains(got[1], `"rendererFunctionResponse":{"functionCallId":"c1","value":`+odd+`}`) {
		t.Errorf("the agent got %q", got)
	}
	if n := len(bank.got()); n != 1 {
		t.Errorf("the other agent was asked %d times", n)
	}
	if said := d.said(4); !strings.Contains(said, "Atlas: There you are.") {
		t.Errorf("said %q", said)
	}
	if said := d.say("and now?"); !strings.Contains(said, "left out") { // of two calls with one id
		t.Errorf("said %q", said)
	}
	sent = d.do("GET", "/v1/conversations/"+d.id+"/a2ui?version=v1.0", "", nil).Body.String()
	next := regexp.MustCompile(`"functionCallId":"(atlas/v1.0/\d+/c1)"`).FindAllStringSubmatch(sent, -1)
	if len(next) != 1 || !strings.Contains(sent, `"exact":false`) {
		t.Fatalf("a client is sent %s", sent)
	}
	if code := result(next[0][1]); code != 200 || len(maps.got()) != 4 {
		t.Errorf("%d: the agent got %q", code, maps.got())
	}
}

// TestAgentFunctions: a client calls a function of an agent. The call goes to the owner of the surface alone, with
// its own ids, once, however often it is sent; the result is the one that the owner gives to that call.
func TestAgentFunctions(t *testing.T) {
	t.Parallel()
	id := a2ui.Basic(a2ui.V10).ID
	open10 := fmt.Sprintf(`{"version":"1.0","createSurface":{"surfaceId":"main","catalogId":%q,`+
		`"components":[{"id":"root","component":"Text","text":"a map"}]}}`, id)
	reply := func(callID, rest string) string {
		return fmt.Sprintf(`{"version":"1.0","agentFunctionResponse":{"functionCallId":%q,%s}}`, callID, rest)
	}
	atlas := speaks(t, func(w http.ResponseWriter, body string) {
		switch {
		case strings.Contains(body, `"functionCallId":"c1"`):
			says(reply("c9", `"value":"of another"`), reply("c1", `"value":{"km":12}`), reply("c1", `"value":"once more"`))(w, body)
		case strings.Contains(body, `"functionCallId":"c2"`):
			says(reply("c2", `"error":{"code":"NO_ROAD","message":"there is water"}`))(w, body)
		case strings.Contains(body, `"functionCallId"`):
			says(`{"text":"Hm."}`)(w, body)
		default:
			says(open10, reply("c1", `"value":"unasked"`))(w, body)
		}
	})
	bank := speaks(t, says(surface("money", "Oslo")...))
	d := open(t, fmt.Sprintf(`
agents: [{name: atlas, title: Atlas, url: %q, version: v1.0}, {name: bank, title: Bank, url: %q}]
routes: [{prefix: "@bank", to: bank}]
fallback: atlas
`, atlas.URL, bank.URL), nil)
	d.say("@bank hi")
	if said := d.say("a map"); !strings.Contains(said, "left out") {
		t.Errorf("a result that nobody asked for: %q", said)
	}
	callTo := func(surface, callID, to string) string {
		return d.do("POST", "/v1/conversations/"+d.id+"/events", fmt.Sprintf(`{"version":"1.0","callAgentFunction":{"surfaceId":%q,`+
			`"functionCallId":%q,"callFunction":{"@call":"distance","args":{"to":%q,"odd":%s}}}}`, surface, callID, to, odd), nil).Body.String()
	}
	call := func(surface, callID string) string { return callTo(surface, callID, "Bergen") }
	for range 2 {
		if got := call("atlas:main#e=1", "c1"); !strings.Contains(got, `"agentFunctionResponse":{"functionCallId":"c1","value":{"km":12}}`) {
			t.Errorf("the client is told %s", got)
		}
	}
	if got := callTo("atlas:main#e=1", "c1", "Oslo"); !strings.Contains(got, "HTTP_KEY_REUSED") {
		t.Errorf("another call with the id of the first: %s", got)
	}
	if got := call("bank:main#e=1", "c1"); !strings.Contains(got, "UNKNOWN_FUNCTION") {
		t.Errorf("a call to another agent with the id of the first: %s", got)
	}
	for callID, want := range map[string]string{"c2": "NO_ROAD: there is water", "c3": "returned nothing"} {
		if got := call("atlas:main#e=1", callID); !strings.Contains(got, `"error":`) || !strings.Contains(got, want) {
			t.Errorf("%s: the client is told %s", callID, got)
		}
	}
	for surface, want := range map[string]string{"bank:main#e=1": "UNKNOWN_FUNCTION", "atlas:main#e=2": "INVALID_FUNCTION_CALL",
		"main": "INVALID_FUNCTION_CALL"} {
		if got := call(surface, "for-"+surface[:4]); !strings.Contains(got, `"code":"`+want+`"`) {
			t.Errorf("on %s the client is told %s", surface, got)
		}
	}
	got := atlas.got()
	if len(got) != 4 || !strings.Contains(got[1], `"callAgentFunction":{"surfaceId":"main","functionCallId":"c1",`) ||
		!strings.Contains(got[1], `"args":{"to":"Bergen","odd":`+odd+`}`) || strings.Contains(strings.Join(got, ""), "Oslo") {
		t.Errorf("the agent got %q", got)
	}
	if n := len(bank.got()); n != 1 {
		t.Errorf("the other agent was asked %d times", n)
	}
}

// TestAgentFunctionsProtocols: the same with Limn itself as the agent, by the doors that carry such a call. One that
// does not carry it says so, and nothing is sent there.
func TestAgentFunctionsProtocols(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ protocol, want string }{
		{"a2a", `"agentFunctionResponse":{"functionCallId":"c1","value":"4 crowns"}`},
		{"agui", `"agentFunctionResponse":{"functionCallId":"c1","value":"4 crowns"}`},
		{"mcp", `"agentFunctionResponse":{"functionCallId":"c1","error":{"code":"GATEWAY_AGENT"`},
	} {
		t.Run(c.protocol, func(t *testing.T) {
			t.Parallel()
			a, err := app.New(app.Config{Name: "guests", Forms: []app.Form{{Name: "guest", Title: "Guest book",
				Phrases: []string{"sign the guest book"}, Fields: []ui.Field{{Name: "name", Type: ui.TypeText}}}},
				Actions: []app.Action{{Name: "price", Callers: "client", Reply: "4 crowns"}}})
			if err != nil {
				t.Fatal(err)
			}
			below, err := limn.New(limn.Config{App: a, Doors: []string{"a2a", "agui", "mcp"}, Targets: []string{"html", "v1.0"}})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { below.Close(t.Context()) })
			srv := httptest.NewServer(below.Handler())
			t.Cleanup(srv.Close)
			d := open(t, fmt.Sprintf(`
agents: [{name: guests, title: Guests, url: %q, protocol: %s, version: v1.0, credentials: token}]
fallback: guests
`, srv.URL+"/"+c.protocol, c.protocol), nil)
			d.say("sign the guest book")
			ids := d.shown(a2ui.V10).Surfaces()
			if len(ids) != 1 {
				t.Fatalf("surfaces %v", ids)
			}
			got := d.do("POST", "/v1/conversations/"+d.id+"/events", fmt.Sprintf(`{"version":"1.0","callAgentFunction":{"surfaceId":%q,`+
				`"functionCallId":"c1","callFunction":{"@call":"price","args":{}}}}`, ids[0]), nil).Body.String()
			if !strings.Contains(got, c.want) {
				t.Errorf("the client is told %s", got)
			}
		})
	}
}

// TestCancelCallAtAnotherNode: the user stops, at one node, a call of a function that another node is making.
func TestCancelCallAtAnotherNode(t *testing.T) {
	t.Parallel()
	asked, over := make(chan struct{}), make(chan struct{})
	atlas := speaks(t, func(w http.ResponseWriter, body string) {
		if strings.Contains(body, `"functionCallId"`) {
			close(asked)
			<-over
			return
		}
		says(fmt.Sprintf(`{"version":"1.0","createSurface":{"surfaceId":"main","catalogId":%q,`+
			`"components":[{"id":"root","component":"Text","text":"a map"}]}}`, a2ui.Basic(a2ui.V10).ID))(w, body)
	})
	t.Cleanup(func() { close(over) })
	yaml := fmt.Sprintf(`{agents: [{name: atlas, url: %q, version: v1.0, time: 5s}], fallback: atlas}`, atlas.URL)
	cfg := limn.Config{Store: memory.New(), Bus: localbus.New()}
	cfg.Node = "a"
	a := openWith(t, yaml, cfg)
	cfg.Node = "b"
	b := openWith(t, yaml, cfg)
	b.id, b.token = a.id, a.token
	a.say("a map")
	told := make(chan string)
	go func() {
		told <- a.do("POST", "/v1/conversations/"+a.id+"/events", `{"version":"1.0","callAgentFunction":{`+
			`"surfaceId":"atlas:main#e=1","functionCallId":"c1","callFunction":{"@call":"distance","args":{}}}}`, nil).Body.String()
	}()
	<-asked
	if w := b.do("POST", "/v1/conversations/"+b.id+"/cancel", "", nil); w.Code != http.StatusNoContent {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if got := <-told; !strings.Contains(got, `"code":"TURN_CANCELED"`) {
		t.Errorf("the client is told %s", got)
	}
}

// TestCallOfSurfaceThatIsGone: a client called a function when the gateway stopped, and the agent closed the surface
// meanwhile. After the restart the call does not count any more, and the client is told that it is not known whether
// the agent has done it.
func TestCallOfSurfaceThatIsGone(t *testing.T) {
	t.Parallel()
	asked, over := make(chan struct{}), make(chan struct{})
	atlas := speaks(t, func(w http.ResponseWriter, body string) {
		switch {
		case strings.Contains(body, `"functionCallId"`):
			close(asked)
			<-over
		case strings.Contains(body, `"text":"away","a2ui`):
			says(`{"version":"1.0","deleteSurface":{"surfaceId":"main"}}`)(w, body)
		default:
			says(fmt.Sprintf(`{"version":"1.0","createSurface":{"surfaceId":"main","catalogId":%q,`+
				`"components":[{"id":"root","component":"Text","text":"a map"}]}}`, a2ui.Basic(a2ui.V10).ID))(w, body)
		}
	})
	yaml := fmt.Sprintf(`{agents: [{name: atlas, url: %q, version: v1.0}], fallback: atlas}`, atlas.URL)
	st := memory.New()
	d := open(t, yaml, st)
	d.say("a map")
	call := func(d *desk) string {
		return d.do("POST", "/v1/conversations/"+d.id+"/events", `{"version":"1.0","callAgentFunction":{"surfaceId":"atlas:main#e=1",`+
			`"functionCallId":"c1","callFunction":{"@call":"distance","args":{}}}}`, nil).Body.String()
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		call(d)
	}()
	<-asked
	d.say("away")
	stop, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	d.srv.Close(stop) //nolint:errcheck // the run is not over
	close(over)
	<-ended
	next := open(t, yaml, st)
	next.id, next.token = d.id, d.token
	if got := call(next); !strings.Contains(got, `"code":"EFFECT_UNKNOWN"`) || len(atlas.got()) != 3 {
		t.Errorf("the agent was asked %d times, and the client is told %s", len(atlas.got()), got)
	}
}
