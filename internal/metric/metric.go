// Package metric has the names of what Limn counts. trace.Specs says what each means.
package metric

// The metrics, by the package that counts.
const (
	// session
	Turns         = "turns_total"
	TurnSeconds   = "turn_seconds"
	Commits       = "commits_total"
	Conflicts     = "conflicts_total"
	LeaseWaits    = "lease_waits_total"
	Takeovers     = "takeovers_total"
	QueueFull     = "queue_full_total"
	ModelRuns     = "model_runs_total"
	ModelTime     = "model_seconds"
	ModelTokens   = "model_tokens_total"
	RunsRefused   = "model_runs_refused_total"
	StoredRefused = "stored_refused_total"
	ToolCalls     = "tool_calls_total"
	ToolTime      = "tool_seconds"
	StoreErrors   = "store_errors_total"
	Recoveries    = "recoveries_total"
	// session's outbox
	Webhooks    = "webhooks_total"
	WebhookTime = "webhook_seconds"
	// deliver and the transports of streams
	Streams     = "streams_open"
	FramesSent  = "frames_sent_total"
	BytesSent   = "bytes_sent_total"
	StreamsCut  = "streams_cut_total"
	StreamReset = "stream_resets_total"
	// internal/transport/web
	Requests    = "requests_total"
	RequestTime = "request_seconds"
	RateLimited = "rate_limited_total"
)

// MaxCodes bounds the codes that one label takes, whatever calls itself a code.
const MaxCodes = 128
