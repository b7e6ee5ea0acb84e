package datasync_test

import (
	"cmp"
	"errors"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/limn-ui/limn/datasync"
	"github.com/limn-ui/limn/ui"
)

func TestParseStamp(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"2026-01-12T16:34:29.000Z:0001:agent-1":      "2026-01-12T16:34:29.000Z:0001:agent-1",
		"2026-01-12T16:34:29Z:1:agent-1":             "2026-01-12T16:34:29.000Z:0001:agent-1",
		"2026-01-12T16:34:29.5Z:0001:a":              "2026-01-12T16:34:29.500Z:0001:a",
		"2026-01-12T18:34:29.000+02:00:0001:a":       "2026-01-12T16:34:29.000Z:0001:a",
		"2024-02-29T00:00:00.000Z:9999:A.b_c~d-1":    "2024-02-29T00:00:00.000Z:9999:A.b_c~d-1",
		"1970-01-01T00:00:00.000Z:0000:a":            "1970-01-01T00:00:00.000Z:0000:a",
		"9999-12-31T23:59:59.999Z:9999:a":            "9999-12-31T23:59:59.999Z:9999:a",
		"2026-01-12T16:34:29.123456789Z:00000:a":     "2026-01-12T16:34:29.123Z:0000:a",
		"2026-01-31T16:34:29.000Z:0001:renderer-456": "2026-01-31T16:34:29.000Z:0001:renderer-456",
	} {
		if got, err := datasync.ParseStamp(text); err != nil || got.String() != want {
			t.Errorf("%s: %s %v, want %s", text, got, err, want)
		}
	}
	for _, text := range []string{"", "zzz", "2026-01-12T16:34:29.000Z:0001", "2026-01-12T16:34:29.000Z:10000:a",
		"2026-01-12T16:34:29.000Z:-1:a", "2026-02-30T16:34:29.000Z:0001:a", "2026-01-12T16:34:29.000Z:0001:",
		"2026-01-12T16:34:29.000Z:0001:ü", "2026-01-12T16:34:29.000Z:0001:" + strings.Repeat("a", 65),
		"10000-01-12T16:34:29.000Z:0001:a", "1969-12-31T23:59:59.999Z:0000:a", "0000-01-01T00:00:00.000Z:0000:a",
		"2026-01-12 16:34:29.000Z:0001:a", "2026-01-12T24:34:29.000Z:0001:a",
		strings.Repeat("1", 1<<20)} {
		if got, err := datasync.ParseStamp(text); !errors.Is(err, &ui.Error{Code: datasync.CodeStamp}) {
			t.Errorf("%.60s: %v %v", text, got, err)
		}
	}
}

func drawStamp(t *rapid.T) datasync.Stamp {
	return datasync.Stamp{
		Time:  rapid.Int64Range(0, 253402300799999).Draw(t, "time"),
		Count: rapid.IntRange(0, 9999).Draw(t, "count"),
		Actor: rapid.StringMatching(`[A-Za-z0-9._~-]{1,8}`).Draw(t, "actor"),
	}
}

// TestStampLaw: a stamp is its text, and texts sort as stamps do.
func TestStampLaw(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawStamp(t), drawStamp(t)
		if rapid.Bool().Draw(t, "near") {
			b.Time, b.Count = a.Time, a.Count
		}
		if got, err := datasync.ParseStamp(a.String()); err != nil || got != a {
			t.Fatalf("%v %v %v", a, got, err)
		}
		if cmp.Compare(a.String(), b.String()) != a.Compare(b) {
			t.Fatalf("%s %s", a, b)
		}
	})
}

// TestClockLaw: stamps of one actor rise whatever the time of day does, what was received
// is before what follows, and no clock runs further ahead than the bound.
func TestClockLaw(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		const bound = time.Minute
		c, err := datasync.NewClock("me", datasync.Stamp{})
		if err != nil {
			t.Fatal(err)
		}
		var last datasync.Stamp
		now, latest := start, start
		for range rapid.IntRange(1, 50).Draw(t, "steps") {
			now = now.Add(time.Duration(rapid.Int64Range(-5000, 5000).Draw(t, "ms")) * time.Millisecond)
			if now.After(latest) {
				latest = now
			}
			if rapid.Bool().Draw(t, "receive") {
				other := datasync.Stamp{Time: now.UnixMilli() + rapid.Int64Range(-100_000, 100_000).Draw(t, "ahead"),
					Count: rapid.SampledFrom([]int{0, 1, 9998, 9999}).Draw(t, "count"), Actor: "other"}
				err := c.Receive(other, now, bound)
				if ahead := other.Time - now.UnixMilli(); (err != nil) != (ahead > bound.Milliseconds()) {
					t.Fatalf("%d ms ahead: %v", ahead, err)
				}
				if err == nil && other.Compare(datasync.Stamp{Time: last.Time, Count: last.Count, Actor: "zz"}) > 0 {
					last = datasync.Stamp{Time: other.Time, Count: other.Count}
				}
			}
			s, err := c.Tick(now)
			if err != nil || s.Time < last.Time || s.Time == last.Time && s.Count <= last.Count {
				t.Fatalf("%v after %v: %v", s, last, err)
			}
			if s.Time > latest.Add(bound+time.Second).UnixMilli() {
				t.Fatalf("%v at %v", s, latest)
			}
			last = s
			again, err := datasync.NewClock("me", c.Last())
			if err != nil {
				t.Fatal(err)
			}
			c = again // a run that stored its clock
		}
	})
}

// TestClockEnds: the count carries into the time, and the last year ends with an error.
func TestClockEnds(t *testing.T) {
	t.Parallel()
	c, _ := datasync.NewClock("a", datasync.Stamp{Time: start.UnixMilli(), Count: 9999})
	if s, err := c.Tick(start); err != nil || s.String() != "2026-01-12T16:00:00.001Z:0000:a" {
		t.Error(s, err)
	}
	c, _ = datasync.NewClock("a", datasync.Stamp{Time: 253402300799999, Count: 9998})
	if s, err := c.Tick(start); err != nil || s.String() != "9999-12-31T23:59:59.999Z:9999:a" {
		t.Error(s, err)
	}
	if s, err := c.Tick(start); err == nil {
		t.Error(s)
	}
	if _, err := datasync.NewClock("a:b", datasync.Stamp{}); !errors.Is(err, &ui.Error{Code: datasync.CodeActor}) {
		t.Error(err)
	}
}
