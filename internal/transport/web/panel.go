package web

import (
	"crypto/rand"
	"html"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/limn-ui/limn/internal/ingress"
	"github.com/limn-ui/limn/internal/route"
	"github.com/limn-ui/limn/ui"
)

// panel is the user's preferences as the host page shows them, whatever the
// drawing: what may open, what is preferred, and the rules. It works by POST
// and 303; a script takes over the forms and replaces #limn-preferences-now
// when a frame says that something changed.
type panel struct {
	page
	open bool
	now  time.Time
}

// tools are the tools of the tool menu in the words of the page.
var tools = []struct{ name, many, one string }{{ui.ToolTable, "tables", "a table"},
	{ui.ToolMap, "process maps", "a process map"}}

// preferencesPart answers the panel alone, as a page.
func (s *Server) preferencesPart(w http.ResponseWriter, r *http.Request) error {
	who, err := s.principal(r)
	if err != nil {
		return err
	}
	h, err := s.cfg.Service.Head(r.Context(), r.PathValue("id"), who)
	if err != nil {
		return err
	}
	p := page{server: s, state: h.State, id: h.State.ID, draw: clipDraw(r), key: rand.Text()}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write([]byte(
		`<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Preferences</title>` +
			s.assets.head("") + `</head><body><main id="limn">` + panel{p, true, time.Now()}.html() + `<p><a href="` +
			html.EscapeString(s.at("/c/"+p.id)) + `">Back to the conversation</a></p></main></body></html>` + "\n"))
	return nil // a client that is gone reads nothing
}

func clipDraw(r *http.Request) string {
	if d := r.URL.Query().Get("draw"); len(d) < 16 {
		return d
	}
	return ""
}

// formPreference takes a form of the panel. A script asks for JSON and gets the
// receipt; a browser is led back to the panel.
func (s *Server) formPreference(w http.ResponseWriter, r *http.Request) error {
	who, err := s.principal(r)
	if err != nil {
		return err
	}
	if err := parseForm(r); err != nil {
		return err
	}
	e, err := ingress.DecodePreferenceForm(r.PostForm)
	if err != nil {
		return err
	}
	if o := e.Preference.OptOut; o != nil && !o.Expires.After(time.Now()) {
		o.Expires = time.Time{} // it passed while the page was open
	}
	if e.Key, err = keyOf(r); err != nil {
		return err
	}
	if e.Key == "" {
		body, err := ui.Encode(e.Preference)
		if err != nil {
			return err
		}
		e.Key = formKey(r.PostForm.Get(fieldKey), string(body))
	}
	rec, err := s.submit(w, r, who, e, waitAction)
	if err != nil {
		return err
	}
	if rec.Outcome.Kind == ui.OutcomeRefused || strings.HasPrefix(r.Header.Get("Accept"), "application/json") {
		return s.answer(w, r, rec)
	}
	to := url.Values{"preferences": {"open"}}
	if d := r.PostForm.Get("draw"); d != "" && d != "html" && len(d) < 16 {
		to.Set("draw", d)
	}
	http.Redirect(w, r, s.at("/c/")+r.PathValue("id")+"?"+to.Encode()+"#limn-preferences", http.StatusSeeOther)
	return nil
}

func (p panel) html() string {
	open := ""
	if p.open {
		open = " open"
	}
	return `<details id="limn-preferences"` + open + `><summary>Preferences <span id="limn-preferences-note">` + html.EscapeString(p.note()) + `</span></summary>
<div id="limn-preferences-now">` + p.optOut() + p.preferred() + p.rules() + `</div>
` + p.newRule() + `
<p id="limn-preferences-status" role="status"></p></details>`
}

// note is the panel in a few words, for while it is closed.
func (p panel) note() string {
	r, o := p.state.Router, p.optedOut()
	var parts []string
	if o.All {
		parts = append(parts, "nothing opens by itself")
	}
	for _, t := range tools {
		if !o.All && slices.Contains(o.Tools, t.name) {
			parts = append(parts, "no "+t.many)
		}
	}
	on := 0
	for _, g := range r.Guardrails {
		if g.Enabled {
			on++
		}
	}
	switch {
	case on == 1:
		parts = append(parts, "1 rule")
	case on > 1:
		parts = append(parts, strconv.Itoa(on)+" rules")
	}
	return strings.Join(parts, ", ")
}

// optedOut is what holds now.
func (p panel) optedOut() ui.OptOut {
	o := p.state.Router.OptOut
	if !o.Expires.IsZero() && !o.Expires.After(p.now) {
		return ui.OptOut{Once: o.Once}
	}
	return o
}

func (p panel) form(id, inner string) string {
	if p.state.Ended {
		inner = `<fieldset class="limn-locked" disabled>` + inner + `</fieldset>`
	}
	return `<form id="` + id + `" method="post" action="` + html.EscapeString(p.server.at("/c/"+p.id)) +
		`/preferences">` + p.hidden() + inner + `</form>`
}

// button submits a form as one kind of change; about is the id of what says
// more about it.
func button(id, set, label, about string) string {
	return `<button id="` + id + `" name="` + ingress.FormSet + `" value="` + set + `" aria-describedby="` + about +
		`">` + label + `</button>`
}

type choice struct{ value, label string }

