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

// laterFlags are those of "limn serve" about how long and how often webhooks are
// called.
type laterFlags struct {
	WebhookTime time.Duration `default:"10s" help:"${later_webhook_time}"`

	Retry time.Duration `default:"5s" help:"${later_retry}"`
	Tries int           `default:"8" help:"${later_tries}"`
}

// outboxCommand looks at the calls that webhooks with "later" still wait for.
type outboxCommand struct {
	List  outboxList  `cmd:"" default:"withargs" help:"List the calls that were given up."`
	Retry outboxRetry `cmd:"" help:"Have a call that was given up tried again, from its first try on."`
	Drop  outboxDrop  `cmd:"" help:"Throw a call that was given up away."`
}

type storeFlag struct {
	Store string `default:"sqlite:limn.db" env:"LIMN_STORE" help:"${store_flag_store}"`
}

// open opens a store that is there already.
func (f storeFlag) open() (store.Store, func() error, error) {
	if path, ok := strings.CutPrefix(f.Store, "sqlite:"); ok {
		if _, err := os.Stat(path); err != nil {
			return nil, nil, fmt.Errorf("--store: %w", err)
		}
	}
	return openCurrent(f.Store)
}

// with calls do with that store, and closes it.
func (f storeFlag) with(do func(store.Store) error) error {
	st, closeStore, err := f.open()
	if err != nil {
		return err
	}
	return errors.Join(do(st), closeStore())
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
	State        string          `json:"state"` // waiting, dead
	Tries        int             `json:"tries"`
	Due          time.Time       `json:"due,omitzero"` // waiting: the next try, or the end of the one that runs
	Why          string          `json:"why,omitempty"`
	Call         json.RawMessage `json:"call"` // the body of the request
}

func (c outboxList) Run(ctx context.Context, t term.Terminal) error {
	return c.with(func(st store.Store) error { return c.list(ctx, t, st) })
}

// list prints the calls page by page, and how many wait beside those that were
// given up.
func (c outboxList) list(ctx context.Context, t term.Terminal, st store.Store) error {
	out := outboxPrinter{t: t, json: c.JSON}
	read := c.deadLetters
	if c.All {
		read = c.everything
	}
	err := read(ctx, st, out.page)
	if err != nil || c.JSON {
		return err
	}
	if c.All {
		return out.end("No calls.")
	}
	n, next, err := st.Waiting(ctx)
	if err != nil {
		return err
	}
	if n == 0 {
		return out.end("No calls.")
	}
	if err := out.end("No call was given up."); err != nil {
		return err
	}
	verb := "waits for its"
	if n > 1 {
		verb = "wait for their"
	}
	_, err = fmt.Fprintf(t.Out, "%s %s next try, the first at %s; --all lists what waits.\n", term.Count(n, "call"),
		verb, next.Format(time.RFC3339))
	return err
}

// outboxPrinter prints lists of calls.
type outboxPrinter struct {
	t     term.Terminal
	json  bool
	lines int // so many were printed
}

func (p *outboxPrinter) page(jobs []store.Job) error {
	var rows [][]string
	if p.lines == 0 {
		rows = append(rows, []string{"JOB", "STATE", "ACTION", "TRIES", "DUE OR WHY"})
	}
	p.lines += len(jobs)
	enc := json.NewEncoder(p.t.Out)
	for _, j := range jobs {
		l := outboxLine{Job: j.ID, Conversation: j.Conversation, Event: j.Event, State: "dead", Tries: j.Tries,
			Why: j.Why, Call: j.Body}
		if j.Why == "" {
			l.State, l.Due = "waiting", j.Due
		}
		if p.json {
			if err := enc.Encode(l); err != nil {
				return err
			}
			continue
		}
		var call struct{ Action string }
		json.Unmarshal(l.Call, &call) //nolint:errcheck // then it has no action to show
		last := l.Why
		if l.State == "waiting" {
			last = l.Due.Format(time.RFC3339)
		}
		rows = append(rows, []string{l.Job, l.State, call.Action, strconv.Itoa(l.Tries), last})
	}
	if p.json {
		return nil
	}
	return wide.Grid(p.t.Out, rows, false)
}

// end says so if nothing was printed.
func (p *outboxPrinter) end(none string) error {
	if p.lines > 0 || p.json {
		return nil
	}
	_, err := fmt.Fprintln(p.t.Out, none)
	return err
}

// wide is the style of tables that other programs may read.
var wide = term.Style{Width: 1 << 10}

// deadLetters reads the calls that were given up, the oldest first.
func (outboxList) deadLetters(ctx context.Context, st store.Store, page func([]store.Job) error) error {
	for skip := 0; ; {
		list, err := st.DeadLetters(ctx, skip, 0)
		if err != nil || len(list) == 0 {
			return err
		}
		if err := page(list); err != nil {
			return err
		}
		skip += len(list)
	}
}

// everything reads all calls, conversation by conversation.
func (outboxList) everything(ctx context.Context, st store.Store, page func([]store.Job) error) error {
	var list []store.Job
	err := st.Export(ctx, func(w store.Dump) error {
		for _, j := range w.Jobs {
			j.Conversation = w.ID
			list = append(list, j)
		}
		if len(list) < store.Page {
			return nil
		}
		err := page(list)
		list = nil
		return err
	})
	if err != nil || len(list) == 0 {
		return err
	}
	return page(list)
}

// deadLetter finds a dead letter by its job.
func (f storeFlag) deadLetter(ctx context.Context, job string, do func(store.Store, store.Job) error) error {
	return f.with(func(st store.Store) error {
		for skip := 0; ; {
			list, err := st.DeadLetters(ctx, skip, 0)
			if err != nil {
				return err
			}
			if len(list) == 0 {
				return fmt.Errorf("no call %s was given up; 'limn outbox list' names those that were", job)
			}
			if i := slices.IndexFunc(list, func(j store.Job) bool { return j.ID == job }); i >= 0 {
				return do(st, list[i])
			}
			skip += len(list)
		}
	})
}

type outboxRetry struct {
	Job string `arg:"" help:"As 'limn outbox list' names it."`
	storeFlag
}

func (c outboxRetry) Run(ctx context.Context, t term.Terminal) error {
	return c.deadLetter(ctx, c.Job, func(st store.Store, j store.Job) error {
		if err := st.Requeue(ctx, j.Conversation, j.ID, time.Now()); err != nil {
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
	return c.deadLetter(ctx, c.Job, func(st store.Store, j store.Job) error {
		if err := st.Finish(ctx, j.Conversation, j.ID); err != nil {
			return err
		}
		_, err := fmt.Fprintf(t.Out, "%s is dropped.\n", j.ID)
		return err
	})
}
