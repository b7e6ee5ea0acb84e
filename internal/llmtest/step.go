package llmtest

import "net/http"

// Mode is how the server behaves for one request.
type Mode int

// The modes of a Step.
const (
	OK           Mode = iota // Text, whole, finished by stop
	RejectFormat             // a request with a format gets Status (400 or 404); any other is OK
	RejectSchema             // as RejectFormat, for json_schema only
	RejectKey                // a request with the top-level key Text gets 400 that names it; any other is OK
	Fail                     // Status, default 500, with an error object
	FailHTML                 // Status, default 502, with a page of HTML
	Garbage                  // 200 and no JSON
	NoChoices                // 200 and an empty list of choices
	Hang                     // no answer until the client gives up
	Truncated                // Text, finished by length
	Refusal                  // a refusal that says Text
	Huge                     // an answer of 50 MB
	ToolCall                 // a call of the tool Text with Arguments
	EchoKey                  // Status, default 401, with the client's key in its message
	StreamCut                // an answer that ends in the middle, without a word about it
	Redirect                 // Status, default 302, to Text, default another path
	Broken                   // a connection that breaks in the middle of the answer
	Drip                     // Text, one byte at a time, Options.Drip apart
	ErrorInside              // 200, or a stream, with an error object in the place of the answer
	OddCall                  // as ToolCall; the arguments are the object {"a":1}, and there is no id
)

// Step is one answer.
type Step struct {
	Mode      Mode
	Text      string
	Arguments string // JSON; default {}
	Status    int
	Header    http.Header // sent along, such as Retry-After-Ms
}
