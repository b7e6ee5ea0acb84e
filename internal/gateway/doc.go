// Package gateway decides which of several agents gets what, and what of their answers
// counts. Package modelrun asks the agents, as it asks a model.
//
// In: the file that declares the agents ([Load]), a State, and the messages of an agent. Out:
// who is asked ([Config.Route]), what they are sent ([Config.Ask]), which of their messages
// count ([Intake]), and the ops that these become ([Ops]).
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
