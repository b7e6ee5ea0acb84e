package lease_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/limn-ui/limn/internal/lease"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/store/memory"
)

const ttl = 10 * time.Second

// cut is a store that can be away.
type cut struct {
	store.Leases
	away atomic.Bool
}

func (c *cut) Acquire(ctx context.Context, id, what, node string, ttl time.Duration) (store.Lease, error) {
	if c.away.Load() {
		return store.Lease{}, errors.New("connection refused")
	}
	return c.Leases.Acquire(ctx, id, what, node, ttl)
}

// nodes are two nodes on one store with a conversation "c"; the first one's way to
// the store can be cut.
func nodes(t *testing.T) (way *cut, a, b *lease.Client) {
	t.Helper()
	st := memory.New()
	err := st.Create(t.Context(), store.Conversation{ID: "c", Log: "0123456789abcdef", Owner: "p"})
	if err != nil {
		t.Fatal(err)
	}
	way = &cut{Leases: st}
	return way, lease.New(way, "a", ttl), lease.New(st, "b", ttl)
}

func take(t *testing.T, c *lease.Client) *lease.Lease {
	t.Helper()
	l, err := c.Take(t.Context(), "c", "")
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func refused(t *testing.T, c *lease.Client) {
	t.Helper()
	if _, err := c.Take(t.Context(), "c", ""); !errors.Is(err, store.ErrLeased) {
		t.Errorf("a second node takes it: %v, want ErrLeased", err)
	}
}

func isLost(l *lease.Lease) bool {
	select {
	case <-l.Lost():
		return true
	default:
		return false
	}
}

func TestLeaseIsRenewedUntilRelease(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		_, a, b := nodes(t)
		l := take(t, a)
		time.Sleep(5 * ttl)
		refused(t, b)
		l.Release(t.Context())
		time.Sleep(ttl) // no renewal takes it back
		take(t, b).Drop()
	})
}

func TestDroppedLeaseRunsOut(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		_, a, b := nodes(t)
		take(t, a).Drop()
		refused(t, b)
		time.Sleep(ttl + time.Second)
		take(t, b).Drop()
	})
}

// A node that cannot reach the store keeps its lease as long as it lives, and learns
// of the loss when the store is back.
func TestLeaseSurvivesAShortOutage(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		way, a, b := nodes(t)
		l := take(t, a)
		way.away.Store(true)
		time.Sleep(ttl / 2)
		way.away.Store(false)
		time.Sleep(ttl)
		if refused(t, b); isLost(l) {
			t.Error("lost after half its time without the store")
		}

		way.away.Store(true)
		time.Sleep(ttl + time.Second)
		other := take(t, b)
		defer other.Drop()
		way.away.Store(false)
		time.Sleep(ttl)
		if !isLost(l) {
			t.Error("another node holds it, and this one does not know")
		}
		if err := l.Renew(t.Context()); !errors.Is(err, store.ErrLeased) {
			t.Errorf("a lost lease is renewed: %v", err)
		}
	})
}

// A turn's lease that ran out and was taken again, even by the same node, is another
// one: what was decided under the first may be void.
func TestTurnLeaseDoesNotComeBack(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		way, a, _ := nodes(t)
		l := take(t, a)
		way.away.Store(true)
		time.Sleep(2 * ttl)
		way.away.Store(false)
		time.Sleep(ttl)
		if !isLost(l) {
			t.Errorf("token %d counts again", l.Token())
		}
	})
}
