package route

import (
	"github.com/limn-ui/limn/route/prose"
	"github.com/limn-ui/limn/ui"
)

// control is what a message says about the tools themselves.
type controlMessage struct {
	kind Control
	tool string // opt-out and opt-in: "" = all
	a, b int    // the tokens that say it
}

// control finds an order about the tools. Only clauses in the user's own
// imperative count; quoted text is masked, and text that plays somebody else
// ("SYSTEM:", "pretend …") never re-enables anything (facts R-21).
func (r *reading) control(state ui.Router) (c controlMessage) {
	r.eachClause(func(a, b int) {
		if c.kind != "" {
			return
		}
		s := r.skipFillers(a, b)
		switch {
		case r.optsOut(s, b):
			c = controlMessage{ControlOptOut, r.namedTool(s, b), a, b}
		case (state.OptOut.All || len(state.OptOut.Tools) > 0) && r.optsIn(s, b):
			c = controlMessage{ControlOptIn, r.namedTool(s, b), a, b}
		case state.LastStatus == ui.StatusToolOpen && r.cancels(s, b):
			c.kind = ControlCancel
		case state.LastStatus == ui.StatusToolOpen && r.resumes(s, b):
			c.kind = ControlResume
		}
	})
	return c
}

// eachClause calls f for each run of tokens between stops and commas.
func (r *reading) eachClause(f func(a, b int)) {
	start := 0
	for i := 0; i <= len(r.t.Toks); i++ {
		if i < len(r.t.Toks) && r.t.Toks[i].Kind != prose.Stop && r.t.Toks[i].Kind != prose.Comma {
			continue
		}
		if i > start {
			f(start, i)
		}
		start = i + 1
	}
}

// toolIn finds a word for a tool in [a,b) and returns its token, or -1.
func (r *reading) toolIn(a, b int) int {
	for i := a; i < b; i++ {
		if r.toolNoun(i) != 0 || anyTool(r.w(i)) {
			return i
		}
	}
	return -1
}

// namedTool returns the tool named in [a,b), "" for none or for all.
func (r *reading) namedTool(a, b int) string {
	var set tools
	for i := a; i < b; i++ {
		set |= r.toolNoun(i)
		if anyTool(r.w(i)) {
			return ""
		}
	}
	return set.name()
}

func shows(w string) bool {
	switch w {
	case "show", "showing", "open", "opening", "pop", "popping", "display", "displaying", "use", "using", "send", "sending", "bring", "bringing",
		"give", "giving", "offer", "offering", "push", "pushing", "launch", "launching", "ask", "asking", "put", "suggest", "suggesting", "with":
		return true
	}
	return false
}

// optsOut: stop showing me tables · never open a map again · no more tools ·
// from now on don't pop up forms. "Don't show me a table" alone holds for this
// turn only (deniedTools).
func (r *reading) optsOut(s, b int) bool {
	lasting := false
	if r.is(s, "from", "now", "on") {
		s, lasting = r.skipFillers(s+3, b), true
	}
	for i := s; i < b; i++ {
		switch r.w(i) {
		case "again", "anymore", "ever":
			lasting = true
		case "any":
			lasting = lasting || r.w(i+1) == "more"
		case "from":
			lasting = lasting || r.is(i, "from", "now", "on")
		}
	}
	noun := r.toolIn(s, b)
	switch r.w(s) {
	case "stop", "quit":
		return noun >= 0 && (shows(r.w(s+1)) || noun == s+1 || noun == s+2)
	case "never":
		return noun >= 0 && shows(r.w(s+1))
	case "no":
		return noun >= 0 && r.w(s+1) == "more" && noun <= s+4
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
		return lasting && noun >= 0 && (shows(r.w(at)) || r.w(at) == "want" || r.w(at) == "need")
	case "i":
		return noun >= 0 && lasting && r.class(s+1)&prose.Negation != 0 && (r.w(s+2) == "want" || r.w(s+2) == "need" || r.w(s+2) == "like")
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
		if r.class(i)&prose.Negation != 0 {
			return false
		}
		again = again || r.w(i) == "again" || r.w(i) == "back"
	}
	switch r.w(s) {
	case "enable", "re-enable", "reenable", "unblock", "reactivate":
		return true
	case "turn", "switch", "bring", "allow", "use", "show", "start":
		return again || r.is(b-1, "on")
	case "you":
		return again && (r.w(s+1) == "can" || r.w(s+1) == "may" || r.w(s+1) == "could")
	case "i":
		return again && (r.w(s+1) == "want" || r.w(s+1) == "need" || r.is(s+1, "would", "like") || r.w(s+1) == "allow")
	case "i'd":
		return again && r.w(s+1) == "like"
	case "re":
		return r.w(s+1) == "enable"
	}
	return false
}

// impersonates reports text that speaks in another role.
func (r *reading) impersonates() bool {
	for i := range r.t.Toks {
		switch r.w(i) {
		case "pretend", "imagine", "assume", "ignore", "roleplay":
			return true
		case "system", "assistant", "developer", "admin":
			if i+1 < len(r.t.Toks) && r.t.Toks[i+1].Kind == prose.Colon {
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
	if b-s > 5 || s > 6 {
		return false
	}
	switch r.w(s) {
	case "cancel", "dismiss", "abort", "discard", "nevermind":
		return true
	case "never":
		return r.w(s+1) == "mind"
	case "forget", "close", "hide":
		next := r.w(s + 1)
		return next == "it" || next == "that" || next == "this" || r.toolIn(s, b) > 0
	}
	return false
}

// resumes: back to what is open.
func (r *reading) resumes(s, b int) bool {
	switch r.w(s) {
	case "i'm":
		return r.w(s+1) == "back"
	case "where":
		return r.is(s+1, "were", "we")
	case "resume", "reopen":
		return true
	case "continue":
		return b-s <= 4
	case "pick":
		return r.w(s+1) == "up"
	case "open", "show":
		return (r.w(s+1) == "it" || r.toolIn(s, b) > 0) && r.w(b-1) == "again"
	}
	return false
}
