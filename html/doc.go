// Package html renders surfaces as HTML, for pages that work with and without script.
// Package compile renders the same nodes as A2UI.
//
// In: a [ui.Surface], or two [ui.State] values and the [ui.Frame] between them. Out: HTML,
// complete and escaped, without a raw line end. [AppendSurface] writes one surface,
// [AppendSnapshot] all of a conversation. [Update] returns Turbo stream elements that turn
// the page of one State into the page of the next.
//
// docs/html.md is the contract with the page around it: ids, attributes, updates, classes,
// and the duties of the page's script.
//
// Invariants:
//   - The package is pure: the same input gives the same bytes.
//   - Everything in a State is untrusted. It becomes text or a quoted attribute through one
//     escape, never a tag. Images load from http and https only.
//   - A page works without script: post, redirect, get. All panels of tabs are shown.
//   - Every control has a name for assistive technology. Every error is beside its control
//     and in the summary, and the first invalid control has autofocus.
//   - A stream never clears text that a user typed, unless the server writes that value, or
//     the field gets new options or a new type.
//
// Callers: deliver (streams), transport web (rows, focus), inspect, transport mcp, cmd/limn.
package html
