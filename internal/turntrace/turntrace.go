// Package turntrace is the record of how one turn went: trace v1 of plan §17.
//
// In: measurements of the session, the model run and the drawings. Out: a line of JSON that
// is committed with the frame, or read again for limn trace and the replay of a
// conversation.
//
// Called by session and the packages of a turn, and by cmd/limn.
package turntrace

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/limn-ui/limn/trace"
	"github.com/limn-ui/limn/ui"
)

// TurnVersion is the version of the trace contract (plan §17).
const TurnVersion = 1

// Turn is how one turn went: trace v1. It is committed with the frame, kept as
// long as the frame, and holds enums, numbers, codes, declared names and hashes,
// nothing that a user or a model wrote.
type Turn struct {
	Version int `json:"trace_version"`
	Source
	Times
	Calls

	Drawings   []Drawing  `json:"compiled,omitempty"` // one per enabled target, if the frame changed a surface
	Validation Validation `json:"validation"`
	Recovery   []Recovery `json:"recovery,omitempty"`
	Outcome    ui.Outcome `json:"outcome"` // Kind, Code and Surface only

	Starts int    `json:"starts,omitempty"` // lost races and starts after a crash, beyond the first
	Timing Timing `json:"timing"`

	Base     string `json:"base,omitempty"`          // the beginning of addresses in the drawings
	Frame    string `json:"frame_hash,omitempty"`    // Hash of the frame as it is stored
	Snapshot string `json:"snapshot_hash,omitempty"` // Hash of the snapshot that was stored with it
	// Hash of the record without this member, the last one; Encode sets it
	Sum string `json:"sum,omitempty"`
}

// Source is the event of a turn.
type Source struct {
	// of the request that brought the event, or of the restart that took it up again; else the event's
	// id
	Request      string       `json:"request_id"`
	Door         string       `json:"door,omitempty"` // by which that request came: web, a2a, agui, mcp
	Conversation string       `json:"conversation_id"`
	Index        uint64       `json:"turn_index"` // the frame's seq
	Event        ui.EventID   `json:"event_id"`
	Kind         ui.EventKind `json:"event_kind"`
	Node         string       `json:"node,omitempty"`
	By           string       `json:"by,omitempty"` // who sent it, if not the owner (conversation.Sender)
}

// Times are the moments of a turn.
type Times struct {
	Received time.Time `json:"received_at"` // the event, by the server's clock
	Began    time.Time `json:"began_at"`    // its turn; after a crash or a lost race, the last one
	Ended    time.Time `json:"ended_at"`    // decided and drawn, about to be committed
}

// Calls are the models and the code of the app that a turn called.
type Calls struct {
	Mode   Mode       `json:"mode"`
	Strict bool       `json:"strict_mode"`
	LLM    []Run      `json:"llm,omitempty"`
	Effect *Call      `json:"effect,omitempty"` // the app's handler or webhook
	Rounds int        `json:"rounds,omitempty"` // answers of the model in which it could call tools
	Tools  []ToolCall `json:"tools,omitempty"`  // the outside call it made
}

// Mode is how a turn was run.
type Mode string

// The modes of a turn.
const (
	ModeNone       Mode = "none" // rules, a built-in action, a handler or a webhook: no model
	ModeChat       Mode = "chat" // a model was asked for words only
	ModeDirectives Mode = "directives"
	ModeToolLoop   Mode = "tool_loop"
	ModeHybrid     Mode = "hybrid"
)

// Run is one model run and how it was configured.
type Run struct {
	For      string `json:"for"` // reply, summary, route
	Provider string `json:"provider,omitempty"`
	Model    string `json:"model,omitempty"`
	Stream   bool   `json:"stream"`
	// keys of the values of the action that the model was asked about
	Context  []string `json:"context,omitempty"`
	Parallel *bool    `json:"parallel_tool_calls"` // in the last request that said it; null: in none

	Temperature *float64 `json:"temperature,omitempty"`
	TopP        *float64 `json:"top_p,omitempty"`
	TopK        *float64 `json:"top_k,omitempty"`
	Seed        *float64 `json:"seed,omitempty"`
	Routing     []string `json:"routing,omitempty"` // provider preferences that were set, by name (OpenRouter)

	Attempts []Attempt `json:"attempts,omitempty"`
	Journal  bool      `json:"from_journal,omitempty"` // answered before a crash, not asked again
	Code     ui.Code   `json:"code,omitempty"`         // why it failed
}

