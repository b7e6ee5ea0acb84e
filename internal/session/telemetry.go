package session

import (
	"cmp"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/compile"
	"github.com/limn-ui/limn/internal/agent"
	"github.com/limn-ui/limn/internal/execute"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/trace"
	"github.com/limn-ui/limn/ui"
)

// tell emits what a committed step means (decision logic §14). Most of it is
// read from the states around the frame, so it holds whoever caused it: routing,
// a model's directive, a click, the page, an opt-out that ran out.
func (c *conversation) tell(step Step, p plan) {
	sink := c.svc.cfg.Tell
	if sink == nil {
		return
	}
	defer func() {
		if r := recover(); r != nil { // the frame is committed: nothing may undo that
			c.log().Error("telemetry sink panicked", "conversation", c.info.ID)
		}
	}()
	for _, e := range events(step, p) {
		e.At, e.Conversation, e.Seq = step.Frame.At, c.info.ID, step.Frame.Seq
		sink.Emit(e)
	}
}

// events lists what a step means, in the order it came about.
func events(step Step, p plan) (out []trace.Event) {
	d := p.decision
	before, after := step.Before.Router, step.After.Router
	if d != nil {
		out = append(out, trace.Event{Name: trace.RouterDecision, Action: string(d.Action), Tool: d.Tool,
			Confidence: d.Confidence})
	}
	if a, b := before.OptOut, after.OptOut; !sameOptOut(a, b) {
		out = append(out, trace.Event{Name: trace.OptOutChanged, AllTools: b.All, Tools: len(b.Tools)})
	}
	for _, w := range p.step.Shown {
		out = append(out, trace.Event{Name: trace.WarningShown, Type: w.Check, Confidence: w.Confidence})
	}
	for _, was := range openTools(before) {
		if after.Open(was.Surface) != nil {
			continue
		}
		if sf := step.After.Surface(was.Surface); sf != nil && sf.Status == ui.StatusSubmitted {
			out = append(out, trace.Event{Name: trace.ToolSubmitted, Tool: was.Tool,
				Accepted: accepted(step.Frame.Ops)})
		} else {
			out = append(out, trace.Event{Name: trace.ToolCanceled, Tool: was.Tool})
		}
	}
	if now := after.Checkpoint; now != nil {
		was := before.Open(now.Surface)
		fresh := was == nil || !was.OpenedAt.Equal(now.OpenedAt)
		again := p.again || d != nil && d.Resumed || opened(step.Frame, now.Surface)
		if fresh || again {
			out = append(out, trace.Event{Name: trace.ToolOpened, Tool: now.Tool, Resumed: !fresh})
		}
	}
	return out
}

func openTools(r ui.Router) []ui.Checkpoint {
	if r.Checkpoint == nil {
		return r.Beside
	}
	return append(slices.Clone(r.Beside), *r.Checkpoint)
}

// sameOptOut compares what lasts: "not this turn" is no change.
func sameOptOut(a, b ui.OptOut) bool {
	if a.All != b.All || len(a.Tools) != len(b.Tools) || !a.Expires.Equal(b.Expires) && (a.All || len(a.Tools) > 0) {
		return false
	}
	for i := range a.Tools {
		if a.Tools[i] != b.Tools[i] {
			return false
		}
	}
	return true
}

func opened(f *ui.Frame, n ui.Name) bool {
	for _, change := range f.Changes {
		if change.Surface == n && change.Kind == ui.ChangedOpened {
			return true
		}
	}
	return false
}

// accepted reports a commit of a tool that was not complete.
func accepted(ops ui.Ops) bool {
	for _, op := range ops {
		if c, ok := op.(*ui.Commit); ok {
			v, _ := c.Values.Get(execute.KeyAccepted)
			return v.True()
		}
	}
	return false
}

