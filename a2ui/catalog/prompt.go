package catalog

import (
	"github.com/limn-ui/limn/internal/jsonx"
)

// Text writes the schemas as the part of a prompt that describes the messages of a
// model: a block with a heading and compact JSON for the messages, the common types
// (unless there are none) and each catalog, in this order.
//
//	---BEGIN A2UI JSON SCHEMA---
//
//	### Server To Client Schema:
//	{…}
//
//	### Common Types Schema:
//	{…}
//
//	### Catalog Schema:
//	{…}
//
//	---END A2UI JSON SCHEMA---
func (s Schemas) Text() string {
	messages := s.Messages
	if messages.Kind == jsonx.Null {
		messages = jsonx.OfObject()
	}
	b := []byte("---BEGIN A2UI JSON SCHEMA---\n\n### Server To Client Schema:\n")
	b = jsonx.Append(b, messages)
	if len(s.Common.At("$defs").Members) > 0 {
		b = jsonx.Append(append(b, "\n\n### Common Types Schema:\n"...), s.Common)
	}
	for _, d := range s.Catalogs {
		b = jsonx.Append(append(b, "\n\n### Catalog Schema:\n"...), d.data)
	}
	return string(append(b, "\n\n---END A2UI JSON SCHEMA---"...))
}
