// Package mcp calls the tools of MCP servers (Model Context Protocol), by the
// official SDK.
//
// In: servers that the operator names, each a command or a URL, and calls of the
// session. Out: what a tool is for, the schema of its arguments, and the text of
// its results. A server is connected to when it is first needed, and again when
// the connection is gone. Of a server nothing is believed but data: it is given no
// samplings, roots or elicitations, its messages are bounded while they are read,
// and only allowed tools are called.
//
// Caller: session, through limn.Config.MCP, which cmd/limn sets.
package mcp

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/limn-ui/limn/agent"
	"github.com/limn-ui/limn/ui"
)

// Server is one MCP server and how it is reached: by URL or by Command.
type Server struct {
	Name    string   // what the app calls it
	URL     string   // of the streamable HTTP transport
	Token   string   // bearer token for URL; https only, but for this machine
	Command []string // a program that speaks on its standard input and output
	Env     []string // its environment, as NAME=value; default: PATH and HOME of this process
	Allow   []string // the tools that may be called; default: all
}

// Config of a Client.
type Config struct {
	Servers    []Server
	Connect    time.Duration     // to connect and to list tools: 10 s
	Transport  http.RoundTripper // default: http.DefaultTransport
	MaxMessage int               // bytes of one message of a server: 4 MiB
	Log        *slog.Logger      // default: discards
}

// CodeConfig says that a server cannot be reached as it is named.
const CodeConfig ui.Code = "APP_MCP_INVALID"

// maxTools bounds the tools of one server.
const maxTools = 1000

// listFor is how long a list of tools is taken for true.
const listFor = time.Minute

// Client calls tools. Safe for concurrent use; Close it when done.
type Client struct {
	cfg   Config
	links map[string]*link
	close sync.Once
}

// New returns a Client; nothing is connected to yet. An error is a *ui.Error with
// CodeConfig.
func New(cfg Config) (*Client, error) {
	cfg.Connect, cfg.MaxMessage = cmp.Or(cfg.Connect, 10*time.Second), cmp.Or(cfg.MaxMessage, 4<<20)
	if cfg.Transport == nil {
		cfg.Transport = http.DefaultTransport
	}
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	c := &Client{cfg: cfg, links: map[string]*link{}}
	for _, s := range cfg.Servers {
		if err := s.check(); err != nil {
			return nil, err
		}
		if c.links[s.Name] != nil {
			return nil, ui.Errorf(CodeConfig, s.Name, "two MCP servers are named %q", s.Name)
		}
		c.links[s.Name] = &link{Server: s, cfg: &c.cfg, one: make(chan struct{}, 1)}
	}
	return c, nil
}

func (s Server) check() error {
	if !ui.ValidKey(s.Name) {
		return ui.Errorf(CodeConfig, "", "name of an MCP server %.60q: want [a-z][a-z0-9_-]{0,63}", s.Name)
	}
	if (s.URL == "") == (len(s.Command) == 0) {
		return ui.Errorf(CodeConfig, s.Name, "an MCP server has exactly one of a URL and a command")
	}
	if s.URL == "" {
		return nil
	}
	u, err := url.Parse(s.URL)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.User != nil {
		return ui.Errorf(CodeConfig, s.Name, "the URL of an MCP server is http or https, without user and password")
	}
	if s.Token != "" && u.Scheme == "http" && !local(u.Hostname()) {
		return &ui.Error{Code: CodeConfig, Path: s.Name, Message: "a token is not sent over http to another machine", Hint: "use https"}
	}
	return nil
}

func local(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}

// Close ends all connections and the programs behind them, and waits for these.
func (c *Client) Close() error {
	c.close.Do(func() {
		var wg sync.WaitGroup
		for _, l := range c.links {
			wg.Go(func() {
				l.one <- struct{}{} // for good: nobody connects any more
				if s, _ := l.now(); s != nil {
					l.lost(s)
				}
				l.closing.Wait()
			})
		}
		wg.Wait()
	})
	return nil
}

// Tools lists what a server has and its allow-list lets through, sorted.
func (c *Client) Tools(ctx context.Context, server string) ([]string, error) {
	l, err := c.link(server)
	if err != nil {
		return nil, err
	}
	tools, err := l.list(ctx)
	if err != nil {
		return nil, err
	}
	var names []string
	for name := range tools {
		names = append(names, name)
	}
	slices.Sort(names)
	return names, nil
}

