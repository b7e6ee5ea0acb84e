package modelrun

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
	"github.com/limn-ui/limn/internal/fence"
	"github.com/limn-ui/limn/internal/files"
	"github.com/limn-ui/limn/internal/journal"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/internal/logs"
	"github.com/limn-ui/limn/internal/metric"
	"github.com/limn-ui/limn/internal/outbox"
	"github.com/limn-ui/limn/internal/schema"
	"github.com/limn-ui/limn/internal/turntrace"
	"github.com/limn-ui/limn/internal/work"
	"github.com/limn-ui/limn/ui"
)

// MCP is where tools of MCP servers are. Safe for concurrent use.
type MCP interface {
	// Tool returns the description of a tool, the JSON Schema of its arguments, and whether its server says that
	// it changes nothing.
	Tool(ctx context.Context, server, tool string) (description string, schema []byte, readOnly bool, err error)
	// Call calls it once and returns its text, of at most max bytes; above it the
	// error is agent.TooLarge. key is the same for every try of the same call. An
	// error that the server says is a *ui.Error.
	Call(ctx context.Context, server, tool, key string, args []byte, max int) (string, error)
}

// toolbox is a model tool and the schema of its arguments.
type toolbox struct {
	app.ModelTool
	args *schema.Schema
}

// withTools lets the model call tools: by words alone, or in a hybrid run with
// directives. An error of the journal ends the run's context.
func (r *Run) withTools(ctx context.Context, notes []journal.Note, cfg agent.Config,
	in agent.Input, client []agent.Tool) (res agent.Result, l *loop, err error) {
	if r.loop == nil {
		r.loop = &loop{r: r, notes: notes}
	}
	l = r.loop
	l.met, l.unknown, l.replayed = map[int]bool{}, false, 0
	offers, warnings := l.offers(ctx, in.State)
	for _, t := range client { // the application's own come first
		own := func(own app.ModelTool) bool { return own.Name == t.Name }
		if !slices.ContainsFunc(l.r.App.Config().ModelTools, own) {
			offers = append(offers, t)
		}
	}
	run := agent.Loop{Tools: offers, Call: l.call, MaxResult: maxToolResult}
	began := time.Now()
	var found agent.Found
	if r.Mode == app.RunTools {
		run.Answer = r.Deltas.Subscribed(r.Conversation)
		_, res, found, err = agent.Tools(ctx, journaled{l, r.Model}, cfg, run, in)
	} else {
		res, found, err = agent.Hybrid(ctx, journaled{l, r.Model}, cfg, run, in)
	}
	took := time.Since(began)
	for i := range min(l.replayed, len(res.Attempts)) { // the first: no model was asked
		res.Attempts[i].Estimate = 0
	}
	res.Warnings = append(warnings, res.Warnings...)
	r.ran("reply", modes[r.Mode], r.Model, res, err, took)
	l.found = found
	l.traced(found, took)
	return res, l, err
}

// maxToolResult bounds what one call brings, in bytes.
const maxToolResult = 32 << 10

