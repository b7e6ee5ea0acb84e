package mcp_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/limn-ui/limn/internal/agent"
	"github.com/limn-ui/limn/mcp"
	"github.com/limn-ui/limn/ui"
)

const max = 1000

// served is a real MCP server with tools of each kind of behaviour. A tool says
// on keys under which key it was called; one breaks the connection.
func served(keys func(string), cut func()) *sdk.Server {
	s := sdk.NewServer(&sdk.Implementation{Name: "shop", Version: "1"}, nil)
	raw := []byte(`{"type":"object","properties":{"id":{"type":"string"}},"required":["id"]}`)
	add := func(name string, f func(ctx context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error)) {
		s.AddTool(&sdk.Tool{Name: name, Description: "Does " + name + ".", InputSchema: jsonRaw(raw),
			Annotations: map[string]*sdk.ToolAnnotations{"find": {ReadOnlyHint: true}, "fail": {}}[name]},
			func(ctx context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
				key, _ := r.Params.Meta["limn/key"].(string)
				keys(name + " " + key)
				return f(ctx, r)
			})
	}
	text := func(s ...string) *sdk.CallToolResult {
		res := &sdk.CallToolResult{}
		for _, t := range s {
			res.Content = append(res.Content, &sdk.TextContent{Text: t})
		}
		return res
	}
	add("find", func(_ context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		return text("found "+string(r.Params.Arguments), "twice"), nil
	})
	add("refuse", func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		res := text("no such order")
		res.IsError = true
		return res, nil
	})
	add("fail", func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		return nil, errors.New("broken inside")
	})
	add("picture", func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		return &sdk.CallToolResult{Content: []sdk.Content{&sdk.ImageContent{Data: []byte("x"), MIMEType: "image/png"},
			&sdk.ResourceLink{URI: "file:///a", Name: "a"}}}, nil
	})
	add("data", func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		return &sdk.CallToolResult{Content: []sdk.Content{}, StructuredContent: map[string]any{"n": 1}}, nil
	})
	add("long", func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		return text(strings.Repeat("x", max+1)), nil
	})
	add("huge", func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		return text(strings.Repeat("x", 20<<20)), nil
	})
	var met atomic.Int32
	add("meet", func(ctx context.Context, _ *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		if met.Add(1) == 2 {
			return text(strings.Repeat("x", 20<<20)), nil
		}
		select {
		case <-ctx.Done():
		case <-time.After(5 * time.Second):
		}
		return nil, errors.New("given up")
	})
	add("hang", func(ctx context.Context, _ *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		select {
		case <-ctx.Done():
		case <-time.After(5 * time.Second):
			// a cancel that overtakes its call is lost, and the server's end waits for this
		}
		return nil, errors.New("given up")
	})
	add("die", func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		cut()
		return text("too late"), nil
	})
	return s
}

type jsonRaw []byte

// MarshalJSON gives the schema as it is.
func (r jsonRaw) MarshalJSON() ([]byte, error) { return r, nil }

const asServer = "LIMN_TEST_MCP_SERVER"

