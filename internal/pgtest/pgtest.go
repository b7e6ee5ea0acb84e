// Package pgtest gives each test its own PostgreSQL schema.
//
// In: the server that LIMN_TEST_POSTGRES names, else the one at 127.0.0.1:5432
// with a database test that lets the user postgres in. Out: a connection string.
// Imported by tests only.
package pgtest

import (
	"cmp"
	"context"
	"crypto/rand"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// Default is where a server is looked for when LIMN_TEST_POSTGRES is not set.
const Default = "postgres://postgres@127.0.0.1:5432/test?sslmode=disable"

const how = "have one with `sh scripts/deps.sh postgres`, or name one in LIMN_TEST_POSTGRES, such as " + Default

// server connects once and returns the error.
var server = sync.OnceValue(func() error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	conn, err := pgx.Connect(ctx, base())
	if err != nil {
		return err
	}
	return conn.Close(ctx)
})

func base() string { return cmp.Or(os.Getenv("LIMN_TEST_POSTGRES"), Default) }

// DSN returns a connection string whose search_path is a schema that does not
// exist yet, and that is dropped when the test ends. Without a server the test is
// skipped; it fails if LIMN_TEST_POSTGRES or LIMN_REQUIRE=1 says there is one.
func DSN(t testing.TB) string {
	t.Helper()
	if err := server(); err != nil {
		if os.Getenv("LIMN_TEST_POSTGRES") != "" || os.Getenv("LIMN_REQUIRE") == "1" {
			t.Fatalf("no PostgreSQL: %v\n%s", err, how)
		}
		t.Skipf("no PostgreSQL: %v\n%s", err, how)
	}
	schema := "limn_test_" + strings.ToLower(rand.Text())
	t.Cleanup(func() { Exec(t, `DROP SCHEMA IF EXISTS `+schema+` CASCADE`) })
	u, err := url.Parse(base())
	if err != nil {
		t.Fatal("LIMN_TEST_POSTGRES must be of the form postgres://...")
	}
	q := u.Query()
	q.Set("search_path", schema)
	if !q.Has("connect_timeout") {
		q.Set("connect_timeout", "60") // seconds; tests keep every processor busy
	}
	u.RawQuery = q.Encode()
	return u.String()
}

// Exec runs statements on a separate connection to the server.
func Exec(t testing.TB, statements string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute) // also after the test's own context
	defer cancel()
	conn, err := pgx.Connect(ctx, base())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(ctx)
	if _, err := conn.PgConn().Exec(ctx, statements).ReadAll(); err != nil {
		t.Fatal(err)
	}
}
