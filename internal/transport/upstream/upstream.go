package upstream

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/internal/agent"
	"github.com/limn-ui/limn/internal/endpoint"
	"github.com/limn-ui/limn/internal/gateway"
	"github.com/limn-ui/limn/internal/modelrun"
	"github.com/limn-ui/limn/internal/sendonce"
	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/ui"
)

// Agents asks the agents of a gateway. It is what answers in place of a model. Safe for
// concurrent use.
type Agents struct {
	*gateway.Config
	clients  map[string]*http.Client // by agent
	tools    sync.Map                // agent → the names of its tools, of mcp
	breakers map[string]*breaker
	going    answers
	dir      string // of the file that declares them
	pause    time.Duration
}

var _ modelrun.Agents = (*Agents)(nil)

// Open prepares the agents of a file in dir. read compiles a catalog for a version. Close ends
// their idle connections.
func Open(c *gateway.Config, dir string, read func(file string) ([]*a2ui.Catalog, error)) (*Agents, error) {
	g := &Agents{Config: c, breakers: map[string]*breaker{}, dir: dir, pause: 100 * time.Millisecond,
		clients: map[string]*http.Client{}, going: answers{list: map[string][]*intake{}}}
	shared := client(nil)
	var faults []error
	for i := range c.Agents {
		a := &c.Agents[i]
		g.breakers[a.Name], g.clients[a.Name] = &breaker{}, shared
		check := func(key, hint string, err error) {
			if errors.Is(err, fs.ErrNotExist) {
				hint = "paths are relative to the folder of this file"
			}
			if err != nil {
				faults = append(faults, c.Fault([]any{"agents", i, key}, hint, err.Error()))
			}
		}
		if a.CA != "" {
			roots, err := g.roots(a)
			g.clients[a.Name] = client(roots)
			check("ca", "the certificate of the agent, or of who signed it, in PEM", err)
		}
		_, err := g.credentials(a)
		check("credentials", "write the token alone into it", err)
		check("url", "use https, or allow it by insecure: true", exposed(a))
		check("catalog", "limn catalog --check FILE says more", g.catalog(a, read))
	}
	return g, errors.Join(faults...)
}

// exposed is an error if others could read the credentials of an agent on their way.
func exposed(a *gateway.Agent) error {
	u, err := url.Parse(a.URL)
	if err != nil || u.Scheme != "http" || endpoint.OnThisMachine(u.Hostname()) || a.Credentials == "" || a.Insecure {
		return nil // a bad address was refused before
	}
	return errors.New("http to another machine: the credentials could be read on the way")
}

// catalog reads the catalog of an agent.
func (g *Agents) catalog(a *gateway.Agent, read func(file string) ([]*a2ui.Catalog, error)) error {
	if a.Catalog == "" {
		return nil
	}
	list, err := read(g.file(a.Catalog))
	if err != nil {
		return err
	}
	for _, one := range list {
		if one.Fits(a.Dialect.Protocol()) {
			a.Compiled = one
		}
	}
	if a.Compiled == nil {
		return fmt.Errorf("%s is not for A2UI %s", a.Catalog, a.Version)
	}
	return nil
}

