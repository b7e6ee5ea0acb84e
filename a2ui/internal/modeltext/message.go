package modeltext

import (
	"bytes"

	"github.com/limn-ui/limn/a2ui/internal/wire"
	"github.com/limn-ui/limn/internal/jsonx"
)

// assembly builds messages from the tokens of the reader and hands them on as soon
// as they are of use.
type assembly struct{ *reader }

// kind is the kind of a message, as far as it matters here.
type kind uint8

const (
	noKind     kind = iota
	components      // its components may leave in pieces
	dataUpdate      // may be closed early
	creates
	deletes
	other
)

func kindOf(key string) kind {
	switch key {
	case "updateComponents", "surfaceUpdate":
		return components
	case "updateDataModel", "dataModelUpdate":
		return dataUpdate
	case "createSurface", "beginRendering":
		return creates
	case "deleteSurface":
		return deletes
	}
	if isMessageKey(key) {
		return other
	}
	return noKind
}

// message is the reader's knowledge of the current message.
type message struct {
	kind    kind
	old     bool // v0.8: no version, the root is named
	version int  // where the version ends in buf; 0 = not read
	surface string
	root    string // of beginRendering

	list   int // where the components start in buf, after the '['; 0 = not there
	listTo int // their ']'; 0 = open
	parts  []part
	ids    []byte // a note for each part, see graph
	noted  int    // of them are in the graph
	id     span   // of the part that is being read
	refs   []byte // its references, as a note has them
	ready  int    // parts that are reachable, and all before them
	sent   int    // parts that left

	early []byte // what left early
	added bool   // its last bracket was added
}

// part is one component of a list.
type part struct {
	start, end int // in buf
	note       int // where its note starts in ids
}

// span is a piece of buf.
type span struct{ start, end int }

func (m *message) clear() {
	*m = message{parts: m.parts[:0], ids: m.ids[:0], refs: m.refs[:0]}
}

// keyAt returns the key of the value of frame i: its own, or for a
// list the key of the list.
func (r *reader) keyAt(i int) []byte {
	for ; i >= 0; i-- {
		if f := &r.frames[i]; f.kind == '{' {
			return r.buf[f.key:f.keyTo]
		}
	}
	return nil
}

// opened follows a bracket that was just pushed.
func (r assembly) opened() {
	switch len(r.frames) {
	case 2:
		if r.kind == noKind && r.frames[1].kind == '[' && string(r.keyAt(0)) == "messages" {
			r.opens += 2 // the wrapper is no message
			r.number--
			r.clear()
		}
	case 3:
		if r.kind == components && r.frames[2].kind == '[' && string(r.keyAt(1)) == "components" {
			if r.list > 0 {
				r.fail()
				return
			}
			r.list = len(r.buf)
		}
	case 4:
		if r.inList() {
			r.parts = append(r.parts, part{start: r.frames[3].start, note: len(r.ids)})
			r.id, r.refs = span{}, r.refs[:0]
		}
	}
}

func (r assembly) inList() bool { return r.list > 0 && r.listTo == 0 }

// keyRead follows a key.
func (r assembly) keyRead(f *frame) {
	if len(r.frames) != 1 || r.kind != noKind {
		return
	}
	key := string(r.buf[f.key:f.keyTo])
	if r.kind = kindOf(key); r.kind != noKind {
		r.old = key == "surfaceUpdate" || key == "beginRendering"
	}
}

// textRead follows a string that is a value.
func (r assembly) textRead(start, end int) {
	d := len(r.frames)
	switch d {
	case 1:
		if string(r.keyAt(0)) == "version" {
			r.version = end
		}
		return
	case 2:
		switch string(r.keyAt(1)) {
		case "surfaceId":
			r.surface = string(r.buf[start:end])
		case "root":
			r.root = string(r.buf[start:end])
		}
		return
	}
	if !r.inList() {
		return
	}
	top := &r.frames[d-1]
	if d == 3 {
		r.fail() // a list of components holds objects only
		return
	}
	key := r.keyAt(d - 1)
	if d == 4 && top.kind == '{' && string(key) == "id" {
		r.id = span{start, end}
		return
	}
	if r.isRef(key) {
		r.refs = append(append(r.refs, refMark), r.buf[start:end]...)
	}
}

