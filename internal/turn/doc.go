// Package turn decides what an event means. It is the functional core of a turn;
// package session is the shell that carries a [Plan] out.
//
// In: an [Env] (the declarations of the application), a State and an [Input] (an event
// and its results so far). Out: a [Plan]: ops and an outcome, or first the call or
// question for the outside; later the [Step] that a frame makes of a state.
//
//	Received ──Decide──▶ Plan{ops}                    ──Apply, Show──▶ Step
//	                     Plan{effect} ──call──▶ Resume ──Apply, Show──▶ Step
//	                     Plan{ask}    ──model─▶ Replied ─Decide─▶ …
//
// Invariants:
//   - Nothing here reads a clock, a store or a model. Nonces, the findings of
//     the validators and what renders come from functions of Env. The time is
//     Event.At, which session sets; the Timestamp of a click is the client's.
//   - A refusal is a plan, too: it makes a frame as any other.
//   - The result of a call counts, whatever has become of the surface it was
//     called from ([Replan]).
//   - A surface that does not render takes no other surface with it ([Replace]).
//
// Callers: session decides with it; transports ask what an application routes.
package turn
