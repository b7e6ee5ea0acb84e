package session_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"github.com/limn-ui/limn/internal/limntest"
	"github.com/limn-ui/limn/internal/session"
	"github.com/limn-ui/limn/store"
)

// host is one process: a service and its way to the store, which can be cut.
type host struct {
	svc   *session.Service
	port  *port
	clock atomic.Int64 // how far its clock is off, in ns
}

// port is a store as one process reaches it.
type port struct {
	limntest.Store
	m    *drill
	gone atomic.Bool // its process is

	mu    sync.Mutex    // guards what follows
	cut   bool          // nothing gets through
	fails int           // operations to come that fail
	after bool          // they fail after they worked
	op    string        // which they are
	held  chan struct{} // all wait until it is closed; nil: none does
}

func newPort(st store.Store, m *drill) *port {
	p := &port{m: m}
	p.Store = limntest.Store{Store: st, Around: p.do}
	return p
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

func (p *port) Record(ctx context.Context, id string, r store.Event) (prior *store.Event, err error) {
	err = p.do("record", func() error {
		if prior, err = p.Store.Store.Record(ctx, id, r); err == nil && prior == nil {
			p.m.saw(r)
		}
		return err
	})
	return prior, err
}

func (p *port) Append(ctx context.Context, id string, c store.Commit) error {
	return p.do("append", func() error {
		err := p.Store.Store.Append(ctx, id, c)
		if err == nil && c.Record != nil {
			p.m.saw(*c.Record)
		}
		return err
	})
}

func (p *port) set(cut bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cut, p.fails = cut, 0
}
