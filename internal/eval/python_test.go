package eval_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/limn-ui/limn/internal/eval"
)

const shared = "../../../shared/eval"

// score runs one of the Python scorers beside the shared files.
func score(t *testing.T, script string, cases, predictions []any) string {
	t.Helper()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("needs python3 to compare with its scorers")
	}
	script = filepath.Join(shared, script)
	if _, err := os.Stat(script); err != nil {
		t.Skipf("the scorers are missing; put the shared folder beside the project: %v", err)
	}
	dir := t.TempDir()
	write := func(name string, list []any) string {
		var b bytes.Buffer
		for _, x := range list {
			if err := json.NewEncoder(&b).Encode(x); err != nil {
				t.Fatal(err)
			}
		}
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	out, err := exec.Command(python, script, write("cases.jsonl", cases),
		write("pred.jsonl", predictions)).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return strings.TrimSpace(string(out))
}

// printRoute prints a score as score_router.py does.
func printRoute(s eval.RouteScore) string {
	var b strings.Builder
	for _, m := range []struct {
		name string
		n    int
	}{{"action", s.Action}, {"action_tool", s.ActionTool}, {"strict", s.Strict}} {
		fmt.Fprintf(&b, "%-12s %d/%d = %.3f\n", m.name, m.n, s.N, float64(m.n)/float64(s.N))
	}
	for _, m := range []struct {
		name string
		n    int
	}{{"false_tool", s.FalseTool}, {"missed_tool", s.MissedTool}, {"gate_violation", s.GateViolations},
		{"double_ask", s.DoubleAsks}} {
		fmt.Fprintf(&b, "%-14s %d\n", m.name, m.n)
	}
	for _, c := range s.Categories {
		fmt.Fprintf(&b, "  %-28s action+tool %d/%d  strict %d/%d\n", c.Name, c.ActionTool, c.N, c.Strict, c.N)
	}
	return strings.TrimSpace(b.String())
}

// printCapture prints a score as score_capture.py does.
func printCapture(s eval.CaptureScore) string {
	overlap := func(o eval.Overlap) string { return fmt.Sprintf("P %.3f R %.3f", o.Precision(), o.Recall()) }
	failed := make([]string, len(s.Failures))
	for i, f := range s.Failures {
		failed[i] = "'" + f.ID + "'"
	}
	return fmt.Sprintf(
		"examples fully right: table %d/%d map %d/%d\ncell accuracy %.3f (%d)\ncell errors %s  steps %s  edges %s  validators %d/%d  unexpected warnings %d\nfailed: [%s]",
		s.Tables.Right, s.Tables.Of, s.Maps.Right, s.Maps.Of, float64(s.Cells.Right)/float64(max(1, s.Cells.Of)),
		s.Cells.Of,
		overlap(s.Errors), overlap(s.Steps), overlap(s.Edges), s.Validators.Right, s.Validators.Of, s.Unexpected,
		strings.Join(failed, ", "))
}

// equal compares word by word, and shows the first that differs.
func equal(t *testing.T, got, want string) {
	t.Helper()
	g, w := strings.Fields(got), strings.Fields(want)
	for i := range max(len(g), len(w)) {
		if i >= len(g) || i >= len(w) || g[i] != w[i] {
			from := max(0, i-8)
			t.Fatalf("got  … %v\nwant … %v", g[from:min(len(g), i+1)], w[from:min(len(w), i+1)])
		}
	}
}

// decoded is a list of lines as the package reads them.
func decoded[C eval.Case](t *testing.T, lines []any) []C {
	t.Helper()
	var b bytes.Buffer
	for _, x := range lines {
		if err := json.NewEncoder(&b).Encode(x); err != nil {
			t.Fatal(err)
		}
	}
	cases, bad, err := eval.ReadAll[C](&b, func(l *eval.BadLine) { t.Error(l) })
	if err != nil || bad > 0 || len(cases) != len(lines) {
		t.Fatalf("%d of %d cases, %v", len(cases), len(lines), err)
	}
	return cases
}

