package web_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/limn-ui/limn"
	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/store/memory"
	"github.com/limn-ui/limn/ui"
)

// owners remembers who conversations were made for.
type owners struct {
	store.Store
	made []store.Conversation
}

func (o *owners) Create(ctx context.Context, c store.Conversation) error {
	o.made = append(o.made, c)
	return o.Store.Create(ctx, c)
}

// users is an Authenticate that believes a header.
func users(r *http.Request) (string, error) {
	switch name := r.Header.Get("X-User"); name {
	case "mallory":
		return "", fmt.Errorf("mallory was dismissed: %w", limn.ErrForbidden)
	case "coded":
		return "", &ui.Error{Code: "HTTP_BUSY", Message: "come back"}
	case "slow":
		return "", context.DeadlineExceeded
	case "":
		return "", errors.New("no header: the canary of the log")
	default:
		return strings.TrimSpace(name), nil
	}
}

// TestAuthenticate: with an embedder's authentication a conversation is who it
// names's only, at every address, and no cookie or token of ours is given or
// believed.
func TestAuthenticate(t *testing.T) {
	t.Parallel()
	st := &owners{Store: memory.New()}
	s := start(t, func(c *limn.Config) { c.Authenticate, c.Store = users, st })
	c := s.visitor()
	as := func(name, method, path, body string) answer { return c.do(method, path, body, "X-User", name) }
	a := as("ann", "POST", "/v1/conversations", "")
	var made map[string]string
	if a.into(t, &made); a.StatusCode != 201 || made["id"] == "" || len(made) != 1 || a.Header.Get("Set-Cookie") != "" {
		t.Fatalf("%d %s, cookie %q", a.StatusCode, a.body, a.Header.Get("Set-Cookie"))
	}
	if owner := st.made[0].Owner; !strings.HasPrefix(owner, "a-") || strings.Contains(owner, "ann") ||
		len(owner) != 34 {
		t.Errorf("stored owner %q", owner)
	}
	c.ID = made["id"]
	ours := start(t).program().Token
	paths := []string{"GET /v1/-/a2ui", "GET /v1/-/state", "GET /v1/-/frames", "HEAD /v1/-/stream",
		"GET /v1/-/preferences", "GET /v1/-/guardrails",
		"POST /v1/-/messages", "POST /v1/-/cancel", "GET /c/-", "GET /c/-/preferences", "POST /c/-/messages",
		"POST /c/-/cancel", "POST /c/-/uploads", "GET /c/-/upload"}
	for user, want := range map[string]int{"ann": 0, "bob": 404, "mallory": 403, "coded": 429, "slow": 503, "": 401,
		" ": 401} {
		for _, p := range paths {
			method, path, _ := strings.Cut(p, " ")
			body := ""
			if strings.HasSuffix(path, "/messages") {
				body = `{"text":"hello"}`
			}
			headers := []string{"X-User", user, "Authorization", "Bearer " + ours, "Cookie", "limn=" + ours}
			if strings.HasPrefix(path, "/c/") && method == "POST" {
				body, headers = "text=hello", append(headers, "Content-Type", "application/x-www-form-urlencoded")
			}
			a := c.do(method, path, body, headers...)
			if want == 0 && (a.StatusCode == 401 || a.StatusCode == 403 || a.StatusCode == 404) ||
				want != 0 && a.StatusCode != want {
				t.Errorf("%q: %s: %d, want %d: %.200s", user, p, a.StatusCode, want, a.body)
			}
			if strings.HasPrefix(path, "/v1/") && want == 401 && (!strings.Contains(string(a.body), `"path":"Authorization"`) ||
				!strings.Contains(string(a.body), `"hint":"`)) && method != "HEAD" {
				t.Errorf("%q: %s says neither where nor what to do: %s", user, p, a.body)
			}
			if a.Header.Get("Set-Cookie") != "" {
				t.Errorf("%q: %s sets a cookie", user, p)
			}
			if strings.Contains(string(a.body), "canary") || strings.Contains(string(a.body), "dismissed") {
				t.Errorf("%q: %s tells %s", user, p, a.body)
			}
		}
	}
	for _, path := range []string{"/", "/c"} {
		method := map[string]string{"/": "GET", "/c": "POST"}[path]
		if a := as("", method, path, ""); a.StatusCode != 401 || a.Header.Get("Set-Cookie") != "" {
			t.Errorf("%s without a user: %d", path, a.StatusCode)
		}
		if a := as("ann", method, path, ""); a.StatusCode != 303 || a.Header.Get("Set-Cookie") != "" {
			t.Errorf("%s: %d %q", path, a.StatusCode, a.Header)
		}
	}
	if got := as("ann", "GET", "/", "").Header.Get("Location"); !strings.HasPrefix(got, "/c/") {
		t.Errorf("home leads to %q", got)
	}
}

