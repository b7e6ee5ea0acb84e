// Package modelrun asks an application's models about one recorded event: the routing
// model, the chat model, and the chat model with tools.
//
// In: an event, the state, and the event's journal. Out: a reply, of which package turn
// makes a frame. Each answer and each call of a tool is in the journal before anything
// depends on it, so a run that starts again, here or on another node, replays the
// journal and goes on from its end. It commits nothing and holds no lease.
//
//	Route ─▶ journal, else the routing model ─▶ *route.Answer
//	Ask ───▶ journal, else words, directives, tools or both ─▶ *agent.Reply
//	             tools.go: the tools offered and called; replay.go: their journal
package modelrun

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"maps"
	"runtime/debug"
	"slices"
	"time"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/agent"
	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/directive"
	"github.com/limn-ui/limn/internal/files"
	"github.com/limn-ui/limn/internal/journal"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/internal/logs"
	"github.com/limn-ui/limn/internal/metric"
	"github.com/limn-ui/limn/internal/outbox"
	"github.com/limn-ui/limn/internal/recovery"
	"github.com/limn-ui/limn/internal/route"
	"github.com/limn-ui/limn/internal/turntrace"
	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/trace"
	"github.com/limn-ui/limn/ui"
)

// Config is what all runs of a server share.
type Config struct {
	App       *app.App
	Model     llm.Model      // nil: a fixed answer
	Agents    Agents         // that answer in its place where a run names some; nil: none
	Params    map[string]any // sent with each request to Model: temperature, …
	Router    llm.Model      // asked by Route
	MCP       MCP            // nil: tools of MCP servers are not offered
	Webhook   outbox.PostFunc
	Recovery  recovery.Table
	Strict    bool                              // no directive is coerced
	Fit       func(text string) string          // shortens a text to the size a transcript takes
	Files     store.Blobs                       // the uploads of conversations
	Summary   func(*ui.State, *ui.Event) string // of the rows, where the model has none
	Timeout   time.Duration                     // of one call of a tool
	AskTime   time.Duration                     // of all requests to Model for one event, with the calls between
	RouteTime time.Duration                     // of one request to Router
	Ladders   *agent.LadderCache
	Deltas    *conversation.Deltas // takes the text while it comes
	Writer    func() string        // a name for who writes an intent, another one each time
	Stop      context.Context      // ends when the server cuts off what still runs
	Now       func() time.Time
	Meter     trace.Meter
	Log       *slog.Logger
}

// Run is the model run of one event. It is kept for another try, which finds the
// calls of tools so far. Not safe for concurrent use.
type Run struct {
	*Config
	Conversation  string
	Event         *ui.Event
	Mode          string // how the model is asked, as the app declares it
	Journal       journal.Journal
	State         func() *ui.State                      // the newest one
	Cancel        func(error)                           // ends the context of the run
	Spend         func(tokens int64)                    // counts them for the principal
	Trace         *turntrace.Turn                       // notes the requests
	CommitPartial func(context.Context, *ui.Event) bool // keeps what an agent shows before its answer ends

	Saw *ui.State // in the model's prompt; nil: it was not asked

	loop *loop // the calls of tools so far
}

// log is for lines about this run.
func (r *Run) log() *slog.Logger {
	return r.Log.With("conversation", r.Conversation, "event", r.Event.ID)
}

// Route returns the routing model's answer, from the journal if it was asked before.
// Nil means that the message is chat: the model failed, panicked, or ctx ended.
func (r *Run) Route(ctx context.Context) *route.Answer {
	notes, _ := r.Journal.Notes(ctx)
	if len(notes) > 0 && notes[0].Kind == journal.KindRoute {
		return notes[0].Route
	}
	var answer route.Answer
	err := r.askRouter(ctx, func(cfg agent.Config) (res agent.Result, err error) {
		answer, res, err = agent.Route(ctx, r.Router, cfg, r.State().Router, r.Event.Text)
		return res, err
	})
	if ctx.Err() != nil {
		return nil
	}
	n := journal.Note{Kind: journal.KindRoute, Route: &answer}
	if err != nil {
		n = journal.Note{Kind: journal.KindRoute, Code: ui.CodeOf(err)}
	}
	r.remember(ctx, 0, n)
	return n.Route
}

