package ui

import (
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/limn-ui/limn/internal/excerpt"
)

// Apply returns the state after a frame, and what changed. It never mutates s:
// surfaces that the frame does not touch are shared. f.Seq must be s.Seq+1.
//
// Each touched surface moves its rev by one. Guard follows rev when the frame
// changed what an action means there: nodes, actions, options, status, or a
// draft leaf the server wrote; the user's own draft, errors and /ui_state leave
// it, so a progress bar beside a form never makes the form stale.
func Apply(s *State, f *Frame, lim Limits) (*State, []Change, error) {
	if f.Seq != s.Seq+1 {
		return nil, nil, Errorf(codeSequence, "/seq", "frame %d does not follow state %d", f.Seq, s.Seq)
	}
	next := *s
	next.V, next.Seq, next.Surfaces, next.Toasts = Version, f.Seq, slices.Clone(s.Surfaces), f.Ops.toasts()
	a := &applier{state: &next, frame: f, lim: lim.WithDefaults(), seen: map[Name]*touch{}}
	for i, op := range f.Ops {
		if err := a.apply(op); err != nil {
			return nil, nil, wrapOp(i, op, err)
		}
	}
	changes, err := a.finish()
	if err != nil {
		return nil, nil, err
	}
	return &next, changes, nil
}

// touch records the changes of a frame to one surface so far.
type touch struct {
	surface *Surface // the private copy; nil when closed
	change  Change
	written map[Path]bool // change.Wrote as a set
	guard   bool
}

func (t *touch) wrote(p Path) {
	if t.written[p] {
		return
	}
	if t.written == nil {
		t.written = map[Path]bool{}
	}
	t.written[p] = true
	t.change.Wrote = append(t.change.Wrote, p)
}

type applier struct {
	state *State
	frame *Frame
	lim   Limits
	seen  map[Name]*touch
	order []*touch
}

func wrapOp(i int, op Op, err error) error {
	e, ok := err.(*Error)
	if !ok {
		return err
	}
	out := *e
	out.Path = strings.TrimSuffix("/ops/"+itoa(i)+"/"+opTypes.name(op)+" "+e.Path, " ")
	return &out
}

func (a *applier) apply(op Op) error {
	if a.state.Ended {
		return Errorf(CodeEnded, "", "the conversation has ended")
	}
	if op == nil {
		return Errorf(codeRecordInvalid, "", "an op is missing")
	}
	return op.apply(a)
}

func (op *Open) apply(a *applier) error {
	if !ValidName(string(op.Surface)) {
		return Errorf(codeNameInvalid, "", "surface name %q: want [a-z][a-z0-9_:-]{0,63}",
			excerpt.Of(string(op.Surface), 80))
	}
	if err := a.tree(op.Root); err != nil {
		return err
	}
	if err := a.holds(op.Root, op.Draft, "/"+DraftRoot); err != nil {
		return err
	}
	if err := a.holds(op.Root, op.UIState, "/"+UIStateRoot); err != nil {
		return err
	}
	epoch := a.bumpEpoch(op.Surface)
	a.forget(op.Surface)
	sf := &Surface{Name: op.Surface, Epoch: epoch, Nonce: op.Nonce, Status: StatusOpen, Origin: op.Origin,
		Title: op.Title, Root: op.Root, Draft: fillDraft(op.Root[0], op.Draft, false), UIState: op.UIState}
	i := a.index(op.Surface)
	if i < 0 {
		if len(a.state.Surfaces) >= a.lim.Surfaces {
			return Errorf(CodeLimit, "", "more than %d surfaces", a.lim.Surfaces)
		}
		a.state.Surfaces = append(a.state.Surfaces, sf)
	} else {
		a.state.Surfaces[i] = sf
	}
	t := a.touch(op.Surface)
	t.surface, t.guard = sf, true
	t.change.Kind, t.change.Wrote, t.written = ChangedOpened, nil, nil // whatever became of the one before
	return nil
}

func (a *applier) tree(root Nodes) error {
	if err := CheckTree(root, a.lim); err != nil {
		return err
	}
	return checkNames(root[0])
}

func (a *applier) bumpEpoch(n Name) uint32 {
	epochs := maps.Clone(a.state.Epochs)
	if epochs == nil {
		epochs = map[Name]uint32{}
	}
	epochs[n]++
	a.state.Epochs = epochs
	return epochs[n]
}

func (a *applier) index(n Name) int {
	return slices.IndexFunc(a.state.Surfaces, func(s *Surface) bool { return s.Name == n })
}

// touch returns the record of what this frame does to n, new if need be.
func (a *applier) touch(n Name) *touch {
	t := a.seen[n]
	if t == nil {
		t = &touch{change: Change{Surface: n}}
		a.seen[n] = t
		a.order = append(a.order, t)
	}
	return t
}