// TestAuthenticatePanics: an embedder's panic ends its request only.
func TestAuthenticatePanics(t *testing.T) {
	t.Parallel()
	c := start(t, func(c *limn.Config) {
		c.Authenticate = func(*http.Request) (string, error) { panic("no session store") }
	}).visitor()
	if a := c.do("POST", "/v1/conversations", ""); a.StatusCode != 500 ||
		strings.Contains(string(a.body), "session store") {
		t.Errorf("%d %s", a.StatusCode, a.body)
	}
}

// TestSecureCookie: over https the cookie has the prefix that only this host can
// set, and the plain name, which a neighbour could, is not read.
func TestSecureCookie(t *testing.T) {
	t.Parallel()
	c := start(t, func(c *limn.Config) { c.Base = "https://desk.example" }).visitor()
	a := c.do("POST", "/v1/conversations", "")
	var made struct{ ID, Token string }
	a.into(t, &made)
	c.ID = made.ID
	for _, want := range []string{"__Host-limn=" + made.Token + ";", "Path=/", "HttpOnly", "SameSite=Lax", "Secure"} {
		if set := a.Header.Get("Set-Cookie"); !strings.Contains(set, want) || strings.Contains(set, "Domain") {
			t.Errorf("cookie %q lacks %q, or has a domain", set, want)
		}
	}
	for name, want := range map[string]int{"__Host-limn": 200, "limn": 401} {
		c := c.visitor() // an empty jar
		c.ID = made.ID
		if a := c.do("GET", "/v1/-/state", "", "Cookie", name+"="+made.Token); a.StatusCode != want {
			t.Errorf("%s: %d, want %d", name, a.StatusCode, want)
		}
	}
}

// TestLoginCrossSite: nothing that a page of another site can make a browser
// send changes who that browser is.
func TestLoginCrossSite(t *testing.T) {
	t.Parallel()
	s := start(t)
	attacker := s.program()
	victim := s.visitor()
	for _, r := range []*http.Request{
		victim.Request("POST", "/v1/conversations", nil, "Authorization", "Bearer "+attacker.Token),
		victim.Request("POST", "/c", strings.NewReader("token="+attacker.Token), "Content-Type", "application/x-www-form-urlencoded", "Sec-Fetch-Site", "cross-site"),
		victim.Request("GET", "/?token="+attacker.Token+"&limn="+attacker.Token, nil, "Sec-Fetch-Site", "cross-site"),
		victim.Request("GET", "/c/"+attacker.ID+"?token="+attacker.Token, nil, "Sec-Fetch-Site", "cross-site"),
	} {
		if a := victim.send(r); strings.Contains(a.Header.Get("Set-Cookie"), attacker.Token) {
			t.Errorf("%s %s gives the browser the attacker's token", r.Method, r.URL)
		}
	}
}

