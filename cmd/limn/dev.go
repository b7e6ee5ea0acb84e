package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"github.com/limn-ui/limn/cmd/limn/term"
	"github.com/limn-ui/limn/internal/heap"
)

// devCommand is the command "limn dev".
type devCommand struct{ serveCommand }

// Help is shown below the options.
func (devCommand) Help() string {
	return `Serves the file as 'limn serve' does, and again whenever it changes: conversations stay, and pages
connect again by themselves. A change with problems is not served; each is printed with its line, as
'limn check' does, and shown above the page until it is corrected. The inspector is at /inspect.

Examples:
  limn dev desk.yaml
  limn dev desk.yaml --store memory`
}

// Run serves the file until the context ends.
func (c devCommand) Run(ctx context.Context, t term.Terminal) (err error) {
	if c.App == "" {
		return errors.New("limn dev needs an application file, such as limn dev app.yaml")
	}
	c.Inspect = c.Inspect || c.Base == "" // this machine only
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends the program at once
	defer writeOn()()
	heap.Roomy()
	w := &watched{file: c.App}
	w.look()
	k := kept{problems: &w.problems}
	if !c.good(t, w) && !c.wait(ctx, t, w, &k) {
		return nil
	}
	defer func() { err = errors.Join(err, k.close()) }()
	for {
		served, end := context.WithCancel(ctx)
		var watching sync.WaitGroup
		watching.Go(func() { // ends with served
			c.changed(served, t, w)
			end()
		})
		err = c.serve(served, t, &k)
		end()
		watching.Wait()
		if ctx.Err() != nil || err != nil && k.addr == "" {
			return err
		}
		if err != nil { // such as a tool of a server that no flag names
			printError(t.Err, err)
			w.problems.set(findings(c.App, err), w.data)
			if !c.wait(ctx, t, w, &k) {
				return nil
			}
		}
	}
}

// wait serves a page with the problems while there is no application to serve. It returns
// false when the context ends.
func (c devCommand) wait(ctx context.Context, t term.Terminal, w *watched, k *kept) bool {
	if l, err := listen(cmp.Or(k.addr, c.Addr)); err == nil { // else serve reports the error
		srv := &http.Server{Handler: w.problems.waiting(c.Prefix, c.hosts(l.Addr())), ReadHeaderTimeout: time.Minute}
		defer srv.Close()
		go srv.Serve(l) //nolint:errcheck // ends with Close
	}
	fmt.Fprintln(t.Err, "Waiting until that is corrected. Stop with Ctrl-C.")
	return c.changed(ctx, t, w)
}

// changed waits until the file is another one, without problems. It prints those of
// others, and returns false when the context ends.
func (c devCommand) changed(ctx context.Context, t term.Terminal, w *watched) bool {
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return false
		case <-tick.C:
			if was := w.data; !bytes.Equal(was, w.look()) && c.good(t, w) {
				return true
			}
		}
	}
}

// good reports whether a file has no problems, and prints those it has.
func (c devCommand) good(t term.Terminal, w *watched) bool {
	_, err := loadApp(c.App, t.Env)
	list := findings(c.App, err)
	w.problems.set(list, w.data)
	for _, f := range list {
		f.print(t.Err, term.StyleOf(t.Err, t.Env), w.data)
	}
	return err == nil
}

// watchEvery is how often the file is looked at.
const watchEvery = 250 * time.Millisecond

// watched is a file with the contents it had when last read.
type watched struct {
	file string
	data []byte // nil: it could not be read

	problems problems // of data
}

func (w *watched) look() []byte {
	w.data, _ = os.ReadFile(w.file)
	return w.data
}
