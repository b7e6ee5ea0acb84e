package llm

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/limn-ui/limn/internal/excerpt"
	"github.com/limn-ui/limn/ui"
)

// reserved are keys that typed fields decide, in the words of every provider;
// Params never carries them.
var reserved = []string{"model", "system", "messages", "input", "stream", "stream_options", "tools", "functions",
	"function_call",
	"response_format", "output_format", "output_config", "parallel_tool_calls", "max_tokens", "max_completion_tokens",
	"n"}

// Reserved reports whether a key is no free one: typed fields decide it.
func Reserved(key string) bool { return slices.Contains(reserved, strings.ToLower(key)) }

// Prepare applies the request policy. The request it returns is a copy that follows
// every rule of the package comment under c; warnings name the keys that were dropped
// (CodeKeyDropped) or made smaller (codeClipped). In strict mode both are errors. A
// combination that is forbidden, a reserved key and a request above the model's context
// are errors in both modes.
func Prepare(r Request, c Capabilities, strict bool) (Request, []*ui.Error, error) {
	p := &preparation{c: c, strict: strict}
	r.Messages, r.Tools = slices.Clone(r.Messages), slices.Clone(r.Tools)
	steps := []func(*Request) error{p.lift, checkRequest, preflight, p.structure, p.tools, p.params, p.budget}
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
	return p.warn(&ui.Error{Code: CodeKeyDropped, Path: "/" + key, Message: why,
		Hint: "declare it in the capabilities, or do not send it"})
}

func (p *preparation) warn(e *ui.Error) error {
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

func isObject(text []byte) bool {
	return bytes.HasPrefix(bytes.TrimLeft(text, " \t\r\n"), []byte("{")) && json.Valid(text)
}

// brokenHint is said with CodeRequestBroken: it is a fault of the program that asks.
const brokenHint = "nothing was sent; change this part of the request"

// checkRequest refuses what no server can read.
func checkRequest(r *Request) error {
	broken := func(path, why string) error {
		return &ui.Error{Code: CodeRequestBroken, Path: path, Message: why, Hint: brokenHint}
	}
	if len(r.Messages) == 0 {
		return broken("/messages", "no message")
	}
	for _, m := range r.Messages {
		if m.Role != RoleUser && m.Role != RoleAssistant && m.Role != RoleTool ||
			(m.Role == RoleTool) != (m.CallID != "") {
			return broken("/messages", "a message needs a role, and a tool's result the call it answers")
		}
	}
	if r.MaxTokens < 0 || r.Tokens < 0 {
		return broken("/max_tokens", "below zero")
	}
	if r.Stable < 0 || r.Stable > len(r.System) {
		return broken("/messages", "more of the system text is stable than there is")
	}
	for _, key := range slices.Sorted(maps.Keys(r.Params)) {
		if Reserved(key) {
			return &ui.Error{Code: codeKeyReserved, Path: "/" + excerpt.Of(key, 64),
				Message: "decided by the request itself",
				Hint:    "set the field of the request instead"}
		}
	}
	if r.Format != nil && (!validName(r.Format.Name) || r.Format.Schema != nil && !isObject(r.Format.Schema)) {
		return broken("/response_format",
			"a format needs a name of letters, digits, _ and -, and a schema that is a JSON object")
	}
	for i, t := range r.Tools {
		switch {
		case !validName(t.Name) || !isObject(t.Schema):
			return broken("/tools",
				"a tool needs a name of letters, digits, _ and -, and a schema that is a JSON object")
		case slices.ContainsFunc(r.Tools[:i], func(o Tool) bool { return o.Name == t.Name }):
			return broken("/tools", "two tools are called "+t.Name)
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
		return forbidden(codeStreamTools, "a request with tools is not streamed")
	case r.Stream && r.Format != nil && r.OnText == nil:
		return forbidden(codeStreamFormat, "a structured answer is streamed only with OnText")
	case r.Format != nil && len(r.Tools) > 0:
		return forbidden(codeFormatTools, "a structured answer and tools exclude each other")
	case r.Format != nil && r.ParallelTools != nil && *r.ParallelTools:
		return forbidden(codeFormatTools, "a structured answer is asked for without parallel tool calls")
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
	for i := range r.Messages {
		if len(r.Messages[i].Images) == 0 || p.c.Images {
			continue
		}
		r.Messages[i].Images = nil
		if err := p.drop("messages", "no pictures here"); err != nil {
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
		parallel := asked != nil && *asked && p.c.ParallelTools
		r.ParallelTools = &parallel
		if !parallel && asked != nil && *asked {
			return p.drop("parallel_tool_calls", "one call at a time here")
		}
	case r.Format != nil && !p.c.ParallelNeedsTools:
		r.ParallelTools = new(bool)
	}
	return nil
}

// params keeps the free keys that the provider declares.
func (p *preparation) params(r *Request) error {
	for _, key := range slices.Sorted(maps.Keys(r.Params)) {
		why := ""
		switch {
		case !validName(key):
			why = "not a plain key"
		case strings.EqualFold(key, "tool_choice") && len(r.Tools) == 0:
			why = "means nothing without tools"
		case !p.c.Declares(key):
			why = "not declared by this provider"
		}
		if why == "" {
			b, err := json.Marshal(r.Params[key])
			if err != nil {
				return &ui.Error{Code: CodeRequestBroken, Path: "/" + key, Message: "not a JSON value",
					Hint: brokenHint}
			}
			if !strings.EqualFold(key, "tool_choice") || !strings.Contains(string(b), "disable_parallel_tool_use") {
				continue
			}
			why = "says of parallel calls what the request itself decides"
		}
		delete(r.Params, key)
		if err := p.drop(excerpt.Of(key, 64), why); err != nil {
			return err
		}
	}
	if r.MaxTokens > 0 && p.c.MaxTokensKey() == "" {
		r.MaxTokens = 0
		return p.drop("max_tokens", "not declared by this provider")
	}
	return nil
}

// budget keeps the request within the model's context, and the answer within
// the rest of it.
func (p *preparation) budget(r *Request) error {
	in, most := r.Tokens, p.c.Output
	if in == 0 {
		in = estimate(r)
	}
	if room := p.c.Context - in; p.c.Context > 0 {
		if room <= 0 {
			return &ui.Error{Code: CodeTooLong, Path: "/messages", Hint: "say less, or ask a model with more context",
				Message: fmt.Sprintf("about %d tokens, and the model reads and writes %d", in, p.c.Context)}
		}
		if most == 0 || room < most {
			most = room
		}
	}
	if asked := r.MaxTokens; most > 0 && asked > most {
		r.MaxTokens = most
		return p.warn(&ui.Error{Code: codeClipped, Path: "/max_tokens",
			Message: fmt.Sprintf("%d tokens asked for, %d possible", asked, most),
			Hint:    "ask for fewer, or correct the capabilities"})
	}
	return nil
}

// estimate counts tokens by bytes: about four each, and four for every message.
func estimate(r *Request) int {
	n := len(r.System)
	for _, m := range r.Messages {
		n += 16 + len(m.Text)
		for _, c := range m.Calls {
			n += len(c.Name) + len(c.Arguments)
		}
	}
	for _, t := range r.Tools {
		n += len(t.Name) + len(t.Description) + len(t.Schema)
	}
	if r.Format != nil {
		n += len(r.Format.Schema)
	}
	return n / 4
}
