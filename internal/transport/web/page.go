package web

import (
	"cmp"
	"context"
	"crypto/rand"
	"html/template"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/app"
	render "github.com/limn-ui/limn/html"
	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/deliver"
	"github.com/limn-ui/limn/internal/recovery"
	"github.com/limn-ui/limn/ui"
)

// policy is the Content-Security-Policy of all pages; the origins follow that may hold them in
// a frame.
const policy = "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'self'"

func contextEither(a, b context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(a)
	stop := context.AfterFunc(b, cancel)
	return ctx, func() { stop(); cancel() }
}

// home leads to the newest conversation of the browser, or a new one.
func (s *host) home(w http.ResponseWriter, r *http.Request) error {
	if r.Method == http.MethodHead { // asking for headers starts no conversation
		return nil
	}
	if r.Header.Get("Sec-Fetch-Site") == "cross-site" && r.Header.Get("Sec-Fetch-Mode") != "navigate" {
		return &ui.Error{Code: recovery.CodeCrossOrigin,
			Message: "a page of another site may lead here, and not load this"}
	}
	who, err := s.principal(r)
	if err != nil && s.cfg.Authenticate != nil {
		return err
	}
	if err == nil {
		ids, err := s.cfg.Service.Owned(r.Context(), who, 1)
		if err != nil {
			return err
		}
		if len(ids) > 0 {
			return s.redirect(w, r, ids[0], embedQuery(r.URL.Query()))
		}
	}
	return s.newConversation(w, r)
}

func (s *host) newConversation(w http.ResponseWriter, r *http.Request) error {
	if err := parseForm(r); err != nil {
		return err
	}
	made, err := s.create(w, r)
	if err != nil {
		return err
	}
	return s.redirect(w, r, made.ID, cmp.Or(targetQuery(r), embedQuery(r.Form)))
}

// embedQuery keeps the part that a page inside another shows: the chat, or a surface.
func embedQuery(q url.Values) string {
	if shows := embeds(q); shows != "" {
		return "?embed=" + shows
	}
	return ""
}

func embeds(q url.Values) string {
	if shows := q.Get("embed"); shows == "chat" || shows == "surface" {
		return shows
	}
	return ""
}

// redirect leads a browser to the page of a conversation; there is a query or a
// fragment in where.
func (s *host) redirect(w http.ResponseWriter, r *http.Request, id, where string) error {
	http.Redirect(w, r, s.conversationAt(id)+where, http.StatusSeeOther)
	return nil
}

// targetQuery keeps the drawing a browser had chosen. The form must have been parsed.
func targetQuery(r *http.Request) string {
	if d := r.Form.Get("draw"); d != "" && d != "html" && len(d) < 16 {
		return "?" + url.Values{"draw": {d}}.Encode()
	}
	return ""
}

func (s *host) conversationPage(w http.ResponseWriter, r *http.Request) error {
	who, err := s.principal(r)
	if err != nil {
		return s.unknownSender(err)
	}
	name := r.URL.Query().Get("draw")
	h, err := s.cfg.Service.Head(r.Context(), r.PathValue("id"), who)
	if err != nil {
		return err
	}
	locked := !h.Access.Covers(conversation.Write)
	if _, ok := s.targets["html"]; ok && locked { // the controls of another drawing cannot be locked
		name = "html"
	}
	if name == "" {
		name = s.cfg.Targets[0].Name
		if _, ok := s.targets["html"]; ok {
			name = "html"
		}
	}
	t, err := s.targetNamed("draw", versionOf(name))
	if err != nil {
		return err
	}
	if scripts[name] == "" {
		return &ui.Error{Code: recovery.CodeTarget, Path: "draw",
			Message: "no renderer for browsers draws A2UI " + name,
			Hint:    "its messages are at /v1/conversations/{id}/a2ui"}
	}
	if !s.renders(name) {
		return &ui.Error{Code: recovery.CodeTarget, Path: "draw",
			Message: "the renderer of A2UI " + name + " is not built into this program",
			Hint:    "the HTML drawing shows the same; `make build` with Node.js builds the renderers in"}
	}
	said := s.saidIn(h.State, r)
	p := conversationPage{head: head{site: said,
		Title: said.Word("page.title", "label", s.cfg.Service.App().Config().Title)},
		server: s, state: h.State, Target: name, Key: rand.Text(), Embed: embeds(r.URL.Query()),
		open: r.URL.Query().Get("preferences") == "open", edit: r.URL.Query().Has("edit"), grant: h.Grant, who: who,
		Inspect: s.inspectAt(r, h.State.ID)}
	if !h.State.Ended { // nothing moves on the page of a conversation that has ended
		p.script = scripts[name]
	}
	if !locked && !h.State.Ended {
		if shares, err := s.extended(t, app.DataSync); err == nil && s.assets.has(shareScript) {
			t, p.Drafts = shares, s.assets.at(shareScript)
		}
	}
	if !locked && t.HTML != nil && s.assets.has(mapScript) {
		p.Process = s.assets.at(mapScript)
	}
	if t.HTML != nil {
		p.Cursor = s.cfg.Deliver.Cursor(h, t)
		p.Surfaces, p.cards = drawn(h.State, t.HTML(h.State))
	}
	return writePage(w, http.StatusOK, "conversation", p)
}

