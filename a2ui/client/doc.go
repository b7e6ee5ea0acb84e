// Package client is an A2UI renderer without a screen: it proves that what a
// server emits is right.
//
// In: neutral [a2ui.Message] values of any version, one at a time, through
// [Client.Apply]. Out: what a user would see ([Client.Surface]), what a click
// would send ([Client.Click]), the tree as a framework binds it ([Client.Nodes]),
// hashes ([Client.ShownHash], [Client.ExactHash]) and a drawing for humans
// ([Client.Dump]).
//
//	bytes ─Feed→ Message ─Apply→ components, data ─Surface→ Shown
//	                 │                ↑ Type Tick Choose …    ↓ hash, dump
//	                 │                └──────── user ←────────┘ Click → a2ui.Action
//	                 └ a call of the agent ─Run→ a2ui.Reply      Calls → a2ui.CallAgent
//
// Everything is pure: no clock, no randomness, no log, no goroutine; the same
// calls give the same results. A Client is not safe for concurrent use. It
// copies what it keeps of a message, so that its memory is that of the live
// surfaces, and what it returns is the caller's; only components are shared and
// must not be written to.
//
// # States of a surface
//
//	unknown ─CreateSurface→ shown ─DeleteSurface→ unknown       (create first)
//	unknown ─any update→ buffered ─CreateSurface→ shown         (Features.CreateLast)
//
// A message that fails changes nothing. What is wrong with a message comes back
// from Apply, and [Error.Report] is what a renderer would report to the server;
// what only shows when the surface is drawn (an expression that fails, a missing
// child, a recursion of templates) is in [View.Problems].
//
// # Modes
//
// [Strict] does what the specification says and refuses what it forbids.
// [LikeWebCore] does what @a2ui/web_core 0.11.0 and its renderers do, as run or
// read; see rules.go for each difference. Where those renderers would silently
// show the wrong thing or hang, this client reports an error instead: a tab
// that hangs on a cycle, a root whose type changes, a v0.8 key that is read as
// a path, a v0.8 literal that is taken for a component.
//
// # Two hashes
//
// [Client.ShownHash] is of what the user sees, and equal on every target that
// can show it; semantic in hash.go lists what targets draw with other
// components. [Client.ExactHash] is of all that a client holds, for one dialect.
//
// # Deviations from the specification and from the renderers
//
//   - Property names and kinds are checked by the validator of package a2ui, not
//     here: a property of the wrong kind is a Problem, an unknown one is ignored.
//   - The local zone is UTC and the language is English, where pluralize takes the
//     forms zero and two for the numbers 0 and 2 (LikeWebCore does not).
//     formatDate knows the letters y M d E h H m s a; formatCurrency knows the
//     symbols of common currencies. Regular expressions are RE2: look-around and
//     back-references are expression errors.
//   - A hole in an array reads as null. Writing more than 65,536 items past
//     the end of an array, or deeper than 256 segments, is refused.
//   - "/" addresses the whole model, as every SDK has it (RFC 6901: the key "").
//     Deleting what is not there changes nothing; on v1.0 null deletes a key, at
//     the root all of the model, and an item of an array leaves a hole.
//   - Where lists travel as JSON text (v0.8), LikeWebCore makes them lists as they
//     arrive, and an empty one a map without entries; Strict keeps the text, and a
//     choice reads it.
//   - A surface draws at most 100,000 nodes, 200 deep; beyond is CYCLIC_REFERENCE.
//   - LikeWebCore keeps a dropped property from the update on; the renderers
//     keep it only for components that are on the screen.
//   - On v0.9 an object with the key path or call inside a literal of call
//     arguments or of an event context is resolved, in both modes (issue #2692).
//   - On v0.8 the host resolves an action's context itself; here that works as on
//     v0.9: a key whose path holds nothing is left out, maps are objects.
//   - A click whose context has an expression that fails is an error; renderers
//     send it without that key, as Dispatch does. Lit's "(empty)" for a missing
//     v0.8 text is "".
//   - Deleting through a scalar is a no-op; web_core throws.
//   - No npm renderer draws v1.0: for its own parts LikeWebCore is Strict.
//   - On v1.0 a surface id may come again after its deletion. The validators of
//     the basic catalog return a code and no message, so that the one of the check
//     is shown; a check without any says "invalid". A failing check whose
//     severity is warning or info is shown and does not disable its button.
//   - A call that only the agent can compute is empty until its answer comes; the
//     value before is not kept. One whose argument waits is asked without it.
package client
