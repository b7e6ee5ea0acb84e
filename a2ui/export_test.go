package a2ui

import "strings"

// Family returns the part of a code that recovery maps, with its last
// underscore: A2UI_S2C_LIMIT_ of A2UI_S2C_LIMIT_BYTES.
func Family(c Code) string {
	if parts := strings.SplitAfterN(string(c), "_", 4); len(parts) == 4 {
		return parts[0] + parts[1] + parts[2]
	}
	return string(c)
}

// WirePath turns a JSON Pointer into the body of m that has neutral names into
// one that has those of d.
func (d Dialect) WirePath(m Message, path string) string {
	if n := d.names(); n != nil && path != "" {
		return n.Path(m, path)
	}
	return path
}
