// Package gateway decides which of several agents gets a message, and which parts of their
// answers count. Package modelrun asks the agents, as it asks a model.
//
// In: the file that declares the agents ([Load]), a State, and the messages of an agent. Out:
// the agents to ask ([Config.Route]), the questions to them ([Config.Ask]), those of their
// messages that count ([Intake]), and the ops that these become ([Ops]).
//
//	text ─Route─▶ agents ─Ask─▶ Question ─ the agent ─▶ lines ─Intake─▶ Said ─Ops─▶ ui.Ops
//
// Invariants:
//   - A surface belongs to the agent whose message created it: the origin of the surface, in the
//     op that opens it, names the agent. Nobody else changes it, and its actions go nowhere else.
//   - A Question holds nothing of the surfaces of other agents. No setting changes that.
//   - A message that does not count changes nothing, and takes no other surface with it.
//
// Callers: turn, modelrun, cmd/limn. Pure.
package gateway
