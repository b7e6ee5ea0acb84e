package trace_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/limn-ui/limn/trace"
)

var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// full has every member set.
var full = trace.Event{Name: trace.RouterDecision, At: noon, Conversation: "c", Seq: 3, Action: "tool",
	Tool: "request_data_table", Confidence: 0.86,
	Type: "low_coverage", Resumed: true, Accepted: true, AllTools: true, Tools: 2}

func TestLinesWritesOneLinePerEvent(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	l := trace.NewLines(&b)
	var wg sync.WaitGroup
	for i := range 100 {
		wg.Go(func() {
			l.Emit(trace.Event{Name: trace.ToolOpened, Conversation: "c", Seq: uint64(i), At: noon,
				Tool: "request_process_map"})
		})
	}
	wg.Wait()
	if err := errors.Join(l.Close(), l.Close()); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")
	if len(lines) != 100 || l.Dropped() != 0 {
		t.Fatalf("%d lines, %d dropped", len(lines), l.Dropped())
	}
	var e trace.Event
	if err := json.Unmarshal([]byte(lines[0]), &e); err != nil || e.Name != trace.ToolOpened ||
		strings.Contains(lines[0], "confidence") {
		t.Errorf("%s: %v", lines[0], err)
	}
	if l.Emit(full); l.Dropped() != 1 {
		t.Error("an event after Close is not counted")
	}
}

// blocked is a writer that stands still until it is let go.
type blocked struct{ began, let chan struct{} }

func (b blocked) Write(p []byte) (int, error) {
	b.began <- struct{}{}
	<-b.let
	return 0, errors.New("disk full")
}

// A writer that stands still holds nobody up: what does not fit is dropped.
func TestLinesNeverBlock(t *testing.T) {
	t.Parallel()
	w := blocked{make(chan struct{}, 1), make(chan struct{})}
	l := trace.NewLines(w)
	l.Emit(full)
	<-w.began
	for range 10_000 {
		l.Emit(full)
	}
	if got := l.Dropped(); got < 5000 {
		t.Errorf("%d dropped", got)
	}
	close(w.let)
	if err := l.Close(); err == nil || err.Error() != "disk full" {
		t.Errorf("Close: %v", err)
	}
	if got := l.Dropped(); got != 10_001 {
		t.Errorf("%d of 10,001 lost events are counted", got)
	}
}

func TestMultiWritesToAllSinks(t *testing.T) {
	t.Parallel()
	if trace.Multi(nil, nil) != nil {
		t.Error("no sink is not nil")
	}
	var a, b bytes.Buffer
	one, two := trace.NewLines(&a), trace.NewLines(&b)
	s := trace.Multi(nil, one, two)
	s.Emit(full)
	s.Emit(trace.Event{Name: trace.ToolCanceled})
	if err := errors.Join(one.Close(), two.Close()); err != nil {
		t.Fatal(err)
	}
	if strings.Count(a.String(), "\n") != 2 || a.String() != b.String() {
		t.Errorf("%s and %s", a.String(), b.String())
	}
}

func ExampleNewLines() {
	var b bytes.Buffer
	l := trace.NewLines(&b)
	l.Emit(trace.Event{Name: trace.ToolSubmitted, At: noon, Conversation: "0193", Seq: 7, Tool: "request_data_table",
		Accepted: true})
	_ = l.Close()
	fmt.Print(b.String())
	// Output:
	// {"event":"tool_submitted","at":"2026-11-20T12:00:00Z","conversation":"0193","seq":7,"tool":"request_data_table","accepted_as_is":true}
}
