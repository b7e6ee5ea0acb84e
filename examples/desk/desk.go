// Package desk is the demo application: tables, a process map, forms with every
// field type, a view, actions and words, all declared in one YAML file.
//
// In: desk.yaml, embedded. Out: its bytes, or the checked App. The one thing
// YAML cannot say, looking into an uploaded file, is added in Go by [Cards].
// Callers: cmd/limn demo, tests.
package desk

import (
	_ "embed" // the declaration
	"fmt"

	"github.com/limn-ui/limn/app"
)

//go:embed desk.yaml
var file []byte

// Option adds to the declaration what needs code.
type Option func(*app.Config)

// App returns the demo application.
func App(opts ...Option) (*app.App, error) {
	a, err := app.Load("desk.yaml", file)
	if err != nil || len(opts) == 0 {
		return a, err
	}
	cfg := a.Config()
	for _, o := range opts {
		o(&cfg)
	}
	if a, err = app.New(cfg); err != nil {
		return nil, fmt.Errorf("extend desk: %w", err)
	}
	return a, nil
}
