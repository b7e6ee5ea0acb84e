package app

import (
	"encoding/base64"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/limn-ui/limn/internal/excerpt"
	"github.com/limn-ui/limn/internal/near"
	"github.com/limn-ui/limn/internal/phrasing"
	"github.com/limn-ui/limn/internal/route"
	"github.com/limn-ui/limn/internal/worksheet"
	"github.com/limn-ui/limn/ui"
)

const wantKey = "want [a-z][a-z0-9_-]{0,63}"

// check reports the rules that the declaration breaks, in the order of Config: of each
// field, node and action the first. actions are how many the app declares itself.
func check(a *App, actions int) error {
	c := checker{App: a, names: map[string]string{}, phrases: map[string]string{}, declared: actions}
	var faults []error
	if !ui.ValidKey(a.cfg.Name) {
		faults = append(faults, ui.Errorf(CodeInvalid, "name", "app name %q: %s", clip(a.cfg.Name), wantKey))
	}
	for _, step := range []func() error{c.limits, c.texts, c.actions, c.directiveTypes, c.modelTools, c.forms,
		c.tables, c.maps, c.views, c.records, c.catalogs, c.extensions, c.messages, c.guardrails, c.tools,
		c.cfg.Theme.check, c.languages, c.words, c.recovery} {
		faults = append(faults, flat(step())...)
	}
	return joined(faults[:min(len(faults), maxFaults)])
}

// checkAll checks each of a list.
func checkAll[T any](list []T, check func(i int, x T) error) error {
	var faults []error
	for i, x := range list {
		faults = append(faults, check(i, x))
	}
	return errors.Join(faults...)
}

// flat lists the errors that were joined to one.
func flat(err error) (list []error) {
	many, ok := err.(interface{ Unwrap() []error })
	switch {
	case err == nil:
		return nil
	case !ok:
		return []error{err}
	}
	for _, one := range many.Unwrap() {
		list = append(list, flat(one)...)
	}
	return list
}

// checker holds what must be unique in one declaration.
type checker struct {
	*App
	names   map[string]string // name → its place
	phrases map[string]string // phrase or noun → whose it is

	declared int // of the actions; those after them are made of directive types
}

// claim takes a name. Forms, tables and maps share one space, since the data
// submitted goes to /committed/<name>; views have their own.
func (c checker) claim(kind, at, name string) error {
	if !ui.ValidKey(name) || !ui.ValidName(kind+":"+name) {
		return ui.Errorf(CodeInvalid, at, "%s name %q: %s, at most %d bytes", kind, clip(name), wantKey, 63-len(kind))
	}
	space, what := "/committed/", "two of the forms, tables and maps"
	if kind == "view" {
		space, what = "view:", "two views"
	}
	if first, taken := c.names[space+name]; taken {
		e := ui.Errorf(CodeDuplicate, at, "%s are named %q", what, name)
		e.Hint = "the first one is " + first
		return e
	}
	c.names[space+name] = at
	return nil
}

func (c checker) limits() error {
	check := func(at string, list []limitKey) error {
		return checkAll(list, func(_ int, l limitKey) error {
			if *l.at < 0 {
				return ui.Errorf(CodeInvalid, at+"."+l.key, "a limit cannot be negative; 0 means the default")
			}
			return nil
		})
	}
	return errors.Join(check("limits", limitKeys(&c.cfg.Limits)), check("a2ui_limits", a2uiKeys(&c.cfg.A2UILimits)))
}

// extensions checks that each is known.
func (c checker) extensions() error {
	return checkAll(c.cfg.Extensions, func(i int, name string) error {
		if !slices.Contains(knownExtensions, name) {
			e := ui.Errorf(CodeInvalid, fmt.Sprintf("extensions[%d]", i), "there is no extension %q", clip(name))
			e.Hint = "known are " + strings.Join(knownExtensions, ", ")
			return e
		}
		return nil
	})
}

// saves reports the name of a form, table or map.
func (c checker) saves(name string) bool {
	_, form := c.Form(name)
	_, table := c.Table(name)
	_, m := c.Map(name)
	return form || table || m
}

