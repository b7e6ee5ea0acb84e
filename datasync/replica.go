package datasync

import (
	"hash/fnv"
	"slices"
	"strings"
	"time"

	"github.com/limn-ui/limn/ui"
)

// Role says how a Replica treats writes that cross its own.
type Role int

const (
	// Agent gives way: EditSince leaves out what others have changed meanwhile.
	Agent Role = iota
	// Renderer shows the words of a person: a write whose author had not seen them does
	// not replace them.
	Renderer
)

// Options of a Replica.
type Options struct {
	Surface string
	Actor   string
	Role    Role
	Limits  Limits
	Ahead   time.Duration // how far other clocks may be ahead; default one minute
	// Snapshot and Last are of the run before. An actor that has lost one of them takes a
	// new name and the Snapshot of another place.
	Snapshot []byte
	Last     Stamp
}

// Replica is one place of a document: the Doc with a clock, and the edits that are not
// sent yet. Those are shown at once and get their stamps by Flush, so they are later
// than everything that arrived before.
type Replica struct {
	options Options
	clock   *Clock
	doc     *Doc
	pending []Update            // without stamps, one for each path
	view    *Doc                // doc with pending; nil: has to be made
	asked   map[string]question // the last one, by peer
}

// Open returns a replica.
func Open(o Options) (*Replica, error) {
	if o.Ahead <= 0 {
		o.Ahead = time.Minute
	}
	clock, err := NewClock(o.Actor, o.Last)
	if err != nil {
		return nil, err
	}
	r := &Replica{options: o, clock: clock, doc: New(o.Limits)}
	if len(o.Snapshot) > 0 {
		if r.doc, err = Load(o.Snapshot, o.Limits); err != nil {
			return nil, err
		}
		for _, v := range []Vector{r.doc.seen, r.doc.gone} {
			for _, s := range v {
				clock.follow(s)
			}
		}
	}
	return r, nil
}

// Doc is the state without the edits that are not sent. It must not be changed.
func (r *Replica) Doc() *Doc { return r.doc }

// Last is the clock's last stamp, to be stored with Doc().Snapshot().
func (r *Replica) Last() Stamp { return r.clock.Last() }

// Pending reports how many paths have edits that are not sent.
func (r *Replica) Pending() int { return len(r.pending) }

// Edit writes here; the stamp of the update is not used. It is in View at once, and in
// what Flush returns. A later edit of the path, or of one above it, takes its place.
func (r *Replica) Edit(u Update) error {
	u.Stamp = Stamp{Time: maxTime, Actor: r.options.Actor}
	u, err := r.doc.check(u)
	if err != nil {
		return err
	}
	if u.Value != "" && slices.ContainsFunc(r.pending, func(p Update) bool { return below(p.Path, u.Path) }) {
		r.pending = slices.DeleteFunc(r.pending, func(p Update) bool { return below(p.Path, u.Path) })
	}
	i := slices.IndexFunc(r.pending, func(p Update) bool { return p.Path == u.Path })
	switch {
	case i >= 0: // one update has both the value and the position
		p := r.pending[i]
		if u.Value == "" {
			u.Value, u.canonical = p.Value, p.canonical
		}
		if u.Pos == "" && !u.Unplace {
			u.Pos, u.Unplace = p.Pos, p.Unplace
		}
		r.pending[i] = u
	case len(r.pending) >= r.doc.limits.Updates:
		return ui.Errorf(CodeLimit, u.Path, "more than %d edits wait to be sent", r.doc.limits.Updates)
	default:
		r.pending = append(r.pending, u)
	}
	r.view = nil
	return nil
}

// EditSince writes, unless another actor has written at the path, above or below it
// since seen; then it reports false. It is for decisions of a model about an older state
// of the document: later changes by people stay.
func (r *Replica) EditSince(u Update, seen Vector) (done bool, err error) {
	for author, l := range r.doc.logs {
		if author == r.options.Actor {
			continue
		}
		for _, e := range l.after(seen[author]) {
			if path := e.node.path(); e.register() != nil && (path == u.Path || below(path, u.Path) ||
				below(u.Path, path)) {
				return false, nil
			}
		}
	}
	return true, r.Edit(u)
}

// below reports whether path is below other.
func below(path, other string) bool {
	return other == "/" && path != "/" || strings.HasPrefix(path, other) && len(path) > len(other) &&
		path[len(other)] == '/'
}

// View is the document as it is shown: with the edits that are not sent.
func (r *Replica) View() *Doc {
	switch {
	case len(r.pending) == 0:
		return r.doc
	case r.view == nil:
		l := r.doc.limits // those of sent documents, not of views
		l.Actors, l.Writes, l.Bytes = 1<<30, 1<<30, 1<<30
		r.view, _ = Load(r.doc.Snapshot(), l)
		for i, u := range r.pending {
			u.Stamp = Stamp{Time: maxTime, Count: min(i, maxCount), Actor: r.options.Actor}
			r.view.apply(u)
		}
	}
	return r.view
}

