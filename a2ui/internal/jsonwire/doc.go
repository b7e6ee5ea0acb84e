// Package jsonwire is the wire form that v0.9, v0.9.1 and v1.0 share: literals and
// lists are bare JSON, a binding and a call are objects that one key marks.
//
// In: neutral messages, or a parsed JSON value, and the Keys of a version. Out:
// bytes, or neutral messages. Property names are the neutral ones, so an unknown
// component is read by the shape of its values. A value of another shape
// in the place of children, options or checks is kept as a Literal and written
// back unchanged; the validator reports it.
//
// # Reserved keys
//
// With Keys.Reserved a key with one leading @ belongs to the protocol. In the
// objects below a property an @ of the application is written twice, and a single
// one is a problem. Among the members of a component there is nothing to
// escape, since names of properties have no @; instead the keys of the envelope
// have one, and a property that shares their name has it in neutral form:
//
//	wire            neutral
//	@catalogId      Component.CatalogID
//	catalogId       property catalogId
//	@checks         property checks      (the same for accessibility, metadata)
//	checks          property @checks
package jsonwire