// TestMain is the MCP server when the tests start themselves as one.
func TestMain(m *testing.M) {
	if os.Getenv(asServer) != "" {
		if err := served(func(string) {}, func() { os.Exit(3) }).Run(context.Background(), &sdk.StdioTransport{}); err != nil {
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

func open(t *testing.T, s mcp.Server, edit ...func(*mcp.Config)) *mcp.Client {
	t.Helper()
	s.Name = "shop"
	cfg := mcp.Config{Servers: []mcp.Server{s}}
	for _, e := range edit {
		e(&cfg)
	}
	c, err := mcp.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// program is this test as an MCP server on its standard input and output.
func program(t *testing.T) mcp.Server {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return mcp.Server{Command: []string{self}, Env: []string{asServer + "=1"}}
}

// endpoint is an MCP server over HTTP, in this process.
func endpoint(t *testing.T, keys func(string)) (*httptest.Server, mcp.Server) {
	t.Helper()
	s := served(keys, nil)
	handler := sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return s }, nil)
	h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if bytes.Contains(body, []byte(`"name":"die"`)) {
			panic(http.ErrAbortHandler) // cuts the connection
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(h.Close)
	return h, mcp.Server{URL: h.URL}
}

func TestCalls(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var keys []string
	_, web := endpoint(t, func(k string) { mu.Lock(); keys = append(keys, k); mu.Unlock() })
	for name, s := range map[string]mcp.Server{"http": web, "stdio": program(t)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := open(t, s)
			ctx := t.Context()
			description, schema, readOnly, err := c.Tool(ctx, "shop", "find")
			if err != nil || !readOnly || description != "Does find." || !strings.Contains(string(schema), `"required":["id"]`) {
				t.Errorf("%q %s %v", description, schema, err)
			}
			for _, tool := range []string{"fail", "die"} {
				if _, _, readOnly, err := c.Tool(ctx, "shop", tool); err != nil || readOnly {
					t.Errorf("%s: reads only %v, %v", tool, readOnly, err)
				}
			}
			names, err := c.Tools(ctx, "shop")
			if diff := cmp.Diff([]string{"data", "die", "fail", "find", "hang", "huge", "long", "meet", "picture", "refuse"},
				names); diff != "" || err != nil {
				t.Errorf("%v (-want +got):\n%s", err, diff)
			}
			for _, tt := range []struct {
				tool, want string
				code       ui.Code
			}{
				{"find", "found {\"id\":\"A1\"}\ntwice", ""},
				{"picture", "[an image]\n[a link to file:///a]", ""},
				{"data", `{"n":1}`, ""},
				{"refuse", "no such order", agent.CodeToolFailed},
				{"fail", "broken inside", agent.CodeToolFailed},
				{"none", "none", agent.CodeToolFailed},
				{"long", "above 1000 bytes", agent.CodeToolResult},
				{"find", "found {\"id\":\"A1\"}\ntwice", ""},
			} {
				text, err := c.Call(ctx, "shop", tt.tool, "e/1", []byte(`{"id":"A1"}`), max)
				if ui.CodeOf(err) != tt.code || tt.code == "" && text != tt.want ||
					err != nil && !strings.Contains(err.Error(), tt.want) {
					t.Errorf("%s: %q, %v", tt.tool, text, err)
				}
			}
			late, cancel := context.WithTimeout(ctx, 50*time.Millisecond)
			defer cancel()
			if _, err := c.Call(late, "shop", "hang", "e/2", []byte(`{"id":""}`), max); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("hang: %v", err)
			}
			// What breaks in the middle may have been carried out; the next call has a
			// new connection.
			for _, tool := range []string{"die", "huge"} {
				text, err := c.Call(ctx, "shop", tool, "e/3", []byte(`{"id":""}`), max)
				if code := ui.CodeOf(err); code != agent.CodeEffectUnknown && code != agent.CodeToolResult {
					t.Errorf("%s: %.80q %v", tool, text, err)
				}
				if text, err := c.Call(ctx, "shop", "find", "e/4", []byte(`{"id":"A1"}`), max); err != nil {
					t.Errorf("after %s: %q %v", tool, text, err)
				}
			}
			if name == "http" {
				mu.Lock()
				defer mu.Unlock()
				if keys[0] != "find e/1" {
					t.Errorf("keys %q", keys)
				}
			}
		})
	}
}

// A message of a program above the bound ends the calls of all. It is known to answer
// one of them only if there is no other.
func TestTooMuchOfAProgram(t *testing.T) {
	t.Parallel()
	c := open(t, program(t))
	if _, err := c.Call(t.Context(), "shop", "huge", "e/1", []byte(`{"id":""}`), max); ui.CodeOf(err) != agent.CodeToolResult {
		t.Errorf("alone: %v", err)
	}
	var calls sync.WaitGroup
	for range 2 {
		calls.Go(func() {
			if _, err := c.Call(t.Context(), "shop", "meet", "e/2", []byte(`{"id":""}`), max); ui.CodeOf(err) != agent.CodeEffectUnknown {
				t.Errorf("beside another: %v", err)
			}
		})
	}
	calls.Wait()
}

