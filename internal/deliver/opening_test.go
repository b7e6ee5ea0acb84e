package deliver_test

import (
	"errors"
	"os"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/limn-ui/limn/internal/deliver"
	"github.com/limn-ui/limn/internal/limntest"
	"github.com/limn-ui/limn/internal/metric"
	"github.com/limn-ui/limn/trace"
)

// counted counts what is cut.
type counted struct {
	mu  sync.Mutex
	cut map[string]int
}

type addTo func(float64)

func (f addTo) Add(v float64) { f(v) }

func (m *counted) Series(name trace.Metric, labels ...string) trace.Series {
	return addTo(func(v float64) {
		m.mu.Lock()
		defer m.mu.Unlock()
		if name == metric.StreamsCut {
			m.cut[labels[1]] += int(v)
		}
	})
}

// TestSourceGoesWhileOpening: a stream whose log goes away before its answer has
// begun is not opened, and one whose log goes later, before it has joined the
// others, is closed and counted, on a connection of its own and through a writer.
func TestSourceGoesWhileOpening(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		// reads that work: of the head, before the answer, after it, of those who came meanwhile
		for left, want := range []int{0, 0, 1, 1} {
			for _, hand := range []bool{false, true} {
				w := newWorld(t)
				for range 100 { // more than are read at once
					w.submit(nothing())
				}
				m := &counted{cut: map[string]int{}}
				src := &failing{Service: w.svc, left: left}
				d := deliver.New(deliver.Config{Source: src, App: w.cfg.App.Fingerprint(), Meter: m})
				req := w.request("v0.9", deliver.Limn)
				req.After = deliver.Cursor{Log: w.head().Log, Seq: 0, Part: -1,
					Fingerprint: req.Target.Fingerprint(w.cfg.App.Fingerprint())}.String()
				s, err := d.Open(t.Context(), req)
				p := &pipe{room: 1 << 20}
				if err == nil && hand {
					err = s.Hand(t.Context(), p, nil)
				} else if err == nil {
					err = s.Serve(t.Context(), p)
				}
				synctest.Wait()
				if !errors.Is(err, errBroken) || d.Stats().Streams != 0 || m.cut["error"] != want ||
					len(m.cut) != want || hand && want > 0 && !p.closed {
					t.Errorf("after %d reads, hand %v: %v, cut %v, closed %v, %+v", left, hand, err, m.cut, p.closed,
						d.Stats())
				}
				d.Drain()
			}
		}
	})
}

// TestStuckWhileOpening: a client that takes nothing of what it gets first is cut
// when its time is over, and counted.
func TestStuckWhileOpening(t *testing.T) {
	limntest.Bubble(t, func(t *testing.T) {
		w := newWorld(t)
		m := &counted{cut: map[string]int{}}
		d := deliver.New(deliver.Config{Source: w.svc, App: w.cfg.App.Fingerprint(), Meter: m})
		s, err := d.Open(t.Context(), w.request("v0.9", deliver.Limn))
		if err != nil {
			t.Fatal(err)
		}
		p := &stuck{}
		if err := s.Hand(t.Context(), p, nil); !errors.Is(err, os.ErrDeadlineExceeded) || d.Stats().Streams != 0 ||
			m.cut["slow"] != 1 || !p.closed {
			t.Errorf("%v, cut %v, closed %v, %+v", err, m.cut, p.closed, d.Stats())
		}
		d.Drain()
	})
}

// stuck is a connection whose peer does not read.
type stuck struct{ pipe }

func (p *stuck) Write([]byte) (int, error) {
	p.mu.Lock()
	until := p.deadline
	p.mu.Unlock()
	time.Sleep(time.Until(until)) // of the bubble
	return 0, os.ErrDeadlineExceeded
}
