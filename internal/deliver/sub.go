package deliver

import (
	"cmp"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"sync/atomic"
	"time"

	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/metric"
	"github.com/limn-ui/limn/internal/recovery"
	"github.com/limn-ui/limn/ui"
)

// Request asks for a stream.
type Request struct {
	Conversation string
	Principal    string
	Network      string // where the client comes from, as its share of all streams counts it; "": it has no share
	Client       string // how the client names itself, or ""
	Target       Target
	Format       Format
	PerMessage   bool   // framing "message" (format A2UI only)
	After        string // the client's cursor, or ""
	Rebuild      bool   // updates=rebuild
	Framing      Framing
	Private      Private // writes the stream instead, for this client alone; nil: Framing does
}

// Private writes the event stream of one client, in a protocol whose streams end, as with a turn.
// Its methods are called in the order of the stream, one at a time, and must not block.
type Private interface {
	// Start writes the newest state, for a client that starts over; Frame a frame: its step,
	// and the messages that bring the drawing up to date. last ends the stream after it.
	Start(s *ui.State, messages [][]byte, cursor string) (wire []byte, last bool)
	Frame(st conversation.Step, messages [][]byte, cursor string) (wire []byte, last bool)
	// Delta writes the text of a model after its first from bytes.
	Delta(d conversation.Delta, from int) []byte
}

// onlyBeats is the framing of a private stream, an event stream without other chunks.
func onlyBeats(dst []byte, c Chunk) []byte {
	if c.Beat {
		dst = append(dst, ":\n\n"...)
	}
	return dst
}

// Framing is how a transport writes chunks. What it writes is shared by
// subscribers, so it depends on the chunk alone, and Name names it.
type Framing struct {
	Name      string
	Transport string // its name in metrics; "": Name
	Append    func(dst []byte, c Chunk) []byte
}

// Why a stream ended. After each of them the client comes back with its cursor.
var (
	ErrDrain = errors.New("the server is stopping")
	ErrSlow  = errors.New("the client was too far behind")
	ErrLife  = errors.New("the stream has lasted long enough")
	// ErrEnded says that the conversation has ended and the client has all of it.
	ErrEnded = errors.New("the conversation has ended")

	errGone = errors.New("the client went away")
	// errRevoked says that the reader may not read any more
	errRevoked = errors.New("access was revoked")
)

// Sub is one open stream. Call Serve or Hand, once, or else Close.
type Sub struct {
	d *Deliverer
	h *hub
	v *view // the hub's, once attached
	identity
	until  time.Time // end of its life
	guest  bool      // let in by the owner, until a moment or a revocation
	counts *counts

	conn atomic.Pointer[Conn] // of Hand

	opening // until it is attached; used by the caller of Open

	// guarded by h.mu
	progress
	wake chan struct{} // of Serve; room for one
	busy bool          // a goroutine writes, or is about to
	beat bool          // Serve: write a heartbeat
	why  error         // it was cut
	left bool
}

// identity says whose stream it is, as in Request.
type identity struct{ id, principal, network, client string }

// opening is the beginning of a stream.
type opening struct {
	at    Cursor
	first []byte // ready to be written
	ended bool   // nothing comes after first
}

// progress is how far a client has read its view.
type progress struct {
	pos     int64    // offset in v before which the client has everything
	inserts []insert // what this client alone gets, by offset
	late    time.Time
	goal    int64 // late counts from when the client had yet to get the bytes before
}

// insert is bytes for one client, in place of those from from to to.
type insert struct {
	from, to int64
	data     []byte
}

// Open starts a stream: it finds the place of the cursor and draws the
// client's first bytes. An error is ErrEnded or a *ui.Error, or else a fault of the
// log or of the drawing.
func (d *Deliverer) Open(ctx context.Context, r Request) (*Sub, error) {
	s := &Sub{d: d, identity: identity{r.Conversation, r.Principal, r.Network, r.Client},
		until: time.Now().Add(d.cfg.Life - rand.N(d.cfg.Life/2+1))}
	if err := d.admit(s, cmp.Or(r.Framing.Transport, r.Framing.Name)); err != nil {
		if ui.CodeOf(err) == recovery.CodeStreams {
			d.cfg.Meter.Series(metric.RateLimited, "streams").Add(1)
		}
		return nil, err
	}
	opened := false
	defer func() { // also after a panic
		if !opened {
			s.Close()
		}
	}()
	// From here on wake-ups are heard: nothing falls between them and the log.
	err := s.start(ctx, r)
	if err == nil && !s.ended {
		// A log that cannot be read is found out while the answer may still say so.
		_, err = s.read(ctx)
	}
	opened = err == nil
	return s, err
}

