package app

import (
	"fmt"
	"slices"
	"strings"

	"github.com/limn-ui/limn/internal/directive"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/internal/phrasing"
	"github.com/limn-ui/limn/ui"
)

// Script writes the answers of the scripted model (llm/scripted) for this app: it opens
// a declared surface when a message names it, greets, and helps with the app's
// suggestions. It uses only directives the app allows. The same declaration gives the
// same bytes.
//
// The script matches words without their context, so orders in doubt ("how do
// I …", "don't …") are answered first; an app that asks FormFor before the
// model is more exact.
func (a *App) Script() []byte {
	w := scriptWriter{a: a}
	w.rule(w.heard("heard.how"), w.help()...)
	w.rule(w.heard("heard.not"), w.word("chat.later"))
	w.openings()
	w.rule(w.heard("heard.help"), w.help()...)
	w.rule(w.heard("heard.hello"), w.greeting()...)
	w.rule(w.heard("heard.thanks"), w.word("chat.thanks"))
	w.rule(w.heard("heard.bye"), w.word("chat.bye"))
	w.b.WriteString("\notherwise:\n")
	w.say(a.cfg.Words.Say("chat.default"), w.word("help.hint"))
	return []byte(w.b.String())
}

type scriptWriter struct {
	a *App
	b strings.Builder
}

// heard are phrases of the language of the app, and those in English.
func (w *scriptWriter) heard(key string) (phrases []string) {
	all := strings.ReplaceAll(w.word(key)+"|"+ui.DefaultWords()[key], "'", " ")
	for p := range strings.SplitSeq(all, "|") {
		if p = strings.Join(phrasing.Words(p), " "); p != "" && !slices.Contains(phrases, p) {
			phrases = append(phrases, p)
		}
	}
	return phrases
}

func (w *scriptWriter) word(key string, pairs ...string) string {
	return w.a.cfg.Words.Say(key, pairs...)
}

// rule writes one rule that only says something.
func (w *scriptWriter) rule(phrases []string, lines ...string) {
	fmt.Fprintf(&w.b, "\non: %s\n", strings.Join(phrases, " | "))
	w.say(lines...)
}

func (w *scriptWriter) say(lines ...string) {
	for _, l := range lines {
		fmt.Fprintf(&w.b, "say: %s\n", strings.Join(strings.Fields(l), " "))
	}
}

func (w *scriptWriter) greeting() []string {
	lines := []string{w.word("chat.hello", "label", w.a.cfg.Title)}
	if s := w.a.Suggestions(); len(s) > 0 {
		return append(lines, w.word("chat.try", "list", s[0]))
	}
	return append(lines, w.a.cfg.Words.Say("chat.default"))
}

// help lists what there is, then the suggestions.
func (w *scriptWriter) help() []string {
	var lines []string
	cfg := w.a.cfg
	for _, part := range []struct {
		key, typ string
		titles   []string
	}{
		{"help.forms", directive.TypeShowForm, names(cfg.Forms, func(f Form) string { return f.Title })},
		{"help.tables", directive.TypeShowTable, names(cfg.Tables, func(t Table) string { return t.Title })},
		{"help.maps", directive.TypeShowMap, names(cfg.Maps, func(m Map) string { return m.Title })},
		{"help.views", directive.TypeShowView, names(cfg.Views, func(v View) string { return v.Title })},
	} {
		if len(part.titles) > 0 && w.may(part.typ) {
			lines = append(lines, w.word(part.key, "list", strings.Join(part.titles, ", ")))
		}
	}
	for i, s := range w.a.Suggestions() {
		if i == 0 {
			lines = append(lines, w.word("help.example"))
		}
		lines = append(lines, "- "+s)
	}
	if len(lines) == 0 {
		return []string{cfg.Words.Say("chat.default")}
	}
	return lines
}

func (w *scriptWriter) may(typ string) bool {
	return slices.Contains(w.a.registry.Types(), typ)
}

// openings writes one rule for each phrase set, the longest phrases first, so
// that "add a customer order" is not taken for "add a customer".
func (w *scriptWriter) openings() {
	type opening struct {
		typ, name, text string
		phrases         []string
		size            int
	}
	var all []opening
	words := w.a.cfg.Words
	for _, p := range w.a.phrases {
		f := w.a.cfg.Forms[p.form]
		x := strings.Join(p.words, " ")
		o := opening{typ: directive.TypeShowForm, name: f.Name, text: words.Say("tool.opened.form"), size: len(p.words),
			phrases: []string{x}}
		if p.derived {
			o.phrases = []string{"add a " + x, "add an " + x, "add a new " + x, "add another " + x, "new " + x,
				x + " form"}
		}
		all = append(all, o)
	}
	named := func(typ, name, title, text, kind string) {
		x := phrasing.Words(title)
		if len(x) == 0 {
			return
		}
		t := strings.Join(x, " ")
		all = append(all, opening{typ: typ, name: name, text: text, size: len(x),
			phrases: []string{"open the " + t, "open " + t, "show the " + t, "show me the " + t, "show " + t,
				t + " " + kind}})
	}
	for _, t := range w.a.cfg.Tables {
		named(directive.TypeShowTable, t.Name, t.Title, words.Say("tool.opened.table"), "table")
	}
	for _, m := range w.a.cfg.Maps {
		named(directive.TypeShowMap, m.Name, m.Title, words.Say("tool.opened.map"), "map")
	}
	for _, v := range w.a.cfg.Views {
		named(directive.TypeShowView, v.Name, v.Title, v.Title, "view")
	}
	slices.SortStableFunc(all, func(a, b opening) int { return b.size - a.size })
	for _, o := range all {
		if w.may(o.typ) {
			w.rule(o.phrases, o.text)
			payload := jsonx.OfObject(jsonx.Member{Key: "name", Value: jsonx.Of(o.name)})
			fmt.Fprintf(&w.b, "do: %s %s\n", o.typ, jsonx.Append(nil, payload))
		}
	}
}
