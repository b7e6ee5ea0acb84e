// Package a2ui is the A2UI protocol, usable alone: neutral messages, codecs both
// ways for v0.8, v0.9, v0.9.1 and v1.0, catalogs, and a validator.
//
// In: bytes from an agent or a client, or neutral messages built in Go. Out:
// neutral messages, bytes, or problems with stable codes. Everything is pure: no
// clock, randomness, log, network, file, lock or goroutine; ReadLines and
// Translate use the reader and writer of the caller.
//
//	bytes ─ DecodeMessage ─→ Message ─ Validator.Check ─→ []Problem
//	                            │
//	bytes ←── AppendMessage ────┘        bytes ─ DecodeClient ─→ ClientMessage
//
// A Message is modelled on v0.9 and the same in every dialect; the codecs rename
// types and properties. Dialect.Features says how versions differ, so that no
// caller asks for a version number.
//
// Parser takes A2UI out of the text of a language model while it streams.
// Translator carries a stream from any version to any other and reports each Loss.
// Negotiate picks a catalog for the Capabilities of a client.
//
// # Versions
//
// v1.0 has three spellings:
//
//   - [V10RC], the release candidate, has plain keys, path and call, and writes
//     "v1.0".
//   - [V10Oct], of the cases of 2026-10-06, has {"@path"} and {"@call"}, and writes
//     "v1.0".
//   - [V10], of the documentation, also has @catalogId, @accessibility, @metadata and
//     @checks, and writes "1.0".
//
// The reserved keys in components and calls distinguish the two spellings that write
// "v1.0". The commands limn validate, replay and translate read a stream as the release
// candidate until a message has a reserved key. A message decoded as V10 may have the
// members of its components without @. Capabilities under "v1.0" are those of V10RC and
// V10Oct, under "1.0" those of V10: the host writes the spelling that it pinned
// (--targets). A client of several versions writes its capabilities with
// AppendAllCapabilities; those of v0.8 are read bare and under "v0.8".
//
// A surface has one version, that of the first message about it: a Parser refuses
// messages of another, a Translator names them as lost. The spellings of v1.0 are one
// version, and v0.9.1 reads v0.9.
//
// A Translator reports each thing that the other version cannot carry as a Loss. If no
// Loss is Shown, the translation and the original show the same. Clients without
// functions get the results of functions as data, which follow the user's input with the
// server's next message.
//
// # Laws
//
//   - Decode(Append(m)) equals m, for m in the form that Decode returns: the root of a
//     v0.9 surface is "root"; a v0.8 ChoicePicker has a variant, written last if it is
//     multipleSelection; a text is a String and no Literal.
//   - If a dialect cannot express a part of a message, Append returns a *Problem; it
//     never drops the part. A message that passes a Validator can be written.
//
// # Profiles
//
// Spec holds the rules of the specification. A batch that creates a surface must bring
// its root and all it refers to; an update may refer to components that come later. Safe
// adds the rules that the clients in use need:
//
//   - order: createSurface, data, components; on v0.8 beginRendering last
//   - every surfaceUpdate of v0.8 defines all that it refers to; no text equals a
//     component id
//   - all that is sent is drawn; every path drawn has data, and is absolute outside
//     templates (on v0.8 relative inside)
//   - an update repeats every property and keeps the type
//   - no circle through a template, no path with a literal, no object with a member
//     path or call that clients take for a binding
//   - http and https addresses (mailto in actions), also where a binding leads
//   - a template draws a list; on v0.8 a map with the keys 0, 1, 2 and so on
//   - keys that no client splits or refuses; on v0.8 no text that looks like JSON (see
//     Guard), but a list that a ChoicePicker binds
//   - clients keep components that are no longer drawn: a surface has at most sixteen
//     times the limit of components, drawn or not
//   - for a target whose limits it exceeds (docs/limits.md) a surface is only its title
//     and a text (COMPILE_NOT_SHOWN)
//   - a call returns what its place wants, and clients may run it there
//
// # Deviations from the specification
//
//   - v0.8 {path, literal…} is read and written as a Literal, and refused by Safe: no
//     client takes it.
//   - v0.8 valueMap is read up to five levels deep; Spec and the encoder allow the one
//     level of the schema.
//   - A call without args is read, and written with "args":{}.
//   - An empty surface id, component id, action name or check message is refused.
//   - A surface that no message created is refused on v0.9 unless Rules.Partial;
//     deleting it is not.
//   - A surface id may be used again after its deletion, on v0.9 and v1.0 too.
//   - On v0.8, which has no calls, objects with a functionCall, or with call and args,
//     count as calls where a catalog of one's own leaves a value open: no more than
//     five inside one another.
//   - Unreadable expressions of a formatString, and functions in them that the catalog
//     lacks, are problems of Safe only.
package a2ui
