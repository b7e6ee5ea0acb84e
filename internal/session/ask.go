package session

import (
	"context"
	"errors"
	"runtime/debug"
	"time"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/agent"
	"github.com/limn-ui/limn/internal/directive"
	"github.com/limn-ui/limn/internal/route"
	"github.com/limn-ui/limn/internal/turn"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/trace"
	"github.com/limn-ui/limn/ui"
)

// asking is what a turn knows of its model run. The model of a message answers the
// message; the model of an action answers an event of its own (ui.EventReply), which
// is recorded before the action's frame commits and has a frame of its own. So the
// action counts from the moment it was admitted, whatever happens while the model
// thinks. Meanwhile the mailbox is free; the reply meets the state as it is then.
type asking struct {
	permit   *permit         // of the run, from before the event is recorded
	reply    *turn.Reply     // kept for another try
	heard    string          // the text that was streamed before the run ended
	decision *route.Decision // what routing said about the message
	router   bool            // the routing model is asked first
	chat     bool            // the routing model was asked, and the chat model is next
	run      string          // how the model is asked, as the app declares it
	loop     *loop           // what is known of the calls of tools, for another try in this process
}

const replySuffix = ".reply"

// waitsForModel reports a plan whose event is answered by a model's reply.
func (t *Turn) waitsForModel(p turn.Plan) bool {
	return p.Ask.Prompt != "" && t.event.Kind != ui.EventAction
}

// ask starts the model run of a plan.
func (t *Turn) ask(p turn.Plan) Receipt {
	t.asking.decision, t.asking.run = p.Decision, p.Ask.Run
	if _, routed := t.in.(turn.Routed); routed { // its run goes on with the chat model
		t.asking.chat = true
		return Receipt{}
	}
	t.asking.router, t.pending = p.Ask.Router, t.run
	return t.startRun(p.Ask.Prompt)
}

// recordReply records the event of the model's reply to an action, before the
// action's frame. Its id comes from the action's, so a turn that starts again finds
// it.
func (t *Turn) recordReply(ctx context.Context, p turn.Plan, step turn.Step) error {
	if p.Ask.Prompt == "" || t.event.Kind != ui.EventAction || step.Frame.Outcome.Kind != ui.OutcomeDone || t.reply != nil {
		return nil
	}
	e := &ui.Event{V: ui.Version, ID: t.event.ID + replySuffix, Kind: ui.EventReply, At: t.event.At,
		Principal: t.event.Principal, User: t.event.User, Text: p.Ask.Prompt, Sums: p.Ask.Sums, Run: p.Ask.Run,
		Retry: p.Ask.Retry}
	reply := &Turn{c: t.c, in: turn.Received{Event: e}, event: e, record: recordOf(e, "")}
	switch _, err := reply.claim(ctx); {
	case errors.Is(err, errTaken): // by the node that had the action before, and releases it
		return store.ErrLeased
	case err != nil:
		return err
	}
	reply.recorded, t.reply = true, reply
	reply.tally.turn.Request = t.tally.turn.Request
	return nil
}

// startReply starts the model run that follows an action's frame, or ends its event
// if the action does not count after all.
func (t *Turn) startReply(ctx context.Context, rec Receipt) {
	reply := t.reply
	if reply == nil {
		return
	}
	run := reply.begin()
	if rec.Outcome.Kind != ui.OutcomeDone {
		reply.drop(ctx, rec.Outcome)
		return
	}
	if t.place.give != nil {
		t.place.kept, reply.place.give = true, t.place.give
	}
	reply.asking.run, reply.asking.permit, t.asking.permit = reply.event.Run, t.asking.permit, nil
	reply.startRun(reply.event.Text)
	t.pending = run
}

// drop ends the reply to an action that did not count.
func (t *Turn) drop(ctx context.Context, action ui.Outcome) {
	t.in = turn.Dropped{Event: t.event, Outcome: action}
	_, _, _ = t.do(ctx)
}

