package web

import (
	"crypto/subtle"
	"net/http"
	"strings"

	"github.com/limn-ui/limn/internal/ingress"
	"github.com/limn-ui/limn/internal/recovery"
	"github.com/limn-ui/limn/ui"
)

// liveAPI takes data of the application from programs that have Config.DataToken. What
// the owner of a conversation may do has nothing to do with it.
type liveAPI struct{ *eventAPI }

// patch merges data into those of a conversation.
func (s *liveAPI) patch(w http.ResponseWriter, r *http.Request) error {
	return s.data(w, r, ingress.DecodeData)
}

// put replaces the data of one name.
func (s *liveAPI) put(w http.ResponseWriter, r *http.Request) error {
	return s.data(w, r, func(body []byte, lim ingress.Limits) (*ui.Event, error) {
		v, err := ingress.DecodeValue(body, lim)
		return ingress.DataEvent(r.PathValue("name"), v), err
	})
}

func (s *liveAPI) data(w http.ResponseWriter, r *http.Request, decode decodeFunc) error {
	if err := s.program(r); err != nil {
		return err
	}
	rec, err := s.takeFrom("", w, r, waitAction, decode)
	if err != nil {
		return err
	}
	return s.answer(w, r, rec)
}

// publish makes the body the newest value of a topic.
func (s *liveAPI) publish(w http.ResponseWriter, r *http.Request) error {
	if err := s.program(r); err != nil {
		return err
	}
	if err := wantJSON(r); err != nil {
		return err
	}
	body, err := readBody(r)
	if err != nil {
		return err
	}
	v, err := ingress.DecodeValue(body, s.cfg.Limits)
	if err != nil {
		return err
	}
	key, err := keyOf(r)
	if err != nil {
		return err
	}
	if err := s.cfg.Service.Live().PublishOnce(r.Context(), r.PathValue("name"), key, v); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// program admits who holds the token of programs.
func (s *liveAPI) program(r *http.Request) error {
	if err := oneSender(r); err != nil {
		return err
	}
	if s.cfg.DataToken == "" {
		return &ui.Error{Code: recovery.CodeForbidden, Message: "this server takes no data over HTTP",
			Hint: "start it with --data-token (limn.Config.DataToken)"}
	}
	if !bearer(r, s.cfg.DataToken) {
		return &ui.Error{Code: recovery.CodeUnauthorized, Path: "Authorization",
			Message: "want the token of programs as a bearer",
			Hint:    "it is what the server was started with as --data-token"}
	}
	return nil
}

// bearer reports whether a request has a token of the operator's.
func bearer(r *http.Request, token string) bool {
	scheme, sent, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	return strings.EqualFold(scheme, "Bearer") && subtle.ConstantTimeCompare([]byte(sent), []byte(token)) == 1
}
