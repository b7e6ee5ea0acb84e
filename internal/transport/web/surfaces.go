package web

import (
	"net/http"
	"net/url"

	"github.com/limn-ui/limn/internal/recovery"
	"github.com/limn-ui/limn/internal/session"
	"github.com/limn-ui/limn/ui"
)

// regenerate renders a surface again: an open one, one that expired, and one that
// was closed because it could not be shown.
func (s *eventAPI) regenerate(w http.ResponseWriter, r *http.Request, who string) error {
	if _, err := s.target(r); err != nil {
		return err
	}
	rec, err := s.regenerated(w, r, who, r.PathValue("name"))
	if err != nil {
		return err
	}
	return s.answer(w, r, rec)
}

func (s *eventAPI) regenerated(w http.ResponseWriter, r *http.Request, who, name string) (rec session.Receipt,
	err error) {
	if !ui.ValidName(name) {
		return rec, &ui.Error{Code: recovery.CodeNotFound, Path: "name", Message: "no surface has such a name",
			Hint: "GET …/state lists those there are"}
	}
	e := &ui.Event{Kind: ui.EventRegenerate, Surface: ui.Name(name)}
	if e.Key, err = keyOf(r); err != nil {
		return rec, err
	}
	return s.submit(w, r, who, e, preferWait(r, waitAction))
}

// formRegenerate is regenerate for the button beside the text of a failure.
func (s *host) formRegenerate(w http.ResponseWriter, r *http.Request, who string) error {
	if err := parseForm(r); err != nil {
		return err
	}
	rec, err := s.regenerated(w, r, who, r.PostForm.Get(fieldSurface))
	return s.back(w, r, rec, err, targetQuery(r))
}

const fieldSurface = "surface"

// regenerateAt is the address that renders the surface of a failure again, or "".
func (s *answers) regenerateAt(r *http.Request, o ui.Outcome) string {
	id := r.PathValue("id")
	if o.Surface == "" || id == "" || o.Kind != ui.OutcomeFailed && o.Kind != ui.OutcomeRefused {
		return ""
	}
	return s.at("/v1/conversations/") + url.PathEscape(id) + "/surfaces/" + url.PathEscape(string(o.Surface)) +
		"/regenerate"
}
