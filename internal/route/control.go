package route

import (
	"github.com/limn-ui/limn/internal/prose"
	"github.com/limn-ui/limn/ui"
)

// controlMessage is what a message says about the tools themselves.
type controlMessage struct {
	kind  Control
	tool  string // the tool it is about, "" = all
	rule  *ui.Guardrail
	topic string
	a, b  int // the tokens that say it
}

// control finds an order about the tools. Only clauses in the user's own
// imperative count; quoted text is masked, and text that plays somebody else
// ("SYSTEM:", "pretend …") never re-enables anything (facts R-21).
func (r *reading) control(state ui.Router) controlMessage {
	if c, ok := r.confirms(state); ok {
		return c
	}
	if c, ok := r.declines(state); ok {
		return c
	}
	if c, ok := r.makesRule(state); ok {
		return c
	}
	if r.t.CJK {
		return r.controlCJK(state)
	}
	var c controlMessage
	outs := state.OptOut.All || len(state.OptOut.Tools)+len(state.OptOut.Once) > 0
	open := state.LastStatus == ui.StatusToolOpen
	r.eachClause(func(a, b int) {
		if c.kind != "" {
			return
		}
		s := r.skipPolite(r.skipFillers(a, b), b)
		switch {
		case open && r.resumes(s, b):
			c.kind = ControlResume
			return
		case r.optsOut(s, b):
			c = controlMessage{kind: ControlOptOut, tool: r.namedTool(s, b), a: a, b: b}
		case outs && r.optsIn(s, b):
			c = controlMessage{kind: ControlOptIn, tool: r.namedTool(s, b), a: a, b: b}
		case open && r.cancels(s, b):
			c.kind = ControlCancel
		default:
			if t := r.prefers(s, b); t != 0 {
				c = controlMessage{kind: ControlPrefer, tool: t.name(), a: a, b: b}
			}
		}
		if c.kind != "" && r.asked(a, b) {
			c = controlMessage{}
		}
	})
	if p := state.Pending; c.kind == "" && p != nil && p.Rule != nil && r.says("no") {
		c = controlMessage{kind: ControlRuleNo, b: r.clauseEnd(0)}
	}
	return c
}

// confirms reads a yes to "shall I keep this rule?" and "never open it again?".
// Anything but a clear yes or no is no answer (facts R-53); a no is read last,
// as "No more tables" is an order.
func (r *reading) confirms(state ui.Router) (controlMessage, bool) {
	p := state.Pending
	if p == nil || p.Rule == nil && !p.OptOut {
		return controlMessage{}, false
	}
	c := controlMessage{b: r.clauseEnd(0)}
	yes := r.says("yes")
	switch {
	case yes && p.OptOut:
		c.kind, c.tool = ControlOptOut, p.Tool
	case yes && len(state.Guardrails) >= MaxGuardrails:
		c.kind = ControlRuleFull
	case yes:
		c.kind = ControlRuleYes
	}
	return c, c.kind != ""
}

// clauseEnd returns the token of the stop, comma or dash behind token i.
func (r *reading) clauseEnd(i int) int {
	for i < len(r.t.Toks) && r.t.Toks[i].Kind != prose.Stop && r.t.Toks[i].Kind != prose.Comma &&
		r.t.Toks[i].Kind != prose.Dash {
		i++
	}
	return i
}

// asked reports that the clause [a,b) belongs to a question that is no polite
// order: "should I turn them back on?".
func (r *reading) asked(a, b int) bool {
	for b < len(r.t.Toks) && r.t.Toks[b].Kind != prose.Stop {
		b++
	}
	if b == len(r.t.Toks) || r.t.Toks[b].Mark != '?' {
		return false
	}
	for a > 0 && r.t.Toks[a-1].Kind != prose.Stop {
		a--
	}
	switch a = r.skipFillers(a, b); r.w(a) {
	case "can", "could", "would", "will", "may":
		return r.class(a+1)&prose.Subject == 0
	case "where":
		return false
	}
	return true
}

// maxOrder is how many tokens of a message are read for orders about the tools:
// what is longer is a paste.
const maxOrder = 400

// eachClause calls f for each run of tokens between stops, commas and colons.
func (r *reading) eachClause(f func(a, b int)) {
	start, n := 0, min(len(r.t.Toks), maxOrder)
	for i := 0; i <= n; i++ {
		if i < n && r.t.Toks[i].Kind != prose.Stop && r.t.Toks[i].Kind != prose.Comma &&
			r.t.Toks[i].Kind != prose.Colon {
			continue
		}
		if i > start {
			f(start, i)
		}
		start = i + 1
	}
}

