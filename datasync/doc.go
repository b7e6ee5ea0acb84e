// Package datasync keeps one JSON document in many places, each of which may write at
// any time, online or not, so that all of them come to hold the same.
//
// It implements the data model of A2UI's proposal for synchronisation (the messages
// updateDataModel, watchDataModel and dataModelChanged with clocks and version vectors)
// with the holes of that proposal closed; docs/adr/0063-shared-drafts.md lists them.
//
// A Replica is one place: Edit writes, View shows, Flush makes the Batch to send,
// Receive takes one. Below it, usable alone, are
//
//	Clock, Stamp   a hybrid logical clock and its readings
//	Vector         the last Stamp of each actor that a place has seen
//	Doc            the state: Apply, Delta, Snapshot, GC, JSON
//	KeyBetween     the order of list items, as text
//	Watches        which changes are sent, and when
//
// The last writer of a value wins; characters within one text are not merged. Values are
// JSON; lists are objects of items by id, and each item has a position.
//
// Everything here is pure: times are arguments, nothing runs by itself, and the same
// calls give the same bytes. A type is for one goroutine at a time.
package datasync