// start places the cursor: where the client says, or at a snapshot.
func (s *Sub) start(ctx context.Context, r Request) error {
	h, err := s.d.cfg.Source.Head(ctx, r.Conversation, r.Principal)
	if err != nil {
		return err
	}
	s.v = s.d.view(r, h.Log)
	s.guest = h.Guest()
	if r.After == "" {
		if h.State.Ended {
			return ErrEnded
		}
		return s.restart(h, "")
	}
	c, ok := ParseCursor(r.After)
	switch {
	case !ok || c.Part == 0 || c.Part > 0 && !r.PerMessage:
		return s.restart(h, "malformed")
	case c.Log != h.Log:
		return s.restart(h, "log")
	case c.Fingerprint != s.v.fingerprint:
		return s.restart(h, "target")
	case c.Seq > h.State.Seq:
		return s.restart(h, "ahead")
	case c.after() < h.Floor:
		return s.restart(h, "floor")
	}
	if h.State.Ended {
		steps, err := s.d.cfg.Source.Steps(ctx, r.Conversation, c.after(), 1)
		if err != nil {
			return err
		}
		if len(steps) == 0 || steps[0].Before.Ended { // only refusals followed
			return ErrEnded
		}
	}
	s.at = c
	// there may be nothing else to say for a while: the client hears that it is connected
	s.first = s.v.wire(nil, Chunk{Beat: true})
	return nil
}

// restart starts over from the newest state.
func (s *Sub) restart(h conversation.Head, reason string) (err error) {
	s.counts.frames.Add(1)
	if reason != "" {
		s.d.resets[reason].Add(1)
	}
	s.at = Cursor{Log: h.Log, Seq: h.State.Seq, Part: -1, Fingerprint: s.v.fingerprint}
	s.first, err = s.v.snapshot(h.State, reason)
	s.ended = h.State.Ended || s.v.over
	return err
}

// page is how many steps are read at once.
const page = 64

// read takes the next frames from the log to the end of first; more says that
// there are others.
func (s *Sub) read(ctx context.Context) (more bool, err error) {
	steps, err := s.d.cfg.Source.Steps(ctx, s.id, s.at.after(), page)
	if ui.CodeOf(err) == conversation.CodeTrimmed { // while this client was slow
		h, err := s.d.cfg.Source.Head(ctx, s.id, s.principal)
		if err != nil {
			return false, err
		}
		return true, s.restart(h, "floor")
	}
	if err != nil {
		return false, err
	}
	for _, st := range steps {
		if st.Frame.Seq != s.at.after()+1 {
			return false, errGap
		}
		wire, err := s.step(st, max(0, s.at.Part))
		if err != nil {
			return false, err
		}
		s.counts.frames.Add(1)
		s.at.Seq, s.at.Part = st.Frame.Seq, -1
		s.first = append(s.first, wire...)
		if s.ended = st.After.Ended || s.v.over; s.ended {
			return false, nil
		}
		if len(s.first) > maxRead {
			return true, nil
		}
	}
	return len(steps) == page, nil
}

var errGap = errors.New("the log has a gap")

// step is one frame for this client: for the one whose renderer failed, and for
// no other, a complete snapshot.
func (s *Sub) step(st conversation.Step, skip int) ([]byte, error) {
	if s.failed(st.Frame.Rebuild) {
		s.d.resets["client"].Add(1)
		return s.v.snapshot(st.After, "client")
	}
	return s.v.frame(st, skip)
}

func (s *Sub) failed(r *ui.Rebuild) bool {
	return r != nil && (r.Client != "" || r.Principal != "") &&
		(r.Client == "" || r.Client == s.client) &&
		(r.Principal == "" || r.Principal == conversation.Owner(s.principal))
}

// Serve writes whole chunks, one or more at a time, until ctx ends, a write
// fails or the stream is cut. It returns why.
func (s *Sub) Serve(ctx context.Context, w io.Writer) error {
	defer s.Close()
	s.begin(make(chan struct{}, 1))
	if err := s.catchUp(ctx, w); err != nil {
		return err
	}
	for {
		data, beat, err := s.pull()
		if err != nil {
			return err
		}
		if len(data) > 0 {
			if _, err := w.Write(data); err != nil {
				return s.unwritten(err)
			}
			s.h.mu.Lock()
			s.sent(len(data))
			s.h.mu.Unlock()
			continue
		}
		if beat {
			if _, err := w.Write(s.v.wire(nil, Chunk{Beat: true})); err != nil {
				return s.unwritten(err)
			}
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-s.wake:
		}
	}
}

