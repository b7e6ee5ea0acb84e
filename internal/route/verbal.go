package route

import (
	"iter"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/limn-ui/limn/internal/prose"
	"github.com/limn-ui/limn/ui"
)

// Open is an open surface that a user may submit or cancel in words.
type Open struct {
	Surface ui.Name
	Kind    string // "form", "table", "map", "view"
	Title   string
	Submit  string // the label of the button that submits it
	Cancel  string // of the one that cancels it; "": it has none
	Masked  bool   // the button that submits it cannot be pressed now
}

// tongue is the rules of one language about words that submit or cancel open surfaces. Each
// file of verbal/ is one; nothing else has to name it. The whole message has to be read by
// those of one language: an order of send or drop, with what lead, ask, want and tail have
// around it. A word that no rule knows, such as a negation, a condition, a person or a day,
// makes it chat.
//
// In the rules TITLE is a word of the title of an open surface.
type tongue struct {
	book *rulebook
	lead *rule // what may come before, and only agrees
	ask  *rule // begins a polite question, which is an order
	want *rule // begins an order as a wish
	send *rule // submits
	drop *rule // cancels
	undo *rule // takes a wish back: with an order to cancel, and no other
	what *rule // names an open surface
	tail *rule // what may come after
	but  *rule // what keeps the last sentence of a longer message from being an order

	form, table, process *rule // nouns for open surfaces, by kind
}

// titleWord is the word of the rules that matches a word of a title.
const titleWord = "TITLE"

var tongues = func() (all []*tongue) {
	list, err := files.ReadDir("verbal")
	if err != nil {
		panic(err)
	}
	for _, f := range list {
		b := rulesIn("verbal", f.Name())
		all = append(all, &tongue{b, b.the("lead"), b.the("ask"), b.the("want"), b.the("send"), b.the("drop"),
			b.the("undo"), b.the("what"), b.the("tail"), b.the("but"), b.the("form"), b.the("table"), b.the("process")})
	}
	return all
}()

// An order is short: above this many bytes or tokens a message is not one.
const (
	maxVerbal       = 600
	maxVerbalTokens = 60
)

// verbalOrder is an order to submit or to cancel, as it was said.
type verbalOrder struct {
	kind   Control
	a, b   int  // the tokens of the order
	polite bool // "could you submit it?"
	undo   bool // "never mind": only with an order to cancel
}

// verbally reads the whole message as an order to submit or to cancel open surfaces. which
// are the surfaces that it may mean.
func (r *reading) verbally(state ui.Router) (kind Control, which []ui.Name) {
	open := r.prefs.Open
	if open == nil {
		open = openTool(state)
	}
	if len(open) == 0 || len(r.message) > maxVerbal || len(r.t.Toks) > maxVerbalTokens {
		return "", nil
	}
	if kind, which = r.label(state, open); which != nil {
		return kind, which
	}
	for _, t := range tongues {
		if !r.knows(t, open) {
			continue
		}
		for _, titlesFirst := range [2]bool{false, true} {
			h := r.hear(t, open, titlesFirst)
			if o, ok := h.whole(t, r.prefs.Asked); ok {
				if which = h.meant(t, o, open); which != nil {
					return o.kind, which
				}
			}
		}
	}
	return "", nil
}

// AsksToSubmit returns the surfaces that the user's words ask to submit, if their last
// sentence does and nothing in the others speaks against it. It is weaker than what Decide
// wants to submit by itself: a model has to ask for it as well.
func AsksToSubmit(message string, open []Open) (which []ui.Name) {
	if len(open) == 0 || len(message) > maxVerbal || strings.Contains(strings.TrimSpace(message), "\n") {
		return nil
	}
	r := &reading{t: prose.Read(message)}
	if len(r.t.Toks) > maxVerbalTokens {
		return nil
	}
	for _, t := range tongues {
		for _, titlesFirst := range [2]bool{false, true} {
			h := r.hear(t, open, titlesFirst)
			if o, ok := h.last(t); ok {
				if which = h.meant(t, o, open); which != nil {
					return which
				}
			}
		}
	}
	return nil
}

// openTool is the open tool that the memory of routing knows.
func openTool(state ui.Router) []Open {
	if state.LastStatus != ui.StatusToolOpen {
		return nil
	}
	o := Open{Kind: "table"}
	if state.LastTool == ui.ToolMap {
		o.Kind = "map"
	}
	if cp := state.Checkpoint; cp != nil {
		o.Surface = cp.Surface
	}
	return []Open{o}
}

// label reads a message that is the label of a button and no more, but no plain yes or no.
func (r *reading) label(state ui.Router, open []Open) (kind Control, which []ui.Name) {
	text := strings.Trim(r.message, " \t\n.!")
	if state.Pending != nil || text == "" || r.says(yes) || r.says(no) {
		return "", nil
	}
	for _, o := range open {
		if strings.EqualFold(text, o.Submit) {
			kind, which = ControlSubmit, append(which, o.Surface)
		}
	}
	return kind, which
}

