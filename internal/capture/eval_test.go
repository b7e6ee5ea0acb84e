package capture_test

import (
	"os"
	"testing"

	"github.com/limn-ui/limn/internal/eval"
)

// TestEval reads every labelled paste and holds the musts; 'limn eval capture
// --failures' names what is wrong.
func TestEval(t *testing.T) {
	t.Parallel()
	for _, file := range []string{"capture.jsonl", "capture2.jsonl"} {
		f, err := os.Open("../../../shared/eval/" + file)
		if err != nil {
			t.Skipf("the labelled pastes are missing; put the shared folder beside the project: %v", err)
		}
		defer f.Close()
		cases, bad, err := eval.ReadAll[eval.CaptureCase](f, nil)
		if err != nil || bad > 0 || len(cases) == 0 {
			t.Fatalf("%s: %d cases, %d bad lines, %v", file, len(cases), bad, err)
		}
		var out []eval.Captured
		for _, c := range cases {
			out = append(out, c.Capture())
		}
		s := eval.ScoreCapture(cases, out)
		t.Logf("%s: cells %v, tables %v, maps %v, unexpected warnings %d", file, s.Cells, s.Tables, s.Maps, s.Unexpected)
		if s.Cells.Right*100 < s.Cells.Of*97 || s.Tables.Right*100 < s.Tables.Of*90 || s.Maps.Right*100 < s.Maps.Of*80 ||
			s.Unexpected > 0 {
			t.Errorf("%s: want 97 %% of the cells, 90 %% of the tables, 80 %% of the maps, and no unexpected warning", file)
		}
	}
}
