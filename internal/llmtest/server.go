package llmtest

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"log"
	"maps"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/limn-ui/limn/internal/jsonx"
)

// TB is what New needs of a *testing.T.
type TB interface {
	Helper()
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
	Cleanup(func())
}

// Recorded is one request as it arrived.
type Recorded struct {
	Header http.Header
	Body   jsonx.Value
	Raw    []byte
}

// Keys lists the top-level keys of the body, sorted.
func (r Recorded) Keys() []string {
	var out []string
	for _, m := range r.Body.Members {
		out = append(out, m.Key)
	}
	slices.Sort(out)
	return out
}

// Message returns the role and text of message i; negative i counts from the
// end. Text in blocks is joined.
func (r Recorded) Message(i int) (role, text string) {
	list := r.Body.At("messages").Items
	if i < 0 {
		i += len(list)
	}
	if i < 0 || i >= len(list) {
		return "", ""
	}
	return list[i].At("role").Text(), textOf(list[i].At("content"))
}

func textOf(content jsonx.Value) string {
	var b strings.Builder
	b.WriteString(content.Text())
	for _, block := range content.Items {
		b.WriteString(block.At("text").Text())
		b.WriteString(textOf(block.At("content")))
	}
	return b.String()
}

// Options say how a server behaves.
type Options struct {
	Dialect Dialect
	Steps   []Step                // its answers; without them, Answer and Quirk decide
	Answer  func(Recorded) string // the answer of a good model; default "ok"
	// Call is the tool that a good model calls in place of an answer, and its arguments; nil, or "" = none.
	Call  func(Recorded) (tool, arguments string)
	Quirk Quirk  // how it misbehaves; "" = not at all
	Key   string // the key it wants; "" = it does not look
	TLS   bool   // https; Quirk WrongCertificate implies it

	Drip       time.Duration // between the bytes of a dripping answer; default one second
	RetryAfter string        // of RateLimits and Overloaded, in seconds; default "1"
}

// Server is the fake. URL is its base: with /v1 for OpenAI, without for Anthropic.
type Server struct {
	URL  string
	Key  string   // the key it wants; "" = it does not look
	Keys []string // parameters it knows; Start sets the usual ones

	o    Options
	t    TB // or nil
	d    dialect
	pool *x509.CertPool
	http *http.Server
	done chan struct{}
	once sync.Once

	mu       sync.Mutex // guards what follows
	steps    []Step
	accepted int
	requests []Recorded
}

// New starts a server in OpenAI's dialect that is stopped when the test ends.
// Without steps it answers "ok".
func New(t TB, steps ...Step) *Server {
	t.Helper()
	return StartIn(t, Options{Steps: steps})
}

// StartIn starts a server that is stopped when the test ends.
func StartIn(t TB, o Options) *Server {
	t.Helper()
	s, err := Start(o)
	if err != nil {
		t.Fatalf("llmtest: %v", err)
	}
	s.t = t
	t.Cleanup(s.Close)
	return s
}

// Start starts a server; the caller closes it.
func Start(o Options) (*Server, error) {
	if o.Answer == nil {
		o.Answer = func(Recorded) string { return "ok" }
	}
	o.Drip, o.RetryAfter = cmp.Or(o.Drip, time.Second), cmp.Or(o.RetryAfter, "1")
	s := &Server{o: o, d: o.Dialect.impl(), Key: o.Key, steps: o.Steps, done: make(chan struct{})}
	s.Keys = s.d.keys()
	if o.Quirk == RejectsUnknownKeys {
		s.Keys = []string{"model", "messages", "system", "max_tokens", "stream"}
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	scheme := "http://"
	if o.TLS || o.Quirk == WrongCertificate {
		cert, pool, err := certificate(o.Quirk == WrongCertificate)
		if err != nil {
			l.Close()
			return nil, err
		}
		l, scheme, s.pool = tls.NewListener(l, &tls.Config{Certificates: []tls.Certificate{cert}}), "https://", pool
	}
	s.URL = scheme + l.Addr().String() + s.d.base()
	s.http = &http.Server{Handler: http.HandlerFunc(s.serve), ErrorLog: log.New(io.Discard, "", 0)}
	go s.http.Serve(l) // Close ends it
	return s, nil
}

// Close stops the server and ends what hangs. It may be called twice.
func (s *Server) Close() {
	s.once.Do(func() {
		close(s.done)
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		if s.http.Shutdown(ctx) != nil {
			s.http.Close()
		}
	})
}

// Transport trusts the server's certificate, if it has one.
func (s *Server) Transport() http.RoundTripper {
	return &http.Transport{TLSClientConfig: &tls.Config{RootCAs: s.pool}, DisableKeepAlives: true}
}

// Requests returns all requests so far, refused ones included.
func (s *Server) Requests() []Recorded {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// next records a request and takes its step.
func (s *Server) next(r Recorded) Step {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, r)
	s.accepted++
	switch len(s.steps) {
	case 0:
		step := s.o.Quirk.spoil(s.accepted, r, s.d, s.o.Answer(r), s.o.RetryAfter)
		if step.Mode == OK && s.o.Call != nil {
			if tool, args := s.o.Call(r); tool != "" {
				return Step{Mode: ToolCall, Text: tool, Arguments: args}
			}
		}
		return step
	case 1:
		return s.steps[0]
	}
	step := s.steps[0]
	s.steps = s.steps[1:]
	return step
}

func (s *Server) record(r Recorded) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, r)
}

