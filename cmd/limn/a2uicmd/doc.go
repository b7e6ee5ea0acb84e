// Package a2uicmd has the commands of limn that take A2UI messages or model
// text: Validate, Replay, Parse, Translate, Catalog. Each is a kong command
// with a Run method.
//
//	input     bytes → pieces: JSON lines, or JSON over several lines
//	stream    pieces → messages of one version
//	findings  problems → like a compiler's, or JSON; place finds where they are
//
// Streams are judged as they come; memory holds only the data of open surfaces.
package a2uicmd
