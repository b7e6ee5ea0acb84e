package web

import (
	"encoding/json"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/limn-ui/limn/deliver"
	"github.com/limn-ui/limn/ingress"
	"github.com/limn-ui/limn/recovery"
	"github.com/limn-ui/limn/session"
	"github.com/limn-ui/limn/transport/sse"
	"github.com/limn-ui/limn/ui"
)

// How long a POST waits for its answer unless Prefer: wait says otherwise.
const (
	waitAction = 10 * time.Second
	waitMost   = 60 * time.Second
)

func (s *Server) createConversation(w http.ResponseWriter, r *http.Request) error {
	token, isNew := identify(r)
	id, err := s.cfg.Service.Create(r.Context(), hashToken(token))
	if err != nil {
		return err
	}
	if isNew {
		s.setCookie(w, r, token)
	}
	return writeJSON(w, http.StatusCreated, map[string]string{"id": id, "token": token})
}

func (s *Server) postMessage(w http.ResponseWriter, r *http.Request) error {
	return s.takeJSON(w, r, 0, ingress.DecodeMessage)
}

func (s *Server) postEvent(w http.ResponseWriter, r *http.Request) error {
	return s.takeJSON(w, r, waitAction, ingress.DecodeEnvelope)
}

// takeJSON is the straight line of every API post: principal, body, decode,
// submit, answer.
func (s *Server) takeJSON(w http.ResponseWriter, r *http.Request, wait time.Duration, decode func([]byte, ingress.Limits) (*ui.Event, error)) error {
	who, err := principal(r)
	if err != nil {
		return err
	}
	if t, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || t != "application/json" && !strings.HasSuffix(t, "+json") {
		return &ui.Error{Code: recovery.CodeMediaType, Message: "want Content-Type: application/json"}
	}
	body, err := readBody(r)
	if err != nil {
		return err
	}
	e, err := decode(body, s.cfg.Limits)
	if err != nil {
		return err
	}
	if e.Key, err = keyOf(r); err != nil {
		return err
	}
	rec, err := s.cfg.Service.Submit(r.Context(), r.PathValue("id"), who, e, preferWait(r, wait))
	if err != nil {
		return err
	}
	return s.answer(w, r, rec)
}

// accepted is the answer to an event that is durable and not answered yet.
type accepted struct {
	Event  ui.EventID `json:"event"`
	Cursor string     `json:"cursor"`
}

// answer writes what is known about an event: 202 while it runs, 200 when it
// is done, a problem when it was refused.
func (s *Server) answer(w http.ResponseWriter, r *http.Request, rec session.Receipt) error {
	if !rec.Done {
		cursor, err := s.cursor(r)
		if err != nil {
			return err
		}
		w.Header().Set("Retry-After", "1")
		return writeJSON(w, http.StatusAccepted, accepted{rec.Event, cursor})
	}
	if rec.Outcome.Kind == ui.OutcomeRefused {
		p := s.problemOf(&ui.Error{Code: rec.Outcome.Code, Path: string(rec.Outcome.Path)})
		p.Event, p.Detail = string(rec.Event), rec.Outcome.Message
		s.writeProblem(w, r, p)
		return nil
	}
	return writeJSON(w, http.StatusOK, rec)
}

// cursor is where a stream of the drawing that the client names (default: the
// first) has to start to see what follows.
func (s *Server) cursor(r *http.Request) (string, error) {
	t, err := s.target(r, s.cfg.Targets[0].Name)
	if err != nil {
		return "", err
	}
	h, err := s.cfg.Service.Head(r.Context(), r.PathValue("id"), "")
	if err != nil {
		return "", err
	}
	return s.cfg.Deliver.Cursor(h, t), nil
}

func keyOf(r *http.Request) (string, error) {
	key := r.Header.Get("Idempotency-Key")
	if len(key) > 128 {
		return "", &ui.Error{Code: recovery.CodeKeyInvalid, Message: "longer than 128 characters"}
	}
	for i := 0; i < len(key); i++ {
		if key[i] <= ' ' || key[i] > '~' {
			return "", &ui.Error{Code: recovery.CodeKeyInvalid, Message: "not printable ASCII"}
		}
	}
	return key, nil
}

// preferWait reads Prefer: wait=seconds (RFC 7240 §4.3).
func preferWait(r *http.Request, def time.Duration) time.Duration {
	for _, pref := range strings.Split(strings.Join(r.Header.Values("Prefer"), ","), ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(pref), "=")
		if n, err := strconv.Atoi(value); err == nil && strings.EqualFold(name, "wait") && n >= 0 {
			return min(time.Duration(n)*time.Second, waitMost)
		}
	}
	return def
}

