package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/limn-ui/limn"
	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/cmd/limn/term"
	turns "github.com/limn-ui/limn/internal/conversation"
	"github.com/limn-ui/limn/internal/deliver"
	"github.com/limn-ui/limn/internal/inspect"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/store/memory"
)

// inspectCommand is the command "limn inspect".
type inspectCommand struct {
	ID  string `arg:"" optional:"" help:"${inspect_id}"`
	App string `arg:"" optional:"" type:"path" help:"The application, as for limn serve or limn gateway."`
	storeFlag
	catalogFlag
	Base   string   `default:"http://127.0.0.1:8080" help:"${replay_base}"`
	Turn   uint64   `placeholder:"N" help:"Show this turn in detail."`
	Target string   `default:"v0.9" enum:"v0.8,v0.9,v1.0" help:"Whose messages and screen to print: ${enum}."`
	JSON   bool     `name:"json" help:"Print the list, the timeline or the turn as JSON."`
	Out    string   `type:"path" placeholder:"FILE" help:"${inspect_out}"`
	Redact bool     `default:"true" negatable:"" help:"${inspect_redact}"`
	Keep   []string `placeholder:"NAMES" help:"Fields and columns whose values stay in the report, by name."`
}

// Help is shown below the options.
func (inspectCommand) Help() string {
	return `Prints the turns of a conversation, a line each, or with --turn one of them: its event, what routing
decided and why, what changed in the state, what models were asked and answered, the messages to
clients, and what they show then. The log in the store is the source; a server may be running on it.
The last column counts problems. What a model was asked is composed again from the log; its answer is
kept for a day.

--out writes a report for a bug, one JSON file that 'limn replay-conversation' and this command
open. Values of fields, messages and answers are hidden in it; say with --keep which fields are not,
or hide nothing with --no-redact. Names, texts of the application and of the views it builds stay:
read the file before you send it.

Examples:
  limn inspect --store sqlite:limn.db
  limn inspect 0193c1f0-7a5e-7000-8000-000000000000 desk.yaml --turn 3
  limn inspect 0193c1f0-7a5e-7000-8000-000000000000 desk.yaml --out report.json --keep country,state
  limn inspect report.json desk.yaml --turn 3`
}

// Run lists the conversations, prints the timeline or a turn of one, or writes its report.
func (c inspectCommand) Run(ctx context.Context, t term.Terminal) error {
	if c.ID == "" {
		return c.with(func(st store.Store) error { return c.list(ctx, t, st) })
	}
	a, named, err := loadServed(c.App, t.Env)
	if err != nil {
		return err
	}
	own, err := c.catalogs()
	if err != nil {
		return err
	}
	cfg := limn.Config{App: a, Targets: inspect.Targets(), Catalogs: append(named, own...)}
	targets := func(a *app.App, base string, at time.Time) ([]deliver.Target, error) {
		one := cfg
		one.App, one.Base = a, base
		return one.Drawings(func() time.Time { return at })
	}
	env := inspect.Env{App: a, Base: c.Base, Targets: targets}
	return c.withLog(t, c.ID, a, func(st store.Store, id string) error {
		switch {
		case c.Out != "":
			return c.report(ctx, t, st, id, env)
		case c.Turn > 0:
			return c.turn(ctx, t, st, id, env)
		}
		return c.timeline(ctx, t, st, id)
	})
}

// withLog calls do with the store and the id of a conversation, or those of a report.
func (f storeFlag) withLog(t term.Terminal, arg string, a *app.App, do func(store.Store, string) error) error {
	if !strings.HasSuffix(arg, ".json") {
		return f.with(func(st store.Store) error { return do(st, arg) })
	}
	in, name, err := term.Open(arg, t)
	if err != nil {
		return err
	}
	defer in.Close()
	b, err := io.ReadAll(io.LimitReader(in, term.MaxInput))
	if err != nil {
		return fmt.Errorf("read %s: %w", name, err)
	}
	file, err := inspect.DecodeFile(b)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if print := a.Fingerprint(); file.App.Fingerprint != print {
		fmt.Fprintf(t.Err, "limn: warning: the report is of application %s (%s), this is %s (%s)\n",
			term.Clean(file.App.Name), term.Clean(file.App.Fingerprint), a.Config().Name, print)
	}
	d, err := file.Dump()
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	st := memory.New()
	defer st.Close()
	if err := st.Import(context.Background(), d); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return do(st, d.ID)
}

// listed is how many conversations a list has.
const listed = 20

