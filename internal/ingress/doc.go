// Package ingress takes what clients send and says whether it counts.
//
//	bytes ─Decode─▶ ui.Event ─Admit(state)─▶ Admitted: action, leaves, context
//
// Decode is stateless: size, depth, charset, exactly one kind. Admit runs
// inside the turn against the State being committed: surface, epoch, status,
// nonce, guard ≤ rev ≤ current, that component has the action and is
// allowed. Normalise gives every value the kind its input declares
// (docs/http.md has the table).
//
// Invariants: input never panics and costs time in proportion to its size;
// what cannot be admitted still yields its draft values when nonce and epoch
// are right, so nothing typed is lost.
//
// Callers: transports decode, turn admits.
package ingress
