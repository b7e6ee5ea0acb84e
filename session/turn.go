package session

import (
	"context"
	"errors"
	"fmt"

	"github.com/limn-ui/limn/execute"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/ui"
)

// plan is what a turn decided: the content of a frame, or what must be asked
// outside before there can be one.
type plan struct {
	ops      ui.Ops
	outcome  ui.Outcome
	warnings []*ui.Error

	effect *execute.Effect // a handler or webhook to call
	step   execute.Step
	click  execute.Click
	ask    string // a model to ask; the frame follows when it has answered
}

// maxRaces is how often a turn starts again after a lost race.
const maxRaces = 5

// walk is one turn. It is called with the right to the turn; the numbers are
// those of the architecture (§3). pending is not nil when the answer follows later.
func (c *conversation) walk(ctx context.Context, j *job) (rec Receipt, pending *running, err error) {
	for range maxRaces {
		rec, pending, err = c.once(ctx, j)
		if !errors.Is(err, errLostRace) {
			return rec, pending, err
		}
		if err := c.reload(ctx); err != nil {
			return Receipt{}, nil, err
		}
	}
	return Receipt{}, nil, &ui.Error{Code: CodeBusy, Message: "other processes keep changing this conversation"}
}

func (c *conversation) once(ctx context.Context, j *job) (Receipt, *running, error) {
	state := c.head()
	p := c.decide(state, j.event) // 2 Admit, 4 decide, 5 run
	if p.effect != nil || p.ask != "" {
		prior, err := c.claim(ctx, j) // 1 known? 3 record
		if err != nil {
			return Receipt{}, nil, err
		}
		if prior != nil {
			return c.prior(prior)
		}
		c.begin(j)
	}
	if p.ask != "" {
		return c.askLater(j, p.ask), j.run, nil
	}
	if p.effect != nil {
		p = c.perform(ctx, state, j, p)
	}
	return c.finish(ctx, state, j, p)
}

// finish commits what a turn decided on state: 6 apply, 7 draw, 8 commit, 9 tell.
func (c *conversation) finish(ctx context.Context, state *ui.State, j *job, p plan) (Receipt, *running, error) {
	step, err := c.drawn(state, j.event, p)
	if err != nil {
		return Receipt{}, nil, err
	}
	rec := Receipt{Event: j.event.ID, Seq: step.Frame.Seq, Done: true, Outcome: step.Frame.Outcome}
	err = c.commit(ctx, j, step, rec)
	if errors.Is(err, store.ErrExists) { // the key is known after all
		prior, err := c.claim(ctx, j)
		if err != nil {
			return Receipt{}, nil, err
		}
		if prior == nil {
			return Receipt{}, nil, &ui.Error{Code: CodeStore, Message: "the store contradicts itself about a key"}
		}
		return c.prior(prior)
	}
	if err != nil {
		return Receipt{}, nil, err
	}
	c.advance(step)
	c.answered(j, rec)
	c.svc.cfg.Bus.Notify(c.info.ID, rec.Seq)
	c.note(j, step)
	return rec, nil, nil
}

// note logs the turn without anything a user wrote.
func (c *conversation) note(j *job, step Step) {
	c.svc.cfg.Log.Info("turn", "conversation", c.info.ID, "event", j.event.ID, "kind", j.event.Kind,
		"seq", step.Frame.Seq, "outcome", step.Frame.Outcome.Kind, "code", step.Frame.Outcome.Code, "warnings", len(step.Frame.Warnings))
}

