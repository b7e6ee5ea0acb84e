package models

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/ui"
)

// Verdict is the finding about one capability.
type Verdict string

// The verdicts. Only the first means that the capability is there; the last
// says nothing about it, so the known value stays.
const (
	Supported Verdict = "yes"
	Refused   Verdict = "refused" // the server named it, or took the same request without it
	Ignored   Verdict = "ignored" // taken without a word, and the answer shows nothing of it
	Unclear   Verdict = "unclear"
)

// Finding is one of them with its reason.
type Finding struct {
	What    string  `json:"what"` // a key of an entry, or of a request
	Verdict Verdict `json:"verdict"`
	Why     string  `json:"why,omitempty"` // in a few words
}

// Report has the findings of a probe, and its cost.
type Report struct {
	Findings     []Finding        `json:"findings"`
	Capabilities llm.Capabilities `json:"capabilities"`
	Fields       []string         `json:"fields"` // what of Capabilities was found out, as Put takes it
	Requests     int              `json:"requests"`
	Usage        llm.Usage        `json:"usage"`
}

// Prober finds the capabilities of one model by asking it.
type Prober struct {
	Build func(llm.Capabilities) (llm.Model, error) // the model with these capabilities; required
	// of an answer at most; default 400, which a model that thinks first may need
	Tokens int
	Asking func(what string) // called before each request; may be nil
	Found  func(Finding)     // called with each finding; may be nil
}

// Probe sends about nine small requests, one after the other, at most twenty.
//
// A refusal (llm.CodeUnsupported) counts against a capability only if it names the key,
// or if the server takes the plainest request right after it. Support counts only if
// the answer shows it. Any other fault, an outage, a limit, a key that is not taken or
// the end of ctx, is the error. The findings until then come with it, and none of them
// should be kept.
func (p Prober) Probe(ctx context.Context) (Report, error) {
	if p.Tokens == 0 {
		p.Tokens = 400
	}
	q := &probing{Prober: p, ctx: ctx}
	for _, step := range []func() error{q.plain, q.limit, q.tools, q.schema, q.object, q.streaming, q.keys} {
		if err := step(); err != nil {
			return q.report, err
		}
	}
	return q.report, nil
}

type probing struct {
	Prober
	ctx    context.Context
	report Report
	bound  bool // whether answers can be bounded is known
}

// outcome is what became of a request that did not end the probe.
type outcome struct {
	llm.Reply
	refused *ui.Error // the server does not take the request
	unclear string    // why the answer says nothing
	broken  bool      // unclear, since the answer cannot be read
}

// verdict is the finding about a request that was refused, or whose answer says
// nothing; "" means that the answer shows more.
func (out outcome) verdict() (v Verdict, why string) {
	switch {
	case out.refused != nil:
		return Refused, words(out.refused)
	case out.unclear != "":
		return Unclear, out.unclear
	}
	return "", ""
}

// ask sends one request with some capabilities. The error ends the probe.
func (q *probing) ask(what string, c llm.Capabilities, r llm.Request) (outcome, error) {
	reply, err := q.send(what, c, r)
	e := coded(err)
	switch {
	case err == nil && reply.Finish == llm.FinishRefusal:
		return outcome{Reply: reply, unclear: "the model refused to answer"}, nil
	case err == nil:
		return outcome{Reply: reply}, nil
	case e == nil:
		return outcome{}, err
	case e.Code == llm.CodeUnsupported:
		if e.Path == "" { // the request, or everything?
			if err := q.plain(); err != nil {
				return outcome{}, err
			}
		}
		return outcome{refused: e}, nil
	case e.Code == llm.CodeReplyInvalid || e.Code == llm.CodeReplyTooLarge:
		return outcome{unclear: e.Message, broken: true}, nil
	case (e.Code == llm.CodeUnavailable || e.Code == llm.CodeTimeout) && q.ctx.Err() == nil:
		// The server as a whole, or this request only?
		if err := q.plain(); err != nil {
			return outcome{}, err
		}
		return outcome{unclear: e.Message}, nil
	}
	return outcome{}, err
}

func (q *probing) send(what string, c llm.Capabilities, r llm.Request) (llm.Reply, error) {
	if q.Asking != nil {
		q.Asking(what)
	}
	m, err := q.Build(c)
	if err != nil {
		return llm.Reply{}, err
	}
	q.report.Requests++
	reply, err := m.Ask(q.ctx, r)
	q.report.Usage.In += reply.Usage.In
	q.report.Usage.CachedIn += reply.Usage.CachedIn
	q.report.Usage.Out += reply.Usage.Out
	return reply, err
}

func coded(err error) *ui.Error {
	e, _ := errors.AsType[*ui.Error](err)
	return e
}

// say makes a request of one sentence.
func say(text string, tokens int) llm.Request {
	return llm.Request{Messages: []llm.Message{{Role: llm.RoleUser, Text: text}}, MaxTokens: tokens}
}

// found keeps a finding; fields names the capabilities that it settles.
func (q *probing) found(what string, v Verdict, why string, fields ...string) {
	f := Finding{What: what, Verdict: v, Why: why}
	q.report.Findings = append(q.report.Findings, f)
	if v != Unclear {
		q.report.Fields = append(q.report.Fields, fields...)
	}
	if q.Found != nil {
		q.Found(f)
	}
}

