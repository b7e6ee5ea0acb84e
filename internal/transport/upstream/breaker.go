package upstream

import (
	"sync"
	"time"
)

// When an agent is left alone.
const (
	failures = 5                // in a row
	alone    = 30 * time.Second // then one question is let through
)

// breaker keeps questions from an agent that fails.
type breaker struct {
	mu     sync.Mutex
	failed int       // guarded by mu
	until  time.Time // guarded by mu
}

// allow reports whether the agent may be asked. While it is left alone one question in a while is
// let through.
func (b *breaker) allow(now time.Time) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.failed < failures {
		return true
	}
	if now.Before(b.until) {
		return false
	}
	b.until = now.Add(alone)
	return true
}

// note keeps what became of a question.
func (b *breaker) note(ok bool, now time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if ok {
		b.failed = 0
		return
	}
	if b.failed++; b.failed >= failures {
		b.until = now.Add(alone)
	}
}
