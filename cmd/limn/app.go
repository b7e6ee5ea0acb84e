package main

import (
	"fmt"
	"os"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/examples/desk"
	"github.com/limn-ui/limn/internal/gateway"
	"github.com/limn-ui/limn/ui"
)

// loadServed reads what limn serve or limn gateway serves: an application file, or one that declares agents, with
// their catalogs.
func loadServed(file string, env func(string) string) (*app.App, []*a2ui.Catalog, error) {
	data, err := os.ReadFile(file)
	if err != nil || !gateway.Declares(data) {
		a, err := loadApp(file, env)
		return a, nil, err
	}
	p, err := loadGateway(file, data)
	if err != nil {
		return nil, nil, err
	}
	p.agents.Close()
	return p.app, p.catalogs, nil
}

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
	if gateway.Declares(data) {
		err = &ui.Error{Code: gateway.CodeConfig, Path: file, Message: "the file declares agents; it is no application",
			Hint: "limn gateway " + file}
	}
	return nil, err
}
