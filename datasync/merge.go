package datasync

import (
	"hash/fnv"
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

// partOf is the name under which Versions of a part of an answer say which part it is: the
// count of the stamp is its number from 0, and the time has an id of the answer and the
// number of parts. It is no actor.
const partOf = "~part"

// answerTo is the name under which Versions of an answer say for whom it is: the time of the
// stamp is the hash of that name, and the count nothing. What has replaced an earlier write may
// be known to that place, and so not be in the answer: no other may take its vector from it.
const answerTo = "~for"

// reserved reports a name that is no actor.
func reserved(name string) bool { return name == partOf || name == answerTo }

// addressed marks an answer as one for an actor.
func (b Batch) addressed(actor string) Batch {
	b.Versions[answerTo] = Stamp{Time: nameHash(actor), Actor: answerTo}
	return b
}

// overheard reports an answer that is for another place than actor.
func (b Batch) overheard(actor string) bool {
	to, answer := b.Versions[answerTo]
	return answer && to.Time != nameHash(actor)
}

func nameHash(actor string) int64 {
	h := fnv.New32a()
	_, _ = h.Write([]byte(actor))
	return int64(h.Sum32())
}

// most is one more than the parts of an answer may be.
const most = maxCount + 1

// split cuts a delta into batches of at most n updates, to be sent one after the other. Each
// begins, for each author, where the one before ended. What has replaced an earlier write may
// be in a later part: so a vector takes them when all are there.
func (b Batch) split(n int) []Batch {
	if len(b.Updates) == 0 {
		return nil
	}
	if len(b.Updates) <= n {
		return []Batch{b}
	}
	h := fnv.New32a()
	_, _ = h.Write(Batch{Versions: b.Versions}.AppendJSON(nil))
	last := Vector{}
	for _, u := range b.Updates {
		last[u.Stamp.Actor] = u.Stamp // they are sorted
		_, _ = h.Write(u.Stamp.append(nil))
	}
	mark := Stamp{Time: int64(h.Sum32())*most + int64((len(b.Updates)+n-1)/n), Actor: partOf}
	var out []Batch
	before := b.Versions
	for rest := b.Updates; len(rest) > 0; {
		part := b
		part.Updates, rest = rest[:min(n, len(rest))], rest[min(n, len(rest)):]
		part.Versions = maps.Clone(before)
		part.Versions[partOf] = mark
		mark.Count++
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

// parts is an answer that comes in parts.
type parts struct {
	mark Stamp  // of the part that came last
	seen Vector // where the vector moves when all are there
}

// answers is how many such answers a document takes at a time, one of each sender.
const answers = 16

// advance moves the vector to the writes that a batch completes; last has its latest stamps.
// It reports a gap.
func (d *Doc) advance(b Batch, last Vector) (gap bool) {
	mark, cut := b.Versions[partOf]
	if !cut {
		return d.chain(d.seen, b.Versions, last)
	}
	p, known := d.answers[b.Actor]
	same := known && p.mark.Time == mark.Time
	switch {
	case same && mark.Count <= p.mark.Count:
		return false // once more
	case mark.Count == 0:
		p = parts{seen: Vector{}}
	case !same || mark.Count > p.mark.Count+1:
		return true
	}
	p.mark = mark
	delete(d.answers, b.Actor)
	if d.chain(p.seen, b.Versions, last) {
		return true
	}
	if int64(mark.Count)+1 == mark.Time%most {
		return d.chain(d.seen, nil, p.seen)
	}
	if d.answers == nil || len(d.answers) >= answers {
		d.answers = map[string]parts{}
	}
	d.answers[b.Actor] = p
	return false
}

// chain moves a vector to the latest stamps of updates, where no write is missing between seen
// and before, and reports a gap where one is.
func (d *Doc) chain(to, before, last Vector) (gap bool) {
	for actor, s := range last {
		seen := d.seen[actor]
		if to[actor].After(seen) {
			seen = to[actor]
		}
		switch {
		case !s.After(seen):
		case before[actor].After(seen):
			gap = gap || before[actor] != s // the same: sent with a gap on purpose
		default:
			s.Actor = d.log(actor).actor
			to[s.Actor] = s
		}
	}
	return gap
}
