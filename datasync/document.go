package datasync

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/limn-ui/limn/internal/jsonptr"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/ui"
)

// Limits bound a Doc and the updates applied to it. A zero field has the default named
// beside it.
type Limits struct {
	Actors  int // that have written; 4,096
	Writes  int // values and positions kept, deleted ones included; 100,000
	Bytes   int // of all paths' last segments, values and positions kept, and 128 for each segment; 16 MiB
	Depth   int // segments of a path, and depth of a value; 64
	Path    int // bytes of a path; 1 KiB
	Value   int // bytes of a value as JSON; 256 KiB
	Pos     int // bytes of a position; 256
	Updates int // in one batch; 10,000
}

func (l Limits) withDefaults() Limits {
	for _, f := range []struct {
		at    *int
		value int
	}{{&l.Actors, 4096}, {&l.Writes, 100_000}, {&l.Bytes, 16 << 20}, {&l.Depth, 64}, {&l.Path, 1 << 10},
		{&l.Value, 256 << 10}, {&l.Pos, 256}, {&l.Updates, 10_000}} {
		if *f.at <= 0 {
			*f.at = f.value
		}
	}
	return l
}

// Update is one write.
type Update struct {
	Path  string // a JSON Pointer; "/" is the whole document
	Value string // JSON, no array; "null" deletes; "" leaves the value
	Pos   string // among the items of its list; "" leaves the position
	// Unplace takes the position away, as a deletion does.
	Unplace bool
	Stamp   Stamp

	canonical bool // Value is
}

const (
	deleted  = "null"
	nodeCost = 128 // bytes that a node counts for, beside its key
)

// Doc is the state of one document in one place: of each path the last value and the last
// position that were written. A later value of a path also replaces earlier writes below
// it. Docs that have applied the same updates are the same, in whichever
// order, how often, and in whatever batches they came.
type Doc struct {
	limits Limits
	root   *node
	seen   Vector
	logs   map[string]*log // by author
	writes int             // registers in use
	bytes  int

	gone  Vector // the last deletion of each author that GC has forgotten
	floor Vector // seen at the last GC: earlier writes can only be duplicates

	answers map[string]parts // that came in part, by sender
}

// node is a path of the document. parent is nil for the root and for removed nodes.
type node struct {
	parent *node
	key    string
	value  register
	pos    register
	kids   map[string]*node
}

// register is the last write of one kind. The zero register is empty.
type register struct {
	stamp Stamp
	text  string // canonical JSON, or a position
}

// New returns an empty document.
func New(l Limits) *Doc {
	return &Doc{limits: l.withDefaults(), root: &node{}, seen: Vector{}, logs: map[string]*log{},
		gone: Vector{}, floor: Vector{}}
}

// Seen is what this document has: a copy.
func (d *Doc) Seen() Vector { return maps.Clone(d.seen) }

// check validates an update, and returns it with a canonical path, value and position.
func (d *Doc) check(u Update) (Update, error) {
	at := u.Path
	if len(at) > d.limits.Path {
		return u, ui.Errorf(CodeLimit, "", "a path has more than %d bytes", d.limits.Path)
	}
	segments, err := split(at)
	if err != nil || len(segments) > d.limits.Depth {
		e := ui.Errorf(CodePath, at, "an update's path is no JSON Pointer of at most %d segments", d.limits.Depth)
		e.Hint = "want a path such as /user/name; / is the whole document"
		return u, e
	}
	if u.Stamp.IsZero() || !validActor(u.Stamp.Actor) || u.Stamp.Count < 0 || u.Stamp.Count > maxCount ||
		u.Stamp.Time < 0 || u.Stamp.Time > maxTime {
		return u, ui.Errorf(CodeStamp, at, "an update has no stamp")
	}
	if reserved(u.Stamp.Actor) {
		return u, ui.Errorf(CodeActor, at, "%q is no name of an actor: it says something about an answer", u.Stamp.Actor)
	}
	if u.Path = jsonptr.Join(segments...); u.Path == "" {
		u.Path = "/"
	}
	if len(u.Pos) > d.limits.Pos {
		return u, ui.Errorf(CodeLimit, at, "a position has more than %d bytes", d.limits.Pos)
	}
	u.Unplace = u.Pos == "" && (u.Unplace || u.Value == deleted)
	if u.Value == "" && u.Pos == "" && !u.Unplace {
		return u, ui.Errorf(CodeValue, at, "an update has neither a value nor a position")
	}
	if u.Value == "" || u.Value == deleted {
		return u, nil
	}
	if !u.canonical {
		v, err := jsonx.ParseString(u.Value, d.limits.json())
		if err != nil {
			return u, &ui.Error{Code: CodeValue, Path: at, Message: "a value is no JSON within the limits", Err: err}
		}
		if u, err = u.with(v); err != nil {
			return u, err
		}
	}
	if len(u.Value) > d.limits.Value || len(u.Pos) > d.limits.Pos {
		return u, ui.Errorf(CodeLimit, at, "a value has more than %d bytes, or a position more than %d",
			d.limits.Value, d.limits.Pos)
	}
	return u, nil
}

