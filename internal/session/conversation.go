package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/limn-ui/limn/internal/route"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/ui"
)

// conversation is one conversation in memory. Who holds turn may change it;
// readers take a copy of head under mu of the Service.
type conversation struct {
	svc  *Service
	info store.Conversation

	slots   chan struct{} // one for each event that waits, runs or has its model asked; full is busy
	turn    chan struct{} // the right to run a turn; capacity 1
	looking chan struct{} // the right to read what other nodes did; capacity 1

	// guarded by svc.mu
	state    *ui.State
	floor    uint64
	recent   []Step    // the last steps, oldest first
	trail    *ui.State // where the last reader of old frames stopped, or nil
	inflight map[ui.EventID]*running
	pins     int // requests that hold this conversation; it is not evicted meanwhile
	used     time.Time
	base     int   // bytes of the last snapshot as it is stored
	grown    int   // of the frames since
	weighs   int   // what it counts for in the cache, as Service.weight has it
	sweeping bool  // a goroutine will look for pending events
	unsure   bool  // a goroutine will look for a frame that the store may have kept
	nextLook *look // a reading of the store that has not begun

	// guarded by holding turn
	now      *job // whose turn it is, or was last; nil at first
	opsBytes int  // of frames since the last snapshot
	snapped  uint64
	proofs   []proof           // for each target what its clients show; nil: not known
	rules    *route.Guardrails // the user's, as compiled for the last message; nil at first
}

// running is an event that is recorded and not answered yet. All but done is
// guarded by svc.mu until done is closed.
type running struct {
	done     chan struct{} // closed when answered
	result   Receipt
	asking   bool                    // its model run was started
	canceled bool                    // the user does not want its model's answer
	cancel   context.CancelCauseFunc // stops its model run
	try      int
	said     []byte // see Saying
	long     bool   // more was said than is told
}

// Step is one committed frame between the states around it.
type Step struct {
	Before, After *ui.State
	Frame         *ui.Frame
	drawn         []drawn // see Drawn
	size          int     // bytes of the frame as it is stored
}

const (
	keepRecent = 32
	keepDrawn  = 4 // steps whose drawings are kept for streams
)

// conversation returns a loaded conversation and a function that lets go of
// it; with principal "" anybody's.
func (s *Service) conversation(ctx context.Context, id, principal string) (*conversation, func(), error) {
	s.mu.Lock()
	c := s.open[id]
	if c != nil {
		c.pin()
	}
	s.mu.Unlock()
	if c == nil {
		loaded, pending, err := s.load(ctx, id)
		if err != nil {
			return nil, nil, err
		}
		if c = s.keep(loaded, pending); s.enter() == nil {
			c.expireOnLoad(ctx)
			s.work.Done()
		}
	}
	if principal != "" && c.info.Owner != Owner(principal) {
		c.unpin()
		return nil, nil, &ui.Error{Code: CodeNotFound, Message: "no such conversation"}
	}
	return c, c.unpin, nil
}

// pin is called with svc.mu held.
func (c *conversation) pin() {
	c.pins++
	c.used = time.Now() // cfg.Now may tick with each call, and the sweep at start comes at any time
}

func (c *conversation) unpin() {
	c.svc.mu.Lock()
	defer c.svc.mu.Unlock()
	c.pins--
}

// keep puts a loaded conversation into the cache, pinned, unless another
// request was faster, and starts what a crash left unfinished.
func (s *Service) keep(c *conversation, pending []store.Record) *conversation {
	s.mu.Lock()
	defer s.mu.Unlock()
	if other := s.open[c.info.ID]; other != nil {
		other.pin()
		return other
	}
	s.open[c.info.ID] = c
	c.pin()
	c.weigh()
	s.evict()
	if len(pending) == 0 || s.closed || s.desk != nil { // with other nodes, what is left is found by sweep
		return c
	}
	c.turn <- struct{}{} // what was begun goes before what comes now
	for _, r := range pending {
		c.inflight[ui.EventID(r.Event)] = &running{done: make(chan struct{})}
	}
	s.work.Go(func() { // Close waits for it
		c.resume(s.stop, pending)
		<-c.turn
	})
	return c
}