// Attempt is one request of a Run.
type Attempt struct {
	Format string  `json:"response_format"` // json_schema, json_object, prompt_only, chat
	Repair bool    `json:"repair,omitempty"`
	Code   ui.Code `json:"code,omitempty"`
	Ms     float64 `json:"ms"`
	In     int64   `json:"tokens_in,omitempty"`
	Out    int64   `json:"tokens_out,omitempty"`
}

// Call is a call of an app's handler or webhook.
type Call struct {
	Action string  `json:"action"` // as declared
	By     string  `json:"by"`     // handler, webhook, later
	Ms     float64 `json:"ms"`
	Code   ui.Code `json:"code,omitempty"`
}

// ToolCall is one call of a model. What it asked and what came back is not in it.
type ToolCall struct {
	Tool  string  `json:"tool,omitempty"` // as declared; "": no such name
	By    string  `json:"by,omitempty"`   // func, webhook, mcp
	Ms    float64 `json:"ms"`
	Code  ui.Code `json:"code,omitempty"`
	Bytes int     `json:"bytes"` // of the result
}

// Drawing is what one target is sent for a frame.
type Drawing struct {
	Target string `json:"target"` // the dialect, or html
	Print  string `json:"fp"`     // fingerprint of the drawing, as in cursors
	// first half of the SHA-256 of all messages, each with a line feed; hex
	Hash  string    `json:"hash"`
	Bytes int       `json:"bytes"`              // of them
	Parts []Surface `json:"surfaces,omitempty"` // of A2UI
}

// Surface counts what one surface takes of a Drawing.
type Surface struct {
	ID         string `json:"surface_id"` // wire id: name and epoch
	Epoch      uint32 `json:"epoch"`
	Rev        uint64 `json:"surface_rev"`
	Messages   int    `json:"messages"`
	Bytes      int    `json:"bytes"`
	Components int    `json:"components"`
	Data       int    `json:"data_entries"`
}

// Validation is the result of the checks of a turn. Each status is ok, failed or, if
// nothing was checked, none.
type Validation struct {
	Schema    string    `json:"schema"`    // messages and components
	Semantic  string    `json:"semantic"`  // directives, ops, fields
	Guardrail string    `json:"guardrail"` // limits, gates, allowlists
	Warnings  []ui.Code `json:"warnings,omitempty"`
	Codes     []ui.Code `json:"codes,omitempty"` // of what failed
}

// The statuses of a Validation.
const (
	StatusOK     = "ok"
	StatusFailed = "failed"
	StatusNone   = "none"
)

// Recovery is the response to one failure.
type Recovery struct {
	Do      string  `json:"do"` // soft_fail, deleteSurface, epoch_reset
	Surface ui.Name `json:"surface,omitempty"`
	Reason  ui.Code `json:"reason"`
}

// Timing is in milliseconds, from the moment this process took the event up.
// Waiting is before the turn: in the queue, or for a model. The commit itself is
// not in it.
type Timing struct {
	Wait       float64 `json:"wait_ms"`
	LLM        float64 `json:"llm_ms"`        // waiting for models
	Directives float64 `json:"directives_ms"` // the whole directives run: requests, reading, repair
	ToolLoop   float64 `json:"tool_loop_ms"`
	Compile    float64 `json:"compile_ms"` // drawing and validating for all targets
	Total      float64 `json:"total_ms"`
}

// Ms is d in milliseconds, to the microsecond.
func Ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// Hash names bytes, such as the messages of a Drawing or a stored frame: the
// first half of their SHA-256, as hex.
func Hash(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:16])
}

