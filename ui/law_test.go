package ui

import (
	"bytes"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

var surfaceNames = rapid.SampledFrom([]Name{"a", "form:b", "c"})

func drawTree(t *rapid.T) Nodes {
	all := fields()
	n := rapid.IntRange(0, len(all)).Draw(t, "fields")
	list := Nodes{}
	for _, f := range all[:n] {
		list = append(list, InputFor(PathOf(DraftRoot, f.Name), f))
	}
	if rapid.Bool().Draw(t, "table") {
		list = append(list, tableNode())
	}
	if rapid.Bool().Draw(t, "steps") {
		list = append(list, stepsNode())
	}
	return Nodes{&Column{Key: "main", Children: list}}
}

func drawValue(t *rapid.T) Value {
	return rapid.SampledFrom([]Value{{}, String(""), String("x"), String("<&\u2028"), Int(3), Bool(true), Strings(),
		Strings("a", "b"),
		Map(), Map(Pair{"title", String("t")}), Map(Pair{"other", Int(1)}, Pair{"count", Int(7)}), Rows(),
		Rows(Record{"q1", "b", Map(Pair{"title", String("q")})}, Record{"q2", "b", Map()}),
		Rows(Record{"z", "", Map()})}).Draw(t, "value")
}

var patchPaths = rapid.SampledFrom([]Path{"/draft/name", "/draft/sizes", "/draft/agree", "/draft/level", "/draft/items",
	"/draft/items/r1", "/draft/items/r2/count",
	"/draft/items/fresh/title", "/draft/items/BAD ID/title", "/draft/name/deep", "/draft/steps", "/draft/edges", "/draft/edges/e1/from", "/draft/loose", "/ui_state/progress",
	"/ui_state/page_items", "/committed/x", "relative", "/draft/$rows", "/draft/a~", ""})

func drawOp(t *rapid.T) Op {
	n := surfaceNames.Draw(t, "surface")
	switch rapid.IntRange(0, 17).Draw(t, "op") {
	case 0, 1:
		return &Open{Surface: n, Nonce: "n", Root: drawTree(t),
			Draft: rapid.SampledFrom([]Value{{}, Map(), Map(Pair{"name", Int(4)}), Map(Pair{"items", String("no rows")}),
				Map(Pair{"items", Rows(Record{"k", "b", Map()})}), Strings("no map")}).Draw(t, "draft")}
	case 2:
		return &Update{Surface: n, Root: drawTree(t)}
	case 3:
		return &Lock{Surface: n}
	case 4:
		return &Expire{Surface: n}
	case 5:
		return &Close{Surface: n, Failed: rapid.Bool().Draw(t, "failed")}
	case 6:
		return &Reset{Surface: n, Nonce: "m"}
	case 7, 8:
		var leaves []Leaf
		for range rapid.IntRange(0, 3).Draw(t, "leaves") {
			leaves = append(leaves, Leaf{patchPaths.Draw(t, "path"), drawValue(t)})
		}
		return &Draft{Surface: n, Values: leaves}
	case 9, 10, 11:
		var changes []PatchOne
		for range rapid.IntRange(1, 3).Draw(t, "changes") {
			changes = append(changes, PatchOne{
				Do: rapid.SampledFrom([]PatchVerb{PatchSet, PatchSet, PatchDelete, PatchAppend, PatchInsert, PatchMove, "swap"}).Draw(t, "do"), Path: patchPaths.Draw(t, "path"),
				Value: drawValue(t), Before: rapid.SampledFrom([]string{"", "", "r1", "q2", "0", "9"}).Draw(t,
					"before"), Row: rapid.SampledFrom([]string{"", "", "x1", "Bad"}).Draw(t, "row")})
		}
		return &Patch{Surface: n, Changes: changes}
	case 12:
		return &Errors{Surface: n, Errors: rapid.SampledFrom(
			[][]FieldError{nil, {{Path: "/draft/name", Code: CodeFieldType, Text: "T"}}}).Draw(t, "errors")}
	case 13:
		return &Commit{Form: rapid.SampledFrom([]string{"f", "g", "F!"}).Draw(t, "form"), Values: drawValue(t)}
	case 14:
		return &Say{Role: rapid.SampledFrom([]Role{RoleUser, RoleAssistant, "admin"}).Draw(t, "role"), By: rapid.SampledFrom([]string{"", "Anna"}).Draw(t, "by"), Text: "hello"}
	}
	if rapid.IntRange(0, 4).Draw(t, "rare") == 0 {
		if rapid.IntRange(0, 4).Draw(t, "rarest") == 0 {
			return &End{}
		}
		return &Mark{Surface: n, Epoch: 1, Print: rapid.SampledFrom([]string{"a", "b", FaultReset, ""}).Draw(t,
			"print")}
	}
	return &Set{Router: Router{Cancels: rapid.IntRange(0, 3).Draw(t, "cancels")}}
}

func bytesOf(t interface{ Fatalf(string, ...any) }, v any) []byte {
	b, err := Encode(v)
	if err != nil {
		t.Fatalf("encode: %v", err)
	}
	return b
}

// TestApplyLaws walks random conversations and holds every law of Apply after
// each frame.
func TestApplyLaws(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := NewState("c")
		if rapid.Bool().Draw(t, "opened") { // else most ops meet no surface
			s = mustApply(s, &Open{Surface: "a", Root: Nodes{everything()}, Draft: BlankDraft(everything(), Value{})})
		}
		for range rapid.IntRange(1, 10).Draw(t, "frames") {
			f := frameOf(s)
			for range rapid.IntRange(0, 3).Draw(t, "ops") {
				f.Ops = append(f.Ops, drawOp(t))
			}
			before, was := bytesOf(t, s), bytesOf(t, f)
			next, changes, err := Apply(s, f, Limits{})
			if !bytes.Equal(before, bytesOf(t, s)) || !bytes.Equal(was, bytesOf(t, f)) {
				t.Fatalf("Apply changed its input:\n%s\n%s", before, bytesOf(t, s))
			}
			if err != nil {
				if CodeOf(err) == "" || next != nil {
					t.Fatalf("a fault without a code, or with a state: %v", err)
				}
				continue
			}
			checkStep(t, s, next, f, changes)
			checkReplay(t, before, was, next)
			s = next
		}
	})
}

