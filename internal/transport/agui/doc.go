// Package agui is the door for user interfaces that speak AG-UI: runs over Server-Sent
// Events.
//
// In: the input of a run: a message, an action of a surface, or answers to interrupts.
// Out: the events of the run. A thread is a conversation, a run one turn of it. A surface
// is an activity message of type a2ui-surface, which holds the fewest operations that draw
// it: its clients run them again whenever it changes.
//
//	input ─ decode ─▶ event ─ Host.Take ─▶ frames ─ run ─▶ TEXT_MESSAGE_*, ACTIVITY_SNAPSHOT, …
//
// Invariants: a message, an action and an answer count once, whatever is sent again, and
// the run that sends it again gets its events again; every run ends with RUN_FINISHED or
// RUN_ERROR; a run without anything new gets all messages and surfaces of its thread.
//
// Deviations: no run has TOOL_CALL events, for Limn runs its tools itself; activities are
// replaced and never patched. Interrupts are for clients that ask for them, because a
// client with an open one sends nothing but its answer.
//
// Caller: package limn mounts it in internal/transport/web.
package agui
