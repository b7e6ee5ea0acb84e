package upstream_test

import (
	"fmt"
	"maps"
	"net/http"
	"strings"
	"testing"

	"github.com/limn-ui/limn/a2ui"
)

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
		says(`{"text":"Where are you?"}`, call("c1", "getPosition", `{"exact":true}`), call("c2", "openUrl", `{"url":"https://spy.example"}`),
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
	const ours = "atlas/v1.0/c1"
	if strings.Count(sent, "callRendererFunction") != 1 || !strings.Contains(sent, `"functionCallId":"`+ours+`"`) ||
		!strings.Contains(sent, `"exact":true`) {
		t.Fatalf("a client is sent %s", sent)
	}
	if old := d.do("GET", "/v1/conversations/"+d.id+"/a2ui?version=v0.9", "", nil).Body.String(); strings.Contains(old, "getPosition") {
		t.Errorf("a client of v0.9 is sent %s", old)
	}
	result := func(callID string) int {
		return d.do("POST", "/v1/conversations/"+d.id+"/events",
			`{"version":"1.0","rendererFunctionResponse":{"functionCallId":"`+callID+`","value":{"lat":52}}}`, nil).Code
	}
	for _, forged := range []string{"c1", "bank/v1.0/c1", "atlas/v1.0/c2", "atlas/v1.0/c9"} {
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
	if len(got) != 2 || !strings.Contains(got[1], `"rendererFunctionResponse":{"functionCallId":"c1","value":{"lat":52}}`) {
		t.Errorf("the agent got %q", got)
	}
	if n := len(bank.got()); n != 1 {
		t.Errorf("the other agent was asked %d times", n)
	}
	if said := d.said(4); !strings.Contains(said, "Atlas: There you are.") {
		t.Errorf("said %q", said)
	}
}
