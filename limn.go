package limn

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/compile"
	"github.com/limn-ui/limn/internal/deliver"
	"github.com/limn-ui/limn/internal/inspect"
	"github.com/limn-ui/limn/internal/prove"
	"github.com/limn-ui/limn/internal/quota"
	"github.com/limn-ui/limn/internal/session"
	"github.com/limn-ui/limn/internal/transport"
	"github.com/limn-ui/limn/internal/transport/web"
)

// Server is one application over HTTP.
type Server struct {
	cfg     Config
	service *session.Service
	web     *web.Server
}

// New wires a Server. Close it when done; stores it was given are the caller's
// to close.
func New(cfg Config) (*Server, error) {
	cfg, err := cfg.withDefaults()
	if err != nil {
		return nil, err
	}
	targets, err := cfg.targets(time.Now)
	if err != nil {
		return nil, err
	}
	doors, err := cfg.open()
	if err != nil {
		return nil, err
	}
	var draws []compile.Target
	var pages []prove.Page
	for _, t := range targets {
		if t.HTML == nil {
			draws = append(draws, t.A2UI)
			if t.Own != nil {
				draws = append(draws, *t.Own)
			}
		} else {
			pages = append(pages, prove.Page{Name: t.Name, Print: t.Fingerprint(cfg.App.Fingerprint()),
				Update: t.Update})
		}
	}
	service, err := session.New(session.Config{App: cfg.App, Store: cfg.Store, Bus: cfg.Bus, Model: cfg.Model,
		Params: cfg.Params, Router: cfg.Router, Tell: cfg.Telemetry, Meter: cfg.Meter, Phrases: cfg.phrases,
		Scripts: cfg.scripts,
		Targets: draws, Pages: pages,
		Recovery: cfg.Recovery, Webhook: cfg.Webhook, MCP: cfg.MCP, Runs: cfg.Limits.Runs,
		Stored: quota.Daily{Principal: cmp.Or(cfg.Limits.Stored.Principal, 256<<20),
			Address: cmp.Or(cfg.Limits.Stored.Address, 2<<30)},
		Timeout: cfg.Timeout, Retry: cfg.Retry, Tries: cfg.Tries, Log: cfg.Log, Node: cfg.Node,
		Strict:    cfg.Strict || cfg.App.Config().Strict,
		Roles:     cfg.Roles,
		LeaseTime: cfg.LeaseTime, Poll: cfg.Poll, Keep: cfg.KeepFrames, CachedBytes: cfg.CacheBytes})
	if err != nil {
		return nil, err
	}
	most := cmp.Or(cfg.Limits.AllStreams, deliver.DefaultStreams)
	if room := transport.StreamsFor(most); room < most {
		cfg.Log.Debug("streams are bounded by the file descriptors of this process", "streams", room, "hint",
			"raise the limit (ulimit -n) for more")
		most = room
	}
	streams := deliver.New(deliver.Config{Source: service, App: cfg.App.Fingerprint(), Meter: cfg.Meter, Log: cfg.Log,
		PerPrincipal: cfg.Limits.Streams, PerNetwork: cfg.Limits.NetStreams, Streams: most})
	srv, err := web.New(web.Config{Service: service, Deliver: streams, Targets: targets,
		Blobs: cfg.Store, Metrics: cfg.Metrics, Meter: cfg.Meter, Assets: cfg.Assets,
		Secure: strings.HasPrefix(cfg.Base, "https://"), Log: cfg.Log, Authenticate: cfg.Authenticate,
		Prefix: cfg.Prefix, Origins: cfg.Origins, Allow: cfg.Limits, Hosts: cfg.Hosts, MetricsToken: cfg.MetricsToken,
		DataToken: cfg.DataToken, Doors: doors, Inspector: cfg.Inspector, Logs: cfg.Store,
		Inspect: inspect.Env{App: cfg.App, Targets: cfg.inspected, Base: cfg.Base}})
	if err != nil {
		ended, cancel := context.WithCancel(context.Background())
		cancel() // it waits for no turn
		return nil, errors.Join(err, service.Close(ended))
	}
	return &Server{cfg: cfg, service: service, web: srv}, nil
}

