package mcp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/limn-ui/limn/internal/agent"
	"github.com/limn-ui/limn/internal/logs"
	"github.com/limn-ui/limn/mcp"
	"github.com/limn-ui/limn/ui"
)

// byHand is an MCP server without the SDK: answer says what comes to a method other
// than initialize; false: the default, which is one tool "find" and the text "found".
func byHand(t *testing.T, answer func(w http.ResponseWriter, method, id string) bool) *httptest.Server {
	t.Helper()
	h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		var q struct {
			ID     json.RawMessage
			Method string
			Params struct{ ProtocolVersion string }
		}
		if r.Method != http.MethodPost || json.Unmarshal(body, &q) != nil || q.ID == nil {
			w.WriteHeader(http.StatusAccepted)
			return
		}
		if answer(w, q.Method, string(q.ID)) {
			return
		}
		result := map[string]string{
			"initialize": fmt.Sprintf(`{"protocolVersion":%q,"capabilities":{"tools":{}},"serverInfo":{"name":"h","version":"1"}}`, q.Params.ProtocolVersion),
			"tools/list": `{"tools":[{"name":"find","inputSchema":{"type":"object"}}]}`,
			"tools/call": `{"content":[{"type":"text","text":"found"}]}`,
		}[q.Method]
		w.Header().Set("Content-Type", "application/json")
		if result == "" {
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no such method"}}`, q.ID)
			return
		}
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, q.ID, result)
	}))
	t.Cleanup(h.Close)
	return h
}

// What HTTP says to a call: one that was refused was not carried out, any other may
// have been. A log says what it was, and never what the server wrote.
func TestRefusedCallWasNotCarriedOut(t *testing.T) {
	t.Parallel()
	status := func(code int) func(http.ResponseWriter) {
		return func(w http.ResponseWriter) {
			w.WriteHeader(code)
			_, _ = io.WriteString(w, "words of the server")
		}
	}
	for name, tt := range map[string]struct {
		say  func(http.ResponseWriter)
		code ui.Code
		log  string
	}{
		"unauthorized": {status(401), agent.CodeToolAway, "TOOL_UNAVAILABLE: MCP server shop refuses the token, or wants one (HTTP 401)"},
		"too many":     {status(429), agent.CodeToolAway, "TOOL_UNAVAILABLE: MCP server shop answers HTTP 429"},
		"not found":    {status(404), agent.CodeToolAway, "TOOL_UNAVAILABLE: MCP server shop answers HTTP 404"},
		"timeout":      {status(408), agent.CodeEffectUnknown, "EFFECT_UNKNOWN: MCP server shop answers HTTP 408"},
		"broken":       {status(500), agent.CodeEffectUnknown, "EFFECT_UNKNOWN: MCP server shop answers HTTP 500"},
		"unavailable":  {status(503), agent.CodeEffectUnknown, "EFFECT_UNKNOWN: MCP server shop answers HTTP 503"},
		"redirect": {func(w http.ResponseWriter) {
			w.Header().Set("Location", "http://169.254.169.254/words")
			w.WriteHeader(307)
		}, agent.CodeToolAway, `TOOL_UNAVAILABLE: MCP server shop redirects to "169.254.169.254" (HTTP 307), which is not followed`},
		"a page": {func(w http.ResponseWriter) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, _ = io.WriteString(w, "<html>words")
		}, agent.CodeEffectUnknown, `EFFECT_UNKNOWN: MCP server shop answers "text/html", which is neither JSON nor an event stream`},
		"too much": {func(w http.ResponseWriter) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, `"`+strings.Repeat("x", 20<<10)+`"`)
		}, agent.CodeToolResult, "TOOL_RESULT_TOO_LARGE"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := byHand(t, func(w http.ResponseWriter, method, _ string) bool {
				if method == "tools/call" {
					tt.say(w)
				}
				return method == "tools/call"
			})
			c := open(t, mcp.Server{URL: h.URL}, func(c *mcp.Config) { c.MaxMessage = 10 << 10 })
			_, err := c.Call(t.Context(), "shop", "find", "e/1", []byte(`{}`), max)
			if ui.CodeOf(err) != tt.code || logs.Quiet(err) != tt.log {
				t.Errorf("%v\nlog  %s\nwant %s", err, logs.Quiet(err), tt.log)
			}
		})
	}
}

