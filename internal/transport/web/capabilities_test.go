package web_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/limn-ui/limn"
	"github.com/limn-ui/limn/a2ui"
)

// spoken is what an answer says about capabilities.
type spoken struct {
	Version, Catalog, Stream string
	Problem                  *struct{ Code, Hint string }
}

// TestCapabilities: a client says what it can show, in each body and by each spelling, and is
// told the newest version and catalog that both have.
func TestCapabilities(t *testing.T) {
	t.Parallel()
	s := start(t, func(c *limn.Config) { c.Targets = []string{"html", "v0.8", "v0.9", "v1.0"} })
	c := s.program()
	const guide, copilot = "https://a2ui.org/catalogs/v1/basic.json", "https://a2ui.org/specification/v0_9/basic_catalog.json"
	has := func(version, catalog string) string {
		return fmt.Sprintf(`"%s":{"supportedCatalogIds":["https://other.example/c.json","%s"]}`, version, catalog)
	}
	v08, v10 := a2ui.CatalogID(a2ui.V08), a2ui.CatalogID(a2ui.V10)
	for name, tt := range map[string]struct{ member, version, catalog string }{
		"newest":         {`"a2uiClientCapabilities":{` + has("v0.9", copilot) + "," + has("1.0", v10) + `}`, "v1.0", v10},
		"guide":          {`"a2uiRendererCapabilities":{` + has("1.0", guide) + `}`, "v1.0", guide},
		"CopilotKit":     {`"metadata":{"a2uiClientCapabilities":{` + has("v0.9", copilot) + `}}`, "v0.9", copilot},
		"bare v0.8":      {`"a2uiClientCapabilities":{"supportedCatalogIds":["` + v08 + `"]}`, "v0.8", v08},
		"wrapped v0.8":   {`"a2uiClientCapabilities":{` + has("v0.8", v08) + `}`, "v0.8", v08},
		"older catalog":  {`"a2uiClientCapabilities":{` + has("v0.9", copilot) + "," + has("1.0", "x") + `}`, "v0.9", copilot},
		"none in common": {`"a2uiClientCapabilities":{` + has("v0.9", "x") + `}`, "text", ""},
		"no version":     {`"a2uiClientCapabilities":{"v7":{"supportedCatalogIds":["` + v10 + `"]}}`, "text", ""},
	} {
		for path, body := range map[string]string{
			"/v1/conversations": `{%s}`, "/v1/-/messages": `{"text":"hello",%s}`,
			"/v1/-/events": `{"version":"v0.9","error":{"code":"OTHER","surfaceId":"s","message":"m"},%s}`} {
			var got struct{ A2UI *spoken }
			a := c.do("POST", path, fmt.Sprintf(body, tt.member), "Prefer", "wait=5")
			if err := json.Unmarshal(a.body, &got); a.StatusCode > 201 || err != nil || got.A2UI == nil {
				t.Fatalf("%s: %s: %s %s", name, path, a.Status, a.body)
			}
			said := got.A2UI
			if said.Version != tt.version || said.Catalog != tt.catalog || (said.Problem == nil) != (tt.version != "text") ||
				!strings.Contains(said.Stream, "version="+tt.version) {
				t.Errorf("%s: %s: %+v", name, path, said)
			}
			if said.Problem != nil && !strings.Contains(said.Problem.Hint, "/c/") && name == "none in common" {
				t.Errorf("%s: the hint is %q", name, said.Problem.Hint)
			}
		}
	}
}

