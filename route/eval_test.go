package route_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/limn-ui/limn/route"
	"github.com/limn-ui/limn/ui"
)

const evalFile = "../../shared/eval/router.jsonl"

type evalLine struct {
	ID      string `json:"id"`
	Message string `json:"message"`
	State   struct {
		LastTool   string         `json:"last_tool"`
		LastStatus string         `json:"last_tool_status"`
		OptOutAll  bool           `json:"opt_out_all"`
		OptOut     []string       `json:"opt_out_tools"`
		Cancels    int            `json:"cancels_in_row"`
		Pending    bool           `json:"clarifying_question_pending"`
		Tool       string         `json:"pending_tool"`
		Guardrails []ui.Guardrail `json:"guardrails"`
	} `json:"state"`
	Expect struct {
		Action    string   `json:"action"`
		ActionAny []string `json:"action_any"`
		Tool      string   `json:"tool_name"`
		Candidate string   `json:"candidate_tool"`
		ToolAny   []string `json:"tool_any"`
	} `json:"expect"`
}

func (l evalLine) router() ui.Router {
	s := ui.Router{LastTool: l.State.LastTool, LastStatus: l.State.LastStatus, Cancels: l.State.Cancels,
		OptOut: ui.OptOut{All: l.State.OptOutAll, Tools: l.State.OptOut}, Guardrails: l.State.Guardrails}
	for i := range s.Guardrails {
		s.Guardrails[i].Enabled = true
	}
	if l.State.Pending {
		s.Pending = &ui.Pending{Tool: l.State.Tool}
	}
	return s
}

func count(d route.Decision) any {
	switch {
	case d.Params == nil:
		return nil
	case d.Params.Table != nil:
		return d.Params.Table.MinRows
	}
	return d.Params.Map.MinSteps
}

func readEval(t testing.TB) []evalLine {
	b, err := os.ReadFile(evalFile)
	if err != nil {
		t.Skipf("the labelled messages are missing: %v", err)
	}
	var out []evalLine
	for sc := bufio.NewScanner(bytes.NewReader(b)); sc.Scan(); {
		var l evalLine
		if err := json.Unmarshal(sc.Bytes(), &l); err != nil {
			t.Fatal(err)
		}
		out = append(out, l)
	}
	return out
}

// TestEval decides every labelled message. With ROUTE_EVAL_OUT=file it writes
// the predictions in the form score_router.py reads.
func TestEval(t *testing.T) {
	t.Parallel()
	lines := readEval(t)
	var pred bytes.Buffer
	ok, falseTools := 0, 0
	for _, l := range lines {
		d := route.Decide(l.Message, l.router(), route.Prefs{}, time.Unix(0, 0))
		x := l.Expect
		good := string(d.Action) == x.Action || slices.Contains(x.ActionAny, string(d.Action))
		if good && d.Action == route.ActionTool {
			good = d.Tool == x.Tool || d.Tool == x.Candidate || slices.Contains(x.ToolAny, d.Tool)
		}
		if good {
			ok++
		} else if d.Action == route.ActionTool {
			falseTools++
		}
		var tool any
		if d.Tool != "" {
			tool = d.Tool
		}
		line, err := json.Marshal(map[string]any{"id": l.ID, "action": d.Action, "tool_name": tool, "min_count": count(d), "rationale": d.Rationale})
		if err != nil {
			t.Fatal(err)
		}
		pred.Write(append(line, '\n'))
	}
	if out := os.Getenv("ROUTE_EVAL_OUT"); out != "" {
		if err := os.WriteFile(out, pred.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("action+tool %d of %d, false tools %d", ok, len(lines), falseTools)
	if ok*100 < len(lines)*95 || falseTools*100 > len(lines)*3 {
		t.Errorf("action+tool %d of %d, false tools %d: want at least 95 %% and at most 3 %%", ok, len(lines), falseTools)
	}
}
