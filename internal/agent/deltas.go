package agent

import "strings"

// deltaWriter passes the pieces of a streamed answer on while they read as words: an
// answer that begins like JSON, code or marks of a model's own may be shown as
// something else once it is whole, and is not shown before.
type deltaWriter struct {
	emit     func(try int, piece string)
	try      int
	held     string // white space before the first word
	silent   bool
	emitted  bool
	received bool                      // something came, whether it was emitted or not
	read     func(piece string) string // not nil: returns the part of an answer in JSON that may be emitted
}

// reset prepares for the next answer.
func (a *deltaWriter) reset(try int) { *a = deltaWriter{emit: a.emit, try: try} }

func (a *deltaWriter) write(s string) {
	a.received = a.received || s != ""
	if a.read != nil {
		if s = a.read(s); s != "" {
			a.emit(a.try, s)
		}
		return
	}
	if a.silent {
		return
	}
	if !a.emitted {
		s = a.held + s
		switch word := strings.TrimLeft(s, " \t\r\n\ufeff"); {
		case word == "":
			a.held = s[:min(len(s), 64)]
			return
		case strings.ContainsRune("{[`<", rune(word[0])):
			a.silent = true
			return
		default:
			s = word
		}
	}
	a.emitted, a.held = true, ""
	a.emit(a.try, s)
}
