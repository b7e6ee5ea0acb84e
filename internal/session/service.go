package session

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/bus"
	"github.com/limn-ui/limn/compile"
	"github.com/limn-ui/limn/internal/agent"
	"github.com/limn-ui/limn/internal/lease"
	"github.com/limn-ui/limn/internal/recovery"
	"github.com/limn-ui/limn/internal/route"
	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/trace"
	"github.com/limn-ui/limn/ui"
)

// Codes of turns and conversations.
const (
	CodeNotFound   ui.Code = recovery.CodeNotFound
	CodeBusy       ui.Code = recovery.CodeBusy
	CodeDraining   ui.Code = recovery.CodeDraining
	CodeKeyReused  ui.Code = recovery.CodeKeyReused
	CodeStore      ui.Code = "STORE_FAILED"
	CodeTurnFailed ui.Code = "TURN_FAILED"
	CodePoison     ui.Code = "TURN_POISON"
	CodeCanceled   ui.Code = "TURN_CANCELED"
	CodeEffect     ui.Code = agent.CodeEffectUnknown
	CodeClient     ui.Code = "A2UI_C2S_CLIENT_ERROR"
	CodeUnshown    ui.Code = "A2UI_C2S_CLIENT_UNSHOWN" // a surface that clients cannot show, though it was reset
	CodePanic      ui.Code = "COMPILE_PANIC"           // a drawing panicked
	CodeDiffers    ui.Code = "A2UI_S2C_STREAM_DIFFERS" // what an update makes of a screen is not what the state says
)

// Config is what a Service needs. App and Store are required.
type Config struct {
	App         *app.App
	Store       store.Store
	Bus         bus.Bus          // required
	Model       llm.Model        // nil: rules and fixed answers only
	Caps        llm.Capabilities // of Model
	Router      llm.Model        // a small model that routing may ask where no rule fires; nil: rules only
	Tell        trace.Sink       // telemetry; nil: none
	Meter       trace.Meter      // default: nobody counts
	Phrases     bool             // open a form by its phrases before asking Model (app.FormFor)
	Targets     []compile.Target // drawn and validated each turn
	Pages       []Page           // other drawings, such as HTML: drawn each turn, for its trace and for streams
	Recovery    recovery.Table   // zero: recovery.Default(); what App declares comes on top
	Webhook     WebhookFunc      // nil: webhook actions fail
	MCP         MCP              // nil: tools of MCP servers are not offered
	Strict      bool             // return what would be recovered, as long as the event is not recorded yet
	Queue       int              // events that may wait or run per conversation, model runs included: 32
	Cached      int              // conversations kept in memory: 1,024
	CachedBytes int64            // and about how many bytes of them: 512 MiB
	Timeout     time.Duration    // of a handler or webhook: 30 s
	AskTime     time.Duration    // of a model run: 90 s
	Hooks       int              // later webhooks called at once: 8
	Tries       int              // of a later webhook until it is given up: 8
	// pause after the first try that failed, then six times longer each: 5 s, so eight tries take
	// about a day
	Retry     time.Duration
	Runs      Runs          // how many model runs there may be
	Stored    Daily         // bytes of events, frames and traces; default: no limit
	RouteTime time.Duration // of Router's answer: 2 s
	CheckTime time.Duration // of the validators of a submitted tool, together: 2 s
	// names this start of this process among those on the store; "": no other uses it
	Node string
	// frames of a conversation that are kept when snapshots make older ones unneeded: 4,096
	Keep      int
	LeaseTime time.Duration    // how long the work of a node that says nothing stays its own: 10 s
	Poll      time.Duration    // how late a lost hint of Bus is made up for: 1 s
	Now       func() time.Time // default time.Now
	Random    io.Reader        // default crypto/rand
	Log       *slog.Logger     // default: discards
}

// WebhookFunc posts a call to an application's endpoint under an idempotency
// key and returns the answer's body.
type WebhookFunc func(ctx context.Context, hook app.Webhook, key string, body []byte) ([]byte, error)

