package deliver

import (
	"maps"
	"slices"
	"strings"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/compile"
	"github.com/limn-ui/limn/datasync"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/ui"
)

// serverActor sends the writes of all actors.
const serverActor = "limn"

// shared returns the writes of a frame for a client that shares drafts: a message of the
// extension data-sync for each surface that has some. Without before it has all that are
// known.
func (t Target) shared(before, after *ui.State) ([][]byte, error) {
	var out [][]byte
	for _, sf := range after.Surfaces {
		old := &ui.Surface{}
		if before != nil {
			if was := before.Surface(sf.Name); was != nil && was.Epoch == sf.Epoch {
				old = was
			}
		}
		b, err := batch(after, sf, old)
		if err != nil {
			return nil, err
		}
		if len(b.Updates) > 0 {
			out = append(out, t.sharedMessage(b))
		}
	}
	return out, nil
}

// actors has the names of those who wrote on open surfaces, for clients that share drafts.
func (t Target) actors(s *ui.State) map[string]string {
	if !t.Syncs {
		return nil
	}
	names := map[string]string{}
	for _, sf := range s.Surfaces {
		for actor, a := range sf.Actors {
			if a.Name != "" {
				names[actor] = a.Name
			}
		}
	}
	return names
}

func (t Target) sharedMessage(b datasync.Batch) []byte {
	d := t.A2UI.Dialect
	if t.HTML != nil {
		d = a2ui.V09
	}
	line := jsonx.AppendString([]byte(`{"version":`), d.String())
	return append(b.AppendJSON(append(line, `,"updateDataModel":`...)), '}')
}

// batch has the writes of a surface that an older one does not have.
func batch(s *ui.State, sf, old *ui.Surface) (datasync.Batch, error) {
	b := datasync.Batch{Surface: sf.WireID(), Actor: serverActor, Versions: versions(old)}
	paths := wrote(old, sf)
	if len(paths) == 0 {
		return b, nil
	}
	values, err := compile.Drafts(s, sf, paths)
	if err != nil {
		return b, err
	}
	gaps := datasync.Vector{} // of actors of whom something is missing here: their vectors stay
	for _, p := range paths {
		at, err := datasync.ParseStamp(sf.Stamps[p].At)
		v, ok := values[p]
		if err != nil || !ok {
			continue
		}
		b.Updates = append(b.Updates, datasync.Update{Path: string(p), Stamp: at,
			Value: string(jsonx.AppendCanonical(nil, v))})
		if w := sf.Stamps[p].At; w > sf.Actors[at.Actor].Last && at.After(gaps[at.Actor]) {
			gaps[at.Actor] = at
		}
	}
	maps.Copy(b.Versions, gaps)
	return b, nil
}

// Missing lists the messages that answer a batch, or a question, of a client: one with the
// writes that it has not seen, and one that asks for its own that did not come.
func Missing(s *ui.State, sf *ui.Surface, e *ui.SharedEvent) (out [][]byte, err error) {
	seen, own := maps.Clone(e.Before), false
	if seen == nil {
		seen = map[string]string{}
	}
	for _, w := range e.Writes {
		if strings.HasSuffix(w.Stamp, ":"+e.Actor) {
			seen[e.Actor], own = max(seen[e.Actor], w.Stamp), true
		}
	}
	old := &ui.Surface{Stamps: map[ui.Path]ui.Stamped{}}
	for p, w := range sf.Stamps {
		if w.At <= seen[w.Actor()] {
			old.Stamps[p] = w
		}
	}
	b, err := batch(s, sf, old)
	if err != nil {
		return nil, err
	}
	ask := datasync.Batch{Surface: b.Surface, Actor: b.Actor, Versions: datasync.Vector{}}
	for actor, at := range seen {
		if stamp, err := datasync.ParseStamp(min(at, sf.Actors[actor].Last)); err == nil {
			stamp.Actor = actor // older frames have those of others
			ask.Versions[actor] = stamp
			if b.Versions[actor].IsZero() {
				b.Versions[actor] = stamp
			}
		}
	}
	for _, u := range b.Updates {
		if u.Stamp.After(ask.Versions[u.Stamp.Actor]) {
			ask.Versions[u.Stamp.Actor] = u.Stamp
		}
	}
	t := Target{A2UI: compile.Target{Dialect: a2ui.V09}}
	if len(b.Updates) > 0 {
		out = append(out, t.sharedMessage(b))
	}
	// an answer that adds no writes
	if lost := e.Before[e.Actor] > sf.Actors[e.Actor].Last; lost && (own || len(e.Writes) == 0) {
		out = append(out, t.sharedMessage(ask))
	}
	return out, nil
}

// wrote lists the paths whose writes are others than before, in order.
func wrote(before, after *ui.Surface) (paths []ui.Path) {
	for p, w := range after.Stamps {
		if before.Stamps[p].At != w.At {
			paths = append(paths, p)
		}
	}
	slices.Sort(paths)
	return paths
}

// versions is what has come from each actor.
func versions(sf *ui.Surface) datasync.Vector {
	v := datasync.Vector{}
	for name, a := range sf.Actors {
		if at, err := datasync.ParseStamp(a.Last); err == nil {
			at.Actor = name // older frames have those of others
			v[name] = at
		}
	}
	return v
}

// plain leaves the writes of shared out of a drawing: a client that shares drafts would lose
// text that is being typed there.
func plain(batches compile.Batches, before, after *ui.State) {
	for i := range batches {
		b := &batches[i]
		was, is := before.Surface(b.Surface), after.Surface(b.Surface)
		if was == nil || is == nil || was.Epoch != is.Epoch {
			continue
		}
		b.Messages = slices.DeleteFunc(b.Messages, func(m a2ui.Message) bool {
			data, ok := m.(*a2ui.UpdateData)
			if !ok {
				return false
			}
			w, stamped := is.Stamps[ui.Path(data.Path)]
			return stamped && was.Stamps[ui.Path(data.Path)].At != w.At
		})
	}
}
