package deliver

import (
	"strconv"
	"sync"
	"time"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/ui"
)

// quiet is how long a client waits after the last key before it sends the typed text, in
// milliseconds.
const quiet = 300

// presence is who shares the drafts of a conversation.
type presence struct {
	clients  int      // in this process
	others   int      // on other nodes, as far as they have said
	surfaces []string // wire ids of those that take input
	far      *elsewhere
}

// all is how many clients there are.
func (p *presence) all() int { return p.clients + p.others }

// together reports that what one types is to be sent while it is typed.
func (p *presence) together() bool { return p.all() > 1 }

// maxNodes bounds the other nodes that are counted in a conversation.
const maxNodes = 64

// elsewhere is what other nodes say about a conversation: each says a number that has its
// name and how many clients it has, when that changes, when a node is new, and with each
// heartbeat. One that is silent for three of them is gone.
type elsewhere struct {
	node  uint64 // the name of this one; the low bits are 0
	tell  func(n uint64)
	end   func()
	later func() // asks for a round

	mu    sync.Mutex // guards what follows
	nodes map[uint64]far
	asked bool // a node is there that may not know of this one
}

type far struct {
	clients int
	heard   time.Time
}

// countBits are the low bits of a number, which count clients.
const countBits = 16

// hear takes a number, from any goroutine.
func (e *elsewhere) hear(n uint64) {
	name, clients := n>>countBits<<countBits, int(n&(1<<countBits-1))
	e.mu.Lock()
	defer e.mu.Unlock()
	was, known := e.nodes[name]
	switch {
	case name == e.node || name == 0 || !known && (clients == 0 || len(e.nodes) >= maxNodes):
		return
	case clients == 0:
		delete(e.nodes, name)
	default:
		e.nodes[name] = far{clients, time.Now()}
	}
	e.asked = e.asked || !known
	if was.clients != clients {
		e.later()
	}
}

// count adds up the clients of other nodes without those that were silent for long. asked
// wants an answer.
func (e *elsewhere) count(silent time.Duration) (clients int, asked bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for name, f := range e.nodes {
		if time.Since(f.heard) > silent {
			delete(e.nodes, name)
			continue
		}
		clients += f.clients
	}
	asked, e.asked = e.asked, false
	return clients, asked
}

// announce says to other nodes how many clients are here. Called with h.mu held.
func (h *hub) announce() {
	h.far.tell(h.far.node | uint64(min(h.clients, 1<<countBits-1)))
}

// listen takes what other nodes have said since. Called with h.mu held.
func (h *hub) listen(beat bool) {
	if h.far == nil {
		return
	}
	clients, asked := h.far.count(3 * h.d.cfg.Beat)
	if beat || asked {
		h.announce()
	}
	if clients != h.others {
		h.others = clients
		h.tellAll()
	}
}

// see takes the surfaces of a new state.
func (p *presence) see(s *ui.State) {
	p.surfaces = p.surfaces[:0]
	for _, sf := range s.Surfaces {
		if sf.Status == ui.StatusOpen {
			p.surfaces = append(p.surfaces, sf.WireID())
		}
	}
}

// watch is the chunk that says when a client is to send its changes: with its next action
// while it is alone, else as soon as its user pauses.
func (p *presence) watch(v *view) []byte {
	if len(p.surfaces) == 0 {
		return nil
	}
	d := v.target.A2UI.Dialect
	if v.target.HTML != nil {
		d = a2ui.V09
	}
	var messages [][]byte
	for _, id := range p.surfaces {
		line := jsonx.AppendString([]byte(`{"version":`), d.String())
		line = jsonx.AppendString(append(line, `,"watchDataModel":{"surfaceId":`...), id)
		line = append(line, `,"configurations":[{"path":"/draft","mode":`...)
		if p.together() {
			line = strconv.AppendInt(append(line, `"onChanged","timeoutMs":`...), quiet, 10)
		} else {
			line = append(line, `"onAction"`...)
		}
		messages = append(messages, append(line, "}]}}"...))
	}
	if v.lane.format == A2UI {
		return v.wire(nil, Chunk{Data: messages})
	}
	data := strconv.AppendInt([]byte(`{"clients":`), int64(p.all()), 10)
	data = append(data, `,"messages":[`...)
	for i, m := range messages {
		if i > 0 {
			data = append(data, ',')
		}
		data = append(data, m...)
	}
	return v.wire(nil, Chunk{Event: "watch", Data: [][]byte{append(data, "]}"...)}})
}

// stays reports a view of clients that share drafts and are there for longer than a turn: they
// are counted.
func (v *view) stays() bool { return v.target.Syncs && v.lane.private == nil }

// join counts a client that shares drafts, and says to it and the others when to send.
// Called with h.mu held, before s has joined its view.
func (h *hub) join(s *Sub, state *ui.State) {
	h.sweep()
	if h.far == nil {
		h.far = &elsewhere{node: h.d.node, nodes: map[uint64]far{}, later: func() { h.schedule(false) }}
		h.far.tell, h.far.end = h.d.cfg.Source.Here(h.id, h.far.hear)
	}
	h.presence.clients++
	h.announce()
	h.presence.see(state)
	s.first = append(s.first, h.presence.watch(s.v)...)
	h.tellAll()
}

// sweep ends the streams of clients that share drafts and are gone: a page that is loaded
// again is not two.
func (h *hub) sweep() {
	for i := len(h.views) - 1; i >= 0; i-- {
		v := h.views[i]
		for j := len(v.subs) - 1; v.stays() && j >= 0; j-- {
			if c := v.subs[j].conn.Load(); c != nil && (*c).Gone() {
				v.subs[j].cutLocked(errGone)
			}
		}
	}
}

// leave is the other end of join.
func (h *hub) leave() {
	h.presence.clients--
	h.announce()
	if h.clients == 0 {
		h.far.end()
		h.far, h.others = nil, 0
	}
	h.tellAll()
	h.schedule(false)
}

// tellAll says to all clients that share drafts how many they are.
func (h *hub) tellAll() {
	for _, v := range h.views {
		if v.stays() && len(v.subs) > 0 {
			v.append(h.presence.watch(v))
		}
	}
}
