package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/limn-ui/limn/cmd/limn/term"
	"github.com/limn-ui/limn/store"
)

// laterFlags are those of "limn serve" about webhooks that are called later.
type laterFlags struct {
	Retry time.Duration `default:"5s" help:"Pause after the first failed try of a webhook that is called later; six times longer after each more."`
	Tries int           `default:"8" help:"Tries until such a webhook is given up; with the default of --retry, 8 take about a day."`
}

// outboxCommand looks at the calls that webhooks with "later" still wait for.
type outboxCommand struct {
	List  outboxList  `cmd:"" default:"withargs" help:"List the calls that were given up."`
	Retry outboxRetry `cmd:"" help:"Have a call that was given up tried again, from its first try on."`
	Drop  outboxDrop  `cmd:"" help:"Throw a call that was given up away."`
}

type storeFlag struct {
	Store string `default:"sqlite:limn.db" env:"LIMN_STORE" help:"Where conversations are kept, as for limn serve. A server may be running on it."`
}

// open opens a store that is there already.
func (f storeFlag) open() (store.Store, func() error, error) {
	if path, ok := strings.CutPrefix(f.Store, "sqlite:"); ok {
		if _, err := os.Stat(path); err != nil {
			return nil, nil, fmt.Errorf("--store: %w", err)
		}
	}
	return openStore(f.Store)
}

type outboxList struct {
	storeFlag
	All  bool `help:"Those that still wait for a try too. Reads the whole store."`
	JSON bool `name:"json" help:"Print one JSON object a line."`
}

// outboxLine is one job, as the list prints it.
type outboxLine struct {
	Job          string          `json:"job"`
	Conversation string          `json:"conversation"`
	Event        string          `json:"event"`
	State        string          `json:"state"` // waiting, buried
	Tries        int             `json:"tries"`
	Due          time.Time       `json:"due,omitzero"` // waiting: the next try, or the end of the one that runs
	Why          string          `json:"why,omitempty"`
	Call         json.RawMessage `json:"call"` // what is posted
}

func (c outboxList) Run(ctx context.Context, t term.Terminal) error {
	st, closeStore, err := c.open()
	if err != nil {
		return err
	}
	lines, err := c.lines(ctx, st)
	if err = errors.Join(err, closeStore()); err != nil {
		return err
	}
	if c.JSON {
		enc := json.NewEncoder(t.Out)
		for _, l := range lines {
			if err := enc.Encode(l); err != nil {
				return err
			}
		}
		return nil
	}
	if len(lines) == 0 {
		_, err := fmt.Fprintln(t.Out, "No calls.")
		return err
	}
	rows := [][]string{{"JOB", "STATE", "ACTION", "TRIES", "DUE OR WHY"}}
	for _, l := range lines {
		var call struct{ Action string }
		json.Unmarshal(l.Call, &call) //nolint:errcheck // then it has no action to show
		last := l.Why
		if l.State == "waiting" {
			last = l.Due.Format(time.RFC3339)
		}
		rows = append(rows, []string{l.Job, l.State, term.Clean(call.Action), strconv.Itoa(l.Tries), term.Clean(last)})
	}
	return table(t, rows)
}

// table prints rows whose first one is the head.
func table(t term.Terminal, rows [][]string) error {
	widths := term.Fit(rows, 1<<10)
	for _, row := range rows {
		if _, err := fmt.Fprintln(t.Out, term.Line(row, widths, false)); err != nil {
			return err
		}
	}
	return nil
}

func (c outboxList) lines(ctx context.Context, st store.Store) ([]outboxLine, error) {
	graves, err := gravesOf(st)
	if err != nil {
		return nil, err
	}
	line := func(j store.Job, state string) outboxLine {
		l := outboxLine{Job: j.ID, Conversation: j.Conversation, Event: j.Event, State: state, Tries: j.Tries, Why: j.Why, Call: j.Body}
		if state == "waiting" {
			l.Due = j.Due
		}
		return l
	}
	var out []outboxLine
	if !c.All {
		list, err := graves.Buried(ctx, 0)
		for _, j := range list {
			out = append(out, line(j, "buried"))
		}
		return out, err
	}
	archive, ok := st.(store.Archive)
	if !ok {
		return nil, errors.New("--all: this kind of store cannot list what waits")
	}
	err = archive.Export(ctx, func(w store.Whole) error {
		for _, j := range w.Jobs {
			j.Conversation = w.ID
			state := "waiting"
			if j.Why != "" {
				state = "buried"
			}
			out = append(out, line(j, state))
		}
		return nil
	})
	return out, err
}

func gravesOf(st store.Store) (store.Graves, error) {
	if g, ok := st.(store.Graves); ok {
		return g, nil
	}
	return nil, errors.New("this kind of store keeps no calls that were given up")
}

// buried finds a grave by its job.
func (f storeFlag) buried(ctx context.Context, job string, do func(store.Store, store.Job) error) error {
	st, closeStore, err := f.open()
	if err != nil {
		return err
	}
	graves, err := gravesOf(st)
	if err == nil {
		var list []store.Job
		if list, err = graves.Buried(ctx, 0); err == nil {
			i := slices.IndexFunc(list, func(j store.Job) bool { return j.ID == job })
			if i < 0 {
				err = fmt.Errorf("no call %s was given up; 'limn outbox list' names those that were", job)
			} else {
				err = do(st, list[i])
			}
		}
	}
	return errors.Join(err, closeStore())
}

type outboxRetry struct {
	Job string `arg:"" help:"As 'limn outbox list' names it."`
	storeFlag
}

func (c outboxRetry) Run(ctx context.Context, t term.Terminal) error {
	return c.buried(ctx, c.Job, func(st store.Store, j store.Job) error {
		if err := st.(store.Graves).Revive(ctx, j.Conversation, j.ID, time.Now()); err != nil {
			return err
		}
		_, err := fmt.Fprintf(t.Out, "%s is tried again by the next server that runs.\n", j.ID)
		return err
	})
}

type outboxDrop struct {
	Job string `arg:"" help:"As 'limn outbox list' names it."`
	storeFlag
}

func (c outboxDrop) Run(ctx context.Context, t term.Terminal) error {
	return c.buried(ctx, c.Job, func(st store.Store, j store.Job) error {
		jobs, ok := st.(store.Jobs)
		if !ok {
			return errors.New("this kind of store has no outbox")
		}
		if err := jobs.Finish(ctx, j.Conversation, j.ID); err != nil {
			return err
		}
		_, err := fmt.Fprintf(t.Out, "%s is dropped.\n", j.ID)
		return err
	})
}
