package trace

import (
	"slices"

	"github.com/limn-ui/limn/internal/metric"
)

// Meter is a port: instrumented code does not depend on a metrics library.
// Safe for concurrent use.
type Meter interface {
	// Series returns one series of a metric; labels are the values of its Labels,
	// in their order. A value that may not be becomes "other". Callers on a busy
	// path ask once and keep it.
	Series(m Metric, labels ...string) Series
}

// Series is one number, or one distribution of seconds. Add must not block: it
// adds to a counter, moves a gauge up or down, or observes one duration.
type Series interface{ Add(v float64) }

// Metric is something that is counted. Specs lists what there is.
type Metric string

// Kind is how a metric moves.
type Kind string

// The kinds of metrics.
const (
	Counter   Kind = "counter"   // only up
	Gauge     Kind = "gauge"     // up and down
	Histogram Kind = "histogram" // of seconds
)

// Spec describes a metric.
type Spec struct {
	Name   Metric
	Kind   Kind
	Help   string
	Labels []Label
}

// Label is one label of a metric. May lists its values; nil means the
// stable codes of this program, and "" for an event that ended without one.
type Label struct {
	Name string
	May  []string
}

// Specs lists every metric of the Meter port.
func Specs() []Spec {
	label := func(name string, may ...string) Label { return Label{name, may} }
	kind := label("kind", "message", "action", "error", "cancel", "preference", "regenerate", "reply", "answer",
		"expire", "end")
	outcome := label("outcome", "done", "asked", "refused", "failed")
	transport := label("transport", "sse", "ws", "jsonl")
	door := label("door", "web", "a2a", "agui", "mcp", "streams")
	method := label("method", "GET", "POST", "PUT", "PATCH", "DELETE", "HEAD")
	return []Spec{
		{metric.Turns, Counter, "Turns that were committed, by event, outcome and code.",
			[]Label{kind, outcome, {Name: "code"}}},
		{metric.TurnSeconds, Histogram,
			"From the start of a turn until its frame was committed, without the wait in the queue.", []Label{kind}},
		{metric.Commits, Counter, "Frames this process committed.", nil},
		{metric.Conflicts, Counter, "Turns that began again because another node was faster.", nil},
		{metric.LeaseWaits, Counter, "Waits for a lease that another node held.", nil},
		{metric.Takeovers, Counter, "Pending events taken over from a node that died, or from a crash.", nil},
		{metric.QueueFull, Counter, "Events refused because too many waited in their conversation.", nil},
		{metric.ModelRuns, Counter, "Model runs, by how they ended.",
			[]Label{label("outcome", "done", "failed", "canceled")}},
		{metric.ModelTime, Histogram, "How long model runs took.", nil},
		{metric.ModelTokens, Counter, "Tokens of model runs, as the model's server reports them, else estimated.", nil},
		{metric.RunsRefused, Counter, "Events refused because a limit on model runs or tokens was reached.",
			[]Label{label("by", "principal", "address", "node", "tokens")}},
		{metric.StoredRefused, Counter,
			"Events refused because their principal or address had too much stored that day.", nil},
		{metric.ToolCalls, Counter, "Calls of model tools that were made, by how they ended.",
			[]Label{label("outcome", "done", "failed")}},
		{metric.ToolTime, Histogram, "How long model tools took to answer.", nil},
		{metric.StoreErrors, Counter, "Work that failed because the store did.",
			[]Label{label("doing", "submit", "resume", "read", "outbox")}},
		{metric.Recoveries, Counter, "Surfaces that did not draw, and reports of clients, by what was done about it.",
			[]Label{label("do", "soft_fail", "deleteSurface", "epoch_reset", "rebuild")}},
		{metric.Webhooks, Counter, "Tries of later webhooks, by how they ended; dead: given up.",
			[]Label{label("outcome", "done", "failed", "dead")}},
		{metric.WebhookTime, Histogram, "How long webhooks took to answer.", nil},
		{metric.Streams, Gauge, "Streams that are open.", []Label{transport}},
		{metric.FramesSent, Counter, "Frames written to streams; a snapshot counts as one.", []Label{transport}},
		{metric.BytesSent, Counter, "Bytes of frames written to streams.", []Label{transport}},
		{metric.StreamsCut, Counter, "Streams closed by the server.",
			[]Label{transport, label("why", "slow", "drain", "age", "ended", "error")}},
		{metric.StreamReset, Counter, "Streams that began again with a snapshot.",
			[]Label{label("reason", "log", "target", "floor", "ahead", "malformed", "client")}},
		{metric.Requests, Counter, "HTTP requests that were answered, by door and class of status.",
			[]Label{door, method, label("status", "2xx", "3xx", "4xx", "5xx")}},
		{metric.RequestTime, Histogram,
			"How long requests took, streams of the web aside; at the other doors a stream counts until it begins.",
			[]Label{door, method}},
		{metric.RateLimited, Counter, "Requests refused by a limit.",
			[]Label{label("by", "principal", "address", "quota", "streams", "uploads")}},
	}
}

// Value returns the value of a label that a series may have: v, or "other".
func (l Label) Value(v string) string {
	switch {
	case l.May == nil && code(v), slices.Contains(l.May, v):
		return v
	}
	return "other"
}

// code reports a stable code, or none: A2UI_C2S_SURFACE_STALE.
func code(s string) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i]; (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '_' {
			return false
		}
	}
	return len(s) <= 64
}

// NoMeter counts nothing.
func NoMeter() Meter { return noMeter{} }

type noMeter struct{}

func (noMeter) Series(Metric, ...string) Series { return noMeter{} }
func (noMeter) Add(float64)                     {}