// records checks that every spec is of a form, table or map, and names its fields.
func (c checker) records() error {
	seen := map[string]bool{}
	if slices.Contains(c.cfg.Operators, "") {
		return ui.Errorf(CodeInvalid, "operators", "the name of a role is empty")
	}
	return checkAll(c.cfg.Records, func(i int, r RecordSpec) error {
		at := fmt.Sprintf("records[%d]", i)
		if !c.saves(r.Name) {
			return ui.Errorf(CodeDangling, at+".name", "there is no form, table or map %q", clip(r.Name))
		}
		if seen[r.Name] {
			return ui.Errorf(CodeDuplicate, at+".name", "the records of %q are declared twice", r.Name)
		}
		seen[r.Name] = true
		for j, name := range r.Fields {
			if _, ok := find(c.lists.Fields(r.Name), name, func(f ui.Field) string { return f.Name }); !ok {
				return ui.Errorf(CodeDangling, fmt.Sprintf("%s.fields[%d]", at, j), "form %q has no field %q", r.Name,
					clip(name))
			}
		}
		for j, name := range r.Decide {
			if _, ok := find(c.lists.Fields(r.Name), name, func(f ui.Field) string { return f.Name }); !ok {
				return ui.Errorf(CodeDangling, fmt.Sprintf("%s.decide.fields[%d]", at, j), "form %q has no field %q",
					r.Name, clip(name))
			}
		}
		if (len(r.Decide) > 0) != (len(r.Deciders) > 0) {
			return ui.Errorf(CodeInvalid, at+".decide", "decide needs fields and roles")
		}
		for key, roles := range map[string][]string{"read": r.Read, "write": r.Write, "decide.roles": r.Deciders} {
			if slices.Contains(roles, "") {
				return ui.Errorf(CodeInvalid, at+"."+key, "the name of a role is empty")
			}
		}
		return c.own(at+".phrases", "phrase", 2, r.Phrases, "the records of "+r.Name)
	})
}

// catalogs checks which surfaces have separate catalogs.
func (c checker) catalogs() error {
	for _, of := range slices.Sorted(maps.Keys(c.cfg.Catalogs)) {
		at := "catalogs." + of
		kind, name, one := strings.Cut(of, ":")
		if of != "*" && !ui.ValidName(of) {
			return ui.Errorf(CodeInvalid, at,
				"%q is no surface: want a name such as form:order, a kind such as form, or *", clip(of))
		}
		if c.cfg.Catalogs[of] == "" {
			return ui.Errorf(CodeInvalid, at, "the id of the catalog is missing")
		}
		kinds := []string{"form", "table", "map", "view"}
		if meant := near.Name(of, kinds); !one && of != "*" && !slices.Contains(kinds, of) && meant != "" {
			return suggest(ui.Errorf(CodeInvalid, at, "%q is no kind of surface", clip(of)), of, kinds)
		}
		known := true
		switch kind {
		case "view":
			_, known = c.View(name)
		case "form", "table", "map":
			known = c.saves(name)
		}
		if one && !known {
			return ui.Errorf(CodeDangling, at, "no %s is named %q", kind, clip(name))
		}
	}
	return nil
}

// maxPhrase bounds phrases, nouns and suggestions, in bytes.
const maxPhrase = 200

func (c checker) texts() error {
	return checkAll(c.cfg.Suggestions, func(i int, s string) error {
		if strings.TrimSpace(s) == "" || len(s) > maxPhrase {
			return ui.Errorf(CodeInvalid, fmt.Sprintf("suggestions[%d]", i), "a suggestion has 1 to %d bytes",
				maxPhrase)
		}
		return nil
	})
}

func (c checker) forms() error {
	return checkAll(c.cfg.Forms, func(i int, f Form) error {
		at := fmt.Sprintf("forms[%d]", i)
		var none error
		if len(f.Fields) == 0 {
			none = ui.Errorf(CodeInvalid, at+".fields", "form %q has no fields", clip(f.Name))
		}
		return errors.Join(c.claim("form", at+".name", f.Name), none,
			checkFields(c.cfg.Limits, at+".fields", f.Fields, false),
			c.own(at+".phrases", "phrase", 1, f.Phrases, "form "+f.Name), c.runs(at+".on_submit", f.OnSubmit))
	})
}

func (c checker) tables() error {
	rows := c.cfg.Limits.WithDefaults().Rows
	return checkAll(c.cfg.Tables, func(i int, t Table) error {
		at := fmt.Sprintf("tables[%d]", i)
		err := c.claim("table", at+".name", t.Name)
		if worksheet.Reserved(t.Name) {
			err = ui.Errorf(CodeInvalid, at+".name",
				"no table can be called %q: what is pasted is kept under that name", t.Name)
		}
		if len(t.Columns) == 0 {
			err = errors.Join(err, ui.Errorf(CodeInvalid, at+".columns", "table %q has no columns", clip(t.Name)))
		}
		if t.MinRows < 0 || t.MinRows > rows {
			err = errors.Join(err,
				ui.Errorf(CodeInvalid, at+".min_rows", "min_rows %d: want 0 to %d", t.MinRows, rows))
		}
		return errors.Join(err, checkFields(c.cfg.Limits, at+".columns", t.Columns, true),
			c.own(at+".nouns", "noun", 1, t.Nouns, "table "+t.Name), c.runs(at+".on_submit", t.OnSubmit))
	})
}

