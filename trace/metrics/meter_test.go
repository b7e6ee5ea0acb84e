package metrics_test

import (
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/limn-ui/limn/internal/metric"
	"github.com/limn-ui/limn/trace"
	"github.com/limn-ui/limn/trace/metrics"
	"github.com/limn-ui/limn/ui"
)

func scrape(m *metrics.Metrics) string {
	w := httptest.NewRecorder()
	m.ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
	return w.Body.String()
}

func TestSeries(t *testing.T) {
	t.Parallel()
	m := metrics.New()
	m.Series(metric.Turns, "action", "done", "").Add(1)
	m.Series(metric.Turns, "action", "refused", "A2UI_C2S_SURFACE_STALE").Add(2)
	m.Series(metric.Turns, "what a user wrote", "who knows", "what a user wrote").Add(1)
	open := m.Series(metric.Streams, "ws")
	open.Add(1)
	open.Add(1)
	open.Add(-1)
	m.Series(metric.TurnSeconds, "message").Add(0.004)
	m.Series("no_such_metric").Add(1)
	m.Series(metric.Turns, "too few labels").Add(1)
	got := scrape(m)
	for _, want := range []string{
		`limn_turns_total{code="",kind="action",outcome="done"} 1`,
		`limn_turns_total{code="A2UI_C2S_SURFACE_STALE",kind="action",outcome="refused"} 2`,
		`limn_turns_total{code="other",kind="other",outcome="other"} 1`,
		`limn_streams_open{transport="ws"} 1`,
		`limn_turn_seconds_bucket{kind="message",le="0.005"} 1`,
		`limn_turn_seconds_sum{kind="message"} 0.004`,
		`limn_build_info{go="go`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in\n%s", want, got)
		}
	}
	if strings.Contains(got, "wrote") || strings.Contains(got, "no_such") {
		t.Errorf("a label or a metric that may not be:\n%s", got)
	}
}

// The number of series is bounded, whatever calls itself a code.
func TestSeriesAreBounded(t *testing.T) {
	t.Parallel()
	m := metrics.New()
	for i := range 10 * metric.MaxCodes {
		m.Series(metric.Turns, "action", "failed", fmt.Sprintf("CODE_%d", i)).Add(1)
	}
	if n := strings.Count(scrape(m), "limn_turns_total{"); n != metric.MaxCodes+1 {
		t.Errorf("%d series, want %d codes and other", n, metric.MaxCodes)
	}
	if !strings.Contains(scrape(m), `limn_turns_total{code="CODE_0",kind="action",outcome="failed"} 1`) {
		t.Error("the first codes have no series")
	}
}

// The first count is an increase: closed series are there from the start.
func TestSeriesBeginAtZero(t *testing.T) {
	t.Parallel()
	got := scrape(metrics.New())
	for _, want := range []string{`limn_webhooks_total{outcome="dead"} 0`,
		`limn_streams_cut_total{transport="ws",why="slow"} 0`, "limn_commits_total 0",
		`limn_request_seconds_count{door="web",method="GET"} 0`} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s", want)
		}
	}
	if strings.Contains(got, "limn_turns_total{") {
		t.Error("codes are guessed")
	}
}

// Every metric of the port can be counted, and says what it means.
func TestSpecs(t *testing.T) {
	t.Parallel()
	m := metrics.New()
	for _, s := range trace.Specs() {
		var labels []string
		for _, l := range s.Labels {
			labels = append(labels, append(l.May, "")[0])
		}
		m.Series(s.Name, labels...).Add(1)
		if want := fmt.Sprintf("# HELP limn_%s %s\n# TYPE limn_%[1]s %[3]s\n", s.Name, s.Help, s.Kind); !strings.Contains(scrape(m), want) {
			t.Errorf("no %q", want)
		}
	}
}

// TestKinds: whatever a turn is about is counted under its own name.
func TestKinds(t *testing.T) {
	t.Parallel()
	m := metrics.New()
	for _, kind := range []ui.EventKind{ui.EventMessage, ui.EventAction, ui.EventError, ui.EventCancel,
		ui.EventPreference,
		ui.EventEnd, ui.EventRegenerate, ui.EventExpire, ui.EventAnswer, ui.EventReply} {
		m.Series(metric.TurnSeconds, string(kind)).Add(1)
		if want := `limn_turn_seconds_count{kind="` + string(kind) + `"} 1`; !strings.Contains(scrape(m), want) {
			t.Errorf("no %s", want)
		}
	}
}
