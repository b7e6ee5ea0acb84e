package web_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/limn-ui/limn"
	"github.com/limn-ui/limn/a2ui"
	renderer "github.com/limn-ui/limn/a2ui/client"
	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/store/memory"
	"github.com/limn-ui/limn/ui"
)

// TestRoutes asks every address with every method: what is not declared is 404
// or 405 with a code, and nothing is 500.
func TestRoutes(t *testing.T) {
	t.Parallel()
	c := start(t, withAssets).program()
	c.say("add a customer")
	for _, tt := range []struct {
		path  string
		takes string
		code  map[string]int // method → status
	}{
		{"/v1/conversations", "GET, HEAD, POST", map[string]int{"GET": 200, "HEAD": 200, "POST": 201}},
		{"/v1/-/messages", "POST", map[string]int{"POST": 400}},
		{"/v1/-/events", "POST", map[string]int{"POST": 400}},
		{"/v1/-/uploads", "POST", map[string]int{"POST": 415}},
		{"/v1/-/cancel", "POST", map[string]int{"POST": 204}},
		{"/c/-/cancel", "POST", map[string]int{"POST": 303}},
		{"/v1/-/a2ui", "GET, HEAD", map[string]int{"GET": 200, "HEAD": 200}},
		{"/v1/-/state", "GET, HEAD", map[string]int{"GET": 200, "HEAD": 200}},
		{"/v1/-/frames", "GET, HEAD", map[string]int{"GET": 200, "HEAD": 200}},
		{"/v1/-/stream", "GET, HEAD", map[string]int{"HEAD": 200}},
		{"/v1/-/preferences", "GET, HEAD", map[string]int{"GET": 200, "HEAD": 200}},
		{"/v1/-/preferences/opt_out", "PUT", map[string]int{"PUT": 400}},
		{"/v1/-/preferences/preferred_ui", "PUT", map[string]int{"PUT": 400}},
		{"/v1/-/preferences/max_iterations", "PUT", map[string]int{"PUT": 400}},
		{"/v1/-/guardrails", "GET, HEAD, POST", map[string]int{"GET": 200, "HEAD": 200, "POST": 400}},
		{"/v1/-/guardrails/g1", "DELETE, PUT", map[string]int{"PUT": 400, "DELETE": 404}},
		{"/c/-/preferences", "GET, HEAD, POST", map[string]int{"GET": 200, "HEAD": 200, "POST": 400}},
		{"/", "GET, HEAD", map[string]int{"GET": 303, "HEAD": 200}},
		{"/c", "POST", map[string]int{"POST": 303}},
		{"/c/-", "GET, HEAD", map[string]int{"GET": 200, "HEAD": 200}},
		{"/c/-/messages", "POST", map[string]int{"POST": 400}},
		{"/c/-/actions", "POST", map[string]int{"POST": 400}},
		{"/c/-/uploads", "POST", map[string]int{"POST": 415}},
		{"/c/-/upload", "GET, HEAD", map[string]int{"GET": 409, "HEAD": 409}},
		{"/p/x/y/1/z.svg", "GET, HEAD", map[string]int{"GET": 404, "HEAD": 404}},
		{"/assets/html.js", "GET, HEAD", map[string]int{"GET": 200, "HEAD": 200}},
		{"/healthz", "GET, HEAD", map[string]int{"GET": 200, "HEAD": 200}},
		{"/readyz", "GET, HEAD", map[string]int{"GET": 200, "HEAD": 200}},
		{"/conversations", "GET, HEAD", map[string]int{"GET": 200, "HEAD": 200}},
		{"/c/-/label", "POST", map[string]int{"POST": 303}},
		{"/v1/-/end", "POST", map[string]int{"POST": 204}},
		{"/v1/-", "DELETE, PATCH", map[string]int{"PATCH": 415, "DELETE": 204}},
		{"/c/-/delete", "GET, HEAD, POST", map[string]int{"GET": 404, "HEAD": 404, "POST": 404}},
	} {
		for _, method := range []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"} {
			want, ok := tt.code[method]
			if !ok && method == tt.takes {
				continue
			}
			if !ok {
				want = 405
			}
			if method == "GET" && strings.HasSuffix(tt.path, "/stream") {
				continue // TestStream…
			}
			a := c.do(method, tt.path, "")
			if a.StatusCode != want {
				t.Errorf("%s %s: %d, want %d: %.200s", method, tt.path, a.StatusCode, want, a.body)
			}
			if want != 405 {
				continue
			}
			if got := a.Header.Get("Allow"); got != tt.takes {
				t.Errorf("%s %s: Allow %q, want %q", method, tt.path, got, tt.takes)
			}
			if method != "HEAD" {
				if p := a.problem(t); p.Code != "HTTP_METHOD_NOT_ALLOWED" {
					t.Errorf("%s %s: %s", method, tt.path, p.Code)
				}
			}
		}
	}
	for _, path := range []string{"/v1", "/v1/", "/v1/conversations/", "/x", "/c/", "/c/-/", "/c/-/x", "/assets/",
		"/assets/none.js",
		"/assets/sub", "/assets/sub/secret.txt", "/assets/..%2f..%2fgo.mod", "/assets/index.html", "/favicon.ico",
		"/healthz/x"} {
		if p := c.do("GET", path, "").problem(t); p.Code != "HTTP_NOT_FOUND" || p.Status != 404 {
			t.Errorf("GET %s: %d %s", path, p.Status, p.Code)
		}
	}
}

