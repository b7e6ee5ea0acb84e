package upstream_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/internal/driver/memory"
)

// TestMCP: a server of the official SDK is an agent: a tool gives words and a surface, and a click is the call of the
// tool that the action is named after; one that fails says why. Each conversation has a session, which begins again once it is over.
func TestMCP(t *testing.T) {
	t.Parallel()
	var sold atomic.Int32
	shop := func() http.Handler {
		s := mcp.NewServer(&mcp.Implementation{Name: "shop", Version: "1"}, nil)
		type said struct {
			Text string `json:"text"`
		}
		mcp.AddTool(s, &mcp.Tool{Name: "chat"}, func(_ context.Context, _ *mcp.CallToolRequest, in said) (*mcp.CallToolResult, any, error) {
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "You said " + in.Text},
				&mcp.TextContent{Text: "For the model.", Annotations: &mcp.Annotations{Audience: []mcp.Role{"assistant"}}},
				&mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: "a2ui://shop/main", MIMEType: "application/a2ui+json",
					Text: "[\n" + strings.Join(surface("Shop", "Oslo"), ",\n") + "\n]"}}}}, nil, nil
		})
		type order struct {
			City string `json:"city"`
		}
		mcp.AddTool(s, &mcp.Tool{Name: "go"}, func(_ context.Context, _ *mcp.CallToolRequest, in order) (*mcp.CallToolResult, any, error) {
			n := sold.Add(1)
			if n > 1 {
				return nil, nil, errors.New("sold out")
			}
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{
				Text: fmt.Sprintf("Sold %d to %s.", n, in.City)}}}, nil, nil
		})
		return mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, nil)
	}
	var now atomic.Pointer[http.Handler]
	first, second := shop(), shop()
	now.Store(&first)
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { (*now.Load()).ServeHTTP(w, r) }))
	t.Cleanup(srv.Close)
	d := one(t, &fake{Server: srv}, ", protocol: mcp, tool: chat")
	if got := d.say("hello"); got != "Weather: You said hello" {
		t.Fatalf("said %q", got)
	}
	now.Store(&second) // which knows none of the sessions
	screen := d.shown(a2ui.V09)
	for range 2 {
		if w := d.press(a2ui.V09, screen, "weather:main#e=1"); w.Code != 200 {
			t.Fatalf("%d %s", w.Code, w.Body)
		}
	}
	if got := d.said(2); got != "Weather: Sold 1 to Oslo." || sold.Load() != 1 {
		t.Errorf("said %q after %d calls", got, sold.Load())
	}
	third := shop()
	now.Store(&third)
	if got := d.say("again"); got != "Weather: You said again" {
		t.Errorf("said %q", got)
	}
	from, screen := len(d.state().Transcript), d.shown(a2ui.V09)
	d.press(a2ui.V09, screen, screen.Surfaces()[0])
	if got := d.said(from); got != "Weather could not do that: sold out" {
		t.Errorf("a tool that fails: said %q", got)
	}
	if got := one(t, &fake{Server: srv}, ", protocol: mcp, tool: none").say("hello"); !strings.Contains(got, "could not do that: unknown tool") {
		t.Errorf("no such tool: said %q", got)
	}
}

// TestTools: the tools of a server are read to the last page, and again when one is missing or gone. A click without a
// tool fails, and calls nothing.
func TestTools(t *testing.T) {
	t.Parallel()
	s := mcp.NewServer(&mcp.Implementation{Name: "shop", Version: "1"}, &mcp.ServerOptions{PageSize: 1})
	add := func(name string, content ...mcp.Content) {
		mcp.AddTool(s, &mcp.Tool{Name: name, InputSchema: map[string]string{"type": "object"}},
			func(context.Context, *mcp.CallToolRequest, map[string]any) (*mcp.CallToolResult, any, error) {
				return &mcp.CallToolResult{Content: content}, nil, nil
			})
	}
	says := func(text string) mcp.Content { return &mcp.TextContent{Text: text} }
	add("chat", &mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: "a2ui://shop/main",
		MIMEType: "application/a2ui+json", Text: "[" + strings.Join(surface("Shop", "Oslo"), ",") + "]"}})
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, nil)
	var calls atomic.Int32
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		if strings.Contains(string(b), "tools/call") {
			calls.Add(1)
		}
		r.Body = io.NopCloser(bytes.NewReader(b))
		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(srv.Close)
	d := one(t, &fake{Server: srv}, ", protocol: mcp, tool: chat")
	for _, step := range []struct {
		change func()
		calls  int32
		says   string
	}{
		{func() {}, 0, "Weather could not do that: it has no tool for that action"},
		{func() { add("go", says("Gone.")) }, 1, "Weather: Gone."},
		{func() { s.RemoveTools("go"); add("a2ui_action", says("Taken.")) }, 1, `Weather could not do that: unknown tool "go"`},
		{func() {}, 1, "Weather: Taken."},
	} {
		step.change()
		d.say("hello")
		calls.Store(0)
		from, screen := len(d.state().Transcript), d.shown(a2ui.V09)
		d.press(a2ui.V09, screen, screen.Surfaces()[0])
		if got := d.said(from); got != step.says || calls.Load() != step.calls {
			t.Errorf("said %q after %d calls, want %q after %d", got, calls.Load(), step.says, step.calls)
		}
	}
}

