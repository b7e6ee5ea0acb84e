package web

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/excerpt"
	"github.com/limn-ui/limn/internal/ingress"
	"github.com/limn-ui/limn/internal/recovery"
	"github.com/limn-ui/limn/ui"
)

// shareAPI lets owners share conversations by links, and others open them.
type shareAPI struct{ *host }

// madeLink is a new link with the address that opens it.
type madeLink struct {
	conversation.Link
	URL string `json:"url"`
}

// share makes a link.
func (s *shareAPI) share(w http.ResponseWriter, r *http.Request, who string) error {
	var in struct {
		Access  conversation.Access `json:"access"`
		Expires string              `json:"expires"`
	}
	if err := readJSON(r, &in); err != nil {
		return err
	}
	made, err := s.makeLink(r, who, in.Access, in.Expires)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusCreated, made)
}

// readJSON reads a body with the members of in and no others.
func readJSON(r *http.Request, in any) error {
	if err := wantJSON(r); err != nil {
		return err
	}
	return readMembers(r, in, "send one JSON object as docs/http.md describes")
}

// readMembers is readJSON of whatever media type. The hint is for a body of another shape.
func readMembers(r *http.Request, in any, hint string) error {
	body, err := readBody(r)
	if err != nil {
		return err
	}
	d := json.NewDecoder(bytes.NewReader(body))
	d.DisallowUnknownFields()
	if err = d.Decode(in); err == nil && !d.More() {
		return nil
	}
	e := &ui.Error{Code: ingress.CodeEnvelope, Message: "the body is not what this address takes", Err: err, Hint: hint}
	if err != nil {
		if member, ok := strings.CutPrefix(err.Error(), "json: unknown field "); ok {
			e.Path, e.Message = "/"+excerpt.Head(strings.Trim(member, `"`), 64), "a member that is not known"
		}
	}
	return e
}

func (s *shareAPI) makeLink(r *http.Request, who string, access conversation.Access, expires string) (madeLink, error) {
	if err := s.charge(who, startWeight); err != nil {
		return madeLink{}, err
	}
	if access == conversation.Own && s.cfg.Authenticate != nil {
		return madeLink{}, &ui.Error{Code: recovery.CodeForbidden,
			Message: "where people sign in, another device of theirs signs in", Hint: "sign in there"}
	}
	until, err := momentOf(expires, time.Now())
	if err != nil {
		return madeLink{}, err
	}
	id := r.PathValue("id")
	link, token, err := s.cfg.Service.Share(r.Context(), id, who, access, until)
	if err != nil {
		return madeLink{}, err
	}
	return madeLink{link, s.origin(r) + s.joinAt(id, token)}, nil
}

func (s *shareAPI) joinAt(id, token string) string { return s.conversationAt(id) + "/join/" + token }

// momentOf reads a duration from now, or a time; "" is the zero time.
func momentOf(text string, now time.Time) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	if d, err := time.ParseDuration(text); err == nil {
		return now.Add(d), nil
	}
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return t, &ui.Error{Code: ingress.CodeEnvelope, Path: "/expires", Message: "this is no time and no duration",
			Hint: `want "24h", or a time such as "2030-01-31T12:00:00Z"`}
	}
	return t, nil
}

// links lists the links into a conversation.
func (s *shareAPI) links(w http.ResponseWriter, r *http.Request, who string) error {
	list, err := s.cfg.Service.Links(r.Context(), r.PathValue("id"), who)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, map[string][]conversation.Link{"shares": list})
}

// revoke ends a link.
func (s *shareAPI) revoke(w http.ResponseWriter, r *http.Request, who string) error {
	if err := s.cfg.Service.Revoke(r.Context(), r.PathValue("id"), who, r.PathValue("share")); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// joined is the answer to a program that opened a link. The token is missing where the
// program had one.
type joined struct {
	Access conversation.Access `json:"access"`
	Token  string              `json:"token,omitempty"`
}

// join opens a link for a program.
func (s *shareAPI) join(w http.ResponseWriter, r *http.Request) error {
	var in struct {
		Token string `json:"token"`
	}
	if err := readJSON(r, &in); err != nil {
		return err
	}
	got, err := s.joins(w, r, in.Token)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, got)
}

// joins lets the sender of a request in; a new one gets a token.
func (s *shareAPI) joins(w http.ResponseWriter, r *http.Request, token string) (got joined, err error) {
	who, own, isNew, err := s.newPrincipal(r)
	if err != nil {
		return got, err
	}
	if err := errors.Join(s.chargeAddress(r, startWeight), s.charge(who, startWeight)); err != nil {
		return got, err
	}
	if isNew {
		if _, err := s.cfg.Service.Invitation(r.Context(), r.PathValue("id"), token); err != nil {
			return got, err
		}
		if err := s.chargeNewcomer(r); err != nil {
			return got, err
		}
	}
	if got.Access, err = s.cfg.Service.Join(r.Context(), r.PathValue("id"), token, who); err != nil {
		return got, err
	}
	if isNew {
		got.Token = own
		s.setCookie(w, r, own)
	}
	return got, nil
}

