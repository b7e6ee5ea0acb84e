package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/limn-ui/limn/cmd/limn/modelcmd"
	"github.com/limn-ui/limn/cmd/limn/term"
	"github.com/limn-ui/limn/internal/driver/postgres"
	"github.com/limn-ui/limn/internal/driver/sqlite"
	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/ui"
	"github.com/limn-ui/limn/web"
)

// doctorCommand is the command "limn doctor".
type doctorCommand struct {
	serveCommand
	JSON bool `name:"json" help:"Print what is found as one JSON array."`
}

// Help is shown below the options.
func (doctorCommand) Help() string {
	return `Says what of this machine and of the flags and environment of 'limn serve' works, each with what to do
about it. It takes 5 seconds a line at most, and prints no key. A model is asked one short question.

Exit status: 0 no faults, 1 faults, 2 a wrong command line.

Examples:
  limn doctor desk.yaml
  LIMN_MODEL=qwen3:8b LIMN_MODEL_URL=http://127.0.0.1:11434/v1 limn doctor --json`
}

// Grades of a diagnosis.
const (
	gradeOK      = "ok"
	gradeWarning = "warning" // it works, and may surprise
	gradeFault   = "fault"   // limn serve would not start, or not do all
)

// diagnosis is the result for one part.
type diagnosis struct {
	Part   string `json:"part"`
	Grade  string `json:"grade"`
	Says   string `json:"says"`
	Remedy string `json:"remedy,omitempty"`
}

func fine(format string, args ...any) diagnosis {
	return diagnosis{Grade: gradeOK, Says: fmt.Sprintf(format, args...)}
}

func warning(remedy, format string, args ...any) diagnosis {
	return diagnosis{Grade: gradeWarning, Says: fmt.Sprintf(format, args...), Remedy: remedy}
}

// fault is what an error says. Its hint is the remedy, if it has one.
func fault(err error, remedy string) diagnosis {
	if e, ok := errors.AsType[*ui.Error](err); ok && e.Hint != "" {
		remedy = e.Hint
	}
	return diagnosis{Grade: gradeFault, Says: err.Error(), Remedy: remedy}
}

// checkTime is how long one check may take.
const checkTime = 5 * time.Second

// Run checks one part after the other.
func (c doctorCommand) Run(ctx context.Context, t term.Terminal) error {
	var list []diagnosis
	faults := 0
	style := term.StyleOf(t.Out, t.Env)
	for _, part := range []struct {
		name  string
		check func(context.Context) diagnosis
	}{
		{"program", c.program},
		{"clock", c.clock},
		{"application", func(context.Context) diagnosis { return c.application(t.Env) }},
		{"flags", func(context.Context) diagnosis { return c.flags(t.Env) }},
		{"address", c.address},
		{"store", c.storage},
		{"files", c.files},
		{"bus", c.hints},
		{"model", func(ctx context.Context) diagnosis { return c.ask(ctx, t.Env) }},
		{"pages", c.pages},
	} {
		d := within(ctx, part.check)
		d.Part = part.name
		list = append(list, d)
		if d.Grade == gradeFault {
			faults++
		}
		if !c.JSON {
			d.print(t.Out, style)
		}
	}
	if c.JSON {
		if err := t.Show(true, list, nil); err != nil {
			return err
		}
	}
	if faults > 0 {
		return term.Problems{N: faults}
	}
	return nil
}

// within waits for a check as long as it may take. One that goes on ends with the program.
func within(ctx context.Context, check func(context.Context) diagnosis) diagnosis {
	ctx, cancel := context.WithTimeout(ctx, checkTime)
	defer cancel()
	found := make(chan diagnosis, 1)
	go func() { found <- check(ctx) }() // ends with ctx, or with the program
	select {
	case d := <-found:
		return d
	case <-ctx.Done():
		return diagnosis{Grade: gradeFault, Says: fmt.Sprintf("no answer within %v", checkTime),
			Remedy: "see whether it runs and can be reached from here"}
	}
}

func (d diagnosis) print(w io.Writer, s term.Style) {
	color := map[string]string{gradeOK: term.Green, gradeWarning: term.Blue, gradeFault: term.Red}[d.Grade]
	says := strings.ReplaceAll(d.Says, "\n", "; ")
	fmt.Fprintf(w, "%s %-12s %s\n", s.Paint(color, fmt.Sprintf("%-8s", d.Grade)), d.Part, term.Clean(says))
	for line := range strings.Lines(d.Remedy) {
		fmt.Fprintf(w, "%21s %s %s\n", "", s.Paint(term.Blue, "to do:"), term.Clean(strings.TrimSpace(line)))
	}
}

