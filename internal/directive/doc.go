// Package directive reads the answers of models: words, and directives of declared
// types.
//
// In: the text of a model's answer. Out: an [Envelope]: the assistant's words, and
// directives with checked payloads in canonical form. A dropped or converted part
// is a coded warning; an error means that nothing in the answer can be used. The
// same declarations give the JSON Schema ([Registry.Schema]), the instructions
// ([Registry.Prompt]) and the reader, so the three cannot drift apart.
//
//	text ─ Read ─▶ the envelope alone ─▶ canonical type ─▶ check params ─▶ Envelope
//
// Invariants: only types of the [Registry] come out; every payload has only
// declared keys, in order, of the declared kinds, within bounds; reading the JSON
// of an Envelope gives that Envelope again; work is linear in the size of the
// input. Patches write to /draft and /ui_state only, never to /ui_state/rev.
//
// Only an answer that is the envelope and nothing else gives directives. White
// space, closed thoughts in front and one code fence do not count; a lenient parser
// forgives syntax. Any other JSON may be a quotation: CodeAmbiguous. An undeclared
// key may withhold consent ([Envelope.Undeclared]). Package agent asks the model
// about both. docs/directives.md has the rules, testdata/broken examples.
//
// Callers: app builds the Registry, agent reads answers, execute runs the
// directives, scripted models write envelopes.
package directive