// TestPrincipals: a conversation is its owner's only, by cookie or by bearer.
func TestPrincipals(t *testing.T) {
	t.Parallel()
	s := start(t)
	owner, other, nobody := s.program(), s.program(), s.visitor()
	owner.say("add a customer")
	cookie := s.visitor() // the same token as a cookie
	cookie.ID = owner.ID
	stranger := s.visitor() // somebody else's cookie
	stranger.ID, nobody.ID = owner.ID, owner.ID
	mine := other.ID
	other.ID = owner.ID
	reads := []string{"/v1/-/a2ui", "/v1/-/state", "/v1/-/frames", "/v1/-/stream", "/v1/-/preferences",
		"/v1/-/guardrails"}
	posts := []string{"/v1/-/messages", "/v1/-/events", "/v1/-/uploads", "/v1/-/cancel"}
	for _, tt := range []struct {
		name    string
		who     *client
		headers []string
		read    int
	}{
		{"cookie", cookie, []string{"Cookie", "limn=" + owner.Token}, 200},
		{"bearer", owner, nil, 200},
		{"bearer, scheme in lower case", owner, []string{"Authorization", "bearer " + owner.Token}, 200},
		{"none", nobody, nil, 401},
		{"somebody else's bearer", other, nil, 404},
		{"somebody else's cookie", stranger, []string{"Cookie", "limn=" + other.Token}, 404},
		{"not base64", nobody, []string{"Authorization", "Bearer !!!"}, 401},
		{"too short", nobody, []string{"Authorization", "Bearer AAAA"}, 401},
		{"another scheme", nobody, []string{"Authorization", "Basic " + owner.Token}, 401},
		{"malformed cookie", nobody, []string{"Cookie", "limn=x"}, 401},
		{"a wrong bearer beside a right cookie", nobody, []string{"Authorization", "Bearer x", "Cookie", "limn=" + owner.Token}, 401},
	} {
		for _, path := range append(reads, posts...) {
			if tt.read == 200 && !strings.HasSuffix(path, "state") {
				continue
			}
			method := "GET"
			if !strings.Contains(strings.Join(reads, " "), path) {
				method = "POST"
			}
			a := tt.who.do(method, path, `{"text":"hello"}`, tt.headers...)
			want := tt.read
			if strings.HasSuffix(path, "uploads") && want == 404 {
				want = 404 // before the body is looked at
			}
			if strings.HasSuffix(path, "events") && want == 404 {
				want = 400 // the envelope is decoded first; nothing is said about the conversation
			}
			if a.StatusCode != want {
				t.Errorf("%s: %s %s: %d, want %d: %s", tt.name, method, path, a.StatusCode, want, a.body)
			}
			if want == 401 && a.Header.Get("WWW-Authenticate") == "" {
				t.Errorf("%s: 401 without WWW-Authenticate", tt.name)
			}
		}
		// pages say nothing about who owns them
		for _, path := range []string{"/c/-", "/c/-/upload?surface=form:customer%23e=1&path=/draft/company"} {
			if a := tt.who.do("GET", path, "", tt.headers...); tt.read != 200 && a.StatusCode != 404 {
				t.Errorf("%s: GET %s: %d, want 404", tt.name, path, a.StatusCode)
			}
		}
	}
	other.ID = mine
	if got := owner.state().Seq; got != 1 {
		t.Errorf("strangers moved the conversation to %d", got)
	}
	for _, id := range []string{"none", "0", "019f42a6-6a2b-7c41-9f2b-0d9a3b1c5e77", "%00", "..%2f..",
		strings.Repeat("x", 1000), "%ff%fe"} {
		if a := owner.do("GET", "/v1/conversations/"+id+"/state", ""); a.StatusCode != 404 {
			t.Errorf("conversation %.20q: %d %s", id, a.StatusCode, a.body)
		}
	}
}

