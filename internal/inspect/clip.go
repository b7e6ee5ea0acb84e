package inspect

import (
	"fmt"

	"github.com/limn-ui/limn/internal/excerpt"
	"github.com/limn-ui/limn/internal/jsonx"
)

// Bounds of what one turn shows.
const (
	maxItems    = 200       // of one list or object
	maxString   = 4 << 10   // bytes of one string in a value
	maxEntries  = 20_000    // of a value in all
	maxMessages = 200       // of one drawing
	maxMessage  = 64 << 10  // bytes of one message
	maxText     = 64 << 10  // bytes of a text: a prompt, an answer, a screen
	maxHTML     = 512 << 10 // bytes of the drawing in HTML
)

// clip cuts a value to the bounds. A text in place of each cut gives the number of omitted
// entries, or the length of the whole string. more counts the cuts.
func clip(v jsonx.Value) (out jsonx.Value, more int) {
	c := clipper{left: maxEntries}
	return c.value(v), c.more
}

type clipper struct{ left, more int }

func (c *clipper) value(v jsonx.Value) jsonx.Value {
	c.left--
	switch v.Kind {
	case jsonx.String:
		if short := excerpt.Of(v.Str, maxString); short != v.Str {
			c.more++
			v.Str = fmt.Sprintf("%s (%d bytes)", short, len(v.Str))
		}
	case jsonx.Array:
		n := c.fit(len(v.Items))
		items := make([]jsonx.Value, 0, n+1)
		for _, item := range v.Items[:n] {
			items = append(items, c.value(item))
		}
		if left := len(v.Items) - n; left > 0 {
			items = append(items, jsonx.Of(fmt.Sprintf("… and %d more", left)))
		}
		v.Items = items
	case jsonx.Object:
		n := c.fit(len(v.Members))
		members := make([]jsonx.Member, 0, n+1)
		for _, m := range v.Members[:n] {
			members = append(members, jsonx.Member{Key: m.Key, Value: c.value(m.Value)})
		}
		if left := len(v.Members) - n; left > 0 {
			members = append(members, jsonx.Member{Key: "…", Value: jsonx.Of(fmt.Sprintf("and %d more", left))})
		}
		v.Members = members
	}
	return v
}

// fit is how many of so many items are kept.
func (c *clipper) fit(n int) int {
	keep := min(n, maxItems, max(c.left, 0))
	if keep < n {
		c.more++
	}
	return keep
}