// askRouter asks the routing model. A panic of it is an error.
func (r *Run) askRouter(ctx context.Context, ask func(agent.Config) (agent.Result, error)) (err error) {
	defer func() {
		if p := recover(); p != nil {
			r.panicked(ctx, "panic in the routing model", p)
			err = &ui.Error{Code: route.CodeModel, Message: "the routing model panicked"}
		}
	}()
	cfg, began := agent.Config{Timeout: r.RouteTime, Now: r.Now}, time.Now()
	res, err := ask(cfg)
	r.ran("route", turntrace.ModeNone, r.Router, res, err, time.Since(began))
	if err != nil && ctx.Err() == nil {
		r.log().WarnContext(ctx, "routing model failed", "err", logs.Quiet(err))
	}
	return err
}

func (r *Run) panicked(ctx context.Context, message string, p any) {
	r.log().ErrorContext(ctx, message, "panic", logs.QuietPanic(p), "stack", string(debug.Stack()))
}

// Ask asks the model, or finds its reply in notes, the journal. A run whose ctx ends
// returns a reply or an error that does not count.
func (r *Run) Ask(ctx context.Context, prompt string, notes []journal.Note) (reply *agent.Reply, failed *ui.Error) {
	defer func() {
		if p := recover(); p != nil {
			r.panicked(ctx, "panic in a model run", p)
			reply, failed = nil, r.loop.failed(&ui.Error{Code: agent.CodeTurnFailed, Message: "the model run panicked"})
		}
	}()
	for _, n := range notes {
		switch {
		case n.Reply != nil:
			r.Trace.Mode, r.Trace.LLM = modes[r.Mode], append(r.Trace.LLM, turntrace.Run{For: "reply", Journal: true})
			return n.Reply, nil
		case n.Kind == journal.KindCancel:
			return nil, canceled()
		}
	}
	if r.Event.Sums != "" {
		return r.sumUp(ctx, len(notes)), nil
	}
	if reply, failed, ok := r.askNamed(ctx, prompt, notes); ok {
		return reply, failed
	}
	if r.Model == nil {
		return &agent.Reply{Text: r.App.Config().Words.Say("chat.default")}, nil
	}
	res, l, err := r.ask(ctx, prompt, notes)
	if errors.Is(context.Cause(ctx), journal.ErrCanceled) {
		return nil, canceled()
	}
	if err != nil {
		r.log().WarnContext(ctx, "model run failed", "err", logs.Quiet(err))
		return nil, l.failed(err)
	}
	reply = &agent.Reply{Text: res.Envelope.Text, Directives: res.Envelope.Directives}
	if l != nil {
		reply.Calls, reply.Found = l.found.Client, l.found.Brought()
	}
	for _, w := range res.Warnings {
		reply.Warnings = append(reply.Warnings, journal.Warning(w))
	}
	if l != nil && l.unknown {
		reply.Text = r.Recovery.For(agent.CodeEffectUnknown).Title + "\n\n" + reply.Text
		reply.Warnings = append(reply.Warnings,
			ui.Error{Code: agent.CodeEffectUnknown, Message: "a tool may have been carried out"})
	}
	reply.Text = r.Fit(reply.Text)
	if n := (journal.Note{Kind: journal.KindReply, Reply: reply, Repairs: agent.Repairs(res.Attempts)}); l != nil {
		l.keep(ctx, n)
	} else {
		r.remember(ctx, len(notes), n)
	}
	return reply, nil
}

func asError(err error) *ui.Error { return ui.AsError(err, agent.CodeTurnFailed, "unexpected") }

