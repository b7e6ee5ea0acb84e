package eval

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// The project's own labelled sets were each written from the requirements alone
// and scored once before anyone learned from them. Here the sets must not fall back.

func TestRouteSets(t *testing.T) {
	t.Parallel()
	s := scoreRoute(t, "route-*.jsonl")
	if 1000*s.ActionTool < 940*s.N || 100*s.Strict < 91*s.N || 50*s.FalseTool > s.N || s.GateViolations+s.DoubleAsks > 0 {
		t.Errorf("%d lines: action and tool %d, strict %d, false tools %d, gate violations %d, second questions %d",
			s.N, s.ActionTool, s.Strict, s.FalseTool, s.GateViolations, s.DoubleAsks)
	}
}

// TestHeld scores the sets that nobody learns from: the training reads other names.
func TestHeld(t *testing.T) {
	t.Parallel()
	chat := 0
	for _, c := range readSets[RouteCase](t, "held-route.jsonl") {
		if c.Expect.Action == "chat" {
			chat++
		}
	}
	s := scoreRoute(t, "held-route.jsonl")
	if 100*s.ActionTool < 95*s.N || 1000*s.FalseTool > 25*chat || s.GateViolations+s.DoubleAsks > 0 {
		t.Errorf("%d lines, %d of chat: action and tool %d, false tools %d, gate violations %d, second questions %d",
			s.N, chat, s.ActionTool, s.FalseTool, s.GateViolations, s.DoubleAsks)
	}
	c := scoreCapture(t, "held-capture.jsonl")
	if 100*c.Cells.Right < 97*c.Cells.Of || c.Unexpected > 0 {
		t.Errorf("cells %v, unexpected warnings %d", c.Cells, c.Unexpected)
	}
}

func TestCaptureSets(t *testing.T) {
	t.Parallel()
	s := scoreCapture(t, "capture-*.jsonl")
	if 100*s.Tables.Right < 98*s.Tables.Of || 100*s.Maps.Right < 95*s.Maps.Of || s.Unexpected > 0 {
		t.Errorf("tables %v, maps %v, unexpected warnings %d: %v", s.Tables, s.Maps, s.Unexpected, s.Failures)
	}
}

func scoreRoute(t *testing.T, pattern string) RouteScore {
	t.Helper()
	cases := readSets[RouteCase](t, pattern)
	var got []Routed
	for _, c := range cases {
		got = append(got, c.Decide(time.Unix(0, 0)))
	}
	s := ScoreRoute(cases, got)
	t.Logf("%s: %d lines: action and tool %d, strict %d, false tools %d", pattern, s.N, s.ActionTool, s.Strict, s.FalseTool)
	return s
}

func scoreCapture(t *testing.T, pattern string) CaptureScore {
	t.Helper()
	cases := readSets[CaptureCase](t, pattern)
	var got []Captured
	for _, c := range cases {
		got = append(got, c.Capture())
	}
	s := ScoreCapture(cases, got)
	t.Logf("%s: tables %v, maps %v, cells %v, unexpected warnings %d", pattern, s.Tables, s.Maps, s.Cells, s.Unexpected)
	return s
}

func readSets[C Case](t *testing.T, pattern string) (all []C) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join("testdata", pattern))
	if err != nil || len(names) == 0 {
		t.Fatalf("no sets %s: %v", pattern, err)
	}
	for _, name := range names {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		cases, bad, err := ReadAll[C](f, func(b *BadLine) { t.Error(name, b) })
		f.Close()
		if err != nil || bad > 0 {
			t.Fatal(name, bad, err)
		}
		all = append(all, cases...)
	}
	return all
}
