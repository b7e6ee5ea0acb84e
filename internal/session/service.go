package session

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"io"
	"log/slog"
	"sync"
	"time"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/bus"
	"github.com/limn-ui/limn/compile"
	"github.com/limn-ui/limn/internal/agent"
	"github.com/limn-ui/limn/internal/appcall"
	"github.com/limn-ui/limn/internal/cache"
	"github.com/limn-ui/limn/internal/capture"
	"github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/directory"
	"github.com/limn-ui/limn/internal/ids"
	"github.com/limn-ui/limn/internal/journal"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/internal/lease"
	"github.com/limn-ui/limn/internal/live"
	"github.com/limn-ui/limn/internal/logs"
	"github.com/limn-ui/limn/internal/modelrun"
	"github.com/limn-ui/limn/internal/outbox"
	"github.com/limn-ui/limn/internal/prove"
	"github.com/limn-ui/limn/internal/quota"
	"github.com/limn-ui/limn/internal/records"
	"github.com/limn-ui/limn/internal/recovery"
	"github.com/limn-ui/limn/internal/share"
	"github.com/limn-ui/limn/internal/tally"
	"github.com/limn-ui/limn/internal/turn"
	"github.com/limn-ui/limn/internal/validators"
	"github.com/limn-ui/limn/internal/work"
	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/trace"
	"github.com/limn-ui/limn/ui"
)

// CodePoison is the code of an event whose turn broke too often.
const CodePoison ui.Code = "TURN_POISON"

// Config is the configuration of a Service. App and Store are required.
type Config struct {
	App         *app.App
	Store       store.Store
	Bus         bus.Bus              // required
	Model       llm.Model            // nil: rules and fixed answers only
	Params      map[string]any       // sent with each request to Model
	Router      llm.Model            // a small model that routing may ask where no rule fires; nil: rules only
	Tell        trace.Sink           // telemetry; nil: none
	Meter       trace.Meter          // default: none
	Scripts     map[string]llm.Model // answer instead of Model in a language of App other than the first
	Phrases     bool                 // Model is a script: forms open by phrases (app.FormFor), and no action asks it
	Targets     []compile.Target     // drawn and validated each turn
	Pages       []prove.Page         // other drawings, such as HTML: drawn each turn, for its trace and for streams
	Recovery    recovery.Table       // zero: recovery.Default(); what App declares comes on top
	Webhook     outbox.PostFunc      // nil: webhook actions fail
	MCP         modelrun.MCP         // nil: tools of MCP servers are not offered
	Strict      bool                 // return what would be recovered, as long as the event is not recorded yet
	Queue       int                  // events that may wait or run per conversation, model runs included: 32
	Cached      int                  // conversations kept in memory: 1,024
	CachedBytes int64                // and about how many bytes of them: 512 MiB
	Timeout     time.Duration        // of a handler or webhook: 30 s
	AskTime     time.Duration        // of a model run: 90 s
	Hooks       int                  // later webhooks called at once: 8
	Tries       int                  // of a later webhook until it is given up: 8
	// pause after the first try that failed, then six times longer each: 5 s, so eight tries take
	// about a day
	Retry     time.Duration
	Runs      quota.Runs    // how many model runs there may be
	Stored    quota.Daily   // bytes of events, frames and traces; default: no limit
	RouteTime time.Duration // of Router's answer: 2 s
	CheckTime time.Duration // of the validators of a submitted form, together: 2 s
	// names this start of this process among those on the store; "": no other uses it
	Node string
	// frames of a conversation that are kept when snapshots make older ones unneeded: 4,096
	Keep      int
	LeaseTime time.Duration    // how long the work of a node that says nothing stays its own: 10 s
	Poll      time.Duration    // how late a lost hint of Bus is made up for: 1 s
	Now       func() time.Time // default time.Now
	Random    io.Reader        // default crypto/rand
	Log       *slog.Logger     // default: discards

	// Roles returns the roles of a name that signed in; nil: no roles.
	Roles func(principal string) []string
}

func (c Config) withDefaults() Config {
	if len(c.Recovery.All()) == 0 {
		c.Recovery = recovery.Default()
	}
	c.Queue = cmp.Or(c.Queue, 32)
	c.CachedBytes = cmp.Or(c.CachedBytes, 512<<20)
	c.Cached = cmp.Or(c.Cached, 1024)
	c.Timeout = cmp.Or(c.Timeout, 30*time.Second)
	c.Hooks, c.Tries, c.Retry = cmp.Or(c.Hooks, 8), cmp.Or(c.Tries, 8), cmp.Or(c.Retry, 5*time.Second)
	c.RouteTime = cmp.Or(c.RouteTime, 2*time.Second)
	c.CheckTime = cmp.Or(c.CheckTime, 2*time.Second)
	c.Keep = cmp.Or(c.Keep, 4096)
	c.LeaseTime = cmp.Or(c.LeaseTime, 10*time.Second)
	c.Poll = cmp.Or(c.Poll, time.Second)
	c.AskTime = cmp.Or(c.AskTime, 90*time.Second)
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
	c.Log = slog.New(logs.Handler(c.Log.Handler()))
	return c
}

