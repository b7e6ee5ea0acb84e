// Package bustest is the conformance suite of the bus port.
//
// In: a function that opens a bus. Out: subtests. A bus may lose hints, so the
// suite notifies again until a wake-up arrives; it may repeat them, so a wake-up
// too many is no fault. What no bus may do is block Notify, mix up conversations
// for good, or wake after cancel without end. Imported by tests only.
package bustest