// tally is what a job tells about its turn, gathered on the way; the numbers of
// trace.Turn that are not read from the frame.
type tally struct {
	turn    trace.Turn
	taken   time.Time // when this process took the event up; of this clock, not of cfg.Now
	compile time.Duration
	failed  []failure // of drawings
	drawn   []drawn   // of the last one
}

// begins notes that the turn of a job is tried now.
func (j *job) begins() {
	t, now := &j.tally, time.Now()
	if t.taken.IsZero() {
		t.taken = now
	}
	if !t.turn.Began.IsZero() {
		t.turn.Starts++
	}
	t.turn.Began, t.compile, t.failed = now.UTC(), 0, nil
	j.undrawn()
}

// undrawn forgets a drawing that does not stand.
func (j *job) undrawn() { j.tally.turn.Drawings, j.tally.drawn = nil, nil }

// drawing notes how long a drawing took and what failed in it.
func (j *job) drawing(failures *[]failure) (done func()) {
	began := time.Now()
	j.undrawn()
	return func() {
		j.tally.compile += time.Since(began)
		j.tally.failed = append(j.tally.failed, *failures...)
		if len(*failures) > 0 {
			j.undrawn()
		}
	}
}

// ran notes a model run and how it was configured.
func (c *conversation) ran(j *job, what string, mode trace.Mode, m llm.Model, cfg agent.Config, res agent.Result,
	err error, took time.Duration) {
	t := &j.tally.turn
	run := trace.Run{For: what, Code: ui.CodeOf(err), Stream: cfg.OnText != nil}
	if n, ok := m.(llm.Named); ok {
		run.Provider, run.Model = n.Name()
	}
	number := func(key string) *float64 {
		if f, ok := cfg.Params[key].(float64); ok {
			return &f
		}
		return nil
	}
	run.Temperature, run.TopP, run.TopK = number("temperature"), number("top_p"), number("top_k")
	if p, ok := cfg.Params["provider"].(map[string]any); ok {
		run.Routing = slices.Sorted(maps.Keys(p))
	}
	for _, a := range res.Attempts {
		run.Attempts = append(run.Attempts, trace.Attempt{Format: string(a.Mode), Repair: a.Repair, Code: a.Code,
			Ms: float64(a.Ms), In: a.Usage.In, Out: a.Usage.Out})
	}
	j.may.spend(res.Attempts)
	t.LLM = append(t.LLM, run)
	t.Timing.LLM += trace.Ms(took)
	if mode == trace.ModeDirectives {
		t.Timing.Directives += trace.Ms(took)
	}
	if mode != trace.ModeNone && t.Mode != trace.ModeDirectives {
		t.Mode = mode
	}
	outcome := "done"
	switch {
	case run.Code == llm.CodeCanceled:
		outcome = "canceled"
	case err != nil:
		outcome = "failed"
	}
	c.svc.cfg.Meter.Series(trace.ModelRuns, outcome).Add(1)
	c.svc.cfg.Meter.Series(trace.ModelTime).Add(took.Seconds())
}

func (s *Service) count(m trace.Metric, labels ...string) { s.cfg.Meter.Series(m, labels...).Add(1) }

// countStore counts work that failed because the store did.
func (s *Service) countStore(doing string, err error) {
	if err != nil && ui.CodeOf(err) == CodeStore {
		s.count(trace.StoreErrors, doing)
	}
}

// counted counts a committed turn.
func (c *conversation) counted(j *job, f *ui.Frame) {
	meter, kind := c.svc.cfg.Meter, string(j.event.Kind)
	meter.Series(trace.Commits).Add(1)
	meter.Series(trace.Turns, kind, string(f.Outcome.Kind), string(f.Outcome.Code)).Add(1)
	meter.Series(trace.TurnSeconds, kind).Add(time.Since(j.tally.turn.Began).Seconds())
	for _, r := range j.tally.turn.Recovery {
		meter.Series(trace.Recoveries, r.Do).Add(1)
	}
}

