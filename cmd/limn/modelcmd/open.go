package modelcmd

import (
	"slices"
	"strings"

	"github.com/limn-ui/limn/internal/endpoint"
	"github.com/limn-ui/limn/internal/near"
	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/llm/anthropic"
	"github.com/limn-ui/limn/llm/openai"
	"github.com/limn-ui/limn/ui"
)

// Providers lists the names that Config.Provider takes, for help texts.
func Providers() string { return strings.Join(append(openai.Providers(), anthropic.Provider), ", ") }

// Model is a model with its adapter.
type Model interface {
	llm.Model
	llm.Named
	Entry() llm.Entry // what decides about its capabilities
}

// Open builds the adapter that a provider speaks.
func Open(c endpoint.Config) (Model, error) {
	known := strings.Split(Providers(), ", ")
	if c.Provider != "" && !slices.Contains(known, c.Provider) {
		hint := "one of " + Providers() + "; without one OpenAI's dialect is spoken"
		if meant := near.Name(c.Provider, known); meant != "" {
			hint = "did you mean " + meant + "? " + hint
		}
		return nil, &ui.Error{Code: llm.CodeConfigInvalid, Path: "provider", Message: "no such provider", Hint: hint}
	}
	if c.Provider == anthropic.Provider {
		return anthropic.New(c)
	}
	return openai.New(c)
}

// At names the place of an error of Open by its name on the command line: a flag, or
// an environment variable. A place it does not call anything stays.
func At(err error, names map[string]string) error {
	e, ok := err.(*ui.Error)
	if !ok || names[e.Path] == "" {
		return err
	}
	named := *e
	named.Path = names[e.Path]
	return &named
}
