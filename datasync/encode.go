package datasync

import (
	"encoding/binary"
	"maps"
	"slices"

	"github.com/limn-ui/limn/ui"
)

// The binary forms begin with their number. Numbers are varints, texts have their length
// before them, and each time is written as the difference to the one before.
const (
	formSnapshot = 1
	formBatch    = 2
)

// AppendBinary appends the batch in a form of about a third of its JSON.
func (b Batch) AppendBinary(dst []byte) ([]byte, error) {
	actors := slices.Collect(maps.Keys(b.Versions))
	for _, u := range b.Updates {
		actors = append(actors, u.Stamp.Actor)
	}
	w := newWriter(append(dst, formBatch), actors)
	w.text(b.Surface)
	w.text(b.Actor)
	w.vector(b.Versions)
	w.number(len(b.Updates))
	before := ""
	for _, u := range b.Updates {
		shared := 0
		for shared < min(len(before), len(u.Path)) && before[shared] == u.Path[shared] {
			shared++
		}
		w.number(shared)
		w.text(u.Path[shared:])
		before = u.Path
		w.stamp(u.Stamp)
		w.text(u.Value)
		if u.Unplace {
			w.number(0)
			continue
		}
		w.number(len(u.Pos) + 1)
		w.dst = append(w.dst, u.Pos...)
	}
	return w.dst, nil
}

// UnmarshalBinary reads what AppendBinary wrote. Apply checks the updates.
func (b *Batch) UnmarshalBinary(data []byte) error {
	r := newReader(data, formBatch)
	*b = Batch{Surface: r.text(), Actor: r.text(), Versions: r.vector()}
	n := r.count(6)
	before := ""
	for range n {
		var u Update
		shared := r.number()
		if shared > len(before) {
			r.bad = true
			break
		}
		u.Path = before[:shared] + r.text()
		if before = u.Path; len(before) > len(data) {
			r.bad = true // paths that grow by each other
			break
		}
		u.Stamp, u.Value = r.stamp(), r.text()
		if size := r.number(); size == 0 {
			u.Unplace = true
		} else {
			u.Pos = r.bytes(size - 1)
		}
		b.Updates = append(b.Updates, u)
	}
	return r.end()
}

// Snapshot is the whole document with its vector, for Load. The same document has the
// same bytes.
func (d *Doc) Snapshot() []byte {
	w := newWriter([]byte{formSnapshot}, slices.Collect(maps.Keys(d.logs)))
	w.vector(d.seen)
	w.vector(d.gone)
	w.node(d.root)
	return w.dst
}

// Load reads a Snapshot, within the limits.
func Load(data []byte, l Limits) (*Doc, error) {
	d := New(l)
	r := newReader(data, formSnapshot)
	d.seen, d.gone = r.vector(), r.vector()
	if len(d.gone) > 0 {
		d.floor = d.Seen()
	}
	for _, actor := range r.actors {
		d.log(actor)
	}
	r.node(d, d.root, 0)
	if err := r.end(); err != nil {
		return nil, err
	}
	if len(d.logs) > d.limits.Actors || d.writes > d.limits.Writes || d.bytes > d.limits.Bytes {
		return nil, ui.Errorf(CodeLimit, "", "the snapshot has more than %d actors, %d writes or %d bytes",
			d.limits.Actors, d.limits.Writes, d.limits.Bytes)
	}
	return d, nil
}

type writer struct {
	dst    []byte
	actors map[string]int
	time   int64 // of the stamp before
}

func newWriter(dst []byte, actors []string) *writer {
	slices.Sort(actors)
	actors = slices.Compact(actors)
	w := &writer{dst: dst, actors: make(map[string]int, len(actors))}
	w.number(len(actors))
	for i, name := range actors {
		w.actors[name] = i
		w.text(name)
	}
	return w
}

func (w *writer) number(n int) { w.dst = binary.AppendUvarint(w.dst, uint64(n)) }

func (w *writer) text(s string) {
	w.number(len(s))
	w.dst = append(w.dst, s...)
}

func (w *writer) stamp(s Stamp) {
	w.number(w.actors[s.Actor])
	w.dst = binary.AppendVarint(w.dst, s.Time-w.time)
	w.number(s.Count)
	w.time = s.Time
}

