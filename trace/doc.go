// Package trace describes the work of the system: telemetry events
// (decision logic §14), exactly those, privacy-safe; the port for metrics (Meter).
//
// In: values the session makes after a turn is committed. Out: a Sink of the program's
// choice. An Event has only enums, numbers and ids; it has no member that could hold a
// user's words (facts R-80). Events are delivered at most once: a process that dies
// between the commit and the call of the Sink loses them.
package trace
