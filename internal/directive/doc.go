// Package directive reads the answers of models: words, and directives of
// declared types.
//
// In: the text of a model's answer. Out: an
// [Envelope]: the assistant's words, and directives of declared types whose
// payloads are checked and in canonical form. A dropped or converted part is a
// coded warning; an error means that nothing in the answer can be used.
//
//	text ─ Read ─▶ the envelope alone ─▶ canonical type ─▶ check params ─▶ Envelope
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
// Only an answer that is the envelope and nothing else gives directives. White
// space, closed thoughts in front and one code fence do not count; a lenient
// parser forgives syntax. Any other answer with JSON may only quote it and is
// CodeAmbiguous, and an undeclared key may withhold consent
// ([Envelope.Undeclared]): package agent asks the model. docs/directives.md lists
// what models write and how it is read; testdata/broken holds examples.
//
// Files: read (an answer), among (an envelope with words around it), frame (the
// text around JSON), lenient (the JSON parser), envelope (keys and directives),
// param, rows and patch (payloads).
//
// Callers: app builds the Registry, agent reads answers, execute runs the
// directives, scripted models write envelopes.
package directive
