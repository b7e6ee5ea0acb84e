package mcp_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/limn-ui/limn"
	"github.com/limn-ui/limn/a2ui"
	renderer "github.com/limn-ui/limn/a2ui/client"
	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/internal/limntest"
	"github.com/limn-ui/limn/ui"
)

// tokens are what clients choose to be known by.
const (
	ada   = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"
	other = "BAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"
)

// site is a server with the door.
type site struct {
	*testing.T
	srv *limn.Server
	*limntest.Client
	session string
}

func guests(t testing.TB) *app.App {
	a, err := app.New(app.Config{Name: "guests", Title: "Guest book",
		Forms: []app.Form{{Name: "guest", Title: "Sign the guest book", Phrases: []string{"sign the guest book"},
			Fields: []ui.Field{{Name: "name", Label: "Your name", Type: ui.TypeText, Required: true},
				{Name: "note", Label: "A note", Type: ui.TypeText},
				{Name: "age", Label: "Your age", Type: ui.TypeNumber},
				{Name: "stay", Label: "Stay", Type: ui.TypeChoice, Options: []ui.Option{{Value: "night", Label: "A night"},
					{Value: "week", Label: "A week"}}}}}},
		Tables: []app.Table{{Name: "visitors", Title: "Visitors", Columns: []ui.Field{{Name: "name", Label: "Name",
			Type: ui.TypeText}}}},
		Maps:  []app.Map{{Name: "visit", Title: "A visit"}},
		Views: []app.View{{Name: "rules", Title: "Rules of the house", Nodes: ui.Nodes{&ui.Text{Key: "text", Text: "No shoes."}}}}})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func start(t *testing.T, change ...func(*limn.Config)) *site {
	t.Helper()
	cfg := limn.Config{App: guests(t), Doors: []string{"mcp"}, Targets: limn.Targets()}
	for _, f := range change {
		f(&cfg)
	}
	srv := limntest.Must(limn.New(cfg))
	s := &site{T: t, srv: srv, Client: limntest.Serve(t, srv)}
	s.HTTP.Jar, s.Token = nil, ada
	return s
}

// reply is a JSON-RPC response.
type reply struct {
	HTTP   *http.Response
	ID     json.RawMessage
	Result result
	Raw    string
	Error  *struct {
		Code    int
		Message string
		Data    struct {
			Code, Path, Hint string
			Supported        []string
		}
	}
}

// result is what the results of all methods have.
type result struct {
	ResultType, RequestState, ProtocolVersion string

	Content []struct {
		Type, Text string
		Resource   struct{ URI, MimeType, Text string }
	}
	StructuredContent struct {
		Conversation, Outcome, Code, Path, HTML string
		Surfaces                                []struct{ URI, Name, Status string }
	}
	IsError       bool
	Contents      []struct{ URI, MimeType, Text string }
	Resources     []struct{ URI, MimeType string }
	Tools         []struct{ Name string }
	InputRequests map[string]struct {
		Method string
		Params json.RawMessage
	}
	Meta struct {
		Token string `json:"limn_token"`
	} `json:"_meta"`
}

func (s *site) text(r reply) string {
	s.T.Helper()
	if len(r.Result.Content) == 0 || r.Result.Content[0].Type != "text" {
		s.T.Fatalf("no text: %s", r.Raw)
	}
	return r.Result.Content[0].Text
}

// call posts a request, in the session if there is one.
func (s *site) call(method, params string, headers ...string) reply {
	s.T.Helper()
	return s.post(fmt.Sprintf(`{"jsonrpc":"2.0","id":7,"method":%q,"params":%s}`, method, params), headers...)
}

func (s *site) post(body string, headers ...string) (r reply) {
	s.T.Helper()
	if s.session != "" {
		headers = append([]string{"Mcp-Session-Id", s.session}, headers...)
	}
	got := s.Do("POST", "/mcp", body, append([]string{"Content-Type", "application/json"}, headers...)...)
	r.HTTP, r.Raw = got.Response, got.Text
	if got.Text != "" {
		got.Into(s.T, &r)
	}
	return r
}

// tool calls a tool.
func (s *site) tool(name, arguments string, more ...string) reply {
	s.T.Helper()
	return s.call("tools/call", fmt.Sprintf(`{"name":%q,"arguments":%s%s}`, name, arguments, strings.Join(more, "")))
}

// modern calls a method as 2026-07-28 does, for a client with capabilities.
func (s *site) modern(method, name, params, capabilities string) reply {
	s.T.Helper()
	meta := fmt.Sprintf(`"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",
		"io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},
		"io.modelcontextprotocol/clientCapabilities":%s}`, capabilities)
	if params != "" {
		meta += ","
	}
	return s.call(method, "{"+meta+params+"}", "MCP-Protocol-Version", "2026-07-28", "Mcp-Method", method,
		"Mcp-Name", name)
}

// initialize begins a session of a client with capabilities.
func (s *site) initialize(capabilities string) reply {
	s.T.Helper()
	s.session = ""
	r := s.call("initialize", fmt.Sprintf(`{"protocolVersion":"2025-11-25","capabilities":%s,
		"clientInfo":{"name":"t","version":"1"}}`, capabilities))
	if s.session = r.HTTP.Header.Get("Mcp-Session-Id"); s.session == "" || r.Result.ProtocolVersion != "2025-11-25" {
		s.T.Fatalf("%s %s", r.HTTP.Status, r.Raw)
	}
	return r
}

// show feeds a renderer the surface of a result.
func show(t *testing.T, d a2ui.Dialect, messages string) *renderer.Client {
	t.Helper()
	r := renderer.New(d, renderer.Strict)
	for _, m := range limntest.Must(jsonx.Parse([]byte(messages), jsonx.Limits{})).Items {
		if err := r.Feed(jsonx.Append(nil, m)); err != nil {
			t.Fatalf("%s: %v", d, err)
		}
	}
	return r
}

// commits counts how often a guest was saved.
func (s *site) commits(id, name string) int {
	s.T.Helper()
	return limntest.Saved(s.T, s.srv.Service(), id, name)
}
