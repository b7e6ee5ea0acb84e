package deliver

import "sync"

// key names bytes of a stream that subscribers share.
type key struct {
	lane     lane
	log      string
	seq      uint64
	snapshot bool
	reset    bool  // of a snapshot: it follows a reset
	minute   int64 // of a snapshot: addresses in it end some day
}

// cached and cachedBytes bound a cache.
const (
	cached      = 1024
	cachedBytes = 32 << 20
)

// cache keeps frames and snapshots as they go over the wire, for clients that
// come at once, such as all of them after a restart.
type cache struct {
	mu    sync.Mutex // guards what follows
	wire  map[key][]byte
	order []key // oldest first
	size  int
}

func newCache() cache { return cache{wire: map[key][]byte{}} }

func (c *cache) get(k key) ([]byte, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	b, ok := c.wire[k]
	return b, ok
}

func (c *cache) keep(k key, b []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.wire[k]; ok {
		return
	}
	c.wire[k] = b
	c.order = append(c.order, k)
	c.size += len(b)
	for len(c.order) > cached || c.size > cachedBytes {
		c.size -= len(c.wire[c.order[0]])
		delete(c.wire, c.order[0])
		c.order = c.order[1:]
	}
}
