package agent

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/limn-ui/limn/internal/directive"
	"github.com/limn-ui/limn/internal/files"
	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/ui"
)

// MaxAttempts bounds the requests of one run, those that offer tools included and
// the adapter's own retries aside. Without tools it is an answer and a repair on each
// of three rungs, one semantic repair, and one for a parameter that the server refuses.
const MaxAttempts = 8

// toolAttempts is how many of them may offer tools: two are left for the answer.
const toolAttempts = MaxAttempts - 2

// maxGarbage bounds an answer that is shown though it is no envelope, in runes.
const maxGarbage = 2000

// Config is what an application gives to every run.
type Config struct {
	Instructions string              // the beginning of the system prompt; may be empty
	Registry     *directive.Registry // the declared directives; required by Directives, unused by Chat
	Words        ui.Words            // for sentences in place of garbage; default: the built-in words
	Params       map[string]any      // sent with every request: temperature, …
	// of a request, as llm.Tokens counts: default 12,000, and never more than the model reads
	Tokens  int
	Timeout time.Duration // of the whole run: default 60 s
	// Directives: types one of which the answer must hold; default: none
	Require []string
	// Directives: the modes that servers take, shared by runs; nil = each run starts at the top
	Ladders *LadderCache
	// the words of the answer as they come, if the model streams, of an envelope those of its text; a
	// higher try replaces the text so far. From the caller's goroutine
	OnText func(try int, piece string)
	Now    func() time.Time // default time.Now; only for Attempt.Ms

	spent int // attempts that calling tools has taken
}

func (c Config) withDefaults() Config {
	c.Tokens, c.Timeout = cmp.Or(c.Tokens, 12_000), cmp.Or(c.Timeout, time.Minute)
	if c.Now == nil {
		c.Now = time.Now
	}
	return c
}

// Input starts a run. Text or Event is set.
type Input struct {
	State *ui.State     // read only; nil = a new conversation
	Text  string        // the user's message
	Event string        // what happened instead, in the app's words: "The user submitted form:customer."
	Data  ui.Value      // what belongs to Event; the user's, so it is fenced
	Files []files.Shown // uploads that the conversation is about, the most important first
}

// Mode is how an answer was asked for.
type Mode string

// The rungs of the ladder, and chat, which has none.
const (
	ModeSchema Mode = "json_schema"
	ModeObject Mode = "json_object"
	ModePrompt Mode = "prompt_only"
	ModeChat   Mode = "chat"
)

// Attempt is one request and what became of it.
type Attempt struct {
	Mode   Mode      `json:"mode"`
	Repair bool      `json:"repair,omitempty"` // the request named the fault of the answer before
	Code   ui.Code   `json:"code,omitempty"`   // "" = usable
	Ms     int64     `json:"ms"`
	Usage  llm.Usage `json:"usage"`

	// tokens of the request and its answer, for a Usage that is zero; 0: the model read nothing
	Estimate int      `json:"-"`
	Sent     llm.Sent `json:"-"`
	Request  *Repair  `json:"-"` // of an attempt with Repair
}

// Repair is the part that a request to repair adds to the one before it.
type Repair struct {
	Attempt int    `json:"attempt"`          // from 0: which attempt of the run it is
	Answer  string `json:"answer,omitempty"` // the answer that could not be used, at most 2,000 characters
	Asked   string `json:"asked"`            // its faults, and the wanted form
}

// Repairs lists the requests to repair among attempts.
func Repairs(attempts []Attempt) (list []Repair) {
	for i, a := range attempts {
		if a.Request != nil {
			a.Request.Attempt = i
			list = append(list, *a.Request)
		}
	}
	return list
}

// Reply is a model's answer to an event, as a journal keeps it.
type Reply struct {
	Text       string                `json:"text"`
	Directives []directive.Directive `json:"directives,omitempty"`
	Warnings   []ui.Error            `json:"warnings,omitempty"`
	Calls      []ClientCall          `json:"calls,omitempty"`  // whose results the model wants before it goes on
	Found      ui.Value              `json:"found,omitzero"`   // results of other tools before them
	Agents     []Said                `json:"agents,omitempty"` // of a gateway, instead of the rest
}

// Result is what came out of a run.
type Result struct {
	Envelope directive.Envelope // its Text is never longer than the registry allows
	Attempts []Attempt
	Warnings []*ui.Error // of the requests and of the answer that was taken
}

// run is one run on its way.
type run struct {
	ctx    context.Context
	until  time.Time // attempts end here; zero = with ctx
	model  llm.Model
	cfg    Config
	req    llm.Request
	deltas *deltaWriter // nil: nothing streams
	result Result
}

func start(ctx context.Context, m llm.Model, c Config, system string, in Input) *run {
	return &run{ctx: ctx, model: m, cfg: c, req: compose(c, capabilities(m), system, in)}
}

// stream has the answers of a model that streams passed on as they come.
func (r *run) stream() {
	r.deltas = &deltaWriter{emit: r.cfg.OnText}
	if r.cfg.OnText != nil && capabilities(r.model).Streaming {
		r.req.Stream, r.req.OnText = true, r.deltas.write
	}
}

// whole asks for answers in one piece from here on, because of what became of a stream.
func (r *run) whole(fault *ui.Error) {
	r.warn(fault)
	r.req.Stream, r.req.OnText = false, nil
}