// Flush gives the edits for which send reports true their stamps, applies them and
// returns them as the batch to send; nil sends all. A batch without updates is not to be
// sent: it would be a question.
func (r *Replica) Flush(now time.Time, send func(path string) bool) (Batch, error) {
	b := Batch{Surface: r.options.Surface, Actor: r.options.Actor, Versions: r.doc.Seen()}
	var kept []Update
	clock := *r.clock
	for _, u := range r.pending {
		if send != nil && !send(u.Path) {
			kept = append(kept, u)
			continue
		}
		var err error
		if u.Stamp, err = clock.Tick(now); err != nil {
			return Batch{}, err
		}
		b.Updates = append(b.Updates, u)
	}
	if _, err := r.doc.Apply(b); err != nil {
		return Batch{}, err
	}
	*r.clock = clock
	r.pending, r.view = kept, nil
	return b, nil
}

// Hello is the batch that asks a peer for missing writes. Both places send it when a
// connection begins.
func (r *Replica) Hello() Batch { return r.doc.Hello(r.options.Surface, r.options.Actor) }

// Received is the effect of a batch.
type Received struct {
	Applied
	Answer []Batch // to be sent back, in this order: writes that the peer lacks
	Ask    bool    // send Hello
	// Kept are the paths where a person's words stay although a write came that had not
	// seen them: they are edits again.
	Kept []string
}

// Receive takes a batch of a peer, the whole of it or, with an error, nothing. A batch
// without updates is a question, which Answer answers.
func (r *Replica) Receive(b Batch, now time.Time) (Received, error) {
	last := Stamp{}
	for _, u := range b.Updates {
		if u.Stamp.Actor == r.options.Actor && u.Stamp.After(r.clock.Last()) {
			return Received{}, ui.Errorf(CodeActor, u.Path, "an update comes from %q, which never sent it: "+
				"another place has this name", u.Stamp.Actor)
		}
		if u.Stamp.After(last) {
			last = u.Stamp
		}
	}
	if u, ok := r.doc.revives(b); ok {
		e := ui.Errorf(CodeSnapshot, u.Path, "an update is older than deletions that its sender has not seen, and that "+
			"are forgotten here")
		e.Hint = "load a snapshot and write it again"
		return Received{}, e
	}
	clock := *r.clock
	if err := clock.Receive(last, now, r.options.Ahead); err != nil {
		return Received{}, err
	}
	var own []Update
	if r.options.Role == Renderer {
		own = r.overwritten(b)
	}
	applied, err := r.doc.hear(b, b.overheard(r.options.Actor))
	if err != nil {
		return Received{}, err
	}
	*r.clock, r.view = clock, nil
	out := Received{Applied: applied, Ask: applied.Gap}
	for _, u := range own {
		if n := r.doc.at(u.Path); n != nil && n.value.stamp == u.Stamp || r.edited(u.Path) {
			continue
		}
		if r.Edit(u) == nil {
			out.Kept = append(out.Kept, u.Path)
		}
	}
	if len(b.Updates) > 0 {
		return out, nil
	}
	delta := r.doc.Delta(r.options.Surface, r.options.Actor, b.Versions)
	out.Answer = delta.addressed(b.Actor).split(r.doc.limits.Updates)
	out.Ask = !r.doc.seen.Contains(b.Versions) && r.unasked(b, now)
	return out, nil
}

type question struct {
	hash uint64
	at   time.Time
}

// again is how long the same question is not asked again, for the peer's answer.
const again = 10 * time.Second

// unasked reports whether the sender of a question was not asked the same just before.
// Each of two places may have seen writes that were replaced, so that no answer has them:
// both would ask for ever.
func (r *Replica) unasked(b Batch, now time.Time) bool {
	h := fnv.New64a()
	for _, v := range []Vector{r.doc.seen, b.Versions} {
		_, _ = h.Write(Batch{Versions: v}.AppendJSON(nil))
	}
	before, ok := r.asked[b.Actor]
	if ok && before.hash == h.Sum64() && now.Sub(before.at) < again {
		return false
	}
	if r.asked == nil || len(r.asked) >= r.doc.limits.Actors {
		r.asked = map[string]question{}
	}
	r.asked[b.Actor] = question{h.Sum64(), now}
	return true
}

// overwritten lists the values written here at and below the paths of a batch whose sender
// writes there without having seen them. Among those whose writes it passes on, the last one
// has the value: if each took its own back, that would not end.
func (r *Replica) overwritten(b Batch) (list []Update) {
	unseen := func(path string, v register) {
		if v.stamp.Actor == r.options.Actor && v.stamp.After(b.Versions[r.options.Actor]) {
			list = append(list, Update{Path: path, Value: v.text, Stamp: v.stamp, canonical: true})
		}
	}
	visited := map[*node]bool{}
	for _, u := range b.Updates {
		if u.Value == "" || u.Stamp.Actor == r.options.Actor || u.Stamp.Actor != b.Actor {
			continue
		}
		if n := r.doc.at(u.Path); n != nil {
			n.walk(visited, unseen)
		}
	}
	return list
}

// edited reports whether a newer value waits at a path or above it.
func (r *Replica) edited(path string) bool {
	return slices.ContainsFunc(r.pending, func(u Update) bool {
		return u.Value != "" && (u.Path == path || below(path, u.Path))
	})
}
