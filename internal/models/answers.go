package models

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/limn-ui/limn/llm"
)

// schema asks for what only the schema can have said: no model calls a yellow
// fruit so by itself.
func (q *probing) schema() error {
	r := say("Name a yellow fruit.", q.Tokens)
	r.Format = &llm.Format{Name: "fruit", Schema: []byte(
		`{"type":"object","properties":{"fruit":{"type":"string","enum":["quokka-7"]}},` +
			`"required":["fruit"],"additionalProperties":false}`)}
	return q.structured("json_schema", r, func(c *llm.Capabilities, yes bool) { c.JSONSchema = yes },
		func(text string) bool {
			var v struct{ Fruit string }
			return json.Unmarshal([]byte(text), &v) == nil && v.Fruit == "quokka-7"
		})
}

// object asks for words in a way that mentions JSON, as some servers insist on,
// and does not ask for it: only a server that enforces it answers so.
func (q *probing) object() error {
	r := say("Say hello in one word. (JSON is not needed.)", q.Tokens)
	r.Format = &llm.Format{Name: "object"}
	return q.structured("json_object", r, func(c *llm.Capabilities, yes bool) { c.JSONObject = yes },
		func(text string) bool {
			var v map[string]any
			return json.Unmarshal([]byte(text), &v) == nil && v != nil
		})
}

// structured asks for one kind of structured answer, and looks at it.
func (q *probing) structured(what string, r llm.Request, set func(c *llm.Capabilities, yes bool),
	shows func(text string) bool) error {
	asked := q.with(func(c *llm.Capabilities) { set(c, true) })
	out, err := q.ask(what, asked, r)
	fields := []string{what}
	if err == nil && out.refused != nil && asked.ParallelKey && !asked.ParallelNeedsTools {
		// It may be the key beside it: parallel_tool_calls without tools.
		asked.ParallelNeedsTools = true
		if out, err = q.ask(what, asked, r); err == nil && out.refused == nil {
			q.report.Capabilities.ParallelNeedsTools = true
			fields = append(fields, "parallel_needs_tools")
		}
	}
	if err != nil {
		return err
	}
	v, why := out.verdict()
	switch {
	case v != "":
	case shows(out.Text):
		v = Supported
	case out.Finish == llm.FinishLength && (strings.TrimSpace(out.Text) == "" ||
		strings.HasPrefix(strings.TrimSpace(out.Text), "{")):
		v, why = Unclear, tooShort
	default:
		v, why = Ignored, "the answer does not keep to it"
	}
	set(&q.report.Capabilities, v == Supported)
	q.found(what, v, why, fields...)
	return nil
}

// streaming counts the pieces of an answer, first of one that is to say its
// usage. One that cannot be read is no stream, unless the next one is.
func (q *probing) streaming() error {
	for _, extra := range [][]string{{"stream_options"}, nil} {
		pieces, last := 0, extra == nil
		r := say("Count from 1 to 9, the numbers alone.", q.Tokens)
		r.Stream, r.OnText = true, func(string) { pieces++ }
		out, err := q.ask("streaming", q.with(
			func(c *llm.Capabilities) { c.Streaming, c.Keys = true, append(c.Keys, extra...) }), r)
		v, why := out.verdict()
		switch {
		case err != nil:
			return err
		case (out.broken || out.refused != nil) && !last:
			continue
		case out.broken:
			v = Ignored
		case v != "":
		case pieces == 0 && strings.TrimSpace(out.Text) != "":
			v, why = Ignored, "the answer came whole"
		case pieces == 0:
			v, why = Unclear, tooShort
		default:
			v, q.report.Capabilities.Streaming = Supported, true
		}
		q.found("streaming", v, why, "streaming")
		if v == Supported && !last && out.Usage.Out > 0 {
			q.report.Capabilities.Keys = append(q.report.Capabilities.Keys, extra...)
			q.found("stream_options", Supported, "")
		}
		break
	}
	return nil
}

// free are the keys that are asked for, with values that most models take.
var free = map[string]any{"temperature": 0.5, "top_p": 0.9, "seed": 7, "stop": []string{"####"},
	"presence_penalty": 0.1, "frequency_penalty": 0.1}

// keys asks with a key that no server knows, then with the usual ones: all at
// once, without those that are named in a refusal, else one by one.
func (q *probing) keys() error {
	const nobodys = "limn_probe"
	out, err := q.free(map[string]any{nobodys: 1}, "unknown keys")
	if err != nil {
		return err
	}
	v, why := out.verdict()
	if v == "" {
		v, why = Ignored, "so that a key which is taken may still do nothing"
	}
	q.found("unknown keys", v, why)
	params, taken, sure := maps.Clone(free), []string(nil), q.bound
	for len(params) > 0 {
		if out, err = q.free(params, "usual keys"); err != nil {
			return err
		}
		if out.refused == nil {
			break
		}
		name := strings.TrimPrefix(out.refused.Path, "/")
		if _, one := params[name]; !one {
			break
		}
		q.found(name, Refused, words(out.refused))
		delete(params, name)
	}
	for _, key := range slices.Sorted(maps.Keys(params)) {
		one := out
		if out.refused != nil {
			if one, err = q.free(map[string]any{key: params[key]}, key); err != nil {
				return err
			}
		}
		v, why := one.verdict()
		switch v {
		case "":
			v, taken = Supported, append(taken, key)
		case Unclear:
			sure = false
		}
		q.found(key, v, why)
	}
	q.report.Capabilities.Keys = append(q.report.Capabilities.Keys, taken...)
	if sure {
		q.report.Fields = append(q.report.Fields, "keys")
	}
	return nil
}

// free asks with free keys.
func (q *probing) free(params map[string]any, what string) (outcome, error) {
	r := say("Reply with the word ok.", q.Tokens)
	r.Params = params
	return q.ask(what, q.with(func(c *llm.Capabilities) { c.Keys = slices.AppendSeq(c.Keys, maps.Keys(params)) }), r)
}