func (l Limits) json() jsonx.Limits {
	return jsonx.Limits{Bytes: l.Value, Depth: l.Depth, String: l.Value}
}

// split returns the segments of a path; "" and "/" have none.
func split(path string) ([]string, error) {
	if path == "/" {
		return nil, nil
	}
	return jsonptr.Split(path)
}

// Batch is the content of one message: updates, and the vector of the sender before them.
type Batch struct {
	Surface string
	Actor   string // who sends it; authors are in the stamps
	Updates []Update
	// Versions lets the receiver find gaps: it has all writes of an author up to the
	// last of this batch if it had those up to Versions before. A batch without updates
	// asks for all that is after Versions.
	Versions Vector
}

// Applied is the effect of a batch.
type Applied struct {
	Paths []string // whose value or position is another one, in the order of the batch
	Gap   bool     // writes before these are missing: ask for them with Hello
}

// Apply takes the updates of a batch, all of them or, with an error, none. What was
// applied before, or replaced since, changes nothing. An answer must be one to this place;
// Replica.Receive also takes others.
func (d *Doc) Apply(b Batch) (Applied, error) {
	return d.hear(b, false)
}

// hear is Apply, also of an answer that was overheard.
func (d *Doc) hear(b Batch, overheard bool) (Applied, error) {
	if len(b.Updates) > d.limits.Updates {
		return Applied{}, ui.Errorf(CodeLimit, "", "a batch has more than %d updates", d.limits.Updates)
	}
	done, last, err := d.join(b)
	if err == nil && !overheard {
		done.Gap = d.advance(b, last)
	}
	return done, err
}

// take is Apply without the bound on the number of updates.
func (d *Doc) take(b Batch) (Applied, error) {
	done, last, err := d.join(b)
	if err == nil {
		done.Gap = d.advance(b, last)
	}
	return done, err
}

// join applies updates. last has the latest stamps of their authors.
func (d *Doc) join(b Batch) (done Applied, last Vector, err error) {
	list := make([]Update, len(b.Updates))
	last = Vector{}
	actors, writes, bytes := len(d.logs), d.writes, d.bytes
	grown := map[string]bool{}
	for i, u := range b.Updates {
		u, err := d.check(u)
		if err != nil {
			return Applied{}, nil, err
		}
		if _, known := d.logs[u.Stamp.Actor]; !known && last[u.Stamp.Actor].IsZero() {
			actors++
		}
		w, n := d.cost(u, grown)
		writes, bytes = writes+w, bytes+n
		if err := d.full(actors, writes, bytes); err != nil {
			return Applied{}, nil, err
		}
		if u.Stamp.After(last[u.Stamp.Actor]) {
			last[u.Stamp.Actor] = u.Stamp
		}
		list[i] = u
	}
	for _, u := range list {
		if d.apply(u) {
			done.Paths = append(done.Paths, u.Path)
		}
	}
	return done, last, nil
}