// list prints the newest conversations.
func (c inspectCommand) list(ctx context.Context, t term.Terminal, st store.Store) error {
	all, err := st.All(ctx, false, inspect.Top, listed)
	if err != nil {
		return err
	}
	if c.JSON {
		items := []inspect.Listed{}
		for _, one := range all {
			items = append(items, inspect.ListedOf(one))
		}
		return t.Show(true, map[string]any{"conversations": items}, nil)
	}
	rows := [][]string{{"CONVERSATION", "CREATED", "TITLE"}}
	for _, one := range all {
		rows = append(rows, []string{one.ID, moment(one.Created), cmp.Or(one.Title, one.First)})
	}
	if len(rows) == 1 {
		_, err := fmt.Fprintln(t.Out, "There are no conversations.")
		return err
	}
	return term.StyleOf(t.Out, t.Env).Grid(t.Out, rows, false)
}

func moment(at time.Time) string { return at.UTC().Format("2006-01-02 15:04:05") }

func (c inspectCommand) timeline(ctx context.Context, t term.Terminal, st store.Store, id string) error {
	d, err := turns.Dump(ctx, st, id, turns.Span{})
	if err != nil {
		return err
	}
	rows, err := inspect.Timeline(d, 0)
	if err != nil {
		return err
	}
	if c.JSON {
		return t.Show(true, map[string]any{"conversation": id, "seq": d.Seq, "floor": d.Floor, "turns": rows}, nil)
	}
	grid := [][]string{{"TURN", "AT", "EVENT", "WHAT", "OUTCOME", "CHANGED", "MODEL", "MS", "!"}}
	for _, r := range rows {
		grid = append(grid, rowCells(r))
	}
	if len(grid) == 1 {
		_, err := fmt.Fprintln(t.Out, "Nothing has happened in it.")
		return err
	}
	if d.Floor > 0 || len(d.Frames) > inspect.MaxRows {
		fmt.Fprintf(t.Err, "limn: the turns before %s are left out\n", grid[1][0])
	}
	return narrow(t).Grid(t.Out, grid, false)
}

// narrow is the style of a report that is read as a whole, at most 100 columns wide where
// no terminal says more.
func narrow(t term.Terminal) term.Style {
	s := term.StyleOf(t.Out, t.Env)
	if !s.Color {
		s.Width = min(s.Width, 100)
	}
	return s
}

func rowCells(r inspect.Row) []string {
	var changed []string
	for _, c := range r.Changes {
		changed = append(changed, string(c.Surface)+" "+string(c.Kind))
	}
	model, n, ms, problems := "", "…", "", ""
	if r.Attempts > 0 {
		model = fmt.Sprintf("%d× %d+%d", r.Attempts, r.In, r.Out)
	}
	if r.N > 0 {
		n, ms = strconv.FormatUint(r.N, 10), strconv.FormatFloat(r.Total, 'f', 0, 64)
	}
	if r.Problems > 0 {
		problems = strconv.Itoa(r.Problems)
	}
	return []string{n, r.At.UTC().Format("15:04:05"), string(r.Event), r.Summary,
		strings.TrimSpace(string(r.Outcome) + " " + string(r.Code)), strings.Join(changed, ", "), model, ms, problems}
}

func (c inspectCommand) turn(ctx context.Context, t term.Terminal, st store.Store, id string, env inspect.Env) error {
	d, err := turns.Dump(ctx, st, id, turns.Span{From: c.Turn, To: c.Turn})
	if err != nil {
		return err
	}
	one, err := env.Turn(d, c.Turn)
	if err != nil {
		return err
	}
	return t.Show(c.JSON, one, func(w io.Writer, _ term.Style) {
		p := turnPrinter{w, narrow(t)}
		p.head(one)
		p.list("problems", one.Found)
		p.diff(one.Diff)
		p.runs(one.Runs)
		p.drawings(one, c.Target)
		for _, cut := range one.Cut {
			p.line("cut", cut)
		}
	})
}

// turnPrinter prints a turn for people.
type turnPrinter struct {
	w     io.Writer
	style term.Style
}

// line prints a text after its name, cut to the width.
func (p turnPrinter) line(name, text string) {
	line := fmt.Sprintf("  %-9s %s", name, term.Clean(text))
	fmt.Fprintln(p.w, strings.TrimRight(term.Cut(line, p.style.Width), " "))
}

func (p turnPrinter) title(text string) {
	fmt.Fprintln(p.w, p.style.Paint(term.Bold, term.Clean(text)))
}

func (p turnPrinter) head(t *inspect.Turn) {
	p.title(fmt.Sprintf("Turn %d: %s, %s", t.N, cmp.Or(t.Event, "event"), moment(t.At)))
	p.line("what", t.Summary)
	if d := t.Decision; d != nil {
		p.line("routed", fmt.Sprintf("%s %s %.2f", d.Action, d.Tool, d.Confidence))
		p.line("why", d.Why)
		if d.Form != "" {
			p.line("phrase", "of the form "+d.Form)
		}
	}
	p.line("outcome", strings.TrimSpace(string(t.Outcome)+" "+string(t.Code)))
	for _, c := range t.Changes {
		p.line("surface", string(c.Surface)+" "+string(c.Kind))
	}
	if t.Text != "" {
		p.line("said", t.Text)
	}
}

