// Package catalog reads catalog documents: the JSON Schemas with which a custom, inline or
// published catalog says what its components and functions take.
//
// In: the bytes of a document of any version. Out: a [Document] for models, clients and
// hosts, and the tables that a Validator uses.
//
//	bytes ─ DecodeDocument ─→ Document ─ Compile ─→ *a2ui.Catalog ─→ a2ui.Rules
//	                           │    ↑                    │
//	    Prune, Lenient, Over ──┘    └────── Describe ────┘
//	    Expand, Schema, Inline
//
// For agents, [Host] has the catalogs that are active for the capabilities of a client,
// [Schemas] catalogs with the schemas of messages and common types ([Standard] has ours),
// [Format] the prompt of a model and how its answers are read and checked, [LoadExamples]
// good answers to show. [Properties] describes the type of each property in words.
//
// Invariants:
//   - Everything is pure and bounded: documents by MaxBytes, definitions by the number of
//     values, examples by number and size.
//   - A document is checked when it is decoded. A Document and a Format are immutable and
//     safe to share.
//
// docs/a2ui.md has the deviations from the specification.
package catalog
