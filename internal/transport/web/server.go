package web

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"maps"
	"net/http"
	"net/netip"
	"net/url"
	"path"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/limn-ui/limn/internal/agent"
	"github.com/limn-ui/limn/internal/deliver"
	"github.com/limn-ui/limn/internal/ingress"
	"github.com/limn-ui/limn/internal/inspect"
	"github.com/limn-ui/limn/internal/logs"
	"github.com/limn-ui/limn/internal/recovery"
	"github.com/limn-ui/limn/internal/session"
	"github.com/limn-ui/limn/internal/transport/door"
	"github.com/limn-ui/limn/internal/transport/limit"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/trace"
	"github.com/limn-ui/limn/ui"
	browser "github.com/limn-ui/limn/web"
)

// Config configures a Server. Service and Deliver are required.
type Config struct {
	Service   *session.Service
	Deliver   *deliver.Deliverer
	Targets   []deliver.Target // the drawings clients may ask for, by Name; at least one
	Blobs     store.Blobs      // uploads; required
	Assets    fs.FS            // the bundles of the official renderers; nil: the HTML drawing only
	Metrics   http.Handler     // answers GET /metrics; nil: there is no such address
	Meter     trace.Meter      // default: nothing is counted
	Limits    ingress.Limits
	MaxUpload int64         // bytes of one file: 8 MiB
	Secure    bool          // mark cookies Secure though this process sees no TLS: it is ended in front
	Retry     time.Duration // reconnect hint of streams, up to twice of which is sent: 1 s
	Log       *slog.Logger  // default: discards

	Allow        Quota
	Hosts        []string  // the hosts that requests may be for, without ports; none: any
	MetricsToken string    // the bearer token that opens GET /metrics; "": this machine only
	DataToken    string    // the bearer token of programs that write data; "": none may
	Prefix       string    // where the server is mounted, such as /assistant; "": at the root
	Origins      []string  // other origins whose pages may use the API, such as https://app.example; none
	Inspector    Inspector // who may inspect conversations; zero: no one
	Inspect      inspect.Env
	Logs         Logs                 // required with an Inspector
	Doors        map[string]door.Door // by their names in metrics and traces
	Authenticate AuthFunc             // who sends a request; nil: the cookie or bearer token that the server gave
}

// Server is the handler of all addresses. Each part of it embeds the one below
// it: answers, then gate, then eventAPI, then uploads, then host.
type Server struct {
	*gate
	events  *eventAPI
	reads   *readAPI
	streams *streamAPI
	uploads *uploads
	host    *host
	records *recordAPI
	live    *liveAPI
	shares  *shareAPI
	support *operatorAPI
	inspect *inspectAPI

	guard   *http.CrossOriginProtection // pages of other origins change nothing here
	handler http.Handler
	doorAt  map[string]string // the names of doors by their paths
	leaving atomic.Bool       // not ready any more
	cut     context.CancelFunc
}

// answers looks up the target and catalog of a request and writes its problem.
type answers struct {
	*site
	cfg     Config
	targets map[string]deliver.Target
	stop    context.Context // ends when streams must close
}

// eventAPI takes events and answers what became of them.
type eventAPI struct{ *gate }

// readAPI answers with the current state of a conversation.
type readAPI struct{ *gate }

// host serves the pages around the drawings, and their forms.
type host struct{ *uploads }

// MaxUpload is the default of Config.MaxUpload: 8 MiB.
const MaxUpload = 8 << 20

