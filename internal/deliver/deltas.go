package deliver

import (
	"encoding/json"
	"unicode/utf8"

	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/ui"
)

// deltasChanged schedules a round after a model has written more.
func (h *hub) deltasChanged() {
	h.newDeltas.Store(true)
	h.schedule(false)
}

// writeDeltas adds to every window what models have said since the last round. It
// moves no cursor and is not read again: a client that comes back meanwhile
// hears it from the beginning, and the frame says all of it. Called with h.mu
// held, before the log is read: a run is silent before its frame is there.
func (h *hub) writeDeltas() {
	all := h.d.cfg.Source.Deltas(h.id)
	for _, now := range all {
		from := 0
		for _, old := range h.deltas {
			if old.Event == now.Event && old.Try == now.Try {
				from = len(old.Text)
			}
		}
		if from == len(now.Text) {
			continue
		}
		c := delta(now, from)
		for _, v := range h.views {
			if p := v.lane.private; p == nil {
				v.append(v.wire(nil, c))
			} else if !v.over {
				v.append(p.Delta(now, from))
			}
		}
	}
	h.deltas = all
}

// appendDeltas appends, for a client that joins late, the text so far of answers
// that models are still writing. Called with h.mu held.
func (h *hub) appendDeltas(v *view, dst []byte) []byte {
	if len(h.deltas) == 0 || v.over {
		return dst
	}
	for _, now := range h.d.cfg.Source.Deltas(h.id) { // else its frame may be among what this client has
		for _, old := range h.deltas {
			if old.Event == now.Event && old.Try == now.Try {
				if p := v.lane.private; p != nil {
					dst = append(dst, p.Delta(old, 0)...)
				} else {
					dst = v.wire(dst, delta(old, 0))
				}
			}
		}
	}
	return dst
}

// delta is a model's text from a byte on. It says how many characters the client
// should already have; 0 starts the text over.
func delta(s conversation.Delta, from int) Chunk {
	data, err := json.Marshal(struct {
		Event ui.EventID `json:"event"`
		At    int        `json:"at"`
		Text  string     `json:"text"`
	}{s.Event, utf8.RuneCountInString(s.Text[:from]), s.Text[from:]})
	if err != nil {
		panic(err) // strings and a number
	}
	return Chunk{Event: "delta", Data: [][]byte{data}}
}
