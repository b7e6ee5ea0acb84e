package session

import (
	"cmp"
	"context"
	"errors"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/agent"
	"github.com/limn-ui/limn/internal/directive"
	"github.com/limn-ui/limn/internal/execute"
	"github.com/limn-ui/limn/internal/route"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/trace"
	"github.com/limn-ui/limn/ui"
)

// answerThenAsk commits what an action does by itself, and records in the same
// turn an event of its own for the model's answer: the action counts from the
// moment it was admitted, whatever happens while the model thinks, and its
// effects are in one frame only. The reply's id comes from the action's, so a
// turn that starts again finds it.
func (c *conversation) answerThenAsk(ctx context.Context, state *ui.State, j *job, p plan, may *permit) (Receipt,
	*running, error) {
	step, err := c.drawn(state, j, p)
	if err != nil {
		return Receipt{}, nil, err
	}
	if step.Frame.Outcome.Kind == ui.OutcomeDone && j.reply == nil {
		e := &ui.Event{V: ui.Version, ID: j.event.ID + replySuffix, Kind: ui.EventReply, At: j.event.At,
			Principal: j.event.Principal, User: j.event.User, Text: p.ask, Sums: p.sums, Run: p.how, Retry: p.retry}
		reply := &job{event: e, record: recordOf(e, "")}
		switch _, err := c.claim(ctx, reply); {
		case errors.Is(err, errTaken): // by who had the action before, and gives it back
			return Receipt{}, nil, store.ErrLeased
		case err != nil:
			return Receipt{}, nil, err
		}
		reply.recorded, j.reply = true, reply
		reply.tally.turn.Request = j.tally.turn.Request
	}
	rec, pending, err := c.publish(ctx, j, step, p)
	if err != nil || j.reply == nil {
		return rec, pending, err
	}
	run := c.begin(j.reply)
	if rec.Outcome.Kind != ui.OutcomeDone {
		c.unasked(ctx, j.reply, rec)
		return rec, nil, nil
	}
	if j.slot != nil {
		j.kept, j.reply.slot = true, j.slot
	}
	j.reply.how = p.how
	c.askLater(j.reply, p.ask, may)
	return rec, run, nil
}

const replySuffix = ".reply"

// unasked ends the reply to an action that does not count after all.
func (c *conversation) unasked(ctx context.Context, reply *job, rec Receipt) {
	_, _, _ = c.guarded(ctx, reply, func(s *ui.State) (Receipt, *running, error) {
		return c.finish(ctx, s, reply, plan{outcome: ui.Outcome{Kind: ui.OutcomeRefused, Code: rec.Outcome.Code,
			Surface: rec.Outcome.Surface}})
	})
}

// askLater starts the model run of a recorded event. The mailbox is free while
// the model thinks; the reply takes its own turn and meets the state of then.
// Without a permit it is an event that was recorded before.
func (c *conversation) askLater(j *job, prompt string, may *permit) Receipt {
	if may == nil {
		may = c.svc.runs.resumed(j.event.Principal)
	}
	may.handed, j.may = true, may
	ctx, cancel := context.WithCancelCause(trace.WithRequest(c.svc.stop, j.tally.turn.Request))
	c.svc.mu.Lock()
	j.run.asking, j.run.cancel = true, cancel
	if j.run.canceled { // before it began
		cancel(errCanceled)
	}
	seq := c.state.Seq
	c.svc.mu.Unlock()
	slot := j.slot
	j.slot, j.kept = nil, slot != nil
	c.svc.work.Go(func() { // Close waits for it; it ends at the latest after AskTime
		defer may.release()
		defer cancel(nil)
		if j.held != nil {
			c.attend(ctx, j, cancel)
		}
		if slot != nil {
			defer slot()
		}
		defer may.begin(ctx)()
		ctx, stop := context.WithTimeout(ctx, c.svc.cfg.AskTime)
		defer stop()
		c.ask(ctx, j, prompt)
	})
	return Receipt{Event: j.event.ID, Seq: seq}
}

func (c *conversation) ask(ctx context.Context, j *job, prompt string) {
	if j.routing && c.routed(ctx, j) {
		return
	}
	notes, err := c.journal(ctx, j)
	if err != nil && ctx.Err() == nil { // it may hold the reply
		c.later(j, storeError("read journal", err))
		return
	}
	r, failed := j.said, (*ui.Error)(nil)
	if r == nil {
		r, failed = c.reply(ctx, j, prompt, notes)
	}
	if said := c.hush(j); said != "" {
		j.heard = said
	}
	if c.interrupted(ctx, j) {
		return
	}
	j.said = r // for another try
	c.turn <- struct{}{}
	defer func() { <-c.turn }()
	after := context.WithoutCancel(ctx)
	// errors are tried again: the event is recorded
	_, _, _ = c.guarded(after, j, func(s *ui.State) (Receipt, *running, error) {
		return c.finish(after, s, j, c.replied(s, j, r, failed))
	})
}