func (c checker) maps() error {
	return checkAll(c.cfg.Maps, func(i int, m Map) error {
		at := fmt.Sprintf("maps[%d]", i)
		return errors.Join(c.claim("map", at+".name", m.Name), c.runs(at+".on_submit", m.OnSubmit))
	})
}

// own takes phrases or nouns: no two templates may answer to the same words. A phrase
// of fewer words than least is only part of a message and may belong to several.
func (c checker) own(at, what string, least int, list []string, owner string) error {
	return checkAll(list, func(i int, p string) error {
		here := fmt.Sprintf("%s[%d]", at, i)
		words := phrasing.Words(p)
		if len(words) == 0 || len(words) > maxWords || len(p) > maxPhrase {
			return ui.Errorf(CodeInvalid, here, "a %s has 1 to %d words and at most %d bytes", what, maxWords,
				maxPhrase)
		}
		if len(words) < least {
			return nil
		}
		key := what + " " + strings.Join(words, " ")
		if other, taken := c.phrases[key]; taken {
			return ui.Errorf(CodeDuplicate, here, "%s %q belongs to %s already", what, clip(p), other)
		}
		c.phrases[key] = owner
		return nil
	})
}

// runs checks the name of an action that runs without a button; "" = no action.
func (c checker) runs(at, name string) error {
	switch x, ok := c.Action(name); {
	case name == "":
	case !ok:
		declared := names(c.cfg.Actions, func(x Action) string { return x.Name })
		return suggest(ui.Errorf(CodeDangling, at, "no action is named %q", clip(name)), name, declared)
	case x.Call != nil:
		return ui.Errorf(CodeInvalid, at, "action %q calls a function of the client: only a button does it", x.Name)
	}
	return nil
}

var actionName = regexp.MustCompile(`^[a-z][a-z0-9_.:-]{0,63}$`)

func (c checker) actions() error {
	seen := map[string]bool{}
	return checkAll(c.cfg.Actions, func(i int, x Action) error {
		at := c.actionAt(i)
		if !actionName.MatchString(x.Name) || strings.HasPrefix(x.Name, "limn.") {
			return ui.Errorf(CodeInvalid, at+".name",
				"action name %q: want [a-z][a-z0-9_.:-]{0,63}, not starting with limn.", clip(x.Name))
		}
		if seen[x.Name] {
			return ui.Errorf(CodeDuplicate, at+".name", "two actions are named %q", x.Name)
		}
		seen[x.Name] = true
		if x.Call != nil && !slices.ContainsFunc(c.cfg.Actions, func(o Action) bool {
			return o.Name == x.Call.Name && o.Run == "" && o.Call == nil
		}) {
			return ui.Errorf(CodeDangling, at, "the result of %q is for no handler, webhook or reply of this app",
				clip(x.Call.Do))
		}
		return errors.Join(checkAction(at, x), c.run(at+".run", x.Run), c.shows(at+".show", x.Show),
			c.submitted(at+".after", x.After), c.submitted(at+".until", x.Until))
	})
}

// actionAt is the path of an action: for one that a directive type's webhook made, that of the type.
func (c checker) actionAt(i int) string {
	if i < c.declared {
		return fmt.Sprintf("actions[%d]", i)
	}
	of := func(t DirectiveType) bool { return t.Action == c.cfg.Actions[i].Name }
	return fmt.Sprintf("directive_types[%d]", slices.IndexFunc(c.cfg.DirectiveTypes, of))
}

// templates are the names of what can be submitted.
func (c checker) templates() []string {
	known := names(c.cfg.Forms, func(f Form) string { return f.Name })
	known = append(known, names(c.cfg.Tables, func(t Table) string { return t.Name })...)
	return append(known, names(c.cfg.Maps, func(m Map) string { return m.Name })...)
}

