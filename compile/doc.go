// Package compile draws surfaces as neutral A2UI messages.
//
// In: a [Target] and one State ([Snapshot]), or two States and the Frame
// between them ([Update]). Out: one [Batch] of messages for each surface that
// has to be drawn, complete and ready for the validator of package a2ui, or a
// [Failure] for that surface while the others are still returned. Nothing is
// remembered between calls and nothing here asks for a protocol version: what
// a client can do is read from [a2ui.Features] and from the pinned catalog.
//
//	ui.Surface ──draw──▶ drawing (components + bound data) ──▶ messages
//	                     before ⊖ after ──────────────────────▶ messages
//
// Every surface is drawn under one Column: title, status, errors, then the node
// tree. Component ids come from key paths and the emitted type, so a component
// never changes its type and a moved row keeps its identity.
//
// Invariants, beside that the same input gives the same bytes:
//
//   - Every path a component binds has a value before the component arrives, or is in
//     the same batch where data follow components by design.
//   - A component type always has the same properties, so that a dropped one does not
//     linger in a client.
//   - An update never sends a draft leaf that no op of its frame wrote, unless the leaf
//     is new or has to be carried along when a client without deletion loses a row
//     beside it.
//   - limn_rev is the last thing a batch changes.
//   - An update sends components from the leaves up, and takes data away after them.
//     What the checks of a removed input read is emptied, not deleted, since renderers
//     take inputs away a moment later; when a surface is locked or expires nothing is
//     taken away. Rows that leave the page are deleted, or they would be sent back as
//     an answer.
//
// Shapes of drafts: a text is a string; a choice a list of zero or one strings, or its
// JSON text where data cannot hold lists; choices a list of strings, or where a picker
// takes one answer only, a map of OptionKey to booleans; rows a map from row id to a map
// of cells, of the rows of the shown page only. Where [a2ui.Features].LeafKey is set
// every leaf is a map of one under that key.
//
// What may surprise:
//
//   - Where data cannot be deleted (v0.8), the container of removed rows is emptied and
//     the others are sent again.
//   - A table has no head while it can be answered: each input's label is its column and
//     row number. Rows of more than four cells are cards with lines of three.
//   - A submitted surface is a few lines, with all of it in a Fold; without one in the
//     catalog, all that was filled in.
//   - A bound Progress is a line of text below /shown.
//   - A number is typed into a TextField of short text, since official clients drop
//     "1e3" from a number. Its form is checked in the client, its bounds on the server.
//   - On v0.8 date and time travel as moments of local time, and FromMoment takes them
//     back: the official client reads a date as UTC and shows it in local time.
//   - A Diagram or Chart is an Image at a signed address, if Rules.Until and Rules.Base
//     are there, and always a Text that says the same in words. The edges of Steps are
//     listed in words.
//
// Callers: prove (to see that a frame can be drawn, before it is committed) and
// deliver (to encode it for each target). Pure.
package compile