// calledBy notes a call of the app.
func (j *job) calledBy(a app.Action, err error, took time.Duration) {
	j.tally.turn.Effect = &trace.Call{Action: a.Name, By: "handler", Ms: trace.Ms(took)}
	if a.Webhook != nil {
		j.tally.turn.Effect.By = "webhook"
	}
	if err != nil {
		j.tally.turn.Effect.Code = cmp.Or(ui.CodeOf(err), execute.CodeFailed)
	}
}

// drew notes what a target is sent, as the bytes that deliver will write, and
// keeps them for streams that are open. What cannot be written is the failure of
// its surface.
func (j *job) drew(t compile.Target, print string, step Step, batches compile.Batches) (bad ui.Name, err error) {
	d := trace.Drawing{Target: t.Dialect.String(), Print: print}
	n := 0
	for _, b := range batches {
		n += len(b.Messages)
	}
	all, ends := make([]byte, 0, min(256*n, 2048)), make([]int, 0, n) // most turns send a few small ones
	for _, b := range batches {
		from := len(all)
		part := trace.Surface{ID: string(b.Surface), Messages: len(b.Messages)}
		if sf := cmp.Or(step.After.Surface(b.Surface), step.Before.Surface(b.Surface)); sf != nil {
			part.ID, part.Epoch, part.Rev = sf.WireID(), sf.Epoch, sf.Rev
		}
		for _, m := range b.Messages {
			if all, err = a2ui.AppendMessage(all, t.Dialect, m); err != nil {
				return b.Surface, err
			}
			ends, all = append(ends, len(all)), append(all, '\n')
			switch m := m.(type) {
			case *a2ui.CreateSurface:
				part.Components += len(m.Components)
				part.Data += leaves(m.Data)
			case *a2ui.UpdateComponents:
				part.Components += len(m.Components)
			case *a2ui.UpdateData:
				part.Data += leaves(m.Value)
			}
		}
		part.Bytes = len(all) - from
		d.Parts = append(d.Parts, part)
	}
	d.Bytes, d.Hash = len(all), trace.Hash(all)
	j.tally.turn.Drawings = append(j.tally.turn.Drawings, d)
	j.tally.drawn = append(j.tally.drawn, drawn{print, linesOf(all, ends), warningsOf(batches)})
	return "", nil
}

// drewPage notes a drawing that is not A2UI, and keeps it for streams.
func (j *job) drewPage(p Page, messages [][]byte, warnings []string) {
	sum := trace.HashLines(messages)
	size := len(messages)
	for _, m := range messages {
		size += len(m)
	}
	j.tally.turn.Drawings = append(j.tally.turn.Drawings,
		trace.Drawing{Target: p.Name, Print: p.Print, Hash: sum, Bytes: size})
	j.tally.drawn = append(j.tally.drawn, drawn{p.Print, messages, warnings})
}

// drawn is what the turn of a step has drawn for one target.
type drawn struct {
	print    string
	messages [][]byte
	warnings []string
}

// linesOf cuts text where its messages end, each before a line feed.
func linesOf(text []byte, ends []int) [][]byte {
	out, from := make([][]byte, len(ends)), 0
	for i, end := range ends {
		out[i], from = text[from:end:end], end+1
	}
	return out
}

func warningsOf(b compile.Batches) (out []string) {
	for _, w := range b.Warnings() {
		out = append(out, w.String())
	}
	return out
}

// Drawn returns the messages, each as JSON, that bring a client of the target
// with that fingerprint up to date, and their warnings, if the turn of the step
// ran in this process and not long ago: what compile.Update and
// a2ui.AppendMessage would give. They must not be changed.
func (st Step) Drawn(print string) (messages [][]byte, warnings []string, ok bool) {
	for _, d := range st.drawn {
		if d.print == print {
			return d.messages, d.warnings, true
		}
	}
	return nil, nil, false
}

