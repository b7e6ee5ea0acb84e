package route_test

import (
	"os"
	"testing"
	"time"

	"github.com/limn-ui/limn/internal/eval"
)

// TestEval decides every labelled message and holds the musts; 'limn eval route
// --failures' names what is wrong.
func TestEval(t *testing.T) {
	t.Parallel()
	for _, file := range []string{"router.jsonl", "router2.jsonl"} {
		f, err := os.Open("../../../shared/eval/" + file)
		if err != nil {
			t.Skipf("the labelled messages are missing; put the shared folder beside the project: %v", err)
		}
		defer f.Close()
		cases, bad, err := eval.ReadAll[eval.RouteCase](f, nil)
		if err != nil || bad > 0 || len(cases) == 0 {
			t.Fatalf("%s: %d cases, %d bad lines, %v", file, len(cases), bad, err)
		}
		var out []eval.Routed
		for _, c := range cases {
			out = append(out, c.Decide(time.Unix(0, 0)))
		}
		s := eval.ScoreRoute(cases, out)
		t.Logf("%s: action+tool %d, strict %d of %d, false tools %d", file, s.ActionTool, s.Strict, s.N, s.FalseTool)
		if s.ActionTool*100 < s.N*95 || s.Strict*100 < s.N*92 || s.FalseTool*200 > s.N*5 || s.GateViolations > 0 ||
			s.DoubleAsks > 0 {
			t.Errorf("%s: want 95 %% action and tool, 92 %% strict, at most 2.5 %% false tools, "+
				"no gate violation and no second question", file)
		}
	}
}
