// Package inspect shows what happened in a conversation, for developers and operators.
//
// In: a dump of some turns (conversation.Dump) and the declarations of the application. Out:
// the turns in short ([Timeline]); one turn in detail, with the state after it, the changes,
// and the messages and screen of clients of each version ([Env.Turn]); a file for bug reports
// ([File]); a directive, an application or messages as they are rendered, for those who
// write them ([Env.Compile]).
//
//	store ─ conversation.Dump ─▶ Timeline ─▶ []Row
//	                           └▶ Env.Turn ─▶ Turn
//	                           └▶ NewFile ──▶ File ──Dump──▶ a store in memory
//
// The log is the source: states are folded from frames, as replay-conversation does. The
// prompt of a model is composed again from the state before the turn; the model's answer is
// in the journal until the event is forgotten.
//
// Invariants: pure; nonces, principals and names of users are in no Row, Turn or redacted File
// (hide.go, redact.go); all that grows with a conversation is bounded, and the result lists the cuts
// (clip.go).
//
// Callers: transport web, cmd/limn.
package inspect
