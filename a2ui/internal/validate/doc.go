// Package validate is the validator: it follows what a client knows, batch by
// batch, and lists what is wrong with the next one.
//
// In: neutral messages and the rules of a dialect (its features and catalog).
// Out: problems in the order of the messages, or none, and then the batch's
// effect is remembered.
//
//	Check(batch) ─ per message ─ surface.go (open, order, catalogs) ─ component.go ─ value.go, structure.go (properties)
//	             │             │                                                   └ shape.go (custom catalogs), format.go (${…})
//	             │             ├ data.go (paths, values)
//	             │             └ remote.go (calls and their results)
//	             └ at the end ── tree.go (root, dangling, cycles, depth, composition) ── scope.go (templates, bindings, ids as literals)
//
// Every rule is of profile Spec unless the code asks for Safe; tree.go has a table
// of those that need the whole surface.
//
// Invariants: a batch changes the graph of a surface in place and takes it back
// when it is refused (graph.go); data is persistent; what a clone shares is copied
// before it is changed. All walks
// are loops or bounded by a limit, and linear in the batch and the touched
// surfaces. Versions do not appear here: wire.Features says what differs.
package validate
