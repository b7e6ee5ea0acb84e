package postgres

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/limn-ui/limn/internal/sqlstore"
	"github.com/limn-ui/limn/store"
)

// idleTime is the setting for how long a transaction may wait for its client.
const idleTime = "idle_in_transaction_session_timeout"

// defaultSchema holds our tables unless the DSN has a search_path.
const defaultSchema = "limn"

// callTimeout bounds each call of the server but dumpTime, so that one that has gone silent
// becomes an error.
const callTimeout = 10 * time.Second

// Store keeps conversations in PostgreSQL. Call Open.
type Store struct {
	store.Store
	driver *driver
}

// String names the server, database and schema, without secrets.
func (s *Store) String() string { return s.driver.where }

type driver struct {
	pool   *pgxpool.Pool
	where  string // for errors: host, database and schema, no secrets
	schema string
	writes *lane
	reads  *lane           // the short ones
	bounds sqlstore.Bounds // tests change them
	call   time.Duration   // callTimeout; tests change it
}

// Open connects to the server that dsn names (postgres://user@host/database, or
// key=value pairs, both as libpq has them) and brings the tables up to date. ctx
// bounds Open only. Errors name the server, say what to do, and hold no password.
//
// Sessions have synchronous_commit=on, unless dsn asks for off. A server with fsync=off
// loses acknowledged writes.
func Open(ctx context.Context, dsn string) (*Store, error) {
	return opened(open(ctx, dsn, false))
}

// OpenCurrent is Open for a program that only looks: it refuses tables that are not up to
// date, which nodes of an older version may use.
func OpenCurrent(ctx context.Context, dsn string) (*Store, error) {
	return opened(open(ctx, dsn, true))
}

func opened(s *driver, err error) (*Store, error) {
	if err != nil {
		return nil, err
	}
	return &Store{s, s}, nil
}

// open refuses tables that are not up to date if current is set; else it changes them.
func open(ctx context.Context, dsn string, current bool) (*driver, error) {
	cfg, err := pgxpool.ParseConfig(dsn)
	if err != nil {
		return nil, parseError(err)
	}
	s := &driver{schema: prepare(cfg, dsn), bounds: sqlstore.Usual(), call: callTimeout}
	c := cfg.ConnConfig
	s.where = fmt.Sprintf("postgres://%s/%s (schema %s)", c.Host, c.Database, s.schema)
	if !strings.HasPrefix(c.Host, "/") { // a socket has no port
		s.where = fmt.Sprintf("postgres://%s:%d/%s (schema %s)", c.Host, c.Port, c.Database, s.schema)
	}
	if err := s.begin(ctx, cfg, current); err != nil {
		if ctx.Err() != nil {
			return nil, fmt.Errorf("open %s: %w", s.where, ctx.Err())
		}
		return nil, s.explain("open", err)
	}
	if s.pool, err = pgxpool.NewWithConfig(context.Background(), cfg); err != nil {
		return nil, s.explain("open", err)
	}
	s.writes, s.reads = s.startLane(true), s.startLane(false)
	return s, nil
}

// parseError hides the connection string, which may hold a password in any state
// of disorder, but for a reason that is known not to repeat it.
func parseError(err error) error {
	const want = "want postgres://user:password@host:5432/database?sslmode=..., as PostgreSQL's own tools take it"
	for _, known := range []string{"sslmode is invalid", "invalid port", "pool_max_conns", "pool_min_conns",
		"unable to read CA file", "unable to read cert"} {
		if strings.Contains(err.Error(), known) {
			return fmt.Errorf("open PostgreSQL: %s in the connection string; %s", known, want)
		}
	}
	return errors.New("open PostgreSQL: the connection string cannot be read; " + want)
}

// prepare fills in the settings missing in the DSN and returns the schema to use.
func prepare(cfg *pgxpool.Config, dsn string) string {
	c := cfg.ConnConfig
	if !strings.Contains(dsn, "pool_max_conns") {
		cfg.MaxConns = 8 // two are the lanes'
	}
	if !strings.Contains(dsn, "connect_timeout") {
		c.ConnectTimeout = 5 * time.Second
	}
	params := c.RuntimeParams
	if params["application_name"] == "" {
		params["application_name"] = "limn"
	}
	// The statements are written for it, whatever the server's default is.
	params["default_transaction_isolation"] = "read committed"
	schema := defaultSchema
	if path := params["search_path"]; path != "" {
		first, _, _ := strings.Cut(path, ",")
		schema = strings.Trim(first, ` "`)
	}
	params["search_path"] = pgx.Identifier{schema}.Sanitize()
	return schema
}

// begin makes the schema ready, on a separate connection.
func (s *driver) begin(ctx context.Context, cfg *pgxpool.Config, current bool) error {
	conn, err := pgx.ConnectConfig(ctx, cfg.ConnConfig)
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	if current {
		if err := checkCurrent(ctx, conn, s.schema, len(migrations())); err != nil {
			return err
		}
	}
	if err := migrate(ctx, conn, s.schema, migrations()); err != nil {
		return err
	}
	var commit string
	if err := conn.QueryRow(ctx, `SHOW synchronous_commit`).Scan(&commit); err != nil {
		return err
	}
	params := cfg.ConnConfig.RuntimeParams
	if _, asked := params["synchronous_commit"]; commit == "off" && !asked {
		params["synchronous_commit"] = "on" // what we acknowledge must be durable
	}
	// A node that loses its network in a transaction keeps the locks until the server notices, and a batch that
	// waits for one holds up the writes of all conversations.
	params["lock_timeout"] = cmp.Or(params["lock_timeout"], "3s")
	params[idleTime] = cmp.Or(params[idleTime], "10s")
	return nil
}

// Close finishes the queued requests and closes the connections. Later calls of any
// method return store.ErrClosed; Close itself may be repeated.
func (s *driver) Close() error {
	s.writes.Stop()
	s.reads.Stop()
	s.pool.Close() // waits for reads
	return nil
}

// closed reports whether Close was called.
func (s *driver) closed() bool { return s.writes.Stopping() }