// sharePageOf is the page on which an owner shares a conversation. A script shows its main
// element in a dialog.
type sharePageOf struct {
	head
	Here    string // of the conversation
	Made    *madeLink
	Links   []shareLine
	Choices []shareChoice
	Devices bool // the owner is known by a cookie, which another device has not
}

type shareLine struct {
	ID, What, Until string
}

type shareChoice struct {
	Value, Label string
	Chosen       bool
}

// shareTimes are how long a link of the page may count.
var shareTimes = []struct{ value, word string }{{"1h", "share.hour"}, {"24h", "share.day"}, {"168h", "share.week"},
	{"720h", "share.month"}}

// page shows the links into a conversation.
func (s *shareAPI) page(w http.ResponseWriter, r *http.Request, who string) error {
	return s.show(w, r, who, nil)
}

func (s *shareAPI) show(w http.ResponseWriter, r *http.Request, who string, made *madeLink) error {
	links, err := s.cfg.Service.Links(r.Context(), r.PathValue("id"), who)
	if err != nil {
		return err
	}
	h, err := s.cfg.Service.Head(r.Context(), r.PathValue("id"), who)
	if err != nil {
		return err
	}
	said := s.saidIn(h.State, r) // as the page whose dialog it is
	p := sharePageOf{head: head{site: said, Title: said.Word("share.title")}, Here: s.conversationAt(r.PathValue("id")),
		Made: made, Devices: s.cfg.Authenticate == nil}
	for _, l := range links {
		p.Links = append(p.Links, shareLine{l.ID, said.Word("share.is." + string(l.Access)),
			said.Word("share.until", "label", said.date(l.Expires), "n", strconv.Itoa(l.Opened))})
	}
	for _, t := range shareTimes {
		p.Choices = append(p.Choices, shareChoice{t.value, said.Word(t.word), t.value == "168h"})
	}
	return writePage(w, http.StatusOK, "share", p)
}

// formShare makes a link, and shows its address this once.
func (s *shareAPI) formShare(w http.ResponseWriter, r *http.Request, who string) error {
	if err := parseForm(r); err != nil {
		return err
	}
	made, err := s.makeLink(r, who, conversation.Access(r.PostForm.Get("access")), r.PostForm.Get("expires"))
	if err != nil {
		return err
	}
	return s.show(w, r, who, &made)
}

// formRevoke ends a link by its button.
func (s *shareAPI) formRevoke(w http.ResponseWriter, r *http.Request, who string) error {
	if err := parseForm(r); err != nil {
		return err
	}
	if err := s.cfg.Service.Revoke(r.Context(), r.PathValue("id"), who, r.PostForm.Get("share")); err != nil {
		return err
	}
	http.Redirect(w, r, s.conversationAt(r.PathValue("id"))+"/share", http.StatusSeeOther)
	return nil
}

// joinPageOf asks the person who opened a link whether to go on: a program that reads the
// link for a preview joins nothing.
type joinPageOf struct {
	head
	App, What, At string
}

// joinPage shows the purpose of a link.
func (s *shareAPI) joinPage(w http.ResponseWriter, r *http.Request) error {
	w.Header().Set("X-Robots-Tag", "noindex")
	id, token := r.PathValue("id"), r.PathValue("token")
	who, err := s.visitor(r)
	if err != nil {
		return err
	}
	link, err := s.cfg.Service.Invitation(r.Context(), id, token)
	if err != nil {
		return err
	}
	if who != "" {
		if has, err := s.cfg.Service.Head(r.Context(), id, who); err == nil && has.Outlasts(link) {
			return s.redirect(w, r, id, "")
		}
	}
	said := s.saidTo(r)
	return writePage(w, http.StatusOK, "join", joinPageOf{
		head: head{site: said, Title: said.Word("join.title")}, App: s.cfg.Service.App().Config().Title,
		What: said.Word("join.is." + string(link.Access)), At: s.joinAt(id, token)})
}

// formJoin opens a link by the button of that page.
func (s *shareAPI) formJoin(w http.ResponseWriter, r *http.Request) error {
	if err := parseForm(r); err != nil {
		return err
	}
	if _, err := s.joins(w, r, r.PathValue("token")); err != nil {
		return err
	}
	return s.redirect(w, r, r.PathValue("id"), "")
}
