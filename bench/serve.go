package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"os/signal"
	"runtime/debug"
	"runtime/metrics"
	"runtime/pprof"
	"strings"
	"syscall"
	"time"

	"github.com/limn-ui/limn"
	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/internal/heap"
	"github.com/limn-ui/limn/internal/localbus"
	"github.com/limn-ui/limn/store/postgres"
	"github.com/limn-ui/limn/store/sqlite"
	"github.com/limn-ui/limn/ui"
)

var (
	serveOn = flag.String("serve", "",
		"used by the program itself: serve the application of the load figures on this store")
	profiled = flag.String("profile", "", "write a CPU profile of the server of the load figures to this file")

	slopeTime = flag.Duration("slope", time.Minute, "how long memory is watched under a steady load")
)

// ticket has one form of five fields. Its submit without a company is sent back:
// a turn with a draft, an error at its field, and a sentence.
func ticket() *app.App {
	a, err := app.New(app.Config{Name: "load",
		Forms: []app.Form{{Name: "ticket", Title: "Ticket", Phrases: []string{"new ticket"}, Fields: []ui.Field{
			{Name: "name", Label: "Your name", Type: ui.TypeText, Required: true},
			{Name: "email", Label: "Email", Type: ui.TypeEmail, Required: true},
			{Name: "company", Label: "Company", Type: ui.TypeText, Required: true},
			{Name: "amount", Label: "Amount", Type: ui.TypeNumber},
			{Name: "city", Label: "City", Type: ui.TypeText},
		}}}})
	must(err)
	return a
}

// serve is the child process: it prints its address and serves until the parent stops
// it.
func serve(dsn string) {
	heap.Roomy() // as limn serve

	if to, ok := strings.CutPrefix(dsn, "proxy:"); ok { // a yardstick, which reads nothing
		agent, err := url.Parse(to)
		must(err)
		l, err := net.Listen("tcp", "127.0.0.1:0")
		must(err)
		fmt.Println(l.Addr())
		must(http.Serve(l, httputil.NewSingleHostReverseProxy(agent)))
	}
	// Every client has the same address.
	cfg := limn.Config{App: ticket(), Limits: limn.Limits{Rate: -1, AddressRate: -1, Streams: -1,
		Stored: limn.Daily{Principal: -1, Address: -1}}}
	closeStore := func() error { return nil }
	if dsn == "wait:" { // in memory, for turns that last
		cfg.Doors, cfg.Model = limn.Doors(), waits{}
		cfg.Limits.Runs = limn.Runs{Principal: -1, Address: -1, Node: -1, Waiting: -1}
		cfg.Limits.NetStreams, cfg.Limits.AllStreams = -1, -1
	} else if agents, ok := strings.CutPrefix(dsn, "gateway:"); ok { // in memory
		cfg = gatewayConfig(agents)
	} else {
		closeStore = openStore(&cfg, dsn)
	}
	srv, err := limn.New(cfg)
	must(err)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(err)
	fmt.Println(l.Addr())
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if *profiled != "" {
		f, err := os.Create(*profiled)
		must(err)
		must(pprof.StartCPUProfile(f))
		defer pprof.StopCPUProfile()
	}
	settle := make(chan os.Signal, 1)
	signal.Notify(settle, syscall.SIGUSR1)
	go func() { // ends with the process
		for range settle {
			debug.FreeOSMemory()
			live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}} // that the collection just found
			metrics.Read(live)
			fmt.Println(live[0].Value.Uint64())
		}
	}()
	must(srv.Serve(ctx, l))
	must(closeStore())
}

// openStore opens a store, and what nodes on it have besides.
func openStore(cfg *limn.Config, dsn string) (closeAll func() error) {
	kind, path, _ := strings.Cut(dsn, ":")
	switch kind {
	case "sqlite":
		st, err := sqlite.Open(path)
		must(err)
		cfg.Store = st
		return st.Close
	case "postgres":
		ctx := context.Background()
		st, err := postgres.Open(ctx, dsn)
		must(err)
		hints, err := st.Listen(ctx, localbus.New(), nil)
		must(err)
		cfg.Store, cfg.Bus, cfg.Node = st, hints, "bench"
		return func() error { return errors.Join(hints.Close(), st.Close()) }
	}
	panic("no such store: " + kind)
}