// TestCreate: who has no token gets one, who has one keeps it, and a bearer
// that is none is not silently replaced.
func TestCreate(t *testing.T) {
	t.Parallel()
	s := start(t)
	v := s.visitor()
	a := v.do("POST", "/v1/conversations", "")
	var made struct{ ID, Token string }
	a.into(t, &made)
	set := a.Header.Get("Set-Cookie")
	for _, want := range []string{"limn=" + made.Token, "Path=/", "HttpOnly", "SameSite=Lax", "Max-Age="} {
		if !strings.Contains(set, want) {
			t.Errorf("cookie %q lacks %q", set, want)
		}
	}
	if strings.Contains(set, "Secure") {
		t.Error("Secure without TLS: a browser would not send it back")
	}
	a = v.do("POST", "/v1/conversations", "") // the jar has it now
	var again struct{ ID, Token string }
	if a.into(t, &again); again.Token != made.Token || again.ID == made.ID || a.Header.Get("Set-Cookie") != "" {
		t.Errorf("second conversation: %+v, cookie %q", again, a.Header.Get("Set-Cookie"))
	}
	if p := v.do("POST", "/v1/conversations", "", "Authorization", "Bearer nonsense").problem(t); p.Code != "HTTP_UNAUTHORIZED" {
		t.Errorf("a malformed bearer: %s", p.Code)
	}
	secure := start(t, func(c *limn.Config) { c.Base = "https://desk.example" })
	a = secure.visitor().do("POST", "/v1/conversations", "")
	if set := a.Header.Get("Set-Cookie"); !strings.Contains(set, "Secure") {
		t.Errorf("cookie %q is not Secure though browsers come by https", set)
	}
	if got := a.Header.Get("Strict-Transport-Security"); got != "max-age=15552000" {
		t.Errorf("Strict-Transport-Security %q though browsers come by https", got)
	}
	// a redirect that carries a new token is nobody else's to keep
	for _, v := range []*client{s.visitor(), secure.visitor()} {
		a := v.do("GET", "/", "")
		if a.StatusCode != 303 || a.Header.Get("Set-Cookie") == "" || a.Header.Get("Cache-Control") != "no-store" {
			t.Errorf("GET /: %d %v", a.StatusCode, a.Header)
		}
	}
	if got := v.do("GET", "/healthz", "").Header.Get("Strict-Transport-Security"); got != "" {
		t.Errorf("Strict-Transport-Security %q without https", got)
	}
}

