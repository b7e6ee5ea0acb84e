package mcp_test

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/internal/limntest"
)

// bearer adds a token to each request.
type bearer struct{ token string }

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+b.token)
	return http.DefaultTransport.RoundTrip(r)
}

func arguments(t *testing.T, text string) (v any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// TestGoSDK: the client of go-sdk, in each version of the protocol, lists the tools, opens the
// form, reads it, submits it, once, and is told of it.
func TestGoSDK(t *testing.T) {
	t.Parallel()
	for _, version := range []string{"2025-06-18", "2025-11-25", "2026-07-28"} {
		s, ctx := start(t), t.Context()
		updated := make(chan string, 16)
		c := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ClientOptions{
			ResourceUpdatedHandler: func(_ context.Context, r *mcp.ResourceUpdatedNotificationRequest) {
				select {
				case updated <- r.Params.URI:
				default:
				}
			}})
		session, err := c.Connect(ctx, &mcp.StreamableClientTransport{Endpoint: s.URL + "/mcp",
			HTTPClient: &http.Client{Transport: bearer{ada}}}, &mcp.ClientSessionOptions{ProtocolVersion: version})
		if err != nil {
			t.Fatalf("%s: %v", version, err)
		}
		defer session.Close() //nolint:errcheck // a session has no end here
		tools, err := session.ListTools(ctx, nil)
		if err != nil || len(tools.Tools) != 10 {
			t.Fatalf("%s: %+v, %v", version, tools, err)
		}
		opened, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "show_form_guest", Arguments: map[string]any{}})
		if err != nil || opened.IsError || len(opened.Content) != 2 {
			t.Fatalf("%s: %+v, %v", version, opened, err)
		}
		res := opened.Content[1].(*mcp.EmbeddedResource).Resource
		read, err := session.ReadResource(ctx, &mcp.ReadResourceParams{URI: res.URI})
		if err != nil || read.Contents[0].Text != res.Text || read.Contents[0].MIMEType != "application/a2ui+json" {
			t.Errorf("%s: %+v, %v", version, read, err)
		}
		if err := session.Subscribe(ctx, &mcp.SubscribeParams{URI: res.URI}); err != nil {
			t.Errorf("%s: %v", version, err)
		}
		click := arguments(t, limntest.Sign(t, a2ui.V09, show(t, a2ui.V09, res.Text), "Ada"))
		for range 2 {
			done, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "a2ui_action", Arguments: click})
			if err != nil || done.IsError {
				t.Fatalf("%s: %+v, %v", version, done, err)
			}
		}
		if uri := <-updated; uri != res.URI {
			t.Errorf("%s: told of %s", version, uri)
		}
		id, _, _ := strings.Cut(strings.TrimPrefix(res.URI, "a2ui://"), "/")
		if n := s.commits(id, "Ada"); n != 1 {
			t.Errorf("%s: saved %d times", version, n)
		}
		if _, err = session.ReadResource(ctx, &mcp.ReadResourceParams{URI: "a2ui://x/y"}); err == nil {
			t.Errorf("%s: read what there is not", version)
		}
	}
}

// TestGoSDKElicit: the client of go-sdk asks its user in each version, and what they answer
// is the result of the call.
func TestGoSDKElicit(t *testing.T) {
	t.Parallel()
	for _, version := range []string{"2025-11-25", "2026-07-28"} {
		for action, want := range map[string]string{"accept": "is submitted", "decline": "is closed", "cancel": "is open"} {
			s, ctx := start(t), t.Context()
			c := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ClientOptions{
				ElicitationHandler: func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
					r := &mcp.ElicitResult{Action: action}
					if action == "accept" {
						r.Content = map[string]any{"name": "Ada", "stay": "week"}
					}
					return r, nil
				}})
			session, err := c.Connect(ctx, &mcp.StreamableClientTransport{Endpoint: s.URL + "/mcp",
				HTTPClient: &http.Client{Transport: bearer{ada}}}, &mcp.ClientSessionOptions{ProtocolVersion: version})
			if err != nil {
				t.Fatal(err)
			}
			defer session.Close() //nolint:errcheck // a session has no end here
			got, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "show_form_guest", Arguments: map[string]any{}})
			if err != nil {
				t.Fatalf("%s %s: %v", version, action, err)
			}
			if text := got.Content[0].(*mcp.TextContent).Text; !strings.Contains(text, want) {
				t.Errorf("%s %s: %s", version, action, text)
			}
		}
	}
}

// TestNodeSDK: so do the client of @modelcontextprotocol/sdk, which also asks its user, and the
// inspector.
func TestNodeSDK(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("starts node; run without -short")
	}
	s := start(t)
	conversations := map[string]string{}
	if err := json.Unmarshal([]byte(limntest.Node(t, "mcp/client.mjs", s.URL)), &conversations); err != nil {
		t.Fatal(err)
	}
	for name, id := range conversations {
		if n := s.commits(id, name); n != 1 {
			t.Errorf("%s was saved %d times", name, n)
		}
	}
}

// TestConformance: the official suite passes, but for the cases that do not apply.
func TestConformance(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("starts node; run without -short")
	}
	if out := limntest.Node(t, "mcp/conformance.mjs", start(t).URL); !strings.Contains(out, "server-initialize: 1 passed") {
		t.Error(out)
	}
}

// TestHost: a host of @modelcontextprotocol/ext-apps shows the app in Chromium: clicked twice it
// counts once, and it is as it was after a reload and after the server was killed.
func TestHost(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("starts a browser")
	}
	chromium := cmp.Or(os.Getenv("LIMN_CHROMIUM"), "/usr/bin/chromium")
	for _, needed := range []string{chromium, "../../../web/node_modules/playwright-core"} {
		if _, err := os.Stat(needed); err != nil && os.Getenv("LIMN_REQUIRE") == "1" {
			t.Fatalf("Chromium and the npm packages are needed; run sh scripts/deps.sh npm chromium: %v", err)
		} else if err != nil {
			t.Skipf("Chromium and the npm packages are needed; run sh scripts/deps.sh npm chromium: %v", err)
		}
	}
	dir := t.TempDir()
	program := filepath.Join(dir, "limn")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", program,
		"github.com/limn-ui/limn/cmd/limn").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	limntest.Node(t, "mcp/host.mjs", program, dir)
}
