package llmtest

import (
	"net/http"

	"github.com/limn-ui/limn/internal/jsonx"
)

// Dialect is the protocol a server speaks.
type Dialect int

// The dialects.
const (
	OpenAI    Dialect = iota // chat completions
	Anthropic                // messages
)

// String gives the dialect's name.
func (d Dialect) String() string {
	if d == Anthropic {
		return "anthropic"
	}
	return "openai"
}

func (d Dialect) impl() dialect {
	if d == Anthropic {
		return messages{}
	}
	return completions{}
}

// dialect is what differs between protocols.
type dialect interface {
	base() string                                                  // the path in the server's URL
	path() string                                                  // of a request
	keys() []string                                                // parameters a full server knows
	key(http.Header) string                                        // the key that a request brings
	unknown(key string) string                                     // its refusal of an unknown parameter
	check(r Recorded) (param, why string)                          // the fault of a request
	violates(body jsonx.Value, parallelKey bool) string            // the invariant of Limn that a request breaks, or ""
	format(body jsonx.Value) string                                // json_schema, json_object or ""
	fail(w http.ResponseWriter, status int, param, message string) // a refusal
	whole(step Step) string                                        // an answer
	stream(step Step) string                                       // an answer as server-sent events
}