// evict forgets the longest unused conversations in which nothing is running,
// until those in memory are few and small enough. Called with mu held.
func (s *Service) evict() {
	for len(s.open) > s.cfg.Cached || s.weight > s.cfg.CachedBytes {
		var oldest *conversation
		for _, c := range s.open {
			if len(c.inflight) == 0 && c.pins == 0 && (oldest == nil || c.used.Before(oldest.used)) {
				oldest = c
			}
		}
		if oldest == nil {
			return // what runs has limits of its own
		}
		delete(s.open, oldest.info.ID)
		s.weight -= int64(oldest.weighs)
	}
}

// An object in memory takes about twice the bytes of its stored form; a
// conversation without any has maps and channels.
const (
	weightOfByte         = 2
	weightOfConversation = 8 << 10
)

// weigh counts what the conversation takes in memory: its state, by its last
// snapshot and the frames since, and the steps kept for readers, whose states
// share all that did not change. Called with svc.mu held.
func (c *conversation) weigh() {
	if c.svc.open[c.info.ID] != c {
		return // forgotten, or not yet shared
	}
	size := c.base + c.grown
	for i := range c.recent {
		size += c.recent[i].size
		for _, d := range c.recent[i].drawn {
			for _, m := range d.messages {
				size += len(m) / weightOfByte // bytes already
			}
		}
	}
	weighs := weightOfConversation + weightOfByte*size
	c.svc.weight += int64(weighs - c.weighs)
	c.weighs = weighs
}

func (s *Service) load(ctx context.Context, id string) (*conversation, []store.Record, error) {
	head, err := s.cfg.Store.Open(ctx, id)
	if err != nil {
		return nil, nil, storeError("open conversation", err)
	}
	c := &conversation{svc: s, info: head.Conversation, floor: head.Floor, snapped: head.SnapshotSeq, used: time.Now(),
		slots: make(chan struct{}, s.cfg.Queue), turn: make(chan struct{}, 1), looking: make(chan struct{}, 1),
		inflight: map[ui.EventID]*running{}}
	base, err := s.base(id, head.Snapshot)
	if err != nil {
		return nil, nil, err
	}
	c.base = len(head.Snapshot)
	c.state, err = s.replay(ctx, base, head.Seq, c.remember)
	return c, head.Pending, err
}

// base is the state a replay starts from: a snapshot, or the first one.
func (s *Service) base(id string, snapshot []byte) (*ui.State, error) {
	if len(snapshot) == 0 {
		return s.first(id), nil
	}
	st, err := ui.DecodeState(snapshot)
	if err != nil {
		return nil, fmt.Errorf("snapshot of conversation %s: %w", id, err)
	}
	return st, nil
}

// first is the state before the first frame.
func (s *Service) first(id string) *ui.State { return s.cfg.App.NewState(id) }

// replay brings a state up to seq, or with seq 0 to the end of the log, with
// frames from the store; each sees every step on the way.
func (s *Service) replay(ctx context.Context, st *ui.State, seq uint64, each func(Step)) (*ui.State, error) {
	const page = 256
	for seq == 0 || st.Seq < seq {
		n := page
		if seq > 0 {
			n = int(min(page, seq-st.Seq))
		}
		frames, err := s.cfg.Store.Frames(ctx, st.ID, st.Seq, n)
		switch {
		case err != nil:
			return nil, storeError("read frames", err)
		case len(frames) == 0 && seq == 0:
			return st, nil
		case len(frames) == 0:
			return nil, &ui.Error{Code: CodeStore, Message: "the log ends too early"}
		}
		for _, f := range frames {
			frame, err := ui.DecodeFrame(f.Body)
			if err != nil {
				return nil, damaged(st.ID, f.Seq, err)
			}
			next, _, err := ui.Apply(st, frame, s.cfg.App.Config().Limits)
			if err != nil {
				return nil, damaged(st.ID, f.Seq, err)
			}
			each(Step{Before: st, After: next, Frame: frame, size: len(f.Body)})
			st = next
		}
	}
	return st, nil
}