// startRun starts the model run of a recorded event. Without a permit the event was
// recorded earlier: its run is never refused.
func (t *Turn) startRun(prompt string) Receipt {
	c := t.c
	if t.asking.permit == nil || t.asking.permit.handed { // by an earlier run
		t.asking.permit = c.svc.runs.resumed(t.event.Principal)
	}
	permit := t.asking.permit
	permit.handed = true
	ctx, cancel := context.WithCancelCause(trace.WithRequest(c.svc.work.stop, t.tally.turn.Request))
	c.mu.Lock()
	t.run.asking, t.run.cancel = true, cancel
	if t.run.canceled { // before it began
		cancel(errCanceled)
	}
	c.mu.Unlock()
	seq := c.head().Seq
	give := t.place.give
	t.place.give, t.place.kept = nil, give != nil
	c.svc.work.Go(func() { // Close waits for it; it ends at the latest after AskTime
		defer permit.release()
		defer cancel(nil)
		if t.leases.event != nil {
			t.watchCancel(ctx, cancel)
		}
		if give != nil {
			defer give()
		}
		defer permit.begin(ctx)()
		ctx, stop := context.WithTimeout(ctx, c.svc.cfg.AskTime)
		defer stop()
		t.runModel(ctx, prompt)
	})
	return Receipt{Event: t.event.ID, Seq: seq}
}

// runModel asks the routing model and the model, and brings the reply to its turn.
func (t *Turn) runModel(ctx context.Context, prompt string) {
	if t.asking.router && t.askRouter(ctx) {
		return
	}
	notes, err := t.journal().notes(ctx)
	if err != nil && ctx.Err() == nil { // it may hold the reply
		t.scheduleRetry(storeError("read journal", err))
		return
	}
	r, failed := t.asking.reply, (*ui.Error)(nil)
	if r == nil {
		r, failed = t.askModel(ctx, prompt, notes)
	}
	if text := t.c.svc.deltas.end(t.c.info.ID, t.event.ID); text != "" {
		t.asking.heard = text
	}
	if t.interrupted(ctx) {
		return
	}
	t.asking.reply = r // for another try
	defer t.c.takeTurn()()
	t.in = turn.Replied{Event: t.event, Reply: r, Failed: failed, Heard: t.asking.heard, Run: t.asking.run,
		Decision: t.asking.decision}
	_, _, _ = t.do(context.WithoutCancel(ctx)) // a recorded event has no error
}

// askRouter asks the routing model about a message that no rule decides, and lets
// the message go on by its answer. It reports whether the message is answered; else
// the chat model gets it.
func (t *Turn) askRouter(ctx context.Context) (answered bool) {
	a := t.proposal(ctx)
	switch {
	case t.interrupted(ctx):
		return true
	case errors.Is(context.Cause(ctx), errCanceled):
		return false // said in one place
	}
	defer t.c.takeTurn()()
	t.in = turn.Routed{Event: t.event, Answer: a}
	t.asking.chat = false
	_, _, _ = t.do(context.WithoutCancel(ctx)) // a recorded event has no error
	return !t.asking.chat
}

