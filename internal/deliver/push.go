package deliver

import (
	"context"
	"io"
	"time"
)

// Conn is a connection that a hub may write to.
type Conn interface {
	io.WriteCloser
	SetWriteDeadline(time.Time) error
	// Try writes as much as the kernel takes without waiting: less than len(p), also
	// nothing, is no error.
	Try(p []byte) (n int, err error)
	// Gone reports whether the peer is known to have gone, without waiting.
	Gone() bool
}

// Hand writes hello and the bytes in hand, then leaves c to the hub, which
// closes it when the stream ends, and returns. Nothing runs for the stream as
// long as there is nothing to send. An error, or a panic, means that c is closed already.
func (s *Sub) Hand(ctx context.Context, c Conn, hello []byte) error {
	handed := false
	defer func() {
		if !handed {
			s.Close()
			c.Close() //nolint:errcheck // the stream ends either way
		}
	}()
	s.begin(nil)
	s.first = append(hello, s.first...)
	err := s.catchUp(ctx, timely{c, s.d.cfg.Late})
	if err == nil {
		err = c.SetWriteDeadline(time.Time{})
	}
	s.h.mu.Lock()
	if err == nil {
		err = s.why
	}
	if err == nil {
		s.conn.Store(&c)
		s.busy, handed = false, true
	}
	s.h.mu.Unlock()
	if handed {
		s.h.schedule(false)
	}
	return err
}

// timely gives each write the time that a client may be late.
type timely struct {
	Conn
	late time.Duration
}

func (t timely) Write(p []byte) (int, error) {
	if err := t.SetWriteDeadline(time.Now().Add(t.late)); err != nil {
		return 0, err
	}
	return t.Conn.Write(p)
}

// push writes what waits to everybody who takes it at once. Called with h.mu held.
func (h *hub) push(now time.Time) {
	for i := len(h.views) - 1; i >= 0; i-- {
		v := h.views[i]
		for j := len(v.subs) - 1; j >= 0; j-- { // a stream that is cut leaves
			h.offer(v.subs[j], now)
		}
		v.trim()
	}
}

// offer writes one stream's next bytes, or starts the clock for a late one.
func (h *hub) offer(s *Sub, now time.Time) {
	n := s.lag()
	switch {
	case s.why != nil:
		return
	case n == 0:
		if s.over() && !s.busy {
			s.cutLocked(ErrEnded)
		} else if s.over() && s.wake != nil {
			s.wakeServe()
		}
		return
	case s.late.IsZero():
		s.late, s.goal = now, s.v.end()
	case s.tooLate(n, now):
		s.cutLocked(ErrSlow)
		return
	}
	switch {
	case s.wake != nil:
		s.wakeServe()
	case !s.busy:
		s.try()
	}
}

// tooLate reports whether a client that could not take all bytes at once lags by too
// many, or for too long.
func (s *Sub) tooLate(n int, now time.Time) bool {
	cfg := s.d.cfg
	limit := cfg.Behind
	if s.d.held.Load() > maxHeld {
		limit = min(limit, lowBehind)
	}
	// What came after the goal counts: before it there may be one large frame.
	return n > limit && s.v.end()-s.goal > 0 || now.Sub(s.late) >= cfg.Late
}

// try writes without waiting; what does not fit is a goroutine's.
func (s *Sub) try() {
	c := *s.conn.Load()
	for data := s.next(); len(data) > 0; data = s.next() {
		n, err := c.Try(data)
		if err != nil {
			s.cutLocked(errGone)
			return
		}
		if s.sent(n); n < len(data) {
			s.busy = true
			go s.drain(c) // ends when the client has all or is too late: its writes have a deadline
			return
		}
	}
	if s.over() {
		s.cutLocked(ErrEnded)
	}
}

// piece is the most that one waiting write holds on to.
const piece = 64 << 10

// drain writes, waiting, until the client has all.
func (s *Sub) drain(c Conn) {
	for {
		data, deadline, err := s.rest(c)
		if err != nil {
			s.Close()
			return
		}
		if len(data) == 0 {
			s.h.schedule(false) // the window may be trimmed
			return
		}
		n, err := 0, c.SetWriteDeadline(deadline)
		if err == nil {
			n, err = c.Write(data[:min(len(data), piece)])
		}
		s.h.mu.Lock()
		s.sent(n)
		if err != nil {
			s.cutLocked(ErrSlow)
		}
		s.h.mu.Unlock()
	}
}

// rest returns what drain has to write, and until when; if nothing, the
// connection is the hub's again.
func (s *Sub) rest(c Conn) (data []byte, deadline time.Time, err error) {
	s.h.mu.Lock()
	defer s.h.mu.Unlock()
	if s.why != nil {
		return nil, deadline, s.why
	}
	if data = s.next(); len(data) > 0 {
		return data, s.late.Add(s.d.cfg.Late), nil
	}
	if s.over() {
		s.cutLocked(ErrEnded)
		return nil, deadline, s.why
	}
	s.busy = false
	c.SetWriteDeadline(time.Time{}) //nolint:errcheck // the next write finds out
	return nil, deadline, nil
}

// beats writes a heartbeat to those who have nothing to wait for, and ends
// streams that are old, or whose peer went away. Called with h.mu held.
func (h *hub) beats(now time.Time) {
	for i := len(h.views) - 1; i >= 0; i-- {
		v := h.views[i]
		beat := v.wire(nil, Chunk{Beat: true})
		for j := len(v.subs) - 1; j >= 0; j-- {
			s := v.subs[j]
			c := s.conn.Load()
			switch {
			case s.why != nil:
			case now.After(s.until):
				s.cutLocked(ErrLife)
			case s.wake != nil:
				s.beat = true
				s.wakeServe()
			case s.busy || c == nil:
			case (*c).Gone():
				s.cutLocked(errGone)
			default:
				if n, err := (*c).Try(beat); err != nil {
					s.cutLocked(errGone)
				} else if n < len(beat) {
					s.inserts = append(s.inserts, insert{s.pos, s.pos, beat[n:]})
					s.late, s.goal = now, s.pos
					s.try()
				}
			}
		}
	}
}
