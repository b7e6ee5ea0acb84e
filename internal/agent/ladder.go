package agent

import (
	"slices"
	"sync"
	"time"

	"github.com/limn-ui/limn/llm"
)

// Bounds of a LadderCache.
const (
	maxLadders  = 256
	ladderTTL   = 15 * time.Minute // then the best rung is tried again
	maxDropKeys = 16
)

// LadderCache remembers, for each model, the rung of the ladder its server takes and
// the parameters it refuses, so that the next run does not ask in vain again.
// It holds 256 models, each for a quarter of an hour since it was learned. The
// zero value is empty; it is safe for concurrent use and must not be copied.
type LadderCache struct {
	mu     sync.Mutex // guards models
	models map[string]ladderEntry
}

type ladderEntry struct {
	mode    Mode
	refused []string // parameters
	learned time.Time
}

// modelKey names a model in a LadderCache; "" = it does not say which one it is.
func modelKey(m llm.Model) string {
	if n, ok := m.(llm.Named); ok {
		provider, model := n.Name()
		return provider + "\x00" + model
	}
	return ""
}

// lookup returns the entry of a model; the zero entry = unknown.
func (r *LadderCache) lookup(key string, clock func() time.Time) ladderEntry {
	if r == nil || key == "" {
		return ladderEntry{}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	known, ok := r.models[key]
	if !ok {
		return known
	}
	if now := clock(); now.Sub(known.learned) > ladderTTL || now.Before(known.learned) {
		delete(r.models, key)
		return ladderEntry{}
	}
	return known
}

// store keeps the mode and the parameters that a server has just accepted.
func (r *LadderCache) store(key string, k ladderEntry) {
	if r == nil || key == "" {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.models == nil {
		r.models = map[string]ladderEntry{}
	}
	if _, known := r.models[key]; !known && len(r.models) >= maxLadders {
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
