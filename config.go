package limn

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"net/http"
	"net/url"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/bus"
	"github.com/limn-ui/limn/compile"
	"github.com/limn-ui/limn/html"
	"github.com/limn-ui/limn/internal/components"
	"github.com/limn-ui/limn/internal/deliver"
	"github.com/limn-ui/limn/internal/foreign/page"
	"github.com/limn-ui/limn/internal/inspect"
	"github.com/limn-ui/limn/internal/localbus"
	"github.com/limn-ui/limn/internal/logs"
	"github.com/limn-ui/limn/internal/prove"
	"github.com/limn-ui/limn/internal/quota"
	"github.com/limn-ui/limn/internal/transport/a2a"
	"github.com/limn-ui/limn/internal/transport/agui"
	"github.com/limn-ui/limn/internal/transport/door"
	"github.com/limn-ui/limn/internal/transport/mcp"
	"github.com/limn-ui/limn/internal/transport/streams"
	"github.com/limn-ui/limn/internal/transport/web"
	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/llm/scripted"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/store/memory"
	"github.com/limn-ui/limn/trace"
	"github.com/limn-ui/limn/ui"
	browser "github.com/limn-ui/limn/web"
)

// Config configures a Server. Only App is required.
type Config struct {
	App   *app.App
	Store store.Store // default: in memory, lost when the process ends
	Bus   bus.Bus     // default: within this process
	Model llm.Model   // default: a scripted model derived from App
	// sent with each request to Model, as far as its capabilities allow: temperature, top_p, top_k,
	// provider (of OpenRouter), …; default: none
	Params map[string]any
	// a small model that routes messages where no rule applies; default: rules only
	Router    llm.Model
	Telemetry trace.Sink   // gets events, without anything a user wrote; default: none
	Metrics   http.Handler // answers GET /metrics, such as trace/metrics; default: there is no such address
	Meter     trace.Meter  // counts events, such as trace/metrics; default: none
	Targets   []string     // drawings to offer, of Targets(); default: all
	Doors     []string     // further protocols to serve, of Doors(); default: none
	// v09.js and v08.js, the bundles of the official A2UI renderers for browsers; default: those built
	// into package web
	Assets fs.FS
	// where the server is mounted in a router of the program's own, such as /assistant; default: at
	// the root
	Prefix string
	// other origins whose pages may use the API (CORS), such as https://app.example; default: none
	Origins []string
	// how browsers reach the server, such as https://desk.example: for upload pages and pictures of
	// A2UI drawings; https makes cookies Secure
	Base    string
	Webhook WebhookFunc // default: webhook actions fail
	// how long a handler or webhook may take: 30 s; a webhook that is called later and was cut off by
	// a crash is called again after twice that
	Timeout time.Duration
	MCP     MCP // where the app's tools of MCP servers are; default: they are not offered
	// pause after the first failed try of a webhook that is called later, then six times longer each:
	// 5 s
	Retry time.Duration
	Tries int // of such a webhook until it is given up: 8, which takes about a day
	// Own catalogs, which App.Catalogs refers to by id. Several with one id are for several
	// versions of A2UI; the other versions get the basic catalog.
	Catalogs []*a2ui.Catalog
	Recovery Recovery     // default: DefaultRecovery(); the app's own `recovery` comes on top
	Strict   bool         // refuse what would be coerced or recovered; for development and tests
	Log      *slog.Logger // default: discards; lines about a request carry its request_id

	// Authenticate says who sends a request, such as the subject of a session
	// cookie, of a verified token or of a client certificate; conversations belong
	// to the principal it names. Handlers get that name; docs/security.md says how it
	// is stored. It is called for every request, streams included. An error is 401,
	// ErrForbidden 403, a *ui.Error the status of its code. Default: the server gives
	// every client a token, by cookie and bearer.
	Authenticate func(*http.Request) (principal string, err error)

	// Roles are those of a principal that Authenticate named, for the records of others
	// (app.RecordSpec). It is called for each request for them. Default: no roles.
	Roles func(principal string) []string

	Hosts  []string // the hosts that requests may be for, without ports, such as desk.example; default: any
	Limits Limits   // what one principal, and one address, may use; defaults that no person reaches
	// the bearer token that opens GET /metrics; default: this machine only, and nothing that passed a
	// proxy
	MetricsToken string

	// the bearer token of programs that write live data over HTTP (docs/live.md); default: none may
	DataToken string

	// Inspector says who may see all that happened in any conversation (docs/howto/inspect.md); default:
	// the inspector is off
	Inspector Inspector

	// Node names this start of this process among those on Store, such as NewNode();
	// every process on it has a Node. Default: no other process uses Store.
	Node      string
	LeaseTime time.Duration // how long work stays with a node that falls silent; default 10 s
	Poll      time.Duration // how late a hint that Bus loses is made up for; default 1 s

	CacheBytes int64 // about how many bytes of conversations are kept in memory; default 512 MiB

	KeepFrames int // frames of a conversation that are kept when snapshots have made older ones unneeded; default 4,096

	// wraps the handler that Run and Serve use, such as with a log of requests; default: nothing does
	Around func(http.Handler) http.Handler

	// how long Run goes on after its context ends, no longer ready, so that a balancer sends requests
	// elsewhere; default 0
	DrainWait time.Duration

	phrases bool                 // the model is the default one: rules open forms
	scripts map[string]llm.Model // the default one in the other languages of App
}