// TestMCPByHand: the version that the server has agreed on is kept; a response to another request is passed over; a
// surface can be a blob; a session that is unknown begins again, whether the server says 404 or 400, and one that is
// known does not, however long its id is. One above the bound is no session, and the user reads why.
func TestMCPByHand(t *testing.T) {
	t.Parallel()
	var session, begun atomic.Int32
	var padding atomic.Pointer[string]
	padding.Store(new(string))
	blob := base64.StdEncoding.EncodeToString([]byte("[" + strings.Join(surface("Shop", "Oslo"), ",") + "]"))
	f := speaks(t, nil)
	f.Server.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		body, now := string(b), fmt.Sprint("s", session.Load())+*padding.Load()
		w.Header().Set("Content-Type", "application/json")
		switch {
		case strings.Contains(body, `"initialize"`):
			begun.Add(1)
			w.Header().Set("Mcp-Session-Id", now)
			io.WriteString(w, `{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-03-26","capabilities":{"tools":{}}}}`)
		case r.Header.Get("Mcp-Session-Id") != now || r.Header.Get("Mcp-Protocol-Version") != "2025-03-26":
			w.WriteHeader(http.StatusBadRequest)
			io.WriteString(w, `{"error":{"code":-32000,"message":"Bad Request: No valid session ID provided"}}`)
		case strings.Contains(body, "tools/call"):
			w.Header().Set("Content-Type", "text/event-stream")
			io.WriteString(w, `data: {"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"text","text":"of another"}]}}`+"\n\n"+
				`data: {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"From `+now[:2]+`."},`+
				`{"type":"resource","resource":{"uri":"a2ui://x","mimeType":"application/a2ui+json","blob":"`+blob+`"}}]}}`+"\n\n")
		default:
			w.WriteHeader(http.StatusAccepted)
		}
	})
	d := one(t, f, ", protocol: mcp, tool: chat")
	for _, want := range []string{"Weather: From s0.", "Weather: From s1."} {
		if said := d.say("hello"); said != want || d.state().Surface("weather:main") == nil {
			t.Errorf("said %q, want %q", said, want)
		}
		session.Add(1)
	}
	for _, c := range []struct {
		bytes int
		begun int32
		says  string
	}{{300, 1, "From s2."}, {5000, 2, "left out"}} {
		long := strings.Repeat("x", c.bytes)
		padding.Store(&long)
		begun.Store(0)
		said := d.say("hello") + d.say("hello")
		if n := begun.Load(); n != c.begun || !strings.Contains(said, c.says) {
			t.Errorf("an id of %d bytes: said %q in %d sessions, want %q in %d", c.bytes, said, n, c.says, c.begun)
		}
	}
}

// TestMCPStructured: data of a tool that come without words are its words.
func TestMCPStructured(t *testing.T) {
	t.Parallel()
	for result, want := range map[string]string{
		`{"structuredContent":{"result":"Sunny."}}`:                                         "Weather: Sunny.",
		`{"content":[],"structuredContent":{"sky":"clear","wind":3}}`:                       `Weather: {"sky":"clear","wind":3}`,
		`{"content":[{"type":"text","text":"Clear."}],"structuredContent":{"sky":"clear"}}`: "Weather: Clear.",
		`{"isError":true,"structuredContent":{"reason":"no sky"}}`:                          "Weather could not do that: no sky",
		`{"content":[],"structuredContent":null}`:                                           "Weather had nothing to say.",
		`{"content":[],"structuredContent":{}}`:                                             "Weather had nothing to say.",
	} {
		d := one(t, byHand(t, func(string) string { return result }), ", protocol: mcp")
		if said := d.say("sky?"); said != want {
			t.Errorf("%s: said %q, want %q", result, said, want)
		}
	}
}

