// Package a2ui is the A2UI protocol, usable alone: neutral messages, codecs both
// ways for v0.8, v0.9, v0.9.1 and v1.0 in two dialects, catalogs, and a validator.
//
// In: bytes from an agent or a client, or neutral messages built in Go. Out:
// neutral messages, bytes, or problems with stable codes. Everything is pure: no
// clock, randomness, log, network, file, lock or goroutine; ReadLines and
// Translate read and write what they are given.
//
//	bytes ─ DecodeMessage ─→ Message ─ Validator.Check ─→ []Problem
//	                            │
//	bytes ←── AppendMessage ────┘        bytes ─ DecodeClient ─→ ClientMessage
//
// A batch that is too long to be held is judged message by message
// (CheckMessage, EndTurn). Capabilities say which catalogs a client can draw, and
// Negotiate picks the one for it.
//
// Parser takes A2UI out of what a language model writes, as it streams: tagged
// and fenced blocks, JSON lines, arrays; it heals what models get wrong, and what
// is no A2UI comes back as text.
//
// Translator carries a stream from any version to any other, message by message,
// and names what the other cannot carry as a Loss. Without a loss that is Shown,
// the translation shows what the original shows: package client proves it by the
// hash of both. Clients without functions get what those return as data, which
// the translator computes again when something they read changes; what a user
// enters is seen again only when the server sends it.
//
// A Message is modelled on v0.9 and the same in every dialect: types and
// properties have their v0.9 names, and the codecs rename. What differs between
// versions is in Dialect.Features, so that no caller asks for a version, and
// in a2ui/internal: package jsonwire writes v0.9 and all later ones by a table of
// their key names, v08 writes v0.8.
//
// v1.0 changed its keys on the way. V10 has {"@path"}, {"@call"}, @catalogId,
// @accessibility, @metadata and @checks, and writes the version "1.0"; V10RC has
// the plain keys of the release candidate and writes "v1.0". "v1.0" is read as
// V10 where components or a call have a reserved key; such a message may have
// the members of its components without @, as they were for a while.
//
// A Decoder reads many messages and keeps its working memory, as ReadLines does;
// with a Validator that is Reset, reading and judging allocates little more than
// the messages. The texts of a message are parts of one copy of its bytes, which
// lives as long as any of them. Inspect lists all faults of an envelope, Locate
// finds a problem in its line, and Problem.Path has the names of the wire.
//
// # Laws
//
// Decode(Append(m)) equals m, for m in the form that Decode returns: the root of
// a v0.9 surface is "root", a v0.8 ChoicePicker has a variant, written last if it
// is multipleSelection, a text is a String and no Literal. Append never drops what
// a dialect cannot express: it returns a *Problem. What a Validator lets through
// can be written.
//
// # Profiles
//
// Spec is what the specification says of anybody's stream. A batch that creates
// a surface must bring its root and all it refers to; an update may refer to what
// comes later. Safe adds what the clients in use need:
//
//   - order: createSurface, data, components; on v0.8 beginRendering last
//   - every surfaceUpdate of v0.8 defines all that it refers to, and no text
//     equals a component id
//   - all that a batch sends is drawn, every path that is drawn has data, and is
//     absolute outside templates (on v0.8 relative inside)
//   - an update repeats every property and keeps the type
//   - no circle through a template, no path with a literal, no object with a
//     member path or call where clients would take it for a binding
//   - http and https addresses (mailto in actions), also where a binding leads
//   - a template draws a list; on v0.8 a map with the keys 0, 1, 2 and so on
//   - keys that no client splits or refuses; on v0.8 no text that looks like JSON
//     (see Guard), but for the JSON text of a list where a ChoicePicker binds it:
//     data cannot hold that list, and clients make it from the text
//   - the limit of components counts what is drawn; clients keep what was drawn
//     before, of which sixteen times as much may be
//   - a call returns what its place wants, and clients may run it there
//
// # Deviations from the specification
//
//   - v0.8 {path, literal…}, which should initialise and bind, is read and written
//     as a Literal, and refused by Safe: no client takes it.
//   - v0.8 {} for a bound value, which the schema allows, is refused, as is a
//     component wrapper with no type or two.
//   - v0.8 valueMap is read up to five levels deep, as clients do, but Spec and
//     the encoder allow the one level of the schema.
//   - A call without args is read, and written with "args":{}.
//   - An empty surface id, component id, action name or check message is refused,
//     though the schemas allow it.
//   - A surface that no message created is refused on v0.9 unless Rules.Partial;
//     deleting it is not.
//   - v0.9.1 allows a surface id again after its deletion; so do we on v0.9, as
//     all clients do.
//   - The expressions of a formatString that cannot be read, and functions in
//     them that the catalog lacks, are problems of Safe only.
//   - What says nothing is not kept: sendDataModel false, an empty userMessage.
//   - Clients on v1.0 may use a surface id again after its deletion, as on v0.9.
package a2ui
