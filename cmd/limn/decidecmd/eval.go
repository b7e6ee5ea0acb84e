package decidecmd

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/limn-ui/limn/cmd/limn/term"
	"github.com/limn-ui/limn/internal/eval"
)

// Eval is the command "limn eval": scores on labelled lines.
type Eval struct {
	Route   evalRoute   `cmd:"" help:"Score what the router decides."`
	Capture evalCapture `cmd:"" help:"Score what the parser captures."`
}

// evalOptions are those of both.
type evalOptions struct {
	File     string   `arg:"" optional:"" help:"Labelled lines. Default: standard input."`
	Failures bool     `help:"List what is not right."`
	JSON     bool     `name:"json" help:"Print the scores as one JSON object."`
	Min      []string `placeholder:"MEASURE=PERCENT" help:"${decide_eval_options_min}"`
}

const evalHelp = `Lines that cannot be read are named on standard error; with them, or below --min, the exit status is
1. A gate violation, a second question, a submit that no one asked for or an unexpected warning is
below every --min.

`

type evalRoute struct{ evalOptions }

// Help is shown below the options.
func (evalRoute) Help() string {
	return `Decides every message of a file and compares with its label, as score_router.py does. Measures:
action_tool, strict (with the count), action.

` + evalHelp + `Examples:
  limn eval route router.jsonl
  limn eval route --failures --min action_tool=95 --min strict=92 router.jsonl`
}

type evalCapture struct{ evalOptions }

// Help is shown below the options.
func (evalCapture) Help() string {
	return `Reads every paste of a file and compares with its label, as score_capture.py does. Measures:
examples (fully right), cells, tables, maps, errors, steps, edges (the lesser of precision and
recall).

` + evalHelp + `Examples:
  limn eval capture capture.jsonl
  limn eval capture --min cells=97 --min tables=90 --min maps=80 capture.jsonl`
}

// Run scores the router.
func (c evalRoute) Run(t term.Terminal) error {
	cases, out, err := evaluate(t, c.File, func(l eval.RouteCase) eval.Routed { return l.Decide(time.Time{}) })
	if err != nil && cases == nil {
		return err
	}
	s := eval.ScoreRoute(cases, out)
	measures := []measure{{"action_tool", eval.Share{Right: s.ActionTool, Of: s.N}},
		{"strict", eval.Share{Right: s.Strict, Of: s.N}}, {"action", eval.Share{Right: s.Action, Of: s.N}}}
	never := s.GateViolations + s.DoubleAsks + s.FalseSubmit
	return c.finish(t, s, measures, never, err, func(w io.Writer, style term.Style) {
		printShares(w, style, measures)
		fmt.Fprintf(w, "false tools %d, missed tools %d, gate violations %d, second questions %d\n", s.FalseTool,
			s.MissedTool, s.GateViolations, s.DoubleAsks)
		rows := [][]string{{"category", "action+tool", "strict", "of"}}
		for _, k := range s.Categories {
			rows = append(rows, []string{k.Name, strconv.Itoa(k.ActionTool), strconv.Itoa(k.Strict), strconv.Itoa(k.N)})
		}
		printGrid(w, style, rows)
		printConfusion(w, style, "decisions", s.Confusion)
		if c.Failures {
			printFailures(w, style, s.Failures, func(f eval.RouteFailure) (string, string) {
				return f.ID, fmt.Sprintf("%s, want %s (%s): %s", f.Got, f.Want, f.Trigger, f.Message)
			})
		}
	})
}

// Run scores the parser.
func (c evalCapture) Run(t term.Terminal) error {
	cases, out, err := evaluate(t, c.File, eval.CaptureCase.Capture)
	if err != nil && cases == nil {
		return err
	}
	s := eval.ScoreCapture(cases, out)
	both := eval.Share{Right: s.Tables.Right + s.Maps.Right, Of: s.Tables.Of + s.Maps.Of}
	measures := []measure{{"examples", both}, {"cells", s.Cells}, {"tables", s.Tables}, {"maps", s.Maps},
		{"errors", lesser(s.Errors)}, {"steps", lesser(s.Steps)}, {"edges", lesser(s.Edges)}}
	return c.finish(t, s, measures, s.Unexpected, err, func(w io.Writer, style term.Style) {
		printShares(w, style, measures[:4])
		rows := [][]string{{"", "precision", "recall", "right", "got", "want"}}
		for _, o := range []struct {
			name string
			eval.Overlap
		}{{"errors", s.Errors}, {"steps", s.Steps}, {"edges", s.Edges}} {
			rows = append(rows, []string{o.name, fmt.Sprintf("%.3f", o.Precision()), fmt.Sprintf("%.3f", o.Recall()),
				strconv.Itoa(o.Both), strconv.Itoa(o.Got), strconv.Itoa(o.Want)})
		}
		printGrid(w, style, rows)
		fmt.Fprintf(w, "\nchecks %d of %d as expected, unexpected warnings %d\n", s.Validators.Right, s.Validators.Of,
			s.Unexpected)
		rows = [][]string{{"kind and format", "right", "of"}}
		for _, k := range s.Formats {
			rows = append(rows, []string{k.Name, strconv.Itoa(k.Right), strconv.Itoa(k.Of)})
		}
		printGrid(w, style, rows)
		printConfusion(w, style, "errors of cells", s.ErrorCodes)
		printConfusion(w, style, "edges", s.EdgeTypes)
		if c.Failures {
			printFailures(w, style, s.Failures,
				func(f eval.CaptureFailure) (string, string) { return f.ID, strings.Join(f.Wrong, "; ") })
		}
	})
}

