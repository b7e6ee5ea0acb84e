package prose

// pieces cuts a text at stops, commas and markers, then puts back together what
// commas alone should not part.
func (t *Text) pieces() []piece {
	var out []piece
	start, link, comma := 0, LinkNone, false
	closePiece := func(end int) {
		for end > start && (t.word(end-1) == "and" || t.word(end-1) == "but" || t.Toks[end-1].Kind == Comma || t.Toks[end-1].Kind == Dash && t.Toks[end-1].Mark == '-') {
			end--
		}
		switch {
		case end <= start:
		case comma && link == LinkNone && len(out) > 0 && !t.standsAlone(start, end):
			out[len(out)-1].b = end // "the buyer, a manager, raises it": no clause of its own
		default:
			out = append(out, piece{start, end, link, comma})
		}
	}
	for i := 0; i < len(t.Toks); {
		tok := &t.Toks[i]
		if tok.Kind == Stop || tok.Kind == Comma || tok.Kind == Colon {
			closePiece(i)
			i++
			start, link, comma = i, LinkNone, tok.Kind == Comma
			continue
		}
		m, n := t.marker(i, start, comma)
		if m == LinkNone {
			i++
			continue
		}
		mid := i > start && !t.onlyJoiners(start, i)
		closePiece(i)
		if mid {
			comma = true
		}
		i += n
		if i < len(t.Toks) && (t.Toks[i].Kind == Comma || t.Toks[i].Kind == Colon || t.Toks[i].Kind == Dash) {
			i++
		}
		start, link = i, m
	}
	closePiece(len(t.Toks))
	return out
}

func (t *Text) onlyJoiners(a, b int) bool {
	for i := a; i < b; i++ {
		switch t.word(i) {
		case "and", "but", "so", "y", "e", "und", "et", "en", "well", "ok", "okay":
		default:
			return false
		}
	}
	return true
}

// standsAlone reports a clause with its own subject and verb, or an order.
func (t *Text) standsAlone(a, b int) bool {
	if t.Lang != English {
		return false
	}
	v, ok := t.verb(a, b)
	return ok && (v > a || t.Toks[v].Class&VerbBase != 0) && t.class(a)&Mark == 0
}

// marker reports the marker at token i of a piece that began at start, and its
// length in tokens.
func (t *Text) marker(i, start int, comma bool) (Link, int) {
	tok := &t.Toks[i]
	atStart := i == start || t.onlyJoiners(start, i)
	w := tok.Word
	if t.Lang != English {
		if tok.Class&Mark == 0 {
			return LinkNone, 0
		}
		return t.lex.marks[w], 1
	}
	if tok.Class&Mark == 0 {
		return t.markerPhrase(i, atStart)
	}
	next := t.word(i + 1)
	switch w {
	case "first", "firstly", "initially":
		if !atStart || next == "of" || next == "off" || next == "time" || next == "thing" || next == "things" || next == "name" || next == "impression" {
			return LinkNone, 0
		}
		return LinkFirst, 1
	case "then":
		switch t.word(i - 1) {
		case "back", "since", "by", "until", "till", "just", "even", "now", "the":
			return LinkNone, 0
		}
		if next == "again" || i+1 >= len(t.Toks) || t.Toks[i+1].Kind == Stop {
			return LinkNone, 0
		}
		return LinkThen, 1
	case "next":
		if !atStart || t.class(i+1)&Measure != 0 || calendar(next) || next == "to" || next == "up" || next == "steps" || next == "step" || next == "thing" || next == "door" {
			return LinkNone, 0
		}
		return LinkThen, 1
	case "second", "third", "secondly", "thirdly":
		if atStart && i+1 < len(t.Toks) && t.Toks[i+1].Kind == Comma {
			return LinkThen, 1
		}
		return LinkNone, 0
	case "finally", "lastly", "afterwards", "afterward", "subsequently", "thereafter":
		if atStart || t.word(i-1) == "and" {
			return LinkThen, 1
		}
		return LinkNone, 0
	case "before", "after", "once":
		return t.orderMarker(i, atStart)
	case "meanwhile", "simultaneously", "concurrently":
		if atStart {
			return LinkWhile, 1
		}
		return LinkNone, 0
	}
	if atStart && t.lex.marks[w] == LinkIf {
		return LinkIf, 1
	}
	return LinkNone, 0
}

