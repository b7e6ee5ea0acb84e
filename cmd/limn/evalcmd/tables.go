package evalcmd

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/limn-ui/limn/cmd/limn/term"
	"github.com/limn-ui/limn/internal/eval/directives"
)

// tables prints a report for people.
type tables struct {
	w     io.Writer
	style term.Style
}

func (t tables) report(r directives.Report, failures bool) {
	fmt.Fprintf(t.w, "%s: %d of %d trials, %d right (%s)\n", t.style.Paint(term.Bold, r.App), r.Total.N, r.Want,
		r.Total.OK, percent(r.Total.Rate()))
	t.rates(r)
	t.stages(r)
	rows := [][]string{{"kind of scenario", "right", "of", "success"}}
	for _, k := range r.Kinds {
		rows = append(rows, []string{k.Kind, strconv.Itoa(k.OK), strconv.Itoa(k.N), percent(k.Rate())})
	}
	t.grid(rows)
	t.drawn(r.Total)
	if len(r.Failures) > 0 {
		t.failures(r, failures)
	}
	rows = [][]string{{"requests: what they came to", "rung", "code", "n"}}
	for _, c := range r.Attempts {
		rows = append(rows, []string{c.Model, c.Rung, cmp.Or(string(c.Code), "usable"), strconv.Itoa(c.N)})
	}
	t.grid(rows)
}

// rates is one table, or two where one line does not hold it.
func (t tables) rates(r directives.Report) {
	rows := [][]string{{"model", "mode", "success", "95 %", "first try", "requests", "p50 ms", "p95 ms", "tokens in",
		"out", "cost"}}
	for _, m := range r.Models {
		rows = append(rows, []string{m.Model, string(m.Mode), percent(m.Rate()),
			fmt.Sprintf("%.0f–%.0f", 100*m.Low, 100*m.High), strconv.Itoa(m.First), strconv.Itoa(m.Attempts),
			fmt.Sprintf("%.0f", m.P50), fmt.Sprintf("%.0f", m.P95), count(m.Usage.In, m), count(m.Usage.Out, m),
			dollars(m)})
	}
	if term.Wide(rows) <= t.style.Width {
		t.grid(rows)
		return
	}
	const right = 6 // columns about success; those after them are about cost
	var how, took [][]string
	for _, row := range rows {
		how, took = append(how, row[:right]), append(took, slices.Concat(row[:2], row[right:]))
	}
	t.grid(how)
	t.grid(took)
}

func (t tables) stages(r directives.Report) {
	head := []string{"stages held, of reached", "mode"}
	for _, s := range directives.Stages() {
		head = append(head, string(s))
	}
	rows := [][]string{head}
	for _, m := range r.Models {
		row := []string{m.Model, string(m.Mode)}
		for _, s := range directives.Stages() {
			row = append(row, fmt.Sprintf("%d/%d", m.Stages[s].Right, m.Stages[s].Of))
		}
		rows = append(rows, row)
	}
	t.grid(rows)
}

// drawn shows what clients are sent in trials that are right, on average.
func (t tables) drawn(r directives.Row) {
	if r.OK == 0 {
		return
	}
	mean := func(n int) string { return strconv.Itoa(int(math.Round(float64(n) / float64(r.OK)))) }
	rows := [][]string{{"sent, mean of the right", "frame: messages", "bytes", "screen: messages", "bytes",
		"components", "most of a surface"}}
	for _, d := range r.Drawn {
		rows = append(rows, []string{"A2UI " + d.Target, mean(d.Frame.Messages), mean(d.Frame.Bytes),
			mean(d.Screen.Messages), mean(d.Screen.Bytes), mean(d.Screen.Components), strconv.Itoa(d.Most)})
	}
	t.grid(rows)
}

func (t tables) failures(r directives.Report, examples bool) {
	rows := [][]string{{"failures", "mode", "stage", "code", "n"}}
	for _, f := range r.Failures {
		rows = append(rows, []string{f.Model, string(f.Mode), string(f.Stage), string(f.Code), strconv.Itoa(f.N)})
	}
	t.grid(rows)
	if !examples {
		return
	}
	for _, f := range r.Failures {
		fmt.Fprintf(t.w, "\n%s %s: %s\n", term.Clean(f.Model), t.style.Paint(term.Bold, f.Sample.Scenario),
			term.Clean(f.Sample.Detail))
		if f.Sample.Answer != "" {
			fmt.Fprintf(t.w, "  %s\n", term.Cut(term.Clean(f.Sample.Answer), 4*t.style.Width))
		}
	}
}

// grid prints a table under its head, after a blank line.
func (t tables) grid(rows [][]string) {
	fmt.Fprintln(t.w)
	t.style.Grid(t.w, rows, true) //nolint:errcheck // Flush says so
}

func percent(share float64) string { return fmt.Sprintf("%.1f %%", 100*share) }

// count marks tokens that the server did not count.
func count(n int64, r directives.Row) string {
	if r.Estimated > 0 {
		return fmt.Sprintf("~%d", n)
	}
	return strconv.FormatInt(n, 10)
}

func dollars(r directives.Row) string {
	if r.Unpriced {
		return "–"
	}
	return fmt.Sprintf("$%.4f", r.Cost)
}