// A restarted server does not know the session: it is called again, once.
func TestRestartedServerIsCalledAgain(t *testing.T) {
	t.Parallel()
	var calls atomic.Int32
	count := func(string) { calls.Add(1) }
	handler := func() http.Handler {
		s := served(count, nil)
		return sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return s }, nil)
	}
	var now atomic.Value
	now.Store(handler())
	h := httptest.NewServer(http.HandlerFunc(
		func(w http.ResponseWriter, r *http.Request) { now.Load().(http.Handler).ServeHTTP(w, r) }))
	t.Cleanup(h.Close)
	c := open(t, mcp.Server{URL: h.URL})
	for i := range 3 {
		if _, err := c.Call(t.Context(), "shop", "find", "e/1", []byte(`{"id":""}`), max); err != nil {
			t.Fatalf("call %d: %v", i, err)
		}
		now.Store(handler())
	}
	if n := calls.Load(); n != 3 {
		t.Errorf("%d calls, want 3", n)
	}
}

func TestAllowed(t *testing.T) {
	t.Parallel()
	_, s := endpoint(t, func(string) {})
	s.Allow = []string{"find"}
	c := open(t, s)
	names, err := c.Tools(t.Context(), "shop")
	if diff := cmp.Diff([]string{"find"}, names); diff != "" || err != nil {
		t.Error(diff, err)
	}
	for _, call := range [][2]string{{"shop", "refuse"}, {"shed", "find"}} {
		if _, _, _, err := c.Tool(t.Context(), call[0], call[1]); err == nil {
			t.Errorf("%v is described", call)
		}
		if _, err := c.Call(t.Context(), call[0], call[1], "k", []byte(`{}`), max); err == nil || ui.CodeOf(err) != "" {
			t.Errorf("%v is called: %v", call, err)
		}
	}
}

// The token goes to the server that the operator named, and to no other one.
func TestToken(t *testing.T) {
	t.Parallel()
	var elsewhere atomic.Int32
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { elsewhere.Add(1) }))
	t.Cleanup(other.Close)
	var got atomic.Value
	first := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got.Store(r.Header.Get("Authorization"))
		http.Redirect(w, r, other.URL, http.StatusTemporaryRedirect)
	}))
	t.Cleanup(first.Close)
	c := open(t, mcp.Server{URL: first.URL, Token: "word"})
	if _, err := c.Tools(t.Context(), "shop"); err == nil || strings.Contains(err.Error(), "word") {
		t.Errorf("%v", err)
	}
	if got.Load() != "Bearer word" || elsewhere.Load() != 0 {
		t.Errorf("sent %v, %d requests elsewhere", got.Load(), elsewhere.Load())
	}
}

func TestNoServer(t *testing.T) {
	t.Parallel()
	for name, list := range map[string][]mcp.Server{
		"no name":         {{URL: "https://example.org/"}},
		"nothing":         {{Name: "a"}},
		"both":            {{Name: "a", URL: "https://example.org/", Command: []string{"x"}}},
		"no URL":          {{Name: "a", URL: "example.org"}},
		"a password":      {{Name: "a", URL: "https://u:p@example.org/"}},
		"a token in open": {{Name: "a", URL: "http://example.org/", Token: "t"}},
		"twice":           {{Name: "a", Command: []string{"x"}}, {Name: "a", Command: []string{"y"}}},
	} {
		if _, err := mcp.New(mcp.Config{Servers: list}); ui.CodeOf(err) != mcp.CodeConfig {
			t.Errorf("%s: %v", name, err)
		}
	}
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	for name, s := range map[string]mcp.Server{"no program": {Command: []string{"/nonexistent/limn-mcp"}},
		"silent program": {Command: []string{"/bin/cat"}}, "no listener": {URL: gone.URL}} {
		c := open(t, s, func(c *mcp.Config) { c.Connect = 200 * time.Millisecond })
		began := time.Now()
		if _, err := c.Call(t.Context(), "shop", "find", "k", []byte(`{}`), max); ui.CodeOf(err) != agent.CodeToolAway || time.Since(began) > time.Minute {
			t.Errorf("%s: %v after %v", name, err, time.Since(began))
		}
	}
}
