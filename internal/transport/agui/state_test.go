package agui

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/limn-ui/limn/ui"
)

// patched applies a JSON Patch to a list of surfaces, as RFC 6902 says for lists.
func patched(t *rapid.T, list []entry, changes []change) []entry {
	list = slices.Clone(list)
	for _, c := range changes {
		if c.Path == "/surfaces" {
			return c.Value.([]entry)
		}
		i, err := strconv.Atoi(strings.TrimPrefix(c.Path, "/surfaces/"))
		if err != nil || i < 0 || i > len(list) || i == len(list) && c.Op != "add" {
			t.Fatalf("%+v of %d", c, len(list))
		}
		switch c.Op {
		case "remove":
			list = slices.Delete(list, i, i+1)
		case "add":
			list = slices.Insert(list, i, c.Value.(entry))
		case "replace":
			list[i] = c.Value.(entry)
		default:
			t.Fatalf("%+v", c)
		}
	}
	return list
}

// TestPatch: whatever surfaces come, go, change and move, the patch leads from one list to the
// other, and says nothing where nothing changed.
func TestPatch(t *testing.T) {
	t.Parallel()
	one := rapid.Custom(func(t *rapid.T) entry {
		return entry{ID: rapid.StringMatching(`[a-f]`).Draw(t, "id"),
			Status: rapid.SampledFrom([]ui.Status{ui.StatusOpen, ui.StatusSubmitted}).Draw(t, "status")}
	})
	list := rapid.SliceOfNDistinct(one, 0, 6, func(e entry) string { return e.ID })
	rapid.Check(t, func(t *rapid.T) {
		before, after := list.Draw(t, "before"), list.Draw(t, "after")
		changes := patch(before, after)
		if got := patched(t, before, changes); !slices.Equal(got, after) {
			t.Fatalf("%+v: %+v", changes, got)
		}
		if slices.Equal(before, after) != (len(changes) == 0) {
			t.Fatalf("%+v", changes)
		}
	})
	b, err := json.Marshal(patch([]entry{{ID: "a"}, {ID: "b"}}, []entry{{ID: "b", Title: "B"}}))
	const want = `[{"op":"remove","path":"/surfaces/0"},{"op":"replace","path":"/surfaces/0",` +
		`"value":{"id":"b","name":"","title":"B","status":""}}]`
	if string(b) != want || err != nil {
		t.Errorf("%s %v", b, err)
	}
}
