package endpoint

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxWords bounds the part of a refusal that is read, in bytes.
const maxWords = 64 << 10

// maxSentence bounds a refusal that is no JSON.
const maxSentence = 1 << 10

// words is a server's explanation of a refusal.
type words struct {
	message string
	param   string // the parameter it does not like, if it is named
	kind    string // its own code or type, lower case
	status  int    // inside the words; 0 = none
}

// readWords finds the words in the shapes that are known:
//
//	{"error":{"message","param","type","code"}}    OpenAI, OpenRouter, llama.cpp, Anthropic
//	[{"error":{…}}]                                Gemini
//	{"error":"…"}                                  Ollama
//	{"message","param","type","code"}              vLLM
//	{"detail":[{"msg","loc":[…,"name"]}]}          FastAPI, such as vLLM
//
// and a sentence without JSON. Anything else has no words: a page of HTML says nothing. scrub takes the key
// out before anything is made of them.
func readWords(body []byte, scrub func(string) string) words {
	var v any
	if len(body) > maxWords {
		return words{}
	}
	if json.Unmarshal(body, &v) != nil {
		s := strings.TrimSpace(string(body))
		if len(s) <= maxSentence && !strings.HasPrefix(s, "<") && utf8.ValidString(s) {
			return words{message: scrub(s)}
		}
		return words{}
	}
	if list, ok := v.([]any); ok && len(list) > 0 {
		v = list[0]
	}
	m, _ := v.(map[string]any)
	var w words
	switch inner := m["error"].(type) {
	case string:
		w.message = inner
	case map[string]any:
		m = inner
	}
	if list, ok := m["detail"].([]any); ok && len(list) > 0 {
		d, _ := list[0].(map[string]any)
		w.message = text(d["msg"])
		if loc, ok := d["loc"].([]any); ok && len(loc) > 0 {
			w.param = text(loc[len(loc)-1])
		}
	} else if w.message == "" {
		w.message = text(m["message"]) + text(m["detail"])
	}
	if meta, ok := m["metadata"].(map[string]any); ok && text(meta["raw"]) != "" { // a router's upstream
		w.message += ": " + text(meta["raw"])
	}
	if w.param == "" {
		w.param = text(m["param"])
	}
	w.kind = strings.ToLower(strings.Join([]string{text(m["type"]), text(m["code"]), text(m["status"])}, " "))
	if code, err := strconv.Atoi(text(m["code"])); err == nil && code >= 400 && code <= 599 {
		w.status = code
	}
	w.message, w.param = scrub(w.message), scrub(w.param)
	if w.param == "" {
		w.param = namedIn(w.message)
	}
	if !plainName.MatchString(w.param) {
		w.param = ""
	}
	return w
}

func text(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return ""
}

// naming are the sentences that name a parameter which the server does not take.
var naming = regexp.MustCompile(
	`(?i)unknown name \\?"([\w.]+)|^([\w.]+): extra inputs are not permitted|` +
		`(?:unrecognized|unknown|unsupported|invalid)(?: request)? (?:argument|parameter|field|key)(?: supplied)?:? ` +
		`["'` + "`" + `]?([\w.]+)`)

var plainName = regexp.MustCompile(`^[A-Za-z_][\w.]{0,63}$`)

func namedIn(message string) string {
	for i, s := range naming.FindStringSubmatch(message) {
		if i > 0 && s != "" {
			return strings.TrimRight(s, ".")
		}
	}
	return ""
}

// badKey: Gemini answers 400 to a wrong key.
func (w words) badKey() bool {
	return strings.Contains(w.message, "API key not valid") || strings.Contains(w.kind, "invalid_api_key")
}

// noMoney: OpenAI answers 429 to an account without balance; waiting does not help.
func (w words) noMoney() bool { return strings.Contains(w.kind, "insufficient_quota") }

// forbidden: a policy on contents refuses the request, in any mode.
func (w words) forbidden() bool {
	return strings.Contains(w.kind, "content_filter") || strings.Contains(w.kind, "content_policy") ||
		strings.Contains(w.kind, "invalid_prompt")
}

var pastContext = regexp.MustCompile(
	`(?i)maximum context length|exceeds the available context|prompt is too long|input token count .*exceeds`)

// tooLong: the request is above the model's context, in any mode.
func (w words) tooLong() bool {
	return strings.Contains(w.kind, "context_length") || strings.Contains(w.kind, "context_size") ||
		pastContext.MatchString(w.message)
}

// likelyStatus is the HTTP status that the words would have had.
func (w words) likelyStatus() int {
	if w.status != 0 {
		return w.status
	}
	for _, k := range []struct {
		part   string
		status int
	}{
		{"rate_limit", 429}, {"overloaded", 529}, {"authentication", 401}, {"permission", 403}, {"billing", 402},
		{"invalid_request", 400}, {"not_found", 404}, {"request_too_large", 413}, {"timeout", 504},
	} {
		if strings.Contains(w.kind, k.part) {
			return k.status
		}
	}
	return 502
}