// A server that is not there any more gets no call, and the next one when it is back.
func TestGoneAndBack(t *testing.T) {
	t.Parallel()
	h := byHand(t, func(http.ResponseWriter, string, string) bool { return false })
	var down atomic.Bool
	c := open(t, mcp.Server{URL: h.URL}, func(c *mcp.Config) {
		c.Transport = roundTrip(func(r *http.Request) (*http.Response, error) {
			if down.Load() {
				r = r.Clone(r.Context())
				r.URL.Host = "127.0.0.1:1" // nobody listens
			}
			return http.DefaultTransport.RoundTrip(r)
		})
	})
	for i, want := range []ui.Code{"", agent.CodeToolAway, agent.CodeToolAway, ""} {
		down.Store(want != "")
		text, err := c.Call(t.Context(), "shop", "find", "e/1", []byte(`{}`), max)
		if ui.CodeOf(err) != want || want == "" && text != "found" {
			t.Errorf("call %d: %q %v", i, text, err)
		}
		if want != "" && !strings.Contains(logs.Quiet(err), "connection refused") {
			t.Errorf("log %s", logs.Quiet(err))
		}
	}
}

type roundTrip func(*http.Request) (*http.Response, error)

// RoundTrip implements http.RoundTripper.
func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// A server whose list never ends, or whose pages have tools that nobody may call,
// is looked at for a thousand tools.
func TestEndlessList(t *testing.T) {
	t.Parallel()
	var pages atomic.Int32
	h := byHand(t, func(w http.ResponseWriter, method, id string) bool {
		if method != "tools/list" {
			return false
		}
		n := pages.Add(1)
		list := strings.TrimSuffix(strings.Repeat(`{"name":"other","inputSchema":{"type":"object"}},`, 100), ",")
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"nextCursor":"c%d","tools":[%s]}}`, id, n, list)
		return true
	})
	c := open(t, mcp.Server{URL: h.URL, Allow: []string{"find"}})
	_, _, _, err := c.Tool(t.Context(), "shop", "find")
	if want := `TOOL_UNAVAILABLE: MCP server shop has no tool "find", or it is not allowed`; logs.Quiet(err) != want {
		t.Errorf("%s, want %s", logs.Quiet(err), want)
	}
	if n := pages.Load(); n > 11 {
		t.Errorf("%d pages were asked for", n)
	}
}

// A list that a user stops, or that the server refuses in its answer, leaves the session to
// the others.
func TestFailedListKeepsTheSession(t *testing.T) {
	t.Parallel()
	for _, way := range []string{"stopped", "refused"} {
		t.Run(way, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithCancel(t.Context())
			var sessions atomic.Int32
			over := make(chan struct{})
			h := byHand(t, func(w http.ResponseWriter, method, id string) bool {
				switch {
				case method == "initialize":
					sessions.Add(1)
				case method == "tools/list" && way == "stopped":
					cancel()
					<-over
					return true
				case method == "tools/list":
					w.Header().Set("Content-Type", "application/json")
					fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32603,"message":"not now"}}`, id)
					return true
				}
				return false
			})
			t.Cleanup(func() { close(over) }) // before h closes
			c := open(t, mcp.Server{URL: h.URL})
			if _, _, _, err := c.Tool(ctx, "shop", "find"); ui.CodeOf(err) != agent.CodeToolAway {
				t.Errorf("%v", err)
			}
			if _, err := c.Call(t.Context(), "shop", "find", "e/1", []byte(`{}`), max); err != nil {
				t.Error(err)
			}
			if n := sessions.Load(); n != 1 {
				t.Errorf("%d sessions, want 1", n)
			}
		})
	}
}

