package app

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/internal/directive"
	"github.com/limn-ui/limn/internal/schema"
	"github.com/limn-ui/limn/ui"
)

// Codes of a declaration.
const (
	CodeInvalid   ui.Code = "APP_INVALID"   // a rule of the declaration is broken
	CodeDuplicate ui.Code = "APP_DUPLICATE" // two things have one name
	CodeDangling  ui.Code = "APP_DANGLING"  // a name refers to nothing
	CodeYAML      ui.Code = "APP_YAML"      // the file is no YAML of the documented shape
)

// App is a checked declaration. It is immutable and safe for concurrent use.
type App struct {
	cfg      Config
	registry *directive.Registry
	print    string
	versions map[string]string // kind:name → version
	phrases  []phrase
	schemas  map[string]*schema.Schema // of the arguments of model tools
	lists    *RecordLists
	views    *Views
	spoken   map[string]*App // the app in each of its languages but the first
}

// New checks a declaration and returns the App. The Config is copied; the
// slices and maps in it must not be changed afterwards. An error is a *ui.Error
// whose Path names the member, such as forms[0].fields[2].type, or several joined
// (errors.Join).
func New(cfg Config) (*App, error) {
	a := &App{cfg: withDefaults(cfg), versions: map[string]string{}, schemas: map[string]*schema.Schema{}}
	a.lists, a.views = newRecordLists(a), newViews(a.cfg.Views)
	if err := check(a, len(cfg.Actions)); err != nil {
		return nil, err
	}
	if err := identify(a); err != nil {
		return nil, err
	}
	if err := checkOpenings(a); err != nil {
		return nil, err
	}
	reg, err := newRegistry(a.cfg)
	if err != nil {
		return nil, err
	}
	a.registry, a.phrases = reg, formPhrases(a.cfg.Forms)
	a.spoken = translated(a)
	return a, nil
}

// translated returns the app in each of its languages but the first: with other words.
func translated(a *App) map[string]*App {
	out := map[string]*App{}
	for _, lang := range a.cfg.Languages[1:] {
		other := *a
		other.cfg.Words = maps.Clone(a.cfg.Translations[lang])
		if other.cfg.Words == nil {
			other.cfg.Words = ui.Words{}
		}
		other.cfg.Words["page.lang"] = lang
		other.lists = newRecordLists(&other)
		out[lang] = &other
	}
	return out
}

// In returns the app with its words in one of its languages; the app itself for the first
// one and for an unknown one.
func (a *App) In(language string) *App {
	if other, ok := a.spoken[language]; ok {
		return other
	}
	return a
}

// withDefaults fills in titles and turns empty lists into nil, so that equal
// declarations are equal values.
func withDefaults(cfg Config) Config {
	title := func(at *string, name string) {
		if *at == "" {
			*at = name
		}
	}
	title(&cfg.Title, cfg.Name)
	cfg.Suggestions, cfg.Directives, cfg.Guardrails = orNil(cfg.Suggestions), orNil(cfg.Directives),
		orNil(cfg.Guardrails)
	cfg.Forms, cfg.Tables, cfg.Maps = orNil(cfg.Forms), orNil(cfg.Tables), orNil(cfg.Maps)
	cfg.Views, cfg.Actions, cfg.Recovery = orNil(cfg.Views), orNil(cfg.Actions), orNil(cfg.Recovery)
	cfg.Records, cfg.Agents = orNil(cfg.Records), orNil(cfg.Agents)
	for i := range cfg.Records {
		r := &cfg.Records[i]
		r.Phrases, r.Fields, r.Read, r.Write = orNil(r.Phrases), orNil(r.Fields), orNil(r.Read), orNil(r.Write)
	}
	if len(cfg.Aliases) == 0 {
		cfg.Aliases = nil
	}
	if len(cfg.Catalogs) == 0 {
		cfg.Catalogs = nil
	}
	languageDefaults(&cfg)
	if len(cfg.Tools.MaxIterations) == 0 {
		cfg.Tools.MaxIterations = nil
	}
	for i := range cfg.Forms {
		f := &cfg.Forms[i]
		title(&f.Title, f.Name)
		f.Fields, f.Phrases = orNil(f.Fields), orNil(f.Phrases)
	}
	for i := range cfg.Tables {
		t := &cfg.Tables[i]
		title(&t.Title, t.Name)
		t.Columns, t.Nouns = orNil(t.Columns), orNil(t.Nouns)
	}
	for i := range cfg.Maps {
		title(&cfg.Maps[i].Title, cfg.Maps[i].Name)
	}
	for i := range cfg.Views {
		v := &cfg.Views[i]
		title(&v.Title, v.Name)
		v.Phrases, v.Binds, v.Topics = orNil(v.Phrases), orNil(v.Binds), orNil(v.Topics)
		if len(v.Records) == 0 {
			v.Records = nil
		}
	}
	for i := range cfg.Actions {
		x := &cfg.Actions[i]
		x.Context, x.After, x.Until = orNil(x.Context), orNil(x.After), orNil(x.Until)
	}
	directiveDefaults(&cfg)
	cfg.ModelTools, cfg.Messages = toolDefaults(cfg.ModelTools), orNil(cfg.Messages)
	for i := range cfg.Messages {
		cfg.Messages[i].Phrases = orNil(cfg.Messages[i].Phrases)
	}
	return cfg
}