// damaged is the error of a conversation whose log does not apply: the store's
// fault, whatever the frame says.
func damaged(id string, seq uint64, err error) error {
	return &ui.Error{Code: CodeStore, Message: "the conversation cannot be read",
		Err: fmt.Errorf("replay frame %d of %q: %w", seq, id, err)}
}

// reload catches up with what another process committed. Readers may call it
// without the turn.
func (c *conversation) reload(ctx context.Context) error {
	_, err := c.svc.replay(ctx, c.head(), 0, c.advance)
	if !errors.Is(err, store.ErrTrimmed) {
		return err
	}
	head, err := c.svc.cfg.Store.Open(ctx, c.info.ID)
	if err != nil {
		return storeError("reload conversation", err)
	}
	base, err := c.svc.base(c.info.ID, head.Snapshot)
	if err != nil {
		return err
	}
	c.jump(base, head.Floor)
	c.snapshot(len(head.Snapshot))
	_, err = c.svc.replay(ctx, base, 0, c.advance)
	return err
}

// head returns the newest state.
func (c *conversation) head() *ui.State {
	c.svc.mu.Lock()
	defer c.svc.mu.Unlock()
	return c.state
}

// jump goes on from a later state; the frames in between are gone.
func (c *conversation) jump(st *ui.State, floor uint64) {
	c.svc.mu.Lock()
	defer c.svc.mu.Unlock()
	if st.Seq > c.state.Seq {
		c.state, c.recent = st, nil
	}
	c.floor = max(c.floor, floor)
}

// snapshot notes how large the state is as it is stored.
func (c *conversation) snapshot(bytes int) {
	c.svc.mu.Lock()
	defer c.svc.mu.Unlock()
	c.base, c.grown = bytes, 0
}

// advance makes a committed step the newest one and releases who waits for its
// event.
func (c *conversation) advance(st Step) {
	c.svc.mu.Lock()
	defer c.svc.mu.Unlock()
	if st.Before.Seq != c.state.Seq {
		return // a reader caught up meanwhile
	}
	c.state = st.After
	c.remember(st)
	c.weigh()
	c.svc.evict()
	c.release(st.Frame.Event, receipt(st.Frame))
}

// remember keeps a step for readers. Called with svc.mu held, or before the
// conversation is shared.
func (c *conversation) remember(st Step) {
	if len(c.recent) >= keepRecent {
		c.recent = append(c.recent[:0:0], c.recent[len(c.recent)-keepRecent/2:]...)
	}
	if old := len(c.recent) - keepDrawn; old >= 0 {
		c.recent[old].drawn = nil
	}
	c.recent = append(c.recent, st)
	c.grown += st.size
}

// release answers a running event. Called with svc.mu held.
func (c *conversation) release(id ui.EventID, rec Receipt) {
	if run := c.inflight[id]; run != nil {
		delete(c.inflight, id)
		run.result = rec
		close(run.done)
	}
}

// snapshotEvery and snapshotBytes say when a frame carries a snapshot.
const (
	snapshotEvery = 64
	snapshotBytes = 256 << 10
)