// interrupted reports a model run that does not end here. Its event is recorded,
// and not answered.
func (c *conversation) interrupted(ctx context.Context, j *job) bool {
	switch cause := context.Cause(ctx); {
	case errors.Is(cause, errClosing):
		c.giveBack(j) // another node, or the next start, resumes it
	case errors.Is(cause, errTaken):
		c.leave(j)
	case ui.CodeOf(cause) == CodeStore: // the journal cannot be kept
		c.later(j, cause)
	default:
		return false
	}
	return true
}

// reply asks the model, or finds its reply in its journal.
func (c *conversation) reply(ctx context.Context, j *job, prompt string, notes []note) (r *reply, failed *ui.Error) {
	defer func() {
		if p := recover(); p != nil {
			c.svc.cfg.Log.ErrorContext(ctx, "panic in a model run", "conversation", c.info.ID, "event", j.event.ID,
				"panic", trace.QuietPanic(p), "stack", string(debug.Stack()))
			r, failed = nil, &ui.Error{Code: CodeTurnFailed, Message: "the model run panicked"}
		}
	}()
	for _, n := range notes {
		switch {
		case n.Reply != nil:
			j.tally.turn.Mode, j.tally.turn.LLM = modes[j.how],
				append(j.tally.turn.LLM, trace.Run{For: "reply", Journal: true})
			return n.Reply, nil
		case n.Kind == noteCancel:
			return nil, &ui.Error{Code: CodeCanceled, Message: "canceled by the user"}
		}
	}
	cfg := c.svc.cfg
	if j.event.Sums != "" {
		return c.summary(ctx, j, len(notes)), nil
	}
	if cfg.Model == nil {
		return &reply{Text: cfg.App.Config().Words.Say("chat.default")}, nil
	}
	in := agent.Input{State: c.head()}
	if j.event.Kind == ui.EventMessage || j.event.Retry {
		in.Text = prompt
	} else {
		in.Event = prompt
	}
	ac := agent.Config{
		Registry: c.svc.registry(), Instructions: cfg.App.Config().Instructions, Words: cfg.App.Config().Words,
		Timeout: cfg.AskTime, Now: cfg.Now, Ladders: &c.svc.rungs,
	}
	var res agent.Result
	var err error
	var l *loop
	switch j.how {
	case app.RunChat:
		began := time.Now()
		ac.OnText = c.aloud(j)
		_, res, err = agent.Chat(ctx, cfg.Model, ac, in)
		c.ran(j, "reply", trace.ModeChat, cfg.Model, ac, res, err, time.Since(began))
	case app.RunTools, app.RunHybrid:
		res, l, err = c.withTools(ctx, j, notes, ac, in)
	default:
		began := time.Now()
		ac.OnText = c.aloud(j)
		res, err = agent.Directives(ctx, cfg.Model, ac, in)
		c.ran(j, "reply", trace.ModeDirectives, cfg.Model, ac, res, err, time.Since(began))
	}
	if errors.Is(context.Cause(ctx), errCanceled) {
		return nil, &ui.Error{Code: CodeCanceled, Message: "canceled by the user"}
	}
	unknown := l != nil && l.unknown
	if err != nil {
		cfg.Log.WarnContext(ctx, "model run failed", "conversation", c.info.ID, "event", j.event.ID, "err",
			trace.Quiet(err))
		if unknown {
			return nil, &ui.Error{Code: CodeEffect, Message: "a tool may have been carried out, and the model failed",
				Err: err}
		}
		return nil, asError(err)
	}
	r = &reply{Text: res.Envelope.Text, Directives: res.Envelope.Directives}
	for _, w := range res.Warnings {
		r.Warnings = append(r.Warnings, stored(w))
	}
	if unknown {
		r.Text = cfg.Recovery.For(CodeEffect).Title + "\n\n" + r.Text
		r.Warnings = append(r.Warnings, ui.Error{Code: CodeEffect, Message: "a tool may have been carried out"})
	}
	r.Text = c.fit(r.Text)
	if n := (note{Kind: "reply", Reply: r}); l != nil {
		l.keep(ctx, n)
	} else {
		c.remembered(ctx, j, len(notes), n)
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

// remembered writes a model's answer to the journal, so that a turn that starts
// again does not ask again.
func (c *conversation) remembered(ctx context.Context, j *job, step int, n note) {
	if err := c.writeNote(context.WithoutCancel(ctx), j, step, n); err != nil && !errors.Is(err, store.ErrExists) {
		c.svc.cfg.Log.WarnContext(ctx, "journal", "conversation", c.info.ID, "err", trace.Quiet(err))
	}
}

// summary asks the model to sum up what a tool captured. Where it does not, the
// rows are counted: the user is told what was captured either way.
func (c *conversation) summary(ctx context.Context, j *job, step int) *reply {
	cfg, s := c.svc.cfg, c.head()
	in := agent.Input{State: s, Event: j.event.Text}
	if sf := s.Surface(j.event.Sums); sf != nil {
		in.Data, _ = s.Committed.Get(sf.Origin.Template)
	}
	r := &reply{}
	if cfg.Model != nil && !in.Data.IsNull() {
		ac := agent.Config{Instructions: cfg.App.Config().Instructions, Words: cfg.App.Config().Words,
			Timeout: cfg.AskTime, Now: cfg.Now, OnText: c.aloud(j)}
		began := time.Now()
		text, res, err := agent.Chat(ctx, cfg.Model, ac, in)
		c.ran(j, "summary", trace.ModeChat, cfg.Model, ac, res, err, time.Since(began))
		if err != nil {
			cfg.Log.WarnContext(ctx, "summary failed", "conversation", c.info.ID, "event", j.event.ID, "err",
				trace.Quiet(err))
			r.Warnings = []ui.Error{stored(asError(err))}
		}
		r.Text = c.fit(text)
	}
	if r.Text == "" {
		r.Text = cmp.Or(execute.Summary(c.env(j.event), s, j.event.Sums), cfg.App.Config().Words.Say("submit.done"))
	}
	if ctx.Err() == nil {
		c.remembered(ctx, j, step, note{Kind: "reply", Reply: r})
	}
	return r
}

// replied is the plan of an answered model run on the state of now. The model's
// directives meet the gates as they are before this message counts as answered:
// a cancel streak and "not this turn" hold for exactly this turn (facts R-23).
func (c *conversation) replied(s *ui.State, j *job, r *reply, failed *ui.Error) plan {
	e := j.event
	var ops ui.Ops
	out := plan{outcome: ui.Outcome{Kind: ui.OutcomeDone}}
	if e.Kind == ui.EventMessage {
		ops = append(ops, &ui.Say{Role: ui.RoleUser, Text: e.Text})
		out.decision = j.decision
	}
	if failed != nil {
		title := c.svc.cfg.Recovery.For(failed.Code).Title
		out.warnings = []*ui.Error{failed}
		out.outcome = ui.Outcome{Kind: ui.OutcomeFailed, Code: failed.Code, Message: title}
		text := title
		// who stops an answer has read that much of it
		if half := strings.TrimSpace(j.heard); half != "" && failed.Code == CodeCanceled {
			text = "\n\n" + title
			text = clipText(strings.ToValidUTF8(half, "\uFFFD"),
				c.svc.cfg.App.Config().Limits.WithDefaults().TextSize-len(text)) + text
		}
		// that needs no model
		if f, ok := c.svc.cfg.App.FormFor(e.Text); ok && failed.Code != CodeCanceled && (e.Kind == ui.EventMessage || e.Retry) {
			more, warnings := execute.Run(c.env(e), s, []directive.Directive{showForm(f.Name)})
			text += " " + c.svc.cfg.App.Config().Words.Say("model.form", "label", f.Title)
			out.outcome, out.warnings = ui.Outcome{Kind: ui.OutcomeDone, Code: failed.Code, Message: text},
				append(out.warnings, warnings...)
			out.ops = c.chatted(append(append(ops, more...), &ui.Say{Role: ui.RoleAssistant, Text: text}), s, e)
			return out
		}
		out.ops = c.chatted(append(ops, &ui.Say{Role: ui.RoleAssistant, Text: text}), s, e)
		if failed.Code != CodeCanceled && failed.Code != CodeEffect {
			c.offerRetry(e, j.how, &out)
		}
		return out
	}
	if r.Text != "" {
		ops = append(ops, &ui.Say{Role: ui.RoleAssistant, Text: r.Text})
	}
	for i := range r.Warnings {
		out.warnings = append(out.warnings, &r.Warnings[i])
		if r.Warnings[i].Code == CodeEffect {
			out.outcome.Code = CodeEffect
		}
	}
	out.ops = c.chatted(ops, s, e)
	next, _, err := ui.Apply(s, &ui.Frame{Seq: s.Seq + 1, At: e.At, Ops: ops}, c.svc.cfg.App.Config().Limits)
	if err != nil {
		return out // drawn will find out, and keep the user's words
	}
	next.Seq = s.Seq
	if d := j.decision; d != nil && len(d.Denied) > 0 { // "don't show me a table": not by the model either
		next.Router.OptOut.Once = slices.Concat(next.Router.OptOut.Once, d.Denied)
	}
	more, warnings := execute.Run(c.env(e), next, r.Directives)
	out.again = shownAgain(s, r.Directives, warnings)
	out.ops, out.warnings = c.chatted(append(ops, more...), s, e), append(warnings, out.warnings...)
	c.refusedTool(next, r.Directives, warnings, &out)
	return out
}

// shownAgain reports directives that show the tool that is open already.
func shownAgain(s *ui.State, list []directive.Directive, warnings []*ui.Error) bool {
	cp := s.Router.Checkpoint
	if cp == nil {
		return false
	}
	shows := map[string]string{directive.TypeShowTable: ui.ToolTable, directive.TypeShowMap: ui.ToolMap}
	return slices.ContainsFunc(list, func(d directive.Directive) bool { return shows[d.Type] == cp.Tool }) &&
		!slices.ContainsFunc(warnings, func(w *ui.Error) bool { return w.Code == execute.CodeGateClosed })
}

// chatted adds what routing remembers of a message that went to the model.
func (c *conversation) chatted(ops ui.Ops, s *ui.State, e *ui.Event) ui.Ops {
	if e.Kind != ui.EventMessage {
		return ops
	}
	router := s.Router
	for _, op := range ops {
		if set, ok := op.(*ui.Set); ok { // a directive has opened or closed a tool
			router = set.Router
		}
	}
	return append(ops[:len(ops):len(ops)], &ui.Set{
		Router: route.Next(route.Decision{Action: route.ActionChat}, router, c.svc.routing, e.At)})
}

// Saying is what a model run of this process has said so far. It is for eyes
// that are open now: it is kept nowhere, and the frame of the event says it
// again, whole, or says something else.
type Saying struct {
	Event ui.EventID
	Try   int // grows where the answer begins anew
	Text  string
}

// maxSaid bounds the bytes of an answer that are told before its frame.
const maxSaid = 32 << 10

// Saying lists the runs of a conversation that speak now, in this process.
func (s *Service) Saying(id string) []Saying {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.open[id]
	if c == nil {
		return nil
	}
	var out []Saying
	for event, run := range c.inflight {
		if len(run.said) > 0 {
			out = append(out, Saying{event, run.try, string(run.said)})
		}
	}
	slices.SortFunc(out, func(a, b Saying) int { return cmp.Compare(a.Event, b.Event) })
	return out
}

// Hear calls wake whenever a run of a conversation has said more, from any
// goroutine, until cancel. wake must not block, nor call the Service.
func (s *Service) Hear(id string, wake func()) (cancel func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ears[id] = append(s.ears[id], &wake)
	return sync.OnceFunc(func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		left := slices.DeleteFunc(s.ears[id], func(w *func()) bool { return w == &wake })
		if s.ears[id] = left; len(left) == 0 {
			delete(s.ears, id)
		}
	})
}

// heard reports whether somebody hears what runs of the conversation say.
func (c *conversation) heard() bool {
	c.svc.mu.Lock()
	defer c.svc.mu.Unlock()
	return len(c.svc.ears[c.info.ID]) > 0
}

// aloud returns what takes the pieces of a run's answer as they come.
func (c *conversation) aloud(j *job) func(try int, piece string) {
	s, run := c.svc, j.run
	return func(try int, piece string) {
		s.mu.Lock()
		defer s.mu.Unlock()
		if try != run.try {
			run.try, run.said, run.long = try, nil, false
		}
		if run.long = run.long || len(run.said)+len(piece) > maxSaid; run.long {
			return // the frame will say it
		}
		run.said = append(run.said, piece...)
		for _, wake := range s.ears[c.info.ID] {
			(*wake)()
		}
	}
}

// hush ends what a run says aloud, before its frame is committed: no piece
// comes after the frame. It returns what was said.
func (c *conversation) hush(j *job) string {
	c.svc.mu.Lock()
	defer c.svc.mu.Unlock()
	said := string(j.run.said)
	j.run.said = nil
	return said
}
