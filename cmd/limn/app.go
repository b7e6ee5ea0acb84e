package main

import (
	"fmt"
	"os"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/examples/desk"
	"github.com/limn-ui/limn/internal/gateway"
	"github.com/limn-ui/limn/ui"
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
	a, err := app.Load(file, data, secrets)
	if err == nil {
		return a, nil
	}
	if _, other := gateway.Load(file, data); other == nil {
		err = &ui.Error{Code: gateway.CodeConfig, Path: file, Message: "the file declares agents; it is no application",
			Hint: "limn gateway " + file}
	}
	return nil, err
}
