// Package upstream asks agents over HTTP, for a gateway.
//
// In: a question ([gateway.Question]), by the protocol that the agent speaks. Out: what counts of its
// answer, as package gateway judges it.
//
//	Agents.AskAgent ─ breaker ─ tries ─▶ speak: a2ui, a2a, agui or mcp ─▶ gateway.Intake ─▶ gateway.Said
//
// A request leaves once, unless no byte of it was sent, the agent said that it did nothing, or the
// agent is declared idempotent: then it is tried again after a pause, under the same key. Whatever
// an agent does, its answer ends by its deadline, and nothing is read beyond its limits. An agent that
// failed several times in a row is left alone for a while.
//
// Caller: cmd/limn, which gives an [Agents] to package limn as its model.
package upstream
