// Package validate tracks the state of a client, batch by batch, and lists the faults
// of the next batch.
//
// In: neutral messages and the rules of a dialect (its features and catalog).
// Out: problems in the order of the messages. Without problems the effect of the
// batch is kept.
//
//	run.go        per message: envelope, size
//	surface.go    open, order, catalogs, theme     metadata.go  extensions
//	component.go  types, properties, updates       value.go     one value against its row
//	structure.go  children, tabs, checks, actions  call.go      function calls
//	shape.go      kinds of custom catalogs         format.go    ${…} in texts
//	data.go       paths and values                 remote.go    calls between agent and client
//	tree.go       at the end: root, dangling references, cycles, depth, composition
//	scope.go      at the end: templates, bindings, ids as literals
//
// A rule belongs to profile Spec unless the code asks for Safe; tree.go has a
// table of the rules that need the whole surface.
//
// Invariants: a batch changes the graph of a surface in place, and a refused
// batch is rolled back (graph.go); data is persistent; a change copies the parts
// that a clone shares. All walks are loops or bounded by a limit, and linear in the
// batch and the touched surfaces. wire.Features says how versions differ.
package validate
