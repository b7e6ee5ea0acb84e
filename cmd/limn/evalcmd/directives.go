package evalcmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/cmd/limn/decidecmd"
	"github.com/limn-ui/limn/cmd/limn/term"
	"github.com/limn-ui/limn/internal/eval/directives"
	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/ui"
)

// Eval is the command "limn eval".
type Eval struct {
	decidecmd.Eval
	Directives Directives `cmd:"" help:"Measure how well models say what is wanted, on scenarios."`
}

// LoadApp reads an application file, or the demo without one.
type LoadApp func(file string, env func(string) string) (*app.App, error)

// Directives is the command "limn eval directives".
type Directives struct {
	Scenarios []string          `placeholder:"FILES" help:"${eval_directives_scenarios}"`
	App       string            `type:"path" help:"The application, a YAML file. Default: the demo app 'desk'."`
	Modes     []directives.Mode `default:"ladder" enum:"ladder,json_schema,json_object,prompt_only" placeholder:"MODES" help:"${eval_directives_modes}"`
	Trials    int               `default:"1" help:"How often each scenario is tried with each model in each mode."`
	Require   bool              `help:"Ask once more where a directive that is wanted does not come (semantic repair)."`
	Timeout   time.Duration     `default:"60s" help:"Of one trial."`

	modelFlags

	Parallel    int     `default:"4" help:"Trials at a time."`
	PerEndpoint int     `default:"2" help:"Trials at a time of one endpoint."`
	MaxCost     float64 `placeholder:"DOLLARS" help:"${eval_directives_max_cost}"`
	State       string  `type:"path" placeholder:"FILE" help:"Keep results in this file, and go on where it ends."`

	Must     float64 `placeholder:"SHARE" help:"${eval_directives_must}"`
	Failures bool    `help:"List an example of every way to fail."`
	HTML     string  `name:"html" type:"path" placeholder:"FILE" help:"${eval_directives_html}"`
	JSON     bool    `name:"json" help:"Print the report as one JSON object."`
}

// Help is shown below the options.
func (Directives) Help() string {
	return `A trial is one message to one model. It is right if five stages hold: the directives that
are wanted came, all of them ran, the screen is as wanted, every A2UI version could be
drawn, and the messages are valid and a client shows them.

Keys come from LIMN_OPENAI_KEY, LIMN_ANTHROPIC_KEY and so on, from LIMN_MODEL_KEY if
all models are at one endpoint, or from --model-key-file.

Simulators, which need no network: ` + strings.Join(directives.SimulatorNames(), ", ") + `.

Examples:
  limn eval directives --models sim:good,sim:mute
  limn eval directives --models openai:gpt-4o-mini,ollama:qwen3:8b --trials 10 \
    --modes ladder,prompt_only --state run.jsonl --html report.html --must 0.98`
}

// Run measures and reports.
func (c Directives) Run(ctx context.Context, t term.Terminal, load LoadApp) error {
	if err := c.check(); err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends the program at once
	a, err := load(c.App, t.Env)
	if err != nil {
		return err
	}
	scenarios, err := c.load(a)
	if err != nil {
		return err
	}
	models, closeModels, err := c.open(t.Env, a, scenarios)
	if err != nil {
		return err
	}
	defer closeModels()
	plan := directives.Plan{App: a, Scenarios: scenarios, Models: models, Modes: c.Modes, Trials: c.Trials,
		Require: c.Require, Timeout: c.Timeout,
		Parallel: c.Parallel, PerEndpoint: c.PerEndpoint, MaxCost: c.MaxCost}
	if err := c.feasible(plan); err != nil {
		return err
	}
	if err := c.writable(); err != nil {
		return err
	}
	results, stopped, err := c.measure(ctx, t, plan)
	if err != nil && ctx.Err() == nil {
		return err
	}
	report := directives.Score(plan, results, stopped)
	if err := c.print(t, report); err != nil {
		return err
	}
	return c.verdict(t, report, ctx.Err() != nil)
}

func (c Directives) check() error {
	switch {
	case c.Trials < 1 || c.Trials > 10_000:
		return errors.New("--trials: want 1 to 10000")
	case c.Parallel < 1 || c.PerEndpoint < 1 || c.Parallel > 256:
		return errors.New("--parallel, --per-endpoint: want 1 to 256")
	case math.IsNaN(c.Must) || c.Must < 0 || c.Must > 1:
		return errors.New("--must: want a share from 0 to 1, such as 0.98")
	case math.IsNaN(c.MaxCost) || c.MaxCost < 0:
		return errors.New("--max-cost: want US dollars")
	case c.Timeout <= 0:
		return errors.New("--timeout: want a time, such as 60s")
	}
	return nil
}

