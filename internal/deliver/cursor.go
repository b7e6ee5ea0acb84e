package deliver

import (
	"regexp"
	"strconv"
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

var cursorForm = regexp.MustCompile(`^([0-9a-f]{16})\.(0|[1-9]\d*)(?:-(0|[1-9]\d*))?\.([0-9a-f]{8})$`)

// ParseCursor reads the text of a cursor.
func ParseCursor(s string) (Cursor, bool) {
	m := cursorForm.FindStringSubmatch(s)
	if m == nil || len(s) > 64 {
		return Cursor{}, false
	}
	seq, err := strconv.ParseUint(m[2], 10, 63)
	c := Cursor{Log: m[1], Seq: seq, Part: -1, Fingerprint: m[4]}
	if m[3] != "" && err == nil {
		c.Part, err = strconv.Atoi(m[3])
	}
	if err != nil || c.Seq == 0 && c.Part > 0 { // there is no frame 0
		return Cursor{}, false
	}
	return c, true
}
