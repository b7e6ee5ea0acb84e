package quota

import (
	"sync"
	"time"

	"github.com/limn-ui/limn/internal/recovery"
	"github.com/limn-ui/limn/ui"
)

// CodeStored refuses an event of a principal or address that had too much stored today.
const CodeStored ui.Code = recovery.CodeStored

// Daily bounds the use of one day (UTC). Each process counts for itself, and a restart
// starts from zero. Zero or less is no limit.
type Daily struct {
	Principal int64 // by one principal
	Address   int64 // from one address
}

// maxSpenders bounds the principals, and the addresses, that are counted in a day.
// Beyond it an arbitrary one is forgotten.
const maxSpenders = 1 << 16

// Day counts the use of a Daily. Safe for concurrent use.
type Day struct {
	limit Daily
	now   func() time.Time

	mu   sync.Mutex       // guards what follows
	day  int64            // since 1970
	who  map[string]int64 // by principal
	from map[string]int64 // by address
}

// NewDay returns the count of a limit, by a clock.
func NewDay(limit Daily, now func() time.Time) *Day {
	return &Day{limit: limit, now: now, who: map[string]int64{}, from: map[string]int64{}}
}

// Over says whose share of the day is used up: "You have", "Your network has", or
// "" if neither is.
func (d *Day) Over(principal, address string) string {
	if d.limit.Principal <= 0 && d.limit.Address <= 0 {
		return ""
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.today()
	switch {
	case d.limit.Principal > 0 && d.who[principal] >= d.limit.Principal:
		return "You have"
	case d.limit.Address > 0 && d.from[address] >= d.limit.Address:
		return "Your network has"
	}
	return ""
}

// Add counts n. Without an address only the principal pays.
func (d *Day) Add(principal, address string, n int64) {
	if d.limit.Principal <= 0 && d.limit.Address <= 0 {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.today()
	if d.limit.Principal > 0 {
		addTo(d.who, principal, n)
	}
	if d.limit.Address > 0 && address != "" {
		addTo(d.from, address, n)
	}
}

func addTo(m map[string]int64, key string, n int64) {
	if _, ok := m[key]; !ok && len(m) >= maxSpenders {
		for k := range m {
			delete(m, k)
			break
		}
	}
	m[key] += n
}

// today begins a new day if there is one. Called with mu held.
func (d *Day) today() {
	if day := d.now().Unix() / (24 * 60 * 60); day != d.day {
		d.day = day
		clear(d.who)
		clear(d.from)
	}
}
