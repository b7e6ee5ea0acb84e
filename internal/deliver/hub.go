package deliver

import (
	"context"
	"errors"
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/logs"
	"github.com/limn-ui/limn/ui"
)

// hub is the subscribers of one conversation in this process. It reads each
// step once, encodes it once in each view, and writes to every connection that
// takes bytes without waiting. No goroutine waits for an idle stream: one is
// started when there is something to do.
//
//	wake-up, tick ─▶ schedule ─▶ round: pump (log → windows), push (windows → connections)
type hub struct {
	d           *Deliverer
	id          string
	refs        int    // guarded by d.mu
	subscribe   func() // to commits and deltas, once; returns when it is done
	unsubscribe func()

	wakeups
	beatAt atomic.Int64 // Unix nanoseconds

	mu     sync.Mutex // guards what follows, and what Sub and view say
	seq    uint64     // the newest frame in every view
	views  []*view
	lookAt time.Time
	deltas []conversation.Delta // as far as every view has it
	failed bool                 // the last reading did
	presence
	ended bool // the conversation, and all of it is in the windows
}

// wakeups are the reasons for which a hub was woken.
type wakeups struct {
	running   atomic.Int32 // rounds asked for and not run; above 0 a goroutine runs them
	dirty     atomic.Bool  // the next round reads: there may be something
	newDeltas atomic.Bool  // the next round listens: a model has said more
	needsTick atomic.Bool  // wake it each tick: a client is late, or the source failed
}

func newHub(d *Deliverer, id string) *hub {
	h := &hub{d: d, id: id}
	now := time.Now()
	h.beatAt.Store(now.Add(d.cfg.Beat - rand.N(d.cfg.Beat/2+1)).UnixNano())
	h.lookAt = now.Add(d.cfg.Look - rand.N(d.cfg.Look/2+1))
	h.subscribe = sync.OnceFunc(func() { // a bus may take a while
		unwatch, unhear := d.cfg.Source.Watch(id, h.wake), d.cfg.Source.OnDelta(id, h.deltasChanged)
		h.unsubscribe = func() { unwatch(); unhear() }
	})
	return h
}

func (h *hub) wake() { h.schedule(true) }

// schedule asks for a round; one that runs already is followed by another.
func (h *hub) schedule(dirty bool) {
	if dirty {
		h.dirty.Store(true)
	}
	if h.running.Add(1) == 1 {
		go h.rounds() // ends when no round is scheduled
	}
}

func (h *hub) rounds() {
	for n := int32(1); n > 0; {
		n = h.running.Load()
		began := time.Now()
		h.guarded(h.dirty.Swap(false))
		h.pause(time.Since(began))
		n = h.running.Add(-n)
	}
}

// A round for very many subscribers is followed by a rest as long as it was:
// frames committed meanwhile go out in one write each, not in several.
const (
	longRound = 2 * time.Millisecond
	maxRest   = 25 * time.Millisecond
)

func (h *hub) pause(took time.Duration) {
	if took < longRound {
		return
	}
	t := time.NewTimer(min(took, maxRest))
	defer t.Stop()
	select {
	case <-t.C:
	case <-h.d.stop.Done():
	}
}

var errPanic = errors.New("panic in a stream")

// guarded is round, where a panic ends the streams of this conversation: their clients come back.
func (h *hub) guarded(dirty bool) {
	defer func() {
		if p := recover(); p != nil { // round has released its locks
			h.d.cfg.Log.Error("panic in a stream", "conversation", h.id, "panic", logs.QuietPanic(p),
				"stack", string(debug.Stack()))
			h.mu.Lock()
			defer h.mu.Unlock()
			h.cutAllViews(errPanic)
		}
	}()
	h.round(dirty)
}

// sourceTime is how long the source may take to answer a round.
const sourceTime = 10 * time.Second

func (h *hub) round(dirty bool) {
	select {
	case h.d.slots <- struct{}{}:
		defer func() { <-h.d.slots }()
	case <-h.d.stop.Done():
		return
	}
	ctx, cancel := context.WithTimeout(h.d.stop, sourceTime)
	defer cancel()
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.views) == 0 {
		return
	}
	now := time.Now()
	beat := h.beatAt.Load() <= now.UnixNano()
	if beat {
		h.beatAt.Store(now.Add(h.d.cfg.Beat).UnixNano())
	}
	look := now.After(h.lookAt)
	if look {
		h.lookAt = now.Add(h.d.cfg.Look)
	}
	if dirty || look || beat {
		h.cutRevoked(ctx)
	}
	h.listen(beat)
	if h.newDeltas.Swap(false) {
		h.writeDeltas()
	}
	var err error
	for more := dirty || look || h.failed; ; {
		if more {
			more, err = h.pump(ctx, look)
		}
		h.push(now)
		if !more || err != nil {
			break
		}
	}
	h.failed = err != nil
	h.needsTick.Store(h.waiting() || h.failed)
	if beat {
		h.beats(now)
	}
}

// pump reads the next steps into the windows; more says that there are others.
func (h *hub) pump(ctx context.Context, look bool) (more bool, err error) {
	src := h.d.cfg.Source
	if h.ended || len(h.views) == 0 {
		return false, nil
	}
	steps, err := src.Steps(ctx, h.id, h.seq, page)
	if err == nil && len(steps) == 0 && look {
		// Memory has nothing; the store may, if hints were lost.
		if err = src.Look(ctx, h.id); err == nil {
			steps, err = src.Steps(ctx, h.id, h.seq, page)
		}
	}
	if ui.CodeOf(err) == conversation.CodeTrimmed {
		return true, h.restart(ctx)
	}
	if ui.CodeOf(err) == conversation.CodeNotFound {
		h.cutAllViews(err)
	}
	if err != nil { // streams stay, and go on when it is back
		return false, err
	}
	for _, st := range steps {
		if st.Frame.Seq != h.seq+1 {
			h.cutAllViews(errGap)
			return false, errGap
		}
		for i := 0; i < len(h.views); i++ {
			if v := h.views[i]; !h.extend(v, st) {
				i--
			}
		}
		h.seq, h.ended = st.Frame.Seq, st.After.Ended
		if h.ended {
			return false, nil
		}
	}
	return len(steps) == page, nil
}

