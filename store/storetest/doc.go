// Package storetest is the conformance suite of the store port: every
// implementation runs it, and what it checks is the contract.
//
// In: a function that opens an empty store, and optionally one that reopens it as
// a new process would. Out: subtests, one per promise, named in plain words.
// Optional abilities (Journal, Blobs, Jobs, Graves, Snapshots, Traces, Keeper,
// Leases, Heads, Archive) are checked where the store has them. Imported by tests
// only.
//
//	func TestStore(t *testing.T) {
//		storetest.Run(t, func(t *testing.T) store.Store { return memory.New() })
//	}
package storetest
