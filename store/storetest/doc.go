// Package storetest is the conformance suite of the store port. Every driver runs
// it.
//
// In: a function that opens an empty store, and optionally one that reopens it as
// a new process would. Out: subtests, one per promise, named in plain words.
// Imported by tests only.
//
//	func TestStore(t *testing.T) {
//		storetest.Run(t, func(t *testing.T) store.Store { return memory.New() })
//	}
package storetest