func checkStep(t *rapid.T, s, next *State, f *Frame, changes []Change) {
	if next.Seq != s.Seq+1 || next.V != Version {
		t.Fatalf("seq %d after %d, version %d", next.Seq, s.Seq, next.V)
	}
	if s.Ended && len(f.Ops) > 0 || next.Ended && len(next.Surfaces) > 0 {
		t.Fatalf("ended %t, then %t with %d surfaces", s.Ended, next.Ended, len(next.Surfaces))
	}
	if len(next.Faults) > maxFaults || len(next.Failed) > maxFailed {
		t.Fatalf("%d faults, %d failed surfaces", len(next.Faults), len(next.Failed))
	}
	for n, e := range s.Epochs {
		if next.Epochs[n] < e {
			t.Fatalf("epoch of %s went from %d to %d", n, e, next.Epochs[n])
		}
	}
	for _, now := range next.Surfaces {
		old := s.Surface(now.Name)
		i := slices.IndexFunc(changes, func(c Change) bool { return c.Surface == now.Name })
		if now.Guard > now.Rev || now.Guard == 0 || now.Epoch > next.Epochs[now.Name] {
			t.Fatalf("%v: guard %d, highest epoch %d", now, now.Guard, next.Epochs[now.Name])
		}
		if i < 0 {
			if now != old {
				t.Fatalf("%v was copied and not changed", now)
			}
			continue
		}
		c := changes[i]
		if c.Epoch != now.Epoch || c.Rev != now.Rev || c.Guard != now.Guard || c.Kind == ChangedClosed {
			t.Fatalf("change %+v of %v guard %d", c, now, now.Guard)
		}
		fresh := old == nil || old.Epoch != now.Epoch
		switch {
		case fresh && (now.Rev != 1 || now.Guard != 1 || c.Kind != ChangedOpened && c.Kind != ChangedReset):
			t.Fatalf("a new epoch starts as %+v", c)
		case fresh && old != nil && now.Epoch <= old.Epoch:
			t.Fatalf("epoch %d after %d", now.Epoch, old.Epoch)
		case !fresh && now.Rev != old.Rev+1:
			t.Fatalf("rev %d after %d", now.Rev, old.Rev)
		case !fresh && movesGuard(f.Ops, now.Name) && now.Guard != now.Rev:
			t.Fatalf("guard stays at %d: %s", now.Guard, bytesOf(t, f))
		case !fresh && !movesGuard(f.Ops, now.Name) && now.Guard != old.Guard:
			t.Fatalf("guard moves from %d to %d: %s", old.Guard, now.Guard, bytesOf(t, f))
		}
		checkInputs(t, now)
	}
	for _, c := range changes {
		if next.Surface(c.Surface) == nil && c.Kind != ChangedClosed {
			t.Fatalf("%s is gone and its change is %s", c.Surface, c.Kind)
		}
	}
}

