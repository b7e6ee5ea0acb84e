package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/tiktoken-go/tokenizer"

	"github.com/limn-ui/limn/a2ui"
	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/compile"
	"github.com/limn-ui/limn/examples/desk"
	"github.com/limn-ui/limn/internal/execute"
	"github.com/limn-ui/limn/internal/jsonx"
	"github.com/limn-ui/limn/ui"
)

// cost is the size of the answer to a task, in tokens of o200k.
type cost struct {
	full, short       float64 // the envelope: every key of the schema; those that say something
	sent, plain, bare float64 // the same words and A2UI messages: as sent; without a server's marks; see prune
}

// economy compares the envelope a model writes with the A2UI messages that Limn makes
// of it, which a model would write without Limn. Of the ways to count, the figure takes
// the longest envelope and the shortest messages.
func economy(int) []figure {
	a, err := desk.App()
	must(err)
	count := counter()
	w := tabwriter.NewWriter(os.Stdout, 0, 4, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "task\tenvelope\tshort\tmessages as sent\tno marks\tbare\tbare/envelope\t")
	var sum cost
	var ratios []float64
	for _, t := range tasks {
		c := measure(a, t, count)
		sum = cost{sum.full + c.full, sum.short + c.short, sum.sent + c.sent, sum.plain + c.plain, sum.bare + c.bare}
		ratios = append(ratios, c.bare/c.full)
		c.print(w, t.name)
	}
	sum.print(w, "all")
	must(w.Flush())
	return []figure{{Name: "tokens_ratio", Value: sum.bare / sum.full, Unit: "×", Must: 10, AtLeast: true,
		Others: map[string]float64{
			"messages without marks": sum.plain / sum.full, "messages as sent": sum.sent / sum.full,
			"as sent, short envelope": sum.sent / sum.short,
			"median task":             median(ratios), "worst task": slices.Min(ratios)}}}
}

func (c cost) print(w *tabwriter.Writer, name string) {
	fmt.Fprintf(w, "%s\t%.0f\t%.0f\t%.0f\t%.0f\t%.0f\t%.1f\t\n", name, c.full, c.short, c.sent, c.plain, c.bare,
		c.bare/c.full)
}

// counter counts tokens as the models with o200k do.
func counter() func(string) float64 {
	codec, err := tokenizer.Get(tokenizer.O200kBase)
	must(err)
	return func(s string) float64 {
		n, err := codec.Count(s)
		must(err)
		return float64(n)
	}
}

func measure(a *app.App, t task, count func(string) float64) cost {
	env, err := a.Registry().Read(t.answer)
	must(err)
	words, lines := count(env.Text+"\n"), draw(a, t)
	return cost{count(t.answer), count(string(env.JSON())),
		words + count(joined(lines)), words + count(joined(lines, unmark)),
		words + count(joined(lines, unmark, prune()))}
}

// draw returns the messages a client of v0.9 is sent for a task.
func draw(a *app.App, t task) (lines []jsonx.Value) {
	s := ui.NewState("bench")
	if t.saved != "" {
		saved, err := jsonx.Parse([]byte(t.saved), jsonx.Limits{})
		must(err)
		var ops ui.Ops
		for _, m := range saved.Members {
			v, err := ui.ValueOf(m.Value)
			must(err)
			ops = append(ops, &ui.Commit{Form: m.Key, Values: v})
		}
		s, _ = next(a, s, ops)
	}
	if t.before != "" {
		s, _ = next(a, s, carryOut(a, s, t.before))
	}
	after, f := next(a, s, carryOut(a, s, t.answer))
	target := compile.Target{Dialect: a2ui.V09, Rules: &compile.Rules{Allowed: a.Allowed}}
	batches, err := compile.Update(target, s, after, f)
	must(err)
	if p := a2ui.Validate(a2ui.Rules{Dialect: a2ui.V09, Profile: a2ui.Safe, Partial: t.before != ""},
		batches.Messages()); len(p) > 0 {
		panic(t.name + ": " + p[0].Error())
	}
	for _, m := range batches.Messages() {
		line, err := a2ui.AppendMessage(nil, a2ui.V09, m)
		must(err)
		v, err := jsonx.Parse(line, jsonx.Limits{})
		must(err)
		lines = append(lines, v)
	}
	return lines
}

