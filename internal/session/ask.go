package session

import (
	"context"
	"errors"
	"runtime/debug"
	"time"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/agent"
	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/directive"
	"github.com/limn-ui/limn/internal/quota"
	"github.com/limn-ui/limn/internal/route"
	"github.com/limn-ui/limn/internal/turn"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/trace"
	"github.com/limn-ui/limn/ui"
)

// modelRun is the model run of a turn. The model of a message answers the
// message; the model of an action answers an event of its own (ui.EventReply), which
// is recorded before the action's frame commits and has a frame of its own. So the
// action counts from the moment it was admitted, whatever happens while the model
// thinks. Meanwhile the mailbox is free; the reply meets the state as it is then.
type modelRun struct {
	t        *Turn
	permit   *quota.Permit   // of the run, from before the event is recorded
	reply    *turn.Reply     // kept for another try
	heard    string          // the text that was streamed before the run ended
	decision *route.Decision // what routing said about the message
	router   bool            // the routing model is asked first
	chat     bool            // the routing model was asked, and the chat model is next
	run      string          // how the model is asked, as the app declares it
	loop     *loop           // the calls of tools so far, for another try in this process
	follow   *Turn           // of an action: the turn of its reply, once that is recorded
}

const replySuffix = ".reply"

// waitsForModel reports a plan whose event is answered by a model's reply.
func (m *modelRun) waitsForModel(p turn.Plan) bool {
	return p.Ask.Prompt != "" && m.t.event.Kind != ui.EventAction
}

// ask starts the model run of a plan.
func (m *modelRun) ask(p turn.Plan) Receipt {
	m.decision, m.run = p.Decision, p.Ask.Run
	if _, routed := m.t.in.(turn.Routed); routed { // its run goes on with the chat model
		m.chat = true
		return Receipt{}
	}
	m.router, m.t.pending = p.Ask.Router, m.t.run
	return m.startRun(p.Ask.Prompt)
}

// recordReply records the event of the model's reply to an action, before the
// action's frame. Its id comes from the action's, so a turn that starts again finds
// it.
func (m *modelRun) recordReply(ctx context.Context, p turn.Plan, step turn.Step) error {
	if p.Ask.Prompt == "" || m.t.event.Kind != ui.EventAction || step.Frame.Outcome.Kind != ui.OutcomeDone ||
		m.follow != nil {
		return nil
	}
	e := &ui.Event{V: ui.Version, ID: m.t.event.ID + replySuffix, Kind: ui.EventReply, At: m.t.event.At,
		Principal: m.t.event.Principal, User: m.t.event.User, Text: p.Ask.Prompt, Sums: p.Ask.Sums, Run: p.Ask.Run,
		Retry: p.Ask.Retry}
	reply := m.t.c.turnOf(e, recordOf(e, ""))
	switch _, err := reply.claim(ctx); {
	case errors.Is(err, errTaken): // by the node that had the action before, and releases it
		return store.ErrLeased
	case err != nil:
		return err
	}
	reply.recorded, m.follow = true, reply
	reply.tally.turn.Request = m.t.tally.turn.Request
	return nil
}

// startReply starts the model run that follows an action's frame, or ends its event
// if the action does not count after all.
func (m *modelRun) startReply(ctx context.Context, rec Receipt) {
	reply := m.follow
	if reply == nil {
		return
	}
	run := reply.begin()
	if rec.Outcome.Kind != ui.OutcomeDone {
		reply.model.drop(ctx, rec.Outcome)
		return
	}
	if m.t.place.give != nil {
		m.t.place.kept, reply.place.give = true, m.t.place.give
	}
	reply.model.run, reply.model.permit, m.permit = reply.event.Run, m.permit, nil
	reply.model.startRun(reply.event.Text)
	m.t.pending = run
}

// drop ends the reply to an action that did not count.
func (m *modelRun) drop(ctx context.Context, action ui.Outcome) {
	m.t.in = turn.Dropped{Event: m.t.event, Outcome: action}
	_, _, _ = m.t.do(ctx)
}

// startRun starts the model run of a recorded event. Without a permit the event was
// recorded earlier: its run is never refused.
func (m *modelRun) startRun(prompt string) Receipt {
	c := m.t.c
	if m.permit == nil || m.permit.Handed() { // by an earlier run
		m.permit = c.svc.runs.Resume(m.t.event.Principal)
	}
	permit := m.permit
	permit.Hand()
	ctx, cancel := context.WithCancelCause(trace.WithRequest(c.svc.work.stop, m.t.tally.turn.Request))
	c.mu.Lock()
	m.t.run.asking, m.t.run.cancel = true, cancel
	if m.t.run.canceled { // before it began
		cancel(errCanceled)
	}
	c.mu.Unlock()
	seq := c.head().Seq
	give := m.t.place.give
	m.t.place.give, m.t.place.kept = nil, give != nil
	c.svc.work.Go(func() { // Close waits for it; it ends at the latest after AskTime
		defer permit.Release()
		defer cancel(nil)
		if m.t.leases.event != nil {
			m.t.leases.watchCancel(ctx, cancel)
		}
		if give != nil {
			defer give()
		}
		defer permit.Begin(ctx)()
		ctx, stop := context.WithTimeout(ctx, c.svc.cfg.AskTime)
		defer stop()
		m.runModel(ctx, prompt)
	})
	return Receipt{Event: m.t.event.ID, Seq: seq}
}