func (doctorCommand) program(context.Context) diagnosis {
	says := fmt.Sprintf("%s, %s, %s/%s", version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	if revision := buildSetting("vcs.revision"); revision != "" {
		says += ", commit " + revision[:min(12, len(revision))]
	}
	return fine("%s", says)
}

func buildSetting(key string) string {
	info, _ := debug.ReadBuildInfo()
	if info == nil {
		return ""
	}
	for _, s := range info.Settings {
		if s.Key == key {
			return s.Value
		}
	}
	return ""
}

// clock holds the time against what must be before it.
func (c doctorCommand) clock(context.Context) diagnosis {
	now := time.Now()
	const remedy = "set the clock of this machine, such as with NTP"
	if built, err := time.Parse(time.RFC3339, buildSetting("vcs.time")); err == nil && now.Before(built) {
		return fault(fmt.Errorf("it is %s here, before this program was built", now.Format(time.RFC3339)), remedy)
	}
	if info, err := os.Stat(c.database()); err == nil && info.ModTime().After(now.Add(time.Minute)) {
		return warning(remedy, "%s was changed at %s, which is later than now", c.database(),
			info.ModTime().Format(time.RFC3339))
	}
	return fine("%s", now.Format(time.RFC3339))
}

// application does what limn check does, with the environment that there is.
func (c doctorCommand) application(env func(string) string) diagnosis {
	a, _, err := loadServed(c.App, env)
	list := findings(c.App, err)
	switch {
	case len(list) > 0:
		says := fmt.Sprintf("%s: %s", list[0].place(), list[0].Message)
		if len(list) > 1 {
			says = fmt.Sprintf("%s, the first at %s", term.Count(len(list), "problem"), says)
		}
		return diagnosis{Grade: gradeFault, Says: says, Remedy: "limn check " + c.App}
	case c.App == "":
		return fine("the demo, since no file is named")
	}
	return fine("%s is fine", a.Config().Title)
}

// flags checks those that are no other part.
func (c doctorCommand) flags(env func(string) string) diagnosis {
	a, _, err := loadServed(c.App, env)
	if err != nil { // which application says
		a, err = loadApp("", env)
	}
	p := parts{app: a}
	var more error
	p.own, more = c.catalogs()
	err = errors.Join(err, more, c.times())
	p.params, more = c.params()
	err = errors.Join(err, more)
	p.limits, more = c.limits()
	err = errors.Join(err, more)
	local := &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)}
	_, more = c.webhooks(local)
	if err = errors.Join(err, more); err == nil {
		_, more = c.config(p, local).Drawings(nil)
		err = byFlag(more)
	}
	if err != nil {
		return fault(err, "limn serve --help says what each flag takes")
	}
	return fine("all can be used")
}

func (c doctorCommand) address(context.Context) diagnosis {
	l, err := listen(c.Addr)
	if err != nil {
		return fault(err, "choose another with --addr, or stop what uses it")
	}
	l.Close()
	return fine("%s is free", c.Addr)
}

// database is the file of the store; "": it is no file.
func (c doctorCommand) database() string {
	kind, path, _ := strings.Cut(c.Store, ":")
	if kind != "sqlite" {
		return ""
	}
	return path
}

// storage opens the store, and writes and reads a record. A database that is not there is
// not made.
func (c doctorCommand) storage(ctx context.Context) diagnosis {
	file := c.database()
	if _, err := os.Stat(file); file != "" && errors.Is(err, fs.ErrNotExist) {
		f, err := os.CreateTemp(filepath.Dir(file), ".limn-doctor-*")
		if err != nil {
			return fault(fmt.Errorf("--store: %w", err), "make the folder, and let this user write to it")
		}
		f.Close()
		os.Remove(f.Name())
		return fine("%s is not there yet; limn serve makes it", file)
	}
	st, done, err := openCurrent(c.Store)
	if err != nil {
		return fault(err, "see whether --store names the right one")
	}
	defer done()
	if err := writeAndRead(ctx, st); err != nil {
		return fault(err, "see whether the disk is full or read only, and who may write")
	}
	says := redacted(c.Store) + " takes a record and gives it back"
	switch st.(type) {
	case *postgres.Store:
		says += fmt.Sprintf("; schema version %d", postgres.Version())
	default:
		if file == "" {
			return warning("name a file with --store sqlite:limn.db", "%s; all is lost when limn serve ends", says)
		}
		says += fmt.Sprintf("; schema version %d", sqlite.Version())
	}
	return fine("%s", says)
}

