package session

import (
	"github.com/limn-ui/limn/internal/logs"
	"github.com/limn-ui/limn/internal/tally"
	"github.com/limn-ui/limn/internal/turn"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/trace"
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

func (s *Service) count(m trace.Metric) { s.cfg.Meter.Series(m).Add(1) }

// traced is the record of a turn whose step is about to be committed as tx.
func (t *Turn) traced(step turn.Step, tx store.Commit) []byte {
	cfg, f := t.c.svc.cfg, step.Frame
	about := tally.About{Conversation: t.c.info, Event: t.event, Node: cfg.Node, Strict: cfg.Strict,
		Recovery: turn.Recoveries(t.event.Kind, f, t.tally.Failed)}
	if len(cfg.Targets) > 0 && cfg.Targets[0].Rules != nil {
		about.Base = cfg.Targets[0].Rules.Base // all have the same
	}
	b, err := t.tally.Trace(about, f, tx)
	if err != nil {
		t.log().Warn("trace", "event", f.Event, "err", logs.Quiet(err))
	}
	return b
}