// HashLines is the Hash of messages, each with a line feed.
func HashLines(messages [][]byte) string {
	h := sha256.New()
	for _, m := range messages {
		h.Write(m)
		h.Write([]byte{'\n'})
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// maxList bounds every list of a Turn; longer ones are cut.
const maxList = 64

// Encode writes a Turn as one line of JSON, bounded, that ends with its Sum.
func (t *Turn) Encode() ([]byte, error) {
	t.Version, t.Sum = TurnVersion, ""
	t.Outcome = ui.Outcome{Kind: t.Outcome.Kind, Code: t.Outcome.Code, Surface: t.Outcome.Surface}
	t.Validation.Codes, t.Validation.Warnings = codes(t.Validation.Codes), codes(t.Validation.Warnings)
	t.Tools = t.Tools[:min(len(t.Tools), maxList)]
	t.Recovery = t.Recovery[:min(len(t.Recovery), maxList)]
	for i := range t.Drawings {
		t.Drawings[i].Parts = t.Drawings[i].Parts[:min(len(t.Drawings[i].Parts), maxList)]
	}
	b, err := json.Marshal(t)
	if err != nil {
		return nil, fmt.Errorf("encode trace: %w", err)
	}
	t.Sum = Hash(b)
	return append(b[:len(b)-1], sumMember(t.Sum)...), nil
}

// sumMember is the end of a record with a Sum.
func sumMember(sum string) string { return `,"sum":"` + sum + `"}` }

// DecodeTurn reads a stored trace. One of a newer version is read as far as it
// is known; one that was changed after Encode is an error. A trace without
// frame_hash is older than the sum and has none.
func DecodeTurn(b []byte) (*Turn, error) {
	var t Turn
	if err := json.Unmarshal(b, &t); err != nil {
		return nil, fmt.Errorf("decode trace: %w", err)
	}
	if t.Version < 1 {
		return nil, fmt.Errorf("decode trace: trace_version %d is none", t.Version)
	}
	if t.Sum == "" && t.Frame == "" {
		return &t, nil
	}
	rest, ok := bytes.CutSuffix(b, []byte(sumMember(t.Sum)))
	if !ok || Hash(append(slices.Clip(rest), '}')) != t.Sum {
		return nil, errors.New("decode trace: it was changed after it was written: its sum is wrong")
	}
	return &t, nil
}

// anyCode is the label that takes every code.
var anyCode trace.Label

// codes returns each code once, and drops strings that are not codes.
func codes(list []ui.Code) []ui.Code {
	var out []ui.Code
	for _, c := range list {
		if c != "" && anyCode.Value(string(c)) == string(c) && !slices.Contains(out, c) && len(out) < maxList {
			out = append(out, c)
		}
	}
	return out
}

// Judge sets the statuses: drawn says whether anything was drawn. A family of
// codes belongs to one of the three (plan §17).
func (v *Validation) Judge(drawn bool) {
	v.Schema, v.Semantic, v.Guardrail = StatusNone, StatusOK, StatusOK
	if drawn {
		v.Schema = StatusOK
	}
	for _, c := range v.Codes {
		switch family(string(c)) {
		case "schema":
			v.Schema = StatusFailed
		case "guardrail":
			v.Guardrail = StatusFailed
		default:
			v.Semantic = StatusFailed
		}
	}
}

func family(code string) string {
	for _, f := range [][2]string{
		{"A2UI_S2C_LIMIT_", "guardrail"}, {"A2UI_S2C_URL_", "guardrail"}, {"A2UI_S2C_", "schema"},
		{"COMPILE_", "schema"},
		{"UI_LIMIT", "guardrail"}, {"GATE_", "guardrail"}, {"A2UI_C2S_ACTION_FORBIDDEN", "guardrail"},
		{"A2UI_C2S_CONTEXT_", "guardrail"},
		{"A2UI_C2S_ENVELOPE_", "schema"},
	} {
		if strings.HasPrefix(code, f[0]) {
			return f[1]
		}
	}
	return "semantic"
}
