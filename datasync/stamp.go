package datasync

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"github.com/limn-ui/limn/ui"
)

// Codes of refused input.
const (
	CodeStamp    ui.Code = "SYNC_STAMP_INVALID"   // no time of a hybrid logical clock
	CodeActor    ui.Code = "SYNC_ACTOR_INVALID"   // no name of an actor, or another one's
	CodeAhead    ui.Code = "SYNC_CLOCK_AHEAD"     // a clock of the future
	CodePath     ui.Code = "SYNC_PATH_INVALID"    // no path into the document
	CodeValue    ui.Code = "SYNC_VALUE_INVALID"   // no value that a path can have
	CodeBatch    ui.Code = "SYNC_BATCH_INVALID"   // no message of updates
	CodeSnapshot ui.Code = "SYNC_SNAPSHOT_NEEDED" // the sender lacks deletions that are forgotten
	CodeLimit    ui.Code = "SYNC_LIMIT"           // more than the Limits allow
)

// Stamp is the time of one write: of a hybrid logical clock, with the actor that wrote.
// No two writes have the same. The zero Stamp is before all others.
type Stamp struct {
	Time  int64  // milliseconds since 1970, UTC
	Count int    // of writes within the same millisecond, 0 to 9999
	Actor string // 1 to 64 ASCII letters, digits and "._~-"
}

const (
	maxCount = 9999
	maxTime  = 253402300799999 // the end of the year 9999
	layout   = "2006-01-02T15:04:05.000Z"
	timeSize = len(layout)
)

// IsZero reports whether s is no time.
func (s Stamp) IsZero() bool { return s == Stamp{} }

// Compare is below 0 if s is before t, 0 if they are the same, else above.
func (s Stamp) Compare(t Stamp) int {
	return cmp.Or(cmp.Compare(s.Time, t.Time), cmp.Compare(s.Count, t.Count), strings.Compare(s.Actor, t.Actor))
}

// After reports whether s is later than t.
func (s Stamp) After(t Stamp) bool { return s.Compare(t) > 0 }

// String is the canonical text, such as 2026-01-12T16:34:29.000Z:0001:agent-1. Texts of
// this form sort as their stamps do.
func (s Stamp) String() string { return string(s.append(nil)) }

func (s Stamp) append(dst []byte) []byte {
	dst = time.UnixMilli(s.Time).UTC().AppendFormat(dst, layout)
	dst = append(dst, ':', byte('0'+s.Count/1000%10), byte('0'+s.Count/100%10), byte('0'+s.Count/10%10),
		byte('0'+s.Count%10), ':')
	return append(dst, s.Actor...)
}

// ParseStamp reads the text of a stamp. It also takes times with other fractions of a
// second or another zone, and shorter or longer counts; the result is the same time.
// Digits below a millisecond are dropped.
func ParseStamp(text string) (Stamp, error) {
	fault := func(why string) (Stamp, error) {
		e := ui.Errorf(CodeStamp, "", "the time of a write is no stamp: %s", why)
		e.Hint = "want a stamp such as 2026-01-12T16:34:29.000Z:0001:agent-1"
		return Stamp{}, e
	}
	if len(text) > timeSize+32+maxActor {
		return fault("it is too long")
	}
	rest, actor := cutLast(text)
	when, count := cutLast(rest)
	if !validActor(actor) {
		return fault("it does not end with the name of an actor")
	}
	n, err := strconv.ParseUint(count, 10, 32)
	if err != nil || n > maxCount {
		return fault("its count is not from 0 to 9999")
	}
	t, ok := parseTime(when)
	if !ok || t < 0 || t > maxTime {
		return fault("it does not start with a time")
	}
	return Stamp{t, int(n), actor}, nil
}

// cutLast cuts at the last colon.
func cutLast(text string) (before, after string) {
	i := strings.LastIndexByte(text, ':')
	return text[:max(i, 0)], text[i+1:]
}

// parseTime reads milliseconds since 1970; the canonical form quickly.
func parseTime(text string) (int64, bool) {
	if len(text) == timeSize && text[10] == 'T' && text[timeSize-1] == 'Z' {
		if t, ok := parseCanonical(text); ok {
			return t, true
		}
	}
	t, err := time.Parse(time.RFC3339Nano, text)
	return t.UnixMilli(), err == nil
}

