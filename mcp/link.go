package mcp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/limn-ui/limn/internal/agent"
	"github.com/limn-ui/limn/ui"
)

// link is the connection to one server.
type link struct {
	Server
	cfg *Config

	life    context.Context // ended by Close
	end     context.CancelFunc
	closing sync.WaitGroup // sessions that begin or end; Go is called under mu

	mu     sync.Mutex // guards what follows
	closed bool
	begun  *beginning // one connects at a time
	live   *sdk.ClientSession
	heard  *answer          // of the session that was begun last
	open   map[*answer]bool // requests without an answer
	left   bool             // one of this session was given up: its answer may come yet
	tools  map[string]*sdk.Tool
	listed time.Time
	silent time.Time // until then tools are not listed: it took too long
}

// beginning is a connection that is being made. It goes on when those who wait for it
// have no time left, so that a program that is slow to start is there for a later
// call, and a server that never answers does not hold up one turn after the other.
type beginning struct {
	since time.Time
	done  chan struct{} // closed when what follows is set
	live  *sdk.ClientSession
	err   error
}

func (l *link) allows(tool string) bool { return len(l.Allow) == 0 || slices.Contains(l.Allow, tool) }

// session returns the live session, or connects.
func (l *link) session(ctx context.Context) (*sdk.ClientSession, error) {
	l.mu.Lock()
	if l.live != nil || l.closed {
		defer l.mu.Unlock()
		if l.closed {
			return nil, l.away("is not connected to any more", nil)
		}
		return l.live, nil
	}
	if l.begun == nil {
		l.begun = &beginning{since: time.Now(), done: make(chan struct{})}
		l.closing.Go(l.connect)
	}
	b := l.begun
	l.mu.Unlock()
	timer := time.NewTimer(time.Until(b.since.Add(l.cfg.Connect)))
	defer timer.Stop()
	select {
	case <-b.done:
		return b.live, b.err
	case <-timer.C:
		return nil, l.away(fmt.Sprintf("did not answer in %v", l.cfg.Connect), nil)
	case <-ctx.Done():
		if time.Since(b.since) >= l.cfg.Connect { // both are over
			return nil, l.away(fmt.Sprintf("did not answer in %v", l.cfg.Connect), nil)
		}
		return nil, l.away("did not answer in the time that was left", nil)
	}
}

// connect makes the session that has begun.
func (l *link) connect() {
	ctx, cancel := context.WithTimeout(l.life, 6*l.cfg.Connect)
	defer cancel()
	met := &answer{}
	l.mu.Lock()
	l.heard, l.left = met, false
	l.mu.Unlock()
	client := sdk.NewClient(&sdk.Implementation{Name: "limn", Version: "1"},
		&sdk.ClientOptions{Capabilities: &sdk.ClientCapabilities{}})
	s, err := client.Connect(context.WithValue(ctx, answerKey{}, met), l.transport(), nil)
	l.mu.Lock()
	b, closed := l.begun, l.closed
	l.begun = nil
	if err != nil {
		why, _, _ := met.fault()
		b.err = l.away(why, err)
	} else if !closed {
		l.live, l.tools, b.live = s, nil, s
	} else {
		b.err = l.away("is not connected to any more", nil)
	}
	l.mu.Unlock()
	close(b.done)
	switch {
	case err != nil:
	case closed:
		_ = s.Close()
	default:
		go func() { // ends with the session, which lost closes
			_ = s.Wait()
			l.lost(s)
		}()
	}
}

func (l *link) now() (*sdk.ClientSession, map[string]*sdk.Tool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if time.Since(l.listed) > listFor {
		return l.live, nil
	}
	return l.live, l.tools
}

// list returns the tools of the server, asked for again after a minute.
func (l *link) list(ctx context.Context) (map[string]*sdk.Tool, error) {
	ctx, cancel := context.WithTimeout(ctx, l.cfg.Connect)
	defer cancel()
	met := &answer{}
	ctx = context.WithValue(ctx, answerKey{}, met)
	var err error
	for range 2 { // the session that is there may be gone
		s, tools := l.now()
		if s != nil && tools != nil {
			return tools, nil
		}
		if l.isSilent() {
			return nil, l.away("did not list its tools in time", nil)
		}
		if s, err = l.session(ctx); err != nil {
			return nil, err
		}
		tools = map[string]*sdk.Tool{}
		seen := 0
		over := l.asks(ctx, met)
		for t, failed := range s.Tools(ctx, nil) {
			if err = failed; err != nil || seen == maxTools {
				break
			}
			seen++
			if l.allows(t.Name) {
				tools[t.Name] = t
			}
		}
		over()
		if err == nil {
			l.mu.Lock()
			if l.live == s {
				l.tools, l.listed = tools, time.Now()
			}
			l.mu.Unlock()
			return tools, nil
		}
		if errors.Is(ctx.Err(), context.Canceled) {
			break
		}
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			l.mu.Lock()
			l.silent = time.Now().Add(silentFor)
			l.mu.Unlock()
		}
		if !answered(err) { // else others go on with it
			l.lost(s)
		}
	}
	why, _, _ := l.faultOf(met)
	return nil, l.away(cmp.Or(why, "does not list its tools"), err)
}

// asks notes a request that waits for its answer, until over is called.
func (l *link) asks(ctx context.Context, met *answer) (over func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.open[met] = true
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		delete(l.open, met)
		l.left = l.left || ctx.Err() != nil
	}
}

// tooMuch notes a message of a program that is not read. It ends all requests; it is known
// to answer one only if there is no other.
func (l *link) tooMuch(heard *answer) {
	heard.tooMuch()
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.open) == 1 && !l.left {
		for met := range l.open {
			met.tooMuch()
		}
	}
}

// faultOf is the fault of HTTP, or of the output of a program; much: of the answer to this
// request.
func (l *link) faultOf(met *answer) (why string, unsent, much bool) {
	why, unsent, much = met.fault()
	if len(l.Command) > 0 {
		l.mu.Lock()
		met = l.heard
		l.mu.Unlock()
		why, unsent, _ = met.fault()
	}
	return why, unsent, much
}

func (l *link) isSilent() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return time.Now().Before(l.silent)
}

// lost forgets a session that does not work any more.
func (l *link) lost(s *sdk.ClientSession) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.live != s {
		return
	}
	l.live, l.tools = nil, nil
	// Close waits for it, which has found live or this: a program has a few seconds to end
	l.closing.Go(func() { _ = s.Close() })
	l.cfg.Log.Warn("MCP server lost", "server", l.Name)
}

// away is the error of a server that cannot be asked: nothing was carried out.
func (l *link) away(why string, err error) error {
	return &ui.Error{Code: agent.CodeToolAway, Path: l.Name,
		Message: "the server of this tool cannot be reached; the call was not made", Err: &fault{l.Name, why, err}}
}

// fault is why a server cannot be asked, in our own words, which may be logged; "" is
// nothing beyond err.
type fault struct {
	server, why string
	err         error
}

// Error implements error.
func (f *fault) Error() string {
	if f.why == "" {
		return fmt.Sprintf("MCP server %s: %v", f.server, f.err)
	}
	return f.Quiet()
}

// Quiet implements what logs.Quiet asks for: it never has words of the server.
func (f *fault) Quiet() string {
	if f.why == "" {
		return "MCP server " + f.server
	}
	return "MCP server " + f.server + " " + f.why
}

// Unwrap returns the cause.
func (f *fault) Unwrap() error {
	if f.why != "" {
		return nil
	}
	return f.err
}
