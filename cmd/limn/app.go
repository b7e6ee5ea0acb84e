package main

import (
	"fmt"
	"os"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/examples/desk"
)

// loadApp reads an application file, or the embedded demo without one.
func loadApp(file string, env func(string) string) (*app.App, error) {
	secrets := app.Env(func(name string) (string, bool) { v := env(name); return v, v != "" })
	if file == "" {
		return desk.App()
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("read application: %w", err)
	}
	return app.Load(file, data, secrets)
}
