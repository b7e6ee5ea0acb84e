package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/cmd/limn/a2uicmd"
	"github.com/limn-ui/limn/cmd/limn/term"
	"github.com/limn-ui/limn/internal/gateway"
	"github.com/limn-ui/limn/internal/transport/upstream"
	"github.com/limn-ui/limn/ui"
)

// gatewayCommand is the command "limn gateway": serve, with agents in place of an application.
type gatewayCommand struct{ serveCommand }

// Help is shown below the options.
func (gatewayCommand) Help() string {
	return `APP is the file that declares the agents, such as gateway.yaml (docs/gateway.md). The options are those of
'limn serve'. Of those about models --router-model and --router-url have an effect: that model chooses who answers
where a route of the file says so.

Example:
  limn gateway gateway.yaml

sh examples/gateway/run.sh starts one with four agents.`
}

// gatewayParts are what serving agents needs.
type gatewayParts struct {
	app      *app.App
	agents   *upstream.Agents
	catalogs []*a2ui.Catalog
	answers  string
}

// Run serves until the context ends.
func (c gatewayCommand) Run(ctx context.Context, t term.Terminal) error {
	if c.App == "" {
		return errors.New("limn gateway needs a file that declares agents, such as limn gateway gateway.yaml")
	}
	data, err := os.ReadFile(c.App)
	if err != nil {
		return err
	}
	p, err := loadGateway(c.App, data)
	if err != nil && !gateway.Declares(data) {
		if _, list, _ := (checkCommand{}).check(c.App); list == nil {
			err = &ui.Error{Code: gateway.CodeConfig, Path: c.App,
				Message: "the file is an application; it declares no agents", Hint: "limn serve " + c.App}
		}
	}
	if code := ui.CodeOf(err); code == gateway.CodeYAML || code == gateway.CodeConfig {
		list := findings(c.App, err)
		_ = t.Show(false, nil, func(w io.Writer, s term.Style) {
			for _, f := range list {
				f.print(w, s, data)
			}
		})
		return term.Problems{N: len(list)}
	}
	if err != nil {
		return err
	}
	defer p.agents.Close()
	c.gateway = p
	return c.serveCommand.Run(ctx, t)
}

// loadGateway reads a file that declares agents, and the files that it names.
func loadGateway(file string, data []byte) (*gatewayParts, error) {
	g, err := gateway.Load(file, data)
	if err != nil {
		return nil, err
	}
	return openGateway(g, filepath.Dir(file))
}

func openGateway(g *gateway.Config, dir string) (p *gatewayParts, err error) {
	p = &gatewayParts{}
	p.agents, err = upstream.Open(g, dir, func(file string) ([]*a2ui.Catalog, error) {
		return a2uicmd.ReadCatalogs([]string{file})
	})
	if err != nil {
		return nil, err
	}
	named, titles, agents := map[string]string{}, []string(nil), []app.Agent(nil)
	for i := range g.Agents {
		a := &g.Agents[i]
		titles = append(titles, a.Title)
		agents = append(agents, app.Agent{Name: a.Name, Title: a.Title, About: a.About})
		if a.Compiled != nil {
			named[a.Name] = a.Compiled.ID
			if !slices.Contains(p.catalogs, a.Compiled) {
				p.catalogs = append(p.catalogs, a.Compiled)
			}
		}
	}
	p.answers = fmt.Sprintf("%s: %s", term.Count(len(titles), "agent"), strings.Join(titles, ", "))
	p.app, err = app.New(app.Config{Name: g.Name, Title: g.Title, Catalogs: named, Operators: g.Operators,
		Agents: agents, Suggestions: g.Suggestions})
	return p, err
}
