// Package memory keeps conversations in memory.
//
// It has every part of the port and the same contract as the others, durability
// excepted. One mutex guards everything; there are no goroutines, timers or
// sockets, and leases go by time.Now, so it works inside a testing/synctest bubble.
//
// Called by package store/memory.
package memory
