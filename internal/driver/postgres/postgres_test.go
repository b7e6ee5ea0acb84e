package postgres

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/limn-ui/limn/internal/pgtest"
	"github.com/limn-ui/limn/internal/sqlstore"
	"github.com/limn-ui/limn/store"
	"github.com/limn-ui/limn/store/storetest"
)

func TestMain(m *testing.M) {
	flag.Parse()
	if testing.Short() {
		flag.Set("rapid.checks", "10") // each is some hundred round trips
	}
	os.Exit(m.Run())
}

func TestStore(t *testing.T) {
	t.Parallel()
	dsns := map[store.Store]string{}
	storetest.Run(t, func(t *testing.T) store.Store {
		dsn := pgtest.DSN(t)
		s := openTest(t, dsn)
		dsns[s] = dsn
		return s
	}, storetest.Reopen(func(t *testing.T, s store.Store) store.Store {
		if err := s.(*driver).Close(); err != nil {
			t.Fatal(err)
		}
		again := openTest(t, dsns[s])
		dsns[again] = dsns[s]
		return again
	}))
}

// The questions about records once more, with the plans for many of them.
func TestFindAmongMany(t *testing.T) {
	if testing.Short() {
		t.Skip("asks one question after the other; without -short it runs")
	}
	t.Parallel()
	for _, few := range []int{0, 6} {
		storetest.Find(t, func(t *testing.T) store.Store {
			s := openTest(t, pgtest.DSN(t))
			s.bounds = sqlstore.Bounds{Few: few, Most: 5}
			return s
		})
	}
}

func openTest(t testing.TB, dsn string) *driver {
	t.Helper()
	s, err := open(t.Context(), dsn, false)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// The same tables, each that belongs to a conversation partitioned by hash of it: the
// statements need no change.
func TestStorePartitioned(t *testing.T) {
	if testing.Short() {
		t.Skip("the whole suite once more: left out of short runs")
	}
	t.Parallel()
	tables := regexp.MustCompile(`(?s)CREATE TABLE (\w+) \(\n  (\w+) .*?\n\)( WITH \(.*?\))?;`)
	var steps []string
	for i, step := range migrations() {
		if i > 0 { // records, whose numbers are of all of them
			steps = append(steps, step)
			continue
		}
		steps = append(steps, tables.ReplaceAllStringFunc(step, func(table string) string {
			m := tables.FindStringSubmatch(table)
			table = strings.TrimSuffix(table, m[3]+";") + " PARTITION BY HASH (" + m[2] + ");\n"
			for i := range 3 {
				table += fmt.Sprintf(
					"CREATE TABLE %s_%d PARTITION OF %[1]s FOR VALUES WITH (MODULUS 3, REMAINDER %[2]d)%s;\n", m[1], i,
					m[3])
			}
			return table
		}))
	}
	storetest.Run(t, func(t *testing.T) store.Store {
		dsn := pgtest.DSN(t)
		conn, schema := connect(t, dsn)
		if err := migrate(t.Context(), conn, schema, steps); err != nil {
			t.Fatal(err)
		}
		s := openTest(t, dsn)
		var n int
		if err := s.row(t.Context(), `SELECT count(*) FROM pg_partitioned_table p JOIN pg_class c ON c.oid = p.partrelid
			JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1`, []any{schema}, &n); err != nil || n != 7 {
			t.Fatalf("%d tables are partitioned, %v", n, err)
		}
		return s
	})
}

// A record with much history takes longer than a call may.
func TestRecordOfManyVersions(t *testing.T) {
	t.Parallel()
	s := openTest(t, pgtest.DSN(t))
	s.call = 20 * time.Millisecond
	versions := make([]store.Record, 500)
	for i := range versions {
		at := time.UnixMicro(int64(i + 1)).UTC()
		versions[i] = store.Record{Name: "customer", ID: "r", Version: uint64(i + 1), Owner: "ann", Author: "ann",
			Created: at, At: at, Body: []byte(`{"company":"` + strings.Repeat("x", 32<<10) + `"}`)}
	}
	if err := s.ImportRecord(t.Context(), versions); err != nil {
		t.Fatal(err)
	}
	read := 0
	err := s.ExportRecords(t.Context(), func(list []store.Record) error { read += len(list); return nil })
	if err != nil || read != len(versions) {
		t.Errorf("%d versions: %v", read, err)
	}
}
