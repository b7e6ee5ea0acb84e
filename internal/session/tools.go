package session

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/agent"
	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/internal/outbox"
	"github.com/limn-ui/limn/internal/schema"
	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/trace"
	"github.com/limn-ui/limn/ui"
)

// MCP is where tools of MCP servers are. Safe for concurrent use.
type MCP interface {
	// Tool says what a tool is for, and the JSON Schema of its arguments.
	Tool(ctx context.Context, server, tool string) (description string, schema []byte, err error)
	// Call calls it once and returns its text, of at most max bytes; above it the
	// error is agent.TooLarge. key is the same for every try of the same call. An
	// error that the server says is a *ui.Error.
	Call(ctx context.Context, server, tool, key string, args []byte, max int) (string, error)
}

// asked is one answer of a model in a run with tools, as the journal keeps it.
type asked struct {
	Text    string     `json:"text,omitempty"`
	Finish  llm.Finish `json:"finish,omitempty"`
	Calls   []llm.Call `json:"calls,omitempty"`
	Offered []string   `json:"offered,omitempty"` // in the first: the tools it could call
}

// loop is a run with tools, as the journal has it. It records the model's answers
// and the calls, and plays them back in that order when the run starts again. A note
// that cannot be written at once is owed, and written before the next call: nothing
// is called whose intent is not durable.
type loop struct {
	t       *Turn
	notes   []note // the journal; the last owed of them are not in the store yet
	owed    int
	met     map[int]bool // notes that this try has come by
	unsure  note         // an intent that may be written though nothing was called
	tools   map[string]toolbox
	offered []string
	unknown bool // a call may have been made: the answer says so
}

// toolbox is a model tool and the schema of its arguments.
type toolbox struct {
	app.ModelTool
	args *schema.Schema
}

// withTools lets the model call tools: by words alone, or in a hybrid run with
// directives. An error of the journal ends the run's context.
func (m *modelRun) withTools(ctx context.Context, notes []note, ac agent.Config,
	in agent.Input) (agent.Result, *loop, error) {
	if m.loop == nil {
		m.loop = &loop{t: m.t, notes: notes}
	}
	l, cfg := m.loop, m.t.c.svc.cfg
	l.met, l.unknown = map[int]bool{}, false
	offers, warnings := l.offers(ctx, in.State)
	run := agent.Loop{Tools: offers, Call: l.call, MaxResult: maxToolResult}
	began := time.Now()
	var res agent.Result
	var found agent.Found
	var err error
	mode := trace.ModeHybrid
	if m.run == app.RunTools {
		mode, ac.OnText, run.Answer = trace.ModeToolLoop, m.deltaWriter(), m.t.c.svc.deltas.Subscribed(m.t.c.info.ID)
		_, res, found, err = agent.Tools(ctx, journaled{l, cfg.Model}, ac, run, in)
	} else {
		ac.OnText = m.deltaWriter()
		res, found, err = agent.Hybrid(ctx, journaled{l, cfg.Model}, ac, run, in)
	}
	took := time.Since(began)
	res.Warnings = append(warnings, res.Warnings...)
	m.ran("reply", mode, cfg.Model, ac, res, err, took)
	m.looped(l, found, took)
	return res, l, err
}

// maxToolResult bounds what one call brings, in bytes.
const maxToolResult = 32 << 10

// offers lists the tools of this run: those that were offered before a crash, or
// those that are for now. One whose server cannot say what it takes is left out.
func (l *loop) offers(ctx context.Context, s *ui.State) (list []agent.Tool, warnings []*ui.Error) {
	a := l.t.c.svc.cfg.App
	declared := a.ModelTools(s)
	if i := slices.IndexFunc(l.notes, func(n note) bool { return n.Asked != nil }); i >= 0 {
		declared = slices.DeleteFunc(slices.Clone(a.Config().ModelTools),
			func(t app.ModelTool) bool { return !slices.Contains(l.notes[i].Asked.Offered, t.Name) })
	}
	l.tools, l.offered = map[string]toolbox{}, nil
	boxes, faults := make([]toolbox, len(declared)), make([]error, len(declared))
	var asking sync.WaitGroup // servers at once: one that is slow does not add to another
	for i, t := range declared {
		boxes[i] = toolbox{t, a.Arguments(t.Name)}
		if t.MCP != nil && (boxes[i].args == nil || t.Description == "") {
			asking.Go(func() { faults[i] = l.describe(ctx, &boxes[i]) })
		}
	}
	asking.Wait()
	for i, t := range declared {
		if err := faults[i]; err != nil {
			l.t.c.svc.cfg.Log.WarnContext(ctx, "tool is not offered", "conversation", l.t.c.info.ID, "tool", t.Name,
				"err",
				trace.Quiet(err))
			warnings = append(warnings, &ui.Error{Code: CodeToolAway,
				Message: "tool " + t.Name + " cannot be had right now"})
			continue
		}
		l.tools[t.Name] = boxes[i]
		l.offered = append(l.offered, t.Name)
		list = append(list, agent.Tool{Name: t.Name, Description: boxes[i].Description, Arguments: boxes[i].args,
			Repeat: t.Repeat})
	}
	return list, warnings
}