// knows reports that every word of the message is one of the language's rules, or of a title:
// else no order of the language is the whole of it, and hear would be for nothing.
func (r *reading) knows(t *tongue, open []Open) bool {
	known := func(word string) bool { return t.book.number(word) != 0 || r.inTitles(word, open) }
	for i := range r.t.Toks {
		tok := &r.t.Toks[i]
		switch {
		case tok.Kind != prose.Word:
		case wideWord(tok.Word):
			for word := range segments(t.book, tok.Word, open) {
				if !known(word) {
					return false
				}
			}
		case !known(tok.Word):
			return false
		}
	}
	return true
}

// hear reads the message once more, with the words of a language. Words of titles are
// TITLE, if no rule knows them or titles come first.
func (r *reading) hear(t *tongue, open []Open, titlesFirst bool) *reading {
	h := &reading{t: r.t}
	h.t.Toks = nil
	for _, tok := range r.t.Toks {
		switch {
		case tok.Kind == prose.Symbol && tok.Mark == 0: // a thumb up
		case tok.Kind == prose.Word && wideWord(tok.Word):
			at := tok.Start
			for word := range segments(t.book, tok.Word, open) {
				h.t.Toks = append(h.t.Toks, prose.Token{Kind: prose.Word, Word: word, Start: at, End: at + len(word)})
				at += len(word)
			}
		default:
			h.t.Toks = append(h.t.Toks, tok)
		}
	}
	h.number(t.book)
	h.title = t.book.words[titleWord]
	for i, tok := range h.t.Toks {
		if tok.Kind == prose.Word && (h.ids[i] == 0 || titlesFirst) && r.inTitles(tok.Word, open) {
			h.ids[i] = h.title
			h.held.ids[h.title>>6] |= 1 << (h.title & 63)
		}
	}
	return h
}

// inTitles reports a word of the title of an open surface.
func (r *reading) inTitles(word string, open []Open) bool {
	in, known := r.titled[word]
	if !known {
		in = slices.ContainsFunc(open, func(o Open) bool { return inTitle(word, o.Title) })
		if r.titled == nil {
			r.titled = map[string]bool{}
		}
		r.titled[word] = in
	}
	return in
}

// wideWord reports a word of a script without spaces.
func wideWord(w string) bool {
	r, _ := utf8.DecodeRuneInString(w)
	return r >= 0x3040 && r < 0xA000
}

// segments yields a run of Japanese as the longest words that the rules and titles have.
func segments(b *rulebook, run string, open []Open) iter.Seq[string] {
	return func(yield func(string) bool) {
		for run != "" {
			_, size := utf8.DecodeRuneInString(run)
			for end := range run {
				if b.number(run[:end]) != 0 {
					size = end
				}
			}
			if b.number(run) != 0 {
				size = len(run)
			}
			for _, o := range open {
				if t := strings.ToLower(o.Title); len(t) > size && strings.HasPrefix(run, t) {
					size = len(t)
				}
			}
			if !yield(run[:size]) {
				return
			}
			run = run[size:]
		}
	}
}

// inTitle reports a word of a title, in another form perhaps: guests, l'ospite,
// Kundenformular.
func inTitle(word, title string) bool {
	if i := strings.LastIndexByte(word, '\''); i >= 0 {
		word = word[i+1:]
	}
	title = strings.ToLower(prose.Clean(title))
	for t := range strings.FieldsSeq(title) {
		t = strings.Trim(t, ".,:;()-")
		if word == title || like(word, t) {
			return true
		}
		for _, paper := range [...]string{"formular", "tabelle", "liste", "formulier", "tabel", "lijst"} {
			if stem, ok := strings.CutSuffix(word, paper); ok && like(strings.TrimSuffix(stem, "-"), t) {
				return true
			}
		}
	}
	return false
}

// like reports two forms of one word: one begins with all of the other but its last letters.
func like(a, b string) bool {
	if a == b {
		return a != ""
	}
	short, long := []rune(a), []rune(b)
	if len(short) > len(long) {
		short, long = long, short
	}
	if len(short) < 4 || len(long)-len(short) > 2 {
		return false
	}
	stem := len(short) - 1
	return slices.Equal(short[:stem], long[:stem])
}

// whole reads the whole message as one order. asked is the subject of a question before it:
// then the name of a surface is an answer.
func (r *reading) whole(t *tongue, asked Control) (o verbalOrder, ok bool) {
	if len(r.t.Toks) > maxVerbalTokens {
		return o, false
	}
	fails, undo := false, false
	r.eachSentence(func(a, b int, mark byte) {
		polite := false
		r.eachPart(a, b, func(a, b int) {
			next, spoken := r.part(t, a, b)
			if !spoken && asked != "" && o.kind == "" && r.justNames(t, a, b) {
				next, spoken = verbalOrder{kind: asked, a: a, b: b}, true
			}
			if !spoken || next.kind != "" && o.kind != "" && next.kind != o.kind {
				fails = true
			} else if next.kind != "" {
				o = next
			}
			polite, undo = polite || next.polite, undo || next.undo
		})
		fails = fails || mark == '?' && !polite // "submit it?" asks whether to
	})
	return o, o.kind != "" && !fails && !(undo && o.kind != ControlCancel)
}