// Tool implements session.MCP.
func (c *Client) Tool(ctx context.Context, server, tool string) (description string, schema []byte, err error) {
	l, err := c.link(server)
	if err != nil {
		return "", nil, err
	}
	tools, err := l.list(ctx)
	if err != nil {
		return "", nil, err
	}
	t := tools[tool]
	if t == nil {
		return "", nil, fmt.Errorf("MCP server %s has no tool %.60q, or it is not allowed", server, tool)
	}
	schema, err = json.Marshal(t.InputSchema)
	return clip(cmp.Or(t.Description, t.Title), 4<<10), schema, err
}

// Call implements session.MCP. A call whose connection breaks may have been
// carried out: that is agent.CodeEffectUnknown. Only a server that says that it has
// not taken the call, because it does not know the session any more, is called
// again.
func (c *Client) Call(ctx context.Context, server, tool, key string, args []byte, max int) (string, error) {
	l, err := c.link(server)
	if err != nil {
		return "", err
	}
	if !l.allows(tool) {
		return "", fmt.Errorf("tool %.60q of MCP server %s is not allowed", tool, server)
	}
	params := &sdk.CallToolParams{Meta: sdk.Meta{"limn/key": key}, Name: tool, Arguments: json.RawMessage(args)}
	for again := true; ; again = false {
		s, err := l.session(ctx)
		if err != nil {
			return "", err
		}
		res, err := s.CallTool(ctx, params)
		var said *jsonrpc.Error
		switch {
		case err == nil:
			return text(res, max)
		case errors.As(err, &said) && said.Code != rejected && !errors.Is(err, sdk.ErrSessionMissing):
			return "", &ui.Error{Code: agent.CodeToolFailed, Message: clip(said.Message, 500)}
		case ctx.Err() != nil:
			return "", ctx.Err()
		}
		l.lost(s)
		if again && errors.Is(err, sdk.ErrSessionMissing) {
			continue
		}
		if errors.Is(err, errTooMuch) {
			return "", agent.TooLarge(max)
		}
		return "", &ui.Error{Code: agent.CodeEffectUnknown, Message: "the connection to the tool broke; whether it was carried out is unknown", Err: err}
	}
}

// rejected is the code of an error that the SDK itself gives when its connection
// fails.
const rejected = -32005

func (c *Client) link(server string) (*link, error) {
	if l := c.links[server]; l != nil {
		return l, nil
	}
	return nil, fmt.Errorf("no MCP server is named %.60q here", server)
}

// text is what a model is given of a result.
func text(res *sdk.CallToolResult, max int) (string, error) {
	var b strings.Builder
	add := func(s string) {
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(s)
	}
	for _, part := range res.Content {
		switch part := part.(type) {
		case *sdk.TextContent:
			add(part.Text)
		case *sdk.EmbeddedResource:
			if part.Resource != nil && part.Resource.Text != "" {
				add(part.Resource.Text)
			}
		case *sdk.ResourceLink:
			add("[a link to " + part.URI + "]")
		case *sdk.ImageContent:
			add("[an image]")
		default:
			add("[something that is no text]")
		}
		if b.Len() > max {
			return "", agent.TooLarge(max)
		}
	}
	if b.Len() == 0 && res.StructuredContent != nil {
		j, err := json.Marshal(res.StructuredContent)
		if err != nil {
			return "", err
		}
		add(string(j))
	}
	switch {
	case b.Len() > max:
		return "", agent.TooLarge(max)
	case res.IsError:
		return "", &ui.Error{Code: agent.CodeToolFailed, Message: clip(b.String(), 500)}
	case len(res.InputRequests) > 0:
		return "", &ui.Error{Code: agent.CodeToolFailed, Message: "the tool asks for input, which it does not get"}
	}
	return b.String(), nil
}

// link is the connection to one server.
type link struct {
	Server
	cfg *Config
	one chan struct{} // the right to connect; Close keeps it

	closing sync.WaitGroup // sessions that end

	mu     sync.Mutex // guards what follows
	live   *sdk.ClientSession
	tools  map[string]*sdk.Tool
	listed time.Time
}

func (l *link) allows(tool string) bool { return len(l.Allow) == 0 || slices.Contains(l.Allow, tool) }

