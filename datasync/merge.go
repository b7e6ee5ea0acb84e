package datasync

import (
	"maps"

	"github.com/limn-ui/limn/ui"
)

// Merge takes all that another document has, or nothing with an error: what Apply would make of
// the updates of both. It has no bound on the number of updates, but those on the document.
// Documents of which one has forgotten deletions that the other lacks do not merge
// (CodeSnapshot).
func (d *Doc) Merge(other *Doc) (Applied, error) {
	if d.Behind(other.seen) || other.Behind(d.seen) {
		e := ui.Errorf(CodeSnapshot, "", "one document has forgotten deletions that the other has not seen")
		e.Hint = "start from a snapshot of the one that has"
		return Applied{}, e
	}
	actors := len(d.logs)
	for actor := range other.logs {
		if d.logs[actor] == nil {
			actors++
		}
	}
	if err := d.full(actors, 0, 0); err != nil {
		return Applied{}, err
	}
	done, err := d.take(other.Delta("", "", nil))
	if err != nil {
		return done, err
	}
	done.Gap = false // the vector of the other document is exact
	for _, v := range []struct{ to, from Vector }{{d.seen, other.seen}, {d.gone, other.gone}, {d.floor, other.floor}} {
		for _, s := range v.from {
			if !v.to.Covers(s) {
				s.Actor = d.log(s.Actor).actor
				v.to[s.Actor] = s
			}
		}
	}
	return done, nil
}

// split cuts a delta into batches of at most n updates, to be sent one after the other. Each
// begins, for each author, where the one before ended, so that a lost one is a gap.
func (b Batch) split(n int) []Batch {
	last := Vector{}
	for _, u := range b.Updates {
		last[u.Stamp.Actor] = u.Stamp // they are sorted
	}
	var out []Batch
	before := b.Versions
	for rest := b.Updates; len(rest) > 0; {
		part := b
		part.Updates, rest = rest[:min(n, len(rest))], rest[min(n, len(rest)):]
		part.Versions = maps.Clone(before)
		next := maps.Clone(before)
		for _, u := range part.Updates {
			author := u.Stamp.Actor
			if next[author] = u.Stamp; b.Versions[author] == last[author] { // with a gap on purpose
				part.Versions[author] = u.Stamp
			}
		}
		out, before = append(out, part), next
	}
	return out
}
