// Package jsonx reads and writes JSON the way a protocol boundary needs it.
//
// In: untrusted bytes. Out: a [Value] tree that keeps member order and the exact text
// of numbers, or an [Error] with the offset of the fault. Unlike encoding/json it
// refuses duplicate keys, invalid UTF-8, lone surrogates and nesting or sizes above
// [Limits], so no two readers can disagree about the content of a message.
//
// Scan finds the same as a [Doc], a flat list of nodes, for codecs that make
// something else of the input than a tree.
//
// The Append functions write compact JSON into a caller's buffer without
// reflection. Everything here is pure; every package of Limn may import it.
package jsonx