// Service runs conversations. Its methods may be called from anywhere.
type Service struct {
	directory.Directory
	*conversation.Followers
	sharing
	cfg     Config
	targets *prove.Targets
	speech                            // in the first language of the app
	spoken  map[string]func() *speech // in its other languages
	callers
	owner   *lease.Client // leases of this node; nil: the only node
	quotas  quotas
	records *records.Book
	ids     ids.Source
	frames  conversation.Reader
	cache   cache.Cache[*mailbox]
	life
	following
}

// life holds the running work and the health of a Service.
type life struct {
	work   *work.Group
	health *work.Health
}

// callers call handlers and webhooks.
type callers struct {
	appcalls appcall.Config // in a turn
	outbox   *outbox.Outbox // later
}

// following is what readers of conversations wait for.
type following struct {
	readers *conversation.Readers
	deltas  conversation.Deltas // the text of model runs
	viewers *live.Streams       // nil: no view shows topics or records
}

// speech holds the parts of a Service that depend on the language.
type speech struct {
	env    turn.Env        // of every decision; a turn adds the user's rules
	models modelrun.Config // how models are asked
}

// in returns the speech of a conversation.
func (s *Service) in(st *ui.State) *speech {
	if other, ok := s.spoken[st.Router.Language]; ok {
		return other()
	}
	return &s.speech
}

// translated returns the speech in the other languages of the app, made when it is wanted.
func (s *Service) translated() map[string]func() *speech {
	out := map[string]func() *speech{}
	for _, lang := range s.cfg.App.Config().Languages[1:] {
		out[lang] = sync.OnceValue(func() *speech {
			other := s.speech
			a := s.cfg.App.In(lang)
			table := worded(s.cfg.Recovery, a)
			other.env.App, other.env.Recovery, other.models.App, other.models.Recovery = a, table, a, table
			other.models.Summary = func(st *ui.State, e *ui.Event) string { return turn.Summary(other.env, st, e) }
			if m := s.cfg.Scripts[lang]; m != nil {
				other.models.Model = m
			}
			return &other
		})
	}
	return out
}

// worded is a table of codes in the words of an app.
func worded(t recovery.Table, a *app.App) recovery.Table {
	return t.Worded(a.Config().Words).Declared(a.Config().Recovery)
}

// quotas are the limits of each principal and address.
type quotas struct {
	runs   *quota.Counter // model runs at once and tokens in a day
	stored *quota.Day     // bytes stored in a day
}

// New returns a Service; Close it when done.
func New(cfg Config) (*Service, error) {
	if cfg.App == nil || cfg.Store == nil || cfg.Bus == nil {
		return nil, errors.New("session: App, Store and Bus are required")
	}
	cfg = cfg.withDefaults()
	cfg.Roles = directory.Guarded(cfg.Roles, cfg.Log)
	s := &Service{cfg: cfg, life: life{work.New(errDraining), work.NewHealth(cfg.Log)}}
	s.ids = ids.Source{Random: cfg.Random, Now: cfg.Now}
	s.Directory, s.readers = directoryOf(s), &conversation.Readers{}
	s.quotas = quotas{runs: quota.NewCounter(cfg.Runs, cfg.Now, cfg.Meter), stored: quota.NewDay(cfg.Stored, cfg.Now)}
	s.targets = prove.NewTargets(prove.Config{Targets: cfg.Targets, Pages: cfg.Pages, App: cfg.App.Fingerprint(),
		Limits: cfg.App.Config().Limits, Strict: cfg.Strict})
	s.sharing = sharing{s, share.Links{Store: cfg.Store, IDs: s.ids}}
	s.frames = conversation.Reader{Store: cfg.Store, First: cfg.App.NewState, Limits: cfg.App.Config().Limits,
		Nodes: cfg.Node != "", Count: func(doing string, err error) { tally.CountStore(cfg.Meter, doing, err) }}
	s.cache = cache.Cache[*mailbox]{Most: cfg.Cached, MostBytes: cfg.CachedBytes, Busy: (*mailbox).busy,
		Weigh: func(c *mailbox) int { return c.log.Weight() }}
	s.speech = newSpeech(s)
	s.spoken = s.translated()
	s.records = &records.Book{Store: cfg.Store, App: cfg.App, Now: cfg.Now, Roles: cfg.Roles,
		Saved: func(name string) { live.Saved(cfg.App, cfg.Bus, name) }}
	s.appcalls = appcall.Config{Records: s.records, Live: s.Live(), Webhook: cfg.Webhook, Timeout: cfg.Timeout,
		Files: cfg.Store, Nodes: cfg.Node != "", Fit: s.env.Fit, Stop: s.work.Stop, Log: cfg.Log,
		Directives: func(v jsonx.Value) ([]app.Directive, []*ui.Error) { return turn.Directives(cfg.App, v) }}
	var elsewhere *conversation.Readers
	if cfg.Node != "" {
		s.owner, elsewhere = lease.New(cfg.Store, cfg.Node, cfg.LeaseTime), s.readers
	}
	s.Followers = conversation.NewFollowers(cfg.Bus, &s.deltas, elsewhere,
		func(id string) (leave func()) { return s.viewers.Enter(id) })
	s.outbox = newOutbox(s)
	if s.owner != nil {
		s.work.Go(func() { poll(s) }) // Close waits for it
	}
	if cfg.App.Views().Live() {
		s.viewers = live.New(live.Config{App: cfg.App, Work: s.work, Log: cfg.Log, Watch: s.Watch,
			CatchUp: func(ctx context.Context, id string) (*ui.State, error) { return catchUp(ctx, s, id) }})
		s.work.Go(s.viewers.Run) // Close waits for it
	}
	s.work.Go(lease.Sweeper{Store: cfg.Store, Bus: cfg.Bus, Work: s.work, Log: cfg.Log, Several: s.owner != nil,
		Time: cfg.LeaseTime, TakeOver: func(id string) {
			if err := takeOver(s, id); err != nil {
				cfg.Log.Warn("take over", "conversation", id, "err", logs.Quiet(err))
			}
		}}.Run) // Close waits for it
	if outbox.Needed(cfg.App, s.env.Agents != nil, cfg.Webhook != nil) {
		s.work.Go(s.outbox.Run) // Close waits for it; it ends when Close begins
	}
	return s, nil
}

