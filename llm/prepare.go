package llm

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/limn-ui/limn/ui"
)

// Capabilities say what a provider understands. The application owns them: they
// are settings, not guesses.
type Capabilities struct {
	Keys        []string // top-level keys beside model, messages and those below, as the provider spells them; "*" = any
	JSONSchema  bool     // response_format json_schema
	JSONObject  bool     // response_format json_object
	Tools       bool     // tools
	ParallelKey bool     // parallel_tool_calls
	// ParallelNeedsTools: the provider refuses parallel_tool_calls in a request
	// without tools. Such a request says nothing, since nothing can be parallel.
	ParallelNeedsTools bool
	Streaming          bool // stream
}

// Generic returns the capabilities of a server that follows the published
// chat-completions API.
func Generic() Capabilities {
	return Capabilities{
		Keys: []string{"temperature", "top_p", "max_tokens", "seed", "stop", "presence_penalty", "frequency_penalty",
			"tool_choice"},
		JSONSchema: true, JSONObject: true, Tools: true, ParallelKey: true, Streaming: true,
	}
}

// Declares reports whether a free key may be sent.
func (c Capabilities) Declares(key string) bool {
	return slices.Contains(c.Keys, key) || slices.Contains(c.Keys, "*")
}

// MaxTokensKey returns the key that bounds the answer, or "" if there is none.
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

// sealed are keys that typed fields decide; Params never carries them.
var sealed = []string{"model", "messages", "stream", "stream_options", "tools", "functions", "function_call", "response_format",
	"parallel_tool_calls", "max_tokens", "max_completion_tokens", "n"}

// Prepare applies the request policy. The request it returns is a copy that
// holds every rule of the package comment under c; warnings say what was
// dropped (CodeKeyDropped). In strict mode a drop is an error. A combination
// that is forbidden is an error in both modes: nobody may rely on it.
func Prepare(r Request, c Capabilities, strict bool) (Request, []*ui.Error, error) {
	p := &preparation{c: c, strict: strict}
	r.Messages, r.Tools = slices.Clone(r.Messages), slices.Clone(r.Tools)
	steps := []func(*Request) error{p.lift, checkRequest, preflight, p.structure, p.tools, p.params}
	for _, step := range steps {
		if err := step(&r); err != nil {
			return Request{}, p.warnings, err
		}
	}
	return r, p.warnings, nil
}

type preparation struct {
	c        Capabilities
	strict   bool
	warnings []*ui.Error
}

func (p *preparation) drop(key, why string) error {
	e := &ui.Error{Code: CodeKeyDropped, Path: "/" + key, Message: why, Hint: "declare it in the capabilities, or do not send it"}
	if p.strict {
		return e
	}
	p.warnings = append(p.warnings, e)
	return nil
}

// lift moves the two booleans that callers like to write as free keys into
// their typed fields, so that preflight sees them.
func (p *preparation) lift(r *Request) error {
	r.Params = maps.Clone(r.Params)
	for _, key := range slices.Sorted(maps.Keys(r.Params)) {
		b, ok := r.Params[key].(bool)
		switch strings.ToLower(key) {
		case "stream":
			if ok {
				r.Stream = r.Stream || b
				delete(r.Params, key)
			}
		case "parallel_tool_calls":
			if ok {
				if r.ParallelTools == nil || b {
					r.ParallelTools = &b
				}
				delete(r.Params, key)
			}
		}
	}
	return nil
}

// checkRequest refuses what no server can read.
func checkRequest(r *Request) error {
	broken := func(path, why string) error { return ui.Errorf(CodeRequestBroken, path, "%s", why) }
	if len(r.Messages) == 0 {
		return broken("/messages", "no message")
	}
	for _, m := range r.Messages {
		if m.Role != RoleUser && m.Role != RoleAssistant && m.Role != RoleTool || (m.Role == RoleTool) != (m.CallID != "") {
			return broken("/messages", "a message needs a role, and a tool's result the call it answers")
		}
	}
	if r.MaxTokens < 0 {
		return broken("/max_tokens", "below zero")
	}
	if r.Format != nil && (!validName(r.Format.Name) || r.Format.Schema != nil && !json.Valid(r.Format.Schema)) {
		return broken("/response_format", "a format needs a name of letters, digits, _ and -, and a schema in JSON")
	}
	for _, t := range r.Tools {
		if !validName(t.Name) || !json.Valid(t.Schema) {
			return broken("/tools", "a tool needs a name of letters, digits, _ and -, and a schema in JSON")
		}
	}
	return nil
}

