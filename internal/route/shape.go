package route

import (
	"strings"

	"github.com/limn-ui/limn/internal/prose"
)

// prepare reads what the triggers look at. With shapes, it first mutes the
// sentences that only want words: questions for an explanation, lists the
// assistant is to produce, edits of single items (facts ).
func (r *reading) prepare(shapes bool) {
	if shapes {
		r.eachSentence(func(a, b int, mark byte) {
			shape := r.shapeOf(a, b, mark)
			if shape == "" {
				return
			}
			if r.shape == "" {
				r.shape = shape
			}
			r.t.Mute(a, b)
		})
		r.denied, r.prepared = r.deniedTools(), true
	}
	r.qs = r.t.Quantities()
	r.flow = r.t.Flow()
	if arrows := r.t.ArrowFlow(); arrows.Linked >= 2 {
		r.flow = arrows
	}
	r.block = prose.Lines(r.message)
}

// eachSentence calls f with the tokens of each sentence and the mark behind it.
func (r *reading) eachSentence(f func(a, b int, mark byte)) {
	start := 0
	for i := 0; i <= len(r.t.Toks); i++ {
		if i < len(r.t.Toks) && (r.t.Toks[i].Kind != prose.Stop || r.t.Toks[i].Mark == ';') {
			continue
		}
		mark := byte(0)
		if i < len(r.t.Toks) {
			mark = r.t.Toks[i].Mark
		}
		if i > start {
			f(start, i, mark)
		}
		start = i + 1
	}
}

// w returns the word at i, "" outside.
func (r *reading) w(i int) string {
	if i < 0 || i >= len(r.t.Toks) {
		return ""
	}
	return r.t.Toks[i].Word
}

func (r *reading) class(i int) prose.Class {
	if i < 0 || i >= len(r.t.Toks) {
		return 0
	}
	return r.t.Toks[i].Class
}

// is reports whether the words from i on are these.
func (r *reading) is(i int, words ...string) bool {
	for k, w := range words {
		if r.w(i+k) != w {
			return false
		}
	}
	return true
}

// skipFillers walks over "ok, so please".
func (r *reading) skipFillers(a, b int) int {
	for a < b {
		switch r.w(a) {
		case "ok", "okay", "so", "well", "actually", "and", "but", "please", "hey", "hi", "hello", "now", "also",
			"then", "just", "yes", "yeah", "sure", "thanks", "great", "um", "oh", "quick", "question":
		default:
			if k := r.t.Toks[a].Kind; k != prose.Comma && k != prose.Colon && k != prose.Dash {
				return a
			}
		}
		a++
	}
	return a
}

// shapeOf names the chat-only shape of a sentence, "" if it has none.
func (r *reading) shapeOf(a, b int, mark byte) string {
	s := r.skipFillers(a, b)
	switch {
	case s >= b:
		return ""
	case r.t.CJK:
		return r.shapeCJK(a, b, mark)
	case r.foreign():
		return r.shapeAbroad(s, b, mark)
	}
	you := 0 // "can you", "could you please"
	switch r.w(s) {
	case "can", "could", "would", "will":
		if r.w(s+1) == "you" {
			if you = 2; r.w(s+2) == "please" || r.w(s+2) == "also" || r.w(s+2) == "just" {
				you = 3
			}
		}
	case "i'd":
		if r.is(s+1, "like", "you", "to") && s+4 < b {
			you = 4
		}
	case "i":
		if (r.is(s+1, "want", "you", "to") || r.is(s+1, "need", "you", "to")) && s+4 < b {
			you = 4
		}
	}
	switch {
	case r.advice(s, b) && mark == '?':
		return "chat.explain"
	case r.unreal(s, b):
		return "chat.negation"
	case r.supposes(s, b):
		return "chat.hypothetical"
	case r.w(a) == "thanks" && r.w(a+1) == "for", r.w(a) == "thank" && r.is(a+1, "you", "for"):
		return "chat.greeting"
	case r.explains(s+you) || you == 0 && r.asks(s, b, mark):
		return "chat.explain"
	case r.produces(s+you, b, you > 0):
		return "chat.assistant_produces"
	case r.edits(s+you, b):
		return "chat.single_item"
	}
	return ""
}