// isRef reports whether a property holds component ids. One too many does no harm:
// a component leaves a little earlier.
func (r assembly) isRef(key []byte) bool {
	switch string(key) {
	case "child", "children", "componentId", "explicitList", "trigger", "content", "entryPointChild", "contentChild":
		return true
	}
	for _, name := range r.parser.opts.Refs {
		if name == string(key) {
			return true
		}
	}
	return false
}

// closed follows a bracket that was just popped.
func (r assembly) closed(f frame) {
	switch len(r.frames) {
	case 0:
		r.complete()
		r.clear()
		r.done = r.form == bare && r.opens == 0
	case 2:
		if r.inList() && f.start+1 == r.list {
			r.listTo = len(r.buf) - 1
		}
	case 3:
		if r.inList() {
			r.component()
		}
	}
}

// component follows a component that was just closed.
func (r assembly) component() {
	r.parts[len(r.parts)-1].end = len(r.buf)
	r.ids = append(append(append(r.ids, r.buf[r.id.start:r.id.end]...), r.refs...), noteEnd)
	if r.parser.legacy == nil {
		r.piece(false)
	}
}

// piece hands out the components that are ready if they are worth a separate envelope,
// or with all set all that are ready.
func (r assembly) piece(all bool) {
	closed := len(r.parts)
	if closed > 0 && r.parts[closed-1].end == 0 {
		closed--
	}
	if r.sent == closed || r.surface == "" || r.version > r.list || r.version == 0 && !r.old {
		return
	}
	// The size of pieces grows with the size already sent, so that a validator that
	// looks at the whole surface each time stays linear.
	from := r.parts[r.sent].start
	least := 10 * r.list
	if sent := from - r.list; r.parser.opts.Eager {
		least = sent / 64
	} else {
		least = max(least, sent/2)
	}
	if !all && r.parts[closed-1].end-from < least {
		return
	}
	g := r.graph()
	g.note(r.ids[r.noted:])
	g.learn()
	r.noted = len(r.ids)
	for r.ready < closed && g.shown[string(noteID(r.ids[r.parts[r.ready].note:]))] {
		r.ready++
	}
	if r.ready == r.sent {
		return
	}
	to := r.parts[r.ready-1].end
	if !all && to-from < least {
		return
	}
	json := make([]byte, 0, r.list+to-from+3)
	json = append(append(json, r.buf[:r.list]...), r.buf[from:to]...)
	first := r.sent
	r.sent = r.ready
	r.hand(Message{JSON: append(json, "]}}"...), First: first, Head: r.list, Tail: len(json)})
}

func (r assembly) hand(m Message) bool {
	m.Number, m.Tag = r.number, r.parser.tag()
	return r.parser.sink.Message(m)
}

// complete follows the end of a message.
func (r assembly) complete() {
	if r.parser.legacy != nil {
		r.parser.legacy.complete(r.buf, r.number, r.added)
		return
	}
	r.remember()
	r.rest(r.buf, r.listTo, Message{})
}

// remember keeps the facts of the message about its surface.
func (r assembly) remember() {
	switch r.kind {
	case creates:
		delete(r.graphs, r.surface)
		if r.root != "" {
			g := r.graph()
			g.learn()
			g.show(r.root)
		}
	case deletes:
		delete(r.graphs, r.surface)
	case components:
		if notes := r.ids[r.noted:]; len(notes) > 0 {
			r.graph().note(notes)
		}
	}
}

// rest hands out the unsent rest of a complete message; end is where its
// components end.
func (r assembly) rest(json []byte, end int, m Message) {
	if r.sent == 0 {
		if r.early != nil && bytes.Equal(r.early, json) {
			return
		}
		m.JSON = bytes.Clone(json)
		if r.kind == components && r.list > 0 && string(json[end:]) == "]}}" {
			m.Head, m.Tail = r.list, end
		}
		r.hand(m)
		return
	}
	from := end
	if r.sent < len(r.parts) {
		from = r.parts[r.sent].start
	} else if string(json[end:]) == "]}}" {
		return
	}
	m.First, m.Head, m.Tail = r.sent, r.list, r.list+end-from
	m.JSON = append(append(make([]byte, 0, r.list+len(json)-from), json[:r.list]...), json[from:]...)
	if m.Without != nil {
		w := m.Without
		if r.sent == len(r.parts)-1 {
			m.Without = nil
		} else {
			m.Without = append(append([]byte(nil), w[:r.list]...), w[from:]...)
		}
	}
	r.hand(m)
}