func (c *conversation) commit(ctx context.Context, j *job, step *Step, rec Receipt) error {
	body, err := ui.Encode(step.Frame)
	if err != nil {
		return fmt.Errorf("encode frame: %w", err)
	}
	tx := store.Commit{Expect: step.Before.Seq, Frame: body, Answer: rec.encode(), Node: c.svc.cfg.Node,
		Outbox: j.outbox}
	if j.alone != nil {
		tx.Token = j.alone.Token()
	}
	if j.recorded {
		tx.Event = j.record.Event
	} else {
		tx.Record = compact(j.record, j.event, step.Frame)
	}
	if step.Frame.Seq-min(c.snapped, step.Frame.Seq) >= snapshotEvery || c.opsBytes+len(body) >= snapshotBytes {
		if tx.Snapshot, err = ui.Encode(step.After); err != nil {
			return fmt.Errorf("encode state: %w", err)
		}
	}
	tx.Trace = c.traced(j, *step, tx)
	switch err = c.svc.cfg.Store.Append(ctx, c.info.ID, tx); {
	case errors.Is(err, store.ErrConflict):
		return errLostRace
	case errors.Is(err, store.ErrLeased):
		return store.ErrLeased
	case errors.Is(err, store.ErrExists):
		return store.ErrExists
	case err != nil:
		c.lookLater()
		return storeError("append frame", err)
	}
	c.svc.stored.add(j.event.Principal, j.address, storedBytes(j, tx))
	step.size = len(body)
	if c.opsBytes += len(body); tx.Snapshot != nil {
		c.snapped, c.opsBytes = step.Frame.Seq, 0
		c.snapshot(len(tx.Snapshot) - len(body)) // advance adds the frame, which the snapshot holds already
		c.trim(step.Frame.Seq)
	}
	return nil
}

// compact returns the record of an event with the body that is stored: of a refused
// event only who sent what kind and when. Its hash and answer serve its repeats, and
// nobody fills the disk with what is refused.
func compact(r store.Record, e *ui.Event, f *ui.Frame) *store.Record {
	if f.Outcome.Kind == ui.OutcomeRefused {
		r.Body = recordOf(&ui.Event{V: e.V, ID: e.ID, Kind: e.Kind, Key: e.Key, At: e.At, Principal: e.Principal},
			"").Body
	}
	return &r
}

// storedBytes is how many bytes a turn adds to the store.
func storedBytes(j *job, tx store.Commit) int64 {
	n := len(tx.Frame) + len(tx.Answer) + len(tx.Trace)
	if tx.Record != nil {
		n += len(tx.Record.Body)
	} else {
		n += len(j.record.Body)
	}
	for _, job := range tx.Outbox {
		n += len(job.Body)
	}
	return int64(n)
}

// Receipt is what is known about an event: it is durable, and when Done, how
// it ended.
type Receipt struct {
	Event   ui.EventID `json:"event"`
	Seq     uint64     `json:"seq"` // of its frame; while not Done, of the newest frame
	Done    bool       `json:"-"`
	Outcome ui.Outcome `json:"outcome"`
}

// receipt is the answer a frame gives to its event.
func receipt(f *ui.Frame) Receipt {
	return Receipt{Event: f.Event, Seq: f.Seq, Done: true, Outcome: f.Outcome}
}

func (r Receipt) encode() []byte {
	b, err := json.Marshal(r)
	if err != nil {
		panic(err) // strings and numbers only
	}
	return b
}

func receiptOf(r *store.Record) (Receipt, error) {
	var out Receipt
	if err := json.Unmarshal(r.Answer, &out); err != nil {
		return Receipt{}, &ui.Error{Code: CodeStore, Message: "the recorded answer cannot be read", Err: err}
	}
	out.Done = true
	return out, nil
}

// Head is where a conversation stands.
type Head struct {
	Log   string    // identity of the log
	Floor uint64    // frames up to here are trimmed
	State *ui.State // read only
}

// CodeTrimmed says that frames are asked for that the store no longer has:
// start from the newest state instead.
const CodeTrimmed ui.Code = "STORE_TRIMMED"

