package session

import (
	"context"
	"sync"
	"time"

	"github.com/limn-ui/limn/ui"
)

// work is everything that Close waits for: turns, model runs, calls of the outbox
// and events that are resumed.
type work struct {
	sync.WaitGroup
	stop  context.Context // ends when Close has waited long enough
	cut   context.CancelCauseFunc
	quiet chan struct{} // closed when Close begins

	mu     sync.Mutex // guards what follows
	closed bool
}

func newWork() *work {
	w := &work{quiet: make(chan struct{})}
	w.stop, w.cut = context.WithCancelCause(context.Background())
	return w
}

// enter takes a piece of work on, unless Close has begun. After nil the caller calls
// Done.
func (w *work) enter() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return errDraining()
	}
	w.Add(1)
	return nil
}

// closing reports whether Close has begun.
func (w *work) closing() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.closed
}

// pause waits for wake, d at most, and reports whether work may go on then.
func (w *work) pause(wake <-chan struct{}, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-wake:
	case <-timer.C:
	case <-w.quiet:
		return false
	}
	return true
}

// end refuses new work, waits for the running one until ctx ends, and then cuts it
// off.
func (w *work) end(ctx context.Context) {
	w.mu.Lock()
	if !w.closed {
		w.closed = true
		close(w.quiet)
	}
	w.mu.Unlock()
	done := make(chan struct{})
	go func() { w.Wait(); close(done) }() // ends with the last piece of work, at the latest after cut
	select {
	case <-done:
	case <-ctx.Done():
		w.cut(errClosing)
		<-done
	}
	w.cut(errClosing)
}

func errDraining() error { return &ui.Error{Code: CodeDraining, Message: "the server is stopping"} }