// proposal is the routing model's answer, from the journal if it was asked before,
// or nil: then the message is chat.
func (t *Turn) proposal(ctx context.Context) (a *route.Answer) {
	cfg := t.c.svc.cfg
	defer func() {
		if p := recover(); p != nil {
			cfg.Log.ErrorContext(ctx, "panic in the routing model", "conversation", t.c.info.ID, "event", t.event.ID,
				"panic", trace.QuietPanic(p), "stack", string(debug.Stack()))
			a = nil
		}
	}()
	notes, _ := t.journal().notes(ctx)
	if len(notes) > 0 && notes[0].Kind == noteRoute {
		return notes[0].Route
	}
	ac := agent.Config{Timeout: cfg.RouteTime, Now: cfg.Now}
	began := time.Now()
	answer, err := agent.Route(ctx, cfg.Router, ac, t.c.head().Router, t.event.Text)
	t.ran("route", trace.ModeNone, cfg.Router, ac, agent.Result{}, err, time.Since(began))
	if ctx.Err() != nil {
		return nil
	}
	n := note{Kind: noteRoute, Route: &answer}
	if err != nil {
		cfg.Log.WarnContext(ctx, "routing model failed", "conversation", t.c.info.ID, "event", t.event.ID, "err",
			trace.Quiet(err))
		n = note{Kind: noteRoute, Code: ui.CodeOf(err)}
	}
	t.remember(ctx, 0, n)
	return n.Route
}

// interrupted reports a model run that does not end here. Its event is recorded,
// and not answered.
func (t *Turn) interrupted(ctx context.Context) bool {
	switch cause := context.Cause(ctx); {
	case errors.Is(cause, errClosing):
		t.releaseEvent() // another node, or the next start, resumes it
	case errors.Is(cause, errTaken):
		t.handOver()
	case ui.CodeOf(cause) == CodeStore: // the journal cannot be kept
		t.scheduleRetry(cause)
	default:
		return false
	}
	return true
}

// deltaWriter takes the pieces of the answer as they come.
func (t *Turn) deltaWriter() func(try int, piece string) {
	return t.c.svc.deltas.writer(t.c.info.ID, t.event.ID)
}

// askModel asks the model, or finds its reply in the journal.
func (t *Turn) askModel(ctx context.Context, prompt string, notes []note) (r *turn.Reply, failed *ui.Error) {
	defer func() {
		if p := recover(); p != nil {
			t.c.svc.cfg.Log.ErrorContext(ctx, "panic in a model run", "conversation", t.c.info.ID, "event", t.event.ID,
				"panic", trace.QuietPanic(p), "stack", string(debug.Stack()))
			r, failed = nil, &ui.Error{Code: CodeTurnFailed, Message: "the model run panicked"}
		}
	}()
	for _, n := range notes {
		switch {
		case n.Reply != nil:
			t.tally.turn.Mode, t.tally.turn.LLM = modes[t.asking.run],
				append(t.tally.turn.LLM, trace.Run{For: "reply", Journal: true})
			return n.Reply, nil
		case n.Kind == noteCancel:
			return nil, &ui.Error{Code: CodeCanceled, Message: "canceled by the user"}
		}
	}
	cfg := t.c.svc.cfg
	if t.event.Sums != "" {
		return t.sumUp(ctx, len(notes)), nil
	}
	if cfg.Model == nil {
		return &turn.Reply{Text: cfg.App.Config().Words.Say("chat.default")}, nil
	}
	in := agent.Input{State: t.c.head()}
	if t.event.Kind == ui.EventMessage || t.event.Retry {
		in.Text = prompt
	} else {
		in.Event = prompt
	}
	ac := agent.Config{
		Registry: t.c.svc.registry(), Instructions: cfg.App.Config().Instructions, Words: cfg.App.Config().Words,
		Timeout: cfg.AskTime, Now: cfg.Now, Rungs: &t.c.svc.ladder,
	}
	var res agent.Result
	var err error
	var l *loop
	switch t.asking.run {
	case app.RunChat:
		began := time.Now()
		ac.OnText = t.deltaWriter()
		_, res, err = agent.Chat(ctx, cfg.Model, ac, in)
		t.ran("reply", trace.ModeChat, cfg.Model, ac, res, err, time.Since(began))
	case app.RunTools, app.RunHybrid:
		res, l, err = t.withTools(ctx, notes, ac, in)
	default:
		began := time.Now()
		ac.OnText = t.deltaWriter()
		res, err = agent.Directives(ctx, cfg.Model, ac, in)
		t.ran("reply", trace.ModeDirectives, cfg.Model, ac, res, err, time.Since(began))
	}
	if errors.Is(context.Cause(ctx), errCanceled) {
		return nil, &ui.Error{Code: CodeCanceled, Message: "canceled by the user"}
	}
	unknown := l != nil && l.unknown
	if err != nil {
		cfg.Log.WarnContext(ctx, "model run failed", "conversation", t.c.info.ID, "event", t.event.ID, "err",
			trace.Quiet(err))
		if unknown {
			return nil, &ui.Error{Code: CodeEffect, Message: "a tool may have been carried out, and the model failed",
				Err: err}
		}
		return nil, turn.AsError(err)
	}
	r = &turn.Reply{Text: res.Envelope.Text, Directives: res.Envelope.Directives}
	for _, w := range res.Warnings {
		r.Warnings = append(r.Warnings, stored(w))
	}
	if unknown {
		r.Text = cfg.Recovery.For(CodeEffect).Title + "\n\n" + r.Text
		r.Warnings = append(r.Warnings, ui.Error{Code: CodeEffect, Message: "a tool may have been carried out"})
	}
	r.Text = t.c.svc.env.Fit(r.Text)
	if n := (note{Kind: noteReply, Reply: r}); l != nil {
		l.keep(ctx, n)
	} else {
		t.remember(ctx, len(notes), n)
	}
	return r, nil
}

