package metrics_test

import (
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/limn-ui/limn/trace"
	"github.com/limn-ui/limn/trace/metrics"
	"github.com/limn-ui/limn/ui"
)

func TestMetrics(t *testing.T) {
	t.Parallel()
	m := metrics.New()
	for range 2 {
		m.Emit(trace.Event{Name: trace.RouterDecision, Action: "tool", Tool: ui.ToolTable, Confidence: 0.86})
	}
	m.Emit(trace.Event{Name: trace.RouterDecision, Action: "chat", Confidence: 0.1})
	m.Emit(trace.Event{Name: trace.ToolOpened, Tool: ui.ToolTable})
	m.Emit(trace.Event{Name: trace.ToolOpened, Tool: ui.ToolTable, Resumed: true})
	m.Emit(trace.Event{Name: trace.ToolSubmitted, Tool: ui.ToolMap, Accepted: true})
	m.Emit(trace.Event{Name: trace.ToolCanceled, Tool: "xyzzy"})
	m.Emit(trace.Event{Name: trace.WarningShown, Type: "duplicate_entries", Confidence: 0.99})
	m.Emit(trace.Event{Name: trace.OptOutChanged, AllTools: true})
	m.Emit(trace.Event{Name: "xyzzy"})
	rec := httptest.NewRecorder()
	m.ServeHTTP(rec, httptest.NewRequest("GET", "/metrics", nil))
	body := rec.Body.String()
	for _, want := range []string{
		`limn_router_decisions_total{action="tool",tool="request_data_table"} 2`,
		`limn_router_decisions_total{action="chat",tool=""} 1`,
		`limn_router_confidence_bucket{action="tool",le="0.85"} 0`,
		`limn_router_confidence_bucket{action="tool",le="0.9"} 2`,
		`limn_tools_opened_total{resumed="true",tool="request_data_table"} 1`,
		`limn_tools_submitted_total{accepted_as_is="true",tool="request_process_map"} 1`,
		`limn_tools_canceled_total{tool="other"} 1`,
		`limn_validation_warnings_shown_total{type="duplicate_entries"} 1`,
		`limn_user_opt_out_changes_total{all_tools="true"} 1`,
		"go_goroutines",
	} {
		if !strings.Contains(body, want) {
			t.Errorf("no %s", want)
		}
	}
	if rec.Code != 200 || strings.Contains(body, "xyzzy") {
		t.Errorf("%d, a label nobody declared: %v", rec.Code, strings.Contains(body, "xyzzy"))
	}
}
