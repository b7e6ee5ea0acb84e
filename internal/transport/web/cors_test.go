package web_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/limn-ui/limn"
)

// TestOrigins: pages of the allowed origins use the API as pages of our own do;
// others are refused as ever, and no answer is for everybody.
func TestOrigins(t *testing.T) {
	t.Parallel()
	s := start(t, func(c *limn.Config) { c.Origins = []string{"https://app.example"} })
	ask := func(method, at, origin string, headers ...string) *http.Response {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), method, s.url+at, strings.NewReader(""))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Origin", origin)
		r.Header.Set("Sec-Fetch-Site", "cross-site")
		for i := 0; i < len(headers); i += 2 {
			r.Header.Set(headers[i], headers[i+1])
		}
		resp, err := http.DefaultTransport.RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		return resp
	}
	preflight := ask("OPTIONS", "/v1/conversations", "https://app.example", "Access-Control-Request-Method", "POST",
		"Access-Control-Request-Headers", "idempotency-key")
	h := preflight.Header
	if preflight.StatusCode != http.StatusNoContent || h.Get("Access-Control-Allow-Origin") != "https://app.example" ||
		h.Get("Access-Control-Allow-Credentials") != "true" ||
		!strings.Contains(h.Get("Access-Control-Allow-Headers"), "Idempotency-Key") ||
		!strings.Contains(h.Get("Access-Control-Allow-Methods"), "PUT") {
		t.Errorf("preflight: %d %v", preflight.StatusCode, h)
	}
	made := ask("POST", "/v1/conversations", "https://app.example")
	if made.StatusCode != http.StatusCreated ||
		made.Header.Get("Access-Control-Allow-Origin") != "https://app.example" ||
		!strings.Contains(made.Header.Get("Access-Control-Expose-Headers"), "Limn-Cursor") ||
		!strings.Contains(strings.Join(made.Header.Values("Vary"), ","), "Origin") {
		t.Errorf("post: %d %v", made.StatusCode, made.Header)
	}
	for _, origin := range []string{"https://other.example", "http://app.example", "https://app.example.evil", "null",
		"*"} {
		if r := ask("POST", "/v1/conversations", origin); r.StatusCode != http.StatusForbidden ||
			r.Header.Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("%s: %d %v", origin, r.StatusCode, r.Header)
		}
		if r := ask("OPTIONS", "/v1/conversations", origin, "Access-Control-Request-Method", "POST"); r.Header.Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("preflight of %s: %v", origin, r.Header)
		}
	}
	// Pages of the origin may hold ours in a frame, and load the script that does.
	if h := ask("GET", "/healthz", "").Header; !strings.HasSuffix(h.Get("Content-Security-Policy"),
		"; frame-ancestors 'self' https://app.example") || h.Get("X-Frame-Options") != "" {
		t.Errorf("frames: %v", h)
	}
	if h := ask("GET", "/assets/embed.js", "").Header; h.Get("Cross-Origin-Resource-Policy") != "cross-origin" {
		t.Errorf("the script: %v", h)
	}
	if r := ask("GET", "/", "https://app.example"); r.Header.Get("Access-Control-Allow-Origin") != "" {
		t.Error("pages are not for other origins' scripts")
	}
	for _, bad := range []string{"https://app.example/", "app.example", "*", "https://", "ftp://x"} {
		if _, err := limn.New(limn.Config{App: desk(t), Origins: []string{bad}}); err == nil {
			t.Errorf("the origin %q is taken", bad)
		}
	}
	for _, bad := range []string{"assistant", "/a/", "/", "/a b", "/a//b", "/../a", "/a?b"} {
		if _, err := limn.New(limn.Config{App: desk(t), Prefix: bad}); err == nil {
			t.Errorf("the prefix %q is taken", bad)
		}
	}
}
