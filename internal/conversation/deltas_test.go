package conversation

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestDeltasEndWithTheirRun(t *testing.T) {
	t.Parallel()
	var d Deltas
	woken := 0
	cancel := d.Subscribe("c", func() { woken++ })
	write := d.Writer("c", "e")
	write(0, "Thr")
	write(0, "ee")
	if diff := cmp.Diff([]Delta{{Event: "e", Text: "Three"}}, d.List("c")); diff != "" {
		t.Errorf("deltas (-want +got):\n%s", diff)
	}
	write(1, "Four")
	if diff := cmp.Diff([]Delta{{Event: "e", Try: 1, Text: "Four"}}, d.List("c")); diff != "" {
		t.Errorf("a second try begins again (-want +got):\n%s", diff)
	}
	write(1, string(make([]byte, maxDelta)))
	if text := d.End("c", "e"); text != "Four" || len(d.List("c")) > 0 {
		t.Errorf("end returned %q and left %v", text, d.List("c"))
	}
	cancel()
	write(2, "x")
	if woken != 3 || d.Subscribed("c") {
		t.Errorf("woken %d times, want 3; subscribed %v", woken, d.Subscribed("c"))
	}
}
