package web

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"html/template"
	"maps"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/ingress"
	"github.com/limn-ui/limn/internal/inspect"
	"github.com/limn-ui/limn/internal/recovery"
	"github.com/limn-ui/limn/internal/transport/limit"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/ui"
)

// Inspector says who may inspect conversations, of any owner. The zero value allows no one.
type Inspector struct {
	Local   bool            // requests from this machine need no token; for development
	Token   string          // the bearer token that opens it; "": none does
	Stories []inspect.Story // more sources for the playground
}

func (i Inspector) open() bool { return i.Local || i.Token != "" }

// Logs reads the logs of conversations.
type Logs interface {
	conversation.Stored
	All(ctx context.Context, archived bool, after string, limit int) ([]store.Conversation, error)
}

// inspectAPI shows what happened in conversations to principals that may inspect them.
type inspectAPI struct {
	*host
	compiling chan struct{} // one for each source that is being compiled
}

// compilers is how many sources are compiled at a time; further ones wait.
const compilers = 2

// opened answers those whom the inspector is open to.
func (s *inspectAPI) opened(h handlerFunc) handlerFunc {
	return func(w http.ResponseWriter, r *http.Request) error {
		if err := s.admitted(r); err != nil {
			return err
		}
		return h(w, r)
	}
}

var errInspectorOff error = &ui.Error{Code: recovery.CodeForbidden, Message: "the inspector is off",
	Hint: "start the server with --inspect or --inspect-token-file (limn.Config.Inspector)"}

func (s *inspectAPI) admitted(r *http.Request) error {
	if err := oneSender(r); err != nil {
		return err
	}
	i := s.cfg.Inspector
	switch {
	case !i.open():
		return errInspectorOff
	case foreign(r): // also one that --origins names: it is let in to conversations of its users
		return &ui.Error{Code: recovery.CodeCrossOrigin, Message: "the request comes from a page of another site"}
	case i.Token != "" && bearer(r, i.Token), i.Local && nearby(r):
		return nil
	case i.Token == "":
		return &ui.Error{Code: recovery.CodeForbidden, Message: "without a token only this machine may inspect"}
	}
	return &ui.Error{Code: recovery.CodeUnauthorized, Path: "Authorization",
		Message: "want the token of the inspector as a bearer",
		Hint:    "it is in the file that the server was started with as --inspect-token-file"}
}

// foreign reports a request that a page of another site made.
func foreign(r *http.Request) bool {
	site := r.Header.Get("Sec-Fetch-Site")
	return site != "" && site != "same-origin" && site != "none"
}

// nearby reports a request from this machine that passed no proxy, for a name of this
// machine: a page of another site whose name is made to lead here has that name.
func nearby(r *http.Request) bool {
	at, _ := netip.ParseAddrPort(r.RemoteAddr)
	name := (&url.URL{Host: r.Host}).Hostname()
	host, _ := netip.ParseAddr(name)
	return at.Addr().Unmap().IsLoopback() && !limit.Forwarded(r) &&
		(host.Unmap().IsLoopback() || strings.EqualFold(name, "localhost"))
}

// maxInspected is how many conversations one answer lists.
const maxInspected = 50

func (s *inspectAPI) conversations(w http.ResponseWriter, r *http.Request) error {
	query, err := queryOf(r)
	if err != nil {
		return err
	}
	list, err := s.cfg.Logs.All(r.Context(), false, cmp.Or(query.Get("before"), inspect.Top), maxInspected)
	if err != nil {
		return conversation.StoreError("list conversations", err)
	}
	out := struct {
		Conversations []inspect.Listed `json:"conversations"`
		Next          string           `json:"next,omitempty"`
	}{Conversations: []inspect.Listed{}}
	for _, c := range list {
		out.Conversations = append(out.Conversations, inspect.ListedOf(c))
	}
	if len(list) == maxInspected {
		out.Next = list[len(list)-1].ID
	}
	return writeJSON(w, http.StatusOK, out)
}

// dump reads the log of the conversation of a request.
func (s *inspectAPI) dump(r *http.Request, span conversation.Span) (store.Dump, error) {
	d, err := conversation.Dump(r.Context(), s.cfg.Logs, r.PathValue("id"), span)
	if err != nil {
		return d, conversation.StoreError("read the log", err)
	}
	s.cfg.Log.InfoContext(r.Context(), "a conversation is inspected", where(r))
	return d, nil
}

// number reads a number of a turn.
func number(name, text string) (uint64, error) {
	n, err := strconv.ParseUint(text, 10, 63)
	if err != nil {
		return 0, &ui.Error{Code: ingress.CodeEnvelope, Path: name, Message: "not the number of a turn"}
	}
	return n, nil
}

