// Command train learns the weights of package intent from labelled lines: the sets of
// internal/eval and the sentences of internal/route.
//
//	go generate ./internal/intent                   learn and write weights.bin
//	go run ./internal/intent/train -folds 5         leave each fifth of the sets out once
//
// It runs in the project's root. The model is a multinomial logistic regression with an
// L2 penalty, found by accelerated gradient descent from zero, so the same lines give
// the same weights.
package main

import (
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/limn-ui/limn/internal/eval"
	"github.com/limn-ui/limn/internal/intent"
	"github.com/limn-ui/limn/ui"
)

func main() {
	out := flag.String("o", "", "write the weights to this `file`")
	folds := flag.Int("folds", 0, "leave each of so many parts of the sets out once, and say how it is read")
	rounds := flag.Int("rounds", 600, "steps of the descent")
	penalty := flag.Float64("penalty", 0.05, "L2 penalty of all lines together")
	flag.Parse()
	lines, err := readAll()
	if err == nil && *folds > 1 {
		crossValidate(lines, *folds, *rounds, *penalty)
	}
	if err == nil && *out != "" {
		err = os.WriteFile(*out, learn(lines, *rounds, *penalty).bytes(), 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "train:", err)
		os.Exit(1)
	}
}

// line is a labelled message. set is the number of its file.
type line struct {
	features []uint32
	scale    float64 // of each feature, so that lines of all lengths weigh the same
	weight   float64 // how many lines it counts as
	class    intent.Class
	set      int
}

// readAll reads the lines whose label depends on the message alone.
func readAll() (lines []line, err error) {
	sets, err := filepath.Glob("internal/eval/testdata/route-*.jsonl")
	if err != nil || len(sets) == 0 {
		return nil, errors.Join(err, errors.New("internal/eval/testdata has no sets: run this in the project's root"))
	}
	add := func(class intent.Class, message string, weight float64, set int) {
		features := intent.Features(message)
		lines = append(lines, line{features, 1 / math.Sqrt(float64(len(features))), weight, class, set})
	}
	for set, name := range sets {
		f, e := os.Open(name)
		if e != nil {
			return nil, e
		}
		cases, _, e := eval.ReadAll[eval.RouteCase](f, func(b *eval.BadLine) { err = errors.Join(err, b) })
		err = errors.Join(err, e, f.Close())
		for _, c := range cases {
			if class, ok := classOf(c); ok {
				weight := 1.0
				if c.Lang != "en" {
					weight = abroad
				}
				add(class, *c.Message, weight, set)
			}
		}
	}
	rules, e := filepath.Glob("internal/route/testdata/rules/*.txt")
	err = errors.Join(err, e)
	for i, name := range rules {
		text, e := os.ReadFile(name)
		err = errors.Join(err, e)
		for row := range strings.Lines(string(text)) {
			want, message, _ := strings.Cut(strings.TrimSuffix(row, "\n"), " :: ")
			first, _, _ := strings.Cut(want, " ")
			if class, ok := words[first]; ok && !strings.Contains(want, "+") {
				add(class, breaks.Replace(message), sentence, len(sets)+i)
			}
		}
	}
	return lines, err
}

// abroad is how many lines a line in another language than English counts as: more than half
// of the lines are English.
const abroad = 2

// sentence is how many lines a sentence of package route counts as: the documentation
// promises the decisions of that package.
const sentence = 8

// words begin the sentences of package route; those with a state or a control do not
// depend on the message alone.
var words = map[string]intent.Class{"chat": intent.Chat, "clarify": intent.Clarify, "map": intent.Map,
	"table": intent.Table}

var breaks = strings.NewReplacer(`\n`, "\n", `\t`, "\t")

func classOf(c eval.RouteCase) (intent.Class, bool) {
	s := c.State
	if c.Category == "control" || s.LastStatus != "" || s.Pending != nil || s.Cancels > 0 || s.OptOut.All ||
		len(s.OptOut.Tools) > 0 || len(s.Guardrails) > 0 {
		return 0, false
	}
	switch {
	case c.Expect.Action == "chat":
		return intent.Chat, true
	case c.Expect.Action == "clarify":
		return intent.Clarify, true
	case c.Expect.Tool == ui.ToolMap:
		return intent.Map, true
	}
	return intent.Table, c.Expect.Tool == ui.ToolTable
}

