package client

import (
	"fmt"
	"strings"
)

// Dump draws a surface for humans: one line for each thing, indented, with its
// component id; then the data and the problems. "" for an unknown surface.
func (c *Client) Dump(surface string) string {
	s, ok := c.surfaces[surface]
	if !ok {
		return ""
	}
	v := c.view(s, s.data)
	var b strings.Builder
	fmt.Fprintf(&b, "surface %s", v.ID)
	switch {
	case !s.created:
		b.WriteString(" (buffered)")
	case !v.Ready:
		b.WriteString(" (waiting for its root)")
	}
	b.WriteByte('\n')
	if v.Root.Role != "" {
		v.Root.dump(&b, "  ")
	}
	fmt.Fprintf(&b, "data %s\n", show(s.data))
	for _, p := range v.Problems {
		fmt.Fprintf(&b, "problem %s\n", p)
	}
	return b.String()
}

func (s Shown) dump(b *strings.Builder, indent string) {
	b.WriteString(indent + string(s.Role))
	if s.Level > 0 {
		fmt.Fprintf(b, " %d", s.Level)
	}
	if s.Text != "" {
		fmt.Fprintf(b, " %q", s.Text)
	}
	switch s.Value.Kind {
	case null:
	case text:
		fmt.Fprintf(b, " = %q", s.Value.Str)
	default:
		fmt.Fprintf(b, " = %s", show(s.Value))
	}
	for _, a := range s.Actions {
		b.WriteString(" -> " + a)
	}
	if s.Disabled {
		b.WriteString(" disabled")
	}
	for _, d := range s.Details {
		fmt.Fprintf(b, " %s=%s", d.Name, d.Value)
	}
	if s.ID != "" {
		b.WriteString("  #" + s.Key())
	}
	if s.Bound != "" {
		b.WriteString("  @" + s.Bound)
	}
	b.WriteByte('\n')
	for _, o := range s.Options {
		mark := " "
		if o.Selected {
			mark = "x"
		}
		fmt.Fprintf(b, "%s  [%s] %q %s\n", indent, mark, o.Label, o.Value)
	}
	for _, e := range s.Errors {
		fmt.Fprintf(b, "%s  ! %s\n", indent, e)
	}
	for _, child := range s.Children {
		child.dump(b, indent+"  ")
	}
}