// edit returns a private copy of a surface that is there.
func (a *applier) edit(n Name) (*touch, error) {
	i := a.index(n)
	if i < 0 {
		return nil, Errorf(codeSurfaceUnknown, "", "no surface %q", excerpt.Of(string(n), 80))
	}
	t := a.touch(n)
	if t.surface == nil {
		c := *a.state.Surfaces[i]
		t.surface, a.state.Surfaces[i] = &c, &c
	}
	return t, nil
}

// editOpen is edit for what only an open surface takes.
func (a *applier) editOpen(n Name) (*touch, error) {
	t, err := a.edit(n)
	if err == nil && t.surface.Status != StatusOpen {
		return nil, Errorf(codeSurfaceNotOpen, "", "surface %q is %s", n, t.surface.Status)
	}
	return t, err
}

var strength = map[ChangeKind]int{ChangedData: 1, ChangedUpdated: 2, ChangedLocked: 3, ChangedExpired: 4,
	ChangedReset: 5, ChangedOpened: 6, ChangedClosed: 7}

func (t *touch) mark(k ChangeKind) {
	if strength[k] > strength[t.change.Kind] {
		t.change.Kind = k
	}
}

func (op *Update) apply(a *applier) error {
	if err := a.tree(op.Root); err != nil {
		return err
	}
	t, err := a.editOpen(op.Surface)
	if err != nil {
		return err
	}
	t.guard = t.guard || !op.Live || !sameControls(t.surface.Root[0], op.Root[0])
	t.surface.Root, t.surface.StandIns = op.Root, nil
	t.surface.Draft = fillDraft(op.Root[0], t.surface.Draft, false)
	t.mark(ChangedUpdated)
	return nil
}

// sameControls reports whether two trees have the same buttons and inputs at the same
// places.
func sameControls(a, b Node) bool {
	was, is := controls(a), controls(b)
	return maps.EqualFunc(was, is, func(x, y Node) bool { return reflect.DeepEqual(x, y) })
}

func controls(root Node) map[KeyPath]Node {
	out := map[KeyPath]Node{}
	Walk(root, func(k KeyPath, n Node) bool {
		if _, button := n.(*Button); button || InputOf(n) != nil || RowsetOf(n) != nil {
			out[k] = n
		}
		return true
	})
	return out
}

func (op *StandIn) apply(a *applier) error {
	t, err := a.edit(op.Surface)
	if err != nil {
		return err
	}
	t.surface.StandIns = append(slices.Clone(t.surface.StandIns), op.Targets...)
	t.mark(ChangedUpdated)
	return nil
}

func (op *Lock) apply(a *applier) error {
	if err := a.status(op.Surface, StatusSubmitted, ChangedLocked); err != nil {
		return err
	}
	t, err := a.edit(op.Surface)
	if err == nil && op.Record.ID != "" {
		t.surface.Origin.Record = op.Record
	}
	return err
}

func (op *Expire) apply(a *applier) error {
	status := StatusExpired
	if op.Canceled {
		status = StatusCanceled
	}
	return a.status(op.Surface, status, ChangedExpired)
}

func (a *applier) status(n Name, s Status, k ChangeKind) error {
	t, err := a.edit(n)
	if err != nil {
		return err
	}
	t.surface.Status, t.surface.Errors, t.guard = s, nil, true
	t.surface.Done = Moment{Seq: a.frame.Seq, At: a.frame.At}
	t.mark(k)
	return nil
}

func (op *Close) apply(a *applier) error {
	t, err := a.edit(op.Surface)
	if err != nil {
		return err
	}
	t.change.Epoch, t.change.Rev, t.change.Guard = t.surface.Epoch, t.surface.Rev, t.surface.Guard
	t.mark(ChangedClosed)
	if op.Failed {
		a.forget(op.Surface)
		a.state.Failed = append(a.state.Failed, t.surface)
		if over := len(a.state.Failed) - maxFailed; over > 0 {
			a.state.Failed = a.state.Failed[over:]
		}
	}
	t.surface = nil
	i := a.index(op.Surface)
	a.state.Surfaces = slices.Delete(a.state.Surfaces, i, i+1)
	return nil
}

// forget drops a failed surface; Failed has its own memory afterwards.
func (a *applier) forget(n Name) {
	a.state.Failed = slices.DeleteFunc(slices.Clone(a.state.Failed), func(sf *Surface) bool { return sf.Name == n })
}

// apply counts a fault. What is older than an hour is forgotten, and when there
// are too many the oldest report goes before the oldest reset: many reports do
// not hide how often a surface was reset.
func (op *Mark) apply(a *applier) error {
	if op.Surface != "" && !ValidName(string(op.Surface)) || op.Print == "" || len(op.Print) > 64 {
		return Errorf(codeValueInvalid, "", "a fault needs a print of 1 to 64 bytes and, if any, the name of a surface")
	}
	next := Fault{Surface: op.Surface, Epoch: op.Epoch, Print: op.Print, At: a.frame.At, Count: 1}
	var kept []Fault
	for _, f := range a.state.Faults {
		switch {
		case a.frame.At.Sub(f.At) > faultsKept:
		case f.Surface == op.Surface && f.Print == op.Print && op.Print != FaultReset:
			next.Count += f.Count
		default:
			kept = append(kept, f)
		}
	}
	if len(kept) >= maxFaults {
		i := max(0, slices.IndexFunc(kept, func(f Fault) bool { return f.Print != FaultReset }))
		kept = slices.Delete(kept, i, i+1)
	}
	a.state.Faults = append(kept, next)
	return nil
}

