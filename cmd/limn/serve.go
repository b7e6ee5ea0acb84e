package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/limn-ui/limn"
	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/bus"
	"github.com/limn-ui/limn/cmd/limn/a2uicmd"
	"github.com/limn-ui/limn/cmd/limn/term"
	"github.com/limn-ui/limn/internal/heap"
	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/mcp"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/store/postgres"
	"github.com/limn-ui/limn/trace"
	"github.com/limn-ui/limn/trace/metrics"
	"github.com/limn-ui/limn/web"
)

type serveCommand struct {
	App     string   `arg:"" optional:"" type:"path" help:"${serve_app}"`
	Addr    string   `default:"127.0.0.1:8080" help:"Where to listen."`
	Store   string   `default:"sqlite:limn.db" env:"LIMN_STORE" help:"${serve_store}"`
	Bus     string   `env:"LIMN_BUS" help:"${serve_bus}"`
	Targets []string `default:"${targets}" help:"${serve_targets}"`
	Doors   []string `name:"door" help:"${serve_door}"`
	Base    string   `help:"${serve_base}"`
	Prefix  string   `help:"Where a proxy mounts this server, such as /assistant."`
	Origins []string `help:"Other origins whose pages may use the API, such as https://app.example."`

	catalogFlag
	logFlags
	nodeFlags
	Strict bool `help:"${serve_strict}"`

	modelFlags
	guardFlags
	signInFlags
	inspectFlags
	laterFlags
	mcpFlags

	gateway *gatewayParts // of limn gateway; nil: an application is served
}

// catalogFlag names the files of catalogs that an application names by their ids.
type catalogFlag struct {
	Catalogs []string `placeholder:"FILES" help:"${serve_catalogs}"`
}

func (c catalogFlag) catalogs() ([]*a2ui.Catalog, error) {
	list, err := a2uicmd.ReadCatalogs(c.Catalogs)
	if err != nil {
		return nil, fmt.Errorf("--catalogs: %w", err)
	}
	return list, nil
}

// logFlags select a server's reports of its work.
type logFlags struct {
	Telemetry string `help:"${serve_telemetry}"`
	Metrics   bool   `help:"Answer GET /metrics in the format of Prometheus."`
	Log       string `default:"warn" enum:"debug,info,warn,error" help:"${serve_log}"`
	LogFormat string `default:"text" enum:"text,json" help:"How: text or json, one line each."`
}

// nodeFlags are about one node among those that share a store.
type nodeFlags struct {
	Cache     int           `default:"512" help:"${serve_cache}"`
	LeaseTime time.Duration `default:"10s" help:"${serve_lease_time}"`
	Poll      time.Duration `default:"1s" help:"${serve_poll}"`
	DrainWait time.Duration `default:"0s" help:"${serve_drain_wait}"`
}

// Help is shown below the options.
func (serveCommand) Help() string {
	return `Without a model the rules and a scripted one answer. To use a model, set
  LIMN_MODEL       its name
  LIMN_MODEL_URL   an OpenAI-compatible endpoint, such as http://127.0.0.1:11434/v1,
  LIMN_PROVIDER    or who provides it, such as openai or anthropic
  LIMN_MODEL_KEY   its key, if it needs one
  LIMN_ROUTER_KEY  the key for --router-url`
}

// parts are what serving needs beside a store, a bus and an address.
type parts struct {
	app     *app.App
	model   llm.Model
	answers string // who answers, for people
	router  llm.Model
	params  map[string]any // of requests to model
	log     *slog.Logger
	limits  limn.Limits
	tools   *mcp.Client // nil: no MCP server is given
	own     []*a2ui.Catalog
	inspect limn.Inspector
}

