package main

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/limn-ui/limn/a2ui"
)

type validateCommand struct {
	File    string `arg:"" optional:"" help:"A2UI messages, one JSON object a line. Default: standard input."`
	Version string `default:"auto" enum:"auto,v0.8,v0.9" help:"The A2UI version: v0.8, v0.9, or auto to read it off the messages."`
	Profile string `default:"spec" enum:"spec,safe" help:"spec: what the specification says. safe: what every known renderer survives, too."`
	JSON    bool   `name:"json" help:"Print the problems as one JSON object."`
}

// shownProblem is a problem as --json prints it.
type shownProblem struct {
	Line      int    `json:"line"`
	Column    int    `json:"column,omitempty"`
	Code      string `json:"code"`
	Surface   string `json:"surface,omitempty"`
	Component string `json:"component,omitempty"`
	Path      string `json:"path,omitempty"`
	Message   string `json:"message"`
	Hint      string `json:"hint,omitempty"`
}

// Run reads every line, then judges the stream as a client would see it.
func (c validateCommand) Run(t terminal) error {
	in, name, err := input(c.File, t)
	if err != nil {
		return err
	}
	defer in.Close()
	var found []shownProblem
	var messages []a2ui.Message
	var lines []int
	dialect := a2ui.Dialect(0)
	if c.Version != "auto" {
		if dialect, err = a2ui.ParseDialect(c.Version); err != nil {
			return err
		}
	}
	for line, err := range a2ui.ReadLines(in, a2ui.Limits{}) {
		var m a2ui.Message
		d := dialect
		if err == nil {
			d, m, err = decodeLine(line, dialect)
		}
		var p *a2ui.Problem
		switch {
		case errors.As(err, &p):
			found = append(found, shown(*p, line.Number))
			continue
		case err != nil:
			return fmt.Errorf("read %s: %w", name, err)
		case dialect == 0:
			dialect = d
		case d != dialect:
			found = append(found, shownProblem{Line: line.Number, Code: string(a2ui.EnvelopeInvalid),
				Message: fmt.Sprintf("a %s message in a %s stream", d, dialect), Hint: "a stream has one version"})
			continue
		}
		messages, lines = append(messages, m), append(lines, line.Number)
	}
	if len(messages) > 0 {
		rules := a2ui.Rules{Dialect: dialect, Limits: a2ui.Limits{Messages: len(messages)}}
		if c.Profile == "safe" {
			rules.Profile = a2ui.Safe
		}
		for _, p := range a2ui.Validate(rules, messages) {
			at := 0
			if p.Line > 0 && p.Line <= len(lines) {
				at = lines[p.Line-1]
			}
			found = append(found, shown(p, at))
		}
	}
	return c.print(t, name, len(messages), dialect, found)
}

func decodeLine(l a2ui.Line, d a2ui.Dialect) (a2ui.Dialect, a2ui.Message, error) {
	if d == 0 {
		return l.Decode()
	}
	m, err := a2ui.DecodeMessageAs(d, l.Bytes)
	return d, m, err
}

func shown(p a2ui.Problem, line int) shownProblem {
	return shownProblem{line, p.Column, string(p.Code), p.Surface, p.Component, p.Path, p.Message, p.Hint}
}

func (c validateCommand) print(t terminal, name string, n int, d a2ui.Dialect, found []shownProblem) error {
	switch {
	case c.JSON:
		if found == nil {
			found = []shownProblem{}
		}
		b, err := json.Marshal(map[string]any{"messages": n, "problems": found})
		if err != nil {
			return err
		}
		fmt.Fprintln(t.out, string(b))
	case len(found) == 0 && n == 0:
		fmt.Fprintf(t.out, "%s: no messages\n", name)
	case len(found) == 0:
		fmt.Fprintf(t.out, "%s: %d %s messages, no problems\n", name, n, d)
	default:
		for _, p := range found {
			where := fmt.Sprintf("%s:%d", name, p.Line)
			if p.Column > 0 {
				where += fmt.Sprintf(":%d", p.Column)
			}
			fmt.Fprintf(t.out, "%s: %s", where, p.Code)
			if p.Surface != "" {
				fmt.Fprintf(t.out, " on %s", p.Surface)
			}
			if p.Path != "" {
				fmt.Fprintf(t.out, " at %s", p.Path)
			}
			fmt.Fprintf(t.out, ": %s\n", p.Message)
			if p.Hint != "" {
				fmt.Fprintf(t.out, "    %s\n", p.Hint)
			}
		}
	}
	if len(found) > 0 {
		return problems{len(found)}
	}
	return nil
}
