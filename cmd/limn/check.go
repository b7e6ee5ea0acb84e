package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/cmd/limn/term"
	"github.com/limn-ui/limn/internal/gateway"
	"github.com/limn-ui/limn/internal/inspect"
	"github.com/limn-ui/limn/ui"
)

// checkCommand is the command "limn check".
type checkCommand struct {
	Files []string `arg:"" name:"app" help:"Application files in YAML, or files that declare agents."`
	JSON  bool     `name:"json" help:"Print the problems as one JSON array, for editors."`
}

// Help is shown below the options.
func (checkCommand) Help() string {
	return `Says what is wrong in an application file, each problem with its line and a suggestion, as 'limn serve'
would; in one that declares agents, as 'limn gateway' would. Handlers that a Go program binds count as
bound, and so do variables of the environment.

Exit status: 0 no problems, 1 problems, 2 a wrong command line.

Examples:
  limn check desk.yaml
  limn check --json desk.yaml`
}

// finding is a problem as --json prints it.
type finding struct {
	Code    ui.Code `json:"code"`
	File    string  `json:"file"`
	Line    int     `json:"line,omitempty"`
	Column  int     `json:"column,omitempty"` // in characters
	Message string  `json:"message"`
	Hint    string  `json:"hint,omitempty"`
}

// Run checks each file.
func (c checkCommand) Run(t term.Terminal) error {
	found := []finding{}
	err := t.Show(false, nil, func(w io.Writer, s term.Style) {
		for _, file := range c.Files {
			data, list, summary := c.check(file)
			found = append(found, list...)
			if c.JSON {
				continue
			}
			for _, f := range list {
				f.print(w, s, data)
			}
			if len(list) == 0 {
				fmt.Fprintf(w, "%s is fine: %s.\n", term.Clean(file), summary)
			} else {
				fmt.Fprintf(w, "%s: %s\n", term.Clean(file), term.Count(len(list), "problem"))
			}
		}
	})
	if err == nil && c.JSON {
		err = t.Show(true, found, nil)
	}
	if err == nil && len(found) > 0 {
		err = term.Problems{N: len(found)}
	}
	return err
}

// check reads and checks a file. summary counts its declarations.
func (checkCommand) check(file string) (data []byte, list []finding, summary string) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, findings(file, err), ""
	}
	if gateway.Declares(data) {
		p, err := loadGateway(file, data)
		if err != nil {
			return data, findings(file, err), ""
		}
		p.agents.Close()
		return data, nil, p.answers
	}
	a, err := app.Load(file, data, app.AnyHandler(), app.Env(func(string) (string, bool) { return "x", true }))
	if err != nil {
		return data, findings(file, err), ""
	}
	c := a.Config()
	return data, nil, strings.Join([]string{term.Count(len(c.Forms), "form"), term.Count(len(c.Tables), "table"),
		term.Count(len(c.Maps), "map"), term.Count(len(c.Views), "view"), term.Count(len(c.Actions), "action")}, ", ")
}

// findings are the problems that an error of app.Load has, in the order of the file.
func findings(file string, err error) (list []finding) {
	if err == nil {
		return nil
	}
	for _, p := range inspect.Faults(file, err) {
		list = append(list, finding{Code: p.Code, File: file, Line: p.Line, Column: p.Column, Message: p.Message,
			Hint: p.Hint})
	}
	return list
}

// print shows a problem, its line with a caret, and what would do.
func (f finding) print(w io.Writer, s term.Style, data []byte) {
	fmt.Fprintf(w, "%s %s %s\n", s.Paint(term.Bold, term.Clean(f.place())+":"), s.Paint(term.Red, string(f.Code)),
		term.Clean(f.Message))
	if text, caret, ok := f.excerpt(data, s.Width-4); ok {
		fmt.Fprintf(w, "    %s\n    %s%s\n", text, strings.Repeat(" ", caret), s.Paint(term.Green, "^"))
	}
	for line := range strings.Lines(f.Hint) {
		fmt.Fprintf(w, "    %s %s\n", s.Paint(term.Blue, "hint:"), term.Clean(strings.TrimRight(line, "\n")))
	}
}

// place is the file, with the line and the column if they are known.
func (f finding) place() string {
	at := f.File
	for _, n := range []int{f.Line, f.Column} {
		if n > 0 {
			at += ":" + strconv.Itoa(n)
		}
	}
	return at
}

// excerpt is the line of a problem, and where its caret is. A line with a secret is not
// shown.
func (f finding) excerpt(data []byte, wide int) (text string, caret int, ok bool) {
	lines := bytes.Split(data, []byte("\n"))
	if f.Column == 0 || f.Line > len(lines) || bytes.Contains(lines[f.Line-1], []byte("secret")) {
		return "", 0, false
	}
	line := lines[f.Line-1]
	text, caret = term.Excerpt(line, byteOf(line, f.Column), wide)
	return text, caret, true
}

// byteOf is the number of the byte, from 1, that a character begins with.
func byteOf(line []byte, column int) int {
	at := 0
	for range column - 1 {
		_, n := utf8.DecodeRune(line[at:])
		at += n
	}
	return at + 1
}