// TestTextOnly: who can show no catalog of ours gets words, and is told where the rest is.
func TestTextOnly(t *testing.T) {
	t.Parallel()
	c := start(t).program()
	none := `"a2uiClientCapabilities":{"v0.9":{"supportedCatalogIds":["x"]}}`
	var got struct {
		A2UI *spoken
	}
	a := c.do("POST", "/v1/-/messages", `{"text":"add a customer",`+none+`}`, "Prefer", "wait=5")
	a.into(t, &got)
	if got.A2UI == nil || got.A2UI.Problem == nil || got.A2UI.Problem.Code != "A2UI_C2S_CAPABILITY_CATALOG" {
		t.Fatalf("%s", a.body)
	}
	path, query, _ := strings.Cut(got.A2UI.Stream, "?")
	st := c.open(path + "?" + query)
	data := strings.Join(st.Must().Data, "")
	if !strings.Contains(data, `"unshown":{"code":"A2UI_C2S_CAPABILITY_CATALOG","page":"/c/`+c.ID+`"}`) ||
		!strings.Contains(data, "add a customer") || strings.Contains(data, "createSurface") {
		t.Errorf("the stream begins with %s", data)
	}
}

// TestCapabilitiesOfSockets: a socket turns to the drawing that its client can show.
func TestCapabilitiesOfSockets(t *testing.T) {
	t.Parallel()
	c := start(t, func(c *limn.Config) { c.Targets = []string{"html", "v0.9", "v1.0"} }).program()
	c.say("add a customer")
	s := c.socket("/v1/-/ws?version=v0.9")
	s.next(false)
	v10 := a2ui.CatalogID(a2ui.V10)
	s.send(`{"ref":"1","a2uiClientCapabilities":{"1.0":{"supportedCatalogIds":["` + v10 + `"]}}}`)
	if a := s.next(true); a.Ref != "1" || a.Problem != nil {
		t.Fatalf("%+v", a)
	}
	if reset := s.next(false); reset.Event != "reset" || reset.Data[0].Reason != "target" {
		t.Fatalf("%+v", reset)
	}
	if snapshot := s.next(false); snapshot.Data[0].Kind != "snapshot" {
		t.Errorf("%+v", snapshot)
	}
	s.send(`{"ref":"2","text":"hello","a2uiClientCapabilities":{"1.0":{"supportedCatalogIds":["` + v10 + `"]}}}`)
	if a := s.next(true); a.Receipt == nil || a.Problem != nil {
		t.Errorf("%+v", a)
	}
	if frame := s.next(false); frame.Event != "" || frame.Data[0].Kind != "frame" {
		t.Errorf("the same drawing again gives %+v", frame)
	}
	for _, bad := range []string{`{"ref":"3","a2uiClientCapabilities":[]}`, `{"ref":"3","a2uiClientCapabilities":{},"other":1}`} {
		s.send(bad)
		if a := s.next(true); a.Problem == nil || a.Problem.Status != 400 {
			t.Errorf("%s: %+v", bad, a)
		}
	}
}

// TestUnknownMembers: no body has a member that is passed over.
func TestUnknownMembers(t *testing.T) {
	t.Parallel()
	c := start(t).program()
	for _, tt := range [][3]string{
		{"POST", "/v1/conversations", `{"text":"x","zz":1}`}, {"POST", "/v1/conversations", `{"metadata":{"zz":1}}`},
		{"POST", "/v1/-/messages", `{"text":"x","zz":1}`}, {"POST", "/v1/-/messages", `{"text":"x","metadata":{"zz":1}}`},
		{"POST", "/v1/-/events", `{"version":"v0.9","action":{},"zz":1}`},
		{"POST", "/v1/-/end", `{"zz":1}`}, {"POST", "/v1/-/cancel", `{"zz":1}`},
		{"POST", "/v1/-/shares", `{"access":"read","zz":1}`},
		{"PUT", "/v1/-/preferences/opt_out", `{"zz":1}`}, {"POST", "/v1/-/guardrails", `{"intent_pattern":"x","zz":1}`},
	} {
		a := c.do(tt[0], tt[1], tt[2])
		var p struct{ Code, Path, Hint string }
		if err := json.Unmarshal(a.body, &p); a.StatusCode != 400 || err != nil || p.Code == "" || p.Hint == "" ||
			!strings.Contains(p.Path, "zz") {
			t.Errorf("%v: %s %s", tt, a.Status, a.body)
		}
	}
}
