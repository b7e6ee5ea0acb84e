package web_test

import (
	"net/url"
	"strings"
	"testing"

	"golang.org/x/net/html/atom"

	"github.com/limn-ui/limn/ui"
)

// A surface that clients cannot show is closed and said; the failure's text has
// its button on the page, an address in the API, and a word in the chat.
func TestRegenerate(t *testing.T) {
	t.Parallel()
	s := start(t, withAssets)
	c := s.visitor()
	c.browse(c.post("/c", nil))
	c.say("add a customer")
	report := func() answer {
		sf := c.state().Surface("form:customer")
		return c.do("POST", "/v1/-/events", `{"version":"v0.9","error":{"code":"VALIDATION_FAILED","surfaceId":"`+
			sf.WireID()+`","path":"/a","message":"m"}}`, "Content-Type", "application/json", "Limn-Client", "tab-1")
	}
	for range 5 { // rebuild, three resets, closed
		if a := report(); a.StatusCode != 200 {
			t.Fatalf("%d %s", a.StatusCode, a.body)
		}
	}
	if c.state().Surface("form:customer") != nil {
		t.Fatal("the form is still open")
	}
	p := c.do("GET", "/c/-", "").page(t)
	list := p.one(atom.Ul, "id", "limn-failed")
	if !strings.Contains(p.text, "closed") || !strings.Contains(textOf(list), "Regenerate: Customer") {
		t.Errorf("the page does not offer it:\n%s", p.text)
	}
	stream := c.do("GET", "/v1/-/frames", "")
	if !strings.Contains(string(stream.body), `"failed":true`) {
		t.Errorf("frames %s", stream.body)
	}

	c.browse(c.post("/c/-/regenerate", url.Values{"surface": {"form:customer"}}))
	if sf := c.state().Surface("form:customer"); sf == nil || sf.Status != ui.StatusOpen {
		t.Fatalf("after the button: %v", sf)
	}
	p = c.do("GET", "/c/-", "").page(t)
	if textOf(p.one(atom.Ul, "id", "limn-failed")) != "" {
		t.Error("what is open again is offered still")
	}

	for path, want := range map[string]int{"form:customer/regenerate": 200, "form:nobody/regenerate": 404,
		"Form%20/regenerate": 404} {
		if a := c.do("POST", "/v1/-/surfaces/"+path, ""); a.StatusCode != want {
			t.Errorf("%s: %d, want %d: %s", path, a.StatusCode, want, a.body)
		}
	}
	key := []string{"Idempotency-Key", "once"}
	c.do("POST", "/v1/-/surfaces/form:customer/regenerate", "", key...)
	epoch := c.state().Surface("form:customer").Epoch
	c.do("POST", "/v1/-/surfaces/form:customer/regenerate", "", key...)
	if now := c.state().Surface("form:customer").Epoch; now != epoch {
		t.Errorf("one key regenerates twice: epoch %d after %d", now, epoch)
	}
	if a := c.do("POST", "/v1/-/surfaces/form:lead/regenerate", "", key...); a.StatusCode != 422 && a.StatusCode != 404 {
		t.Errorf("another surface with the same key: %d", a.StatusCode)
	}
	if a := s.visitor().do("POST", "/v1/conversations/"+c.ID+"/surfaces/form:customer/regenerate", ""); a.StatusCode != 401 {
		t.Errorf("a stranger: %d", a.StatusCode)
	}

	// A stale action says where to go.
	sf := c.state().Surface("form:customer")
	c.do("POST", "/v1/-/surfaces/form:customer/regenerate", "")
	a := c.do("POST", "/v1/-/events", `{"version":"v0.9","action":{"name":"limn.submit","surfaceId":"`+sf.WireID()+
		`","sourceComponentId":"c#main/buttons/submit:Button","timestamp":"2026-11-20T09:30:00Z","context":{"limn_nonce":"`+sf.Nonce+`","limn_rev":1}}}`, "Content-Type", "application/json")
	var problem struct{ Code, Regenerate string }
	a.into(t, &problem)
	if problem.Code != "A2UI_C2S_SURFACE_STALE" ||
		problem.Regenerate != "/v1/conversations/"+c.ID+"/surfaces/form:customer/regenerate" {
		t.Errorf("%d %s", a.StatusCode, a.body)
	}
	if a := c.do("POST", problem.Regenerate, ""); a.StatusCode != 200 {
		t.Errorf("%d %s", a.StatusCode, a.body)
	}
	c.say("Regenerate")
	if n := c.state().Surface("form:customer").Epoch; n < 8 {
		t.Errorf("epoch %d after the word in the chat", n)
	}
}