// unknownSender is the error of a page whose sender is not known: without the cookie there
// is no such conversation; where people sign in, they are asked to.
func (s *host) unknownSender(err error) error {
	if s.cfg.Authenticate != nil || ui.CodeOf(err) != recovery.CodeUnauthorized {
		return err
	}
	return &ui.Error{Code: recovery.CodeNotFound, Message: "no such conversation"}
}

// formCancel is cancel for a page without script.
func (s *host) formCancel(w http.ResponseWriter, r *http.Request, who string) error {
	if err := parseForm(r); err != nil {
		return err
	}
	rec, err := s.submit(w, r, who, &ui.Event{Kind: ui.EventCancel}, 0)
	return s.back(w, r, rec, err, targetQuery(r))
}

// conversationPage is the page of a conversation: the transcript and the surfaces.
type conversationPage struct {
	head
	server   *host
	state    *ui.State
	open     bool // the panel of preferences
	Target   string
	Embed    string // what another page shows of this one: "chat", "surface", or "" for all
	Key      string // random, for fieldKey
	Cursor   string
	Surfaces template.HTML // of package html; those that take input
	cards    []entry       // the others
	edit     bool          // the user's last message is in the box
	grant    conversation.Grant
	who      string
	Drafts   string // the address of the script by which they are shared; ""
	Inspect  string // the address of the inspector for it; ""
	Process  string // the address of the script that edits processes; ""
}

// scripts are the pages' renderers, by drawing. The renderer of v0.9 reads v0.9.1; v1.0
// has no renderer for browsers.
var scripts = map[string]string{"html": pageScript, "v0.9": "v09.js", "v0.9.1": "v09.js", "v0.8": "v08.js",
	reactDrawing: "v09react.js"}

// reactDrawing is the drawing of the official React renderer, from the messages of v0.9.
const reactDrawing = "react"

// versionOf is the target whose messages a drawing shows.
func versionOf(drawing string) string {
	if drawing == reactDrawing {
		return a2ui.V09.String()
	}
	return drawing
}

// The scripts of the HTML drawing, of the page that takes a file, and of the inspector.
const (
	pageScript   = "html.js"
	shareScript  = "datasync.js"
	mapScript    = "process.js"
	uploadScript = "upload.js"
	embedScript  = "embed.js" // of a page that shows this one as a part

	operatorScript = "operator.js"

	inspectScript    = "inspect.js"
	playgroundScript = "inspectplay.js"
)

// drawings are the scripts of the playground's drawings, by name.
var drawings = map[string]string{"v0.8": "draw08.js", "v0.9": "draw09.js", "react": "drawreact.js"}

// isBundle reports the script of an official renderer.
func isBundle(name string) bool {
	return name == "v09.js" || name == "v09react.js" || name == "v08.js" || name == shareScript || name == mapScript ||
		slices.Contains(slices.Collect(maps.Values(drawings)), name)
}

// renders reports a drawing that a page can show: its script is there.
func (s *answers) renders(name string) bool { return s.assets.has(scripts[name]) }

var targetNames = map[string]string{"html": "HTML", "v0.9": "A2UI v0.9", "v0.9.1": "A2UI v0.9.1", "v0.8": "A2UI v0.8",
	reactDrawing: "React"}

// The members of the page, as its template names them.

func (p conversationPage) ID() string { return p.state.ID }

// Logo is the image beside the title; app has checked the address.
func (p conversationPage) Logo() template.URL {
	return template.URL(p.server.cfg.Service.App().Config().Theme.Logo)
}

func (p conversationPage) App() string  { return p.server.cfg.Service.App().Config().Title }
func (p conversationPage) API() string  { return p.at("/v1/conversations/" + p.state.ID) }
func (p conversationPage) Here() string { return p.conversationAt(p.state.ID) }
func (p conversationPage) New() string  { return p.at("/c") }
func (p conversationPage) Stream() string {
	at := p.API() + "/stream?format=limn&version=" + versionOf(p.Target)
	if p.Drafts != "" {
		at += "&extension=" + url.QueryEscape(app.DataSync)
	}
	return at
}
func (p conversationPage) Ended() bool       { return p.state.Ended }
func (p conversationPage) Locked() bool      { return !p.grant.Access.Covers(conversation.Write) }
func (p conversationPage) NeedsScript() bool { return p.Target != "html" && !p.state.Ended }
func (p conversationPage) Panel() panel      { return panel{p, p.open, time.Now()} }

