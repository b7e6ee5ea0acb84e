package ui

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"testing"
)

// TestStampActors: of many actors those go that wrote longest ago, but none whose write stands.
func TestStampActors(t *testing.T) {
	t.Parallel()
	s := mustApply(NewState("c"), &Open{Surface: "form:a", Nonce: "aa", Title: "A", Root: Nodes{&Column{Key: "main",
		Children: Nodes{&TextInput{Input{Key: "name", Path: "/draft/name", Field: Field{Name: "name", Type: TypeText}}},
			&TextInput{Input{Key: "town", Path: "/draft/town", Field: Field{Name: "town", Type: TypeText}}}}}},
		Draft: Map(Pair{"name", String("")}, Pair{"town", String("")})})
	write := func(n int, p Path) {
		actor := fmt.Sprintf("r-%03d", n)
		at := fmt.Sprintf("2026-11-20T12:00:00.%03dZ:0000:%s", n, actor)
		s = mustApply(s, &Stamp{Surface: "form:a", Writes: map[Path]string{p: at},
			Actors: map[string]Actor{actor: {Last: at, By: fmt.Sprint("p", n)}}})
	}
	write(0, "/draft/name")
	for n := range 200 {
		write(n+1, "/draft/town")
	}
	sf := s.Surface("form:a")
	if len(sf.Actors) != maxActors || sf.Actors["r-000"].By != "p0" || sf.Actors["r-200"].By != "p200" {
		t.Errorf("%d actors are left, the first is %+v, the last %+v", len(sf.Actors), sf.Actors["r-000"], sf.Actors["r-200"])
	}
	for n, gone := range map[string]bool{"r-001": true, "r-137": true, "r-138": false} {
		if _, there := sf.Actors[n]; there == gone {
			t.Errorf("%s is there: %v", n, there)
		}
	}
	write(201, "/draft/name")
	if _, there := s.Surface("form:a").Actors["r-000"]; there {
		t.Error("an actor of whom nothing stands is kept")
	}
}

// stamped is a surface with a table in which each cell has a stamp, and the op that writes them.
func stamped(rows int) (*State, *Stamp) {
	order, list, op := "", []Record(nil), &Stamp{Surface: "a", Writes: map[Path]string{}}
	for i := range rows {
		order = OrderBetween(order, "")
		r := Record{"r" + strconv.Itoa(i+1), order, Map()}
		for _, c := range tableNode().Columns {
			r.Cells, _ = r.Cells.With(String("x"), c.Name)
			op.Writes[tableNode().CellPath(r.ID, c.Name)] = "2026-11-20T12:00:00.000Z:0000:r-1"
		}
		list = append(list, r)
	}
	s := mustApply(NewState("c"), &Open{Surface: "a", Root: Nodes{tableNode()}, Draft: Map(Pair{"items", Rows(list...)})})
	return mustApply(s, op), op
}

// TestStampsOfRows: stamps go with their rows, and with nothing else; none is for a cell that is not there.
func TestStampsOfRows(t *testing.T) {
	t.Parallel()
	s, op := stamped(3)
	s = mustApply(s, &Patch{"a", []PatchOne{{Do: PatchDelete, Path: "/draft/items/r2"}}},
		&Stamp{Surface: "a", Writes: map[Path]string{"/draft/items/r3": "2026-11-20T12:00:01.000Z:0000:r-1"}})
	want := map[Path]bool{"/draft/items/r3": true}
	for p := range op.Writes {
		want[p] = !p.related("/draft/items/r2")
	}
	maps.DeleteFunc(want, func(_ Path, there bool) bool { return !there })
	if got := s.Surface("a").Stamps; !slices.Equal(slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want))) {
		t.Errorf("stamps of %v", slices.Sorted(maps.Keys(got)))
	}
	for _, p := range []Path{"/draft/items/r2/title", "/draft/items/r1/none", "/draft/items/r1/title/x", "/draft/none", "/ui_state", "/none", ""} {
		if _, _, err := Apply(s, frameOf(s, &Stamp{Surface: "a", Writes: map[Path]string{p: "x"}}), Limits{}); CodeOf(err) != codePathInvalid {
			t.Errorf("a stamp of %q: %v", p, err)
		}
	}
}

// One write to a table whose cells all have stamps.
func BenchmarkStamp(b *testing.B) {
	for _, rows := range []int{1, 500, 5000} {
		b.Run(strconv.Itoa(rows), func(b *testing.B) {
			s, _ := stamped(rows)
			f := frameOf(s, &Stamp{Surface: "a", Writes: map[Path]string{"/draft/items/r1/title": "2026-11-20T12:00:01.000Z:0000:r-1"}})
			for b.Loop() {
				if _, _, err := Apply(s, f, Limits{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
