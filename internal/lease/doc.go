// Package lease keeps the leases of one node: it takes them, prolongs them while
// the work they stand for goes on, and gives them back.
//
// In: a store with leases, the name of the node, how long a lease lives. Out: a
// [Held] for each lease.
//
//	Take ──▶ held ──(a third of its time)──▶ prolonged ─┐
//	          │  ▲                                      │
//	          │  └──────────────────────────────────────┘
//	          ├── Release  the store is told: another node may take it at once
//	          ├── Drop     nobody is told: the store ended it, or it runs out
//	          └── lost     another node has it, or there is nothing left to do
//
// A lease is no lock: what must not happen twice is guarded by the store's
// compare-and-append. A node that was paused learns here, or there, that its lease
// is gone.
//
// Called by package session. A prolongation that fails for another reason than
// another node's lease is tried again: a store that is away for a moment takes
// leases away by their time only.
package lease
