package html

import (
	"bytes"
	"slices"

	"github.com/limn-ui/limn/ui"
)

// Update returns the changes from a page that shows before to one that shows after: one
// <turbo-stream> element each, to be applied in order. f is the frame between the two;
// nil compares all surfaces. Without changes the list is empty.
//
// A surface whose tree stays gets streams for single islands only, so no
// control of it is touched unless the server wrote its value; a surface whose
// tree or status changed is replaced as a whole.
func Update(before, after *ui.State, f *ui.Frame, o Options) []string {
	if after == nil {
		return nil
	}
	if before == nil {
		before = &ui.State{}
	}
	u := &update{before: before, after: after, o: o, touched: touched(before, after, f)}
	for _, sb := range before.Surfaces {
		if u.concerns(sb.Name) && after.Surface(sb.Name) == nil {
			u.remove(sb.WireID())
		}
	}
	for i, sa := range after.Surfaces {
		sb := before.Surface(sa.Name)
		switch {
		case !u.concerns(sa.Name):
		case sb == nil:
			u.insert(i, sa)
		case sb.Epoch != sa.Epoch:
			u.remove(sb.WireID())
			u.insert(i, sa)
		default:
			u.surface(sb, sa)
		}
	}
	return u.out
}

// update collects the streams between two states.
type update struct {
	before, after *ui.State
	o             Options
	touched       []ui.Name // nil = all
	out           []string
	buf           []byte
}

// touched lists the surfaces a frame can have changed. What is committed may
// be shown by any surface, so a commit concerns all.
func touched(before, after *ui.State, f *ui.Frame) []ui.Name {
	if f == nil || !before.Committed.Equal(after.Committed) {
		return nil
	}
	names := make([]ui.Name, 0, len(f.Changes))
	for _, c := range f.Changes {
		names = append(names, c.Surface)
	}
	return names
}

func (u *update) concerns(n ui.Name) bool { return u.touched == nil || slices.Contains(u.touched, n) }

// stream adds one element; id is escaped here, content is HTML.
func (u *update) stream(action, id string, content []byte) {
	b := append(u.buf[:0], `<turbo-stream action="`...)
	b = append(append(b, action...), `" target="`...)
	b = append(appendEscaped(b, id), `"><template>`...)
	b = append(append(b, content...), `</template></turbo-stream>`...)
	u.out, u.buf = append(u.out, string(b)), b
}

func (u *update) remove(id string) {
	b := append(u.buf[:0], `<turbo-stream action="remove" target="`...)
	b = append(appendEscaped(b, id), `"></turbo-stream>`...)
	u.out, u.buf = append(u.out, string(b)), b
}

// insert shows a new surface at its place: before the next one the page already
// has, or at the end. A frame with its id that is there for whatever reason is
// removed first.
func (u *update) insert(i int, s *ui.Surface) {
	u.remove(s.WireID())
	frame := appendFrame(nil, u.o.drawn(s), u.o, u.after.Committed)
	for _, next := range u.after.Surfaces[i+1:] {
		if old := u.before.Surface(next.Name); old != nil && old.Epoch == next.Epoch {
			u.stream("before", next.WireID(), frame)
			return
		}
	}
	u.stream("append", container, frame)
}

// surface updates a surface that keeps its epoch.
func (u *update) surface(sb, sa *ui.Surface) {
	if sb == sa && u.touched != nil {
		return
	}
	sb, sa = u.o.drawn(sb), u.o.drawn(sa)
	open := sb.Status == ui.StatusOpen && sa.Status == ui.StatusOpen
	if open && sb.Nonce == sa.Nonce && sb.Title == sa.Title && u.sameTree(sb, sa) {
		u.islands(sb, sa)
		return
	}
	next := appendFrame(nil, sa, u.o, u.after.Committed)
	if !bytes.Equal(next, appendFrame(nil, sb, u.o, u.before.Committed)) {
		u.stream("replace", sa.WireID(), next)
	}
}

// sameTree reports whether both trees are drawn alike over the same data.
func (u *update) sameTree(sb, sa *ui.Surface) bool {
	if len(sb.Root) == 1 && len(sa.Root) == 1 && sb.Root[0] == sa.Root[0] {
		return true
	}
	moved := *sb
	moved.Root = sa.Root
	return bytes.Equal(appendFrame(nil, sb, u.o, u.before.Committed), appendFrame(nil, &moved, u.o, u.before.Committed))
}

// islands updates single elements of an open surface: bound content, written
// controls, errors, rows, and the rev last, so that a page which has applied
// half of the list sends the old rev and gets an error.
func (u *update) islands(sb, sa *ui.Surface) {
	d := &diff{u: u}
	d.before.s, d.before.committed, d.before.o = sb, u.before.Committed, u.o
	d.after.s, d.after.committed, d.after.o = sa, u.after.Committed, u.o
	d.before.start(make([]byte, 768))
	d.after.start(make([]byte, 768))
	d.node(sa.Tree())
	if len(sb.Errors)+len(sa.Errors) > 0 { // also when they stay: a row they link to may be gone
		if d.changed((*writer).summary, (*writer).summary) {
			u.stream("update", d.idOf((*writer).ownID, idSummary), d.after.b)
		}
	}
	if sb.Rev != sa.Rev {
		d.same(idRev, func(w *writer) { w.rev() }, (*writer).ownID)
	}
}