// modes names runs in traces.
var modes = map[string]trace.Mode{"": trace.ModeDirectives, app.RunDirectives: trace.ModeDirectives,
	app.RunChat: trace.ModeChat, app.RunTools: trace.ModeToolLoop, app.RunHybrid: trace.ModeHybrid}

// registry is what a model may say; in strict mode nothing of it is bent into
// shape.
func (s *Service) registry() *directive.Registry {
	reg := s.cfg.App.Registry()
	if s.cfg.Strict {
		return reg.With(directive.Options{Strict: true})
	}
	return reg
}

// remember writes a model's answer to the journal, so that a turn that starts
// again does not ask again.
func (t *Turn) remember(ctx context.Context, step int, n note) {
	if err := t.journal().write(context.WithoutCancel(ctx), step, n); err != nil && !errors.Is(err, store.ErrExists) {
		t.c.svc.cfg.Log.WarnContext(ctx, "journal", "conversation", t.c.info.ID, "err", trace.Quiet(err))
	}
}

// sumUp asks the model to sum up what a worksheet captured. Where it does not, the
// rows are counted.
func (t *Turn) sumUp(ctx context.Context, step int) *turn.Reply {
	cfg, s := t.c.svc.cfg, t.c.head()
	in := agent.Input{State: s, Event: t.event.Text}
	if sf := s.Surface(t.event.Sums); sf != nil {
		in.Data, _ = s.Committed.Get(sf.Origin.Template)
	}
	r := &turn.Reply{}
	if cfg.Model != nil && !in.Data.IsNull() {
		ac := agent.Config{Instructions: cfg.App.Config().Instructions, Words: cfg.App.Config().Words,
			Timeout: cfg.AskTime, Now: cfg.Now, OnText: t.deltaWriter()}
		began := time.Now()
		text, res, err := agent.Chat(ctx, cfg.Model, ac, in)
		t.ran("summary", trace.ModeChat, cfg.Model, ac, res, err, time.Since(began))
		if err != nil {
			cfg.Log.WarnContext(ctx, "summary failed", "conversation", t.c.info.ID, "event", t.event.ID, "err",
				trace.Quiet(err))
			r.Warnings = []ui.Error{stored(turn.AsError(err))}
		}
		r.Text = t.c.svc.env.Fit(text)
	}
	if r.Text == "" {
		r.Text = turn.Summary(t.env(), s, t.event)
	}
	if ctx.Err() == nil {
		t.remember(ctx, step, note{Kind: noteReply, Reply: r})
	}
	return r
}
