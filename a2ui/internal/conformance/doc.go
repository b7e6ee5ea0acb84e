// Package conformance runs the published A2UI conformance cases, the test cases
// of the specification and all official examples against packages a2ui,
// a2ui/client and a2ui/catalog. It holds tests only.
//
//	go test ./a2ui/internal/conformance -run Conformance -v
//
// The data stays where it is: A2UI_CONFORMANCE_DIR (default ../shared/conformance
// beside the checkout) and A2UI_SPEC_DIR (default ../shared/spec) name the
// folders. Each suite prints a line a case and "conformance: N passed, N failed,
// N optional" at its end; docs/conformance.md is written by
//
//	go test ./a2ui/internal/conformance -run Conformance -update
//
// A runner answers one value of a case's "action" member and is in the file
// of its theme. A case that contradicts the specification is in skips_test.go
// with the sentence it contradicts. Nothing depends on the names of cases.
package conformance
