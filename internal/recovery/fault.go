package recovery

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"time"

	"github.com/limn-ui/limn/ui"
)

// What is done about faults that come again (plan §9, §10).
const (
	// Again is how long a fault of a surface counts as the same one.
	Again = 10 * time.Minute
	// MaxResets is how often a surface is reset within an hour, before it is
	// closed and said as text.
	MaxResets = 3
	// MaxRebuilds is how many different faults of a surface make a client be
	// rebuilt within Again. Further ones are recorded only: a client that
	// reports invented faults causes no extra work.
	MaxRebuilds = 8
)

// Fingerprint identifies a fault of a renderer, whatever epoch, row or
// number it speaks of.
func Fingerprint(code, path, message string) string {
	sum := sha256.Sum256([]byte(code + "\x00" + normal(path) + "\x00" + normal(message)))
	return hex.EncodeToString(sum[:12])
}

// normal is a text without what differs from one time to the next: digits, hex
// of eight or more, upper case, space.
func normal(s string) string {
	var b strings.Builder
	for word := range strings.FieldsSeq(strings.ToLower(s)) {
		b.WriteByte(' ')
		for part := range strings.SplitAfterSeq(word, "/") {
			if name, more := strings.CutSuffix(part, "/"); random(name) {
				part = "#"
				if more {
					part = "#/"
				}
			}
			b.WriteString(part)
		}
	}
	out, digits := []byte(b.String())[:0], false
	for _, c := range []byte(b.String()) {
		if c >= '0' && c <= '9' {
			if !digits {
				out = append(out, '#')
			}
			digits = true
			continue
		}
		digits = false
		out = append(out, c)
	}
	return string(out)
}

// random reports a word of hex that was not written by hand.
func random(s string) bool {
	for i := range len(s) {
		if c := s[i]; (c < '0' || c > '9') && (c < 'a' || c > 'f') && c != '-' {
			return false
		}
	}
	return len(s) >= 8
}

// Client says what to do about a fault that a client reports of a surface as
// it stood in an epoch; n is "" when it names none. The first time that client
// is rebuilt, the second time the surface is reset, and one that was reset too
// often fails. "" = nothing: the surface is gone or was redrawn since.
func Client(s *ui.State, n ui.Name, epoch uint32, print string, at time.Time) Action {
	if sf := s.Surface(n); n != "" && (sf == nil || sf.Epoch != epoch) {
		return ""
	}
	last := s.Fault(n, print)
	switch {
	case last.Count > 0 && at.Sub(last.At) <= Again && n == "":
		return ""
	case last.Count > 0 && at.Sub(last.At) <= Again:
		return atCap(s, n, at, Reset)
	case count(s, n, at, Again, false) >= MaxRebuilds:
		return ""
	}
	return Rebuild
}

// Drawing says what to do about a surface that does not draw, with a code whose
// entry says do: the same code again makes it a reset.
func Drawing(s *ui.State, n ui.Name, code ui.Code, do Action, at time.Time) Action {
	if do == SurfaceFail && s.Fault(n, FingerprintOf(code)).Count > 0 {
		do = Reset
	}
	if do == Reset {
		return atCap(s, n, at, Reset)
	}
	return do
}

// FingerprintOf is the print of a code of our own.
func FingerprintOf(code ui.Code) string { return string(code[:min(len(code), 64)]) }

func atCap(s *ui.State, n ui.Name, at time.Time, do Action) Action {
	if count(s, n, at, time.Hour, true) >= MaxResets {
		return SurfaceFail
	}
	return do
}

// count counts the resets of a surface, or its other faults, within a time.
func count(s *ui.State, n ui.Name, at time.Time, within time.Duration, resets bool) (c int) {
	for _, f := range s.Faults {
		if f.Surface == n && (f.Print == ui.FaultReset) == resets && at.Sub(f.At) <= within {
			c++
		}
	}
	return c
}