// Only the first call to a silent server waits.
func TestOnlyTheFirstCallWaitsForASilentServer(t *testing.T) {
	t.Parallel()
	for _, silent := range []string{"initialize", "tools/list"} {
		t.Run(silent, func(t *testing.T) {
			t.Parallel()
			over := make(chan struct{})
			h := byHand(t, func(_ http.ResponseWriter, method, _ string) bool {
				if method == silent {
					<-over
				}
				return method == silent
			})
			t.Cleanup(func() { close(over) }) // before h closes
			c := open(t, mcp.Server{URL: h.URL}, func(c *mcp.Config) { c.Connect = 3 * time.Second })
			began := time.Now()
			for range 10 {
				if _, _, _, err := c.Tool(t.Context(), "shop", "find"); ui.CodeOf(err) != agent.CodeToolAway {
					t.Errorf("%v", err)
				}
			}
			if took := time.Since(began); took > 20*time.Second {
				t.Errorf("ten turns waited %v", took)
			}
		})
	}
}

// A program that needs longer than one turn waits is there for a later one.
func TestSlowToStart(t *testing.T) {
	t.Parallel()
	s := program(t)
	gate := filepath.Join(t.TempDir(), "gate")
	s.Command = append([]string{"/bin/sh", "-c", `until [ -e "$0" ]; do sleep 0.02; done; exec "$1"`, gate},
		s.Command...)
	s.Env = append(s.Env, "PATH="+os.Getenv("PATH"))
	c := open(t, s, func(c *mcp.Config) { c.Connect = 2 * time.Second })
	if _, _, _, err := c.Tool(t.Context(), "shop", "find"); ui.CodeOf(err) != agent.CodeToolAway {
		t.Fatalf("%v", err)
	}
	if err := os.WriteFile(gate, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(10 * time.Second); ; {
		_, _, _, err := c.Tool(t.Context(), "shop", "find")
		if err == nil {
			return
		}
		if time.Now().After(end) {
			t.Fatal(err)
		}
	}
}

// What a program does that is no MCP server, in the words of a log.
func TestPrograms(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ script, log string }{
		"ends":      {"exit 3", "MCP server shop ended; run its command by hand to see why"},
		"talks":     {"echo Listening on stdio; cat", "MCP server shop writes what is no JSON-RPC to its standard output"},
		"one line":  {"printf '['; yes 1, | tr -d '\\n'", "MCP server shop says more than is read"},
		"no output": {"exec >&-; cat >/dev/null", "MCP server shop ended; run its command by hand to see why"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := open(t, mcp.Server{Command: []string{"/bin/sh", "-c", tt.script}},
				func(c *mcp.Config) { c.MaxMessage = 10 << 10 })
			_, err := c.Call(t.Context(), "shop", "find", "e/1", []byte(`{}`), max)
			if want := "TOOL_UNAVAILABLE: " + tt.log; logs.Quiet(err) != want {
				t.Errorf("%s, want %s: %v", logs.Quiet(err), want, err)
			}
		})
	}
}

// A server that reads a call on a used connection and closes it without an answer
// is called once.
func TestCalledOnce(t *testing.T) {
	t.Parallel()
	var calls atomic.Int32
	h := byHand(t, func(_ http.ResponseWriter, method, _ string) bool {
		if method == "tools/call" && calls.Add(1) == 2 {
			panic(http.ErrAbortHandler)
		}
		return false
	})
	c := open(t, mcp.Server{URL: h.URL})
	for i, want := range []ui.Code{"", agent.CodeEffectUnknown} {
		if _, err := c.Call(t.Context(), "shop", "find", "e/1", []byte(`{}`), max); ui.CodeOf(err) != want {
			t.Errorf("call %d: %v, want code %q", i, err, want)
		}
	}
	if n := calls.Load(); n != 2 {
		t.Errorf("%d calls, want 2", n)
	}
}
