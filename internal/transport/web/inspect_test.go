package web_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/limn-ui/limn"
	"github.com/limn-ui/limn/internal/inspect"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/store/memory"
)

const inspectToken = "0123456789abcdef-inspect"

// TestInspector: an operator sees what happened in a conversation of any owner; what is
// wrong has a code.
func TestInspector(t *testing.T) {
	t.Parallel()
	st := memory.New()
	err := st.Create(t.Context(), store.Conversation{ID: "topic:news", Log: "0123456789abcdef", Owner: "app"}) // is not listed
	if err != nil {
		t.Fatal(err)
	}
	s := start(t, func(c *limn.Config) {
		c.Store = st
		c.Inspector = limn.Inspector{Token: inspectToken,
			Stories: []limn.Story{{Group: "Mine", Name: "one", Source: inspect.Source{Kind: inspect.KindApp, Text: "name: x"}}}}
	})
	owner := s.program()
	owner.say("add a customer")
	owner.say("We have 4 risks.")
	operator := s.visitor()
	get := func(path string) answer {
		t.Helper()
		return operator.do("GET", path, "", "Authorization", "Bearer "+inspectToken)
	}
	base := "/v1/inspect/conversations"
	for _, tt := range []struct {
		path   string
		status int
		want   string
	}{
		{base, 200, `{"conversations":[{"id":"` + owner.ID + `","title":"add a customer"`},
		{base + "?before=" + owner.ID, 200, `{"conversations":[]}`},
		{base + "/" + owner.ID, 200, `"seq":2,"floor":0,"turns":[{"n":1,`},
		{base + "/" + owner.ID + "?before=2", 200, `"turns":[{"n":1,`},
		{base + "/" + owner.ID + "?before=1", 200, `"turns":[]`},
		{base + "/" + owner.ID + "?since=1", 200, `"seq":2`},
		{base + "/" + owner.ID + "?since=2", 204, ""},
		{base + "/" + owner.ID + "/turns/2", 200, `"why":"hard.list_size (n=4): `},
		{base + "/" + owner.ID + "/report", 200, `"redacted":true`},
		{base + "/" + owner.ID + "/report?redact=false", 200, `"redacted":false`},
		{"/v1/inspect/stories", 200, `{"group":"Mine","name":"one","kind":"app","text":"name: x"}`},
		{base + "/nobody", 404, "HTTP_NOT_FOUND"},
		{base + "/nobody/turns/1", 404, "HTTP_NOT_FOUND"},
		{base + "/" + owner.ID + "/turns/3", 404, "HTTP_NOT_FOUND"},
		{base + "/" + owner.ID + "/turns/x", 400, `"path":"n"`},
		{base + "/" + owner.ID + "?before=-1", 400, `"path":"before"`},
		{base + "/" + owner.ID + "/report?redact=perhaps", 406, `"path":"redact"`},
	} {
		got := get(tt.path)
		if got.StatusCode != tt.status || !strings.Contains(string(got.body), tt.want) {
			t.Errorf("%s: %d %.600s, want %d with %s", tt.path, got.StatusCode, got.body, tt.status, tt.want)
		}
	}
	if turn := get(base + "/" + owner.ID + "/turns/1"); strings.Contains(string(turn.body), owner.Token) ||
		strings.Contains(string(turn.body), owner.state().Surfaces[0].Nonce) {
		t.Errorf("a turn has what opens the conversation: %s", turn.body)
	}
	if report := get(base + "/" + owner.ID + "/report"); strings.Contains(string(report.body), "4 risks") ||
		!strings.Contains(report.Header.Get("Content-Disposition"), "limn-report.json") {
		t.Errorf("%v %s", report.Header, report.body)
	}
	compile := func(body string, headers ...string) answer {
		t.Helper()
		return operator.do("POST", "/v1/inspect/compile", body, append(headers, "Authorization", "Bearer "+inspectToken)...)
	}
	good := compile(`{"kind":"directives","text":"{\"assistant_text\":\"\",\"directives\":[{\"type\":\"ui.show_form\",\"payload\":{\"name\":\"customer\"}}]}"}`,
		"Content-Type", "application/json")
	var out inspect.Compiled
	if err := json.Unmarshal(good.body, &out); err != nil || len(out.Renderings) != 4 || !strings.Contains(out.HTML, "Company") ||
		strings.Join([]string{out.Renderings[0].Target, out.Renderings[1].Target, out.Renderings[2].Target,
			out.Renderings[3].Target}, " ") != "v0.8 v0.9 v0.9 own v1.0" {
		t.Errorf("%v %.300s", err, good.body)
	}
	for body, want := range map[string]string{`{"kind":"poem"}`: "400 A2UI_C2S_ENVELOPE_INVALID", `[`: "400 A2UI_C2S_ENVELOPE_INVALID",
		`{"kind":"app","text":"` + strings.Repeat("#", inspect.MaxSource+1) + `"}`: "413 HTTP_BODY_TOO_LARGE"} {
		p := compile(body, "Content-Type", "application/json").problem(t)
		if got := fmt.Sprint(p.Status, " ", p.Code); got != want {
			t.Errorf("%.60s: %s, want %s", body, got, want)
		}
	}
	if p := compile(`{}`, "Content-Type", "text/plain").problem(t); p.Code != "HTTP_MEDIA_TYPE" {
		t.Errorf("text: %+v", p)
	}
}