// target looks up the drawing a request asks for.
func (s *Server) target(r *http.Request, def string) (deliver.Target, error) {
	name := r.URL.Query().Get("version")
	if name == "" {
		name = def
	}
	t, ok := s.targets[name]
	if !ok {
		var names []string
		for _, t := range s.cfg.Targets {
			names = append(names, t.Name)
		}
		return t, &ui.Error{Code: recovery.CodeTarget, Path: "version", Message: "no such drawing is enabled", Hint: "enabled: " + strings.Join(names, ", ")}
	}
	return t, nil
}

func (s *Server) getStream(w http.ResponseWriter, r *http.Request) error {
	who, err := principal(r)
	if err != nil {
		return err
	}
	t, err := s.target(r, "v0.9")
	if err != nil {
		return err
	}
	q := r.URL.Query()
	req := deliver.Request{Conversation: r.PathValue("id"), Principal: who, Target: t,
		After: q.Get("after"), PerMessage: q.Get("framing") == "message", Rebuild: q.Get("updates") == "rebuild"}
	if last := r.Header.Get("Last-Event-ID"); last != "" {
		req.After = last
	}
	switch format := q.Get("format"); {
	case format == "" || format == "limn":
	case format == "a2ui" && t.HTML == nil:
		req.Format = deliver.A2UI
	default:
		return &ui.Error{Code: recovery.CodeTarget, Path: "format", Message: "no such format for this drawing", Hint: "limn, or a2ui for an A2UI version"}
	}
	ctx, cancel := contextEither(r.Context(), s.stop)
	defer cancel()
	started, err := sse.Serve(w, s.cfg.Deliver.Stream(ctx, req), s.cfg.Retry)
	if err != nil && started {
		s.cfg.Log.Debug("stream ended", "err", err)
		return nil
	}
	return err
}

func (s *Server) getA2UI(w http.ResponseWriter, r *http.Request) error {
	who, err := principal(r)
	if err != nil {
		return err
	}
	t, err := s.target(r, "v0.9")
	if err != nil {
		return err
	}
	messages, cursor, err := s.cfg.Deliver.Snapshot(r.Context(), r.PathValue("id"), who, t)
	if err != nil {
		return err
	}
	w.Header().Set("Limn-Cursor", cursor)
	w.Header().Set("Content-Type", "application/jsonl")
	w.Header().Set("Cache-Control", "no-store")
	if t.HTML != nil { // the one message is the HTML itself
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		var page string
		if err := json.Unmarshal(messages[0], &page); err != nil {
			return err
		}
		messages = [][]byte{[]byte(page)}
	}
	for _, m := range messages {
		if _, err := w.Write(append(m, '\n')); err != nil {
			return nil
		}
	}
	return nil
}

func (s *Server) getState(w http.ResponseWriter, r *http.Request) error {
	who, err := principal(r)
	if err != nil {
		return err
	}
	t, err := s.target(r, s.cfg.Targets[0].Name)
	if err != nil {
		return err
	}
	h, err := s.cfg.Service.Head(r.Context(), r.PathValue("id"), who)
	if err != nil {
		return err
	}
	w.Header().Set("Limn-Cursor", s.cfg.Deliver.Cursor(h, t))
	return writeJSON(w, http.StatusOK, h.State)
}

// maxFrames is how many frames one answer lists.
const maxFrames = 100

func (s *Server) getFrames(w http.ResponseWriter, r *http.Request) error {
	who, err := principal(r)
	if err != nil {
		return err
	}
	var after uint64
	if a := r.URL.Query().Get("after"); a != "" {
		if after, err = strconv.ParseUint(a, 10, 63); err != nil {
			return &ui.Error{Code: ingress.CodeEnvelope, Path: "after", Message: "not a frame number"}
		}
	}
	if _, err := s.cfg.Service.Head(r.Context(), r.PathValue("id"), who); err != nil {
		return err
	}
	steps, err := s.cfg.Service.Steps(r.Context(), r.PathValue("id"), after, maxFrames)
	if err != nil {
		return err
	}
	frames := make([]*ui.Frame, len(steps))
	for i, st := range steps {
		frames[i] = st.Frame
	}
	return writeJSON(w, http.StatusOK, map[string]any{"frames": frames})
}
