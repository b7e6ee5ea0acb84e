// Package metrics counts what happens for Prometheus.
//
// In: telemetry events, as a trace.Sink, and measurements, as a trace.Meter.
// Out: GET /metrics, as an http.Handler. Labels are enums of package trace and
// ui, and anything else becomes "other": the number of series is bounded, and
// nothing a user wrote can be a label (facts R-80). Counts are of this process
// since its start.
package metrics