func (*End) apply(a *applier) error {
	for len(a.state.Surfaces) > 0 {
		if err := (&Close{Surface: a.state.Surfaces[0].Name}).apply(a); err != nil {
			return err
		}
	}
	a.state.Ended, a.state.Faults, a.state.Failed = true, nil, nil
	return nil
}

func (op *Reset) apply(a *applier) error {
	t, err := a.edit(op.Surface)
	if err != nil {
		return err
	}
	t.surface.Epoch, t.surface.Nonce = a.bumpEpoch(op.Surface), op.Nonce
	t.surface.Rev, t.surface.Guard, t.surface.Wrote, t.guard = 0, 0, nil, true
	t.surface.Stamps, t.surface.Actors = nil, nil
	t.mark(ChangedReset)
	return nil
}

func (e *Errors) apply(a *applier) error {
	t, err := a.editOpen(e.Surface)
	if err != nil {
		return err
	}
	if !slices.Equal(t.surface.Errors, e.Errors) {
		t.surface.Errors = e.Errors
		t.mark(ChangedUpdated)
	}
	return nil
}

func (op *Commit) apply(a *applier) error {
	if !ValidKey(op.Form) {
		return Errorf(codeNameInvalid, "", "form name %q", excerpt.Of(op.Form, 80))
	}
	next, ok := a.state.Committed.With(op.Values, op.Form)
	if !ok {
		return Errorf(codeValueInvalid, "/committed/"+op.Form, "cannot be written")
	}
	if next.size() > a.lim.Committed {
		return Errorf(CodeLimit, "/committed", "more than %d bytes committed", a.lim.Committed)
	}
	a.state.Committed = next
	return nil
}

func (op *Say) apply(a *applier) error {
	if op.Role != RoleUser && op.Role != RoleAssistant || op.By != "" && op.Role != RoleAssistant {
		return Errorf(codeValueInvalid, "", "role %q", excerpt.Of(string(op.Role), 20))
	}
	if len(op.By) > maxOperator || len(op.Agents) > maxSayers {
		return Errorf(CodeLimit, "", "a name above %d bytes, or more than %d agents", maxOperator, maxSayers)
	}
	if len(op.Text) > a.lim.TextSize {
		return Errorf(CodeLimit, "", "text above %d bytes", a.lim.TextSize)
	}
	entries := a.state.Transcript
	if over := len(entries) + 1 - a.lim.Transcript; over > 0 {
		entries = entries[over:]
	}
	next := make([]*Entry, len(entries)+1) // no room to grow: every state has its own
	copy(next, entries)
	next[len(entries)] = &Entry{Seq: a.frame.Seq, At: a.frame.At, Role: op.Role, By: op.By, Agents: op.Agents,
		Text: op.Text}
	a.state.Transcript = next
	return nil
}

func (op *Attend) apply(a *applier) error {
	switch {
	case op.ID == "":
		a.state.Operator = nil
	case op.Name == "" || len(op.ID) > maxOperator || len(op.Name) > maxOperator:
		return Errorf(codeValueInvalid, "", "the id or name of an operator")
	default:
		a.state.Operator = &Operator{ID: op.ID, Name: op.Name, At: a.frame.At}
	}
	return nil
}

func (op *Set) apply(a *applier) error {
	a.state.Router = op.Router
	return nil
}

func (*Toast) apply(*applier) error { return nil }

// finish moves rev and guard once per touched surface and lists the changes.
func (a *applier) finish() ([]Change, error) {
	var changes []Change
	for _, t := range a.order {
		if sf := t.surface; sf != nil {
			sf.Rev++
			if t.guard {
				sf.Guard = sf.Rev
			}
			for _, p := range t.change.Wrote {
				if !p.Under(DraftRoot) {
					continue
				}
				if sf.Wrote == nil {
					sf.Wrote = map[Path]uint64{}
				}
				sf.Wrote[p] = sf.Rev
			}
			if sf.DataSize() > a.lim.DraftSize {
				return nil, Errorf(CodeLimit, "/"+DraftRoot, "surface %q holds more than %d bytes", sf.Name,
					a.lim.DraftSize)
			}
			t.change.Epoch, t.change.Rev, t.change.Guard = sf.Epoch, sf.Rev, sf.Guard
			t.mark(ChangedData)
		}
		changes = append(changes, t.change)
	}
	return changes, nil
}