// advice: … what should I do? · My reports are unhappy, how do I win them back?
// What the user would enter is no matter of advice.
func (r *reading) advice(s, b int) bool {
	for i := s; i < b; i++ {
		switch r.w(i) {
		case "what", "how", "who", "which", "why":
		default:
			continue
		}
		ask := i + 1
		if r.w(i) == "which" || r.w(i) == "what" && r.class(ask)&prose.Aux == 0 {
			ask++
		}
		switch r.w(ask) {
		case "do", "can", "should", "would", "could", "shall", "must":
			if r.class(ask+1)&prose.Subject != 0 && !r.offers(ask, b) {
				return true
			}
		}
	}
	return false
}

// unreal: it's not like first we pay and then they deliver.
func (r *reading) unreal(s, b int) bool {
	for i := s; i < min(b, s+4); i++ {
		if r.class(i)&prose.Negation != 0 && (r.w(i+1) == "like" || r.is(i+1, "as", "if") ||
			r.is(i+1, "true", "that") || r.is(i+1, "the", "case")) && b-i > 4 {
			return true
		}
	}
	return false
}

// supposes: imagine we had 50 stakeholders · if we had 20 suppliers.
func (r *reading) supposes(s, b int) bool {
	switch r.w(s) {
	case "imagine", "suppose", "supposing", "pretend", "hypothetically":
		return true
	case "what":
		return r.w(s+1) == "if"
	case "if":
		return r.class(s+1)&prose.Subject != 0 && (r.w(s+2) == "had" || r.w(s+2) == "were")
	}
	return false
}

// explains knows the orders that want words back.
func (r *reading) explains(s int) bool {
	switch r.w(s) {
	case "explain", "describe", "clarify", "define", "compare", "elaborate", "teach", "translate", "rephrase", "remind",
		"summarise", "summarize", "recap":
		return true
	case "tell":
		switch r.w(s + 2) {
		case "about", "what", "why", "how", "when", "who", "more", "which", "where":
			return r.w(s+1) == "me" || r.w(s+1) == "us"
		}
	case "show":
		return r.w(s+2) == "how" || r.w(s+2) == "what" || r.w(s+2) == "why"
	case "help":
		return r.w(s+2) == "understand" || r.w(s+2) == "decide" || r.w(s+2) == "think"
	case "walk":
		return r.w(s+2) == "through"
	}
	return false
}

// asks knows the questions that want words back. A question in which the user
// offers something ("can I paste …", "where can I put it") is none.
func (r *reading) asks(s, b int, mark byte) bool {
	w, next := r.w(s), r.w(s+1)
	question := mark == '?'
	switch w {
	case "what's", "who's", "how's", "where's", "why", "when's":
		if w == "why" {
			return next != "not" && !r.is(s, "why", "don't", "i") && !r.is(s, "why", "don't", "we")
		}
		return !r.offers(s+1, b)
	case "any":
		switch next {
		case "tips", "advice", "ideas", "suggestions", "thoughts", "recommendations", "examples", "pointers", "hints",
			"experience":
			return true
		}
	case "what", "how", "who", "which", "whose", "where", "when":
		if next == "about" && r.class(s+2)&prose.NumWord == 0 || r.offers(s+1, b) {
			return false
		}
		if question {
			return true
		}
		switch next {
		case "long", "often", "big", "far":
			return w == "how"
		case "is", "are", "was", "were", "does", "do", "did", "can", "should", "would", "could", "will", "has", "have",
			"many", "much":
			return w != "when"
		}
		return false
	case "is", "are", "was", "were", "does", "do", "did", "should", "has", "have", "will", "would":
		return question && !r.offers(s, b) &&
			!(w == "is" && next == "there" && (r.is(s+2, "a", "way") || r.is(s+2, "any", "way"))) &&
			!(w == "is" && next == "it" && r.w(s+2) == "possible") &&
			!(w == "do" && next == "you" && (r.w(s+2) == "want" || r.w(s+2) == "need"))
	}
	return false
}

