// Package catalog works on catalog documents: the JSON Schemas with which a
// custom, inline or published catalog says what its components and functions
// take.
//
// In: the bytes of a document in the form of any version. Out: a Document, which
// a model can be shown and a host can cut down. A document is checked when it is
// decoded, immutable from then on, and safe to share.
//
// Compile turns a document into the tables of a Validator. Our own tables of the
// basic and minimal catalogs equal what it makes of the published ones.
//
// Everything is pure and bounded; examples are read from an fs.FS that the
// caller hands over.
package catalog
