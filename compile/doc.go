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
// Invariants:
//   - Same input, same bytes: nothing depends on map order.
//   - Every path a component binds has a value before the component arrives,
//     or is in the same batch where data follow components by design.
//   - A component type always has the same properties, so that a property
//     dropped from a node does not linger in a client.
//   - An update never sends a draft leaf that no op of its frame wrote, unless
//     the leaf is new to the drawing or has to be carried along when a client
//     without deletion loses a row beside it.
//   - limn_rev is the last thing a batch changes.
//   - Null compiles to the bytes of the empty value of its place.
//   - An update sends components from the leaves up, and takes data away after
//     them: what a client still draws always has its data. Renderers take inputs
//     away a moment later, so what their checks read is emptied, not deleted,
//     and when a surface is locked or expires nothing is taken away. Rows that
//     leave the page are deleted all the same: what is left of them would be
//     sent back as an answer.
//
// # Shapes of drafts
//
// A text is a string. A choice is a list of zero or one strings; where data cannot
// hold lists it is their JSON text, of which clients make one. Choices are a list
// of strings, or where a picker takes one answer only, a map of [OptionKey] to
// booleans. Rows are a map from row id to a map of cells; only the rows of the
// shown page are sent. Where [a2ui.Features].LeafKey is set every leaf is a map
// of one under that key.
//
// # Deviations from docs/lowering
//
//   - Where data cannot be deleted (v0.8), rows that go away do not rebuild the
//     surface: their container is emptied and its remaining rows are sent again.
//     A rebuild would drop what the user typed into other fields, since the
//     action that removes a row carries that table only.
//   - A table has no head while it can be answered: the label that every input
//     must have is its column and the number of its row, and what is required is
//     said once above. Rows of more than four cells are cards with lines of three.
//   - A bound Progress binds a line of text below /shown, made here: no version
//     draws a bar, and the number alone says too little.
//   - A number is typed into a TextField of short text: official clients make
//     of the variant "number" an HTML input that drops what is not yet a number,
//     so that "1e3" arrives as 3. Its form is checked in the client, its bounds
//     on the server only.
//   - The official v0.8 client reads a date as UTC and shows it in local time, and
//     shows no time without a date: both travel as moments of local time, and
//     [FromMoment] takes them back. It also edits several lines as one.
//   - A Diagram or Chart is an Image at a signed address, if Rules.Until and
//     Rules.Base are there, and always a Text of what it shows: words alone is what
//     a target shows without either, and when the address has ended. The edges of
//     Steps are listed in words.
//
// Callers: session (to prove that a frame can be drawn, before it commits) and
// deliver (to encode it for each target). Pure.
package compile