func validName(s string) bool {
	for i := 0; i < len(s); i++ {
		c := s[i]
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '_' && c != '-' {
			return false
		}
	}
	return s != "" && len(s) <= 64
}

// preflight refuses the forbidden combinations.
func preflight(r *Request) error {
	forbidden := func(code ui.Code, why string) error {
		return &ui.Error{Code: code, Message: why, Hint: "make two requests"}
	}
	switch {
	case r.Stream && len(r.Tools) > 0:
		return forbidden(CodeStreamTools, "a request with tools is not streamed")
	case r.Stream && r.Format != nil:
		return forbidden(CodeStreamFormat, "a structured answer is not streamed")
	case r.Format != nil && len(r.Tools) > 0:
		return forbidden(CodeFormatTools, "a structured answer and tools exclude each other")
	case r.Format != nil && r.ParallelTools != nil && *r.ParallelTools:
		return forbidden(CodeFormatTools, "a structured answer is asked for without parallel tool calls")
	}
	return nil
}

// structure keeps a format only as far as the provider knows it.
func (p *preparation) structure(r *Request) error {
	if r.Format == nil {
		return nil
	}
	switch {
	case r.Format.Schema != nil && p.c.JSONSchema, r.Format.Schema == nil && p.c.JSONObject:
		return nil
	case r.Format.Schema != nil && p.c.JSONObject:
		r.Format = &Format{Name: r.Format.Name}
		return p.drop("response_format", "no json_schema here; asked for a JSON object")
	}
	r.Format = nil
	return p.drop("response_format", "no structured output here")
}

// tools keeps tools, streaming and the parallel key as far as the provider
// knows them; the key is said aloud whenever a format or tools are sent.
func (p *preparation) tools(r *Request) error {
	if len(r.Tools) > 0 && !p.c.Tools {
		r.Tools = nil
		if err := p.drop("tools", "no tools here"); err != nil {
			return err
		}
	}
	if r.Stream && !p.c.Streaming {
		r.Stream = false
		if err := p.drop("stream", "no streaming here"); err != nil {
			return err
		}
	}
	asked := r.ParallelTools
	r.ParallelTools = nil
	switch {
	case !p.c.ParallelKey:
		if asked != nil {
			return p.drop("parallel_tool_calls", "no such key here")
		}
	case len(r.Tools) > 0:
		parallel := asked != nil && *asked
		r.ParallelTools = &parallel
	case r.Format != nil && !p.c.ParallelNeedsTools:
		r.ParallelTools = new(bool)
	}
	return nil
}

// params keeps the free keys that the provider declares.
func (p *preparation) params(r *Request) error {
	for _, key := range slices.Sorted(maps.Keys(r.Params)) {
		why := ""
		low := strings.ToLower(key)
		switch {
		case !validName(key):
			why = "not a plain key"
		case slices.Contains(sealed, low):
			why = "decided by the request itself"
		case low == "tool_choice" && len(r.Tools) == 0:
			why = "means nothing without tools"
		case !p.c.Declares(key):
			why = "not declared by this provider"
		}
		if why == "" {
			if _, err := json.Marshal(r.Params[key]); err != nil {
				return ui.Errorf(CodeRequestBroken, "/"+key, "not a JSON value")
			}
			continue
		}
		delete(r.Params, key)
		name := key
		if len(name) > 64 {
			name = strings.ToValidUTF8(name[:64], "") + "…"
		}
		if err := p.drop(name, why); err != nil {
			return err
		}
	}
	if r.MaxTokens > 0 && p.c.MaxTokensKey() == "" {
		r.MaxTokens = 0
		return p.drop("max_tokens", "not declared by this provider")
	}
	return nil
}
