package web

import (
	"encoding/json"
	"math/rand/v2"
	"mime"
	"net/http"
	"slices"
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
	token, isNew, err := identify(r)
	if err != nil {
		return err
	}
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
	if _, err := s.target(r); err != nil { // before the event is durable, not after
		return err
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
	rec, err := s.submit(r, who, e, preferWait(r, wait))
	if err != nil {
		return err
	}
	return s.answer(w, r, rec)
}

// submit hands an event over and waits for its answer until wait is over or
// the server drains. The connection's read deadline is lifted: the body is here,
// and its end would end the request.
func (s *Server) submit(r *http.Request, who string, e *ui.Event, wait time.Duration) (session.Receipt, error) {
	ctx, cancel := contextEither(r.Context(), s.stop)
	defer cancel()
	return s.cfg.Service.Submit(ctx, r.PathValue("id"), who, e, wait)
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
		s.refused(w, r, rec)
		return nil
	}
	return writeJSON(w, http.StatusOK, rec)
}

// refused answers an event that is recorded and was not admitted.
func (s *Server) refused(w http.ResponseWriter, r *http.Request, rec session.Receipt) {
	p := s.problemOf(&ui.Error{Code: rec.Outcome.Code, Path: string(rec.Outcome.Path)})
	p.Event, p.Detail = string(rec.Event), rec.Outcome.Message
	s.writeProblem(w, r, p)
}

// cursor is where a stream of the drawing that the client names has to start
// to see what follows.
func (s *Server) cursor(r *http.Request) (string, error) {
	t, err := s.target(r)
	if err != nil {
		return "", err
	}
	h, err := s.cfg.Service.Head(r.Context(), r.PathValue("id"), "")
	if err != nil {
		return "", err
	}
	return s.cfg.Deliver.Cursor(h, t), nil
}

// keyOf returns the Idempotency-Key, or "" if there is none.
func keyOf(r *http.Request) (string, error) {
	sent := r.Header.Values("Idempotency-Key")
	if len(sent) == 0 {
		return "", nil
	}
	key := sent[0]
	if len(sent) > 1 || key == "" || len(key) > 128 {
		return "", &ui.Error{Code: recovery.CodeKeyInvalid, Message: "want one key of 1 to 128 characters"}
	}
	for i := 0; i < len(key); i++ {
		if key[i] < ' ' || key[i] > '~' {
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
			return time.Duration(min(n, int(waitMost/time.Second))) * time.Second
		}
	}
	return def
}

// defaultTarget is the drawing of API clients that name none, if it is enabled;
// else the first is. It is the same at every address, so that cursors fit.
const defaultTarget = "v0.9"

// target looks up the drawing a request asks for.
func (s *Server) target(r *http.Request) (deliver.Target, error) {
	name := r.URL.Query().Get("version")
	if name == "" {
		name = s.cfg.Targets[0].Name
		if _, ok := s.targets[defaultTarget]; ok {
			name = defaultTarget
		}
	}
	return s.targetNamed("version", name)
}

// targetNamed looks up a drawing by the value of a query parameter.
func (s *Server) targetNamed(parameter, name string) (deliver.Target, error) {
	if t, ok := s.targets[name]; ok {
		return t, nil
	}
	var names []string
	for _, t := range s.cfg.Targets {
		names = append(names, t.Name)
	}
	return deliver.Target{}, &ui.Error{Code: recovery.CodeTarget, Path: parameter, Message: "no such drawing is enabled", Hint: "enabled: " + strings.Join(names, ", ")}
}

// oneOf checks a query parameter against its values; the first is the default.
func oneOf(r *http.Request, parameter string, values ...string) (string, error) {
	v := r.URL.Query().Get(parameter)
	if v == "" {
		return values[0], nil
	}
	if !slices.Contains(values, v) {
		return "", &ui.Error{Code: recovery.CodeTarget, Path: parameter, Message: "no such value", Hint: "want " + strings.Join(values, " or ")}
	}
	return v, nil
}

func (s *Server) getStream(w http.ResponseWriter, r *http.Request) error {
	who, err := principal(r)
	if err != nil {
		return err
	}
	t, err := s.target(r)
	if err != nil {
		return err
	}
	format, err := oneOf(r, "format", "limn", "a2ui")
	if err != nil {
		return err
	}
	framing, err := oneOf(r, "framing", "batch", "message")
	if err != nil {
		return err
	}
	updates, err := oneOf(r, "updates", "patch", "rebuild")
	if err != nil {
		return err
	}
	req := deliver.Request{Conversation: r.PathValue("id"), Principal: who, Target: t, After: r.URL.Query().Get("after"), Rebuild: updates == "rebuild"}
	if last := r.Header.Get("Last-Event-ID"); last != "" {
		req.After = last
	}
	switch {
	case format == "a2ui" && t.HTML != nil:
		return &ui.Error{Code: recovery.CodeTarget, Path: "format", Message: "no such format for this drawing", Hint: "a2ui wants an A2UI version; for html use limn"}
	case format == "a2ui":
		req.Format, req.PerMessage = deliver.A2UI, framing == "message"
	}
	if r.Method == http.MethodHead { // a stream without a body would never end
		if _, err := s.cfg.Service.Head(r.Context(), req.Conversation, who); err != nil {
			return err
		}
		w.Header().Set("Content-Type", "text/event-stream")
		w.Header().Set("Cache-Control", "no-store")
		return nil
	}
	ctx, cancel := contextEither(r.Context(), s.stop)
	defer cancel()
	started, err := sse.Serve(w, s.cfg.Deliver.Stream(ctx, req), s.cfg.Retry+rand.N(s.cfg.Retry))
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
	t, err := s.target(r)
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
	t, err := s.target(r)
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
