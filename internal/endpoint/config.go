package endpoint

import (
	"cmp"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/limn-ui/limn/internal/sendonce"
	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/ui"
)

// Config says which model to ask, and how. Each adapter says which providers
// it knows.
type Config struct {
	Provider string // whose known quirks to respect; "" = those of the host of URL
	URL      string // https, such as https://api.openai.com/v1; required unless the provider has one
	Model    string // required: the name the server knows, see llm.CheckName

	Key     string `json:"-" yaml:"-"` // the server's key; "" = none. At most one of the three
	KeyEnv  string // the environment variable that holds it
	KeyFile string // the file that holds it; space around it is dropped

	// Insecure allows http to another machine: everyone on the way can read the
	// key and the conversation.
	Insecure bool

	Capabilities *llm.Capabilities // of the model; nil = what Known says of it, else llm.PromptOnly
	Known        llm.Table         // capabilities of models, looked up by provider and host; default llm.Known()
	Strict       bool              // refuse undeclared parameters instead of dropping them
	Timeout      time.Duration     // of one Ask with its retries; default 60 s
	Retries      int               // after a refusal or a failed connection; default and most 2, below 0 = none
	MaxReply     int64             // bytes of an answer, inclusive; default 4 MiB
	Transport    http.RoundTripper // default: a private copy of http.DefaultTransport
}

// String describes the settings without the key.
func (c Config) String() string {
	key := "no key"
	if c.Key != "" || c.KeyEnv != "" || c.KeyFile != "" {
		key = "with a key"
	}
	return cmp.Or(c.Provider, "model") + " " + c.Model + " at " + shownURL(c.URL) + ", " + key
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
	c.Timeout, c.MaxReply = cmp.Or(c.Timeout, 60*time.Second), cmp.Or(c.MaxReply, 4<<20)
	switch {
	case c.Retries == 0 || c.Retries > 2:
		c.Retries = 2
	case c.Retries < 0:
		c.Retries = 0
	}
	if c.Known == nil {
		c.Known = llm.Known()
	}
	if c.Transport == nil {
		c.Transport = http.DefaultTransport
		if t, ok := c.Transport.(*http.Transport); ok {
			t = t.Clone()
			t.MaxResponseHeaderBytes = 64 << 10
			c.Transport = t
		}
	}
	c.Transport = sendonce.Transport{Base: c.Transport}
	return c
}

func bad(path, message, hint string) error {
	return &ui.Error{Code: llm.CodeConfigInvalid, Path: path, Message: message, Hint: hint}
}

func (c Config) validate() error {
	u, err := url.Parse(c.URL)
	switch {
	case c.URL == "":
		return bad("url", "no model server is set", "give an address such as https://api.openai.com/v1")
	case err != nil:
		return bad("url", "the model server's address is no URL", "give an address such as https://api.openai.com/v1")
	case u.Scheme != "http" && u.Scheme != "https":
		return bad("url", "the model server's address must start with http:// or https://",
			"give an address such as https://api.openai.com/v1")
	case u.Hostname() == "":
		return bad("url", "the model server's address names no host",
			"give an address such as https://api.openai.com/v1")
	case u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return bad("url", "the model server's address holds a user, a query or a fragment",
			"give the key as the key, and the address up to its path")
	case u.Scheme == "http" && !OnThisMachine(u.Hostname()) && !c.Insecure:
		return bad("url", "http to another machine: the key and the conversation could be read on the way",
			"use https, or allow it: Insecure in Go, --model-insecure of limn serve, --insecure of limn models probe")
	case c.Timeout < 0:
		return bad("timeout", "the time for an answer is below zero", "leave it out for 60 seconds")
	case c.MaxReply < 0:
		return bad("max_reply", "the size of an answer is below zero", "leave it out for 4 MiB")
	}
	return checkName(c.Model)
}

// checkName returns CodeConfigInvalid for a name that no model has: an empty
// one, one above 256 bytes, or one with characters that do not print.
func checkName(model string) error {
	bad := func(why, hint string) error {
		return &ui.Error{Code: llm.CodeConfigInvalid, Path: "model", Message: why, Hint: hint}
	}
	switch {
	case strings.TrimSpace(model) == "":
		return bad("no model is set", "give the name the server knows, such as gpt-4o-mini")
	case len(model) > 256:
		return bad("the model's name is above 256 bytes", "give the name the server knows, such as gpt-4o-mini")
	case !utf8.ValidString(model) || strings.ContainsFunc(model, func(r rune) bool { return !unicode.IsPrint(r) }):
		return bad("the model's name holds characters that do not print", "check for a line break or a tab in it")
	}
	return nil
}

// OnThisMachine reports a host whose traffic stays on this machine.
func OnThisMachine(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || ip != nil && ip.IsLoopback()
}