// languageDefaults fills in Languages, and names the first one in Words if that is not English.
func languageDefaults(cfg *Config) {
	switch own := cfg.Words["page.lang"]; {
	case len(cfg.Languages) > 0:
		cfg.Languages = slices.Clone(cfg.Languages)
	case own != "":
		cfg.Languages = []string{own}
	default:
		cfg.Languages = ui.WordLanguages()
	}
	first := cfg.Languages[0]
	words := maps.Clone(cfg.Words)
	if words == nil {
		words = ui.Words{}
	}
	maps.Copy(words, cfg.Translations[first])
	if words["page.lang"] == "" && first != ui.WordLanguages()[0] {
		words["page.lang"] = first
	}
	if cfg.Words = words; len(words) == 0 {
		cfg.Words = nil
	}
	if len(cfg.Translations) == 0 {
		cfg.Translations = nil
	}
}

// orNil returns a copy, nil when empty.
func orNil[T any](list []T) []T {
	if len(list) == 0 {
		return nil
	}
	return slices.Clone(list)
}

// Config returns the declaration with its defaults; callers must not change it.
func (a *App) Config() Config { return a.cfg }

// Registry returns the directives of this app.
func (a *App) Registry() *Registry { return a.registry }

// RecordLists describes the records of this app.
func (a *App) RecordLists() *RecordLists { return a.lists }

// Views describes the views of this app.
func (a *App) Views() *Views { return a.views }

// Fingerprint identifies the declaration: 16 hex digits that change when
// anything drawn from it can change.
func (a *App) Fingerprint() string { return a.print }

// Version identifies the declaration of one template.
func (a *App) Version(kind, name string) string { return a.versions[kind+":"+name] }

// Form, Table, Map, View and Action return a declaration by name.
func (a *App) Form(name string) (Form, bool) {
	return find(a.cfg.Forms, name, func(f Form) string { return f.Name })
}

// Table returns a declared table.
func (a *App) Table(name string) (Table, bool) {
	return find(a.cfg.Tables, name, func(t Table) string { return t.Name })
}

// Map returns a declared process map.
func (a *App) Map(name string) (Map, bool) {
	return find(a.cfg.Maps, name, func(m Map) string { return m.Name })
}

// View returns a declared view.
func (a *App) View(name string) (View, bool) {
	return find(a.cfg.Views, name, viewName)
}

// Action returns a declared action.
func (a *App) Action(name string) (Action, bool) {
	if strings.HasPrefix(name, "limn.") {
		return find(a.lists.actions, name, func(x Action) string { return x.Name })
	}
	return find(a.cfg.Actions, name, func(x Action) string { return x.Name })
}

// Syncs reports whether clients may share drafts while they are typed.
func (a *App) Syncs() bool { return slices.Contains(a.cfg.Extensions, DataSync) }

