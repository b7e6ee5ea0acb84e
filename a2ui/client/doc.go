// Package client is an A2UI renderer without a screen: it proves that the messages of a
// server are right.
//
// In: neutral [a2ui.Message] values of any version, one at a time, through
// [Client.Apply]. Out: the screen as a user sees it ([Client.Surface]), the message that a click
// would send ([Client.Click]), the tree as a framework binds it ([Client.Nodes]),
// hashes ([Client.ShownHash], [Client.ExactHash]) and a drawing for humans
// ([Client.Dump]).
//
//	bytes ─Feed→ Message ─Apply→ components, data ─Surface→ Shown
//	                 │                ↑ Type Tick Choose …    ↓ hash, dump
//	                 │                └──────── user ←────────┘ Click → a2ui.Action
//	                 └ a call of the agent ─Run→ a2ui.Reply      Calls → a2ui.CallAgent
//
// Everything is pure. A Client is not safe for concurrent use. It copies the parts
// of a message that it keeps; its results belong to the caller, but components are
// shared and must not be written to.
//
// docs/a2ui-rules.md has the states of a surface, the modes, the two hashes and
// the deviations from the specification and from the renderers.
package client