// shows checks the name of what an action opens; "" = nothing.
func (c checker) shows(at, name string) error {
	views := names(c.cfg.Views, func(v View) string { return v.Name })
	known := append(c.templates(), views...)
	switch {
	case name == "":
		return nil
	case !slices.Contains(known, name):
		return suggest(ui.Errorf(CodeDangling, at, "no form, table, map or view is named %q", clip(name)), name, known)
	case slices.Contains(views, name) && slices.Contains(c.templates(), name):
		return ui.Errorf(CodeDuplicate, at, "a view has the name %q, and something else", name)
	}
	return nil
}

// submitted checks the names of what can be submitted.
func (c checker) submitted(at string, list []string) error {
	known := c.templates()
	return checkAll(list, func(i int, name string) error {
		if !slices.Contains(known, name) {
			return suggest(ui.Errorf(CodeDangling, fmt.Sprintf("%s[%d]", at, i), "no form, table or map is named %q",
				clip(name)), name, known)
		}
		return nil
	})
}

func checkAction(at string, x Action) error {
	if count(x.Handler != nil, x.Webhook != nil, x.Run != "", x.Reply+x.Show != "", x.Call != nil) != 1 {
		return ui.Errorf(CodeInvalid, at, "action %q needs exactly one of handler, webhook, run, call and reply or show",
			x.Name)
	}
	if x.Call != nil && (!functionName.MatchString(x.Call.Do) || x.Call.Name == "" || x.Callers != "") {
		return ui.Errorf(CodeInvalid, at, "action %q: a call has a function and then, the action that gets its result",
			x.Name)
	}
	if x.Call != nil {
		for _, arg := range x.Call.Context {
			if !functionName.MatchString(arg.Key) || arg.Path != "" || arg.Value.IsNull() {
				return ui.Errorf(CodeInvalid, at, "action %q: the argument %q of its call needs a name and a value",
					x.Name, clip(arg.Key))
			}
		}
	}
	if !slices.Contains([]string{"", "client", "any"}, x.Callers) {
		return ui.Errorf(CodeInvalid, at, "action %q: callers is client, any or missing", x.Name)
	}
	if x.Callers != "" && (x.Run != "" || x.Webhook != nil && x.Webhook.Later) {
		return ui.Errorf(CodeInvalid, at, "action %q: a function answers at once, by a handler, a webhook or a reply", x.Name)
	}
	if err := checkWebhook(at, x.Webhook); err != nil {
		return err
	}
	seen := map[string]bool{}
	for i, k := range x.Context {
		here := fmt.Sprintf("%s.context[%d]", at, i)
		if !ui.ValidKey(k.Key) || reserved(k.Key) {
			return ui.Errorf(CodeInvalid, here+".key", "context key %q: %s, not starting with limn_", clip(k.Key),
				wantKey)
		}
		if seen[k.Key] {
			return ui.Errorf(CodeDuplicate, here+".key", "two context keys are named %q", k.Key)
		}
		seen[k.Key] = true
		if !slices.Contains(ui.FieldTypes(), k.Type) {
			return unknownType(here+".type", k.Type)
		}
	}
	return nil
}

// count says how many of several are set.
func count(set ...bool) (n int) {
	for _, one := range set {
		if one {
			n++
		}
	}
	return n
}

func checkWebhook(at string, h *Webhook) error {
	if h == nil {
		return nil
	}
	if u, err := url.Parse(h.URL); err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" {
		return ui.Errorf(CodeInvalid, at+".webhook.url", "%q is no http or https address", clip(h.URL))
	}
	if key, ok := strings.CutPrefix(h.Secret, "whsec_"); ok {
		if b, err := base64.StdEncoding.DecodeString(key); err != nil || len(b) == 0 { // err may quote the secret
			return ui.Errorf(CodeInvalid, at+".webhook.secret", "a secret that begins with whsec_ goes on in base64")
		}
	}
	return nil
}

func (c checker) guardrails() error {
	seen := map[string]bool{}
	return checkAll(c.cfg.Guardrails, func(i int, g ui.Guardrail) error {
		at := fmt.Sprintf("guardrails[%d]", i)
		if !ui.ValidKey(g.ID) {
			return ui.Errorf(CodeInvalid, at+".id", "id of a guardrail %q: %s", clip(g.ID), wantKey)
		}
		if seen[g.ID] {
			return ui.Errorf(CodeDuplicate, at+".id", "two guardrails have the id %q", g.ID)
		}
		seen[g.ID] = true
		var e *ui.Error
		if errors.As(route.CheckGuardrail(g, i), &e) {
			member := strings.TrimPrefix(e.Path, "intent_") // as the declaration calls it
			return &ui.Error{Code: CodeInvalid, Path: strings.TrimSuffix(at+"."+member, "."), Message: e.Message,
				Hint: e.Hint, Err: e.Err}
		}
		return nil
	})
}

