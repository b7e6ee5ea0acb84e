package deliver

import (
	"cmp"
	"context"
	"log/slog"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/recovery"
	"github.com/limn-ui/limn/trace"
	"github.com/limn-ui/limn/ui"
)

// Source has the conversations that streams read; *session.Service is one.
type Source interface {
	Head(ctx context.Context, id, principal string) (conversation.Head, error)
	Steps(ctx context.Context, id string, after uint64, max int) ([]conversation.Step, error)
	Look(ctx context.Context, id string) error
	Access(ctx context.Context, id, principal string) (conversation.Access, error)
	Watch(id string, wake func()) (cancel func())
	Deltas(id string) []conversation.Delta
	OnDelta(id string, wake func()) (cancel func())
	// Here says on all nodes how many clients are here, and hears of those there.
	Here(id string, heard func(n uint64)) (tell func(n uint64), end func())
}

// Config of a Deliverer. Source is required.
type Config struct {
	Source       Source
	App          string        // fingerprint of the application
	Beat         time.Duration // between heartbeats: 25 s
	Behind       int           // bytes a client may lag: 4 MiB
	Late         time.Duration // how long a client may lag: 60 s
	Look         time.Duration // between looks at a conversation without a wake-up: 5 min
	Life         time.Duration // a stream ends after half to all of it, and its client comes back: 60 min
	Streams      int           // at once: 16,384; -1: no limit
	PerPrincipal int           // at once: 32; -1: no limit
	PerNetwork   int           // at once from one Request.Network: a sixteenth of Streams, at least 256; -1: no limit
	Meter        trace.Meter   // default: nothing is counted
	Log          *slog.Logger  // of panics; default: discards
}

// DefaultStreams bounds the open streams by default.
const DefaultStreams = 16384

