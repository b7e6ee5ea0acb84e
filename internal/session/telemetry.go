package session

import (
	"cmp"
	"strings"
	"time"

	"github.com/limn-ui/limn/compile"
	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/logs"
	"github.com/limn-ui/limn/internal/prove"
	"github.com/limn-ui/limn/internal/turn"
	"github.com/limn-ui/limn/internal/turntrace"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/trace"
	"github.com/limn-ui/limn/ui"
)

// emitTelemetry emits the telemetry of a committed step (decision logic §14). Most of it is read
// from the states around the frame, so it holds for every cause: routing, a model's
// directive, a click, the page, an opt-out that expired.
func (t *Turn) emitTelemetry(step turn.Step, p turn.Plan) {
	c := t.c
	sink := c.svc.cfg.Tell
	if sink == nil {
		return
	}
	defer func() {
		if r := recover(); r != nil { // the frame is committed: nothing may undo that
			t.log().Error("telemetry sink panicked")
		}
	}()
	for _, e := range turn.Events(step, p) {
		e.At, e.Conversation, e.Seq = step.Frame.At, c.info.ID, step.Frame.Seq
		sink.Emit(e)
	}
}

// tally collects the trace of a turn: the numbers of turntrace.Turn that are not read from
// the frame, and the messages for streams.
type tally struct {
	turn    turntrace.Turn
	taken   time.Time // when this process took the event up; of this clock, not of cfg.Now
	compile time.Duration
	failed  []compile.Failure       // of rendering
	kept    []conversation.Rendered // of the last rendering
	size    int                     // bytes of the frame as it is stored
	jobs    []store.Job             // that the frame puts into the outbox
}

// begin notes that the turn is tried now.
func (t *tally) begin() {
	now := time.Now()
	if t.taken.IsZero() {
		t.taken = now
	}
	if !t.turn.Began.IsZero() {
		t.turn.Starts++
	}
	t.turn.Began, t.compile, t.failed = now.UTC(), 0, nil
	t.turn.Drawings, t.kept = nil, nil
}

// proved notes the duration of proving a step, the failures, and the messages to send
// if there are no failures.
func (t *tally) proved(took time.Duration, r prove.Rendering, failures []compile.Failure) {
	t.compile += took
	t.failed = append(t.failed, failures...)
	t.turn.Drawings, t.kept = r.Drawings, r.Messages
}

func (s *Service) count(m trace.Metric, labels ...string) { s.cfg.Meter.Series(m, labels...).Add(1) }

// countStore counts work that failed because the store did.
func countStore(m trace.Meter, doing string, err error) {
	if err != nil && ui.CodeOf(err) == conversation.CodeStore {
		m.Series(trace.StoreErrors, doing).Add(1)
	}
}

// counted counts a committed turn.
func (t *Turn) counted(f *ui.Frame) {
	meter, kind := t.c.svc.cfg.Meter, string(t.event.Kind)
	meter.Series(trace.Commits).Add(1)
	meter.Series(trace.Turns, kind, string(f.Outcome.Kind), string(f.Outcome.Code)).Add(1)
	meter.Series(trace.TurnSeconds, kind).Add(time.Since(t.tally.turn.Began).Seconds())
	for _, r := range t.tally.turn.Recovery {
		meter.Series(trace.Recoveries, r.Do).Add(1)
	}
}

// traced is the record of a turn whose step is about to be committed as tx.
func (t *Turn) traced(step turn.Step, tx store.Commit) []byte {
	cfg, log, f := t.c.svc.cfg, &t.tally.turn, step.Frame
	now := time.Now()
	log.Conversation, log.Index, log.Event, log.Kind, log.Received, log.Ended = t.c.info.ID, f.Seq, f.Event,
		t.event.Kind, t.event.At,
		now.UTC()
	log.By = conversation.Sender(t.event.Principal, t.c.info.Owner)
	log.Request = cmp.Or(log.Request, string(f.Event)) // the request of a program, or this server's own
	log.Node, log.Strict, log.Mode, log.Outcome = cfg.Node, cfg.Strict, cmp.Or(log.Mode, turntrace.ModeNone), f.Outcome
	v := &log.Validation
	v.Warnings, v.Codes = v.Warnings[:0], v.Codes[:0]
	for _, w := range f.Warnings {
		code, _, _ := strings.Cut(w, ":")
		v.Warnings = append(v.Warnings, ui.Code(code))
	}
	if f.Outcome.Kind == ui.OutcomeRefused || f.Outcome.Kind == ui.OutcomeFailed {
		v.Codes = append(v.Codes, f.Outcome.Code)
	}
	log.Recovery = turn.Recoveries(t.event.Kind, f, t.tally.failed)
	for _, r := range log.Recovery {
		v.Codes = append(v.Codes, r.Reason)
	}
	v.Judge(len(log.Drawings) > 0)
	log.Timing.Wait, log.Timing.Compile, log.Timing.Total = turntrace.Ms(log.Began.Sub(t.tally.taken)),
		turntrace.Ms(t.tally.compile),
		turntrace.Ms(now.Sub(t.tally.taken))
	if len(cfg.Targets) > 0 && cfg.Targets[0].Rules != nil {
		log.Base = cfg.Targets[0].Rules.Base // all have the same
	}
	log.Frame, log.Snapshot = turntrace.Hash(tx.Frame), ""
	if tx.Snapshot != nil {
		log.Snapshot = turntrace.Hash(tx.Snapshot)
	}
	b, err := log.Encode()
	if err != nil {
		t.log().Warn("trace", "event", f.Event, "err", logs.Quiet(err))
	}
	return b
}
