package ingress

import (
	"slices"
	"testing"
	"time"

	"github.com/limn-ui/limn/datasync"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/ui"
)

// TestMergeAfterAnInputIsGone: a write to an input that an update took away is dropped, and those beside it count;
// one to what never was an input is refused with all beside it.
func TestMergeAfterAnInputIsGone(t *testing.T) {
	t.Parallel()
	s := state(t)
	root := tree().(*ui.Column)
	root.Children = slices.DeleteFunc(root.Children, func(n ui.Node) bool {
		in := ui.InputOf(n)
		return in != nil && in.Path == "/draft/email"
	})
	s, _, err := ui.Apply(s, &ui.Frame{Seq: s.Seq + 1, Ops: ui.Ops{&ui.Update{Surface: surface, Root: ui.Nodes{root}}}}, ui.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	now := time.UnixMilli(1_800_000_000_000)
	write := func(i int, path ui.Path) ui.SharedWrite {
		return ui.SharedWrite{Path: path, Value: jsonx.Of("x"), Stamp: datasync.Stamp{Time: now.UnixMilli(), Count: i, Actor: "r-a"}.String()}
	}
	merge := func(path ui.Path) (Merged, error) {
		return Merge(s, &ui.Event{At: now, Shared: &ui.SharedEvent{Surface: s.Surface(surface).WireID(), Actor: "r-a",
			Writes: []ui.SharedWrite{write(1, path), write(2, "/draft/text")}}})
	}
	m, err := merge("/draft/email")
	if err != nil || len(m.Wins) != 1 || m.Wins[0].Path != "/draft/text" || len(m.Writes) != 1 || m.Last != write(2, "").Stamp {
		t.Errorf("an input that is gone: %+v, %v", m, err)
	}
	for _, path := range []ui.Path{"/draft", "/draft/none", "/draft/text/more", "/draft/items", "/draft/items/r1",
		"/draft/items/r1/none", "/draft/edges", "/draft/edges/e1/from"} {
		if _, err := merge(path); ui.CodeOf(err) != datasync.CodePath {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// TestMergeOfOthers: the writes of others that a client hands on say nothing about how far its own have come.
func TestMergeOfOthers(t *testing.T) {
	t.Parallel()
	s := state(t)
	now := time.UnixMilli(1_800_000_000_000)
	stamp := func(i int, actor string) string {
		return datasync.Stamp{Time: now.UnixMilli(), Count: i, Actor: actor}.String()
	}
	s.Surface(surface).Actors = map[string]ui.Actor{"r-b": {Last: stamp(2, "r-b")}}
	m, err := Merge(s, &ui.Event{At: now, Shared: &ui.SharedEvent{Surface: s.Surface(surface).WireID(), Actor: "r-a",
		Writes: []ui.SharedWrite{{Path: "/draft/text", Value: jsonx.Of("x"), Stamp: stamp(1, "r-a")},
			{Path: "/draft/email", Value: jsonx.Of("y"), Stamp: stamp(2, "r-b")}}}})
	if err != nil || m.Last != stamp(1, "r-a") {
		t.Errorf("%+v, %v", m, err)
	}
}
