// Package catalog works on catalog documents: the JSON Schemas with which a
// custom, inline or published catalog says what its components and functions
// take.
//
// In: the bytes of a document in the form of any version. Out: a Document, which
// for models, clients and hosts, and the tables
// that a Validator uses.
//
//	bytes ─ DecodeDocument ─→ Document ─ Compile ─→ *a2ui.Catalog ─→ a2ui.Rules
//	                           │    ↑                    │
//	    Prune, Lenient, Over ──┘    └────── Describe ────┘
//	    Expand, Schema, Inline
//
// Our own tables of the basic and minimal catalogs equal what Compile makes of
// the published ones.
//
// What goes with it on the side of an agent:
//
//	Host       which catalogs are active for what a client says it can draw
//	Schemas    catalogs with the schemas of messages and common types; Standard has ours
//	Format     the prompt of a model (Prompt), and how its answers are read and checked
//	Example    good answers to show, from files: LoadExamples, Match
//
// A document is checked when it is decoded, immutable from then on, and safe to
// share; so is a Format. Everything is pure and bounded: documents by MaxBytes,
// what definitions are put in or compiled to by the number of values, examples by
// number and size. Files are read from an fs.FS that the caller hands over.
//
// # Deviations from the specification
//
//   - A document without protocolVersion that has styles is one of v0.8, although
//     v1.0 says that documents without it are of v0.9.
//   - Host.Select lays inline catalogs over one of the host, as the libraries of
//     v0.8 and v0.9 do; the specification only says that they may be sent.
//   - Lenient, for models, allows what validators must refuse.
package catalog
