// Package check is the validator: it follows what a client knows, batch by
// batch, and lists what is wrong with the next one.
//
// In: neutral messages and the rules of a dialect (its features and catalog).
// Out: problems in the order of the messages, or none, and then the batch's
// effect is remembered.
//
//	Check(batch) ─ per message ─ surface.go (open, order) ─ component.go, value.go (properties)
//	             │                                        └ data.go (paths, values)
//	             └ at the end ── graph.go (root, dangling, cycles, depth, scopes, ids as literals)
//
// Invariants: a committed surface is never changed, a batch works on copies, so
// a refused batch leaves no trace and Clone copies a map of pointers. All walks
// are loops or bounded by a limit, and linear in the batch and the touched
// surfaces. Versions do not appear here: wire.Features says what differs.
package check
