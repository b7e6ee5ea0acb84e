// Package decidecmd has the commands of limn that decide and capture: Route,
// Capture, and Eval, which scores both. Each is a kong command with a Run
// method.
//
//	route    a message → the decision and why, for people; lines → predictions
//	capture  a paste → a table, a process → its steps and edges; lines → predictions
//	eval     labelled lines → scores, a confusion table, the failures
//
// explain has a sentence for every rule of package route. Input is bounded:
// MaxMessage, term.MaxInput, eval.MaxLine; batches hold one line at a time.
package decidecmd
