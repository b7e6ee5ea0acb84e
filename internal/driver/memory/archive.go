package memory

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/limn-ui/limn/store"
)

// Export implements store.Store. It copies everything but the bodies, which
// never change, under the lock, and the bodies one conversation at a time.
func (s *driver) Export(ctx context.Context, each func(store.Dump) error) error {
	var all []store.Dump
	err := s.do(ctx, func() error {
		jobs := map[string][]store.Job{}
		for _, j := range slices.Concat(s.jobs, s.dead) {
			jobs[j.Conversation] = append(jobs[j.Conversation], *j)
		}
		for id, c := range s.convs {
			all = append(all, c.dump(jobs[id]))
		}
		return nil
	})
	if err != nil {
		return act(err, "export")
	}
	slices.SortFunc(all, func(a, b store.Dump) int { return cmp.Compare(a.ID, b.ID) })
	for i := range all {
		if err := ctx.Err(); err != nil {
			return act(err, "export")
		}
		cloneBodies(&all[i])
		if err := each(all[i]); err != nil {
			return act(err, "export %q", all[i].ID)
		}
		all[i] = store.Dump{} // its copies can be collected
	}
	return nil
}

// dump shares its bodies with c.
func (c *conversation) dump(jobs []store.Job) store.Dump {
	w := store.Dump{Conversation: c.Conversation, Seq: c.head(), Floor: c.floor, Jobs: jobs,
		Notes: map[string][][]byte{}}
	for i, body := range c.frames {
		seq := c.floor + 1 + uint64(i)
		w.Frames = append(w.Frames, store.Frame{Seq: seq, Body: body})
		if trace := c.traces[i]; trace != nil {
			w.Traces = append(w.Traces, store.Frame{Seq: seq, Body: trace})
		}
		if said := c.said[i]; said != nil {
			w.Said = append(w.Said, store.Frame{Seq: seq, Body: said})
		}
	}
	for _, sn := range c.snaps {
		w.Snapshots = append(w.Snapshots, store.Frame{Seq: sn.seq, Body: sn.body})
	}
	for _, r := range c.events {
		w.Events = append(w.Events, r.Event)
		if len(r.notes) > 0 {
			w.Notes[r.ID] = slices.Clone(r.notes)
		}
	}
	slices.SortFunc(w.Jobs, func(a, b store.Job) int { return cmp.Compare(a.ID, b.ID) })
	w.Blobs = slices.SortedFunc(maps.Values(c.blobs), func(a, b store.Blob) int { return cmp.Compare(a.ID, b.ID) })
	return w
}

// cloneBodies replaces the bodies of w by copies.
func cloneBodies(w *store.Dump) {
	for _, list := range [][]store.Frame{w.Frames, w.Traces, w.Said, w.Snapshots} {
		for i := range list {
			list[i].Body = slices.Clone(list[i].Body)
		}
	}
	for i, r := range w.Events {
		w.Events[i].Body, w.Events[i].Answer = slices.Clone(r.Body), slices.Clone(r.Answer)
	}
	for _, notes := range w.Notes {
		for i := range notes {
			notes[i] = slices.Clone(notes[i])
		}
	}
	for i, j := range w.Jobs {
		w.Jobs[i].Body = slices.Clone(j.Body)
	}
	for i, b := range w.Blobs {
		w.Blobs[i].Body = slices.Clone(b.Body)
	}
}

func (s *driver) Import(ctx context.Context, w store.Dump) error {
	err := s.do(ctx, func() error {
		if err := w.Validate(); err != nil {
			return err
		}
		if s.convs[w.ID] != nil {
			return store.ErrExists
		}
		s.add(w)
		return nil
	})
	return act(err, "import %q", w.ID)
}

func (s *driver) add(w store.Dump) {
	c := s.create(w.Conversation)
	c.floor = w.Floor
	for _, f := range w.Frames {
		c.frames = append(c.frames, slices.Clone(f.Body))
	}
	c.traces = make([][]byte, len(c.frames))
	for _, t := range w.Traces {
		c.traces[t.Seq-c.floor-1] = slices.Clone(t.Body)
	}
	c.said = make([][]byte, len(c.frames))
	for _, t := range w.Said {
		c.said[t.Seq-c.floor-1] = slices.Clone(t.Body)
	}
	for _, sn := range w.Snapshots {
		c.snaps = append(c.snaps, snapshot{sn.Seq, slices.Clone(sn.Body)})
	}
	for _, r := range w.Events {
		kept := c.add(r)
		kept.Starts, kept.Done, kept.Seq, kept.Answer = r.Starts, r.Done, r.Seq, slices.Clone(r.Answer)
		for _, n := range w.Notes[r.ID] {
			kept.notes = append(kept.notes, slices.Clone(n))
		}
	}
	for _, j := range w.Jobs {
		j.Conversation, j.Body, j.Due = w.ID, slices.Clone(j.Body), store.Time(j.Due)
		if j.Why != "" {
			s.dead = append(s.dead, &j)
		} else {
			s.jobs = append(s.jobs, &j)
		}
	}
	for _, b := range w.Blobs {
		b.Body, b.At = slices.Clone(b.Body), store.Time(b.At)
		c.blobs[b.ID] = b
	}
}