// ask makes one attempt and records it.
func (r *run) ask(mode Mode, repair bool) (llm.Reply, *ui.Error) {
	began := r.cfg.Now()
	ctx := r.ctx
	if !r.until.IsZero() {
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(ctx, r.until)
		defer cancel()
	}
	reply, err := r.model.Ask(ctx, r.req)
	for _, w := range reply.Warnings {
		r.warn(w)
	}
	a := Attempt{Mode: mode, Repair: repair, Ms: r.cfg.Now().Sub(began).Milliseconds(), Usage: reply.Usage,
		Estimate: r.req.Tokens + llm.Tokens(reply.Text), Sent: reply.Sent}
	if said := r.req.Messages; repair {
		last := len(said) - 1
		if a.Request = (&Repair{Asked: said[last].Text}); last > 0 && said[last-1].Role == llm.RoleAssistant {
			a.Request.Answer = said[last-1].Text
		}
	}
	fault := r.coded(err)
	if fault != nil {
		a.Code = fault.Code
		if unread(fault.Code) && (r.deltas == nil || !r.deltas.received) {
			a.Estimate = 0
		}
	}
	r.result.Attempts = append(r.result.Attempts, a)
	return reply, fault
}

// unread reports a fault of a request that no model read, unless a part of an answer came.
func unread(code ui.Code) bool {
	switch code {
	case llm.CodeUnavailable, llm.CodeRateLimited, llm.CodeAuth, llm.CodeUnsupported, llm.CodeTooLong,
		llm.CodeRequestBroken:
		return true
	}
	return false
}

// note sets the code of the last attempt once its answer is judged.
func (r *run) note(code ui.Code) { r.result.Attempts[len(r.result.Attempts)-1].Code = code }

// warn keeps a warning once: every attempt repeats those of the request.
func (r *run) warn(w *ui.Error) {
	if !slices.ContainsFunc(r.result.Warnings,
		func(have *ui.Error) bool { return have.Code == w.Code && have.Path == w.Path }) {
		r.result.Warnings = append(r.result.Warnings, w)
	}
}

// coded gives every error of a model a code.
func (r *run) coded(err error) *ui.Error {
	if err == nil {
		return nil
	}
	var e *ui.Error
	switch {
	case errors.As(err, &e):
		return e
	case errors.Is(err, context.Canceled):
		return &ui.Error{Code: llm.CodeCanceled, Message: "the request was given up", Err: err}
	case errors.Is(err, context.DeadlineExceeded) || r.ctx.Err() != nil:
		return &ui.Error{Code: llm.CodeTimeout, Message: "the model did not answer in time", Err: err}
	}
	return &ui.Error{Code: llm.CodeUnavailable, Message: "the model failed", Err: err}
}

// refusesForm reports a server that refuses how it is asked, as opposed to whom
// and what.
func refusesForm(e *ui.Error) bool {
	return e.Code == llm.CodeUnsupported && e.Path != "/model" && e.Path != "/messages"
}

// dropParam leaves out the parameter a server refused, if it was one of ours.
func (r *run) dropParam(e *ui.Error) bool {
	key := strings.TrimPrefix(e.Path, "/")
	if _, ok := r.req.Params[key]; !ok {
		return false
	}
	r.req.Params = maps.Clone(r.req.Params)
	delete(r.req.Params, key)
	r.warn(&ui.Error{Code: llm.CodeKeyDropped, Path: e.Path, Message: "refused by the server"})
	return true
}

// Chat asks for plain words: no directives, no structure. The text is at most
// 32 KiB; it is never empty without an error. Errors have codes of package llm.
// A stream that is refused, that cannot be read, or that breaks after it began to
// speak is asked once more, whole.
func Chat(ctx context.Context, m llm.Model, c Config, in Input) (text string, _ Result, err error) {
	c = c.withDefaults()
	ctx, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	r := start(ctx, m, c, chatSystem(c), in)
	r.stream()
	for c.spent+len(r.result.Attempts) < MaxAttempts {
		r.deltas.reset(len(r.result.Attempts))
		reply, fault := r.ask(ModeChat, false)
		switch {
		case fault != nil && fault.Code == llm.CodeUnsupported && r.dropParam(fault):
			continue
		case fault != nil && r.req.Stream && (r.deltas.received || refusesForm(fault) ||
			fault.Code == llm.CodeReplyInvalid) && ctx.Err() == nil:
			r.whole(fault)
			continue
		case fault != nil:
			return "", r.result, fault
		}
		if e := reply.Check(); e != nil {
			r.note(e.Code)
			r.warn(e)
		}
		env, err := plainReader.Read(reply.Text)
		if err != nil { // empty, or unwanted JSON
			r.note(ui.CodeOf(err))
			r.warn(asError(err))
			env.Text = c.Words.Say("turn.failed")
		}
		r.result.Envelope.Text = env.Text
		return env.Text, r.result, nil
	}
	return "", r.result, ui.Errorf(llm.CodeUnsupported, "", "no request that the server takes")
}

// plainReader reads an answer that should be plain words: of an envelope it
// keeps the text.
var plainReader = func() *directive.Registry {
	r, err := directive.New()
	if err != nil {
		panic(err) // no declarations, no fault
	}
	return r.With(directive.Options{Size: 4 << 20})
}()

func asError(err error) *ui.Error { return ui.AsError(err, llm.CodeReplyInvalid, "") }

// capabilities of a model; one that does not say is taken to know everything.
func capabilities(m llm.Model) llm.Capabilities {
	if c, ok := m.(llm.Capable); ok {
		return c.Capabilities()
	}
	return llm.Capabilities{JSONSchema: true, JSONObject: true, Streaming: true}
}
