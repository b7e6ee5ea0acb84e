// Package localbus is the bus within one process: a map from conversation to the
// channels of its subscribers, under one lock.
//
// It loses nothing: a notification reaches everyone subscribed at that moment. It
// has no goroutines, timers or sockets, so it works inside a testing/synctest
// bubble. A conversation without subscribers takes no memory.
//
// Called by package limn when no other bus is configured.
package localbus
