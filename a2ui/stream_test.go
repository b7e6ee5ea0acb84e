package a2ui_test

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/internal/jsonx"
	"pgregory.net/rapid"
)

// TestCheckMessageEqualsCheck: a turn has the same problems message by message as at
// once, and so has the turn after it.
func TestCheckMessageEqualsCheck(t *testing.T) {
	t.Parallel()
	for _, d := range []a2ui.Dialect{a2ui.V08, a2ui.V09, a2ui.V10} {
		for _, profile := range []a2ui.Profile{a2ui.Spec, a2ui.Safe} {
			t.Run(fmt.Sprint(d, profile), func(t *testing.T) {
				t.Parallel()
				rapid.Check(t, func(rt *rapid.T) {
					rules := a2ui.Rules{Dialect: d, Profile: profile}
					whole, single := a2ui.NewValidator(rules), a2ui.NewValidator(rules)
					g := newGen(rt, d)
					for range 3 {
						var batch []a2ui.Message
						var got []a2ui.Problem
						for i := range rapid.IntRange(0, 8).Draw(rt, "messages") {
							batch = append(batch, g.message())
							got = append(got, single.CheckMessage(i+1, batch[i])...)
						}
						got = append(got, single.EndTurn()...)
						want := whole.Check(batch)
						if diff := cmp.Diff(sorted(want), sorted(got)); diff != "" {
							rt.Fatalf("(-at once +one by one)\n%s", diff)
						}
						if len(want) > 0 {
							return // Check has taken it back
						}
					}
				})
			})
		}
	}
}

func sorted(list []a2ui.Problem) []string {
	var out []string
	for i := range list {
		out = append(out, list[i].Error())
	}
	slices.Sort(out)
	return out
}

// TestCheckMessageContinuesAfterFault: a fault takes nothing back, lines are the caller's, and a
// turn is judged at its end.
func TestCheckMessageContinuesAfterFault(t *testing.T) {
	t.Parallel()
	v := a2ui.NewValidator(a2ui.Rules{Dialect: a2ui.V09})
	msgs := stream(t, a2ui.V09,
		`{"version":"v0.9","createSurface":{"surfaceId":"s","catalogId":"https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json"}}`,
		`{"version":"v0.9","updateComponents":{"surfaceId":"s","components":[{"id":"root","component":"Card","child":"a","colour":"red"},{"id":"b","component":"Card","child":"nix"}]}}`,
		`{"version":"v0.9","updateComponents":{"surfaceId":"s","components":[{"id":"a","component":"Text","text":"x"}]}}`)
	var got []string
	for i, m := range msgs {
		for _, p := range v.CheckMessage(10*i+5, m) {
			got = append(got, fmt.Sprint(p.Line, " ", p.Code))
		}
	}
	for _, p := range v.EndTurn() {
		got = append(got, fmt.Sprint("end ", p.Line, " ", p.Code))
	}
	want := []string{"15 A2UI_S2C_COMPONENT_PROPERTY", "end 15 A2UI_S2C_COMPONENT_DANGLING"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if list := v.EndTurn(); list != nil {
		t.Errorf("a turn ended twice: %v", list)
	}
	if list := v.Check(msgs[2:]); list != nil { // the surface is known in spite of its faults
		t.Errorf("the next turn: %v", list)
	}
}

// TestCheckMessageMemoryIsBounded: surfaces that came and went, updates and unknown
// surfaces leave nothing behind in a turn that does not end.
func TestCheckMessageMemoryIsBounded(t *testing.T) {
	for _, d := range []a2ui.Dialect{a2ui.V08, a2ui.V09} {
		v := a2ui.NewValidator(a2ui.Rules{Dialect: d, Profile: a2ui.Safe})
		list := func() a2ui.Data {
			return jsonx.OfObject(a2ui.Member{Key: "list", Value: jsonx.Of(`["` + strings.Repeat("a", 1000) + `"]`)})
		}
		round := func(n int) {
			for i := range n {
				s := fmt.Sprint("s", i)
				batch := form(d, 20)
				for _, m := range batch {
					v.CheckMessage(i, m) // updates of one surface that stays
				}
				v.CheckMessage(i, &a2ui.UpdateData{SurfaceID: batch[0].Surface(), Path: "/x", Value: list()})
				v.CheckMessage(i, &a2ui.UpdateData{SurfaceID: s, Path: "/x", Value: list()})
				v.CheckMessage(i, &a2ui.DeleteSurface{SurfaceID: s})
				v.CheckMessage(i, &a2ui.UpdateComponents{SurfaceID: strings.Repeat(s, 100)})
				v.CheckMessage(i, &a2ui.DeleteSurface{SurfaceID: strings.Repeat(s, 100)})
			}
		}
		round(100)
		before := heap()
		round(3000)
		if grown := heap() - before; grown > 1<<20 {
			t.Errorf("%s: 3,000 rounds left %d bytes", d, grown)
		}
		runtime.KeepAlive(v)
	}
}

func heap() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
