package llmtest

import (
	"net/http"
	"strings"
)

// Quirk names one thing that servers do otherwise than they publish. Each is a
// simulator: give it to Start.
type Quirk string

// The quirks.
const (
	// 400 to any key but model, messages, system, max_tokens and stream, naming it
	RejectsUnknownKeys Quirk = "rejects_unknown_keys"
	// 404 to a request with a format or tools: no upstream has the combination
	NotFoundCombination Quirk = "not_found"
	IgnoresFormat       Quirk = "ignores_format"  // prose around the answer, whatever format was asked for
	CallsTools          Quirk = "calls_tools"     // a tool call, though no tool was offered
	OddCalls            Quirk = "odd_calls"       // a tool call without an id, its arguments as a value
	Truncates           Quirk = "truncates"       // half of the answer, finished by the token limit
	Drips               Quirk = "drips"           // one byte at a time, Options.Drip apart
	CutsMidStream       Quirk = "cuts_mid_stream" // the connection breaks in the middle of the answer
	EndsMidStream       Quirk = "ends_mid_stream" // the answer ends in the middle, as if it were whole
	Refuses             Quirk = "refuses"         // the model will not
	// 429 with Retry-After to every other request, the first included
	RateLimits       Quirk = "rate_limits"
	Overloaded       Quirk = "overloaded"        // 503 to every other request, the first included
	WrongType        Quirk = "wrong_type"        // 200 with a page of HTML
	NotJSON          Quirk = "not_json"          // 200, and JSON that ends in the middle
	EmptyList        Quirk = "empty_list"        // 200 without a choice in it
	FailsInside      Quirk = "fails_inside"      // 200, or a stream, that holds an error object
	HugeAnswer       Quirk = "huge_answer"       // 50 MB
	WrongCertificate Quirk = "wrong_certificate" // TLS with a certificate for another name
	RedirectsPrivate Quirk = "redirects_private" // 307 to a private address
	EchoesKey        Quirk = "echoes_key"        // 401 that repeats the client's key
)

// Quirks lists all of them.
func Quirks() []Quirk {
	return []Quirk{RejectsUnknownKeys, NotFoundCombination, IgnoresFormat, CallsTools, OddCalls, Truncates, Drips,
		CutsMidStream, EndsMidStream,
		Refuses, RateLimits, Overloaded, WrongType, NotJSON, EmptyList, FailsInside, HugeAnswer, WrongCertificate,
		RedirectsPrivate, EchoesKey}
}

// spoil returns a quirk's version of the answer to the n-th accepted request, from 1.
func (q Quirk) spoil(n int, r Recorded, d dialect, text, retryAfter string) Step {
	half := strings.ToValidUTF8(text[:len(text)/2], "")
	switch q {
	case NotFoundCombination:
		if d.format(r.Body) != "" || len(r.Body.At("tools").Items) > 0 {
			return Step{Mode: Fail, Status: 404, Text: "no endpoints found that support the requested parameters"}
		}
	case IgnoresFormat:
		return Step{Text: "Of course! Here you are:\n\n```json\n" + text + "\n```\n\nAnything else?"}
	case CallsTools:
		return Step{Mode: ToolCall, Text: "answer"}
	case OddCalls:
		return Step{Mode: OddCall, Text: "answer"}
	case Truncates:
		return Step{Mode: Truncated, Text: half}
	case Drips:
		return Step{Mode: Drip, Text: text}
	case CutsMidStream:
		return Step{Mode: Broken, Text: text}
	case EndsMidStream:
		return Step{Mode: StreamCut, Text: half}
	case Refuses:
		return Step{Mode: Refusal, Text: "I will not answer that."}
	case RateLimits:
		if n%2 == 1 {
			return Step{Mode: Fail, Status: 429, Text: "too many requests",
				Header: http.Header{"Retry-After": {retryAfter}}}
		}
	case Overloaded:
		if n%2 == 1 {
			return Step{Mode: Fail, Status: 503, Text: "overloaded", Header: http.Header{"Retry-After": {retryAfter}}}
		}
	case WrongType:
		return Step{Mode: FailHTML, Status: 200}
	case NotJSON:
		return Step{Mode: Garbage}
	case EmptyList:
		return Step{Mode: NoChoices}
	case FailsInside:
		return Step{Mode: ErrorInside}
	case HugeAnswer:
		return Step{Mode: Huge}
	case RedirectsPrivate:
		return Step{Mode: Redirect, Status: 307, Text: "http://169.254.169.254/latest/meta-data"}
	case EchoesKey:
		return Step{Mode: EchoKey}
	}
	return Step{Text: text}
}