// newSpeech returns the speech in the first language of the app.
func newSpeech(s *Service) speech {
	cfg := s.cfg
	check := validators.Runner{Time: cfg.CheckTime, Work: s.work, Log: cfg.Log}
	sp := speech{}
	sp.env = turn.Env{App: cfg.App, Recovery: worded(cfg.Recovery, cfg.App), Routing: turn.Routing(cfg.App),
		Renders: s.targets.Renders, Strict: cfg.Strict, Model: cfg.Model != nil, Router: cfg.Router != nil,
		Phrases: cfg.Phrases, Nonce: func() string { return s.ids.Hex(16) },
		Validate: func(sub capture.Submission) []capture.Warning { return check.Run(capture.Validators(), sub) },
		May:      func(user string, roles []string) bool { return s.records.May(user, roles) }}
	agents, ok := cfg.Model.(modelrun.Agents)
	if ok {
		sp.env.Agents = agents.Gateway()
	}
	sp.models = modelrun.Config{App: cfg.App, Model: cfg.Model, Agents: agents, Params: cfg.Params, Router: cfg.Router,
		MCP: cfg.MCP, Webhook: cfg.Webhook, Recovery: sp.env.Recovery, Ladders: &agent.LadderCache{}, Strict: cfg.Strict,
		Files: cfg.Store, Fit: sp.env.Fit,
		Summary: func(st *ui.State, e *ui.Event) string { return turn.Summary(sp.env, st, e) },
		Timeout: cfg.Timeout, AskTime: cfg.AskTime, RouteTime: cfg.RouteTime,
		Deltas: &s.deltas, Writer: func() string { return s.ids.Hex(8) }, Stop: s.work.Stop, Now: cfg.Now,
		Meter: cfg.Meter, Log: cfg.Log}
	return sp
}

// Close refuses new events and waits for running turns until ctx ends; what
// still runs then is cut off, and resumed by another node or at the next start.
func (s *Service) Close(ctx context.Context) error {
	s.work.End(ctx)
	return nil
}

// Records returns the records of the application as far as a principal may use them.
// What it saves counts as stored by the principal, and by the address of quota.FromAddress.
func (s *Service) Records(principal string) app.Records {
	return quota.Records{Records: s.records.For(records.ViewerOf(principal)), Stored: s.quotas.stored,
		Principal: principal, Meter: s.cfg.Meter}
}

// AllRecords returns the records of the application as the program itself uses them.
func (s *Service) AllRecords() app.Records { return s.records.For(records.Viewer{All: true}) }

// Forget removes old answers, see journal.Forget.
func (s *Service) Forget(ctx context.Context) (n int, err error) {
	return journal.Forget(ctx, s.cfg.Store, s.cfg.Now())
}

// App returns the application.
func (s *Service) App() *app.App { return s.cfg.App }

// Recovery returns the table of codes in a language of the application; "" is the first one.
func (s *Service) Recovery(language string) recovery.Table {
	if other, ok := s.spoken[language]; ok {
		return other().env.Recovery
	}
	return s.env.Recovery
}
