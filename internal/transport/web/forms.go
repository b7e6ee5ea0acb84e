package web

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"html"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	render "github.com/limn-ui/limn/html"
	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/ingress"
	"github.com/limn-ui/limn/internal/recovery"
	"github.com/limn-ui/limn/internal/session"
	"github.com/limn-ui/limn/ui"
)

// parseForm reads a posted form within the body limit.
func parseForm(r *http.Request) error {
	if err := notEncoded(r); err != nil {
		return err
	}
	if sent := r.Header.Get("Content-Type"); sent != "" {
		if t, _, err := mime.ParseMediaType(sent); err != nil || t != "application/x-www-form-urlencoded" {
			return &ui.Error{Code: recovery.CodeMediaType, Path: "Content-Type",
				Message: "want application/x-www-form-urlencoded", Hint: "post it as a browser posts a form"}
		}
	}
	err := r.ParseForm()
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		return &ui.Error{Code: recovery.CodeBodyTooLarge, Message: "the form is above the limit",
			Hint: "submit less at once", Err: err}
	case err != nil:
		return &ui.Error{Code: ingress.CodeEnvelope, Message: "the form could not be read",
			Hint: "reload the page and send it again", Err: err}
	}
	return nil
}

// formMessage takes a chat message from a page without script.
func (s *host) formMessage(w http.ResponseWriter, r *http.Request, who string) error {
	if err := parseForm(r); err != nil {
		return err
	}
	e, err := ingress.MessageEvent(r.PostForm.Get("text"), s.cfg.Limits)
	if err != nil {
		return err
	}
	e.Key = formKey(r.PostForm.Get(fieldKey), e.Text)
	rec, err := s.submit(w, r, who, e, waitAction)
	return s.back(w, r, rec, err, targetQuery(r))
}

// back leads a browser back to the page that its form is on, or says why the event
// was refused.
func (s *host) back(w http.ResponseWriter, r *http.Request, rec session.Receipt, err error, where string) error {
	switch {
	case err != nil:
		return err
	case rec.Outcome.Kind == ui.OutcomeRefused:
		s.refused(w, r, rec)
		return nil
	}
	return s.redirect(w, r, r.PathValue("id"), where)
}

// fieldKey is the hidden input with a random text of each page, so that the
// Send button pressed twice sends once.
const fieldKey = "limn_key"

// formKey is the idempotency key of a message from a page: the same text from
// the same page is the same message.
func formKey(page, text string) string {
	if page == "" || len(page) > 64 {
		return ""
	}
	sum := sha256.Sum256([]byte(page + "\x00" + text))
	return "f-" + hex.EncodeToString(sum[:16])
}

// formAction takes a surface's form. Turbo gets the update as streams, a plain
// browser a redirect to the page, at the input to look at.
func (s *host) formAction(w http.ResponseWriter, r *http.Request, who string) error {
	post := s.plainAction
	if isMultipart(r) {
		post = s.formFileAction
	}
	rec, err := post(w, r, who)
	if err != nil {
		return err
	}
	return s.showForm(w, r, who, rec)
}

func (s *host) plainAction(w http.ResponseWriter, r *http.Request, who string) (rec session.Receipt, err error) {
	if err := parseForm(r); err != nil {
		return rec, err
	}
	e, err := ingress.DecodeForm(r.PostForm, s.cfg.Limits)
	if err != nil {
		return rec, err
	}
	if e.Key, err = keyOf(r); err != nil {
		return rec, err
	}
	return s.submit(w, r, who, e, waitAction)
}

const turboStream = "text/vnd.turbo-stream.html"

func (s *host) showForm(w http.ResponseWriter, r *http.Request, who string, rec session.Receipt) error {
	id := r.PathValue("id")
	h, err := s.cfg.Service.Head(r.Context(), id, who)
	if err != nil {
		return err
	}
	if strings.Contains(r.Header.Get("Accept"), turboStream) {
		return s.turbo(w, r, id, rec)
	}
	anchor := ""
	if sf := h.State.Surface(rec.Outcome.Surface); sf != nil && rec.Outcome.Path != "" {
		anchor = "#" + render.Target(rec.Outcome.Path, sf)
	} else if anchor, err = s.anchor(r, id, rec); err != nil {
		return err
	}
	return s.back(w, r, rec, nil, targetQuery(r)+anchor)
}

// anchor is the fragment of a page's address that shows the surface which an event has
// opened, or "".
func (s *host) anchor(r *http.Request, id string, rec session.Receipt) (string, error) {
	steps, err := s.stepsOf(r, id, rec)
	shown := opened(steps)
	if err != nil || shown == "" {
		return "", err
	}
	return "#" + url.PathEscape(shown), nil
}

// stepsOf is the frame of an event, with the states around it; nothing if it is trimmed.
func (s *host) stepsOf(r *http.Request, id string, rec session.Receipt) ([]conversation.Step, error) {
	if !rec.Done || rec.Seq == 0 {
		return nil, nil
	}
	steps, err := s.cfg.Service.Steps(r.Context(), id, rec.Seq-1, 1)
	if ui.CodeOf(err) == conversation.CodeTrimmed { // a late retry: its page has seen what came of it
		return nil, nil
	}
	return steps, err
}

// opened is the wire id of the surface that a frame opened last, or "".
func opened(steps []conversation.Step) (id string) {
	for _, st := range steps {
		for _, op := range st.Frame.Ops {
			if o, ok := op.(*ui.Open); ok && st.After.Surface(o.Surface) != nil {
				id = st.After.Surface(o.Surface).WireID()
			}
		}
	}
	return id
}

// turbo answers with the frame's own update and a word in the status line. The
// page leaves it out if its stream was faster (Limn-Seq).
func (s *host) turbo(w http.ResponseWriter, r *http.Request, id string, rec session.Receipt) error {
	out, message := "", rec.Outcome.Message
	steps, err := s.stepsOf(r, id, rec)
	if err != nil {
		return err
	}
	if t, ok := s.targets["html"]; ok {
		for _, st := range steps {
			out += strings.Join(render.Update(st.Before, st.After, st.Frame, t.HTML(st.After)), "")
			if strings.HasSuffix(st.Frame.Text, message) { // the conversation says it
				message = ""
			}
		}
	}
	out = `<turbo-stream action="update" target="limn-status"><template>` + html.EscapeString(message) +
		`</template></turbo-stream>` + out
	w.Header().Set("Content-Type", turboStream+"; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Limn-Seq", strconv.FormatUint(rec.Seq, 10))
	w.Header().Set("Limn-Outcome", string(rec.Outcome.Kind))
	if rec.Outcome.Code != "" {
		w.Header().Set("Limn-Code", string(rec.Outcome.Code))
	}
	if shown := opened(steps); shown != "" {
		w.Header().Set("Limn-Opened", url.PathEscape(shown))
	}
	_, _ = w.Write([]byte(out)) // the client is gone
	return nil
}