// Handler returns the handler of all addresses: API, pages and streams.
func (s *Server) Handler() http.Handler { return s.web }

// Service returns the conversations, for programs that submit events themselves.
func (s *Server) Service() *Service { return s.service }

// Records are the records of the application, all of them, for the program itself.
func (s *Server) Records() app.Records { return s.service.AllRecords() }

// Live writes data of the application that views show.
func (s *Server) Live() app.Live { return s.service.Live() }

// Timeouts of Run. Streams have separate deadlines.
const (
	headerTimeout = 10 * time.Second // until the headers are read
	bodyTimeout   = time.Minute      // until the body is read too
	writeTimeout  = 2 * time.Minute  // until an answer is written
	idleTimeout   = 2 * time.Minute  // between requests of a connection
	drainTimeout  = 10 * time.Second // until requests, and then turns, that still run are cut off
	forgetEvery   = time.Hour        // between two rounds of forgetting old answers
)

// Run listens on addr and serves until ctx ends, then drains and returns nil: it
// is no longer ready, and after Config.DrainWait streams are closed, requests that
// wait are answered and running turns finished. What is cut off then another node
// takes over, or the next start.
// A busy port is an error that names it. A Server runs once.
func (s *Server) Run(ctx context.Context, addr string) error {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return fmt.Errorf("listen on %s: %w", addr, err)
	}
	return s.Serve(ctx, l)
}

// Serve is Run on a listener of the caller's.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	h := s.server()
	failed := make(chan error, 1)
	go func() { failed <- h.Serve(l) }() // ends with Shutdown or Close below
	go s.forgetAnswers(ctx)              // ends with ctx
	var err error
	select {
	case err = <-failed:
		err = fmt.Errorf("serve on %s: %w", l.Addr(), err)
	case <-ctx.Done():
	}
	s.web.Leave()
	if s.cfg.DrainWait > 0 && err == nil {
		s.cfg.Log.Info("no longer ready", "for", s.cfg.DrainWait)
		select {
		case err = <-failed:
			err = fmt.Errorf("serve on %s: %w", l.Addr(), err)
		case <-time.After(s.cfg.DrainWait):
		}
	}
	s.web.Drain()
	stopErr := within(drainTimeout, ctx, h.Shutdown)
	if stopErr != nil {
		err = errors.Join(err, fmt.Errorf("requests were cut off after %v: %w", drainTimeout, stopErr))
	}
	err = errors.Join(err, within(drainTimeout, ctx, s.Close))
	h.Close()
	return err
}

// within gives a step of stopping its own time, though ctx has ended.
func within(d time.Duration, ctx context.Context, step func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), d)
	defer cancel()
	return step(ctx)
}

// forgetAnswers forgets answers that are too old to be asked for again.
func (s *Server) forgetAnswers(ctx context.Context) {
	tick := time.NewTicker(forgetEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if n, err := s.service.Forget(ctx); err != nil {
				s.cfg.Log.Warn("forget old answers", "err", err)
			} else if n > 0 {
				s.cfg.Log.Info("forgot old answers", "events", n)
			}
		}
	}
}

// server is the HTTP server of Run. What it has to say goes to the log.
func (s *Server) server() *http.Server {
	h := http.Handler(s.web)
	if s.cfg.Around != nil {
		h = s.cfg.Around(h)
	}
	return &http.Server{Handler: h, ReadHeaderTimeout: headerTimeout, ReadTimeout: bodyTimeout,
		WriteTimeout: writeTimeout,
		IdleTimeout:  idleTimeout, MaxHeaderBytes: 64 << 10,
		ErrorLog: slog.NewLogLogger(s.cfg.Log.Handler(), slog.LevelWarn)}
}

// Close refuses new events and waits for running turns until ctx ends; turns that are
// cut off then are resumed at the next start.
func (s *Server) Close(ctx context.Context) error {
	s.web.Drain()
	return s.service.Close(ctx)
}
