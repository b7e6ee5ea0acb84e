package web

import (
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/limn-ui/limn/internal/agent"
	"github.com/limn-ui/limn/internal/ingress"
	"github.com/limn-ui/limn/internal/logs"
	"github.com/limn-ui/limn/internal/recovery"
	"github.com/limn-ui/limn/ui"
)

// Problem is an error answer (RFC 9457) with Limn's code.
type Problem struct {
	Type   string  `json:"type"` // about:blank
	Title  string  `json:"title"`
	Status int     `json:"status"`
	Code   ui.Code `json:"code"`
	Detail string  `json:"detail,omitempty"`
	Path   string  `json:"path,omitempty"`
	Hint   string  `json:"hint,omitempty"`
	Event  string  `json:"event,omitempty"` // of a recorded, refused event

	// text for a person, where the app's words replace Detail and Title
	Message    string  `json:"message,omitempty"`
	Regenerate string  `json:"regenerate,omitempty"` // address that renders the surface again
	surface    ui.Name // it is about
}

func (s *answers) problem(w http.ResponseWriter, r *http.Request, err error) {
	p := s.problemOf(r, err)
	if n := retryAfter(err, p); n > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(n))
	}
	var at *closed
	if errors.As(err, &at) {
		p.Regenerate, p.surface = s.regenerateAt(r, ui.Outcome{Kind: ui.OutcomeRefused, Surface: at.surface}),
			at.surface
	}
	s.logged(r, p, err)
	s.writeProblem(w, r, p)
}

// retryAfter is after how many seconds a request may be sent again; 0: nothing says so.
func retryAfter(err error, p Problem) int {
	if later, ok := errors.AsType[*limited](err); ok {
		return 1 + int(later.after.Seconds())
	}
	if p.Code == recovery.CodeTokens || p.Code == recovery.CodeStored { // until the next day, UTC
		now := time.Now().UTC()
		return 1 + int(now.Truncate(24*time.Hour).Add(24*time.Hour).Sub(now).Seconds())
	}
	return 0
}

// tooMany reports a status that ends by itself.
func tooMany(status int) bool {
	return status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable
}

// logged notes a problem that is ours.
func (s *answers) logged(r *http.Request, p Problem, err error) {
	switch {
	case p.Status < 500:
	case p.Code == recovery.CodeStreams, p.Code == recovery.CodeUploads, p.Code == recovery.CodeRunsFull,
		p.Code == recovery.CodeDraining:
		// limits and a stop, which are counted or logged where they are
		s.cfg.Log.DebugContext(r.Context(), "request refused", where(r), "code", p.Code)
	case r.Context().Err() != nil: // the client went away and will not read this
		s.cfg.Log.DebugContext(r.Context(), "request ended early", where(r), "code", p.Code, "err", logs.Quiet(err))
	default:
		s.cfg.Log.ErrorContext(r.Context(), "request failed", where(r), "code", p.Code, "err", logs.Quiet(err))
	}
}

// where says which request a log line is about: its route and, if the address
// has one, the conversation. Anybody can write an address, so that only what has the
// form of an id is taken from it.
func where(r *http.Request) slog.Attr {
	path := slog.String("path", r.Pattern)
	id := r.PathValue("id")
	if len(id) != idLen || strings.Trim(id, "0123456789abcdef-") != "" {
		return slog.GroupAttrs("", path)
	}
	return slog.GroupAttrs("", path, slog.String("conversation", id))
}

// idLen is how long the id of a conversation is, a UUID.
const idLen = 36

func (s *answers) problemOf(r *http.Request, err error) Problem {
	e := ui.AsError(err, agent.CodeTurnFailed, "")
	entry := s.cfg.Service.Recovery(s.language(r)).Problem(e.Code)
	p := Problem{Type: "about:blank", Title: entry.Title, Status: entry.Status, Code: e.Code, Path: e.Path,
		Hint: cmp.Or(e.Hint, entry.Hint)}
	if p.Status < 500 { // what we did wrong is for the log
		p.Detail = e.Message
	}
	if entry.Worded {
		p.Message = entry.Title
	}
	return p
}

func (s *answers) writeProblem(w http.ResponseWriter, r *http.Request, p Problem) {
	h := w.Header()
	if p.Status == http.StatusUnauthorized && h.Get("WWW-Authenticate") == "" { // an embedder may want another scheme
		h.Set("WWW-Authenticate", `Bearer realm="limn"`)
	}
	if tooMany(p.Status) && h.Get("Retry-After") == "" {
		h.Set("Retry-After", "1")
	}
	h.Set("Cache-Control", "no-store")
	if r.Method != http.MethodHead && wantsPage(r) {
		if err := writePage(w, p.Status, "problem", s.problemPage(r, p)); err != nil {
			s.cfg.Log.ErrorContext(r.Context(), "write the page of a problem", where(r), "err", err)
		}
		return
	}
	b, _ := json.Marshal(p) // strings and a number
	h.Set("Content-Type", "application/problem+json")
	h.Set("Content-Length", strconv.Itoa(len(b)+1)) // it ends here, though the request may be drained
	w.WriteHeader(p.Status)
	_, _ = w.Write(append(b, '\n')) // the client is gone
}

// wantsPage reports a browser's navigation: it prefers HTML and is not a script.
func wantsPage(r *http.Request) bool {
	accept := r.Header.Get("Accept")
	return strings.HasPrefix(accept, "text/html") && !strings.HasPrefix(r.URL.Path, "/v1/")
}

// problemPage is a problem for people: the sentence, what to do, the code, and
// the way back.
type problemPage struct {
	head
	Code       ui.Code
	Details    []string
	Regenerate *regenerateButton
	Back       string
}

func (s *answers) problemPage(r *http.Request, p Problem) problemPage {
	said := s.saidTo(r)
	page := problemPage{head: head{site: said, Title: p.Title}, Code: p.Code, Back: "/"}
	if id := r.PathValue("id"); id != "" && p.Status != http.StatusNotFound {
		page.Back = s.conversationAt(id)
	}
	details := []string{p.Detail, p.Hint}
	switch {
	case p.Status >= 500: // the hint is for programs; the title is advice for people
		details = nil
	case p.Message != "":
		details = []string{p.Message}
	}
	for _, text := range details {
		if text != "" && text != p.Title {
			page.Details = append(page.Details, text)
		}
	}
	if p.Regenerate != "" {
		page.Regenerate = &regenerateButton{Action: s.conversationAt(r.PathValue("id")), Surface: p.surface,
			Label: said.Word("button.regenerate")}
	}
	return page
}

// notEncoded refuses a body that is compressed: nothing here unpacks it.
func notEncoded(r *http.Request) error {
	for _, coding := range r.Header.Values("Content-Encoding") {
		if !strings.EqualFold(strings.TrimSpace(coding), "identity") {
			return &ui.Error{Code: recovery.CodeMediaType, Path: "Content-Encoding",
				Message: "no content coding is taken", Hint: "send the body as it is, without Content-Encoding"}
		}
	}
	return nil
}

// readBody reads a request's body within the limit.
func readBody(r *http.Request) ([]byte, error) {
	b, err := io.ReadAll(r.Body)
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		return nil, &ui.Error{Code: recovery.CodeBodyTooLarge, Message: "the body is above the limit",
			Hint: "send less at once; docs/http.md has the limits", Err: err}
	case err != nil:
		return nil, &ui.Error{Code: ingress.CodeEnvelope, Message: "the body could not be read", Hint: "send it again",
			Err: err}
	}
	return b, nil
}

func writeJSON(w http.ResponseWriter, status int, v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(append(b, '\n')) // the client is gone
	return nil
}
