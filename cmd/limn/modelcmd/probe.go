package modelcmd

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/limn-ui/limn/cmd/limn/term"
	"github.com/limn-ui/limn/internal/endpoint"
	"github.com/limn-ui/limn/internal/models"
	"github.com/limn-ui/limn/llm"
)

// Probe is limn models probe.
type Probe struct {
	URL     string        `arg:"" name:"url" help:"An OpenAI-compatible endpoint, such as http://127.0.0.1:11434/v1."`
	Model   string        `arg:"" help:"The model's name there."`
	Write   string        `placeholder:"FILE" help:"${model_probe_write}"`
	Tokens  int           `default:"400" help:"Of an answer at most; a model that thinks first may need more."`
	Timeout time.Duration `default:"60s" help:"How long one answer may take."`

	Provider string `env:"LIMN_PROVIDER" placeholder:"NAME" help:"${provider}"`
	KeyFile  string `env:"LIMN_MODEL_KEY_FILE" type:"path" placeholder:"FILE" help:"${model_probe_key_file}"`
	Insecure bool   `env:"LIMN_MODEL_INSECURE" help:"Ask over http though the endpoint is on another machine."`
	JSON     bool   `name:"json" help:"Print what is found out as JSON."`
}

// Help is shown below the options.
func (Probe) Help() string {
	return `About nine small requests, one after the other, at most twenty. LIMN_MODEL_KEY holds
the key, if the endpoint needs one. Support counts only if the answer shows it, a
refusal only if the endpoint still answers without the key: an outage, a limit or a
refused key ends the probe, and nothing is written.`
}

// Run asks, prints and writes.
func (c Probe) Run(ctx context.Context, t term.Terminal) error {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt)
	defer stop()
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends the program at once
	if c.Tokens < 16 {
		return errors.New("--tokens is below 16, which no answer fits into")
	}
	table, err := Table(c.Write) // a file with a fault is refused before anything is asked
	if missing(err) {
		table, err = llm.Known(), nil
	}
	if err == nil {
		err = writable(c.Write)
	}
	if err != nil {
		return err
	}
	cfg := endpoint.Config{Provider: c.Provider, URL: c.URL, Model: c.Model, Key: t.Env("LIMN_MODEL_KEY"),
		KeyFile: c.KeyFile, Insecure: c.Insecure, Timeout: c.Timeout, Known: table}
	m, err := Open(cfg)
	if err != nil {
		return At(err, map[string]string{"provider": "--provider", "key": "LIMN_MODEL_KEY", "key_file": "--key-file",
			"timeout": "--timeout"})
	}
	known := m.Entry()
	provider, _ := m.Name()
	build := func(caps llm.Capabilities) (llm.Model, error) {
		cfg := cfg
		cfg.Capabilities = &caps
		return Open(cfg)
	}
	status := term.NewStatus(t)
	p := models.Prober{Build: build, Tokens: c.Tokens, Found: func(f models.Finding) {
		status.Clear()
		if !c.JSON {
			fmt.Fprintln(t.Out, strings.TrimRight(
				fmt.Sprintf("  %-20s %-8s %s", term.Clean(f.What), f.Verdict, term.Clean(f.Why)), " "))
		}
	}}
	asked := 0
	p.Asking = func(what string) {
		asked++
		status.Say(fmt.Sprintf("  %d: %s …", asked, what))
	}
	if !c.JSON {
		fmt.Fprintf(t.Out, "%s at %s\n", term.Clean(c.Model), provider)
	}
	report, err := p.Probe(ctx)
	status.Clear()
	if err != nil {
		if ctx.Err() != nil {
			err = errors.New("stopped")
		}
		return fmt.Errorf("%w; %s, nothing written", err, cost(report, known.Price))
	}
	return c.report(t, report, entry(known, provider, c.Model, &report))
}