func pick(name, id, label, chosen string, options ...choice) string {
	var b strings.Builder
	b.WriteString(`<div class="limn-field"><label class="limn-label" for="` + id + `">` + label +
		`</label><select id="` + id + `" name="` + name + `">`)
	for _, o := range options {
		selected := ""
		if o.value == chosen {
			selected = " selected"
		}
		b.WriteString(`<option value="` + o.value + `"` + selected + `>` + html.EscapeString(o.label) + `</option>`)
	}
	b.WriteString(`</select></div>`)
	return b.String()
}

func (p panel) optOut() string {
	o := p.optedOut()
	never, expires := "Not any more", ""
	if !o.Expires.IsZero() {
		never += " (until " + o.Expires.UTC().Format("2 Jan 2006, 15:04") + " UTC)"
		expires = o.Expires.UTC().Format(time.RFC3339)
	}
	all := ""
	if o.All {
		all = ingress.OptOutNever
	}
	body := pick(ingress.FormAllTools, "limn-opt-all", "Everything", all, choice{"", "As chosen for each"},
		choice{ingress.OptOutOnce, "Not for my next message"}, choice{ingress.OptOutNever, never})
	for _, t := range tools {
		chosen := ""
		switch {
		case slices.Contains(o.Tools, t.name):
			chosen = ingress.OptOutNever
		case slices.Contains(o.Once, t.name):
			chosen = ingress.OptOutOnce
		}
		body += pick(t.name, "limn-opt-"+t.name, strings.ToUpper(t.many[:1])+t.many[1:], chosen, choice{"", "Shown"},
			choice{ingress.OptOutOnce, "Not for my next message"}, choice{ingress.OptOutNever, never})
	}
	return p.form("limn-opt-out", `<fieldset><legend id="limn-opt-title">What may open</legend><div class="limn-row">`+
		body+button("limn-opt-save", ingress.SetOptOut, "Save", "limn-opt-title")+
		`</div></fieldset><input type="hidden" name="`+ingress.FormExpires+`" value="`+expires+`">`)
}

func (p panel) preferred() string {
	options := []choice{{"", "No preference"}}
	for _, t := range tools {
		options = append(options, choice{t.name, strings.ToUpper(t.many[:1]) + t.many[1:]})
	}
	return p.form("limn-preferred", `<div class="limn-row">`+
		pick(ingress.FormTool, "limn-preferred-tool",
			`<span id="limn-preferred-title">When both would fit, I prefer</span>`, p.state.Router.Preferred,
			options...)+
		button("limn-preferred-save", ingress.SetPreferred, "Save", "limn-preferred-title")+`</div>`)
}

// rules lists the user's rules in words.
func (p panel) rules() string {
	var b strings.Builder
	b.WriteString(`<section aria-labelledby="limn-rules-title"><h2 id="limn-rules-title" tabindex="-1">Rules</h2>`)
	if len(p.state.Router.Guardrails) == 0 {
		return b.String() +
			`<p class="limn-small">There are none. A rule decides for every message it fits, before anything else does.</p></section>`
	}
	b.WriteString(`<ul id="limn-rules">`)
	for _, g := range p.state.Router.Guardrails {
		id := html.EscapeString("limn-rule-" + g.ID)
		set, label, off := ingress.SetDisable, "Switch off", ""
		if !g.Enabled {
			set, label, off = ingress.SetEnable, "Switch on", ` <em>(off)</em>`
		}
		b.WriteString(`<li><p id="` + id + `-text">` + ruleInWords(g) + off + `</p>` +
			p.form(id, `<input type="hidden" name="`+ingress.FormRule+`" value="`+html.EscapeString(g.ID)+`">`+
				button(id+"-switch", set, label, id+"-text")+
				button(id+"-delete", ingress.SetDelete, "Delete", id+"-text")) + `</li>`)
	}
	return b.String() + `</ul></section>`
}

// ruleInWords is a rule as HTML: never a table for messages with “…”.
func ruleInWords(g ui.Guardrail) string {
	verb := "Always open "
	if g.Action == route.SuppressTool {
		verb = "Never open "
	}
	tool := g.Tool
	for _, t := range tools {
		if t.name == g.Tool {
			tool = t.one
		}
	}
	when := ` when a message matches <code>` + html.EscapeString(g.Pattern) + `</code>`
	if words, ok := route.Words(g.Pattern); ok {
		when = ` when a message has “` + html.EscapeString(words) + `”`
	}
	return verb + html.EscapeString(tool) + when
}

func (p panel) newRule() string {
	var options []choice
	for _, t := range tools {
		options = append(options, choice{t.name, t.one})
	}
	return p.form("limn-rule-new", `<fieldset><legend id="limn-rule-title">Another rule</legend><div class="limn-row">`+
		pick(ingress.FormAction, "limn-rule-action", "What", "", choice{route.SuppressTool, "Never open"},
			choice{route.ForceTool, "Always open"})+
		pick(ingress.FormTool, "limn-rule-tool", "Which", "", options...)+
		`<div class="limn-field"><label class="limn-label" for="limn-rule-words">When a message has these words</label><input id="limn-rule-words" name="`+ingress.FormWords+`" required maxlength="256" autocomplete="off"></div>`+
		`<label class="limn-option"><input type="checkbox" name="`+ingress.FormRegexp+
		`" value="on"> They are a regular expression</label>`+
		button("limn-rule-add", ingress.SetRule, "Add rule", "limn-rule-title")+`</div></fieldset>`)
}
