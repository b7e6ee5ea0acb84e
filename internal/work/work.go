// Package work is the life of a server: what runs, when nothing new may begin, and
// whether the store answers.
//
// In: pieces of work, each a goroutine or a call between Enter and Done. Out: the
// order of the end: Quiet closes, the running work ends or is cut off, End returns.
//
// Called by session and by packages that it starts. A Group has no bound: the callers
// bound their work.
package work

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// ErrClosing is the cause of the end of Stop.
var ErrClosing = errors.New("the server is stopping")

// Group is all that End waits for: turns, model runs, calls of the outbox and events
// that are resumed.
type Group struct {
	sync.WaitGroup
	Stop  context.Context // ends when End has waited long enough
	Quiet chan struct{}   // closed when End begins

	refuse func() error
	cut    context.CancelCauseFunc

	mu     sync.Mutex // guards what follows
	closed bool
}

// New returns a Group in which work may begin. Once End has begun, refuse says why none
// may.
func New(refuse func() error) *Group {
	w := &Group{refuse: refuse, Quiet: make(chan struct{})}
	w.Stop, w.cut = context.WithCancelCause(context.Background())
	return w
}

// Enter takes a piece of work on, unless End has begun. After nil the caller calls
// Done.
func (w *Group) Enter() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return w.refuse()
	}
	w.Add(1)
	return nil
}

// Within calls f as a piece of work, unless End has begun.
func (w *Group) Within(f func()) {
	if w.Enter() == nil {
		defer w.Done()
		f()
	}
}

// Closing reports whether End has begun.
func (w *Group) Closing() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.closed
}

// Pause waits for wake, d at most, and reports whether work may go on then.
func (w *Group) Pause(wake <-chan struct{}, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-wake:
	case <-timer.C:
	case <-w.Quiet:
		return false
	}
	return true
}

// End refuses new work, waits for the running one until ctx ends, and then cuts it
// off.
func (w *Group) End(ctx context.Context) {
	w.mu.Lock()
	if !w.closed {
		w.closed = true
		close(w.Quiet)
	}
	w.mu.Unlock()
	done := make(chan struct{})
	go func() { w.Wait(); close(done) }() // ends with the last piece of work, at the latest after cut
	select {
	case <-done:
	case <-ctx.Done():
		w.cut(ErrClosing)
		<-done
	}
	w.cut(ErrClosing)
}

// Await receives from c, or reports false once d is over, ctx ends, or the group cuts off
// what still runs.
func Await[T any](ctx context.Context, w *Group, c <-chan T, d time.Duration) (v T, over bool) {
	if d > 0 {
		timer := time.NewTimer(d)
		defer timer.Stop()
		select {
		case v = <-c:
			return v, true
		case <-timer.C:
		case <-ctx.Done():
		case <-w.Stop.Done():
		}
	}
	select {
	case v = <-c:
		return v, true
	default:
		return v, false
	}
}

// ErrLeft is the error of Call for a function that did not return.
var ErrLeft = errors.New("the function has not returned")

// Call calls a function of the application, which may never return. If ctx ends, the function
// has late to return; then it is left to itself, and the error is ErrLeft and that of ctx.
func Call[T any](ctx context.Context, late time.Duration, f func() (T, error)) (v T, err error) {
	done := make(chan struct{})
	var got T
	var failed error
	go func() { // ends with the function
		defer close(done)
		got, failed = f()
	}()
	select {
	case <-done:
		return got, failed
	case <-ctx.Done():
	}
	timer := time.NewTimer(late)
	defer timer.Stop()
	select {
	case <-done:
		return got, failed
	case <-timer.C:
		return v, fmt.Errorf("%w: %w", ErrLeft, ctx.Err())
	}
}

// GrowStack grows the stack of a new goroutine once, to the size that a turn needs. Otherwise the runtime copies it
// several times.
//
//go:noinline
func GrowStack(at int) byte {
	var room [40 << 10]byte
	return room[at]
}
