// Command bench measures what docs/performance.md promises and prints a table.
//
//	go run . [-out report.json] [-count 5] [-short]
//
// Every figure is the median of several runs in one process; what others need
// for the same work is measured in the same runs, so the ratios hold on a noisy
// machine even where the figures do not.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// figure is one line of the report.
type figure struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
	Unit  string  `json:"unit"`
	Must  float64 `json:"must,omitempty"` // the value must not be above it, or with AtLeast not below
	Aim   float64 `json:"aim,omitempty"`  // and it should not be above this
	// AtLeast: more is better.
	AtLeast bool               `json:"at_least,omitempty"`
	Others  map[string]float64 `json:"others,omitempty"`
}

type report struct {
	Machine string   `json:"machine"`
	At      string   `json:"at"`
	Figures []figure `json:"figures"`
}

func main() {
	out := flag.String("out", "report.json", "file to write the report to")
	count := flag.Int("count", 5, "runs per figure; the median counts")
	short := flag.Bool("short", false,
		"run everything once, with the smallest sizes, to see that it runs; write no report")
	testing.Init()
	only := flag.String("only", "",
		"measure only this group: drawing, loop, protocol, deciding, tokens, prompt, load, fanout, idle, slope,"+
			" start, records, sharing, doors or gateway")
	flag.Parse()
	if *serveOn != "" {
		serve(*serveOn)
		return
	}
	if *short {
		*count = 1
		must(flag.Set("test.benchtime", "1ms"))
		shorten()
	}
	r := report{Machine: machine(), At: time.Now().UTC().Format(time.RFC3339)}
	for _, group := range []struct {
		name    string
		measure func(int) []figure
	}{{"drawing", drawing}, {"loop", loop}, {"protocol", protocol}, {"deciding", deciding}, {"tokens", economy},
		{"prompt", prompting}, {"load", load}, {"fanout", fanout}, {"idle", idle}, {"slope", slope}, {"start", start},
		{"records", finding}, {"sharing", sharing}, {"doors", doors}, {"gateway", gatewayed}} {
		if *only == "" || *only == group.name {
			r.Figures = append(r.Figures, group.measure(*count)...)
		}
	}
	fmt.Println(r.Machine)
	for _, f := range r.Figures {
		must := ""
		if f.Must > 0 && !*short {
			must = fmt.Sprintf("must ≤ %g", f.Must)
			if f.AtLeast {
				must = fmt.Sprintf("must ≥ %g", f.Must)
			}
		}
		if f.Aim > 0 && !*short {
			must += fmt.Sprintf(", aim %g", f.Aim)
		}
		fmt.Printf("%-20s %10.2f %-6s %-21s", f.Name, f.Value, f.Unit, must)
		for _, name := range slices.Sorted(maps.Keys(f.Others)) {
			fmt.Printf("  %s: %.2f", name, f.Others[name])
		}
		fmt.Println()
	}
	if *short {
		fmt.Printf("benchmarks: %d figures, with sizes too small to compare\n", len(r.Figures))
		return
	}
	b, err := json.MarshalIndent(r, "", "  ")
	if err == nil {
		err = os.WriteFile(*out, append(b, '\n'), 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// machine names the machine on which the figures were measured.
func machine() string {
	name := runtime.GOARCH
	if b, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		for line := range strings.Lines(string(b)) {
			if k, v, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(k) == "model name" {
				name = strings.TrimSpace(v)
				break
			}
		}
	}
	return fmt.Sprintf("%s, %d CPUs, %s/%s, %s", name, runtime.NumCPU(), runtime.GOOS, runtime.GOARCH,
		runtime.Version())
}

// inTurns is the median of what measure says of each function, measured in turns so
// that a noisy machine hits them alike.
func inTurns(count int, measure func(func()) float64, fns ...func()) []float64 {
	runs := make([][]float64, len(fns))
	for range count {
		for i, fn := range fns {
			runs[i] = append(runs[i], measure(fn))
		}
	}
	out := make([]float64, len(fns))
	for i := range runs {
		out[i] = median(runs[i])
	}
	return out
}

// alternate is the median time of each function in microseconds.
func alternate(count int, fns ...func()) []float64 {
	return inTurns(count, func(fn func()) float64 { return micros(1, fn) }, fns...)
}

// micros is the median time of fn in microseconds.
func micros(count int, fn func()) float64 {
	var runs []float64
	for range count {
		res := testing.Benchmark(func(b *testing.B) {
			for b.Loop() {
				fn()
			}
		})
		runs = append(runs, float64(res.T.Nanoseconds())/float64(res.N)/1e3)
	}
	return median(runs)
}

func median(list []float64) float64 {
	slices.Sort(list)
	return list[len(list)/2]
}
