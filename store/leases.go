package store

import (
	"context"
	"time"
)

// Leases divides work among the nodes that share a store. All times are the store's
// own, so the clocks of the nodes may differ, and the lease of a paused node runs
// out.
//
// There are two kinds. The lease of a turn (What == "") reserves a conversation for
// one node while that node calls an outside service: as long as it lives, an Append
// of any other node is ErrLeased. The lease of an event (What == its id) names the
// node that runs a pending event. Record can grant it, and the frame that answers
// the event ends it.
//
// A lease is not a lock for correctness; Commit.Expect is. It prevents calls that
// cannot be undone from being made twice.
type Leases interface {
	// Acquire takes a lease for ttl, or renews the one that node holds. If another
	// node holds it the error is ErrLeased and the Lease names that node.
	// ErrNotFound if there is no such conversation or event, ErrConflict if the event
	// is answered, ErrInvalid without a node or with a ttl below a microsecond.
	Acquire(ctx context.Context, id, what, node string, ttl time.Duration) (Lease, error)
	// Release ends a lease that is still held with that token. Otherwise it does
	// nothing.
	Release(ctx context.Context, id string, l Lease) error
	// Orphans lists conversations with a pending event that no node has leased, at
	// most limit (see Page), the one with the oldest such event (by At) first.
	Orphans(ctx context.Context, limit int) ([]string, error)
}

// Lease is one lease.
type Lease struct {
	What  string        // "": the turn; else an event id
	Node  string        // its holder, 1..128 bytes; "": free
	Token uint64        // from 1, one more each time it is taken; renewing keeps it
	Left  time.Duration // time until it runs out
}
