package session

import (
	"context"
	"crypto/sha256"
	"encoding/hex"

	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/journal"
	"github.com/limn-ui/limn/internal/logs"
	"github.com/limn-ui/limn/internal/outbox"
	"github.com/limn-ui/limn/internal/turn"
	"github.com/limn-ui/limn/internal/turntrace"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/ui"
)

// openOutbox starts the worker of webhooks that are called later, if there is
// anything it could do.
func openOutbox(s *Service) *outbox.Outbox {
	o := outbox.New(outbox.Config{Jobs: s.cfg.Store, Files: s.cfg.Store, App: s.cfg.App,
		Post: s.cfg.Webhook, Calls: s.cfg.Hooks,
		Tries: s.cfg.Tries, Retry: s.cfg.Retry, Timeout: s.cfg.Timeout, Now: s.cfg.Now, Meter: s.cfg.Meter,
		Log: s.cfg.Log, Stop: s.work.Stop, Quiet: s.work.Quiet, Go: s.work.Go,
		Request: func() string { return s.ids.Hex(16) },
		Settle: func(ctx context.Context, job store.Job, a *ui.AnswerEvent, call turntrace.Call) error {
			return settleJob(ctx, s, job, a, call)
		}})
	if s.cfg.Webhook != nil && outbox.Declared(s.cfg.App) {
		s.work.Go(o.Run) // Close waits for it; it ends when Close begins
	}
	return o
}

// jobsOf returns the jobs that a frame puts into the outbox: the webhook that is called
// later, and nothing if the frame says that the event failed.
func jobsOf(id string, e *ui.Event, p turn.Plan, f *ui.Frame) []store.Job {
	if p.Later == nil || f.Outcome.Kind != ui.OutcomeDone {
		return nil
	}
	effect := p.Later
	call := outbox.Call{Key: journal.CallKey(e, 0), Conversation: id, Principal: journal.Principal(e),
		Action: effect.Action.Name, Surface: p.Call.Click.Surface.Name, Values: effect.Values, Record: effect.Record}
	return []store.Job{call.Job(e)}
}

// settleJob commits the result of a job, under an event id that comes from the job's.
// Only a call that succeeds after all, though the user read that it was given up, has
// a second frame.
func settleJob(ctx context.Context, s *Service, job store.Job, a *ui.AnswerEvent, call turntrace.Call) error {
	rec, err := answer(ctx, s, job, ".answer", a, call)
	if err == nil && a.Code == "" && rec.Outcome.Code == outbox.CodeGivenUp {
		_, err = answer(ctx, s, job, ".late", a, call)
	}
	if ui.CodeOf(err) == conversation.CodeNotFound {
		return nil // the conversation is gone
	}
	return err
}

// answer runs the turn of an answer in its conversation.
func answer(ctx context.Context, s *Service, of store.Job, suffix string, a *ui.AnswerEvent,
	call turntrace.Call) (Receipt, error) {
	c, done, err := s.open(ctx, of.Conversation)
	if err != nil {
		return Receipt{}, err
	}
	defer done()
	e := &ui.Event{V: ui.Version, ID: ui.EventID(of.ID + suffix), Kind: ui.EventAnswer, At: s.cfg.Now().UTC(),
		Principal: c.info.Owner, Answer: a}
	t := c.turnOf(e, recordOf(e, ""))
	sum := sha256.Sum256([]byte(e.ID))
	t.record.Hash = hex.EncodeToString(sum[:]) // two tries may be answered differently: the first counts
	t.tally.Turn.Request, t.tally.Turn.Effect = logs.RequestOf(ctx), &call
	defer c.takeTurn()()
	rec, _, err := t.do(ctx)
	return rec, err
}
