// Package directive is what a model may say.
//
// In: the text of a model's answer, from any model, in any mood. Out: an
// [Envelope]: what the assistant says, and directives of declared types whose
// payloads are checked and in canonical form. What had to be dropped or bent is
// a coded warning; an error means that nothing in the answer can be used.
//
//	text ─ Read ─▶ find the envelope ─▶ canonical type ─▶ check params ─▶ Envelope
//
// Invariants: only types of the [Registry] come out, under their canonical
// names; every payload has only declared keys, in declared order, of the
// declared kinds, within bounds; reading the JSON of an Envelope gives that
// Envelope again, without warnings; work is linear in the size of the input.
// Patches write to /draft and /ui_state only, and never to /ui_state/rev.
//
// The same declarations give the JSON Schema for structured outputs
// ([Registry.Schema]) and the instruction text ([Registry.Prompt]), so the
// three cannot drift apart.
//
// What the reader always forgives: a code fence around all of it, a byte order
// mark, a leading <think> block. Unless [Options].Strict also: text around the
// JSON; trailing commas and raw line breaks in strings; an envelope or a
// payload that is a JSON string; one directive instead of a list, or without
// an envelope; other spellings of a type; obvious conversions of scalars. What
// it never forgives: duplicate keys, single quotes, comments, a JSON text cut
// short (what stands inside it does not run on its own).
//
// Callers: app builds the Registry, agent reads answers, execute runs the
// directives, scripted models write envelopes.
package directive