// model has the bias of each class, and the weights of each bucket.
type model struct {
	bias [intent.Classes]float64
	w    [][intent.Classes]float64
}

// scores are the odds of a line, and their probabilities.
func (m *model) scores(l *line) (odds, p [intent.Classes]float64) {
	for _, f := range l.features {
		for c := range odds {
			odds[c] += m.w[f][c]
		}
	}
	sum, top := 0.0, math.Inf(-1)
	for c := range odds {
		odds[c] = odds[c]*l.scale + m.bias[c]
		top = max(top, odds[c])
	}
	for c := range odds {
		p[c] = math.Exp(odds[c] - top)
		sum += p[c]
	}
	for c := range p {
		p[c] /= sum
	}
	return odds, p
}

// step is how far a round goes. At 20 the descent swings out again and again.
const step = 8.0

// learn finds the weights by Nesterov's method: a step from a point ahead of the last two.
func learn(lines []line, rounds int, penalty float64) *model {
	now, before, ahead := newModel(), newModel(), newModel()
	all := 0.0
	for i := range lines {
		all += lines[i].weight
	}
	lambda := penalty / all
	for round := range rounds {
		momentum := float64(round) / float64(round+3)
		ahead.bias = mix(now.bias, before.bias, momentum)
		for i := range ahead.w {
			ahead.w[i] = mix(now.w[i], before.w[i], momentum)
		}
		now, before = before, now
		*now = model{ahead.bias, now.w}
		for i := range now.w {
			for c := range now.w[i] {
				now.w[i][c] = ahead.w[i][c] * (1 - step*lambda)
			}
		}
		for i := range lines {
			_, p := ahead.scores(&lines[i])
			p[lines[i].class]--
			for c := range p {
				p[c] *= step * lines[i].weight / all
				now.bias[c] -= p[c]
				p[c] *= lines[i].scale
			}
			for _, f := range lines[i].features {
				for c := range p {
					now.w[f][c] -= p[c]
				}
			}
		}
	}
	return now
}

func newModel() *model { return &model{w: make([][intent.Classes]float64, intent.Buckets)} }

func mix(a, b [intent.Classes]float64, momentum float64) (out [intent.Classes]float64) {
	for c := range out {
		out[c] = a[c] + momentum*(a[c]-b[c])
	}
	return out
}

// bytes is the form that package intent reads.
func (m *model) bytes() []byte {
	largest := 0.0
	for _, w := range m.w {
		for _, x := range w {
			largest = max(largest, math.Abs(x))
		}
	}
	scale := float32(largest / 127)
	out := binary.LittleEndian.AppendUint32(nil, math.Float32bits(scale))
	for _, b := range m.bias {
		out = binary.LittleEndian.AppendUint32(out, math.Float32bits(float32(b)))
	}
	for _, w := range m.w {
		for _, x := range w {
			out = append(out, byte(int8(math.Round(x/float64(scale)))))
		}
	}
	return out
}

// crossValidate prints how lines are read by a model that learned from other sets.
func crossValidate(lines []line, folds, rounds int, penalty float64) {
	var want, right, falseTools, missed [intent.Classes]int
	for fold := range folds {
		var known []line
		for _, l := range lines {
			if l.set%folds != fold {
				known = append(known, l)
			}
		}
		m := learn(known, rounds, penalty)
		for i := range lines {
			if l := &lines[i]; l.set%folds == fold {
				odds, _ := m.scores(l)
				best := intent.Chat
				for c := range odds {
					if odds[c] > odds[best] {
						best = intent.Class(c)
					}
				}
				want[l.class]++
				switch {
				case best == l.class:
					right[best]++
				case l.class == intent.Chat && best >= intent.Map:
					falseTools[best]++
				case best == intent.Chat && l.class >= intent.Map:
					missed[l.class]++
				}
			}
		}
		fmt.Printf("fold %d: %d lines learned\n", fold+1, len(known))
	}
	all, sum := 0, 0
	for c, name := range [...]string{"chat", "clarify", "map", "table"} {
		fmt.Printf("%-8s %5d of %5d right; false %d, missed %d\n", name, right[c], want[c], falseTools[c], missed[c])
		all, sum = all+want[c], sum+right[c]
	}
	fmt.Printf("%-8s %5d of %5d right, %.1f %%\n", "all", sum, all, 100*float64(sum)/float64(max(1, all)))
}
