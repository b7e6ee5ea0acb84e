package session

import (
	"context"
	"errors"
	"time"

	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/journal"
	"github.com/limn-ui/limn/internal/lease"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/ui"
)

// leases is the leases of one turn. With several nodes on one store (Config.Node)
// they keep calls that cannot be taken back from being made twice; commits are
// decided by compare-and-append alone (docs/adr/0019-leases.md).
//
//	event   this node runs the event: from its record to its frame
//	turn    this node is calling a handler: no other node commits in the conversation
//
// With one node both are nil. A lease that runs out is lost: the event is another
// node's then, and this one watches it (handOver).
type leases struct {
	t     *Turn
	event *lease.Lease
	turn  *lease.Lease
}

// acquireEvent takes the lease of a recorded event, or makes sure that this node
// still has it. The error is journal.ErrTaken if another node runs the event; whether it is
// answered already is found out later.
func (h *leases) acquireEvent(ctx context.Context) error {
	owner := h.t.c.svc.owner
	if owner == nil || !h.t.recorded {
		return nil
	}
	var err error
	if h.event != nil {
		err = h.event.Renew(ctx)
	}
	if h.event == nil || errors.Is(err, store.ErrLeased) {
		h.event, err = owner.Take(ctx, h.t.c.info.ID, h.t.record.ID)
	}
	switch {
	case err == nil:
		return nil
	case errors.Is(err, store.ErrConflict):
		h.event = nil
		return nil
	case errors.Is(err, store.ErrLeased):
		h.event = nil
		return journal.ErrTaken
	}
	return conversation.StoreError("lease event", err)
}

// acquireTurn keeps other nodes out of the conversation until the turn ends. If the
// state is not the one that the turn decided on, it is errLostRace: decide again.
func (h *leases) acquireTurn(ctx context.Context) error {
	owner := h.t.c.svc.owner
	if owner == nil || h.turn != nil {
		return nil
	}
	held, err := owner.Take(ctx, h.t.c.info.ID, "")
	switch {
	case errors.Is(err, store.ErrLeased):
		return err
	case err != nil:
		return conversation.StoreError("lease turn", err)
	}
	h.turn = held
	if err := h.t.c.log.Reload(ctx); err != nil {
		return err
	}
	if h.t.c.head() != h.t.state {
		return errLostRace
	}
	return nil
}

// releaseTurn lets other nodes in again.
func (h *leases) releaseTurn(ctx context.Context) {
	if h.turn == nil {
		return
	}
	h.turn.Release(ctx)
	h.turn = nil
	h.t.c.svc.cfg.Bus.Notify(h.t.c.info.ID, h.t.c.head().Seq) // they wait
}

// releaseEvent lets other nodes take the event over at once.
func (h *leases) releaseEvent() {
	if h.event == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), h.t.c.svc.cfg.LeaseTime) // by then it has run out
	defer cancel()
	h.event.Release(ctx)
	h.event = nil
	h.t.c.svc.cfg.Bus.Notify(lease.Orphans, 0)
}

// watchCancel stops a model run that another node goes on with, or that the user has
// canceled at another node.
func (h *leases) watchCancel(ctx context.Context, stop context.CancelCauseFunc) {
	s := h.t.c.svc
	wake, end := s.cfg.Bus.Subscribe(h.t.c.info.ID)
	lost, log := h.event.Lost(), h.t.journal()
	s.work.Go(func() { // Close waits for it; it ends with ctx
		defer end()
		look := time.NewTicker(s.cfg.LeaseTime / 3)
		defer look.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-lost:
				stop(journal.ErrTaken)
				return
			case <-wake:
			case <-look.C:
			}
			if log.Canceled(ctx) {
				stop(journal.ErrCanceled)
				return
			}
		}
	})
}

// stopOthers is stopRuns for the model runs of other nodes, by their journals.
func (c *mailbox) stopOthers(ctx context.Context, goesOn func(*ui.Event) bool) error {
	head, err := c.svc.cfg.Store.Open(ctx, c.info.ID)
	if err != nil {
		return err
	}
	for _, r := range head.Pending {
		if e, unread := ui.DecodeEvent(r.Body); unread == nil && !goesOn(e) && (e.Kind == ui.EventMessage ||
			e.Kind == ui.EventReply || c.svc.env.Agents != nil && e.Action != nil && e.Action.Call != "" &&
			!e.Action.Returns) {
			err = errors.Join(err, c.journalOf(r.ID).Cancel(ctx))
		}
	}
	c.svc.cfg.Bus.Notify(c.info.ID, c.head().Seq)
	return err
}
