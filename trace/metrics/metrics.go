package metrics

import (
	"net/http"
	"strconv"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/limn-ui/limn/trace"
	"github.com/limn-ui/limn/ui"
)

// Metrics counts events and serves the counts. Safe for concurrent use.
type Metrics struct {
	handler    http.Handler
	decisions  *prometheus.CounterVec
	confidence *prometheus.HistogramVec
	opened     *prometheus.CounterVec
	submitted  *prometheus.CounterVec
	canceled   *prometheus.CounterVec
	warnings   *prometheus.CounterVec
	optOuts    *prometheus.CounterVec
}

// New returns counts of zero, with those of the Go process beside them.
func New() *Metrics {
	reg := prometheus.NewRegistry()
	reg.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	counter := func(name, help string, labels ...string) *prometheus.CounterVec {
		c := prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: "limn", Name: name, Help: help}, labels)
		reg.MustRegister(c)
		return c
	}
	m := &Metrics{
		handler:   promhttp.HandlerFor(reg, promhttp.HandlerOpts{}),
		decisions: counter("router_decisions_total", "Messages routed.", "action", "tool"),
		confidence: prometheus.NewHistogramVec(prometheus.HistogramOpts{Namespace: "limn", Name: "router_confidence",
			Help: "Confidence that a tool should open.", Buckets: []float64{0.1, 0.2, 0.3, 0.45, 0.6, 0.75, 0.85, 0.9, 1}}, []string{"action"}),
		opened:    counter("tools_opened_total", "Tools opened; resumed: an open one shown again.", "tool", "resumed"),
		submitted: counter("tools_submitted_total", "Tools committed by the user.", "tool", "accepted_as_is"),
		canceled:  counter("tools_canceled_total", "Tools closed without a submit.", "tool"),
		warnings:  counter("validation_warnings_shown_total", "Warnings shown to users.", "type"),
		optOuts:   counter("user_opt_out_changes_total", "Changes of what users do not want to see.", "all_tools"),
	}
	reg.MustRegister(m.confidence)
	return m
}

// ServeHTTP implements http.Handler: the counts in a format Prometheus reads.
func (m *Metrics) ServeHTTP(w http.ResponseWriter, r *http.Request) { m.handler.ServeHTTP(w, r) }

// Emit implements trace.Sink.
func (m *Metrics) Emit(e trace.Event) {
	tool := one(e.Tool, "", ui.ToolTable, ui.ToolMap)
	switch e.Name {
	case trace.RouterDecision:
		action := one(e.Action, "tool", "clarify", "chat")
		m.decisions.WithLabelValues(action, tool).Inc()
		m.confidence.WithLabelValues(action).Observe(e.Confidence)
	case trace.ToolOpened:
		m.opened.WithLabelValues(tool, strconv.FormatBool(e.Resumed)).Inc()
	case trace.ToolSubmitted:
		m.submitted.WithLabelValues(tool, strconv.FormatBool(e.Accepted)).Inc()
	case trace.ToolCanceled:
		m.canceled.WithLabelValues(tool).Inc()
	case trace.WarningShown:
		m.warnings.WithLabelValues(one(e.Type, "missing_required_fields", "duplicate_entries", "contradictory_sequences", "low_coverage")).Inc()
	case trace.OptOutChanged:
		m.optOuts.WithLabelValues(strconv.FormatBool(e.AllTools)).Inc()
	}
}

// one returns a label if it is among those that may be.
func one(label string, may ...string) string {
	for _, m := range may {
		if label == m {
			return label
		}
	}
	return "other"
}