// New returns a Server.
func New(cfg Config) (*Server, error) {
	if cfg.Service == nil || cfg.Deliver == nil || len(cfg.Targets) == 0 {
		return nil, errors.New("web: Service, Deliver and a target are required")
	}
	if cfg.MaxUpload == 0 {
		cfg.MaxUpload = MaxUpload
	}
	if cfg.Retry == 0 {
		cfg.Retry = time.Second
	}
	if cfg.Meter == nil {
		cfg.Meter = trace.NoMeter()
	}
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	if cfg.Limits.Bytes == 0 {
		cfg.Limits.Bytes = 1 << 20
	}
	cfg.Allow = cfg.Allow.withDefaults()
	a := &answers{cfg: cfg, targets: map[string]deliver.Target{}}
	for _, t := range cfg.Targets {
		a.targets[t.Name] = t
	}
	theme := cfg.Service.App().Config().Theme
	files, err := newAssets(theme.CSS(), browser.Page(), cfg.Assets)
	if err != nil {
		return nil, fmt.Errorf("read the files of the pages: %w", err)
	}
	files.prefix = cfg.Prefix
	a.site = &site{words: cfg.Service.App().Config().Words, assets: files, prefix: cfg.Prefix}
	s := &Server{gate: &gate{answers: a, meters: cfg.Allow.meters(), byPrincipal: newKeyedMutex()},
		doorAt: map[string]string{}, guard: http.NewCrossOriginProtection()}
	a.stop, s.cut = context.WithCancel(context.Background())
	s.events, s.reads = &eventAPI{s.gate}, &readAPI{s.gate}
	s.streams = &streamAPI{eventAPI: s.events, guard: s.guard}
	s.uploads = &uploads{s.events, newIntake(cfg.MaxUpload, cfg.Meter)}
	s.host = &host{s.uploads}
	s.records, s.live, s.shares = &recordAPI{s.host}, &liveAPI{s.events}, &shareAPI{s.host}
	s.support = &operatorAPI{host: s.host}
	s.inspect = &inspectAPI{s.host, make(chan struct{}, compilers)}
	for _, origin := range cfg.Origins {
		if err := s.guard.AddTrustedOrigin(origin); err != nil {
			return nil, fmt.Errorf("allow the origin %q: %w", origin, err)
		}
	}
	s.handler = s.mux()
	return s, nil
}

// ServeHTTP implements http.Handler. It takes addresses with the prefix, and
// without: a router may strip it.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	prefix := s.cfg.Prefix
	switch {
	case prefix == "":
		s.handler.ServeHTTP(w, r)
	case r.URL.Path == prefix:
		http.Redirect(w, r, prefix+"/", http.StatusPermanentRedirect)
	case strings.HasPrefix(r.URL.Path, prefix+"/"):
		http.StripPrefix(prefix, s.handler).ServeHTTP(w, r)
	default:
		s.handler.ServeHTTP(w, r)
	}
}

// Leave makes readiness fail, so that a balancer sends requests elsewhere. All
// else goes on.
func (s *Server) Leave() { s.leaving.Store(true) }

// Drain ends every stream and every wait for an answer: clients reconnect after
// the retry hint, posts that wait are answered with 202. The server is no longer
// ready. It may be called twice.
func (s *Server) Drain() {
	s.streams.mu.Lock()
	s.cut()
	s.streams.mu.Unlock()
	s.cfg.Deliver.Drain()
	said := make(chan struct{})
	go func() { s.streams.sockets.Wait(); close(said) }() // a socket ends within seconds: each step has a deadline
	select {
	case <-said:
	case <-time.After(time.Second): // for clients that answer
	}
}

// routes lists every address. docs/openapi.yaml is held against it by a test.
func (s *Server) routes() map[string]handlerFunc {
	routes := s.apiRoutes()
	maps.Copy(routes, s.pageRoutes())
	maps.Copy(routes, s.doorRoutes())
	maps.Copy(routes, map[string]handlerFunc{
		"GET /assets/{name}":           s.asset,
		"GET /assets/{version}/{name}": s.asset,

		"GET /healthz": s.healthz,
		"GET /readyz":  s.readyz,
	})
	if s.cfg.Metrics != nil {
		routes["GET /metrics"] = s.metrics
	}
	return routes
}

