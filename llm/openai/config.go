package openai

import (
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/ui"
)

// Config says which model to ask, and how.
type Config struct {
	URL   string // required: http or https, such as https://api.openai.com/v1; without a path its /v1
	Model string // required
	Key   string // sent as a bearer token; "" = none
	// Capabilities of the server; nil: llm.Generic, with what is known about
	// the host of URL.
	Capabilities *llm.Capabilities
	Strict       bool              // refuse what the server does not declare instead of dropping it
	Timeout      time.Duration     // of one Ask with its retries; default 60 s
	Retries      int               // after the first try; default and most 2, below 0 = none
	MaxReply     int64             // bytes of an answer, inclusive; default 4 MiB
	Transport    http.RoundTripper // default: a private copy of http.DefaultTransport
}

// String describes the settings without the key.
func (c Config) String() string {
	key := "no key"
	if c.Key != "" {
		key = "with a key"
	}
	return "openai " + c.Model + " at " + shownURL(c.URL) + ", " + key
}

// GoString keeps the key out of %#v.
func (c Config) GoString() string { return c.String() }

// LogValue keeps the key out of structured logs.
func (c Config) LogValue() slog.Value { return slog.StringValue(c.String()) }

// shownURL is a URL without anything that may be a secret.
func shownURL(s string) string {
	u, err := url.Parse(s)
	if err != nil {
		return "(no URL)"
	}
	return (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}).String()
}

func (c Config) withDefaults() Config {
	if c.Timeout == 0 {
		c.Timeout = 60 * time.Second
	}
	switch {
	case c.Retries == 0 || c.Retries > 2:
		c.Retries = 2
	case c.Retries < 0:
		c.Retries = 0
	}
	if c.MaxReply == 0 {
		c.MaxReply = 4 << 20
	}
	if c.Transport == nil {
		if t, ok := http.DefaultTransport.(*http.Transport); ok {
			c.Transport = t.Clone()
		} else {
			c.Transport = http.DefaultTransport
		}
	}
	return c
}

func (c Config) validate() error {
	bad := func(path, message, hint string) error {
		return &ui.Error{Code: llm.CodeConfigInvalid, Path: path, Message: message, Hint: hint}
	}
	u, err := url.Parse(c.URL)
	switch {
	case c.URL == "":
		return bad("url", "no model server is set", "give an address such as https://api.openai.com/v1")
	case err != nil:
		return bad("url", "the model server's address is no URL", "give an address such as https://api.openai.com/v1")
	case u.Scheme != "http" && u.Scheme != "https":
		return bad("url", "the model server's address must start with http:// or https://", "")
	case u.Hostname() == "":
		return bad("url", "the model server's address names no host", "")
	case u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return bad("url", "the model server's address holds a user, a query or a fragment", "give the key as the key, and the address up to its path")
	case strings.TrimSpace(c.Model) == "":
		return bad("model", "no model is set", "give the name the server knows, such as gpt-4o-mini")
	case strings.ContainsFunc(c.Key, func(r rune) bool { return r <= ' ' || r >= 0x7f }):
		return bad("key", "the key holds characters that no header can carry", "check for a line break at its end")
	case c.Timeout < 0 || c.MaxReply < 0:
		return bad("timeout", "a limit is below zero", "")
	}
	return nil
}

// base returns the URL to which chat/completions is appended.
func (c Config) base() string {
	u, _ := url.Parse(c.URL) // checked by validate
	u.Path = strings.TrimSuffix(strings.TrimRight(u.Path, "/"), "/chat/completions")
	if u.Path == "" {
		u.Path = "/v1"
	}
	u.RawPath = ""
	return u.String() + "/"
}

// capabilities returns what the server understands.
func (c Config) capabilities() llm.Capabilities {
	if c.Capabilities != nil {
		caps := *c.Capabilities
		caps.Keys = slices.Clone(caps.Keys)
		return caps
	}
	caps := llm.Generic()
	u, _ := url.Parse(c.URL)
	if host := u.Hostname(); host == "api.openai.com" || strings.HasSuffix(host, ".api.openai.com") {
		caps.Keys = append(caps.Keys, "max_completion_tokens", "reasoning_effort", "verbosity", "service_tier", "store",
			"metadata", "safety_identifier", "prompt_cache_key", "logit_bias", "logprobs", "top_logprobs", "user")
		caps.ParallelNeedsTools = true
	}
	return caps
}

// Model asks one model of one server. It is safe for concurrent use.
type Model struct {
	chat     sdk.ChatCompletionService
	model    string
	host     string
	caps     llm.Capabilities
	strict   bool
	timeout  time.Duration
	scrub    func(string) string // a closure, so that no way of printing a Model shows the key
	insecure bool
}

// New checks the settings and builds a Model. It opens no connection. An error
// has llm.CodeConfigInvalid and the name of the setting as its path.
func New(c Config) (*Model, error) {
	if err := c.validate(); err != nil {
		return nil, err
	}
	c = c.withDefaults()
	client := &http.Client{
		Transport: limited{next: c.Transport, most: c.MaxReply},
		CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse
		},
	}
	opts := []option.RequestOption{
		option.WithHTTPClient(client), option.WithBaseURL(c.base()),
		option.WithMaxRetries(c.Retries), option.WithMaxRetryDelay(8 * time.Second),
	}
	if c.Key != "" {
		opts = append(opts, option.WithAPIKey(c.Key))
	}
	key := c.Key
	u, _ := url.Parse(c.URL) // validated
	return &Model{host: u.Host,
		// The service alone, not sdk.NewClient: that one reads the environment.
		chat: sdk.NewChatCompletionService(opts...), model: c.Model, caps: c.capabilities(), strict: c.Strict, timeout: c.Timeout,
		scrub: func(s string) string {
			if key == "" {
				return s
			}
			return strings.ReplaceAll(s, key, "[key]")
		},
		insecure: key != "" && !c.encrypted(),
	}, nil
}

// Name implements llm.Named: the server's host, and the model.
func (m *Model) Name() (provider, model string) {
	return m.host, m.model
}

// Capabilities implements llm.Capable.
func (m *Model) Capabilities() llm.Capabilities {
	caps := m.caps
	caps.Keys = slices.Clone(caps.Keys)
	return caps
}

// SendsKeyInClear reports that the key travels unencrypted to another machine:
// worth a warning at start.
func (m *Model) SendsKeyInClear() bool { return m.insecure }

func (c Config) encrypted() bool {
	u, _ := url.Parse(c.URL)
	ip := net.ParseIP(u.Hostname())
	return u.Scheme == "https" || u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
}

// errTooLarge is what reading an answer above the limit ends with.
var errTooLarge = errors.New("answer above the size limit")
