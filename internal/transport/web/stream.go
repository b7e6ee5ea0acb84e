package web

import (
	"context"
	cryptorand "crypto/rand"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"mime"
	"net/http"
	"runtime/debug"
	"strings"
	"sync"

	"github.com/limn-ui/limn/internal/agent"
	"github.com/limn-ui/limn/internal/deliver"
	"github.com/limn-ui/limn/internal/ingress"
	"github.com/limn-ui/limn/internal/logs"
	"github.com/limn-ui/limn/internal/recovery"
	"github.com/limn-ui/limn/internal/session"
	"github.com/limn-ui/limn/internal/transport"
	"github.com/limn-ui/limn/internal/transport/jsonl"
	"github.com/limn-ui/limn/internal/transport/sse"
	"github.com/limn-ui/limn/internal/transport/ws"
	"github.com/limn-ui/limn/ui"
)

// streamAPI serves the streams of a conversation, and sockets, which take events.
type streamAPI struct {
	*eventAPI
	guard *http.CrossOriginProtection

	mu      sync.Mutex // no socket is added after Server.cut
	sockets sync.WaitGroup
}

// subscription reads from a request all settings of its stream except the framing.
func (s *streamAPI) subscription(r *http.Request) (req deliver.Request, err error) {
	who, err := s.principal(r)
	if err != nil {
		return req, err
	}
	t, err := s.target(r)
	if err != nil {
		return req, err
	}
	format, err := oneOf(r, "format", "limn", "a2ui")
	if err != nil {
		return req, err
	}
	framing, err := oneOf(r, "framing", "batch", "message")
	if err != nil {
		return req, err
	}
	updates, err := oneOf(r, "updates", "patch", "rebuild")
	if err != nil {
		return req, err
	}
	client, err := clientOf(r)
	if err != nil {
		return req, err
	}
	req = deliver.Request{Conversation: r.PathValue("id"), Principal: who, Network: s.networkOf(r), Client: client,
		Target: t, After: r.URL.Query().Get("after"), Rebuild: updates == "rebuild"}
	switch {
	case format == "a2ui" && t.HTML != nil:
		return req, &ui.Error{Code: recovery.CodeFormat, Path: "format", Message: "no such format for this drawing",
			Hint: "a2ui wants an A2UI version; for html use limn"}
	case format == "a2ui":
		req.Format, req.PerMessage = deliver.A2UI, framing == "message"
	}
	if last := r.Header.Get("Last-Event-ID"); last != "" {
		req.After = last
	}
	return req, nil
}

// wantsLines reports whether a stream is asked for as JSON lines.
func wantsLines(r *http.Request) (bool, error) {
	if r.URL.Query().Get("transport") != "" {
		kind, err := oneOf(r, "transport", "sse", "jsonl")
		return kind == "jsonl", err
	}
	for _, accept := range strings.Split(strings.Join(r.Header.Values("Accept"), ","), ",") {
		switch t, _, _ := mime.ParseMediaType(accept); t {
		case "application/jsonl":
			return true, nil
		case "text/event-stream", "*/*":
			return false, nil
		}
	}
	return false, nil
}

func (s *streamAPI) getStream(w http.ResponseWriter, r *http.Request) error {
	req, err := s.subscription(r)
	if err != nil {
		return err
	}
	lines, err := wantsLines(r)
	if err != nil {
		return err
	}
	headers, hello := sse.Headers, sse.Hello(s.cfg.Retry+rand.N(s.cfg.Retry))
	req.Framing = sse.Framing()
	if lines {
		headers, hello, req.Framing = jsonl.Headers, "", jsonl.Framing()
	}
	if r.Method == http.MethodHead { // a stream without a body would never end
		if _, err := s.cfg.Service.Head(r.Context(), req.Conversation, req.Principal); err != nil {
			return err
		}
		headers(w.Header())
		return nil
	}
	sub, err := s.cfg.Deliver.Open(r.Context(), req)
	if errors.Is(err, deliver.ErrEnded) {
		w.WriteHeader(http.StatusNoContent) // browsers do not come back
		return nil
	}
	if err != nil {
		return err
	}
	headers(w.Header())
	if started, err := transport.Stream(w, r, sub, hello); err != nil {
		s.cfg.Log.DebugContext(r.Context(), "stream ended", where(r), "err", err)
		if !started {
			return err
		}
	}
	return nil
}

