package a2uicmd

import (
	"bufio"
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/cmd/limn/term"
)

// TestFindingsLater: what the end of a turn brings to light is shown with its
// line while that is among the last, and by its number alone later.
func TestFindingsLater(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	out := bufio.NewWriter(&b)
	r := newFindings(out, "in", 0, style{term.Style{Width: 80}}, false)
	most := 0
	for n := 1; n <= 100_000; n++ {
		line := fmt.Appendf(nil, `{"id":"c%d"}`, n)
		r.keep(piece{raw: line, text: line, line: n, tag: n})
		copy(line, "overwritten") // as a reader does
		most = max(most, len(r.recent))
	}
	if most > 20_000 {
		t.Errorf("%d pieces were kept", most)
	}
	r.later([]a2ui.Problem{{Code: "X", Line: 5, Component: "c5"}, {Code: "X", Line: 99_999, Component: "c99999"},
		{Code: "X"}})
	out.Flush()
	want := []string{"in:5: X ", "    component c5", "in:99999:", `    {"id":"c99999"}`, "^ component c99999", "in: X "}
	at := 0
	for _, s := range want {
		i := strings.Index(b.String()[at:], s)
		if i < 0 {
			t.Fatalf("no %q after byte %d in\n%s", s, at, b.String())
		}
		at += i
	}
}
