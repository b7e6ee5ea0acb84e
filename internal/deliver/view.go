package deliver

import (
	"time"

	"github.com/limn-ui/limn/compile"
	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/ui"
)

// lane is what makes the bytes of two streams of one conversation the same.
type lane struct {
	target  string
	print   string // the fingerprint: clients know other components, or the same by different ids
	format  Format
	parts   bool // framing "message"
	rebuild bool
	framing string
	private Private // of the one stream that has this lane
}

// view is one conversation in one lane, and the window: those bytes of it that some
// subscriber still has to get. A place in it is a byte offset, so that a subscriber
// that lags gets all waiting bytes in one write.
type view struct {
	d           *Deliverer
	lane        lane
	target      Target
	wire        func([]byte, Chunk) []byte
	log         string
	fingerprint string

	// guarded by the hub's mu
	base int64 // offset of buf[0]
	buf  []byte
	subs []*Sub
	over bool // nothing follows it
}

func (d *Deliverer) view(r Request, log string) *view {
	print := r.Target.Fingerprint(d.cfg.App)
	v := &view{d: d, log: log, target: r.Target, fingerprint: print, wire: r.Framing.Append,
		lane: lane{r.Target.Name, print, r.Format, r.PerMessage, r.Rebuild, r.Framing.Name, r.Private}}
	if r.Private != nil {
		v.wire = onlyBeats
	}
	if r.Format == A2UI { // nothing but messages goes there, so that toasts need one
		v.target.A2UI.Flags |= compile.Toasts
	}
	return v
}

func (v *view) end() int64 { return v.base + int64(len(v.buf)) }

func (v *view) append(wire []byte) {
	v.buf = append(v.buf, wire...)
	v.d.held.Add(int64(len(wire)))
}

// trim drops what every subscriber has.
func (v *view) trim() {
	least := v.end()
	for _, s := range v.subs {
		least = min(least, s.pos)
	}
	gone := least - v.base
	switch {
	case gone == int64(len(v.buf)):
		v.buf = nil // never reused: the writer of a stream that was cut may still hold it
	case gone > lowBehind && gone > int64(len(v.buf))/2:
		v.buf = append([]byte(nil), v.buf[gone:]...)
	default:
		return
	}
	v.base = least
	v.d.held.Add(-gone)
}

func (v *view) cursor(seq uint64, part int) string {
	return Cursor{Log: v.log, Seq: seq, Part: part, Fingerprint: v.fingerprint}.String()
}

// frame returns one frame as it goes over the wire, without the messages of it
// that were delivered before.
func (v *view) frame(st conversation.Step, skip int) ([]byte, error) {
	k := key{lane: v.lane, log: v.log, seq: st.Frame.Seq}
	if skip == 0 {
		if out, ok := v.d.cache.get(k); ok {
			return out, nil
		}
	}
	messages, warnings, err := v.update(st)
	if err != nil {
		return nil, err
	}
	if p := v.lane.private; p != nil {
		out, last := p.Frame(st, messages, v.cursor(st.Frame.Seq, -1))
		v.over = v.over || last
		return out, nil
	}
	skip = min(skip, len(messages))
	seq, out := st.Frame.Seq, []byte(nil)
	switch {
	case v.lane.format == Limn:
		f := st.Frame
		data, err := encodeBody(body{Kind: "frame", Seq: f.Seq, Text: f.Text,
			Transcript: Entries(entriesOf(st.After, f.Seq)), Toasts: f.Toasts,
			Event: f.Event, Outcome: &f.Outcome,
			Warnings: append(f.Warnings[:len(f.Warnings):len(f.Warnings)], warnings...),
			Failed:   failedOf(st.Before, st.After), Preferences: !st.Before.Router.SamePreferences(st.After.Router),
			Operator: operatorOf(st.Before, st.After), Actors: v.target.actors(st.After),
			Ended: st.After.Ended, Unshown: v.target.unshown(len(f.Changes) > 0)}, messages)
		if err != nil {
			return nil, err
		}
		out = v.wire(out, Chunk{ID: v.cursor(seq, -1), Data: [][]byte{data}, Ended: st.After.Ended})
	case !v.lane.parts || skip == len(messages):
		out = v.wire(out, Chunk{ID: v.cursor(seq, -1), Data: messages[skip:]})
	default:
		for i := skip; i < len(messages); i++ {
			part := i + 1
			if part == len(messages) {
				part = -1
			}
			out = v.wire(out, Chunk{ID: v.cursor(seq, part), Data: [][]byte{messages[i]}})
		}
	}
	if skip == 0 {
		v.d.cache.keep(k, out)
	}
	return out, nil
}

// update returns the messages of a frame: those its turn has drawn, if that was
// here and now.
func (v *view) update(st conversation.Step) (messages [][]byte, warnings []string, err error) {
	t := v.target
	toasts := t.A2UI.Flags&compile.Toasts != 0 && len(st.Before.Toasts)+len(st.After.Toasts) > 0
	if v.lane.rebuild {
		t.A2UI.Flags |= compile.Rebuild
	}
	if v.lane.rebuild || toasts {
		return t.Update(st.Before, st.After, st.Frame)
	}
	return t.step(st, v.fingerprint)
}

// snapshot returns a whole state as it goes over the wire; with a reason after
// the reset that it follows.
func (v *view) snapshot(state *ui.State, reason string) ([]byte, error) {
	if v.lane.private != nil {
		return v.draw(state, reason != "")
	}
	var reset []byte
	if reason != "" {
		reset = v.wire(nil, Chunk{Event: "reset", Data: resetData(reason)})
	}
	k := key{lane: v.lane, log: v.log, seq: state.Seq, snapshot: true, reset: reason != "" && v.lane.format == A2UI,
		minute: time.Now().Unix() / 60}
	out, ok := v.d.cache.get(k)
	if !ok {
		var err error
		if out, err = v.draw(state, k.reset); err != nil {
			return nil, err
		}
		v.d.cache.keep(k, out)
	}
	return append(reset, out...), nil
}

func (v *view) draw(state *ui.State, deleteFirst bool) ([]byte, error) {
	t := v.target
	if deleteFirst {
		t.A2UI.Flags |= compile.DeleteFirst
	}
	messages, warnings, err := t.snapshot(state)
	if err != nil {
		return nil, err
	}
	whole := v.cursor(state.Seq, -1)
	if p := v.lane.private; p != nil {
		out, last := p.Start(state, messages, whole)
		v.over = v.over || last
		return out, nil
	}
	if v.lane.format == Limn {
		data, err := encodeBody(body{Kind: "snapshot", Seq: state.Seq, Transcript: Entries(state.Transcript),
			Warnings: warnings, Failed: failedOf(nil, state), Operator: operatorOf(nil, state),
			Actors: t.actors(state), Ended: state.Ended, Unshown: t.unshown(true)},
			messages)
		if err != nil {
			return nil, err
		}
		return v.wire(nil, Chunk{ID: whole, Data: [][]byte{data}, Ended: state.Ended}), nil
	}
	if !v.lane.parts || len(messages) == 0 {
		return v.wire(nil, Chunk{ID: whole, Data: messages}), nil
	}
	var out []byte
	for _, m := range messages[:len(messages)-1] {
		out = v.wire(out, Chunk{ID: v.cursor(state.Seq, 0), Data: [][]byte{m}})
	}
	return v.wire(out, Chunk{ID: whole, Data: messages[len(messages)-1:]}), nil
}