// getSocket is getStream and the posts of its client in one connection.
func (s *streamAPI) getSocket(w http.ResponseWriter, r *http.Request) error {
	// A browser says where a socket comes from as it does for a post, and lets
	// any page open one: the rule for posts counts.
	post := *r
	post.Method = http.MethodPost
	if err := s.guard.Check(&post); err != nil {
		return &ui.Error{Code: recovery.CodeCrossOrigin, Message: "the request comes from a page of another site"}
	}
	req, err := s.subscription(r)
	if err != nil {
		return err
	}
	if !ws.Asked(r) {
		w.Header().Set("Connection", "Upgrade")
		w.Header().Set("Upgrade", "websocket")
		w.Header().Set("Sec-WebSocket-Version", ws.Version)
		return &ui.Error{Code: recovery.CodeUpgrade,
			Message: "this address is for WebSockets of version " + ws.Version + ", asked for as RFC 6455 says",
			Hint:    "GET …/stream is the same without one"}
	}
	if req.Client == "" { // the connection is the client
		req.Client = cryptorand.Text()
	}
	req.Framing = jsonl.Messages()
	sub, err := s.cfg.Deliver.Open(r.Context(), req)
	if errors.Is(err, deliver.ErrEnded) {
		return &ui.Error{Code: ui.CodeEnded, Message: "the conversation has ended",
			Hint: "GET …/a2ui and …/state still answer"}
	}
	if err != nil {
		return err
	}
	s.mu.Lock()
	if s.stop.Err() == nil { // else Open's stream is being cut
		s.sockets.Add(1)
		defer s.sockets.Done()
	}
	s.mu.Unlock()
	err = ws.Serve(w, r, sub, s.socket(r, &socketClient{r, req}))
	s.cfg.Log.DebugContext(r.Context(), "socket ended", where(r), "err", err)
	return nil
}

// socket is how the messages of a client are taken on its socket.
func (s *streamAPI) socket(r *http.Request, c *socketClient) ws.Config {
	return ws.Config{
		MaxMessage: s.cfg.Limits.Bytes + 1024, // and the envelope around an event
		Retry:      s.cfg.Retry + rand.N(s.cfg.Retry),
		Take: func(ctx context.Context, message []byte, turn func(*deliver.Sub) bool) func() []byte {
			var answer func() []byte
			broke := s.guarded(r, message, func() []byte {
				answer = s.takeMessage(ctx, c, message, turn)
				return nil
			})
			if answer == nil {
				return func() []byte { return broke }
			}
			return func() []byte { return s.guarded(r, message, answer) }
		},
		Busy: func(message []byte) []byte {
			return s.guarded(r, message, func() []byte {
				return s.said(r, s.refOf(message), nil, &ui.Error{Code: recovery.CodeBusy,
					Message: "other messages of this connection are being answered"})
			})
		},
	}
}

// guarded answers a message. A panic ends that answer: no server recovers it on a socket.
func (s *streamAPI) guarded(r *http.Request, message []byte, answer func() []byte) (b []byte) {
	defer func() {
		if p := recover(); p != nil {
			s.cfg.Log.ErrorContext(r.Context(), "panic", where(r), "panic", logs.QuietPanic(p),
				"stack", string(debug.Stack()))
			b = s.said(r, s.refOf(message), nil, &ui.Error{Code: agent.CodeTurnFailed, Message: "unexpected failure"})
		}
	}()
	return answer()
}

// refOf is the ref of a message, "" if its reading panics.
func (s *streamAPI) refOf(message []byte) (ref string) {
	defer func() { _ = recover() }() // takeMessage reads it too, and logs the panic
	ref, _, _ = ingress.DecodeSocket(message, s.cfg.Limits)
	return ref
}

// socketClient is the client of a socket: the request for its stream, and as it is read.
type socketClient struct {
	r   *http.Request
	req deliver.Request
}

