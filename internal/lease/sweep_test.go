package lease_test

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/limn-ui/limn/internal/lease"
	"github.com/limn-ui/limn/internal/localbus"
	"github.com/limn-ui/limn/internal/work"
	"github.com/limn-ui/limn/store"
)

// orphanage is a store with one conversation that is left unanswered until it is taken.
type orphanage struct {
	store.Leases
	away  atomic.Bool
	left  atomic.Bool
	looks atomic.Int32
}

func (o *orphanage) Orphans(context.Context, int) ([]string, error) {
	o.looks.Add(1)
	switch {
	case o.away.Load():
		return nil, errors.New("connection refused")
	case o.left.Load():
		return []string{"c"}, nil
	}
	return nil, nil
}

// sweep runs a Sweeper until the test ends. taken counts the conversations it took over.
func sweep(t *testing.T, o *orphanage, several bool) (b *localbus.Bus, taken *atomic.Int32, ended chan struct{}) {
	t.Helper()
	b, taken, ended = localbus.New(), new(atomic.Int32), make(chan struct{})
	group := work.New(func() error { return errors.New("closed") })
	s := lease.Sweeper{Store: o, Bus: b, Work: group, Log: slog.New(slog.DiscardHandler), Several: several, Time: ttl,
		TakeOver: func(string) { o.left.Store(false); taken.Add(1) }}
	group.Go(func() { defer close(ended); s.Run() })
	t.Cleanup(func() { group.End(context.Background()) })
	return b, taken, ended
}

// The only node looks until the store has answered once: nobody else leaves events.
func TestOnlyNodeSweepsOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		o := &orphanage{}
		o.left.Store(true)
		o.away.Store(true)
		_, taken, ended := sweep(t, o, false)
		time.Sleep(ttl)
		o.away.Store(false)
		<-ended
		synctest.Wait()
		if got := taken.Load(); got != 1 {
			t.Errorf("%d conversations taken over, want 1", got)
		}
	})
}

// One of several nodes looks again and again, at once when another says that it left
// something, and a lease's time later when the store was away.
func TestNodesSweepAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		o := &orphanage{}
		b, taken, _ := sweep(t, o, true)
		synctest.Wait()
		o.left.Store(true)
		b.Notify(lease.Orphans, 0)
		synctest.Wait()
		if got := taken.Load(); got != 1 {
			t.Errorf("%d taken over after the announcement, want 1", got)
		}

		o.away.Store(true)
		time.Sleep(ttl)
		o.left.Store(true)
		o.away.Store(false)
		before := o.looks.Load()
		for o.looks.Load() == before {
			time.Sleep(ttl / 100)
		}
		synctest.Wait()
		if got := taken.Load(); got != 1 {
			t.Errorf("%d taken over with the first answer of the store, want 1: the holders come first", got)
		}
		time.Sleep(ttl)
		if got := taken.Load(); got != 2 {
			t.Errorf("%d taken over, want 2", got)
		}
	})
}
