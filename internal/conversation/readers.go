package conversation

import (
	"maps"
	"slices"
	"sync"
)

// Readers counts the readers of conversations in this process, so that a node finds
// frames whose hints the bus has lost. The zero value is ready.
type Readers struct {
	mu   sync.Mutex
	open map[string]*read // by conversation
}

// read is a conversation with readers.
type read struct {
	readers int
	seq     uint64 // they were woken for
}

// Add counts a reader until leave.
func (r *Readers) Add(id string) (leave func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.open == nil {
		r.open = map[string]*read{}
	}
	one := r.open[id]
	if one == nil {
		one = &read{}
		r.open[id] = one
	}
	one.readers++
	return func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		if one.readers--; one.readers == 0 {
			delete(r.open, id)
		}
	}
}

// IDs lists the conversations with readers.
func (r *Readers) IDs() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Collect(maps.Keys(r.open))
}

// Woken is the newest frame that the readers of a conversation were woken for; 0: they were not.
func (r *Readers) Woken(id string) uint64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	if one := r.open[id]; one != nil {
		return one.seq
	}
	return 0
}

// Behind reports whether readers were not woken for seq yet, and notes that they are.
func (r *Readers) Behind(id string, seq uint64) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	one := r.open[id]
	if one == nil || one.seq >= seq {
		return false
	}
	one.seq = seq
	return true
}
