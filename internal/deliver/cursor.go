package deliver

import (
	"strconv"
	"strings"
)

// Cursor is a place in a stream: the log, the last frame that was delivered,
// the messages of the next one that were delivered too, and the drawing.
// Clients treat its text as opaque.
type Cursor struct {
	Log         string // 16 hex digits
	Seq         uint64
	Part        int    // framing "message": messages of frame Seq delivered; -1 = all
	Fingerprint string // fingerprint of the drawing, 8 hex digits
}

// String writes <log>.<seq>[-<k>].<fp>, at most 64 ASCII characters.
func (c Cursor) String() string {
	s := c.Log + "." + strconv.FormatUint(c.Seq, 10)
	if c.Part >= 0 {
		s += "-" + strconv.Itoa(c.Part)
	}
	return s + "." + c.Fingerprint
}

// after is the seq of the last frame that was delivered whole.
func (c Cursor) after() uint64 {
	if c.Part > 0 {
		return c.Seq - 1
	}
	return c.Seq
}

// ParseCursor reads the text of a cursor.
func ParseCursor(s string) (Cursor, bool) {
	parts := strings.Split(s, ".")
	if len(s) > 64 || len(parts) != 3 || len(parts[0]) != 16 || !isHex(parts[0]) || len(parts[2]) != 8 ||
		!isHex(parts[2]) {
		return Cursor{}, false
	}
	c := Cursor{Log: parts[0], Part: -1, Fingerprint: parts[2]}
	seq, part, hasPart := strings.Cut(parts[1], "-")
	var err error
	if c.Seq, err = strconv.ParseUint(seq, 10, 63); err != nil || strconv.FormatUint(c.Seq, 10) != seq {
		return Cursor{}, false
	}
	if hasPart {
		if c.Part, err = strconv.Atoi(part); err != nil || c.Part < 0 || strconv.Itoa(c.Part) != part {
			return Cursor{}, false
		}
		if c.Seq == 0 && c.Part > 0 { // there is no frame 0
			return Cursor{}, false
		}
	}
	return c, true
}

func isHex(s string) bool { return strings.Trim(s, "0123456789abcdef") == "" }