// runModel asks the routing model and the model, and brings the reply to its turn.
func (m *modelRun) runModel(ctx context.Context, prompt string) {
	if m.router && m.askRouter(ctx) {
		return
	}
	notes, err := m.t.journal().notes(ctx)
	if err != nil && ctx.Err() == nil { // it may hold the reply
		m.t.retry.scheduleRetry(conversation.StoreError("read journal", err))
		return
	}
	r, failed := m.reply, (*ui.Error)(nil)
	if r == nil {
		r, failed = m.askModel(ctx, prompt, notes)
	}
	if text := m.t.c.svc.deltas.End(m.t.c.info.ID, m.t.event.ID); text != "" {
		m.heard = text
	}
	if m.interrupted(ctx) {
		return
	}
	m.reply = r // for another try
	defer m.t.c.takeTurn()()
	m.t.in = turn.Replied{Event: m.t.event, Reply: r, Failed: failed, Heard: m.heard, Run: m.run,
		Decision: m.decision}
	_, _, _ = m.t.do(context.WithoutCancel(ctx)) // a recorded event has no error
}

// askRouter asks the routing model about a message that no rule decides, and lets
// the message go on by its answer. It reports whether the message is answered; else
// the chat model gets it.
func (m *modelRun) askRouter(ctx context.Context) (answered bool) {
	a := m.proposal(ctx)
	switch {
	case m.interrupted(ctx):
		return true
	case errors.Is(context.Cause(ctx), errCanceled):
		return false // said in one place
	}
	defer m.t.c.takeTurn()()
	m.t.in = turn.Routed{Event: m.t.event, Answer: a}
	m.chat = false
	_, _, _ = m.t.do(context.WithoutCancel(ctx)) // a recorded event has no error
	return !m.chat
}

// proposal is the routing model's answer, from the journal if it was asked before,
// or nil: then the message is chat.
func (m *modelRun) proposal(ctx context.Context) (a *route.Answer) {
	cfg := m.t.c.svc.cfg
	defer func() {
		if p := recover(); p != nil {
			cfg.Log.ErrorContext(ctx, "panic in the routing model", "conversation", m.t.c.info.ID, "event",
				m.t.event.ID,
				"panic", trace.QuietPanic(p), "stack", string(debug.Stack()))
			a = nil
		}
	}()
	notes, _ := m.t.journal().notes(ctx)
	if len(notes) > 0 && notes[0].Kind == noteRoute {
		return notes[0].Route
	}
	ac := agent.Config{Timeout: cfg.RouteTime, Now: cfg.Now}
	began := time.Now()
	answer, err := agent.Route(ctx, cfg.Router, ac, m.t.c.head().Router, m.t.event.Text)
	m.ran("route", trace.ModeNone, cfg.Router, ac, agent.Result{}, err, time.Since(began))
	if ctx.Err() != nil {
		return nil
	}
	n := note{Kind: noteRoute, Route: &answer}
	if err != nil {
		cfg.Log.WarnContext(ctx, "routing model failed", "conversation", m.t.c.info.ID, "event", m.t.event.ID, "err",
			trace.Quiet(err))
		n = note{Kind: noteRoute, Code: ui.CodeOf(err)}
	}
	m.remember(ctx, 0, n)
	return n.Route
}

// interrupted reports a model run that does not end here. Its event is recorded,
// and not answered.
func (m *modelRun) interrupted(ctx context.Context) bool {
	switch cause := context.Cause(ctx); {
	case errors.Is(cause, errClosing):
		m.t.leases.releaseEvent() // another node, or the next start, resumes it
	case errors.Is(cause, errTaken):
		m.t.retry.handOver()
	case ui.CodeOf(cause) == conversation.CodeStore: // the journal cannot be kept
		m.t.retry.scheduleRetry(cause)
	default:
		return false
	}
	return true
}

// deltaWriter takes the pieces of the answer as they come.
func (m *modelRun) deltaWriter() func(try int, piece string) {
	return m.t.c.svc.deltas.Writer(m.t.c.info.ID, m.t.event.ID)
}

