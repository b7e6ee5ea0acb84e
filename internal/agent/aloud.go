package agent

import "strings"

// aloud passes the pieces of a streamed answer on while they read as words: an
// answer that begins like JSON, code or marks of a model's own may be shown as
// something else once it is whole, and is not shown before.
type aloud struct {
	tell   func(try int, piece string)
	try    int
	held   string // white space, until the first word shows what it is
	silent bool
	said   bool
	heard  bool                      // something came, told or not
	read   func(piece string) string // not nil: returns what may be told of an answer in JSON
}

// begin starts an answer anew.
func (a *aloud) begin(try int) { *a = aloud{tell: a.tell, try: try} }

func (a *aloud) piece(s string) {
	a.heard = a.heard || s != ""
	if a.read != nil {
		if s = a.read(s); s != "" {
			a.tell(a.try, s)
		}
		return
	}
	if a.silent {
		return
	}
	if !a.said {
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
	a.said, a.held = true, ""
	a.tell(a.try, s)
}
