// Command limn serves an application, compiles directives, checks, shows,
// translates and finds A2UI, and says how messages and pastes are read.
//
// It wires every adapter; the packages it uses know nothing of each other.
package main

import (
	"cmp"
	"context"
	_ "embed" // flags.txt
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"
	"github.com/limn-ui/limn/cmd/limn/a2uicmd"
	"github.com/limn-ui/limn/cmd/limn/decidecmd"
	"github.com/limn-ui/limn/cmd/limn/evalcmd"
	"github.com/limn-ui/limn/cmd/limn/modelcmd"
	"github.com/limn-ui/limn/cmd/limn/synccmd"
	"github.com/limn-ui/limn/cmd/limn/term"
	"github.com/limn-ui/limn/ui"
)

// Exit codes of every command.
const (
	exitOK      = 0
	exitProblem = 1 // the input has problems, or the server could not go on
	exitUsage   = 2 // the command line is wrong
)

// command is the command line.
type command struct {
	applicationCommands
	messageCommands
	readingCommands
	storeCommands
	programCommands
}

type (
	// applicationCommands are about an application that is written, checked and served.
	applicationCommands struct {
		Serve   serveCommand   `cmd:"" help:"Serve an application over HTTP: pages, API and event streams."`
		New     newCommand     `cmd:"" help:"Write an application to begin with."`
		Dev     devCommand     `cmd:"" help:"Serve an application file, again whenever it changes."`
		Gateway gatewayCommand `cmd:"" help:"Serve several agents as one conversation."`
		Check   checkCommand   `cmd:"" help:"Check an application file, without serving it."`
		Doctor  doctorCommand  `cmd:"" help:"Say what of this machine and of the configuration works."`
		Schema  schemaCommand  `cmd:"" help:"Print the JSON Schema of application files, for editors."`
		MCP     mcpCommand     `cmd:"" name:"mcp" help:"${mcp}"`
		Compile compileCommand `cmd:"" help:"Turn a directives envelope into A2UI messages or HTML."`
	}
	// messageCommands are about streams of A2UI messages.
	messageCommands struct {
		Validate  a2uicmd.Validate  `cmd:"" help:"Check a stream of A2UI messages."`
		Replay    a2uicmd.Replay    `cmd:"" help:"Show what a client shows after a stream of A2UI messages."`
		Catalog   a2uicmd.Catalog   `cmd:"" help:"List the components, functions and properties of a catalog."`
		Parse     a2uicmd.Parse     `cmd:"" help:"Take A2UI messages out of what a model writes."`
		Translate a2uicmd.Translate `cmd:"" help:"Turn a stream of A2UI messages into another version."`
	}
	// readingCommands are about reading messages, and about models.
	readingCommands struct {
		Route   decidecmd.Route   `cmd:"" help:"Say what a message leads to, and why."`
		Capture decidecmd.Capture `cmd:"" help:"Read a pasted table or a process."`
		Sync    synccmd.DataSync  `cmd:"" name:"datasync" help:"Apply, join and show documents that several write at once."`
		Eval    evalcmd.Eval      `cmd:"" help:"Score the router and the parser on labelled lines, and models on scenarios."`
		Models  modelcmd.Models   `cmd:"" help:"Say what is known of models, or find it out."`
	}
	// storeCommands are about the contents of a store.
	storeCommands struct {
		Backup  backupCommand  `cmd:"" help:"Write all conversations of a store to a file."`
		Restore restoreCommand `cmd:"" help:"Read such a file into a store."`
		Trace   traceCommand   `cmd:"" help:"Say how the turns of a conversation went."`
		Inspect inspectCommand `cmd:"" help:"${inspect}"`
		Again   replayCommand  `cmd:"" name:"replay-conversation" help:"${command_again}"`
		Outbox  outboxCommand  `cmd:"" help:"Look at webhooks that were given up, and have them tried again."`
	}
	// programCommands are about this program.
	programCommands struct {
		Shell    completionCommand `cmd:"" name:"completion" help:"${completion}"`
		Complete completeCommand   `cmd:"" hidden:"" help:"Say how the last of these words can go on."`
		Version  versionCommand    `cmd:"" help:"Say what this program was built from, as --version does."`
	}
)