// skipPolite walks over "could you please", "I'd like you to", "make sure to".
func (r *reading) skipPolite(s, b int) int {
	switch r.w(s) {
	case "can", "could", "would", "will":
		if r.w(s+1) == "you" {
			s += 2
		}
	case "i":
		if (r.w(s+1) == "want" || r.w(s+1) == "need") && r.is(s+2, "you", "to") {
			s += 4
		} else if r.is(s+1, "would", "like", "you", "to") {
			s += 5
		}
	case "i'd":
		if r.is(s+1, "like", "you", "to") {
			s += 4
		}
	case "make":
		if r.is(s+1, "sure", "to") {
			s += 3
		} else if r.is(s+1, "sure", "you") {
			s += 3
		}
	case "remember":
		s++
		if r.w(s) == "to" {
			s++
		}
	}
	return min(r.skipFillers(s, b), b)
}

// toolIn finds a word for a tool in [a,b) and returns its token, or -1.
func (r *reading) toolIn(a, b int) int {
	for i := a; i < b; i++ {
		if r.toolNoun(i) != 0 || r.class(i)&prose.AnyTool != 0 {
			return i
		}
	}
	return -1
}

// namedTool returns the tool named in [a,b), "" for none or for all.
func (r *reading) namedTool(a, b int) string {
	var set tools
	for i := a; i < b; i++ {
		if r.class(i)&prose.AnyTool != 0 {
			return ""
		}
		set |= r.toolNoun(i)
	}
	return set.name()
}

// shows reports a verb for what is done with a tool.
func (r *reading) shows(i int) bool { return r.class(i)&prose.Shows != 0 }

// optsOut: stop showing me tables · never open a map again · no more tools ·
// from now on don't pop up forms · disable the tables. "Don't show me a table"
// alone holds for this turn only (deniedTools).
func (r *reading) optsOut(s, b int) bool {
	noun := r.toolIn(s, b)
	if noun < 0 || r.quoted(s, b) {
		return false
	}
	if r.t.Lang != prose.English {
		return r.optsOutAbroad(s, b, noun)
	}
	lasting := r.fromNowOn(s, b)
	if r.is(s, "from", "now", "on") {
		s = r.skipFillers(s+3, b)
	}
	for i := s; i < b; i++ {
		switch r.w(i) {
		case "again", "anymore", "ever", "never":
			lasting = true
		case "any":
			lasting = lasting || r.w(i+1) == "more"
		}
	}
	switch r.w(s) {
	case "stop", "quit", "cease":
		return r.shows(s+1) || noun <= s+2 || r.is(s+1, "it", "with")
	case "never":
		return r.shows(s + 1)
	case "no":
		return (r.w(s+1) == "more" || lasting) && noun <= s+4
	case "disable", "deactivate", "block", "ban":
		return noun <= s+4
	case "turn", "switch":
		return r.w(s+1) == "off" || r.w(b-1) == "off"
	case "leave":
		return lasting && r.w(s+1) == "out"
	case "don't", "dont", "do", "not":
		at := s + 1
		if r.w(s) == "do" {
			if r.w(s+1) != "not" {
				return false
			}
			at++
		}
		if r.w(at) == "ever" {
			at++
		}
		return lasting && (r.shows(at) || r.w(at) == "want" || r.w(at) == "need")
	case "i":
		at := s + 1
		if r.class(at)&prose.Negation == 0 || r.w(at) == "never" && !r.wants(at+1) {
			return false
		}
		if r.w(at+1) == "ever" {
			at++
		}
		return lasting && r.wants(at+1) || (r.w(at+1) == "want" || r.w(at+1) == "need") && (r.is(at+2, "any", "more"))
	case "i'm":
		return (r.is(s+1, "done", "with") || r.is(s+1, "through", "with")) && noun <= s+5
	}
	return false
}

// fromNowOn finds what makes an order last, in the clause or beside it.
func (r *reading) fromNowOn(a, b int) bool {
	for i := max(0, a-8); i < min(len(r.t.Toks), b+6); i++ {
		switch r.w(i) {
		case "from":
			if r.is(i+1, "now", "on") || r.is(i+1, "here", "on") {
				return true
			}
		case "future":
			return r.w(i-1) == "in" || r.w(i-2) == "in"
		case "ever":
			if r.w(i+1) == "again" {
				return true
			}
		}
	}
	return false
}

func (r *reading) wants(i int) bool {
	switch r.w(i) {
	case "want", "need", "like", "wanna":
		return true
	}
	return false
}

// quoted reports that the clause tells what somebody said: "he said stop …".
func (r *reading) quoted(s, b int) bool {
	return r.class(s)&prose.Subject != 0 && (r.w(s+1) == "said" || r.w(s+1) == "says" || r.w(s+1) == "asked")
}