func canceled() *ui.Error {
	return &ui.Error{Code: agent.CodeTurnCanceled, Message: journal.ErrCanceled.Error()}
}

// ask asks the model in the run's mode. The loop is nil for a run without tools.
func (r *Run) ask(ctx context.Context, prompt string, notes []journal.Note) (res agent.Result, l *loop, err error) {
	in, cfg := agent.Input{State: r.State()}, r.asking()
	if r.loop == nil { // else answers of an earlier try count: the model gave them having seen less
		r.Saw = in.State
	}
	in.Files = r.files(ctx, in.State)
	if r.Event.Kind == ui.EventMessage || r.Event.Retry {
		in.Text = prompt
	} else {
		in.Event, in.Data = prompt, r.Event.Data
	}
	if r.Event.Results.Kind == jsonx.Array {
		in.Data = agent.WithResults(&in.State.Router, r.Event.Results)
	}
	client, err := agent.ClientTools(r.Event.Tools)
	if err != nil {
		return res, nil, err
	}
	if len(client) > 0 && r.Mode == app.RunChat {
		r.Mode = app.RunTools
	} else if len(client) > 0 && r.Mode != app.RunTools {
		r.Mode = app.RunHybrid
	}
	cfg.Registry, cfg.Ladders = r.registry(), r.Ladders
	began := time.Now()
	switch r.Mode {
	case app.RunTools, app.RunHybrid:
		return r.withTools(ctx, notes, cfg, in, client)
	case app.RunChat:
		_, res, err = agent.Chat(ctx, r.Model, cfg, in)
	default:
		res, err = agent.Directives(ctx, r.Model, cfg, in)
	}
	r.ran("reply", modes[r.Mode], r.Model, res, err, time.Since(began))
	return res, nil, err
}

// maxFiles is how many uploads a model is shown.
const maxFiles = 4

// files reads the uploads that a state names: those of the event, then those that were
// attached or submitted, the last first.
func (r *Run) files(ctx context.Context, s *ui.State) (list []files.Shown) {
	ids := files.In(r.Event.Data)
	for _, sf := range slices.Backward(s.Surfaces) {
		ids = append(ids, files.In(sf.Draft)...)
	}
	for _, p := range slices.Backward(s.Committed.Pairs()) {
		ids = append(ids, files.In(p.Value)...)
	}
	seen := map[string]bool{}
	for _, id := range ids {
		if seen[id] || len(list) == maxFiles {
			continue
		}
		seen[id] = true
		shown, err := files.Show(ctx, r.Files, r.Conversation, id)
		switch {
		case err == nil:
			list = append(list, shown)
		case !errors.Is(err, store.ErrNotFound):
			r.log().WarnContext(ctx, "a file cannot be shown to the model", "file", id, "err", logs.Quiet(err))
		}
	}
	return list
}

// asking is how the chat model is asked.
func (r *Run) asking() agent.Config {
	c := r.App.Config()
	return agent.Config{Instructions: c.Instructions, Words: c.Words, Params: r.Params, Timeout: r.AskTime, Now: r.Now,
		OnText: r.Deltas.Writer(r.Conversation, r.Event.ID)}
}

// modes names runs in traces.
var modes = map[string]turntrace.Mode{"": turntrace.ModeDirectives, app.RunDirectives: turntrace.ModeDirectives,
	app.RunChat: turntrace.ModeChat, app.RunTools: turntrace.ModeToolLoop, app.RunHybrid: turntrace.ModeHybrid}

// registry lists the directives a model may use; in strict mode none is coerced.
func (r *Run) registry() *directive.Registry {
	reg := r.App.Registry()
	if r.Strict {
		return reg.With(directive.Options{Strict: true})
	}
	return reg
}

