package datasync_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/limn-ui/limn/datasync"
)

// TestKeyBetween: the published vectors of this kind of position.
func TestKeyBetween(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ a, b, want string }{
		{"", "", "a0"}, {"a0", "", "a1"}, {"", "a0", "Zz"}, {"a0", "a1", "a0V"}, {"a1", "a2", "a1V"},
		{"Zz", "a1", "a0"}, {"", "Y00", "Xzzz"}, {"bzz", "", "c000"}, {"b125", "b129", "b127"},
		{"a0V", "a1", "a0l"}, {"Zz", "a0", "ZzV"}, {"a0", "a0V", "a0G"}, {"a0", "a0G", "a08"},
	} {
		if got, ok := datasync.KeyBetween(tt.a, tt.b); !ok || got != tt.want {
			t.Errorf("between %q and %q: %q %v, want %q", tt.a, tt.b, got, ok, tt.want)
		}
	}
	for _, tt := range []struct{ a, b string }{{"a1", "a0"}, {"a0", "a0"}, {"a", ""}, {"", "a00"}, {"an", "b"},
		{"A00000000000000000000000000", ""}, {"?", ""}, {"a0é", ""}} {
		if got, ok := datasync.KeyBetween(tt.a, tt.b); ok {
			t.Errorf("between %q and %q: %q, want none", tt.a, tt.b, got)
		}
	}
}

// TestKeysLaw: whatever is put where, a position is between its neighbours.
func TestKeysLaw(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		list := datasync.Keys("", "", rapid.IntRange(0, 100).Draw(t, "n"))
		for range rapid.IntRange(0, 100).Draw(t, "inserts") {
			at := rapid.IntRange(0, len(list)).Draw(t, "at")
			if rapid.Bool().Draw(t, "same") {
				at = len(list) / 2
			}
			a, b := "", ""
			if at > 0 {
				a = list[at-1]
			}
			if at < len(list) {
				b = list[at]
			}
			key, ok := datasync.KeyBetween(a, b)
			if !ok || key <= a || b != "" && key >= b {
				t.Fatalf("between %q and %q: %q %v", a, b, key, ok)
			}
			list = slices.Insert(list, at, key)
		}
		if more := datasync.Keys("a0", "a1", 200); len(more) != 200 || !slices.IsSorted(more) || more[0] <= "a0" ||
			more[199] >= "a1" {
			t.Fatal(more)
		}
	})
}

// TestKeysStayShort: at either end positions do not grow; in one gap they grow slowly.
func TestKeysStayShort(t *testing.T) {
	t.Parallel()
	end, begin, gap := "", "", "a1"
	for range 10_000 {
		end, _ = datasync.KeyBetween(end, "")
		begin, _ = datasync.KeyBetween("", begin)
	}
	for range 300 {
		gap, _ = datasync.KeyBetween("a0", gap)
	}
	if len(end) > 4 || len(begin) > 4 || len(gap) > 64 || datasync.LongKey(gap) {
		t.Errorf("%q %q %q", end, begin, gap)
	}
}