// apiRoutes are the addresses for programs.
func (s *Server) apiRoutes() map[string]handlerFunc {
	return map[string]handlerFunc{
		"GET /v1/conversations":                                  s.known(s.reads.listConversations),
		"POST /v1/conversations":                                 s.events.createConversation,
		"PATCH /v1/conversations/{id}":                           s.known(s.events.patchConversation),
		"DELETE /v1/conversations/{id}":                          s.known(s.events.deleteConversation),
		"POST /v1/conversations/{id}/end":                        s.events.endConversation,
		"POST /v1/conversations/{id}/messages":                   s.events.postMessage,
		"POST /v1/conversations/{id}/events":                     s.events.postEvent,
		"POST /v1/conversations/{id}/uploads":                    s.known(s.uploads.postUpload),
		"POST /v1/conversations/{id}/cancel":                     s.events.cancel,
		"POST /v1/conversations/{id}/surfaces/{name}/regenerate": s.known(s.events.regenerate),

		"GET /v1/conversations/{id}/stream": s.streams.getStream,
		"GET /v1/conversations/{id}/ws":     s.streams.getSocket,
		"GET /v1/conversations/{id}/a2ui":   s.known(s.reads.getA2UI),
		"GET /v1/conversations/{id}/state":  s.known(s.reads.getState),
		"GET /v1/conversations/{id}/frames": s.known(s.reads.getFrames),

		"GET /v1/conversations/{id}/preferences":                s.known(s.reads.getPreferences),
		"PUT /v1/conversations/{id}/preferences/opt_out":        s.events.putPreference(ingress.DecodeOptOut),
		"PUT /v1/conversations/{id}/preferences/preferred_ui":   s.events.putPreference(ingress.DecodePreferred),
		"PUT /v1/conversations/{id}/preferences/max_iterations": s.events.putPreference(ingress.DecodeIterations),
		"GET /v1/conversations/{id}/guardrails":                 s.known(s.reads.getGuardrails),
		"POST /v1/conversations/{id}/guardrails":                s.events.postGuardrail,
		"PUT /v1/conversations/{id}/guardrails/{rule}":          s.events.putGuardrail,
		"DELETE /v1/conversations/{id}/guardrails/{rule}":       s.events.deleteGuardrail,

		"GET /v1/conversations/{id}/shares":            s.known(s.shares.links),
		"POST /v1/conversations/{id}/shares":           s.known(s.shares.share),
		"DELETE /v1/conversations/{id}/shares/{share}": s.known(s.shares.revoke),
		"POST /v1/conversations/{id}/join":             s.shares.join,

		"GET /v1/operator/conversations":                s.known(s.support.list),
		"POST /v1/conversations/{id}/operator":          s.known(s.support.attend),
		"DELETE /v1/conversations/{id}/operator":        s.known(s.support.leave),
		"POST /v1/conversations/{id}/operator/messages": s.known(s.support.say),

		"PATCH /v1/conversations/{id}/committed":      s.live.patch,
		"PUT /v1/conversations/{id}/committed/{name}": s.live.put,
		"POST /v1/topics/{name}":                      s.live.publish,

		"GET /v1/inspect/conversations":                s.inspect.opened(s.inspect.conversations),
		"GET /v1/inspect/conversations/{id}":           s.inspect.opened(s.inspect.timeline),
		"GET /v1/inspect/conversations/{id}/turns/{n}": s.inspect.opened(s.inspect.turn),
		"GET /v1/inspect/conversations/{id}/report":    s.inspect.opened(s.inspect.report),
		"GET /v1/inspect/stories":                      s.inspect.opened(s.inspect.stories),
		"POST /v1/inspect/compile":                     s.inspect.opened(s.inspect.compile),
		"GET /v1/catalogs/{name}":                      s.catalogDocument,

		"GET /v1/records":                      s.known(s.records.names),
		"GET /v1/records/{name}":               s.known(s.records.list),
		"POST /v1/records/{name}":              s.known(s.records.put),
		"GET /v1/records/{name}/{id}":          s.known(s.records.get),
		"PUT /v1/records/{name}/{id}":          s.known(s.records.put),
		"DELETE /v1/records/{name}/{id}":       s.known(s.records.remove),
		"GET /v1/records/{name}/{id}/versions": s.known(s.records.versions),
	}
}