// Allowed reports whether an action may be emitted and admitted: Limn's own,
// or declared, with these context keys.
func (a *App) Allowed(action string, keys ...string) bool {
	switch action {
	case builtin.ActionAddRow, builtin.ActionRemoveRow, builtin.ActionRestoreRow, builtin.ActionMoveRow,
		builtin.ActionPage, builtin.ActionPaste, builtin.ActionPasteApply, builtin.ActionPasteDrop,
		builtin.ActionSubmit, builtin.ActionConfirm, builtin.ActionAccept, builtin.ActionEdit,
		builtin.ActionCancel, builtin.ActionRegenerate, builtin.ActionDetach, builtin.ActionOffer:
		return true
	}
	x, ok := a.Action(action)
	for _, key := range keys {
		ok = ok && slices.ContainsFunc(x.Context, func(k ContextKey) bool { return k.Key == key })
	}
	return ok
}

// Masked reports that an action of the app is not for now, in the flow that a
// state has come to. Limn's own actions never are.
func (a *App) Masked(s *ui.State, action string) bool {
	x, ok := a.Action(action)
	return ok && masked(s, x.After, x.Until, x.When)
}

func masked(s *ui.State, after, until []string, when func(*ui.State) bool) bool {
	submitted := func(name string) bool { _, ok := s.Committed.Get(name); return ok }
	return when != nil && !when(s) || slices.ContainsFunc(until, submitted) ||
		slices.ContainsFunc(after, func(name string) bool { return !submitted(name) })
}

func find[T any](list []T, name string, nameOf func(T) string) (T, bool) {
	for _, x := range list {
		if nameOf(x) == name {
			return x, true
		}
	}
	var none T
	return none, false
}

func names[T any](list []T, nameOf func(T) string) []string {
	out := make([]string, len(list))
	for i, x := range list {
		out[i] = nameOf(x)
	}
	return out
}

// newRegistry builds the Registry, and names the member that does not fit.
func newRegistry(c Config) (*directive.Registry, error) {
	preset := directive.PresetConfig{
		Forms:   names(c.Forms, func(f Form) string { return f.Name }),
		Tables:  names(c.Tables, func(t Table) string { return t.Name }),
		Maps:    names(c.Maps, func(m Map) string { return m.Name }),
		Views:   names(c.Views, func(v View) string { return v.Name }),
		Records: names(c.Records, func(r RecordSpec) string { return r.Name }),
		Extra:   defsOf(c.DirectiveTypes), Rows: c.Limits.Rows,
	}
	all, err := directive.Preset(preset)
	if err != nil {
		return nil, &ui.Error{Code: CodeInvalid, Path: "directive_types",
			Message: "a directive type has the name of another", Err: err}
	}
	for i, name := range c.Directives {
		if _, ok := all.Canonical(name); !ok {
			return nil, suggest(ui.Errorf(CodeDangling, fmt.Sprintf("directives[%d]", i),
				"%q is no directive type this app has something for", clip(name)), name, all.Types())
		}
	}
	for _, alias := range slices.Sorted(maps.Keys(c.Aliases)) {
		if _, ok := all.Canonical(c.Aliases[alias]); !ok {
			return nil, suggest(ui.Errorf(CodeDangling, "aliases."+alias,
				"%q is no directive type this app has something for", clip(c.Aliases[alias])), c.Aliases[alias],
				all.Types())
		}
	}
	preset.Allow, preset.Aliases = c.Directives, c.Aliases
	reg, err := directive.Preset(preset)
	if err != nil {
		at, message := "directives", "the directives do not fit together"
		if len(c.Aliases) > 0 {
			at, message = "aliases", "an alias is taken already"
		}
		return nil, &ui.Error{Code: CodeInvalid, Path: at, Message: message, Err: err}
	}
	return reg, nil
}

// NewState is the state of a conversation before its first frame.
func (a *App) NewState(id string) *ui.State {
	st := ui.NewState(id)
	st.Router.Guardrails, st.Router.Preferred = a.cfg.Guardrails, a.cfg.Tools.Preferred
	return st
}