// writeAndRead leaves nothing. No application has records of that name.
func writeAndRead(ctx context.Context, st store.Store) error {
	now := time.Now()
	r := store.Record{Name: "limn doctor", ID: rand.Text(), Version: 1, Owner: "limn doctor", Created: now, At: now,
		Author: "limn doctor", Body: []byte("{}")}
	if err := st.PutRecord(ctx, r); err != nil {
		return fmt.Errorf("write to the store: %w", err)
	}
	got, err := st.ReadRecord(ctx, r.Name, r.ID, 0)
	if err == nil && string(got.Body) != string(r.Body) {
		err = errors.New("it is not what was written")
	}
	if err != nil {
		return fmt.Errorf("read from the store: %w", err)
	}
	return st.DropRecord(ctx, r.Name, r.ID, 0)
}

// files looks at who else may read the database or replace it.
func (c doctorCommand) files(context.Context) diagnosis {
	file := c.database()
	if file == "" || runtime.GOOS == "windows" {
		return fine("there are none to look at")
	}
	info, err := os.Stat(file)
	switch {
	case errors.Is(err, fs.ErrNotExist): // its folder counts
	case err != nil:
		return fault(err, "let this user read it")
	case info.Mode().Perm()&0o077 != 0:
		return warning("chmod 600 "+file, "other users of this machine may open %s (%v)", file, info.Mode().Perm())
	}
	dir := filepath.Dir(file)
	if info, err := os.Stat(dir); err == nil && info.Mode().Perm()&0o002 != 0 && info.Mode()&fs.ModeSticky == 0 {
		return warning("chmod o-w "+dir, "every user of this machine may replace files in %s", dir)
	}
	return fine("only this user may open %s", file)
}

// hints opens what carries the hints between nodes.
func (c doctorCommand) hints(ctx context.Context) diagnosis {
	if c.Bus == "" || c.Bus == "local" {
		return fine("within this process, or by the database")
	}
	if kind, rest, _ := strings.Cut(c.Bus, "://"); kind == "nats" || kind == "tls" {
		at := rest[strings.LastIndex(rest, "@")+1:] // without a password
		for one := range strings.SplitSeq(at, ",") {
			host := one
			if _, _, err := net.SplitHostPort(host); err != nil {
				host = net.JoinHostPort(host, "4222")
			}
			conn, err := new(net.Dialer).DialContext(ctx, "tcp", host)
			if err != nil {
				return fault(fmt.Errorf("--bus: %w", err), "see whether NATS runs there")
			}
			conn.Close()
		}
		return fine("%s can be reached", at)
	}
	st, done, err := openCurrent(c.Store)
	if err != nil {
		return fault(err, "see the line of the store")
	}
	defer done()
	_, closeBus, err := openBus(c.Bus, st, slog.New(slog.DiscardHandler))
	if err != nil {
		return fault(err, "see whether --bus fits --store")
	}
	defer closeBus()
	return fine("%s", c.Bus)
}

// ask asks the model for a word.
func (c doctorCommand) ask(ctx context.Context, env func(string) string) diagnosis {
	m, _, err := c.open(env)
	if err == nil {
		_, err = c.router(env)
	}
	if err != nil {
		return fault(err, "see limn serve --help")
	}
	if m == nil {
		return fine("none is set: rules and a script answer")
	}
	_, err = m.Ask(ctx, llm.Request{Messages: []llm.Message{{Role: llm.RoleUser, Text: "Say OK."}}, MaxTokens: 16})
	switch ui.CodeOf(err) {
	case llm.CodeAuth:
		return diagnosis{Grade: gradeFault, Says: err.Error(), Remedy: "set LIMN_MODEL_KEY to a key that it takes"}
	case llm.CodeUnsupported:
		return diagnosis{Grade: gradeFault, Says: err.Error(),
			Remedy: "see whether LIMN_MODEL is what the server calls it"}
	case llm.CodeTimeout, llm.CodeCanceled:
		return warning("a model that is loaded first may need longer; ask again",
			"%s gave no answer within %v", c.Model, checkTime)
	}
	if err != nil {
		return fault(err, "see whether LIMN_MODEL_URL is right and the server runs")
	}
	if known, ok := m.(modelcmd.Model); ok && known.Entry().Source == llm.Unknown {
		return warning("find out what it can with limn models probe "+redacted(c.ModelURL)+" "+c.Model,
			"%s answers; what it understands is not known, so it is asked in plain text", c.Model)
	}
	return fine("%s answers", c.Model)
}

func (doctorCommand) pages(context.Context) diagnosis {
	if _, built := web.Bundles(); !built {
		return warning("build with Node.js at hand: make build",
			"the page works; the official A2UI renderers are not built in")
	}
	return fine("the page and the official A2UI renderers are built in")
}
