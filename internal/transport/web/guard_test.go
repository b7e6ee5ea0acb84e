package web_test

import (
	"net/http/httptest"
	"strings"
	"testing"

	"golang.org/x/net/html/atom"

	"github.com/limn-ui/limn"
)

// TestCrossOrigin: a page of another site can make a browser post here with its
// cookie; such a post is refused, and reading is not.
func TestCrossOrigin(t *testing.T) {
	t.Parallel()
	c := start(t).program()
	self := c.URL
	for _, tt := range []struct {
		headers []string
		want    int
	}{
		{nil, 200}, // not a browser
		{[]string{"Origin", self}, 200},
		{[]string{"Origin", self, "Sec-Fetch-Site", "same-origin"}, 200},
		{[]string{"Sec-Fetch-Site", "none"}, 200}, // typed by the user
		{[]string{"Origin", "https://evil.example"}, 403},
		{[]string{"Origin", "null"}, 403},
		{[]string{"Origin", strings.Replace(self, "http://", "http://x.", 1)}, 403},
		{[]string{"Sec-Fetch-Site", "cross-site"}, 403},
		{[]string{"Sec-Fetch-Site", "same-site"}, 403},
		{[]string{"Origin", "https://evil.example", "Sec-Fetch-Site", "cross-site"}, 403},
	} {
		a := c.do("POST", messages, `{"text":"hello"}`, append(tt.headers, "Prefer", "wait=10")...)
		if a.StatusCode != tt.want {
			t.Errorf("%q: %d, want %d", tt.headers, a.StatusCode, tt.want)
		}
		if tt.want != 403 {
			continue
		}
		if p := a.problem(t); p.Code != "HTTP_CROSS_ORIGIN" {
			t.Errorf("%q: %s", tt.headers, p.Code)
		}
		for _, path := range []string{"/c", "/c/-/messages", "/c/-/actions", "/c/-/uploads", "/v1/conversations",
			"/v1/-/events", "/v1/-/uploads", "/nowhere"} {
			if a := c.do("POST", path, "", tt.headers...); a.StatusCode != 403 {
				t.Errorf("%s %q: %d", path, tt.headers, a.StatusCode)
			}
		}
		if a := c.do("GET", "/v1/-/state", "", tt.headers...); a.StatusCode != 200 {
			t.Errorf("reading %q: %d", tt.headers, a.StatusCode)
		}
		if allow := a.Header.Get("Access-Control-Allow-Origin"); allow != "" {
			t.Errorf("Access-Control-Allow-Origin %q", allow)
		}
	}
}

// TestBodyLimit: the largest body is taken, one byte more is 413 with a code.
// What else holds for every answer, such as the headers, is checked with all of
// them (hold).
func TestBodyLimit(t *testing.T) {
	t.Parallel()
	c := start(t).program()
	const limit = 1 << 20
	fill := func(n int) string { return `{"text":"hello"` + strings.Repeat(" ", n-len(`{"text":"hello"}`)) + `}` }
	if a := c.do("POST", messages, fill(limit), "Prefer", "wait=10"); a.StatusCode != 200 {
		t.Errorf("the largest body: %d %s", a.StatusCode, a.body)
	}
	if p := c.do("POST", messages, fill(limit+1)).problem(t); p.Status != 413 || p.Code != "HTTP_BODY_TOO_LARGE" {
		t.Errorf("one byte more: %d %s", p.Status, p.Code)
	}
	form := func(n int) string { return "text=hello&x=" + strings.Repeat("x", n-len("text=hello&x=")) }
	const urlencoded = "application/x-www-form-urlencoded"
	for path, n := range map[string]int{"/c/-/messages": 303, "/c": 303} {
		if a := c.do("POST", path, form(3*limit), "Content-Type", urlencoded); a.StatusCode != n {
			t.Errorf("%s, the largest form: %d", path, a.StatusCode)
		}
		if p := c.do("POST", path, form(3*limit+1), "Content-Type", urlencoded).problem(t); p.Status != 413 ||
			p.Code != "HTTP_BODY_TOO_LARGE" {
			t.Errorf("%s, one byte more: %d %s", path, p.Status, p.Code)
		}
	}
}