// load reads the scenarios.
func (c Directives) load(a *app.App) (all []directives.Scenario, err error) {
	if len(c.Scenarios) == 0 {
		if c.App != "" {
			return nil, errors.New("--app: name the scenarios about this application with --scenarios")
		}
		return directives.Builtin(a)
	}
	from := map[string]string{}
	for _, name := range c.Scenarios {
		files := []string{name}
		if info, err := os.Stat(name); err == nil && info.IsDir() {
			if files, _ = filepath.Glob(filepath.Join(name, "*.yaml")); len(files) == 0 {
				return nil, fmt.Errorf("--scenarios: %s holds no *.yaml", name)
			}
		}
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				return nil, fmt.Errorf("--scenarios: %w", err)
			}
			list, err := directives.Load(file, data, a)
			if err != nil {
				return nil, err
			}
			for _, sc := range list {
				if other, twice := from[sc.Name]; twice {
					return nil, fmt.Errorf("--scenarios: %s stands in %s and in %s", sc.Name, other, file)
				}
				from[sc.Name] = file
			}
			all = append(all, list...)
		}
	}
	return all, nil
}

// maxTrials bounds a run, whose results are held in memory.
const maxTrials = 1_000_000

// feasible refuses what could only end badly.
func (c Directives) feasible(p directives.Plan) error {
	switch n := p.Size(); {
	case n == 0:
		return errors.New("--modes: no model has one of these modes; see limn models, or declare it in --capabilities")
	case n > maxTrials:
		return fmt.Errorf("--trials: %d trials in all are more than %d", n, maxTrials)
	}
	for _, m := range p.Models {
		if c.MaxCost > 0 && m.Price == (llm.Price{}) && !strings.HasPrefix(m.Name, simulated+":") {
			return fmt.Errorf("--max-cost: the price of %s is not known; declare it in --capabilities", m.Name)
		}
	}
	return nil
}

// writable finds out before anything is asked, and paid for, that the report can
// be written. An earlier one stays until then.
func (c Directives) writable() error {
	if c.HTML == "" {
		return nil
	}
	f, err := os.OpenFile(c.HTML, os.O_WRONLY|os.O_CREATE, 0o644)
	if err != nil {
		return fmt.Errorf("--html: %w", err)
	}
	return f.Close()
}

// measure makes the trials that --state does not have.
func (c Directives) measure(ctx context.Context, t term.Terminal, p directives.Plan) (results []directives.Result,
	stopped []directives.Stop, err error) {
	var record *directives.Record
	if c.State != "" {
		if record, err = directives.Open(c.State, p.Hash()); err != nil {
			if ui.CodeOf(err) == "" {
				err = fmt.Errorf("--state: %w", err)
			}
			return nil, nil, err
		}
		results = record.Results
	}
	show := newProgress(t, p.Size(), results)
	done := results
	stopped, err = p.Run(ctx, done, func(r directives.Result) error {
		results = append(results, r)
		show.add(r)
		if record != nil {
			return record.Add(r)
		}
		return nil
	})
	show.end()
	if record != nil {
		err = errors.Join(err, record.Close())
	}
	return results, stopped, err
}

// print writes the report wherever it is wanted.
func (c Directives) print(t term.Terminal, r directives.Report) error {
	if c.HTML != "" {
		if err := os.WriteFile(c.HTML, directives.HTML(r), 0o644); err != nil {
			return fmt.Errorf("--html: %w", err)
		}
	}
	return t.Show(c.JSON, r, func(w io.Writer, style term.Style) { tables{w, style}.report(r, c.Failures) })
}

// verdict names the missing results, and fails where --must is missed.
func (c Directives) verdict(t term.Terminal, r directives.Report, interrupted bool) error {
	problems := 0
	say := func(format string, args ...any) {
		problems++
		fmt.Fprintln(t.Err, "limn: "+term.Clean(fmt.Sprintf(format, args...)))
	}
	for _, s := range r.Stopped {
		if s.Model != "" {
			say("%s was given up: %s", s.Model, s.Why)
		} else {
			say("%s", s.Why)
		}
	}
	switch missing := r.Want - r.Total.N; {
	case missing > 0 && c.State != "":
		say("%d of %d trials are made; the same command goes on where %s ends", r.Total.N, r.Want, c.State)
	case missing > 0:
		say("%d of %d trials are made; with --state FILE they would have been kept", r.Total.N, r.Want)
	}
	for _, m := range r.Models {
		if m.Rate() < c.Must {
			say("%s in mode %s succeeds in %.1f %%, below %.4g %%", m.Model, m.Mode, 100*m.Rate(), 100*c.Must)
		}
	}
	if problems > 0 {
		return term.Problems{N: problems}
	}
	if interrupted {
		return context.Canceled
	}
	return nil
}

// progress shows how far a run is: a bar on a terminal, else a line now
// and then.
type progress struct {
	bar         *term.Progress
	w           io.Writer
	total, made int
	right       int
	next        int
}

func newProgress(t term.Terminal, total int, done []directives.Result) *progress {
	p := &progress{w: t.Err, total: total, made: len(done)}
	for _, r := range done {
		if r.OK() {
			p.right++
		}
	}
	p.bar = term.NewSteps(t, total, p.made)
	p.next = p.made + max(1, total/10)
	return p
}

func (p *progress) add(r directives.Result) {
	p.made++
	if r.OK() {
		p.right++
	}
	p.bar.Unit = fmt.Sprintf("of %d trials, %d right", p.total, p.right)
	if p.bar.Line(); p.bar.Silent() && p.made >= p.next && p.total >= 20 {
		p.next += max(1, p.total/10)
		fmt.Fprintf(p.w, "limn: %d %s\n", p.made, p.bar.Unit)
	}
}

func (p *progress) end() { p.bar.Clear() }
