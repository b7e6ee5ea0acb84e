package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/ui"
)

// conversation is one conversation in memory. Who holds turn may change it;
// readers take a copy of head under mu of the Service.
type conversation struct {
	svc  *Service
	info store.Conversation

	slots chan struct{} // one for each event that waits or runs; full is busy
	turn  chan struct{} // the right to run a turn; capacity 1

	// guarded by svc.mu
	state    *ui.State
	floor    uint64
	recent   []Step // the last steps, oldest first
	inflight map[ui.EventID]*running
	used     time.Time

	// guarded by holding turn
	opsBytes int // of frames since the last snapshot
	snapped  uint64
}

// running is an event that is recorded and not answered yet.
type running struct {
	done   chan struct{} // closed when answered
	result Receipt
	cancel context.CancelCauseFunc // stops its model run
}

// Step is one committed frame between the states around it.
type Step struct {
	Before, After *ui.State
	Frame         *ui.Frame
}

const keepRecent = 64

// conversation returns a loaded conversation; with principal "" anybody's.
func (s *Service) conversation(ctx context.Context, id, principal string) (*conversation, error) {
	s.mu.Lock()
	c := s.open[id]
	if c != nil {
		c.used = s.cfg.Now()
	}
	s.mu.Unlock()
	if c == nil {
		loaded, pending, err := s.load(ctx, id)
		if err != nil {
			return nil, err
		}
		c = s.keep(loaded, pending)
	}
	if principal != "" && c.info.Owner != principal {
		return nil, &ui.Error{Code: CodeNotFound, Message: "no such conversation"}
	}
	return c, nil
}

// keep puts a loaded conversation into the cache, unless another request was
// faster, and starts what a crash left unfinished.
func (s *Service) keep(c *conversation, pending []store.Record) *conversation {
	s.mu.Lock()
	defer s.mu.Unlock()
	if other := s.open[c.info.ID]; other != nil {
		return other
	}
	if len(s.open) >= s.cfg.Cached {
		s.evict()
	}
	s.open[c.info.ID] = c
	for _, r := range pending {
		c.inflight[ui.EventID(r.Event)] = &running{done: make(chan struct{})}
	}
	if len(pending) > 0 && !s.closed {
		s.work.Add(1)
		go func() { // Close waits for it
			defer s.work.Done()
			c.resume(s.stop, pending)
		}()
	}
	return c
}

// evict forgets the longest unused conversation that nothing is running in.
func (s *Service) evict() {
	var oldest *conversation
	for _, c := range s.open {
		if len(c.inflight) == 0 && len(c.slots) == 0 && (oldest == nil || c.used.Before(oldest.used)) {
			oldest = c
		}
	}
	if oldest != nil {
		delete(s.open, oldest.info.ID)
	}
}

func (s *Service) load(ctx context.Context, id string) (*conversation, []store.Record, error) {
	head, err := s.cfg.Store.Open(ctx, id)
	if err != nil {
		return nil, nil, storeError("open conversation", err)
	}
	c := &conversation{svc: s, info: head.Conversation, floor: head.Floor, snapped: head.SnapshotSeq, used: s.cfg.Now(),
		slots: make(chan struct{}, s.cfg.Queue), turn: make(chan struct{}, 1), inflight: map[ui.EventID]*running{}}
	if c.state, err = s.base(id, head.Snapshot); err != nil {
		return nil, nil, err
	}
	if _, err = s.replay(ctx, c, head.Seq); err != nil {
		return nil, nil, err
	}
	return c, head.Pending, nil
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
func (s *Service) first(id string) *ui.State {
	st := ui.NewState(id)
	st.Router.Guardrails = s.cfg.App.Config().Guardrails
	return st
}

// replay brings c.state up to seq with frames from the store and returns the steps.
func (s *Service) replay(ctx context.Context, c *conversation, seq uint64) ([]Step, error) {
	var steps []Step
	for c.state.Seq < seq {
		frames, err := s.cfg.Store.Frames(ctx, c.info.ID, c.state.Seq, 256)
		if err != nil {
			return nil, storeError("read frames", err)
		}
		if len(frames) == 0 {
			return nil, &ui.Error{Code: CodeStore, Message: "the log ends too early"}
		}
		for _, f := range frames {
			frame, err := ui.DecodeFrame(f.Body)
			if err != nil {
				return nil, err
			}
			next, _, err := ui.Apply(c.state, frame, s.cfg.App.Config().Limits)
			if err != nil {
				return nil, fmt.Errorf("replay frame %d: %w", f.Seq, err)
			}
			steps = append(steps, Step{c.state, next, frame})
			c.state = next
		}
	}
	return steps, nil
}

// reload catches up with what another process committed.
func (c *conversation) reload(ctx context.Context) error {
	head, err := c.svc.cfg.Store.Open(ctx, c.info.ID)
	if err != nil {
		return storeError("reload conversation", err)
	}
	work := &conversation{svc: c.svc, info: c.info, state: c.head()}
	steps, err := c.svc.replay(ctx, work, head.Seq)
	if err != nil {
		return err
	}
	for _, st := range steps {
		c.advance(st)
	}
	return nil
}

// head returns the newest state.
func (c *conversation) head() *ui.State {
	c.svc.mu.Lock()
	defer c.svc.mu.Unlock()
	return c.state
}

// advance makes a committed step the newest one.
func (c *conversation) advance(st Step) {
	c.svc.mu.Lock()
	defer c.svc.mu.Unlock()
	if st.Before.Seq != c.state.Seq {
		return // a reader caught up meanwhile
	}
	c.state = st.After
	if len(c.recent) >= keepRecent {
		c.recent = append(c.recent[:0:0], c.recent[len(c.recent)-keepRecent/2:]...)
	}
	c.recent = append(c.recent, st)
}

// Receipt is what is known about an event: it is durable, and when Done, how
// it ended.
type Receipt struct {
	Event   ui.EventID `json:"event"`
	Seq     uint64     `json:"seq"` // of its frame; while not Done, of the newest frame
	Done    bool       `json:"-"`
	Outcome ui.Outcome `json:"outcome"`
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

var errLostRace = errors.New("another process was faster")
