package html

import (
	"strconv"

	"github.com/limn-ui/limn/internal/jsonptr"
	"github.com/limn-ui/limn/ui"
)

// Options says where a drawing posts to and which words Limn's own texts have.
type Options struct {
	Words  ui.Words // default: the built-in words
	Action string   // form action URL, such as "/c/<id>/actions"; required
	// URL prefix of icon symbols, such as "/assets/icons.svg#"; default: "#limn-icon-", symbols of the
	// page
	Icons   string
	Uploads string // URL to which a script uploads a file as soon as it is chosen, such as "/c/<id>/uploads"

	Rows string // URL that answers more rows of a table to a script (see AppendRows), such as "/c/<id>/rows"

	// of the page's conversation, in which a record is edited
	Conversation string
	Records      string // address of the application's records; "": cards lead to none
	MaxUpload    int64  // bytes of one file, which the page says and its script checks; 0: not said

	Foreign func(*ui.Surface) *ui.Surface // a surface of another agent in nodes that are drawn; nil: its words
}

// drawn is a surface as it is drawn.
func (o Options) drawn(s *ui.Surface) *ui.Surface {
	if o.Foreign == nil {
		return s
	}
	return o.Foreign(s)
}

// container is the id of the element that holds all surfaces of a page.
const container = "limn-surfaces"

// keyRegenerate is the key, below the root's, of the one button on the stub of
// an expired or canceled surface; its action is builtin.ActionRegenerate.
const keyRegenerate = "!regenerate"

// AppendSurface writes one complete surface as a <turbo-frame>. Values bound
// below /committed are those of st; without a state their literals are drawn.
func AppendSurface(dst []byte, st *ui.State, s *ui.Surface, o Options) []byte {
	switch {
	case s == nil:
		return dst
	case st == nil:
		return appendFrame(dst, o.drawn(s), o, ui.Value{})
	}
	return appendFrame(dst, o.drawn(s), o, st.Committed)
}

// AppendSnapshot writes all surfaces of a conversation in their order: the
// content of the container.
func AppendSnapshot(dst []byte, s *ui.State, o Options) []byte {
	if s == nil {
		return dst
	}
	for _, sf := range s.Surfaces {
		dst = appendFrame(dst, o.drawn(sf), o, s.Committed)
	}
	return dst
}

// appendFrame writes a surface that is as it is drawn.
func appendFrame(dst []byte, s *ui.Surface, o Options, committed ui.Value) []byte {
	w := newWriter(dst, s, o, committed)
	w.start(make([]byte, 768))
	w.focus = true
	w.frame()
	return w.b
}

// writer renders one surface: its frame and its form. It is made of layers, each
// of which writes with those below: nodes, rowsets, inputs, output, buffer.
type writer struct{ nodes }

type (
	nodes   struct{ rowsets } // the parts of a surface
	rowsets struct{ inputs }  // tables, and the steps of a process
	inputs  struct{ output }  // the controls of fields and cells
)

// newWriter returns a writer that appends to dst; start makes it ready.
func newWriter(dst []byte, s *ui.Surface, o Options, committed ui.Value) writer {
	return writer{nodes{rowsets{inputs{output{buffer: buffer{b: dst, o: o}, s: s, committed: committed}}}}}
}

// output is the bytes written so far, and where in the surface the next ones are.
// The four scratch slices are cut from one block, so that a surface costs one
// allocation.
type output struct {
	buffer
	s         *ui.Surface
	committed ui.Value // of the conversation
	open      bool
	focus     bool // the next invalid input takes autofocus
	depth     int  // titled groups around the node
	prefix    []byte
	at        []byte // key path of the node being drawn
	path      []byte // Path of the input being drawn
	enc       []byte // path as an identifier, without /draft
	table     int    // in a cell: how much of enc names the table; else 0
	row       int    // in a cell: how much of enc names the row
	rows      int    // in a row: how much of path names the rowset; else 0
	errs      map[string]int
	places    []place // per error: where its path is
}

// start cuts up the scratch block and indexes the errors.
func (w *output) start(block []byte) {
	w.prefix = append(block[0:0:128], "limn-"...)
	w.at, w.path, w.enc = block[128:128:384], block[384:384:576], block[576:576]
	w.prefix = append(appendIdent(w.prefix, string(w.s.Name)), 'E')
	w.prefix = strconv.AppendUint(w.prefix, uint64(w.s.Epoch), 10)
	w.open = w.s.Status != ui.StatusSubmitted && !w.s.Stub()
	if w.open && len(w.s.Errors) > 0 {
		w.indexErrors()
	}
}

// buffer is the bytes written so far, and how to write texts.
type buffer struct {
	b []byte
	o Options
}

func (w *buffer) str(s string)   { w.b = append(w.b, s...) }
func (w *buffer) esc(s string)   { w.b = appendEscaped(w.b, s) }
func (w *buffer) say(key string) { w.b = appendEscaped(w.b, w.o.Words.Say(key)) }
func (w *buffer) sayN(key string, n int) {
	w.b = appendEscaped(w.b, w.o.Words.Say(key, "n", strconv.Itoa(n)))
}

