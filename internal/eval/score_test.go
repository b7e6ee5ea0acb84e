package eval_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/limn-ui/limn/internal/eval"
)

func lines[C eval.Case](text string) []C {
	cases, _, _ := eval.ReadAll[C](strings.NewReader(text), nil)
	return cases
}

func ExampleScoreRoute() {
	cases := lines[eval.RouteCase](`{"id":"a","message":"We have 12 risks.","category":"counts","expect":{"action":"tool","tool_name":"request_data_table","min_count":12}}
{"id":"b","message":"Hello!","category":"small talk","expect":{"action":"chat"}}`)
	var out []eval.Routed
	for _, c := range cases {
		out = append(out, c.Decide(noon))
	}
	s := eval.ScoreRoute(cases, out)
	fmt.Println(s.Strict, "of", s.N)
	// Output: 2 of 2
}

func ExampleRead() {
	text := "{\"id\":\"a\",\"message\":\"We have 12 risks.\"}\nno case"
	for c, err := range eval.Read[eval.RouteCase](strings.NewReader(text)) {
		if err != nil {
			fmt.Println(err)
			continue
		}
		p := c.Decide(noon)
		fmt.Println(p.ID, p.Action, *p.Tool, *p.MinCount, p.Trigger)
	}
	// Output:
	// a tool request_data_table 12 hard.list_size
	// line 2: EVAL_LINE_INVALID: no JSON: invalid character 'o' in literal null (expecting 'u') at byte 2
}

func ExampleDecodeState() {
	s, err := eval.DecodeState([]byte(`{"opt_out_all":true,"cancels_in_row":1}`))
	fmt.Println(s.OptOut.All, s.Cancels, err)
	// Output: true 1 <nil>
}

func ExampleScoreCapture() {
	cases := lines[eval.CaptureCase](
		`{"id":"a","kind":"table","input":"Ann; 3\nBob; x","columns":[{"name":"Name","type":"text"},{"name":"Age","type":"number"}],` +
			`"expect":{"rows":[{"Name":"Ann","Age":3},{"Name":"Bob","Age":null}],"errors":[{"row":1,"col":"Age","code":"not_a_number"}],"validators":[]}}`)
	s := eval.ScoreCapture(cases, []eval.Captured{cases[0].Capture()})
	fmt.Println(s.Cells.Right, "of", s.Cells.Of, "cells,", s.Tables.Right, "of", s.Tables.Of, "tables")
	// Output: 4 of 4 cells, 1 of 1 tables
}

// TestConfusion: labels are sorted, and every pair stands once, in whatever
// order they come up.
func TestConfusion(t *testing.T) {
	t.Parallel()
	cases := lines[eval.RouteCase](`{"id":"1","message":"","expect":{"action":"tool","tool_name":"request_process_map"}}
{"id":"2","message":"","expect":{"action":"clarify"}}
{"id":"3","message":"","expect":{"action":"chat"}}
{"id":"4","message":"","expect":{"action":"chat"}}`)
	table := "request_data_table"
	s := eval.ScoreRoute(cases, []eval.Routed{{ID: "1", Action: "tool", Tool: &table}, {ID: "2", Action: "chat"},
		{ID: "3", Action: "chat"}})
	want := eval.Confusion{Labels: []string{"chat", "clarify", "map", "nothing", "table"},
		Counts: [][]int{{1, 0, 0, 1, 0}, {1, 0, 0, 0, 0}, {0, 0, 0, 0, 1}, {0, 0, 0, 0, 0}, {0, 0, 0, 0, 0}}}
	if diff := cmp.Diff(want, s.Confusion); diff != "" {
		t.Error(diff)
	}
	if len(s.Failures) != 3 || s.Failures[0].Want != "map" || s.Failures[0].Got != "table" || s.FalseTool != 1 {
		t.Errorf("%+v", s)
	}
}

// TestCaptureFailures says what is wrong with a paste, not only that it is.
func TestCaptureFailures(t *testing.T) {
	t.Parallel()
	cases := lines[eval.CaptureCase](`{"id":"a","kind":"table","format":"csv","input":"","columns":[{"name":"N","type":"date"}],"expect":{"rows":[{"N":null},{"N":"x"}],"errors":[{"row":0,"col":"N","code":"not_a_date"}],"validators":[{"type":"low_coverage","surfaced":true}]}}
{"id":"b","kind":"map","input":"","expect":{"steps":[{"match":["pay"]}],"edges":[{"from":0,"to":0,"type":"sequence"}],"validators":[]}}`)
	s := eval.ScoreCapture(cases, []eval.Captured{
		{ID: "a", Rows: []eval.Cells{{"N": []byte("null")}}, Errors: []eval.CellError{{Row: 0, Col: &[]string{"N"}[0], Code: "ambiguous_date"}}, Surfaced: []string{"duplicate_entries"}},
		{ID: "b", Steps: []eval.Step{{Name: "Pay"}}, Edges: []eval.Edge{{Type: "approval"}}},
	})
	want := []eval.CaptureFailure{
		{ID: "a", Format: "csv", Wrong: []string{"1 rows, want 2", "1 wrong cells", "ambiguous_date, want not_a_date", "low_coverage shown: false", "unexpected duplicate_entries"}},
		{ID: "b", Wrong: []string{"approval, want sequence"}},
	}
	if diff := cmp.Diff(want, s.Failures); diff != "" {
		t.Error(diff)
	}
}

// TestScoreSubmits: a line that says what is open is right if that is submitted or canceled
// as expected, and only then.
func TestScoreSubmits(t *testing.T) {
	t.Parallel()
	cases := lines[eval.RouteCase](`{"id":"a","open":["Customer"],"message":"okay, submit the form","expect":{"action":"chat","control":"submit"}}
{"id":"b","open":["Customer","table: Guests"],"message":"how do I submit the guest list?","expect":{"action":"chat"}}
{"id":"c","open":["Customer"],"message":"cancel that","expect":{"action":"chat"}}
{"id":"d","open":["Customer"],"message":"send it to Anna","expect":{"action":"chat","control":"submit"}}
{"id":"e","message":"cancel that","expect":{"action":"chat"}}`)
	var out []eval.Routed
	for _, c := range cases {
		out = append(out, c.Decide(noon))
	}
	s := eval.ScoreRoute(cases, out)
	var wrong []string
	for _, f := range s.Failures {
		wrong = append(wrong, f.ID+" "+f.Got+" for "+f.Want)
	}
	if got := strings.Join(wrong, ", "); got != "c cancel for chat, d chat for submit" || s.FalseSubmit != 1 {
		t.Errorf("%s; %d false submits", got, s.FalseSubmit)
	}
	if s := eval.OpenOf([]string{"Note: urgent", "map: Hiring"}); s[0].Title != "Note: urgent" || s[1].Kind != "map" {
		t.Errorf("%+v", s)
	}
}
