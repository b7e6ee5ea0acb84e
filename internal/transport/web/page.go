package web

import (
	"context"
	"crypto/rand"
	"html"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	draw "github.com/limn-ui/limn/html"
	"github.com/limn-ui/limn/internal/deliver"
	"github.com/limn-ui/limn/internal/recovery"
	"github.com/limn-ui/limn/ui"
)

// policy is the Content-Security-Policy of a drawing's page.
func policy(drawing string) string {
	style := "'self'"
	if needsInlineStyle[drawing] {
		style += " 'unsafe-inline'"
	}
	return "default-src 'self'; script-src 'self'; style-src " + style +
		"; img-src 'self' data:; connect-src 'self'; " +
		"object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
}

// needsInlineStyle names the drawings whose official renderer writes style
// attributes; scripts are never inline.
var needsInlineStyle = map[string]bool{}

func contextEither(a, b context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(a)
	stop := context.AfterFunc(b, cancel)
	return ctx, func() { stop(); cancel() }
}

// home leads to the newest conversation of the browser, or a new one.
func (s *Server) home(w http.ResponseWriter, r *http.Request) error {
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
			http.Redirect(w, r, s.at("/c/")+ids[0], http.StatusSeeOther)
			return nil
		}
	}
	return s.newConversation(w, r)
}

func (s *Server) newConversation(w http.ResponseWriter, r *http.Request) error {
	if err := parseForm(r); err != nil {
		return err
	}
	made, err := s.create(w, r)
	if err != nil {
		return err
	}
	http.Redirect(w, r, s.at("/c/")+made.ID+drawQuery(r), http.StatusSeeOther)
	return nil
}

// drawQuery keeps the drawing a browser had chosen. The form must have been parsed.
func drawQuery(r *http.Request) string {
	if d := r.Form.Get("draw"); d != "" && d != "html" && len(d) < 16 {
		return "?" + url.Values{"draw": {d}}.Encode()
	}
	return ""
}

