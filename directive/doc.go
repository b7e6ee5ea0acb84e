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
// The reader takes what can be read in one way, with a warning about what was
// bent, and refuses what can be read in two: a broken envelope beside a whole
// one, two that differ, a key with two values, JSON that is cut short. Words
// beside directives make them doubtful (Envelope.Unsure): a run asks. Thoughts,
// protocol and pieces of JSON are never text. docs/directives.md lists what
// models do and what becomes of it; testdata/broken holds an answer of each kind.
//
//	answer ─ tidy ─▶ one JSON text? ── yes ─────────────▶ shape ─▶ envelope
//	                     └─ no ─ peel ─▶ pieces of JSON ─▶ shape ─▶ envelope, or words
//
// Files: read (the way of an answer), wrap (what templates put around it),
// extract (JSON in prose), mend (other dialects of JSON), shape (how an envelope
// was written), envelope (what is in it), param, rows and patch (payloads).
//
// Callers: app builds the Registry, agent reads answers, execute runs the
// directives, scripted models write envelopes.
package directive