// pause follows the end of a Write: what may leave early does.
func (r assembly) pause() {
	if r.broken || len(r.frames) == 0 {
		return
	}
	if l := r.parser.legacy; l != nil {
		l.pause(r.reader)
		return
	}
	keys := r.parser.opts.Keys
	if r.kind != dataUpdate || len(keys) == 0 || r.token != inString {
		return
	}
	if json, whole := r.heal(keys); whole && !bytes.Equal(json, r.early) {
		if r.hand(Message{JSON: bytes.Clone(json), Early: true}) {
			r.early = json
		}
	}
}

// fail gives up on the rest of the block and sends the parts that are ready.
func (r *reader) fail() {
	const shown = 32 // bytes of what came before
	if len(r.frames) == 0 {
		r.failWith(wire.Bad(wire.EnvelopeUnreadable, "", "the A2UI cannot be read as JSON"))
		return
	}
	r.failWith(wire.Bad(wire.EnvelopeUnreadable, "", "the A2UI cannot be read as JSON behind %q",
		r.buf[max(0, len(r.buf)-shown):]))
}

func (r *reader) failWith(p *wire.Problem) {
	if r.broken {
		return
	}
	if r.list > 0 {
		r.assembly().piece(true)
	}
	p.Surface = r.surface
	r.broken, r.fault, r.token = true, p, noToken
}

// finish ends a block and closes open brackets.
func (r assembly) finish(closed bool) {
	if r.token == inWord && closed && !r.broken && !r.endWord() {
		r.fail()
	}
	if r.braces > 0 && !r.broken {
		r.settle()
	}
	if r.words && r.fences == 0 && !r.broken {
		r.fail()
	}
	switch {
	case r.broken:
		r.parser.sink.Fault(r.fault)
	case len(r.frames) > 0:
		r.truncated()
	case closed && (!r.some || r.parser.legacy != nil && !r.object):
		r.parser.sink.Fault(wire.Bad(wire.EnvelopeUnreadable, "", "the A2UI is empty"))
	}
	r.clear()
}

// truncated hands out what there is of an open message.
func (r assembly) truncated() {
	if l := r.parser.legacy; l != nil {
		l.truncated(r.reader)
		return
	}
	if r.parser.opts.Strict {
		r.fail()
		r.parser.sink.Fault(r.fault)
		return
	}
	r.unswallow()
	json, _ := r.heal(shownKeys, r.parser.opts.Keys)
	r.remember()
	m := Message{Healed: true}
	if !r.inList() {
		r.rest(json, r.listTo, m)
		return
	}
	end := len(json) - len("]}}")
	if len(r.frames) > 3 { // a component is open
		m.Without = append(bytes.Clone(r.buf[:r.frames[2].entry]), "]}}"...)
		if r.id.end == 0 {
			json, m.Without = m.Without, nil
			end = len(json) - len("]}}")
			r.parts = r.parts[:len(r.parts)-1]
		}
		if len(r.parts) == 1 {
			m.Without = nil
		}
	}
	if len(r.parts) == 0 { // no component was complete enough to have an id
		r.fail()
		r.parser.sink.Fault(r.fault)
		return
	}
	r.rest(json, end, m)
}

// unswallow gives back what follows a close tag inside the string that is
// open at the end: its closing quote lacked, and the tag was meant.
func (r assembly) unswallow() {
	if r.form != tagged || r.token != inString {
		return
	}
	at := bytes.Index(r.buf[r.start:], []byte(closeTag+">"))
	if at < 0 {
		return
	}
	at += r.start
	rest, err := jsonx.Parse(append(append([]byte{'"'}, r.buf[at+len(closeTag)+1:r.safeEnd()]...), '"'), jsonx.Limits{})
	if err != nil {
		return
	}
	r.after = rest.Str
	if r.buf = r.buf[:at]; r.cut >= at {
		r.cut = -1
	}
}