// pageRoutes are the addresses for browsers.
func (s *Server) pageRoutes() map[string]handlerFunc {
	return map[string]handlerFunc{
		"GET /{$}":                 s.host.home,
		"POST /c":                  s.host.newConversation,
		"GET /conversations":       s.host.conversationsPage,
		"GET /c/{id}":              s.host.conversationPage,
		"POST /c/{id}/label":       s.known(s.host.formLabel),
		"GET /c/{id}/delete":       s.known(s.host.deletePage),
		"POST /c/{id}/delete":      s.known(s.host.formDelete),
		"POST /c/{id}/messages":    s.known(s.host.formMessage),
		"POST /c/{id}/actions":     s.known(s.host.formAction),
		"POST /c/{id}/uploads":     s.known(s.host.formUpload),
		"POST /c/{id}/cancel":      s.known(s.host.formCancel),
		"POST /c/{id}/regenerate":  s.known(s.host.formRegenerate),
		"GET /c/{id}/upload":       s.host.uploadPage,
		"GET /c/{id}/rows":         s.known(s.host.rowsPart),
		"GET /c/{id}/preferences":  s.known(s.host.preferencesPart),
		"POST /c/{id}/preferences": s.known(s.host.formPreference),

		"GET /c/{id}/share":         s.known(s.shares.page),
		"POST /c/{id}/share":        s.known(s.shares.formShare),
		"POST /c/{id}/unshare":      s.known(s.shares.formRevoke),
		"GET /c/{id}/join/{token}":  s.shares.joinPage,
		"POST /c/{id}/join/{token}": s.shares.formJoin,

		"GET /operator":         s.known(s.support.page),
		"GET /operator/changes": s.known(s.support.changes),
		"POST /c/{id}/operator": s.known(s.support.form),

		"GET /records":                     s.records.page,
		"GET /records/{name}":              s.records.page,
		"GET /records/{name}/{id}":         s.known(s.records.one),
		"POST /records/{name}/{id}/edit":   s.known(s.records.edit),
		"POST /records/{name}/{id}/delete": s.known(s.records.deletePage),

		"GET /inspect":             s.inspect.page("inspect", "Inspector", inspectScript),
		"GET /inspect/playground":  s.inspect.page("playground", "Playground", playgroundScript),
		"GET /inspect/draw/{name}": s.inspect.drawing,

		"GET /p/{id}/{surface}/{epoch}/{file}": s.reads.getSVG,
	}
}

// mux answers the routes, and every other address with a coded problem: the
// methods an address takes, or that it is not there.
func (s *Server) mux() http.Handler {
	mux := http.NewServeMux()
	allow := map[string][]string{}
	for pattern, h := range s.routes() {
		mux.Handle(pattern, s.handle(h))
		method, path, _ := strings.Cut(pattern, " ")
		allow[path] = append(allow[path], method)
		if method == http.MethodGet {
			allow[path] = append(allow[path], http.MethodHead)
		}
	}
	for path, methods := range allow {
		slices.Sort(methods)
		list := strings.Join(methods, ", ")
		mux.Handle(path, s.handle(func(w http.ResponseWriter, _ *http.Request) error {
			w.Header().Set("Allow", list)
			return &ui.Error{Code: recovery.CodeMethod, Message: "this address takes " + list}
		}))
	}
	mux.Handle("/", s.handle(func(http.ResponseWriter, *http.Request) error {
		return &ui.Error{Code: recovery.CodeNotFound, Message: "no such address"}
	}))
	s.guard.SetDenyHandler(s.handle(func(http.ResponseWriter, *http.Request) error {
		return &ui.Error{Code: recovery.CodeCrossOrigin, Message: "the request comes from a page of another site"}
	}))
	return s.safely(s.shared(s.guard.Handler(mux)))
}

// handlerFunc answers a request or returns why not.
type handlerFunc func(w http.ResponseWriter, r *http.Request) error

func (s *Server) handle(h handlerFunc) http.Handler {
	return s.counted(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := h(w, r); err != nil {
			s.problem(w, r, err)
		}
	}))
}

// safely wraps every request: it adds headers that limit the page, a bound on the body,
// and a recovery by which a panic ends one request only.
func (s *Server) safely(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r = named(w, r)
		h := w.Header()
		h.Set("X-Content-Type-Options", "nosniff")
		if len(s.cfg.Origins) == 0 {
			h.Set("X-Frame-Options", "SAMEORIGIN") // for what does not know frame-ancestors
		}
		h.Set("Referrer-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin") // no page of another site loads our files
		h.Set("Content-Security-Policy", strings.Join(append([]string{policy}, s.cfg.Origins...), " "))
		if s.cfg.Secure { // half a year; other hosts of the domain are not ours to decide about
			h.Set("Strict-Transport-Security", "max-age=15552000")
		}
		s.warnOfProxy(r)
		limit := int64(s.cfg.Limits.Bytes)
		switch {
		case isUpload(r):
			limit = s.cfg.MaxUpload + 64<<10
		case isMultipart(r) && strings.HasSuffix(r.URL.Path, "/actions"):
			limit += formSize*limit + formFiles*s.cfg.MaxUpload
		case strings.HasPrefix(r.Header.Get("Content-Type"), "application/x-www-form-urlencoded"):
			limit *= formSize // the most that percent-encoding makes of a byte
		}
		body := &bounded{ReadCloser: http.MaxBytesReader(w, r.Body, limit), rest: r.Body}
		r.Body = body
		defer body.drain(w)
		defer func() {
			if p := recover(); p != nil {
				if p == http.ErrAbortHandler {
					panic(p)
				}
				s.cfg.Log.ErrorContext(r.Context(), "panic", where(r), "panic", logs.QuietPanic(p))
				s.problem(w, r, &ui.Error{Code: agent.CodeTurnFailed, Message: "unexpected failure"})
			}
		}()
		if !s.hosted(r) {
			s.problem(w, r, &ui.Error{Code: recovery.CodeHost, Message: "this server does not answer for that host"})
			return
		}
		if r.URL.Path != "/healthz" && r.URL.Path != "/readyz" { // only operators ask for these
			if err := s.chargeAddress(r, cost(r)); err != nil {
				s.problem(w, r, err)
				return
			}
		}
		if r.RequestURI == "*" || !straight(r.URL.EscapedPath()) { // the mux would redirect those
			s.problem(w, r, &ui.Error{Code: recovery.CodeNotFound, Message: "no such address"})
			return
		}
		next.ServeHTTP(w, r)
	})
}

