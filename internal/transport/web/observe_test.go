package web_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/limn-ui/limn"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/store/memory"
	"github.com/limn-ui/limn/trace/metrics"
)

// Every answer names its request, after the trace it is part of; requests are counted.
func TestRequestsAreNamedAndCounted(t *testing.T) {
	t.Parallel()
	m := metrics.New()
	srv, err := limn.New(limn.Config{App: desk(t), Meter: m, Metrics: m})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = srv.Close(t.Context()) })
	get := func(method, path string, header ...string) *httptest.ResponseRecorder {
		w, r := httptest.NewRecorder(), httptest.NewRequest(method, path, nil)
		r.RemoteAddr = "127.0.0.1:1" // who may read the counts
		for i := 0; i < len(header); i += 2 {
			r.Header.Set(header[i], header[i+1])
		}
		srv.Handler().ServeHTTP(w, r)
		return w
	}
	const parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
	for _, c := range []struct {
		path, name, value, want string
		status                  int
	}{
		{"/healthz", "Traceparent", parent, parent[3:35], http.StatusOK},
		{"/healthz", "X-Request-Id", "from.the-proxy", "from.the-proxy", http.StatusOK},
		{"/nowhere", "X-Request-Id", "not an id", "", http.StatusNotFound},
	} {
		w := get("GET", c.path, c.name, c.value)
		if id := w.Header().Get("X-Request-Id"); w.Code != c.status || c.want != "" && id != c.want || len(id) < 8 ||
			strings.Contains(id, " ") {
			t.Errorf("%s: %d %q", c.path, w.Code, id)
		}
	}
	got := get("GET", "/metrics").Body.String()
	for _, want := range []string{`limn_requests_total{method="GET",status="2xx"} 2`,
		`limn_requests_total{method="GET",status="4xx"} 1`, `limn_request_seconds_count{method="GET"} 3`} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in the counts", want)
		}
	}
}

// damaged is a store that cannot read its logs.
type damaged struct{ store.Store }

func (damaged) Open(context.Context, string) (store.Head, error) {
	return store.Head{}, errors.New("bad sector")
}

// TestFailureNamesConversation: what fails in a conversation is logged with its id,
// on every way in; what only stands where an id should is not logged.
func TestFailureNamesConversation(t *testing.T) {
	t.Parallel()
	st := memory.New()
	made := start(t, func(c *limn.Config) { c.Store = st }).program()
	var lines bytes.Buffer
	s := start(t, func(c *limn.Config) { c.Store, c.Log = damaged{st}, slog.New(slog.NewTextHandler(&lines, nil)) })
	c := s.visitor()
	c.HTTP.Jar, c.ID, c.Token = nil, made.ID, made.Token
	for _, tt := range []struct{ method, path, want string }{
		{"GET", "/v1/-/state", made.ID}, {"GET", "/v1/-/stream", made.ID}, {"POST", "/v1/-/messages", made.ID}, {"GET", "/c/-", made.ID},
		{"GET", "/v1/conversations/a-word-that-somebody-typed-as-an-id1/state", ""},
	} {
		lines.Reset()
		a := c.do(tt.method, tt.path, `{"text":"hello"}`)
		got, named := lines.String(), ""
		if _, rest, ok := strings.Cut(lines.String(), "conversation="); ok {
			named, _, _ = strings.Cut(rest, " ")
		}
		if a.StatusCode != http.StatusServiceUnavailable || !strings.Contains(got, `msg="request failed"`) ||
			named != tt.want || strings.Contains(got, "somebody") {
			t.Errorf("%s %s: %d, logged %s", tt.method, tt.path, a.StatusCode, got)
		}
	}
}
