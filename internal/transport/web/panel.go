package web

import (
	"crypto/rand"
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

// panel is the user's preferences as the host page shows them, whatever the drawing:
// the surfaces that may open, the preferred tool, and the rules. It works by POST and
// 303; a script takes over the forms and replaces #limn-preferences-now when a frame
// says that something changed.
type panel struct {
	conversationPage
	Open bool
	now  time.Time
}

// toolNames are the tools that a user can prefer or switch off.
var toolNames = []string{ui.ToolTable, ui.ToolMap}

// toolWords are the last part of the keys of a tool's words.
var toolWords = map[string]string{ui.ToolTable: "table", ui.ToolMap: "map"}

// preferencesPart answers the panel alone, as a page.
func (s *host) preferencesPart(w http.ResponseWriter, r *http.Request, who string) error {
	h, err := s.cfg.Service.Head(r.Context(), r.PathValue("id"), who)
	if err != nil {
		return err
	}
	said := s.saidIn(h.State, r)
	p := conversationPage{head: head{site: said, Title: said.Word("prefs.title")}, server: s, state: h.State,
		Target: chosenTarget(r), Key: rand.Text(), open: true, grant: h.Grant}
	return writePage(w, http.StatusOK, "preferences", p)
}

// chosenTarget returns the drawing that a query names, if its name has the length of one.
func chosenTarget(r *http.Request) string {
	if d := r.URL.Query().Get("draw"); len(d) < 16 {
		return d
	}
	return ""
}

// formPreference takes a form of the panel. A script asks for JSON and gets the
// receipt; a browser is led back to the panel.
func (s *host) formPreference(w http.ResponseWriter, r *http.Request, who string) error {
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
	return s.redirect(w, r, r.PathValue("id"), "?"+to.Encode()+"#limn-preferences")
}

// Note is the panel in a few words, for while it is closed.
func (p panel) Note() string {
	optOut, on := p.optedOut(), 0
	var parts []string
	if optOut.All {
		parts = append(parts, p.Word("prefs.note.all"))
	}
	for _, tool := range toolNames {
		if !optOut.All && slices.Contains(optOut.Tools, tool) {
			parts = append(parts, p.Word("prefs.note."+toolWords[tool]))
		}
	}
	for _, g := range p.state.Router.Guardrails {
		if g.Enabled {
			on++
		}
	}
	switch {
	case on == 1:
		parts = append(parts, p.Word("prefs.note.rule"))
	case on > 1:
		parts = append(parts, p.Word("prefs.note.rules", "n", strconv.Itoa(on)))
	}
	return strings.Join(parts, ", ")
}

// optedOut returns the user's opt-outs, without a choice that has expired.
func (p panel) optedOut() ui.OptOut {
	o := p.state.Router.OptOut
	if !o.Expires.IsZero() && !o.Expires.After(p.now) {
		return ui.OptOut{Once: o.Once}
	}
	return o
}

// panelForm is one form of the panel.
type panelForm struct {
	panel
	ID string
}

// Form returns the form with an id.
func (p panel) Form(id string) panelForm { return panelForm{p, id} }

// button submits a form as one kind of change; About is the id of the text that
// says more about it.
type button struct{ ID, Set, Label, About string }

// Button returns a button whose label is one of the app's words.
func (p panel) Button(id, set, label, about string) button {
	return button{id, set, p.Word(label), about}
}

// pick is a list to choose from. Title is the id of its label, or "".
type pick struct {
	ID, Name, Title, Label, Chosen string
	Options                        []choice
}

type choice struct{ Value, Label string }

// Expires is when the choice of OptOuts ends, or "".
func (p panel) Expires() string {
	if at := p.optedOut().Expires; !at.IsZero() {
		return at.UTC().Format(time.RFC3339)
	}
	return ""
}

// OptOuts choose what may open: everything, and each tool.
func (p panel) OptOuts() []pick {
	o := p.optedOut()
	never := p.Word("prefs.never")
	if !o.Expires.IsZero() {
		never = p.Word("prefs.never.until", "list", p.date(o.Expires))
	}
	options := func(first string) []choice {
		return []choice{{"", p.Word(first)}, {ingress.OptOutOnce, p.Word("prefs.once")}, {ingress.OptOutNever, never}}
	}
	all := pick{ID: "limn-opt-all", Name: ingress.FormAllTools, Label: p.Word("prefs.all"),
		Options: options("prefs.each")}
	if o.All {
		all.Chosen = ingress.OptOutNever
	}
	picks := []pick{all}
	for _, tool := range toolNames {
		one := pick{ID: "limn-opt-" + tool, Name: tool, Label: p.Word("prefs." + toolWords[tool]),
			Options: options("prefs.shown")}
		switch {
		case slices.Contains(o.Tools, tool):
			one.Chosen = ingress.OptOutNever
		case slices.Contains(o.Once, tool):
			one.Chosen = ingress.OptOutOnce
		}
		picks = append(picks, one)
	}
	return picks
}

// Preferred chooses the tool that opens where both would fit.
func (p panel) Preferred() pick {
	options := []choice{{"", p.Word("prefs.prefer.none")}}
	for _, tool := range toolNames {
		options = append(options, choice{tool, p.Word("prefs." + toolWords[tool])})
	}
	return pick{ID: "limn-preferred-tool", Name: ingress.FormTool, Title: "limn-preferred-title",
		Label: p.Word("prefs.prefer"), Chosen: p.state.Router.Preferred, Options: options}
}

// Language chooses a language of the app; nil if there is no choice.
func (p panel) Language() *pick {
	a := p.server.cfg.Service.App()
	languages := a.Config().Languages
	if len(languages) < 2 {
		return nil
	}
	one := pick{ID: "limn-language-pick", Name: ingress.FormLanguage, Title: "limn-language-title",
		Label: p.Word("prefs.language"), Chosen: p.Word("page.lang")}
	english := ui.DefaultWords()["page.language"]
	for _, lang := range languages {
		name := a.In(lang).Config().Words.Say("page.language")
		if name == english && lang != ui.WordLanguages()[0] { // it does not say its own name
			name = lang
		}
		one.Options = append(one.Options, choice{lang, name})
	}
	return &one
}

// rule is one of the user's rules as a sentence with its pattern inside, or "" if
// it is all words.
type rule struct {
	ID, Rule, Pattern string
	Enabled           bool
	around
}

// Rules lists the user's rules.
func (p panel) Rules() (list []rule) {
	for _, g := range p.state.Router.Guardrails {
		r := rule{ID: "limn-rule-" + g.ID, Rule: g.ID, Enabled: g.Enabled}
		key, tool := "prefs.rule.force", g.Tool
		if g.Action == route.SuppressTool {
			key = "prefs.rule.suppress"
		}
		if word := toolWords[tool]; word != "" {
			tool = p.Word("tool." + word)
		}
		if words, ok := route.Words(g.Pattern); ok {
			r.Before = p.Word(key, "label", tool, "list", words)
		} else {
			r.Pattern, r.around = g.Pattern, p.Around(key+".pattern", "label", tool)
		}
		list = append(list, r)
	}
	return list
}

// NewRule is the choice of the effect of a new rule, and of its tool.
func (p panel) NewRule() []pick {
	which := pick{ID: "limn-rule-tool", Name: ingress.FormTool, Label: p.Word("prefs.rule.which")}
	for _, tool := range toolNames {
		which.Options = append(which.Options, choice{tool, p.Word("tool." + toolWords[tool])})
	}
	return []pick{{ID: "limn-rule-action", Name: ingress.FormAction, Label: p.Word("prefs.rule.what"),
		Options: []choice{
			{route.SuppressTool, p.Word("prefs.rule.never")}, {route.ForceTool, p.Word("prefs.rule.always")}}}, which}
}
