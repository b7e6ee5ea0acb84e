// Package tally collects the trace of one turn while it runs, and counts it.
//
// In: when a turn began, what its proof rendered, and its frame. Out: the record that the
// store keeps with the frame (turntrace.Turn), and metrics.
//
// Called by session.
package tally

import (
	"cmp"
	"strings"
	"time"

	"github.com/limn-ui/limn/compile"
	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/metric"
	"github.com/limn-ui/limn/internal/turntrace"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/trace"
	"github.com/limn-ui/limn/ui"
)

// Tally collects the trace of a turn: the numbers of turntrace.Turn that are not read from
// the frame, and the messages for streams.
type Tally struct {
	Turn   turntrace.Turn
	Taken  time.Time               // when this process took the event up, by the clock of the machine
	Failed []compile.Failure       // of rendering
	Kept   []conversation.Rendered // of the last rendering
	Size   int                     // bytes of the frame as it is stored
	Jobs   []store.Job             // that the frame puts into the outbox

	compile time.Duration
}

// Begin notes that the turn is tried now.
func (t *Tally) Begin() {
	now := time.Now()
	if t.Taken.IsZero() {
		t.Taken = now
	}
	if !t.Turn.Began.IsZero() {
		t.Turn.Starts++
	}
	t.Turn.Began, t.compile, t.Failed = now.UTC(), 0, nil
	t.Turn.Drawings, t.Kept = nil, nil
}

// Proved notes the duration of proving a step, the failures, and the messages to send
// if there are no failures.
func (t *Tally) Proved(took time.Duration, drawings []turntrace.Drawing, messages []conversation.Rendered,
	failures []compile.Failure) {
	t.compile += took
	t.Failed = append(t.Failed, failures...)
	t.Turn.Drawings, t.Kept = drawings, messages
}

// Count counts a committed turn.
func (t *Tally) Count(meter trace.Meter, event ui.EventKind, f *ui.Frame) {
	kind := string(event)
	meter.Series(metric.Commits).Add(1)
	meter.Series(metric.Turns, kind, string(f.Outcome.Kind), string(f.Outcome.Code)).Add(1)
	meter.Series(metric.TurnSeconds, kind).Add(time.Since(t.Turn.Began).Seconds())
	for _, r := range t.Turn.Recovery {
		meter.Series(metric.Recoveries, r.Do).Add(1)
	}
}

// About says whose turn it is, and where it runs.
type About struct {
	Conversation store.Conversation
	Event        *ui.Event
	Node         string
	Strict       bool
	Base         string // origin of the pages, as compile.Rules has it
	Recovery     []turntrace.Recovery
}

// Trace returns the record of a turn whose frame is about to be committed as tx.
func (t *Tally) Trace(a About, f *ui.Frame, tx store.Commit) ([]byte, error) {
	log, now := &t.Turn, time.Now()
	log.Conversation, log.Index, log.Event, log.Kind, log.Received, log.Ended = a.Conversation.ID, f.Seq, f.Event,
		a.Event.Kind, a.Event.At, now.UTC()
	log.By = conversation.Sender(a.Event.Principal, a.Conversation.Owner)
	log.Request = cmp.Or(log.Request, string(f.Event)) // the request of a program, or this server's own
	log.Node, log.Strict, log.Mode, log.Outcome = a.Node, a.Strict, cmp.Or(log.Mode, turntrace.ModeNone), f.Outcome
	v := &log.Validation
	v.Warnings, v.Codes = v.Warnings[:0], v.Codes[:0]
	for _, w := range f.Warnings {
		code, _, _ := strings.Cut(w, ":")
		v.Warnings = append(v.Warnings, ui.Code(code))
	}
	if f.Outcome.Kind == ui.OutcomeRefused || f.Outcome.Kind == ui.OutcomeFailed {
		v.Codes = append(v.Codes, f.Outcome.Code)
	}
	log.Recovery = a.Recovery
	for _, r := range log.Recovery {
		v.Codes = append(v.Codes, r.Reason)
	}
	v.Judge(len(log.Drawings) > 0)
	log.Timing.Wait, log.Timing.Compile, log.Timing.Total = turntrace.Ms(log.Began.Sub(t.Taken)),
		turntrace.Ms(t.compile), turntrace.Ms(now.Sub(t.Taken))
	log.Base = a.Base
	log.Frame, log.Snapshot = turntrace.Hash(tx.Frame), ""
	if tx.Snapshot != nil {
		log.Snapshot = turntrace.Hash(tx.Snapshot)
	}
	return log.Encode()
}

// CountStore counts work that failed because the store did.
func CountStore(m trace.Meter, doing string, err error) {
	if err != nil && ui.CodeOf(err) == conversation.CodeStore {
		m.Series(metric.StoreErrors, doing).Add(1)
	}
}