// full is an error for more than the limits.
func (d *Doc) full(actors, writes, bytes int) error {
	if actors <= d.limits.Actors && writes <= d.limits.Writes && bytes <= d.limits.Bytes {
		return nil
	}
	e := ui.Errorf(CodeLimit, "", "the document would have more than %d actors, %d writes or %d bytes",
		d.limits.Actors, d.limits.Writes, d.limits.Bytes)
	e.Hint = "delete what is not used any more, and let GC forget it"
	return e
}

// cost is how many registers and bytes an update adds at most. grown has the paths that
// updates before it add.
func (d *Doc) cost(u Update, grown map[string]bool) (writes, bytes int) {
	var value, pos register
	n := d.root
	segments, _ := split(u.Path)
	end := 0
	for _, key := range segments {
		if end++; n != nil {
			n = n.kids[key]
		}
		if next := strings.IndexByte(u.Path[end:], '/'); next >= 0 {
			end += next
		} else {
			end = len(u.Path)
		}
		if at := u.Path[:end]; n == nil && !grown[at] {
			grown[at] = true
			bytes += len(key) + nodeCost
		}
	}
	if n != nil {
		value, pos = n.value, n.pos
	}
	if u.Value != "" {
		bytes += max(0, len(u.Value)-len(value.text))
		if value.stamp.IsZero() {
			writes++
		}
	}
	if u.Pos != "" || u.Unplace {
		bytes += max(0, len(u.Pos)-len(pos.text))
		if pos.stamp.IsZero() {
			writes++
		}
	}
	return writes, bytes
}

// apply joins one update, and reports whether something is another one since.
func (d *Doc) apply(u Update) bool {
	u.Stamp.Actor = d.log(u.Stamp.Actor).actor
	if d.floor.Covers(u.Stamp) {
		return false // it comes once more, and what replaced it may be forgotten
	}
	n := d.root
	segments, _ := split(u.Path)
	for i, key := range segments {
		if n.value.stamp.After(u.Stamp) {
			return false // replaced from above
		}
		k := n.kids[key]
		if k == nil {
			n = d.grow(n, segments[i:])
			break
		}
		n = k
	}
	changed := false
	if u.Value != "" && d.write(n, &n.value, register{u.Stamp, u.Value}) {
		changed = true
		d.prune(n, u.Stamp)
	}
	if u.Pos != "" || u.Unplace {
		changed = d.write(n, &n.pos, register{u.Stamp, u.Pos}) || changed
	}
	return changed
}

func (d *Doc) log(actor string) *log {
	l := d.logs[actor]
	if l == nil {
		l = &log{actor: strings.Clone(actor)}
		d.logs[l.actor] = l
	}
	return l
}

// grow adds nodes below n.
func (d *Doc) grow(n *node, keys []string) *node {
	for _, key := range keys {
		if n.kids == nil {
			n.kids = map[string]*node{}
		}
		k := &node{parent: n, key: strings.Clone(key)}
		n.kids[k.key] = k
		d.bytes += len(key) + nodeCost
		n = k
	}
	return n
}

// write sets a register if the new one is later. Of two writes with one stamp, which an
// honest actor never makes, the greater text wins, everywhere.
func (d *Doc) write(n *node, r *register, w register) bool {
	if cmp.Or(w.stamp.Compare(r.stamp), strings.Compare(w.text, r.text)) <= 0 {
		return false
	}
	if w.stamp == r.stamp { // the log has it
		d.bytes += len(w.text) - len(r.text)
		r.text = strings.Clone(w.text)
		return true
	}
	if !r.stamp.IsZero() {
		d.drop(r)
	}
	*r = register{w.stamp, strings.Clone(w.text)}
	d.log(w.stamp.Actor).add(entry{w.stamp, n, r == &n.pos})
	d.writes++
	d.bytes += len(w.text)
	return true
}

// drop empties a register.
func (d *Doc) drop(r *register) {
	d.writes--
	d.bytes -= len(r.text)
	l := d.log(r.stamp.Actor)
	*r = register{}
	l.dead++
	l.tidy()
}