// bounded is a body that is read up to a limit.
type bounded struct {
	io.ReadCloser
	rest  io.Reader
	above bool
}

func (b *bounded) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	var above *http.MaxBytesError
	b.above = b.above || errors.As(err, &above)
	return n, err
}

// drained is how much is read beyond the limit of a body.
const drained = 64 << 20

// drain reads on for a second beyond the limit, after the answer: a client that sends all of its body before
// it reads would find the connection reset.
func (b *bounded) drain(w http.ResponseWriter) {
	to := http.NewResponseController(w)
	if !b.above || to.Flush() != nil || to.SetReadDeadline(time.Now().Add(time.Second)) != nil {
		return
	}
	io.CopyN(io.Discard, b.rest, drained) //nolint:errcheck // it ends as it may; the connection is closed
}

// straight says whether a path leads where it says: with "." or "..", or two
// slashes, the mux would send its client to another address, by any method.
func straight(p string) bool {
	clean := path.Clean(p)
	return p == "" || p == clean || clean != "/" && p == clean+"/"
}

// hosted says whether a request is for a host of ours. A page of another site
// whose name is made to lead to this machine would be its own origin here.
func (s *Server) hosted(r *http.Request) bool {
	u := url.URL{Host: r.Host}
	return len(s.cfg.Hosts) == 0 || slices.Contains(s.cfg.Hosts, strings.ToLower(u.Hostname()))
}

// metrics answers who holds the token, or without one this machine; what passed a
// proxy comes from elsewhere.
func (s *Server) metrics(w http.ResponseWriter, r *http.Request) error {
	if err := oneSender(r); err != nil {
		return err
	}
	if token := s.cfg.MetricsToken; token != "" {
		if !bearer(r, token) {
			return &ui.Error{Code: recovery.CodeUnauthorized, Path: "Authorization",
				Message: "want the token of the metrics as a bearer",
				Hint:    "it is what the server was started with as --metrics-token"}
		}
	} else if at, _ := netip.ParseAddrPort(r.RemoteAddr); !at.Addr().Unmap().IsLoopback() || limit.Forwarded(r) {
		return &ui.Error{Code: recovery.CodeForbidden,
			Message: "without a token only this machine may read the metrics"}
	}
	s.cfg.Metrics.ServeHTTP(w, r)
	return nil
}

func (s *Server) healthz(w http.ResponseWriter, _ *http.Request) error {
	return writeJSON(w, http.StatusOK, map[string]string{"status": "ok"})
}

// readyz answers probes. A negative answer is no failed request and not logged as
// one: the service logs when its store goes and when it comes back.
func (s *Server) readyz(w http.ResponseWriter, r *http.Request) error {
	var err error
	if s.leaving.Load() || s.stop.Err() != nil {
		err = &ui.Error{Code: recovery.CodeDraining, Message: "the server is stopping"}
	} else {
		err = s.cfg.Service.Ready()
	}
	if err != nil {
		s.writeProblem(w, r, s.problemOf(r, err))
		return nil
	}
	return writeJSON(w, http.StatusOK, map[string]string{"status": "ready"})
}