// session returns the live session, or connects.
func (l *link) session(ctx context.Context) (*sdk.ClientSession, error) {
	ctx, cancel := context.WithTimeout(ctx, l.cfg.Connect)
	defer cancel()
	select {
	case l.one <- struct{}{}:
		defer func() { <-l.one }()
	case <-ctx.Done():
		return nil, fmt.Errorf("connect to MCP server %s: %w", l.Name, ctx.Err())
	}
	if s, _ := l.now(); s != nil {
		return s, nil
	}
	return l.connect(ctx)
}

func (l *link) now() (*sdk.ClientSession, map[string]*sdk.Tool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if time.Since(l.listed) > listFor {
		return l.live, nil
	}
	return l.live, l.tools
}

// connect is called with the right to.
func (l *link) connect(ctx context.Context) (*sdk.ClientSession, error) {
	client := sdk.NewClient(&sdk.Implementation{Name: "limn", Version: "1"}, &sdk.ClientOptions{Capabilities: &sdk.ClientCapabilities{}})
	s, err := client.Connect(ctx, l.transport(), nil)
	if err != nil {
		return nil, fmt.Errorf("connect to MCP server %s: %w", l.Name, err)
	}
	l.mu.Lock()
	l.live, l.tools = s, nil
	l.mu.Unlock()
	go func() { // ends with the session, which drop or lost closes
		_ = s.Wait()
		l.lost(s)
	}()
	return s, nil
}

// list returns the tools of the server, asked for again after a minute.
func (l *link) list(ctx context.Context) (map[string]*sdk.Tool, error) {
	ctx, cancel := context.WithTimeout(ctx, l.cfg.Connect)
	defer cancel()
	var err error
	for range 2 { // the session that is there may be gone
		s, tools := l.now()
		if s != nil && tools != nil {
			return tools, nil
		}
		if s, err = l.session(ctx); err != nil {
			return nil, err
		}
		tools = map[string]*sdk.Tool{}
		for t, failed := range s.Tools(ctx, nil) {
			if err = failed; err != nil || len(tools) == maxTools {
				break
			}
			if l.allows(t.Name) {
				tools[t.Name] = t
			}
		}
		if err == nil {
			l.mu.Lock()
			if l.live == s {
				l.tools, l.listed = tools, time.Now()
			}
			l.mu.Unlock()
			return tools, nil
		}
		l.lost(s)
	}
	return nil, fmt.Errorf("list the tools of MCP server %s: %w", l.Name, err)
}

// lost forgets a session that does not work any more.
func (l *link) lost(s *sdk.ClientSession) {
	l.mu.Lock()
	was := l.live == s
	if was {
		l.live, l.tools = nil, nil
	}
	l.mu.Unlock()
	if was {
		l.cfg.Log.Warn("MCP server lost", "server", l.Name)
		l.closing.Go(func() { _ = s.Close() }) // Close waits for it: a program has a few seconds to end
	}
}

func (l *link) transport() sdk.Transport {
	if l.URL != "" {
		return &sdk.StreamableClientTransport{Endpoint: l.URL, DisableStandaloneSSE: true, MaxRetries: -1, MaxEventSize: l.cfg.MaxMessage,
			HTTPClient: &http.Client{Transport: careful{l}, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
	}
	cmd := exec.Command(l.Command[0], l.Command[1:]...)
	cmd.Env = l.Env
	if cmd.Env == nil {
		cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + os.Getenv("HOME")}
	}
	return &sdk.CommandTransport{Command: cmd, TerminateDuration: 2 * time.Second}
}

// careful adds the token and bounds what is read. Redirects are not followed: where
// a server sends us is not where the operator did.
type careful struct{ l *link }

// RoundTrip implements http.RoundTripper.
func (c careful) RoundTrip(r *http.Request) (*http.Response, error) {
	if c.l.Token != "" {
		r = r.Clone(r.Context())
		r.Header.Set("Authorization", "Bearer "+c.l.Token)
	}
	resp, err := c.l.cfg.Transport.RoundTrip(r)
	if err != nil {
		var op *net.OpError
		if errors.As(err, &op) {
			return nil, op // without the URL
		}
		return nil, err
	}
	resp.Body = &bounded{resp.Body, c.l.cfg.MaxMessage}
	return resp, nil
}

var errTooMuch = errors.New("an MCP server said too much")

// bounded fails once more than left bytes were read.
type bounded struct {
	io.ReadCloser
	left int
}

func (b *bounded) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p[:min(len(p), b.left+1)])
	if b.left -= n; b.left < 0 {
		return 0, errTooMuch
	}
	return n, err
}

func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + "…"
}