// extend adds a frame to a window. One that cannot be drawn ends its streams.
func (h *hub) extend(v *view, st conversation.Step) bool {
	if v.over {
		return true
	}
	from := v.end()
	wire, err := v.frame(st, 0)
	if err != nil {
		h.cutView(v, err)
		return false
	}
	v.append(wire)
	if v.stays() && slices.ContainsFunc(st.Frame.Changes, appears) {
		h.presence.see(st.After)
		v.append(h.presence.watch(v))
	}
	for _, s := range v.subs {
		s.counts.frames.Add(1)
		if s.failed(st.Frame.Rebuild) {
			if wire, err = v.snapshot(st.After, "client"); err != nil {
				h.cutView(v, err)
				return false
			}
			s.inserts = append(s.inserts, insert{from, v.end(), wire})
			h.d.resets["client"].Add(1)
		}
	}
	return true
}

// appears reports a surface that clients do not have yet.
func appears(c ui.Change) bool { return c.Kind == ui.ChangedOpened || c.Kind == ui.ChangedReset }

// restart goes on from the newest state: the frames before it were trimmed.
func (h *hub) restart(ctx context.Context) error {
	head, err := h.d.cfg.Source.Head(ctx, h.id, "")
	if err != nil {
		return err
	}
	for i := 0; i < len(h.views); i++ {
		v := h.views[i]
		if v.over {
			continue
		}
		wire, err := v.snapshot(head.State, "floor")
		if err != nil {
			h.cutView(v, err)
			i--
			continue
		}
		v.append(wire)
		h.d.resets["floor"].Add(float64(len(v.subs)))
	}
	h.seq, h.ended = head.State.Seq, head.State.Ended
	return nil
}

// attach lets a stream that has read the log join its view: frames committed
// meanwhile become its first insert.
func (h *hub) attach(ctx context.Context, s *Sub) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if s.why != nil {
		return s.why
	}
	v := h.viewOf(s)
	if len(h.views) == 0 {
		h.seq, h.ended, h.deltas = s.at.Seq, false, nil
		h.newDeltas.Store(true)
	}
	for s.at.Seq != h.seq && !s.ended {
		if from := h.seq; s.at.Seq > from {
			if _, err := h.pump(ctx, false); err != nil {
				return err
			}
			if h.seq == from {
				return errGap
			}
			continue
		}
		if _, err := s.read(ctx); err != nil {
			return err
		}
	}
	s.first = h.appendDeltas(v, s.first)
	if v.stays() {
		head, err := h.d.cfg.Source.Head(ctx, h.id, "")
		if err != nil {
			return err
		}
		h.join(s, head.State)
	}
	s.v, s.pos = v, v.end()
	if len(s.first) > 0 {
		s.inserts = []insert{{s.pos, s.pos, s.first}}
		s.first = nil
	}
	if len(v.subs) == 0 {
		h.views = append(h.views, v)
	}
	v.subs = append(v.subs, s)
	h.schedule(true) // what came since is written there
	return nil
}

// viewOf returns the view of s that others use already, or its own.
func (h *hub) viewOf(s *Sub) *view {
	for _, v := range h.views {
		if v.lane == s.v.lane && v.log == s.v.log && v.fingerprint == s.v.fingerprint {
			return v
		}
	}
	return s.v
}

// detach takes a stream out of its view. Called with h.mu held.
func (h *hub) detach(s *Sub) {
	v := s.v
	if v == nil {
		return
	}
	before := len(v.subs)
	v.subs = without(v.subs, s)
	switch len(v.subs) {
	case before: // it has not joined, or left already
		return
	case 0:
		h.drop(v)
	default:
		v.trim()
	}
	if v.stays() {
		h.leave()
	}
}

func (h *hub) drop(v *view) {
	h.d.held.Add(-int64(len(v.buf)))
	v.base, v.buf = v.end(), nil
	h.views = without(h.views, v)
}

func (h *hub) cutView(v *view, why error) {
	for len(v.subs) > 0 {
		v.subs[len(v.subs)-1].cutLocked(why)
	}
}

func (h *hub) cutAllViews(why error) {
	for len(h.views) > 0 {
		h.cutView(h.views[0], why)
	}
}

// cutRevoked ends the streams of guests who may not read any more, or about whom
// the source does not know: their clients connect again.
func (h *hub) cutRevoked(ctx context.Context) {
	may := map[string]error{}
	for i := len(h.views) - 1; i >= 0; i-- {
		v := h.views[i]
		for j := len(v.subs) - 1; j >= 0; j-- { // a stream that is cut leaves
			s := v.subs[j]
			if !s.guest {
				continue
			}
			err, known := may[s.principal]
			if !known {
				_, err = h.d.cfg.Source.Access(ctx, h.id, s.principal)
				may[s.principal] = err
			}
			if err != nil {
				s.cutLocked(errRevoked)
			}
		}
	}
}

// waiting reports whether bytes are held for a client. Called with h.mu held.
func (h *hub) waiting() bool {
	for _, v := range h.views {
		if len(v.buf) > 0 || slices.ContainsFunc(v.subs, func(s *Sub) bool { return !s.late.IsZero() }) {
			return true
		}
	}
	return false
}