// prune removes writes below n that are before s.
func (d *Doc) prune(n *node, s Stamp) {
	for _, k := range n.kids {
		for _, r := range []*register{&k.value, &k.pos} {
			if !r.stamp.IsZero() && s.After(r.stamp) {
				d.drop(r)
			}
		}
		d.prune(k, s)
		d.tidy(k)
	}
}

// tidy removes n and then its parents, as long as they hold no write.
func (d *Doc) tidy(n *node) {
	for n.parent != nil && len(n.kids) == 0 && n.value.stamp.IsZero() && n.pos.stamp.IsZero() {
		delete(n.parent.kids, n.key)
		d.bytes -= len(n.key) + nodeCost
		n, n.parent = n.parent, nil
	}
}

// at is the node of a path, nil if nothing is written there or below.
func (d *Doc) at(path string) *node {
	segments, err := split(path)
	n := d.root
	for _, key := range segments {
		if n = n.kids[key]; n == nil {
			break
		}
	}
	if err != nil {
		return nil
	}
	return n
}

// walk visits the values at and below n, in the order of their paths, each node once.
func (n *node) walk(visited map[*node]bool, visit func(path string, v register)) {
	if visited[n] {
		return
	}
	visited[n] = true
	if !n.value.stamp.IsZero() {
		visit(n.path(), n.value)
	}
	for _, key := range slices.Sorted(maps.Keys(n.kids)) {
		n.kids[key].walk(visited, visit)
	}
}

func (n *node) path() string {
	var keys []string
	for ; n.parent != nil; n = n.parent {
		keys = append(keys, n.key)
	}
	slices.Reverse(keys)
	return cmp.Or(jsonptr.Join(keys...), "/")
}

// log lists the writes of one actor by their stamps, so that the last ones are found
// without a look at the others.
type log struct {
	actor   string
	entries []entry
	dead    int  // entries that were replaced
	mixed   bool // entries are not sorted
}

type entry struct {
	stamp Stamp
	node  *node
	pos   bool
}

// register returns the register that the entry has written, nil if it was replaced.
func (e entry) register() *register {
	r := &e.node.value
	if e.pos {
		r = &e.node.pos
	}
	if r.stamp != e.stamp {
		return nil
	}
	return r
}

// add appends an entry; after sorts. Writes that come in a wrong order cost no more than
// others then.
func (l *log) add(e entry) {
	n := len(l.entries)
	l.mixed = l.mixed || n > 0 && l.entries[n-1].stamp.After(e.stamp)
	l.entries = append(l.entries, e)
}

// after returns the entries after a stamp, sorted.
func (l *log) after(s Stamp) []entry {
	if l.mixed {
		slices.SortStableFunc(l.entries, func(a, b entry) int { return a.stamp.Compare(b.stamp) })
		l.mixed = false
	}
	i, _ := slices.BinarySearchFunc(l.entries, s, func(e entry, s Stamp) int {
		if e.stamp.After(s) {
			return 1
		}
		return -1
	})
	return l.entries[i:]
}

// tidy removes the dead, once they are the most.
func (l *log) tidy() {
	if l.dead > 16 && l.dead > len(l.entries)/2 {
		l.entries = slices.DeleteFunc(l.entries, func(e entry) bool { return e.register() == nil })
		l.entries = slices.Clip(l.entries)
		l.dead = 0
	}
}

// Hello asks a peer for missing writes. The peer answers with Delta, if that has updates,
// and asks in turn if this document has seen writes that the peer has not.
func (d *Doc) Hello(surface, actor string) Batch {
	return Batch{Surface: surface, Actor: actor, Versions: d.Seen()}
}