func (s *Server) violated(what string) {
	if s.t != nil {
		s.t.Errorf("llmtest: a request breaks an invariant: %s", what)
	}
}

func (s *Server) serve(w http.ResponseWriter, req *http.Request) {
	raw, err := io.ReadAll(io.LimitReader(req.Body, 8<<20))
	body, perr := jsonx.Parse(raw, jsonx.Limits{Bytes: 8 << 20, String: 8 << 20})
	rec := Recorded{Header: req.Header.Clone(), Body: body, Raw: raw}
	key := s.d.key(req.Header)
	switch {
	case err != nil || perr != nil || body.Kind != jsonx.Object:
		s.record(rec)
		s.d.fail(w, 400, "", "the body is no JSON object")
	case req.Method != http.MethodPost || req.URL.Path != s.d.path():
		s.record(rec)
		s.d.fail(w, 404, "", "no such endpoint")
	case s.Key != "" && key != s.Key:
		s.record(rec)
		s.d.fail(w, 401, "", "Incorrect API key provided: "+key)
	default:
		if param, why := s.check(rec); why != "" {
			s.record(rec)
			s.d.fail(w, 400, param, why)
			return
		}
		s.answer(w, req, rec, s.next(rec))
	}
}

// check refuses unknown parameters; a request that breaks an invariant fails
// the test too, since no prepared request may.
func (s *Server) check(r Recorded) (param, why string) {
	for _, m := range r.Body.Members {
		if !slices.Contains(s.Keys, m.Key) {
			return m.Key, s.d.unknown(m.Key)
		}
	}
	if param, why := s.d.check(r); why != "" {
		return param, why
	}
	if broken := s.d.violates(r.Body, slices.Contains(s.Keys, "parallel_tool_calls")); broken != "" {
		s.violated(broken)
		return "response_format", broken
	}
	return "", ""
}

// answer carries out a step.
func (s *Server) answer(w http.ResponseWriter, req *http.Request, r Recorded, step Step) {
	maps.Copy(w.Header(), step.Header)
	format := s.d.format(r.Body)
	switch step.Mode {
	case RejectFormat, RejectSchema:
		if format == "json_schema" || format != "" && step.Mode == RejectFormat {
			s.d.fail(w, cmp.Or(step.Status, 400), "response_format",
				"no endpoints found that support the requested parameters")
			return
		}
	case RejectKey:
		if _, ok := r.Body.Get(step.Text); ok {
			s.d.fail(w, 400, step.Text, "Unsupported parameter: '"+step.Text+"' is not supported with this model.")
			return
		}
		step.Text = "ok"
	case Fail:
		s.d.fail(w, cmp.Or(step.Status, 500), "", cmp.Or(step.Text, "the server had an error"))
		return
	case FailHTML:
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(cmp.Or(step.Status, 502))
		fmt.Fprint(w, "<html><h1>Bad Gateway</h1></html>")
		return
	case EchoKey:
		s.d.fail(w, cmp.Or(step.Status, 401), "", "Incorrect API key provided: "+s.d.key(req.Header))
		return
	case Redirect:
		http.Redirect(w, req, cmp.Or(step.Text, "/elsewhere"), cmp.Or(step.Status, http.StatusFound))
		return
	case Hang:
		s.wait(req, time.Hour)
		return
	case Garbage:
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"choices":[{"mess`)
		return
	}
	s.write(w, req, r.Body.At("stream").Bool, step)
}

// wait waits, and reports whether anybody still listens.
func (s *Server) wait(req *http.Request, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-req.Context().Done():
	case <-s.done:
	}
	return false
}

// write sends a step's answer, whole or as a stream.
func (s *Server) write(w http.ResponseWriter, req *http.Request, streamed bool, step Step) {
	kind, body := "application/json", ""
	if streamed {
		kind, body = "text/event-stream", s.d.stream(step)
	} else {
		body = s.d.whole(step)
	}
	w.Header().Set("Content-Type", kind)
	switch step.Mode {
	case StreamCut:
		if !streamed {
			body = body[:len(body)/2]
		}
	case Broken:
		fmt.Fprint(w, body[:len(body)/2])
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	case Drip:
		for i := range len(body) {
			fmt.Fprint(w, body[i:i+1])
			w.(http.Flusher).Flush()
			if !s.wait(req, s.o.Drip) {
				return
			}
		}
		return
	case Huge:
		before, after, _ := strings.Cut(body, huge)
		fmt.Fprint(w, before)
		for chunk, n := strings.Repeat("word ", 10_000), 0; n < 50_000_000; n += len(chunk) {
			if _, err := fmt.Fprint(w, chunk); err != nil {
				return
			}
		}
		body = after
	}
	fmt.Fprint(w, body)
}

// huge marks the place of 50 MB in an answer.
const huge = "@50MB@"
