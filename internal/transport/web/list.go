package web

import (
	"net/http"
	"strconv"

	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/ingress"
	"github.com/limn-ui/limn/internal/session"
	"github.com/limn-ui/limn/ui"
)

// listed is how many conversations one answer lists if the request does not say.
const listed = 20

// listConversations answers the conversations of who asks, the last created
// first. Each costs as much as a request, since it may have
// to be read from the store, as far as the smallest bucket holds that many.
func (s *readAPI) listConversations(w http.ResponseWriter, r *http.Request, who string) error {
	query, err := queryOf(r)
	if err != nil {
		return err
	}
	limit := listed
	if l := query.Get("limit"); l != "" {
		if limit, err = strconv.Atoi(l); err != nil || limit < 1 || limit > session.MaxSummaries {
			return &ui.Error{Code: ingress.CodeEnvelope, Path: "limit",
				Message: "want 1 to " + strconv.Itoa(session.MaxSummaries)}
		}
	}
	if err := s.charge(who, min(limit, 2*startWeight)); err != nil {
		return err
	}
	list, next, err := s.cfg.Service.Conversations(r.Context(), who, query.Get("after"), limit)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, struct {
		Conversations []conversation.Summary `json:"conversations"`
		Next          string                 `json:"next,omitempty"`
	}{list, next})
}
