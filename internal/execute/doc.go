// Package execute turns intentions into ops, deterministically.
//
// In: directives (from a model, or from a routing decision without one) or an
// admitted action, with the State they meet. Out: ops for ui.Apply, warnings,
// and for actions the call to make outside (a handler, a model).
//
//	route.Decision ──Tool──▶ directive ─┐
//	agent.Result ──────────▶ directives ─┴─Run──▶ ops + warnings
//	ingress.Admitted ──Action──▶ Step{ops, effect?, ask?} ──Finish──▶ ops
//	        └─Submission─▶ validators (session) ─▶ Click.Warnings
//
// Invariants: gates bind the model too (GATE_CLOSED); an invalid directive is dropped
// with a warning, but never the turn; opening an open form shows that same surface and
// keeps the typed values; only the user's own click commits: a submit of a form, the
// confirmation or acceptance of a tool. Pure: nonces come from a function that the
// caller passes in.
//
// Callers: turn, appcall.
package execute
