package a2uicmd

import (
	"bufio"
	"errors"
	"fmt"
	"strings"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/a2ui/client"
	"github.com/limn-ui/limn/cmd/limn/term"
)

// Replay is the command "limn replay": it prints a client's screen after a stream of messages.
type Replay struct {
	File    string   `arg:"" optional:"" help:"A2UI messages. Default: standard input."`
	Tree    bool     `help:"Print each surface as an indented tree. The default, unless --hash."`
	Hash    bool     `help:"Print two hashes of each surface: of what is shown, and of all that the client holds."`
	Version string   `default:"auto" enum:"auto,${versions}" help:"The A2UI version: ${enum}; auto reads it off the messages."`
	Mode    string   `default:"strict" enum:"strict,web-core" help:"${a2ui_replay_mode}"`
	Catalog []string `placeholder:"FILE" help:"${a2ui_replay_catalog}"`
	Max     int      `default:"100" help:"Print at most so many errors and count the rest; 0 = all."`
}

// Help is shown below the options.
func (Replay) Help() string {
	return `Applies a stream to a renderer without a screen and prints the surfaces that are open at its end. A
line of the tree is a role, its text, "= value", "-> action", details, "#component" and "@path"
where an input writes.

A message that fails is an error on standard error; the replay goes on with the next. Component
types outside the catalogs are drawn as unknown. The input is read as validate reads it; memory
holds the surfaces that are open.

Exit status: 0 every message was applied, 1 some failed, 2 a wrong command line.

Examples:
  limn replay stream.jsonl
  head -n 20 stream.jsonl | limn replay --tree --hash
  limn replay --mode web-core old.jsonl
  diff <(limn replay --hash a.jsonl) <(limn replay --hash b.jsonl)`
}

// Run applies every message, then prints.
func (c Replay) Run(t term.Terminal) error {
	errs := bufio.NewWriter(t.Err)
	defer errs.Flush()
	s, name, in, err := openStream(c.File, c.Version, t, errs)
	if err != nil {
		return err
	}
	defer in.Close()
	r := newFindings(errs, name, c.Max, styleOf(t.Err, t.Env), false)
	var screen *client.Client
	for p, err := range s.pieces() {
		if err != nil {
			return fmt.Errorf("read %s: %w", name, err)
		}
		r.messages++
		m, bad := s.decode(p)
		if bad == nil && screen == nil {
			if screen, err = c.client(s.dialect); err != nil {
				return err
			}
		}
		if bad == nil {
			bad = refused(screen.Apply(m))
		}
		if bad != nil {
			r.now(p, *bad)
		}
	}
	if screen != nil {
		if err := c.print(t, screen); err != nil {
			return err
		}
	}
	if r.found == 0 && r.messages > 0 {
		return nil
	}
	return r.failed(s.dialect)
}

func (c Replay) client(d a2ui.Dialect) (*client.Client, error) {
	known, err := catalogs(d, c.Catalog)
	if err != nil {
		return nil, err
	}
	cfg := client.Config{Dialect: d, Catalogs: known, AnyComponent: true}
	if c.Mode == "web-core" {
		cfg.Mode = client.LikeWebCore
	}
	return client.With(cfg), nil
}

// refused turns an error of the client into a problem.
func refused(err error) *a2ui.Problem {
	var e *client.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &e):
		return &a2ui.Problem{Code: a2ui.Code(e.Code), Surface: e.Surface, Component: e.Component, Message: e.Message}
	}
	return &a2ui.Problem{Code: a2ui.EnvelopeInvalid, Message: err.Error()}
}

// print shows the surfaces, sorted by id.
func (c Replay) print(t term.Terminal, screen *client.Client) error {
	out := bufio.NewWriter(t.Out)
	for _, id := range screen.Surfaces() {
		if c.Hash {
			fmt.Fprintf(out, "shown %s  exact %s  %s\n", screen.ShownHash(id), screen.ExactHash(id), term.Clean(id))
		}
		if c.Tree || !c.Hash {
			for line := range strings.Lines(screen.Dump(id)) {
				fmt.Fprintln(out, term.Clean(strings.TrimSuffix(line, "\n")))
			}
		}
	}
	return out.Flush()
}
