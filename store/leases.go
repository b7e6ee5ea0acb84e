package store

import (
	"context"
	"time"
)

// Leases is the optional ability to agree, among several nodes on one store, who
// works on what. All times are the store's own: nodes whose clocks differ agree,
// and a node that was paused finds its lease gone.
//
// There are two kinds. The lease of a turn (What == "") keeps a conversation to
// one node while it calls something outside: as long as it lives, an Append of
// any other node is ErrLeased. The lease of an event (What == its id) says who
// runs a pending event; Record can give it, and the frame that answers the event
// ends it.
//
// A lease is no lock for correctness: that is Commit.Expect. It keeps calls that
// cannot be taken back from being made twice.
type Leases interface {
	// Acquire takes a lease for ttl, or prolongs the one that node holds. If another
	// node holds it the error is ErrLeased and the Lease says who, until when.
	// ErrNotFound if there is no such conversation or event, ErrConflict if the event
	// is answered, ErrInvalid without a node or with a ttl below a microsecond.
	Acquire(ctx context.Context, id, what, node string, ttl time.Duration) (Lease, error)
	// Release ends a lease that is still held with that token; else it does nothing.
	Release(ctx context.Context, id string, l Lease) error
	// Orphans lists conversations with a pending event that no node has leased, at
	// most limit (see Page), the one with the oldest such event (by At) first.
	Orphans(ctx context.Context, limit int) ([]string, error)
}

// Lease is one lease.
type Lease struct {
	What  string        // "": the turn; else an event id
	Node  string        // who holds it, 1..128 bytes; "": nobody
	Token uint64        // from 1, one more each time it is taken; prolonging keeps it
	Left  time.Duration // how long it still lives
}
