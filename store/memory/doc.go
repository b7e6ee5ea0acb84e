// Package memory is a store that forgets everything when the process ends: for
// tests, examples and a first try.
//
// It has every part of the port and the same contract as the others, durability
// excepted. One mutex guards everything; there are no goroutines, timers or
// sockets, and leases go by time.Now, so it works inside a testing/synctest bubble.
//
// Called by package limn when no store is configured, and by tests.
package memory