// as turns a prediction as it is written into one as it is scored.
func as[P any](t *testing.T, list []any) (out []P) {
	t.Helper()
	for _, x := range list {
		b, err := json.Marshal(x)
		if err != nil {
			t.Fatal(err)
		}
		var p P
		if err := json.Unmarshal(b, &p); err != nil {
			t.Fatal(err)
		}
		out = append(out, p)
	}
	return out
}

type object = map[string]any

// dice makes cases and predictions that are often right and often not.
type dice struct{ *rand.Rand }

func (d dice) of(list ...any) any { return list[d.IntN(len(list))] }

func (d dice) some(n int, make func() any) []any {
	list := []any{}
	for range d.IntN(n + 1) {
		list = append(list, make())
	}
	return list
}

func (d dice) tool() any   { return d.of(nil, "request_data_table", "request_process_map") }
func (d dice) action() any { return d.of("tool", "chat", "clarify") }
func (d dice) count() any  { return d.of(nil, 2, 3, 3, 20) }

func (d dice) routeLine(id string) (line, pred object) {
	x := object{"action": d.action(), "tool_name": d.tool(), "min_count": d.count(),
		"trigger": d.of("gate.open", "hard.list_size", "chat.greeting")}
	if d.IntN(2) == 0 {
		x["action_any"], x["tool_any"] = d.some(2, d.action),
			d.some(2, func() any { return d.of("request_data_table", "request_process_map") })
		x["candidate_tool"], x["min_count_any"] = d.tool(), d.some(2, func() any { return d.of(2, 3, 20) })
	}
	line = object{"id": id, "message": "m", "category": d.of("a", "b", "c"),
		"state": object{"clarifying_question_pending": d.IntN(2) == 0}, "expect": x}
	pred = object{"id": id, "action": x["action"], "tool_name": x["tool_name"], "min_count": x["min_count"]}
	for _, key := range []string{"action", "tool_name", "min_count"} {
		if d.IntN(4) == 0 {
			pred[key] = map[string]func() any{"action": d.action, "tool_name": d.tool, "min_count": d.count}[key]()
		}
	}
	return line, pred
}

// TestRouteScoreLikePython: the score of generated predictions is the one of
// score_router.py, to the last figure.
func TestRouteScoreLikePython(t *testing.T) {
	t.Parallel()
	d := dice{rand.New(rand.NewPCG(1, 2))}
	var cases, preds []any
	for i := range 2000 {
		line, pred := d.routeLine(fmt.Sprint("r", i%1900)) // some stand twice
		cases = append(cases, line)
		if d.IntN(20) > 0 {
			preds = append(preds, pred)
		}
	}
	want := score(t, "score_router.py", cases, preds)
	equal(t, printRoute(eval.ScoreRoute(decoded[eval.RouteCase](t, cases), as[eval.Routed](t, preds))), want)
}

func (d dice) cell() any {
	return d.of(nil, "x", "Ann", 0.1+0.2, 0.3, 1.5, 2, "2", false, []any{"a", "b"})
}