// remember writes a model's answer to the journal, so that a turn that starts
// again does not ask again.
func (r *Run) remember(ctx context.Context, step int, n journal.Note) {
	if err := r.Journal.Write(context.WithoutCancel(ctx), step, n); err != nil && !errors.Is(err, store.ErrExists) {
		r.log().WarnContext(ctx, "journal", "err", logs.Quiet(err))
	}
}

// sumUp asks the model to sum up the rows of a worksheet. If it does not, the rows
// are counted.
func (r *Run) sumUp(ctx context.Context, step int) *agent.Reply {
	s := r.State()
	in := agent.Input{State: s, Event: r.Event.Text}
	if sf := s.Surface(r.Event.Sums); sf != nil {
		in.Data, _ = s.Committed.Get(sf.Origin.Template)
	}
	reply := &agent.Reply{}
	if r.Model != nil && !in.Data.IsNull() {
		cfg := r.asking()
		began := time.Now()
		text, res, err := agent.Chat(ctx, r.Model, cfg, in)
		r.ran("summary", turntrace.ModeChat, r.Model, res, err, time.Since(began))
		if err != nil {
			r.log().WarnContext(ctx, "summary failed", "err", logs.Quiet(err))
			reply.Warnings = []ui.Error{journal.Warning(asError(err))}
		}
		reply.Text = r.Fit(text)
	}
	if reply.Text == "" {
		reply.Text = r.Summary(s, r.Event)
	}
	if ctx.Err() == nil {
		r.remember(ctx, step, journal.Note{Kind: journal.KindReply, Reply: reply})
	}
	return reply
}

// ran notes a request to a model.
func (r *Run) ran(what string, mode turntrace.Mode, model llm.Model, res agent.Result, err error, took time.Duration) {
	run := turntrace.Run{For: what, Code: ui.CodeOf(err)}
	var sent llm.Sent // in the last attempt
	for _, a := range res.Attempts {
		sent = a.Sent
		run.Parallel = cmp.Or(sent.ParallelTools, run.Parallel) // an answer after tools is asked for without them
	}
	run.Stream = sent.Stream
	for _, p := range r.Event.Data.Pairs() {
		run.Context = append(run.Context, p.Key)
	}
	if n, ok := model.(llm.Named); ok {
		run.Provider, run.Model = n.Name()
	}
	number := func(key string) *float64 {
		if f, ok := sent.Params[key].(float64); ok {
			return &f
		}
		return nil
	}
	run.Temperature, run.TopP, run.TopK = number("temperature"), number("top_p"), number("top_k")
	run.Seed = number("seed")
	if p, ok := sent.Params["provider"].(map[string]any); ok {
		run.Routing = slices.Sorted(maps.Keys(p))
	}
	for _, a := range res.Attempts {
		run.Attempts = append(run.Attempts, turntrace.Attempt{Format: string(a.Mode), Repair: a.Repair, Code: a.Code,
			Ms: float64(a.Ms), In: a.Usage.In, Out: a.Usage.Out})
	}
	r.Spend(tokensOf(res.Attempts))
	log := r.Trace
	log.LLM = append(log.LLM, run)
	log.Timing.LLM += turntrace.Ms(took)
	if mode == turntrace.ModeDirectives {
		log.Timing.Directives += turntrace.Ms(took)
	}
	if mode != turntrace.ModeNone && log.Mode != turntrace.ModeDirectives {
		log.Mode = mode
	}
	outcome := "done"
	switch {
	case run.Code == llm.CodeCanceled:
		outcome = "canceled"
	case err != nil:
		outcome = "failed"
	}
	r.Meter.Series(metric.ModelRuns, outcome).Add(1)
	r.Meter.Series(metric.ModelTime).Add(took.Seconds())
}

// tokensOf sums up the tokens of requests: reported, or estimated where the server
// did not say.
func tokensOf(attempts []agent.Attempt) (n int64) {
	for _, a := range attempts {
		n += a.Usage.In + a.Usage.Out
		if a.Usage == (llm.Usage{}) {
			n += int64(a.Estimate)
		}
	}
	return n
}
