package web_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/limn-ui/limn"
	"github.com/limn-ui/limn/internal/recovery"
	"github.com/limn-ui/limn/internal/transport/web"
	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/store/memory"
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
		{"no revision", edited(`"limn_rev":REV`, `"limn_rev":0`), web.Problem{Code: "A2UI_C2S_SURFACE_STALE", Path: "/context/limn_rev",
			Detail: "the action has no revision", Hint: "send limn_rev as the surface's data has it"}},
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
			if o := log.Frames[len(log.Frames)-1].Outcome; o.Detail != tt.want.Detail || o.Hint != tt.want.Hint ||
				string(o.Path) != tt.want.Path {
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
		return c.post("/c/-/actions", map[string][]string{"limn_surface": {sf.WireID()}, "limn_nonce": {sf.Nonce},
			"limn_rev":       {utoa(sf.Rev)},
			"limn_component": {"c#main/buttons/submit:Button"}, "/draft/company": {name}})
	}
	c.browse(form("Ada"))
	for _, a := range []answer{form("Grace"),
		c.do("POST", events, click(sf, "submit", map[string]any{"company": "Grace"}), "Content-Type",
			"application/json")} {
		if body := string(a.body); a.StatusCode != 409 ||
			!strings.Contains(body, "What you sent just now was not taken.") || strings.Contains(body, "is kept") {
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
	for name, want := range map[string]string{"form:nobody": "this conversation has no surface form:nobody",
		"Form%20": "no surface has such a name"} {
		var p web.Problem
		c.do("POST", "/v1/-/surfaces/"+name+"/regenerate", "").into(t, &p)
		if p.Code != "HTTP_NOT_FOUND" || p.Path != "name" || p.Detail != want || p.Hint == "" {
			t.Errorf("%s: %+v", name, p)
		}
	}
}

// TestEnvelopesSayWhatIsWrong: an envelope that is not taken is told its fault,
// its place, and where the kind is wrong the kinds there are.
func TestEnvelopesSayWhatIsWrong(t *testing.T) {
	t.Parallel()
	c := start(t).program()
	const action = `"surfaceId":"s#e=1","sourceComponentId":"c","timestamp":"2026-11-20T10:00:00Z","context":{}`
	const kinds = "want exactly one of action, error and userAction"
	for body, want := range map[string]web.Problem{
		`{}`:                 {Detail: "the message says nothing: it has no member beside the version", Hint: kinds},
		`{"version":"v0.9"}`: {Detail: "the message says nothing: it has no member beside the version", Hint: kinds},
		`{"version":"v0.9","action":{},"error":{}}`:                        {Detail: "the message has 2 members beside the version, action and error, want one", Hint: kinds},
		`{"version":"v0.9","click":{}}`:                                    {Detail: `unknown message "click"`, Hint: kinds},
		`{"action":{}}`:                                                    {Detail: `unknown message "action"`, Hint: kinds},
		`{"version":"v7","action":{}}`:                                     {Path: "/version", Detail: `unknown version "v7"`, Hint: kinds},
		`{"version":"v0.9","action":{"name":"",` + action + `}}`:           {Path: "/name", Detail: "the action has no name", Hint: "send the name that the message of its component declares"},
		`{"userAction":{"name":"",` + action + `}}`:                        {Path: "/name", Detail: "the action has no name", Hint: "send the name that the message of its component declares"},
		`{"version":"v0.9","action":{` + action + `}}`:                     {Path: "/name", Detail: "action lacks name", Hint: "post what the renderer fires, unchanged"},
		`{"version":"v0.9","error":{"code":"X","surfaceId":"s#e=1"}}`:      {Path: "/message", Detail: "an error needs a message", Hint: "post what the renderer fires, unchanged"},
		`{"version":"v0.9","` + strings.Repeat("x", 10_000) + `":{"a":1}}`: {Detail: `unknown message "` + strings.Repeat("x", 239), Hint: kinds},
	} {
		var p web.Problem
		a := c.do("POST", events, body)
		a.into(t, &p)
		if hint, _, _ := strings.Cut(p.Hint, ":"); a.StatusCode != 400 || p.Code != "A2UI_C2S_ENVELOPE_INVALID" ||
			p.Path != want.Path || p.Detail != want.Detail || hint != want.Hint ||
			want.Hint == kinds && !strings.Contains(p.Hint, "callAgentFunction") {
			t.Errorf("%.80s: %s", body, a.body)
		}
	}
}

// TestOneSender: a request that says twice who sends it is nobody's, whichever
// of the two is right.
func TestOneSender(t *testing.T) {
	t.Parallel()
	c := start(t).program()
	for _, path := range []string{"GET /v1/-/state", "POST /v1/-/messages", "POST /v1/conversations", "GET /c/-"} {
		method, at, _ := strings.Cut(path, " ")
		r := c.Request(method, at, strings.NewReader(`{"text":"hello"}`))
		r.Header.Add("Authorization", "Bearer "+c.Token)
		if p := c.send(r).problem(t); p.Status != 401 && at != "/c/-" || p.Status != 404 && at == "/c/-" {
			t.Errorf("%s: %d %s", path, p.Status, p.Code)
		}
	}
	if n := c.state().Seq; n != 0 {
		t.Errorf("%d frames", n)
	}
}

// TestQueriesThatCannotBeRead: a cursor, or the name of a drawing, that is not
// encoded as it should be is not taken for none.
func TestQueriesThatCannotBeRead(t *testing.T) {
	t.Parallel()
	c := start(t).program()
	c.HTTP.Timeout = 10 * time.Second // of a stream that was opened instead
	for _, query := range []string{"after=%zz", "version=%", "version=v0.9;after=1"} {
		for _, path := range []string{"GET /v1/-/stream?", "GET /v1/-/ws?", "GET /v1/-/a2ui?", "GET /v1/-/state?",
			"GET /v1/-/frames?", "GET /v1/-/preferences?", "GET /v1/-/guardrails?", "POST /v1/-/messages?"} {
			method, at, _ := strings.Cut(path, " ")
			var p web.Problem
			c.do(method, at+query, `{"text":"hello"}`, "Content-Type", "application/json").into(t, &p)
			if p.Status != 400 || p.Path != "query" || p.Hint == "" {
				t.Errorf("%s%s: %+v", path, query, p)
			}
		}
	}
}

// TestContentCodings: a body that says it is compressed is not read as it is.
func TestContentCodings(t *testing.T) {
	t.Parallel()
	c := start(t).program()
	contentType, upload := multi(t, part{"file", "a.txt", "hello"})
	for _, tt := range []struct{ method, path, contentType, body string }{
		{"POST", messages, "application/json", `{"text":"hello"}`}, {"POST", events, "application/json", `{}`}, {"PUT", optOut, "application/json", `{}`},
		{"POST", "/v1/-/uploads", contentType, upload}, {"POST", "/c/-/uploads", contentType, upload},
		{"POST", "/c/-/messages", "application/x-www-form-urlencoded", "text=hello"}, {"POST", actions, "application/x-www-form-urlencoded", "a=b"},
	} {
		for _, coding := range []string{"gzip", "identity, br"} {
			if p := c.do(tt.method, tt.path, tt.body, "Content-Type", tt.contentType, "Content-Encoding",
				coding).problem(t); p.Status != 415 || p.Code != "HTTP_MEDIA_TYPE" {
				t.Errorf("%s %s: %d %s", coding, tt.path, p.Status, p.Code)
			}
		}
	}
	if a := c.do("POST", messages, `{"text":"hello"}`, "Content-Encoding", "identity", "Prefer", "wait=10"); a.StatusCode != 200 || c.state().Seq != 1 {
		t.Errorf("identity: %d %s", a.StatusCode, a.body)
	}
}

// TestUploadSaysWhatIsWrong: two files in one upload, and a place that takes no
// file, are named.
func TestUploadSaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	c := start(t).program()
	c.say("add a character")
	sf := c.state().Surface("form:character")
	to := func(path string, more ...part) []part {
		return append(more, part{"limn_surface", "", sf.WireID()}, part{"limn_nonce", "", sf.Nonce},
			part{"limn_path", "", path}, part{"file", "card.json", "{}"})
	}
	for name, tt := range map[string]struct {
		parts  []part
		path   string
		detail string
	}{
		"two files":            {to("/draft/card", part{"file", "other.json", "[]"}), "file", "two parts of one name"},
		"two paths":            {to("/draft/card", part{"limn_path", "", "/draft/nickname"}), "limn_path", "two parts of one name"},
		"no upload field":      {to("/draft/nickname"), "limn_path", "no upload field of this form is bound there"},
		"nothing stands there": {to("/draft/none"), "limn_path", "no upload field of this form is bound there"},
	} {
		var p web.Problem
		c.upload("/v1/-/uploads", nil, tt.parts...).into(t, &p)
		if p.Status != 400 || p.Code != "A2UI_C2S_ENVELOPE_INVALID" || p.Path != tt.path || p.Detail != tt.detail ||
			p.Hint == "" {
			t.Errorf("%s: %+v", name, p)
		}
	}
	var p web.Problem
	c.upload("/v1/-/uploads", nil, part{"limn_surface", "", sf.WireID()}, part{"limn_nonce", "", "x"},
		part{"limn_path", "", "/draft/card"}, part{"file", "card.json", "{}"}).into(t, &p)
	if p.Status != 403 || p.Code != "A2UI_C2S_ACTION_FORBIDDEN" || p.Path != "limn_nonce" ||
		p.Hint != "reload, and send the fields of the form as it is drawn now" {
		t.Errorf("a wrong nonce: %+v", p)
	}
	if got := c.leaf("form:character", "/draft/card"); got != "" {
		t.Errorf("the form holds %q", got)
	}
	if a := c.upload("/v1/-/uploads", nil, to("/draft/card")...); a.StatusCode != 200 {
		t.Errorf("%d %s", a.StatusCode, a.body)
	}
}

