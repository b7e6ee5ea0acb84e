package web_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/limn-ui/limn"
	"github.com/limn-ui/limn/internal/limntest"
	"github.com/limn-ui/limn/internal/turntrace"
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
	for _, want := range []string{`limn_requests_total{door="web",method="GET",status="2xx"} 2`,
		`limn_requests_total{door="web",method="GET",status="4xx"} 1`,
		`limn_request_seconds_count{door="web",method="GET"} 3`} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in the counts", want)
		}
	}
}

// TestRequestsByDoor: counts and traces say which door a request came by.
func TestRequestsByDoor(t *testing.T) {
	t.Parallel()
	m, st := metrics.New(), memory.New()
	done := make(chan struct{}, 99)
	c := limntest.Serve(t, ending{limntest.Must(limn.New(limn.Config{App: desk(t), Store: st, Meter: m, Metrics: m,
		Doors: limn.Doors()})), done}).Create()
	do := func(method, path, body string, headers ...string) limntest.Answer {
		<-done
		return c.Do(method, path, body, headers...)
	}
	rpc := func(method, params string) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":%s}`, method, params)
	}
	var session string
	for _, r := range []struct{ door, method, path, body string }{
		{"web", "POST", "/v1/conversations", `{"text":"hello"}`},
		{"a2a", "PUT", "/a2a", ""}, // refused there
		{"a2a", "POST", "/a2a", rpc("message/send", `{"message":{"messageId":"m","role":"user",
			"parts":[{"kind":"text","text":"hello"}]}}`)},
		{"agui", "POST", "/agui", `{"threadId":"t","runId":"r","state":{},"tools":[],"context":[],
			"messages":[{"id":"m","role":"user","content":"hello"}]}`},
		{"mcp", "POST", "/mcp", rpc("initialize", `{"protocolVersion":"2025-11-25","capabilities":{},
			"clientInfo":{"name":"t","version":"1"}}`)},
		{"mcp", "POST", "/mcp", rpc("tools/call", `{"name":"say","arguments":{"text":"hello"}}`)},
		{"streams", "GET", "/v1/streams/" + c.ID + "?offset=-1", ""},
	} {
		series := fmt.Sprintf(`{door=%q,method=%q`, r.door, r.method)
		before := do("GET", "/metrics", "").Text
		headers := []string{"Content-Type", "application/json", "Prefer", "wait=10"}
		if session != "" {
			headers = append(headers, "Mcp-Session-Id", session)
		}
		got := do(r.method, r.path, r.body, headers...)
		session = got.Header.Get("Mcp-Session-Id")
		after := do("GET", "/metrics", "").Text
		for _, name := range []string{"limn_requests_total", "limn_request_seconds_count"} {
			if sum(after, name+series)-sum(before, name+series) != 1 {
				t.Errorf("%s %s is not counted as %s%s: %s", r.method, r.path, name, series, got.Text)
			}
		}
	}
	var list struct{ Conversations []struct{ ID string } }
	do("GET", "/v1/conversations", "").Into(t, &list)
	seen := map[string]bool{}
	for _, one := range list.Conversations {
		for _, f := range limntest.Must(st.Traces(t.Context(), one.ID, 0, 0)) {
			seen[limntest.Must(turntrace.DecodeTurn(f.Body)).Door] = true
		}
	}
	if want := map[string]bool{"web": true, "a2a": true, "agui": true, "mcp": true}; !maps.Equal(seen, want) {
		t.Errorf("turns came by %v, want %v", seen, want)
	}
}

// TestStreamIsCountedWhenItBegins: a stream of a door is counted, and timed, when it begins,
// over HTTP/2 too, where its request lasts as long as its client stays.
func TestStreamIsCountedWhenItBegins(t *testing.T) {
	t.Parallel()
	m := metrics.New()
	srv := limntest.Must(limn.New(limn.Config{App: desk(t), Meter: m, Metrics: m, Doors: limn.Doors()}))
	s := httptest.NewUnstartedServer(srv.Handler())
	s.EnableHTTP2 = true
	s.StartTLS()
	t.Cleanup(s.Close)
	send := func(method, path, token string) *http.Response {
		r := limntest.Must(http.NewRequestWithContext(t.Context(), method, s.URL+path, nil))
		if token != "" {
			r.Header.Set("Authorization", "Bearer "+token)
		}
		resp := limntest.Must(s.Client().Do(r))
		t.Cleanup(func() { resp.Body.Close() })
		return resp
	}
	var made struct{ ID, Token string }
	if err := json.NewDecoder(send("POST", "/v1/conversations", "").Body).Decode(&made); err != nil {
		t.Fatal(err)
	}
	stream := send("GET", "/v1/streams/"+made.ID+"?offset=-1&live=sse", made.Token)
	if _, err := stream.Body.Read(make([]byte, 1)); err != nil || stream.ProtoMajor != 2 {
		t.Fatal(stream.Proto, stream.Status, err)
	}
	counts := string(limntest.Must(io.ReadAll(send("GET", "/metrics", "").Body)))
	for _, series := range []string{`limn_requests_total{door="streams",method="GET",status="2xx"}`,
		`limn_request_seconds_count{door="streams",method="GET"}`} {
		if n := sum(counts, series); n != 1 {
			t.Errorf("%s %v, want 1", series, n)
		}
	}
}

// ending is a server that tells when it has done with a request: it counts after it answered.
type ending struct {
	*limn.Server
	done chan<- struct{}
}

func (e ending) Handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		e.Server.Handler().ServeHTTP(w, r)
		e.done <- struct{}{}
	})
}

// sum adds up the series of a page of metrics that begin so.
func sum(page, series string) (n float64) {
	for line := range strings.Lines(page) {
		if strings.HasPrefix(line, series) {
			v, _ := strconv.ParseFloat(line[strings.LastIndexByte(line, ' ')+1:len(line)-1], 64)
			n += v
		}
	}
	return n
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