// offers lists the tools of this run: those that were offered before a crash, or else
// those offered now. A tool whose server cannot describe its arguments is left out.
func (l *loop) offers(ctx context.Context, s *ui.State) (list []agent.Tool, warnings []*ui.Error) {
	a := l.r.App
	declared := a.ModelTools(s)
	if i := slices.IndexFunc(l.notes, func(n journal.Note) bool { return n.Asked != nil }); i >= 0 {
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
			l.r.log().WarnContext(ctx, "tool is not offered", "tool", t.Name, "err", logs.Quiet(err))
			warnings = append(warnings, &ui.Error{Code: agent.CodeToolAway,
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

func (l *loop) describe(ctx context.Context, t *toolbox) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = l.r.toolPanic(ctx, p)
		}
	}()
	if l.r.MCP == nil {
		return errors.New("no MCP client is configured")
	}
	ctx, cancel := context.WithTimeout(ctx, l.r.Timeout)
	defer cancel()
	description, raw, readOnly, err := l.r.MCP.Tool(ctx, t.MCP.Server, t.MCP.Tool)
	if err != nil {
		return err
	}
	t.ReadOnly = t.ReadOnly || readOnly
	if t.Description == "" {
		t.Description = fence.Unmark(printable(description))
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

// call makes one call of a tool, at most once as far as the journal knows.
func (l *loop) call(ctx context.Context, name string, args []byte) (string, error) {
	t, sum := l.tools[name], sha256.Sum256(args)
	intent := journal.Note{Kind: journal.KindIntent, Name: name, Args: hex.EncodeToString(sum[:8])}
	now := func(t app.ModelTool) bool { return t.Name == name }
	if l.begun(intent) < 0 && !slices.ContainsFunc(l.r.App.ModelTools(l.r.State()), now) {
		return "", &ui.Error{Code: agent.CodeToolUnknown, Message: "this tool is not for now"}
	}
	repeats := t.Idempotent || t.ReadOnly
	n, err := l.once(ctx, intent, repeats, func(step int, again bool) (journal.Note, error) {
		text, err := l.invoke(ctx, t, journal.CallKey(l.r.Event, step), args)
		if repeats && journal.Unknown(err) && ctx.Err() == nil {
			again = true
			text, err = l.invoke(ctx, t, journal.CallKey(l.r.Event, step), args)
		}
		if t.ReadOnly && journal.Unknown(err) { // there is nothing that it may have done
			err = ui.Errorf(agent.CodeToolFailed, "", "the tool did not answer")
		}
		return resultNote(text, err, again && !t.ReadOnly), err
	})
	if err != nil {
		return "", err
	}
	if n.Code == "" {
		return n.Text, nil
	}
	l.unknown = l.unknown || n.Code == agent.CodeEffectUnknown
	return "", &ui.Error{Code: n.Code, Message: n.Error}
}

// failed is the error of a run that ends without a reply. After a call that may have
// been carried out it is agent.CodeEffectUnknown: another run would make the call again,
// under another key. l is nil for a run without tools.
func (l *loop) failed(err error) *ui.Error {
	message := ""
	switch {
	case l == nil:
	case l.unknown:
		message = "a tool may have been carried out, and the model failed"
	case l.carriedOut():
		message = "tools were carried out, and the model failed"
	}
	if message == "" {
		return asError(err)
	}
	return &ui.Error{Code: agent.CodeEffectUnknown, Message: message, Err: err}
}

// carriedOut reports a call that ended well, in this try or an earlier one, of a tool that may change something: one
// that this process does not know counts.
func (l *loop) carriedOut() bool {
	return slices.ContainsFunc(l.notes, func(n journal.Note) bool {
		return n.Kind == journal.KindResult && n.Result == nil && !l.tools[n.Name].ReadOnly &&
			(n.Code == "" || n.Code == agent.CodeToolResult)
	})
}

// invoke runs a tool with a deadline and within its size; a panic is an error.
func (l *loop) invoke(ctx context.Context, t toolbox, key string, args []byte) (text string, err error) {
	ctx, cancel := context.WithTimeout(ctx, l.r.Timeout)
	defer cancel()
	began := time.Now()
	defer func() {
		if p := recover(); p != nil {
			err = l.r.toolPanic(ctx, p)
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
			l.r.log().WarnContext(ctx, "tool failed", "tool", t.Name, "err", logs.Quiet(err))
		}
		l.r.Meter.Series(metric.ToolCalls, outcome).Add(1)
		l.r.Meter.Series(metric.ToolTime).Add(time.Since(began).Seconds())
	}()
	switch {
	case t.Func != nil:
		v, err := jsonx.Parse(args, jsonx.Limits{})
		if err != nil {
			return "", err
		}
		return l.r.call(ctx, t.Func, app.ToolCall{Key: key, Conversation: l.r.Conversation,
			Principal: journal.Principal(l.r.Event), Tool: t.Name, Arguments: v,
			File: outbox.ReadFile(l.r.Files, l.r.Conversation), State: l.r.State()})
	case t.MCP != nil && l.r.MCP != nil:
		return l.r.MCP.Call(ctx, t.MCP.Server, t.MCP.Tool, key, args, maxToolResult)
	case t.Webhook != nil && l.r.Webhook != nil:
		attached, err := files.Attach(ctx, l.r.Files, l.r.Conversation, files.InArguments(args))
		if err != nil {
			return "", err
		}
		body, err := json.Marshal(toolWebhook{key, l.r.Conversation, journal.Principal(l.r.Event), t.Name, args,
			attached})
		if err != nil {
			return "", err
		}
		answer, err := l.r.Webhook(ctx, *t.Webhook, key, body)
		return string(answer), err
	}
	return "", errors.New("no client is configured for this tool")
}

// call makes a call in Go. One that goes on after ctx ended is left to itself.
func (r *Run) call(ctx context.Context, f app.ToolFunc, call app.ToolCall) (string, error) {
	return work.Call(ctx, 0, func() (text string, err error) {
		defer func() {
			if p := recover(); p != nil {
				err = r.toolPanic(ctx, p)
			}
		}()
		return f(ctx, call)
	})
}

func (r *Run) toolPanic(ctx context.Context, p any) error {
	r.panicked(ctx, "panic in a tool", p)
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

	Files []files.Attachment `json:"files,omitempty"` // the uploads that Arguments names
}

// traced notes the calls in the trace of the turn.
func (l *loop) traced(found agent.Found, took time.Duration) {
	log := l.r.Trace
	log.Rounds += found.Rounds
	log.Timing.ToolLoop += turntrace.Ms(found.Took)
	if l.r.Mode == app.RunHybrid {
		log.Timing.Directives += turntrace.Ms(took - found.Took)
	}
	for _, call := range found.Calls {
		one := turntrace.ToolCall{Tool: call.Tool, Ms: float64(call.Ms), Code: call.Code}
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
		case box.Name == "" && call.Tool != "":
			one.By = "client"
		}
		log.Tools = append(log.Tools, one)
	}
}
