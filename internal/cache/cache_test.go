package cache_test

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/limn-ui/limn/internal/cache"
)

// page is a value of any weight.
type page struct {
	name   string
	weight int
	busy   bool
}

func newCache(most int, bytes int64) *cache.Cache[*page] {
	return &cache.Cache[*page]{Most: most, MostBytes: bytes, Busy: func(p *page) bool { return p.busy },
		Weigh: func(p *page) int { return p.weight }}
}

func names(k *cache.Cache[*page]) (list []string, weight int64) {
	values, weight := k.Values()
	for _, p := range values {
		list = append(list, p.name)
	}
	slices.Sort(list)
	return list, weight
}

func TestLongestUnusedGoesFirst(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		k := newCache(3, 100)
		for _, name := range []string{"busy", "old", "peeked"} {
			k.Add(name, &page{name: name, weight: 1, busy: name == "busy"})
			k.Release(name)
			time.Sleep(time.Second)
		}
		k.Hold("old")
		k.Release("old")
		time.Sleep(time.Second)
		k.Peek("peeked") // is no use
		k.Release("peeked")
		k.Add("new", &page{name: "new", weight: 1})
		if got, weight := names(k); !slices.Equal(got, []string{"busy", "new", "old"}) || weight != 3 {
			t.Errorf("in memory: %v, %d bytes; want the busy one and the two used last", got, weight)
		}
	})
}

func TestFirstOfTwoIsKept(t *testing.T) {
	t.Parallel()
	k := newCache(1, 100)
	first, second := &page{name: "a"}, &page{name: "a"}
	k.Add("a", first)
	if kept, added := k.Add("a", second); kept != first || added {
		t.Error("the second value took the place of the first")
	}
	second.weight = 50
	k.Moved("a", second)
	if _, weight := names(k); weight != 0 {
		t.Errorf("a value that is not in the cache weighs %d bytes", weight)
	}
}

// TestLawBounds: whatever is added, used and changed, nothing held or busy goes, the
// weight is the sum, and more than the limits stays only if all of it has to.
func TestLawBounds(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		k := newCache(3, 100)
		held := map[*page]int{}
		pages := map[string]*page{}
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			id := rapid.SampledFrom([]string{"a", "b", "c", "d", "e", "f"}).Draw(t, "id")
			p := pages[id]
			switch rapid.IntRange(0, 3).Draw(t, "step") {
			case 0:
				p, _ = k.Add(id, &page{name: id, weight: rapid.IntRange(0, 60).Draw(t, "weight")})
				pages[id] = p
				held[p]++
			case 1:
				if got, ok := k.Hold(id); ok {
					held[got]++
				}
			case 2:
				if held[p] > 0 {
					k.Release(id)
					held[p]--
				}
			case 3:
				if p != nil {
					p.weight, p.busy = rapid.IntRange(0, 60).Draw(t, "weight"), rapid.Bool().Draw(t, "busy")
					k.Moved(id, p)
				}
			}
		}
		last := &page{name: "last"}
		k.Add("last", last)
		values, weight := k.Values()
		sum, free := 0, false
		for _, p := range values {
			sum += p.weight
			free = free || held[p] == 0 && !p.busy && p != last
		}
		if int64(sum) != weight {
			t.Errorf("weight %d, the sum is %d", weight, sum)
		}
		if free && (len(values) > k.Most || weight > k.MostBytes) {
			t.Errorf("%d values of %d bytes, and not all have to stay", len(values), weight)
		}
		for p, n := range held {
			if n > 0 && !slices.Contains(values, p) {
				t.Errorf("%s is held and was evicted", p.name)
			}
		}
	})
}
