package deliver

import (
	"strconv"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/ui"
)

// quiet is how long a client waits after the last key before it sends the typed text, in
// milliseconds.
const quiet = 300

// presence is who shares the drafts of a conversation, in this process.
type presence struct {
	clients  int
	surfaces []string // wire ids of those that take input
}

// together reports that what one types is to be sent while it is typed.
func (p presence) together() bool { return p.clients > 1 }

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
func (p presence) watch(v *view) []byte {
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
	data := strconv.AppendInt([]byte(`{"clients":`), int64(p.clients), 10)
	data = append(data, `,"messages":[`...)
	for i, m := range messages {
		if i > 0 {
			data = append(data, ',')
		}
		data = append(data, m...)
	}
	return v.wire(nil, Chunk{Event: "watch", Data: [][]byte{append(data, "]}"...)}})
}

// join counts a client that shares drafts, and says to it and the others when to send.
// Called with h.mu held, before s has joined its view.
func (h *hub) join(s *Sub, state *ui.State) {
	h.sweep()
	h.presence.clients++
	h.presence.see(state)
	s.first = append(s.first, h.presence.watch(s.v)...)
	h.tellAll()
}

// sweep ends the streams of clients that share drafts and are gone: a page that is loaded
// again is not two.
func (h *hub) sweep() {
	for i := len(h.views) - 1; i >= 0; i-- {
		v := h.views[i]
		for j := len(v.subs) - 1; v.target.Syncs && j >= 0; j-- {
			if c := v.subs[j].conn.Load(); c != nil && (*c).Gone() {
				v.subs[j].cutLocked(errGone)
			}
		}
	}
}

// leave is the other end of join.
func (h *hub) leave() {
	h.presence.clients--
	h.tellAll()
	h.schedule(false)
}

// tellAll says to all clients that share drafts how many they are.
func (h *hub) tellAll() {
	for _, v := range h.views {
		if v.target.Syncs && len(v.subs) > 0 {
			v.append(h.presence.watch(v))
		}
	}
}
