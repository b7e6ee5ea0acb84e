// Package translate carries A2UI messages from one version to another.
//
// In: neutral messages of one dialect, and what both dialects can express. Out:
// neutral messages that the other dialect can write, and a Loss for everything
// it cannot. The codecs rename; this package does order, ids, data and the
// features that a version lacks:
//
//	          create ─ data ─ components          components ─ data ─ begin
//	lift.go   surfaces of v0.8 wait for their beginRendering, maps become lists
//	flat.go   surfaces for v0.8 wait for their root and all it refers to
//	direct.go between versions that create first: message by message
//	component.go, value.go, call.go: one component, one value, one call
//	surface.go, tree.go: where components are drawn, and the data of a live surface
//	compute.go, expr.go: calls computed for clients without functions
//	client.go the answers of a client, in the words of the server
//
// A Translator keeps the components and the data of live surfaces, and only
// where one of the two dialects is v0.8. Its time is linear in what comes in and
// goes out.
package translate
