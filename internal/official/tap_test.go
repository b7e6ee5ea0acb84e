package official_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/limn-ui/limn/internal/official"
)

// TestTap: each shape is judged once, however its ids and texts differ, and of
// the rest one in a hundred.
func TestTap(t *testing.T) {
	t.Parallel()
	text := func(id, props string) string {
		return `{"version":"v0.9","updateComponents":{"surfaceId":"s","components":[{"id":"` + id +
			`","component":"Text",` + props + `}]}}`
	}
	var tap official.Tap
	see := func(message string) error { return tap.See("v0.9", []byte(message)) }
	if err := see(text("root", `"text":"a"`)); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(tap.String(), "none judged") {
		t.Skip(official.ErrMissing)
	}
	for _, m := range []string{text("x", `"text":"b"`), text("root", `"text":{"path":"/a"}`),
		text("y", `"text":{"path":"/b"}`)} {
		if err := see(m); err != nil {
			t.Error(err)
		}
	}
	if got, want := tap.String(), "4 messages of 2 shapes, 2 judged by the published schemas"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if see(text("root", `"colour":"red"`)) == nil {
		t.Error("a property that the schema does not know passed")
	}
	bad := text("root", `"text":"a","variant":"huge"`)
	if see(strings.Replace(bad, "huge", "h1", 1)) != nil || see(bad) != nil {
		t.Error("a shape that is known is judged again at once")
	}
	for range 92 {
		if err := see(text("root", `"text":"a"`)); err != nil {
			t.Fatal(err)
		}
	}
	if see(bad) == nil {
		t.Error("the hundredth message was not judged")
	}
	if see(`{"version":`) == nil {
		t.Error("half a message passed")
	}
}

// TestListen: what is read of a server's streams and drawings is judged, in every
// format, and nothing else.
func TestListen(t *testing.T) {
	t.Parallel()
	const bad = `{"version":"v0.9","deleteSurface":{}}`
	h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		media := "text/event-stream"
		if r.URL.Path == "/a2ui" {
			media = "application/jsonl"
		}
		w.Header().Set("Content-Type", media+"; charset=utf-8")
		switch {
		case r.URL.Path == "/a2ui":
			fmt.Fprint(w, bad+"\n")
		case r.URL.Query().Get("format") == "a2ui":
			fmt.Fprint(w, "retry: 1\n\n:\n\nid: x\nevent: reset\ndata: {\"reason\":\"log\"}\n\nid: y\ndata: "+bad+
				"\ndata: "+bad+"\n\n")
		default:
			fmt.Fprint(w, `data: {"kind":"frame","messages":[`+bad+`]}`+"\n\n")
		}
	}))
	t.Cleanup(h.Close)
	for address, want := range map[string]string{"/a2ui": "1 messages", "/stream": "1 messages",
		"/stream?format=a2ui":  "2 messages",
		"/stream?version=html": "0 messages"} {
		var tap official.Tap
		var told []error
		client := http.Client{Transport: tap.Listen(http.DefaultTransport,
			func(err error) { told = append(told, err) })}
		resp, err := client.Get(h.URL + address)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadAll(resp.Body); err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if got := tap.String(); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %s, want %s", address, got, want)
		}
		if slices.Contains(told, nil) || len(told) == 0 && !strings.HasPrefix(want, "0") &&
			!strings.Contains(tap.String(), "none judged") {
			t.Errorf("%s: told %v", address, told)
		}
	}
}