// Head returns the newest state of a principal's conversation; with principal
// "" of anybody's.
func (s *Service) Head(ctx context.Context, id, principal string) (Head, error) {
	c, done, err := s.conversation(ctx, id, principal)
	if err != nil {
		return Head{}, err
	}
	defer done()
	if err := c.fresh(ctx); err != nil {
		return Head{}, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return Head{c.info.Log, c.floor, c.state}, nil
}

// Steps returns the committed steps after a seq, in order, at most max. After
// the head there are none. An error with CodeTrimmed means that seq is below
// what the store still has.
func (s *Service) Steps(ctx context.Context, id string, after uint64, max int) ([]Step, error) {
	c, done, err := s.conversation(ctx, id, "")
	if err != nil {
		return nil, err
	}
	defer done()
	steps, ok := c.fromRecent(after, max)
	if ok && len(steps) == 0 {
		if err := c.fresh(ctx); err != nil {
			return nil, err
		}
		steps, ok = c.fromRecent(after, max)
	}
	if ok {
		return steps, nil
	}
	return c.fromStore(ctx, after, max)
}

func (c *conversation) fromRecent(after uint64, max int) ([]Step, bool) {
	c.svc.mu.Lock()
	defer c.svc.mu.Unlock()
	if after >= c.state.Seq {
		return nil, true
	}
	for i, st := range c.recent {
		if st.Before.Seq == after {
			list := c.recent[i:]
			return slices.Clone(list[:min(max, len(list))]), true
		}
	}
	return nil, false
}

// fromStore replays from where the last such reader stopped, from the newest
// snapshot at or before after, or from the beginning of the log.
func (c *conversation) fromStore(ctx context.Context, after uint64, max int) ([]Step, error) {
	s := c.svc
	base, err := c.baseFor(ctx, after)
	if err != nil {
		return nil, err
	}
	var steps []Step
	end, err := s.replay(ctx, base, min(c.head().Seq, after+uint64(max)), func(st Step) {
		if st.Before.Seq >= after {
			steps = append(steps, st)
		}
	})
	if errors.Is(err, store.ErrTrimmed) {
		if head, err := s.cfg.Store.Open(ctx, c.info.ID); err == nil {
			c.jump(base, head.Floor)
			c.snapshot(len(head.Snapshot))
		}
		return nil, &ui.Error{Code: CodeTrimmed, Message: "these frames are no longer kept", Err: err}
	}
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	c.trail = end
	return steps, nil
}

// baseFor finds a state at or before seq to replay from.
func (c *conversation) baseFor(ctx context.Context, seq uint64) (*ui.State, error) {
	s := c.svc
	s.mu.Lock()
	trail := c.trail
	s.mu.Unlock()
	if trail != nil && trail.Seq > seq {
		trail = nil
	}
	if trail != nil && seq-trail.Seq < snapshotEvery {
		return trail, nil
	}
	at, body, err := s.cfg.Store.Snapshot(ctx, c.info.ID, seq)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return nil, storeError("read snapshot", err)
	}
	if trail != nil && trail.Seq >= at {
		return trail, nil
	}
	return s.base(c.info.ID, body)
}

// Look catches up with what other processes committed. With Config.Node every
// reading does; without it, readers call it when their patience says so.
func (s *Service) Look(ctx context.Context, id string) error {
	c, done, err := s.conversation(ctx, id, "")
	if err != nil {
		return err
	}
	defer done()
	return c.look(ctx)
}

// fresh makes sure that the state is not older than this call, if other nodes
// may change it.
func (c *conversation) fresh(ctx context.Context) error {
	if c.svc.desk == nil {
		return nil
	}
	return c.look(ctx)
}

// look is one reading of the store that readers share.
type look struct {
	done chan struct{}
	err  error
}

// readTime is how long one such reading may take.
const readTime = 30 * time.Second

// look reads what other processes committed. Who comes while nobody reads, reads;
// all who come until that reading is over share the next one.
func (c *conversation) look(ctx context.Context) error {
	c.svc.mu.Lock()
	l, first := c.nextLook, c.nextLook == nil
	if first {
		l = &look{done: make(chan struct{})}
		c.nextLook = l
	}
	c.svc.mu.Unlock()
	if first {
		c.looking <- struct{}{}
		defer func() { <-c.looking }()
		c.svc.mu.Lock()
		c.nextLook = nil // from here on the store may say more than this look sees
		c.svc.mu.Unlock()
		reading, cancel := context.WithTimeout(context.WithoutCancel(ctx), readTime) // others rely on it
		l.err = c.reload(reading)
		cancel()
		c.svc.countStore("read", l.err)
		close(l.done)
	}
	select {
	case <-l.done:
		return l.err
	case <-ctx.Done():
		return ctx.Err()
	}
}
