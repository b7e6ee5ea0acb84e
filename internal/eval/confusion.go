package eval

import (
	"slices"
	"strconv"
)

// Confusion counts expected labels against actual ones. Labels are both its
// rows and its columns, sorted.
type Confusion struct {
	Labels []string `json:"labels"`
	Counts [][]int  `json:"counts"` // [expected][got]
}

// add counts one pair.
func (c *Confusion) add(want, got string) {
	c.label(want)
	j := c.label(got)
	c.Counts[c.label(want)][j]++ // got may have moved it
}

// label is the place of a label; a new one is put in.
func (c *Confusion) label(name string) int {
	i, known := slices.BinarySearch(c.Labels, name)
	if !known {
		c.Labels = slices.Insert(c.Labels, i, name)
		for k := range c.Counts {
			c.Counts[k] = slices.Insert(c.Counts[k], i, 0)
		}
		c.Counts = slices.Insert(c.Counts, i, make([]int, len(c.Labels)))
	}
	return i
}

func count(n *int, when bool) {
	if when {
		*n++
	}
}

func itoa(n int) string { return strconv.Itoa(n) }