// movesGuard is the documentation of Apply, once more.
func movesGuard(ops Ops, n Name) bool {
	return slices.ContainsFunc(ops, func(op Op) bool {
		switch op := op.(type) {
		case *Open:
			return op.Surface == n
		case *Update:
			return op.Surface == n
		case *Lock:
			return op.Surface == n
		case *Expire:
			return op.Surface == n
		case *Reset:
			return op.Surface == n
		case *Patch:
			return op.Surface == n && slices.ContainsFunc(op.Changes, func(c PatchOne) bool {
				p, _, _ := ParsePath(string(c.Path), true)
				return p.Under(DraftRoot) || isPage(p)
			})
		}
		return false
	})
}

// checkInputs: every input has a value of its kind, every rowset its cells.
func checkInputs(t *rapid.T, s *Surface) {
	whole := func(v Value, f Field) bool { return v.Equal(f.Draft(v)) }
	Walk(s.Tree(), func(_ KeyPath, n Node) bool {
		if in := InputOf(n); in != nil && !slices.Contains(userWrote, in.Path) {
			if v, ok := s.Get(in.Path); !ok || v.IsNull() || !whole(v, in.Field) {
				t.Fatalf("%s holds %v, %v", in.Path, v, ok)
			}
		}
		return true
	})
}

// userWrote are the paths that generated Drafts write without regard to kinds,
// as package ingress never does.
var userWrote = []Path{"/draft/name", "/draft/sizes", "/draft/agree", "/draft/level"}

// checkReplay: frame and state as they are stored lead to the same bytes.
func checkReplay(t *rapid.T, state, frame []byte, next *State) {
	s, err := DecodeState(state)
	if err != nil {
		t.Fatalf("stored state: %v\n%s", err, state)
	}
	f, err := DecodeFrame(frame)
	if err != nil {
		t.Fatalf("stored frame: %v\n%s", err, frame)
	}
	again, _, err := Apply(s, f, Limits{})
	if err != nil {
		t.Fatalf("replay: %v", err)
	}
	if want, got := bytesOf(t, next), bytesOf(t, again); !bytes.Equal(want, got) {
		t.Fatalf("replayed it differs:\n%s\n%s", want, got)
	}
	if _, err := DecodeState(bytesOf(t, next)); err != nil {
		t.Fatalf("the state cannot be read back: %v", err)
	}
}

// After patches alone even the paths above hold their kinds.
func TestPatchKeepsKinds(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := mustApply(NewState("c"), &Open{Surface: "a", Root: Nodes{everything()}})
		for range rapid.IntRange(1, 4).Draw(t, "patches") {
			op := &Patch{Surface: "a", Changes: []PatchOne{
				{Do: rapid.SampledFrom([]PatchVerb{PatchSet, PatchDelete, PatchAppend, PatchInsert, PatchMove}).Draw(t, "do"),
					Path: patchPaths.Draw(t, "path"), Value: drawValue(t)}}}
			if next, _, err := Apply(s, frameOf(s, op), Limits{}); err == nil {
				s = next
			}
		}
		sf := s.Surface("a")
		Walk(sf.Tree(), func(_ KeyPath, n Node) bool {
			if in := InputOf(n); in != nil {
				if v, ok := sf.Get(in.Path); !ok || !v.Equal(in.Draft(v)) {
					t.Fatalf("%s holds %s", in.Path, v.AppendJSON(nil))
				}
			}
			if rs := RowsetOf(n); rs != nil {
				if v, _ := sf.Get(rs.Path); v.Kind() != RowsValue {
					t.Fatalf("%s holds %s", rs.Path, v.AppendJSON(nil))
				}
				for _, r := range sf.Rows(rs) {
					for _, c := range rs.Columns {
						if v, ok := r.Cells.Get(c.Name); !ok || !v.Equal(c.Draft(v)) {
							t.Fatalf("%s/%s/%s holds %s", rs.Path, r.ID, c.Name, v.AppendJSON(nil))
						}
					}
				}
			}
			return true
		})
	})
}