func TestIdempotencyKey(t *testing.T) {
	t.Parallel()
	c := start(t).program()
	post := func(key, text string) answer {
		return c.do("POST", "/v1/-/messages", `{"text":"`+text+`"}`, "Idempotency-Key", key, "Prefer", "wait=10")
	}
	first := post("k 1", "add a customer")
	if again := post("k 1", "add a customer"); again.StatusCode != 200 || string(again.body) != string(first.body) {
		t.Errorf("the same again: %d %s, first %s", again.StatusCode, again.body, first.body)
	}
	if p := post("k 1", "something else").problem(t); p.Code != "HTTP_KEY_REUSED" || p.Status != 422 {
		t.Errorf("another body: %d %s", p.Status, p.Code)
	}
	if got := c.state().Seq; got != 1 {
		t.Errorf("seq %d after one message posted three times", got)
	}
	for key, want := range map[string]int{"a": 200, strings.Repeat("k", 128): 200, "!~": 200, "": 400,
		strings.Repeat("k", 129): 400, "ä": 400, "a\tb": 400} {
		if a := post(key, "hello"); a.StatusCode != want {
			t.Errorf("key %.10q (%d bytes): %d, want %d", key, len(key), a.StatusCode, want)
		} else if want == 400 {
			if p := a.problem(t); p.Code != "HTTP_KEY_INVALID" {
				t.Errorf("key %.10q: %s", key, p.Code)
			}
		}
	}
	r := c.Request("POST", "/v1/-/messages", strings.NewReader(`{"text":"hello"}`))
	r.Header["Idempotency-Key"] = []string{"one", "two"}
	if p := c.send(r).problem(t); p.Code != "HTTP_KEY_INVALID" {
		t.Errorf("two keys: %s", p.Code)
	}
	other := c.site.program() // keys belong to a conversation
	if a := other.do("POST", "/v1/-/messages", `{"text":"hello"}`, "Idempotency-Key", "k 1", "Prefer", "wait=10"); a.StatusCode != 200 {
		t.Errorf("another conversation's key: %d", a.StatusCode)
	}
}

// TestPrefer: how long a post waits is the client's to say, and a second post
// with a pending key waits for the first one's answer.
func TestPrefer(t *testing.T) {
	t.Parallel()
	name := t.Name()
	g := newGate(t, name)
	c := start(t).program()
	c.say("add a ticket")
	body := action(t, c, "form:ticket", map[string]string{"name": name}, builtin.ActionSubmit)
	type got struct{ answer }
	results := make(chan got, 2)
	go func() { results <- got{c.do("POST", "/v1/-/events", body, "Prefer", "respond-async, wait=30")} }()
	<-g.entered
	close(g.leave)
	first := <-results
	if first.StatusCode != 200 || !strings.Contains(string(first.body), `"done"`) {
		t.Fatalf("%d %s", first.StatusCode, first.body)
	}
	for _, prefer := range []string{"wait=0", "wait=-1", "wait=x", "wait=99999999999999999999",
		"wait=9223372036854775807", ""} {
		if a := c.do("POST", "/v1/-/events", body, "Prefer", prefer); a.StatusCode != 200 ||
			string(a.body) != string(first.body) {
			t.Errorf("Prefer %q: %d %s, want the first answer", prefer, a.StatusCode, a.body)
		}
	}
	// the model answers; as long as that takes is waited
	for _, prefer := range []string{"wait=9223372036854775807", "WAIT=60", "x=1, wait=60"} {
		if a := c.do("POST", messages, `{"text":"what is new?"}`, "Prefer", prefer); a.StatusCode != 200 {
			t.Errorf("Prefer %q: %d, want 200", prefer, a.StatusCode)
		}
	}
	if len(g.entered) != 0 {
		t.Error("the handler ran twice for one click")
	}
}

