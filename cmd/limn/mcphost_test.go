package main

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/limn-ui/limn"
	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/cmd/limn/term"
	"github.com/limn-ui/limn/internal/limntest"
)

// TestMCPHost: a host that starts "limn mcp" has the tools of the server, asks its user, and is
// told of changes, in each version of the protocol.
func TestMCPHost(t *testing.T) {
	t.Parallel()
	a, err := app.Load("guests.yaml", []byte(guestBook))
	if err != nil {
		t.Fatal(err)
	}
	s := limntest.Serve(t, limntest.Must(limn.New(limn.Config{App: a, Doors: []string{"mcp"}})))
	for _, version := range []string{"2025-11-25", "2026-07-28"} {
		in, toServer := io.Pipe()
		fromServer, out := io.Pipe()
		ended := make(chan int)
		go func() { // waited for below
			ended <- run(t.Context(), []string{"mcp", s.URL + "/mcp", "--token", strings.Repeat("A", 43)},
				term.Terminal{In: in, Out: out, Err: &bytes.Buffer{}, Env: func(string) string { return "" }})
		}()
		c := mcp.NewClient(&mcp.Implementation{Name: "host", Version: "1"}, &mcp.ClientOptions{
			ElicitationHandler: func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
				return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"name": "Ada"}}, nil
			}})
		session, err := c.Connect(t.Context(), &mcp.IOTransport{Reader: fromServer, Writer: toServer},
			&mcp.ClientSessionOptions{ProtocolVersion: version})
		if err != nil {
			t.Fatalf("%s: %v", version, err)
		}
		got, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "show_form_guest", Arguments: map[string]any{}})
		if err != nil {
			t.Fatalf("%s: %v", version, err)
		}
		if text := got.Content[0].(*mcp.TextContent).Text; !strings.Contains(text, "is submitted") {
			t.Errorf("%s: %s", version, text)
		}
		toServer.Close()
		if code := <-ended; code != 0 {
			t.Errorf("%s: exit code %d", version, code)
		}
		out.Close()
	}
}

// TestMCPHostAddress: what is no address is refused before anything is read.
func TestMCPHostAddress(t *testing.T) {
	t.Parallel()
	var errs bytes.Buffer
	if code := run(t.Context(), []string{"mcp", "desk"}, term.Terminal{In: strings.NewReader(""), Out: io.Discard,
		Err: &errs, Env: func(string) string { return "" }}); code == 0 || !strings.Contains(errs.String(), "no address") {
		t.Errorf("%d %s", code, errs.String())
	}
}

// TestMCPHostBrokenAnswers: each request has an answer, also if the server breaks off; a message
// that is no request has none.
func TestMCPHostBrokenAnswers(t *testing.T) {
	t.Parallel()
	const call = `{"jsonrpc":"2.0","id":"<7>","method":"tools/call","params":{"name":"say"}}`
	const broke = `{"error":{"code":-32000,"message":"the answer broke off"},"id":"\u003c7\u003e","jsonrpc":"2.0"}` + "\n"
	const asks = `{"jsonrpc":"2.0","id":"<7>","method":"elicitation/create"}`
	const result = `{"jsonrpc":"2.0","id":"\u003c7\u003e","result":{}}`
	for name, tt := range map[string]struct{ line, kind, body, want string }{
		"the result in a stream":    {call, "text/event-stream", "data: " + result + "\n\n", result + "\n"},
		"a stream without events":   {call, "text/event-stream", "", broke},
		"a stream after a question": {call, "text/event-stream", "data: " + asks + "\n\n", asks + "\n" + broke},
		"a result above the bound": {call, "text/event-stream",
			"data: " + strings.Repeat(" ", maxLine) + result + "\n\n", broke},
		"the result of another":          {call, "text/event-stream", "data: {\"id\":7}\n\n", "{\"id\":7}\n" + broke},
		"no JSON":                        {call, "text/plain", "Hello.", broke},
		"an empty answer":                {call, "application/json", "", broke},
		"an empty answer to a result":    {result, "application/json", "", ""},
		"an empty answer to a notice":    {`{"jsonrpc":"2.0","method":"notifications/x"}`, "application/json", "", ""},
		"a stream in answer to a notice": {`{"jsonrpc":"2.0","method":"notifications/x"}`, "text/event-stream", "", ""},
		"the result, and a notice after it": {call, "text/event-stream", "data: " + result + "\n\ndata: {}\n\n",
			result + "\n{}\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", tt.kind)
				io.WriteString(w, tt.body)
			}))
			defer s.Close()
			var out bytes.Buffer
			if code := run(t.Context(), []string{"mcp", s.URL}, term.Terminal{In: strings.NewReader(tt.line + "\n"),
				Out: &out, Err: &bytes.Buffer{}, Env: func(string) string { return "" }}); code != 0 {
				t.Errorf("exit code %d", code)
			}
			if out.String() != tt.want {
				t.Errorf("the host gets %q, want %q", out.String(), tt.want)
			}
		})
	}
}
