package modelcmd

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/limn-ui/limn/cmd/limn/term"
	"github.com/limn-ui/limn/internal/models"
	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/ui"
)

// Models is the command line of both.
type Models struct {
	List  List  `cmd:"" default:"withargs" help:"List what is known of models."`
	Probe Probe `cmd:"" help:"Ask an endpoint what a model there understands."`
}

// Table reads a capabilities file, if one is named, and puts it before the
// built-in table.
func Table(file string) (llm.Table, error) {
	if file == "" {
		return llm.Known(), nil
	}
	data, err := read(file)
	if err != nil {
		return nil, err
	}
	own, err := models.Load(file, data)
	return append(own, llm.Known()...), err
}

// read reads a whole capabilities file, but not without end.
func read(file string) ([]byte, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, fault(file, "the capabilities file cannot be read", err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, 1<<20))
	if err != nil {
		return nil, fault(file, "the capabilities file cannot be read", err)
	}
	return data, nil
}

// fault is the system's error about a file, without its path.
func fault(file, what string, err error) error {
	if p := (*fs.PathError)(nil); errors.As(err, &p) {
		err = p.Err
	}
	return &ui.Error{Code: llm.CodeConfigInvalid, Path: file, Message: what, Err: err,
		Hint: "check the path and its rights"}
}

// List is limn models.
type List struct {
	Name         string `arg:"" optional:"" help:"Only what decides about this model, or has this in its name."`
	Provider     string `help:"${model_list_provider}"`
	Capabilities string `env:"LIMN_CAPABILITIES" placeholder:"FILE" help:"${model_list_capabilities}"`
	JSON         bool   `name:"json" help:"Print entries as JSON."`
}

// Help is shown below the options.
func (List) Help() string {
	return `The first entry that matches decides, whole. With a name and --provider the one that
decides is shown in full. A model without an entry is prompt-only: words and max_tokens.`
}

// Run prints the table.
func (c List) Run(t term.Terminal) error {
	table, err := Table(c.Capabilities)
	if err != nil {
		return err
	}
	rows := c.filter(table)
	decided := c.Name != "" && c.Provider != ""
	if decided {
		e, _ := table.Lookup(c.Name, c.Provider)
		rows = llm.Table{e}
	}
	switch {
	case c.JSON:
		enc := json.NewEncoder(t.Out)
		enc.SetIndent("", "  ")
		return enc.Encode(append(llm.Table{}, rows...))
	case decided:
		c.explain(t, rows[0])
		return nil
	case len(rows) == 0:
		fmt.Fprintf(t.Out, "Nothing is known of %s: prompt only, until an entry says more (limn models probe).\n",
			term.Clean(cmp.Or(c.Name, c.Provider)))
		return nil
	}
	return show(t, rows)
}

// filter returns the entries that match a name or have it in their pattern, of
// the provider if one is named.
func (c List) filter(table llm.Table) llm.Table {
	name := strings.ToLower(c.Name)
	return slices.DeleteFunc(slices.Clone(table), func(e llm.Entry) bool {
		e.Model = strings.ToLower(e.Model)
		return !llm.Match(e.Model, name) && !strings.Contains(e.Model, name) ||
			c.Provider != "" && !e.Matches(e.Model, c.Provider)
	})
}

// show prints entries as a table.
func show(t term.Terminal, entries llm.Table) error {
	rows := [][]string{{"provider", "model", "structured", "tools", "streams", "context", "output", "$ in/out",
		"entry"}}
	for _, e := range entries {
		rows = append(rows, []string{e.Provider, e.Model, structured(e.Capabilities),
			tools(e.Capabilities), yes(e.Streaming),
			count(e.Context), count(e.Output), price(e.Price), e.Source})
	}
	return term.StyleOf(t.Out, t.Env).Grid(t.Out, rows, false)
}

// explain prints the entry that decides in full.
func (c List) explain(t term.Terminal, e llm.Entry) {
	fmt.Fprintf(t.Out, "%s at %s: ", term.Clean(c.Name), term.Clean(c.Provider))
	if e.Source == llm.Unknown {
		fmt.Fprintln(t.Out, "unknown model: prompt only; run limn models probe")
	} else {
		fmt.Fprintf(t.Out, "decided by %s (%s at %s)\n", e.Source, term.Clean(e.Model), term.Clean(e.Provider))
	}
	for _, row := range [][2]string{
		{"structured output", structured(e.Capabilities)}, {"tools", tools(e.Capabilities)},
		{"streams", yes(e.Streaming)}, {"images", yes(e.Images)},
		{"parallel_tool_calls", parallelKey(e.Capabilities)}, {"context", tokens(e.Context)},
		{"output", tokens(e.Output)},
		{"price", dollars(e.Price)}, {"keys", strings.Join(e.Keys, ", ")},
	} {
		fmt.Fprintf(t.Out, "  %-20s %s\n", row[0], row[1])
	}
}

func structured(c llm.Capabilities) string {
	switch {
	case c.JSONSchema && c.JSONObject:
		return "schema, object"
	case c.JSONSchema:
		return "schema"
	case c.JSONObject:
		return "object"
	}
	return "no"
}

func tools(c llm.Capabilities) string {
	switch {
	case c.Tools && c.ParallelTools:
		return "parallel"
	case c.Tools:
		return "one by one"
	}
	return "no"
}

func parallelKey(c llm.Capabilities) string {
	if c.ParallelKey && c.ParallelNeedsTools {
		return "with tools only"
	}
	return yes(c.ParallelKey)
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

// count writes a number with its thousands apart, or "-" if it is not known.
func count(n int) string {
	if n == 0 {
		return "-"
	}
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

func tokens(n int) string {
	if n == 0 {
		return "not known"
	}
	return count(n) + " tokens"
}

func price(p llm.Price) string {
	if p == (llm.Price{}) {
		return "-"
	}
	return number(p.In) + "/" + number(p.Out)
}

func dollars(p llm.Price) string {
	if p == (llm.Price{}) {
		return "not known"
	}
	s := "$" + number(p.In) + " in, "
	if p.CachedIn > 0 {
		s += "$" + number(p.CachedIn) + " cached, "
	}
	return s + "$" + number(p.Out) + " out, per million tokens"
}

func number(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

// missing reports whether a file is not there yet.
func missing(err error) bool { return errors.Is(err, fs.ErrNotExist) }