func TestContentTypes(t *testing.T) {
	t.Parallel()
	c := start(t).program()
	for _, tt := range []struct {
		path, ct, body string
		want           int
	}{
		{"/v1/-/messages", "application/json", `{"text":"hello"}`, 200},
		{"/v1/-/messages", "application/json; charset=utf-8", `{"text":"hello"}`, 200},
		{"/v1/-/messages", "application/a2ui+json", `{"text":"hello"}`, 200},
		{"/v1/-/messages", "-", `{"text":"hello"}`, 415},
		{"/v1/-/messages", "text/plain", `{"text":"hello"}`, 415},
		{"/v1/-/messages", "application/x-www-form-urlencoded", `text=hello`, 415},
		{"/v1/-/messages", ";;", `{"text":"hello"}`, 415},
		{"/v1/-/events", "text/json", `{}`, 415},
		{"/v1/-/uploads", "application/json", `{}`, 415},
		{"/v1/-/uploads", "multipart/form-data", `x`, 415},
		{"/c/-/messages", "application/json", `{"text":"hello"}`, 415},
		{"/c/-/messages", "text/plain", `text=hello`, 415},
		{"/c/-/messages", "application/x-www-form-urlencoded;charset=utf-8", `text=hello`, 303},
		{"/c/-/actions", "multipart/mixed; boundary=x", `x`, 415},
		{"/c/-/uploads", "application/x-www-form-urlencoded", `x=y`, 415},
		{"/c", "application/json", `{}`, 415},
	} {
		a := c.do("POST", tt.path, tt.body, "Content-Type", tt.ct, "Prefer", "wait=10")
		if a.StatusCode != tt.want {
			t.Errorf("%s %q: %d, want %d: %s", tt.path, tt.ct, a.StatusCode, tt.want, a.body)
		} else if tt.want == 415 {
			if p := a.problem(t); p.Code != "HTTP_MEDIA_TYPE" {
				t.Errorf("%s %q: %s", tt.path, tt.ct, p.Code)
			}
		}
	}
}

// TestNegotiation: a browser's navigation is answered with a page, everything
// else with problem+json; the API never answers with a page.
func TestNegotiation(t *testing.T) {
	t.Parallel()
	c := start(t, withAssets).program()
	const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
	for _, tt := range []struct {
		path, accept string
		page         bool
	}{
		{"/nowhere", browser, true}, {"/nowhere", "*/*", false}, {"/nowhere", "application/json", false}, {"/nowhere", "-", false},
		{"/c/none", browser, true}, {"/c/none", "text/vnd.turbo-stream.html, text/html", false},
		{"/v1/conversations/none/state", browser, false}, {"/assets/none", browser, true},
	} {
		a := c.do("GET", tt.path, "", "Accept", tt.accept)
		if a.StatusCode != 404 {
			t.Errorf("%s: %d", tt.path, a.StatusCode)
		}
		ct := a.Header.Get("Content-Type")
		if page := strings.HasPrefix(ct, "text/html"); page != tt.page {
			t.Errorf("%s for %q: %s", tt.path, tt.accept, ct)
		} else if page && (!strings.Contains(string(a.body), "HTTP_NOT_FOUND") ||
			!strings.Contains(string(a.body), `href="/"`)) {
			t.Errorf("%s: no code or no way back: %s", tt.path, a.body)
		}
	}
}

// TestTargets: what is not enabled answers 406 and names what is.
func TestTargets(t *testing.T) {
	t.Parallel()
	c := start(t, func(c *limn.Config) { c.Targets = []string{"v0.8", "html"} }).program()
	for _, path := range []string{"/v1/-/a2ui?version=v0.9", "/v1/-/state?version=v9", "/v1/-/stream?version=x",
		"/c/-?draw=v0.9"} {
		a := c.do("GET", path, "")
		if p := a.problem(t); p.Status != 406 || p.Code != "HTTP_TARGET_NOT_ENABLED" {
			t.Errorf("%s: %d %s", path, p.Status, p.Code)
		}
		if !strings.Contains(string(a.body), "v0.8, html") {
			t.Errorf("%s does not name what is enabled: %s", path, a.body)
		}
	}
	for _, path := range []string{"/v1/-/stream?version=html&format=a2ui", "/v1/-/stream?format=xml",
		"/v1/-/stream?framing=each", "/v1/-/stream?updates=none", "/v1/-/stream?transport=carrier-pigeon"} {
		if p := c.do("GET", path, "").problem(t); p.Status != 406 || p.Code != "HTTP_FORMAT" {
			t.Errorf("%s: %d %s", path, p.Status, p.Code)
		}
	}
	before := c.state().Seq
	if p := c.do("POST", "/v1/-/messages?version=v0.9", `{"text":"hello"}`).problem(t); p.Status != 406 ||
		c.state().Seq != before {
		t.Errorf("a post for a drawing that is not there: %d, seq %d → %d", p.Status, before, c.state().Seq)
	}
	if a := c.do("GET", "/v1/-/a2ui", ""); !strings.Contains(a.Header.Get("Content-Type"), "jsonl") {
		t.Errorf("without version and without v0.9 the first drawing is meant, got %s", a.Header.Get("Content-Type"))
	}
	if a := c.do("GET", "/v1/-/a2ui?version=html", ""); !strings.Contains(a.Header.Get("Content-Type"), "text/html") {
		t.Errorf("html: %s", a.Header.Get("Content-Type"))
	}
}

