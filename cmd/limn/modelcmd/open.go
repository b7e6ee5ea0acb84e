package modelcmd

import (
	"strings"

	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/llm/anthropic"
	"github.com/limn-ui/limn/llm/endpoint"
	"github.com/limn-ui/limn/llm/openai"
)

// Providers lists the names that Config.Provider takes, for help texts.
func Providers() string { return strings.Join(append(openai.Providers(), anthropic.Provider), ", ") }

// Model is a model behind an adapter.
type Model interface {
	llm.Model
	llm.Named
	Entry() llm.Entry // what decides about its capabilities
}

// Open builds the adapter that a provider speaks.
func Open(c endpoint.Config) (Model, error) {
	if c.Provider == anthropic.Provider {
		return anthropic.New(c)
	}
	return openai.New(c)
}
