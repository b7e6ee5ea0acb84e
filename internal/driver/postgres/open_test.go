package postgres

import (
	"context"
	"errors"
	"net"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/limn-ui/limn/internal/pgtest"
	"github.com/limn-ui/limn/internal/sqlstore"
	"github.com/limn-ui/limn/store"
)

// connect is a connection in the schema of dsn.
func connect(t *testing.T, dsn string) (*pgx.Conn, string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close(context.Background()) })
	return conn, conn.Config().RuntimeParams["search_path"]
}

func TestMigrate(t *testing.T) {
	t.Parallel()
	conn, schema := connect(t, pgtest.DSN(t))
	ctx := t.Context()
	steps := []string{
		`CREATE TABLE a AS SELECT 1 AS x`,
		`ALTER TABLE a ADD COLUMN y integer DEFAULT 2`,
		`CREATE TABLE b AS SELECT x + y AS z FROM a; DROP TABLE nowhere`,
	}
	// A step that fails half-way leaves nothing behind.
	if err := migrate(ctx, conn, schema, steps); err == nil || !strings.Contains(err.Error(), "migrate to version 3") {
		t.Fatalf("migrate = %v, want the failing step", err)
	}
	if v, err := versionOf(ctx, conn, schema, 3); v != 0 || err != nil {
		t.Fatalf("version %d, %v after a failed start", v, err)
	}
	// A program of today, and one of tomorrow.
	if err := migrate(ctx, conn, schema, steps[:2]); err != nil {
		t.Fatal(err)
	}
	steps[2] = `CREATE TABLE b AS SELECT x + y AS z FROM a`
	for range 2 { // the second time there is nothing to do
		if err := migrate(ctx, conn, schema, steps); err != nil {
			t.Fatal(err)
		}
	}
	var z int
	if err := conn.QueryRow(ctx, `SELECT z FROM b`).Scan(&z); err != nil || z != 3 {
		t.Fatalf("z = %d, %v; want 3", z, err)
	}
	// The one of today refuses what the one of tomorrow made.
	if err := migrate(ctx, conn, schema, steps[:2]); !errors.Is(err, errNewer) {
		t.Fatalf("older program: %v, want errNewer", err)
	}
}

// Many nodes that start on an empty database apply each step once.
func TestOpenTogether(t *testing.T) {
	t.Parallel()
	dsn := pgtest.DSN(t)
	var wg sync.WaitGroup
	for range 6 {
		wg.Go(func() { // Wait below
			s, err := Open(t.Context(), dsn)
			if err != nil {
				t.Error(err)
				return
			}
			s.Close()
		})
	}
	wg.Wait()
}

func TestForeignSchema(t *testing.T) {
	t.Parallel()
	dsn := pgtest.DSN(t)
	_, schema := connect(t, dsn)
	pgtest.Exec(t, `CREATE SCHEMA `+schema+`; CREATE TABLE `+schema+`.record (x text)`)
	_, err := Open(t.Context(), dsn)
	if err == nil || !strings.Contains(err.Error(), "tables of another program") ||
		!strings.Contains(err.Error(), "?search_path=NAME") {
		t.Fatalf("Open = %v, want a refusal with a remedy", err)
	}
}

// Whatever is wrong with the connection string or the server, no error repeats
// the password.
func TestSecrets(t *testing.T) {
	t.Parallel()
	const secret = "hunter2%zz"
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	nobody := closed.Addr().String()
	closed.Close()
	dsns := []string{
		"postgres://u:" + secret + "@127.0.0.1:5432/x",
		"postgres://u:" + secret + "@127.0.0.1:port/x",
		"postgres://u:hunter2@127.0.0.1:5432/x?sslmode=hunter2&password=hunter2",
		"postgres://u:hunter2@" + nobody + "/x?sslmode=disable",
		"host=127.0.0.1 password='hunter2 user=u",
		"user=u password=hunter2 port=hunter2",
		"postgres://u:hunter2@[::1/x",
		"postgres://u:hunter2@h/x?pool_max_conns=hunter2",
		"hunter2",
	}
	if u, err := url.Parse(pgtest.DSN(t)); err == nil {
		u.User = url.UserPassword("nobody", "hunter2")
		dsns = append(dsns, u.String())
		u.User = url.UserPassword("postgres", "hunter2")
		u.Path = "/nowhere"
		dsns = append(dsns, u.String())
	}
	for _, dsn := range dsns {
		s, err := Open(t.Context(), dsn)
		if err == nil {
			s.Close()
			t.Errorf("%s: opened", dsn)
			continue
		}
		for e := err; e != nil; e = errors.Unwrap(e) {
			if strings.Contains(e.Error(), "hunter2") {
				t.Errorf("%s: the error repeats it: %v", dsn, e)
			}
		}
		if !strings.Contains(err.Error(), "want postgres://") && !strings.Contains(err.Error(), "(schema limn") {
			t.Errorf("%s: no remedy, no place: %v", dsn, err)
		}
	}
}

// Ids are bytes to the port, whatever PostgreSQL thinks of them.
func TestTextRoundTripsAnyBytes(t *testing.T) {
	t.Parallel()
	for _, s := range []string{"", "a", "ü", "\x00", "a\x00b", "\xff", "\x01", "\x01ff", "\x0161"} {
		if got := plain(text(s)); got != s {
			t.Errorf("%q came back as %q", s, got)
		}
	}
	s := openTest(t, pgtest.DSN(t))
	ctx := t.Context()
	if _, err := s.Open(ctx, "no\x00body"); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("Open: %v", err)
	}
	c := store.Conversation{ID: "\xff\x00", Log: "0123456789abcdef", Owner: "\x01", Created: sqlstore.Instant(5)}
	if err := s.Create(ctx, c); err != nil {
		t.Fatal(err)
	}
	h, err := s.Open(ctx, c.ID)
	if err != nil || h.Conversation != c {
		t.Errorf("Open: %+v, %v", h.Conversation, err)
	}
	list, err := s.Owned(ctx, c.Owner, false, store.Conversation{}, 1)
	if err != nil || len(list) != 1 || list[0] != c {
		t.Errorf("Owned: %+v, %v", list, err)
	}
}

func FuzzText(f *testing.F) {
	for _, s := range []string{"a", "\x00", "\x01ff", "\xff"} {
		f.Add(s, "b")
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		if got := plain(text(a)); got != a {
			t.Errorf("%q came back as %q", a, got)
		}
		if a != b && text(a) == text(b) {
			t.Errorf("%q and %q are the same text", a, b)
		}
	})
}

// A command beside older nodes leaves their tables alone.
func TestOpenCurrent(t *testing.T) {
	t.Parallel()
	dsn := pgtest.DSN(t)
	s, err := OpenCurrent(t.Context(), dsn) // there are no tables yet
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if _, err := s.driver.pool.Exec(t.Context(), `UPDATE limn_version SET version = 1`); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenCurrent(t.Context(), dsn); err == nil || !strings.Contains(err.Error(), "start limn serve") {
		t.Errorf("OpenCurrent = %v", err)
	}
}
