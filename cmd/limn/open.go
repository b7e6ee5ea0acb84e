package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/limn-ui/limn/bus"
	"github.com/limn-ui/limn/bus/natsbus"
	postgresdriver "github.com/limn-ui/limn/internal/driver/postgres"
	sqlitedriver "github.com/limn-ui/limn/internal/driver/sqlite"
	"github.com/limn-ui/limn/internal/localbus"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/store/memory"
	"github.com/limn-ui/limn/store/postgres"
	"github.com/limn-ui/limn/store/sqlite"
)

// openTime is how long a database may take to answer when the program starts, the
// time in which another node changes its tables included.
const openTime = 30 * time.Second

// openStore opens what --store names, and changes its tables as this program has them.
// Errors hold no password.
func openStore(dsn string) (store.Store, func() error, error) {
	return openBy(dsn, sqlite.Open, postgres.Open)
}

// openCurrent is openStore for a command beside a server, which may have an older version:
// the store must have the tables of this program.
func openCurrent(dsn string) (store.Store, func() error, error) {
	return openBy(dsn, sqlitedriver.OpenCurrent, postgresdriver.OpenCurrent)
}

func openBy(dsn string, openFile func(string) (store.Store, error),
	connect func(context.Context, string) (*postgres.Store, error)) (store.Store, func() error, error) {
	kind, path, _ := strings.Cut(dsn, ":")
	switch {
	case kind == "memory" && path == "":
		s := memory.New()
		return s, s.Close, nil
	case kind == "sqlite" && path != "":
		s, err := openFile(path)
		if err != nil {
			return nil, nil, fmt.Errorf("--store: %w", err)
		}
		return s, s.Close, nil
	case kind == "postgres" || kind == "postgresql":
		ctx, cancel := context.WithTimeout(context.Background(), openTime)
		defer cancel()
		s, err := connect(ctx, dsn)
		if err != nil {
			return nil, nil, fmt.Errorf("--store: %w", err)
		}
		return s, s.Close, nil
	}
	return nil, nil, fmt.Errorf("--store %q: want sqlite:FILE, postgres://USER@HOST/DATABASE or memory", kind+":...")
}

// openBus opens what --bus names; "" is what fits the store. The bus is closed
// before the store.
func openBus(which string, st store.Store, log *slog.Logger) (bus.Bus, func() error, error) {
	pg, shared := st.(*postgres.Store)
	kind, _, _ := strings.Cut(which, ":")
	switch {
	case which == "local" || which == "" && !shared:
		return localbus.New(), func() error { return nil }, nil
	case which == "" || which == "postgres":
		if !shared {
			return nil, nil, errors.New("--bus postgres: it goes with --store postgres://USER@HOST/DATABASE")
		}
		ctx, cancel := context.WithTimeout(context.Background(), openTime)
		defer cancel()
		h, err := pg.Listen(ctx, localbus.New(), log)
		if err != nil {
			return nil, nil, fmt.Errorf("--bus: %w", err)
		}
		return h, h.Close, nil
	case kind == "nats" || kind == "tls":
		b, err := natsbus.Open(natsbus.Config{URL: which, Local: localbus.New(), Log: log})
		if err != nil {
			return nil, nil, fmt.Errorf("--bus: %w", err)
		}
		return b, b.Close, nil
	}
	return nil, nil, fmt.Errorf("--bus %q: want nats://HOST:4222, postgres or local", kind+":...")
}
