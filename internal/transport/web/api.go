package web

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/limn-ui/limn/internal/deliver"
	"github.com/limn-ui/limn/internal/ingress"
	"github.com/limn-ui/limn/internal/recovery"
	"github.com/limn-ui/limn/internal/session"
	"github.com/limn-ui/limn/internal/transport/door"
	"github.com/limn-ui/limn/ui"
)

// How long a POST waits for its answer unless Prefer: wait says otherwise.
const (
	waitAction = 10 * time.Second
	waitMost   = 60 * time.Second
)

// created is the answer to a new conversation. The token is missing where the
// embedder authenticates.
type created struct {
	ID    string     `json:"id"`
	Token string     `json:"token,omitempty"`
	Event ui.EventID `json:"event,omitempty"` // of the first message, if one was sent
	A2UI  *spoken    `json:"a2ui,omitempty"`  // if the body has capabilities

	who string
}

// createConversation starts a conversation, with the first message in it if the body has
// one.
func (s *eventAPI) createConversation(w http.ResponseWriter, r *http.Request) error {
	first, speaks, err := s.firstMessage(r)
	if err != nil {
		return err
	}
	made, err := s.create(w, r)
	if err != nil {
		return err
	}
	r.SetPathValue("id", made.ID)
	if made.A2UI, err = s.speaking(r, speaks); err != nil {
		return err
	}
	if first != nil {
		if first.Key, err = keyOf(r); err != nil {
			return err
		}
		rec, err := s.submit(w, r, made.who, first, preferWait(r, 0))
		if err != nil {
			return err
		}
		made.Event = rec.Event
	}
	return writeJSON(w, http.StatusCreated, made)
}

// firstMessage reads the body of a new conversation: nothing, {} or a message.
func (s *eventAPI) firstMessage(r *http.Request) (e *ui.Event, speaks speaks, err error) {
	body, err := readBody(r)
	if err != nil || len(bytes.TrimSpace(body)) == 0 {
		return nil, nil, err
	}
	if err := wantJSON(r); err != nil {
		return nil, nil, err
	}
	if speaks, err = ingress.Capabilities(body, s.cfg.Limits); err != nil {
		return nil, nil, err
	}
	e, err = ingress.DecodeOpening(body, s.cfg.Limits)
	return e, speaks, err
}

// create starts a conversation for the sender; a new one gets the token in a
// cookie too. Under an Idempotency-Key a sender who is known has one.
func (s *eventAPI) create(w http.ResponseWriter, r *http.Request) (created, error) {
	key, err := keyOf(r)
	switch {
	case err != nil:
		return created{}, err
	case key == "":
		return s.begin(w, r, "")
	}
	return s.begin(w, r, "key "+key)
}

// begin starts a conversation for the sender. Of a name there is one, however often it is begun.
func (s *eventAPI) begin(w http.ResponseWriter, r *http.Request, name string) (created, error) {
	who, token, isNew, err := s.newPrincipal(r)
	if err != nil {
		return created{}, err
	}
	if err := errors.Join(s.chargeAddress(r, startWeight), s.charge(who, startWeight)); err != nil {
		return created{}, err
	}
	var id string
	err = s.byPrincipal.hold(r.Context(), who, func(ctx context.Context) (err error) {
		if id = namedID(who, name); name != "" && !isNew {
			if _, err := s.cfg.Service.Access(ctx, id, who); err == nil {
				return nil // it counts already
			}
		}
		if err := s.mayCreate(r.WithContext(ctx), who, isNew); err != nil {
			return err
		}
		if name != "" {
			return s.cfg.Service.CreateOnce(ctx, who, id)
		}
		id, err = s.cfg.Service.Create(ctx, who)
		return err
	})
	if err != nil {
		return created{}, err
	}
	if isNew {
		s.setCookie(w, r, token)
	}
	return created{ID: id, Token: token, who: who}, nil
}

// endConversation ends a conversation for good: it can still be read, and takes
// no more events. To end it twice is to end it.
func (s *eventAPI) endConversation(w http.ResponseWriter, r *http.Request) error {
	return s.order(w, r, &ui.Event{Kind: ui.EventEnd})
}

// cancel stops the model runs of a conversation. Each ends with a frame of its
// own; that nothing was running is no error.
func (s *eventAPI) cancel(w http.ResponseWriter, r *http.Request) error {
	return s.order(w, r, &ui.Event{Kind: ui.EventCancel})
}