// Delta returns the writes that a place with the vector seen lacks; nil is all of them.
// What was replaced meanwhile is not among them. They may be more than one Apply takes
// (Limits.Updates): Replica.Receive cuts its answers, and Merge and Snapshot are of whole documents.
func (d *Doc) Delta(surface, actor string, seen Vector) Batch {
	b := Batch{Surface: surface, Actor: actor, Versions: d.Seen()}
	for author, l := range d.logs {
		list := l.after(seen[author])
		first := len(b.Updates)
		for _, e := range list {
			r := e.register()
			if r == nil {
				continue
			}
			u := Update{Path: e.node.path(), Value: r.text, Stamp: e.stamp}
			if e.pos {
				u.Value, u.Pos, u.Unplace = "", r.text, r.text == ""
			}
			b.Updates = append(b.Updates, u)
		}
		if len(b.Updates) == first {
			continue
		}
		b.Versions[author] = seen[author]
		if last := b.Updates[len(b.Updates)-1].Stamp; !d.seen.Covers(last) {
			b.Versions[author] = last // some before these are missing here, too
		}
		if b.Versions[author].IsZero() {
			delete(b.Versions, author)
		}
	}
	b.Updates = joined(b.Updates)
	return b
}

// joined sorts updates by time, and makes one of the value and the position that were
// written together.
func joined(list []Update) []Update {
	slices.SortFunc(list, func(a, b Update) int {
		return cmp.Or(a.Stamp.Compare(b.Stamp), strings.Compare(a.Path, b.Path), -strings.Compare(a.Value, b.Value))
	})
	out := list[:0]
	for _, u := range list {
		if n := len(out) - 1; n >= 0 && out[n].Stamp == u.Stamp && out[n].Path == u.Path {
			out[n].Pos, out[n].Unplace = u.Pos, u.Unplace
			continue
		}
		out = append(out, u)
	}
	return out
}

// GC forgets deletions that every place has seen, and returns how many. acked has the
// vectors of all other places that still take part: each Batch brings its sender's. It
// waits until this document has all that these have seen. A place that is not among them,
// and a new one, starts from a Snapshot; its earlier writes are refused (CodeSnapshot).
//
// If a place may lose its writes (a browser that is closed), collect only in a place
// through which all messages go. Otherwise a write of the lost place, which others still
// hold, could arrive after the deletion that should replace it.
func (d *Doc) GC(acked ...Vector) (collected int) {
	for _, v := range acked {
		if !d.seen.Contains(v) {
			return 0 // there may be writes into a deleted value
		}
	}
	stable := func(s Stamp) bool {
		return d.seen.Covers(s) && !slices.ContainsFunc(acked, func(v Vector) bool { return !v.Covers(s) })
	}
	for before := -1; before < collected; { // the parents of collected nodes may be next
		before = collected
		for _, l := range d.logs {
			for _, e := range slices.Clone(l.entries) {
				r := e.register()
				if r != nil && !e.pos && r.text == deleted && stable(e.stamp) && d.forget(e.node) {
					d.collect(e, r, stable)
					collected++
				}
			}
		}
	}
	if collected > 0 {
		d.floor = d.Seen()
	}
	return collected
}

func (d *Doc) collect(e entry, r *register, stable func(Stamp) bool) {
	if p := &e.node.pos; p.text == "" && !p.stamp.IsZero() && stable(p.stamp) {
		d.drop(p)
	}
	if e.stamp.After(d.gone[e.stamp.Actor]) {
		d.gone[e.stamp.Actor] = e.stamp
	}
	d.drop(r)
	d.tidy(e.node)
}

// Behind reports whether a place with this vector lacks deletions that are forgotten here.
func (d *Doc) Behind(seen Vector) bool { return !seen.Contains(d.gone) }

// revives returns an update of a batch that may be older than a deletion which is
// forgotten here, and which its sender has not seen.
func (d *Doc) revives(b Batch) (Update, bool) {
	if !d.Behind(b.Versions) {
		return Update{}, false
	}
	var last Stamp
	for _, s := range d.gone {
		if s.After(last) {
			last = s
		}
	}
	for _, u := range b.Updates {
		if last.After(u.Stamp) && !d.floor.Covers(u.Stamp) {
			return u, true
		}
	}
	return Update{}, false
}

