package term

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"time"
)

// TestProgress: nothing for half a second, then at most ten times a second, and
// nothing is left behind.
func TestProgress(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	now := time.Unix(0, 0)
	p := newProgress(&b, 200, func() time.Time { return now })
	in := p.Reader(strings.NewReader(strings.Repeat("x", 150)))
	if _, err := io.ReadAll(in); err != nil {
		t.Fatal(err)
	}
	p.Line()
	p.Clear()
	if b.Len() > 0 {
		t.Fatalf("drew %q at once", b.String())
	}
	now = now.Add(600 * time.Millisecond)
	for range 5 {
		p.Line()
	}
	if n := strings.Count(b.String(), "\r"); n != 1 || !strings.Contains(b.String(), " 75 %  2 lines") {
		t.Errorf("drew %d times: %q", n, b.String())
	}
	p.Clear()
	if !strings.HasSuffix(b.String(), "\r\x1b[K") {
		t.Errorf("left %q", b.String())
	}
	p = newProgress(&b, 0, func() time.Time { return now })
	p.done, p.lines = 2_500_000, 7
	if got := p.bar(); got != "7 lines, 2.5 MB" {
		t.Error(got)
	}
	none := NewProgress(Terminal{Out: &b, Err: &b, Env: func(string) string { return "" }}, 10)
	n := b.Len()
	now = now.Add(time.Hour)
	none.Line()
	none.Clear()
	if b.Len() != n {
		t.Error("drew where nobody looks")
	}
}

func TestStatus(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	s := &Status{w: &b}
	s.Clear()
	s.Say("one\n" + strings.Repeat("x", 100))
	s.Clear()
	if got := b.String(); !strings.HasPrefix(got, "\r\x1b[Kone x") || !strings.HasSuffix(got, "…\r\x1b[K") ||
		strings.Contains(got, "\n") {
		t.Errorf("%q", got)
	}
	b.Reset()
	none := NewStatus(Terminal{Out: &b, Err: &b, Env: func(string) string { return "" }})
	none.Say("x")
	if none.Clear(); b.Len() != 0 {
		t.Error("drew where nobody looks")
	}
}