// TestCrookedPaths: a path that leads elsewhere than it says is nowhere, and no
// client is sent on with its post.
func TestCrookedPaths(t *testing.T) {
	t.Parallel()
	c := start(t).program()
	for _, path := range []string{"/v1/-/surfaces/../regenerate", "/v1/-/surfaces/./regenerate", "/v1/-//messages",
		"/c//", "/v1//x", "/v1/conversations/./x/state"} {
		for _, method := range []string{"GET", "POST"} {
			if p := c.do(method, path, "").problem(t); p.Status != 404 || p.Code != "HTTP_NOT_FOUND" {
				t.Errorf("%s %s: %d %s", method, path, p.Status, p.Code)
			}
		}
	}
}

// hung is a model that answers when it is stopped.
type hung struct{ asked chan struct{} }

func (m *hung) Ask(ctx context.Context, _ llm.Request) (llm.Reply, error) {
	m.asked <- struct{}{}
	<-ctx.Done()
	return llm.Reply{}, ctx.Err()
}

// TestRefusedWhileItWaited: who waited for an answer, and who comes back for it,
// are told why there is none.
func TestRefusedWhileItWaited(t *testing.T) {
	t.Parallel()
	m := &hung{make(chan struct{}, 1)}
	c := start(t, func(cfg *limn.Config) { cfg.Model = m }).program()
	post := func() answer {
		return c.do("POST", messages, `{"text":"tell me a story"}`, "Idempotency-Key", "k", "Prefer", "wait=30")
	}
	waited := make(chan answer, 1)
	go func() { waited <- post() }()
	<-m.asked
	if a := c.do("POST", "/v1/-/end", ""); a.StatusCode != 204 {
		t.Fatalf("%d %s", a.StatusCode, a.body)
	}
	for _, a := range []answer{<-waited, post()} {
		var p web.Problem
		if a.into(t, &p); p.Status != 410 || p.Code != ui.CodeEnded || p.Detail != "the conversation has ended" ||
			p.Event == "" {
			t.Errorf("%d %s", a.StatusCode, a.body)
		}
	}
}

// slowOpen is a store whose reading of a conversation takes until the request ends.
type slowOpen struct {
	store.Store
	asked chan struct{}
}

func (s *slowOpen) Open(ctx context.Context, _ string) (store.Head, error) {
	s.asked <- struct{}{}
	<-ctx.Done()
	return store.Head{}, ctx.Err()
}

// TestStopsBeforeTheRecord: who sends while the server stops is told to send again.
func TestStopsBeforeTheRecord(t *testing.T) {
	t.Parallel()
	st := &slowOpen{memory.New(), make(chan struct{})}
	stops := start(t, func(c *limn.Config) { c.Store = st })
	c := stops.as(start(t, func(c *limn.Config) { c.Store = st.Store }).program())
	go func() {
		<-st.asked
		stops.srv.Close(t.Context()) //nolint:errcheck // nothing runs
	}()
	if a := c.do("POST", "/v1/-/messages", `{"text":"hello"}`); a.StatusCode != 503 ||
		a.problem(t).Code != recovery.CodeDraining || a.Header.Get("Retry-After") == "" {
		t.Errorf("%d %v %s", a.StatusCode, a.Header, a.body)
	}
}
