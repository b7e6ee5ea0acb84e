package web

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"strconv"

	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/directory"
	"github.com/limn-ui/limn/internal/ingress"
	"github.com/limn-ui/limn/ui"
)

// listed is how many conversations one answer lists if the request does not say.
const listed = 20

// maxSearch is the most bytes of a search.
const maxSearch = 200

// listConversations answers the conversations of who asks, the last created
// first. Each costs as much as a request, since it may have
// to be read from the store, as far as the smallest bucket holds that many.
func (s *readAPI) listConversations(w http.ResponseWriter, r *http.Request, who string) error {
	query, err := queryOf(r)
	if err != nil {
		return err
	}
	q, err := listingOf(query)
	if err != nil {
		return err
	}
	list, next, err := s.find(r, who, q, s.cfg.Service.Find)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, listing{list, next})
}

// listing is a page of a list of conversations.
type listing struct {
	Conversations []conversation.Summary `json:"conversations"`
	Next          string                 `json:"next,omitempty"`
}

// findFunc lists conversations that a principal may see.
type findFunc func(ctx context.Context, principal string, q conversation.Listing) ([]conversation.Summary, string,
	error)

// listingOf reads which conversations a request asks for.
func listingOf(query url.Values) (q conversation.Listing, err error) {
	q = conversation.Listing{Words: query.Get("q"), After: query.Get("after"), Limit: listed}
	if l := query.Get("limit"); l != "" {
		if q.Limit, err = strconv.Atoi(l); err != nil || q.Limit < 1 || q.Limit > directory.MaxSummaries {
			return q, &ui.Error{Code: ingress.CodeEnvelope, Path: "limit",
				Message: "this is no limit", Hint: "want 1 to " + strconv.Itoa(directory.MaxSummaries)}
		}
	}
	if a := query.Get("archived"); a != "" {
		if q.Archived, err = strconv.ParseBool(a); err != nil {
			return q, &ui.Error{Code: ingress.CodeEnvelope, Path: "archived",
				Message: "this is neither yes nor no", Hint: "want true or false"}
		}
	}
	if len(q.Words) > maxSearch {
		return q, &ui.Error{Code: ingress.CodeEnvelope, Path: "q",
			Message: "want at most " + strconv.Itoa(maxSearch) + " bytes"}
	}
	return q, nil
}

// find charges for a page, a search as for the most of them, and returns it.
func (s *gate) find(r *http.Request, who string, q conversation.Listing,
	find findFunc) ([]conversation.Summary, string, error) {
	price := min(q.Limit, 2*startWeight)
	if q.Words != "" {
		price = 2 * startWeight
	}
	if err := s.charge(who, price); err != nil {
		return nil, "", err
	}
	return find(r.Context(), who, q)
}

// patchConversation changes the title of a conversation, or whether it is archived.
func (s *eventAPI) patchConversation(w http.ResponseWriter, r *http.Request, who string) error {
	var in struct {
		Title    *string `json:"title"`
		Archived *bool   `json:"archived"`
	}
	if err := readJSON(r, &in); err != nil {
		return err
	}
	if in.Title == nil && in.Archived == nil {
		return &ui.Error{Code: ingress.CodeEnvelope, Message: "this changes nothing of a conversation",
			Hint: `send {"title":"…"}, {"archived":true}, or both`}
	}
	summary, err := s.cfg.Service.Label(r.Context(), r.PathValue("id"), who, in.Title, in.Archived)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, summary)
}