func (c checker) tools() error {
	known := []string{ui.ToolTable, ui.ToolMap}
	unknown := func(at, name string) error {
		return suggest(ui.Errorf(CodeDangling, at, "no tool is named %q", clip(name)), name, known)
	}
	for _, name := range slices.Sorted(maps.Keys(c.cfg.Tools.MaxIterations)) {
		n, at := c.cfg.Tools.MaxIterations[name], "tools.max_iterations."+name
		if !slices.Contains(known, name) {
			return unknown(at, name)
		}
		if n < 0 || n > 10 {
			return ui.Errorf(CodeInvalid, at, "%d rounds: want 0 to 10", n)
		}
	}
	if p := c.cfg.Tools.Preferred; p != "" && !slices.Contains(known, p) {
		return unknown("tools.preferred_ui", p)
	}
	return nil
}

func (c checker) words() error {
	known := ui.DefaultWords()
	check := func(at string, words ui.Words) error {
		return checkAll(slices.Sorted(maps.Keys(words)), func(_ int, key string) error {
			if _, ok := known[key]; !ok {
				return suggest(ui.Errorf(CodeDangling, at+key, "Limn has no text under the key %q", clip(key)), key,
					slices.Sorted(maps.Keys(known)))
			}
			if strings.TrimSpace(words[key]) == "" {
				return ui.Errorf(CodeInvalid, at+key, "the text is empty")
			}
			return nil
		})
	}
	for _, lang := range slices.Sorted(maps.Keys(c.cfg.Translations)) {
		if !slices.Contains(c.cfg.Languages, lang) {
			return suggest(ui.Errorf(CodeDangling, "words."+lang, "%q is none of the languages of the app", clip(lang)),
				lang, c.cfg.Languages)
		}
		if err := check("words."+lang+".", c.cfg.Translations[lang]); err != nil {
			return err
		}
	}
	return check("words.", c.cfg.Words)
}

var languageTag = regexp.MustCompile(`^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$`)

func (c checker) languages() error {
	return checkAll(c.cfg.Languages, func(i int, lang string) error {
		at := fmt.Sprintf("languages[%d]", i)
		if !languageTag.MatchString(lang) {
			return ui.Errorf(CodeInvalid, at, "%q is no language: want a tag such as en or pt-BR", clip(lang))
		}
		if slices.Contains(c.cfg.Languages[:i], lang) {
			return ui.Errorf(CodeDuplicate, at, "%q is there twice", lang)
		}
		return nil
	})
}

var codeName = regexp.MustCompile(`^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*(_\*)?$`)

func (c checker) recovery() error {
	seen := map[ui.Code]bool{}
	return checkAll(c.cfg.Recovery, func(_ int, e Code) error {
		at := "recovery." + clip(string(e.Code))
		switch {
		case !codeName.MatchString(string(e.Code)):
			return ui.Errorf(CodeInvalid, at,
				"%q is no code: want one such as FIELD_RANGE, or a family such as FIELD_*", clip(string(e.Code)))
		case seen[e.Code]:
			return ui.Errorf(CodeDuplicate, at, "%s stands there twice", e.Code)
		case e.Status != 0 && (e.Status < 200 || e.Status > 599):
			return ui.Errorf(CodeInvalid, at+".status", "%d is no HTTP status of an answer: want 200 to 599", e.Status)
		case e.Do != "" && e.Do != "soft" && e.Do != "surface_fail" && e.Do != "reset":
			return ui.Errorf(CodeInvalid, at+".do", "%q: want soft, surface_fail or reset", clip(e.Do))
		case len(e.Title) > 500:
			return ui.Errorf(CodeInvalid, at+".title", "longer than 500 bytes")
		case len(e.Hint) > 500:
			return ui.Errorf(CodeInvalid, at+".hint", "longer than 500 bytes")
		}
		seen[e.Code] = true
		return nil
	})
}

// suggest adds to an error which names are possible, the nearest one first.
func suggest(e *ui.Error, name string, possible []string) *ui.Error {
	if meant := near.Name(name, possible); meant != "" {
		e.Hint = "did you mean `" + meant + "`?"
	}
	if list := strings.Join(possible, ", "); list != "" {
		e.Hint = strings.TrimSpace(e.Hint + " possible: " + excerpt.Of(list, 600))
	}
	return e
}

// clip shortens a declared text for a message.
func clip(s string) string { return excerpt.Of(s, 60) }
