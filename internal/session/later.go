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

// newOutbox returns the worker of webhooks that are called later, and of deadlines.
func newOutbox(s *Service) *outbox.Outbox {
	return outbox.New(outbox.Config{Jobs: s.cfg.Store, Files: s.cfg.Store, App: s.cfg.App,
		Post: s.cfg.Webhook, Calls: s.cfg.Hooks,
		Tries: s.cfg.Tries, Retry: s.cfg.Retry, Timeout: s.cfg.Timeout, Now: s.cfg.Now, Meter: s.cfg.Meter,
		Log: s.cfg.Log, Stop: s.work.Stop, Quiet: s.work.Quiet, Go: s.work.Go,
		Request: func() string { return s.ids.Hex(16) },
		Settle: func(ctx context.Context, job store.Job, e *ui.Event, call turntrace.Call) error {
			return settleJob(ctx, s, job, e, call)
		}})
}

// jobsOf returns the jobs that a frame puts into the outbox: the deadlines of the calls that
// clients are to answer, and unless it says that the event failed, the webhook that is called later.
func jobsOf(id string, e *ui.Event, p turn.Plan, step *turn.Step) []store.Job {
	jobs := outbox.Deadlines(id, e, step.Before, step.After)
	if p.Later == nil || step.Frame.Outcome.Kind != ui.OutcomeDone {
		return jobs
	}
	effect := p.Later
	call := outbox.Call{Key: journal.CallKey(e, 0), Conversation: id, Principal: journal.Principal(e),
		Action: effect.Action.Name, Surface: p.Call.Click.Surface.Name, Values: effect.Values, Record: effect.Record}
	return append(jobs, call.Job(e))
}

// settleJob commits the result of a job, under an event id that comes from the job's.
// Only a call that succeeds after all, though the user read that it was given up, has
// a second frame.
func settleJob(ctx context.Context, s *Service, job store.Job, e *ui.Event, call turntrace.Call) error {
	rec, err := answer(ctx, s, job, ".answer", e, call)
	if err == nil && e.Answer != nil && e.Answer.Code == "" && rec.Outcome.Code == outbox.CodeGivenUp {
		_, err = answer(ctx, s, job, ".late", e, call)
	}
	if code := ui.CodeOf(err); code == conversation.CodeNotFound || code == ui.CodeEnded {
		return nil // the conversation is gone
	}
	return err
}

// answer runs the turn of an answer in its conversation.
func answer(ctx context.Context, s *Service, of store.Job, suffix string, sent *ui.Event,
	call turntrace.Call) (Receipt, error) {
	c, done, err := s.open(ctx, of.Conversation)
	if err != nil {
		return Receipt{}, err
	}
	defer done()
	e := &ui.Event{V: ui.Version, ID: ui.EventID(of.ID + suffix), Kind: sent.Kind, At: s.cfg.Now().UTC(),
		Principal: c.info.Owner, Answer: sent.Answer, Action: sent.Action, Data: sent.Data}
	t := c.turnOf(e, recordOf(e, ""))
	sum := sha256.Sum256([]byte(e.ID))
	t.record.Hash = hex.EncodeToString(sum[:]) // two tries may be answered differently: the first counts
	t.tally.Turn.Request, t.tally.Turn.Effect = logs.RequestOf(ctx), &call
	defer c.takeTurn()()
	if err := c.log.Reload(ctx); err != nil { // a deadline of a call that is not there makes no frame
		return Receipt{}, err
	}
	rec, _, err := t.do(ctx)
	return rec, err
}
