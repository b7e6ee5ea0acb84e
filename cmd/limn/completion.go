package main

import (
	"embed"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
	"github.com/limn-ui/limn/cmd/limn/term"
)

// completionScripts ask "limn complete" for each word.
//
//go:embed completion/limn.*
var completionScripts embed.FS

// completionCommand is the command "limn completion".
type completionCommand struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"The shell: ${enum}."`
}

// Help is shown below the options.
func (completionCommand) Help() string {
	return `Prints what makes a shell complete commands, flags, their values and files. For this shell and the next
ones, put the line into the file that the shell reads when it starts:

  bash   source <(limn completion bash)     ~/.bashrc
  zsh    source <(limn completion zsh)      ~/.zshrc, after compinit
  fish   limn completion fish | source      ~/.config/fish/config.fish`
}

// Run prints the script.
func (c completionCommand) Run(t term.Terminal) error {
	script, err := completionScripts.ReadFile("completion/limn." + c.Shell)
	if err == nil {
		_, err = t.Out.Write(script)
	}
	return err
}

// completeCommand is the command "limn complete", which shells call.
type completeCommand struct {
	Words []string `arg:"" optional:"" help:"What is typed after limn; the last word is completed."`
}

// Run prints the words that the last one can be: one a line, a tab and its meaning. The line
// ":files" means the names of files.
func (c completeCommand) Run(t term.Terminal, all *kong.Application) error {
	last := ""
	if n := len(c.Words); n > 0 {
		c.Words, last = c.Words[:n-1], c.Words[n-1]
	}
	at := typed{node: all.Node}
	for _, word := range c.Words {
		at.word(word)
	}
	at.complete(t.Out, last)
	return nil
}

// typed is where a command line has come to.
type typed struct {
	node *kong.Node
	args int         // of the command that are given
	flag *kong.Value // whose value is next
	rest bool        // after --: no flags
}

// word goes on by a whole word.
func (at *typed) word(word string) {
	name, _, given := strings.Cut(word, "=")
	flag := at.flagOf(name)
	switch {
	case word == "=" && at.flag != nil: // bash splits --flag=value
	case at.flag != nil:
		at.flag = nil
	case word == "--":
		at.rest = true
	case flag != nil && !given && !flag.IsBool():
		at.flag = flag
	case strings.HasPrefix(word, "-") && !at.rest:
	default:
		i := slices.IndexFunc(at.node.Children, func(n *kong.Node) bool { return n.Name == word })
		if i < 0 {
			at.args++
			return
		}
		at.node, at.args = at.node.Children[i], 0
	}
}

// flags are those of the command and of the commands it is part of.
func (at *typed) flags() (list []*kong.Flag) {
	if at.rest {
		return nil
	}
	for _, group := range at.node.AllFlags(true) {
		list = append(list, group...)
	}
	return list
}

func (at *typed) flagOf(word string) *kong.Value {
	for _, f := range at.flags() {
		if word == "--"+f.Name || f.Short != 0 && word == "-"+string(f.Short) {
			return f.Value
		}
	}
	return nil
}

func (at *typed) complete(w io.Writer, last string) {
	name, value, given := strings.Cut(last, "=")
	flag := at.flagOf(name)
	switch {
	case at.flag != nil:
		values(w, at.flag, "", strings.TrimPrefix(last, "="))
	case flag != nil && given:
		values(w, flag, name+"=", value)
	case strings.HasPrefix(last, "-"):
		for _, f := range at.flags() {
			offer(w, "--"+f.Name, f.Help, last)
		}
	default:
		for _, n := range at.node.Children {
			if !n.Hidden {
				offer(w, n.Name, n.Help, last)
			}
		}
		if list := at.node.Positional; len(list) > 0 {
			if arg := list[min(at.args, len(list)-1)]; at.args < len(list) || arg.IsSlice() {
				values(w, arg, "", last)
			}
		}
	}
}

// values offers the values of a flag or an argument.
func values(w io.Writer, v *kong.Value, before, begun string) {
	kind := v.Target.Type()
	if kind.Kind() == reflect.Slice {
		kind = kind.Elem()
	}
	switch {
	case v.Enum != "":
		for _, one := range v.EnumSlice() {
			offer(w, before+one, "", before+begun)
		}
	case kind.Kind() == reflect.String:
		fmt.Fprintln(w, ":files")
	}
}

func offer(w io.Writer, word, help, begun string) {
	if strings.HasPrefix(word, begun) {
		fmt.Fprintf(w, "%s\t%s\n", word, term.Cut(term.Clean(help), 60))
	}
}