func main() {
	os.Exit(run(context.Background(), os.Args[1:],
		term.Terminal{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Env: os.Getenv}))
}

// run is main without the process.
func run(ctx context.Context, args []string, t term.Terminal) int {
	var c command
	exited := -1
	parser, err := kong.New(&c, kong.Name("limn"), kong.Description("The server side of agent user interfaces."),
		kong.UsageOnError(), kong.Writers(t.Out, t.Err), kong.Exit(func(code int) { exited = code }),
		variables(), kong.PostBuild(longHelp))
	if err != nil {
		fmt.Fprintln(t.Err, "limn:", err)
		return exitUsage
	}
	switch {
	case len(args) == 0:
		args = []string{"--help"}
	case args[0] == "--version": // other commands have a flag of that name
		args[0] = "version"
	}
	parsed, err := parser.Parse(args)
	if exited >= 0 {
		return exited
	}
	if err != nil {
		fmt.Fprintln(t.Err, "limn:", err)
		fmt.Fprintln(t.Err, "Try 'limn --help'.")
		return exitUsage
	}
	parsed.BindTo(ctx, (*context.Context)(nil))
	parsed.Bind(evalcmd.LoadApp(loadApp), parser.Model)
	err = parsed.Run(t)
	var found term.Problems
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &found):
		return exitProblem
	case readerGone(err):
		return exitOK
	}
	printError(t.Err, err)
	return exitProblem
}

// readerGone reports that standard output could not be written because its reader has
// enough, and that no other error is joined to it.
func readerGone(err error) bool {
	if many, ok := err.(interface{ Unwrap() []error }); ok {
		return !slices.ContainsFunc(many.Unwrap(), func(one error) bool { return !readerGone(one) })
	}
	at, ok := errors.AsType[*fs.PathError](err)
	return ok && at.Path == os.Stdout.Name() && errors.Is(at.Err, syscall.EPIPE)
}

// flagHelp has the longer help texts of flags: a name, then indented lines.
//
//go:embed flags.txt
var flagHelp string

// variables are what tags of commands write as ${name}. Kong reads each of them again for
// every flag, so the texts of flags.txt are not among them.
func variables() kong.Vars {
	return kong.Vars{"targets": defaultTargets, "versions": a2uicmd.Versions(), "providers": modelcmd.Providers(),
		"beginnings": beginningNames()}
}

// longHelp gives commands and flags whose help is ${name} their text of flags.txt.
func longHelp(k *kong.Kong) error {
	texts := map[string]string{}
	name := ""
	for line := range strings.Lines(flagHelp) {
		if text := strings.TrimSpace(line); line[0] != ' ' {
			name = "${" + text + "}"
		} else {
			texts[name] = strings.TrimSpace(texts[name] + " " + text)
		}
	}
	return kong.Visit(k.Model, func(at kong.Visitable, next kong.Next) error {
		switch at := at.(type) {
		case *kong.Node:
			at.Help = cmp.Or(texts[at.Help], at.Help)
		case *kong.Value:
			at.Help = cmp.Or(texts[at.Help], at.Help)
		}
		return next(nil)
	})
}

// printError prints an error, or each of several joined ones, with its hint.
func printError(w io.Writer, err error) {
	if many, ok := err.(interface{ Unwrap() []error }); ok && err.Error() == errors.Join(many.Unwrap()...).Error() {
		for _, one := range many.Unwrap() {
			printError(w, one)
		}
		return
	}
	fmt.Fprintln(w, "limn:", err)
	if e, ok := errors.AsType[*ui.Error](err); ok && e.Hint != "" {
		for line := range strings.Lines(e.Hint) {
			fmt.Fprintln(w, "  ", term.Clean(strings.TrimRight(line, "\n")))
		}
	}
}

// defaultTargets are the drawings of limn serve.
const defaultTargets = "html,v0.9,v0.8"
