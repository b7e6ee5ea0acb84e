package route

import (
	"unicode/utf8"

	"github.com/limn-ui/limn/internal/prose"
	"github.com/limn-ui/limn/ui"
)

// The rules for languages other than English. Those with a Lexicon are read by
// the classes of their words; Chinese and Japanese, which have no spaces, by the
// words that the text contains.

var (
	questionAbroad, explainsAbroad = the("questionAbroad"), the("explainsAbroad")
	thinksAbroad, filledAbroad     = the("thinksAbroad"), the("filledAbroad")
	emptyAbroad, makesAbroad       = the("emptyAbroad"), the("makesAbroad")
	givesAbroad, editsAbroad       = the("givesAbroad"), the("editsAbroad")
	pastesAbroad, approvalAbroad   = the("pastesAbroad"), the("approvalAbroad")
	ours, drawsAbroad              = the("ours"), the("drawsAbroad")
)

// foreign reports a text with a Lexicon that is not English.
func (r *reading) foreign() bool { return r.t.Lang != prose.English }

// shapeAbroad is shapeOf: erkläre … · gib mir 5 Ideen · ändere den Namen.
func (r *reading) shapeAbroad(s, b int, mark byte) string {
	switch {
	case mark == '?' && r.at(questionAbroad, s, b), r.at(explainsAbroad, s, b), r.at(thinksAbroad, s, b):
		return "chat.explain"
	case r.at(givesAbroad, s, b), r.find(filledAbroad, s, b) >= 0:
		return "chat.assistant_produces"
	case r.at(editsAbroad, s, b):
		return "chat.single_item"
	}
	return ""
}

// explicitAbroad: zeig mir eine Tabelle · muéstrame una tabla.
func (r *reading) explicitAbroad(c *candidate) bool {
	if r.t.CJK || r.t.Unlisted() {
		src := r.head()
		c.tool = r.toolsCJK()
		return (c.tool == table || c.tool == processMap) &&
			says(src, "opens") && !says(src, "denies")
	}
	if i := r.find(drawsAbroad, 0, len(r.t.Toks)); i >= 0 && !r.denies(i, true) {
		c.tool = processMap
		return true
	}
	if i := r.find(makesAbroad, 0, len(r.t.Toks)); i >= 0 && !r.denies(i, true) {
		c.tool = table
		return true
	}
	for i := range r.t.Toks {
		n := r.toolNoun(i)
		if n == 0 || r.denies(i, true) || r.class(i)&prose.Sheet != 0 || n == processMap && r.ofPlace(i) {
			continue
		}
		if r.is(emptyAbroad, i-1) || r.is(emptyAbroad, i+1) { // mag ik een lege tabel?
			c.tool = n
			return true
		}
		for j := max(0, i-5); j < min(len(r.t.Toks), i+4); j++ {
			if r.class(j)&prose.Shows != 0 && r.class(j)&prose.Function == 0 || r.class(j)&prose.Shows != 0 && j < i {
				c.tool = n
				return true
			}
		}
	}
	return false
}

// ofPlace reports "mapa de Madrid". German nouns also begin with a capital.
func (r *reading) ofPlace(i int) bool {
	return r.t.Lang != prose.German && r.class(i+1)&prose.Function != 0 && i+2 < len(r.t.Toks) && r.t.Toks[i+2].Upper
}

// phrases is what texts without a Lexicon say, by rule (prose/phrases.txt).
var phrases = prose.Phrases()

// says reports that a text contains one of the words of a rule.
func says(text, rule string) bool { return wordsOf(rule).In(text) }

// wordsOf returns the words of a rule, which must be in the file.
func wordsOf(rule string) *prose.Parts {
	words := phrases[rule]
	if words == nil {
		panic("no words for the rule " + rule)
	}
	return words
}

// controlCJK: 不要再显示表格 · 表をもう二度と表示しないで · 取消 · 続けて.
func (r *reading) controlCJK(state ui.Router) (c controlMessage) {
	if len(r.t.Toks) > maxOrder {
		return c
	}
	src, n := r.t.Visible(), len(r.t.Toks)
	named := r.toolsCJK()
	open := state.LastStatus == ui.StatusToolOpen
	switch {
	case named != 0 && (says(src, "never") || says(src, "again") && says(src, "stop")):
		c = controlMessage{kind: ControlOptOut, tool: named.name(), b: n}
	case named != 0 && (state.OptOut.All || len(state.OptOut.Tools) > 0) &&
		says(src, "enable") && !says(src, "negation"):
		c = controlMessage{kind: ControlOptIn, tool: named.name(), b: n}
	case open && n <= 6 && says(src, "cancel"):
		c.kind = ControlCancel
	case open && n <= 6 && says(src, "resume"):
		c.kind = ControlResume
	}
	return c
}

// toolsCJK returns the tools that Chinese or Japanese text names.
func (r *reading) toolsCJK() (t tools) {
	src := r.head()
	if says(src, "table") {
		t |= table
	}
	if says(src, "map") {
		t |= processMap
	}
	if says(src, "tools") {
		t = both
	}
	return t
}

// shapeCJK is shapeOf for a sentence of Chinese or Japanese.
func (r *reading) shapeCJK(a, b int, mark byte) string {
	src := r.t.Src[r.t.Toks[a].Start:r.t.Toks[b-1].End]
	switch {
	case says(src, "paste"):
		return ""
	case says(src, "produce"):
		return "chat.assistant_produces"
	case (mark == '?' || says(src, "explain")) && says(src, "question"):
		return "chat.explain"
	case says(src, "negation"):
		return "chat.negation"
	}
	return ""
}

// holds reports one of the words of a rule in a text without a Lexicon that is not muted.
func (r *reading) holds(rule string) bool {
	return (r.t.CJK || r.t.Unlisted()) && says(r.head(), rule)
}

// inlineCJK: 供应商：甲、乙、丙.
func (r *reading) inlineCJK(c *candidate) bool {
	for i := range r.t.Toks {
		if r.t.Toks[i].Kind != prose.Colon && r.w(i) != "är" || i == 0 || r.t.Toks[i-1].Kind != prose.Word {
			continue
		}
		if items := r.t.Enumeration(i + 1); len(items) >= 3 {
			c.tool, c.n = table, len(items)
			c.seed = r.t.Src[r.t.Toks[items[0].A].Start:r.t.Toks[items[len(items)-1].B-1].End]
			return true
		}
	}
	return false
}

// head is the visible part of the first 4 KB: no one names a subject later.
func (r *reading) head() string {
	if r.top == "" {
		src := r.t.Visible()
		r.top = src[:min(len(src), 4096)]
	}
	return r.top
}

// starts reports that the text itself starts with one of the words of a rule:
// scripts that have no Lexicon.
func (r *reading) starts(rule string) bool {
	return r.t.Src != "" && r.t.Src[0] >= utf8.RuneSelf && wordsOf(rule).Begin(r.t.Src)
}