func (c Config) withDefaults() Config {
	c.Beat, c.Late = cmp.Or(c.Beat, 25*time.Second), cmp.Or(c.Late, time.Minute)
	c.Look, c.Life = cmp.Or(c.Look, 5*time.Minute), cmp.Or(c.Life, time.Hour)
	c.Behind, c.Streams = cmp.Or(c.Behind, 4<<20), cmp.Or(c.Streams, DefaultStreams)
	c.PerPrincipal = cmp.Or(c.PerPrincipal, 32)
	if c.Streams > 0 {
		c.PerNetwork = cmp.Or(c.PerNetwork, max(c.Streams/16, min(c.Streams, 256)))
	}
	if c.Meter == nil {
		c.Meter = trace.NoMeter()
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	return c
}

// maxHeld bounds the bytes that wait for slow clients in all windows together: above it
// a slow client may lag by lowBehind only.
const (
	maxHeld   = 64 << 20
	lowBehind = 64 << 10
)

// readings bounds how many hubs read at once: a source that comes back is not
// asked by all of them in the same moment.
const readings = 64

// Deliverer serves streams of one application. Safe for concurrent use.
type Deliverer struct {
	cfg    Config
	node   uint64       // its name among nodes, see elsewhere
	held   atomic.Int64 // bytes in all windows
	cache  cache
	prints sync.Map // drawing → fingerprint: of targets, and of them under the ids that clients know
	resets resets
	slots  chan struct{}   // one for each reading of a hub
	stop   context.Context // ends with Drain, and with it every reading
	cut    context.CancelFunc

	mu      sync.Mutex // guards what follows
	open    streams
	counts  map[string]*counts // by transport
	hubs    map[string]*hub
	quiet   chan struct{} // ends the goroutine of tick; nil: none runs
	drained bool
}

// New returns a Deliverer. Nothing of it runs while no stream is open.
func New(cfg Config) *Deliverer {
	cfg = cfg.withDefaults()
	d := &Deliverer{cfg: cfg, node: rand.Uint64() >> countBits << countBits, cache: newCache(),
		resets: resetsOf(cfg.Meter), slots: make(chan struct{}, readings),
		open: newStreams(), counts: map[string]*counts{}, hubs: map[string]*hub{}}
	d.stop, d.cut = context.WithCancel(context.Background())
	return d
}

// Cursor returns the cursor of a state for a target.
func (d *Deliverer) Cursor(h conversation.Head, t Target) string {
	return d.CursorAt(h, t, h.State.Seq)
}

// CursorAt returns the cursor of an earlier frame.
func (d *Deliverer) CursorAt(h conversation.Head, t Target, seq uint64) string {
	return Cursor{Log: h.Log, Seq: seq, Part: -1, Fingerprint: t.Fingerprint(d.cfg.App)}.String()
}

// Snapshot draws the newest state of a conversation for a target, each message
// as JSON, and returns its cursor.
func (d *Deliverer) Snapshot(ctx context.Context, id, principal string, t Target) (messages [][]byte, cursor string,
	err error) {
	h, err := d.cfg.Source.Head(ctx, id, principal)
	if err != nil {
		return nil, "", err
	}
	messages, _, err = t.snapshot(h.State)
	return messages, d.Cursor(h, t), err
}

// Drain ends every stream with ErrDrain and refuses new ones. It may be called
// twice.
func (d *Deliverer) Drain() {
	d.mu.Lock()
	d.drained = true
	d.cut()
	all := d.open.all()
	d.mu.Unlock()
	for _, s := range all {
		s.cut(ErrDrain)
	}
}

// Stats counts the streams of a process and the bytes they hold.
type Stats struct {
	Streams int   // open
	Held    int64 // bytes that wait for clients that lag
}

// Stats returns the current numbers.
func (d *Deliverer) Stats() Stats {
	d.mu.Lock()
	defer d.mu.Unlock()
	return Stats{d.open.count, d.held.Load()}
}

// admit counts a stream in and gives it its hub. The first time that a principal has
// too many, theirs whose peer went away unnoticed end.
func (d *Deliverer) admit(s *Sub, transport string) error {
	err := d.tryAdmit(s, transport)
	if err == errTooMany && d.endGone(s.principal) {
		err = d.tryAdmit(s, transport)
	}
	if err == nil {
		s.h.subscribe()
	}
	return err
}

func (d *Deliverer) tryAdmit(s *Sub, transport string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.drained {
		return &ui.Error{Code: recovery.CodeDraining, Message: "the server is stopping"}
	}
	if err := d.open.add(d.cfg, s); err != nil {
		return err
	}
	s.h, s.counts = d.hub(s.id), d.countsOf(transport)
	s.counts.open.Add(1)
	return nil
}

// endGone ends the streams of a principal whose peer went away, and reports whether
// there was one.
func (d *Deliverer) endGone(principal string) (found bool) {
	d.mu.Lock()
	list := slices.Clone(d.open.who[principal])
	d.mu.Unlock()
	for _, s := range list {
		if c := s.conn.Load(); c != nil && (*c).Gone() {
			s.cut(errGone)
			found = true
		}
	}
	return found
}

// hub returns the hub of a conversation, one reference more. Called with mu held.
func (d *Deliverer) hub(id string) *hub {
	h := d.hubs[id]
	if h == nil {
		h = newHub(d, id)
		d.hubs[id] = h
	}
	h.refs++
	if d.quiet == nil {
		d.quiet = make(chan struct{})
		go d.tick(d.quiet) // ends with the last stream
	}
	return h
}

// leave counts a stream out.
func (d *Deliverer) leave(s *Sub) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.open.remove(s)
	s.counts.open.Add(-1)
	if s.h.refs--; s.h.refs == 0 {
		s.h.unsubscribe()
		delete(d.hubs, s.h.id)
	}
	if d.open.count == 0 {
		close(d.quiet)
		d.quiet = nil
	}
}

// without takes one out of a list.
func without[T comparable](list []T, one T) []T {
	if i := slices.Index(list, one); i >= 0 {
		return slices.Delete(list, i, i+1)
	}
	return list
}

// tickEvery is how fine the one clock of all streams is.
const tickEvery = time.Second

// tick wakes the hubs that have something to do by time: heartbeats, slow
// clients, a source that failed.
func (d *Deliverer) tick(quiet <-chan struct{}) {
	t := time.NewTicker(tickEvery)
	defer t.Stop()
	var due []*hub
	for {
		var now time.Time
		select {
		case <-quiet:
			return
		case now = <-t.C:
		}
		d.mu.Lock()
		for _, h := range d.hubs {
			if h.needsTick.Load() || h.beatAt.Load() <= now.UnixNano() {
				due = append(due, h)
			}
		}
		d.mu.Unlock()
		for _, h := range due {
			h.schedule(false)
		}
		clear(due)
		due = due[:0]
	}
}
