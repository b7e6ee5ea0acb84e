package trace

import (
	"bufio"
	"encoding/json"
	"io"
	"sync"
	"sync/atomic"
)

// Multi passes every event to each sink that is not nil. It is nil without sinks.
func Multi(sinks ...Sink) Sink {
	var out multi
	for _, s := range sinks {
		if s != nil {
			out = append(out, s)
		}
	}
	if out == nil {
		return nil
	}
	return out
}

type multi []Sink

func (m multi) Emit(e Event) {
	for _, s := range m {
		s.Emit(e)
	}
}

// maxQueue is how many events wait to be written.
const maxQueue = 4096

// Lines writes events as JSON, one a line, in the order of Emit. When its
// writer does not keep up, events are dropped and counted: telemetry never
// holds up a turn.
type Lines struct {
	queue   chan Event
	written chan struct{} // closed when the writer has ended
	dropped atomic.Uint64
	err     error // of the first write that failed; read after written is closed

	mu     sync.RWMutex // guards closed against a running Emit
	closed bool
}

// NewLines starts a writer. Close it; w is the caller's to close after that.
func NewLines(w io.Writer) *Lines {
	l := &Lines{queue: make(chan Event, maxQueue), written: make(chan struct{})}
	go l.write(w) // Close waits for it
	return l
}

// Emit implements Sink.
func (l *Lines) Emit(e Event) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	if l.closed {
		l.dropped.Add(1)
		return
	}
	select {
	case l.queue <- e:
	default:
		l.dropped.Add(1)
	}
}

// Dropped counts the events that were not written.
func (l *Lines) Dropped() uint64 { return l.dropped.Load() }

// Close writes what waits and returns the first error of the writer. It may be
// called twice.
func (l *Lines) Close() error {
	l.mu.Lock()
	if !l.closed {
		l.closed = true
		close(l.queue)
	}
	l.mu.Unlock()
	<-l.written
	return l.err
}

func (l *Lines) write(w io.Writer) {
	defer close(l.written)
	out := bufio.NewWriter(w)
	enc := json.NewEncoder(out)
	for e := range l.queue {
		err := l.err
		if err == nil {
			err = enc.Encode(e)
		}
		if err == nil && len(l.queue) == 0 { // a reader may follow the file
			err = out.Flush()
		}
		if l.err = err; err != nil {
			l.dropped.Add(1)
		}
	}
	if err := out.Flush(); l.err == nil {
		l.err = err
	}
}