// leaves counts the entries of a data model.
func leaves(v jsonx.Value) (n int) {
	switch v.Kind {
	case jsonx.Object:
		for i := range v.Members {
			n += leaves(v.Members[i].Value)
		}
	case jsonx.Array:
		for i := range v.Items {
			n += leaves(v.Items[i])
		}
	case jsonx.Null:
	default:
		n = 1
	}
	return n
}

// traced is the record of a turn whose step is about to be committed as tx.
func (c *conversation) traced(j *job, step Step, tx store.Commit) []byte {
	cfg, t, f := c.svc.cfg, &j.tally.turn, step.Frame
	now := time.Now()
	t.Conversation, t.Index, t.Event, t.Kind, t.Received, t.Ended = c.info.ID, f.Seq, f.Event, j.event.Kind, j.event.At,
		now.UTC()
	t.Request = cmp.Or(t.Request, string(f.Event)) // nobody's request: a program's, or this server's own
	t.Node, t.Strict, t.Mode, t.Outcome = cfg.Node, cfg.Strict, cmp.Or(t.Mode, trace.ModeNone), f.Outcome
	v := &t.Validation
	v.Warnings, v.Codes = v.Warnings[:0], v.Codes[:0]
	for _, w := range f.Warnings {
		code, _, _ := strings.Cut(w, ":")
		v.Warnings = append(v.Warnings, ui.Code(code))
	}
	if f.Outcome.Kind == ui.OutcomeRefused || f.Outcome.Kind == ui.OutcomeFailed {
		v.Codes = append(v.Codes, f.Outcome.Code)
	}
	t.Recovery = recoveries(j, f)
	for _, r := range t.Recovery {
		v.Codes = append(v.Codes, r.Reason)
	}
	v.Judge(len(t.Drawings) > 0)
	t.Timing.Wait, t.Timing.Compile, t.Timing.Total = trace.Ms(t.Began.Sub(j.tally.taken)), trace.Ms(j.tally.compile),
		trace.Ms(now.Sub(j.tally.taken))
	if len(cfg.Targets) > 0 && cfg.Targets[0].Rules != nil {
		t.Base = cfg.Targets[0].Rules.Base // all have the same
	}
	t.Frame, t.Snapshot = trace.Hash(tx.Frame), ""
	if tx.Snapshot != nil {
		t.Snapshot = trace.Hash(tx.Snapshot)
	}
	b, err := t.Encode()
	if err != nil {
		c.log().Warn("trace", "conversation", c.info.ID, "event", f.Event, "err", trace.Quiet(err))
	}
	return b
}

// recoveries lists what a frame did about what failed.
func recoveries(j *job, f *ui.Frame) (out []trace.Recovery) {
	did := func(n ui.Name) string {
		do := "soft_fail"
		for _, op := range f.Ops {
			switch op := op.(type) {
			case *ui.Reset:
				if op.Surface == n {
					do = "epoch_reset"
				}
			case *ui.Close:
				if op.Surface == n {
					do = "deleteSurface"
				}
			}
		}
		return do
	}
	for _, one := range j.tally.failed {
		out = append(out, trace.Recovery{Do: did(one.surface), Surface: one.surface, Reason: one.code})
	}
	for _, c := range f.Changes {
		if j.event.Kind == ui.EventError && (c.Kind == ui.ChangedReset || c.Kind == ui.ChangedClosed) {
			out = append(out, trace.Recovery{Do: did(c.Surface), Surface: c.Surface, Reason: CodeClient})
		}
	}
	if f.Rebuild != nil {
		out = append(out, trace.Recovery{Do: "rebuild", Reason: CodeClient})
	}
	if len(out) == 0 && f.Outcome.Kind == ui.OutcomeFailed {
		out = append(out, trace.Recovery{Do: "soft_fail", Surface: f.Outcome.Surface, Reason: f.Outcome.Code})
	}
	return out
}

// log is for lines of the turn that is running.
func (c *conversation) log() *slog.Logger {
	if c.now == nil {
		return c.svc.cfg.Log
	}
	return c.svc.cfg.Log.With("request_id", c.now.tally.turn.Request)
}
