// Package lease manages the leases of one node: it acquires them, renews them while
// the work they cover goes on, and releases them.
//
// In: a store with leases, the name of the node, how long a lease lives. Out: a
// [Lease] for each.
//
//	Take ──▶ held ──(a third of its time)──▶ renewed ─┐
//	          │  ▲                                    │
//	          │  └────────────────────────────────────┘
//	          ├── Release  another node may take it at once
//	          ├── Drop     the store is not called: it ended the lease, or the lease runs out
//	          └── lost     another node holds it, or the event is answered
//
// A lease is not a lock. The store's compare-and-append guards what must not happen
// twice. A node that was paused learns of the loss of its lease here, or there.
//
// Called by package session. A renewal that fails because the store cannot be
// reached is tried again; meanwhile the lease ends only when its time is over.
package lease