func TestEpochIsRemembered(t *testing.T) {
	t.Parallel()
	open := &Open{Surface: "a", Root: Nodes{&Divider{Key: "d"}}}
	s := mustApply(NewState("c"), open)
	s = mustApply(s, &Close{Surface: "a"})
	if s.Surface("a") != nil || s.Epochs["a"] != 1 {
		t.Fatalf("closed: %+v", s)
	}
	s = mustApply(s, open)
	if sf := s.Surface("a"); sf.Epoch != 2 || sf.Rev != 1 {
		t.Errorf("opened again: %v", sf)
	}
	// closed and opened in one frame it is open, under the next epoch
	next, changes, err := Apply(s, frameOf(s, &Close{Surface: "a"}, open), Limits{})
	if err != nil || next.Surface("a").Epoch != 3 || len(changes) != 1 || changes[0].Kind != ChangedOpened ||
		changes[0].Epoch != 3 {
		t.Errorf("closed and opened: %+v, %v", changes, err)
	}
	s = mustApply(next, &Reset{Surface: "a", Nonce: "new"})
	if sf := s.Surface("a"); sf.Epoch != 4 || sf.Rev != 1 || sf.Nonce != "new" {
		t.Errorf("reset: %+v", sf)
	}
}

func TestSequence(t *testing.T) {
	t.Parallel()
	s := NewState("c")
	for _, seq := range []uint64{0, 2, 1 << 63} {
		if _, _, err := Apply(s, &Frame{Seq: seq}, Limits{}); CodeOf(err) != codeSequence {
			t.Errorf("frame %d on state 0: %v", seq, err)
		}
	}
}

// drawData draws any value a draft can hold, two levels deep.
func drawData(t *rapid.T, depth int) Value {
	kind := rapid.IntRange(0, 6).Draw(t, "kind")
	if depth == 0 {
		kind %= 5
	}
	key := rapid.SampledFrom([]string{"a", "b", "c", "r1"})
	switch kind {
	case 0:
		return Value{}
	case 1:
		return Bool(rapid.Bool().Draw(t, "b"))
	case 2:
		return Int(rapid.Int64().Draw(t, "n"))
	case 3:
		return String(rapid.String().Draw(t, "s"))
	case 4:
		return Strings(rapid.SliceOfN(rapid.String(), 0, 3).Draw(t, "list")...)
	case 5:
		v := Map()
		for range rapid.IntRange(0, 3).Draw(t, "pairs") {
			v, _ = v.With(drawData(t, depth-1), key.Draw(t, "key"))
		}
		return v
	}
	v := Rows()
	for range rapid.IntRange(0, 3).Draw(t, "rows") {
		v, _ = v.With(Map(Pair{"x", drawData(t, 0)}), key.Draw(t, "key"))
	}
	return v
}

func TestValueLaws(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		v, val := drawData(t, 2), drawData(t, 1)
		keys := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "r1", "fresh", "BAD"}), 0, 3).Draw(t, "keys")
		was := string(v.AppendJSON(nil))
		next, ok := v.With(val, keys...)
		if got, there := next.Get(keys...); ok && (!there || !got.Equal(val)) {
			t.Fatalf("With then Get: %s at %q", next.AppendJSON(nil), keys)
		}
		if !ok && !next.Equal(v) {
			t.Fatalf("a failed With changed the value")
		}
		if twice, _ := next.With(val, keys...); ok && !twice.Equal(next) {
			t.Fatalf("With twice differs")
		}
		gone := v.without(keys...)
		if _, there := gone.Get(keys...); len(keys) > 0 && there {
			t.Fatalf("Without leaves it: %s", gone.AppendJSON(nil))
		}
		if _, there := v.Get(keys...); !there && !gone.Equal(v) {
			t.Fatalf("Without of nothing changed %s to %s", was, gone.AppendJSON(nil))
		}
		if string(v.AppendJSON(nil)) != was {
			t.Fatalf("the value itself changed: %s", was)
		}
		var back Value
		if err := back.UnmarshalJSON([]byte(was)); err != nil || string(back.AppendJSON(nil)) != was {
			t.Fatalf("%s read back: %v", was, err)
		}
	})
}

// withAll is With, one after the other; it only forgives what a later edit
// mends, such as a row that is a string for a moment.
func TestWithAllIsWith(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		v := drawData(t, 2)
		var edits []edit
		for range rapid.IntRange(0, 5).Draw(t, "edits") {
			edits = append(edits, edit{"", rapid.SliceOfN(
				rapid.SampledFrom([]string{"a", "b", "r1", "x", "fresh", "BAD"}), 0, 3).Draw(t, "keys"),
				drawData(t, 1)})
		}
		want, fine := v, true
		for _, e := range edits {
			if fine {
				want, fine = want.With(e.val, e.keys...)
			}
		}
		got, bad := v.withAll(edits)
		if fine && (bad != nil || !got.Equal(want)) {
			t.Fatalf("one by one %v %s\nat once %v %s", fine, want.AppendJSON(nil), bad, got.AppendJSON(nil))
		}
	})
}

