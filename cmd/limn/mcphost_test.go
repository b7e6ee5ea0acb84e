package main

import (
	"bytes"
	"context"
	"io"
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
