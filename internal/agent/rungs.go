package agent

import (
	"slices"
	"sync"
	"time"

	"github.com/limn-ui/limn/llm"
)

// Bounds of what is remembered about models.
const (
	maxModels   = 256
	rungsLast   = 15 * time.Minute // then the best rung is tried again
	maxDropKeys = 16
)

// Rungs remembers, for each model, the rung of the ladder its server takes and
// the parameters it refuses, so that the next run does not ask in vain again.
// It holds 256 models, each for a quarter of an hour since it was learned. The
// zero Rungs is empty; it is safe for concurrent use and must not be copied.
type Rungs struct {
	mu     sync.Mutex // guards models
	models map[string]rung
}

type rung struct {
	mode    Mode
	refused []string // parameters
	learned time.Time
}

// modelKey names a model in Rungs; "" = it does not say which one it is.
func modelKey(m llm.Model) string {
	if n, ok := m.(llm.Named); ok {
		provider, model := n.Name()
		return provider + "\x00" + model
	}
	return ""
}

// of returns what is known of a model; the zero rung = nothing.
func (r *Rungs) of(key string, clock func() time.Time) rung {
	if r == nil || key == "" {
		return rung{}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	known, ok := r.models[key]
	if !ok {
		return known
	}
	if now := clock(); now.Sub(known.learned) > rungsLast || now.Before(known.learned) {
		delete(r.models, key)
		return rung{}
	}
	return known
}

// learn keeps what a server just proved to take.
func (r *Rungs) learn(key string, k rung) {
	if r == nil || key == "" {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.models == nil {
		r.models = map[string]rung{}
	}
	if _, known := r.models[key]; !known && len(r.models) >= maxModels {
		oldest := ""
		for name, other := range r.models {
			if oldest == "" || other.learned.Before(r.models[oldest].learned) {
				oldest = name
			}
		}
		delete(r.models, oldest)
	}
	k.refused = slices.Clone(k.refused)
	r.models[key] = k
}
