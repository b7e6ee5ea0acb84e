package lease

import (
	"context"
	"errors"
	"time"

	"github.com/limn-ui/limn/store"
)

// Client takes leases for one node. Its methods may be called from any goroutine.
type Client struct {
	leases store.Leases
	node   string
	ttl    time.Duration
}

// New returns a Client. node names this start of the process. ttl is how long a
// lease lives without renewal.
func New(leases store.Leases, node string, ttl time.Duration) *Client {
	return &Client{leases: leases, node: node, ttl: ttl}
}

// Take acquires a lease and renews it until Release or Drop. Its errors are those of
// store.Leases.
func (c *Client) Take(ctx context.Context, id, what string) (*Lease, error) {
	l, err := c.leases.Acquire(ctx, id, what, c.node, c.ttl)
	if err != nil {
		return nil, err
	}
	return c.start(id, l), nil
}

// Recorded is Take for an event that the store leased when it was recorded.
func (c *Client) Recorded(id, event string) *Lease {
	return c.start(id, store.Lease{What: event, Node: c.node})
}

func (c *Client) start(id string, l store.Lease) *Lease {
	ctx, cancel := context.WithCancel(context.Background())
	h := &Lease{client: c, id: id, token: l.Token, lease: l, lost: make(chan struct{}), cancel: cancel,
		turn: make(chan struct{}, 1)}
	defer h.lock()()
	h.timer = time.AfterFunc(c.ttl/3, func() { h.renewLater(ctx) }) // ends with cancel
	return h
}

// Lease is a lease that this node holds, as far as it knows.
type Lease struct {
	client *Client
	id     string
	token  uint64
	lost   chan struct{}
	cancel context.CancelFunc // ends renewal

	// a mutex for calls of the store, so that no renewal follows Release; capacity 1. Guards what follows
	turn  chan struct{}
	lease store.Lease
	timer *time.Timer
	ended bool // released, dropped or lost
}

func (h *Lease) lock() (unlock func()) {
	h.turn <- struct{}{}
	return func() { <-h.turn }
}

// Token is the number that Append compares. It is set for the lease of a turn.
func (h *Lease) Token() uint64 { return h.token }

// Lost is closed when another node has taken the lease, or its event is answered.
func (h *Lease) Lost() <-chan struct{} { return h.lost }

// Renew renews the lease now. If the error is store.ErrLeased or store.ErrConflict
// the lease is lost.
func (h *Lease) Renew(ctx context.Context) error {
	defer h.lock()()
	return h.renew(ctx)
}

func (h *Lease) renew(ctx context.Context) error {
	if h.ended {
		return store.ErrLeased
	}
	l, err := h.client.leases.Acquire(ctx, h.id, h.lease.What, h.client.node, h.client.ttl)
	switch {
	case err == nil && h.lease.What == "" && h.token != l.Token:
		// it had run out meanwhile: decisions made under it may be void
		_ = h.client.leases.Release(ctx, h.id, l)
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

// renewLater runs after a third of the lease's time, and sooner after a failure.
func (h *Lease) renewLater(ctx context.Context) {
	defer h.lock()()
	asking, cancel := context.WithTimeout(ctx, h.client.ttl)
	defer cancel()
	next := h.client.ttl / 3
	if h.renew(asking) != nil {
		next /= 4
	}
	if !h.ended && ctx.Err() == nil {
		h.timer.Reset(next)
	}
}

// end stops renewal. The caller holds the lock.
func (h *Lease) end() {
	h.ended = true
	h.timer.Stop()
	h.cancel()
}

// Drop ends the lease here without a call of the store.
func (h *Lease) Drop() { h.stop(func() {}) }

// Release ends the lease in the store. If that fails, the lease runs out.
func (h *Lease) Release(ctx context.Context) {
	h.stop(func() {
		if h.lease.Token == 0 { // the store granted it in Record, without its token
			l, err := h.client.leases.Acquire(ctx, h.id, h.lease.What, h.client.node, h.client.ttl)
			if err != nil {
				return
			}
			h.lease = l
		}
		_ = h.client.leases.Release(ctx, h.id, h.lease)
	})
}

// stop ends the lease once.
func (h *Lease) stop(tell func()) {
	h.cancel() // a renewal that hangs in the store returns the lock
	defer h.lock()()
	if !h.ended {
		h.end()
		tell()
	}
}