// optsOutAbroad: nie wieder Tabellen · no me muestres más tablas · plus jamais
// de tableaux. What lasts is said by never, or by "more" behind a negation.
func (r *reading) optsOutAbroad(s, b, noun int) bool {
	lasting, order := false, false
	for i := s; i < b; i++ {
		c := r.class(i)
		lasting = lasting || c&prose.Never != 0
		order = order || c&prose.Shows != 0 || i == s && c&(prose.Negation|prose.Never) != 0
		switch r.w(i) {
		case "mehr", "más", "plus", "mais", "più", "meer":
			lasting = lasting || r.refuses(s, i) || r.refuses(i+1, b) || r.w(i) == "plus"
		case "wir", "hemos", "avons", "abbiamo", "temos", "hebben", "nous", "wij":
			return false
		}
	}
	return lasting && order && noun >= 0
}

func (r *reading) refuses(a, b int) bool {
	for i := a; i < b; i++ {
		if r.class(i)&(prose.Negation|prose.Never) != 0 {
			return true
		}
	}
	return false
}

// optsIn: turn the tools back on · you can use the tables again · enable maps.
func (r *reading) optsIn(s, b int) bool {
	noun := r.toolIn(s, b)
	if noun < 0 || r.impersonates() {
		return false
	}
	again := false
	for i := s; i < b; i++ {
		if r.class(i)&(prose.Negation|prose.Never) != 0 || r.w(i) == "his" || r.w(i) == "her" || r.w(i) == "their" ||
			r.w(i) == "power" {
			return false
		}
		switch r.w(i) {
		case "again", "back", "wieder", "nuevo", "vuelve", "vuelva", "nouveau", "novo", "nuovo", "weer", "opnieuw":
			again = true
		case "reactivar", "reactiva", "réactive", "réactivez", "réactiver", "reative", "reativar", "riattiva",
			"reaktiviere", "aktiviere", "activa", "activez", "active", "ative", "attiva", "activeer", "heractiveer":
			return r.t.Lang != prose.English
		}
	}
	if r.t.Lang != prose.English {
		return again
	}
	switch r.w(s) {
	case "enable", "re-enable", "reenable", "unblock", "reactivate", "activate", "unmute", "restore":
		return true
	case "turn", "switch", "bring", "allow", "use", "show", "start", "open", "give", "put":
		return again || r.w(b-1) == "on" || r.w(s+1) == "on"
	case "you":
		return again && (r.w(s+1) == "can" || r.w(s+1) == "may" || r.w(s+1) == "could")
	case "i":
		return again && (r.wants(s+1) || r.is(s+1, "would", "like") || r.w(s+1) == "allow" || r.w(s+1) == "changed")
	case "i'd", "feel", "let", "let's":
		return again
	case "re":
		return r.w(s+1) == "enable"
	}
	// "tools on again please", "process maps are fine again": the tool itself first
	return again && noun <= s+2 && b-s <= noun-s+6 &&
		(r.w(noun+1) == "on" || r.class(noun+1)&prose.Aux != 0 && !r.is(noun+1, "work") &&
			(r.w(noun+2) == "fine" || r.w(noun+2) == "ok" ||
				r.w(noun+2) == "okay" || r.w(noun+2) == "welcome" || r.w(noun+2) == "allowed" || r.w(noun+2) == "good"))
}

// impersonates reports text that speaks in another role.
func (r *reading) impersonates() bool {
	for i := range r.t.Toks {
		switch r.w(i) {
		case "pretend", "imagine", "assume", "ignore", "roleplay", "disregard":
			return true
		case "system", "assistant", "developer", "admin", "administrator", "root":
			if k := i + 1; k < len(r.t.Toks) &&
				(r.t.Toks[k].Kind == prose.Colon || r.t.Toks[k].Mark == ']' || r.t.Toks[k].Mark == '>') ||
				r.w(k) == "said" || r.w(k) == "says" || r.w(k) == "override" || r.w(k) == "message" ||
				r.w(k) == "prompt" {
				return true
			}
		case "user":
			if r.w(i-1) == "the" {
				return true
			}
		}
	}
	return false
}

