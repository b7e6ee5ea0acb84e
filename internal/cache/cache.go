// Package cache holds values in memory up to a number and about a number of bytes.
// What is busy or held stays; of the rest the longest unused goes first.
package cache

import (
	"sync"
	"time"
)

// Cache holds values by their ids. The functions of a Cache may be called from
// anywhere. Busy is called under the lock of the Cache, Weigh is not.
type Cache[T comparable] struct {
	Most      int
	MostBytes int64
	Busy      func(T) bool // reports a value that has to stay
	Weigh     func(T) int  // about how many bytes a value takes

	mu     sync.Mutex // guards what follows
	open   map[string]*entry[T]
	weight int64 // the sum of the entries'
}

type entry[T comparable] struct {
	value  T
	held   int  // how often
	gone   bool // goes when it is not held
	used   time.Time
	weight int
}

// Hold returns a value and keeps it until Release.
func (k *Cache[T]) Hold(id string) (value T, ok bool) {
	value, ok = k.Peek(id)
	if ok {
		k.mu.Lock()
		defer k.mu.Unlock()
		k.open[id].used = time.Now()
	}
	return value, ok
}

// Peek is Hold without counting as a use.
func (k *Cache[T]) Peek(id string) (value T, ok bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if e := k.open[id]; e != nil {
		e.held++
		return e.value, true
	}
	return value, false
}

// Release ends a Hold, Peek or Add.
func (k *Cache[T]) Release(id string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.open[id].held--
	k.remove(id)
}

// Drop has a value go as soon as it is not held. Until then it is handed out.
func (k *Cache[T]) Drop(id string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if e := k.open[id]; e != nil {
		e.gone = true
		k.remove(id)
	}
}

// remove takes a dropped value out that is not held. Called with mu held.
func (k *Cache[T]) remove(id string) {
	if e := k.open[id]; e.gone && e.held == 0 {
		delete(k.open, id)
		k.weight -= int64(e.weight)
	}
}

// Add adds a value and holds it. If another was added first, that one is held and
// returned.
func (k *Cache[T]) Add(id string, value T) (kept T, added bool) {
	if kept, ok := k.hold(id, value); ok {
		return kept, false
	}
	k.Moved(id, value)
	return value, true
}

func (k *Cache[T]) hold(id string, value T) (kept T, known bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	e := k.open[id]
	if known = e != nil; !known {
		if k.open == nil {
			k.open = map[string]*entry[T]{}
		}
		e = &entry[T]{value: value}
		k.open[id] = e
	}
	e.used = time.Now()
	e.held++
	return e.value, known
}

// Moved weighs a value that has changed, and evicts others if that is too much. A
// value that is not in the Cache is ignored.
func (k *Cache[T]) Moved(id string, value T) {
	weight := k.Weigh(value)
	k.mu.Lock()
	defer k.mu.Unlock()
	e := k.open[id]
	if e == nil || e.value != value {
		return
	}
	k.weight += int64(weight - e.weight)
	e.weight = weight
	for (len(k.open) > k.Most || k.weight > k.MostBytes) && k.evict() {
	}
}

// evict removes the longest unused value. It reports false if all have to stay.
func (k *Cache[T]) evict() bool {
	var oldest string
	var last *entry[T]
	for id, e := range k.open {
		if (last == nil || e.used.Before(last.used)) && e.held == 0 && !k.Busy(e.value) {
			oldest, last = id, e
		}
	}
	if last == nil {
		return false
	}
	delete(k.open, oldest)
	k.weight -= int64(last.weight)
	return true
}

// Values returns the values held in memory, and their weight.
func (k *Cache[T]) Values() (list []T, weight int64) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, e := range k.open {
		list = append(list, e.value)
	}
	return list, k.weight
}
