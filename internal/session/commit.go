package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/logs"
	"github.com/limn-ui/limn/internal/quota"
	"github.com/limn-ui/limn/internal/records"
	"github.com/limn-ui/limn/internal/turn"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/ui"
)

// A frame carries a snapshot after conversation.SnapshotEvery frames, or snapshotBytes
// of them.
const snapshotBytes = 256 << 10

// append commits a step, with its answer, its trace and its jobs, in one
// transaction. Errors: errLostRace, store.ErrLeased, store.ErrExists, store.ErrVersion, conversation.CodeStore.
func (t *Turn) append(ctx context.Context, p turn.Plan, step *turn.Step) error {
	c, f := t.c, step.Frame
	body, err := ui.Encode(f)
	if err != nil {
		return fmt.Errorf("encode frame: %w", err)
	}
	t.tally.Jobs = jobsOf(c.info.ID, t.event, p, step)
	tx := store.Commit{Expect: step.Before.Seq, Frame: body, Answer: conversation.ReceiptOf(f).Encode(),
		Node: c.svc.cfg.Node, Outbox: t.tally.Jobs, Records: records.Of(c.svc.cfg.App, c.info.ID, t.event, f)}
	tx.Said = conversation.Said(f, step.After)
	if c.info.First == "" {
		tx.First = conversation.First(step.After)
	}
	if t.leases.turn != nil {
		tx.Token = t.leases.turn.Token()
	}
	if t.recorded {
		tx.Event = t.record.ID
	} else {
		tx.Record = compact(t.record, t.event, f)
	}
	if f.Seq-min(c.snapped, f.Seq) >= conversation.SnapshotEvery || c.opsBytes+len(body) >= snapshotBytes {
		if tx.Snapshot, err = ui.Encode(step.After); err != nil {
			return fmt.Errorf("encode state: %w", err)
		}
	}
	tx.Trace = t.traced(*step, tx)
	switch err = c.svc.cfg.Store.Append(ctx, c.info.ID, tx); {
	case errors.Is(err, store.ErrConflict):
		return errLostRace
	case errors.Is(err, store.ErrLeased), errors.Is(err, store.ErrExists), errors.Is(err, store.ErrVersion):
		return err
	case err != nil:
		unanswered{c}.lookLater()
		return conversation.StoreError("append frame", err)
	}
	c.svc.quotas.stored.Add(t.event.Principal, t.address, quota.Bytes(t.record, tx))
	t.tally.Size = len(body)
	c.info.First = cmp.Or(c.info.First, tx.First)
	if c.opsBytes += len(body); tx.Snapshot != nil {
		c.snapped, c.opsBytes = f.Seq, 0
		c.log.Snapshotted(len(tx.Snapshot) - len(body)) // advance adds the frame, which the snapshot holds already
		trim(c, f.Seq)
	}
	return nil
}

// compact returns the record of an event with the body that is stored: of a refused
// event only the principal, the kind and the time. Its hash and answer serve its
// repeats, and refused events do not fill the disk.
func compact(r store.Event, e *ui.Event, f *ui.Frame) *store.Event {
	if f.Outcome.Kind == ui.OutcomeRefused {
		r.Body = recordOf(&ui.Event{V: e.V, ID: e.ID, Kind: e.Kind, Key: e.Key, At: e.At, Principal: e.Principal},
			"").Body
	}
	return &r
}

// trimMax is the most frames that one snapshot has trimmed: a writer should not
// be held up, and the next snapshot goes on.
const trimMax = 4 * conversation.SnapshotEvery

// trim removes frames that a snapshot has made unneeded, after the turn. One that
// fails is made up for after the next snapshot.
func trim(c *mailbox, seq uint64) {
	keep, floor := uint64(c.svc.cfg.Keep), c.log.Head().Floor
	if seq <= keep || seq-keep <= floor {
		return
	}
	c.svc.work.Go(func() { // Close waits for it
		floor, err := c.svc.cfg.Store.Trim(c.svc.work.Stop, c.info.ID, min(seq-keep, floor+trimMax))
		if err != nil {
			c.svc.cfg.Log.Warn("trim", "conversation", c.info.ID, "err", logs.Quiet(err))
			return
		}
		c.log.Trimmed(floor)
	})
}
