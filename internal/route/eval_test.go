package route_test

import (
	"os"
	"testing"
	"time"

	"github.com/limn-ui/limn/internal/eval"
)

// TestEval decides every labelled message and holds the musts of the issue;
// 'limn eval route --failures' names what is wrong.
func TestEval(t *testing.T) {
	t.Parallel()
	f, err := os.Open("../../../shared/eval/router.jsonl")
	if err != nil {
		t.Skipf("the labelled messages are missing; put the shared folder beside the project: %v", err)
	}
	defer f.Close()
	cases, bad, err := eval.ReadAll[eval.RouteCase](f, nil)
	if err != nil || bad > 0 || len(cases) == 0 {
		t.Fatalf("%d cases, %d bad lines, %v", len(cases), bad, err)
	}
	var out []eval.Routed
	for _, c := range cases {
		out = append(out, c.Decide(time.Unix(0, 0)))
	}
	s := eval.ScoreRoute(cases, out)
	t.Logf("action+tool %d, strict %d of %d, false tools %d", s.ActionTool, s.Strict, s.N, s.FalseTool)
	if s.ActionTool*100 < s.N*95 || s.Strict*100 < s.N*92 || s.FalseTool*100 > s.N*3 || s.GateViolations > 0 ||
		s.DoubleAsks > 0 {
		t.Errorf("gate violations %d, second questions %d: want action+tool 95 %%, strict 92 %%, false tools at most 3 %%, and none of these", s.GateViolations, s.DoubleAsks)
	}
}
