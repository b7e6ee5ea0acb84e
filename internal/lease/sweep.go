package lease

import (
	"log/slog"
	"math/rand/v2"
	"time"

	"github.com/limn-ui/limn/bus"
	"github.com/limn-ui/limn/internal/logs"
	"github.com/limn-ui/limn/internal/work"
	"github.com/limn-ui/limn/store"
)

// Orphans is the topic of the bus on which nodes announce that they left events.
const Orphans = "orphans"

// maxTakeovers is in how many conversations events that were left are run at
// once, models included.
const maxTakeovers = 64

// Sweeper looks for conversations with events that other nodes, or a crash, left
// unanswered.
type Sweeper struct {
	Store    store.Leases
	Bus      bus.Bus
	Work     *work.Group
	Log      *slog.Logger
	Several  bool            // there are other nodes: Run looks again and again, else once
	Time     time.Duration   // how long a lease lives
	TakeOver func(id string) // runs such events of a conversation, and returns when they are answered
}

// Run looks for such conversations until the work ends.
func (s Sweeper) Run() {
	wake, end := s.Bus.Subscribe(Orphans)
	defer end()
	room := make(chan struct{}, maxTakeovers)
	for away := false; ; {
		ids, err := s.Store.Orphans(s.Work.Stop, store.Page)
		if err == nil && away && s.Several {
			ids = nil // leases ran out while the store was away: the nodes that hold them come first
		}
		away = err != nil
		rand.Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] }) // nodes share the work
		if err != nil {
			s.Log.Warn("look for orphans", "err", logs.Quiet(err))
		}
		for _, id := range ids {
			select {
			case room <- struct{}{}:
			case <-s.Work.Quiet:
				return
			}
			s.Work.Go(func() { // the end of the work waits for it
				defer func() { <-room }()
				s.TakeOver(id)
			})
		}
		if !s.Several && err == nil && len(ids) < store.Page || !s.Work.Pause(wake, s.Time/4+rand.N(s.Time/4)) {
			return
		}
	}
}
