package route

import (
	"slices"
	"strings"

	"github.com/limn-ui/limn/internal/prose"
)

var (
	filler, you, thanks              = the("filler"), the("you"), the("thanks")
	advice, unreal, supposes         = the("advice"), the("unreal"), the("supposes")
	explains, asks, edits            = the("explains"), the("asks"), the("edits")
	asksInside                       = the("asksInside")
	helps, mayAsk, aboutTools        = the("helps"), the("mayAsk"), the("aboutTools")
	produces, producesForYou, filled = the("produces"), the("producesForYou"), the("filled")
	releases, dismisses              = the("releases"), the("dismisses")
	furniture, flowchart             = the("furniture"), the("flowchart")
	keeps, checks                    = the("keeps"), the("checks")
)

// read reads a message. A table in a kitchen is no tool.
func read(message string, prefs Prefs) *reading {
	r := &reading{t: prose.Read(message), message: message, prefs: prefs}
	r.number(rules)
	n := len(r.ids)
	for i := r.find(furniture, 0, n); i >= 0; i = r.find(furniture, i+1, n) {
		r.t.Toks[i].Class &^= prose.TableTool | prose.MapTool
	}
	for i := r.find(tabular, 0, n); i >= 0; i = r.find(tabular, i+1, n) {
		r.t.Toks[i].Class |= prose.TableTool
		r.held.class |= prose.TableTool
	}
	for i := r.find(flowchart, 0, n); i >= 0; i = r.find(flowchart, i+1, n) {
		r.t.Toks[i].Class |= prose.MapTool
		r.held.class |= prose.MapTool
	}
	return r
}

// prepare makes the text ready for the triggers. With shapes, it first mutes the
// sentences that only want words: questions for an explanation, lists the
// assistant is to produce, edits of single items (facts ). Where one is about
// pasted lines it mutes these as well, unless it asks for a table of them.
func (r *reading) prepare(shapes bool) {
	r.block = prose.Lines(r.message)
	if shapes {
		about := "" // the shape of the sentence next to the pasted lines
		from, to := r.blockTokens()
		r.eachSentence(func(a, b int, mark byte) {
			shape := r.shapeOf(a, b, mark)
			if b <= from || from == 0 && a >= to {
				about = ""
				if r.closes(a, b, mark) {
					about, r.noted.keeps = shape, r.keeps(a, b)
				}
			}
			r.noted.wonders = shape == "chat.explain"
			r.noted.checks = mark == '?' && r.at(checks, r.skip(filler, a, b), b)
			if shape == "" {
				return
			}
			if r.shape == "" {
				r.shape = shape
			}
			r.mute(a, b)
		})
		if !r.noted.keeps && (about == "chat.explain" || about == "chat.assistant_produces") {
			r.mute(from, to)
			r.block, r.shape, r.noted.asked = prose.Block{}, about, true
		} else if r.block.Kind == prose.Records {
			r.mute(from, to)
		}
		r.denied, r.prepared = r.deniedTools(), true
		r.noted.wonders = r.noted.wonders || strings.Contains(r.message, "```")
	}
	r.qs = r.t.Quantities()
	r.flow = r.t.Flow()
	if arrows := r.t.ArrowFlow(); arrows.Linked >= 2 {
		r.flow, r.noted.arrows = arrows, true
	}
}

// closes reports that the sentence is a question or an order about the lines next to it. "Who
// comes:" is answered by the lines below.
func (r *reading) closes(a, b int, mark byte) bool {
	return mark == '?' || mark == '.' && r.t.CJK ||
		r.t.Toks[b-1].Kind == prose.Colon && !r.at(asks, r.skip(filler, a, b), b)
}

// keeps reports a sentence that asks for a table of the lines next to it, or for a way to keep
// track of them.
func (r *reading) keeps(a, b int) bool {
	i := r.find(keeps, a, b)
	return i >= 0 && !r.is(filled, i)
}

// blockTokens returns the tokens of the pasted lines.
func (r *reading) blockTokens() (from, to int) {
	if r.block.To == 0 {
		return 0, len(r.t.Toks)
	}
	start := len(prose.Clean(r.message[:r.block.From]))
	end := start + len(prose.Clean(r.message[r.block.From:r.block.To]))
	at := func(byte int) int {
		i, _ := slices.BinarySearchFunc(r.t.Toks, byte, func(tok prose.Token, byte int) int { return tok.Start - byte })
		return i
	}
	return at(start), at(end)
}

// eachSentence calls f with the tokens of each sentence and the mark after it.
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

// skip walks over tokens that match the rule: "ok, so please".
func (r *reading) skip(p *rule, a, b int) int {
	for a < b && r.is(p, a) {
		a++
	}
	return a
}

// past returns the token after a match of the rule at a, or a.
func (r *reading) past(p *rule, a, b int) int { return max(a, r.end(p, a, b)) }

// shapeOf names the chat-only shape of a sentence, "" if it has none.
func (r *reading) shapeOf(a, b int, mark byte) string {
	s := r.skip(filler, a, b)
	switch {
	case s >= b:
		return ""
	case r.t.CJK:
		return r.shapeCJK(a, b, mark)
	case r.t.Unlisted() && says(r.t.Src[r.t.Toks[a].Start:r.t.Toks[b-1].End], "produce"):
		return "chat.assistant_produces"
	case r.foreign():
		return r.shapeAbroad(s, b, mark)
	}
	order := r.past(you, s, b)
	switch {
	case mark == '?' && r.at(advice, s, b):
		return "chat.explain"
	case r.at(unreal, s, b):
		return "chat.negation"
	case r.at(supposes, s, b):
		return "chat.hypothetical"
	case r.at(thanks, a, b) || r.at(thanks, s, b):
		return "chat.greeting"
	case r.at(explains, order, b) || order == s && r.at(asks, s, b) ||
		r.at(asksInside, s, b) || r.find(helps, s, b) >= 0:
		return "chat.explain"
	case (mark == '?' || mark == 0) && r.at(mayAsk, s, b) && r.find(aboutTools, s, b) < 0:
		return "chat.explain" // can I freeze hummus after it is open?
	case r.at(produces, order, b) || order > s && r.at(producesForYou, order, b):
		return "chat.assistant_produces"
	case r.at(edits, order, b):
		return "chat.single_item"
	}
	return ""
}

// greeting reports a message that only greets or thanks.
func (r *reading) greeting() bool { return r.class(0)&prose.Greet != 0 }

// toolNoun says which tool the word at i names, if any.
func (r *reading) toolNoun(i int) tools {
	switch c := r.class(i); {
	case c&prose.TableTool != 0:
		return table
	case c&prose.MapTool != 0:
		return processMap
	}
	return 0
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
		case tok.Word == "doubt" && r.w(j-1) != "no", r.is(dismisses, j):
			return true
		case tok.Class&prose.Negation != 0:
			inability := strings.HasPrefix(tok.Word, "can") || strings.HasPrefix(tok.Word, "could")
			return !(inability && !request) && r.w(j+1) != "only" && (request || !r.is(releases, j)) &&
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