// lesser is the smaller one of precision and recall.
func lesser(o eval.Overlap) eval.Share { return eval.Share{Right: o.Both, Of: max(o.Got, o.Want)} }

// measure is one figure that --min can name.
type measure struct {
	name string
	eval.Share
}

func (m measure) percent() float64 {
	if m.Of == 0 {
		return 100
	}
	return 100 * float64(m.Right) / float64(m.Of)
}

// evaluate reads labelled lines and runs each. Without any case the error says
// why; with some it is that of bad lines.
func evaluate[C eval.Case, P any](t term.Terminal, file string, predict func(C) P) (cases []C, out []P, err error) {
	name, err := each(t, file, term.MaxInput, bufio.NewWriter(io.Discard), func(c C) error {
		cases, out = append(cases, c), append(out, predict(c))
		return nil
	})
	var bad term.Problems
	switch {
	case err != nil && !errors.As(err, &bad):
		return nil, nil, err
	case err == nil && cases == nil:
		err = fmt.Errorf("%s: no labelled lines", name)
	}
	return cases, out, err
}

// finish prints the scores and holds them to --min.
func (o evalOptions) finish(t term.Terminal, score any, measures []measure, never int, err error,
	print func(io.Writer, term.Style)) error {
	below, wrong := o.below(measures, never)
	if wrong != nil {
		return wrong
	}
	if wrong := t.Show(o.JSON, score, print); wrong != nil {
		return wrong
	}
	for _, text := range below {
		fmt.Fprintln(t.Err, "limn:", text)
	}
	if err == nil && len(below) > 0 {
		err = term.Problems{N: len(below)}
	}
	return err
}

// below says which measures miss their --min.
func (o evalOptions) below(measures []measure, never int) (missed []string, err error) {
	for _, text := range o.Min {
		name, value, named := strings.Cut(text, "=")
		if !named {
			name, value = measures[0].name, text
		}
		least, err := strconv.ParseFloat(strings.TrimSuffix(value, "%"), 64)
		i := slices.IndexFunc(measures, func(m measure) bool { return m.name == name })
		if err != nil || i < 0 {
			names := make([]string, len(measures))
			for k, m := range measures {
				names[k] = m.name
			}
			return nil, fmt.Errorf("--min %q: want MEASURE=PERCENT, with one of %s", text, strings.Join(names, ", "))
		}
		if got := measures[i].percent(); got < least {
			missed = append(missed, fmt.Sprintf("%s is %.1f %%, below %g %%", name, got, least))
		}
	}
	if len(o.Min) > 0 && never > 0 {
		missed = append(missed, fmt.Sprintf("%s that may never happen", term.Count(never, "thing")))
	}
	return missed, nil
}

func printShares(w io.Writer, style term.Style, measures []measure) {
	for _, m := range measures {
		if m.Of > 0 {
			fmt.Fprintf(w, "%s %5.1f %%  %d of %d\n", style.Paint(term.Bold, fmt.Sprintf("%-12s", m.name)), m.percent(),
				m.Right, m.Of)
		}
	}
}

// printGrid prints a table of figures under its head, after a blank line.
func printGrid(w io.Writer, style term.Style, rows [][]string) {
	fmt.Fprintln(w)
	style.Grid(w, rows, true) //nolint:errcheck // Flush says so
}

// printConfusion prints expected labels (down) against actual ones (across).
func printConfusion(w io.Writer, style term.Style, what string, c eval.Confusion) {
	if len(c.Labels) == 0 {
		return
	}
	rows := [][]string{append([]string{what + ": want ↓ got →"}, c.Labels...)}
	for i, label := range c.Labels {
		row := []string{label}
		for _, n := range c.Counts[i] {
			cell := "·"
			if n > 0 {
				cell = strconv.Itoa(n)
			}
			row = append(row, cell)
		}
		rows = append(rows, row)
	}
	printGrid(w, style, rows)
}

func printFailures[F any](w io.Writer, style term.Style, list []F, words func(F) (id, text string)) {
	fmt.Fprintf(w, "\n%s\n", style.Paint(term.Bold, term.Count(len(list), "failure")))
	s := facts{w, style}
	for _, f := range list {
		id, text := words(f)
		s.line(term.Clean(id), text)
	}
}
