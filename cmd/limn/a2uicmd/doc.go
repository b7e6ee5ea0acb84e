// Package a2uicmd has the commands of limn that take A2UI messages or model
// text: Validate, Replay, Parse, Translate, Catalog. Each is a kong command
// with a Run method.
//
//	input     bytes → pieces: JSON lines, or JSON over several lines
//	stream    pieces → messages of one version
//	findings  problems → like a compiler's, or JSON; place finds their lines
//	kinds     the type of a property, in words
//
// Streams are checked as they come; memory holds the open surfaces only.
package a2uicmd