// begin sets the writer: the goroutine that waits for wake, or with nil Hand.
func (s *Sub) begin(wake chan struct{}) {
	s.h.mu.Lock()
	defer s.h.mu.Unlock()
	s.wake, s.busy = wake, true
}

// pull returns what Serve has to write.
func (s *Sub) pull() (data []byte, beat bool, err error) {
	s.h.mu.Lock()
	defer s.h.mu.Unlock()
	if s.why != nil {
		return nil, false, s.why
	}
	if data = s.next(); len(data) == 0 && s.over() {
		s.cutLocked(ErrEnded)
		return nil, false, ErrEnded
	}
	beat, s.beat = s.beat, false
	return data, beat, nil
}

// over reports whether nothing follows the window. Called with h.mu held.
func (s *Sub) over() bool { return s.h.ended || s.v.over }

// catchUp writes the bytes in hand, then the log after them, and joins the
// subscribers that wait for more.
func (s *Sub) catchUp(ctx context.Context, w io.Writer) error {
	for more := true; more || len(s.first) > 0; {
		if len(s.first) > 0 {
			if _, err := w.Write(s.first); err != nil {
				return s.unwritten(err)
			}
			s.counts.bytes.Add(float64(len(s.first)))
			s.first = nil
		}
		if err := s.cause(); err != nil {
			return err
		}
		if s.ended {
			s.cut(ErrEnded)
			return ErrEnded
		}
		var err error
		if more, err = s.read(ctx); err != nil {
			return s.broken(ctx, err)
		}
	}
	if err := s.h.attach(ctx, s); err != nil {
		return s.broken(ctx, err)
	}
	return nil
}

// broken ends a stream whose log cannot be read any more, unless its client ended
// it, and says why it ended.
func (s *Sub) broken(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		err = errGone
	}
	s.cut(err)
	return s.cause()
}

// unwritten ends a stream whose client does not take the bytes, and returns
// err, which says how.
func (s *Sub) unwritten(err error) error {
	why := errGone
	if errors.Is(err, os.ErrDeadlineExceeded) {
		why = ErrSlow
	}
	s.cut(why)
	return err
}

func (s *Sub) cause() error {
	s.h.mu.Lock()
	defer s.h.mu.Unlock()
	return s.why
}

// next returns the client's next bytes; none if it has everything. Called with
// h.mu held; the bytes do not change before sent is called.
func (s *Sub) next() []byte {
	window := s.v.buf[s.pos-s.v.base:]
	if len(s.inserts) == 0 {
		return window
	}
	if in := s.inserts[0]; s.pos < in.from {
		return window[:in.from-s.pos]
	}
	return s.inserts[0].data
}

// sent notes that n bytes of what next returned are written. Called with h.mu held.
func (s *Sub) sent(n int) {
	s.counts.bytes.Add(float64(n))
	if len(s.inserts) > 0 && s.pos == s.inserts[0].from {
		in := &s.inserts[0]
		if in.data = in.data[n:]; len(in.data) == 0 {
			s.pos = in.to
			if s.inserts = s.inserts[1:]; len(s.inserts) == 0 {
				s.inserts = nil
			}
		}
	} else {
		s.pos += int64(n)
	}
	switch {
	case s.lag() == 0:
		s.late = time.Time{}
	case !s.late.IsZero() && s.pos >= s.goal:
		s.late, s.goal = time.Now(), s.v.end()
	}
}

// lag returns how many bytes the client lacks. Called with h.mu held.
func (s *Sub) lag() int {
	n := int(s.v.end() - s.pos)
	for _, in := range s.inserts {
		n += len(in.data)
	}
	return n
}

// cut ends the stream. It may be called by anybody, more than once.
func (s *Sub) cut(why error) {
	s.h.mu.Lock()
	defer s.h.mu.Unlock()
	s.cutLocked(why)
}

func (s *Sub) cutLocked(why error) {
	if s.why != nil {
		return
	}
	s.why = why
	s.counts.cut(why)
	s.h.detach(s)
	if s.wake != nil {
		s.wakeServe() // Serve leaves
	}
	if c := s.conn.Load(); c != nil {
		(*c).Close() //nolint:errcheck // it is gone either way
		if !s.busy { // else drain leaves
			go s.leave() // waits for the Deliverer's lock, which comes before h.mu
		}
	}
}

// wakeServe wakes Serve.
func (s *Sub) wakeServe() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// Close ends the stream. It may be called more than once.
func (s *Sub) Close() {
	s.h.mu.Lock()
	s.h.detach(s)
	s.h.mu.Unlock()
	s.leave()
}

func (s *Sub) leave() {
	s.h.mu.Lock()
	left := s.left
	s.left = true
	s.h.mu.Unlock()
	if !left {
		s.d.leave(s)
	}
}