// TestInspectorAccess: who may inspect, by how the server was started and who asks from where.
func TestInspectorAccess(t *testing.T) {
	t.Parallel()
	near, far, token := "127.0.0.1:5", "192.0.2.7:5", []string{"Authorization", "Bearer " + inspectToken}
	for _, tt := range []struct {
		name    string
		open    limn.Inspector
		from    string
		headers []string
		want    int
		host    string // default: localhost:8080
	}{
		{"off", limn.Inspector{}, near, nil, 403, ""},
		{"off, with a token", limn.Inspector{}, near, token, 403, ""},
		{"off, with no token", limn.Inspector{}, near, []string{"Authorization", "Bearer "}, 403, ""},
		{"this machine", limn.Inspector{Local: true}, near, nil, 200, ""},
		{"IPv6", limn.Inspector{Local: true}, "[::1]:5", nil, 200, ""},
		{"another machine", limn.Inspector{Local: true}, far, nil, 403, ""},
		{"through a proxy", limn.Inspector{Local: true}, near, []string{"X-Forwarded-For", "192.0.2.7"}, 403, ""},
		{"a page of another site", limn.Inspector{Local: true}, near, []string{"Sec-Fetch-Site", "cross-site"}, 403, ""},
		{"our page", limn.Inspector{Local: true}, near, []string{"Sec-Fetch-Site", "same-origin"}, 200, ""},
		{"without the token", limn.Inspector{Token: inspectToken}, near, nil, 401, ""},
		{"another token", limn.Inspector{Token: inspectToken}, near, []string{"Authorization", "Bearer " + inspectToken + "x"}, 401, ""},
		{"the token", limn.Inspector{Token: inspectToken}, far, token, 200, ""},
		{"the token twice", limn.Inspector{Token: inspectToken}, far, append(token, token...), 401, ""},
		{"the token from another site", limn.Inspector{Token: inspectToken}, far, append([]string{"Sec-Fetch-Site", "cross-site"}, token...), 403, ""},
		{"this machine beside a token", limn.Inspector{Local: true, Token: inspectToken}, near, nil, 200, ""},
		{"a name that leads here", limn.Inspector{Local: true}, near, nil, 403, "evil.example"},
		{"an address of this machine", limn.Inspector{Local: true}, near, nil, 200, "127.0.0.1:8080"},
		{"an IPv6 address of this machine", limn.Inspector{Local: true}, near, nil, 200, "[::1]:8080"},
		{"the token, by any name", limn.Inspector{Token: inspectToken}, far, token, 200, "desk.example"},
	} {
		srv, err := limn.New(limn.Config{App: desk(t), Inspector: tt.open})
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range []string{"GET /v1/inspect/conversations", "GET /v1/inspect/stories", "GET /v1/inspect/conversations/x",
			"GET /v1/inspect/conversations/x/turns/1", "GET /v1/inspect/conversations/x/report", "POST /v1/inspect/compile"} {
			method, at, _ := strings.Cut(path, " ")
			w, r := httptest.NewRecorder(), httptest.NewRequest(method, at, nil)
			r.RemoteAddr, r.Host = tt.from, "localhost:8080"
			if tt.host != "" {
				r.Host = tt.host
			}
			for i := 0; i < len(tt.headers); i += 2 {
				r.Header.Add(tt.headers[i], tt.headers[i+1])
			}
			srv.Handler().ServeHTTP(w, r)
			if opened := w.Code == 200 || w.Code == 404 || w.Code == 415; opened != (tt.want == 200) || !opened && w.Code != tt.want {
				t.Errorf("%s: %s is %d, want %d: %s", tt.name, path, w.Code, tt.want, w.Body)
			}
		}
		page := httptest.NewRecorder()
		srv.Handler().ServeHTTP(page, httptest.NewRequest("GET", "/inspect", nil))
		if on := page.Code == http.StatusOK; on != (tt.open.Local || tt.open.Token != "") {
			t.Errorf("%s: the page is %d", tt.name, page.Code)
		}
		if err := srv.Close(t.Context()); err != nil {
			t.Error(err)
		}
	}
}

// TestInspectorLink: the page of a conversation leads to the inspector where it is open to
// who looks, and nowhere else.
func TestInspectorLink(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		open limn.Inspector
		want bool
	}{{limn.Inspector{Local: true}, true}, {limn.Inspector{Token: inspectToken}, false}, {limn.Inspector{}, false}} {
		c := start(t, func(c *limn.Config) { c.Inspector = tt.open }).program()
		page := string(c.do("GET", "/c/-", "", "Accept", "text/html").body)
		if got := strings.Contains(page, `href="/inspect?conversation=`+c.ID+`"`); got != tt.want {
			t.Errorf("%+v: a link is %v\n%s", tt.open, got, page)
		}
		if tt.open.Local {
			for _, path := range []string{"/inspect", "/inspect/playground"} {
				shell := c.do("GET", path, "", "Accept", "text/html")
				if shell.StatusCode != 200 || strings.Contains(string(shell.body), c.ID) {
					t.Errorf("%s: %d %s", path, shell.StatusCode, shell.body)
				}
			}
		}
	}
}
