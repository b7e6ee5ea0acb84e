// Package conversation holds a process's view of a conversation: its log in memory, the
// text that models are writing in it, its readers, and its owner.
//
// In: the frames in the store, and the steps that turns commit. Out: the newest
// state ([Log.Head]), the committed steps after a cursor ([Log.Steps]), and the
// streamed text of model runs ([Deltas]).
//
//	store ─ Reader.Open ─▶ Log ◀─ Advance ─ a turn that committed
//	                        └─ Head, Steps ─▶ streams
//
// Invariants: a state follows from the frames before it and from nothing else; a
// step that the log has already changes nothing; readers that need the store at the
// same time share one reading; no lock is held while the store is read.
//
// Callers: session owns a Log for each conversation in memory; deliver reads.
package conversation
