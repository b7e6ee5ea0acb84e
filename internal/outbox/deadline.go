package outbox

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/internal/logs"
	"github.com/limn-ui/limn/internal/turntrace"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/ui"
)

// kindCall is the kind of a job that ends the call of a client's function at its deadline. Its Call has
// the id of that call as key, and the action that waits for the result.
const kindCall = "call"

// CodeExpired is the code of the error of a call without an answer in time.
const CodeExpired = "FUNCTION_CALL_EXPIRED"

// expired is the result of such a call. No client sent it: it has no version.
func expired(id string) *ui.Event {
	return &ui.Event{Kind: ui.EventAction, Action: &ui.ActionEvent{Call: id, Returns: true, Context: jsonx.OfObject()},
		Data: ui.Map(ui.Pair{Key: "error", Value: ui.Map(ui.Pair{Key: "code", Value: ui.String(CodeExpired)},
			ui.Pair{Key: "message", Value: ui.String("no client answered in time")})})}
}

// Deadlines returns the jobs for the calls that clients are to answer since an event.
func Deadlines(id string, e *ui.Event, before, after *ui.State) (jobs []store.Job) {
	for _, c := range ended(after, before) {
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
func (o *Outbox) Moved(ctx context.Context, id string, before, after *ui.State, jobs []store.Job) {
	for _, c := range ended(before, after) {
		if err := o.Jobs.Finish(ctx, id, deadline(c)); err != nil && !errors.Is(err, store.ErrNotFound) {
			o.Log.WarnContext(ctx, "a deadline stays", "conversation", id, "err", logs.Quiet(err))
		}
	}
	if len(jobs) > 0 {
		o.Due()
	}
}

var errAnswered = errors.New("its result is at work")

// expire ends a call without an answer in time. A result that came before, and whose action is not
// done yet, counts.
func (o *Outbox) expire(job store.Job) {
	ctx := context.WithoutCancel(logs.WithRequest(o.Stop, o.Request()))
	var call Call
	err := json.Unmarshal(job.Body, &call)
	if err == nil {
		err = o.unanswered(ctx, job.Conversation, call.Key)
	}
	if err == nil {
		err = o.Settle(ctx, job, expired(call.Key), turntrace.Call{Action: call.Action, By: "deadline"})
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
		e, err := ui.DecodeEvent(r.Body)
		if err == nil && e.Action != nil && e.Action.Returns && e.Action.Call == call {
			return errAnswered
		}
	}
	return err
}