// CodeToolAway says that a tool was not offered, since its server does not say
// what it takes.
const CodeToolAway = agent.CodeToolAway

func (l *loop) describe(ctx context.Context, t *toolbox) error {
	cfg := l.t.c.svc.cfg
	if cfg.MCP == nil {
		return errors.New("no MCP client is configured")
	}
	ctx, cancel := context.WithTimeout(ctx, cfg.Timeout)
	defer cancel()
	description, raw, err := cfg.MCP.Tool(ctx, t.MCP.Server, t.MCP.Tool)
	if err != nil {
		return err
	}
	if t.Description == "" {
		t.Description = llm.Unmark(printable(description))
	}
	if t.args == nil {
		t.args, err = schema.CompileObject(raw)
	}
	return err
}

// printable is a server's text without characters that cannot be seen, such as those
// that turn the direction of writing or begin a terminal's command.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || unicode.IsPrint(r) {
			return r
		}
		return ' '
	}, s)
}

// journaled is a model whose answers are kept.
type journaled struct {
	l     *loop
	model llm.Model
}

// Capabilities implements llm.Capable.
func (m journaled) Capabilities() llm.Capabilities {
	if c, ok := m.model.(llm.Capable); ok {
		return c.Capabilities()
	}
	return llm.Capabilities{Keys: []string{"*"}, JSONSchema: true, JSONObject: true, Tools: true, Streaming: true}
}

// Name implements llm.Named.
func (m journaled) Name() (provider, model string) {
	if n, ok := m.model.(llm.Named); ok {
		return n.Name()
	}
	return "", ""
}

// Ask implements llm.Model.
func (m journaled) Ask(ctx context.Context, r llm.Request) (llm.Reply, error) {
	l := m.l
	for i, n := range l.notes {
		if n.Asked != nil && !l.met[i] {
			l.met[i] = true
			return llm.Reply{Text: n.Asked.Text, Finish: n.Asked.Finish, Calls: n.Asked.Calls}, ctx.Err()
		}
	}
	reply, err := m.model.Ask(ctx, r)
	if err != nil {
		return reply, err
	}
	l.keep(ctx, note{Kind: noteAsked, Asked: &asked{reply.Text, reply.Finish, reply.Calls, l.offered}})
	l.offered = nil
	return reply, nil
}

// call makes one call of a tool, at most once as far as the journal knows.
func (l *loop) call(ctx context.Context, name string, args []byte) (string, error) {
	t, sum := l.tools[name], sha256.Sum256(args)
	n := note{Kind: noteIntent, Name: name, Args: hex.EncodeToString(sum[:8])}
	step, result := l.recorded(n)
	earlier := step >= 0 // a call before this one may have been carried out
	switch {
	case result != nil:
		return l.again(result)
	case step >= 0 && !t.Idempotent:
		return l.again(l.keep(ctx, note{Kind: noteResult, Name: name, Code: CodeEffect,
			Error: "the call was begun before a crash; whether it was carried out is unknown"}))
	case step < 0:
		if !slices.ContainsFunc(l.t.c.svc.cfg.App.ModelTools(l.t.c.head()),
			func(t app.ModelTool) bool { return t.Name == name }) {
			return "", &ui.Error{Code: agent.CodeToolUnknown, Message: "this tool is not for now"}
		}
		var err error
		if step, err = l.intend(ctx, n); err != nil {
			l.stop(err)
			return "", err
		}
	}
	text, err := l.invoke(ctx, t, callKey(l.t.event, step), args)
	if t.Idempotent && unknown(err) && ctx.Err() == nil {
		earlier = true
		text, err = l.invoke(ctx, t, callKey(l.t.event, step), args)
	}
	if err != nil && (l.t.c.svc.work.stop.Err() != nil || errors.Is(context.Cause(ctx), errCanceled)) {
		return "", err // the next start makes the call, or the user has canceled the run
	}
	return l.again(l.keep(ctx, resultNote(name, text, err, earlier)))
}