func TestOrderBetween(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var orders []string
		for range rapid.IntRange(1, 60).Draw(t, "n") {
			at := rapid.OneOf(rapid.IntRange(0, len(orders)), rapid.Just(len(orders)), rapid.Just(0)).Draw(t, "at")
			lo, hi := "", ""
			if at > 0 {
				lo = orders[at-1]
			}
			if at < len(orders) {
				hi = orders[at]
			}
			got := OrderBetween(lo, hi)
			if got <= lo || hi != "" && got >= hi || !validOrder(got) || got == "" {
				t.Fatalf("OrderBetween(%q, %q) = %q", lo, hi, got)
			}
			orders = slices.Insert(orders, at, got)
		}
	})
	last := ""
	for range 20_000 {
		next := OrderBetween(last, "")
		if next <= last || len(next) > 8 {
			t.Fatalf("appending behind %q gives %q", last, next)
		}
		last = next
	}
	if got := OrderBetween("b", "b"); got <= "b" {
		t.Errorf("no room: %q", got)
	}
}

// Rows that came without orders keep their places when one goes between them.
func TestInsertBetweenEqualOrders(t *testing.T) {
	t.Parallel()
	s := mustApply(NewState("c"), &Open{Surface: "a", Root: Nodes{&Column{Key: "main", Children: Nodes{tableNode()}}},
		Draft: Map(Pair{"items", Rows(Record{"a", "", Map()}, Record{"b", "", Map()}, Record{"c", "n", Map()},
			Record{"d", "n", Map()})})})
	for _, before := range []string{"b", "d", "a"} {
		s = mustApply(s, &Patch{Surface: "a",
			Changes: []PatchOne{{Do: PatchInsert, Path: "/draft/items", Before: before, Row: "x" + before}}})
	}
	var got []string
	for _, r := range s.Surface("a").Rows(&tableNode().Rowset) {
		got = append(got, r.ID)
	}
	if want := []string{"xa", "a", "xb", "b", "c", "xd", "d"}; !slices.Equal(got, want) {
		t.Errorf("rows = %v, want %v", got, want)
	}
}

// TestGuard is the table of what makes a sent action stale.
func TestGuard(t *testing.T) {
	t.Parallel()
	base := mustApply(NewState("c"), &Open{Surface: "a", Root: Nodes{everything()},
		UIState: Map(Pair{"progress", Int(1)}, Pair{"page_items", Int(0)})})
	base = mustApply(base, &Patch{"a", []PatchOne{{Do: PatchSet, Path: "/draft/notes", Value: String("x")}}})
	was := string(bytesOf(t, base))
	patch := func(do PatchVerb, p Path) Op { return &Patch{"a", []PatchOne{{Do: do, Path: p, Value: Int(2)}}} }
	for _, c := range []struct {
		name  string
		op    Op
		moves bool
		kind  ChangeKind
	}{
		{"update", &Update{Surface: "a", Root: Nodes{everything()}}, true, ChangedUpdated}, {"lock", &Lock{Surface: "a", Record: RecordRef{ID: "r", Version: 1}}, true, ChangedLocked}, {"expire", &Expire{Surface: "a"}, true, ChangedExpired},
		{"draft", &Draft{"a", []Leaf{{"/draft/name", String("x")}}}, false, ChangedData}, {"empty draft", &Draft{Surface: "a"}, false, ChangedData},
		{"patch of the draft", patch(PatchSet, "/draft/name"), true, ChangedData}, {"row added", &Patch{"a", []PatchOne{{Do: PatchAppend, Path: "/draft/items"}}}, true, ChangedUpdated},
		{"progress", patch(PatchSet, "/ui_state/progress"), false, ChangedData}, {"progress gone", patch(PatchDelete, "/ui_state/progress"), false, ChangedUpdated}, {"page", patch(PatchSet, "/ui_state/page_items"), true, ChangedUpdated},
		{"errors", &Errors{"a", []FieldError{{Path: "/draft/name"}}}, false, ChangedUpdated}, {"the same errors", &Errors{Surface: "a"}, false, ChangedData},
	} {
		next, changes, err := Apply(base, frameOf(base, c.op), Limits{})
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		sf := next.Surface("a")
		if sf.Rev != 3 || (sf.Guard == 3) != c.moves || !c.moves && sf.Guard != 2 || changes[0].Kind != c.kind {
			t.Errorf("%s: rev %d, guard %d, %s", c.name, sf.Rev, sf.Guard, changes[0].Kind)
		}
		if string(bytesOf(t, base)) != was {
			t.Fatalf("%s: the state it was applied to changed", c.name)
		}
	}
}
