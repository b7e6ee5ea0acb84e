package session

import (
	"context"
	"errors"
	"runtime/debug"

	"github.com/limn-ui/limn/internal/execute"
	"github.com/limn-ui/limn/internal/route"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/trace"
	"github.com/limn-ui/limn/ui"
)

// plan is what a turn decided: the content of a frame, or what must be asked
// outside before there can be one.
type plan struct {
	ops      ui.Ops
	outcome  ui.Outcome
	warnings []*ui.Error

	effect  *execute.Effect // a handler or webhook to call
	step    execute.Step
	click   execute.Click
	carried bool   // the call was made: its frame may fail to draw, but not fail
	ask     string // a model to ask: for a message before its frame, for an action after it
	how     string // as the app declares the run: app.RunDirectives, …

	rebuild *ui.Rebuild // the client whose drawing is wrong

	sums     ui.Name         // the tool whose submit ask sums up
	retry    bool            // ask is a message of the user whose first answer failed
	routing  bool            // ask is for the routing model first
	outbox   []store.Job     // calls to make because of the frame
	again    bool            // a model's directive shows the open tool once more
	decision *route.Decision // what routing said about a message
}

// maxRaces is how often a turn starts again after a lost race.
const maxRaces = 20

// walk is one turn. It is called with the right to the turn; the numbers are
// those of the architecture (§3). pending is not nil when the answer follows
// later, or something more after the answer.
func (c *conversation) walk(ctx context.Context, j *job) (rec Receipt, pending *running, err error) {
	var may *permit
	defer func() {
		if may != nil && !may.handed {
			may.release()
		}
	}()
	return c.guarded(ctx, j, func(state *ui.State) (Receipt, *running, error) {
		if state.Ended && !j.recorded && j.event.Kind != ui.EventAnswer { // of a call that was made already
			if rec, known, err := c.afterEnd(ctx, state, j); !known {
				return rec, nil, err
			}
		}
		p := c.decide(state, j.event) // 2 Admit, 4 decide, 5 run
		if p.effect == nil {
			if err := c.recall(ctx, j); err != nil {
				return Receipt{}, nil, err
			}
			if j.called != nil {
				p = c.movedOn(j.called)
			}
		}
		if p.ask != "" && may == nil && !j.recorded {
			if may, err = c.mayAsk(ctx, j); err != nil {
				return Receipt{}, nil, err
			}
		}
		if p.effect != nil || p.ask != "" {
			prior, err := c.claim(ctx, j) // 1 known? 3 record
			if err != nil {
				return Receipt{}, nil, err
			}
			if prior != nil {
				return c.prior(prior, state.Seq)
			}
			c.begin(j)
		}
		switch {
		case p.ask != "" && j.event.Kind == ui.EventAction:
			return c.answerThenAsk(ctx, state, j, p, may)
		case p.ask != "":
			j.decision, j.routing, j.how = p.decision, p.routing, p.how
			run := j.run // from here on the job is the model run's
			return c.askLater(j, p.ask, may), run, nil
		case p.effect != nil:
			j.calls(state.Seq)
			if err := c.seclude(ctx, j, state); err != nil { // a handler is called on what other nodes have done too
				return Receipt{}, nil, err
			}
			if p, err = c.perform(ctx, state, j, p); err != nil {
				return Receipt{}, nil, err
			}
		}
		return c.finish(ctx, state, j, p)
	})
}

// guarded runs a turn on the newest state, again after each lost race, and
// answers for it whatever happens: a panic ends as a frame that says so, and a
// recorded event that could not be answered is tried again later.
func (c *conversation) guarded(ctx context.Context, j *job,
	turn func(*ui.State) (Receipt, *running, error)) (rec Receipt, pending *running, err error) {
	defer c.admit(ctx, j)
	if rec, pending, err = c.races(ctx, j, turn); errors.Is(err, errPanic) {
		rec, pending, err = c.races(ctx, j, func(s *ui.State) (Receipt, *running,
			error) {
			return c.giveUp(ctx, s, j, CodeTurnFailed)
		})
	}
	if err == nil || !j.recorded {
		return rec, pending, err
	}
	run := c.begin(j) // from here on the job is another goroutine's
	if errors.Is(err, errTaken) {
		return c.leave(j), run, nil
	}
	return c.later(j, err), run, nil
}

var (
	errLostRace = errors.New("another process was faster")
	errTaken    = errors.New("another node runs this event")
	errPanic    = errors.New("panic in a turn")
)

func (c *conversation) races(ctx context.Context, j *job, turn func(*ui.State) (Receipt, *running, error)) (rec Receipt,
	pending *running, err error) {
	defer func() {
		if p := recover(); p != nil {
			c.svc.cfg.Log.ErrorContext(ctx, "panic in a turn", "conversation", c.info.ID, "event", j.event.ID, "panic",
				trace.QuietPanic(p), "stack", string(debug.Stack()))
			rec, pending, err = Receipt{}, nil, errPanic
		}
	}()
	patience := c.newPatience()
	defer patience.end()
	c.now = j
	for patience.races < maxRaces {
		j.begins()
		rec, pending, err = turn(c.head())
		if !errors.Is(err, errLostRace) && !errors.Is(err, store.ErrLeased) {
			return rec, pending, err
		}
		if err := patience.wait(ctx, j, err); err != nil {
			return Receipt{}, nil, err
		}
		if err := c.reload(ctx); err != nil {
			return Receipt{}, nil, err
		}
		if rec, ok := c.elsewhere(ctx, j); ok {
			return rec, nil, nil
		}
	}
	return Receipt{}, nil, &ui.Error{Code: CodeBusy, Message: "other processes keep changing this conversation"}
}

// finish commits what a turn decided on state: 6 apply, 7 draw, 8 commit, 9 tell.
func (c *conversation) finish(ctx context.Context, state *ui.State, j *job, p plan) (Receipt, *running, error) {
	step, err := c.drawn(state, j, p)
	if err != nil {
		return Receipt{}, nil, err
	}
	return c.publish(ctx, j, step, p)
}

// publish commits a step and tells everybody.
func (c *conversation) publish(ctx context.Context, j *job, step Step, p plan) (Receipt, *running, error) {
	rec := receipt(step.Frame)
	j.outbox = queued(step.Frame, p.outbox)
	err := c.commit(ctx, j, &step, rec)
	if errors.Is(err, store.ErrExists) { // the key is known after all
		prior, err := c.claim(ctx, j)
		if err != nil {
			return Receipt{}, nil, err
		}
		if prior == nil {
			return Receipt{}, nil, &ui.Error{Code: CodeStore, Message: "the store contradicts itself about a key"}
		}
		return c.prior(prior, step.Before.Seq)
	}
	if err != nil {
		return Receipt{}, nil, err
	}
	if j.held != nil { // the frame ended it
		j.held.Drop()
	}
	step.drawn = j.tally.drawn
	c.advance(step)
	c.svc.cfg.Bus.Notify(c.info.ID, rec.Seq)
	if step.After.Ended && !step.Before.Ended {
		c.stopRuns(ctx)
	}
	c.tell(step, p)
	c.counted(j, step.Frame)
	if len(j.outbox) > 0 {
		c.svc.box.due()
	}
	// nothing a user wrote
	c.svc.cfg.Log.InfoContext(ctx, "turn", "conversation", c.info.ID, "event", j.event.ID, "kind", j.event.Kind,
		"seq", step.Frame.Seq, "outcome", rec.Outcome.Kind, "code", rec.Outcome.Code, "warnings",
		len(step.Frame.Warnings))
	return rec, nil, nil
}
