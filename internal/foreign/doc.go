// Package foreign holds surfaces that other agents send: whole, in the version of A2UI
// that their agent speaks.
//
// In: the message that creates it ([Open]), or the node that a State keeps ([Read]). Out: the
// node ([Surface.Node]), the messages that show the surface to a client of any version
// ([Surface.Create], [Surface.Since]), and messages of the client to its agent
// ([Surface.Click], [Surface.Report]).
//
//	a2ui.Message ─Open, Put─▶ Surface ─Node─▶ ui.Foreign ─Read─▶ Surface ─Create, Since─▶ messages
//
// What is shown is healed where only one meaning is left: components that nothing draws are
// left out, children that do not exist are left out, and a path that is drawn has data.
// What is kept is as the agent sent it, since a later message may bring the rest.
//
// Each action of a surface carries the nonce and the rev of the surface as Limn's own do, so
// it is admitted by the same rules.
//
// Callers: compile draws with it, ingress looks actions up, gateway folds the messages of agents
// into it. Pure.
package foreign