// parts reads the files that the flags name, and opens nothing that lasts.
func (c serveCommand) parts(t term.Terminal) (p parts, err error) {
	if c.gateway != nil {
		p.app, p.model, p.own, p.answers = c.gateway.app, c.gateway.agents, c.gateway.catalogs, c.gateway.answers
	} else if p, err = c.application(t); err != nil {
		return p, err
	}
	c.Undropped = c.Strict || p.app.Config().Strict
	if p.params, err = c.params(); err != nil {
		return p, err
	}
	if p.router, err = c.router(t.Env); err != nil {
		return p, err
	}
	if c.gateway != nil && p.router == nil {
		if err := c.gateway.agents.NeedModel(); err != nil {
			return p, err
		}
	}
	if p.log, err = c.logger(t.Err); err != nil {
		return p, err
	}
	if err := c.times(); err != nil {
		return p, err
	}
	if c.Metrics && c.Base != "" && c.MetricsToken == "" {
		return p, errors.New(
			"--metrics with --base needs --metrics-token: behind a proxy on this machine " +
				"everybody may look like this machine")
	}
	if p.inspect, err = c.inspector(c.Base); err != nil {
		return p, err
	}
	p.tools, err = c.mcpServers(p.app, t.Env, p.log)
	return p, err
}

// application reads the application, and opens the model that answers in it.
func (c serveCommand) application(t term.Terminal) (p parts, err error) {
	if p.app, err = loadApp(c.App, t.Env); err != nil {
		return p, err
	}
	if p.own, err = c.catalogs(); err != nil {
		return p, err
	}
	c.Undropped = c.Strict || p.app.Config().Strict
	p.model, p.answers, err = c.open(t.Env)
	return p, err
}

// Run serves until the context ends.
func (c serveCommand) Run(ctx context.Context, t term.Terminal) error {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends the program at once
	defer writeOn()()
	heap.Roomy()
	var k kept
	return errors.Join(c.serve(ctx, t, &k), k.close())
}

// writeOn lets a write to standard output or error fail if its reader is gone. Without it
// that ends the program. The programs that it starts do not inherit this.
func writeOn() (stop func()) {
	gone := make(chan os.Signal, 1)
	signal.Notify(gone, syscall.SIGPIPE)
	return func() { signal.Stop(gone) }
}

// kept is what outlives a restart of the server within the program.
type kept struct {
	addr   string // where the first one listened; "": none did
	store  store.Store
	bus    bus.Bus
	closes []func() error // of these, in order of opening

	problems *problems // that pages show; nil: none do
}

func (k *kept) open(c serveCommand, log *slog.Logger) error {
	if k.store != nil {
		return nil
	}
	st, closeStore, err := openStore(c.Store)
	if err != nil {
		return err
	}
	k.store, k.closes = st, append(k.closes, closeStore)
	hints, closeBus, err := openBus(c.Bus, st, log)
	if err != nil {
		return err
	}
	k.bus, k.closes = hints, append(k.closes, closeBus)
	return nil
}

func (k *kept) close() (err error) {
	for _, one := range slices.Backward(k.closes) {
		err = errors.Join(err, one())
	}
	return err
}

// serve serves until the context ends, with what k has; it opens what k lacks.
func (c serveCommand) serve(ctx context.Context, t term.Terminal, k *kept) error {
	p, err := c.parts(t)
	if err != nil {
		return err
	}
	if p.tools != nil {
		defer p.tools.Close()
	}
	l, err := listen(cmp.Or(k.addr, c.Addr))
	if err != nil {
		return err
	}
	defer l.Close()
	if p.limits, err = c.limits(); err != nil {
		return err
	}
	hooks, err := c.webhooks(l.Addr())
	if err != nil {
		return err
	}
	if err := k.open(c, p.log); err != nil {
		return err
	}
	cfg := c.config(p, l.Addr())
	cfg.Store, cfg.Bus, cfg.Webhook = k.store, k.bus, hooks.Post
	if _, ok := k.store.(*postgres.Store); ok { // others may use it too
		cfg.Node = limn.NewNode()
	}
	if err := c.signInFlags.apply(&cfg); err != nil {
		return err
	}
	if k.problems != nil {
		cfg.Around = k.problems.around(c.Prefix, cfg.Hosts)
	}
	closeSinks, err := c.openSinks(t.Out, &cfg)
	if err != nil {
		return err
	}
	srv, err := limn.New(cfg)
	if err != nil {
		return errors.Join(byFlag(err), closeSinks())
	}
	if k.addr == "" {
		k.addr = l.Addr().String()
		_, built := web.Bundles()
		c.greet(t, p.app, cfg.Base+c.Prefix, p.answers, built)
	} else {
		fmt.Fprintf(t.Out, "%s changed: it is served as it is now.\n", term.Clean(c.App))
	}
	err = srv.Serve(ctx, l)
	return errors.Join(err, closeSinks())
}

