// Package inspect tells what happened in a conversation, for developers and operators.
//
// In: a dump of some turns (conversation.Dump) and what the application declares. Out: the
// turns in short ([Timeline]); one turn in detail with the state after it, what changed, what
// clients of each version were sent and show ([Env.Turn]); a file for bug reports
// ([File]); a directive, an application or messages as they are rendered, for those who
// write them ([Env.Compile]).
//
//	store ─ conversation.Dump ─▶ Timeline ─▶ []Row
//	                           └▶ Env.Turn ─▶ Turn
//	                           └▶ NewFile ──▶ File ──Dump──▶ a store in memory
//
// The log is the source: states are folded from frames, as replay-conversation does. What a
// model was asked is composed again from the state before; what it answered is in the
// journal until the event is forgotten.
//
// Invariants: pure; nonces, principals and names of users are in no Row, Turn or File
// (hide.go); all that grows with a conversation is bounded, and what was cut is said
// (clip.go).
//
// Callers: transport web, cmd/limn.
package inspect