// ConfigError is a field of Config that cannot be used as it is.
type ConfigError struct {
	Field string // of Config, such as Base
	Why   string // and the accepted form
}

// Error implements error.
func (e *ConfigError) Error() string { return "limn: Config." + e.Field + " " + e.Why }

// Limits is what one principal, and one address, may use of a Server.
type Limits = web.Quota

// Inspector says who may inspect conversations (Config.Inspector).
type Inspector = web.Inspector

// Story is a source for the playground of the inspector (Inspector.Stories).
type Story = inspect.Story

// Runs bounds model runs (Limits.Runs).
type Runs = quota.Runs

// Daily bounds the use of a day (Limits.Stored).
type Daily = quota.Daily

// NewNode returns a name for Config.Node that no other process has.
func NewNode() string {
	host, _ := os.Hostname()
	return fmt.Sprintf("%.64s-%d-%s", host, os.Getpid(), rand.Text())
}

// ErrForbidden is what Config.Authenticate returns for a user who is known and may not come in.
var ErrForbidden = web.ErrForbidden

// Targets returns the names of all drawings in the order pages list them.
func Targets() []string {
	return []string{"html", "v0.9", "v0.8", "v0.9.1", "v1.0", "v1.0-2026-10", "v1.0-rc"}
}

// doors are the protocols beside the web API, each with its door.
var doors = map[string]func() door.Door{"a2a": a2a.New, "agui": agui.New, "mcp": mcp.New, "streams": streams.New}

// Doors returns the names of all further protocols.
func Doors() []string { return slices.Sorted(maps.Keys(doors)) }

// open returns the doors that are named.
func (c Config) open() (map[string]door.Door, error) {
	out := map[string]door.Door{}
	for i, name := range c.Doors {
		open, ok := doors[name]
		if !ok {
			return nil, &ConfigError{"Doors", fmt.Sprintf("names an unknown door %q: want some of %s", name,
				strings.Join(Doors(), ", "))}
		}
		if slices.Contains(c.Doors[:i], name) {
			return nil, &ConfigError{"Doors", fmt.Sprintf("names %q twice", name)}
		}
		out[name] = open()
	}
	return out, nil
}

// defaultTargets are the drawings that shipping renderers show.
func defaultTargets() []string { return Targets()[:3] }