// last reads the last part of the message as an order to submit that says what. Before it
// may be words that no rule knows, but nothing that makes it a condition, a report or a no.
func (r *reading) last(t *tongue) (o verbalOrder, ok bool) {
	n := len(r.t.Toks)
	if n > maxVerbalTokens || r.find(t.but, 0, n) >= 0 {
		return o, false
	}
	fails := false
	r.eachSentence(func(a, b int, mark byte) {
		fails = fails || mark == '?'
		r.eachPart(a, b, func(a, b int) { o, ok = r.part(t, a, b) })
	})
	for _, tok := range r.t.Toks {
		fails = fails || tok.Kind == prose.Masked || tok.Kind == prose.Colon || tok.Kind == prose.Arrow
	}
	return o, ok && !fails && o.kind == ControlSubmit && o.b-o.a > 1
}

// eachPart calls f with the tokens of a sentence between commas and dashes.
func (r *reading) eachPart(a, b int, f func(a, b int)) {
	start := a
	for i := a; i <= b; i++ {
		if i < b && r.t.Toks[i].Kind != prose.Comma && (r.t.Toks[i].Kind != prose.Dash || r.t.Toks[i].Mark != '-') &&
			r.t.Toks[i].Kind != prose.Stop {
			continue
		}
		if i > start {
			f(start, i)
		}
		start = i + 1
	}
}

// part reads the tokens [a,b) as an order, or as words that only agree, or take something
// back: then it has no kind. ok is false for anything else.
func (r *reading) part(t *tongue, a, b int) (o verbalOrder, ok bool) {
	i := r.over(t.lead, a, b)
	if o, ok = r.order(t, i, b); !ok && i > a { // "merci de …": a word of the lead begins the order
		o, ok = r.order(t, a, b)
	}
	return o, ok
}

// order is part after its lead.
func (r *reading) order(t *tongue, i, b int) (o verbalOrder, ok bool) {
	if end := r.end(t.undo, i, b); end >= 0 {
		i, o.undo = r.over(t.lead, end, b), true
	} else if end := r.end(t.ask, i, b); end >= 0 {
		i, o.polite = r.over(t.lead, end, b), true
	} else if end := r.end(t.want, i, b); end >= 0 {
		i = r.over(t.lead, end, b)
	}
	if i = r.over(t.tail, i, b); i == b {
		return o, !o.polite
	}
	for _, try := range [2]struct {
		rule *rule
		kind Control
	}{{t.send, ControlSubmit}, {t.drop, ControlCancel}} {
		for end := range r.ends(try.rule, i, b) {
			if r.over(t.tail, end, b) == b {
				return verbalOrder{try.kind, i, end, o.polite, o.undo}, true
			}
		}
	}
	return o, false
}

// over returns the token after as many matches of the rule as there are at a.
func (r *reading) over(p *rule, a, b int) int {
	for a < b {
		end := r.end(p, a, b)
		if end <= a {
			break
		}
		a = end
	}
	return a
}

// justNames reports tokens that say no more than which surface is meant.
func (r *reading) justNames(t *tongue, a, b int) bool {
	i := r.over(t.lead, a, b)
	end := r.end(t.what, i, b)
	return end >= 0 && r.over(t.tail, end, b) == b
}

// meant returns the open surfaces that an order can mean, nil if it is about none of them.
func (r *reading) meant(t *tongue, o verbalOrder, open []Open) (which []ui.Name) {
	var named []string
	for i := o.a; i < o.b; i++ {
		if r.ids[i] == r.title {
			named = append(named, r.t.Toks[i].Word)
		}
	}
	has := func(p *rule) bool { return r.find(p, o.a, o.b) >= 0 }
	form, table, process := has(t.form), has(t.table), has(t.process)
	var list, forms []Open
	for _, s := range open {
		ok := o.kind != ControlCancel || s.Cancel != ""
		for _, w := range named {
			ok = ok && inTitle(w, s.Title)
		}
		ok = ok && (!table || s.Kind == "table") && (!process || s.Kind == "map")
		if !ok {
			continue
		}
		if list = append(list, s); s.Kind == "form" {
			forms = append(forms, s)
		}
	}
	if form && len(named) == 0 && len(forms) > 0 {
		list = forms
	}
	if whole := slices.DeleteFunc(slices.Clone(list), func(s Open) bool {
		return len(named) == 0 || len(strings.Fields(s.Title)) != len(named)
	}); len(whole) > 0 {
		list = whole
	}
	if ready := slices.DeleteFunc(slices.Clone(list), func(s Open) bool {
		return o.kind == ControlSubmit && s.Masked
	}); len(ready) > 0 {
		list = ready
	}
	tools := !slices.ContainsFunc(list, func(s Open) bool { return s.Kind != "table" && s.Kind != "map" })
	if o.kind == ControlCancel && tools && len(named) == 0 {
		return nil // of several tools the last one is meant; see control
	}
	for _, s := range list {
		which = append(which, s.Surface)
	}
	return which
}
