// Package recovery knows every code: what to do about it, which HTTP status it
// has, and the message for the user.
//
// In: a code. Out: an [Entry]. In: a fault of a surface. Out: what to do about
// it, by [Client] and [Drawing]. An app overrides single entries with [Table.With].
// Codes of a family that is listed with a trailing '*' share one entry. Pure;
// session asks it when a stage fails, transports when they answer.
package recovery

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/ui"
)

// Action is a turn's reaction to a failure.
type Action string

// The actions, mildest first (plan §9).
const (
	Soft        Action = "soft"         // text only; surfaces stay
	Rebuild     Action = "rebuild"      // one client is rebuilt; the state stays
	SurfaceFail Action = "surface_fail" // the surface is removed, then text
	Reset       Action = "reset"        // new epoch, full rebuild
)

// Entry describes a code.
type Entry struct {
	Code   ui.Code // or a family: a prefix that ends in '*'
	Status int     // HTTP status when a request ends with it
	Do     Action
	Title  string // one line for people, in problem answers and in the transcript
	Hint   string // advice for a program that gets it as a problem, where the error itself has none

	Worded bool // Title is one of the app's own words
}

// Table maps codes to entries. The zero Table is not useful; use Default.
type Table struct {
	exact    map[ui.Code]Entry
	families []Entry // longest prefix first
	unknown  Entry   // of every other code
}

// anyCode is the family of all codes.
const anyCode = "*"

// titleKey returns the key of the title of a code, or a family, in ui.Words.
func titleKey(code ui.Code) string { return "problem." + string(code) }

// Default returns the built-in table.
func Default() Table {
	var list []Entry
	for _, e := range entries {
		list = append(list, Entry{Code: e.code, Status: e.status, Do: e.do, Title: ui.Words(nil).Say(titleKey(e.code)),
			Hint: e.hint})
	}
	t := Table{unknown: Entry{Code: anyCode, Status: 500, Do: Soft, Title: ui.Words(nil).Say(titleKey(anyCode)),
		Hint: report}}
	return t.With(list...)
}

// Worded returns a table in which the titles that an app's words replace, or are in another
// language, are the app's.
func (t Table) Worded(words ui.Words) Table {
	worded := func(e Entry) (Entry, bool) {
		key := titleKey(e.Code)
		title := words.Say(key)
		_, own := words[key]
		ok := own || title != key && title != ui.Words(nil).Say(key)
		if ok {
			e.Title, e.Worded = title, true
		}
		return e, ok
	}
	var list []Entry
	for _, e := range t.All() {
		if e, ok := worded(e); ok {
			list = append(list, e)
		}
	}
	t = t.With(list...)
	t.unknown, _ = worded(t.unknown)
	return t
}

// With returns a table in which the given entries are added or replaced.
func (t Table) With(list ...Entry) Table {
	out := Table{exact: maps.Clone(t.exact), families: slices.Clone(t.families), unknown: t.unknown}
	if out.exact == nil {
		out.exact = map[ui.Code]Entry{}
	}
	for _, e := range list {
		if !strings.HasSuffix(string(e.Code), "*") {
			out.exact[e.Code] = e
			continue
		}
		out.families = slices.DeleteFunc(out.families, func(f Entry) bool { return f.Code == e.Code })
		out.families = append(out.families, e)
	}
	slices.SortStableFunc(out.families, func(a, b Entry) int { return len(b.Code) - len(a.Code) })
	return out
}

// Declared returns a table in which an app's own entries are taken over.
func (t Table) Declared(list []app.Code) Table {
	for _, c := range list {
		e := t.For(c.Code)
		e.Code, e.Status, e.Do, e.Title, e.Hint = c.Code, cmp.Or(c.Status, e.Status), cmp.Or(Action(c.Do), e.Do),
			cmp.Or(c.Title, e.Title), cmp.Or(c.Hint, e.Hint)
		e.Worded = e.Worded && c.Title == ""
		t = t.With(e)
	}
	return t
}

// For returns the entry of a code: its own, its family's, or the one of an
// internal failure.
func (t Table) For(code ui.Code) Entry {
	if e, ok := t.exact[code]; ok {
		return e
	}
	for _, f := range t.families {
		if strings.HasPrefix(string(code), strings.TrimSuffix(string(f.Code), "*")) {
			f.Code = code
			return f
		}
	}
	e := t.unknown
	e.Code = code
	return e
}

// Problem is the entry of a code with which a request ends: one that is an outcome
// or a warning elsewhere is a failure of ours there, and failures of ours have a
// Hint, whatever an app replaced.
func (t Table) Problem(code ui.Code) Entry {
	e := t.For(code)
	if e.Status < 400 {
		e.Status = 500
	}
	if e.Status >= 500 {
		e.Hint = cmp.Or(e.Hint, report)
	}
	return e
}

// All lists every entry in the order of codes.
func (t Table) All() []Entry {
	out := slices.Collect(maps.Values(t.exact))
	out = append(out, t.families...)
	slices.SortFunc(out, func(a, b Entry) int { return strings.Compare(string(a.Code), string(b.Code)) })
	return out
}