// resultNote is the note of a call's result. Of an error only the text of a
// *ui.Error is for the model. If an earlier call under the same key may have been
// carried out, a call that did not reach the tool leaves that unknown.
func resultNote(name, text string, err error, earlier bool) note {
	n := note{Kind: noteResult, Name: name, Text: text}
	var said *ui.Error
	switch {
	case err == nil:
	case earlier && !errors.As(err, &said), earlier && said.Code == agent.CodeToolAway:
		n.Code, n.Error, n.Text = CodeEffect,
			"an earlier call was cut off and this one failed; whether the first was carried out is unknown", ""
	case errors.As(err, &said):
		n.Code, n.Error, n.Text = said.Code, strings.TrimSpace(said.Message+" "+said.Hint), ""
	case errors.Is(err, context.DeadlineExceeded):
		n.Code, n.Error = CodeEffect, "the call did not end in time; whether it was carried out is unknown"
	default:
		n.Code, n.Error = agent.CodeToolFailed, "the tool failed"
	}
	return n
}

// again gives a recorded result.
func (l *loop) again(n *note) (string, error) {
	if n.Code == "" {
		return n.Text, nil
	}
	l.unknown = l.unknown || n.Code == CodeEffect
	return "", &ui.Error{Code: n.Code, Message: n.Error}
}

// recorded finds a call in the journal that this try has not come by yet: its step,
// or -1, and its result, or nil.
func (l *loop) recorded(intent note) (step int, result *note) {
	for i, n := range l.notes {
		if n.Kind != noteIntent || l.met[i] || n.Name != intent.Name || n.Args != intent.Args {
			continue
		}
		l.met[i] = true
		for k := i + 1; k < len(l.notes) && l.notes[k].Kind != noteIntent; k++ {
			if l.notes[k].Kind == noteResult {
				return i, &l.notes[k]
			}
		}
		return i, nil
	}
	return -1, nil
}

// intend makes an intent durable and returns its step.
func (l *loop) intend(ctx context.Context, n note) (int, error) {
	if l.unsure.Name == n.Name && l.unsure.Args == n.Args {
		n = l.unsure
	} else {
		n.By = l.t.c.svc.ids.random(8)
	}
	l.notes, l.owed = append(l.notes, n), l.owed+1
	if err := l.write(ctx); err != nil {
		l.notes, l.owed, l.unsure = l.notes[:len(l.notes)-1], l.owed-1, n
		return 0, err
	}
	l.unsure = note{}
	l.met[len(l.notes)-1] = true
	return len(l.notes) - 1, nil
}

// keep notes what happened, now or before the next call.
func (l *loop) keep(ctx context.Context, n note) *note {
	l.notes, l.owed = append(l.notes, n), l.owed+1
	at := len(l.notes) - 1
	l.met[at] = true
	if err := l.write(ctx); err != nil {
		l.t.c.svc.cfg.Log.WarnContext(ctx, "journal", "conversation", l.t.c.info.ID, "err", trace.Quiet(err))
		if errors.Is(err, errTaken) || errors.Is(err, errCanceled) {
			l.stop(err)
		}
	}
	return &l.notes[at]
}

// write stores what is owed, in order. Where there is another note it is this
// process's, written by a try that seemed to fail; a cancel; or another node's, who
// has the event now.
func (l *loop) write(ctx context.Context) error {
	ctx = context.WithoutCancel(ctx)
	for ; l.owed > 0; l.owed-- {
		at := len(l.notes) - l.owed
		err := l.t.journal().write(ctx, at, l.notes[at])
		switch {
		case err == nil:
			continue
		case !errors.Is(err, store.ErrExists):
			return conversation.StoreError("write journal", err)
		}
		there, err := l.t.journal().notes(ctx)
		switch {
		case err != nil:
			return conversation.StoreError("read journal", err)
		case at < len(there) && sameNote(there[at], l.notes[at]):
		case at < len(there) && there[at].Kind == noteCancel:
			return errCanceled
		default:
			return errTaken
		}
	}
	return nil
}

