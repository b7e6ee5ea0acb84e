package eval_test

import (
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/limn-ui/limn/internal/eval"
	"github.com/limn-ui/limn/ui"
)

// TestReadNamesBadLines: a bad line has its number, a code and a hint, its text
// stays out of it, and the rest is read.
func TestReadNamesBadLines(t *testing.T) {
	t.Parallel()
	lines := []string{
		`{"id":"a","message":"hi"}`, "", `secret`, `{"id":"","message":"secret"}`, `{"id":"b"}`, `{"id":7,"message":"secret"}`,
		`{"id":"long","message":"` + strings.Repeat("secret", eval.MaxLine/6) + `"}`, `["secret"]`, `{"id":"c","message":"secret`, `{"id":"d","message":""}`,
	}
	var got, codes []string
	for c, err := range eval.Read[eval.RouteCase](strings.NewReader(strings.Join(lines, "\n"))) {
		var bad *eval.BadLine
		switch {
		case errors.As(err, &bad):
			codes = append(codes, string(bad.Err.Code)+bad.Err.Path)
			if strings.Contains(bad.Error(), "secret") || bad.Err.Message == "" {
				t.Errorf("%v", bad)
			}
			if lines[bad.Number-1] == "" || strings.HasPrefix(lines[bad.Number-1], `{"id":"a"`) {
				t.Errorf("line %d is not bad", bad.Number)
			}
		case err != nil:
			t.Fatal(err)
		default:
			got = append(got, c.ID)
		}
	}
	if strings.Join(got, " ") != "a d" || strings.Join(codes,
		" ") != "EVAL_LINE_INVALID EVAL_LINE_INVALIDid EVAL_LINE_INVALIDmessage EVAL_LINE_INVALIDid EVAL_LINE_LONG EVAL_LINE_INVALID EVAL_LINE_INVALID" {
		t.Errorf("read %v, codes %v", got, codes)
	}
}

func TestReadCaptureCases(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		`{"id":"a","kind":"map","input":""}`:                                                                                    "",
		`{"id":"a","kind":"list","input":""}`:                                                                                   "kind",
		`{"id":"a","kind":"map"}`:                                                                                               "input",
		`{"id":"a","kind":"table","input":""}`:                                                                                  "columns",
		`{"id":"a","kind":"table","input":"","columns":[{"name":"N","type":"text"}]}`:                                           "",
		`{"id":"a","kind":"table","input":"","columns":[{"name":"N","type":"colour"}]}`:                                         "N",
		`{"id":"a","kind":"table","input":"","columns":[{"name":"N","type":"enum"}]}`:                                           "N",
		`{"id":"a","kind":"table","input":"","columns":[{"name":" ","type":"text"}]}`:                                           "column 1",
		`{"id":"a","kind":"table","input":"","columns":[{"name":"N","type":"text"},{"name":"N","type":"text"}]}`:                "N",
		`{"id":"a","kind":"table","input":"","columns":[{"name":"N","type":"enum","options":["x"]},{"name":"n","type":"url"}]}`: "",
	} {
		_, bad, err := eval.ReadAll[eval.CaptureCase](strings.NewReader(line), func(l *eval.BadLine) {
			if l.Err.Path != want {
				t.Errorf("%s: %v, want one at %q", line, l, want)
			}
		})
		if err != nil || (bad > 0) != (want != "") {
			t.Errorf("%s: %d bad, %v", line, bad, err)
		}
	}
}

// TestReadFails: an error of the reader ends the reading, and is told.
func TestReadFails(t *testing.T) {
	t.Parallel()
	r := io.MultiReader(strings.NewReader("{\"id\":\"a\",\"message\":\"\"}\n"), iotest.ErrReader(io.ErrClosedPipe))
	cases, bad, err := eval.ReadAll[eval.RouteCase](r, nil)
	if len(cases) != 1 || bad != 0 || !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("%d cases, %d bad, %v", len(cases), bad, err)
	}
}

// TestFields gives every column a name of its own that a draft can hold.
func TestFields(t *testing.T) {
	t.Parallel()
	fields, err := eval.Fields([]eval.Column{
		{Name: "Due date", Type: "date"}, {Name: "due_date", Type: "text"}, {Name: "名前", Type: "text", Required: true},
		{Name: "2nd", Type: "number"}, {Name: "Influence", Type: "enum", Options: []string{"High", "Low"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range fields {
		if !ui.ValidName(f.Name) {
			t.Errorf("%q is no name", f.Name)
		}
		names = append(names, f.Name+":"+string(f.Type))
	}
	if got := strings.Join(names, " "); got != "due_date:date c2:text c3:text c4:number influence:choice" {
		t.Error(got)
	}
	if fields[2].Label != "名前" || !fields[2].Required || len(fields[4].Options) != 2 {
		t.Errorf("%+v", fields)
	}
}

// FuzzRead: whatever stands in a file, every case that is read can be decided,
// captured and written again.
func FuzzRead(f *testing.F) {
	f.Add(`{"id":"a","message":"we have 12 risks","state":{"last_tool_status":"open","guardrails":[{"intent_pattern":"(","action":"force_tool","tool":"x"}]}}`)
	f.Add(`{"id":"a","kind":"table","input":"Ann, CEO\nBob, CFO","columns":[{"name":"Name","type":"text"}],"stated_count":3}`)
	f.Add("{\"id\":\"a\",\"kind\":\"map\",\"input\":\"a -> b -> a\"}\n\x00\n[]")
	f.Fuzz(func(t *testing.T, text string) {
		for c, err := range eval.Read[eval.RouteCase](strings.NewReader(text)) {
			if err != nil {
				continue
			}
			p := c.Decide(noon)
			if _, err := json.Marshal(p); err != nil || p.ID != c.ID || (p.Tool != nil) != (p.Action == "tool") {
				t.Fatalf("%+v, %v", p, err)
			}
		}
		for c, err := range eval.Read[eval.CaptureCase](strings.NewReader(text)) {
			if err != nil {
				continue
			}
			if b, err := json.Marshal(c.Capture()); err != nil || !json.Valid(b) {
				t.Fatalf("%s, %v", b, err)
			}
		}
	})
}
