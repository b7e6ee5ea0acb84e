package llm

import (
	"context"

	"github.com/limn-ui/limn/ui"
)

// Codes of package llm.
const (
	CodeUnavailable ui.Code = "LLM_UNAVAILABLE"  // no connection, or the server answered 5xx
	CodeTimeout     ui.Code = "LLM_TIMEOUT"      // no answer in time
	CodeCanceled    ui.Code = "LLM_CANCELED"     // the caller gave up
	CodeRateLimited ui.Code = "LLM_RATE_LIMITED" // 429
	// 400, 404, 422: the server refuses the model or a parameter (Path names it)
	CodeUnsupported   ui.Code = "LLM_UNSUPPORTED"
	CodeAuth          ui.Code = "LLM_AUTH"            // 401, 402, 403
	CodeRefused       ui.Code = "LLM_REFUSED"         // the model will not answer this
	CodeTruncated     ui.Code = "LLM_TRUNCATED"       // the answer was cut at the token limit
	CodeReplyInvalid  ui.Code = "LLM_REPLY_INVALID"   // the server's answer breaks the protocol
	CodeReplyTooLarge ui.Code = "LLM_REPLY_TOO_LARGE" // the server's answer is above the size limit
	CodeConfigInvalid ui.Code = "LLM_CONFIG_INVALID"  // an adapter cannot be built from its settings

	// Preflight: the request is wrong, nothing was sent.
	codeStreamTools  ui.Code = "LLM_STREAMING_WITH_TOOL_CALLING_FORBIDDEN"
	codeStreamFormat ui.Code = "LLM_STREAMING_WITH_RESPONSE_FORMAT_FORBIDDEN"
	codeFormatTools  ui.Code = "LLM_STRUCTURED_OUTPUTS_PARALLEL_TOOL_CALLS_FORBIDDEN"
	CodeKeyDropped   ui.Code = "LLM_KEY_DROPPED"  // a key the provider does not declare (strict: error)
	codeKeyReserved  ui.Code = "LLM_KEY_RESERVED" // a free key that a typed field decides
	// more tokens were asked for than the model has (strict: error)
	codeClipped       ui.Code = "LLM_MAX_TOKENS_CLIPPED"
	CodeTooLong       ui.Code = "LLM_REQUEST_TOO_LONG" // the request is above the model's context
	CodeRequestBroken ui.Code = "LLM_REQUEST_INVALID"  // a request no server can read
)

// Model is one language model of some server. Implementations are safe for
// concurrent use.
type Model interface {
	// Ask sends one request and waits for the whole answer. It returns when ctx
	// ends. Errors are *ui.Error with a code of this package and never hold a
	// key; an answer that was cut or refused is a Reply, see Reply.Check.
	Ask(ctx context.Context, r Request) (Reply, error)
}

// Capable is a Model that says what its server understands. A Model without it
// is taken to understand everything.
type Capable interface {
	Capabilities() Capabilities
}

// Request is one question to a model.
type Request struct {
	System string // the app's instructions; first
	// leading bytes of System that every request repeats, for the provider's cache; 0 = all of it
	Stable   int
	Messages []Message // the conversation, oldest first; at least one
	Format   *Format   // the answer must be JSON; nil = free text
	Tools    []Tool    // functions the model may call
	Stream   bool      // deliver pieces to OnText as they come
	// with a Format it gets pieces of JSON; called from Ask's goroutine, in order; may be nil
	OnText        func(string)
	ParallelTools *bool          // several calls in one answer; nil = one after the other
	Params        map[string]any // further top-level keys: temperature, top_p, …; JSON values
	MaxTokens     int            // of the answer; 0 = the server's default
	Tokens        int            // of all the rest, as the caller counted them; 0 = estimated by bytes
}

// Role says who speaks.
type Role string

// The roles of a Message. The system's words are Request.System.
const (
	RoleUser      Role = "user"
	RoleAssistant Role = "assistant"
	RoleTool      Role = "tool" // the result of a call
)

// Image is a picture that a model looks at.
type Image struct {
	Type string // image/png, image/jpeg, image/gif or image/webp
	Data []byte
}

// Message is one turn of the conversation.
type Message struct {
	Role   Role
	Text   string
	Images []Image // RoleUser: after the text; left out where the model takes none
	Calls  []Call  // RoleAssistant: its calls
	CallID string  // RoleTool: the call this answers
}

// Format asks for structured output: JSON by a schema, or any JSON object if
// Schema is nil.
type Format struct {
	Name   string // letters, digits, _ and -; at most 64
	Schema []byte // a JSON Schema for strict mode
}

// Tool is a function the model may call.
type Tool struct {
	Name        string
	Description string
	Schema      []byte // of the arguments, a JSON Schema
}

// Call is a model's wish to call a tool. Arguments is JSON as the model wrote
// it, unchecked.
type Call struct {
	ID        string
	Name      string
	Arguments string
}

// Finish is why the model stopped.
type Finish string

// The reasons to stop.
const (
	FinishStop      Finish = "stop"
	FinishLength    Finish = "length"
	FinishRefusal   Finish = "refusal" // Text has the model's reason
	FinishToolCalls Finish = "tool_calls"
)

// Usage counts tokens; zero where the server does not say.
type Usage struct {
	In       int64 // of the whole request
	CachedIn int64 // of In: read from the provider's cache
	Out      int64
}

// Reply is a model's answer.
type Reply struct {
	Text     string
	Finish   Finish
	Calls    []Call
	Usage    Usage
	Warnings []*ui.Error // of Prepare
	Sent     Sent
}

// Sent is the content of a request after Prepare, for traces.
type Sent struct {
	Stream        bool
	ParallelTools *bool          // nil: not said
	Params        map[string]any // further top-level keys
}

// Check returns CodeTruncated or CodeRefused for an answer that is cut or refused, else nil.
func (r Reply) Check() *ui.Error {
	switch r.Finish {
	case FinishLength:
		return ui.Errorf(CodeTruncated, "", "the answer was cut at the token limit")
	case FinishRefusal:
		return ui.Errorf(CodeRefused, "", "the model refused to answer")
	}
	return nil
}