func (w *writer) vector(v Vector) {
	w.number(len(v))
	for _, actor := range slices.Sorted(maps.Keys(v)) {
		w.stamp(v[actor])
	}
}

// Marks of a node: which registers follow.
const (
	hasValue = 1 << iota
	hasPos
)

func (w *writer) node(n *node) {
	marks := 0
	for mark, r := range map[int]register{hasValue: n.value, hasPos: n.pos} {
		if !r.stamp.IsZero() {
			marks |= mark
		}
	}
	w.number(len(n.kids)<<2 | marks)
	for _, r := range []register{n.value, n.pos} {
		if !r.stamp.IsZero() {
			w.stamp(r.stamp)
			w.text(r.text)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(n.kids)) {
		w.text(key)
		w.node(n.kids[key])
	}
}

// reader reads what writer wrote. After a fault everything is empty.
type reader struct {
	in     []byte
	actors []string
	time   int64
	bad    bool
}

func newReader(data []byte, form byte) *reader {
	r := &reader{in: data, bad: len(data) == 0 || data[0] != form}
	if r.bad {
		return r
	}
	r.in = data[1:]
	for range r.count(2) {
		name := r.text()
		if !validActor(name) || len(r.actors) > 0 && name <= r.actors[len(r.actors)-1] {
			r.bad = true
			break
		}
		r.actors = append(r.actors, name)
	}
	return r
}

func (r *reader) number() int {
	n, size := binary.Uvarint(r.in)
	if r.bad || size <= 0 || n > 1<<31-1 {
		r.bad = true
		return 0
	}
	r.in = r.in[size:]
	return int(n)
}

// count is a number of things of at least least bytes each, which must still be there.
func (r *reader) count(least int) int {
	n := r.number()
	if n > len(r.in)/least {
		r.bad = true
		return 0
	}
	return n
}

func (r *reader) bytes(n int) string {
	if r.bad || n > len(r.in) {
		r.bad = true
		return ""
	}
	s := string(r.in[:n])
	r.in = r.in[n:]
	return s
}

func (r *reader) text() string { return r.bytes(r.number()) }

func (r *reader) stamp() Stamp {
	i := r.number()
	step, size := binary.Varint(r.in)
	if r.bad || size <= 0 || i >= len(r.actors) || step > maxTime || step < -maxTime {
		r.bad = true
		return Stamp{}
	}
	r.in = r.in[size:]
	r.time += step
	s := Stamp{r.time, r.number(), r.actors[i]}
	if s.Time < 0 || s.Time > maxTime || s.Count > maxCount {
		r.bad = true
		return Stamp{}
	}
	return s
}

func (r *reader) vector() Vector {
	n := r.count(3)
	v := make(Vector, n)
	for range n {
		s := r.stamp()
		v[s.Actor] = s
	}
	return v
}

func (r *reader) node(d *Doc, n *node, depth int) {
	size := r.number()
	for mark, reg := range []*register{&n.value, &n.pos} {
		if size&(1<<mark) != 0 && !r.bad {
			w := register{r.stamp(), r.text()}
			if r.bad = r.bad || !d.fits(w, mark == 0); !r.bad {
				d.write(n, reg, w)
			}
		}
	}
	kids := size >> 2
	r.bad = r.bad || depth > d.limits.Depth || kids > len(r.in)/2 || kids == 0 && depth > 0 && size == 0
	for range kids {
		key := r.text()
		if r.bad || n.kids[key] != nil {
			r.bad = true
			return
		}
		r.node(d, d.grow(n, []string{key}), depth+1)
	}
}

// fits reports whether a register can be one of this document.
func (d *Doc) fits(w register, value bool) bool {
	u := Update{Path: "/", Stamp: w.stamp, Pos: w.text, Unplace: w.text == ""}
	if value {
		u.Value, u.Pos, u.Unplace = w.text, "", false
	}
	checked, err := d.check(u)
	return err == nil && checked.Value == u.Value
}

func (r *reader) end() error {
	if r.bad || len(r.in) > 0 {
		return ui.Errorf(CodeBatch, "", "the bytes are no batch or snapshot of this version")
	}
	return nil
}
