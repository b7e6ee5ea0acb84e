package conversation

import (
	"context"
	"errors"
	"fmt"

	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/ui"
)

// Stored is the part of a store that Dump reads.
type Stored interface {
	Open(ctx context.Context, id string) (store.Head, error)
	Lookup(ctx context.Context, id string, r store.Event) (*store.Event, error)
	Frames(ctx context.Context, id string, after uint64, limit int) ([]store.Frame, error)
	Snapshot(ctx context.Context, id string, at uint64) (seq uint64, body []byte, err error)
	Traces(ctx context.Context, id string, after uint64, limit int) ([]store.Frame, error)
	Notes(ctx context.Context, id, event string) ([][]byte, error)
}

// Span says which turns of a conversation to read; a zero end is the log's own.
type Span struct{ From, To uint64 }

// Dump reads the turns of a span as a complete dump: it begins with the newest snapshot
// before the span and the frames since, or with the first frame. The dump has the events and
// notes of the span that are not forgotten. If the span ends with the newest turn, it also has
// the events that wait for their answer. It has no jobs or files. If frames were trimmed, the
// span begins at the first turn that can be derived.
func Dump(ctx context.Context, st Stored, id string, span Span) (store.Dump, error) {
	head, err := st.Open(ctx, id)
	if err != nil {
		return store.Dump{}, fmt.Errorf("conversation %s: %w", id, err)
	}
	d := store.Dump{Conversation: head.Conversation, Seq: head.Seq, Notes: map[string][][]byte{}}
	if span.To > 0 && span.To < d.Seq {
		d.Seq = span.To
	}
	from := max(span.From, 1)
	base, err := baseOf(ctx, st, head, from-1)
	if err != nil {
		return d, err
	}
	if d.Floor = base.Seq; base.Seq > 0 {
		d.Snapshots = []store.Frame{base}
	}
	d.Seq = max(d.Seq, d.Floor)
	if d.Frames, err = pages(d.Floor, d.Seq, func(after uint64, n int) ([]store.Frame, error) {
		return st.Frames(ctx, id, after, n)
	}); err != nil {
		return d, fmt.Errorf("read frames: %w", err)
	}
	if uint64(len(d.Frames)) != d.Seq-d.Floor {
		return d, fmt.Errorf("the log ends at frame %d, the head is %d", d.Floor+uint64(len(d.Frames)), head.Seq)
	}
	if d.Traces, err = pages(d.Floor, d.Seq, func(after uint64, n int) ([]store.Frame, error) {
		return st.Traces(ctx, id, after, n)
	}); err != nil {
		return d, fmt.Errorf("read traces: %w", err)
	}
	for _, f := range d.Frames {
		if f.Seq < from {
			continue
		}
		frame, err := ui.DecodeFrame(f.Body)
		if err != nil {
			continue // applying the frame reports the error
		}
		if err := addEvent(ctx, st, &d, string(frame.Event)); err != nil {
			return d, err
		}
	}
	if d.Seq == head.Seq {
		for _, e := range head.Pending {
			if err := addEvent(ctx, st, &d, e.ID); err != nil {
				return d, err
			}
		}
	}
	return d, nil
}

// baseOf returns the newest snapshot up to a frame; a zero Frame means the first state. If
// frames were trimmed and no snapshot is that old, it returns the oldest snapshot.
func baseOf(ctx context.Context, st Stored, head store.Head, at uint64) (base store.Frame, err error) {
	if at == 0 && head.Floor == 0 {
		return base, nil
	}
	base.Seq, base.Body, err = st.Snapshot(ctx, head.ID, at)
	if err == nil || !errors.Is(err, store.ErrNotFound) || head.Floor == 0 {
		return base, ignore(err, store.ErrNotFound)
	}
	for base = (store.Frame{Seq: head.SnapshotSeq, Body: head.Snapshot}); base.Seq > 1; {
		seq, body, err := st.Snapshot(ctx, head.ID, base.Seq-1)
		if errors.Is(err, store.ErrNotFound) {
			break
		}
		if err != nil {
			return base, fmt.Errorf("read snapshots: %w", err)
		}
		base = store.Frame{Seq: seq, Body: body}
	}
	return base, nil
}

func ignore(err, one error) error {
	if errors.Is(err, one) {
		return nil
	}
	return err
}

// pages reads all frames after one, up to another.
func pages(after, to uint64, read func(after uint64, n int) ([]store.Frame, error)) (list []store.Frame, err error) {
	for after < to {
		n := int(min(to-after, 256))
		page, err := read(after, n)
		if err != nil {
			return list, err
		}
		for _, f := range page {
			if f.Seq <= to {
				list = append(list, f)
			}
			after = f.Seq
		}
		if len(page) < n {
			return list, nil
		}
	}
	return list, nil
}

// addEvent adds the record and the journal of an event that is not forgotten.
func addEvent(ctx context.Context, st Stored, d *store.Dump, event string) error {
	if event == "" {
		return nil
	}
	rec, err := st.Lookup(ctx, d.ID, store.Event{ID: event})
	if err != nil && !errors.Is(err, store.ErrKeyReused) { // the hash is not known here
		return fmt.Errorf("read event %s: %w", event, err)
	}
	if rec == nil || rec.Done && rec.Seq > d.Seq { // answered since
		return nil
	}
	d.Events = append(d.Events, *rec)
	notes, err := st.Notes(ctx, d.ID, event)
	if len(notes) > 0 {
		d.Notes[event] = notes
	}
	return ignore(err, store.ErrNotFound)
}
