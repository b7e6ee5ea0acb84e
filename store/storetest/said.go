package storetest

import (
	"maps"
	"slices"
	"strings"

	"github.com/limn-ui/limn/internal/builtin"
	"github.com/limn-ui/limn/store"
)

// says checks which conversations are found by what their frames say.
func says(f *fixture) {
	said := map[string][]string{"c1": {"größe 50%\x00_", "", "blue shoes"}, "c2": {"blue", "shoes"}, "c3": nil}
	for _, id := range []string{"c1", "c2", "c3"} {
		f.create(id)
		for i, text := range said[id] {
			f.ok(f.Append(f.ctx, id, store.Commit{Expect: uint64(i), Frame: frameBody(uint64(i) + 1),
				Said: []byte(text), Trace: []byte("blue shoes")}))
		}
	}
	ids := []string{"c3", "c2", "c1", "nowhere"}
	finds := func(words []string, want ...string) {
		f.Helper()
		got, err := f.Said(f.ctx, ids, words)
		f.ok(err)
		f.same(slices.Sorted(maps.Keys(got)), want)
	}
	finds([]string{"blue"}, "c1", "c2")
	finds([]string{"shoes", "blue"}, "c1")
	finds([]string{"rö", "50%"}, "c1")
	finds([]string{"%\x00_"}, "c1")
	finds([]string{"50_"})
	finds([]string{"Blue"})
	finds(nil, "c1", "c2")
	ids = []string{"c2"}
	finds([]string{"blue"}, "c2")
	ids = nil
	finds([]string{"blue"})
	_, err := f.Said(f.ctx, make([]string, store.Page+1), nil)
	f.fails(err, store.ErrInvalid)
	long := []byte(strings.Repeat("x", builtin.MaxSaid+1))
	f.fails(f.Append(f.ctx, "c3", store.Commit{Frame: frameBody(1), Said: long}), store.ErrInvalid)

	f.create("c4")
	f.ok(f.Append(f.ctx, "c4", store.Commit{Frame: frameBody(1), Said: []byte("early")}))
	ids = []string{"c4"}
	for i := range uint64(store.SaidKept - 1) {
		f.push("c4", i+1)
	}
	finds([]string{"early"}, "c4")
	f.push("c4", store.SaidKept)
	finds([]string{"early"})

	f.ok(f.Append(f.ctx, "c4", store.Commit{Expect: store.SaidKept + 1, Frame: frameBody(1), Said: []byte("late"),
		Snapshot: []byte("s")}))
	f.push("c4", store.SaidKept+2)
	finds([]string{"late"}, "c4")
	_, err = f.Trim(f.ctx, "c4", store.SaidKept+2) // it goes with its frame
	f.ok(err)
	finds([]string{"late"})
}
