package anthropic

import (
	"cmp"
	"net/http"

	"github.com/limn-ui/limn/internal/endpoint"
	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/ui"
)

// Provider is the one provider of this dialect, for Config.Provider.
const Provider = "anthropic"

// Config says which model to ask, and how. Provider is "" or Provider; URL is
// https://api.anthropic.com by default.
type Config = endpoint.Config

// Model asks one model. It is safe for concurrent use.
type Model struct {
	endpoint *endpoint.Endpoint
	model    string
}

// dialect is the messages protocol.
var dialect = endpoint.Dialect{
	Path: "/v1/messages", Start: "/v1", Names: []string{Provider},
	Header: http.Header{"Anthropic-Version": {"2023-06-01"}},
	Sign:   func(h http.Header, key string) { h.Set("X-Api-Key", key) },
}

// New checks the settings and reads the key. It opens no connection. An error
// has llm.CodeConfigInvalid and the name of the setting as its path.
func New(c Config) (*Model, error) {
	if c.Provider != "" && c.Provider != Provider {
		return nil, &ui.Error{Code: llm.CodeConfigInvalid, Path: "provider",
			Message: "no such provider of the messages protocol", Hint: Provider + ", or none"}
	}
	c.URL = cmp.Or(c.URL, "https://api.anthropic.com")
	e, err := endpoint.New(c, dialect)
	if err != nil {
		return nil, err
	}
	return &Model{endpoint: e, model: c.Model}, nil
}

// Name implements llm.Named: the provider, and the model.
func (m *Model) Name() (provider, model string) { return Provider, m.model }

// Capabilities implements llm.Capable.
func (m *Model) Capabilities() llm.Capabilities { return m.Entry().Capabilities }

// Entry says which entry of Config.Known decides about the model.
func (m *Model) Entry() llm.Entry { return m.endpoint.Declared() }
