package metrics

import (
	"cmp"
	"net/http"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"sync"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/limn-ui/limn/internal/metric"
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
	metered    map[trace.Metric]*metered
}

// metered is one metric of the port, as Prometheus has it.
type metered struct {
	spec trace.Spec
	get  func(labels ...string) trace.Series

	mu    sync.Mutex // guards codes
	codes map[string]bool
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
			Help:    "Confidence that a tool should open.",
			Buckets: []float64{0.1, 0.2, 0.3, 0.45, 0.6, 0.75, 0.85, 0.9, 1}}, []string{"action"}),
		opened: counter("tools_opened_total", "Worksheets opened; resumed: an open one shown again.",
			"tool", "resumed"),
		submitted: counter("tools_submitted_total", "Tools committed by the user.", "tool", "accepted_as_is"),
		canceled:  counter("tools_canceled_total", "Tools closed without a submit.", "tool"),
		warnings:  counter("validation_warnings_shown_total", "Warnings shown to users.", "type"),
		optOuts:   counter("user_opt_out_changes_total", "Changes of what users do not want to see.", "all_tools"),
	}
	reg.MustRegister(m.confidence, buildInfo())
	m.metered = map[trace.Metric]*metered{}
	for _, spec := range trace.Specs() {
		m.metered[spec.Name] = &metered{spec: spec, get: register(reg, spec), codes: map[string]bool{}}
		m.begin(spec, nil)
	}
	return m
}

// begin sets every series of closed labels to zero, so that the first count is
// an increase; a metric with codes has the series that were counted.
func (m *Metrics) begin(spec trace.Spec, labels []string) {
	if len(labels) == len(spec.Labels) {
		m.Series(spec.Name, labels...)
		return
	}
	for _, v := range spec.Labels[len(labels)].May {
		m.begin(spec, append(labels[:len(labels):len(labels)], v))
	}
}

// buildInfo is a constant 1 whose labels say which program this is.
func buildInfo() prometheus.Collector {
	version := "unknown"
	if info, ok := debug.ReadBuildInfo(); ok {
		version = cmp.Or(info.Main.Version, version)
	}
	g := prometheus.NewGauge(prometheus.GaugeOpts{Namespace: "limn", Name: "build_info",
		Help:        "1; its labels say which program this is.",
		ConstLabels: prometheus.Labels{"version": version, "go": runtime.Version()}})
	g.Set(1)
	return g
}

// register makes the metric and returns how to get one series of it.
func register(reg *prometheus.Registry, spec trace.Spec) func(...string) trace.Series {
	opts := prometheus.Opts{Namespace: "limn", Name: string(spec.Name), Help: spec.Help}
	var names []string
	for _, l := range spec.Labels {
		names = append(names, l.Name)
	}
	switch spec.Kind {
	case trace.Gauge:
		v := prometheus.NewGaugeVec(prometheus.GaugeOpts(opts), names)
		reg.MustRegister(v)
		return func(l ...string) trace.Series { return v.WithLabelValues(l...) }
	case trace.Histogram:
		v := prometheus.NewHistogramVec(prometheus.HistogramOpts{Namespace: opts.Namespace, Name: opts.Name,
			Help:    opts.Help,
			Buckets: []float64{.001, .0025, .005, .01, .02, .04, .1, .25, .5, 1, 2.5, 5, 10, 30, 90}}, names)
		reg.MustRegister(v)
		return func(l ...string) trace.Series { return observer{v.WithLabelValues(l...)} }
	}
	v := prometheus.NewCounterVec(prometheus.CounterOpts(opts), names)
	reg.MustRegister(v)
	return func(l ...string) trace.Series { return v.WithLabelValues(l...) }
}

type observer struct{ prometheus.Observer }

func (o observer) Add(v float64) { o.Observe(v) }

// Series implements trace.Meter. A metric that Specs does not list, or another
// number of labels, counts nothing: a measurement never stops the program.
func (m *Metrics) Series(name trace.Metric, labels ...string) trace.Series {
	one, ok := m.metered[name]
	if !ok || len(labels) != len(one.spec.Labels) {
		return trace.NoMeter().Series(name)
	}
	values := make([]string, len(labels))
	for i, l := range one.spec.Labels {
		if values[i] = l.Value(labels[i]); l.May == nil && !one.room(values[i]) {
			values[i] = "other"
		}
	}
	return one.get(values...)
}

// room reports whether a code is known, or there is room for one more.
func (m *metered) room(code string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.codes[code] && len(m.codes) >= metric.MaxCodes {
		return false
	}
	m.codes[code] = true
	return true
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
		m.warnings.WithLabelValues(one(e.Type, "missing_required_fields", "duplicate_entries",
			"contradictory_sequences", "low_coverage")).Inc()
	case trace.OptOutChanged:
		m.optOuts.WithLabelValues(strconv.FormatBool(e.AllTools)).Inc()
	}
}

// one returns a label if it is among those that may be.
func one(label string, may ...string) string {
	if slices.Contains(may, label) {
		return label
	}
	return "other"
}
