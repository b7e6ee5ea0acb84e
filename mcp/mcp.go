// Package mcp calls the tools of MCP servers (Model Context Protocol), by the
// official SDK.
//
// In: servers that the operator names, each a command or a URL, and calls of the
// session. Out: the purpose of a tool, the schema of its arguments, and the text of
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
	"log/slog"
	"maps"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/limn-ui/limn/internal/agent"
	"github.com/limn-ui/limn/internal/excerpt"
	"github.com/limn-ui/limn/ui"
)

// Server is one MCP server and how it is reached: by URL or by Command.
type Server struct {
	Name    string   // its name in the app
	URL     string   // of the streamable HTTP transport
	Token   string   // bearer token for URL; https only, but for this machine
	Command []string // a program that speaks on its standard input and output
	Env     []string // its environment, as NAME=value; default: PATH and HOME of this process
	Allow   []string // the tools that may be called; default: all
}

// Config of a Client.
type Config struct {
	Servers []Server
	// to wait for a connection and a list of tools: 10 s. Connecting goes on for six times as long
	Connect    time.Duration
	Transport  http.RoundTripper // default: http.DefaultTransport
	MaxMessage int               // bytes of one message of a server: 4 MiB
	Log        *slog.Logger      // default: discards
}

// CodeConfig says that a server cannot be reached as it is named.
const CodeConfig ui.Code = "APP_MCP_INVALID"

// maxTools bounds the tools of one server that are looked at.
const maxTools = 1000

// silentFor is how long a server that did not list its tools in time is not asked again.
const silentFor = 30 * time.Second

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
		l := &link{Server: s, cfg: &c.cfg, open: map[*answer]bool{}}
		l.life, l.end = context.WithCancel(context.Background())
		c.links[s.Name] = l
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
		return &ui.Error{Code: CodeConfig, Path: s.Name, Message: "a token is not sent over http to another machine",
			Hint: "use https"}
	}
	return nil
}

func local(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}

// Close ends all connections and their programs, and waits for these.
func (c *Client) Close() error {
	c.close.Do(func() {
		var wg sync.WaitGroup
		for _, l := range c.links {
			wg.Go(func() {
				l.mu.Lock()
				l.closed = true
				l.mu.Unlock()
				l.end()
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

// Tools lists the allowed tools of a server, sorted.
func (c *Client) Tools(ctx context.Context, server string) ([]string, error) {
	l, err := c.link(server)
	if err != nil {
		return nil, err
	}
	tools, err := l.list(ctx)
	if err != nil {
		return nil, err
	}
	return slices.Sorted(maps.Keys(tools)), nil
}

// Tool implements modelrun.MCP.
func (c *Client) Tool(ctx context.Context, server, tool string) (description string, schema []byte, readOnly bool,
	err error) {
	l, err := c.link(server)
	if err != nil {
		return "", nil, false, err
	}
	tools, err := l.list(ctx)
	if err != nil {
		return "", nil, false, err
	}
	t := tools[tool]
	if t == nil {
		return "", nil, false, l.away(fmt.Sprintf("has no tool %.60q, or it is not allowed", tool), nil)
	}
	schema, err = json.Marshal(t.InputSchema)
	readOnly = t.Annotations != nil && t.Annotations.ReadOnlyHint
	return excerpt.Of(cmp.Or(t.Description, t.Title), 4<<10), schema, readOnly, err
}

// Call implements modelrun.MCP. A call whose connection breaks may have been
// carried out: that is agent.CodeEffectUnknown; one that was not sent, or that HTTP
// refused, was not: agent.CodeToolAway. Only a server that says that it has not
// taken the call, because it does not know the session any more, is called again.
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
		met := &answer{}
		over := l.asks(ctx, met)
		res, err := s.CallTool(context.WithValue(ctx, answerKey{}, met), params)
		over()
		switch {
		case err == nil:
			return text(res, max)
		case answered(err):
			var said *jsonrpc.Error
			errors.As(err, &said)
			return "", failed(said.Message)
		case ctx.Err() != nil:
			return "", ctx.Err()
		}
		l.lost(s)
		if again && errors.Is(err, sdk.ErrSessionMissing) {
			continue
		}
		why, unsent, much := l.faultOf(met)
		switch {
		case much, errors.Is(err, errTooMuch) && len(l.Command) == 0: // a program's ends the calls of all
			return "", agent.TooLarge(max)
		case unsent:
			return "", l.away(why, err)
		}
		return "", &ui.Error{Code: agent.CodeEffectUnknown,
			Message: "the connection to the tool broke; whether it was carried out is unknown",
			Err:     &fault{l.Name, why, err}}
	}
}

// rejected is the message of an error that the SDK itself gives when its connection
// fails.
const rejected = "rejected by transport"

// answered reports an error that the server answers with, in a session that works.
func answered(err error) bool {
	var said *jsonrpc.Error
	return errors.As(err, &said) && said.Message != rejected && !errors.Is(err, sdk.ErrSessionMissing)
}

// failed is the error in a tool's result, if any.
func failed(message string) error {
	return &ui.Error{Code: agent.CodeToolFailed,
		Message: cmp.Or(excerpt.Of(strings.TrimSpace(message), 500), "the tool failed")}
}

func (c *Client) link(server string) (*link, error) {
	if l := c.links[server]; l != nil {
		return l, nil
	}
	return nil, fmt.Errorf("no MCP server is named %.60q here", server)
}

// text is the part of a result for the model.
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
		return "", failed(b.String())
	case len(res.InputRequests) > 0:
		return "", &ui.Error{Code: agent.CodeToolFailed, Message: "the tool asks for input, which it does not get"}
	}
	return b.String(), nil
}