func (c Config) withDefaults() (Config, error) {
	if c.App == nil {
		return c, &ConfigError{"App", "is required"}
	}
	for _, key := range slices.Sorted(maps.Keys(c.Params)) {
		if llm.Reserved(key) {
			return c, &ConfigError{"Params", strconv.Quote(key) + ": Limn decides this key itself"}
		}
	}
	if c.Store == nil {
		c.Store = memory.New()
	}
	if c.Bus == nil {
		c.Bus = localbus.New()
	}
	if c.Model == nil {
		m, err := scripted.New(c.App.Script())
		if err != nil {
			return c, fmt.Errorf("script of app %s: %w", c.App.Config().Name, err)
		}
		c.Model, c.phrases = m, true
		c.scripts = map[string]llm.Model{}
		for _, lang := range c.App.Config().Languages[1:] {
			if c.scripts[lang], err = scripted.New(c.App.In(lang).Script()); err != nil {
				return c, fmt.Errorf("script of app %s in %s: %w", c.App.Config().Name, lang, err)
			}
		}
	}
	if len(c.Targets) == 0 {
		c.Targets = defaultTargets()
	}
	if err := c.checkAddresses(); err != nil {
		return c, err
	}
	if c.Assets == nil {
		c.Assets, _ = browser.Bundles()
	}
	if c.Meter == nil {
		c.Meter = trace.NoMeter()
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	c.Log = slog.New(logs.Handler(c.Log.Handler()))
	return c, nil
}

// checkAddresses checks where browsers reach the server, and from where.
func (c Config) checkAddresses() error {
	if c.Base != "" {
		u, err := url.Parse(c.Base)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil ||
			u.RawQuery != "" || u.Fragment != "" {
			said := c.Base
			if _, _, ok := strings.Cut(said, "@"); ok { // perhaps a password
				said = "…"
			}
			return &ConfigError{"Base", fmt.Sprintf("%q: want an address such as https://desk.example", said)}
		}
	}
	if clean := path.Clean(c.Prefix); c.Prefix != "" &&
		(clean != c.Prefix || clean[0] != '/' || clean == "/" ||
			url.PathEscape(clean[1:]) != strings.ReplaceAll(clean[1:], "/", "%2F")) {
		return &ConfigError{"Prefix", fmt.Sprintf("%q: want a path such as /assistant, without a slash at its end",
			c.Prefix)}
	}
	for _, origin := range c.Origins {
		u, err := url.Parse(origin)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.Scheme+"://"+u.Host != origin {
			return &ConfigError{"Origins",
				fmt.Sprintf("%q: want an origin such as https://app.example, without a path", origin)}
		}
	}
	return nil
}

// picturesUntil is when the address of a picture ends that is drawn at a time: at
// the end of the next day, so that it holds for a day at least and stays the same
// for one.
func picturesUntil(at time.Time) int64 {
	const day = 24 * 60 * 60
	return (at.Unix()/day + 2) * day
}

// Drawings builds the drawings of Config.Targets as a Server made of c offers
// them, drawn at the time that now says; nil: time.Now.
func (c Config) Drawings(now func() time.Time) ([]Drawing, error) {
	c, err := c.withDefaults()
	if err != nil {
		return nil, err
	}
	if now == nil {
		now = time.Now
	}
	return c.targets(now)
}

// catalogs returns the catalogs of surfaces for a version, by what App.Catalogs names. All
// that the application declares can be drawn with them.
func (c Config) catalogs(d a2ui.Dialect) (map[string]*a2ui.Catalog, error) {
	out := map[string]*a2ui.Catalog{}
	named := c.App.Config().Catalogs
	for _, of := range slices.Sorted(maps.Keys(named)) {
		id, known := named[of], false
		for _, doc := range c.Catalogs {
			if doc.ID != id {
				continue
			}
			if known = true; doc.Fits(d.Protocol()) {
				out[of] = doc
			}
		}
		if !known {
			return nil, &ConfigError{"Catalogs",
				fmt.Sprintf("has none with the id %q, which the application names under catalogs for %s", id, of)}
		}
	}
	if len(out) == 0 {
		return nil, nil
	}
	return out, c.drawable(compile.Target{Dialect: d, Rules: &compile.Rules{Catalogs: out}})
}

// withComponents is a target with Limn's own catalog for all surfaces that the application
// gives none, nil if there are no such surfaces, or no such catalog.
func withComponents(t compile.Target) *compile.Target {
	c := components.For(t.Dialect)
	if _, all := t.Rules.Catalogs["*"]; all || c == nil {
		return nil
	}
	rules := *t.Rules
	rules.Catalogs = map[string]*a2ui.Catalog{"*": c.Catalog}
	maps.Copy(rules.Catalogs, t.Rules.Catalogs)
	t.Rules = &rules
	return &t
}

// drawable draws all forms, tables, maps and fixed views of the application.
func (c Config) drawable(t compile.Target) error {
	a := c.App
	for _, o := range a.Openings() {
		s, _, err := ui.Apply(a.NewState(""), &ui.Frame{Seq: 1, Ops: ui.Ops{o.Op("")}}, a.Config().Limits)
		if err != nil {
			return fmt.Errorf("open %s: %w", o.Surface, err)
		}
		batches, err := compile.Snapshot(t, s)
		if failures, ok := errors.AsType[compile.Failures](err); ok {
			err = failures[0].Err // the surface is named below
		} else if problems := a2ui.Validate(prove.Rules(t), batches.Messages()); len(problems) > 0 {
			err = &problems[0]
		}
		if err != nil {
			return &ConfigError{"Catalogs", fmt.Sprintf("cannot draw %s in A2UI %s: %v", o.Surface, t.Dialect, err)}
		}
	}
	return nil
}

// inspected are the drawings in which an application is inspected, as those of a Server made
// of c.
func (c Config) inspected(a *app.App, base string, at time.Time) ([]deliver.Target, error) {
	pages := slices.Contains(c.Targets, "html")
	c.App, c.Base, c.Targets = a, base, inspect.Targets()
	list, err := c.targets(func() time.Time { return at })
	for _, t := range list {
		if t.HTML == nil {
			t.A2UI.Rules.NoPages = !pages
		}
	}
	return list, err
}

func (c Config) targets(now func() time.Time) ([]deliver.Target, error) {
	cfg := c.App.Config()
	rules := &compile.Rules{Limits: cfg.A2UILimits, Allowed: c.App.Allowed,
		Words: cfg.Words, Languages: map[string]ui.Words{}, Accent: cfg.Theme.Accent,
		Base:     strings.TrimSuffix(c.Base, "/") + c.Prefix,
		SendData: cfg.SendDataModel, NoPages: !slices.Contains(c.Targets, "html"),
		Until: func() int64 { return picturesUntil(now()) }}
	for _, lang := range cfg.Languages[1:] {
		rules.Languages[lang] = c.App.In(lang).Config().Words
	}
	var out []deliver.Target
	for _, name := range c.Targets {
		t := deliver.Target{Name: name}
		if name == "html" {
			t.HTML = func(s *ui.State) html.Options {
				at := c.Prefix + "/c/" + s.ID
				return html.Options{Words: c.App.In(s.Router.Language).Config().Words, Action: at + "/actions",
					Records: c.Prefix + "/records", Conversation: s.ID, Uploads: at + "/uploads", Rows: at + "/rows",
					MaxUpload: web.MaxUpload, Icons: c.Prefix + "/assets/icons.svg#", Foreign: page.Of}
			}
		} else {
			d, err := a2ui.ParseDialect(name)
			if err != nil || a2ui.Basic(d) == nil {
				return nil, &ConfigError{"Targets",
					fmt.Sprintf("names an unknown drawing %q: want some of %s", name, strings.Join(Targets(), ", "))}
			}
			own := *rules
			if own.Catalogs, err = c.catalogs(d); err != nil {
				return nil, err
			}
			t.A2UI = compile.Target{Dialect: d, Rules: &own}
			t.Own = withComponents(t.A2UI)
		}
		if slices.ContainsFunc(out, func(o deliver.Target) bool { return o.Name == name }) {
			return nil, &ConfigError{"Targets", fmt.Sprintf("names %q twice", name)}
		}
		out = append(out, t)
	}
	return out, nil
}
