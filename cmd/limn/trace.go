package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/limn-ui/limn/cmd/limn/term"
	"github.com/limn-ui/limn/internal/turntrace"
	"github.com/limn-ui/limn/store"
)

// traceCommand is the command "limn trace".
type traceCommand struct {
	ID string `arg:"" help:"The conversation."`
	storeFlag
	After uint64 `placeholder:"N" help:"Only the turns after frame N."`
	JSON  bool   `name:"json" help:"Print the traces as they are kept, one JSON object a line (trace_version 1)."`
}

// Help is shown below the options.
func (traceCommand) Help() string {
	return `Prints one line for each turn: its frame, when the event arrived, what it was, how the turn was run
and how it ended, what was drawn, and how long that took. Nothing that a user wrote is in it.

Examples:
  limn trace 0193c1f0-7a5e-7000-8000-000000000000 --store sqlite:limn.db
  limn trace 0193c1f0-7a5e-7000-8000-000000000000 --json --after 20 > turns.jsonl`
}

// Run prints the traces of a conversation.
func (c traceCommand) Run(ctx context.Context, t term.Terminal) error {
	return c.with(func(st store.Store) error { return c.print(ctx, t, st) })
}

func (c traceCommand) print(ctx context.Context, t term.Terminal, st store.Store) error {
	rows := [][]string{{"TURN", "RECEIVED", "EVENT", "MODE", "OUTCOME", "DRAWN", "LLM MS", "COMPILE MS", "TOTAL MS",
		"REQUEST"}}
	err := eachTrace(ctx, st, c.ID, c.After, func(f store.Frame) error {
		if c.JSON {
			_, err := fmt.Fprintf(t.Out, "%s\n", f.Body)
			return err
		}
		turn, err := turntrace.DecodeTurn(f.Body)
		if err != nil {
			return fmt.Errorf("turn %d: %w", f.Seq, err)
		}
		rows = append(rows, traceRow(turn))
		return nil
	})
	if err != nil || c.JSON {
		return err
	}
	if len(rows) == 1 {
		_, err := fmt.Fprintln(t.Out, "No turns are traced here.")
		return err
	}
	return wide.Grid(t.Out, rows, false)
}

// eachTrace pages through the traces of a conversation.
func eachTrace(ctx context.Context, st store.Store, id string, after uint64, each func(store.Frame) error) error {
	if _, err := st.Open(ctx, id); err != nil {
		return fmt.Errorf("conversation %s: %w", id, err)
	}
	for {
		list, err := st.Traces(ctx, id, after, 0)
		if err != nil {
			return err
		}
		for _, f := range list {
			if err := each(f); err != nil {
				return err
			}
			after = f.Seq
		}
		if len(list) < store.Page {
			return nil
		}
	}
}

func traceRow(t *turntrace.Turn) []string {
	outcome := string(t.Outcome.Kind)
	if t.Outcome.Code != "" {
		outcome += " " + string(t.Outcome.Code)
	}
	for _, r := range t.Recovery {
		outcome += " (" + r.Do + " " + string(r.Surface) + ")"
	}
	var drawn []string
	for _, d := range t.Drawings {
		drawn = append(drawn, fmt.Sprintf("%s %d B", d.Target, d.Bytes))
	}
	ms := func(v float64) string { return strconv.FormatFloat(v, 'f', 1, 64) }
	return []string{strconv.FormatUint(t.Index, 10), t.Received.UTC().Format("2006-01-02 15:04:05Z"), string(t.Kind),
		string(t.Mode), outcome,
		strings.Join(drawn, ", "), ms(t.Timing.LLM), ms(t.Timing.Compile), ms(t.Timing.Total), t.Request}
}