func parseCanonical(text string) (int64, bool) {
	valid := text[4] == '-' && text[7] == '-' && text[13] == ':' && text[16] == ':' && text[19] == '.'
	number := func(from, to int) (n int) {
		for _, c := range []byte(text[from:to]) {
			valid = valid && '0' <= c && c <= '9'
			n = n*10 + int(c-'0')
		}
		return n
	}
	year, month, day := number(0, 4), number(5, 7), number(8, 10)
	hour, minute, second, milli := number(11, 13), number(14, 16), number(17, 19), number(20, 23)
	if !valid || month < 1 || month > 12 || day < 1 || day > 28 || hour > 23 || minute > 59 || second > 59 {
		return 0, false // or a day that not every month has: the slow way knows
	}
	return time.Date(year, time.Month(month), day, hour, minute, second, milli*1e6, time.UTC).UnixMilli(), true
}

const maxActor = 64

// validActor reports whether name can be an actor: 1 to 64 ASCII letters, digits and
// "._~-". All programming languages sort such names the same.
func validActor(name string) bool {
	if name == "" || len(name) > maxActor {
		return false
	}
	for _, c := range []byte(name) {
		letter := 'a' <= c|0x20 && c|0x20 <= 'z'
		if !letter && !('0' <= c && c <= '9') && c != '.' && c != '_' && c != '~' && c != '-' {
			return false
		}
	}
	return true
}

// Clock gives the stamps of one actor: each later than those before, and than all that
// it has received.
type Clock struct{ last Stamp }

// NewClock returns the clock of an actor that goes on after last, the stored Last of the
// run before. An actor that has lost its last stamp must take a new name.
func NewClock(actor string, last Stamp) (*Clock, error) {
	if !validActor(actor) {
		e := ui.Errorf(CodeActor, "", "the name of an actor is invalid")
		e.Hint = "want 1 to 64 of A-Z a-z 0-9 . _ ~ -"
		return nil, e
	}
	return &Clock{Stamp{last.Time, last.Count, actor}}, nil
}

// Last is the latest stamp given or received, under the name of this actor.
func (c *Clock) Last() Stamp { return c.last }

// Tick gives the next stamp. now is the time of day; if that goes back, stamps do not.
func (c *Clock) Tick(now time.Time) (Stamp, error) {
	t, n := now.UnixMilli(), 0
	if t <= c.last.Time {
		t, n = c.last.Time, c.last.Count+1
	}
	if n > maxCount {
		t, n = t+1, 0
	}
	if t < 0 || t > maxTime {
		return Stamp{}, ui.Errorf(CodeStamp, "", "the clock is at its end: stamps are from 1970 to 9999")
	}
	c.last.Time, c.last.Count = t, n
	return c.last, nil
}

// Receive makes later stamps follow s, which comes from another actor. A stamp that is
// more than bound after now is refused, and changes nothing: the sender's clock is wrong.
func (c *Clock) Receive(s Stamp, now time.Time, bound time.Duration) error {
	if ahead := s.Time - now.UnixMilli(); ahead > bound.Milliseconds() {
		e := ui.Errorf(CodeAhead, "", "the time of a write is %v after the time here", time.Duration(ahead)*
			time.Millisecond)
		e.Hint = "set the sender's clock and send it again with a new stamp"
		return e
	}
	c.follow(s)
	return nil
}

func (c *Clock) follow(s Stamp) {
	if s.Time > c.last.Time || s.Time == c.last.Time && s.Count > c.last.Count {
		c.last.Time, c.last.Count = s.Time, s.Count
	}
}

// Vector has, for each actor, the stamp up to which a place has seen every write, or a
// later one that replaced it.
type Vector map[string]Stamp

// Covers reports whether a place with this vector has seen the write.
func (v Vector) Covers(s Stamp) bool { return !s.After(v[s.Actor]) }

// Contains reports whether a place with this vector has seen all that one with w has.
func (v Vector) Contains(w Vector) bool {
	for _, s := range w {
		if !v.Covers(s) {
			return false
		}
	}
	return true
}
