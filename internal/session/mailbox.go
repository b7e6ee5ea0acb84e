package session

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/journal"
	"github.com/limn-ui/limn/internal/logs"
	"github.com/limn-ui/limn/internal/prove"
	"github.com/limn-ui/limn/internal/records"
	"github.com/limn-ui/limn/internal/route"
	"github.com/limn-ui/limn/internal/turn"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/ui"
)

// mailbox is one conversation of this process: its queue, its log and the events that
// run. Whoever holds turn may change it.
type mailbox struct {
	svc  *Service
	info store.Conversation
	log  *conversation.Log

	slots chan struct{} // one for each event that waits, runs or has its model asked; full is busy
	turn  chan struct{} // the right to run a turn; capacity 1
	gone  atomic.Bool   // it was deleted

	viewer atomic.Pointer[records.Viewer] // the owner, as who they were here last; nil: not yet

	sharing sync.Mutex // held while a link is made, opened or revoked

	mu       sync.Mutex // guards what follows
	inflight map[ui.EventID]*running
	sweeping bool // a goroutine will look for pending events
	looking  bool // a goroutine will look for a frame that the store may have kept

	// guarded by holding turn
	opsBytes int // of frames since the last snapshot
	snapped  uint64
	prover   *prove.Prover
	rules    *route.Guardrails // the user's, as compiled for the last message; nil at first
}

// running is an event that is recorded and not answered yet. All but done is
// guarded by the conversation's mu until done is closed.
type running struct {
	done     chan struct{} // closed when answered
	event    *ui.Event     // nil: not begun
	result   Receipt
	asking   bool                    // its model run was started
	canceled bool                    // the user does not want its model's answer
	cancel   context.CancelCauseFunc // stops its model run
}

// Receipt is the status of an event.
type Receipt = conversation.Receipt

// head returns the newest state.
func (c *mailbox) head() *ui.State { return c.log.State() }

// doneAt is the receipt of an event that needs no frame.
func doneAt(seq uint64) Receipt {
	return Receipt{Seq: seq, Done: true, Outcome: ui.Outcome{Kind: ui.OutcomeDone}}
}

// pendingReceipt is that of an event without an answer yet.
func (c *mailbox) pendingReceipt(id ui.EventID) Receipt { return Receipt{Event: id, Seq: c.head().Seq} }

// takeTurn waits for the right to run a turn, and returns the function that releases
// it. It has no context: a turn always ends.
func (c *mailbox) takeTurn() (release func()) {
	c.turn <- struct{}{}
	return func() { <-c.turn }
}

// tryTurn is takeTurn if no turn runs.
func (c *mailbox) tryTurn() (release func(), ok bool) {
	select {
	case c.turn <- struct{}{}:
		return func() { <-c.turn }, true
	default:
		return nil, false
	}
}

// busy reports a conversation in which an event runs.
func (c *mailbox) busy() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.inflight) > 0
}

// moved releases the callers that wait for the event of the newest step.
func (c *mailbox) moved(st conversation.Step) {
	c.svc.cache.Moved(c.info.ID, c)
	if c.svc.viewers != nil {
		c.svc.viewers.Shown(c.info.ID, st.After)
	}
	c.release(st.Frame.Event, conversation.ReceiptOf(st.Frame))
}

// release answers a running event.
func (c *mailbox) release(id ui.EventID, rec Receipt) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if run := c.inflight[id]; run != nil {
		delete(c.inflight, id)
		run.result = rec
		close(run.done)
	}
}

// stopRuns cancels the model runs of the conversation whose events goesOn rejects. Each canceled run still commits a
// frame. The error says that those of other nodes may go on.
func (c *mailbox) stopRuns(ctx context.Context, goesOn func(*ui.Event) bool) (err error) {
	if c.svc.owner != nil {
		err = c.stopOthers(ctx, goesOn)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, run := range c.inflight {
		if run.canceled = run.canceled || !goesOn(run.event); run.canceled && run.cancel != nil {
			run.cancel(journal.ErrCanceled)
		}
	}
	return err
}

// expire commits that surfaces are out of date, before anything else happens on
// them. It is called with the right to the turn; a failure is tried again with the
// next event.
func (c *mailbox) expire(ctx context.Context) {
	s := c.head()
	if s.Ended || !turn.Expires(c.svc.cfg.App, s) {
		return
	}
	if _, _, err := c.newTurn(&ui.Event{Kind: ui.EventExpire}, "").do(context.WithoutCancel(ctx)); err != nil {
		c.svc.cfg.Log.Warn("surfaces do not expire", "conversation", c.info.ID, "err", logs.Quiet(err))
	}
}

// expireOnLoad is expire for a conversation that was just loaded, unless a turn runs
// there: that one, or the next, calls expire.
func (c *mailbox) expireOnLoad(ctx context.Context) {
	if release, ok := c.tryTurn(); ok {
		defer release()
		c.expire(ctx)
	}
}