// TestClientHeader: an error is the client's that names itself; a name that is
// none is refused before anything is durable.
func TestClientHeader(t *testing.T) {
	t.Parallel()
	st := memory.New()
	c := start(t, func(c *limn.Config) { c.Store = st }).program()
	const failed = `{"version":"v0.9","error":{"code":"RENDER_ERROR","surfaceId":"form:customer#e=1","message":"x"}}`
	for _, name := range []string{"ä", "a b", "a\tb", "a/b", strings.Repeat("a", 65)} {
		if p := c.do("POST", events, failed, "Limn-Client", name).problem(t); p.Code != "A2UI_C2S_ENVELOPE_INVALID" {
			t.Errorf("%q: %s", name, p.Code)
		}
	}
	if a := c.do("GET", "/v1/-/stream?client=a%20b", ""); a.StatusCode != 400 ||
		!strings.Contains(string(a.body), `"path":"client"`) {
		t.Errorf("a bad name in the query: %d %s", a.StatusCode, a.body)
	}
	if a := c.do("GET", "/v1/-/state", "", "Authorization", "Basic eA=="); a.StatusCode != 401 ||
		!strings.Contains(string(a.body), "no bearer token of this server") {
		t.Errorf("a foreign scheme: %d %s", a.StatusCode, a.body)
	}
	if got := c.state().Seq; got != 0 {
		t.Fatalf("a refused error moved the conversation to %d", got)
	}
	if a := c.do("POST", events, failed, "Limn-Client", "Tab_1-"+strings.Repeat("a", 58)); a.StatusCode >= 300 && a.StatusCode != 409 {
		t.Errorf("%d %s", a.StatusCode, a.body)
	}
}

// TestCancel: a model run ends when its conversation's owner says so, by the API
// and by the button of the page.
func TestCancel(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"/v1/-/cancel", "/c/-/cancel"} {
		asked, ended := make(chan struct{}), make(chan error, 1)
		s := start(t, func(c *limn.Config) {
			c.Model = modelFunc(func(ctx context.Context, _ llm.Request) (llm.Reply, error) {
				close(asked)
				<-ctx.Done()
				ended <- context.Cause(ctx)
				return llm.Reply{}, ctx.Err()
			})
		})
		c, other := s.program(), s.program()
		if a := c.do("POST", messages, `{"text":"what is new?"}`); a.StatusCode != 202 {
			t.Fatalf("%d %s", a.StatusCode, a.body)
		}
		<-asked
		other.ID = c.ID
		if a := other.do("POST", path, "", "Content-Type", "application/x-www-form-urlencoded"); a.StatusCode != 404 {
			t.Errorf("a stranger: %d", a.StatusCode)
		}
		select {
		case <-ended:
			t.Error("a stranger stopped it")
		default:
		}
		if a := c.do("POST", path, "", "Content-Type", "application/x-www-form-urlencoded"); a.StatusCode != 204 && a.StatusCode != 303 {
			t.Errorf("%s: %d %s", path, a.StatusCode, a.body)
		}
		<-ended
	}
}

// TestEnd: a conversation ends when its owner says so, once; it can be read and
// takes nothing any more.
func TestEnd(t *testing.T) {
	t.Parallel()
	s := start(t)
	c, other := s.program(), s.program()
	c.say("add a customer")
	other.ID = c.ID
	if a := other.do("POST", "/v1/-/end", ""); a.StatusCode != 404 {
		t.Errorf("a stranger: %d", a.StatusCode)
	}
	for range 2 {
		if a := c.do("POST", "/v1/-/end", ""); a.StatusCode != 204 {
			t.Errorf("%d %s", a.StatusCode, a.body)
		}
	}
	for path, body := range map[string]string{messages: `{"text":"hello"}`,
		"/v1/-/guardrails": `{"intent_pattern":"x","action":"suppress_tool","tool":"request_data_table"}`} {
		if p := c.do("POST", path, body, "Prefer", "wait=10").problem(t); p.Status != 410 ||
			p.Code != "CONVERSATION_ENDED" {
			t.Errorf("%s: %d %s", path, p.Status, p.Code)
		}
	}
	if p := c.upload("/v1/-/uploads", nil, part{"file", "a.txt", "x"}).problem(t); p.Status != 410 ||
		p.Code != "CONVERSATION_ENDED" {
		t.Errorf("a file: %d %s", p.Status, p.Code)
	}
	if !c.state().Ended {
		t.Error("the state does not say so")
	}
}