// TestPolicy: no page has a script of its own in it, and the policy forbids one.
func TestPolicy(t *testing.T) {
	t.Parallel()
	c := start(t, withAssets).program()
	c.say("add a customer")
	for _, draw := range []string{"html", "v0.9", "v0.8"} {
		a := c.do("GET", "/c/-?draw="+draw, "")
		csp := a.Header.Get("Content-Security-Policy")
		for _, want := range []string{"default-src 'self'", "script-src 'self'", "img-src 'self' data:",
			"connect-src 'self'", "object-src 'none'",
			"base-uri 'none'", "form-action 'self'", "frame-ancestors 'self'"} {
			if !strings.Contains("; "+csp+";", "; "+want+";") {
				t.Errorf("%s: policy %q lacks %q", draw, csp, want)
			}
		}
		if strings.Contains(csp, "unsafe-eval") ||
			strings.Contains(strings.Split(csp, "style-src")[0], "unsafe-inline") {
			t.Errorf("%s: policy %q lets scripts in", draw, csp)
		}
		if a.Header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s: Cache-Control %q", draw, a.Header.Get("Cache-Control"))
		}
		for _, s := range a.page(t).all(atom.Script) {
			if attr(s, "src") == "" || s.FirstChild != nil {
				t.Errorf("%s: an inline script", draw)
			}
		}
	}
}

// TestSimpleRequests: what a page of another site can send without asking first,
// and an old browser without saying where it comes from, is no JSON here; no
// request that only reads changes anything; and nothing stands for another method.
func TestSimpleRequests(t *testing.T) {
	t.Parallel()
	c := start(t).program()
	c.say("add a customer")
	seq := c.state().Seq
	for _, ct := range []string{"text/plain", "text/plain; charset=application/json", "multipart/form-data; boundary=x",
		"application/x-www-form-urlencoded", "", "application/json, text/plain"} {
		for _, path := range []string{messages, events, "/v1/-/guardrails"} {
			if a := c.do("POST", path, `{"text":"hello"}`, "Content-Type", ct); a.StatusCode != 415 {
				t.Errorf("%s as %q: %d", path, ct, a.StatusCode)
			}
		}
	}
	// without a nonce
	if a := c.do("POST", "/c/-/actions", `{"text":"hello"}`, "Content-Type", "multipart/form-data; boundary=x"); a.StatusCode != 400 {
		t.Errorf("an action that is no form: %d", a.StatusCode)
	}
	for _, ct := range []string{"text/plain", "multipart/mixed; boundary=x", "application/json"} {
		for _, path := range []string{"/c/-/messages", "/c/-/actions", "/c/-/preferences", "/c/-/cancel", "/c"} {
			if a := c.do("POST", path, `{"text":"hello"}`, "Content-Type", ct); a.StatusCode != 415 {
				t.Errorf("%s as %q: %d", path, ct, a.StatusCode)
			}
		}
	}
	for _, path := range []string{"/v1/-/state?_method=DELETE", "/v1/-/a2ui", "/v1/-/frames", "/v1/-/preferences",
		"/v1/-/guardrails", "/c/-?text=hello", "/c/-/preferences?limn_set=opt_out", "/"} {
		if a := c.do("GET", path, "", "X-HTTP-Method-Override", "DELETE", "X-Method-Override", "POST", "X-HTTP-Method",
			"POST", "Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate"); a.StatusCode >= 400 {
			t.Errorf("%s: %d", path, a.StatusCode)
		}
	}
	if got := c.state(); got.Seq != seq || got.Ended {
		t.Errorf("the conversation moved from %d to %d", seq, got.Seq)
	}
}

// TestCrossSiteVisit: a link leads here from another site; an image there does
// not start conversations.
func TestCrossSiteVisit(t *testing.T) {
	t.Parallel()
	s := start(t)
	for mode, want := range map[string]int{"navigate": 303, "no-cors": 403, "cors": 403} {
		a := s.visitor().do("GET", "/", "", "Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", mode)
		if a.StatusCode != want || (a.Header.Get("Set-Cookie") != "") != (want == 303) {
			t.Errorf("%s: %d %q", mode, a.StatusCode, a.Header)
		}
	}
}

// TestHosts: a server that knows its hosts answers for no other, whatever the
// page that asks takes to be its own origin.
func TestHosts(t *testing.T) {
	t.Parallel()
	srv, err := limn.New(limn.Config{App: desk(t), Hosts: []string{"localhost", "127.0.0.1", "::1"}})
	if err != nil {
		t.Fatal(err)
	}
	defer srv.Close(t.Context())
	for host, want := range map[string]int{"localhost": 201, "LOCALHOST:8080": 201, "127.0.0.1:8080": 201,
		"[::1]:8080": 201, "[::1]": 201,
		"evil.example": 421, "evil.example:8080": 421, "localhost.evil.example": 421, "": 421,
		"localhost@evil.example": 421, "127.0.0.1.": 421} {
		r := httptest.NewRequest("POST", "/v1/conversations", nil)
		r.Host = host
		r.Header.Set("Origin", "http://"+host)
		w := httptest.NewRecorder()
		if srv.Handler().ServeHTTP(w, r); w.Code != want ||
			want == 421 && (!strings.Contains(w.Body.String(), "HTTP_HOST") || w.Header().Get("Set-Cookie") != "") {
			t.Errorf("%q: %d %s", host, w.Code, w.Body)
		}
	}
}