// TestToolsChanged: a server that says that its tools have changed is asked for them again: a click goes to the one for
// all actions, though there is one of its name.
func TestToolsChanged(t *testing.T) {
	t.Parallel()
	var tools, called atomic.Value
	tools.Store(`{"name":"say"},{"name":"go"}`)
	f := byHand(t, func(body string) string {
		switch {
		case strings.Contains(body, `"tools/list"`):
			return `{"tools":[` + tools.Load().(string) + `]}`
		case strings.Contains(body, `"name":"say"`):
			text, _ := json.Marshal("[" + strings.Join(surface("Shop", "Oslo"), ",") + "]")
			return `{"content":[{"type":"resource","resource":{"uri":"a2ui://x","mimeType":"application/a2ui+json","text":` +
				string(text) + `}}]}`
		}
		called.Store(body)
		return `{"content":[{"type":"text","text":"Done."}]}`
	})
	d := one(t, f, ", protocol: mcp")
	for _, want := range []string{`"name":"go","arguments":{"city":"Oslo"}`, `"name":"a2ui_action"`} {
		d.say("show")
		screen := d.shown(a2ui.V09)
		d.press(a2ui.V09, screen, screen.Surfaces()[0])
		if got, _ := called.Load().(string); !strings.Contains(got, want) {
			t.Errorf("called %s, want %s", got, want)
		}
		tools.Store(`{"name":"say"},{"name":"go"},{"name":"a2ui_action"}`)
	}
}

// TestToolsTakeNoResults: the result of a client's function is for no tool, where its agent has changed its protocol since
// it called that function.
func TestToolsTakeNoResults(t *testing.T) {
	t.Parallel()
	const id = "https://maps.example/catalog.json"
	catalog := *a2ui.Basic(a2ui.V10)
	catalog.ID, catalog.Protocol, catalog.Functions = id, a2ui.V10.Protocol(), maps.Clone(catalog.Functions)
	catalog.Functions["getPosition"] = &a2ui.FunctionDef{Name: "getPosition", Returns: "object", Callers: a2ui.AgentOnly}
	var asked atomic.Int32
	tools := byHand(t, func(body string) string {
		if asked.Add(1); strings.Contains(body, `"tools/call"`) {
			t.Errorf("called %s", body)
		}
		return `{"tools":[{"name":"say"},{"name":"a2ui_action"}]}`
	})
	st := memory.New()
	yaml := "agents: [{name: atlas, title: Atlas, url: %q, version: v1.0, catalog: maps.json%s}]\nfallback: atlas"
	f := speaks(t, says(`{"version":"v1.0","callRendererFunction":{"functionCallId":"c1","callFunction":{"@call":"getPosition","catalogId":"`+id+`","args":{}}}}`))
	d := open(t, fmt.Sprintf(yaml, f.URL, ""), st, &catalog)
	d.say("where am I?")
	if err := d.srv.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	next := open(t, fmt.Sprintf(yaml, tools.URL, ", protocol: mcp"), st, &catalog)
	next.id, next.token = d.id, d.token
	w := next.do("POST", "/v1/conversations/"+d.id+"/events",
		`{"version":"v1.0","rendererFunctionResponse":{"functionCallId":"atlas/v1.0/1/c1","value":{"name":"say","context":{}}}}`, nil)
	if w.Code != 200 || asked.Load() == 0 {
		t.Errorf("%d %s, asked %d times", w.Code, w.Body, asked.Load())
	}
}

// byHand is a server of MCP that says with each result that its tools have changed.
func byHand(t *testing.T, result func(body string) string) *fake {
	return speaks(t, func(w http.ResponseWriter, body string) {
		if strings.Contains(body, `"notifications/`) {
			w.WriteHeader(http.StatusAccepted)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		io.WriteString(w, `data: {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`+"\n\n"+
			`data: {"jsonrpc":"2.0","id":1,"result":`+result(body)+"}\n\n")
	})
}