// plain asks what every model must answer; when it does not, nothing else of
// the server's number counts.
func (q *probing) plain() error {
	_, err := q.send("plain words", llm.Capabilities{}, say("Reply with the word ok.", 0))
	if e := coded(err); e != nil && e.Code == llm.CodeUnsupported {
		return &ui.Error{Code: e.Code, Message: "the server refuses even the plainest request", Err: e,
			Hint: "check the model's name and the address"}
	}
	return err
}

// limit finds the key that bounds an answer.
func (q *probing) limit() error {
	q.bound = true
	for _, key := range []string{"max_tokens", "max_completion_tokens"} {
		out, err := q.ask(key, llm.Capabilities{Keys: []string{key}}, say("Count from 1 to 50, the numbers alone.", 16))
		v, why := out.verdict()
		switch {
		case err != nil:
			return err
		case v != "":
		case out.Finish == llm.FinishLength || len(out.Text) < 100: // 50 numbers are more
			v = Supported
		default:
			v, why = Ignored, "the answer is longer"
		}
		q.found(key, v, why)
		switch v {
		case Unclear:
			q.bound = false
		case Supported:
			q.report.Capabilities.Keys, q.bound = []string{key}, true
			return nil
		}
	}
	return nil
}

// with returns the capabilities so far and one more, to ask for that.
func (q *probing) with(edit func(*llm.Capabilities)) llm.Capabilities {
	c := q.report.Capabilities
	c.Keys = slices.Clone(c.Keys)
	edit(&c)
	return c
}

// tools asks for two calls, first one after the other, then together.
func (q *probing) tools() error {
	c := &q.report.Capabilities
	r := say("What is the weather in Paris, and what is it in Rome? Call the tool for each city.", q.Tokens)
	r.Tools = []llm.Tool{{Name: "get_weather", Description: "The weather in one city.",
		Schema: []byte(
			`{"type":"object","properties":{"city":{"type":"string"}},` +
				`"required":["city"],"additionalProperties":false}`)}}
	asked := q.with(func(c *llm.Capabilities) { c.Tools, c.ParallelKey, c.ParallelTools = true, true, true })
	out, err := q.ask("tools", asked, r)
	if err == nil && out.refused != nil {
		asked.ParallelKey = false
		out, err = q.ask("tools", asked, r)
	}
	if err != nil {
		return err
	}
	v, why := calling(out)
	c.Tools = v == Supported
	q.found("tools", v, why, "tools")
	if !c.Tools {
		if v != Unclear { // without tools nothing is parallel
			q.report.Fields = append(q.report.Fields, "parallel_key", "parallel_needs_tools", "parallel_tools")
		}
		return nil
	}
	switch several := len(out.Calls) > 1; {
	case several && asked.ParallelKey:
		c.ParallelTools = true
		q.found("parallel_tool_calls", Ignored, "several calls, though told one at a time", "parallel_key",
			"parallel_needs_tools", "parallel_tools")
		return nil
	case !asked.ParallelKey:
		c.ParallelTools = several
		q.found("parallel_tool_calls", Refused, "", "parallel_key", "parallel_needs_tools", "parallel_tools")
		return nil
	}
	c.ParallelKey = true
	q.found("parallel_tool_calls", Supported, "", "parallel_key")
	return q.parallel(asked, r)
}

// calling says whether a model calls the tool that it is offered.
func calling(out outcome) (v Verdict, why string) {
	v, why = out.verdict()
	switch {
	case v != "":
		return v, why
	case len(out.Calls) == 0 && out.Finish == llm.FinishLength:
		return Unclear, tooShort
	case len(out.Calls) == 0:
		return Ignored, "the model answered in words"
	case !called(out.Calls):
		return Ignored, "the call is not what was offered"
	}
	return Supported, ""
}

// parallel asks for several calls at once.
func (q *probing) parallel(asked llm.Capabilities, r llm.Request) error {
	together := true
	r.ParallelTools = &together
	out, err := q.ask("parallel calls", asked, r)
	if err != nil {
		return err
	}
	v, why := out.verdict()
	switch {
	case v != "":
	case len(out.Calls) > 1:
		v, q.report.Capabilities.ParallelTools = Supported, true
	default:
		v, why = Ignored, "one call at a time"
	}
	q.found("parallel calls", v, why, "parallel_tools")
	return nil
}

const tooShort = "the answer was cut before it came to that: allow more tokens"

// called reports whether calls are of the tool that was offered.
func called(calls []llm.Call) bool {
	return !slices.ContainsFunc(calls, func(c llm.Call) bool {
		var args struct{ City string }
		return c.Name != "get_weather" || json.Unmarshal([]byte(c.Arguments), &args) != nil || args.City == ""
	})
}

// words are a server's words, for one line.
func words(e *ui.Error) string {
	s := e.Message
	if e.Err != nil && e.Err.Error() != "" {
		s += ": " + e.Err.Error()
	}
	return strings.TrimSpace(shown(s))
}
