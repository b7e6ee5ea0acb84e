package llm

import (
	"slices"
	"strings"
)

// Capabilities list the features of one model that a provider understands. The
// application owns them: they are settings, not guesses.
type Capabilities struct {
	// Keys are top-level keys beside model, messages and those below, as the
	// provider spells them; "*" = any. max_tokens or max_completion_tokens, and
	// stream_options (which has a stream say its usage), are sent by adapters.
	Keys        []string `json:"keys,omitempty"`
	JSONSchema  bool     `json:"json_schema,omitempty"`  // response_format json_schema
	JSONObject  bool     `json:"json_object,omitempty"`  // response_format json_object
	Tools       bool     `json:"tools,omitempty"`        // tools
	ParallelKey bool     `json:"parallel_key,omitempty"` // parallel_tool_calls
	// ParallelNeedsTools: the provider refuses parallel_tool_calls in a request
	// without tools. Such a request says nothing, since nothing can be parallel.
	ParallelNeedsTools bool  `json:"parallel_needs_tools,omitempty"`
	ParallelTools      bool  `json:"parallel_tools,omitempty"` // one answer may hold several calls, when asked to
	Streaming          bool  `json:"streaming,omitempty"`      // stream
	Images             bool  `json:"images,omitempty"`         // pictures in a message of the user
	Context            int   `json:"context,omitempty"`        // tokens of a request and its answer; 0 = not known
	Output             int   `json:"output,omitempty"`         // tokens of an answer; 0 = not known
	Price              Price `json:"price,omitzero"`
}

// Price is what tokens cost, in US dollars per million; zero = not known.
type Price struct {
	In       float64 `json:"in,omitempty"`
	CachedIn float64 `json:"cached_in,omitempty"` // of a prefix the provider had in its cache; 0 = as In
	Out      float64 `json:"out,omitempty"`
}

// Of returns what an answer cost, in US dollars.
func (p Price) Of(u Usage) float64 {
	cached := p.CachedIn
	if cached == 0 {
		cached = p.In
	}
	return (float64(u.In-u.CachedIn)*p.In + float64(u.CachedIn)*cached + float64(u.Out)*p.Out) / 1e6
}

// PromptOnly returns the capabilities of an unknown model: words in, words
// out, and at most max_tokens beside them.
func PromptOnly() Capabilities { return Capabilities{Keys: []string{"max_tokens"}} }

// Generic returns the capabilities of a server that is known to follow the
// published chat-completions API.
func Generic() Capabilities {
	return Capabilities{
		Keys: []string{"temperature", "top_p", "max_tokens", "seed", "stop", "presence_penalty", "frequency_penalty",
			"tool_choice"},
		JSONSchema: true, JSONObject: true, Tools: true, ParallelKey: true, ParallelTools: true, Streaming: true,
	}
}

// Declares reports whether a free key may be sent.
func (c Capabilities) Declares(key string) bool {
	return slices.Contains(c.Keys, key) || slices.Contains(c.Keys, "*")
}

// MaxTokensKey returns the key that bounds the answer, or "" without one.
func (c Capabilities) MaxTokensKey() string {
	for _, k := range []string{"max_completion_tokens", "max_tokens"} {
		if slices.Contains(c.Keys, k) {
			return k
		}
	}
	if c.Declares("max_tokens") {
		return "max_tokens"
	}
	return ""
}

// Entry has the capabilities of the models that two patterns name. In a pattern *
// is any text, slashes included, and ? any character; case does not matter.
type Entry struct {
	Provider     string `json:"provider"` // a host, with or without its port, or a preset's name
	Model        string `json:"model"`
	Capabilities `json:"capabilities"`
	Source       string `json:"source"` // where it is declared: file:line, "built in", or Unknown
}

// Unknown is the Source of what Lookup says of a model without an entry.
const Unknown = "unknown model"

// Matches reports whether the entry is about a model of a provider that is
// known by any of some names.
func (e Entry) Matches(model string, providers ...string) bool {
	return Match(e.Model, model) && slices.ContainsFunc(providers, func(p string) bool {
		host := p
		if i := strings.LastIndexByte(p, ':'); i > 0 {
			host = p[:i]
		}
		return Match(e.Provider, p) || Match(e.Provider, host)
	})
}

// Table lists entries; the first that matches decides, whole.
type Table []Entry

// Lookup returns the entry that decides about a model of a provider that is
// known by some names: its host, and its preset if it has one. A model without
// an entry is PromptOnly, ok is false and Source is Unknown.
func (t Table) Lookup(model string, providers ...string) (e Entry, ok bool) {
	for _, e := range t {
		if e.Matches(model, providers...) {
			e.Keys = slices.Clone(e.Keys)
			return e, true
		}
	}
	return Entry{Provider: "*", Model: "*", Capabilities: PromptOnly(), Source: Unknown}, false
}

// Match reports whether a pattern of an Entry names a text. It takes
// time in proportion to both lengths at worst.
func Match(pattern, text string) bool {
	p, s := []rune(strings.ToLower(pattern)), []rune(strings.ToLower(text))
	i, star, back := 0, -1, 0 // the last * of the pattern, and the end of its match
	for j := 0; j < len(s); {
		switch {
		case i < len(p) && p[i] == '*':
			star, back = i, j
			i++
		case i < len(p) && (p[i] == '?' || p[i] == s[j]):
			i++
			j++
		case star >= 0:
			back++
			i, j = star+1, back
		default:
			return false
		}
	}
	for i < len(p) && p[i] == '*' {
		i++
	}
	return i == len(p)
}
