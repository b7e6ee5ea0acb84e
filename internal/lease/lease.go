package lease

import (
	"context"
	"errors"
	"time"

	"github.com/limn-ui/limn/store"
)

// Desk takes leases for one node. It may be used from anywhere.
type Desk struct {
	leases store.Leases
	node   string
	ttl    time.Duration
}

// New returns a desk. node names this process start, ttl is how long a lease
// lives that nobody prolongs.
func New(leases store.Leases, node string, ttl time.Duration) *Desk {
	return &Desk{leases: leases, node: node, ttl: ttl}
}

// TTL is how long a lease lives that nobody prolongs.
func (d *Desk) TTL() time.Duration { return d.ttl }

// Take takes a lease and prolongs it until Release or Drop. The errors are those
// of store.Leases.
func (d *Desk) Take(ctx context.Context, id, what string) (*Held, error) {
	l, err := d.leases.Acquire(ctx, id, what, d.node, d.ttl)
	if err != nil {
		return nil, err
	}
	return d.hold(id, l), nil
}

// Recorded is Take for an event that the store leased when it was recorded.
func (d *Desk) Recorded(id, event string) *Held {
	return d.hold(id, store.Lease{What: event, Node: d.node})
}

func (d *Desk) hold(id string, l store.Lease) *Held {
	ctx, cancel := context.WithCancel(context.Background())
	h := &Held{desk: d, id: id, token: l.Token, lease: l, lost: make(chan struct{}), cancel: cancel,
		turn: make(chan struct{}, 1)}
	defer h.lock()()
	h.timer = time.AfterFunc(d.ttl/3, func() { h.prolong(ctx) }) // ends with cancel
	return h
}

// Held is a lease this node has, as far as it knows.
type Held struct {
	desk   *Desk
	id     string
	token  uint64
	lost   chan struct{}
	cancel context.CancelFunc // ends prolonging

	// the right to ask the store, so that Release has the last word; capacity 1. Guards what follows
	turn  chan struct{}
	lease store.Lease
	timer *time.Timer
	over  bool // released, dropped or lost
}

func (h *Held) lock() (unlock func()) {
	h.turn <- struct{}{}
	return func() { <-h.turn }
}

// Token is what Append compares; of a lease of the turn.
func (h *Held) Token() uint64 { return h.token }

// Lost is closed when another node has taken the lease, or the event it is about
// is answered.
func (h *Held) Lost() <-chan struct{} { return h.lost }

// Renew prolongs the lease now. After an error that is store.ErrLeased or
// store.ErrConflict it is lost.
func (h *Held) Renew(ctx context.Context) error {
	defer h.lock()()
	return h.renew(ctx)
}

func (h *Held) renew(ctx context.Context) error {
	if h.over {
		return store.ErrLeased
	}
	l, err := h.desk.leases.Acquire(ctx, h.id, h.lease.What, h.desk.node, h.desk.ttl)
	switch {
	case err == nil && h.lease.What == "" && h.token != l.Token:
		// it had run out: what was decided under it may not count
		_ = h.desk.leases.Release(ctx, h.id, l)
		err = store.ErrLeased
	case err == nil:
		h.lease = l
		return nil
	}
	if errors.Is(err, store.ErrLeased) || errors.Is(err, store.ErrConflict) || errors.Is(err, store.ErrNotFound) {
		h.end()
		close(h.lost)
	}
	return err
}

// prolong runs at a third of the lease's time, sooner after a failure.
func (h *Held) prolong(ctx context.Context) {
	defer h.lock()()
	asking, cancel := context.WithTimeout(ctx, h.desk.ttl)
	defer cancel()
	next := h.desk.ttl / 3
	if h.renew(asking) != nil {
		next /= 4
	}
	if !h.over && ctx.Err() == nil {
		h.timer.Reset(next)
	}
}

// end stops prolonging. Called with the turn.
func (h *Held) end() {
	h.over = true
	h.timer.Stop()
	h.cancel()
}

// Drop forgets the lease without telling the store.
func (h *Held) Drop() { h.finish(func() {}) }

// Release gives the lease back. A store that cannot be told lets it run out.
func (h *Held) Release(ctx context.Context) {
	h.finish(func() {
		if h.lease.Token == 0 { // the store gave it, and did not say which it is
			l, err := h.desk.leases.Acquire(ctx, h.id, h.lease.What, h.desk.node, h.desk.ttl)
			if err != nil {
				return
			}
			h.lease = l
		}
		_ = h.desk.leases.Release(ctx, h.id, h.lease)
	})
}

// finish ends the lease once.
func (h *Held) finish(tell func()) {
	h.cancel() // a prolongation that hangs in the store lets go of the turn
	defer h.lock()()
	if !h.over {
		h.end()
		tell()
	}
}
