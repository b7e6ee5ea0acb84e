package jsonptr

import (
	"slices"
	"strings"
	"testing"
)

func TestSplit(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		in   string
		want []string
	}{
		{"", nil}, {"/", []string{""}}, {"/a/b", []string{"a", "b"}}, {"/a~1b/~0", []string{"a/b", "~"}}, {"/~01", []string{"~1"}},
	} {
		got, err := Split(c.in)
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("Split(%q) = %q, %v, want %q", c.in, got, err, c.want)
		}
		if back := Join(got...); back != c.in {
			t.Errorf("Join(%q) = %q, want %q", got, back, c.in)
		}
	}
	for _, bad := range []string{"a", "/~", "/~2", "/a~"} {
		if _, err := Split(bad); err == nil {
			t.Errorf("Split(%q): want an error", bad)
		}
	}
}

func FuzzSplit(f *testing.F) {
	f.Add("/a~1b")
	f.Fuzz(func(t *testing.T, p string) {
		segs, err := Split(p)
		if err != nil {
			return
		}
		if got := Join(segs...); got != p {
			t.Fatalf("Join(Split(%q)) = %q (%q)", p, got, strings.Join(segs, "|"))
		}
	})
}
