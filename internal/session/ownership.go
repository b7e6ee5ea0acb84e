package session

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/limn-ui/limn/internal/lease"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/trace"
	"github.com/limn-ui/limn/ui"
)

// holding is the leases of one turn. With several nodes on one store (Config.Node)
// they keep calls that cannot be taken back from being made twice; commits are
// decided by compare-and-append alone (docs/adr/0070-leases.md).
//
//	event   this node runs the event: from its record to its frame
//	turn    this node is calling a handler: no other node commits in the conversation
//
// With one node both are nil. A lease that runs out is lost: the event is another
// node's then, and this one watches it (handOver).
type holding struct {
	event *lease.Held
	turn  *lease.Held
}

// acquireEvent takes the lease of a recorded event, or makes sure that this node
// still has it. The error is errTaken if another node runs the event; whether it is
// answered already is found out later.
func (t *Turn) acquireEvent(ctx context.Context) error {
	owner := t.c.svc.owner
	if owner == nil || !t.recorded {
		return nil
	}
	var err error
	if t.leases.event != nil {
		err = t.leases.event.Renew(ctx)
	}
	if t.leases.event == nil || errors.Is(err, store.ErrLeased) {
		t.leases.event, err = owner.Take(ctx, t.c.info.ID, t.record.Event)
	}
	switch {
	case err == nil:
		return nil
	case errors.Is(err, store.ErrConflict):
		t.leases.event = nil
		return nil
	case errors.Is(err, store.ErrLeased):
		t.leases.event = nil
		return errTaken
	}
	return storeError("lease event", err)
}

// acquireTurn keeps other nodes out of the conversation until the turn ends. If the
// state is not the one that the turn decided on, it is errLostRace: decide again.
func (t *Turn) acquireTurn(ctx context.Context) error {
	owner := t.c.svc.owner
	if owner == nil || t.leases.turn != nil {
		return nil
	}
	held, err := owner.Take(ctx, t.c.info.ID, "")
	if errors.Is(err, store.ErrLeased) {
		return store.ErrLeased
	}
	if err != nil {
		return storeError("lease turn", err)
	}
	t.leases.turn = held
	if err := t.c.log.reload(ctx); err != nil {
		return err
	}
	if t.c.head() != t.state {
		return errLostRace
	}
	return nil
}

// releaseTurn lets other nodes in again.
func (t *Turn) releaseTurn(ctx context.Context) {
	if t.leases.turn == nil {
		return
	}
	t.leases.turn.Release(ctx)
	t.leases.turn = nil
	t.c.svc.cfg.Bus.Notify(t.c.info.ID, t.c.head().Seq) // they wait
}

// releaseEvent lets other nodes take the event over at once.
func (t *Turn) releaseEvent() {
	if t.leases.event == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), t.c.svc.cfg.LeaseTime) // by then it has run out
	defer cancel()
	t.leases.event.Release(ctx)
	t.leases.event = nil
	t.c.svc.cfg.Bus.Notify(orphans, 0)
}

// watchCancel stops a model run that another node goes on with, or that the user has
// canceled at another node.
func (t *Turn) watchCancel(ctx context.Context, stop context.CancelCauseFunc) {
	s := t.c.svc
	wake, end := s.cfg.Bus.Subscribe(t.c.info.ID)
	lost, journal := t.leases.event.Lost(), t.journal()
	s.work.Go(func() { // Close waits for it; it ends with ctx
		defer end()
		look := time.NewTicker(s.cfg.LeaseTime / 3)
		defer look.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-lost:
				stop(errTaken)
				return
			case <-wake:
			case <-look.C:
			}
			notes, err := journal.notes(ctx)
			if err == nil && slices.ContainsFunc(notes, func(n note) bool { return n.Kind == noteCancel }) {
				stop(errCanceled)
				return
			}
		}
	})
}

// stopOthers cancels the model runs of other nodes, by their journals.
func (c *conversation) stopOthers(ctx context.Context) {
	head, err := c.svc.cfg.Store.Open(ctx, c.info.ID)
	if err != nil {
		c.svc.cfg.Log.Warn("cancel", "conversation", c.info.ID, "err", trace.Quiet(err))
		return
	}
	for _, r := range head.Pending {
		e, err := ui.DecodeEvent(r.Body)
		if err != nil || e.Kind != ui.EventMessage && e.Kind != ui.EventReply {
			continue
		}
		journal := c.journalOf(r.Event)
		for range 3 { // the run may write its own note at the same time
			notes, err := journal.notes(ctx)
			if err == nil {
				err = journal.write(ctx, len(notes), note{Kind: noteCancel})
			}
			if !errors.Is(err, store.ErrExists) {
				break
			}
		}
	}
	c.svc.cfg.Bus.Notify(c.info.ID, c.head().Seq)
}