func (c Config) withDefaults() Config {
	if len(c.Recovery.All()) == 0 {
		c.Recovery = recovery.Default()
	}
	c.Recovery = c.Recovery.Declared(c.App.Config().Recovery)
	if c.Queue == 0 {
		c.Queue = 32
	}
	if c.CachedBytes == 0 {
		c.CachedBytes = 512 << 20
	}
	if c.Cached == 0 {
		c.Cached = 1024
	}
	if c.Timeout == 0 {
		c.Timeout = 30 * time.Second
	}
	c.Hooks, c.Tries, c.Retry = cmp.Or(c.Hooks, 8), cmp.Or(c.Tries, 8), cmp.Or(c.Retry, 5*time.Second)
	if c.RouteTime == 0 {
		c.RouteTime = 2 * time.Second
	}
	if c.CheckTime == 0 {
		c.CheckTime = 2 * time.Second
	}
	if c.Keep == 0 {
		c.Keep = 4096
	}
	if c.LeaseTime == 0 {
		c.LeaseTime = 10 * time.Second
	}
	if c.Poll == 0 {
		c.Poll = time.Second
	}
	if c.AskTime == 0 {
		c.AskTime = 90 * time.Second
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Random == nil {
		c.Random = rand.Reader
	}
	if c.Meter == nil {
		c.Meter = trace.NoMeter()
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	c.Log = slog.New(trace.Handler(c.Log.Handler()))
	return c
}

// Page is a drawing that is not A2UI.
type Page struct {
	Name, Print string // of the target, and its fingerprint
	// Update draws a frame between two states: each message as JSON, and warnings.
	// A pure function.
	Update func(before, after *ui.State, f *ui.Frame) (messages [][]byte, warnings []string, err error)
}

// Service runs conversations. Its methods may be called from anywhere.
type Service struct {
	cfg     Config
	routing route.Prefs
	empty   []sync.Pool   // for each target validators of clients that show nothing
	desk    *lease.Client // nil: the only node
	box     outbox
	calls   bool // a turn may wait for a handler or webhook
	runs    *runs
	stored  *daily
	rungs   agent.Rungs     // what the model's server takes
	prints  []string        // fingerprints of cfg.Targets
	stop    context.Context // ends when Close has waited long enough
	cut     context.CancelCauseFunc
	quiet   chan struct{}  // closed when Close begins
	work    sync.WaitGroup // turns, model runs and resumed events; Close waits for them

	mu     sync.Mutex // guards what follows
	open   map[string]*conversation
	weight int64                // of those in open
	follow map[string]*followed // by conversation; only with a desk
	ears   map[string][]*func() // by conversation; see Hear
	closed bool

	pinging chan struct{} // the right to what follows; capacity 1
	pinged  time.Time     // when the store was asked whether it is there
	ping    error         // what it said
	lost    time.Time     // when it was first found not to be, if ping is an error
}

// New returns a Service; Close it when done.
func New(cfg Config) (*Service, error) {
	if cfg.App == nil || cfg.Store == nil || cfg.Bus == nil {
		return nil, errors.New("session: App, Store and Bus are required")
	}
	s := &Service{cfg: cfg.withDefaults(), quiet: make(chan struct{}), pinging: make(chan struct{}, 1),
		open:   map[string]*conversation{},
		follow: map[string]*followed{}, ears: map[string][]*func(){}}
	s.routing, s.runs, s.stored = s.prefs(), newRuns(s.cfg.Runs, s.cfg.Now, s.cfg.Meter),
		newDaily(s.cfg.Stored, s.cfg.Now)
	s.calls = slices.ContainsFunc(cfg.App.Config().Actions,
		func(a app.Action) bool { return a.Handler != nil || a.Webhook != nil && !a.Webhook.Later })
	s.empty = make([]sync.Pool, len(s.cfg.Targets))
	for i, t := range s.cfg.Targets {
		s.empty[i].New = func() any { return a2ui.NewValidator(rules(t)) }
		s.prints = append(s.prints, compile.Fingerprint(t, cfg.App.Fingerprint()))
	}
	s.stop, s.cut = context.WithCancelCause(context.Background())
	if cfg.Node != "" {
		s.desk = lease.New(cfg.Store, cfg.Node, s.cfg.LeaseTime)
		s.work.Add(1)
		go s.poll() // Close waits for it
	}
	s.work.Add(1)
	go s.sweep(cfg.Store) // Close waits for it
	s.openOutbox()
	return s, nil
}

var errClosing = errors.New("the server is stopping")

// Close refuses new events and waits for running turns until ctx ends; what
// still runs then is cut off, and resumed by another node or at the next start.
func (s *Service) Close(ctx context.Context) error {
	s.mu.Lock()
	if !s.closed {
		s.closed = true
		close(s.quiet)
	}
	s.mu.Unlock()
	done := make(chan struct{})
	go func() { s.work.Wait(); close(done) }() // ends with the last piece of work, at the latest after cut
	select {
	case <-done:
	case <-ctx.Done():
		s.cut(errClosing)
		<-done
	}
	s.cut(errClosing)
	return nil
}

// Create starts a conversation for a principal and returns its id, a UUIDv7. A
// principal is a name, of which the store keeps a hash as the owner (see Owner),
// or the id that Anonymous gives.
func (s *Service) Create(ctx context.Context, principal string) (string, error) {
	id, log := s.uuid(), s.random(8)
	err := s.cfg.Store.Create(ctx, store.Conversation{ID: id, Log: log, Owner: Owner(principal),
		Created: s.cfg.Now().UTC()})
	if err != nil {
		return "", &ui.Error{Code: CodeStore, Message: "the conversation could not be saved",
			Err: fmt.Errorf("create conversation: %w", err)}
	}
	return id, nil
}

// Usage sums up what a principal keeps.
func (s *Service) Usage(ctx context.Context, principal string) (store.Usage, error) {
	used, err := s.cfg.Store.Usage(ctx, Owner(principal))
	if err != nil {
		return used, storeError("sum up what is kept", err)
	}
	return used, nil
}

// enter takes a piece of work on, unless the server is stopping. Who got nil
// calls work.Done.
func (s *Service) enter() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return errDraining()
	}
	s.work.Add(1)
	return nil
}

