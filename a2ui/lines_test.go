package a2ui_test

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/limn-ui/limn/a2ui"
)

func TestReadLines(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 64)
	in := "one\n\n  two \r\n" + long + "\n" + long + "y\nlast"
	for name, r := range map[string]io.Reader{"whole": strings.NewReader(in),
		"bytewise": iotest.OneByteReader(strings.NewReader(in))} {
		var got []string
		var lines []int
		for line, err := range a2ui.ReadLines(r, a2ui.Limits{MessageBytes: 64}) {
			lines = append(lines, line.Number)
			var p *a2ui.Problem
			if errors.As(err, &p) {
				got = append(got, string(p.Code))
				if p.Line != line.Number {
					t.Errorf("problem on line %d says %d", line.Number, p.Line)
				}
				continue
			}
			got = append(got, string(line.Bytes))
		}
		if want := "one|two|" + long + "|" + string(a2ui.LimitBytes) + "|last"; strings.Join(got, "|") != want {
			t.Errorf("%s: %q", name, got)
		}
		if len(lines) != 5 || lines[1] != 3 || lines[4] != 6 {
			t.Errorf("%s: numbers %v", name, lines)
		}
	}
}

func TestReadLinesEnds(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	n := 0
	for _, err := range a2ui.ReadLines(io.MultiReader(strings.NewReader("a\nb"), iotest.ErrReader(broken)),
		a2ui.Limits{}) {
		if n++; n == 2 && !errors.Is(err, broken) {
			t.Errorf("got %v, want the reader's error", err)
		}
	}
	if n != 2 {
		t.Errorf("%d lines, want a and the error; a half line is none", n)
	}
	for range a2ui.ReadLines(strings.NewReader("a\nb\n"), a2ui.Limits{}) {
		break // must not panic
	}
	for line, err := range a2ui.ReadLines(strings.NewReader("\n{\"deleteSurface\":{}}"), a2ui.Limits{}) {
		if err != nil {
			t.Fatal(err)
		}
		_, _, err := line.Decode()
		var p *a2ui.Problem
		if !errors.As(err, &p) || p.Line != 2 {
			t.Errorf("got %v, want a problem on line 2", err)
		}
		if _, _, err := line.DecodeClient(); err == nil {
			t.Error("a server message was read as a client's")
		}
	}
}
