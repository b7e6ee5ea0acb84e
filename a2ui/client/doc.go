// Package client is an A2UI renderer without a screen: it proves that the messages of a
// server are right.
//
// In: [a2ui.Message] values of any version, one at a time, through [Client.Apply]. Out: the
// screen as a user sees it ([Client.Surface]), the message that a click sends
// ([Client.Click]), the tree as a framework binds it ([Client.Nodes]), hashes
// ([Client.ShownHash], [Client.ExactHash]) and a drawing for humans ([Client.Dump]).
//
//	bytes ─Feed→ Message ─Apply→ components, data ─Surface→ Shown
//	                 │                ↑ Type Tick Choose …    ↓ hash, dump
//	                 │                └──────── user ←────────┘ Click → a2ui.Action
//	                 └ a call of the agent ─Run→ a2ui.Reply      Calls → a2ui.CallAgent
//
// Invariants:
//   - The package is pure. A Client is not safe for concurrent use.
//   - A message that fails changes nothing. Apply returns its problem as an [*Error].
//   - Problems of the drawn surface (an expression that fails, a missing child, a
//     recursion of templates) are in View.Problems.
//   - A Client copies the parts of a message that it keeps. Its results belong to the
//     caller, but components are shared and must not be written to.
//
// docs/a2ui.md lists the deviations from the specification and from the renderers on npm.
package client