func errDraining() error { return &ui.Error{Code: CodeDraining, Message: "the server is stopping"} }

// KeepAnswers is how long the answer to an Idempotency-Key is kept at least. A
// later repeat is refused by its rev or epoch.
const KeepAnswers = 24 * time.Hour

// Forget removes answers older than KeepAnswers, with their keys and journals,
// and returns how many.
func (s *Service) Forget(ctx context.Context) (n int, err error) {
	for {
		some, err := s.cfg.Store.Forget(ctx, s.cfg.Now().Add(-KeepAnswers), store.ForgetMax)
		n += some
		if err != nil || some < store.ForgetMax {
			return n, err
		}
	}
}

// trimMax is the most frames that one snapshot has trimmed: a writer should not
// be held up, and the next snapshot goes on.
const trimMax = 4 * snapshotEvery

// trim removes frames that a snapshot has made unneeded, after the turn. One that
// fails is made up for after the next snapshot.
func (c *conversation) trim(seq uint64) {
	keep := uint64(c.svc.cfg.Keep)
	c.svc.mu.Lock()
	floor := c.floor
	c.svc.mu.Unlock()
	if seq <= keep || seq-keep <= floor {
		return
	}
	c.svc.work.Go(func() { // Close waits for it
		floor, err := c.svc.cfg.Store.Trim(c.svc.stop, c.info.ID, min(seq-keep, floor+trimMax))
		if err != nil {
			c.svc.cfg.Log.Warn("trim", "conversation", c.info.ID, "err", trace.Quiet(err))
			return
		}
		c.svc.mu.Lock()
		defer c.svc.mu.Unlock()
		c.floor = max(c.floor, floor)
	})
}

// Ready reports whether events are taken, for readiness probes: not once the
// service stops (CodeDraining), and not while its store does not answer within a
// second (CodeStore). What the store said counts for a second, however many ask.
func (s *Service) Ready() error {
	s.mu.Lock()
	closed := s.closed
	s.mu.Unlock()
	if closed {
		return errDraining()
	}
	s.pinging <- struct{}{} // who waits here is told what is found now
	defer func() { <-s.pinging }()
	if time.Since(s.pinged) >= pingTime {
		ctx, cancel := context.WithTimeout(context.Background(), pingTime)
		defer cancel()
		s.told(s.cfg.Store.Ping(ctx))
		s.pinged = time.Now()
	}
	return s.ping
}

// told notes what the store said. That it went, and that it came back, is logged
// once: probes ask every few seconds for as long as it is away.
func (s *Service) told(err error) {
	was := s.ping
	s.ping = nil
	if err != nil {
		s.ping = storeError("ask whether the store is there", err)
	}
	switch {
	case err != nil && was == nil:
		s.lost = time.Now()
		s.cfg.Log.Error("not ready: the store does not answer", "err", trace.Quiet(s.ping))
	case err == nil && was != nil:
		s.cfg.Log.Warn("ready again: the store answers", "after", time.Since(s.lost).Round(time.Millisecond))
	}
}

// pingTime is how long a store has to answer, and how long that counts.
const pingTime = time.Second

// Rounds is how often a tool is opened again for correction in a conversation
// with that state.
func (s *Service) Rounds(r ui.Router, tool string) int { return s.routing.Rounds(r, tool) }

// App returns the application.
func (s *Service) App() *app.App { return s.cfg.App }

// Recovery returns the table of codes.
func (s *Service) Recovery() recovery.Table { return s.cfg.Recovery }

func storeError(doing string, err error) error {
	if errors.Is(err, store.ErrNotFound) {
		return &ui.Error{Code: CodeNotFound, Message: "no such conversation", Err: err}
	}
	return &ui.Error{Code: CodeStore, Message: "the server cannot save right now",
		Err: fmt.Errorf("%s: %w", doing, err)}
}

// random returns n random bytes as hex. A random source that fails is not
// something a server can go on without.
func (s *Service) random(n int) string {
	b := make([]byte, n)
	if _, err := io.ReadFull(s.cfg.Random, b); err != nil {
		panic("random source: " + err.Error())
	}
	return hex.EncodeToString(b)
}

// uuid returns a UUIDv7 (RFC 9562 §5.7): time ordered, 74 random bits.
func (s *Service) uuid() string {
	ms := uint64(s.cfg.Now().UnixMilli())
	r, _ := hex.DecodeString(s.random(10))
	r[0], r[2] = r[0]&0x0f|0x70, r[2]&0x3f|0x80
	h := fmt.Sprintf("%012x%x", ms&(1<<48-1), r)
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
}
