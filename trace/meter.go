package trace

import "slices"

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

// Metric is something that is counted.
type Metric string

// What is counted, by whom. Specs says what each means.
const (
	// session
	Turns         Metric = "turns_total"
	TurnSeconds   Metric = "turn_seconds"
	Commits       Metric = "commits_total"
	Conflicts     Metric = "conflicts_total"
	LeaseWaits    Metric = "lease_waits_total"
	Takeovers     Metric = "takeovers_total"
	QueueFull     Metric = "queue_full_total"
	ModelRuns     Metric = "model_runs_total"
	ModelTime     Metric = "model_seconds"
	ModelTokens   Metric = "model_tokens_total"
	RunsRefused   Metric = "model_runs_refused_total"
	StoredRefused Metric = "stored_refused_total"
	ToolCalls     Metric = "tool_calls_total"
	ToolTime      Metric = "tool_seconds"
	StoreErrors   Metric = "store_errors_total"
	Recoveries    Metric = "recoveries_total"
	// session's outbox
	Webhooks    Metric = "webhooks_total"
	WebhookTime Metric = "webhook_seconds"
	// deliver and the transports of streams
	Streams     Metric = "streams_open"
	FramesSent  Metric = "frames_sent_total"
	BytesSent   Metric = "bytes_sent_total"
	StreamsCut  Metric = "streams_cut_total"
	StreamReset Metric = "stream_resets_total"
	// internal/transport/web
	Requests    Metric = "requests_total"
	RequestTime Metric = "request_seconds"
	RateLimited Metric = "rate_limited_total"
)

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

// MaxCodes bounds the codes that one label takes, whatever calls itself a code.
const MaxCodes = 128

// Specs lists every metric of the Meter port.
func Specs() []Spec {
	label := func(name string, may ...string) Label { return Label{name, may} }
	kind := label("kind", "message", "action", "error", "cancel", "preference", "regenerate", "reply", "answer",
		"expire", "end")
	outcome := label("outcome", "done", "asked", "refused", "failed")
	transport := label("transport", "sse", "ws", "jsonl")
	return []Spec{
		{Turns, Counter, "Turns that were committed, by event, outcome and code.",
			[]Label{kind, outcome, {Name: "code"}}},
		{TurnSeconds, Histogram,
			"From the start of a turn until its frame was committed, without the wait in the queue.", []Label{kind}},
		{Commits, Counter, "Frames this process committed.", nil},
		{Conflicts, Counter, "Turns that began again because another node was faster.", nil},
		{LeaseWaits, Counter, "Waits for a lease that another node held.", nil},
		{Takeovers, Counter, "Pending events taken over from a node that died, or from a crash.", nil},
		{QueueFull, Counter, "Events refused because too many waited in their conversation.", nil},
		{ModelRuns, Counter, "Model runs, by how they ended.", []Label{label("outcome", "done", "failed", "canceled")}},
		{ModelTime, Histogram, "How long model runs took.", nil},
		{ModelTokens, Counter, "Tokens of model runs, as the model's server reports them, else estimated.", nil},
		{RunsRefused, Counter, "Events refused because a limit on model runs or tokens was reached.",
			[]Label{label("by", "principal", "address", "node", "tokens")}},
		{StoredRefused, Counter, "Events refused because their principal or address had too much stored that day.",
			nil},
		{ToolCalls, Counter, "Calls of model tools that were made, by how they ended.",
			[]Label{label("outcome", "done", "failed")}},
		{ToolTime, Histogram, "How long model tools took to answer.", nil},
		{StoreErrors, Counter, "Work that failed because the store did.",
			[]Label{label("doing", "submit", "resume", "read", "outbox")}},
		{Recoveries, Counter, "Surfaces that did not draw, and reports of clients, by what was done about it.",
			[]Label{label("do", "soft_fail", "deleteSurface", "epoch_reset", "rebuild")}},
		{Webhooks, Counter, "Tries of later webhooks, by how they ended; dead: given up.",
			[]Label{label("outcome", "done", "failed", "dead")}},
		{WebhookTime, Histogram, "How long webhooks took to answer.", nil},
		{Streams, Gauge, "Streams that are open.", []Label{transport}},
		{FramesSent, Counter, "Frames written to streams; a snapshot counts as one.", []Label{transport}},
		{BytesSent, Counter, "Bytes of frames written to streams.", []Label{transport}},
		{StreamsCut, Counter, "Streams closed by the server.",
			[]Label{transport, label("why", "slow", "drain", "age", "ended", "error")}},
		{StreamReset, Counter, "Streams that began again with a snapshot.",
			[]Label{label("reason", "log", "target", "floor", "ahead", "malformed", "client")}},
		{Requests, Counter, "HTTP requests that were answered, by class of status.",
			[]Label{label("method", "GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"),
				label("status", "2xx", "3xx", "4xx", "5xx")}},
		{RequestTime, Histogram, "How long requests took, streams aside.",
			[]Label{label("method", "GET", "POST", "PUT", "PATCH", "DELETE", "HEAD")}},
		{RateLimited, Counter, "Requests refused by a limit.",
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