// order takes an event without a body and answers that it was taken.
func (s *eventAPI) order(w http.ResponseWriter, r *http.Request, e *ui.Event) error {
	who, err := s.principal(r)
	if err != nil {
		return err
	}
	if err := emptyBody(r); err != nil {
		if _, none := s.cfg.Service.Access(r.Context(), r.PathValue("id"), who); none != nil {
			return none
		}
		return err
	}
	rec, err := s.submit(w, r, who, e, waitAction)
	switch {
	case err != nil:
		return err
	case rec.Outcome.Kind == ui.OutcomeRefused:
		s.refused(w, r, rec)
		return nil
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

func (s *eventAPI) postMessage(w http.ResponseWriter, r *http.Request) error {
	return s.takeJSON(w, r, 0, ingress.DecodeMessage)
}

func (s *eventAPI) postEvent(w http.ResponseWriter, r *http.Request) error {
	client, err := clientOf(r)
	if err != nil {
		return err
	}
	var e *ui.Event
	rec, err := s.take(w, r, waitAction, func(body []byte, lim ingress.Limits) (_ *ui.Event, err error) {
		if e, err = ingress.DecodeEnvelope(body, lim); err == nil && e.Error != nil {
			e.Error.Client = client
		}
		return e, err
	})
	if err != nil {
		return err
	}
	if out, ok := called(rec, e.Action); ok {
		return writeJSON(w, http.StatusOK, out)
	}
	if e.Shared != nil && rec.Outcome.Kind != ui.OutcomeRefused {
		return writeJSON(w, http.StatusOK, s.merged(r, rec, e.Shared))
	}
	return s.answer(w, r, rec)
}

// called is the answer to a client that calls a function, once there is one.
func called(rec session.Receipt, e *ui.ActionEvent) (out answered, ok bool) {
	if !rec.Done {
		return out, false
	}
	line, ok := door.Returned(rec.Outcome, e)
	return answered{Receipt: rec, Messages: []json.RawMessage{line}}, ok
}

// merged is the answer to a batch of writes.
func (s *eventAPI) merged(r *http.Request, rec session.Receipt, e *ui.SharedEvent) answered {
	out := answered{Receipt: rec, A2UI: spokenOf(r)}
	name, _, _ := ui.ParseWireID(e.Surface)
	h, err := s.cfg.Service.Head(r.Context(), r.PathValue("id"), "")
	if err != nil {
		return out // the writes count all the same
	}
	sf := h.State.Surface(name)
	if sf == nil || sf.WireID() != e.Surface {
		return out
	}
	messages, err := deliver.Missing(h.State, sf, e)
	if err != nil {
		s.cfg.Log.WarnContext(r.Context(), "what a client lacks cannot be drawn", where(r), "err", err)
	}
	for _, m := range messages {
		out.Messages = append(out.Messages, m)
	}
	return out
}

// decodeFunc reads the body of an API post.
type decodeFunc func(body []byte, lim ingress.Limits) (*ui.Event, error)

// takeJSON is the straight line of every API post: principal, body, decode,
// submit, answer.
func (s *eventAPI) takeJSON(w http.ResponseWriter, r *http.Request, wait time.Duration, decode decodeFunc) error {
	rec, err := s.take(w, r, wait, decode)
	if err != nil {
		return err
	}
	return s.answer(w, r, rec)
}

// take is takeJSON without the answer.
func (s *eventAPI) take(w http.ResponseWriter, r *http.Request, wait time.Duration,
	decode decodeFunc) (rec session.Receipt, err error) {
	who, err := s.principal(r)
	if err != nil {
		return rec, err
	}
	return s.takeFrom(who, w, r, wait, decode)
}

// takeFrom is take for a sender who is known; "" is the application itself.
func (s *eventAPI) takeFrom(who string, w http.ResponseWriter, r *http.Request, wait time.Duration,
	decode decodeFunc) (rec session.Receipt, err error) {
	if err := wantJSON(r); err != nil {
		return rec, err
	}
	if _, err := s.target(r); err != nil { // before the event is durable, not after
		return rec, err
	}
	body, err := readBody(r)
	if err != nil {
		return rec, err
	}
	e, err := decode(body, s.cfg.Limits)
	if err != nil {
		return rec, err
	}
	if err := s.hear(r, body); err != nil {
		return rec, err
	}
	if e.Key, err = keyOf(r); err != nil {
		return rec, err
	}
	return s.submit(w, r, who, e, preferWait(r, wait))
}

// wantJSON refuses a body that is not said to be JSON.
func wantJSON(r *http.Request) error {
	t, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	isJSON := err == nil && (t == "application/json" || strings.HasSuffix(t, "+json"))
	if r.Method != http.MethodDelete && !isJSON {
		return &ui.Error{Code: recovery.CodeMediaType, Path: "Content-Type",
			Message: "want Content-Type: application/json", Hint: "send JSON, and say so in that header"}
	}
	return notEncoded(r)
}

// writeTime is how long the answer to a post may take to be written.
const writeTime = time.Minute

// submit hands an event over and waits for its answer until wait is over or
// the server drains. The body is here, so the connection's read deadline, which
// bounds it, is lifted: it would end a long wait. Writing has a new one.
func (s *eventAPI) submit(w http.ResponseWriter, r *http.Request, who string, e *ui.Event,
	wait time.Duration) (session.Receipt, error) {
	answer, err := s.takeEvent(w, r, r.PathValue("id"), who, e)
	if err != nil {
		return session.Receipt{}, err
	}
	return answer(r.Context(), wait), nil
}

// takeEvent hands an event of a conversation over, and returns what waits for its answer.
func (s *eventAPI) takeEvent(w http.ResponseWriter, r *http.Request, id, who string,
	e *ui.Event) (door.Answer, error) {
	if s.stop.Err() != nil {
		return nil, &ui.Error{Code: recovery.CodeDraining, Message: "the server is stopping"}
	}
	rc := http.NewResponseController(w)
	rc.SetReadDeadline(time.Time{}) //nolint:errcheck // what has no deadline needs none lifted
	if lang := s.language(r); lang != s.cfg.Service.App().Config().Languages[0] {
		e.Language = lang
	}
	ctx, cancel := contextEither(s.addressed(r), s.stop)
	defer cancel()
	answered, err := s.cfg.Service.Take(ctx, id, who, e)
	if err != nil {
		rc.SetWriteDeadline(time.Now().Add(writeTime)) //nolint:errcheck // as above
		return nil, s.cutOff(r, err)
	}
	return func(ctx context.Context, wait time.Duration) session.Receipt {
		ctx, cancel := contextEither(ctx, s.stop)
		defer cancel()
		rec := answered(ctx, wait)
		rc.SetWriteDeadline(time.Now().Add(writeTime)) //nolint:errcheck // as above
		return rec
	}, nil
}

// cutOff says of an event that could not be recorded since the server stops that
// this is why.
func (s *eventAPI) cutOff(r *http.Request, err error) error {
	if s.stop.Err() != nil && r.Context().Err() == nil && errors.Is(err, context.Canceled) {
		return &ui.Error{Code: recovery.CodeDraining, Message: "the server is stopping", Err: err}
	}
	return err
}

// accepted is the answer to an event that is durable and not answered yet.
type accepted struct {
	Event  ui.EventID `json:"event"`
	Cursor string     `json:"cursor"`
	A2UI   *spoken    `json:"a2ui,omitempty"` // if the body has capabilities
}

// answered is a receipt with the way out of a failure.
type answered struct {
	session.Receipt
	Regenerate string `json:"regenerate,omitempty"`
	// for a client that shares drafts: the writes that it lacks, and a question for those lost
	Messages []json.RawMessage `json:"messages,omitempty"`
	A2UI     *spoken           `json:"a2ui,omitempty"` // if the body has capabilities
}

// answer writes the status of an event: 202 while it runs, 200 when it is done, a
// problem when it was refused.
func (s *eventAPI) answer(w http.ResponseWriter, r *http.Request, rec session.Receipt) error {
	if !rec.Done {
		cursor, err := s.cursor(r, rec)
		if err != nil {
			return err
		}
		w.Header().Set("Retry-After", "1")
		return writeJSON(w, http.StatusAccepted, accepted{rec.Event, cursor, spokenOf(r)})
	}
	if rec.Outcome.Kind == ui.OutcomeRefused {
		s.refused(w, r, rec)
		return nil
	}
	return writeJSON(w, http.StatusOK, answered{Receipt: rec, Regenerate: s.regenerateAt(r, rec.Outcome),
		A2UI: spokenOf(r)})
}

// refused answers an event that is recorded and was not admitted.
func (s *eventAPI) refused(w http.ResponseWriter, r *http.Request, rec session.Receipt) {
	s.writeProblem(w, r, s.refusal(r, rec))
}

func (s *eventAPI) refusal(r *http.Request, rec session.Receipt) Problem {
	o := rec.Outcome
	p := s.problemOf(r, &ui.Error{Code: o.Code, Path: string(o.Path), Message: cmp.Or(o.Detail, o.Message),
		Hint: o.Hint})
	p.Event = string(rec.Event)
	p.Regenerate, p.surface = s.regenerateAt(r, o), o.Surface
	return p
}

// cursor is where a stream of the drawing that the client names has to start
// to see what follows a receipt: its answer may be there by now.
func (s *eventAPI) cursor(r *http.Request, rec session.Receipt) (string, error) {
	t, err := s.target(r)
	if err != nil {
		return "", err
	}
	h, err := s.cfg.Service.Head(r.Context(), r.PathValue("id"), "")
	if err != nil {
		return "", err
	}
	return s.cfg.Deliver.CursorAt(h, t, rec.Seq), nil
}

// keyOf returns the Idempotency-Key, or "" without one.
func keyOf(r *http.Request) (string, error) {
	sent := r.Header.Values("Idempotency-Key")
	if len(sent) == 0 {
		return "", nil
	}
	key := sent[0]
	if len(sent) > 1 {
		key = ""
	}
	return key, checkKey(key)
}

const keyHint = "a UUID will do, a new one for each new request"

func checkKey(key string) error {
	if key == "" || len(key) > 128 {
		return &ui.Error{Code: recovery.CodeKeyInvalid, Path: "Idempotency-Key",
			Message: "want one key of 1 to 128 characters", Hint: keyHint}
	}
	for i := 0; i < len(key); i++ {
		if key[i] < ' ' || key[i] > '~' {
			return &ui.Error{Code: recovery.CodeKeyInvalid, Path: "Idempotency-Key", Message: "not printable ASCII",
				Hint: keyHint}
		}
	}
	return nil
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
