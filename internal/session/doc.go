// Package session runs the turns of conversations.
//
// In: an admitted-or-not ui.Event for a conversation. Out: a committed frame,
// a [Receipt], and for readers the [Step]s (state before, frame, state after)
// of the log. turn.go is the walk; read it first.
//
//	Submit ─▶ 1 known? ─▶ 2 Admit ─▶ 3 record ─▶ 4 decide ─▶ 5 run ─▶ 6 apply ─▶ 7 draw ─▶ 8 commit ─▶ 9 tell
//	                                   │ needs a model: the mailbox is free while it answers
//	                                   └ needs a handler: journal intent, call, journal result
//
// Invariants:
//   - One turn at a time per conversation in this process; across processes
//     store.Append's compare-and-append is the only fence. A lost race reloads
//     and starts again from 2.
//   - With Config.Node, other nodes may do all that this one does. An event that
//     needs something outside is leased by the node that runs it; while a handler
//     runs, the turn is leased too, and other nodes wait. What a node leaves
//     recorded is taken over by another one (docs/adr/0070-leases.md), and every
//     reading looks at the store first.
//   - Every event that is taken ends as exactly one frame, whatever fails: errors,
//     panics and drawings that fail are frames that say so. An event without
//     model or handler is recorded and committed in one transaction. A recorded
//     event that cannot be answered is tried again, in this process or the next;
//     after three starts a failure answers it.
//   - An action that asks a model counts when it is admitted: its own ops are one
//     frame, and the model's answer is a second event (ui.EventReply), recorded
//     before that frame commits, with a frame of its own. So its draft, commit and
//     lock happen once, whatever the state is when the model has answered.
//   - A message that no rule knows may go to a routing model first; its answer is
//     recorded like a reply, and admitted by routing on the state of then.
//   - What a tool submits is looked at by four validators at once, with recover
//     and a common deadline: none of them holds up or hides another.
//   - A webhook that is called later leaves with its frame, in the outbox, and is
//     called under one key until it is taken or given up; its answer is an event
//     (ui.EventAnswer) whose id comes from the job's, so it has one frame.
//   - How a turn went is committed with its frame (trace.Turn).
//   - Telemetry is told after the commit, read from the states around the frame;
//     neither it nor the log holds what a user wrote.
//   - What a handler has done is kept in a frame even if the surface it was
//     called from went away or does not draw any more.
//   - What a [Receipt] reports is durable.
//   - Nothing is committed that did not draw and validate for every enabled target.
//   - What does not draw takes no other surface with it (recover.go): it is closed,
//     remembered and said, or starts anew, or nothing of the frame is shown, as
//     package recovery says of the code. What renderers report is counted in the
//     State and answered in the same way.
//   - A surface that the app declares differently by now is expired by a frame of
//     its own before anything else happens in the conversation.
//   - The queue of a conversation is bounded, running models included; full is
//     CodeBusy.
//   - Locks: a conversation's turn before the Service's mu, never the other way,
//     and nothing blocks under mu.
//
// An event on several nodes:
//
//	Record+lease ─▶ turn's lease ─▶ reload, decide ─▶ intent ─▶ call ─▶ result ─▶ Append ─▶ release
//	     │ (model) ─▶ ask, others pass ─▶ reply ─▶ Append
//	     └─ no node has its lease: an orphan ─▶ taken over, and the journal replayed
//
// Callers: transports submit, deliver reads. Ports (store, bus, model, webhook)
// are injected.
package session