// forget takes the key of a deleted node out of the value that it was deleted from. It
// reports false if that value may arrive once more from a place that lacks the deletion.
func (d *Doc) forget(n *node) bool {
	var keys []string
	for up := n; up.parent != nil; {
		keys = append(keys, up.key)
		up = up.parent
		if up.value.stamp.IsZero() {
			continue
		}
		if !d.seen.Covers(up.value.stamp) {
			return false
		}
		v, _ := jsonx.ParseString(up.value.text, anything)
		slices.Reverse(keys)
		if without(&v, keys) {
			text := string(jsonx.AppendCanonical(nil, v))
			d.bytes += len(text) - len(up.value.text)
			up.value.text = text
		}
		return true
	}
	return true
}

// without removes a key, and reports whether it was there.
func without(v *jsonx.Value, keys []string) bool {
	for i := range v.Members {
		m := &v.Members[i]
		if m.Key != keys[0] {
			continue
		}
		if len(keys) > 1 {
			return without(&m.Value, keys[1:])
		}
		v.Members = slices.Delete(v.Members, i, i+1)
		return true
	}
	return false
}

// JSON is the document as canonical JSON: sorted keys, no space. "null" is nothing.
func (d *Doc) JSON() []byte {
	v, _ := d.root.build(jsonx.Value{}, false)
	return jsonx.AppendCanonical(nil, v)
}

// build lays the writes at and below n over base, the part of the value above.
func (n *node) build(base jsonx.Value, has bool) (jsonx.Value, bool) {
	if !n.value.stamp.IsZero() {
		base, _ = jsonx.ParseString(n.value.text, anything)
		has = n.value.text != deleted
		if !has {
			base = jsonx.Value{}
		}
	}
	if len(n.kids) == 0 {
		return base, has
	}
	object := has && base.Kind == jsonx.Object
	var members []jsonx.Member
	if object {
		for _, m := range base.Members {
			if n.kids[m.Key] == nil {
				members = append(members, m)
			}
		}
	}
	live := false
	for key, k := range n.kids {
		below, had := base.Get(key)
		if v, ok := k.build(below, object && had); ok {
			members = append(members, jsonx.Member{Key: key, Value: v})
			live = true
		}
	}
	if !object && !live {
		return base, has
	}
	return jsonx.OfObject(members...), true
}

// Order lists the ids of the items of the list at path: by position, of the same by who
// wrote it first, those without one at the end by id. A write into a missing item makes
// no item, unless the item has a position.
func (d *Doc) Order(path string) []string {
	segments, err := split(path)
	if err != nil {
		return nil
	}
	n := d.root
	v, _ := n.build(jsonx.Value{}, false)
	var whole jsonx.Value // the list as it was written at once, at path or above it
	for i := 0; ; i++ {
		if !n.value.stamp.IsZero() {
			whole, _ = jsonx.ParseString(n.value.text, anything)
		}
		if i == len(segments) {
			break
		}
		key := segments[i]
		v, whole = v.At(key), whole.At(key)
		if n = n.kids[key]; n == nil {
			n = &node{}
		}
	}
	type item struct {
		id  string
		pos register
	}
	var list []item
	for _, m := range v.Members {
		k := n.kids[m.Key]
		if k == nil {
			k = &node{}
		}
		_, there := whole.Get(m.Key)
		if !k.value.stamp.IsZero() {
			there = k.value.text != deleted
		}
		if there || k.pos.text != "" {
			list = append(list, item{m.Key, k.pos})
		}
	}
	slices.SortFunc(list, func(a, b item) int {
		switch {
		case a.pos.text == "" && b.pos.text == "":
			return strings.Compare(a.id, b.id)
		case a.pos.text == "":
			return 1
		case b.pos.text == "":
			return -1
		}
		return cmp.Or(strings.Compare(a.pos.text, b.pos.text), a.pos.stamp.Compare(b.pos.stamp),
			strings.Compare(a.id, b.id))
	})
	ids := make([]string, len(list))
	for i, it := range list {
		ids[i] = it.id
	}
	return ids
}

// anything is for values that were checked before.
var anything = jsonx.Limits{Bytes: 1 << 30, Depth: 1 << 10, Entries: 1 << 30, String: 1 << 30}
