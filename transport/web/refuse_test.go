package web_test

import (
	"strings"
	"testing"

	"github.com/limn-ui/limn/transport/web"
	"github.com/limn-ui/limn/ui"
)

// TestRefusalsSayWhy: what a turn refuses is answered with what was wrong, where,
// and what to do; again under the same key, and in the frame's outcome too.
func TestRefusalsSayWhy(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		body func(*testing.T, *client) string
		want web.Problem // Code, Path, Detail and Hint
	}{
		{"wrong nonce", edited(`"NONCE"`, `"00"`), web.Problem{Code: "A2UI_C2S_ACTION_FORBIDDEN", Path: "/context/limn_nonce",
			Detail: "the action does not come from this form", Hint: "send the context of the button as its newest message has it"}},
		{"stale revision", edited(`"limn_rev":REV`, `"limn_rev":0`), web.Problem{Code: "A2UI_C2S_SURFACE_STALE", Path: "/context/limn_rev",
			Detail: "the form changed since", Hint: "what you typed is kept; check it and send it again"}},
		{"a revision to come", edited(`"limn_rev":REV`, `"limn_rev":99`), web.Problem{Code: "A2UI_C2S_ENVELOPE_INVALID", Path: "/context/limn_rev",
			Detail: "a revision that does not exist yet", Hint: "send limn_rev as the surface's data has it"}},
		{"stale epoch", edited(`#e=1`, `#e=2`), web.Problem{Code: "A2UI_C2S_SURFACE_STALE", Path: "/surfaceId",
			Detail: "this form is no longer there", Hint: "reload, or ask for it again"}},
		{"foreign component", edited(`"sourceComponentId":"`, `"sourceComponentId":"x`), web.Problem{Code: "A2UI_C2S_ACTION_FORBIDDEN", Path: "/sourceComponentId",
			Detail: "no action stands there", Hint: "send the id of the button that was pressed"}},
		{"another action", edited(`"limn.submit"`, `"hooked"`), web.Problem{Code: "A2UI_C2S_ACTION_FORBIDDEN", Path: "/name",
			Detail: "another action stands on that component", Hint: "send the name that its message declares"}},
		{"a value that is too large", edited(`"notes":"typed"`, `"notes":"`+strings.Repeat("x", 100<<10)+`"`), web.Problem{Code: "A2UI_C2S_CONTEXT_TOO_LARGE", Path: "/context/notes",
			Detail: "the value has more than 65536 bytes", Hint: "shorten it"}},
		{"another answer", answered, web.Problem{Code: "A2UI_C2S_SURFACE_SUBMITTED", Path: "/surfaceId",
			Detail: "this form is submitted", Hint: "nothing was submitted twice; ask for it again to send something else"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := start(t).program()
			c.say("add a customer")
			body := tt.body(t, c)
			first := c.do("POST", events, body, "Idempotency-Key", "k")
			var p web.Problem
			first.into(t, &p)
			if got := (web.Problem{Code: p.Code, Path: p.Path, Detail: p.Detail, Hint: p.Hint}); got != tt.want {
				t.Errorf("answered %+v\nwant     %+v", got, tt.want)
			}
			if again := c.do("POST", events, body, "Idempotency-Key", "k"); string(again.body) != string(first.body) {
				t.Errorf("the same key is answered\n%s, then\n%s", first.body, again.body)
			}
			var log struct{ Frames []ui.Frame }
			c.do("GET", "/v1/-/frames", "").into(t, &log)
			if o := log.Frames[len(log.Frames)-1].Outcome; o.Detail != tt.want.Detail || o.Hint != tt.want.Hint || string(o.Path) != tt.want.Path {
				t.Errorf("the frame says %+v", o)
			}
		})
	}
}

// TestAnsweredFormKeepsNothing: a second answer to a form is told that it was not
// taken, by a program and on a page, and the first one stands.
func TestAnsweredFormKeepsNothing(t *testing.T) {
	t.Parallel()
	c := start(t).visitor()
	c.browse(c.do("GET", "/", ""))
	c.say("add a customer")
	sf := c.state().Surface("form:customer")
	form := func(name string) answer {
		return c.post("/c/-/actions", map[string][]string{"limn_surface": {sf.WireID()}, "limn_nonce": {sf.Nonce}, "limn_rev": {utoa(sf.Rev)},
			"limn_component": {"c#main/buttons/submit:Button"}, "/draft/company": {name}})
	}
	c.browse(form("Ada"))
	for _, a := range []answer{form("Grace"), c.do("POST", events, click(sf, "submit", map[string]any{"company": "Grace"}), "Content-Type", "application/json")} {
		if body := string(a.body); a.StatusCode != 409 || !strings.Contains(body, "What you sent just now was not taken.") || strings.Contains(body, "is kept") {
			t.Errorf("%d %s", a.StatusCode, body)
		}
	}
	if got := c.leaf("form:customer", "/draft/company"); got != "Ada" {
		t.Errorf("the form holds %q", got)
	}
}

// TestRegenerateNobody: a surface that is not there is named.
func TestRegenerateNobody(t *testing.T) {
	t.Parallel()
	c := start(t).program()
	for name, want := range map[string]string{"form:nobody": "this conversation has no surface form:nobody", "Form%20": "no surface has such a name"} {
		var p web.Problem
		c.do("POST", "/v1/-/surfaces/"+name+"/regenerate", "").into(t, &p)
		if p.Code != "HTTP_NOT_FOUND" || p.Path != "name" || p.Detail != want || p.Hint == "" {
			t.Errorf("%s: %+v", name, p)
		}
	}
}
