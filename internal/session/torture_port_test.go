package session_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/limn-ui/limn/internal/session"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/store/memory"
)

// host is one process: a service and its way to the store, which can be cut.
type host struct {
	svc   *session.Service
	port  *port
	clock atomic.Int64 // how far its clock is off, in ns
}

// port is a store as one process reaches it.
type port struct {
	*memory.Store
	m    *drill
	gone atomic.Bool // its process is

	mu    sync.Mutex    // guards what follows
	cut   bool          // nothing gets through
	fails int           // operations to come that fail
	after bool          // they fail after they worked
	op    string        // which they are
	held  chan struct{} // all wait until it is closed; nil: none does
}

var errCut = errors.New("the store cannot be reached")

func (p *port) do(op string, run func() error) error {
	p.mu.Lock()
	for p.held != nil {
		held := p.held
		p.mu.Unlock()
		<-held
		p.mu.Lock()
	}
	cut, fail, after := p.cut, p.fails > 0 && p.op == op, p.after
	if fail && !cut {
		p.fails--
	}
	p.mu.Unlock()
	if cut || fail && !after {
		return errCut
	}
	err := run()
	if err == nil && fail {
		return errCut
	}
	return err
}

func (p *port) Open(ctx context.Context, id string) (h store.Head, err error) {
	err = p.do("open", func() error { h, err = p.Store.Open(ctx, id); return err })
	return h, err
}

func (p *port) Frames(ctx context.Context, id string, after uint64, limit int) (list []store.Frame, err error) {
	err = p.do("frames", func() error { list, err = p.Store.Frames(ctx, id, after, limit); return err })
	return list, err
}

func (p *port) Record(ctx context.Context, id string, r store.Record) (prior *store.Record, err error) {
	err = p.do("record", func() error {
		if prior, err = p.Store.Record(ctx, id, r); err == nil && prior == nil {
			p.m.saw(r)
		}
		return err
	})
	return prior, err
}

func (p *port) Lookup(ctx context.Context, id string, r store.Record) (prior *store.Record, err error) {
	err = p.do("lookup", func() error { prior, err = p.Store.Lookup(ctx, id, r); return err })
	return prior, err
}

func (p *port) Append(ctx context.Context, id string, c store.Commit) error {
	return p.do("append", func() error {
		err := p.Store.Append(ctx, id, c)
		if err == nil && c.Record != nil {
			p.m.saw(*c.Record)
		}
		return err
	})
}

func (p *port) Start(ctx context.Context, id, event string) (n int, err error) {
	err = p.do("start", func() error { n, err = p.Store.Start(ctx, id, event); return err })
	return n, err
}

func (p *port) Note(ctx context.Context, id, event string, step int, body []byte) error {
	return p.do("note", func() error { return p.Store.Note(ctx, id, event, step, body) })
}

func (p *port) Notes(ctx context.Context, id, event string) (list [][]byte, err error) {
	err = p.do("notes", func() error { list, err = p.Store.Notes(ctx, id, event); return err })
	return list, err
}

func (p *port) set(cut bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cut, p.fails = cut, 0
}

func (p *port) Acquire(ctx context.Context, id, what, node string, ttl time.Duration) (l store.Lease, err error) {
	err = p.do("acquire", func() error { l, err = p.Store.Acquire(ctx, id, what, node, ttl); return err })
	return l, err
}

func (p *port) Release(ctx context.Context, id string, l store.Lease) error {
	return p.do("release", func() error { return p.Store.Release(ctx, id, l) })
}

func (p *port) Orphans(ctx context.Context, limit int) (ids []string, err error) {
	err = p.do("orphans", func() error { ids, err = p.Store.Orphans(ctx, limit); return err })
	return ids, err
}