// entry is the entry to write: the findings, and the budgets and the
// price that were known before, for they cannot be asked.
func entry(known llm.Entry, provider, model string, r *models.Report) llm.Entry {
	e := llm.Entry{Provider: provider, Model: model, Capabilities: r.Capabilities}
	e.Context, e.Output, e.Price = known.Context, known.Output, known.Price
	if e.Context > 0 {
		r.Fields = append(r.Fields, "context")
	}
	if e.Output > 0 {
		r.Fields = append(r.Fields, "output")
	}
	if e.Price != (llm.Price{}) {
		r.Fields = append(r.Fields, "price")
	}
	return e
}

// report prints the cost and the entry, and writes it if that was asked for.
func (c Probe) report(t term.Terminal, r models.Report, e llm.Entry) error {
	if c.JSON {
		enc := json.NewEncoder(t.Out)
		enc.SetIndent("", "  ")
		if err := enc.Encode(struct {
			Provider string `json:"provider"`
			Model    string `json:"model"`
			models.Report
		}{e.Provider, e.Model, r}); err != nil {
			return err
		}
	} else {
		fmt.Fprintln(t.Out, cost(r, e.Price))
		unclear := slices.IndexFunc(r.Findings, func(f models.Finding) bool { return f.Verdict == models.Unclear })
		if unclear >= 0 {
			fmt.Fprintln(t.Out,
				"What is unclear stays as it was; ask again, with more --tokens if the model thinks first.")
		}
	}
	if c.Write == "" {
		if c.JSON {
			return nil
		}
		text, err := models.Put("capabilities.yaml", nil, e, r.Fields)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(t.Out, "Its entry for a capabilities file (--write FILE):\n%s", text)
		return err
	}
	changed, err := write(c.Write, e, r.Fields)
	switch {
	case err != nil || c.JSON:
		return err
	case !changed:
		fmt.Fprintf(t.Out, "%s says so already\n", c.Write)
	default:
		fmt.Fprintf(t.Out, "written to %s\n", c.Write)
	}
	return nil
}

// cost describes the cost of a probe.
func cost(r models.Report, p llm.Price) string {
	out := "0"
	if r.Usage.Out > 0 {
		out = count(int(r.Usage.Out))
	}
	s := fmt.Sprintf("%s, %s in and %s out", term.Count(r.Requests, "request"), term.Count(int(r.Usage.In), "token"),
		out)
	if p != (llm.Price{}) {
		s += fmt.Sprintf(", $%.4f", p.Of(r.Usage))
	}
	return s
}

// writable finds out before anything is asked whether a file can be written at
// its end.
func writable(file string) error {
	if file == "" {
		return nil
	}
	tmp, err := temporary(file)
	if err != nil {
		return err
	}
	return errors.Join(tmp.Close(), os.Remove(tmp.Name()))
}

// temporary makes a file beside another one.
func temporary(file string) (*os.File, error) {
	tmp, err := os.CreateTemp(filepath.Dir(file), ".limn-*")
	if err != nil {
		return nil, fault(file, "the capabilities file cannot be written", err)
	}
	return tmp, nil
}

// write puts an entry into a file, whole or not at all.
func write(file string, e llm.Entry, fields []string) (changed bool, err error) {
	if to, err := filepath.EvalSymlinks(file); err == nil {
		file = to
	}
	before, err := read(file)
	if err != nil && !missing(err) {
		return false, err
	}
	after, err := models.Put(file, before, e, fields)
	if err != nil || string(after) == string(before) {
		return false, err
	}
	mode := os.FileMode(0o644)
	if info, err := os.Stat(file); err == nil {
		mode = info.Mode().Perm()
	}
	tmp, err := temporary(file)
	if err != nil {
		return false, err
	}
	defer os.Remove(tmp.Name())
	_, err = tmp.Write(after)
	if err = errors.Join(err, tmp.Chmod(mode), tmp.Sync(), tmp.Close()); err != nil {
		return false, fmt.Errorf("write %s: %w", file, err)
	}
	return true, os.Rename(tmp.Name(), file)
}
