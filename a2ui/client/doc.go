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
// A message that fails changes nothing. Apply returns the problem of a message as an
// Error, and Error.Report returns the message that a renderer would send for it. Problems
// that appear when the surface is drawn (an expression that fails, a missing child, a
// recursion of templates) are in View.Problems.
//
// Strict follows the specification. LikeWebCore does what @a2ui/web_core 0.11.0 and its
// renderers do, but reports an error where they would show the wrong thing or hang.
// Client.ShownHash hashes the screen as the user sees it and is comparable between
// targets; Client.ExactHash hashes all that a client of one dialect holds.
//
// # Deviations from the specification and from the renderers
//
//   - The validator of a2ui checks property names and kinds. Here a property of the
//     wrong kind is a Problem, an unknown one is ignored.
//   - The zone is UTC and the language English, where pluralize takes the forms zero
//     and two for 0 and 2 (LikeWebCore does not). formatDate knows the letters y M d E
//     h H m s a; formatCurrency common currencies. Regular expressions are RE2.
//   - A hole in an array reads as null. Writing more than 65,536 items past its end,
//     or deeper than 256 segments, is refused.
//   - "/" addresses the whole model (RFC 6901: the key ""). Deleting a missing value,
//     or through a scalar, changes nothing. On v1.0 null deletes a key, and at the root
//     the whole model; a deleted item of an array leaves a hole.
//   - Where lists travel as JSON text (v0.8), LikeWebCore makes them lists as they
//     arrive, and an empty one a map without entries; Strict keeps the text, and a
//     choice reads it.
//   - A surface draws at most 100,000 nodes, 200 deep; beyond is CYCLIC_REFERENCE.
//   - On v0.9 an object with the key path or call inside a literal of call arguments
//     or of an event context is resolved (issue #2692).
//   - On v0.8 an action's context is resolved as on v0.9: a key whose path holds
//     nothing is left out, maps are objects.
//   - A click whose context has an expression that fails is an error; renderers, and
//     Dispatch, send it without that key. Lit's "(empty)" for a missing v0.8 text is
//     "".
//   - No npm renderer draws v1.0: there LikeWebCore is Strict.
//   - On v1.0 a check without a message says "invalid". A failing check of severity
//     warning or info is shown and does not disable its button.
//   - Dispatch and Click take an action that is only its name, as a text or under
//     event, and one with name and context beside each other. Validators refuse both.
//   - A call that only the agent can compute is empty until its answer comes. One
//     whose argument waits is asked without it.
package client
