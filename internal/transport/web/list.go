package web

import (
	"cmp"
	"net/http"
	"net/url"
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

// conversationsPageOf is the page of a principal's conversations.
type conversationsPageOf struct {
	head
	List []conversationLine
	Next string
}

type conversationLine struct {
	At, Title, Active string
	Ended             bool
}

// conversationsPage lists the conversations of a browser, a page at a time.
func (s *host) conversationsPage(w http.ResponseWriter, r *http.Request) error {
	who, err := s.visitor(r)
	if err != nil {
		return err
	}
	if who != "" {
		if err := s.charge(who, listed); err != nil {
			return err
		}
	}
	list, next, err := s.cfg.Service.Conversations(r.Context(), who, r.URL.Query().Get("after"), listed)
	if err != nil {
		return err
	}
	p := conversationsPageOf{head: head{site: s.site, Title: s.Word("conversations.title")}}
	for _, c := range list {
		p.List = append(p.List, conversationLine{s.conversationAt(c.ID), cmp.Or(c.Title, s.Word("conversations.empty")),
			s.date(c.Active), c.Ended})
	}
	if next != "" {
		p.Next = s.at("/conversations?" + url.Values{"after": {next}}.Encode())
	}
	return writePage(w, http.StatusOK, "conversations", p)
}

// Home is the address of the newest conversation.
func (p conversationsPageOf) Home() string { return p.at("/") }
