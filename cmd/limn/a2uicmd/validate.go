package a2uicmd

import (
	"bufio"
	"errors"
	"fmt"
	"maps"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/cmd/limn/term"
)

// Validate is the command "limn validate": it checks a stream of messages.
type Validate struct {
	Files   []string          `arg:"" optional:"" name:"file" help:"A2UI messages. Default: standard input."`
	Version string            `default:"auto" enum:"auto,${versions}" help:"The A2UI version: ${enum}; auto reads it off the messages."`
	Profile string            `default:"spec" enum:"spec,safe" help:"${a2ui_validate_profile}"`
	Catalog []string          `placeholder:"FILE" help:"${a2ui_validate_catalog}"`
	Alias   map[string]string `placeholder:"ID=ID" help:"${a2ui_validate_alias}"`
	Partial bool              `help:"Surfaces may have been created before this input."`
	Turns   bool              `help:"A blank line ends a turn."`
	Client  bool              `help:"Check what a client sends: actions, errors, calls and replies."`
	Max     int               `default:"100" help:"Print at most so many problems and count the rest; 0 = all."`
	JSON    bool              `name:"json" help:"Print the problems as one JSON object."`
}

// Help is shown below the options.
func (Validate) Help() string {
	return `The input is one message a line, as many as you like; or JSON over several lines, up to 64 MiB, in
which each value is a message, a list of messages, or an object with "messages". Messages are judged
as they come; memory holds the surfaces that are open, not the stream.

What is created in a turn must be whole at its end: a root, and everything the components refer to.
A turn is the whole input, or with --turns what stands before a blank line. The safe profile wants a
surface complete before it is updated. A turn of --turns has at most 8 MiB: use --turns for a stream
that goes on. On v0.8 beginRendering comes after the components, and a surface has the first catalog
until it names another.

Exit status: 0 no problems, 1 problems, or an input that cannot be read, 2 a wrong command line.

Examples:
  limn validate stream.jsonl
  agent | limn validate --profile safe --turns
  limn validate --catalog minimal --catalog shop.json --json stream.jsonl
  limn validate --client events.jsonl`
}

// Run judges each file.
func (c Validate) Run(t term.Terminal) error {
	if len(c.Files) == 0 {
		c.Files = []string{"-"}
	}
	out := bufio.NewWriterSize(t.Out, 32<<10)
	defer out.Flush()
	found := 0
	for _, file := range c.Files {
		n, err := c.file(t, out, file)
		if err != nil {
			return err
		}
		found += n
	}
	if err := out.Flush(); err != nil {
		return err
	}
	if found > 0 {
		return term.Problems{N: found}
	}
	return nil
}

// file judges one input and returns the number of problems.
func (c Validate) file(t term.Terminal, out *bufio.Writer, file string) (int, error) {
	s, name, in, err := openStream(file, c.Version, t, out)
	if err != nil {
		return 0, err
	}
	defer in.Close()
	r := newFindings(out, name, c.Max, styleOf(t.Out, t.Env), c.JSON)
	var v *a2ui.Validator
	turn, most := 0, a2ui.Limits{}.WithDefaults().BatchBytes
	for p, err := range s.pieces() {
		if err != nil {
			return 0, errors.Join(r.close(s.dialect), fmt.Errorf("read %s: %w", name, err))
		}
		r.messages++
		r.keep(p)
		if c.Client {
			if bad := s.decodeClient(p); bad != nil {
				r.now(p, *bad)
			}
			continue
		}
		if c.Turns && p.turn {
			if turn = 0; v != nil {
				r.later(v.EndTurn())
			}
		}
		if before := turn; c.Turns {
			if turn += len(p.raw); before <= most && turn > most {
				r.now(p, a2ui.Problem{Code: a2ui.LimitBatchBytes, Line: 1, Hint: "send less at once",
					Message: fmt.Sprintf("the turn has more than %d bytes", most)})
			}
		}
		m, bad := s.decode(p)
		if bad != nil {
			for _, bad := range s.faults(p, *bad) {
				r.now(p, bad)
			}
			continue
		}
		if v == nil {
			if v, err = c.validator(s.dialect); err != nil {
				return 0, err
			}
		}
		if _, ok := m.(*a2ui.CreateSurface); ok {
			r.surfaces++
		}
		for _, bad := range v.CheckMessage(p.tag, m) {
			bad.Line = 1 // of this piece
			r.now(p, bad)
		}
	}
	if v != nil {
		r.later(v.EndTurn())
	}
	return r.found, r.close(s.dialect)
}

func (c Validate) validator(d a2ui.Dialect) (*a2ui.Validator, error) {
	known, err := catalogs(d, c.Catalog)
	if err != nil {
		return nil, err
	}
	aliases := a2ui.Aliases()
	maps.Copy(aliases, c.Alias)
	rules := a2ui.Rules{Dialect: d, Catalog: known[0], Catalogs: known[1:], Aliases: aliases, Partial: c.Partial}
	if c.Profile == "safe" {
		rules.Profile = a2ui.Safe
	}
	return a2ui.NewValidator(rules), nil
}
