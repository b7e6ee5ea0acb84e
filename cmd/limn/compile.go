package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/limn-ui/limn"
	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/cmd/limn/term"
	"github.com/limn-ui/limn/compile"
	"github.com/limn-ui/limn/html"
	"github.com/limn-ui/limn/internal/inspect"
	"github.com/limn-ui/limn/internal/prove"
	"github.com/limn-ui/limn/ui"
)

type compileCommand struct {
	File   string `arg:"" optional:"" help:"${compile_file}"`
	App    string `type:"path" help:"The application, a YAML file. Default: the demo app 'desk'."`
	To     string `default:"v0.9" enum:"html,${versions}" help:"${compile_to}"`
	JSON   bool   `name:"json" help:"Print warnings and errors as JSON lines on standard error."`
	Strict bool   `help:"${compile_strict}"`
	catalogFlag
}

// Run reads the envelope and prints the messages to a client.
func (c compileCommand) Run(t term.Terminal) error {
	a, err := loadApp(c.App, t.Env)
	if err != nil {
		return err
	}
	in, _, err := term.Open(c.File, t)
	if err != nil {
		return err
	}
	defer in.Close()
	text, err := io.ReadAll(io.LimitReader(in, term.MaxInput))
	if err != nil {
		return err
	}
	strict := c.Strict || a.Config().Strict
	state, warnings, err := inspect.Directives(a, string(text), strict)
	for _, w := range warnings {
		c.report(t, w) //nolint:errcheck // a warning
	}
	if err != nil {
		return c.report(t, err)
	}
	if strict && len(warnings) > 0 {
		return term.Problems{N: len(warnings)}
	}
	if c.To == "html" {
		_, err := t.Out.Write(append(html.AppendSnapshot(nil, state,
			html.Options{Words: a.Config().Words, Action: "#", Uploads: "#"}), '\n'))
		return err
	}
	return c.messages(t, a, state)
}

func (c compileCommand) messages(t term.Terminal, a *app.App, state *ui.State) error {
	own, err := c.catalogs()
	if err != nil {
		return err
	}
	drawings, err := limn.Config{App: a, Targets: []string{c.To}, Catalogs: own}.Drawings(nil)
	if err != nil {
		return byFlag(err)
	}
	target := drawings[0].A2UI
	batches, err := compile.Snapshot(target, state)
	if err != nil {
		return c.report(t, err)
	}
	if list := a2ui.Validate(prove.Rules(target), batches.Messages()); len(list) > 0 {
		return c.report(t, &list[0])
	}
	for _, w := range batches.Warnings() {
		fmt.Fprintln(t.Err, "limn: warning:", w)
	}
	lines, err := messageLines(target, batches)
	if err != nil {
		return c.report(t, err)
	}
	_, err = t.Out.Write(lines)
	return err
}

// report prints an error for people or machines and returns it as reported.
func (c compileCommand) report(t term.Terminal, err error) error {
	var e *ui.Error
	if !c.JSON || !errors.As(err, &e) {
		fmt.Fprintln(t.Err, "limn:", err)
		return term.Problems{N: 1}
	}
	line, merr := json.Marshal(map[string]string{"code": string(e.Code), "path": e.Path, "message": e.Message,
		"hint": e.Hint})
	if merr != nil {
		return merr
	}
	fmt.Fprintln(t.Err, string(line))
	return term.Problems{N: 1}
}
