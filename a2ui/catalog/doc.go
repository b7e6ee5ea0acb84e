// Package catalog reads catalog documents: the JSON Schemas with which a custom,
// inline or published catalog says what its components and functions take.
//
// In: the bytes of a document of any version. Out: a Document for models, clients
// and hosts, and the tables that a Validator uses.
//
//	bytes ─ DecodeDocument ─→ Document ─ Compile ─→ *a2ui.Catalog ─→ a2ui.Rules
//	                           │    ↑                    │
//	    Prune, Lenient, Over ──┘    └────── Describe ────┘
//	    Expand, Schema, Inline
//
// The side of the agent:
//
//	Host       the catalogs that are active for the capabilities of a client
//	Schemas    catalogs with the schemas of messages and common types; Standard has ours
//	Format     the prompt of a model (Prompt), and how its answers are read and checked
//	Example    good answers to show, from files: LoadExamples
//	Properties the type of each property in words
//
// A document is checked when it is decoded. A Document and a Format are immutable and
// safe to share. Everything is pure and bounded: documents by MaxBytes, definitions by
// the number of values, examples by number and size. Where $defs.anyComponent or
// anyFunction names components or functions of the document, it has those alone.
//
// Deviations from the specification: a document without protocolVersion that has styles
// is one of v0.8. Host.Select lays inline catalogs over one of the host. Lenient, for
// models, allows what validators must refuse.
package catalog