// drawn builds the frame of a plan, applies it and proves that it draws. What
// does not is recovered: the surface is closed and a text says so.
func (c *conversation) drawn(state *ui.State, e *ui.Event, p plan) (Step, error) {
	frame := &ui.Frame{V: ui.Version, Seq: state.Seq + 1, Event: e.ID, At: e.At, Ops: p.ops, Outcome: p.outcome}
	for _, w := range p.warnings {
		frame.Warnings = append(frame.Warnings, warning(w))
	}
	step, err := c.apply(state, frame)
	if err != nil { // the ops of this turn do not fit: say so instead
		c.svc.cfg.Log.Warn("ops do not apply", "conversation", c.info.ID, "err", err)
		if c.svc.cfg.Strict && e.Kind != ui.EventError {
			frame.Warnings = append(frame.Warnings, warning(err))
		}
		frame.Ops, frame.Outcome = c.sorry(e, err)
		if step, err = c.apply(state, frame); err != nil {
			return Step{}, fmt.Errorf("apply a failure frame: %w", err)
		}
	}
	if more, warnings := execute.Refresh(c.env(e), step.After); len(more)+len(warnings) > 0 {
		for _, w := range warnings {
			frame.Warnings = append(frame.Warnings, warning(w))
		}
		plain := frame.Ops
		frame.Ops = append(plain[:len(plain):len(plain)], more...)
		if next, err := c.apply(state, frame); err == nil {
			step = next
		} else { // the views do not fit: the turn itself still counts
			frame.Ops, frame.Warnings = plain, append(frame.Warnings, warning(err))
			if step, err = c.apply(state, frame); err != nil {
				return Step{}, err
			}
		}
	}
	for range maxRaces {
		failures := c.draw(step)
		if len(failures) == 0 {
			return step, nil
		}
		if step, err = c.recover(state, step, failures); err != nil {
			return Step{}, err
		}
	}
	frame.Ops, frame.Outcome = c.sorry(e, &ui.Error{Code: CodeTurnFailed})
	return c.apply(state, frame)
}

func (c *conversation) apply(state *ui.State, frame *ui.Frame) (Step, error) {
	next, changes, err := ui.Apply(state, frame, c.svc.cfg.App.Config().Limits)
	if err != nil {
		return Step{}, err
	}
	frame.Changes, frame.Text, frame.Toasts = changes, frame.Ops.Speech(), frame.Ops.Toasts()
	return Step{state, next, frame}, nil
}

// sorry is the content of a frame whose turn failed: the user's words are kept.
func (c *conversation) sorry(e *ui.Event, err error) (ui.Ops, ui.Outcome) {
	code := ui.CodeOf(err)
	if code == "" {
		code = CodeTurnFailed
	}
	title := c.svc.cfg.Recovery.For(code).Title
	ops := ui.Ops{}
	if e.Kind == ui.EventMessage {
		ops = append(ops, &ui.Say{Role: ui.RoleUser, Text: e.Text})
	}
	return append(ops, &ui.Say{Role: ui.RoleAssistant, Text: title}), ui.Outcome{Kind: ui.OutcomeFailed, Code: code, Message: title}
}

func warning(err error) string {
	var e *ui.Error
	if errors.As(err, &e) {
		s := string(e.Code) + ": " + e.Message
		if e.Path != "" {
			s += " (" + e.Path + ")"
		}
		return s
	}
	return string(CodeTurnFailed) + ": " + err.Error()
}

// snapshotEvery and snapshotBytes say when a frame carries a snapshot.
const (
	snapshotEvery = 64
	snapshotBytes = 256 << 10
)

func (c *conversation) commit(ctx context.Context, j *job, step Step, rec Receipt) error {
	body, err := ui.Encode(step.Frame)
	if err != nil {
		return fmt.Errorf("encode frame: %w", err)
	}
	tx := store.Commit{Expect: step.Before.Seq, Frame: body, Answer: rec.encode()}
	if j.recorded {
		tx.Event = j.record.Event
	} else {
		tx.Record = &j.record
	}
	c.opsBytes += len(body)
	if step.Frame.Seq-c.snapped >= snapshotEvery || c.opsBytes >= snapshotBytes {
		if tx.Snapshot, err = ui.Encode(step.After); err != nil {
			return fmt.Errorf("encode state: %w", err)
		}
	}
	err = c.svc.cfg.Store.Append(ctx, c.info.ID, tx)
	switch {
	case errors.Is(err, store.ErrConflict):
		return errLostRace
	case errors.Is(err, store.ErrExists):
		return store.ErrExists
	case err != nil:
		return storeError("append frame", err)
	}
	if tx.Snapshot != nil {
		c.snapped, c.opsBytes = step.Frame.Seq, 0
	}
	return nil
}
