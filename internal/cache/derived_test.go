package cache_test

import (
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"weak"

	"github.com/limn-ui/limn/internal/cache"
)

// TestDerived: one value is made for one pointer, whoever asks, and both go together.
func TestDerived(t *testing.T) {
	t.Parallel()
	type text struct{ s string }
	var derived cache.Derived[text, *text]
	var made atomic.Int32
	double := func(k *text) (*text, error) {
		if k.s == "" {
			return nil, errors.New("empty")
		}
		made.Add(1)
		return &text{k.s + k.s}, nil
	}
	for range 2 {
		if _, err := derived.Of(&text{}, double); err == nil {
			t.Error("an error was lost")
		}
	}
	a, b := &text{"a"}, &text{"a"}
	var all sync.WaitGroup
	results := make([]*text, 8)
	for i := range results {
		all.Go(func() { results[i], _ = derived.Of(a, double) })
	}
	all.Wait()
	for _, one := range results {
		if one == nil || one != results[0] || one.s != "aa" {
			t.Fatalf("%v and %v", one, results[0])
		}
	}
	if before := made.Load(); before < 1 {
		t.Error("nothing was made")
	} else if other, _ := derived.Of(b, double); other == results[0] || made.Load() != before+1 {
		t.Error("two pointers share a result")
	}
	runtime.KeepAlive(a)

	gone := weak.Make(results[0])
	results, a, b = nil, nil, nil
	for range 10 { // a collection, the cleanup after it, and another collection
		runtime.GC()
		if gone.Value() == nil {
			return
		}
		runtime.Gosched()
	}
	t.Error("the result stays after its value has gone")
}
