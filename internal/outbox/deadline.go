package outbox

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/limn-ui/limn/internal/execute"
	"github.com/limn-ui/limn/internal/journal"
	"github.com/limn-ui/limn/internal/logs"
	"github.com/limn-ui/limn/internal/turn"
	"github.com/limn-ui/limn/internal/turntrace"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/ui"
)

// kindCall is the kind of a job that ends the call of a client's function at its deadline. Its Call has
// the id of that call as key, and the action that waits for the result.
const kindCall = "call"

// JobsOf returns the jobs that a frame puts into the outbox: the webhook that is called later, unless
// the frame says that the event failed, and the deadlines of the calls that clients are to answer.
func JobsOf(id string, e *ui.Event, p turn.Plan, step turn.Step) (jobs []store.Job) {
	if p.Later != nil && step.Frame.Outcome.Kind == ui.OutcomeDone {
		call := Call{Key: journal.CallKey(e, 0), Conversation: id, Principal: journal.Principal(e),
			Action: p.Later.Action.Name, Surface: p.Call.Click.Surface.Name, Values: p.Later.Values,
			Record: p.Later.Record}
		jobs = append(jobs, call.Job(e))
	}
	for _, c := range ended(step.After, step.Before) {
		job := Call{Key: c.ID, Conversation: id, Action: c.Name}.Job(e)
		job.ID, job.Kind, job.Due = deadline(c), kindCall, c.Until
		jobs = append(jobs, job)
	}
	return jobs
}

// ended lists the calls that wait in one state and not in a later one.
func ended(before, after *ui.State) (out []ui.Action) {
	for _, c := range before.Router.Calls {
		if !slices.ContainsFunc(after.Router.Calls, func(o ui.Action) bool { return deadline(o) == deadline(c) }) {
			out = append(out, c)
		}
	}
	return out
}

// deadline is the id of the job of a call. Agents choose the ids of their calls, and may use one again.
func deadline(c ui.Action) string {
	sum := sha256.Sum256([]byte(c.ID + " " + c.Until.UTC().Format(time.RFC3339Nano)))
	return "call/" + hex.EncodeToString(sum[:16])
}

// Moved is called after a commit: it wakes the worker if there is something new, and takes the deadlines
// of calls that have ended out of the outbox. One that stays finds its call gone.
func (o *Outbox) Moved(ctx context.Context, id string, step turn.Step, jobs []store.Job) {
	for _, c := range ended(step.Before, step.After) {
		if err := o.Jobs.Finish(ctx, id, deadline(c)); err != nil && !errors.Is(err, store.ErrNotFound) {
			o.Log.WarnContext(ctx, "a deadline stays", "conversation", id, "err", logs.Quiet(err))
		}
	}
	if len(jobs) > 0 {
		o.Due()
	}
}

var errAnswered = errors.New("its result is at work")

// expire ends a call that nobody answered in time. A result that came before, and whose action is not
// done yet, counts.
func (o *Outbox) expire(job store.Job) {
	ctx := context.WithoutCancel(logs.WithRequest(o.Stop, o.Request()))
	var call Call
	err := json.Unmarshal(job.Body, &call)
	if err == nil {
		err = o.unanswered(ctx, job.Conversation, call.Key)
	}
	if err == nil {
		err = o.Settle(ctx, job, execute.Expired(call.Key), turntrace.Call{Action: call.Action, By: "deadline"})
	}
	switch {
	case err == nil, errors.Is(err, store.ErrNotFound):
		err = o.Jobs.Finish(ctx, job.Conversation, job.ID)
	default:
		o.Log.WarnContext(ctx, "a call expires later", "conversation", job.Conversation, "err", logs.Quiet(err))
		err = o.Jobs.Retry(ctx, job.Conversation, job.ID, o.Now().Add(o.Retry))
	}
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		o.Log.WarnContext(ctx, "a deadline stays", "conversation", job.Conversation, "err", logs.Quiet(err))
	}
}

// unanswered makes sure that no result of a call is recorded and waits for its frame.
func (o *Outbox) unanswered(ctx context.Context, conversation, call string) error {
	head, err := o.Jobs.Open(ctx, conversation)
	for _, r := range head.Pending {
		if e, bad := ui.DecodeEvent(r.Body); bad == nil && e.Action != nil && e.Action.Returns && e.Action.Call == call {
			return errAnswered
		}
	}
	return err
}