// deleteConversation deletes a conversation with all that belongs to it.
func (s *eventAPI) deleteConversation(w http.ResponseWriter, r *http.Request, who string) error {
	if err := s.deletes(r, who); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

func (s *eventAPI) deletes(r *http.Request, who string) error {
	if err := s.charge(who, startWeight); err != nil {
		return err
	}
	return s.cfg.Service.Delete(s.addressed(r), r.PathValue("id"), who)
}

// conversationsPageOf is the page of a principal's conversations.
type conversationsPageOf struct {
	head
	Search   string
	Archived bool
	Query    string // of this page, which its forms lead back to
	List     []conversationLine
	None     string // why there are no lines
	Next     string
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
	q, err := listingOf(r.URL.Query())
	if err != nil {
		return err
	}
	q.Limit = listed
	var list []conversation.Summary
	next := ""
	if who != "" {
		if list, next, err = s.find(r, who, q, s.cfg.Service.Find); err != nil {
			return err
		}
	}
	said := s.saidTo(r)
	p := conversationsPageOf{head: head{site: said, Title: said.Word("conversations.title")}, Search: q.Words,
		Archived: q.Archived, Query: placeOf(r.URL.Query()).Encode()}
	for _, c := range list {
		title := cmp.Or(c.Title, said.Word("conversations.empty"))
		p.List = append(p.List, conversationLine{s.conversationAt(c.ID), title, said.date(c.Active), c.Ended})
	}
	if len(list) == 0 {
		p.None = said.none(q, next)
	}
	if next != "" {
		again := placeOf(r.URL.Query())
		again.Set("after", next)
		p.Next = s.conversationsAt(again)
	}
	return writePage(w, http.StatusOK, "conversations", p)
}

// none says why a page of the list is empty.
func (s *site) none(q conversation.Listing, next string) string {
	switch {
	case next != "":
		return s.Word("conversations.further")
	case q.Words != "":
		return s.Word("conversations.nothing")
	case q.Archived:
		return s.Word("conversations.none.archived")
	}
	return s.Word("conversations.none")
}

// placeOf keeps of a query what says which page of the list it is for.
func placeOf(query url.Values) url.Values {
	kept := url.Values{}
	for _, key := range []string{"q", "archived", "after"} {
		if v := query.Get(key); v != "" {
			kept.Set(key, v)
		}
	}
	return kept
}

func (s *host) conversationsAt(query url.Values) string {
	if len(query) == 0 {
		return s.at("/conversations")
	}
	return s.at("/conversations?" + query.Encode())
}

// Home is the address of the newest conversation.
func (p conversationsPageOf) Home() string { return p.at("/") }

// Here is the address of the list.
func (p conversationsPageOf) Here() string { return p.at("/conversations") }

// formLabel takes the title of a conversation, or that it is archived, from the page of
// the list, and leads back to it.
func (s *host) formLabel(w http.ResponseWriter, r *http.Request, who string) error {
	if err := parseForm(r); err != nil {
		return err
	}
	var title *string
	var archived *bool
	if r.PostForm.Has("title") {
		sent := r.PostForm.Get("title")
		title = &sent
	}
	if r.PostForm.Has("archived") {
		sent := r.PostForm.Get("archived") == "true"
		archived = &sent
	}
	if _, err := s.cfg.Service.Label(r.Context(), r.PathValue("id"), who, title, archived); err != nil {
		return err
	}
	s.backToList(w, r)
	return nil
}

// backToList leads to the page of the list that a posted form was on.
func (s *host) backToList(w http.ResponseWriter, r *http.Request) {
	query, _ := url.ParseQuery(r.PostForm.Get("back")) // of anything else: the first page
	http.Redirect(w, r, s.conversationsAt(placeOf(query)), http.StatusSeeOther)
}

// deletePageOf asks whether to delete a conversation.
type deletePageOf struct {
	head
	At, Back, Query string
	Name            string
	Saves           bool // the application saves records
}

// deletePage asks, and says what goes and what stays.
func (s *host) deletePage(w http.ResponseWriter, r *http.Request, who string) error {
	c, err := s.cfg.Service.Summary(r.Context(), r.PathValue("id"), who)
	if err != nil {
		return err
	}
	said := s.saidTo(r)
	name := cmp.Or(c.Title, said.Word("conversations.empty"))
	back := placeOf(r.URL.Query())
	return writePage(w, http.StatusOK, "delete", deletePageOf{
		head: head{site: said, Title: said.Word("conversations.ask", "label", name)}, Name: name,
		At: s.conversationAt(c.ID), Back: s.conversationsAt(back), Query: back.Encode(),
		Saves: len(s.cfg.Service.App().RecordLists().Specs()) > 0})
}

// formDelete deletes a conversation by the button of that page.
func (s *host) formDelete(w http.ResponseWriter, r *http.Request, who string) error {
	if err := parseForm(r); err != nil {
		return err
	}
	if err := s.deletes(r, who); err != nil {
		return err
	}
	s.backToList(w, r)
	return nil
}
