// Package a2a carries A2UI over the Agent2Agent protocol, as a pure codec: the
// parts of messages, the extension of an agent card and its activation, and the
// metadata of requests. It uses no SDK and opens no connection; its output is
// JSON for any A2A library that a program has.
//
//	neutral messages ─ NewParts ─→ []Part ─ AppendPart ─→ the "parts" of a message
//	the "parts" of a message ─ DecodePart ─→ Part ─ Messages, ClientMessages ─→
//	the text of a model ─ Answer ─→ []Part
//
// # Versions
//
// A v0.8 part holds one message, an object; since v0.9 a part holds the list of
// all. The media type was application/json+a2ui on v0.8 and is
// application/a2ui+json since. Each version writes its own and reads both, in
// both directions.
//
// # Deviations from the specification
//
//   - A part without kind, as newer A2A writes them, is recognised by its members.
//   - An extension address may name a version that this package does not know;
//     it takes part in Activate, which only compares.
package a2a
