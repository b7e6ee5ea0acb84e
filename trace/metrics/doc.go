// Package metrics counts telemetry events for Prometheus.
//
// In: trace events, as a trace.Sink. Out: GET /metrics, as an http.Handler.
// Labels are enums of package trace and ui, and anything else becomes "other":
// the number of series is bounded, and nothing a user wrote can be a label
// (facts R-80). Counts are of this process since its start.
package metrics
