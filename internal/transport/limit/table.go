// Package limit counts requests by key, and finds the address they come from.
//
// In: keys, such as principals and addresses, and the time. Out: whether there
// is room, else when there will be. A Table is of fixed size whatever comes;
// Proxies finds the address a request comes from through proxies.
//
// Caller: internal/transport/web.
package limit

import (
	"container/list"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// Table has a token bucket for each of the keys seen last. A key that is not in
// it has a full bucket, so a key that rested for burst/perSecond seconds may be
// forgotten without any difference; a Table forgets the one that rested longest.
// It forgets a bucket that is not full only if more than size other keys come
// within that time. That gains an attacker with many keys nothing: each new key
// has a full bucket anyway. Other keys lose nothing: a forgotten bucket is full.
//
// Safe for concurrent use.
type Table[K comparable] struct {
	perSecond rate.Limit
	burst     int
	size      int

	mu   sync.Mutex // guards what follows
	keys map[K]*list.Element
	used *list.List // of *bucket[K], the one used last in front
}

type bucket[K comparable] struct {
	key K
	*rate.Limiter
}

// NewTable returns a Table that lets burst tokens go at once and perSecond in the
// long run, for each of at most size keys. With perSecond below zero there is no
// limit.
func NewTable[K comparable](perSecond float64, burst, size int) *Table[K] {
	return &Table[K]{perSecond: rate.Limit(perSecond), burst: burst, size: size, keys: map[K]*list.Element{},
		used: list.New()}
}

// Take takes n tokens of a key. If they are not there nothing is taken, and wait
// is how long until they are; more than the burst is treated as the burst.
func (t *Table[K]) Take(now time.Time, key K, n int) (wait time.Duration, ok bool) {
	if t.perSecond < 0 {
		return 0, true
	}
	r := t.bucket(key).ReserveN(now, min(n, t.burst))
	if wait = r.DelayFrom(now); wait == 0 {
		return 0, true
	}
	r.CancelAt(now)
	return wait, false
}

func (t *Table[K]) bucket(key K) *rate.Limiter {
	t.mu.Lock()
	defer t.mu.Unlock()
	if e, ok := t.keys[key]; ok {
		t.used.MoveToFront(e)
		return e.Value.(*bucket[K]).Limiter
	}
	if t.used.Len() >= t.size {
		oldest := t.used.Back()
		delete(t.keys, t.used.Remove(oldest).(*bucket[K]).key)
	}
	b := &bucket[K]{key, rate.NewLimiter(t.perSecond, t.burst)}
	t.keys[key] = t.used.PushFront(b)
	return b.Limiter
}
