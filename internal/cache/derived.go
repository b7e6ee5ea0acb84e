package cache

import (
	"runtime"
	"sync"
	"weak"
)

// Derived holds a result for each value that does not change, as long as that is in memory. The zero Derived is
// empty. Safe for concurrent use.
type Derived[K, V any] struct {
	known sync.Map // weak.Pointer[K] → V
}

// Of returns the result for a value: the one that derive returned before, or a new one. An error is not kept. A result
// must not refer to its value, or both stay.
func (d *Derived[K, V]) Of(from *K, derive func(*K) (V, error)) (V, error) {
	key := weak.Make(from)
	if v, ok := d.known.Load(key); ok {
		return v.(V), nil
	}
	v, err := derive(from)
	if err != nil {
		return v, err
	}
	known, there := d.known.LoadOrStore(key, v)
	if !there {
		runtime.AddCleanup(from, func(key weak.Pointer[K]) { d.known.Delete(key) }, key)
	}
	return known.(V), nil
}