// askModel asks the model, or finds its reply in the journal.
func (m *modelRun) askModel(ctx context.Context, prompt string, notes []note) (r *turn.Reply, failed *ui.Error) {
	defer func() {
		if p := recover(); p != nil {
			m.t.c.svc.cfg.Log.ErrorContext(ctx, "panic in a model run", "conversation", m.t.c.info.ID, "event",
				m.t.event.ID,
				"panic", trace.QuietPanic(p), "stack", string(debug.Stack()))
			r, failed = nil, &ui.Error{Code: CodeTurnFailed, Message: "the model run panicked"}
		}
	}()
	for _, n := range notes {
		switch {
		case n.Reply != nil:
			m.t.tally.turn.Mode, m.t.tally.turn.LLM = modes[m.run],
				append(m.t.tally.turn.LLM, trace.Run{For: "reply", Journal: true})
			return n.Reply, nil
		case n.Kind == noteCancel:
			return nil, &ui.Error{Code: CodeCanceled, Message: "canceled by the user"}
		}
	}
	cfg := m.t.c.svc.cfg
	if m.t.event.Sums != "" {
		return m.sumUp(ctx, len(notes)), nil
	}
	if cfg.Model == nil {
		return &turn.Reply{Text: cfg.App.Config().Words.Say("chat.default")}, nil
	}
	in := agent.Input{State: m.t.c.head()}
	if m.t.event.Kind == ui.EventMessage || m.t.event.Retry {
		in.Text = prompt
	} else {
		in.Event = prompt
	}
	ac := agent.Config{
		Registry: registry(cfg), Instructions: cfg.App.Config().Instructions, Words: cfg.App.Config().Words,
		Timeout: cfg.AskTime, Now: cfg.Now, Ladders: &m.t.c.svc.ladder,
	}
	var res agent.Result
	var err error
	var l *loop
	switch m.run {
	case app.RunChat:
		began := time.Now()
		ac.OnText = m.deltaWriter()
		_, res, err = agent.Chat(ctx, cfg.Model, ac, in)
		m.ran("reply", trace.ModeChat, cfg.Model, ac, res, err, time.Since(began))
	case app.RunTools, app.RunHybrid:
		res, l, err = m.withTools(ctx, notes, ac, in)
	default:
		began := time.Now()
		ac.OnText = m.deltaWriter()
		res, err = agent.Directives(ctx, cfg.Model, ac, in)
		m.ran("reply", trace.ModeDirectives, cfg.Model, ac, res, err, time.Since(began))
	}
	if errors.Is(context.Cause(ctx), errCanceled) {
		return nil, &ui.Error{Code: CodeCanceled, Message: "canceled by the user"}
	}
	unknown := l != nil && l.unknown
	if err != nil {
		cfg.Log.WarnContext(ctx, "model run failed", "conversation", m.t.c.info.ID, "event", m.t.event.ID, "err",
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
	r.Text = m.t.c.svc.env.Fit(r.Text)
	if n := (note{Kind: noteReply, Reply: r}); l != nil {
		l.keep(ctx, n)
	} else {
		m.remember(ctx, len(notes), n)
	}
	return r, nil
}

// modes names runs in traces.
var modes = map[string]trace.Mode{"": trace.ModeDirectives, app.RunDirectives: trace.ModeDirectives,
	app.RunChat: trace.ModeChat, app.RunTools: trace.ModeToolLoop, app.RunHybrid: trace.ModeHybrid}

// registry lists the directives a model may use; in strict mode none is coerced.
func registry(cfg Config) *directive.Registry {
	reg := cfg.App.Registry()
	if cfg.Strict {
		return reg.With(directive.Options{Strict: true})
	}
	return reg
}

// remember writes a model's answer to the journal, so that a turn that starts
// again does not ask again.
func (m *modelRun) remember(ctx context.Context, step int, n note) {
	if err := m.t.journal().write(context.WithoutCancel(ctx), step, n); err != nil && !errors.Is(err, store.ErrExists) {
		m.t.c.svc.cfg.Log.WarnContext(ctx, "journal", "conversation", m.t.c.info.ID, "err", trace.Quiet(err))
	}
}

// sumUp asks the model to sum up the rows of a worksheet. If it does not, the rows
// are counted.
func (m *modelRun) sumUp(ctx context.Context, step int) *turn.Reply {
	cfg, s := m.t.c.svc.cfg, m.t.c.head()
	in := agent.Input{State: s, Event: m.t.event.Text}
	if sf := s.Surface(m.t.event.Sums); sf != nil {
		in.Data, _ = s.Committed.Get(sf.Origin.Template)
	}
	r := &turn.Reply{}
	if cfg.Model != nil && !in.Data.IsNull() {
		ac := agent.Config{Instructions: cfg.App.Config().Instructions, Words: cfg.App.Config().Words,
			Timeout: cfg.AskTime, Now: cfg.Now, OnText: m.deltaWriter()}
		began := time.Now()
		text, res, err := agent.Chat(ctx, cfg.Model, ac, in)
		m.ran("summary", trace.ModeChat, cfg.Model, ac, res, err, time.Since(began))
		if err != nil {
			cfg.Log.WarnContext(ctx, "summary failed", "conversation", m.t.c.info.ID, "event", m.t.event.ID, "err",
				trace.Quiet(err))
			r.Warnings = []ui.Error{stored(turn.AsError(err))}
		}
		r.Text = m.t.c.svc.env.Fit(text)
	}
	if r.Text == "" {
		r.Text = turn.Summary(m.t.env(), s, m.t.event)
	}
	if ctx.Err() == nil {
		m.remember(ctx, step, note{Kind: noteReply, Reply: r})
	}
	return r
}
