package eval_test

import (
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/limn-ui/limn/internal/eval"
	"github.com/limn-ui/limn/ui"
)

var noon = time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)

// TestDecodeState reads the form of the API, the router in it, and the flat one.
func TestDecodeState(t *testing.T) {
	t.Parallel()
	want := ui.Router{
		LastTool: ui.ToolTable, LastStatus: ui.StatusCanceled, Cancels: 1, Pending: &ui.Pending{Tool: ui.ToolMap},
		OptOut:     ui.OptOut{Tools: []string{ui.ToolTable}},
		Guardrails: []ui.Guardrail{{ID: "g1", Pattern: "vendors", Action: "suppress_tool", Tool: ui.ToolTable, Enabled: true}},
	}
	whole := ui.NewState("c1")
	whole.Router = want
	api, err := json.Marshal(whole)
	if err != nil {
		t.Fatal(err)
	}
	router, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	flat := `{"last_tool":"request_data_table","last_tool_status":"canceled","opt_out_all":false,"opt_out_tools":["request_data_table"],"cancels_in_row":1,
		"clarifying_question_pending":true,"pending_tool":"request_process_map","guardrails":[{"intent_pattern":"vendors","action":"suppress_tool","tool":"request_data_table"}]}`
	for name, doc := range map[string]string{"API": string(api), "router": string(router), "flat": flat} {
		got, err := eval.DecodeState([]byte(doc))
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%s: %v (-want +got)\n%s", name, err, diff)
		}
	}
	fresh, err := json.Marshal(ui.NewState("c2"))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := eval.DecodeState(fresh); err != nil || !cmp.Equal(got, ui.Router{}) {
		t.Errorf("a new conversation: %+v, %v", got, err)
	}
}

// TestDecodeStateRefuses what would change nothing without a word.
func TestDecodeStateRefuses(t *testing.T) {
	t.Parallel()
	for _, doc := range []string{
		``, `[]`, `null2`, `{"opt_out":true}`, `{"opt_out_all":"yes"}`, `{"last_tool":"table"}`, `{"last_tool_status":"closed"}`,
		`{"opt_out_tools":["tables"]}`, `{"clarifying_question_pending":true,"pending_tool":"map"}`, `{"guardrails":[{"intent_pattern":"x","action":"force_tool","tool":"x"}]}`,
		`{"v":1,"id":"c","router":{"last_tol":"x"}}`,
	} {
		if got, err := eval.DecodeState([]byte(doc)); !errors.Is(err, &ui.Error{Code: eval.CodeState}) {
			t.Errorf("%s: %+v, %v", doc, got, err)
		}
	}
}

// TestStateRoundTrip: what a conversation remembers is read as it was written.
func TestStateRoundTrip(t *testing.T) {
	t.Parallel()
	tool := rapid.SampledFrom([]string{"", ui.ToolTable, ui.ToolMap})
	rapid.Check(t, func(t *rapid.T) {
		want := ui.Router{
			LastTool: tool.Draw(t, "last"), LastStatus: rapid.SampledFrom([]string{"", "open", "completed", "canceled"}).Draw(t, "status"),
			Cancels: rapid.IntRange(0, 5).Draw(t, "cancels"), Preferred: tool.Draw(t, "preferred"),
			OptOut: ui.OptOut{All: rapid.Bool().Draw(t, "all"), Tools: rapid.SliceOfN(tool, 0, 2).Draw(t, "tools")},
		}
		if rapid.Bool().Draw(t, "asked") {
			want.Pending = &ui.Pending{Tool: tool.Draw(t, "pending"),
				Subject: rapid.StringN(0, 8, -1).Draw(t, "subject")}
		}
		if rapid.Bool().Draw(t, "expires") {
			want.OptOut.Expires = noon
		}
		for range rapid.IntRange(0, 3).Draw(t, "rules") {
			want.Guardrails = append(want.Guardrails,
				ui.Guardrail{ID: "g" + rapid.StringMatching(`[a-z]{1,4}`).Draw(t, "id"),
					Pattern: rapid.String().Draw(t, "pattern"),
					Action:  "force_tool", Tool: tool.Draw(t, "rule"), Enabled: rapid.Bool().Draw(t, "enabled")})
		}
		b, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		got, err := eval.DecodeState(b)
		if len(want.OptOut.Tools) == 0 {
			want.OptOut.Tools = nil
		}
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Fatalf("%v (-want +got)\n%s", err, diff)
		}
	})
}

// FuzzDecodeState: every document is a state or an error with a code.
func FuzzDecodeState(f *testing.F) {
	f.Add(`{"last_tool":"request_data_table","user_opt_out":{"tools":["request_process_map"],"expires_at":"2026-01-02T03:04:05Z"}}`)
	f.Add(`{"v":1,"router":{"ui_checkpoint":{"tool":"request_data_table","payload":{"min_rows":1e309}}}}`)
	f.Fuzz(func(t *testing.T, text string) {
		if _, err := eval.DecodeState([]byte(text)); err != nil && ui.CodeOf(err) != eval.CodeState {
			t.Fatal(err)
		}
	})
}
