package decidecmd

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/limn-ui/limn/cmd/limn/term"
	"github.com/limn-ui/limn/internal/eval"
	"github.com/limn-ui/limn/internal/route"
	"github.com/limn-ui/limn/ui"
)

// MaxMessage is how long a message may be, in bytes.
const MaxMessage = 1 << 20

// Codes of refused input.
const (
	codeMessage ui.Code = "CLI_MESSAGE_TOO_LONG"
	codeInput   ui.Code = "CLI_INPUT_TOO_LONG"
	codeNoSteps ui.Code = "CLI_NO_STEPS"
)

// Route is the command "limn route": where a message leads, and why.
type Route struct {
	Message []string `arg:"" optional:"" help:"What the user says. Default: standard input."`
	State   string   `placeholder:"FILE" help:"${decide_route_state}"`
	Batch   string   `placeholder:"FILE" help:"${decide_route_batch}"`
	Open    []string `placeholder:"TITLE" sep:"none" help:"${decide_route_open}"`
	JSON    bool     `name:"json" help:"Print the decision as JSON, in its canonical form."`
}

// Help is shown below the options.
func (Route) Help() string {
	return `Decides as the server does: open a table or a process map, ask one question, or chat. No model is
asked. Nothing is remembered: the same words and the same state give the same answer.

--batch prints one line for each of FILE,
{"id","action","tool_name","min_count","confidence","trigger"}. A line that cannot be read is named
on standard error, and the others are decided.

Exit status: 0 decided, 1 something could not be read, 2 a wrong command line.

Examples:
  limn route "We have 20 stakeholders across finance, ops, and IT."
  limn route --json "We have some risks."
  limn route --open Customer "looks good, send it"
  limn route --state state.json "turn the tools back on, I have 14 risks"
  limn route --batch router.jsonl > predictions.jsonl`
}

// Run decides one message, or those of a file.
func (c Route) Run(t term.Terminal) error {
	if c.Batch != "" {
		if len(c.Message) > 0 || c.State != "" || c.Open != nil {
			return errors.New("--batch takes messages and states from FILE; " +
				"leave the message, --state and --open out")
		}
		now := time.Now()
		return batch(t, c.Batch, func(l eval.RouteCase) eval.Routed { return l.Decide(now) })
	}
	message, err := c.message(t)
	if err != nil {
		return err
	}
	state, open, err := c.state(t)
	if err != nil {
		return err
	}
	d := route.Decide(message, state, route.Prefs{Open: open}, time.Now())
	if c.JSON {
		_, err := t.Out.Write(append(d.AppendJSON(nil), '\n'))
		return err
	}
	return t.Show(false, nil, func(w io.Writer, style term.Style) { explain(w, style, d, state) })
}

func (c Route) message(t term.Terminal) (string, error) {
	if len(c.Message) > 0 {
		return strings.Join(c.Message, " "), nil
	}
	if c.State == "-" {
		return "", errors.New("standard input is the state; give the message as an argument")
	}
	t.AskFor("the message")
	b, err := io.ReadAll(io.LimitReader(t.In, MaxMessage+1))
	switch {
	case err != nil:
		return "", fmt.Errorf("read the message: %w", err)
	case len(b) > MaxMessage:
		return "", refuse(t, "<stdin>", &ui.Error{Code: codeMessage,
			Message: fmt.Sprintf("a message has at most %d MiB", MaxMessage>>20),
			Hint:    "many messages go into a file for --batch, one a line"})
	}
	return strings.TrimSuffix(strings.TrimSuffix(string(b), "\n"), "\r"), nil
}

// state is the memory of a conversation, with its open surfaces.
func (c Route) state(t term.Terminal) (state ui.Router, open []route.Open, err error) {
	open = eval.OpenOf(c.Open)
	if c.State == "" {
		return state, open, nil
	}
	b, name, err := readFile(t, c.State)
	if err != nil {
		return state, nil, err
	}
	state, err = eval.DecodeState(b)
	if bad, ok := errors.AsType[*ui.Error](err); ok {
		return state, nil, refuse(t, name, bad)
	}
	return state, append(open, eval.DecodeOpen(b)...), err
}

// readFile reads a whole file, or standard input.
func readFile(t term.Terminal, file string) ([]byte, string, error) {
	in, name, err := term.Open(file, t)
	if err != nil {
		return nil, name, err
	}
	defer in.Close()
	b, err := io.ReadAll(io.LimitReader(in, term.MaxInput+1))
	switch {
	case err != nil:
		return nil, name, fmt.Errorf("read %s: %w", name, err)
	case len(b) > term.MaxInput:
		return nil, name, refuse(t, name, tooLong())
	}
	return b, name, nil
}

func tooLong() *ui.Error {
	return &ui.Error{Code: codeInput, Message: fmt.Sprintf("the input has more than %d MiB", term.MaxInput>>20),
		Hint: "take it in parts"}
}