// carryOut returns the ops of an envelope; none of it may be dropped or bent.
func carryOut(a *app.App, s *ui.State, answer string) ui.Ops {
	env, err := a.Registry().Read(answer)
	must(err)
	random := rand.NewChaCha8([32]byte{}) // the same tokens in each run
	nonce := func() string { return fmt.Sprintf("%016x%016x", random.Uint64(), random.Uint64()) }
	ops, warnings := execute.Run(execute.Env{App: a, Now: time.Unix(0, 0), Nonce: nonce}, s, env.Directives)
	if all := append(env.Warnings, warnings...); len(all) > 0 {
		panic(all[0])
	}
	return ops
}

func next(a *app.App, s *ui.State, ops ui.Ops) (*ui.State, *ui.Frame) {
	f := &ui.Frame{V: 1, Seq: s.Seq + 1, At: time.Unix(0, 0), Ops: ops}
	after, changes, err := ui.Apply(s, f, a.Config().Limits)
	must(err)
	f.Changes = changes
	return after, f
}

// joined writes messages as lines of JSON without spaces, each changed first;
// one that has nothing left is left out.
func joined(lines []jsonx.Value, changes ...func(jsonx.Value) jsonx.Value) string {
	var b bytes.Buffer
	for _, v := range lines {
		for _, change := range changes {
			v = change(v)
		}
		if len(v.Members) > 0 {
			b.Write(append(jsonx.Append(nil, v), '\n'))
		}
	}
	return b.String()
}

// unmark removes the marks of a server that no model would write: nonce and revision in
// contexts and in data.
func unmark(v jsonx.Value) jsonx.Value {
	if d := v.At("updateDataModel"); d.At("path").Text() == "/ui_state/rev" {
		return jsonx.Value{}
	}
	return without(v, func(_ jsonx.Value, m jsonx.Member) bool {
		return m.Key == "limn_nonce" || m.Key == "limn_rev" || m.Key == "ui_state"
	})
}

// prune takes away what else the messages of one task can do without: properties
// that have the catalog's default, and ids longer than c7.
func prune() func(jsonx.Value) jsonx.Value {
	defaults := map[string]string{"justify": `"start"`, "align": `"stretch"`, "displayStyle": `"checkbox"`,
		"filterable": "false", "checks": "[]", "enableDate": "false", "enableTime": "false"}
	variants := map[string]string{"Text": "body", "Button": "default", "TextField": "shortText",
		"ChoicePicker": "mutuallyExclusive"}
	ids := map[string]string{}
	var rename func(v jsonx.Value) jsonx.Value
	rename = func(v jsonx.Value) jsonx.Value {
		if v.Kind == jsonx.String && (strings.HasPrefix(v.Str, "c#") || strings.Contains(v.Str, "#e=")) {
			if ids[v.Str] == "" {
				ids[v.Str] = fmt.Sprint("c", len(ids))
			}
			return jsonx.Of(ids[v.Str])
		}
		return each(v, rename)
	}
	return func(v jsonx.Value) jsonx.Value {
		v = without(v, func(of jsonx.Value, m jsonx.Member) bool {
			if of.At("component").Kind != jsonx.String {
				return false
			}
			return defaults[m.Key] == string(jsonx.Append(nil, m.Value)) ||
				m.Key == "variant" && variants[of.At("component").Str] == m.Value.Str
		})
		return rename(v)
	}
}

// without leaves out members of objects, at any depth.
func without(v jsonx.Value, drop func(of jsonx.Value, m jsonx.Member) bool) jsonx.Value {
	of := v
	v.Members = slices.DeleteFunc(slices.Clone(v.Members), func(m jsonx.Member) bool { return drop(of, m) })
	return each(v, func(v jsonx.Value) jsonx.Value { return without(v, drop) })
}

// each returns a copy of v in which fn has changed each member and item.
func each(v jsonx.Value, fn func(jsonx.Value) jsonx.Value) jsonx.Value {
	v.Members, v.Items = slices.Clone(v.Members), slices.Clone(v.Items)
	for i := range v.Members {
		v.Members[i].Value = fn(v.Members[i].Value)
	}
	for i := range v.Items {
		v.Items[i] = fn(v.Items[i])
	}
	return v
}