// cancels: a short order to close what is open.
func (r *reading) cancels(s, b int) bool {
	if r.is(s, "i", "want", "to") || r.is(s, "i", "wanna") {
		s += 2
	} else if r.w(s) == "let's" || r.w(s) == "lets" || r.w(s) == "to" || r.w(s) == "just" {
		s++
	}
	if r.w(s) == "to" {
		s++
	}
	if b-s > 5 {
		return false
	}
	if r.t.Lang != prose.English {
		return r.class(s)&prose.Closes != 0 || r.class(b-1)&prose.Closes != 0
	}
	switch r.w(s) {
	case "cancel", "dismiss", "abort", "discard", "nevermind", "nvm", "scrap":
		return true
	case "never":
		return r.w(s+1) == "mind" && b-s == 2
	case "forget", "close", "hide", "drop", "stop":
		next := r.w(s + 1)
		return next == "it" || next == "that" || next == "this" || r.toolIn(s, b) > 0
	case "get":
		return r.is(s+1, "rid", "of") && (r.w(s+3) == "it" || r.w(s+3) == "this" || r.toolIn(s, b) > 0)
	}
	return false
}

// resumes: back to what is open.
func (r *reading) resumes(s, b int) bool {
	if r.w(s) == "let's" || r.w(s) == "lets" {
		s++
	}
	if r.t.Lang != prose.English {
		return r.class(s)&prose.Resumes != 0 && b-s <= 4
	}
	switch r.w(s) {
	case "i'm":
		return r.w(s+1) == "back"
	case "where":
		return r.is(s+1, "were", "we") || r.is(s+1, "was", "i") || r.is(s+1, "did", "we")
	case "resume", "reopen":
		return true
	case "continue", "carry":
		return b-s <= 4 && r.w(s+1) != "to"
	case "pick":
		return r.w(s+1) == "up"
	case "open", "show":
		return (r.w(s+1) == "it" || r.toolIn(s, b) > 0) && r.w(b-1) == "again"
	case "can", "could", "may", "i", "we", "go", "back", "take", "bring", "return", "get":
		for i := s; i < b; i++ {
			if r.w(i) == "back" && r.w(i+1) == "to" || r.w(i) == "return" && r.w(i+1) == "to" {
				return r.toolIn(i, b) > 0 || r.w(i+2) == "it"
			}
		}
	}
	return false
}

// declines: "no, and don't ask again" while a tool is open or asked about.
func (r *reading) declines(state ui.Router) (controlMessage, bool) {
	tool := ""
	switch {
	case state.LastStatus == ui.StatusToolOpen:
		tool = state.LastTool
	case state.Pending != nil && state.Pending.Rule == nil && !state.Pending.OptOut:
		tool = state.Pending.Tool
	default:
		return controlMessage{}, false
	}
	for i := range r.t.Toks[:min(len(r.t.Toks), 20)] {
		w, hit := r.w(i), false
		switch w {
		case "ask", "bother", "suggest", "propose":
			again := false
			for j := i + 1; j < min(len(r.t.Toks), i+5); j++ {
				again = again || r.w(j) == "again" || r.w(j) == "anymore" || r.is(j, "any", "more")
			}
			hit = again && r.class(i-1)&prose.Negation != 0 || r.w(i-1) == "never"
		case "asking", "bothering", "suggesting":
			hit = r.w(i-1) == "stop" || r.w(i-1) == "quit"
		case "frag", "frage", "fragen", "preguntar", "preguntes", "demande", "demandez", "demander", "pergunte",
			"perguntar", "chiedere", "chiedermelo", "chiedermi", "vraag", "vragen":
			hit = r.refuses(0, len(r.t.Toks)) || r.says("no")
			again := false
			for j := range r.t.Toks {
				switch r.w(j) {
				case "wieder", "mehr", "nochmal", "vuelvas", "más", "plus", "mais", "novamente", "più", "meer",
					"opnieuw":
					again = true
				}
			}
			hit = hit && again
		}
		if hit && !r.asked(i, i) {
			return controlMessage{kind: ControlDecline, tool: tool, b: len(r.t.Toks)}, true
		}
	}
	return controlMessage{}, false
}

// prefers: I prefer tables · I'd rather have maps than tables.
func (r *reading) prefers(s, b int) tools {
	at := -1
	switch {
	case r.is(s, "i", "prefer") || r.is(s, "i'd", "prefer"):
		at = s + 2
	case r.is(s, "i", "generally", "prefer"), r.is(s, "i", "usually", "prefer"), r.is(s, "i", "always", "prefer"),
		r.is(s, "i", "would", "prefer"),
		r.is(s, "i'd", "rather", "have"), r.is(s, "i'd", "rather", "use"), r.is(s, "i'd", "rather", "see"),
		r.is(s, "i", "like", "using"):
		at = s + 3
	case r.w(s) == "prefer":
		at = s + 1
	}
	if at < 0 {
		return 0
	}
	for i := at; i < min(b, at+4); i++ {
		if n := r.toolNoun(i); n != 0 && prose.PluralForm(r.w(i)) && r.w(i+1) != "for" {
			return n
		}
		if r.class(i)&prose.Negation != 0 || r.w(i) == "to" {
			return 0
		}
	}
	return 0
}