func (s *inspectAPI) timeline(w http.ResponseWriter, r *http.Request) error {
	query, err := queryOf(r)
	if err != nil {
		return err
	}
	asked := map[string]uint64{}
	for _, name := range []string{"before", "since"} {
		if text := query.Get(name); text != "" {
			if asked[name], err = number(name, text); err != nil {
				return err
			}
		}
	}
	head, err := s.cfg.Logs.Open(r.Context(), r.PathValue("id"))
	if err != nil {
		return conversation.StoreError("read the log", err)
	}
	if asked["since"] > 0 && asked["since"] == head.Seq && len(head.Pending) == 0 {
		w.WriteHeader(http.StatusNoContent) // nothing is new
		return nil
	}
	to := head.Seq
	if before := asked["before"]; before > 0 {
		to = min(to, before-1)
	}
	var span conversation.Span
	if span.To = to; to > inspect.MaxRows {
		span.From = to - inspect.MaxRows + 1
	}
	rows := []inspect.Row{}
	if to > head.Floor || head.Seq == 0 {
		d, err := s.dump(r, span)
		if err != nil {
			return err
		}
		if rows, err = inspect.Timeline(d, span.From); err != nil {
			return &ui.Error{Code: conversation.CodeStore, Message: "the log cannot be read", Err: err}
		}
	}
	return writeJSON(w, http.StatusOK, struct {
		Conversation string        `json:"conversation"`
		Title        string        `json:"title"`
		Seq          uint64        `json:"seq"`
		Floor        uint64        `json:"floor"`
		Turns        []inspect.Row `json:"turns"`
	}{head.ID, cmp.Or(head.Title, head.First), head.Seq, head.Floor, rows})
}

func (s *inspectAPI) turn(w http.ResponseWriter, r *http.Request) error {
	n, err := number("n", r.PathValue("n"))
	if err != nil {
		return err
	}
	d, err := s.dump(r, conversation.Span{From: n, To: n})
	if err != nil {
		return err
	}
	t, err := s.cfg.Inspect.Turn(d, n)
	if errors.Is(err, inspect.ErrNoTurn) {
		return &ui.Error{Code: recovery.CodeNotFound, Path: "n", Message: err.Error()}
	}
	if err != nil {
		return &ui.Error{Code: conversation.CodeStore, Message: "the log cannot be read", Err: err}
	}
	return writeJSON(w, http.StatusOK, t)
}

// report is the file for a bug report, redacted unless asked otherwise.
func (s *inspectAPI) report(w http.ResponseWriter, r *http.Request) error {
	query, err := queryOf(r)
	if err != nil {
		return err
	}
	redact, err := oneOf(r, "redact", "true", "false")
	if err != nil {
		return err
	}
	d, err := s.dump(r, conversation.Span{})
	if err != nil {
		return err
	}
	var by *inspect.Redactor
	if redact == "true" {
		by = &inspect.Redactor{Key: []byte(rand.Text()), Keep: query["keep"]}
	}
	file, err := s.cfg.Inspect.NewFile(d, by)
	if err != nil {
		return &ui.Error{Code: conversation.CodeStore, Message: "the log cannot be read", Err: err}
	}
	file.Program, file.Made = "limn", time.Now().UTC()
	b, err := file.Encode()
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Disposition", `attachment; filename="limn-report.json"`)
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write(b) // the client is gone
	return nil
}

func (s *inspectAPI) stories(w http.ResponseWriter, _ *http.Request) error {
	list := append(s.cfg.Inspect.Stories(), s.cfg.Inspector.Stories...)
	return writeJSON(w, http.StatusOK, map[string]any{"stories": list})
}

func (s *inspectAPI) compile(w http.ResponseWriter, r *http.Request) error {
	var src inspect.Source
	if err := readJSON(r, &src); err != nil {
		return err
	}
	select {
	case s.compiling <- struct{}{}:
		defer func() { <-s.compiling }()
	case <-r.Context().Done():
		return context.Cause(r.Context())
	}
	out, err := s.cfg.Inspect.Compile(src)
	if err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, out)
}

// inspectPage is the page of the inspector or of the playground. There is nothing of a
// conversation in it: its script asks for that, with the token.
type inspectPage struct {
	head
	API, Home, Playground string
}

// Head adds the inspector's style sheet to the head of the page.
func (p inspectPage) Head() template.HTML { return p.head.Head() + p.assets.sheet(inspectSheet) }

// Sheets are the addresses of the style sheets of a drawing in HTML.
func (p inspectPage) Sheets() string {
	return strings.Join(append(p.assets.sheets(), p.assets.at(inspectSheet)), " ")
}

func (s *inspectAPI) page(name, title, script string) handlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) error {
		if !s.cfg.Inspector.open() {
			return errInspectorOff
		}
		return writePage(w, http.StatusOK, name, inspectPage{head: head{site: s.site, Title: title, script: script},
			API: s.at("/v1/inspect"), Home: s.at("/inspect"), Playground: s.at("/inspect/playground")})
	}
}

// Drawings are the names of the drawings whose renderers are in the program.
func (p inspectPage) Drawings() string {
	return strings.Join(slices.DeleteFunc(slices.Sorted(maps.Keys(drawings)),
		func(name string) bool { return !p.assets.has(drawings[name]) }), " ")
}

// drawing is a page of an official renderer that shows the messages of the playground.
func (s *inspectAPI) drawing(w http.ResponseWriter, r *http.Request) error {
	script := drawings[r.PathValue("name")]
	if script == "" || !s.assets.has(script) {
		return &ui.Error{Code: recovery.CodeNotFound, Message: "no such drawing"}
	}
	return s.page("draw", "Drawing", script)(w, r)
}

// inspectAt is the address at which a conversation is inspected; "" unless the inspector is
// open to who sent the request, without a token.
func (s *host) inspectAt(r *http.Request, id string) string {
	if !s.cfg.Inspector.Local || !nearby(r) {
		return ""
	}
	return s.at("/inspect?" + url.Values{"conversation": {id}}.Encode())
}
