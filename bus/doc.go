// Package bus is the port for wake-ups: "conversation X has reached seq N".
//
// In: a notification after each commit. Out: a wake-up for each subscriber of that
// conversation, on this node or another. Payloads never travel here; readers go
// to the store.
//
// # Invariants
//
//   - A wake-up is a hint. It may be lost, repeated, late or unfounded; it only
//     says "look". Correctness comes from the store, so a reader looks once after
//     it subscribed, and again now and then if its bus can lose hints.
//   - Notify never waits for a subscriber. A subscriber that is busy has at most
//     one wake-up waiting, however many notifications came in the meantime.
//   - Subscribe takes effect before it returns: subscribe first, then read the
//     log, and nothing falls between.
//
// Package session notifies, package deliver subscribes. Implementations are
// local (one process) and natsbus; package bustest checks them.
package bus