// client is the client of agents that are trusted by some certificates; nil: by those of the system.
func client(roots *x509.CertPool) *http.Client {
	base := http.DefaultTransport.(*http.Transport).Clone()
	base.MaxResponseHeaderBytes, base.MaxIdleConnsPerHost = 64<<10, 64
	base.DisableCompression = true         // a small answer stays small
	base.IdleConnTimeout = 3 * time.Second // below that of servers: a request that meets their close is in doubt
	base.TLSClientConfig = &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}
	return &http.Client{Transport: sendonce.Transport{Base: base},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

// roots reads the certificates that an agent is trusted by.
func (g *Agents) roots(a *gateway.Agent) (*x509.CertPool, error) {
	b, err := os.ReadFile(g.file(a.CA))
	if err != nil {
		return nil, err
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(b) {
		return nil, errors.New(a.CA + " has no certificate in PEM")
	}
	return pool, nil
}

// Close ends idle connections.
func (g *Agents) Close() {
	for _, c := range g.clients {
		c.CloseIdleConnections()
	}
}

func (g *Agents) file(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(g.dir, name)
}

// credentials reads the token of an agent. It is read for each request, so that it can change.
func (g *Agents) credentials(a *gateway.Agent) (string, error) {
	if a.Credentials == "" {
		return "", nil
	}
	b, err := os.ReadFile(g.file(a.Credentials))
	if err != nil {
		return "", err
	}
	token := strings.TrimSpace(string(b))
	odd := func(r rune) bool { return r <= ' ' || r > '~' }
	if token == "" || len(token) > 16<<10 || strings.ContainsFunc(token, odd) {
		return "", errors.New(a.Credentials + ": want a token on one line, of printable ASCII without space")
	}
	return token, nil
}

// Ask implements llm.Model. There is no model.
func (*Agents) Ask(context.Context, llm.Request) (llm.Reply, error) {
	return llm.Reply{}, &ui.Error{Code: gateway.CodeAway, Message: "a gateway has no model of its own"}
}

// Gateway implements modelrun.Agents.
func (g *Agents) Gateway() *gateway.Config { return g.Config }

// tries bounds how often one question leaves.
const tries = 3

// AskAgent implements modelrun.Agents.
func (g *Agents) AskAgent(ctx context.Context, state func() *ui.State, name string, event ui.EventID, p gateway.Prompt,
	heard func(int, string), show modelrun.Show) (said gateway.Said, warnings []*ui.Error, err error) {
	q, err := g.Config.Ask(name, p.On(state()), event, p)
	if err != nil {
		return gateway.Said{Agent: name}, nil, err
	}
	a := q.Agent
	earlier := p.Earlier
	said = gateway.Said{Agent: a.Name, Title: a.Title, Shown: len(earlier.Shown) > 0}
	b := g.breakers[name]
	if !b.allow(time.Now()) {
		return said, nil, failed(p.Asked, fault("it failed several times and is left alone for a while"))
	}
	parent := ctx
	ctx, cancel := context.WithTimeout(ctx, a.Time)
	defer cancel()
	told := 0 // how often the words began again
	hear := func(again bool, piece string) {
		if again {
			told++
		}
		heard(told, piece)
	}
	for try := range tries {
		in := &intake{Intake: g.Config.Intake(a, p.On(state())), early: show}
		in.over = p.Answered(name) > 0 // it may be about a surface that is not kept yet
		in.Returns(p.Call)
		in.After(earlier)
		said, warnings, err = g.once(ctx, q, in, hear)
		nothing := err != nil && (sendonce.Unsent(err) || ui.CodeOf(err) == gateway.CodeAway)
		earlier.Shown = append(earlier.Shown, in.shown...)
		earlier.Asked = earlier.Asked || !nothing || len(earlier.Shown) > 0
		said.Shown = len(earlier.Shown) > 0
		if err == nil || ctx.Err() != nil || try == tries-1 || !nothing && !a.Idempotent || refused(err) {
			break
		}
		if !g.wait(ctx, try, err) {
			break
		}
		told++
	}
	if parent.Err() == nil { // else the user did not wait
		b.note(err == nil || refused(err), time.Now())
	}
	if err != nil {
		err = failed(earlier.Asked, err)
	}
	return said, warnings, err
}

// once asks once. Nothing is shown early after that, whatever becomes of it.
func (g *Agents) once(ctx context.Context, q gateway.Question, in *intake, heard func(bool, string)) (
	said gateway.Said, warnings []*ui.Error, err error) {
	defer g.going.begin(q.Conversation, in)()
	defer func() { said, warnings = in.end() }()
	return said, warnings, g.speak(ctx, q, in, heard)
}

// failed is the error of an agent that did nothing or, perhaps, something.
func failed(perhaps bool, err error) error {
	if perhaps {
		return &ui.Error{Code: agent.CodeEffectUnknown, Message: "it may have been carried out", Err: err}
	}
	return away("it did not answer", err)
}

// fault is an error that has nothing of the user or of an agent.
type fault string

func (f fault) Error() string { return string(f) }

// Quiet implements the interface of package logs.
func (f fault) Quiet() string { return string(f) }

// away is the error of an agent that did nothing.
func away(why string, err error) error {
	return &ui.Error{Code: gateway.CodeAway, Message: why, Err: err}
}

// refusal is an answer that says no: asking again is of no use.
type refusal struct {
	error
	gone bool // there is no such thing
}

func isGone(err error) bool {
	var r refusal
	return errors.As(err, &r) && r.gone
}

func refused(err error) bool {
	var r refusal
	return errors.As(err, &r)
}

// Unwrap returns the error.
func (r refusal) Unwrap() error { return r.error }

// Quiet implements the interface of package logs: the error in it says enough.
func (refusal) Quiet() string { return "" }

// reason is the reason that an agent gives for a failure; nil: it gives none.
func reason(text string) error {
	if why := agent.ReasonOf(text); why != "" {
		return why
	}
	return nil
}

// reasonIn is the reason in an answer over HTTP that refuses.
func reasonIn(resp *http.Response) error {
	b, _ := io.ReadAll(io.LimitReader(resp.Body, 16<<10))
	if mediaOf(resp) == "text/plain" {
		return reason(string(b))
	}
	v, _ := parse(b)
	fault := v.At("error")
	return reason(cmp.Or(fault.At("message").Text(), fault.Text(), v.At("message").Text(), v.At("detail").Text()))
}

// status is an answer over HTTP that has nothing for the user.
type status int

func (s status) Error() string { return fmt.Sprintf("status %d %s", int(s), http.StatusText(int(s))) }

// Quiet implements the interface of package logs.
func (s status) Quiet() string { return s.Error() }

// busy is the status of an agent that did nothing, and that asks to be left alone for a while.
type busy struct {
	status
	after time.Duration
}

// wait pauses before the next try, longer than an agent asks to be left alone. It reports whether there is time
// left for that try: without it nothing waits.
func (g *Agents) wait(ctx context.Context, try int, err error) bool {
	d := g.pause << (2 * try)
	if b, ok := errors.AsType[busy](err); ok {
		d = max(d, b.after)
	}
	more := d / 2
	if end, ok := ctx.Deadline(); ok {
		more = min(more, time.Until(end)-d)
	}
	if more < 0 {
		return false
	}
	t := time.NewTimer(d + rand.N(more+1))
	defer t.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-t.C:
		return true
	}
}
