// Package a2a is the door for agents: Limn as an agent of the Agent2Agent protocol, by
// JSON-RPC over HTTP with Server-Sent Events, in the forms of protocol 0.3 and 1.0.
//
// In: a message. Out: a task. The context of a message is a conversation, a task is
// one turn of it, and the answer is the message of the task's status: text, and A2UI in
// the version that the client says it can draw.
//
//	SendMessage ─ decode ─▶ events ─ Host.Take ─▶ frames ─ parts ─▶ task, or updates of it
//
// Invariants: a message with an id is taken once, the first of a context too, if its
// sender is known; whatever the turn comes to, its task ends; a fault of a request is
// answered as JSON-RPC says; nothing of a task is kept here: its id says where its turn
// is in the log, and how it is drawn.
//
// Deviations: a message needs neither id nor role, as in examples of the specification of
// A2UI; a task that is over can still be subscribed to, and gives its answer again.
//
// Caller: package limn mounts it in internal/transport/web.
package a2a
