package store

import (
	"context"
	"fmt"
	"math"
)

// Archive exports and imports whole conversations, for backups and for moving from
// one kind of store to another.
type Archive interface {
	// Export calls each with every conversation, ordered by id, all as of one
	// moment. It does not block writers, and each may use the store. An error of
	// each ends it and is returned.
	Export(ctx context.Context, each func(Dump) error) error
	// Import adds one conversation with all that belongs to it, or nothing.
	// ErrExists if the id is taken, ErrInvalid if w contradicts itself.
	Import(ctx context.Context, w Dump) error
}

// Dump is one conversation with everything that belongs to it except its leases.
// Jobs are exported with their Conversation; Import ignores that field. Imported
// dead letters keep the order of Jobs.
type Dump struct {
	Conversation
	Seq, Floor uint64
	Frames     []Frame             // Floor+1 … Seq
	Traces     []Frame             // of those frames that have one
	Said       []Frame             // of those frames that say something
	Snapshots  []Frame             // ascending
	Events     []Event             // in order of arrival
	Notes      map[string][][]byte // event → its journal; events without one are left out
	Jobs       []Job               // by id, dead letters included
	Blobs      []Blob              // by id
}

// Validate reports, as ErrInvalid, where w contradicts itself.
func (w Dump) Validate() error {
	if err := w.Conversation.Validate(); err != nil {
		return err
	}
	for _, check := range []func() error{w.checkLog, w.checkRecords, w.checkRest} {
		if err := check(); err != nil {
			return fmt.Errorf("conversation %q: %w", w.ID, err)
		}
	}
	return nil
}

// checkLog checks that the newest state can be rebuilt.
func (w Dump) checkLog() error {
	if w.Floor > w.Seq || w.Seq > math.MaxInt64 || w.Seq-w.Floor != uint64(len(w.Frames)) {
		return fmt.Errorf("%w: %d frames between %d and %d", ErrInvalid, len(w.Frames), w.Floor, w.Seq)
	}
	for i, f := range w.Frames {
		if f.Seq != w.Floor+1+uint64(i) || len(f.Body) == 0 {
			return fmt.Errorf("%w: frame %d of %d bytes where %d was due", ErrInvalid, f.Seq, len(f.Body),
				w.Floor+1+uint64(i))
		}
	}
	for _, list := range [][]Frame{w.Traces, w.Said} {
		last := w.Floor
		for _, t := range list {
			if t.Seq <= last || t.Seq > w.Seq || len(t.Body) == 0 {
				return fmt.Errorf("%w: trace %d of %d bytes after %d, head %d", ErrInvalid, t.Seq, len(t.Body), last,
					w.Seq)
			}
			last = t.Seq
		}
	}
	last := uint64(0)
	for _, s := range w.Snapshots {
		if s.Seq <= last || s.Seq < w.Floor || s.Seq > w.Seq || len(s.Body) == 0 {
			return fmt.Errorf("%w: snapshot %d of %d bytes after %d, floor %d, head %d", ErrInvalid, s.Seq, len(s.Body),
				last, w.Floor, w.Seq)
		}
		last = s.Seq
	}
	if last < w.Floor {
		return fmt.Errorf("%w: frames up to %d are gone and no snapshot includes them", ErrInvalid, w.Floor)
	}
	return nil
}

// checkRecords checks that events and keys are unique and answers come from frames.
func (w Dump) checkRecords() error {
	events, keys := map[string]bool{}, map[string]bool{}
	for _, r := range w.Events {
		r.Node = "" // not part of it
		if err := r.Validate(); err != nil {
			return err
		}
		switch {
		case events[r.ID] || keys[r.Key]:
			return fmt.Errorf("%w: event %q or its key is there twice", ErrInvalid, r.ID)
		case r.Starts < 0 || r.Done && (r.Seq == 0 || r.Seq > w.Seq):
			return fmt.Errorf("%w: event %q is answered by frame %d, head %d", ErrInvalid, r.ID, r.Seq, w.Seq)
		case !r.Done && (r.Seq > 0 || len(r.Answer) > 0):
			return fmt.Errorf("%w: event %q is pending and has an answer", ErrInvalid, r.ID)
		}
		events[r.ID] = true
		keys[r.Key] = r.Key != ""
	}
	for event := range w.Notes {
		if !events[event] {
			return fmt.Errorf("%w: notes of event %q, which is not there", ErrInvalid, event)
		}
	}
	return nil
}

// checkRest checks that the ids of jobs and of files are unique.
func (w Dump) checkRest() error {
	jobs, blobs := map[string]bool{}, map[string]bool{}
	for _, j := range w.Jobs {
		if err := checkID("job id", j.ID); err != nil {
			return err
		}
		if jobs[j.ID] || j.Tries < 0 {
			return fmt.Errorf("%w: job %q is there twice, or was tried %d times", ErrInvalid, j.ID, j.Tries)
		}
		jobs[j.ID] = true
	}
	for _, b := range w.Blobs {
		if err := b.Validate(); err != nil {
			return err
		}
		if blobs[b.ID] {
			return fmt.Errorf("%w: file %q is there twice", ErrInvalid, b.ID)
		}
		blobs[b.ID] = true
	}
	return nil
}
