package client

import (
	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/a2ui/internal/function"
)

// Mode says whose behaviour the client has.
type Mode uint8

// The modes. The zero Mode is Strict.
const (
	Strict Mode = iota // the specification
	// LikeWebCore does what @a2ui/web_core 0.11.0 and its renderers do, but reports an
	// error where they would show the wrong thing or hang. None of them draws v1.0: there
	// it is Strict.
	LikeWebCore
)

// String names the mode.
func (m Mode) String() string {
	if m == LikeWebCore {
		return "like-web-core"
	}
	return "strict"
}

// rules is every difference between dialects and modes in one table; nothing
// else in this package asks for either. What the renderers do was observed of
// @a2ui/web_core 0.11.0.
type rules struct {
	a2ui.Features

	recreate      bool // a second CreateSurface is no error: it switches the root
	keepOmitted   bool // an update of a known id keeps the type and the properties it does not name
	lastWins      bool // an id may appear twice in one message
	forgiving     bool // see Config.Forgiving
	anyType       bool // an unknown component type is accepted and drawn as a placeholder
	fixedRoot     bool // the root does not re-render when its type changes
	selfContained bool // child references must be met within the message
	literalIDs    bool // a literal that equals a component id is taken for it
	parseText     bool // strings that look like JSON are parsed
	plainKeys     bool // keys are read as paths: . [ ] ~ / in them split
	loosePaths    bool // a path may lack its first slash, empty segments vanish
	reservedKeys  bool // __proto__, constructor and prototype throw in paths
	scopeOnly     bool // an absolute path in a template is relative
	plainNumbers  bool // expressions know no negative numbers and no @index
	deepLiterals  bool // an object with a path or a call in a literal is resolved
	nullContext   bool // an event context with a null is never dispatched
	listOnly      bool // a choice shows a selection only when its value is a list
	reportMissing bool // a binding to nothing is reported

	mapDepth int // nested maps in one UpdateData; 0 = any JSON

	functions function.Rules

	maxShown int // nodes of one drawing; tests lower it
}

func rulesFor(d a2ui.Dialect, mode Mode) rules {
	f := d.Features()
	old, web := f.CreateLast, mode == LikeWebCore
	r := rules{
		Features:      f,
		recreate:      web && old,
		keepOmitted:   web && !old,
		lastWins:      web && !old,
		anyType:       web,
		fixedRoot:     web && !old,
		selfContained: web && f.SelfContained,
		literalIDs:    web && f.LiteralsAreRefs,
		parseText:     web && f.ParsesJSONText,
		plainKeys:     web && old,
		loosePaths:    web,
		reservedKeys:  !old,
		scopeOnly:     web && old,
		plainNumbers:  web && !f.Index,
		deepLiterals:  f.Calls && !f.ObjectValues,
		nullContext:   web && !old,
		listOnly:      web || !f.FlatData,
		maxShown:      maxShown,
		functions: function.Rules{Verdicts: f.VerdictChecks, MissingFails: web, ISOFallback: web, EnglishPlural: web,
			AnyCurrency: web},
	}
	if f.FlatData {
		r.mapDepth = 2
		if web {
			r.mapDepth = 5
		}
	}
	return r
}