// config is the configuration of a server that listens on addr.
func (c serveCommand) config(p parts, addr net.Addr) limn.Config {
	cfg := limn.Config{App: p.app, Model: p.model, Router: p.router, Params: p.params, Targets: c.Targets,
		Doors: c.Doors,
		Base:  cmp.Or(c.Base, "http://"+addr.String()), Prefix: c.Prefix, Origins: c.Origins, Log: p.log,
		Timeout: c.WebhookTime, Retry: c.Retry, Tries: c.Tries, Limits: p.limits, MetricsToken: c.MetricsToken,
		DataToken: c.DataToken,
		Hosts:     c.hosts(addr), CacheBytes: int64(max(1, c.Cache)) << 20, LeaseTime: c.LeaseTime, Poll: c.Poll,
		DrainWait: c.DrainWait, Strict: c.Strict, Catalogs: p.own, Inspector: p.inspect}
	if p.tools != nil {
		cfg.MCP = p.tools
	}
	return cfg
}

// byFlag names the flag that a field of the configuration comes from.
func byFlag(err error) error {
	if field, ok := errors.AsType[*limn.ConfigError](err); ok {
		name := strings.ToLower(field.Field)
		switch name {
		case "params":
			name = "model-params"
		case "doors":
			name = "door"
		}
		return fmt.Errorf("--%s %s", name, field.Why)
	}
	return err
}

// logger is what --log and --log-format ask for.
func (c logFlags) logger(to io.Writer) (*slog.Logger, error) {
	var level slog.Level
	if err := level.UnmarshalText([]byte(c.Log)); err != nil {
		return nil, err
	}
	opts := &slog.HandlerOptions{Level: level}
	if c.LogFormat == "json" {
		return slog.New(slog.NewJSONHandler(to, opts)), nil
	}
	return slog.New(slog.NewTextHandler(to, opts)), nil
}

// openSinks opens the sinks of --telemetry and --metrics; the function closes them.
func (c logFlags) openSinks(out io.Writer, cfg *limn.Config) (func() error, error) {
	var sinks []trace.Sink
	done := func() error { return nil }
	if c.Telemetry != "" {
		to, closeFile := out, done
		if c.Telemetry != "-" {
			f, err := os.OpenFile(c.Telemetry, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
			if err != nil {
				return nil, fmt.Errorf("--telemetry: %w", err)
			}
			to, closeFile = f, f.Close
		}
		lines := trace.NewLines(to)
		sinks = append(sinks, lines)
		done = func() error {
			err := lines.Close()
			if n := lines.Dropped(); n > 0 {
				cfg.Log.Warn("telemetry was dropped", "events", n)
			}
			return errors.Join(err, closeFile())
		}
	}
	if c.Metrics {
		m := metrics.New()
		sinks, cfg.Metrics, cfg.Meter = append(sinks, m), m, m
	}
	cfg.Telemetry = trace.Multi(sinks...)
	return done, nil
}

// greet prints the address and what to type.
func (c serveCommand) greet(t term.Terminal, a *app.App, base, model string, built bool) {
	fmt.Fprintf(t.Out, "%s is at %s\n", a.Config().Title, base)
	fmt.Fprintf(t.Out, "  kept in   %s\n  answers   %s\n", redacted(c.Store), model)
	if !built {
		fmt.Fprintln(t.Out,
			"  drawings  HTML; the pages of the official A2UI renderers are not built in "+
				"('make build' with Node.js does that)")
	}
	if c.Inspect {
		fmt.Fprintf(t.Out, "  inspector %s/inspect\n", base)
	}
	if s := a.Suggestions(); len(s) > 0 {
		fmt.Fprintln(t.Out, "Open it and type, for example:")
		for _, line := range s {
			fmt.Fprintln(t.Out, "  "+line)
		}
	}
	fmt.Fprintln(t.Out, "Stop with Ctrl-C.")
}

// listen names the flag, and explains the commonest failure.
func listen(addr string) (net.Listener, error) {
	l, err := net.Listen("tcp", addr)
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, fmt.Errorf(
			"%s is in use by another program; choose another with --addr, such as --addr 127.0.0.1:8081", addr)
	}
	if err != nil {
		return nil, fmt.Errorf("--addr: %w", err)
	}
	return l, nil
}
