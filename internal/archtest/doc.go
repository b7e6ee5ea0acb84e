// Package archtest checks the shape of the source tree: the imports of each package, the
// features a pure package may use, and where outside modules enter. It parses the sources
// and nothing more: no type checking, no network, standard library only.
//
// In: a module's source tree (Load). Out: one Finding for each breach (Check), sorted by
// rule, place and text; an empty list means that the tree is sound.
//
//	order    tree_test.go     a package imports only packages above it; adapters of one port
//	                          never import each other; test kits only from tests; the root
//	                          package pulls in no SDK; no long chains
//	pure     pure_test.go     no clock, randomness, log, network, file, lock, context, go
//	                          statement or select in a pure package
//	module   modules_test.go  one importing leaf for each outside module
//	version  version_test.go  protocol versions are compared in a2ui only
//	shape    shape_test.go    names and package comments
//	width    width_test.go    lines of at most 120 columns outside tables and strings
//
// Beside them glossary_test.go holds the exported names to docs/glossary.md. A rule applies
// to test files only where it says so. Each rule is proved by a planted breach of it.
//
// Callers: `go test ./...`; all of it is test code.
package archtest