// markerPhrase knows the markers of several words.
func (t *Text) markerPhrase(i int, atStart bool) (Link, int) {
	switch t.word(i) {
	case "step", "stage", "phase":
		if atStart && i+2 < len(t.Toks) && (t.Toks[i+1].Kind == Number || t.class(i+1)&NumWord != 0) && (t.Toks[i+2].Kind == Colon || t.Toks[i+2].Kind == Dash) {
			return LinkThen, 2
		}
	case "followed":
		if t.word(i+1) == "by" {
			return LinkThen, 2
		}
	case "to":
		if atStart && (t.word(i+1) == "start" || t.word(i+1) == "begin") {
			if t.word(i+2) == "with" {
				return LinkFirst, 3
			}
			return LinkFirst, 2
		}
	case "at":
		if atStart && t.word(i+1) == "the" && t.word(i+2) == "same" && t.word(i+3) == "time" {
			return LinkWhile, 4
		}
	case "in":
		if atStart && t.word(i+1) == "parallel" {
			return LinkWhile, 2
		}
	case "while":
		if clause, ok := t.verb(i+1, t.clauseEnd(i+1)); ok && clause > i {
			return LinkWhile, 1
		}
	}
	return LinkNone, 0
}

// orderMarker reads before, after, once: only where an acting clause follows.
func (t *Text) orderMarker(i int, atStart bool) (Link, int) {
	w, next := t.word(i), t.word(i+1)
	if w == "after" && (next == "that" || next == "this" || next == "which") && t.class(i+2)&Verb&^VerbBase == 0 {
		return LinkThen, 2
	}
	end := t.clauseEnd(i + 1)
	if next == "i" || next == "all" || end-i < 2 || w == "once" && (next == "a" || next == "per" || next == "again") {
		return LinkNone, 0
	}
	if !atStart {
		if from := t.clauseStart(i); !t.acts(from, i) && !(t.word(i-1) == "happens" || t.word(i-1) == "comes") {
			return LinkNone, 0
		}
		if t.word(i-1) == "happens" || t.word(i-1) == "comes" {
			return map[bool]Link{true: LinkBefore, false: LinkAfter}[w == "before"], 1
		}
	}
	v, ok := t.verb(i+1, end)
	if !ok || atStart && (end >= len(t.Toks) || t.Toks[end].Kind != Comma || !t.acts(end+1, t.clauseEnd(end+1))) {
		return LinkNone, 0
	}
	if v == i+1 && t.Toks[v].Class&VerbIng == 0 { // "after review": a noun
		return LinkNone, 0
	}
	return t.lex.marks[w], 1
}

// maxClause bounds how far a clause is followed, so that reading stays linear.
const maxClause = 60

func (t *Text) clauseEnd(i int) int {
	limit := min(len(t.Toks), i+maxClause)
	for i < limit && !t.breaks(i) {
		i++
	}
	return min(i, len(t.Toks))
}

func (t *Text) clauseStart(i int) int {
	limit := max(0, i-maxClause)
	for i > limit && !t.breaks(i-1) {
		i--
	}
	return i
}

func (t *Text) breaks(i int) bool {
	k := t.Toks[i].Kind
	return k == Stop || k == Comma || k == Colon
}

func calendar(w string) bool {
	return w != "" && (contains(months, w) || contains(weekdays, w))
}

func contains(list, w string) bool {
	for i := 0; i+len(w)+2 <= len(list); i++ {
		if list[i] == ' ' && list[i+1:i+1+len(w)] == w && list[i+1+len(w)] == ' ' {
			return true
		}
	}
	return false
}