// put writes a text between two pieces of HTML; putWord, putInt, putID, putNode and putOwn
// are the same for one of our words, a number and the three kinds of ids.
func (w *buffer) put(before, text, after string) {
	w.str(before)
	w.esc(text)
	w.str(after)
}

func (w *buffer) putWord(before, key, after string) { w.put(before, w.o.Words.Say(key), after) }

func (w *buffer) putInt(before string, n int, after string) {
	w.str(before)
	w.b = strconv.AppendInt(w.b, int64(n), 10)
	w.str(after)
}

func (w *output) putID(before string, kind byte, after string) {
	w.str(before)
	w.id(kind)
	w.str(after)
}

func (w *output) putNode(before string, kind byte, after string) {
	w.str(before)
	w.nodeID(kind)
	w.str(after)
}

func (w *output) putOwn(before string, kind byte, after string) {
	w.str(before)
	w.ownID(kind)
	w.str(after)
}

// The letters that distinguish the ids of one path, key path or surface.
const (
	idInput   = 'I' // the control at a path; of a rowset, its region
	idWrapper = 'W' // around a control, kept by streams
	idError   = 'R'
	idHelp    = 'D'
	idColumn  = 'H' // title of a table column
	idRow     = 'L' // title of a row or step
	idRecord  = 'G' // a row or step as a whole
	idRows    = 'Q' // what holds the rows
	idCaption = 'C'
	idAdd     = 'Z' // the buttons below the rows
	idPager   = 'P' // the buttons of its pages
	idEdges   = 'J'
	idRemove  = 'B'
	idUp      = 'A'
	idDown    = 'O'
	idStored  = 'N' // what an upload holds
	idWords   = 'X' // of key paths: the content of a picture, in words
	idFold    = 'O' // of key paths: the fold around the words
	idAll     = 'U' // the fold with everything of a card
	idSVG     = 'S' // of key paths: the picture
	idNode    = 'K' // of key paths: a node
	idTab     = 'Y' // of key paths: the tab of a panel
	idTitle   = 'T' // of the surface, as those below
	idSummary = 'M'
	idRev     = 'V'
)

// id writes the id of the current path, nodeID that of the current node.
func (w *output) id(kind byte) {
	w.b = append(append(append(w.b, w.prefix...), kind), w.enc...)
}

func (w *output) nodeID(kind byte) {
	w.b = appendIdent(append(append(w.b, w.prefix...), kind), w.at)
}

func (w *output) ownID(kind byte) { w.b = append(append(w.b, w.prefix...), kind) }

// setPath makes p the current path.
func (w *output) setPath(p ui.Path) {
	w.path = append(w.path[:0], p...)
	short := p
	if p.Under(ui.DraftRoot) {
		short = p[len("/"+ui.DraftRoot):]
	}
	w.enc = appendIdent(w.enc[:0], string(short))
}

// joinPath goes one segment down; cutPath goes back to the lengths it returns.
func (w *output) joinPath(seg string) (path, enc int) {
	path, enc = len(w.path), len(w.enc)
	w.path = jsonptr.AppendSegment(w.path, seg)
	w.enc = appendIdent(w.enc, w.path[path:])
	return path, enc
}

func (w *output) cutPath(path, enc int) { w.path, w.enc = w.path[:path], w.enc[:enc] }

// join goes one key down; the caller cuts w.at back to the length it returns.
func (w *output) join(key string) int {
	n := len(w.at)
	if n > 0 {
		w.at = append(w.at, '/')
	}
	w.at = append(w.at, key...)
	return n
}

// value returns the value at a path of the surface or, below /committed, of
// the conversation.
func (w *output) value(p ui.Path) (v ui.Value, ok bool) {
	rest := string(p)
	switch {
	case p.Under(ui.DraftRoot):
		v, rest = w.s.Draft, rest[len("/"+ui.DraftRoot):]
	case p.Under(ui.UIStateRoot):
		v, rest = w.s.UIState, rest[len("/"+ui.UIStateRoot):]
	case p.Under(ui.CommittedRoot):
		v, rest = w.committed, rest[len("/"+ui.CommittedRoot):]
	default:
		return ui.Value{}, false
	}
	for rest != "" {
		end := 1
		for end < len(rest) && rest[end] != '/' {
			if rest[end] == '~' {
				return v.Get(ui.Path(rest).Segments()...)
			}
			end++
		}
		if v, ok = v.Get(rest[1:end]); !ok {
			return ui.Value{}, false
		}
		rest = rest[end:]
	}
	return v, true
}

// wrote returns the rev at which the server last wrote the current path or
// something around it.
func (w *output) wrote() uint64 {
	if len(w.s.Wrote) == 0 {
		return 0
	}
	rev := w.s.Wrote[ui.Path(w.path)]
	for i := len("/" + ui.DraftRoot + "/"); i < len(w.path); i++ {
		if w.path[i] == '/' {
			rev = max(rev, w.s.Wrote[ui.Path(w.path[:i])])
		}
	}
	return rev
}