// offers finds "can I paste", "should we list", "the best way for me to enter"
// in a question: what the user has is meant, not what others know.
func (r *reading) offers(s, b int) bool {
	for i := s; i < min(b, s+4); i++ { // do I need to enter all 40 by hand?
		if (r.w(i) == "i" || r.w(i) == "we") && (r.is(i+1, "need", "to") || r.is(i+1, "have", "to")) &&
			r.w(i-1) == "do" {
			return r.w(i-2) != ""
		}
	}
	for i := s; i < min(b, s+8); i++ {
		switch r.w(i) {
		case "i", "we":
			if i > s+2 {
				continue
			}
		case "to":
		default:
			continue
		}
		for j := i + 1; j < min(b, i+4); j++ {
			if enters(r.w(j)) {
				return true
			}
		}
	}
	return false
}

// enters reports a verb for what users do with their items.
func enters(w string) bool {
	switch w {
	case "add", "enter", "paste", "upload", "import", "log", "record", "register", "put", "submit", "list", "capture",
		"fill", "give", "send", "share",
		"drop", "copy", "insert", "save", "store", "type", "track", "document", "note", "load", "input":
		return true
	}
	return false
}

// produces knows orders whose result flows to the user: "give me 5 examples".
func (r *reading) produces(s, b int, you bool) bool {
	me := r.w(s+1) == "me" || r.w(s+1) == "us"
	switch r.w(s) {
	case "suggest", "recommend", "propose", "generate", "brainstorm", "name", "think", "come", "invent", "summarise",
		"summarize":
	case "write", "draft", "compose":
		if r.composes(s+1, b) {
			return true
		}
		if !me && !you {
			return false
		}
	case "give", "show", "tell", "get", "send", "find", "prepare":
		if !me && !you {
			return false
		}
	case "make", "create", "build": // a table comparing the vendors
		for i := s + 1; i < b; i++ {
			if r.toolNoun(i) == table {
				return r.tableOfContents(i) && r.w(i+1) != "of" && r.w(i+1) != "with"
			}
		}
		return false
	case "list", "provide", "outline":
		if n := r.t.Toks[min(s+1, b-1)]; !you && !me && n.Kind != prose.Number &&
			n.Class&(prose.NumWord|prose.Vague) == 0 && r.w(s+1) != "the" && r.w(s+1) != "common" {
			return false
		}
	default:
		return false
	}
	for i := s + 1; i < b; i++ {
		switch r.w(i) {
		case "our", "my", "these", "following":
			return false
		case "something":
			return !r.is(i+1, "to", "fill")
		}
		if r.toolNoun(i) != 0 {
			return r.tableOfContents(i)
		}
	}
	return true
}

// composes: write 10 subject lines, draft an email to our 20 suppliers.
func (r *reading) composes(s, b int) bool {
	if r.w(s) == "me" || r.w(s) == "us" {
		s++
	}
	if s < b && (r.t.Toks[s].Kind == prose.Number || r.class(s)&prose.NumWord != 0) {
		return true
	}
	for i := s; i < min(b, s+4); i++ {
		switch r.w(i) {
		case "email", "emails", "mail", "letter", "message", "summary", "text", "post", "memo", "reply", "speech",
			"note", "article", "poem", "paragraph", "invitation", "announcement", "newsletter", "script", "agenda":
			return true
		}
	}
	return false
}

// edits knows orders about what is there already.
func (r *reading) edits(s, b int) bool {
	switch r.w(s) {
	case "change", "rename", "update", "delete", "remove", "set", "edit", "replace", "correct", "swap", "reassign",
		"undo", "sort", "reorder", "filter", "highlight", "duplicate":
		if r.w(s) == "set" && (r.w(s+1) == "up" || r.w(s+1) == "something" || r.w(s+2) == "up" || r.w(s+3) == "up") {
			return false
		}
	case "add", "include", "insert", "append":
		one := r.w(s + 1)
		if one != "one" && one != "another" && one != "a" && one != "an" || r.toolNoun(s+2) != 0 ||
			r.class(s+2)&prose.NumWord != 0 || r.w(s+2) == "few" || r.w(s+2) == "list" {
			return false
		}
	default:
		return false
	}
	for i := s + 1; i < b; i++ { // part of a process, or a whole list
		if r.class(i)&prose.Mark != 0 && r.class(i)&prose.NumWord == 0 && r.w(i) != "second" && r.w(i) != "third" &&
			r.w(i) != "first" && r.w(i) != "next" && r.w(i) != "once" || r.t.Toks[i].Kind == prose.Arrow ||
			r.class(i)&prose.Sheet != 0 {
			return false
		}
	}
	return true
}