// TestFrames pages through the log.
// TestCatalogs: messages name the catalog as their client knows it, and a client
// without it is told where a browser can draw.
func TestCatalogs(t *testing.T) {
	t.Parallel()
	c := start(t, func(c *limn.Config) { c.Targets = []string{"v0.9", "html", "v1.0"} }).program()
	if a := c.do("POST", "/v1/-/messages", `{"text":"add a customer"}`, "Prefer", "wait=10"); a.StatusCode != 200 {
		t.Fatal(a.Status)
	}
	const alias = "https://a2ui.org/specification/v0_9/basic_catalog.json"
	for query, want := range map[string]string{
		"": a2ui.CatalogID(a2ui.V09), "?catalog=other&catalog=" + alias: alias, "?catalog=" + a2ui.CatalogID(a2ui.V09): a2ui.CatalogID(a2ui.V09),
		"?version=v1.0&catalog=" + a2ui.CatalogID(a2ui.V10): a2ui.CatalogID(a2ui.V10), "?version=html&catalog=other": "",
	} {
		if a := c.do("GET", "/v1/-/a2ui"+query, ""); a.StatusCode != 200 || !strings.Contains(string(a.body), want) {
			t.Errorf("%s: %s %.200s", query, a.Status, a.body)
		}
	}
	for _, path := range []string{"/v1/-/a2ui?catalog=other", "/v1/-/stream?catalog=" + a2ui.CatalogID(a2ui.V08),
		"/v1/-/a2ui?version=v1.0&catalog=" + alias} {
		a := c.do("GET", path, "")
		if p := a.problem(t); p.Status != 406 || p.Code != "A2UI_C2S_CAPABILITY_CATALOG" ||
			!strings.Contains(string(a.body), "/c/"+c.ID) {
			t.Errorf("%s: %s", path, a.body)
		}
	}
}

func TestFrames(t *testing.T) {
	t.Parallel()
	c := start(t).program()
	const n = 103
	for i := range n {
		c.say(fmt.Sprintf("hello %d", i))
	}
	var seen []uint64
	after, pages := uint64(0), 0
	for {
		var got struct{ Frames []ui.Frame }
		c.do("GET", fmt.Sprintf("/v1/-/frames?after=%d", after), "").into(t, &got)
		if len(got.Frames) == 0 {
			break
		}
		pages++
		for _, f := range got.Frames {
			seen = append(seen, f.Seq)
		}
		after = seen[len(seen)-1]
	}
	var want []uint64
	for i := range n {
		want = append(want, uint64(i)+1)
	}
	if diff := cmp.Diff(want, seen); diff != "" || pages != 2 {
		t.Errorf("%d pages (-want +got):\n%s", pages, diff)
	}
	for _, bad := range []string{"x", "-1", "1.5", "99999999999999999999"} {
		if p := c.do("GET", "/v1/-/frames?after="+bad, "").problem(t); p.Status != 400 ||
			p.Code != "A2UI_C2S_ENVELOPE_INVALID" {
			t.Errorf("after=%s: %d %s", bad, p.Status, p.Code)
		}
	}
}