// stop ends the run, because of its journal.
func (l *loop) stop(err error) {
	l.t.c.mu.Lock()
	defer l.t.c.mu.Unlock()
	if l.t.run.cancel != nil {
		l.t.run.cancel(err)
	}
}

// invoke runs a tool with a deadline and within its size; a panic is an error.
func (l *loop) invoke(ctx context.Context, t toolbox, key string, args []byte) (text string, err error) {
	cfg := l.t.c.svc.cfg
	ctx, cancel := context.WithTimeout(ctx, cfg.Timeout)
	defer cancel()
	began := time.Now()
	defer func() {
		if p := recover(); p != nil {
			err = toolPanic(p)
		}
		switch {
		case err != nil && ctx.Err() != nil:
			err = ctx.Err()
		case err == nil && len(text) > maxToolResult, outbox.TooLarge(err):
			text, err = "", agent.TooLarge(maxToolResult)
		}
		text = strings.ToValidUTF8(text, "\uFFFD")
		outcome := "done"
		if err != nil {
			outcome = "failed"
			cfg.Log.WarnContext(ctx, "tool failed", "conversation", l.t.c.info.ID, "tool", t.Name, "err",
				trace.Quiet(err))
		}
		cfg.Meter.Series(trace.ToolCalls, outcome).Add(1)
		cfg.Meter.Series(trace.ToolTime).Add(time.Since(began).Seconds())
	}()
	switch {
	case t.Func != nil:
		v, err := jsonx.Parse(args, jsonx.Limits{})
		if err != nil {
			return "", err
		}
		return run(ctx, t.Func, app.ToolCall{Key: key, Conversation: l.t.c.info.ID, Principal: principalOf(l.t.event),
			Tool: t.Name, Arguments: v, State: l.t.c.head()})
	case t.MCP != nil && cfg.MCP != nil:
		return cfg.MCP.Call(ctx, t.MCP.Server, t.MCP.Tool, key, args, maxToolResult)
	case t.Webhook != nil && cfg.Webhook != nil:
		body, err := json.Marshal(toolWebhook{key, l.t.c.info.ID, principalOf(l.t.event), t.Name, args})
		if err != nil {
			return "", err
		}
		answer, err := cfg.Webhook(ctx, *t.Webhook, key, body)
		return string(answer), err
	}
	return "", errors.New("no client is configured for this tool")
}

// run makes a call in Go. One that goes on after ctx ended is left to itself.
func run(ctx context.Context, f app.ToolFunc, call app.ToolCall) (string, error) {
	type result struct {
		text string
		err  error
	}
	done := make(chan result, 1)
	go func() {
		var r result
		defer func() {
			if p := recover(); p != nil {
				r = result{err: toolPanic(p)}
			}
			done <- r
		}()
		r.text, r.err = f(ctx, call)
	}()
	select {
	case r := <-done:
		return r.text, r.err
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

func toolPanic(p any) error {
	return &ui.Error{Code: agent.CodeToolPanic, Message: "the tool broke", Err: fmt.Errorf("panic: %v", p)}
}

// toolWebhook is the body of a tool's webhook (docs/tools.md). Its answer is the
// result as it is.
type toolWebhook struct {
	Key          string          `json:"key"`
	Conversation string          `json:"conversation"`
	Principal    string          `json:"principal,omitempty"`
	Tool         string          `json:"tool"`
	Arguments    json.RawMessage `json:"arguments"`
}

// looped notes the calls of a run with tools.
func (m *modelRun) looped(l *loop, found agent.Found, took time.Duration) {
	log := &m.t.tally.turn
	log.Rounds += found.Rounds
	log.Timing.ToolLoop += trace.Ms(found.Took)
	if m.run == app.RunHybrid {
		log.Timing.Directives += trace.Ms(took - found.Took)
	}
	for _, call := range found.Calls {
		one := trace.ToolCall{Tool: call.Tool, Ms: float64(call.Ms), Code: call.Code}
		if call.Code == "" {
			one.Bytes = len(call.Result)
		}
		switch box := l.tools[call.Tool]; {
		case box.Func != nil:
			one.By = "func"
		case box.Webhook != nil:
			one.By = "webhook"
		case box.MCP != nil:
			one.By = "mcp"
		}
		log.Tools = append(log.Tools, one)
	}
}