func (p turnPrinter) list(title string, found []inspect.Problem) {
	if len(found) == 0 {
		return
	}
	p.title(title)
	for _, f := range found {
		p.line(f.Where, strings.TrimSpace(fmt.Sprintf("%s %s %s", f.Code, f.Path, f.Message)))
	}
}

// differences is how many are printed; --json has more.
const differences = 40

func (p turnPrinter) diff(list []inspect.Difference) {
	p.title("state")
	for _, d := range list[:min(len(list), differences)] {
		switch d.Op {
		case inspect.Added:
			p.line("+", d.Path+" "+short(d.After))
		case inspect.Removed:
			p.line("-", d.Path+" "+short(d.Before))
		default:
			p.line("~", d.Path+" "+short(d.Before)+" → "+short(d.After))
		}
	}
	if more := len(list) - differences; more > 0 {
		p.line("", fmt.Sprintf("and %s more; --json has them", term.Count(more, "difference")))
	}
}

// short is a value on a part of a line.
func short(v *jsonx.Value) string { return term.Clip(string(jsonx.Append(nil, *v))) }

func (p turnPrinter) runs(list []inspect.Run) {
	for _, r := range list {
		p.title("model for the " + r.For)
		p.line("model", strings.TrimSpace(r.Provider+" "+r.Model))
		for _, a := range r.Attempts {
			text := fmt.Sprintf("%s, %d+%d tokens, %.0f ms %s", a.Format, a.In, a.Out, a.Ms, a.Code)
			p.line("attempt", strings.TrimSpace(text))
		}
		if r.Prompt != nil {
			for _, m := range r.Prompt.Messages {
				p.block(string(m.Role), m.Text)
			}
		}
		for _, repair := range r.Repairs {
			p.line("repair", fmt.Sprintf("attempt %d asked again", repair.Attempt+1))
			for _, m := range repair.Messages {
				p.block(string(m.Role), m.Text)
			}
		}
		if r.Answer != nil {
			p.block("answer", r.Answer.Text)
			if r.Answer.Directives != nil {
				p.block("", string(*r.Answer.Directives))
			}
		}
	}
}

// block prints a text of several lines.
func (p turnPrinter) block(name, text string) {
	for line := range strings.Lines(text) {
		p.line(name, strings.TrimRight(line, "\n"))
		name = ""
	}
}

func (p turnPrinter) drawings(t *inspect.Turn, target string) {
	p.title("drawings")
	for _, d := range t.Renderings {
		same := map[string]string{"same": ", as they were sent", "other": ", not as they were sent"}[d.Same]
		p.line(d.Target, fmt.Sprintf("%s, %d bytes%s", term.Count(d.Count, "message"), d.Bytes, same))
	}
	for _, d := range t.Renderings {
		if d.Target != target {
			continue
		}
		p.title("messages of " + d.Target)
		for _, m := range d.Messages {
			fmt.Fprintln(p.w, "  "+term.Cut(term.Clean(string(m)), p.style.Width-2))
		}
		p.title("what the user of " + d.Target + " sees")
		for line := range strings.Lines(d.Screen) {
			if !strings.HasPrefix(line, "data ") {
				fmt.Fprintln(p.w, "  "+term.Cut(term.Clean(strings.TrimRight(line, "\n")), p.style.Width-2))
			}
		}
	}
}

// report writes the file for a bug report.
func (c inspectCommand) report(ctx context.Context, t term.Terminal, st store.Store, id string,
	env inspect.Env) error {
	d, err := turns.Dump(ctx, st, id, turns.Span{})
	if err != nil {
		return err
	}
	var r *inspect.Redactor
	if c.Redact {
		r = &inspect.Redactor{Key: []byte(rand.Text()), Keep: c.Keep}
	} else if len(c.Keep) > 0 {
		return errors.New("--keep goes with --redact: without it all values are kept")
	}
	file, err := env.NewFile(d, r)
	if err != nil {
		return err
	}
	file.Program, file.Made = version(), time.Now().UTC()
	b, err := file.Encode()
	if err != nil {
		return err
	}
	if err := os.WriteFile(c.Out, b, 0o600); err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	fmt.Fprintf(t.Out, "%s: %s, %s, %d bytes\n", term.Clean(c.Out), term.Count(len(file.Frames), "turn"),
		term.Count(len(file.Events), "event"), len(b))
	if r == nil {
		fmt.Fprintln(t.Out, "Nothing in it is hidden.")
		return nil
	}
	var hidden []string
	for _, name := range slices.Sorted(maps.Keys(r.Hidden)) {
		hidden = append(hidden, fmt.Sprintf("%s (%d)", term.Clean(cmp.Or(name, "values")), r.Hidden[name]))
	}
	fmt.Fprintf(t.Out, "Hidden are %s.\nKeep values of fields with --keep NAME.\n", strings.Join(hidden, ", "))
	return nil
}
