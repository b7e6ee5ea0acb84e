package sqlstore

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/limn-ui/limn/store"
)

// Queue hands the requests of many callers to one goroutine, which owns a connection
// and runs them in batches.
type Queue[R interface{ ticket() *Ticket }] struct {
	Requests chan R        // full: callers wait
	Quit     chan struct{} // closed by Stop: finish the queued requests
	stopped  chan struct{} // closed when the goroutine is gone
	once     sync.Once
	gaveUp   func(context.Context) error
}

// Ticket is the fate of a request, which embeds it. Whoever moves it away from
// waiting decides: the goroutine runs the request, or the caller gives up.
type Ticket struct {
	Err   error // set before Answer
	state atomic.Int32
	done  chan struct{}
}

const (
	waiting int32 = iota
	running
	abandoned
)

// NewTicket returns the ticket of a new request.
func NewTicket() *Ticket { return &Ticket{done: make(chan struct{})} }

func (t *Ticket) ticket() *Ticket { return t }

// Claim reports whether to run the request: its caller has not gone.
func (t *Ticket) Claim() bool {
	return t.state.CompareAndSwap(waiting, running) || t.state.Load() == running
}

// Answer wakes the caller.
func (t *Ticket) Answer() { close(t.done) }

// NewQueue returns a queue for size requests. gaveUp is the error of a caller whose
// context ended before its request ran.
func NewQueue[R interface{ ticket() *Ticket }](size int, gaveUp func(context.Context) error) *Queue[R] {
	return &Queue[R]{Requests: make(chan R, size), Quit: make(chan struct{}), stopped: make(chan struct{}),
		gaveUp: gaveUp}
}

// Run starts the goroutine. loop returns once Quit is closed and the queue is empty.
func (q *Queue[R]) Run(loop func()) {
	go func() { // Stop waits for it
		defer close(q.stopped)
		loop()
	}()
}

// Do has r run and returns its error after the answer.
func (q *Queue[R]) Do(ctx context.Context, r R) error {
	if ctx.Err() != nil {
		return q.gaveUp(ctx)
	}
	if q.Stopping() { // or a closed store could still win the race for the queue
		return store.ErrClosed
	}
	select {
	case q.Requests <- r:
	case <-ctx.Done():
		return q.gaveUp(ctx)
	case <-q.Quit:
		return store.ErrClosed
	}
	t := r.ticket()
	select {
	case <-t.done:
		return t.Err
	case <-ctx.Done():
		if t.state.CompareAndSwap(waiting, abandoned) {
			return q.gaveUp(ctx)
		}
	case <-q.stopped:
	}
	// It runs, which takes one transaction, or the goroutine is gone.
	select {
	case <-t.done:
	case <-q.stopped:
	}
	select {
	case <-t.done: // both may be ready
		return t.Err
	default:
		return store.ErrClosed // queued too late to be seen
	}
}

// Stop refuses new requests, lets the queued ones finish and waits for that.
func (q *Queue[R]) Stop() {
	q.once.Do(func() { close(q.Quit) })
	<-q.stopped
}

// Stopping reports whether Stop was called.
func (q *Queue[R]) Stopping() bool {
	select {
	case <-q.Quit:
		return true
	default:
		return false
	}
}