// trimming tells when the oldest frames are gone, which is after the answer.
type trimming struct {
	store.Store
	gone chan struct{} // has an element then
}

func (s trimming) Trim(ctx context.Context, id string, upTo uint64) (uint64, error) {
	floor, err := s.Store.Trim(ctx, id, upTo)
	select {
	case s.gone <- struct{}{}:
	default:
	}
	return floor, err
}

// TestFramesTrimmed: frames that are not kept any more are no failure of the
// store. Who asks is told where the log goes on, and a retry has its answer.
func TestFramesTrimmed(t *testing.T) {
	t.Parallel()
	st := trimming{memory.New(), make(chan struct{}, 1)}
	c := start(t, withAssets, func(cfg *limn.Config) { cfg.KeepFrames, cfg.Store = 1, st }).program()
	c.say("add a customer")
	form := formOf("/draft/company", "ACME")(t, c)
	submit := func() answer {
		return c.do("POST", actions, form, "Content-Type", "application/x-www-form-urlencoded", "Accept",
			"text/vnd.turbo-stream.html, text/html")
	}
	first := submit()
	for i := range 260 {
		c.say(fmt.Sprintf("hello %d", i))
	}
	<-st.gone
	a := c.do("GET", "/v1/-/frames", "")
	if p := a.problem(t); p.Status != 410 || p.Code != conversation.CodeTrimmed ||
		!strings.Contains(string(a.body), `"hint":"`) {
		t.Errorf("%s", a.body)
	}
	var got struct{ Frames []ui.Frame }
	if c.do("GET", "/v1/-/frames?after="+utoa(c.state().Seq-1), "").into(t, &got); len(got.Frames) != 1 {
		t.Errorf("the newest: %d frames", len(got.Frames))
	}
	again := submit()
	if again.StatusCode != 200 || again.Header.Get("Limn-Outcome") != string(ui.OutcomeDone) ||
		again.Header.Get("Limn-Seq") != first.Header.Get("Limn-Seq") ||
		!strings.Contains(string(again.body), "The customer is saved.") {
		t.Errorf("the same submit: %d %s", again.StatusCode, again.body)
	}
}

// away is a store that cannot be reached.
type away struct{ store.Store }

func (away) Ping(context.Context) error { return errors.New("dial 10.1.2.3: refused") }

// TestReadiness: the server that stops says so to probes and refuses events; one
// without its database says that.
func TestReadiness(t *testing.T) {
	t.Parallel()
	s := start(t)
	c := s.program()
	if a := c.do("GET", "/readyz", ""); a.StatusCode != 200 {
		t.Errorf("ready: %d", a.StatusCode)
	}
	var log bytes.Buffer // read after the answer, which comes after its lines
	alone := start(t, func(c *limn.Config) {
		c.Store, c.Log = away{memory.New()}, slog.New(slog.NewTextHandler(&log, nil))
	}).program()
	for range 3 {
		alone.do("GET", "/readyz", "")
	}
	if n := strings.Count(log.String(), "level=ERROR"); n != 1 {
		t.Errorf("three probes leave %d lines:\n%s", n, &log)
	}
	if a := alone.do("GET", "/readyz", ""); a.problem(t).Status != 503 || a.problem(t).Code != "STORE_FAILED" ||
		a.Header.Get("Retry-After") == "" || strings.Contains(string(a.body), "10.1.2.3") {
		t.Errorf("without its database: %d %s", a.StatusCode, a.body)
	}
	if a := alone.do("GET", "/healthz", ""); a.StatusCode != 200 {
		t.Errorf("health without its database: %d", a.StatusCode)
	}
	if err := s.srv.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, a := range []answer{c.do("GET", "/readyz", ""), c.do("POST", "/v1/-/messages", `{"text":"hello"}`)} {
		if p := a.problem(t); p.Status != 503 || p.Code != "HTTP_DRAINING" || a.Header.Get("Retry-After") == "" {
			t.Errorf("%s: %d %s, Retry-After %q", a.Request.URL, p.Status, p.Code, a.Header.Get("Retry-After"))
		}
	}
	if a := c.do("GET", "/healthz", ""); a.StatusCode != 200 {
		t.Errorf("health while draining: %d", a.StatusCode)
	}
	if a := c.do("GET", "/v1/-/state", ""); a.StatusCode != 200 {
		t.Errorf("reading while draining: %d", a.StatusCode)
	}
}