func (d dice) captureLine(id string) (line, pred object) {
	checks := []any{"duplicate_entries", "contradictory_sequences", "low_coverage", "missing_required_fields"}
	check := func() any { return d.of(checks...) }
	x := object{"validators": d.some(2, func() any { return object{"type": check(), "surfaced": d.IntN(2) == 0} })}
	pred = object{"id": id, "surfaced": d.some(2, check)}
	if d.IntN(2) == 0 {
		x["validators"], pred["surfaced"] = []any{}, []any{}
	}
	line = object{"id": id, "input": "", "format": d.of("csv", "arrows"), "expect": x}
	if d.IntN(2) == 0 {
		row := func() any { return object{"Name": d.cell(), "Role": d.cell()} }
		fault := func() any {
			return object{"row": d.IntN(3), "col": d.of(nil, "Name", "Role"), "code": d.of("not_a_date", "extra_cells")}
		}
		line["kind"], line["columns"] = "table", []any{object{"name": "Name", "type": "text"}}
		x["rows"], x["errors"] = d.some(4, row), d.some(3, fault)
		pred["rows"], pred["errors"] = x["rows"], x["errors"]
		if d.IntN(3) == 0 {
			pred["rows"] = d.some(4, row)
		}
		if d.IntN(3) == 0 {
			pred["errors"] = d.some(3, fault)
		}
		return line, pred
	}
	names := []any{"Review the invoice", "approve Invoice", "Sign off", "pay"}
	edge := func() any {
		return object{"from": d.IntN(4), "to": d.IntN(4), "type": d.of("sequence", "approval", "parallel")}
	}
	line["kind"] = "map"
	x["steps"] = d.some(4, func() any {
		return object{"match": d.some(2, func() any { return d.of("invoice", "REVIEW", "sign", "pay") }),
			"owner": d.of("", nil, "fin", "CFO")}
	})
	x["edges"] = d.some(4, edge)
	pred["steps"] = d.some(5, func() any {
		return object{"step_name": d.of(names...),
			"owner": d.of("", "Finance", "the CFO")}
	})
	pred["edges"] = d.some(4, edge)
	if d.IntN(2) == 0 {
		x["steps"] = []any{object{"match": []any{"review"}}, object{"match": []any{"PAY"}, "owner": "cfo"}}
		pred["steps"] = []any{object{"step_name": "Pay it", "owner": "The CFO"}, object{"step_name": "Review"}}
		x["edges"], pred["edges"] = []any{object{"from": 0, "to": 1, "type": "parallel"}},
			[]any{object{"from": d.of(0, 1), "to": 1, "type": d.of("parallel", "approval")}}
		if d.IntN(2) == 0 {
			pred["edges"] = []any{object{"from": 0, "to": 1, "type": "parallel"},
				object{"from": 1, "to": 0, "type": "parallel"}}
		}
	}
	return line, pred
}

// TestCaptureScoreLikePython: the score of generated predictions is the one of
// score_capture.py, and so are the lines that are not right.
func TestCaptureScoreLikePython(t *testing.T) {
	t.Parallel()
	d := dice{rand.New(rand.NewPCG(3, 4))}
	var cases, preds []any
	for i := range 2000 {
		line, pred := d.captureLine(fmt.Sprint("c", i%1900))
		cases = append(cases, line)
		if d.IntN(20) > 0 {
			preds = append(preds, pred)
		}
	}
	want := score(t, "score_capture.py", cases, preds)
	equal(t, printCapture(eval.ScoreCapture(decoded[eval.CaptureCase](t, cases), as[eval.Captured](t, preds))), want)
}

// TestSharedScoresLikePython: what is printed for the shared lines is what the
// scorers read, and both come to the same score.
func TestSharedScoresLikePython(t *testing.T) {
	t.Parallel()
	lines := func(name string) (raw []any) {
		b, err := os.ReadFile(filepath.Join(shared, name))
		if err != nil {
			t.Skipf("the labelled lines are missing; put the shared folder beside the project: %v", err)
		}
		for line := range bytes.Lines(b) {
			raw = append(raw, json.RawMessage(line))
		}
		return raw
	}
	routed, captured := lines("router.jsonl"), lines("capture.jsonl")
	var preds []any
	cases := decoded[eval.RouteCase](t, routed)
	for _, c := range cases {
		preds = append(preds, c.Decide(time.Unix(0, 0)))
	}
	equal(t, printRoute(eval.ScoreRoute(cases, as[eval.Routed](t, preds))), score(t, "score_router.py", routed, preds))
	preds = nil
	pastes := decoded[eval.CaptureCase](t, captured)
	for _, c := range pastes {
		preds = append(preds, c.Capture())
	}
	equal(t, printCapture(eval.ScoreCapture(pastes, as[eval.Captured](t, preds))),
		score(t, "score_capture.py", captured, preds))
}