// Entries are the messages with the cards among them. The user's last message can be
// changed or sent again.
func (p conversationPage) Entries() []entry {
	list := entriesOf(p.state.Transcript)
	for i := len(list) - 1; i >= 0 && !p.state.Ended && !p.Locked(); i-- {
		if list[i].Role == ui.RoleUser {
			list[i].Last = true
			break
		}
	}
	return slices.SortedStableFunc(slices.Values(append(p.cards, list...)), func(a, b entry) int {
		return cmp.Compare(a.Seq, b.Seq)
	})
}

// Edited is the user's last message, to be changed and sent again, if the address asks for it.
func (p conversationPage) Edited() string {
	for _, e := range slices.Backward(p.state.Transcript) {
		if p.edit && e.Role == ui.RoleUser {
			return e.Text
		}
	}
	return ""
}

// again are the buttons of the user's last message.
type again struct {
	conversationPage
	Text string
}

// Again returns the buttons of a message.
func (p conversationPage) Again(text string) again { return again{p, text} }

// Edit is the address of the page with the message in the box.
func (a again) Edit() string {
	return a.Here() + "?" + url.Values{"draw": {a.Target}, "edit": {""}}.Encode() + "#limn-text"
}

// drawn draws the surfaces that take input, and the others as cards.
func drawn(st *ui.State, o render.Options) (open template.HTML, cards []entry) {
	for _, sf := range st.Surfaces {
		out := template.HTML(render.AppendSurface(nil, st, sf, o))
		if sf.Status == ui.StatusOpen {
			open += out
		} else {
			cards = append(cards, entry{Seq: sf.Done.Seq, Card: out})
		}
	}
	return open, cards
}

// List is the address of the conversations of a browser.
func (p conversationPage) List() string { return p.at("/conversations") }

// Share is the address at which the owner shares the conversation; "" for others.
func (p conversationPage) Share() string {
	if p.grant.Access != conversation.Own {
		return ""
	}
	return p.Here() + "/share"
}

// Records is the address of the saved records; "" if none are kept.
func (p conversationPage) Records() string {
	if len(p.server.cfg.Service.App().RecordLists().Specs()) == 0 {
		return ""
	}
	return p.at("/records")
}

// Welcome says who answers and what to type, until something is said.
func (p conversationPage) Welcome() *welcome {
	a := p.server.cfg.Service.App()
	w := &welcome{Agents: a.Config().Agents, Suggestions: a.Suggestions()}
	if len(p.state.Transcript) > 0 || p.state.Ended || p.Locked() || len(w.Agents)+len(w.Suggestions) == 0 {
		return nil
	}
	return w
}

type welcome struct {
	Agents      []app.Agent
	Suggestions []string
}

// entry is one entry of the transcript, or a card. HTML is its Markdown, rendered and safe.
type entry struct {
	Role ui.Role
	By   string // the name of an operator
	Seq  uint64
	Text string
	HTML template.HTML
	Card template.HTML
	Last bool // the user's last message
}

func entriesOf(transcript []*ui.Entry) (list []entry) {
	for _, e := range deliver.Entries(transcript) {
		list = append(list, entry{Role: e.Role, By: e.By, Seq: e.Seq, Text: e.Text, HTML: template.HTML(e.HTML)})
	}
	return list
}

// targetLink leads to the same conversation in another drawing.
type targetLink struct {
	Address, Name string
	Current       bool
}

// Targets links the drawings that a page can show, if there are several.
func (p conversationPage) Targets() (links []targetLink) {
	var names []string
	for _, t := range p.server.cfg.Targets {
		if names = append(names, t.Name); t.Name == versionOf(reactDrawing) {
			names = append(names, reactDrawing)
		}
	}
	for _, name := range names {
		if p.server.renders(name) {
			query := url.Values{"draw": {name}}
			links = append(links, targetLink{p.Here() + "?" + query.Encode(), cmp.Or(targetNames[name], name),
				name == p.Target})
		}
	}
	if len(links) < 2 || p.Locked() {
		return nil
	}
	return links
}

// Failed lists the surfaces that could not be shown, each with its button. A script keeps the list up to date.
func (p conversationPage) Failed() (list []regenerateButton) {
	for _, sf := range p.state.Failed {
		label := p.Word("button.regenerate") + ": " + cmp.Or(sf.Title, string(sf.Name))
		list = append(list, regenerateButton{p.Here(), p.Target, label, sf.Name})
	}
	return list
}