// action is the v0.9 envelope of a click, made by a renderer that shows the
// surface: values are typed into the inputs that bind them.
func action(t *testing.T, c *client, surface ui.Name, values map[string]string, name string) string {
	t.Helper()
	return actionFor(t, c, a2ui.V09, surface, values, name)
}

func actionFor(t *testing.T, c *client, d a2ui.Dialect, surface ui.Name, values map[string]string, name string) string {
	t.Helper()
	sf := c.state().Surface(surface)
	if sf == nil {
		t.Fatalf("no surface %s", surface)
	}
	version := map[a2ui.Dialect]string{a2ui.V08: "v0.8", a2ui.V09: "v0.9"}[d]
	r := renderer.New(d, renderer.LikeWebCore)
	for line := range strings.Lines(string(c.do("GET", "/v1/-/a2ui?version="+version, "").body)) {
		if err := r.Feed([]byte(line)); err != nil {
			t.Fatal(err)
		}
	}
	view, err := r.Surface(sf.WireID())
	if err != nil {
		t.Fatal(err)
	}
	button := ""
	for s := range view.Root.All() {
		for _, a := range s.Actions {
			if a == name {
				button = s.ID
			}
		}
		for field, v := range values {
			if strings.HasPrefix(s.Bound, "/draft/"+field) && s.Bound != "" {
				if err := r.Type(sf.WireID(), s.Key(), v); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	a, err := r.Click(sf.WireID(), button)
	if err != nil {
		t.Fatalf("click %q: %v\n%s", button, err, r.Dump(sf.WireID()))
	}
	a.Timestamp = time.Date(2026, 11, 20, 9, 30, 0, 0, time.UTC).Format(time.RFC3339)
	b, err := a2ui.AppendClient(nil, d, &a)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func utoa(n uint64) string { return strconv.FormatUint(n, 10) }

// submitButton is the component id of a surface's submit button, as forms send it.
func submitButton(t *testing.T, c *client, surface ui.Name) string {
	t.Helper()
	var found string
	sf := c.state().Surface(surface)
	ui.Walk(sf.Tree(), func(at ui.KeyPath, n ui.Node) bool {
		if b, ok := n.(*ui.Button); ok && b.Action.Name == builtin.ActionSubmit {
			found = "c#" + string(at) + ":Button"
		}
		return true
	})
	if found == "" {
		t.Fatalf("surface %s has no submit button", surface)
	}
	return found
}

// TestCreateOnce: a conversation that is created again under its key, by a sender who is known, is the first one, with
// its first message once.
func TestCreateOnce(t *testing.T) {
	t.Parallel()
	s := start(t)
	ann, eve := s.program(), s.program()
	create := func(c *client, key, text string, status int) (out struct{ ID, Event string }) {
		t.Helper()
		got := c.do("POST", "/v1/conversations", `{"text":"`+text+`"}`, "Content-Type", "application/json", "Idempotency-Key", key)
		if got.StatusCode != status {
			t.Fatalf("%d %s, want %d", got.StatusCode, got.body, status)
		}
		if status < 300 {
			got.into(t, &out)
		}
		return out
	}
	first := create(ann, "k1", "hello", 201)
	if again := create(ann, "k1", "hello", 201); again != first {
		t.Errorf("made %v, then %v", first, again)
	}
	create(ann, "k1", "another", 422)
	if other := create(ann, "k2", "hello", 201); other.ID == first.ID {
		t.Error("two keys have one conversation")
	}
	if other := create(eve, "k1", "hello", 201); other.ID == first.ID {
		t.Error("two principals have one conversation")
	}
}