func (s *Server) conversationPage(w http.ResponseWriter, r *http.Request) error {
	who, err := s.principal(r)
	if err != nil {
		return s.nobody(err)
	}
	name := r.URL.Query().Get("draw")
	if name == "" {
		name = s.cfg.Targets[0].Name
		if _, ok := s.targets["html"]; ok {
			name = "html"
		}
	}
	t, err := s.targetNamed("draw", name)
	if err != nil {
		return err
	}
	if scripts[name] == "" {
		return &ui.Error{Code: recovery.CodeTarget, Path: "draw",
			Message: "no renderer for browsers draws A2UI " + name,
			Hint:    "its messages are at /v1/conversations/{id}/a2ui"}
	}
	if !s.draws(name) {
		return &ui.Error{Code: recovery.CodeTarget, Path: "draw",
			Message: "the renderer of A2UI " + name + " is not built into this program",
			Hint:    "the HTML drawing shows the same; `make build` with Node.js builds the renderers in"}
	}
	h, err := s.cfg.Service.Head(r.Context(), r.PathValue("id"), who)
	if err != nil {
		return err
	}
	p := page{server: s, state: h.State, id: h.State.ID, draw: name, key: rand.Text(),
		preferences: r.URL.Query().Get("preferences") == "open"}
	if t.HTML != nil {
		p.cursor = s.cfg.Deliver.Cursor(h, t)
		o := t.HTML(h.State.ID)
		p.surfaces = string(draw.AppendSnapshot(nil, h.State, o))
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Content-Security-Policy", policy(name))
	if _, err := w.Write([]byte(p.html())); err != nil {
		return nil
	}
	return nil
}

// nobody is what a page says to who is not known: without the cookie there is no
// such conversation; who has to sign in is told so.
func (s *Server) nobody(err error) error {
	if s.cfg.Authenticate != nil || ui.CodeOf(err) != recovery.CodeUnauthorized {
		return err
	}
	return &ui.Error{Code: recovery.CodeNotFound, Message: "no such conversation"}
}

// formCancel is cancel for a page without script.
func (s *Server) formCancel(w http.ResponseWriter, r *http.Request) error {
	who, err := s.principal(r)
	if err != nil {
		return err
	}
	if err := parseForm(r); err != nil {
		return err
	}
	if _, err := s.submit(w, r, who, &ui.Event{Kind: ui.EventCancel}, 0); err != nil {
		return err
	}
	http.Redirect(w, r, s.at("/c/")+url.PathEscape(r.PathValue("id"))+drawQuery(r), http.StatusSeeOther)
	return nil
}

// page is one host page.
type page struct {
	server   *Server
	state    *ui.State
	id       string
	draw     string
	key      string // random, for fieldKey
	cursor   string
	surfaces string // HTML, drawn by package html

	preferences bool // the panel is open
}

// scripts are the pages' renderers, by drawing. The renderer of v0.9 reads
// v0.9.1; nobody ships one of v1.0 for a browser.
var scripts = map[string]string{"html": pageScript, "v0.9": "v09.js", "v0.9.1": "v09.js", "v0.8": "v08.js"}

// The scripts of the HTML drawing, and of the page that takes a file.
const (
	pageScript   = "html.js"
	uploadScript = "upload.js"
)

// isBundle reports the script of an official renderer.
func isBundle(name string) bool { return name == "v09.js" || name == "v08.js" }

// draws reports a drawing that a page can show: its script is there.
func (s *Server) draws(name string) bool { return s.assets.has(scripts[name]) }

// script is what moves on the page; nothing does when the conversation has ended.
func (p page) script() string {
	if p.state.Ended {
		return ""
	}
	return scripts[p.draw]
}

var drawNames = map[string]string{"html": "HTML", "v0.9": "A2UI v0.9", "v0.9.1": "A2UI v0.9.1", "v0.8": "A2UI v0.8"}

func (p page) html() string {
	cfg, e := p.server.cfg, html.EscapeString
	app := cfg.Service.App().Config()
	api, here := p.server.at("/v1/conversations/"+p.id), p.server.at("/c/"+p.id)
	var b strings.Builder
	b.WriteString(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>` + e(app.Title) + ` – Limn</title>
<link rel="icon" href="data:,">` + p.server.assets.head(p.script()) + `
</head>
<body data-conversation="` + e(p.id) + `" data-draw="` + e(p.draw) + `" data-api="` + e(api) + `" data-page="` + e(here) + `" data-cursor="` + e(p.cursor) +
		`" data-stream="` + e(api+"/stream?format=limn&version="+p.draw) + `">
<header id="limn-header"><h1>` + e(app.Title) + `</h1>
`)
	b.WriteString(p.drawings() + `<form method="post" action="` + e(p.server.at("/c")) + `"><input type="hidden" name="draw" value="` + e(p.draw) + `"><button>New conversation</button></form>
</header>
<main id="limn">
` + panel{p, p.preferences, time.Now()}.html() + `
<section id="limn-chat" aria-label="Conversation">
<div id="limn-log" role="log" aria-label="Messages" tabindex="0"><ol id="limn-transcript">`)
	for _, entry := range deliver.Entries(p.state.Transcript) {
		class, said := "limn-"+e(string(entry.Role)), e(entry.Text)
		if entry.HTML != "" {
			class, said = class+" limn-markdown", entry.HTML
		}
		b.WriteString(`<li class="` + class + `" data-seq="` + strconv.FormatUint(entry.Seq, 10) + `">` + said +
			`</li>`)
	}
	b.WriteString(`</ol></div>` + p.failed())
	if suggestions := cfg.Service.App().Suggestions(); len(p.state.Transcript) == 0 && len(suggestions) > 0 && !p.state.Ended {
		b.WriteString(`<div id="limn-suggestions"><p>Try one of these:</p><ul>`)
		for _, s := range suggestions {
			b.WriteString(`<li><form method="post" action="` + e(here) + `/messages">` + p.hidden() +
				`<button name="text" value="` + e(s) + `">` + e(s) + `</button></form></li>`)
		}
		b.WriteString(`</ul></div>`)
	}
	b.WriteString(`
` + p.composer() + `
</section>
<section id="limn-surfaces" aria-label="Forms and tables">` + p.surfaces + `</section>
</main>
`)
	if p.draw != "html" && !p.state.Ended {
		b.WriteString(`<noscript><p>This drawing needs script. <a href="` + e(here) +
			`?draw=html">The HTML drawing</a> works without.</p></noscript>`)
	}
	b.WriteString("\n</body>\n</html>\n")
	return b.String()
}

// drawings links the same conversation in the other drawings, if there are any.
func (p page) drawings() string {
	e, links, n := html.EscapeString, "", 0
	for _, t := range p.server.cfg.Targets {
		if !p.server.draws(t.Name) {
			continue
		}
		current := ""
		if t.Name == p.draw {
			current = ` aria-current="page"`
		}
		links += `<a href="` + e(p.server.at("/c/"+p.id)) + `?draw=` + e(t.Name) + `"` + current + `>` +
			e(drawName(t.Name)) + `</a> `
		n++
	}
	if n < 2 {
		return ""
	}
	return `<nav aria-label="Drawings">` + links + `</nav>
`
}

// composer is what a message is written in, or in its place that there is no
// more to say. A script says it when the end comes while the page is open.
func (p page) composer() string {
	e := html.EscapeString
	words := e(p.say("chat.ended"))
	if p.state.Ended {
		return `<p id="limn-ended" class="limn-notice" role="status">` + words + `</p>`
	}
	return `<p id="limn-status" role="status"></p>
<p id="limn-ended" role="status" data-words="` + words + `"></p>
<form id="limn-cancel" hidden method="post" action="` + e(p.server.at("/c/"+p.id)) + `/cancel">` + p.hidden() + `<button>Stop the answer</button></form>
<form id="limn-message" method="post" action="` + e(p.server.at("/c/"+p.id)) + `/messages">
` + p.hidden() + `
<label for="limn-text">Message</label>
<textarea id="limn-text" name="text" rows="2" required></textarea>
<button>Send</button>
</form>`
}

// hidden writes what every form of a message carries.
func (p page) hidden() string {
	return `<input type="hidden" name="draw" value="` + html.EscapeString(p.draw) +
		`"><input type="hidden" autocomplete="off" name="` + fieldKey + `" value="` + p.key + `">`
}

func drawName(t string) string {
	if n, ok := drawNames[t]; ok {
		return n
	}
	return t
}
