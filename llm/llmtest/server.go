package llmtest

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/limn-ui/limn/internal/jsonx"
)

// Mode is how the server behaves for one request.
type Mode int

// The modes of a Step.
const (
	OK           Mode = iota // Text, whole, finished by stop
	RejectFormat             // a request with response_format gets Status (400 or 404); any other is OK
	RejectSchema             // as RejectFormat, for json_schema only
	RejectKey                // a request with the top-level key Text gets 400 that names it; any other is OK
	Fail                     // Status, default 500, with an error object
	FailHTML                 // Status, default 502, with a page of HTML
	Garbage                  // 200 and no JSON
	NoChoices                // 200 and an empty list of choices
	Hang                     // no answer until the client gives up
	Truncated                // Text, finished by length
	Refusal                  // a refusal that says Text
	Huge                     // an answer above 5 MiB
	ToolCall                 // a call of the tool Text with no arguments
	EchoKey                  // Status, default 401, with the client's key in its message
	StreamCut                // a stream that ends in the middle
	Redirect                 // 302 to another path
)

// Step is one answer.
type Step struct {
	Mode   Mode
	Text   string
	Status int
	Header http.Header // sent along, such as Retry-After-Ms
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

// Message returns the role and text of message i; negative i counts from the end.
func (r Recorded) Message(i int) (role, text string) {
	list := r.Body.At("messages").Items
	if i < 0 {
		i += len(list)
	}
	if i < 0 || i >= len(list) {
		return "", ""
	}
	return list[i].At("role").Text(), list[i].At("content").Text()
}

// Server is the fake. URL is its base, with /v1.
type Server struct {
	URL  string
	Key  string   // the bearer token it wants; "" = it does not look
	Keys []string // parameters it knows; New sets the usual ones

	t    testing.TB
	done chan struct{}

	mu       sync.Mutex // guards what follows
	steps    []Step
	requests []Recorded
}

// New starts a server that is stopped when the test ends. Without steps it
// answers "ok".
func New(t testing.TB, steps ...Step) *Server {
	t.Helper()
	s := &Server{t: t, steps: steps, done: make(chan struct{}), Keys: []string{"model", "messages", "stream", "response_format",
		"tools", "tool_choice", "parallel_tool_calls", "temperature", "top_p", "max_tokens", "seed", "stop"}}
	h := httptest.NewServer(http.HandlerFunc(s.serve))
	s.URL = h.URL + "/v1"
	t.Cleanup(func() {
		close(s.done) // hanging requests end, so that Close does not wait for them
		h.Close()
	})
	return s
}

// Requests returns what has arrived so far, also what was refused.
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
	switch len(s.steps) {
	case 0:
		return Step{Text: "ok"}
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

func (s *Server) serve(w http.ResponseWriter, req *http.Request) {
	raw, err := io.ReadAll(io.LimitReader(req.Body, 8<<20))
	body, perr := jsonx.Parse(raw, jsonx.Limits{Bytes: 8 << 20, String: 8 << 20})
	rec := Recorded{Header: req.Header.Clone(), Body: body, Raw: raw}
	switch {
	case err != nil || perr != nil || body.Kind != jsonx.Object:
		s.record(rec)
		fail(w, 400, "", "the body is no JSON object")
		return
	case req.Method != http.MethodPost || req.URL.Path != "/v1/chat/completions":
		s.record(rec)
		fail(w, 404, "", "no such endpoint")
		return
	case s.Key != "" && req.Header.Get("Authorization") != "Bearer "+s.Key:
		s.record(rec)
		fail(w, 401, "", "Incorrect API key provided: "+req.Header.Get("Authorization"))
		return
	}
	if param, why := s.check(body); why != "" {
		s.record(rec)
		fail(w, 400, param, why)
		return
	}
	s.answer(w, req, body, s.next(rec))
}

// check refuses unknown parameters; a request that breaks an invariant fails
// the test too, since no prepared request may.
func (s *Server) check(body jsonx.Value) (param, why string) {
	for _, m := range body.Members {
		if !slices.Contains(s.Keys, m.Key) {
			return m.Key, "Unrecognized request argument supplied: " + m.Key
		}
	}
	if body.At("model").Text() == "" || len(body.At("messages").Items) == 0 {
		return "model", "you must provide a model and messages"
	}
	if broken := Broken(body); broken != "" {
		s.t.Errorf("llmtest: a request breaks an invariant: %s", broken)
		return "response_format", broken
	}
	return "", ""
}

// Broken names the invariant that a request body breaks, or "".
func Broken(body jsonx.Value) string {
	_, format := body.Get("response_format")
	tools := len(body.At("tools").Items) > 0
	stream := body.At("stream").Bool
	parallel, said := body.Get("parallel_tool_calls")
	switch {
	case stream && tools:
		return "streaming with tools"
	case stream && format:
		return "streaming with response_format"
	case format && tools:
		return "response_format with tools"
	case format && said && parallel.Bool:
		return "response_format with parallel tool calls"
	case format && !said:
		return "response_format without parallel_tool_calls"
	}
	return ""
}

func (s *Server) answer(w http.ResponseWriter, req *http.Request, body jsonx.Value, step Step) {
	maps.Copy(w.Header(), step.Header)
	status := func(fallback int) int {
		if step.Status != 0 {
			return step.Status
		}
		return fallback
	}
	format := body.At("response_format").At("type").Text()
	switch step.Mode {
	case RejectFormat, RejectSchema:
		if format == "json_schema" || format != "" && step.Mode == RejectFormat {
			fail(w, status(400), "response_format", "no endpoints found that support the requested parameters")
			return
		}
	case RejectKey:
		if _, ok := body.Get(step.Text); ok {
			fail(w, 400, step.Text, "Unsupported parameter: '"+step.Text+"' is not supported with this model.")
			return
		}
		step.Text = "ok"
	case Fail:
		fail(w, status(500), "", "the server had an error")
		return
	case FailHTML:
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(status(502))
		fmt.Fprint(w, "<html><h1>Bad Gateway</h1></html>")
		return
	case EchoKey:
		fail(w, status(401), "", "Incorrect API key provided: "+strings.TrimPrefix(req.Header.Get("Authorization"), "Bearer "))
		return
	case Redirect:
		http.Redirect(w, req, "/elsewhere", http.StatusFound)
		return
	case Hang:
		select {
		case <-req.Context().Done():
		case <-s.done:
		}
		return
	case Garbage:
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"choices":[{"mess`)
		return
	}
	if body.At("stream").Bool {
		stream(w, step)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(completion(step))
}

func fail(w http.ResponseWriter, status int, param, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	e := map[string]any{"message": message, "type": "invalid_request_error", "code": nil, "param": nil}
	if param != "" {
		e["param"] = param
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"error": e})
}

// completion is the whole answer of a step.
func completion(step Step) map[string]any {
	message := map[string]any{"role": "assistant", "content": step.Text, "refusal": nil}
	reason := "stop"
	switch step.Mode {
	case Truncated:
		reason = "length"
	case Refusal:
		message["content"], message["refusal"] = nil, step.Text
	case Huge:
		message["content"] = strings.Repeat("x", 5<<20)
	case ToolCall:
		reason, message["content"] = "tool_calls", nil
		message["tool_calls"] = []any{map[string]any{"id": "call_1", "type": "function", "function": map[string]any{"name": step.Text, "arguments": "{}"}}}
	}
	choices := []any{map[string]any{"index": 0, "message": message, "finish_reason": reason, "logprobs": nil}}
	if step.Mode == NoChoices {
		choices = []any{}
	}
	return map[string]any{"id": "c1", "object": "chat.completion", "created": 1, "model": "fake", "choices": choices,
		"usage": map[string]any{"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18}}
}

// stream sends a step's text word by word.
func stream(w http.ResponseWriter, step Step) {
	w.Header().Set("Content-Type", "text/event-stream")
	send := func(delta map[string]any, reason any) {
		b, _ := json.Marshal(map[string]any{"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "fake",
			"choices": []any{map[string]any{"index": 0, "delta": delta, "finish_reason": reason}}})
		fmt.Fprintf(w, "data: %s\n\n", b)
		w.(http.Flusher).Flush()
	}
	if step.Mode == Huge {
		step.Text = strings.Repeat("xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx ", 100_000)
	}
	for piece := range strings.SplitAfterSeq(step.Text, " ") {
		send(map[string]any{"content": piece}, nil)
	}
	if step.Mode == StreamCut {
		return
	}
	reason := "stop"
	if step.Mode == Truncated {
		reason = "length"
	}
	send(map[string]any{}, reason)
	fmt.Fprint(w, "data: [DONE]\n\n")
}
