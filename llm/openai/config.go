package openai

import (
	"cmp"
	"net/http"

	"github.com/limn-ui/limn/internal/endpoint"
	"github.com/limn-ui/limn/llm"
)

// Config says which model to ask, and how. Provider is "" or one of Providers.
type Config = endpoint.Config

// Model asks one model of one server. It is safe for concurrent use.
type Model struct {
	endpoint *endpoint.Endpoint
	provider string
	model    string
	quirks   quirks
}

// dialect is the chat-completions protocol.
var dialect = endpoint.Dialect{
	Root: "/v1", Path: "/chat/completions",
	Sign: func(h http.Header, key string) { h.Set("Authorization", "Bearer "+key) },
}

// New checks the settings and reads the key. It opens no connection. An error
// has llm.CodeConfigInvalid and the name of the setting as its path.
func New(c Config) (*Model, error) {
	p, err := presetOf(c.Provider)
	if err != nil {
		return nil, err
	}
	c.URL = cmp.Or(c.URL, p.url)
	d := dialect
	d.Names = p.names()
	e, err := endpoint.New(c, d)
	if err != nil {
		return nil, err
	}
	return &Model{endpoint: e, provider: cmp.Or(c.Provider, e.Host), model: c.Model, quirks: p.quirks}, nil
}

// Name implements llm.Named: the provider or the server's host, and the model.
func (m *Model) Name() (provider, model string) { return m.provider, m.model }

// Capabilities implements llm.Capable.
func (m *Model) Capabilities() llm.Capabilities { return m.Entry().Capabilities }

// Entry says which entry of Config.Known decides about the model.
func (m *Model) Entry() llm.Entry { return m.endpoint.Declared() }