// turn gives the client the drawing for the capabilities in its message, if it says any.
func (s *streamAPI) turn(r *http.Request, c *socketClient, message []byte, turn func(*deliver.Sub) bool) error {
	if err := s.hear(r, message); err != nil || spokenOf(r) == nil {
		return err
	}
	t, err := s.target(r)
	if err != nil {
		return err
	}
	if s.cfg.Deliver.Fingerprint(t) == s.cfg.Deliver.Fingerprint(c.req.Target) {
		c.r = r
		return nil
	}
	h, err := s.cfg.Service.Head(r.Context(), c.req.Conversation, c.req.Principal)
	if err != nil {
		return err
	}
	req := c.req
	req.Target, req.After = t, s.cfg.Deliver.Cursor(h, req.Target) // which begins with a reset
	if t.Page != "" {
		req.Format, req.PerMessage = deliver.Limn, false
	}
	sub, err := s.cfg.Deliver.Open(r.Context(), req)
	if err != nil {
		return err
	}
	if !turn(sub) {
		sub.Close()
		return &ui.Error{Code: recovery.CodeBusy, Message: "the stream is being changed already"}
	}
	c.r, c.req = r, req
	return nil
}

// takeMessage takes one event as a post would, and answers it.
func (s *streamAPI) takeMessage(socket context.Context, c *socketClient, message []byte,
	turn func(*deliver.Sub) bool) (answer func() []byte) {
	r, req := c.r.WithContext(socket), c.req
	ref, e, err := ingress.DecodeSocket(message, s.cfg.Limits)
	if charged := s.charge(req.Principal, 1+len(message)/bytesPerRequest); charged != nil {
		err = charged
	}
	if err == nil {
		err = s.turn(r, c, message, turn)
	}
	if err == nil && e == nil {
		return func() []byte { return encodeSaid(said{Ref: ref, Receipt: unspoken{spokenOf(r)}}) }
	}
	if err == nil && e.Key != "" {
		err = checkKey(e.Key)
	}
	if err != nil {
		return func() []byte { return s.said(r, ref, nil, err) }
	}
	most := waitAction
	if e.Kind == ui.EventMessage {
		most = 0
	}
	if e.Error != nil {
		e.Error.Client = req.Client
	}
	ctx, cancel := contextEither(s.addressed(r), s.stop)
	wait, err := s.cfg.Service.Take(ctx, req.Conversation, req.Principal, e)
	return func() []byte {
		defer cancel()
		if err != nil {
			return s.said(r, ref, nil, s.cutOff(r, err))
		}
		rec := wait(ctx, most)
		if out, ok := called(rec, e.Action); ok {
			return s.said(r, ref, out, nil)
		}
		if e.Shared != nil && rec.Outcome.Kind != ui.OutcomeRefused {
			return s.said(r, ref, s.merged(r, rec, e.Shared), nil)
		}
		return s.answerMessage(r, ref, rec)
	}
}

func (s *streamAPI) answerMessage(r *http.Request, ref string, rec session.Receipt) []byte {
	switch {
	case rec.Done && rec.Outcome.Kind == ui.OutcomeRefused:
		p := s.refusal(r, rec)
		return encodeSaid(said{Ref: ref, Problem: &p})
	case rec.Done:
		return s.said(r, ref, answered{Receipt: rec, A2UI: spokenOf(r)}, nil)
	}
	cursor, err := s.cursor(r, rec)
	return s.said(r, ref, accepted{rec.Event, cursor, spokenOf(r)}, err)
}

// said is the answer to one message.
type said struct {
	Ref     string   `json:"ref,omitempty"`
	Receipt any      `json:"receipt,omitempty"`
	Problem *Problem `json:"problem,omitempty"`
}

func (s *streamAPI) said(r *http.Request, ref string, receipt any, err error) []byte {
	if err == nil {
		return encodeSaid(said{Ref: ref, Receipt: receipt})
	}
	p := s.problemOf(r, err)
	s.logged(r, p, err)
	return encodeSaid(said{Ref: ref, Problem: &p})
}

func encodeSaid(a said) []byte {
	b, err := json.Marshal(a)
	if err != nil {
		panic(err) // strings and numbers only
	}
	return b
}
