package transport_test

import (
	"bufio"
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/compile"
	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/deliver"
	"github.com/limn-ui/limn/internal/transport"
	"github.com/limn-ui/limn/internal/transport/sse"
	"github.com/limn-ui/limn/ui"
)

// source is conversations of frames with nothing but text.
type source struct {
	mu    sync.Mutex
	start map[string]*ui.State // where conversations begin, if not with nothing
	steps map[string][]conversation.Step
	wake  map[string]map[*func()]bool
}

func newSource() *source {
	return &source{steps: map[string][]conversation.Step{}, wake: map[string]map[*func()]bool{}}
}

const logID = "0123456789abcdef"

func (s *source) head(id string) *ui.State {
	if list := s.steps[id]; len(list) > 0 {
		return list[len(list)-1].After
	}
	if st := s.start[id]; st != nil {
		return st
	}
	return ui.NewState(id)
}

func (s *source) Head(_ context.Context, id, _ string) (conversation.Head, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return conversation.Head{Log: logID, State: s.head(id)}, nil
}

func (s *source) Steps(_ context.Context, id string, after uint64, max int) ([]conversation.Step, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := s.steps[id]
	if st := s.start[id]; st != nil {
		after -= st.Seq
	}
	list = list[min(int(after), len(list)):]
	return list[:min(max, len(list))], nil
}

func (s *source) Deltas(string) []conversation.Delta { return nil }

func (s *source) OnDelta(string, func()) func() { return func() {} }
func (s *source) Here(string, func(uint64)) (func(uint64), func()) {
	return func(uint64) {}, func() {}
}

func (*source) Access(context.Context, string, string) (conversation.Access, error) {
	return conversation.Own, nil
}
func (s *source) Look(context.Context, string) error { return nil }

func (s *source) Watch(id string, wake func()) func() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.wake[id] == nil {
		s.wake[id] = map[*func()]bool{}
	}
	s.wake[id][&wake] = true
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.wake[id], &wake)
	}
}

// say commits a frame with a text.
func (s *source) say(tb testing.TB, id, text string) uint64 {
	tb.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	before := s.head(id)
	f := &ui.Frame{V: ui.Version, Seq: before.Seq + 1, Event: "e", Text: text,
		Outcome: ui.Outcome{Kind: ui.OutcomeDone}}
	after := *before
	after.Seq = f.Seq
	s.steps[id] = append(s.steps[id], conversation.Step{Before: before, After: &after, Frame: f})
	for wake := range s.wake[id] {
		(*wake)()
	}
	return f.Seq
}

// site serves the streams of a source: /ID?after=…
type site struct {
	*httptest.Server
	*source
	deliver *deliver.Deliverer
}

func request(r *http.Request) deliver.Request {
	return deliver.Request{Conversation: strings.TrimPrefix(r.URL.Path, "/"), Principal: r.RemoteAddr,
		After:   r.URL.Query().Get("after"),
		Target:  deliver.Target{Name: "v0.9", A2UI: compile.Target{Dialect: a2ui.V09, Rules: &compile.Rules{}}},
		Framing: sse.Framing()}
}

func serve(tb testing.TB, cfg deliver.Config) *site {
	tb.Helper()
	s := &site{source: newSource()}
	cfg.Source = s.source
	s.deliver = deliver.New(cfg)
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sub, err := s.deliver.Open(r.Context(), request(r))
		if err != nil {
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
			return
		}
		sse.Headers(w.Header())
		transport.Stream(w, r, sub, "retry: 1\n\n") //nolint:errcheck // the client sees it
	}))
	tb.Cleanup(func() { s.deliver.Drain(); s.Close() })
	return s
}

// reader is a client on a socket of its own.
type reader struct {
	testing.TB
	net.Conn
	in *bufio.Reader
}

// open asks for a stream and reads its head.
func (s *site) open(tb testing.TB, path string) *reader {
	tb.Helper()
	c, err := net.Dial("tcp", s.Listener.Addr().String())
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { c.Close() })
	r := &reader{tb, c, bufio.NewReader(c)}
	if _, err := c.Write([]byte("GET " + path + " HTTP/1.1\r\nHost: x\r\n\r\n")); err != nil {
		tb.Fatal(err)
	}
	c.SetReadDeadline(time.Now().Add(time.Minute)) // a stream that says nothing fails the test
	resp, err := http.ReadResponse(r.in, nil)
	if err != nil {
		tb.Fatal(err)
	}
	if resp.StatusCode != http.StatusOK || resp.Header.Get("Content-Type") != "text/event-stream" {
		tb.Fatalf("%d %v", resp.StatusCode, resp.Header)
	}
	return r
}

// id reads up to the next event with an id; "" at the end of the stream.
func (r *reader) id() string {
	r.Helper()
	id := ""
	for {
		line, err := r.in.ReadString('\n')
		if err != nil {
			return ""
		}
		if v, ok := strings.CutPrefix(line, "id: "); ok {
			id = strings.TrimSuffix(v, "\n")
		}
		if line == "\n" && id != "" {
			return id
		}
	}
}

func (r *reader) seq() uint64 {
	r.Helper()
	c, _ := deliver.ParseCursor(r.id())
	return c.Seq
}
