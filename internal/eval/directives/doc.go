// Package directives measures how often the directives of models match the user's
// request: scenarios × models × modes × trials → figures, and a report of them.
//
//	Load       a file of scenarios → []Scenario, checked against an application
//	Simulator  a name → a Model that is no model: good, broken in a known way, or the app's script
//	Plan.Run   a Plan → one Result for each trial, as they come
//	Open       a file that keeps results, so that no trial is repeated
//	Score      a Plan and its Results → Report
//	HTML       a Report → one page without anything from outside
//
// A trial is one message of a user to one model. It is judged stage by stage:
//
//	directives  agent.Directives gave a usable answer with the wanted directives and no forbidden one
//	execute     execute.Run dropped none of it, and its ops apply
//	screen      the surfaces are as the scenario wants them
//	compile     every A2UI version can be drawn: as an update, and as a snapshot
//	messages    they are valid, a client takes them, and shows the same after both
//
// A trial succeeds if all five hold. A failure after the first stage is a defect of
// Limn or of a scenario, or a directive that could not be carried out. Trials share
// nothing, not even an agent.LadderCache. Results of failed trials keep the text.
//
// Callers: cmd/limn (eval directives).
package directives