// greeting reports a message that only greets or thanks.
func (r *reading) greeting() bool { return r.class(0)&prose.Greet != 0 }

// toolNoun says which tool the word at i names, if any.
func (r *reading) toolNoun(i int) tools {
	switch c := r.class(i); {
	case c&prose.TableTool != 0:
		switch r.w(i - 1) {
		case "kitchen", "dining", "coffee", "periodic", "pool", "round", "wooden", "league", "dinner", "bedside":
			return 0
		}
		return table
	case c&prose.MapTool != 0:
		switch r.w(i - 1) {
		case "road", "site", "mind", "story", "heat", "street", "world", "city", "treasure", "google":
			return 0
		}
		return processMap
	case r.w(i) == "chart" && r.w(i-1) == "flow", r.w(i) == "charts" && r.w(i-1) == "flow":
		return processMap
	}
	return 0
}

// tableOfContents reports a table the assistant is to fill: a table comparing
// the options, a table of contents. "Fill in a table of our vendors" is none.
func (r *reading) tableOfContents(i int) bool {
	switch r.w(i + 1) {
	case "comparing", "showing", "summarising", "summarizing", "listing":
		return true
	case "of":
		if r.toolNoun(i) == processMap {
			return false
		}
		for j := i + 1; j < min(len(r.t.Toks), i+8); j++ {
			if w := r.w(j); w == "our" || w == "my" || w == "we" || w == "i" || w == "these" {
				return false
			}
		}
		for j := i - 1; j >= max(0, i-4); j-- {
			if r.w(j) == "fill" || r.w(j) == "complete" {
				return false
			}
		}
		return true
	case "with":
		return r.w(i+2) != "our" && r.w(i+2) != "my"
	}
	return false
}

// deniedTools finds tools refused for this turn: "no spreadsheet please".
func (r *reading) deniedTools() tools {
	var out tools
	for i := range r.t.Toks {
		n := r.toolNoun(i)
		if r.class(i)&prose.AnyTool != 0 {
			n = both
		}
		if n != 0 && r.denies(i, true) {
			out |= n
		}
	}
	return out
}

// denies reports that a negation in the same clause governs token i. A verb in
// the past between them breaks the hold: "we never documented the process". An
// inability ("I can't type all 14") denies only requests.
func (r *reading) denies(i int, request bool) bool {
	for j := i - 1; j >= 0 && j >= i-7; j-- {
		tok := r.t.Toks[j]
		switch {
		case tok.Kind == prose.Comma || tok.Kind == prose.Stop || tok.Kind == prose.Colon || tok.Kind == prose.Dash ||
			tok.Word == "but" || tok.Word == "because":
			return false
		case tok.Word == "doubt" && r.w(j-1) != "no":
			return true
		case tok.Class&prose.Negation != 0:
			inability := strings.HasPrefix(tok.Word, "can") || strings.HasPrefix(tok.Word, "could")
			return !(inability && !request) && r.w(j+1) != "only" && (request || !r.releases(j)) &&
				!(tok.Word == "no" && (r.w(j+1) == "problem" || r.w(j+1) == "worries"))
		case (tok.Word == "nobody" || tok.Word == "none") &&
			(r.w(j+1) == "has" || r.w(j+1) == "owns" || r.w(j+1) == "needs" || r.w(j+1) == "wants"):
			return true
		case tok.Class&prose.VerbPast != 0 && !request:
			return false
		}
	}
	return false
}

// releases reports a negation that says nothing about what follows: don't know
// how to enter, don't want to lose track of, no more than, not sure.
func (r *reading) releases(i int) bool {
	if r.w(i-1) == "why" {
		return true
	}
	switch r.w(i + 1) {
	case "know", "sure", "forget", "mind", "lose", "miss", "wait", "understand", "remember":
		return true
	case "want", "wanna":
		switch r.w(i + 3) {
		case "lose", "forget", "miss", "overlook", "skip", "type", "mix":
			return true
		}
	case "more", "fewer", "less":
		return r.w(i+2) == "than"
	}
	return false
}
